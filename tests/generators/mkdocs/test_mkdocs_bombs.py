"""Real MkDocs builds of a repository whose front matter and options take all memory when they are shown."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("mkdocs")

from mkdocs.config import load_config

from docs_sitemap.generators.mkdocs.build import host_of
from docs_sitemap.generators.mkdocs.media import Media
from tests.support import sitemaps
from tests.support.bombs import WRITTEN, aliases, assert_brief, bounded, nested, run
from tests.support.mkdocssite import BASE, Docs

KEYS = ["exclude", "lastmod", "changefreq", "priority", "sources", "not_sources"]

THEME = {"name": None, "custom_dir": "theme"}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """A site whose theme shows no front matter: other themes take all memory for it themselves."""
    site = Docs(tmp_path)
    site.repo.write(
        "theme/main.html", "<!doctype html><html><head></head><body>{{ page.content }}</body></html>"
    )
    site.conf(theme=THEME)
    site.page("index.md")
    site.repo.commit()
    return site


def build(docs: Docs, *args: str) -> tuple[int, list[str]]:
    """Build as a user does; return the exit code, and the messages from us."""
    done = run("mkdocs", "build", "-d", str(docs.outdir), *args, cwd=docs.repo.root)
    assert "Traceback" not in done.stderr, done.stderr[-1000:]
    lines = done.stderr.splitlines()
    said = [line for line in lines if "sitemap" in line and not line.startswith(("INFO", "DEBUG"))]
    assert_brief(said)
    return done.returncode, said


def written(docs: Docs, **texts: str) -> None:
    for name, text in texts.items():
        docs.repo.write(f"docs/{name}.md", f"---\nx:\n{aliases()}{text}\n---\n\n# Title\n\nText.\n")
    docs.repo.commit()


def paths(docs: Docs) -> set[str]:
    return {loc.removeprefix(BASE) for loc in sitemaps.read(docs.outdir / "sitemap.xml")}


def test_each_setting_of_a_page(docs: Docs) -> None:
    """One warning for each that is wrong; and so twice more where no page is made anew."""
    said = [*(f"{key}: " for key in KEYS), "none-such: "]
    texts = [f"sitemap: {{{key}{value}}}" for key in said for value in WRITTEN.values()]
    texts += [f"sitemap: {value}" for value in WRITTEN.values()]
    written(docs, **{f"p{number}": text for number, text in enumerate(texts)})
    for args in ((), ("--dirty",), ("--dirty",)):
        code, messages = build(docs, *args)
        assert code == 0
        for number, text in enumerate(texts):
            about = [message for message in messages if f" p{number}.md: " in message]
            assert len(about) == 1, (text[:200], args, about)
        assert len(paths(docs)) == len(texts) + 1


def test_what_a_page_says_of_itself(docs: Docs) -> None:
    """Title, description, robots and draft: without a warning, for they are MkDocs's own."""
    docs.conf({"formats": ["xml", "atom"]}, theme=THEME)
    pages = {
        f"{key}{number}": f"{key}: {value}"
        for key in ("description", "robots", "draft", "title")
        for number, value in enumerate(WRITTEN.values())
    }
    hidden = {
        f"hidden{number}": f"robots: [{value}, noindex]" for number, value in enumerate(WRITTEN.values())
    }
    written(docs, **pages, **hidden)
    for args in ((), ("--dirty",), ("--dirty",)):
        assert build(docs, *args) == (0, [])
        assert paths(docs) == {"", *(f"{name}/" for name in pages)}


VALUES = {
    "a list within itself": "&self [*self]",
    "a mapping within itself": "&self {a: *self}",
    "a long text": "x" * 200_000,
    "many texts": f"[{'x,' * 20_000}]",
    "bytes": "!!binary /////w==",
}
"""Not nested aliases and numbers of many digits: MkDocs itself writes out its whole configuration."""


@pytest.mark.parametrize("option", ["base_url", "rules"])
def test_a_wrong_option_stops_the_build(docs: Docs, option: str) -> None:
    """Others are read in the same way, as ``test_bombs`` has it."""
    for value in VALUES.values():
        docs.config_file.write_text(
            f"site_name: Test\nplugins:\n  - docs-sitemap:\n      {option}: {value}\n"
        )
        code, [said] = build(docs)
        assert code == 1
        assert re.search(rf"option '{option}': (rule 1: )?expected ", said)
        assert not docs.outdir.exists()


def test_a_language_of_the_theme_that_is_none(docs: Docs) -> None:
    """MkDocs writes it out itself, and so it took twice as long."""
    config: Any = load_config(str(docs.config_file))
    for language, expected in (("de", "de"), (["de"], "en"), (nested(), "en")):
        config.theme["language"] = language
        with bounded():
            assert host_of(config).language == expected


