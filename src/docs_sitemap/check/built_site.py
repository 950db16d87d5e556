"""Read what the rules need of a built site, once; no rule changes it."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from docs_sitemap import changes
from docs_sitemap.changes import Dates
from docs_sitemap.check import sites
from docs_sitemap.check.findings import Found, Level, Result, Rule, findings_of, in_order, offline
from docs_sitemap.check.page_facts import Facts, Progress, Task, read_pages
from docs_sitemap.check.served import NAME as ROBOTS
from docs_sitemap.check.served import RobotsText
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.files import named_by_us
from docs_sitemap.git import find_repository
from docs_sitemap.limits import MAX_BYTES, MAX_PATH, MAX_ROBOTS
from docs_sitemap.pages.hosting import NO_HOSTING, SERVICES, Hosting, Serving, service_at
from docs_sitemap.published import Tree, address, base_of, best_base, home_address, likely_base, url_path
from docs_sitemap.published.finder import Finder, Sitemaps
from docs_sitemap.readers.files import Resolver, read_named, read_start
from docs_sitemap.sitemaps import Document, Entry, read_document
from docs_sitemap.text import shorten
from docs_sitemap.versions.policy import ALIAS, CURRENT


@dataclass(frozen=True, slots=True)
class Question:
    """What to check. ``base_url`` ends in ``/``; if it is empty, it is read from the site in ``root``.

    ``sitemaps`` are names of files in the folder, which replace the search for sitemaps; ``asked`` are the
    ids of rules that were chosen by name; ``hosting`` is the hosting service.
    """

    root: Path | None = None
    base_url: str = ""
    sitemaps: tuple[str, ...] = ()
    previous: Path | None = None
    asked: frozenset[str] = frozenset()
    hosting: Hosting = NO_HOSTING


class Listed(NamedTuple):
    """A URL in a sitemap, as written.

    ``origin`` is empty if it is not an absolute http(s) URL. ``is_below`` tells whether it is below the
    site's base URL, on any host; ``file`` is its file in the site's folder, if there is one, and ``facts``
    are what that declares.
    """

    loc: str
    entry: Entry
    document: Document
    origin: str
    is_below: bool
    file: str | None
    facts: Facts | None

    @property
    def lastmod(self) -> str:
        """The date, or an empty string."""
        return self.entry.lastmod or ""

    def in_sitemap(
        self, message: str, level: Level | None = None, *, cause: Hashable = None, fix: str = ""
    ) -> Found:
        """Return a finding about the URL, at its line in the sitemap."""
        return Found(message, self.loc, self.document.name, level, self.entry.line, cause, fix)

    def on_page(self, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
        """Return a finding about the URL, on its page."""
        return Found(message, self.loc, self.file, level, cause=cause)


@dataclass(frozen=True)
class Site:
    """A built site.

    ``base`` is its base URL, ending in ``/``, or empty if it is unknown; ``listed_base`` is the base URL of
    the URLs in its sitemaps, which should be the same. ``shallow`` is true if it was built in a shallow
    clone, ``None`` if it is not in a repository. ``previous`` has the dates of an older sitemap by URL,
    ``asked`` the ids of rules that were chosen by name. ``pages`` has the facts of pages, sorted by name, and
    ``linked_files`` the files that other pages link to. ``hosting`` is the hosting service.
    """

    tree: Tree
    base: str
    listed_base: str
    sitemaps: Sitemaps
    robots: RobotsText | None
    now: float
    shallow: bool | None
    previous: Dates
    pages: Mapping[str, Facts]
    linked_files: set[str]
    asked: frozenset[str]
    hosting: Hosting

    @cached_property
    def _bases(self) -> list[address.Address]:
        return [found for base in (self.listed_base, self.base) if (found := address.split(base))]

    def _place(self, url: str) -> tuple[str, str | None]:
        """Return a URL's origin, or an empty string, and its path as ``below`` does."""
        parts = address.split(url)
        if not parts:
            return "", None
        for base in sorted(self._bases, key=lambda base: base.origin != parts.origin):
            if parts.path.startswith(base.path):
                return parts.origin, parts.path.removeprefix(base.path)
        return parts.origin, None

    def below(self, url: str) -> str | None:
        """Return a URL's path relative to the site's, on any host; ``None`` if it is outside."""
        return self._place(url)[1]

    def file_of(self, url: str) -> str | None:
        """Return the file of a URL, or ``None`` if the site has none for it."""
        path = self.below(url)
        return None if path is None else self.tree.file_at(path)

    def may_be_elsewhere(self, url: str) -> bool:
        """Tell whether what is at a URL may come from another build: this one has nothing in its folder."""
        folder, slash, _ = (self.below(url) or "").partition("/")
        return bool(slash) and not any(name.startswith(f"{folder}/") for name in self.tree.files)

    def url_of(self, name: str) -> str:
        """Return the URL of a page, given its file."""
        return (self.listed_base or self.base) + address.escape(url_path(name))

    def canonical_of(self, name: str) -> str:
        """Return the canonical URL of a page, given its file; empty if it has no canonical link."""
        canonical = self.pages[name].canonical
        return address.join(self.url_of(name), canonical) if canonical else ""

    @cached_property
    def origin(self) -> str:
        """The site's origin, empty if it is unknown."""
        found = address.split(self.base)
        return found.origin if found else ""

    def is_own(self, url: str) -> bool:
        """Tell whether a URL is on the site's own host, with http or https, as far as that is known."""
        parts = address.split(url)
        host = self.origin.partition("://")[2]
        return not host or (parts is not None and parts.origin.partition("://")[2] == host)

    @property
    def at_root(self) -> bool:
        """Tell whether the site is served from the root of its host, as far as is known."""
        return urlsplit(self.base).path in ("", "/")

    @cached_property
    def hidden_from(self) -> str:
        """The crawler that is kept out of a whole version, by a robots.txt for all versions; or empty."""
        is_for_all = self.hosting.own_robots and not self.at_root
        return (self.robots.blocked_agent(self.base) or "") if self.robots and is_for_all else ""

    @cached_property
    def listed(self) -> list[Listed]:
        """The URLs of all sitemaps except feeds, in order."""
        found = []
        for document in self.sitemaps.all:
            for entry in document.entries if document.kind in ("urlset", "text") else ():
                origin, path = self._place(entry.loc)
                file = None if path is None else self.tree.file_at(path)
                facts = self.pages.get(file) if file else None
                found.append(Listed(entry.loc, entry, document, origin, path is not None, file, facts))
        return found

    @cached_property
    def listed_files(self) -> set[str]:
        """The files that the sitemaps list, including unreferenced sitemaps in subfolders."""
        apart = (entry.loc for document in self.sitemaps.unreferenced for entry in document.entries)
        return {file for file in (*(it.file for it in self.listed), *map(self.file_of, apart)) if file}

    @cached_property
    def own_pages(self) -> dict[str, Facts]:
        """The pages for readers, noindex or not, except those of old versions, previews and other sites."""
        apart = {document.name.rpartition("/")[0] for document in self.sitemaps.unreferenced} - {""}
        apart.update(self.unlisted_versions, (folder[:-1] for folder in self.previews))
        apart.update(version.real for group in self.versions.groups for version in group.others)

        def is_own(name: str) -> bool:
            folders = name.split("/")[:-1]
            is_hidden = any(folder.startswith(("_", ".")) for folder in folders)
            return not (is_hidden or any(it in apart for it in accumulate(folders, "{}/{}".format)))

        return {name: facts for name, facts in self.pages.items() if facts.is_for_readers and is_own(name)}

    @cached_property
    def only_canonical(self) -> str:
        """The URL that is the canonical link of all pages, three or more; otherwise empty."""
        found = [self.canonical_of(name) for name, facts in self.own_pages.items() if facts.is_indexable]
        return found[0] if len(found) > 2 and len(set(found)) == 1 else ""

    @cached_property
    def missing_canonicals(self) -> dict[str, str]:
        """The canonical links to URLs of this site that the build does not have, by the file of the page."""
        found = {name: self.canonical_of(name) for name, facts in self.own_pages.items() if facts.canonical}
        return {
            name: url
            for name, url in found.items()
            if self.is_own(url)
            and self.below(url) is not None
            and not (self.file_of(url) or self.may_be_elsewhere(url))
        }

    @cached_property
    def serving(self) -> Serving | None:
        """How the hosting service answers, if it is known: by its name, or by that of the site's host."""
        return SERVICES.get(self.hosting.served_by or service_at(self.base))

    @cached_property
    def unlisted_versions(self) -> list[str]:
        """The folders of current versions of which no sitemap lists a page, though there are sitemaps."""
        found = []
        for group in self.versions.groups if self.is_read else ():
            folders = tuple(f"{each.real}/" for each in group.versions if each.role in (CURRENT, ALIAS))
            is_listed = any(file.startswith(folders) for file in self.listed_files)
            if not is_listed and not sites.is_apart(self, folders[0]):
                found.append(group.current.real)
        return found

    @cached_property
    def signed(self) -> bool:
        """Tell whether docs-sitemap wrote the sitemaps, so that anything missing was left out on purpose."""
        checked = [document for document in self.sitemaps.named if document.kind in ("urlset", "index")]
        if checked:
            return all(document.signed for document in checked)
        # text sitemaps have no signature, so look at the line in robots.txt
        return self.robots is not None and bool(named_by_us(self.robots.data))

    @cached_property
    def versions(self) -> sites.Versions:
        """The versions that are side by side in the folder."""
        return sites.Versions(self)

    @cached_property
    def foreign(self) -> dict[str, list[tuple[str, str]]]:
        """The pages whose canonical links name another language, with those, by folder."""
        return sites.foreign_pages(self)

    @cached_property
    def previews(self) -> dict[str, list[str]]:
        """The pages of previews that the site around them has too, by folder."""
        return sites.preview_pages(self)

    @cached_property
    def named_paths(self) -> dict[str, str]:
        """The paths at which robots.txt or an index names sitemaps: an alias may link to its folder."""
        locs = self.robots.sitemap_urls if self.robots else []
        locs += [child.entry.loc for child in self.sitemaps.children]
        found: dict[str, str] = {}
        for loc in locs:
            name, parts = self.file_of(loc), address.split(loc)
            if name and parts:
                found.setdefault(name, parts.path)
        return found

    def scope_of(self, document: Document) -> str:
        """Return the URL of the folder that a sitemap is for."""
        path = self.named_paths.get(document.name, urlsplit(self.base).path + address.escape(document.name))
        return f"{self.origin}{path.rpartition('/')[0]}/"

    def outside(self, document: Document) -> list[str]:
        """Return the URLs of a sitemap below the root that are on the site's host, but outside its folder."""
        is_below = self.origin and document.folder and document.kind != "index"
        scope, own = self.scope_of(document), f"{self.origin}/"
        locs = [entry.loc for entry in document.entries] if is_below else []
        return [loc for loc in locs if loc.startswith(own) and not loc.startswith(scope)]

    def leads_out(self, name: str, folder: str) -> bool:
        """Tell whether the canonical link of a page leads out of a folder, which ends in ``/``."""
        canonical = self.canonical_of(name)
        if not canonical or not self.is_own(canonical):
            return bool(canonical)
        return not (self.file_of(canonical) or self.below(canonical) or "").startswith(folder)

    @property
    def is_read(self) -> bool:
        """Tell whether all sitemaps were read to their end."""
        return bool(self.listed) and all(
            document.whole and all(problem.rule != "F2" for problem in document.problems)
            for document in self.sitemaps.all
        )


