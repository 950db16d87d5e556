"""Reads the metadata at the top of sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from docs_sitemap.limits import MAX_FRONT_MATTER
from docs_sitemap.readers.data import read_json_start, read_toml, read_yaml
from docs_sitemap.readers.files import read_start

_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?(?:(---)|\+\+\+)[ \t]*\n(?:(.*?)\n)??(?(1)(?:---|\.\.\.)|\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_JSON: Final = re.compile(r"\ufeff?(\{\s*[\"}])")  # `{{` and `{%` begin templates
_FIELD: Final = re.compile(r"^:([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_FIELDS: Final = re.compile(r"(?:(?::[\w-]+:|[ \t]).*(?:\n|\Z))*+")
"""A list of fields, each with the lines that belong to it."""

_COMMENTS: Final = re.compile(r"\A(?:\s*\.\.(?: .*)?\n(?:[ \t].*\n)*)*\s*")


def read_front_matter(source: Path, words: Collection[str] = ("sitemap",)) -> Mapping[str, Any]:
    """Return the metadata at the top of a source; empty if it has none of the ``words``, as in our keys.

    That is YAML between ``---`` (most generators), TOML between ``+++`` (Hugo, Zola), JSON (Hugo), or a list
    of fields (reStructuredText). Raises ``ValueError`` with the reason if it cannot be read.
    """
    try:
        data = read_start(source, MAX_FRONT_MATTER)
    except OSError:
        return {}
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if source.suffix == ".rst":
        return _fields(text)
    if found := _FRONT_MATTER.match(text):
        return _mapping(read_yaml if found[1] else read_toml, found[2] or "", words)
    if (start := _JSON.match(text)) and source.suffix != ".ipynb":  # a notebook is JSON as a whole
        return _mapping(read_json_start, text[start.start(1) :], words)
    return {}


def _mapping(read: Callable[[str], Any], text: str, words: Collection[str]) -> Mapping[str, Any]:
    if not any(word in text for word in words):  # most pages; a mistake elsewhere is not our concern
        return {}
    try:
        value = read(text)
    except ImportError:  # PyYAML is optional
        return {}
    return value if isinstance(value, Mapping) else {}


def _fields(text: str) -> Mapping[str, Any]:
    """Return the fields at the top of a document, after comments; only the first line of each."""
    start = _COMMENTS.match(text)
    fields = _FIELDS.match(text, start.end() if start else 0)
    return {name: value.strip() for name, value in _FIELD.findall(fields[0] if fields else "")}
