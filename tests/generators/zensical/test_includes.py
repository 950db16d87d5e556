"""The extension for Zensical: which files are part of a page, noted by real builds."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs_sitemap.generators.zensical.notes import PageNotes
from tests.generators.zensical.test_project import TOML, dates, listed, run
from tests.support.gitrepo import Repo
from tests.support.warm import generate, run_module

NAME = (
    "docs-sitemap"
    if entry_points(group="markdown.extensions", name="docs-sitemap")
    else '"docs_sitemap.generators.zensical.extension"'  # the package is not installed, as in a checkout
)
EXTENSION = f"{NAME} = {{}}\n"
START = Path(__file__).resolve().parents[3] / "docs/start-zensical.md"
needs_zensical = pytest.mark.skipif(find_spec("zensical") is None, reason="zensical is not installed")


def test_the_extensions_name_with_an_underscore_is_told_the_right_one() -> None:
    markdown = pytest.importorskip("markdown")
    with pytest.raises(
        AttributeError, match="'docs_sitemap': the extension for Zensical is called docs-sitemap"
    ):
        markdown.Markdown(extensions=["docs_sitemap"])


def zensical(repo: Repo, *args: str) -> None:
    done = run_module("zensical", "build", *args, cwd=repo.root)
    assert done.returncode == 0, done.stderr + done.stdout


def project(
    repo: Repo, files: dict[str, str], extensions: str = "", more: str = "", ours: str = EXTENSION
) -> None:
    """Commit each file on its own, in this order, and the configuration."""
    for name, text in files.items():
        repo.save(name, text)
    repo.save("zensical.toml", f"{TOML}{more}\n[project.markdown_extensions]\n{ours}{extensions}")


def built(repo: Repo, *args: str) -> dict[str, str | None]:
    zensical(repo, *args)
    done = run(cwd=repo.root)
    assert done.returncode == 0, done.stderr
    return listed(repo.root / "site")


SNIPPETS = {
    "docs/index.md": "# Home",
    "docs/a.md": '# A\n\n--8<-- "inc/outer.txt"\n',
    "docs/b.md": "# B\n\nThe HTML.\n",
    "docs/c.md": '# C\n\n--8<-- "docs/b.md"\n',
    "inc/outer.txt": '--8<-- "inc/inner.txt"\n',
    "inc/abbr.md": "*[HTML]: Hyper Text\n",
    "inc/inner.txt": "inner\n",
}
APPENDED = 'pymdownx.snippets = { auto_append = ["inc/abbr.md"] }\nabbr = {}\n'


@needs_zensical
def test_snippets(repo: Repo) -> None:
    """Nested files and pages count; a file that is appended to all, where the page uses it."""
    project(repo, SNIPPETS, APPENDED)
    assert built(repo) == dates(
        repo, {"": "docs/index.md", "a/": "inc/inner.txt", "b/": "inc/abbr.md", "c/": "inc/abbr.md"}
    )
    done = run_module("docs_sitemap", "explain", "a/", "docs/b.md", cwd=repo.root)
    assert done.returncode == 0, done.stderr
    one, two = done.stdout.split("\n\n", 1)
    assert "inc/inner.txt" in one
    assert "pymdownx.snippets reads it while the page is built" in one
    assert "it defines the abbreviation HTML" in two


NAMED = ("site", "--base-url", "https://example.org/docs/", "--source-dir", "docs")


@needs_zensical
def test_notes_count_for_a_site_and_sources_that_are_named(repo: Repo, tmp_path: Path) -> None:
    """Also from another folder, and with the sources alone; not for those of another site."""
    project(repo, SNIPPETS, APPENDED)
    expected = built(repo)
    assert expected["a/"] != dates(repo, {"a/": "docs/a.md"})["a/"]
    site, docs = str(repo.root / "site"), str(repo.root / "docs")
    elsewhere = (site, *NAMED[1:4], docs)
    for args, folder in ((NAMED, repo.root), (NAMED[3:], repo.root), (elsewhere, tmp_path)):
        (repo.root / "site/sitemap.xml").unlink()
        done = run(*args, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert listed(repo.root / "site") == expected
    (repo.root / "site").rename(repo.root / "moved")
    done = run("moved", *NAMED[1:], cwd=repo.root)
    assert listed(repo.root / "moved") == dates(
        repo, {"": "docs/index.md", "a/": "docs/a.md", "b/": "docs/b.md", "c/": "docs/c.md"}
    )


@needs_zensical
def test_a_named_site_is_told_of_what_is_not_noted(repo: Repo) -> None:
    """Pages without the extension, or with notes of other text, or beside a file that cannot be read."""
    project(repo, SNIPPETS, APPENDED)
    zensical(repo)
    repo.save("inc/inner.txt", "new\n")
    done = run(*NAMED, cwd=repo.root)
    assert listed(repo.root / "site")["a/"] is None
    assert "what is included is not noted, or has changed since the build" in done.stderr
    configuration = (repo.root / "zensical.toml").read_text()
    repo.write("zensical.toml", configuration.replace(EXTENSION, ""))
    assert "Without the Markdown extension docs-sitemap" in run(*NAMED, cwd=repo.root).stderr
    repo.write("zensical.toml", "[project\n")
    done = run(*NAMED, cwd=repo.root)
    assert done.returncode == 2
    assert "zensical.toml: expected a TOML file" in done.stderr
    assert run(*NAMED[:3], cwd=repo.root).returncode == 0  # without sources, no page has a date
    shutil.rmtree(repo.root / ".cache")
    assert run(*NAMED, cwd=repo.root).returncode == 0  # the file may be that of another site


@needs_zensical
def test_without_the_extension_only_the_source_counts_and_no_page_is_another(repo: Repo) -> None:
    """Not even notes of an earlier build count: they may be of pages that have changed."""
    project(repo, SNIPPETS, APPENDED)
    zensical(repo)
    page = repo.root / "site/a/index.html"
    before = page.read_bytes()
    page.unlink()
    project(repo, {}, APPENDED, ours="")
    assert built(repo) == dates(
        repo, {"": "docs/index.md", "a/": "docs/a.md", "b/": "docs/b.md", "c/": "docs/c.md"}
    )
    assert page.read_bytes() == before


@needs_zensical
@pytest.mark.parametrize("ours", ["", EXTENSION])
def test_a_template_that_front_matter_names_counts(repo: Repo, ours: str) -> None:
    """With what it alone loads, and whether or not the project uses the extension."""
    files = {
        "docs/index.md": "---\ntemplate: home.html\n---\n# Home\n",
        "docs/a.md": "# A",
        "docs/b.md": "---\ntemplate: main.html\n---\n# B\n",
        "theme/home.html": '{% extends "main.html" %}{% block footer %}{% include "own.html" %}{%endblock%}',
        "theme/own.html": "Own",
        "theme/main.html": '{% extends "base.html" %}',
    }
    options = "page_dates = true\n" if ours else ""
    theme = f"[project.theme]\ncustom_dir = 'theme'\n[project.plugins.docs-sitemap]\n{options}"
    project(repo, files, more=theme, ours=ours)
    expected = dates(repo, {"": "theme/own.html", "a/": "docs/a.md", "b/": "docs/b.md"})
    assert built(repo) == expected
    assert not ours or f'datetime="{expected[""]}"' in (repo.root / "site/index.html").read_text("utf-8")
    explained = run_module("docs_sitemap", "explain", "docs/index.md", cwd=repo.root).stdout
    assert "the template that its front matter names loads it" in explained


@needs_zensical
def test_macros(repo: Repo) -> None:
    """Templates count for the pages that include them, data for those that use a name of it."""
    pages = {
        "main.py": "def define_env(env):\n    env.variables['read'] = open('data/all.txt').read()\n"
        "    env.macro(lambda: open('data/called.txt').read(), 'called')\n",
        "docs/index.md": "# Home",
        "docs/none.md": "---\nrender_macros: false\n---\n# None {{ owls }}\n",
        "docs/own.md": "---\nowls: mine\n---\n# Own {{ owls }}\n",
        "docs/template.md": '# T\n\n{% include "inc/t.txt" %}\n',
        "docs/again.md": '# T\n\n{% include "inc/t.txt" %}\n',
        "docs/named.md": "# N\n\n{{ owls }}\n",
        "docs/called.md": "# C\n\n{{ called() }}\n",
        "docs/read.md": "# R\n\n{{ read }}\n",
        "docs/inc/t.txt": "T\n",
        "data/all.txt": "all\n",
        "data/called.txt": "called\n",
        "data/owls.yml": "owls: 3\n",
    }
    project(repo, pages, more='[project.plugins.macros]\ninclude_yaml = ["data/owls.yml"]\n')
    found = built(repo)
    assert found == dates(
        repo,
        {
            "": "docs/index.md",
            "none/": "docs/none.md",
            "own/": "docs/own.md",
            "template/": "docs/inc/t.txt",
            "again/": "docs/inc/t.txt",
            "named/": "data/owls.yml",
            "called/": "data/called.txt",
            "read/": "docs/read.md",  # too old, as documented: it is read for every page
        },
    )


@needs_zensical
def test_include_markdown_and_tables(repo: Repo) -> None:
    pages = {
        "docs/index.md": "# Home",
        "docs/part.md": '# P\n\n{% include-markdown "../inc/part.md" %}\n',
        "docs/table.md": "# T\n\n{{ read_raw('data/t.md') }}\n",
        "inc/part.md": "part\n",
        "data/t.md": "| a |\n|---|\n| 1 |\n",
    }
    project(repo, pages, more="[project.plugins.include-markdown]\n[project.plugins.table-reader]\n")
    assert built(repo) == dates(repo, {"": "docs/index.md", "part/": "inc/part.md", "table/": "data/t.md"})


OWN = """
from markdown import Extension
from markdown.preprocessors import Preprocessor

