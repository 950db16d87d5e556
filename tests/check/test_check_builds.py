"""What our own plugins write has nothing to report; what is then broken in it is found."""

from __future__ import annotations

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


def pages_of(repo: Repo, folder: str, suffix: str) -> list[str]:
    """Commit pages in folders, each by itself, and return their names without suffix."""
    names = ["guide/first", "guide/second step", "guide/über", "reference/api", "faq", "drafts/later"]
    for name in names:
        link = f"![A picture](../{'../' if suffix == '.md' else ''}pictures/a.png)" if "first" in name else ""
        directive = "\n.. image:: ../pictures/a.png\n" if "first" in name and suffix == ".rst" else ""
        title = f"# {name}\n\n" if suffix == ".md" else f"{name}\n{'=' * 20}\n\n"
        repo.write(
            f"{folder}/{name}{suffix}", f"{title}Text of it.\n{link if suffix == '.md' else directive}\n"
        )
        repo.commit()
    (repo.root / folder / "pictures").mkdir(exist_ok=True)
    (repo.root / folder / "pictures/a.png").write_bytes(PNG)
    repo.commit()
    return names


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
    pages_of(repo, "docs", ".md")
    more: dict[str, Any] = {"use_directory_urls": directory_urls, "theme": {"name": theme, "language": "en"}}
    docs.conf(options, site_url=BASE, **more)
    built = docs.build()
    assert not built.failed, built.log
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
    pages_of(repo, "docs", ".rst")
    docs.conf(**{f"docs_sitemap_{name}": value for name, value in options.items()})
    built = docs.build(builder)
    assert not built.failed, built.warnings
    assert check(built.outdir) == []
    assert check(built.outdir, base_url=BASE) == []


@pytest.mark.parametrize(
    "options",
    [
        {"formats": ["txt", "gz"], "max_urls": 2},
        {"formats": ["xml", "gz"], "max_urls": 1},
        {"formats": ["atom"]},
        {"filename": "guide/map.xml", "formats": ["xml", "gz", "txt"]},
    ],
    ids=["text parts", "a part a page", "feed", "folder"],
)
def test_any_form_of_our_sitemap_has_nothing_to_report(repo: Repo, options: dict[str, Any]) -> None:
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.page("index.md")
    repo.commit()
    pages_of(repo, "docs", ".md")
    docs.conf({"exclude": ["drafts/"], **options})
    built = docs.build()
    assert not built.failed, built.log
    assert check(built.outdir) == []


def test_hints_that_were_asked_for_are_the_one_thing_told_of_ours(repo: Repo) -> None:
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.pages("a.md", "b.md")
    docs.conf({"changefreq": "weekly", "priority": 0.5})
    found = check(docs.build().outdir)
    assert [(finding.id, finding.level) for finding in found] == [("S2", "info")]


def test_what_mkdocs_itself_writes_is_reported(repo: Repo) -> None:
    """Its own sitemap has the day of the build on each page, and there is no robots.txt."""
    pytest.importorskip("mkdocs")
    from tests.support.mkdocssite import Docs

    docs = Docs(repo.root, repo=repo)
    docs.pages("a.md", "b.md")
    docs.conf(site_url="https://docs.acme.org/", plugins=[])
    found = check(docs.build().outdir)
    assert {finding.id for finding in found} == {"L2", "R1"}


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
