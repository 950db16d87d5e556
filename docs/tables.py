"""Write the generated parts of the documentation, from declarations in the source and from measurements.

``python -m docs.tables`` writes them between ``<!-- table: NAME … -->`` and ``<!-- end -->``. A test reports
those that are out of date. Needs docs-sitemap with the extra ``cli``.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import click
from benchmarks import builds, check, growth
from benchmarks.dates import table as dates_table
from click.testing import CliRunner
from tests.project.test_architecture import LAYERS
from tests.support.services import MEANINGS, SERVICES

import docs_sitemap
from docs.pictures import summary
from docs.terminal import example
from docs_sitemap.check import RULES, Rule
from docs_sitemap.check.rules import KINDS
from docs_sitemap.cli import main
from docs_sitemap.cli.build import GROUPS
from docs_sitemap.git import Reason
from docs_sitemap.notices import Subtype
from docs_sitemap.options.declarations import OPTIONS
from docs_sitemap.pages.hosting import MISSING, SERVED
from docs_sitemap.pages.hosting import SERVICES as FORMS

DOCS: Final = Path(__file__).parent
RESULTS: Final = DOCS.parent / "benchmarks/results"
MARK: Final = re.compile(r"(<!-- table: ([\w-]+).*? -->\n).*?(<!-- end -->)", re.DOTALL)
_WIDTH: Final = 80  # as click writes it, and as wide as a block of code on the site


def options() -> str:
    """Return one heading per group of options, and one row per option: name, MkDocs's default, help."""
    known = {option.name.replace("_", "-"): option for option in OPTIONS}
    parts = []
    for title, names in GROUPS.items():
        group = [known.pop(name) for name in names.split() if name in known]
        rows = [(f"`{option.name}`", _default(option.default), option.metadata["help"]) for option in group]
        if rows:
            parts.append(f"### {title}\n\n{_table(('option', 'default', 'meaning'), rows)}")
    return "\n\n".join(parts)


