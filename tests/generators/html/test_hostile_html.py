"""HTML that was made to take all time or all memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

pytest.importorskip("click")
pytest.importorskip("lxml")
pytest.importorskip("protego")

MEMORY = 700 << 20
SECONDS = 120
"""Far more than any of these takes, on any machine; in quadratic time they take hours."""
START = "<!doctype html><html><head><title>A</title></head><body>"
PAGES: dict[str, Callable[[], str]] = {
    "tags in tags": lambda: START + "<a " * 70_000,
    "comments": lambda: START + "<!--" * 70_000,
    "a head of unclosed tags": lambda: "<html><head>" + "<meta name=robots " * 20_000,
    "a head of unclosed quotes": lambda: "<html><head>" + '<link rel="canonical" href="' * 30_000,
    "scripts": lambda: START + "<script>" * 100_000 + "</script " * 100_000,
    "headings": lambda: START + "<h1>" * 50_000,
    "images": lambda: (
        START + "<main>" + "<img src='../x.png' " * 20_000 + "<img src='x.png'" + "../" * 300_000
    ),
    "a long base": lambda: (
        f"<html><head><base href='/{'a/' * 500_000}'></head><body>" + "<a href=../x>" * 9_999
    ),
    "digits": lambda: (
        f"{START}<h1>&#{'9' * 6_000};</h1><a href='&#{'9' * 6_000};'>x</a><img src='&#{'9' * 9_999}'>"
    ),
    "declarations": lambda: START + "<![foo" * 200_000,
    "templates": lambda: "<html><head>" + "<template><noscript>" * 20_000,
    "search results": lambda: START + "<div id=search" * 50_000 + "<div class='search-results'>" * 20_000,
}


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    code = (
        f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY})); "
        "sys.argv = sys.argv[1:]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "search").mkdir(parents=True)
    for name in ("index.html", "fine.html"):
        (folder / name).write_text(f"{START}<h1>Fine</h1><a href=page.html>x</a></body></html>", "utf-8")
    return folder


@pytest.mark.parametrize("kind", PAGES)
def test_a_hostile_page_stops_no_tool(kind: str, site: Path) -> None:
    for name in ("page.html", "search.html"):
        (site / name).write_text(PAGES[kind](), "utf-8")
    options = ["--base-url", "https://example.org/", "--formats", "xml,atom", "--images", "true"]
    done = run("docs_sitemap", "build", *options, site, cwd=site.parent)
    assert done.returncode == 0, done.stderr
    assert "https://example.org/fine.html" in (site / "sitemap.xml").read_text("utf-8")
    done = run("docs_sitemap", "check", site, cwd=site.parent)
    assert done.returncode in (0, 1), done.stderr


def test_a_page_larger_than_the_memory(site: Path) -> None:
    """Nothing but zeros, which take no place on the disk."""
    for name in ("page.html", "search.html", "404.html"):
        with open(site / name, "wb") as stream:
            stream.write(START.encode())
            stream.truncate(3 << 30)
    options = ["--base-url", "https://example.org/", "--formats", "xml,rss", "--images", "true"]
    done = run("docs_sitemap", "build", *options, site, cwd=site.parent)
    assert done.returncode == 0, done.stderr
    assert run("docs_sitemap", "check", site, cwd=site.parent).returncode in (0, 1)


def test_an_extra_page_stops_no_build_by_sphinx(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    docs = tmp_path / "docs"
    (docs / "extra").mkdir(parents=True)
    (docs / "index.rst").write_text("Home\n====\n", "utf-8")
    for kind, made in PAGES.items():
        (docs / f"extra/{kind.replace(' ', '-')}.html").write_text(made(), "utf-8")
    conf = (
        "extensions = ['docs_sitemap']\nhtml_baseurl = 'https://example.org/'\nhtml_extra_path = ['extra']\n"
        "docs_sitemap_formats = ['xml', 'atom']\ndocs_sitemap_images = True\n"
        "docs_sitemap_rules = [{'match': '*', 'exclude': False}]\n"
    )
    (docs / "conf.py").write_text(conf, "utf-8")
    done = run("sphinx", "-q", "-b", "html", docs, tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "images.html</loc>" in (tmp_path / "out/sitemap.xml").read_text("utf-8")


def test_a_page_stops_no_build_by_mkdocs(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Home\n\n" + " " * 300_000 + "x\n", "utf-8")
    for kind, made in PAGES.items():
        name = kind.replace(" ", "-")
        (docs / f"{name}.html").write_text(made(), "utf-8")
    settings = (
        "site_name: x\nsite_url: https://example.org/\nplugins:\n  - docs-sitemap:\n"
        "      formats: [xml, rss]\n      images: true\n      dependencies: all\n"
        "      rules: [{match: '*', exclude: false}]\n"
    )
    (tmp_path / "mkdocs.yml").write_text(settings, "utf-8")
    done = run("mkdocs", "build", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "images.html</loc>" in (tmp_path / "site/sitemap.xml").read_text("utf-8")


def test_the_limit_is_set(tmp_path: Path) -> None:
    """So that the others can fail."""
    (tmp_path / "hungry.py").write_text("print(len('x' * (1 << 30)))", "utf-8")
    code = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY})); import hungry"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False)
    assert b"MemoryError" in done.stderr
    assert resource.getrlimit(resource.RLIMIT_AS) != (MEMORY, MEMORY)


def test_the_name_of_a_source_moves_no_cursor(tmp_path: Path) -> None:
    name = "n\x1b[31m\x1b]0;T\x07\nevil"
    for folder in ("docs", "site"):
        (tmp_path / folder).mkdir()
    (tmp_path / f"docs/{name}.md").write_text("---\nsitemap: 5\n---\n")
    (tmp_path / f"site/{name}.html").write_text("<head></head>")
    args = ("--base-url", "https://example.org/", "--source-dir", "docs")
    done = run("docs_sitemap", "build", "site", *args, cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert all(line.isprintable() for line in lines)
    assert sum(f"{f'docs/{name}.md'!a}: sitemap: expected" in line for line in lines) == 1
