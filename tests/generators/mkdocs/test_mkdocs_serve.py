"""``mkdocs serve`` as a writer uses it: a real server, asked over HTTP, while pages change."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import BASE, Docs, serving


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
@pytest.mark.parametrize("args", [(), ("--dirty",)], ids=lambda args: "".join(args) or "plain")
def test_serve(tmp_path: Path, args: tuple[str, ...]) -> None:
    """The served sitemap has the server's addresses and, where pages show them, git's dates, is new after
    each rebuild, and says nothing that a writer would have to read each time.
    """
    docs = Docs(tmp_path)
    options = {"base_url": "https://example.org/public/", "page_dates": True}
    docs.conf(options, site_url=BASE, draft_docs="draft.md")
    docs.pages("one.md", "two.md")
    docs.page("draft.md")
    with serving(docs, *args) as server:
        first = {"": docs.date("index.md"), "one/": docs.date("one.md"), "two/": docs.date("two.md")}
        assert server.sitemap() == first
        docs.page("one.md", "Touched.")
        docs.page("three.md")
        server.wait(lambda: "three/" in server.sitemap())
        assert server.sitemap() == {**first, "three/": None}
        (docs.docs_dir / "three.md").unlink()
        docs.page("two.md", sitemap={"priority": 7})
        server.wait(lambda: "three/" not in server.sitemap())
        assert server.sitemap() == first
        assert server.log().count("WARNING -  docs-sitemap: two.md: sitemap: priority") == 1
        ours = [line for line in server.log().splitlines() if "docs-sitemap" in line]
        assert len(ours) == 1, ours
        assert "ERROR" not in server.log()
        assert "Traceback" not in server.log()
    assert not docs.outdir.exists()


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
def test_serve_without_an_address(tmp_path: Path) -> None:
    """A site that has no address yet can be previewed without a warning at each rebuild."""
    docs = Docs(tmp_path)
    docs.conf(site_url=...)
    docs.pages("one.md")
    with serving(docs) as server:
        docs.page("one.md")
        server.wait(lambda: "Reloading browsers" in server.log())
        assert "docs-sitemap" not in server.log()


def tree(root: Path) -> dict[str, bytes]:
    files = [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {str(path): path.read_bytes() for path in files}


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
def test_serving_touches_no_published_file(tmp_path: Path) -> None:
    """What an earlier build left stays as it was, and so does the project; the next build is as before."""
    docs = Docs(tmp_path)
    docs.conf({"formats": ["xml", "gz", "txt", "atom"]})
    docs.pages("one.md", "two.md")
    docs.repo.save("docs/robots.txt", "User-agent: GPTBot\nDisallow: /\n")
    published = docs.run()
    before = tree(tmp_path)
    with serving(docs, "--dirty") as server:
        assert set(server.sitemap()) == {"", "one/", "two/"}
        assert server.base_url.encode() in (server.get("robots.txt") or b"")
        docs.page("three.md")
        server.wait(lambda: "three/" in server.sitemap())
    os.remove(docs.docs_dir / "three.md")
    os.remove(docs.repo.root.with_name("serve.log"))
    assert tree(tmp_path) == before
    assert docs.run("--dirty").files == published.files


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
@pytest.mark.parametrize("args", [(), ("--clean",)], ids=lambda args: "".join(args) or "plain")
def test_serving_drafts_with_everything_on(tmp_path: Path, args: tuple[str, ...]) -> None:
    """Drafts are served and have neither date nor entry, whatever asks for the dates of pages."""
    docs = Docs(tmp_path)
    docs.repo.write(
        "theme/main.html",
        "{% extends 'base.html' %}{% block content %}[{{ page.meta.docs_sitemap_lastmod }}]{% endblock %}",
    )
    options = {"page_dates": True, "formats": ["xml", "atom"], "images": True}
    theme = {"name": "mkdocs", "custom_dir": "theme"}
    docs.conf(options, theme=theme, draft_docs="draft.md", exclude_docs="secret.md")
    docs.pages("one.md", "draft.md", "secret.md")
    with serving(docs, *args) as server:
        assert server.sitemap() == {"": docs.date("index.md"), "one/": docs.date("one.md")}
        assert f"[{docs.date('one.md')}]".encode() in (server.get("one/") or b"")
        draft = server.get("draft/")
        assert draft is None if args == ("--clean",) else b"[]" in (draft or b"")
        assert server.get("secret/") is None
        docs.page("draft.md", "More.")
        docs.page("two.md")
        server.wait(lambda: "two/" in server.sitemap())
        assert set(server.sitemap()) == {"", "one/", "two/"}
        assert "Traceback" not in server.log()


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
def test_a_draft_says_nothing_of_its_own_date(tmp_path: Path) -> None:
    """What its front matter has in the place of ours was written to its head, whatever it was."""
    docs = Docs(tmp_path)
    docs.conf({"page_dates": True, "json_ld": True}, draft_docs="draft.md")
    own = {name: f'"><script>{name}</script>' for name in ("docs_sitemap_lastmod", "docs_sitemap_created")}
    docs.page("draft.md", **own)
    docs.pages("one.md")
    with serving(docs) as server:
        one, draft = (server.get(f"{name}/") or b"" for name in ("one", "draft"))
        assert b"article:modified_time" in one
        assert b"<script>docs_sitemap" not in draft
        assert b"article:modified_time" not in draft


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
def test_serving_at_an_ipv6_address_is_no_mistake(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.conf()
    docs.pages()
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
            port = probe.getsockname()[1]
    except OSError as problem:
        pytest.skip(f"there is no IPv6 here: {problem}")
    with serving(docs, "-a", f"[::1]:{port}") as server:
        assert "docs-sitemap" not in server.log()


BREAKS = """
from pathlib import Path

def on_post_page(output, page, config):
    if page.file.src_uri == "one.md" and "Broken." in Path(config.docs_dir, "one.md").read_text():
        raise ValueError("broken")
"""


@pytest.mark.skipif(os.name == "nt", reason="stops the server by SIGINT")
def test_a_build_that_breaks_while_serving_leaves_nothing_behind(tmp_path: Path) -> None:
    """What it had found is in no later sitemap: neither pages that are gone since, nor any twice."""
    docs = Docs(tmp_path)
    docs.conf(hooks=[docs.hook(BREAKS)])
    docs.pages("one.md", "two.md")
    with serving(docs) as server:
        assert len(server.sitemap()) == 3
        docs.page("gone.md")
        docs.page("one.md", "Broken.")
        server.wait(lambda: "An error happened during the rebuild" in server.log())
        os.remove(docs.docs_dir / "gone.md")
        os.remove(docs.docs_dir / "two.md")
        docs.page("one.md", "Mended.")
        server.wait(lambda: set(server.sitemap()) == {"", "one/"})
        assert server.sitemap() == {"": None, "one/": None}  # rebuilds do not ask for dates that nobody sees
