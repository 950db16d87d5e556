"""explain says why a page is not listed, and lists all that are left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("sphinx")

from tests.support import mkdocssite, sphinxsite
from tests.support.mkdocssite import BASE
from tests.support.warm import run_module

REDIRECT = '<meta http-equiv="refresh" content="0; url=../kept/">'

REASONS = {
    "old/a/": "excluded: mkdocs.yml: plugins: docs-sitemap: exclude has the pattern 'old/'",
    "ruled/": "excluded: mkdocs.yml: plugins: docs-sitemap: rules: rule 1 has the pattern 'ruled.md'",
    "own/": "excluded: own.md has sitemap: false",
    "draft/": "draft: draft.md has draft: true",
    "hidden/": "noindex: hidden.md has robots: noindex",
    "moved/": "redirect: its text only leads to another page",
    "elsewhere/": "canonical elsewhere: its canonical link is https://other.example/x/",
    "404.html": "404: an error page",
}
HOOK = """
def on_post_page(output, page, config):
    if page.url == "elsewhere/":
        return output.replace(page.canonical_url, "https://other.example/x/")
"""


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> mkdocssite.Docs:
    docs = mkdocssite.Docs(tmp_path_factory.mktemp("left"))
    for name in ("index", "kept", "old/a", "ruled", "elsewhere"):
        docs.page(f"{name}.md")
    docs.page("own.md", sitemap=False)
    docs.page("draft.md", draft=True)
    docs.page("hidden.md", robots="noindex")
    docs.save_page("moved.md", REDIRECT)
    docs.conf(
        {"exclude": ["old/"], "rules": [{"match": "ruled.md", "exclude": True}]}, hooks=[docs.hook(HOOK)]
    )
    return docs


def in_full(page: dict[str, Any]) -> str:
    return ": ".join(filter(None, page["left_out"].values()))


def test_each_page_has_its_reason(docs: mkdocssite.Docs) -> None:
    built = docs.build()
    assert built.sitemap.keys() == {"", "kept/"}
    assert built.notices("(docs-sitemap explain --left-out lists them)")
    root = docs.repo.root
    done = run_module("docs_sitemap", "explain", "--json", *(BASE + path for path in REASONS), cwd=root)
    found = {page["page"].removeprefix(BASE): page for page in json.loads(done.stdout)}
    assert {path: in_full(page) for path, page in found.items()} == REASONS
    assert not any(page["listed"] for page in found.values())
    done = run_module("docs_sitemap", "explain", "--left-out", "--json", cwd=root)
    found = {page["page"]: page for page in json.loads(done.stdout)}
    assert found.keys() == REASONS.keys()
    assert {path: in_full(page) for path, page in found.items()} == REASONS
    done = run_module("docs_sitemap", "explain", "--left-out", cwd=root)
    assert done.stdout.startswith(f"8 of 10 pages not listed, in {built.outdir}\n")
    assert (
        "excluded (3)\n  old/a/: mkdocs.yml: plugins: docs-sitemap: exclude has the pattern 'old/'\n"
        in done.stdout
    )


def test_a_name_that_no_build_knows(docs: mkdocssite.Docs) -> None:
    docs.build()
    for name in (BASE + "kep/", "kep"):
        done = run_module("docs_sitemap", "explain", name, cwd=docs.repo.root)
        assert done.returncode == 1
        assert f"Error: {name}: the last build has no such page. Nearest: " in done.stderr
        assert "kept" in done.stderr


@pytest.mark.parametrize(
    ("site_url", "why"),
    [
        ("", "No sitemap is written, because the URL of the site is not known: set site_url to it"),
        (BASE, "This is a preview build (deploy-preview): no sitemap is written"),
    ],
)
def test_a_site_without_a_sitemap_says_why_of_each_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site_url: str, why: str
) -> None:
    if site_url:
        monkeypatch.setenv("NETLIFY", "true")
        monkeypatch.setenv("CONTEXT", "deploy-preview")
    docs = mkdocssite.Docs(tmp_path)
    docs.page("index.md")
    docs.save_page("guide.md")
    docs.conf(site_url=site_url)
    docs.build()
    for name in ("https://example.net/guide/", "guide.md"):
        done = run_module("docs_sitemap", "explain", name, cwd=docs.repo.root)
        assert f"not listed  {why}" in done.stdout


@pytest.mark.parametrize("arguments", [[], ["--left-out", "docs/kept.md"]])
def test_either_pages_or_left_out(arguments: list[str], tmp_path: Path) -> None:
    done = run_module("docs_sitemap", "explain", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected either pages or --left-out" in done.stderr


def test_without_a_build(tmp_path: Path) -> None:
    done = run_module("docs_sitemap", "explain", "--left-out", cwd=tmp_path)
    assert done.returncode == 1
    assert "build the site once" in done.stderr


def test_a_redirect_leads_to_its_page(tmp_path: Path) -> None:
    """jupyter-book 1 has a stub as home page."""
    docs = sphinxsite.Docs(tmp_path)
    docs.repo.write("README.md", "# Read me\n")
    docs.save_page("intro.rst")
    refresh = '<meta http-equiv="refresh" content="0; url=intro.html">'
    stub = f"(app.outdir / 'index.html').write_text({refresh!r})"
    code = f"def stub(app, exc):\n    {stub}\ndef setup(app):\n    app.connect('build-finished', stub)"
    docs.conf(root_doc="intro", code=code)
    docs.build()
    for name in (sphinxsite.BASE, sphinxsite.BASE + "index.html", "index.html"):
        done = run_module("docs_sitemap", "explain", name, cwd=docs.repo.root)
        assert f"not listed  redirect: it leads to {sphinxsite.BASE}intro.html\n" in done.stdout
        assert "decided by  docs/intro.rst" in done.stdout
    done = run_module("docs_sitemap", "explain", sphinxsite.BASE + "search.html", cwd=docs.repo.root)
    assert "for its search or index; it is noindex, too\n" in done.stdout
