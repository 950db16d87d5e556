"""Reads the options of the command line from ``docs-sitemap.toml``, or from a table in pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_PATH, MAX_TEXT
from docs_sitemap.readers.data import read_toml
from docs_sitemap.readers.files import read_named
from docs_sitemap.text import shorten, show_value

OWN_FILE: Final = "docs-sitemap.toml"
_PYPROJECT: Final = "pyproject.toml"
_TABLE: Final = "docs-sitemap"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The values of one file by option name; the file may write names with hyphens."""

    values: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    written: Mapping[str, str] = field(default_factory=dict)

    def spell(self, name: str) -> str:
        """Return the name of the file, and the option as the file spells it."""
        return f"{self.where}: {shorten(self.written.get(name, name))}"


def find_configuration(folder: Path) -> Configuration:
    """Return the configuration in docs-sitemap.toml, else in pyproject.toml, else an empty one.

    Raises ``OptionError`` if a file cannot be read.
    """
    for name in (OWN_FILE, _PYPROJECT):
        if (folder / name).is_file():
            found = read_configuration(folder / name)
            if found.values or name == OWN_FILE:
                return found
    return Configuration()


def read_configuration(file: Path) -> Configuration:
    """Return the configuration in a file; raises ``OptionError`` if it cannot be read."""
    where = shorten(str(file), MAX_PATH)
    try:
        found: Any = read_toml(read_named(file, MAX_TEXT).decode("utf-8").replace("\r\n", "\n"))
    except OSError as problem:
        raise OptionError(
            f"{where}: expected a TOML file, but it cannot be read: {problem.strerror}."
        ) from None
    except ValueError as problem:
        raise OptionError(f"{where}: expected a TOML file, got {problem}.") from None
    if file.name == _PYPROJECT:
        where = f"{where}: [tool.{_TABLE}]"
        tool = found.get("tool")
        found = tool.get(_TABLE, {}) if isinstance(tool, Mapping) else {}
    if not isinstance(found, Mapping):
        raise OptionError(f"{where}: expected a table of options, got {show_value(found)}.")
    written = {name.replace("-", "_"): name for name in found}
    return Configuration({name: found[written[name]] for name in written}, where, written)
