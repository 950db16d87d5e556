"""What our own plugins write has nothing to report; what is then broken in it is found."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap.check import RULES, Finding, Question, check_site
from tests.support.gitrepo import Repo

SITES = Path(__file__).resolve().parents[2] / "example_sites"
BASE = "https://example.org/docs/"
LANGUAGES = {
    "en": BASE,
    "de": "https://example.org/docs/de/",
    "pt-BR": "https://example.org/docs/pt-br/",
    "x-default": BASE,
}
ALL: dict[str, Any] = {
    "formats": ["xml", "gz", "txt", "atom", "rss"],
    "exclude": ["drafts/"],
    "lastmod_format": "date",
    "dependencies": "all",
    "follow_renames": True,
    "rules": [{"match": "guide/", "lastmod": "2024-02-03"}],
    "languages": LANGUAGES,
    "images": True,
    "page_dates": True,
}
"""Every option that adds something to the output, but those that engines ignore."""

PNG = bytes.fromhex("89504e470d0a1a0a") + b"no more of it is ever read"


def check(outdir: Path, **question: Any) -> list[Finding]:
    return check_site(Question(outdir, **question), list(RULES.values())).findings


PAGES = ("guide/first", "guide/second step", "guide/über", "reference/api", "faq", "drafts/later")


def write_pages(repo: Repo, suffix: str) -> None:
    """Commit pages in folders, each by itself; the first one has a picture."""
    picture = "![A picture](../../pictures/a.png)" if suffix == ".md" else ".. image:: ../pictures/a.png"
    for name in PAGES:
        title = f"# {name}" if suffix == ".md" else f"{name}\n{'=' * 20}"
        repo.save(f"docs/{name}{suffix}", f"{title}\n\nText of it.\n\n{picture if 'first' in name else ''}\n")
    (repo.root / "docs/pictures").mkdir()
    (repo.root / "docs/pictures/a.png").write_bytes(PNG)
    repo.commit()


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_the_example_sites_have_nothing_to_report(host: str, tmp_path: Path) -> None:
    pytest.importorskip(host)
    out = tmp_path / "out"
    config, trees = SITES / "mkdocs/mkdocs.yml", tmp_path / "trees"
    commands: dict[str, list[str | Path]] = {
        "mkdocs": ["mkdocs", "build", "-q", "-f", config, "-d", out],
        "sphinx": ["sphinx", "-q", "-d", trees, SITES / "sphinx", out],
    }
    command = map(str, commands[host])
    subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)
    assert check(out) == []


@pytest.mark.parametrize(
    ("theme", "directory_urls", "options"),
    [
        ("mkdocs", True, {}),
        ("mkdocs", False, {**ALL, "max_urls": 2}),
        ("material", True, ALL),
        ("material", False, {}),
        ("mkdocs", True, {"formats": ["txt", "gz"], "max_urls": 2}),
        ("mkdocs", True, {"formats": ["xml", "gz"], "max_urls": 1}),
        ("mkdocs", True, {"formats": ["atom"]}),
        ("mkdocs", True, {"filename": "guide/map.xml", "formats": ["xml", "gz", "txt"]}),
    ],
)
def test_mkdocs_builds_have_nothing_to_report(
    repo: Repo, options: dict[str, Any], directory_urls: bool, theme: str
) -> None:
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    if theme == "material":
        pytest.importorskip("material")
    docs = Docs(repo.root, repo=repo)
    docs.page("index.md")
    repo.commit()
    write_pages(repo, ".md")
    more: dict[str, Any] = {"use_directory_urls": directory_urls, "theme": {"name": theme, "language": "en"}}
    docs.conf(options, site_url=BASE, **more)
    built = docs.build().passed()
    assert check(built.outdir) == []
    assert check(built.outdir, base_url=BASE) == []


@pytest.mark.parametrize(
    ("builder", "options"), [("html", {}), ("dirhtml", ALL), ("html", {**ALL, "max_urls": 2})]
)
def test_sphinx_builds_have_nothing_to_report(repo: Repo, options: dict[str, Any], builder: str) -> None:
    pytest.importorskip("sphinx")
    from tests.support.sphinxsite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.page("index.rst", ".. toctree::\n   :glob:\n\n   *\n   */*\n")
    repo.commit()
    write_pages(repo, ".rst")
    docs.conf(**{f"docs_sitemap_{name}": value for name, value in options.items()})
    built = docs.build(builder).passed()
    assert check(built.outdir) == []
    assert check(built.outdir, base_url=BASE) == []


@pytest.mark.parametrize(
    ("options", "more", "found"),
    [
        ({"changefreq": "weekly", "priority": 0.5}, {}, {"S2"}),  # they were asked for
        # MkDocs's own sitemap has the day of the build on each page, and there is no robots.txt
        ({}, {"site_url": "https://docs.acme.org/", "plugins": []}, {"L2", "R1"}),
    ],
    ids=["hints", "MkDocs's own"],
)
def test_what_is_reported_of_a_build(
    repo: Repo, options: dict[str, Any], more: dict[str, Any], found: set[str]
) -> None:
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.pages("a.md", "b.md")
    docs.conf(options, **more)
    assert {finding.id for finding in check(docs.build().outdir)} == found


@pytest.mark.parametrize(("lastmod", "found"), [("git", ["L8"]), ("none", [])])
def test_a_build_without_git_has_lost_its_dates_unless_they_are_switched_off(
    repo: Repo, lastmod: str, found: list[str]
) -> None:
    """As in a container to which .git is not copied."""
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.pages("a.md", "b.md")
    docs.conf({"lastmod": lastmod})
    shutil.rmtree(repo.root / ".git")
    assert [finding.id for finding in check(docs.build().outdir)] == found


def test_what_is_broken_in_a_real_build_is_found(repo: Repo) -> None:
    """One fault after the other, each in a build that had none before."""
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.pages("a.md", "b.md")
    docs.conf({"formats": ["xml"]})
    out = docs.build().outdir
    for name, old, new, rule in (
        ("a/index.html", b"</title>", b'</title><meta name="robots" content="noindex">', "U6"),
        ("sitemap.xml", b"docs/a/</loc>", b"docs/c/</loc>", "U4"),
        ("sitemap.xml", b"</lastmod>", b"9</lastmod>", "L3"),
        ("robots.txt", b"Allow: /", b"Disallow: /", "R3"),
    ):
        file = out / name
        data = file.read_bytes()
        assert old in data
        assert check(out) == []
        file.write_bytes(data.replace(old, new, 1))
        assert rule in {finding.id for finding in check(out)}
        file.write_bytes(data)
