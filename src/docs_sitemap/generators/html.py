"""Convert a built tree of HTML files, from any generator, to ``Page`` records.

The page's head gives its properties, and its path gives the source: ``a/b/index.html`` is made from
``a/b.md``, or from ``a/b/index.md``. The top of the source has the page's settings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

from docs_sitemap import urls
from docs_sitemap.limits import MAX_FRONT_MATTER, MAX_PATH
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import CREATION_KEYS, creation_in, read_metadata
from docs_sitemap.pages import MACHINE, NOT_FOUND, Page
from docs_sitemap.pages.utility_pages import ERROR, INDEX, PRINT, SEARCH, SOURCE_CODE, machine_page
from docs_sitemap.readers import read_json_start, read_start, read_toml, read_yaml
from docs_sitemap.readers.html import Head, read_head
from docs_sitemap.readers.page_parts import read_heading
from docs_sitemap.text import shorten

_REASONS: Final = {SEARCH: MACHINE, INDEX: MACHINE, SOURCE_CODE: "source code", PRINT: "print copy"}
"""Why utility pages are not listed, unless a rule asks for it; an error page is never listed."""

_TEMPLATE: Final = "HTML of custom_dir"

SUFFIXES: Final = (".md", ".markdown", ".mdx", ".rst", ".txt", ".ipynb", ".adoc", ".org", ".qmd", ".html")
"""The suffixes of page sources, the most likely first."""

_INDEX_NAMES: Final = ("index", "README", "_index", "readme")

_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?(?:(---)|\+\+\+)[ \t]*\n(?:(.*?)\n)??(?(1)(?:---|\.\.\.)|\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_JSON: Final = re.compile(r"\ufeff?(\{\s*[\"}])")  # `{{` and `{%` begin templates
_FIELD: Final = re.compile(r"^:([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_FIELDS: Final = re.compile(r"(?:(?::[\w-]+:|[ \t]).*(?:\n|\Z))*+")
"""A list of fields, each with the lines that belong to it."""

_COMMENTS: Final = re.compile(r"\A(?:\s*\.\.(?: .*)?\n(?:[ \t].*\n)*)*\s*")


class Finder(Protocol):
    """Finds the sources of pages, which are below ``folder``, by the names of pages in the build output."""

    @property
    def folder(self) -> Path:
        """Return the folder."""
        ...

    def find(self, name: str) -> Path | None:
        """Return the source of a page, or ``None``."""
        ...


class Tree:
    """A built site. ``base_url`` is its URL, if known; ``sources`` finds the sources of its pages.

    Titles and summaries are read only ``with_titles``, because a title may be anywhere in a page, and
    creation dates in front matter only ``with_creations``. ``is_template`` tells the files of a theme by
    their names: they are no pages, unless a rule asks for it.
    """

    def __init__(
        self,
        site_dir: Path,
        base_url: str | None,
        sources: Finder | None,
        *,
        with_titles: bool = True,
        with_creations: bool = False,
        is_template: Callable[[str], bool] = lambda name: False,
    ) -> None:
        self._site_dir = site_dir
        self._base_url = base_url or ""
        self._with_titles = with_titles
        self._words = ("sitemap", *CREATION_KEYS) if with_creations else ("sitemap",)
        self._sources = sources
        self._is_template = is_template
        self._notices: dict[Notice, None] = {}  # each once, in order

    @property
    def notices(self) -> list[Notice]:
        """What is wrong in the sources of the pages so far."""
        return [*self._notices]

    def pages(self) -> Iterator[Page]:
        """Yield every HTML file below the folder, sorted by name."""
        for name in files_below(self._site_dir):
            if name.lower().endswith((".html", ".htm")):
                page = self._page(name)
                if self._sources and (source := self._sources.find(name)):
                    page = self._with_source(page, source, self._sources.folder)
                yield replace(page, optional=_TEMPLATE) if self._is_template(name) else page

    def other_files(self, is_ours: Callable[[str], bool]) -> Iterator[Page]:
        """Yield all other files, without those that ``is_ours`` names, and those of the theme."""
        for name in files_below(self._site_dir):
            is_html = name.lower().endswith((".html", ".htm"))
            if not (is_html or is_ours(name) or self._is_template(name)):
                title = name.rpartition("/")[2] if self._with_titles else ""
                page = Page(url=urls.escape_name(name), title=title)
                source = self._sources.folder / name if self._sources else None
                if source and os.path.isfile(source) and not os.path.islink(source):
                    page = replace(page, source=source, source_path=name)
                yield page

    def _page(self, name: str) -> Page:
        addresses = _addresses(name)
        file = self._site_dir / name
        found = read_head(file)
        head = found or Head()
        kind = machine_page(self._site_dir, name)
        own = (each for each in addresses if urls.join(self._base_url, each) == head.canonical)
        canonical = next(own, None) if self._base_url and head.canonical else None
        return Page(
            url=canonical or addresses[0],
            file=file,
            head=found,
            canonical=head.canonical if canonical else None,
            unlisted=NOT_FOUND if kind == ERROR else "",
            optional=_REASONS.get(kind, ""),
            alternates=head.alternates,
            title=(read_heading(file) or head.title) if self._with_titles else "",
            summary=head.summary,
        )

    def _with_source(self, page: Page, source: Path, folder: Path) -> Page:
        """Return the page with its source and what that says; add notices of its mistakes."""
        metadata: Mapping[str, Any] = {}
        try:
            metadata = read_front_matter(source, self._words)
        except ValueError as problem:
            where = shorten(os.fspath(source), MAX_PATH)
            text = f"{where}: cannot read the front matter: {problem}. It is ignored."
            self._notices[Notice("warning", Subtype.PAGE, text)] = None
        settings, named, mistakes = read_metadata(metadata, str(source), folder)
        self._notices |= dict.fromkeys(mistakes)
        return replace(
            page,
            source=source,
            source_path=source.relative_to(folder).as_posix(),
            sources=named,
            settings=settings,
            # in reStructuredText, `date` is often that of the last change
            created="git" if source.suffix == ".rst" else creation_in(metadata),
        )


def _addresses(name: str) -> tuple[str, ...]:
    """Return the addresses at which hosts serve a file, the most common first."""
    quoted = urls.escape_name(name)
    folder, slash, last = quoted.rpartition("/")
    usual = folder + slash if last in ("index.html", "index.htm") else quoted
    stem = quoted.removesuffix(".html" if quoted.endswith(".html") else ".htm")
    return usual, quoted, stem, usual.rstrip("/")


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


class Sources:
    """The files of a documentation ``folder``, by the paths of their possible pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._suffixes: dict[str, str] = {}  # by the path without suffix
        self._stems: dict[str, str | None] = {}  # by its form in URLs; None if several have that form
        for path in files_below(Path(os.path.realpath(folder))):
            stem, suffix = os.path.splitext(path)
            if suffix.lower() in SUFFIXES:
                self._add(stem, suffix)

    def _add(self, stem: str, suffix: str) -> None:
        rank = SUFFIXES.index
        other = self._suffixes.get(stem)
        if other is None or rank(suffix.lower()) < rank(other.lower()):
            self._suffixes[stem] = suffix
        plain = _in_url(stem)
        self._stems[plain] = None if plain in self._stems else stem

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output; ``None`` if it is uncertain."""
        stem = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
        for each in _possible_stems(stem, _INDEX_NAMES):
            if suffix := self._suffixes.get(each):
                return self.folder / (each + suffix)
        plain = _possible_stems(_in_url(stem), [_in_url(index) for index in _INDEX_NAMES])
        found = {self._stems[each] for each in plain if each in self._stems}
        only = found.pop() if len(found) == 1 else None
        return self.folder / (only + self._suffixes[only]) if only else None


def _possible_stems(stem: str, index_names: Sequence[str]) -> Iterator[str]:
    """Yield the possible names of a page's source, without suffix."""
    folder, _, last = stem.rpartition("/")
    if last.lower() == "index":
        yield from (f"{folder}/{index}".lstrip("/") for index in index_names)
        if folder:
            yield folder
    else:
        yield stem
        yield from (f"{stem}/{index}" for index in index_names)


def _in_url(name: str) -> str:
    """Return a name in the form that generators use in URLs: lower case, words joined by hyphens."""
    return re.sub(r"[^\w/]+|_", "-", name.casefold())
