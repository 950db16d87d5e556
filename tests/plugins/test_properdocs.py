"""ProperDocs, which continues MkDocs 1, loads the same plugin, with MkDocs beside it or without."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.mkdocssite import FILES, Built, Docs, serving

if importlib.util.find_spec("properdocs") is None:
    pytest.skip("properdocs is not installed", allow_module_level=True)

HAS_MKDOCS = importlib.util.find_spec("mkdocs") is not None

HEAD = '<html><head><link rel="canonical" href="{{ page.canonical_url }}">'
THEME = f"{HEAD}</head>{{{{ page.content }}}}</html>"
PLAIN = {"name": None, "custom_dir": "theme"}  # ProperDocs has its themes in a package of their own

CONFIG = ("-f", "mkdocs.yml")  # its own name is properdocs.yml


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.repo.write("theme/main.html", THEME)
    site.conf(theme=PLAIN)
    site.pages("one.md", "two.md")
    return site


def build(docs: Docs, *args: str, out: str = "site-run", command: str = "build") -> Built:
    return docs.run(*CONFIG, *args, out=out, command=command, program="properdocs", env=COMMITTER)


COMMITTER = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def dates(docs: Docs) -> dict[str, str | None]:
    return {"": docs.date("index.md"), "one/": docs.date("one.md"), "two/": docs.date("two.md")}


def assert_builds(docs: Docs, expected: Mapping[str, str | None]) -> Built:
    """Strictly, unchanged and --dirty, and, where it is there, as MkDocs does."""
    built = build(docs, "--strict")
    assert not built.failed, built.log
    assert built.sitemap == expected
    assert build(docs, "--dirty").files == built.files
    if HAS_MKDOCS:
        assert docs.run("--strict", out="mkdocs").files == built.files
    return built


def test_properdocs_builds_the_same_sitemap(docs: Docs) -> None:
    built = assert_builds(docs, dates(docs))
    assert len(built.notices("docs-sitemap: sitemap.xml: 3 pages, 3 with lastmod")) == 1


def test_its_own_configuration_file(docs: Docs) -> None:
    docs.config_file.rename(docs.repo.root / "properdocs.yml")
    built = docs.run("--strict", program="properdocs").passed()
    assert built.sitemap == dates(docs)


INCLUDES = """
def on_page_markdown(markdown, **_):
    return markdown.replace("{{data}}", DATA.read_text()) if "{{data}}" in markdown else markdown
"""


def test_includes(docs: Docs) -> None:
    docs.save_page("one.md", "Here: {{data}}")
    docs.repo.save("data/owls.txt", "Seven wise owls count stars.")
    start = f"from pathlib import Path\nDATA = Path({str(docs.repo.root)!r}, 'data/owls.txt')\n"
    docs.conf(theme=PLAIN, hooks=[docs.hook(start + INCLUDES)])
    built = assert_builds(docs, {**dates(docs), "one/": docs.date("../data/owls.txt")})
    assert b"owls" in built.read("one/index.html")


def test_themes_get_the_true_dates(docs: Docs) -> None:
    text = THEME.replace("</html>", "[{{ page.meta.docs_sitemap_lastmod }}|{{ page.update_date }}]</html>")
    docs.repo.write("theme/main.html", text)
    docs.conf({"page_dates": True, "formats": ["xml", "gz", "atom"]}, theme=PLAIN)
    built = assert_builds(docs, dates(docs))
    date = docs.date("one.md")
    assert f"[{date}|{date[:10]}]" in built.read("one/index.html").decode()
    assert built.read("one/index.html").count(b"application/atom+xml") == 1


def test_properdocs_counts_our_warnings(docs: Docs) -> None:
    docs.conf({"clock": "wall"}, theme=PLAIN)
    built = build(docs)
    assert built.failed
    assert len(built.notices("Plugin 'docs-sitemap' option 'clock': expected one of committer, author")) == 1
    docs.conf(theme=PLAIN, site_url=...)
    built = build(docs, "--strict")
    assert not built.failed
    assert not any(built.has(name) for name in FILES)
    docs.conf(theme=PLAIN)
    docs.page("one.md", sitemap=5)
    assert not build(docs).failed
    assert build(docs, "--strict").failed


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
def test_serve(docs: Docs) -> None:
    """The server's addresses, git's dates, and no word about it; published files stay as they are."""
    docs.page("draft.md")
    docs.conf({"page_dates": True}, theme=PLAIN, draft_docs="draft.md")
    published = build(docs, out="site")
    docs.config_file.rename(docs.repo.root / "properdocs.yml")
    with serving(docs, program="properdocs") as server:
        assert server.sitemap() == dates(docs)
        docs.page("three.md")
        server.wait(lambda: "three/" in server.sitemap())
        assert server.sitemap() == {**dates(docs), "three/": None}
        (docs.docs_dir / "three.md").unlink()
        server.wait(lambda: "three/" not in server.sitemap())
        assert "docs-sitemap" not in server.log()
        assert "Traceback" not in server.log()
    assert [(published.outdir / name).read_bytes() for name in FILES] == published.files
