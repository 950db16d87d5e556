"""Find the source file of a page in a built tree by its path, and read the metadata at its top.

YAML between ``---`` (most generators), TOML between ``+++`` (Hugo, Zola), JSON (Hugo), or a list of fields
(reStructuredText).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docs_sitemap.limits import MAX_FRONT_MATTER
from docs_sitemap.readers import read_json_start, read_start, read_toml, read_yaml

_BLOCK: Final = re.compile(
    r"\A\ufeff?(?:(---)|\+\+\+)[ \t]*\n(?:(.*?)\n)??(?(1)(?:---|\.\.\.)|\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_OPEN: Final = re.compile(r"\ufeff?(?:---|\+\+\+)[ \t]*\n")
_JSON: Final = re.compile(r"\ufeff?(\{\s*[\"}])")  # `{{` and `{%` begin templates
_FIELD: Final = re.compile(r"^:([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_FIELDS: Final = re.compile(r"(?:(?::[\w-]+:|[ \t]).*(?:\n|\Z))*+")
"""A list of fields, each with the lines that belong to it."""

_COMMENTS: Final = re.compile(r"\A(?:\s*\.\.(?: .*)?\n(?:[ \t].*\n)*)*\s*")


def read_front_matter(source: Path, words: Collection[str] = ("sitemap",)) -> Mapping[str, Any]:
    """Return the metadata; empty if there is none, or if it has none of the ``words``, as in our keys.

    Raises ``ValueError`` with the reason if it cannot be read.
    """
    try:
        data = read_start(source, MAX_FRONT_MATTER)
    except OSError:
        return {}
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if source.suffix == ".rst":
        return _fields(text)
    if found := _BLOCK.match(text):
        return _mapping(read_yaml if found[1] else read_toml, found[2] or "", words)
    if (
        len(data) == MAX_FRONT_MATTER
        and _OPEN.match(text)
        and re.search(rf"^(?:{'|'.join(words)})", text, re.M)
    ):
        raise ValueError(f"no end within {MAX_FRONT_MATTER:,} bytes")
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


SUFFIXES: Final = (".md", ".markdown", ".mdx", ".rst", ".txt", ".ipynb", ".adoc", ".org", ".qmd", ".html")
"""The suffixes of page sources, the most likely first."""

_INDICES: Final = ("index", "README", "_index", "readme")


def files_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, sorted, with ``/``; skip hidden files and links."""
    pending = [""]
    while pending:
        prefix = pending.pop()
        files, folders = [], []
        try:
            with os.scandir(os.path.join(folder, prefix)) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        files.append(entry.name)
        except OSError:  # an unreadable folder is not published either
            continue
        yield from (prefix + name for name in sorted(files))
        pending += [f"{prefix}{name}/" for name in sorted(folders, reverse=True)]


class Sources:
    """The files of a documentation ``folder``, by the paths of their possible pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._suffixes: dict[str, str] = {}
        self._alike: dict[str, str | None] = {}
        """The only name by its plain form, or ``None`` if there are several; without suffixes."""
        for path in files_below(Path(os.path.realpath(folder))):
            stem, suffix = os.path.splitext(path)
            if suffix.lower() in SUFFIXES:
                self._add(stem, suffix)

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output; ``None`` if it is uncertain."""
        stem = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
        for way in _ways(stem):
            if suffix := self._suffixes.get(way):
                return self.folder / (way + suffix)
        folder, slash, last = stem.rpartition("/")
        plain = _ways(_plain(folder) + slash + _plain(last), _PLAIN_INDICES)
        found = {self._alike[way] for way in plain if way in self._alike}
        only = found.pop() if len(found) == 1 else None
        return self.folder / (only + self._suffixes[only]) if only else None

    def _add(self, stem: str, suffix: str) -> None:
        other = self._suffixes.get(stem)
        if other is None or _rank(suffix) < _rank(other):
            self._suffixes[stem] = suffix
        plain = _plain(stem)
        self._alike[plain] = None if plain in self._alike else stem


def _rank(suffix: str) -> int:
    """Return the number of a source's suffix: the smaller, the more likely."""
    return SUFFIXES.index(suffix.lower())


def _ways(stem: str, indices: Sequence[str] = _INDICES) -> Iterator[str]:
    """Yield the possible names of a page's source, without suffix."""
    folder, _, last = stem.rpartition("/")
    if last.lower() == "index":
        yield from (f"{folder}/{index}".lstrip("/") for index in indices)
        if folder:
            yield folder
    else:
        yield stem
        yield from (f"{stem}/{index}" for index in indices)


def _plain(name: str) -> str:
    """Return a name in the form that generators use in URLs: lower case, words joined by hyphens."""
    return _BETWEEN.sub("-", name.casefold())


_BETWEEN: Final = re.compile(r"[^\w/]+|_")
_PLAIN_INDICES: Final = tuple(map(_plain, _INDICES))