def check_site(
    question: Question,
    rules: list[Rule],
    progress: Progress = lambda done, of: None,
    tree: Tree | None = None,
) -> Result:
    """Check a built site by the rules that need no server; ``progress`` is called as pages are read.

    ``tree`` replaces the folder. Raises ``OlderSitemapError``.
    """
    rules = offline(rules)
    site = read_site(question, rules, progress, tree)
    return Result(in_order(findings_of(site, rules)), rules, len(site.tree.pages), len(site.listed))


def read_site(
    question: Question, rules: Iterable[Rule], progress: Progress, tree: Tree | None = None
) -> Site:
    """Read what the rules need of a site; ``tree`` replaces its folder. Raises ``OlderSitemapError``."""
    previous = read_older(question.previous).dates if question.previous else {}
    reads = {rule.reads for rule in rules}
    tree = tree or Tree(question.root or Path())
    data = tree.read(ROBOTS, MAX_ROBOTS + 1) if ROBOTS in tree.files else None
    robots = None if data is None else RobotsText(data)
    home = home_address(tree)
    named = robots.sitemap_urls if robots else []
    sitemaps = Finder(tree, question.base_url or home).find(question.sitemaps, named)
    base, listed_base = _bases(tree, sitemaps, question.base_url, home)
    if not base:
        base, _ = best_base(tree, named)
    entries = (entry for document in sitemaps.all for entry in document.entries)
    task = Task(
        tree,
        bases=tuple(dict.fromkeys(filter(None, (base, listed_base, home)))),
        with_links="links" in reads,
        languages=frozenset(code.lower() for entry in entries for code, _ in entry.alternates),
        serving=SERVICES.get(question.hosting.served_by or service_at(base)),
    )
    names = tree.pages if reads & {"pages", "links"} or sitemaps.unnamed else []
    pages, linked_files = read_pages(names, task, progress)
    site = Site(
        tree=tree,
        base=base,
        listed_base=listed_base,
        sitemaps=sitemaps,
        robots=robots,
        now=time.time(),
        shallow=_is_shallow(tree),
        previous=previous,
        asked=question.asked,
        hosting=question.hosting,
        pages=pages,
        linked_files=linked_files,
    )
    sitemaps.set_apart(lambda document: sites.is_apart(site, document.folder) or bool(site.outside(document)))
    return site


