"""Read the metadata at the top of a page's source, for any generator.

YAML between ``---`` (most of them), TOML between ``+++`` (Hugo, Zola), JSON (Hugo), or a list of fields
(reStructuredText).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from itertools import filterfalse
from pathlib import Path
from typing import Any, Final

from docs_sitemap.limits import MAX_FRONT_MATTER
from docs_sitemap.untrusted import (
    TooMuchError,
    read_front_matter_yaml,
    read_json_start,
    read_start,
    read_toml,
)

_BLOCK: Final = re.compile(
    r"\A\ufeff?(?:(---)|\+\+\+)[ \t]*\n(?:(.*?)\n)??(?(1)(?:---|\.\.\.)|\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_OPEN: Final = re.compile(r"\ufeff?(?:---|\+\+\+)[ \t]*\n")
_JSON: Final = re.compile(r"\ufeff?(\{\s*[\"}])")  # `{{` and `{%` begin templates
_FIELD: Final = re.compile(r"^:([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_FIELDS: Final = re.compile(r"(?:(?::[\w-]+:|[ \t]).*(?:\n|\Z))*+")
"""A list of fields, each with the lines that belong to it."""

_NAME: Final = r"""(?:[^\W\d][\w .-]*+|"[\w .-]*+"|'[\w .-]*+'):(?=[ \t\n]|\Z)"""
_KEY: Final = re.compile(_NAME)
_ENTRIES: Final = re.compile(r"(?:\A|\n)(?=[^ \t#\n-])")
"""Where an entry begins. A list may have its dashes below its key."""

_TEXT: Final = r"""[^"'\[\]{}\n]*+"""
_LINE: Final = rf"""{_TEXT}(?:(?:"{_TEXT}"|'{_TEXT}'|\[{_TEXT}\]|{{{_TEXT}}}){_TEXT})*+"""
_USUAL: Final = re.compile(rf"(?:{_NAME}{_LINE}(?:\n(?=[ \t#\n-]|\Z){_LINE})*+(?:\n|\Z))*+")
"""Entries in which quoted texts and brackets have an end in the same line, as in most files."""

_NOTHING: Final = re.compile(r"(?:#[^\n]*+|[^\S\n]*+)(?:\n(?:#[^\n]*+|[^\S\n]*+))*+")
_CLOSED: Final = re.compile(
    r"""[^"'\[\]{}]*+(?:(?<=\w)'[^"'\[\]{}]*+\Z
    |(?:(?:"[^"'\[\]{}]*+"|'[^"'\[\]{}]*+'|\[[^"'\[\]{}]*+\]|{[^"'\[\]{}]*+})[^"'\[\]{}]*+)*+)""",
    re.VERBOSE,
)
"""An entry in which quoted texts and brackets have an end, as most have; one apostrophe is no quote."""

_TOML_MARKS: Final = "\n=,.[{"
_MARKS_OF_VALUE: Final = 3
"""Each of these characters takes a third of the time that a value in YAML takes."""

_LONG: Final = 4_000
"""Characters of entries about the sitemap; only aliases need what is before such long ones."""

_QUOTE: Final = re.compile(r"""(?:^|[\s\[{,])(?:"|')""")
"""The start of a quoted text: not an apostrophe."""

_COMMENTS: Final = re.compile(r"\A(?:\s*\.\.(?: .*)?\n(?:[ \t].*\n)*)*\s*")


def read_front_matter(
    source: Path, words: Collection[str] = ("sitemap",), real: str | None = None
) -> Mapping[str, Any]:
    """Return the metadata; empty if there is none, or if it has none of the ``words``, as in our keys.

    Of other keys, YAML may have more or less: mostly, only what is about the words is parsed.

    ``real`` is the source's path without links, if that is known. Raises ``ValueError`` with the reason
    if it cannot be read.
    """
    try:
        data = read_start(real or source, MAX_FRONT_MATTER)
    except OSError:
        return {}
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if source.suffix == ".rst":
        return _fields(text)
    if found := _BLOCK.match(text):
        read = (lambda text: _read_yaml(text, words)) if found[1] else _counted(_read_toml)
        return _mapping(read, found[2] or "", words)
    if (
        len(data) == MAX_FRONT_MATTER
        and _OPEN.match(text)
        and re.search(rf"^(?:{'|'.join(words)})", text, re.M)
    ):
        raise ValueError(f"no end within {MAX_FRONT_MATTER:,} bytes")
    if (start := _JSON.match(text)) and source.suffix != ".ipynb":  # a notebook is JSON as a whole
        return _mapping(_counted(read_json_start), text[start.start(1) :], words)
    return {}


def _mapping(read: Callable[[str], Any], text: str, words: Collection[str]) -> Mapping[str, Any]:
    if not any(word in text for word in words):  # YAML takes seconds for a megabyte
        return {}
    try:
        value = read(text)
    except ImportError:  # PyYAML is optional
        return {}
    return value if isinstance(value, Mapping) else {}


def _counted(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a parser for which time is allowed."""

    def counted(text: str) -> Any:
        return read(text)

    return counted


def _read_toml(text: str) -> Any:
    return read_toml(text)


def _read_yaml(text: str, words: Collection[str]) -> Any:
    """Parse the entries with the words alone, which takes a fraction of the time, or else all of the text."""
    part = _about(text, words)
    if part is not None:
        try:
            return _counted(read_front_matter_yaml)(part)
        except TooMuchError:
            raise
        except ValueError:
            if len(part) > _LONG and "*" not in part:  # it would take the time again, for the same mistake
                raise
    return _counted(read_front_matter_yaml)(text)


def _about(text: str, words: Collection[str]) -> str | None:
    """Return the entries whose keys have one of the words; ``None`` if it is not clear where each begins."""
    # each step is one for all entries: a file may have 20,000
    if not _USUAL.fullmatch(text):
        before, *entries = _ENTRIES.split(text)
        if not _NOTHING.fullmatch(before) or not all(map(_KEY.match, entries)):
            return None
        if any(map(_may_go_on, filterfalse(_CLOSED.fullmatch, entries))):
            return None
    has_word = re.compile("|".join(map(re.escape, words))).search
    about = _with_any(tuple(words)).findall(text)
    return "\n".join(entry for entry in about if (key := _KEY.match(entry)) and has_word(key[0]))


@cache
def _with_any(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return an expression for entries with one of the words in their first line."""
    word = "|".join(map(re.escape, words))
    return re.compile(rf"^(?=[^ \t#\n-])[^\n]*(?:{word})[^\n]*+(?:\n(?=[ \t#\n-]|\Z)[^\n]*+)*+", re.MULTILINE)


def _may_go_on(entry: str) -> bool:
    """Tell whether a quoted text, or brackets, may not have ended: what seems to be a key belongs to them."""
    is_odd = entry.count('"') % 2 or entry.count("'") % 2
    if is_odd and _QUOTE.search(entry):
        return True
    return entry.count("[") + entry.count("{") > entry.count("]") + entry.count("}")


def _fields(text: str) -> Mapping[str, Any]:
    """Return the fields at the top of a document, after comments; only the first line of each."""
    start = _COMMENTS.match(text)
    fields = _FIELDS.match(text, start.end() if start else 0)
    return {name: value.strip() for name, value in _FIELD.findall(fields[0] if fields else "")}