def test_an_unknown_option(docs: Docs) -> None:
    for name in ("? " + "k" * 10_000 + " ", "? [a, b] ", "? 2026-11-22 "):
        docs.conf(theme=THEME, plugins=...)
        text = docs.config_file.read_text()[:-1] + f", plugins: [docs-sitemap: {{{name}: 1}}]}}"
        docs.config_file.write_text(text)
        done = run("mkdocs", "build", "-d", str(docs.outdir), cwd=docs.repo.root)
        assert done.returncode == 1
        if "[a, b]" not in name:  # which YAML itself refuses
            assert "there is no such option" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_time_by_hand_is_the_same_in_a_dirty_build(docs: Docs) -> None:
    """YAML has a type for it, and the notes of a build have none."""
    written(docs, a="sitemap: {lastmod: 2024-05-01 10:11:12}", b="sitemap: {lastmod: 2024-05-01 10:11:12 +2}")
    for args in ((), ("--dirty",), ("--dirty",)):
        assert build(docs, *args) == (0, [])
        dates = sitemaps.read(docs.outdir / "sitemap.xml")
        assert dates[f"{BASE}a/"] == "2024-05-01T10:11:12+00:00"
        assert dates[f"{BASE}b/"] == "2024-05-01T10:11:12+02:00"


def test_keys_of_several_kinds_are_noted(docs: Docs) -> None:
    written(docs, a="sitemap: {1: x, a: y, 2026-01-01: z}\ndescription: {1: x, a: y}")
    for args in ((), ("--dirty",), ("--dirty",)):
        code, [said] = build(docs, *args)
        assert code == 0
        assert "a.md: sitemap: 1 and 2 more: there are no such settings" in said


@pytest.mark.parametrize("kind", ["nested", "merged", "long"])
def test_front_matter_that_mkdocs_does_not_read_stops_no_dirty_build(docs: Docs, kind: str) -> None:
    """Nested lists stopped its parser, and the whole process; a megabyte took 20 s and 900 MB."""
    keys = [f"k{number}: 1" for number in range(10_000)]
    texts = {
        "nested": "x: " + "[" * 100_000,
        "merged": f"a: &a {{{', '.join(keys[:100])}}}\nx: {{<<: [{'*a, ' * 3_000}]}}",
        "long": "\n".join(keys),
    }
    docs.conf({"dependencies": False, "formats": ["xml", "atom"]}, theme=THEME)
    for name, text in {
        "a": "---\ntitle: Told\n---\n",
        "b": "Title: Told\n\n",
        "c": f"---\ntitle: Told\n{texts[kind]}\n---\n",
    }.items():
        file = docs.repo.write(f"docs/{name}.md", text)
        os.utime(file, (1, 1))
        published = docs.outdir / name / "index.html"
        published.parent.mkdir(parents=True)
        published.write_text("<html><head></head><body><h1>Published</h1></body></html>")
    docs.repo.commit()
    assert build(docs, "--dirty") == (0, [])
    assert paths(docs) == {"", "a/", "b/", "c/"}
    feed = (docs.outdir / "atom.xml").read_text()
    assert feed.count("<title>Told<") == 2
    assert feed.count("<title>Published<") == 1


def test_a_page_in_many_folders_is_read(docs: Docs) -> None:
    """The plugin sees each file that MkDocs opens. (MkDocs itself makes no navigation of so many.)"""
    docs.conf(theme=THEME, nav=["index.md"])
    for folders in (100, 520):
        docs.repo.write(f"docs/{'a/' * folders}b.md", "# Deep")
    code, said = build(docs)
    assert code == 0
    assert len(said) == 1
    assert "1 page is left out, because it has an address of more than 120 /: " in said[0]
    assert [path for path in paths(docs) if path.endswith("/b/")] == ["a/" * 100 + "b/"]


def test_the_name_of_a_page_moves_no_cursor(docs: Docs) -> None:
    name = "n\x1b[31m\x1b]0;T\x07\nevil.md"
    docs.repo.write(f"docs/{name}", "---\nsitemap: {priority: 5, sources: [a]}\n---\n\n# Title\n")
    code, said = build(docs)
    assert code == 0
    assert len(said) == 2
    assert all(f"{name!a}: sitemap: " in line for line in said)


def test_pages_and_included_files_that_all_name_a_thousand_files(docs: Docs) -> None:
    """A megabyte took a minute: each name was looked for beside each file, for each page."""
    names = [f"f{number}.txt" for number in range(60)]
    for number, name in enumerate(names):
        docs.repo.write(f"inc/{name}", "".join(f"{{!{number}/{other}!}}\n" for other in range(1000)))
    docs.repo.write(
        "hooks.py",
        "def on_page_markdown(text, page, **_):\n"
        "    [open(f'inc/f{number}.txt').read() for number in range(60)]\n"
        "    return '# Title'\n",
    )
    docs.conf(theme=THEME, hooks=["hooks.py"])
    for number in range(60):
        docs.repo.write(f"docs/p{number}.md", "".join(f"{{! inc/{name} !}}\n" for name in names))
    docs.repo.commit()
    assert build(docs) == (0, [])
    assert len(paths(docs)) == 61


def test_links_in_a_deep_folder_do_not_fill_the_memory() -> None:
    """200,000 short links took 800 MB: the place of each is a long path."""
    folder = "d/" * 2_000
    media = Media()
    media._paths = {f"{folder}x1": "/x1", "x2": "/x2"}
    page: Any = SimpleNamespace(file=SimpleNamespace(dest_uri=f"{folder}index.html"))
    html = "".join(f"<a href=x{number}>" for number in range(40_000))
    with bounded(40 << 20):
        assert media.shown(page, html) == {"/x1"}
