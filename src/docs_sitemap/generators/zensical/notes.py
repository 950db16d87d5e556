"""What Zensical's pages include, noted while they are rendered and read by ``docs-sitemap build``.

There is one note per page below Zensical's own cache folder, because they belong together: Zensical does not
render a page again that it has in its cache, and ``zensical build --clean`` removes both. A note has names of
files and digests of what they were, and no dates but the one that the page shows.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from docs_sitemap import urls
from docs_sitemap.dates.evidence import is_medium, texts_read
from docs_sitemap.dates.installed import Installed
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.files import HEAD, Family, OutputFolder, Report
from docs_sitemap.generators.zensical import PLUGIN, Project, find_project
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import Options, Spell
from docs_sitemap.pages.page import Page, Undated
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import open_plain, read_plain
from docs_sitemap.timestamps import same_date

_VERSION: Final = 1
_FOLDER: Final = ".cache/docs-sitemap"

_INCLUDING: Final = {"include-markdown", "macros", "mkdocstrings", "pymdownx.snippets", "table-reader"}
"""Plugins and extensions with which pages include files."""

_CLEAN: Final = "build once with zensical build --clean"
_NOT_NOTED: Final = "what is included is not noted, or has changed since the build"


@dataclass(frozen=True, slots=True)
class PageNote:
    """The files of one page, by name relative to the project.

    ``read`` maps the files that were read while it was rendered to the modules that read them, ``included``
    others to their evidence, ``digests`` all of them to their content. ``unsure`` are those that may be
    read for all pages, because this was the first; ``shown`` is the date that the page shows, or empty.
    """

    source: str
    read: Mapping[str, str] = field(default_factory=dict)
    included: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    unsure: Collection[str] = ()
    shown: str = ""


class PageNotes:
    """The notes of a project in ``root``; pages are named by their sources below ``docs_dir``.

    Both are absolute paths.
    """

    def __init__(self, root: Path, docs_dir: Path) -> None:
        self._root = root
        self._docs_dir = self._relative(os.fspath(docs_dir))
        self._has_folder = False

    def write(
        self,
        source: str,
        read: Mapping[str, str],
        included: Mapping[str, str],
        *,
        is_first: bool,
        shown: str = "",
    ) -> None:
        """Replace a page's note; the files are absolute paths.

        ``is_first`` is whether the process rendered no page before. What the page read before as a later one
        is known to be its own.
        """
        names = {path: self._relative(path) for path in (*read, *included)}
        before = (is_first and self.read(source)) or PageNote(source)
        sure = before.read.keys() - {*before.unsure}
        note = PageNote(
            source,
            read={names[path]: by for path, by in read.items()},
            included={names[path]: how for path, how in included.items()},
            digests={name: self._digest(name) for name in (self._page(source), *names.values())},
            unsure=sorted({names[path] for path in read} - sure) if is_first else [],
            shown=shown,
        )
        data = json.dumps({"version": _VERSION, **asdict(note)}, sort_keys=True).encode("ascii")
        with suppress(OutputError):
            if self._has_folder:  # without looking at all notes for each page
                OutputFolder(self._root).replace(_name(source), data)
                return
            with OutputFolder(self._root).changes() as changes:
                changes.write(_name(source), data)
                changes.commit()
            self._has_folder = True

    def read(self, source: str) -> PageNote | None:
        """Return a page's note, or ``None`` if there is none, or none that we write."""
        with suppress(OSError, ValueError, TypeError, LookupError, AttributeError):
            values: Any = read_json(read_plain(self._root / _name(source), MAX_FILE))
            if values.pop("version") == _VERSION:
                return PageNote(**values)
        return None

    def includes(self, notes: Collection[PageNote]) -> dict[str, dict[Path, str] | None]:
        """Return the files that each page includes, with their evidence, by its source.

        ``None`` for a page if its source or such a file has changed since: the page shows an older one. A
        file that was read for every page, or once for a first one, is not known to be part of any, unless
        what read it only ever reads for the current page. Nor is a page or a picture.
        """
        pages = {self._page(note.source) for note in notes}
        times = Counter(name for note in notes for name in note.read)
        later = {name for note in notes for name in note.read.keys() - {*note.unsure}}
        digest = cache(self._digest)

        def is_other(note: PageNote, name: str) -> bool:
            is_everywhere = 1 < times[name] == len(notes)
            is_kept = name in note.unsure and name not in later
            return is_everywhere or is_kept or name in pages or is_medium(name)

        found: dict[str, dict[Path, str] | None] = {}
        for note in notes:
            files = {**texts_read(note.read, partial(is_other, note)), **note.included}
            known = (self._page(note.source), *files)
            is_current = all(digest(name) == note.digests.get(name) for name in known)
            places = {self._root / os.path.normpath(name): files[name] for name in sorted(files)}
            found[note.source] = places if is_current else None
        return found

    def _relative(self, path: str) -> str:
        try:
            return os.path.relpath(path, self._root)
        except ValueError:  # on another drive of Windows
            return path

    def _page(self, source: str) -> str:
        return os.path.join(self._docs_dir, os.path.normpath(source))

    def _digest(self, name: str) -> str:
        try:
            with open_plain(self._root / name) as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
        except (OSError, ValueError):
            return ""


