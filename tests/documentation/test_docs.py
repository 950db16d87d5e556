"""The documentation has all that can be set or said; both generators build it, alike and without a fault."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("sphinx")
pytest.importorskip("material")
pytest.importorskip("furo")
pytest.importorskip("myst_parser")
pytest.importorskip("yaml")

import click
import yaml
from docs import pictures, tables, terminal

import docs_sitemap
from docs_sitemap import history
from docs_sitemap.check import RULES
from docs_sitemap.check.rules import KINDS
from docs_sitemap.cli import main
from docs_sitemap.notices import Subtype
from docs_sitemap.options.declarations import OPTIONS, read_options
from tests.support.mkdocssite import Docs as MkDocs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RESULTS = ROOT / "benchmarks" / "results"
PAGES = sorted(DOCS.rglob("*.md"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = main.list_commands(click.Context(main))


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tables_are_as_the_source_has_them(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert tables.fresh(text) == text, "run: python -m docs.tables"


def test_each_table_has_its_place() -> None:
    marks = [mark[2] for page in PAGES for mark in tables.MARK.finditer(page.read_text(encoding="utf-8"))]
    assert sorted(marks) == sorted(tables.TABLES)


@pytest.mark.parametrize("name", sorted(path.name for path in (DOCS / "images").iterdir()))
def test_each_picture_is_shown(name: str) -> None:
    assert any(f"images/{name})" in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_pictures_are_as_the_source_has_them(name: str) -> None:
    drawn = (DOCS / "images" / name).read_text(encoding="utf-8")
    assert drawn == pictures.PICTURES[name](), "run: python -m docs.pictures"


def test_the_picture_of_a_terminal_has_all_of_its_text_and_colors() -> None:
    text, html = (
        terminal.check_output(color=True),
        terminal.as_html(terminal.check_output(color=True)),
    )
    shown = unescape(re.sub("<[^>]+>", "", html.partition("<pre>")[2]))
    assert shown == f"$ docs-sitemap check site\n{terminal.check_output()}"
    assert text.count("\x1b[") == html.count("<span") + html.count("</span>") > 0
    classes = set(re.findall(r"s\d+", " ".join(re.findall('class="(.*?)"', html))))
    assert all(html.count(f".{name} {{") == (1 if name == "s1" else 2) for name in classes)


def test_a_page_is_processed_by_modules_that_exist() -> None:
    for name, _ in pictures.STEPS:
        path = ROOT.joinpath("src", "docs_sitemap", *name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file(), name


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_each_option_has_its_row(option: str) -> None:
    assert f"\n| `{option}` | " in text_of("options.md")


@pytest.mark.parametrize("subtype", Subtype)
def test_each_subtype_has_its_row(subtype: Subtype) -> None:
    assert f"\n| `{subtype}` | " in text_of("warnings.md")


def test_the_address_of_each_rule_leads_to_it(mkdocs: Path, sphinx: Path) -> None:
    """The address that ``check`` prints, in the documentation of both generators."""
    base = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["site_url"]
    for rule in RULES.values():
        page, _, anchor = rule.help.removeprefix(base).partition("#")
        for site in (mkdocs, sphinx):
            html = (site / page / "index.html").read_text(encoding="utf-8")
            found = re.findall(rf'id="{anchor}".*?<strong>(.*?)</strong>', html, re.DOTALL)
            assert found == [rule.title], site
        html = (mkdocs / page / "index.html").read_text(encoding="utf-8")
        assert re.search(rf'href="#{anchor}".*?>\s*{rule.id} {re.escape(rule.title)}\s*<', html, re.DOTALL)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_its_page_with_all_its_flags(name: str) -> None:
    """The page of ``index`` has another name: an index.md would be the first page of its folder."""
    place = f"commands/{'index-command' if name == 'index' else name}.md"
    page = text_of(place)
    assert page.startswith(f"# docs-sitemap {name}\n")
    missing = {flag for flag in flags_of(name) if not re.search(rf"(?<![\w-]){flag}(?![\w-])", page)}
    assert not missing
    assert f"<!-- table: help-{name} -->" in page
    assert re.search(rf"^## {name}\n\n.*\]\({place}\)", text_of("command-line.md"), re.MULTILINE)


@pytest.mark.parametrize(
    "anchor",
    [
        "the-form-of-urls",
        "a-sitemap-that-is-there",
        "dates-that-are-missing",
        "options",
        "after-the-deployment",
    ],
)
def test_anchors_of_the_commands_former_page_lead_on(anchor: str, mkdocs: Path, sphinx: Path) -> None:
    for site in (mkdocs, sphinx):
        html = (site / "command-line" / "index.html").read_text(encoding="utf-8")
        assert re.search(rf'id="{anchor}"', html), site


def flags_of(name: str) -> set[str]:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return {flag for parameter in command.params for flag in parameter.opts if flag.startswith("-")} | {
        "--help"
    }


TEXTS = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
TEXTS["README.md"] = README


@pytest.mark.parametrize("name", TEXTS)
def test_each_option_that_is_named_is_one(name: str) -> None:
    known = {option.name for option in OPTIONS}
    assert set(re.findall(r"\bdocs_sitemap_(\w+)", TEXTS[name])) <= known
    for block in re.findall(r"^```yaml\n(.*?)^```", TEXTS[name], re.DOTALL | re.MULTILINE):
        for plugin in plugins_in(block):
            assert read_options(plugin, str), block


def plugins_in(block: str) -> list[dict[str, object]]:
    """Return the options of our plugin in a mkdocs.yml, or a part of one."""
    if "docs-sitemap" not in block:
        return []
    values = yaml.safe_load(re.sub(r"!ENV \S+", "x", block))
    plugins = values.get("plugins", []) if isinstance(values, dict) else []
    return [
        plugin["docs-sitemap"] for plugin in plugins if isinstance(plugin, dict) and "docs-sitemap" in plugin
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_each_flag_of_a_command_line_is_one(name: str) -> None:
    for command, rest in re.findall(r"docs-sitemap (\w+)([^\n`|;&]*)", TEXTS[name]):
        if command in COMMANDS:
            assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) <= flags_of(command), (command, rest)


def test_each_subtype_that_is_silenced_is_one() -> None:
    named = {word for text in TEXTS.values() for word in re.findall(r"\bdocs_sitemap\.(\w+)\"\]", text)}
    assert named
    assert named <= set(Subtype)


def test_each_public_name_is_explained() -> None:
    words = set(re.findall(r"\w+", TEXTS["python.md"]))
    assert {*docs_sitemap.__all__, *history.__all__} <= words


def test_figures_in_words_are_those_that_were_measured() -> None:
    shares = {
        row["name"]: row["share"]
        for row in json.loads((RESULTS / "builds-mkdocs.json").read_text(encoding="utf-8"))["rows"]
    }
    theirs = shares["git-revision-date-localized"]
    said = f"dates took {shares['docs-sitemap']:.0f} % with docs-sitemap and {theirs:.0f} % with that plugin"
    assert said in " ".join(TEXTS["moving-from-git-revision-date-localized.md"].split())


def test_each_page_stands_in_the_navigation_once() -> None:
    plan = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = [page for part in plan["nav"] for pages in part.values() for page in pages]
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


def test_the_changelog_is_in_both_places() -> None:
    """People look for it in the repository, and on the site."""
    assert (ROOT / "CHANGELOG.md").read_bytes() == (DOCS / "changelog.md").read_bytes()


def test_links_of_the_readme_lead_to_files() -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def run(*command: str | os.PathLike[str]) -> str:
    """Run one of our programs in the project's folder, and return its output; both must be good."""
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=env,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def mkdocs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built with MkDocs."""
    out = tmp_path_factory.mktemp("docs") / "mkdocs"
    run("mkdocs", "build", "--strict", "--site-dir", out)
    return out


@pytest.fixture(scope="module")
def sphinx(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built with Sphinx at the same addresses."""
    return build_sphinx("dirhtml", tmp_path_factory.mktemp("docs") / "sphinx")


