"""Which files a page includes, without anybody saying so: those that plugins read, and that show on it.

A file that is read while a page is made counts where the page names it, unless it is read for every page;
or where the page has a line of it that its source does not have. A file that was read earlier, by a plugin
that keeps what it has read, counts where plugins put a line into the page whose words stand in the file.
So a file that is read for every page and shows on some is theirs alone.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_sitemap.generators.mkdocs.media import Media
from docs_sitemap.generators.mkdocs.modules import shown_modules
from docs_sitemap.generators.mkdocs.monorepo import originals
from docs_sitemap.generators.mkdocs.notes import Notes, key_of
from docs_sitemap.generators.mkdocs.reads import Reads, listen
from docs_sitemap.generators.mkdocs.words import (
    Text,
    explanations,
    inserted_lines,
    read_text,
    shown,
    words_of,
)

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage


@dataclass(slots=True)
class _Making:
    """The page that is being made: what its author wrote, and what plugins change and put in."""

    source: str = ""
    content: str = ""
    before: str = ""
    lines: list[list[str]] = field(default_factory=list)


class Includes:
    """Finds them in the course of one build: each page is begun and ended, and so is its template.

    ``dependencies`` is that option: ``text``, or ``all``; ``reads`` has what was read so far. All files are
    known by their absolute paths.
    """

    def __init__(self, config: MkDocsConfig, dependencies: str, reads: Reads) -> None:
        self._config = config
        self._media = Media() if dependencies == "all" else None
        self._reads = reads
        reads.pass_over([*config.theme.dirs, config.site_dir])
        outer = listen(reads)
        self._outer = None if outer is reads else outer
        self._pages: set[str] = set()  # the sources of pages, which include no other by being read
        self._texts: dict[str, Text] = {}
        self._kept: set[str] = set()  # the files read so far, other than pages
        self._having: defaultdict[str, set[str]] = defaultdict(set)  # which of those have a word
        self._found: dict[str, set[str]] = {}  # what a page includes, by its key in the notes
        self._making = _Making()
        self._times: Counter[str] = Counter()  # for how many pages a file was read, of how many made
        self._made = 0
        self._notes = Notes(config, dependencies)

    def close(self) -> None:
        """Listen no more."""
        listen(self._outer)

    def of(self, page: MkDocsPage) -> tuple[Path, ...] | None:
        """Return the files that a page includes; ``None`` where it was not made, and never noted."""
        names: Collection[str] | None = self._found.get(key_of(page))
        if names is None:  # not made by a --dirty build, though another plugin may have read it
            names = self._notes.of(page)
        if names is None:
            return None
        self._notes.add(page, sorted(names), self.front_matter(page) or {})
        return tuple(map(Path, sorted(names)))

    def front_matter(self, page: MkDocsPage) -> Mapping[str, Any] | None:
        """Return a page's front matter as plugins left it, or ``None`` as ``of`` does."""
        return page.meta if key_of(page) in self._found else self._notes.front_matter(page)

    def note(self) -> None:
        """Note for a ``--dirty`` build what all pages include that were asked for."""
        self._notes.write()

    def know(self, files: Files) -> None:
        """Take the pages of the build: none includes another because both are read."""
        paths = {file.abs_src_path for file in files.documentation_pages()}
        paths |= {originals(self._config).get(path) for path in paths if path}
        self._pages |= {os.path.abspath(path) for path in paths if path}
        if self._media:
            self._media.know(files)

    def begin(self, source: str = "", content: str = "") -> None:
        """Begin a page, or its template with its own text; what was read before was not for it alone."""
        self._keep(self._reads.take())
        self._making = _Making(source, content)

    def source(self, markdown: str) -> None:
        """Add to what the author wrote."""
        self._making.source += markdown

    def before(self, text: str) -> None:
        """Take a text that plugins may change."""
        self._making.before = text

    def after(self, text: str) -> None:
        """Take what plugins have made of it."""
        before, self._making.before = self._making.before, ""
        if text != before:
            self._making.lines += inserted_lines(before, text)

    def end(self, page: MkDocsPage, html: str) -> None:
        """Decide what a page includes, of all that was read by now."""
        found = shown_modules(self._config.plugins, self._making.source, html)
        if self._media:
            found |= self._media.shown(page, html)
        self._found[key_of(page)] = found
        self._decide(page, html)

    def end_template(self, page: MkDocsPage, output: str) -> None:
        """Decide what came to a page with its template, beside its own text."""
        if self._reads:
            self._making.source += "\n" + shown(self._making.content)
        self._decide(page, output)

    def _decide(self, page: MkDocsPage, html: str) -> None:
        read = set(self._reads.take()) - {os.path.abspath(page.file.abs_src_path or "")}
        found = self._found.setdefault(key_of(page), set())
        # what a plugin made is not known word for word, so that nothing can be told from what stands there
        if page.file.generated_by is None:
            found |= self._shown(read, html) | (self._shown_again() - read)
        self._keep(read)

    def _shown(self, read: set[str], html: str) -> set[str]:
        """Return those of the files read for the page that show on it.

        Another page shows only where it is named as well: links name pages, and plugins read them.
        What is read for each page is not certain by its name, either.
        """
        named = {name for name in read if os.path.basename(name) in self._making.source}
        everywhere = {name for name in read if 2 <= self._made <= self._times[name]}
        certain = self._with_nested(named - self._pages - everywhere, read)
        unsure = (read - certain) - (self._pages - named)
        self._times.update(read)
        self._made += 1
        if not unsure:
            return certain
        lines = [*self._making.lines, *explanations(html)]
        page, source = Text(shown(html)), Text(unescape(self._making.source))
        return certain | {name for name in unsure if _shows(self._text(name), lines, page, source)}

    def _with_nested(self, certain: set[str], read: set[str]) -> set[str]:
        """Add the files that a certain one names, and so on."""
        new = certain
        while new:
            texts = [self._text(name) for name in new]
            rest = read - self._pages - certain
            new = {
                name
                for name in rest
                if any(text.has_exactly(words_of(os.path.basename(name))) for text in texts)
            }
            certain = certain | new
        return certain

    def _shown_again(self) -> set[str]:
        """Return those of the files read earlier of which plugins have put in a line."""
        found: set[str] = set()
        for line in self._making.lines:
            words = set(line)
            if all(word in self._having for word in words):
                names = set.intersection(*(self._having[word] for word in words))
                found |= {name for name in names if self._text(name).has(line)}
        return found

    def _keep(self, names: Iterable[str]) -> None:
        """Let the files count for all pages from here on."""
        for name in set(names) - self._pages - self._kept:
            self._kept.add(name)
            for word in self._text(name).words:
                self._having[word].add(name)

    def _text(self, name: str) -> Text:
        if name not in self._texts:
            listen(None)  # this is us
            self._texts[name] = read_text(Path(name))
            listen(self._reads)
        return self._texts[name]


def _shows(text: Text, lines: list[list[str]], page: Text, source: Text) -> bool:
    """Tell whether plugins put a line of a file into the page, or it has one that its source has not."""
    if any(map(text.has, lines)):
        return True
    theirs = (line for line in text.lines if page.words.issuperset(line) and page.has_exactly(line))
    return any(not source.has_exactly(line) for line in theirs)
