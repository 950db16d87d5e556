"""Which files a page includes: those that are known to be part of it, and how they are known.

A file counts where something reads it between the markdown event and the content event of the page, unless
it is read for every page; where the page names it in a syntax that includes files; or where a mechanism
tells that it has put it in. Pages of the site, navigation and configuration are read for many reasons: they
count only where a mechanism includes them, or the page itself names them so. Words never count.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_sitemap.brief import text_of
from docs_sitemap.dates.evidence import (
    Observer,
    Reads,
    defined_in,
    is_includer,
    named_in,
    names_in_file,
    places_of,
    shown_in,
    watch_all,
    without_section,
)
from docs_sitemap.explain import header_of, notes_of
from docs_sitemap.files import Report
from docs_sitemap.generators.mkdocs.build import host_of, plugins_by_name
from docs_sitemap.generators.mkdocs.media import Media, is_medium
from docs_sitemap.generators.mkdocs.monorepo import originals
from docs_sitemap.generators.mkdocs.notes import Notes, Record, extra_of, key_of
from docs_sitemap.limits import MAX_SOURCE
from docs_sitemap.options import Options
from docs_sitemap.untrusted import read_start

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

_NAVIGATION = {"SUMMARY.md", ".nav.yml", ".nav.yaml", ".pages"}
"""What plugins for the navigation read by default."""

_NAMES_NAVIGATION = {"awesome-nav": "filename", "literate-nav": "nav_file"}
"""Their options that name another file."""


@dataclass(slots=True)
class _Making:
    """A page that is being made or was made: what was read for it, by whom, and what is told of it."""

    markdown: str = ""
    build: int = 0
    is_first: bool = False
    read: Mapping[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)


class Includes:
    """Finds them in the course of one build: each page is begun and ended.

    ``dependencies`` is that option: ``text``, or ``all``; ``reads`` has what was read so far. All files are
    known by their absolute paths.
    """

    def __init__(self, config: MkDocsConfig, dependencies: str, reads: Reads) -> None:
        self._config = config
        self._media = Media() if dependencies == "all" else None
        self._reads = reads
        reads.is_building = True
        reads.pass_over([*config.theme.dirs, config.site_dir])
        self._observer = Observer()
        self._pages: set[str] = set()  # the sources of all pages
        self._number = 0  # of pages that a whole build makes
        self._kept: set[str] = set()  # what plugins have read by now that may keep it
        self._made: dict[str, _Making] = {}  # by the page's key in the notes
        self._making: _Making | None = None
        self._build = 0  # mkdocs-static-i18n has one for each language
        self._pages_made: Counter[int] = Counter()  # by the build
        self._times: defaultdict[str, Counter[int]] = defaultdict(Counter)  # a file was read, by the build
        self._folders: list[str] = []  # that names of included files start from
        self._appended: set[str] = set()  # by snippets, to every page: as a whole they are the text of none
        self._explained: dict[str, Mapping[str, str]] = {}  # abbreviations by the file that defines them
        self._everywhere_of: tuple[int, set[str]] = 0, set()  # of how many pages made
        self._configuration = {os.path.abspath(config.config_file_path or "")}
        self._navigation = set(_NAVIGATION)
        for name, plugin in plugins_by_name(config):
            if name in _NAMES_NAVIGATION:
                self._navigation.add(text_of(plugin.config.get(_NAMES_NAVIGATION[name])))
        self._notes = Notes(config, dependencies)

    def close(self) -> None:
        """Listen no more."""
        self._observer.close()
        self._reads.close()

    def of(self, page: MkDocsPage) -> Mapping[Path, str] | None:
        """Return the files that a page includes, and how each is known to belong to it.

        ``None`` where the page was not made, and never noted.
        """
        made = self._made.get(key_of(page))
        # not made by a --dirty build, though another plugin may have read it
        found = self._notes.of(page) if made is None else self._known(key_of(page), made)
        if found is None:
            return None
        return {Path(name): found[name] for name in sorted(found)}

    def front_matter(self, page: MkDocsPage) -> Mapping[str, Any] | None:
        """Return a page's front matter as plugins left it, or ``None`` as ``of`` does."""
        return page.meta if key_of(page) in self._made else self._notes.front_matter(page)

    def note(self, records: Iterable[Record], options: Options, report: Report) -> None:
        """Note what all pages include, but those of which nothing is known."""
        header = header_of(options, host_of(self._config), report.base_url, "MkDocs")
        found = [
            (key_of(page), record, extra_of(self.front_matter(page))) if page else (record.url, record, {})
            for page, record in records
            if page is None or record.datable or key_of(page) in self._made
        ]
        self._notes.write(header, notes_of(found, options, report), self._everywhere())

    def know(self, files: Files) -> None:
        """Take the pages of a build that begins, and the plugins that tell what they include."""
        paths = {file.abs_src_path for file in files.documentation_pages()}
        paths |= {originals(self._config).get(path) for path in paths if path}
        self._pages |= {find(path) for path in paths if path for find in (os.path.abspath, os.path.realpath)}
        self._number += len(files.documentation_pages())
        self._build += 1
        self._folders = self._find_folders()
        self._appended = self._find_appended()
        watch_all(plugins_by_name(self._config), self._observer, self._tell)
        if self._media:
            self._media.know(files)

    def begin(self, markdown: str) -> None:
        """Begin a page; what was read before was not for it alone."""
        self._keep(self._reads.take())
        self._making = _Making(markdown, self._build, not self._pages_made[self._build])
        self._pages_made[self._build] += 1

    def end(self, page: MkDocsPage, html: str) -> None:
        """Take what was read for a page."""
        making, self._making = self._making, None
        if making is None:
            return
        key, own = key_of(page), os.path.abspath(page.file.abs_src_path or "")
        making.read = {name: by for name, by in self._reads.take().items() if name != own}
        for name in making.read:
            self._times[name][making.build] += 1
        self._keep(making.read)
        self._explain(making, html)
        self._name(making, page)
        if self._media:
            for name in self._media.shown(page, html):
                making.told.setdefault(name, "the page shows it, or offers it for download")
        making.markdown = ""
        self._made[key] = making

    def _tell(self, path: str, how: str) -> None:
        """Take what a mechanism tells of the page that is being made."""
        if self._making is not None:
            self._making.told.setdefault(os.path.abspath(path), how)

    def _keep(self, read: Mapping[str, str]) -> None:
        """Take files that a plugin may keep and put into a page later on."""
        self._kept |= {name for name, by in read.items() if not is_includer(by)}

    def _known(self, key: str, made: _Making) -> dict[str, str]:
        """Return what is known of a page, when all pages have been made."""
        found = dict(made.told)
        everywhere = self._everywhere()
        for name, by in made.read.items():
            if is_includer(by):
                counts = name not in self._appended
            elif name in everywhere or self._is_aside(name):
                counts = False
            else:
                # what is read once, and for the first page, may be kept for all of them
                counts = not made.is_first or self._times[name].total() > 1 or self._notes.had(key, name)
            if counts:
                found.setdefault(name, f"{by} reads it while the page is made")
        return found

    def _everywhere(self) -> set[str]:
        """Return the files that are read for every page of a build; a ``--dirty`` one makes but a few."""
        every = len(self._made)
        if self._everywhere_of[0] != every:
            found = {
                name
                for name, times in self._times.items()
                if any(1 < times[build] == self._pages_made[build] for build in times)
            }
            if every < self._number:
                found |= self._notes.everywhere()
            self._everywhere_of = every, found
        return self._everywhere_of[1]

    def _is_aside(self, name: str) -> bool:
        """Tell whether a file is a page, a picture, or of the navigation or configuration: no page's text."""
        if self._media is None and is_medium(name):
            return True
        return (
            name in self._pages or name in self._configuration or os.path.basename(name) in self._navigation
        )

    def _explain(self, making: _Making, html: str) -> None:
        """Tell which abbreviations a page shows of those that are appended to every page."""
        for name in self._appended & making.read.keys() if "<abbr" in html else ():
            if name not in self._explained:
                self._explained[name] = defined_in(_text(name))
            for short in sorted(short for short, long in shown_in(html) & self._explained[name].items()):
                making.told.setdefault(name, f"it explains the abbreviation {short}")

    def _name(self, making: _Making, page: MkDocsPage) -> None:
        """Tell the files that plugins have read by now, and that the page names; and so on in these."""
        names = named_in(making.markdown)
        folders = [os.path.dirname(os.path.abspath(page.file.abs_src_path or ""))]
        while names:
            found = {
                place: written
                for name, written in names.items()
                for place in places_of(name, [*folders, *self._folders])
                if place not in making.told and self._is_read(place, written, making)
            }
            making.told.update({place: f"the page names it: {written}" for place, written in found.items()})
            folders = [os.path.dirname(place) for place in found]
            names = {name: written for place in found for name, written in names_in_file(place).items()}

    def _is_read(self, place: str, written: str, making: _Making) -> bool:
        """Tell whether a plugin has read a file that a page names: a page's source, for this page.

        A fence may be about a file of which it shows something else.
        """
        if self._is_aside(place) or written.startswith(("`", "~")):
            return place in making.read
        return place in self._kept or place in self._reads.kept

    def _find_folders(self) -> list[str]:
        root = os.path.dirname(self._config.config_file_path or "")
        bases = map(os.path.abspath, self._said_to_snippets("base_path"))
        return [*bases, self._config.docs_dir, os.path.abspath(root), os.getcwd()]

    def _find_appended(self) -> set[str]:
        """Return the files that snippets append to every page, with all that these include."""
        bases = [os.path.abspath(base) for base in self._said_to_snippets("base_path")]
        names = set(self._said_to_snippets("auto_append"))
        found: set[str] = set()
        while names:
            names |= {without_section(name) for name in names}
            places = {place for name in names for place in places_of(name, self._folders)}
            places |= {
                base for base in bases if os.path.basename(base) in names
            }  # snippets allows a file there
            new = {place for place in places - found if os.path.isfile(place)}
            found |= new
            names = {name for place in new for name in names_in_file(place)}
        return found

    def _said_to_snippets(self, name: str) -> Iterator[str]:
        """Yield the paths of an option of snippets, which is one or a list.

        MkDocs has tags for them, of which ``!relative`` stands for the folder of the page that is being made.
        """
        said = (self._config.mdx_configs.get("pymdownx.snippets") or {}).get(name) or ()
        for path in said if isinstance(said, (list, tuple)) else [said]:
            with suppress(Exception):  # no page is being made; or another mistake, which snippets will tell
                yield os.fspath(path)


def _text(name: str) -> str:
    try:
        return read_start(name, MAX_SOURCE).decode("utf-8", "replace")
    except OSError:
        return ""