def _bases(tree: Tree, sitemaps: Sitemaps, given: str, home: str) -> tuple[str, str]:
    """Return the site's base URL, and the base URL of the URLs in its sitemaps.

    The home page's canonical link takes precedence, unless it names another version.
    """
    urlsets = [document for document in sitemaps.named if document.kind != "index"]
    locs = [entry.loc for document in urlsets for entry in document.entries]
    listed = likely_base(tree, locs, given or home)
    if given:
        return given, listed or given
    split = map(address.split, locs)
    base = base_of(home, listed) or next((f"{found.origin}/" for found in split if found), "")
    return base, listed or base


def _is_shallow(tree: Tree) -> bool | None:
    """Tell whether the site was built in a shallow clone, if its folder is in a repository that can be read.

    A repository whose root is the site's folder contains the built site, not its sources.
    """
    repository = find_repository(tree.root)
    if repository is None or repository.fault or repository.root == tree.root:
        return None
    return bool(repository.shallow)


class OlderSitemapError(DocsSitemapError):
    """The older sitemap cannot be read or is not a sitemap."""


class Older(NamedTuple):
    """What an older sitemap lists.

    ``parts`` are the files of its parts if it is an index, as paths without links.
    """

    dates: Dates
    parts: frozenset[Path] = frozenset()


