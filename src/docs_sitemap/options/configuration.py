"""Reads the options of the command line from ``docs-sitemap.toml``, or from tables in pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
_CHECK: Final = "check"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The values of a table in a file by option name; the file may write names with hyphens.

    ``where`` is the file with the table, and ``check`` the table of ``docs-sitemap check`` in that.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    written: Mapping[str, str] = field(default_factory=dict)
    file: Path = Path(OWN_FILE)
    table: str = ""
    check: Configuration | None = None

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
            if found.values or found.check or name == OWN_FILE:
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
    table = ""
    if file.name == _PYPROJECT:
        table = f"tool.{_TABLE}"
        tool = found.get("tool")
        if isinstance(tool, Mapping) and (wrong := "docs_sitemap") in tool:
            raise OptionError(f"{where}: [tool.{wrong}]: there is no such table; write [{table}].")
        found = tool.get(_TABLE, {}) if isinstance(tool, Mapping) else {}
    own = _in_table(found, where, table, file)
    if _CHECK not in own.values:
        return own
    table = f"{table}.{_CHECK}" if table else _CHECK
    check = _in_table(own.values[_CHECK], where, table, file)
    return replace(own, values={name: own.values[name] for name in own.values if name != _CHECK}, check=check)


def _in_table(found: object, where: str, table: str, file: Path) -> Configuration:
    where = f"{where}: [{table}]" if table else where
    if not isinstance(found, Mapping):
        raise OptionError(f"{where}: expected a table of options, got {show_value(found)}.")
    written = {name.replace("-", "_"): name for name in found}
    return Configuration({name: found[written[name]] for name in written}, where, written, file, table)
