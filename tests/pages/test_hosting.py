"""What each hosting service says of a build, by the variables that it sets, in production and in previews."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.errors import OptionError
from docs_sitemap.options.declarations import read_options
from docs_sitemap.pages.hosting import MISSING, SERVED, SERVICES, Hosting, detect_hosting
from docs_sitemap.pages.page import Page
from tests.files.test_emit import run, said
from tests.support import services, sitemaps
from tests.support.services import (
    AUTHORS,
    CLOUDFLARE,
    CLOUDFLARE_PUBLIC,
    HOSTED,
    NETLIFY,
    NETLIFY_PREVIEW,
    WORKERS,
)

pytestmark = pytest.mark.core

PREVIEWS = {
    name: build.environ
    for name, build in services.SERVICES.items()
    if build.told == "This is a preview build"
}


@pytest.mark.parametrize("authors", [False, True], ids=["", "robots.txt"])
@pytest.mark.parametrize("name", services.SERVICES)
def test_a_build_leaves_and_says_what_the_documentation_s_table_has(
    tmp_path: Path, name: str, authors: bool
) -> None:
    """Whatever an earlier build elsewhere has left."""
    build = services.SERVICES[name]
    run([Page(url="")], tmp_path)
    if authors:
        (tmp_path / "robots.txt").write_bytes(AUTHORS)
    report = run([Page(url="")], tmp_path, site=build.site or None, environ=build.environ)
    services.check(build, tmp_path, "\n".join(notice.text for notice in report.notices), authors=authors)
    assert said(report, "warning") == []


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
    other = run([Page(url="a")], tmp_path, site="https://docs.acme.org/en/stable/", environ=HOSTED)
    same = run([Page(url="a")], tmp_path, site=HOSTED["READTHEDOCS_CANONICAL_URL"], environ=HOSTED)
    http = run([Page(url="a")], tmp_path, site="http://example.readthedocs.io/en/latest/", environ=HOSTED)
    for each in (same, http):
        assert [notice.subtype for notice in each.notices] == ["lastmod", "written"]
    # another host, whose robots.txt Read the Docs does not serve
    assert [notice.subtype for notice in other.notices] == ["lastmod", "written", "robots"]


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
    for number, (name, build) in enumerate(services.SERVICES.items()):
        if name not in PREVIEWS:
            outdir = tmp_path / str(number)
            run([Page(url="a")], outdir, environ=build.environ, previews="disallow")
            robots = outdir / "robots.txt"
            assert robots.exists() == ("READTHEDOCS" not in build.environ)
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


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    environ = CLOUDFLARE | {"CF_PAGES_URL": "docs.example.com"}
    report = run([Page(url="a")], tmp_path, site=None, environ=environ)
    (text,) = [notice.text for notice in report.notices]
    assert text.startswith("the environment variable CF_PAGES_URL: expected an absolute URL")
    assert said(report, "warning") == ["base_url"]


FORMS = {"guide.html": False, "guide": False, "api": True, "api/": True, "api/index.html": True, "": True}


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_serves_a_page_under_one_form_of_its_url_at_least(name: str) -> None:
    """And a form that it redirects to is one that it serves."""
    serving = SERVICES[name]
    answers = {path: serving.answer(path, is_index=is_index) for path, is_index in FORMS.items()}
    assert SERVED in (answers["api/"], answers["api/index.html"])
    assert answers[""] == SERVED
    assert SERVED in (answers["guide.html"], answers["guide"])
    for answer in answers.values():
        assert answer in (SERVED, MISSING) or answers[answer] == SERVED


@pytest.mark.parametrize("environ", [CLOUDFLARE_PUBLIC, WORKERS])
def test_cloudflare_redirects_html(tmp_path: Path, environ: dict[str, str]) -> None:
    """To the same without; so search engines would get a redirect for each page of Sphinx's builder html."""
    pages = [Page(url="index.html"), *(Page(url=f"{name}.html") for name in "abc"), Page(url="d/")]
    report = run(pages, tmp_path, environ=environ)
    (text,) = [notice.text for notice in report.notices if notice.subtype == "address"]
    assert text.startswith("Cloudflare redirects 4 of the listed URLs, for example a.html to a: ")
    assert said(report, "warning") == []
    for other in ([Page(url=""), Page(url="d/"), Page(url="e")], pages[:1]):
        report = run(other, tmp_path, environ=environ)
        assert ("address" in said(report, "info")) == (other == pages[:1])
    report = run(pages, tmp_path, environ=NETLIFY)
    assert "address" not in said(report, "info")


@pytest.mark.parametrize("url", ["https://user:hunter2@example.org/", "http://user:hunter2@example.org:x/"])
def test_a_password_in_an_address_is_not_shown(tmp_path: Path, url: str) -> None:
    for report in (
        run([Page(url="a")], tmp_path, site=url, environ={}),
        run([Page(url="a")], tmp_path, site=None, environ=HOSTED | {"READTHEDOCS_CANONICAL_URL": url}),
    ):
        (notice,) = report.notices
        assert "hunter2" not in notice.text
        assert "got a text that is not shown. No sitemap is written." in notice.text
    with pytest.raises(OptionError, match="got a text that is not shown"):
        read_options({"base_url": url}, str)
