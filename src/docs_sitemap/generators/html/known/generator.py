"""What a table of generators says of each: how it names the page of a source, and the metadata of sources."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from docs_sitemap.limits import MAX_FRONT_MATTER, MAX_TEXT
from docs_sitemap.options.page_settings import EXCLUDED_BY
from docs_sitemap.pages.page import SOURCE_SUFFIXES
from docs_sitemap.readers.data import read_json_start, read_toml, read_yaml
from docs_sitemap.readers.files import read_any, read_plain, read_text
from docs_sitemap.text import text_of

Metadata = Mapping[str, Any]

INDEX_NAMES: Final = ("index", "README", "_index", "readme")
"""The names of sources that become the page of their folder, the most likely first."""

SUFFIXES: Final = (*SOURCE_SUFFIXES, ".html")

UNLIKELY: Final = (".txt", ".html")
"""Those of files that lie beside the source of a page, without being one."""

IMPORTED: Final = re.compile(
    r"^import\s[^'\"\n]*['\"](?:!!raw-loader!)?((?:\.\.?|@site)/[^'\"\n]+)['\"]", re.MULTILINE
)
"""What MDX imports, without the components of packages."""

_LANGUAGE: Final = re.compile(r"(.+)\.([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)")
_NUMBER: Final = re.compile(r"\d+\s*[-_.]+\s*(?=[^-_.\s])")
_DATED: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})[-_](.+)")
_VERSIONED: Final = re.compile(r"\d+[-_.]\d")

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
    data = read_any(source, MAX_FRONT_MATTER)
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if source.suffix == ".rst":
        return _rst_fields(text)
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


def _rst_fields(text: str) -> Mapping[str, Any]:
    """Return the fields at the top of a document, after comments; only the first line of each."""
    start = _COMMENTS.match(text)
    fields = _FIELDS.match(text, start.end() if start else 0)
    return {name: value.strip() for name, value in _FIELD.findall(fields[0] if fields else "")}


@dataclass(frozen=True)
class Source:
    """A file of documentation: ``path`` is relative to ``folder``, with ``/``.

    ``words`` are the keys of front matter that its generator reads.
    """

    folder: Path
    path: str
    words: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """Its text, or the beginning of a long one; empty if it cannot be read."""
        return read_text(self.folder / self.path)

    @cached_property
    def metadata(self) -> Metadata:
        """Its front matter; empty if it has none of the ``words``, or cannot be read."""
        try:
            return read_front_matter(self.folder / self.path, self.words) if self.words else {}
        except ValueError:
            return {}

    def word(self, key: str) -> str:
        """Return a text of its front matter, or an empty one."""
        return text_of(self.metadata.get(key)).strip()

    @property
    def stem(self) -> str:
        """The path without its suffix."""
        return os.path.splitext(self.path)[0]

    @property
    def above(self) -> str:
        """The folder, with a slash at its end, or empty."""
        return self.path[: self.path.rfind("/") + 1]

    @property
    def name(self) -> str:
        """The name without folder and suffix."""
        return self.stem[len(self.above) :]


@dataclass(frozen=True)
class Claim:
    """A page that may be made from a source: its path without ``.html`` and ``/index.html``.

    Of several sources for a page, that with the lowest ``rank`` is the one. ``index`` is the place of its
    name in ``INDEX_NAMES``, -1 for another name, ``None`` if the name does not matter.
    """

    page: str
    rank: int = 0
    index: int | None = None

    def order(self, *, is_index: bool) -> tuple[int, bool, int]:
        """Return what tells it from others: an index is rather that of a folder, a page that of a file."""
        mismatch = self.index is not None and (self.index >= 0) != is_index
        return self.rank, mismatch, max(self.index or 0, 0)


@dataclass(frozen=True)
class Generator:
    """A generator of built sites.

    ``mark`` is how the ``<meta name="generator">`` of its home pages begins, in lower case, ``files`` its
    configuration, which no other one has. ``words`` are the keys of front matter that it reads; ``translate``
    returns front matter with what these say about the sitemap, in our words. ``pages`` yields what a source
    becomes, ``parts`` the other files that its page shows; ``written`` what a built site itself says of pages
    and their sources, which is better; ``is_copy`` tells whether a page of a site is in another language than
    its address, for want of a translation. If ``is_whole``, the paths of sources are those in the project,
    with the folders of several kinds of pages.
    """

    name: str
    mark: str
    files: tuple[str, ...]
    pages: Callable[[Source], Iterator[Claim]]
    words: tuple[str, ...] = ()
    translate: Callable[[Source, Metadata], Metadata] = lambda source, metadata: metadata
    parts: Callable[[Source], Iterator[Path]] = lambda source: iter(())
    suffixes: tuple[str, ...] = SUFFIXES
    is_whole: bool = False
    written: Callable[[Path, Path], Iterator[tuple[str, str]]] = lambda site, folder: iter(())
    is_copy: Callable[[str, Path, Source | None], bool] = lambda page, file, source: False


@cache
def configuration(folder: Path, *names: str) -> Mapping[str, Any]:
    """Return the settings in the first of these YAML files that can be read; empty if there is none."""
    for name in names:
        with suppress(OSError, ValueError, ImportError):
            found = read_yaml(read_plain(folder / name, MAX_TEXT).decode())
            return found if isinstance(found, Mapping) else {}
    return {}


def by_path(source: Source, rank: int = 0) -> Iterator[Claim]:
    """Yield the page at the same path, and that of the folder for an index."""
    if source.name in INDEX_NAMES:
        yield Claim(source.above.rstrip("/"), rank, INDEX_NAMES.index(source.name))
    yield Claim(source.stem, rank, -1)


def declared(address: str, above: str = "", rank: int = 0) -> Claim:
    """Return the page with the address that its author wrote, from the folder ``above`` if that is relative.

    >>> declared("/about/").page, declared("intro", "guide/").page
    ('about', 'guide/intro')
    """
    path = address if address.startswith("/") else above + address
    return Claim(re.sub(r"(?:(?:^|/)index)?\.html?$|/index$", "", path.strip("/")), rank)


def shows(pattern: re.Pattern[str], root: str = "") -> Callable[[Source], Iterator[Path]]:
    """Return what yields the files that a source names by the first group of a pattern.

    They are relative to the source, or to its ``folder`` if they begin with ``root``.
    """

    def parts(source: Source) -> Iterator[Path]:
        for name in pattern.findall(source.text):
            is_rooted = root and name.startswith(root)
            path = source.above + name if not is_rooted else name.removeprefix(root)
            file = os.path.normpath(source.folder / path)
            if os.path.isfile(file):
                yield Path(file)

    return parts


def without_numbers(path: str) -> str:
    """Return a path without the numbers that only sort: ``01-guide/2_install`` is ``guide/install``.

    A name that begins with a date or a version keeps it (Docusaurus, "Sidebar: number prefixes").
    """
    return "/".join(
        part if _VERSIONED.match(part) else _NUMBER.sub("", part, count=1) if _NUMBER.match(part) else part
        for part in path.split("/")
    )


def of_language(stem: str) -> tuple[str, str]:
    """Return a path without the language that its name ends with, and that: ``a/page.fr`` is French."""
    found = _LANGUAGE.fullmatch(stem)
    return (found[1], found[2]) if found else (stem, "")


def dated(name: str) -> tuple[str, str, str, str] | None:
    """Return year, month, day and the rest of a name such as ``2024-01-31-news``; ``None`` for others."""
    found = _DATED.fullmatch(name)
    return (found[1], found[2].zfill(2), found[3].zfill(2), found[4]) if found else None


def excluded(said: str) -> dict[str, Any]:
    """Return metadata in our words that leave a page out, because of what its author wrote."""
    return {"sitemap": False, EXCLUDED_BY: said}
