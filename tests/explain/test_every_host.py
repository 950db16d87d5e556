"""explain says of every page what the sitemap says, whatever host or command has built the site."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

pytest.importorskip("yaml", reason="front matter in YAML is read only where PyYAML is")

from docs_sitemap import generators
from docs_sitemap.generators.html.known import KNOWN
from tests.support import mkdocssite, sitemaps, sphinxsite
from tests.support.gitrepo import Repo
from tests.support.projects import BUILT, PROJECTS, write_files
from tests.support.warm import generate, run_module

BASE = "https://example.org/docs/"
STUB = '<meta http-equiv="refresh" content="0; url=https://chat.example/">'
RULES = 'rules = [{{match = "{0}", lastmod = "2020-01-01"}}, {{match = "{1}", exclude = true}}]\n'


def run(*args: str, cwd: Path) -> str:
    done = run_module("docs_sitemap", *args, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def by_command(generator: str, root: Path) -> tuple[Path, Path]:
    """A built project of a generator that only ``docs-sitemap build`` knows."""
    name = next(name for name in (*PROJECTS, *BUILT) if generator.lower() in name.lower())
    repo = Repo(root / "repo")
    if name in BUILT:
        files, pages, built = BUILT[name]
        folder = "."
    else:
        files, folder, known = PROJECTS[name]
        pages = {page: source for page, source in known.items() if source}
        built = {f"built/{page}": "<title>Page</title>" for page in pages}
    for path, text in files.items():
        repo.save(path, text)
    site = repo.root / next(path for path in built if path.endswith(".html")).partition("/")[0]
    site /= {"myst": "html", "antora": "site"}.get(name, "")
    write_files(repo.root, built)
    mark = next((text for text in built.values() if "generator" in text), "")
    write_files(site, {"404.html": mark + "<title>404</title>", "new.html": mark + "New.", "chat.html": STUB})
    page = next(page.removesuffix("index.html") for page in pages if page != "index.html")
    repo.write("docs-sitemap.toml", RULES.format(f"/{page}", "new.html"))
    run("build", str(site), "--base-url", BASE, "--url-style", "html", "--source-dir", folder, cwd=repo.root)
    return repo.root, site


def by_mkdocs(root: Path) -> tuple[Path, Path]:
    docs = mkdocssite.Docs(root)
    for name in ("index", "a", "b", "c", "d"):
        docs.save_page(f"{name}.md")
    docs.page("c.md", robots="noindex")
    code = f"Path(config.site_dir, 'chat.html').write_text({STUB!r})"
    stub = docs.hook(f"from pathlib import Path\ndef on_post_build(config):\n    {code}")
    rules = [{"match": "a.md", "lastmod": "2020-01-01"}, {"match": "b.md", "exclude": True}]
    docs.conf({"rules": rules}, hooks=[stub])
    return docs.repo.root, docs.build().outdir


def by_sphinx(root: Path) -> tuple[Path, Path]:
    docs = sphinxsite.Docs(root)
    docs.pages("a.rst", "b.rst", "d.rst")
    docs.save_page("c.rst", fields=":robots: noindex")
    rules = [{"match": "a.rst", "lastmod": "2020-01-01"}, {"match": "b.rst", "exclude": True}]
    stub = f"def stub(app, exc):\n    (app.outdir / 'chat.html').write_text({STUB!r})"
    code = f"{stub}\ndef setup(app):\n    app.connect('build-finished', stub)"
    docs.conf(docs_sitemap_rules=rules, docs_sitemap_lastmod_format="date", code=code)
    return docs.repo.root, docs.build().outdir


def by_zensical(root: Path) -> tuple[Path, Path]:
    if find_spec("zensical") is None:
        pytest.skip("Zensical is not installed")
    repo = Repo(root / "repo")
    for name in ("index", "a", "b"):
        repo.save(f"docs/{name}.md", "# A page\n")
    repo.save("docs/c.md", "---\nsitemap: false\n---\n")
    repo.write("zensical.toml", f'[project]\nsite_name = "Test"\nsite_url = "{BASE}"\n')
    repo.write("docs-sitemap.toml", RULES.format("a.md", "b.md"))
    generate(sys.executable, "-m", "zensical", "build", cwd=repo.root)
    write_files(repo.root, {"site/chat.html": STUB})
    run("build", cwd=repo.root)
    return repo.root, repo.root / "site"


HOSTS = {"mkdocs": by_mkdocs, "sphinx": by_sphinx, "zensical": by_zensical}
WAYS = [each.name for each in iter_modules(generators.__path__) if each.name != "html"]
WAYS += [each.name for each in KNOWN]


@pytest.mark.parametrize("way", WAYS)
def test_explain_says_of_every_page_what_the_sitemap_says(way: str, tmp_path: Path) -> None:
    root, site = by_command(way, tmp_path) if way not in HOSTS else HOSTS[way](tmp_path)
    listed = sitemaps.read(site / "sitemap.xml")
    pages: list[dict[str, Any]] = json.loads(run("explain", "--json", *listed, cwd=root))
    assert {page["page"]: page["date"] for page in pages} == listed
    assert "2020-01-01" in listed.values()
    assert all(page["listed"] and page["address"] == page["page"] for page in pages)
    assert all(page["date"] or page["reason"] for page in pages)
    left = json.loads(run("explain", "--left-out", "--json", cwd=root))
    files = [file for file in site.rglob("*.html") if "_static" not in file.parts]
    assert len(listed) + len(left) == len(files)
    why = {page["address"]: page["left_out"] for page in left}
    others = json.loads(run("explain", "--json", *why, cwd=root))
    assert {page["page"]: page["left_out"] for page in others} == why
    assert why[f"{BASE}chat.html"] == {"reason": "redirect", "detail": "it leads to https://chat.example/"}
    assert [each for each in why.values() if "rule 2 has the pattern" in str(each["detail"])]
    sources = [page["files"][0] for page in pages if page["files"]]
    by_source = json.loads(run("explain", "--json", *sources, cwd=root))
    assert {page["date"] for page in by_source} <= {*listed.values()}
    said = str([page["remarks"] + [page["fix"]] for page in (*pages, *others, *by_source)])
    assert "build the site" not in said