def _default(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return f"`[{', '.join(value)}]`"
    return f"`{str(value).lower()}`"


def reasons() -> str:
    """Return a row a reason for a missing date: as builds and ``explain`` say it, and the fix."""
    return _table(
        ("why", "fix"),
        [(reason.text, reason.cure or "none needed") for reason in Reason],
    )


_SUBTYPES: Final = {
    Subtype.ADDRESS: (
        "Pages are left out, because their URLs are not allowed in a sitemap.",
        "Rename them, so that the URL is a path below the site, without query, below 2,048 characters.",
    ),
    Subtype.BASE_URL: (
        "The URL of the site is missing or invalid, and no sitemap is written; or it is not the site's own.",
        "Set site_url (MkDocs), html_baseurl (Sphinx) or --base-url to the absolute http or https URL.",
    ),
    Subtype.BOTH: (
        "sphinx-sitemap is loaded as well, and its output is replaced.",
        "Remove sphinx_sitemap from extensions; nothing, if another extension loads it.",
    ),
    Subtype.CANONICAL: (
        "The pages' own canonical links have a different URL than the sitemap.",
        "Give both the same URL: remove base_url, or set the generator's own URL to it.",
    ),
    Subtype.EMPTY: (
        "No sitemap is written: no page is left to list.",
        "Relax exclude or rules so that at least one page remains; if filename has a folder, only pages in "
        "it are listed.",
    ),
    Subtype.FEED: (
        "No feed is written: no page has a date.",
        "Build from a git checkout with its history, and commit the pages.",
    ),
    Subtype.LANGUAGES: (
        "languages does not include the site itself, or this language has the base URL of another one.",
        "Add the site's own language to languages, with the base URL of this build, which is its own.",
    ),
    Subtype.LASTMOD: (
        "Pages have no date, for the reason that the message gives; or most have that of one move of files.",
        "Do what the message says, if it has a fix: for a shallow clone, fetch the whole history.",
    ),
    Subtype.MOVING: (
        "A setting of sphinx-sitemap is used for an option of docs-sitemap, or has no effect.",
        "Replace it in conf.py by what the message shows.",
    ),
    Subtype.OPTION: (
        "No sitemap is written, because an option is unknown or has an invalid value; or one has no effect.",
        "Set it to a value that the message describes, or remove it.",
    ),
    Subtype.OUTPUT: (
        "A file cannot be written, and the build has failed.",
        "Fix the system error shown, and build again.",
    ),
    Subtype.OWN: (
        "A file is not written, because the site has its own file of that name.",
        "Nothing, if that is intended; otherwise remove that file, or set filename to another name.",
    ),
    Subtype.PAGE: (
        "A page's own setting is ignored, or a file that a page or a rule names does not exist.",
        "Correct the setting as the message describes.",
    ),
    Subtype.PREVIEW: (
        "No sitemap is written, because this is a preview of the site.",
        "Nothing: the build that is published has one.",
    ),
    Subtype.ROBOTS: (
        "Crawlers cannot read all of robots.txt.",
        "Do what the message says: the Sitemap line belongs in the file at the host's root, in UTF-8.",
    ),
    Subtype.STOPPED: (
        "No sitemap is written, because of an unexpected error, or because it would take too long.",
        "Report it, with what the message says.",
    ),
    Subtype.VERSION: (
        "This is not the version in current_version: no sitemap is written, and pages link to that version.",
        "Nothing, if current_version is right: the build of that version has a sitemap.",
    ),
    Subtype.WRITTEN: (
        "A summary of the build: pages, dates, and what was left out.",
        "Nothing.",
    ),
}
"""The meaning and the fix of each subtype of messages."""


def subtypes() -> str:
    """Return a row a subtype of messages: its name, its levels, its meaning and its fix."""
    levels = _levels()
    return _table(
        ("subtype", "level", "meaning", "fix"),
        [(f"`{kind}`", " or ".join(sorted(levels[kind.name])), *_SUBTYPES[kind]) for kind in Subtype],
    )


def _levels() -> dict[str, set[str]]:
    """Return the levels of each subtype, from each ``Notice(LEVEL, Subtype.NAME, …)`` in the source."""
    levels: dict[str, set[str]] = defaultdict(set)
    for module in Path(docs_sitemap.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name("Notice"), args=[ast.Constant(str(level)), ast.Attribute(attr=name), *_]
                ):
                    levels[name].add(level)
    return levels


def rules() -> str:
    """Return one heading per kind of rules, a table of them, and a heading per rule, which is its anchor."""
    kinds: dict[str, list[Rule]] = defaultdict(list)
    for rule in RULES.values():
        kinds[rule.id[0]].append(rule)
    return "\n\n".join(f"## {KINDS[kind]}\n\n{_kind(of_kind)}" for kind, of_kind in kinds.items())


def _kind(rules: list[Rule]) -> str:
    rows = [(_linked(rule.id), rule.level, rule.title) for rule in rules]
    texts = [
        f"### {rule.id}\n\n**{rule.title}** ({rule.level})\n\n{_linked(rule.explanation)}\n\n"
        f"**Fix:** {_linked(rule.fix)}"
        for rule in rules
    ]
    return "\n\n".join((_table(("rule", "level", "what is wrong"), rows), *texts))


def _linked(text: str) -> str:
    return re.sub(r"\b[A-Z][0-9]\b", lambda name: f"[{name[0]}](#{name[0].lower()})", text)


_GROUPS: Final = {
    "cli": "Commands",
    "generators": "Generators and sites",
    "explain": "Core",
    "options": "Foundations",
}
"""The groups of layers, each by a module of its first layer from the top."""


def modules() -> str:
    """Return a table per group of layers, from the top down, with the start of each module's docstring."""
    parts: list[tuple[str, list[tuple[str, str, str]]]] = []
    layers = [sorted(name for name in layer if not name.startswith("__")) for layer in reversed(LAYERS)]
    for number, names in enumerate(filter(None, layers), 1):
        parts += [(title, []) for name, title in _GROUPS.items() if name in names]
        parts[-1][1].extend((str(number), f"`{name}`", summary(name)) for name in names)
    tables = [f"**{title}**\n\n{_table(('layer', 'module', 'what it is'), rows)}" for title, rows in parts]
    return "\n\n".join(tables)


def command(name: str) -> Callable[[], str]:
    """Return a function that returns a command's help, for a terminal of 80 columns."""

    def help_text() -> str:
        arguments = ["--help"] if name == "main" else [name, "--help"]
        result = CliRunner().invoke(
            main, arguments, prog_name="docs-sitemap", terminal_width=_WIDTH, max_content_width=_WIDTH
        )
        typed = " ".join(["docs-sitemap", *arguments])
        return f"```text\n$ {typed}\n{result.output.rstrip()}\n```"

    return help_text


def measured(pattern: str, text: Callable[[dict[str, Any]], str]) -> Callable[[], str]:
    """Return a function that returns what a benchmark prints of each of its kept results."""
    return lambda: "\n\n".join(map(text, _results(pattern)))


def _results(pattern: str) -> list[dict[str, Any]]:
    files = sorted(RESULTS.glob(pattern))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def services() -> str:
    """Return a row a build on a hosting service: what it leaves, as the tests of both hosts have it."""
    rows = []
    for name, build in SERVICES.items():
        sitemap = f"`{build.sitemap.removesuffix('sitemap.xml')}`" if build.sitemap else "none"
        robots = "written" if build.robots and build.sitemap else "none"
        own = "gets the line" if build.completed else "unchanged"
        rows.append((name, sitemap, robots, own, MEANINGS[build.told]))
    return _table(
        ("build", "sitemap, with URLs below", "robots.txt", "the author's robots.txt", "reported"), rows
    )


_ANSWERS: Final = {
    SERVED: "served",
    MISSING: MISSING,
    "page": "redirect to `page`",
    "folder/": "redirect to `folder/`",
}


def serving() -> str:
    """Return a row a hosting service: what it answers for each form of a URL."""
    rows = []
    for name, found in FORMS.items():
        answers = (found.page_html, found.page, found.folder, found.slash, found.index_html)
        said = {**_ANSWERS, MISSING: found.missing}
        rows.append((f"{found.title} (`{name}`)", *(said[answer] for answer in answers)))
    return _table(("service", "`page.html`", "`page`", "`folder`", "`folder/`", "`folder/index.html`"), rows)


TABLES: Final[dict[str, Callable[[], str]]] = {
    "options": options,
    "reasons": reasons,
    "subtypes": subtypes,
    "modules": modules,
    "rules": rules,
    "help": command("main"),
    "dates": lambda: dates_table(_results("dates-*.json")),
    "builds": measured("builds-*.json", builds.text),
    "check": measured("check.json", check.text),
    "check-example": example,
    "growth": measured("growth.json", growth.text),
    "services": services,
    "serving": serving,
    **{f"help-{name}": command(name) for name in main.list_commands(click.Context(main))},
}


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(heads), *rows]
    lines.insert(1, ["---"] * len(lines[0]))  # type: ignore[arg-type]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def fresh(text: str) -> str:
    """Return a page with up-to-date tables. Raises ``KeyError`` for an unknown table."""
    return MARK.sub(lambda mark: f"{mark[1]}{TABLES[mark[2]]()}\n{mark[3]}", text)


if __name__ == "__main__":
    for page in DOCS.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        if (made := fresh(text)) != text:
            page.write_text(made, encoding="utf-8")
