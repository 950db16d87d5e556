"""The data of one built site for the rules: read once, never changed by a rule."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from docs_sitemap.changes import Dates
from docs_sitemap.check import address
from docs_sitemap.check.discovery import Sitemaps
from docs_sitemap.check.document import Document, Entry
from docs_sitemap.check.finding import Found, Level
from docs_sitemap.check.pages import Facts
from docs_sitemap.check.robotstxt import RobotsText
from docs_sitemap.check.tree import Tree, url_path
from docs_sitemap.files import named_by_us


@dataclass(frozen=True, slots=True)
class Listed:
    """A URL in a sitemap: ``file`` is its file in the site's folder, ``facts`` what that page declares."""

    entry: Entry
    document: Document
    file: str | None
    facts: Facts | None

    @property
    def loc(self) -> str:
        """The URL as written."""
        return self.entry.loc

    def in_sitemap(self, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
        """Return a finding about the URL, at its line in the sitemap."""
        return Found(message, self.loc, self.document.name, level, self.entry.line, cause)

    def on_page(self, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
        """Return a finding about the URL, on its page."""
        return Found(message, self.loc, self.file, level, cause=cause)


@dataclass(frozen=True)
class Site:
    """A built site.

    ``base`` is its base URL, ending in ``/``, or empty if it is unknown; ``listed_base`` is the base URL of
    the URLs in its sitemaps, which should be the same. ``shallow`` is true if it was built in a shallow
    clone, ``None`` if it is not in a repository. ``previous`` has the dates of an older sitemap by URL,
    ``asked`` the ids of rules that were chosen by name. ``pages`` has the facts of pages, sorted by name.
    """

    tree: Tree
    base: str
    listed_base: str
    sitemaps: Sitemaps
    robots: RobotsText | None
    now: float
    shallow: bool | None
    previous: Dates
    pages: dict[str, Facts]
    links: set[str]
    asked: frozenset[str]

    def file_of(self, url: str) -> str | None:
        """Return the file of a URL, or ``None`` if the site has none for it."""
        rest = self.below(url)
        return None if rest is None else self.tree.file_at(rest)

    def below(self, url: str) -> str | None:
        """Return a URL's path relative to the site's, on any host; ``None`` if it is outside."""
        for base in (self.listed_base, self.base):
            if base and url.startswith(base):
                return url[len(base) :].partition("?")[0].partition("#")[0]
        found = address.split(url)
        if found:
            for base in (self.listed_base, self.base):
                path = urlsplit(base).path or "/"
                if base and found.path.startswith(path):
                    return found.path.removeprefix(path)
        return None

    @property
    def at_root(self) -> bool:
        """Tell whether the site is served from the root of its host, as far as is known."""
        return urlsplit(self.base).path in ("", "/")

    @cached_property
    def listed(self) -> list[Listed]:
        """The URLs of all sitemaps except feeds, in order."""
        found = []
        for document in self.sitemaps.all:
            if document.kind in ("urlset", "text"):
                for entry in document.entries:
                    file = self.file_of(entry.loc)
                    found.append(Listed(entry, document, file, self.pages.get(file) if file else None))
        return found

    @cached_property
    def signed(self) -> bool:
        """Tell whether docs-sitemap wrote the sitemaps, so that anything missing was left out on purpose."""
        checked = [document for document in self.sitemaps.all if document.kind in ("urlset", "index")]
        if checked:
            return all(document.signed for document in checked)
        # text sitemaps have no signature, so look at the line in robots.txt
        return self.robots is not None and bool(named_by_us(self.robots.data))

    @cached_property
    def listed_files(self) -> set[str]:
        """The files that the sitemaps list, including unreferenced sitemaps in subfolders."""
        found = {listed.file for listed in self.listed if listed.file}
        for document in self.sitemaps.unreferenced:
            found |= {file for entry in document.entries if (file := self.file_of(entry.loc))}
        return found

    @cached_property
    def linked_files(self) -> set[str]:
        """The pages that other pages link to."""
        return {file for path in self.links if (file := self.tree.file_at(path))}

    @property
    def is_read(self) -> bool:
        """Tell whether all sitemaps were read to their end."""
        return bool(self.listed) and all(
            document.whole and all(problem.rule != "F2" for problem in document.problems)
            for document in self.sitemaps.all
        )

    def url_of(self, name: str) -> str:
        """Return the URL of a page, given its file."""
        return (self.listed_base or self.base) + address.escape(url_path(name))
