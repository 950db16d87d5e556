"""All that the rules may ask about one built site; read once, never changed by a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from docs_sitemap.check import address
from docs_sitemap.check.discovery import Sitemaps
from docs_sitemap.check.document import Document, Entry
from docs_sitemap.check.head import Facts
from docs_sitemap.check.older import Dates
from docs_sitemap.check.robotstxt import RobotsText
from docs_sitemap.check.tree import Tree, url_path
from docs_sitemap.files import named_by_us


@dataclass(frozen=True, slots=True)
class Listed:
    """A URL of a sitemap: ``file`` is where it leads to in the site's folder, ``facts`` what that says."""

    entry: Entry
    document: Document
    file: str | None
    facts: Facts | None

    @property
    def loc(self) -> str:
        """The URL as it is written."""
        return self.entry.loc


@dataclass(frozen=True)
class Site:
    """A built site.

    ``base`` is the address that it is to be served under, ending in ``/``, or empty where nobody knows;
    ``listed_base`` is the one that its sitemaps' URLs have, which should be the same. ``shallow`` is true
    where it was built in a shallow clone; ``None`` where it lies in no repository. ``previous`` has the
    dates of an older sitemap by URL, ``asked`` the ids of rules that were chosen by name.
    """

    tree: Tree
    base: str
    listed_base: str
    sitemaps: Sitemaps
    robots: RobotsText | None
    now: float
    shallow: bool | None = None
    previous: Dates = field(default_factory=dict)
    pages: dict[str, Facts] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()

    def file_of(self, url: str) -> str | None:
        """Return the file that an address leads to, or ``None`` where it leads to none of this site."""
        rest = self.below(url)
        return None if rest is None else self.tree.file_at(rest)

    def below(self, url: str) -> str | None:
        """Return an address' path below that of the site, whatever its host; ``None`` for one outside."""
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
        """Tell whether the site is served from the root of its host, as far as anyone knows."""
        return urlsplit(self.base).path in ("", "/")

    @cached_property
    def listed(self) -> list[Listed]:
        """The URLs of all sitemaps but feeds, in their order."""
        found = []
        for document in self.sitemaps.all:
            if document.kind in ("urlset", "text"):
                for entry in document.entries:
                    file = self.file_of(entry.loc)
                    found.append(Listed(entry, document, file, self.pages.get(file) if file else None))
        return found

    @cached_property
    def signed(self) -> bool:
        """Tell whether docs-sitemap wrote the sitemaps, so that what they lack is left out for a reason."""
        judged = [document for document in self.sitemaps.all if document.kind in ("urlset", "index")]
        if judged:
            return all(document.signed for document in judged)
        # text sitemaps can have no signature: then it is the line in robots.txt that tells
        return self.robots is not None and bool(named_by_us(self.robots.data))

    @cached_property
    def listed_files(self) -> set[str]:
        """The files that the sitemaps list, those of folders with a sitemap of their own too."""
        found = {listed.file for listed in self.listed if listed.file}
        for document in self.sitemaps.asides:
            found |= {file for entry in document.entries if (file := self.file_of(entry.loc))}
        return found

    @cached_property
    def linked_files(self) -> set[str]:
        """The pages that another page has a link to."""
        return {file for path in self.links if (file := self.tree.file_at(path))}

    @property
    def is_read(self) -> bool:
        """Tell whether all that the sitemaps list is known."""
        return bool(self.listed) and all(
            document.whole and all(problem.rule != "F2" for problem in document.problems)
            for document in self.sitemaps.all
        )

    def pages_with_facts(self) -> Iterator[tuple[str, Facts]]:
        """Yield the names of the pages, sorted, with what they say."""
        for name in self.tree.pages:
            if name in self.pages:
                yield name, self.pages[name]

    def url_of(self, name: str) -> str:
        """Return the address of a page by its file."""
        return (self.listed_base or self.base) + address.escape(url_path(name))
