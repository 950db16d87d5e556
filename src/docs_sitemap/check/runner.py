"""Check a folder: read what the chosen rules need, then run each rule."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from docs_sitemap import changes
from docs_sitemap.changes import Dates
from docs_sitemap.check import address
from docs_sitemap.check.discovery import Finder, Sitemaps, Tree, best_base, home_address, likely_base
from docs_sitemap.check.findings import LEVELS, Finding, Rule, offline
from docs_sitemap.check.pages import Progress, Task, read_pages
from docs_sitemap.check.served import NAME as ROBOTS
from docs_sitemap.check.served import RobotsText
from docs_sitemap.check.site import Site
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.git import find_repository
from docs_sitemap.limits import MAX_BYTES, MAX_PATH, MAX_ROBOTS
from docs_sitemap.pages import NO_HOSTING, Hosting
from docs_sitemap.readers import Resolver, read_named, read_start
from docs_sitemap.sitemaps import Document, read_document
from docs_sitemap.text import shorten


@dataclass(frozen=True, slots=True)
class Question:
    """What to check. ``base_url`` ends in ``/``; if it is empty, it is read from the site.

    ``sitemaps`` are names of files in the folder, which replace the search for sitemaps; ``asked`` are the
    ids of rules that were chosen by name; ``hosting`` is the hosting service.
    """

    root: Path
    base_url: str = ""
    sitemaps: tuple[str, ...] = ()
    previous: Path | None = None
    asked: frozenset[str] = frozenset()
    jobs: int = 1
    hosting: Hosting = NO_HOSTING


@dataclass(slots=True)
class Result:
    """The findings, sorted by level, id and place, and the number of HTML files and of listed URLs.

    ``asked`` is the number of URLs that a server was asked for, instead of that of files.
    """

    findings: list[Finding]
    rules: list[Rule]
    pages: int = 0
    urls: int = 0
    asked: int | None = None


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
    findings = in_order(findings_of(site, rules))
    return Result(findings, rules, len(site.tree.pages), len(site.listed))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings sorted by level, id and place."""
    return sorted(
        findings, key=lambda it: (LEVELS.index(it.level), it.id, it.url or "", it.file or "", it.message)
    )


def findings_of(site: object, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield what the rules find."""
    for rule in rules:
        yield from rule.findings(site)


def read_site(
    question: Question, rules: Iterable[Rule], progress: Progress, tree: Tree | None = None
) -> Site:
    """Read what the rules need of a site; ``tree`` replaces its folder. Raises ``OlderSitemapError``."""
    previous = read_older(question.previous).dates if question.previous else {}
    reads = {rule.reads for rule in rules}
    tree = tree or Tree(question.root)
    data = tree.read(ROBOTS, MAX_ROBOTS + 1) if ROBOTS in tree.files else None
    robots = None if data is None else RobotsText(data)
    home = home_address(tree)
    sitemaps = Finder(tree, question.base_url or home).find(question.sitemaps, robots)
    base, listed_base = _bases(tree, sitemaps, question.base_url, home)
    if not base and robots:
        base, _ = best_base(tree, (record.value for record in robots.sitemaps))
    bases = tuple(dict.fromkeys(filter(None, (base, listed_base, home))))
    entries = (entry for document in sitemaps.all for entry in document.entries)
    languages = frozenset(code.lower() for entry in entries for code, _ in entry.alternates)
    task = Task(tree, bases, with_links="links" in reads, languages=languages)
    names = tree.pages if reads & {"pages", "links"} else []
    pages, linked_files = read_pages(names, task, question.jobs, progress)
    return Site(
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


def _bases(tree: Tree, sitemaps: Sitemaps, given: str, home: str) -> tuple[str, str]:
    """Return the site's base URL, and the base URL of the URLs in its sitemaps.

    The home page's canonical link takes precedence, unless it names another version.
    """
    locs = [entry.loc for document in sitemaps.all if document.kind != "index" for entry in document.entries]
    listed = likely_base(tree, locs, given or home)
    if given:
        return given, listed or given
    if home and listed and home != listed and address.other_version(home, listed):
        return listed, listed
    split = map(address.split, locs)
    base = home or listed or next((f"{found.origin}/" for found in split if found), "")
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
    try:
        data = read_named(file, MAX_BYTES)
        if changes.is_json(data):
            return Older(changes.parse(data))
        dates: dict[str, str | None] = {}
        parts = set[Path]()
        for part, document in _documents(file, data):
            parts |= {part} if part else set()
            if document.kind == "index" and not part:
                continue
            for entry in document.entries:
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
