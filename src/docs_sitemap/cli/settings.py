"""What ``check`` and ``report`` read from a configuration, and the folder that they look at without one."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from docs_sitemap.cli.common import SITE_FOLDER, note
from docs_sitemap.cli.rules import FAIL_ON, read_rule_ids
from docs_sitemap.errors import OptionError
from docs_sitemap.options import validation
from docs_sitemap.options.configuration import Configuration, find_configuration, read_configuration
from docs_sitemap.options.declarations import OPTIONS
from docs_sitemap.options.validation import Check, UnexpectedError
from docs_sitemap.pages.hosting import SERVICES
from docs_sitemap.text import shorten


def _path(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise UnexpectedError('a path, such as "build/html"')
    return value


def _ids(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UnexpectedError('a list of rule ids, such as ["C2"]')
    return value


def _by_pattern(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise UnexpectedError('a table of patterns with rule ids, such as {"api/" = ["C2"]}')
    validation.patterns(list(value))
    return value


_CHECKS: Final[Mapping[str, Check]] = {
    "site": _path,
    "base_url": validation.base_url,
    "sitemap": validation.paths,
    "select": _ids,
    "ignore": _ids,
    "per_file_ignores": _by_pattern,
    "baseline": _path,
    "served_by": validation.one_of(*SERVICES),
    "fail_on": validation.one_of(*FAIL_ON),
}


def read_settings(file: Path | None) -> Configuration:
    """Return the table of ``check`` in a file, by default in that of the working folder; it may be empty.

    Its values are checked, and its paths are relative to the working folder. A wrong one is a usage error.
    """
    try:
        found = read_configuration(file) if file else find_configuration(Path())
        refuse_misplaced(found)
        table = found.check or Configuration()
        return replace(table, values={name: _read(table, name) for name in table.values})
    except OptionError as problem:
        raise click.UsageError(str(problem)) from None


def refuse_misplaced(found: Configuration) -> None:
    """Raise ``OptionError`` if an option of ``check`` is among those of ``build``, or a table unknown."""
    table, options = f"{found.table}.check".lstrip("."), [option.name for option in OPTIONS]
    for name, value in found.values.items():
        if name in _CHECKS and name != "base_url":
            raise OptionError(f"{found.spell(name)}: this is an option of check: write it in [{table}].")
        if name == "tool":
            raise OptionError(f"{found.spell(name)}: this is for pyproject.toml; here, write [{table}].")
        if isinstance(value, Mapping) and name not in options:
            [close] = difflib.get_close_matches(name, ["check", *options], 1) or ["check"]
            hint = f"did you mean {close if close != 'check' else f'[{table}]'}?"
            raise OptionError(f"{found.spell(name)}: there is no such table; {hint}")


def _read(table: Configuration, name: str) -> Any:
    where = table.spell(name)
    if name not in _CHECKS:
        names = [known.replace("_", "-") for known in _CHECKS]
        close = difflib.get_close_matches(name.replace("_", "-"), names, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the options are {', '.join(names)}."
        raise OptionError(f"{where}: there is no such option; {hint}")
    value = validation.checked(where, table.values[name], _CHECKS[name])
    if name in ("site", "baseline"):
        return table.file.parent / value
    if name == "per_file_ignores":
        places = {pattern: f"{where}: {shorten(pattern)}" for pattern in value}
        ids = {pattern: validation.checked(places[pattern], value[pattern], _ids) for pattern in value}
        return {pattern: read_rule_ids(places[pattern], ids[pattern]) for pattern in value}
    return read_rule_ids(where, value) if name in ("select", "ignore") else value


# By default, as each documents it: MkDocs and Zensical (site_dir), Hugo (publishDir) and GitLab Pages, Jekyll
# (destination) and Quarto (output-dir), Astro (outDir), Docusaurus (outDir), mdBook (build-dir), Quarto for
# books, Pelican (OUTPUT_PATH), VitePress (outDir), sphinx-quickstart with both answers, and MyST
_USUAL: Final = (
    *("site", "public", "_site", "dist", "build", "book", "_book", "output", ".vitepress/dist"),
    *("build/html", "build/dirhtml", "_build/html", "_build/dirhtml"),
)
_PARENTS: Final = ("docs", "doc", "website")
"""Where projects have their documentation; ``website`` is that of Docusaurus ("Installation")."""


_PAGES: Final = (".html", ".htm")


def _has_site(folder: str, endings: tuple[str, ...] = _PAGES) -> bool:
    from docs_sitemap.check import WELL_KNOWN

    names = os.listdir(folder) if os.path.isdir(folder) else []
    return any(name in WELL_KNOWN or name.lower().endswith(endings) for name in names)


def _usual_sites(folder: Path) -> list[str]:
    """Return the usual folders in a folder that have HTML files or a sitemap, each once."""
    usual = [*_USUAL, *(f"{parent}/{name}" for parent in _PARENTS for name in _USUAL)]
    places = [(folder / name).as_posix() for name in usual[::-1]]
    return list({os.path.realpath(place): place for place in places if _has_site(place)}.values())[::-1]


def built_site(settings: Configuration, command: str, given: Path | None) -> Path:
    """Return the folder to check: the one that is given, otherwise one to tell on stderr.

    That is the one in the settings, otherwise the only usual folder that has HTML files or a sitemap.
    """
    if given:
        found = _usual_sites(given)
        if len(found) == 1 and not _has_site(str(given)):
            here = f"a built site in {found[0]}: did you mean docs-sitemap {command} {shlex.quote(found[0])}?"
            note(f"{given if given.name else 'The current folder'} has no pages of its own, but {here}")
        return given
    if "site" in settings.values:
        where = settings.spell("site")
        try:
            site: Path = SITE_FOLDER.convert(settings.values["site"], None, None)
        except click.BadParameter as problem:
            raise click.UsageError(f"{where}: {problem.message} Build the site first.") from None
        note(f"Checking {site} ({where}).")
        return site
    found = _usual_sites(Path())
    # beside another folder, an index.html may be a source
    if _has_site(".", () if found else _PAGES):
        found.append(".")
    if not found:
        raise click.UsageError(
            f"Missing SITE_DIR: there is no built site here. Neither {', '.join(_USUAL)}, also in "
            f"{', '.join(_PARENTS)}, nor the current folder has HTML files or a sitemap. Build it first, or "
            f"name its folder: docs-sitemap {command} FOLDER"
        )
    if len(found) > 1:
        commands = ", or: ".join(f"docs-sitemap {command} {name}" for name in found)
        raise click.UsageError(
            f"Missing SITE_DIR: there are {len(found)} built sites. Name one: {commands}, or set site in "
            "[tool.docs-sitemap.check] of pyproject.toml."
        )
    note(f"Checking {'the current folder' if found == ['.'] else found[0]}: the only built site here.")
    return Path(found[0])
