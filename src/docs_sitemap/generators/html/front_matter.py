"""Read the metadata at the top of a page's source, for any generator.

YAML between ``---`` (most of them), TOML between ``+++`` (Hugo, Zola), JSON (Hugo), or a list of fields
(reStructuredText).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from docs_sitemap.budget import allow_front_matter
from docs_sitemap.limits import MAX_FRONT_MATTER
from docs_sitemap.untrusted import read_front_matter_yaml, read_json_start, read_start, read_toml

_BLOCK: Final = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD: Final = re.compile(r"^:([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_COMMENTS: Final = re.compile(r"\A(?:\s*\.\.(?: .*)?\n(?:[ \t].*\n)*)*\s*")


def read_front_matter(
    source: Path, words: Collection[str] = ("sitemap",), real: str | None = None
) -> Mapping[str, Any]:
    """Return the metadata; empty if there is none, or if it has none of the ``words``, as in our keys.

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
        return _mapping(read_front_matter_yaml if found[1] == "---" else read_toml, found[2], words)
    if text.lstrip("\ufeff").startswith("{"):
        return _mapping(read_json_start, text.lstrip("\ufeff"), words)
    return {}


def _mapping(read: Callable[[str], Any], text: str, words: Collection[str]) -> Mapping[str, Any]:
    if not any(word in text for word in words):  # YAML takes seconds for a megabyte
        return {}
    allow_front_matter(len(text))
    try:
        value = read(text)
    except ImportError:  # PyYAML is optional
        return {}
    return value if isinstance(value, Mapping) else {}


def _fields(text: str) -> Mapping[str, Any]:
    """Return the fields at the top of a document, after comments; only the first line of each."""
    start = _COMMENTS.match(text)
    found: dict[str, Any] = {}
    for line in text[start.end() if start else 0 :].splitlines():
        field = _FIELD.match(line)
        if field:
            found[field[1]] = field[2].strip()
        elif not line.startswith((" ", "\t")):
            break
    return found