def read_older(file: Path) -> Older:
    """Return what a sitemap lists; for an index, what its parts in the same folder list.

    Also what a file of ``submit --remember`` or ``--log`` has. If a URL is listed twice, the first date
    counts. Raises ``OlderSitemapError``.
    """
    dates: dict[str, str | None] = {}
    parts = set[Path]()
    try:
        data = read_named(file, MAX_BYTES)
        if changes.is_json(data):
            return Older(changes.parse(data))
        for part, document in _documents(file, data):
            parts |= {part} if part else set()
            for entry in document.entries if part or document.kind != "index" else ():
                dates.setdefault(entry.loc, entry.lastmod or None)
    except OSError as problem:
        raise OlderSitemapError(f"{problem.filename or file}: cannot be read: {problem.strerror}.") from None
    except ValueError as problem:
        raise OlderSitemapError(f"{shorten(str(file), MAX_PATH)}: {problem}.") from None
    return Older(dates, frozenset(parts))


def _documents(file: Path, data: bytes) -> Iterator[tuple[Path | None, Document]]:
    """Yield a sitemap, and if it is an index, its parts with their paths."""
    document = _parse(file, data)
    yield None, document
    if document.kind != "index":
        return
    # a link that leads out of the folder could have a secret published
    find = Resolver(file.parent).file
    parts = filter(None, (find(entry.loc.rpartition("/")[2]) for entry in document.entries))
    # read each file once: an index may name it, or links to it, 50,000 times
    for part in dict.fromkeys(parts):
        yield Path(part), _parse(Path(part), read_start(part, MAX_BYTES + 1))


def _parse(file: Path, data: bytes) -> Document:
    document = read_document(file.name, data)
    if not document.kind or not document.whole:
        problems = [problem.message for problem in document.problems]
        why = f": {shorten(problems[0], 500)}" if problems else ""
        raise OlderSitemapError(f"{shorten(str(file), MAX_PATH)}: not a valid sitemap{why}.")
    return document
