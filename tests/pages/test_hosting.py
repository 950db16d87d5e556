"""What each hosting service says of a build, by the variables that it sets, in production and in previews."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.pages.hosting import Hosting, detect_hosting
from docs_sitemap.pages.page import Page
from tests.files.test_emit import run
from tests.support import sitemaps

pytestmark = pytest.mark.core

READ_THE_DOCS = {
    "READTHEDOCS": "True",
    "READTHEDOCS_PROJECT": "example",
    "READTHEDOCS_LANGUAGE": "en",
    "READTHEDOCS_VERSION": "latest",
    "READTHEDOCS_VERSION_NAME": "latest",
    "READTHEDOCS_VERSION_TYPE": "branch",
    "READTHEDOCS_CANONICAL_URL": "https://docs.example.com/en/latest/",
}
READ_THE_DOCS_PREVIEW = READ_THE_DOCS | {
    "READTHEDOCS_VERSION": "17",
    "READTHEDOCS_VERSION_NAME": "17",
    "READTHEDOCS_VERSION_TYPE": "external",
    "READTHEDOCS_CANONICAL_URL": "https://example--17.org.readthedocs.build/en/17/",
}
NETLIFY = {
    "NETLIFY": "true",
    "BUILD_ID": "5d4aeac2ccabf517d2f219b8",
    "CONTEXT": "production",
    "BRANCH": "main",
    "HEAD": "main",
    "PULL_REQUEST": "false",
    "URL": "https://example.netlify.app",
    "DEPLOY_URL": "https://5d4aeac2ccabf517d2f219b7--example.netlify.app",
    "DEPLOY_PRIME_URL": "https://main--example.netlify.app",
}
NETLIFY_PREVIEW = NETLIFY | {
    "CONTEXT": "deploy-preview",
    "BRANCH": "pull/17/head",
    "HEAD": "fix",
    "PULL_REQUEST": "true",
    "REVIEW_ID": "17",
    "DEPLOY_PRIME_URL": "https://deploy-preview-17--example.netlify.app",
}
VERCEL = {
    "VERCEL": "1",
    "CI": "1",
    "VERCEL_ENV": "production",
    "VERCEL_TARGET_ENV": "production",
    "VERCEL_URL": "example-1a2b3c4d-team.vercel.app",
    "VERCEL_BRANCH_URL": "example-git-main-team.vercel.app",
    "VERCEL_PROJECT_PRODUCTION_URL": "docs.example.com",
    "VERCEL_GIT_COMMIT_REF": "main",
}
VERCEL_PREVIEW = VERCEL | {
    "VERCEL_ENV": "preview",
    "VERCEL_TARGET_ENV": "preview",
    "VERCEL_URL": "example-5e6f7a8b-team.vercel.app",
    "VERCEL_GIT_COMMIT_REF": "fix",
    "VERCEL_GIT_PULL_REQUEST_ID": "17",
}
GITLAB = {
    "CI": "true",
    "GITLAB_CI": "true",
    "CI_PIPELINE_SOURCE": "push",
    "CI_COMMIT_BRANCH": "main",
    "CI_DEFAULT_BRANCH": "main",
    "CI_PAGES_DOMAIN": "gitlab.io",
    "CI_PAGES_HOSTNAME": "group.gitlab.io",
    "CI_PAGES_URL": "https://group.gitlab.io/project",
}
GITLAB_VERSION = GITLAB | {"CI_COMMIT_BRANCH": "1.x", "CI_PAGES_URL": "https://group.gitlab.io/project/1.x"}
GITLAB_PREVIEW = GITLAB | {
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_IID": "17",
    "CI_PAGES_URL": "https://group.gitlab.io/project/mr-17",
}
del GITLAB_PREVIEW["CI_COMMIT_BRANCH"]  # "not available in merge request pipelines"
CLOUDFLARE = {
    "CI": "true",
    "CF_PAGES": "1",
    "CF_PAGES_COMMIT_SHA": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    "CF_PAGES_BRANCH": "main",
    "CF_PAGES_URL": "https://373f31e2.example.pages.dev",
}
CLOUDFLARE_PUBLIC = CLOUDFLARE | {"CF_PAGES_URL": "https://docs.example.com"}
CLOUDFLARE_PREVIEW = CLOUDFLARE | {"CF_PAGES_BRANCH": "fix", "DOCS_SITEMAP_PREVIEW": "1"}
GITHUB = {
    "CI": "true",
    "GITHUB_ACTIONS": "true",
    "GITHUB_PAGES": "true",
    "GITHUB_REPOSITORY": "owner/project",
    "GITHUB_EVENT_NAME": "push",
    "GITHUB_REF_NAME": "main",
}
GITHUB_PULL_REQUEST = GITHUB | {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_HEAD_REF": "fix"}

BUILDS = {
    "Read the Docs": (READ_THE_DOCS, "https://docs.example.com/en/latest/", ""),
    "Read the Docs, pull request": (
        READ_THE_DOCS_PREVIEW,
        "https://example--17.org.readthedocs.build/en/17/",
        "external",
    ),
    "Netlify": (NETLIFY, "https://example.netlify.app", ""),
    "Netlify, pull request": (NETLIFY_PREVIEW, "https://example.netlify.app", "deploy-preview"),
    "Netlify, branch": (NETLIFY | {"CONTEXT": "branch-deploy"}, NETLIFY["URL"], "branch-deploy"),
    "Vercel": (VERCEL, "https://docs.example.com", ""),
    "Vercel, pull request": (VERCEL_PREVIEW, "https://docs.example.com", "preview"),
    "GitLab": (GITLAB, "https://group.gitlab.io/project", ""),
    "GitLab, version": (GITLAB_VERSION, "https://group.gitlab.io/project/1.x", ""),
    "GitLab, merge request": (GITLAB_PREVIEW, "https://group.gitlab.io/project/mr-17", "merge request"),
    "Cloudflare": (CLOUDFLARE, None, ""),
    "Cloudflare, address overridden": (CLOUDFLARE_PUBLIC, "https://docs.example.com", ""),
    "Cloudflare, own domain": (
        CLOUDFLARE | {"CF_PAGES_URL": "https://example.pages.dev"},
        "https://example.pages.dev",
        "",
    ),
    "Cloudflare, preview": (CLOUDFLARE_PREVIEW, None, "DOCS_SITEMAP_PREVIEW"),
    "GitHub": (GITHUB, None, ""),
    "GitHub, pull request": (GITHUB_PULL_REQUEST, None, ""),
    "GitHub, preview": (GITHUB_PULL_REQUEST | {"DOCS_SITEMAP_PREVIEW": "true"}, None, "DOCS_SITEMAP_PREVIEW"),
    "none": ({}, None, ""),
}
PREVIEWS = {name: environ for name, (environ, _, preview) in BUILDS.items() if preview}


@pytest.mark.parametrize("name", BUILDS)
def test_each_service_says_where_a_build_goes(name: str) -> None:
    environ, base_url, preview = BUILDS[name]
    expected = Hosting(base_url, preview)
    if name.startswith("Read the"):
        expected = Hosting(base_url, preview, "Read the Docs", at_root=True, is_exact=True)
    assert detect_hosting(environ) == expected


ROBOTS = b"User-agent: *\nDisallow: /private/\n"
HOSTED = READ_THE_DOCS | {"READTHEDOCS_CANONICAL_URL": "https://example.readthedocs.io/en/latest/"}
SUBPROJECT = "https://docs.example.com/projects/example/en/latest/"
PARTS = {
    "a subproject": {"READTHEDOCS_CANONICAL_URL": SUBPROJECT},
    "a translation": HOSTED | {"READTHEDOCS_PROJECT": "example-de", "READTHEDOCS_LANGUAGE": "de"},
}


@pytest.mark.parametrize("environ", [READ_THE_DOCS, HOSTED, HOSTED | {"READTHEDOCS_VERSION": "1.0"}])
def test_read_the_docs_keeps_its_own_robots_txt(tmp_path: Path, environ: dict[str, str]) -> None:
    """It forbids hidden versions, and names /sitemap.xml, which is that of the default version."""
    run([Page(url="a")], tmp_path, site=None)  # what an earlier build left
    run([Page(url="a")], tmp_path)
    assert (tmp_path / "robots.txt").is_file()
    report = run([Page(url="a")], tmp_path, site=None, environ=environ)
    assert (tmp_path / "sitemap.xml").is_file()
    assert not (tmp_path / "robots.txt").exists()
    assert [notice.subtype for notice in report.notices] == ["written"]


def test_on_read_the_docs_the_author_s_robots_txt_is_completed(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(ROBOTS)
    report = run([Page(url="a")], tmp_path, site=None, environ=HOSTED)
    text = (tmp_path / "robots.txt").read_bytes()
    assert text.startswith(ROBOTS)
    assert text.endswith(b"\nSitemap: https://example.readthedocs.io/en/latest/sitemap.xml\n")
    assert [notice.subtype for notice in report.notices] == ["written"]


@pytest.mark.parametrize("robots", [None, ROBOTS])
@pytest.mark.parametrize("name", PARTS)
def test_of_a_part_of_a_site_on_read_the_docs_the_root_needs_the_line(
    tmp_path: Path, name: str, robots: bytes | None
) -> None:
    """robots.txt of a subproject or translation is not served at the root of the domain."""
    if robots:
        (tmp_path / "robots.txt").write_bytes(robots)
    report = run([Page(url="a")], tmp_path, site=None, environ=READ_THE_DOCS | PARTS[name])
    assert (tmp_path / "robots.txt").exists() == bool(robots)
    (text,) = [notice.text for notice in report.notices if notice.subtype == "robots"]
    assert "/robots.txt: add the line" in text
    assert report.base_url in text


def test_read_the_docs_names_no_sitemap_of_another_name(tmp_path: Path) -> None:
    report = run([Page(url="a")], tmp_path, site=None, environ=HOSTED, filename="pages.xml")
    assert not (tmp_path / "robots.txt").exists()
    (text,) = [notice.text for notice in report.notices if notice.subtype == "robots"]
    assert '"Sitemap: https://example.readthedocs.io/en/latest/pages.xml"' in text


def test_a_url_of_another_version_is_reported(tmp_path: Path) -> None:
    """As html_baseurl that is fixed to stable, in a build of latest."""
    base = "https://example.readthedocs.io/en/stable/"
    report = run([Page(url="a")], tmp_path, site=base, environ=HOSTED)
    (text,) = [notice.text for notice in report.notices if notice.subtype == "canonical"]
    assert f"site_url is {base}, but this build is published at {HOSTED['READTHEDOCS_CANONICAL_URL']}" in text
    other = run([Page(url="a")], tmp_path, site="https://docs.example.com/en/stable/", environ=HOSTED)
    same = run([Page(url="a")], tmp_path, site=HOSTED["READTHEDOCS_CANONICAL_URL"], environ=HOSTED)
    for each in (other, same):
        assert [notice.subtype for notice in each.notices] == ["written"]


@pytest.mark.parametrize("value", ["", "0", "false", "no", "off"])
def test_a_variable_of_ours_can_be_off(value: str) -> None:
    assert detect_hosting({"DOCS_SITEMAP_PREVIEW": value}) == Hosting()
    assert detect_hosting(NETLIFY_PREVIEW | {"DOCS_SITEMAP_PREVIEW": value}).preview == "deploy-preview"


def test_a_branch_name_never_makes_a_preview_where_the_service_does_not_say_so() -> None:
    """Else the public site of a project whose branch is named otherwise would be forbidden to crawlers."""
    for branch in ("main", "production", "gh-pages", "fix"):
        assert detect_hosting(CLOUDFLARE | {"CF_PAGES_BRANCH": branch}).preview == ""


DISALLOW = b"# Written by docs-sitemap\nUser-agent: *\nDisallow: /\n"


@pytest.mark.parametrize("name", PREVIEWS)
def test_a_preview_forbids_all_only_where_asked(tmp_path: Path, name: str) -> None:
    for site in (None, "https://example.org/"):
        report = run([Page(url="a")], tmp_path, site=site, environ=PREVIEWS[name])
        assert list(tmp_path.iterdir()) == []
        assert [(notice.level, notice.subtype) for notice in report.notices] == [("info", "preview")]
        report = run([Page(url="a")], tmp_path, site=site, environ=PREVIEWS[name], previews="disallow")
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"robots.txt": DISALLOW}
        assert [(notice.level, notice.subtype) for notice in report.notices] == [("info", "preview")]
        assert report.written == ["robots.txt"]
        (tmp_path / "robots.txt").unlink()


def test_the_public_build_never_forbids_all(tmp_path: Path) -> None:
    for number, (environ, _, preview) in enumerate(BUILDS.values()):
        if not preview:
            outdir = tmp_path / str(number)
            run([Page(url="a")], outdir, environ=environ, previews="disallow")
            robots = outdir / "robots.txt"
            assert robots.exists() == ("READTHEDOCS" not in environ)
            assert not robots.exists() or b"Disallow" not in robots.read_bytes()
            assert len(sitemaps.read(outdir / "sitemap.xml")) == 1


def test_what_a_preview_left_does_not_stay(tmp_path: Path) -> None:
    """The output folder may come from a cache of another build."""
    run([Page(url="a")], tmp_path, environ=NETLIFY_PREVIEW, previews="disallow")
    run([Page(url="a")], tmp_path, previews="disallow")
    assert b"Disallow" not in (tmp_path / "robots.txt").read_bytes()
    run([Page(url="a")], tmp_path, environ=NETLIFY_PREVIEW, previews="disallow")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"robots.txt": DISALLOW}
    run([Page(url="a")], tmp_path, environ=NETLIFY_PREVIEW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("own", [b"User-agent: *\nDisallow: /x/\n", b"", "User-agent: *\n".encode("utf-16")])
def test_a_robots_txt_of_the_site_s_own_stands_in_previews_too_and_one_line_says_so(
    tmp_path: Path, own: bytes
) -> None:
    (tmp_path / "robots.txt").write_bytes(own)
    report = run([Page(url="a")], tmp_path, environ=NETLIFY_PREVIEW, previews="disallow")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"robots.txt": own}
    assert [(notice.level, notice.subtype) for notice in report.notices] == [
        ("info", "preview"),
        ("info", "robots"),
    ]
    assert "opt_previews does not change" in report.notices[1].text


def test_our_lines_in_a_robots_txt_of_the_site_s_own_go_in_a_preview(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\nAllow: /\n")
    run([Page(url="a")], tmp_path)
    run([Page(url="a")], tmp_path, environ=NETLIFY_PREVIEW, previews="disallow")
    assert (tmp_path / "robots.txt").read_bytes() == b"User-agent: *\nAllow: /\n"