def build_sphinx(builder: str, out: Path) -> Path:
    run("sphinx", "-W", "--keep-going", "-n", "-q", "-b", builder, DOCS, out)
    return out


@pytest.fixture(params=["mkdocs", "dirhtml", "html"])
def built(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The documentation, in each way."""
    if request.param == "html":
        yield build_sphinx("html", tmp_path / "html")
    else:
        yield request.getfixturevalue("mkdocs" if request.param == "mkdocs" else "sphinx")


def test_check_finds_nothing_in_it(built: Path) -> None:
    said = run("docs_sitemap", "check", "--select", ",".join(KINDS), built)
    assert said.startswith(f"Nothing to report: {len(PAGES)} URLs in the sitemaps, "), said


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "sitemap.css", "robots.txt"])
def test_both_generators_write_the_same_bytes(mkdocs: Path, sphinx: Path, name: str) -> None:
    assert (mkdocs / name).read_bytes() == (sphinx / name).read_bytes()


def test_no_python_is_published(mkdocs: Path, sphinx: Path) -> None:
    for site in (mkdocs, sphinx):
        assert not list(site.rglob("*.py"))


DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


def test_the_readme_shows_what_the_example_site_publishes(tmp_path: Path) -> None:
    said = run("mkdocs", "build", "-f", ROOT / "example_sites" / "mkdocs" / "mkdocs.yml", "-d", tmp_path)
    published = DATE.sub("DATE", (tmp_path / "sitemap.xml").read_text(encoding="utf-8"))
    shown = next(iter(re.findall(r"```xml\n(.*?)```", README, re.DOTALL)))
    head, _, tail = DATE.sub("DATE", shown).partition("  …\n")
    assert published.startswith(head)
    assert published.endswith(tail)
    line = next(line for line in README.splitlines() if line.startswith("INFO    -  docs-sitemap:"))
    assert line in said.splitlines()


def fenced(page: str, marker: str) -> str:
    """Return the block of code of a page that has the marker in it."""
    blocks: list[str] = re.findall(r"```\w+\n(.*?)```", text_of(page), re.DOTALL)
    return next(block for block in blocks if marker in block)


def test_a_message_of_mkdocs_is_silenced_as_the_documentation_says(tmp_path: Path) -> None:
    docs = MkDocs(tmp_path)
    docs.pages()
    docs.conf()
    said = "Crawlers read robots.txt only at"
    assert docs.run().notices(said)
    docs.conf(hooks=[docs.hook(fenced("warnings.md", "addFilter"))])
    built = docs.run()
    assert not built.notices(said)
    assert built.notices("1 page, 1 with lastmod")


def test_a_template_shows_dates_as_the_documentation_says(tmp_path: Path) -> None:
    docs = MkDocs(tmp_path)
    docs.pages()
    docs.conf({"page_dates": True})
    [line] = docs.run().notices("the theme shows no dates")
    assert line.endswith("To fix it: show page.meta.docs_sitemap_lastmod in a template.")
    docs.conf({"page_dates": True}, theme={"name": "mkdocs", "custom_dir": "theme"})
    template = fenced("page-settings.md", "page.update_date")
    block = "{% extends 'base.html' %}{% block content %}" + template + "{% endblock %}"
    docs.repo.write("theme/main.html", block)
    built = docs.run()
    date = built.sitemap[""]
    assert date == docs.date("index.md")
    assert f'<time datetime="{date}">{date[:10]}</time>' in built.read("index.html").decode()
    assert not built.notices("the theme shows no dates")