class Read(Preprocessor):
    kept = ""
    def run(self, lines):
        for number, line in enumerate(lines):
            if line.startswith("read "):
                with open(line[5:]) as stream:
                    lines[number] = stream.read()
        with open("data/every.txt") as stream:
            stream.read()
        if not Read.kept:
            with open("data/kept.txt") as stream:
                Read.kept = stream.read()
        return lines

class Own(Extension):
    def extendMarkdown(self, md):
        md.preprocessors.register(Read(md), "own", 40)

def makeExtension(**settings):
    return Own(**settings)
"""


@needs_zensical
def test_an_extension_of_the_project(repo: Repo) -> None:
    """What it reads for one page counts; for every page, or once and for all, does not."""
    pages = {
        "own.py": OWN,
        "docs/index.md": "# Home\n",
        "docs/z.md": "# Z\n\nread data/a.txt\n",
        "docs/b.md": "# B\n",
        "data/a.txt": "a",
        "data/every.txt": "every",
        "data/kept.txt": "kept",
    }
    project(repo, pages, "own = {}\n")
    expected = {"": "docs/index.md", "b/": "docs/b.md", "z/": "data/a.txt"}
    assert built(repo) == dates(repo, expected)
    # the only page of the next build is the first one, but it has read the file before
    repo.save("docs/z.md", "# Another Z\n\nread data/a.txt\n")
    repo.save("data/a.txt", "another a")
    assert built(repo) == dates(repo, expected)


@needs_zensical
def test_a_page_that_zensical_has_in_its_cache_keeps_its_note(repo: Repo) -> None:
    project(
        repo,
        {**SNIPPETS, "docs/t.md": '# T\n\n{% include "x.txt" %}\n', "docs/x.txt": "x"},
        more="[project.plugins.macros]",
    )
    first = built(repo)
    before = {path: path.stat().st_mtime_ns for path in (repo.root / ".cache/docs-sitemap").iterdir()}
    repo.save("docs/index.md", "# Another")
    assert built(repo) == {**first, **dates(repo, {"": "docs/index.md"})}
    after = {path: path.stat().st_mtime_ns for path in (repo.root / ".cache/docs-sitemap").iterdir()}
    assert before.keys() == after.keys()
    assert first["t/"] == dates(repo, {"": "docs/x.txt"})[""]


@needs_zensical
def test_what_a_page_includes_no_longer_is_forgotten(repo: Repo) -> None:
    project(repo, SNIPPETS, APPENDED)
    built(repo)
    repo.write("docs/a.md", "")
    (repo.root / "docs/a.md").write_text("")  # an empty page is not even converted
    repo.commit()
    repo.commit("inc/inner.txt")
    assert built(repo)["a/"] == dates(repo, {"": "docs/a.md"})[""]


@needs_zensical
def test_a_page_that_was_built_from_other_files_has_no_date(repo: Repo) -> None:
    """Whether its source has changed since, or a file that it includes."""
    project(repo, SNIPPETS, APPENDED)
    zensical(repo)
    repo.commit("inc/inner.txt", "docs/index.md")
    done = run(cwd=repo.root)
    assert "2 pages have no date: what is included is not noted, or has changed since" in done.stderr
    found = listed(repo.root / "site")
    assert (found[""], found["a/"]) == (None, None)
    assert None not in (found["b/"], found["c/"])


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_a_damaged_note_is_none(tmp_path: Path, text: str) -> None:
    notes = PageNotes(tmp_path, tmp_path / "docs")
    notes.write("a.md", {}, {}, is_first=False)
    [path] = (tmp_path / ".cache/docs-sitemap").iterdir()
    path.write_text(text)
    assert notes.read("a.md") is None


def test_a_pipe_that_a_note_names_is_not_read(tmp_path: Path) -> None:
    notes = PageNotes(tmp_path, tmp_path / "docs")
    notes.write("a.md", {}, {str(tmp_path / "pipe"): "x"}, is_first=False)
    [path] = (tmp_path / ".cache/docs-sitemap").iterdir()
    path.write_text(json.dumps({**json.loads(path.read_text()), "digests": {"pipe": "y"}}))
    os.mkfifo(tmp_path / "pipe")
    note = notes.read("a.md")
    assert note is not None
    assert notes.includes([note]) == {"a.md": None}


@needs_zensical
def test_the_start_page(repo: Repo) -> None:
    """A site with all that the documentation has users write."""
    blocks = re.findall(r"^```toml\n(\[project.*?)^```", START.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 3
    text = "".join(blocks).replace("markdown_extensions.docs-sitemap", f"markdown_extensions.{NAME}")
    repo.write("zensical.toml", text)
    repo.write("docs/index.md", "# Home")
    repo.save("docs/drafts/one.md", "# Draft")
    zensical(repo, "--clean", "--strict")
    done = run(cwd=repo.root)
    assert "sitemap.xml: 1 page, 1 with lastmod; left out: 1 404, 1 excluded." in done.stderr
    assert '<time datetime="' in (repo.root / "site/index.html").read_text("utf-8")


@needs_zensical
def test_mkdocstrings(repo: Repo) -> None:
    """The modules of the objects on a page count, wherever they are taken from."""
    pytest.importorskip("mkdocstrings")
    pytest.importorskip("mkdocstrings_handlers.python")
    files = {
        "docs/index.md": "# Home\n",
        "docs/one.md": "# One\n\n::: owls.one.hoot\n",
        "docs/all.md": "# All\n\n::: owls\n    options: {members: true}\n",
        "src/owls/__init__.py": '"""Owls."""\nfrom owls.two import sleep\n__all__ = ["sleep"]\n',
        "src/owls/one.py": 'def hoot():\n    """Hoot."""\n',
        "src/owls/two.py": 'def sleep():\n    """Sleep."""\n',
        "src/owls/three.py": "",
    }
    plugin = '[project.plugins.mkdocstrings.handlers.python]\npaths = ["src"]\n'
    project(repo, files, more=plugin)
    expected = {"": "docs/index.md", "one/": "src/owls/one.py", "all/": "src/owls/two.py"}
    assert built(repo) == dates(repo, expected)
    assert built(repo) == dates(repo, expected)  # from the cache of Zensical
    repo.save("src/owls/one.py", 'def hoot():\n    """Hoot twice."""\n')
    assert built(repo) == dates(repo, expected)


@needs_zensical
def test_what_zensical_serve_renders_is_noted_for_the_next_build(repo: Repo) -> None:
    """It fills the cache, so that the build renders nothing; a page is rendered again as it changes."""
    project(
        repo,
        {**SNIPPETS, "docs/t.md": '# T\n\n{% include "x.txt" %}\n', "docs/x.txt": "x"},
        APPENDED,
        more="[project.plugins.macros]",
    )
    notes = PageNotes(repo.root, repo.root / "docs")

    def wait_for(source: str, included: list[str]) -> None:
        for _ in range(600):
            note = notes.read(source)
            if note and [*note.included] == included:
                return
            assert served.poll() is None, served.communicate()
            time.sleep(0.1)
        raise AssertionError(f"{source} is not noted")

    with subprocess.Popen(
        [sys.executable, "-m", "zensical", "serve", "--dev-addr", f"localhost:{free_port()}"],
        cwd=repo.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as served:
        try:
            wait_for("t.md", ["docs/x.txt"])
            wait_for("c.md", ["inc/abbr.md"])
            repo.save("docs/y.txt", "y")
            repo.write("docs/t.md", '# T\n\n{% include "y.txt" %}\n')
            wait_for("t.md", ["docs/y.txt"])
        finally:
            served.kill()
    repo.commit()
    repo.commit("docs/x.txt")
    assert built(repo)["t/"] == dates(repo, {"t/": "docs/t.md"})["t/"]


def free_port() -> int:
    with socket.create_server(("localhost", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def test_in_mkdocs_the_extension_does_nothing(repo: Repo) -> None:
    """A mkdocs.yml for both has it."""
    pytest.importorskip("mkdocs")
    repo.write("docs/index.md", "# Home\n\n*[HTML]: x")
    text = "site_name: Test\nplugins: []\n"
    repo.write("mkdocs.yml", text)
    generate(sys.executable, "-m", "mkdocs", "build", cwd=repo.root)
    without = (repo.root / "site/index.html").read_text("utf-8")
    repo.write("mkdocs.yml", f"{text}markdown_extensions: [{NAME}]\n")
    generate(sys.executable, "-m", "mkdocs", "build", cwd=repo.root)
    assert DATE.sub("", (repo.root / "site/index.html").read_text("utf-8")) == DATE.sub("", without)
    assert not (repo.root / ".cache").exists()


DATE = re.compile(r"Build Date UTC : .*")


FAULTY = """
import sys
from docs_sitemap.generators.zensical import extension
owner, name = {place}
def fail(*args):
    raise LookupError("secret")
setattr(owner, name, fail)
from zensical.main import cli
cli(["build"])
"""
"""As ``zensical build``, whose Python parts are in the same process."""

PLACES = {"start": "extension._Recorder, '__init__'", "end of a page": "extension._Recorder, '_end'"}


@needs_zensical
@pytest.mark.parametrize("place", PLACES)
def test_an_error_of_ours_costs_dates_alone(repo: Repo, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    project(repo, {"docs/index.md": "# Title\n", "docs/one.md": "# One\n"})
    code = FAULTY.format(place=PLACES[place])
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=repo.root, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stderr.splitlines() if "docs-sitemap" in line]
    assert line.startswith("docs-sitemap: unexpected error: LookupError in ")
    assert line.endswith("Pages have no dates from here on.")
    assert "Traceback" not in done.stderr
    assert run(cwd=repo.root).returncode == 0
    assert listed(repo.root / "site") == {"": None, "one/": None}