def _name(source: str) -> str:
    return f"{_FOLDER}/{hashlib.sha256(os.fsencode(source)).hexdigest()}.json"


def project_of(site_dir: Path, source_dir: Path | None) -> Project | None:
    """Return the project that built ``site_dir``: the one in the working folder, or beside the site.

    A file that cannot be read is no project. Raises ``OptionError`` if there are notes beside such a file:
    the pages in ``source_dir`` may be those, and without notes, their dates would be too old.
    """
    for root in dict.fromkeys((Path.cwd(), Path(os.path.realpath(site_dir)).parent)):
        try:
            project = find_project(root)
        except OptionError:
            if source_dir and (root / _FOLDER).is_dir():
                raise
            continue
        if project and os.path.realpath(project.site_dir) == os.path.realpath(site_dir):
            return project
    return None


def with_included(pages: Iterable[Page], project: Project) -> tuple[list[Page], Mapping[str, str]]:
    """Return the pages with the files that they are known to include, and the dates shown, by URL path.

    Without our extension, pages have only their own files: notes of an earlier build do not count. With it,
    a page of which nothing is noted has no date.
    """
    pages = list(pages)
    notes = PageNotes(project.file.parent, project.folder)
    sources = [page.source_path for page in pages if page.source_path] if project.is_noted else []
    noted = {source: note for source in sources if (note := notes.read(source))}
    is_of_mkdocs = not noted and project.file.suffix != ".toml"  # as far as is known
    if not project.is_noted or is_of_mkdocs:
        return pages, {}
    included = notes.includes(noted.values())
    installed = Installed(project.folder)
    made = []
    for page in pages:
        source = page.source_path or ""
        files = included.get(source)
        found, undated = installed.originals(files or {})
        if files is None and source.endswith(".md"):
            undated = Undated(_NOT_NOTED, source, _CLEAN)
        found = {**page.evidence, **found}
        made.append(replace(page, dependencies=tuple(found), evidence=found))
        if undated:
            made[-1] = replace(page, datable=False, undated=undated)
    shown = {page.url: noted[source].shown for page in pages if (source := page.source_path or "") in noted}
    return made, shown


def check_is_not_of_plugin(project: Project, filename: str) -> None:
    """Raise ``OptionError`` if the sitemap ``filename`` of a project's site is that of our plugin for MkDocs.

    The plugin knows what pages include: the dates of another sitemap would be too old.
    """
    if PLUGIN not in project.plugins or project.is_built_by_zensical():
        return
    folder = OutputFolder(project.site_dir)
    if Family(filename).ours([filename, filename + ".gz"], lambda name: folder.read(name, HEAD) or b"", ()):
        raise OptionError(
            f"{project.file.name}: plugins: {PLUGIN}: expected a site that Zensical has built, got one of "
            "MkDocs, where this plugin has written the sitemap, with dates of what pages include: leave out "
            "docs-sitemap build, or name SITE_DIR to replace that sitemap."
        )


def about_configuration(project: Project, options: Options, spell: Spell) -> list[Notice]:
    """Report options without effect on Zensical's pages, and dates that are too old without our extension."""
    if not project.is_built_by_zensical():
        return []
    notices = []
    if options.json_ld:
        why = "no extension can change the head of Zensical's pages"
        text = f"{spell('json_ld')}: it has no effect, because {why}."
        notices.append(Notice("info", Subtype.OPTION, text))
    included = sorted(_INCLUDING & (project.plugins | project.extensions))
    lacking = [f"no page shows its date ({spell('page_dates')})"] if options.page_dates else []
    if included:
        lacking.append(f"the files that pages include do not count for their dates ({', '.join(included)})")
    if lacking and not project.is_noted:
        besides = "" if project.extensions else ", with Zensical's own list, which this replaces"
        text = (
            f"Without the Markdown extension docs-sitemap, {' and '.join(lacking)}. To fix it: "
            f"add docs-sitemap to markdown_extensions{besides}, and {_CLEAN}."
        )
        if options.page_dates:
            notices.append(Notice("warning", Subtype.OPTION, text))
        else:
            notices.append(Notice("info", Subtype.LASTMOD, text))
    return notices


def about_shown(shown: Mapping[str, str], report: Report, *, is_asked: bool) -> list[Notice]:
    """Report dates that pages still show, or do not show yet: Zensical does not render all of them again."""
    listed = {url.loc: url.lastmod for url in report.urls}  # empty without a base URL
    places = {url: urls.join(report.base_url, url) for url in shown} if listed else {}
    dated = {url: date for url, place in places.items() if (date := listed.get(place))}
    if not is_asked:
        others, what = sum(map(bool, shown.values())), "a date, although page_dates is off"
    elif dated and not any(shown.values()):
        others, what = len(dated), "no date, although page_dates is on"
    else:
        others = sum(bool(shown[url]) and not same_date(date, shown[url]) for url, date in dated.items())
        what = "another date than the sitemap has"
    if not others:
        return []
    pages = "1 page shows" if others == 1 else f"{others:,} pages show"
    text = f"{pages} {what}, from an earlier build. To fix it: {_CLEAN}."
    return [Notice("info", Subtype.LASTMOD, text)]
