"""Check a site as it is served: its robots.txt, its sitemaps, and the URLs that they list.

Sends requests only to the site's own host, slowly, and only what its robots.txt allows. Follows no redirect
of a page.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from docs_sitemap import urls
from docs_sitemap.check.built_site import Question, check_site, read_site
from docs_sitemap.check.client import AGENTS, Client, Pace, RefusedError
from docs_sitemap.check.findings import Finding, Result, Rule, findings_of, in_order
from docs_sitemap.check.page_facts import Progress
from docs_sitemap.check.served import NAME as ROBOTS
from docs_sitemap.check.served import RobotsText, Served, Visit
from docs_sitemap.limits import MAX_BYTES, MAX_HEAD, MAX_LOC, MAX_READ_SECONDS, MAX_ROBOTS, MAX_SITEMAPS
from docs_sitemap.published import Tree
from docs_sitemap.sitemaps import Document, gunzip, read_document

__all__ = ["LiveQuestion", "Pace", "check_live"]

_MAX_REDIRECTS: Final = 5
"""Redirects of a robots.txt that are followed, on the same host (RFC 9309, 2.3.1.2)."""

_ON_FILES: Final = (
    *("F1", "F2", "F3", "F4", "F5", "F6", "U1", "U2", "U3", "U8"),
    *("L1", "L2", "L3", "L5", "L6", "L7", "R3", "R4", "R5", "R6"),
)
"""The rules of ``check`` for files that also hold for files as they are served."""

_NOT_BUILT: Final = "is not in the build"
"""What F6 says of a part that was not read."""

_ON_ROBOTS: Final = ("R3", "R4", "R5", "R6")
"""Those of them that need no sitemap."""

_NAMES: Final = ("sitemap.xml", "sitemap_index.xml")
"""Where a sitemap is looked for if robots.txt names none below the base URL."""

_IN_MARKDOWN: Final = re.compile(r"\]\(([^\s()]+\.md)\)")
"""A link in Markdown to a file in Markdown."""

_MAX_ALL_BYTES: Final = 4 * MAX_BYTES
"""Bytes of all sitemaps, unpacked, that are read of a server."""

Show = Callable[[str], AbstractContextManager[Progress]]
"""Called with what is done, such as "Reading sitemaps"; is entered before, and left after it."""


@contextmanager
def _show_nothing(_: str) -> Iterator[Progress]:
    yield lambda done, of: None


@dataclass(frozen=True, slots=True)
class LiveQuestion(Question):
    """What to check at ``base_url``, and to compare with the built site in ``root``, if there is one.

    ``sitemaps`` are below the base URL, too. ``sample`` is how many listed URLs to ask for, if not all.
    ``agent`` is googlebot, bingbot or a User-Agent, to ask as a crawler. ``headers`` go to the server of
    ``base_url`` only: they may have a password.
    """

    sample: int | None = None
    agent: str = ""
    pace: Pace = field(default_factory=Pace)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def check_live(
    question: LiveQuestion, rules: list[Rule], show: Show = _show_nothing
) -> tuple[Result, Served]:
    """Check a served site by those rules that need a server, and by those for files.

    Raises ``OlderSitemapError`` before anything is asked. Ctrl-C ends it with the findings so far. ``show``
    gets the number of sitemaps read, with those known by then, and then of pages, with those to ask for.
    """
    online = [rule for rule in rules if rule.reads == "web"]
    site = Served(question.base_url, Visit(urljoin(question.base_url, "/" + ROBOTS)))
    if question.root:
        built = read_site(question, [], lambda *_: None)
        site.built = {it.loc: it.entry.lastmod for it in built.listed} if built.sitemaps.all else None
        site.built_robots = built.robots.data if built.robots else None
    # before the loop: reading certificates would hold it up
    client = Client(question.base_url, question.pace, question.agent, question.headers)
    more = {"W11": _find_copy} if question.agent else {"W11": _find_copy, "W10": _compare}
    last = [more[rule_id] for rule_id in more if any(rule.id == rule_id for rule in online)]
    asyncio.run(_ask(site, question, client, show, last))
    findings = [*findings_of(site, online), *_on_files(site, question, rules)]
    return Result(in_order(findings), rules, urls=len(site.listed), asked=len(site.visits)), site


async def _ask(
    site: Served,
    question: LiveQuestion,
    client: Client,
    show: Show,
    last: Iterable[Callable[[Served, Client], Awaitable[None]]],
) -> None:
    try:
        async with client.http:
            await _read_robots(site, client)
            if not site.robots.status or site.robots.status >= 500:
                return  # then crawlers fetch nothing (RFC 9309, 2.3.1.4)
            with show("Reading sitemaps") as progress:
                try:
                    async with asyncio.timeout(MAX_READ_SECONDS):
                        await _read_sitemaps(_Reader(site, client, progress), question.sitemaps)
                except TimeoutError:
                    site.has_unread_sitemaps = True
                    site.stop(
                        f"sitemaps were read for {MAX_READ_SECONDS:,.0f} seconds, {len(site.sitemaps):,} of "
                        "them, and only their pages are checked: use a higher --rate if the server is fast, "
                        "or name some of them with --sitemap"
                    )
            site.has_sitemaps = True
            with show("Asking for pages") as progress:
                await _visit_pages(site, question, client, progress)
            for ask in last if site.is_complete else ():
                with suppress(RefusedError):  # it is asked to wait: its answers until then count
                    await ask(site, client)
    except asyncio.CancelledError:  # Ctrl-C
        site.is_complete = False
    except RefusedError as problem:
        site.stop(str(problem))


async def _read_robots(site: Served, client: Client) -> None:
    """Read the host's robots.txt, through redirects on the host."""
    url = site.robots.url
    for _ in range(_MAX_REDIRECTS):
        site.robots = await client.read(url, MAX_ROBOTS)
        if not site.robots.target or not _same_host(site.robots.target, url):
            break
        url = site.robots.target
    if site.robots.status == 200:
        # some send it so unasked
        site.robots_text = RobotsText(gunzip(site.robots.body, MAX_ROBOTS) or b"")


def _same_host(one: str, other: str) -> bool:
    try:
        return urlsplit(one).netloc == urlsplit(other).netloc
    except ValueError:
        return False


class _Reader:
    """Reads sitemaps, and the parts of indexes, each once, up to a size of all together."""

    def __init__(self, site: Served, client: Client, progress: Progress) -> None:
        self.site = site
        self._client = client
        self._progress = progress
        self._bytes_left = _MAX_ALL_BYTES

    async def read(self, url: str) -> None:
        """Read a sitemap and its parts."""
        todo = [url]
        for number, place in enumerate(todo, 1):  # the parts of an index are added
            if place in self.site.sitemaps or len(self.site.sitemaps) > MAX_SITEMAPS or self._bytes_left <= 0:
                continue
            document = await self._read_one(place)
            if document and document.kind == "index" and place == url:
                todo += [entry.loc for entry in document.entries if _is_own(entry.loc, self.site.base)]
            read = len(self.site.sitemaps)
            self._progress(read, read + len(todo) - number)

    async def _read_one(self, place: str) -> Document | None:
        answer = await self._client.read(place, MAX_BYTES)
        document = read_document(_name(place), answer.body) if answer.status == 200 else None
        self._bytes_left -= len(gunzip(answer.body) or answer.body)
        self.site.sitemaps[place] = answer, document
        if document and document.kind in ("urlset", "text"):
            for entry in document.entries:
                if _is_own(entry.loc, self.site.base):
                    self.site.listed.setdefault(entry.loc, entry.lastmod)
        return document


async def _read_sitemaps(reader: _Reader, asked: Iterable[str]) -> None:
    """Read the sitemaps that robots.txt names below the base URL; else a usual one; else all it names.

    ``asked`` are names below the base URL, which replace the search.
    """
    site = reader.site
    for name in asked:
        await reader.read(urljoin(site.base, urls.escape_name(name)))
    if site.sitemaps:
        return
    own = [
        url for url in dict.fromkeys(site.sitemap_urls) if len(url) <= MAX_LOC and _same_host(url, site.base)
    ]
    below = [url for url in own if url.startswith(site.base)]
    for url in below or [site.base + name for name in _NAMES]:
        await reader.read(url)
        if not below and url in site.sitemaps and site.sitemaps[url][0].status == 200:
            break
    if own and not below and not any(document for _, document in site.sitemaps.values()):
        site.sitemaps.clear()  # those were a guess
        for url in own:
            await reader.read(url)


def _name(url: str) -> str:
    """Return the path of a URL's file from the root of the host, with its query."""
    parts = urlsplit(url)
    return unquote(parts.path).lstrip("/") + (f"?{parts.query}" if parts.query else "")


def _is_own(url: str, base: str) -> bool:
    is_absolute = url.lower().startswith(("http://", "https://"))
    return len(url) <= MAX_LOC and is_absolute and url.isascii() and _same_host(url, base)


async def _visit_pages(site: Served, question: LiveQuestion, client: Client, progress: Progress) -> None:
    """Ask for the listed URLs that robots.txt allows, some at once."""
    wanted = sample(site.listed, question.sample)
    robots = site.robots_text
    allowed = [url for url in wanted if robots is None or robots.allows(url, client.agent)]
    site.wanted = len(allowed)
    site.forbidden = len(wanted) - len(allowed)
    todo = iter(allowed)

    async def work() -> None:
        for url in todo:
            try:
                visit = await client.visit(url)
            except RefusedError as problem:
                site.stop(str(problem))
                return
            site.visits.append(visit)
            progress(len(site.visits), len(allowed))

    async with asyncio.TaskGroup() as group:
        for _ in range(question.pace.connections):
            group.create_task(work())


def _allows(site: Served, url: str, client: Client) -> bool:
    """Tell whether robots.txt lets both us and Googlebot fetch a URL."""
    robots = site.robots_text or RobotsText(b"")
    return robots.allows(url, client.agent) and robots.allows(url, AGENTS["googlebot"])


async def _find_copy(site: Served, client: Client) -> None:
    """Ask for the first page in Markdown that llms.txt names (llmstxt.org), if there is one."""
    url = urljoin(site.base, "llms.txt")
    if not _allows(site, url, client):
        return
    answer = await client.read(url, MAX_HEAD)
    text = answer.body.decode("utf-8", "replace") if answer.status == 200 else ""
    links = (urljoin(url, link) for link in _IN_MARKDOWN.findall(text))
    copy = next((link for link in links if _is_own(link, site.base) and _allows(site, link, client)), "")
    if copy:
        site.copy_in_markdown = await client.visit(copy)


async def _compare(site: Served, client: Client) -> None:
    """Ask for three files as Googlebot, too, if robots.txt allows it; last: a firewall may then block us."""
    sitemaps = [visit for visit, _ in site.sitemaps.values()][:1]
    ours = [site.robots, *(visit for visit in sitemaps if _allows(site, visit.url, client))]
    if _allows(site, site.base, client):
        ours.append(await client.read(site.base, MAX_HEAD))
    client.http.headers["User-Agent"] = AGENTS["googlebot"]
    for visit in ours:
        site.as_googlebot.append((visit, await client.read(visit.url, MAX_HEAD)))


def sample(urls: Iterable[str], number: int | None) -> list[str]:
    """Return some of the URLs in their order: the same ones in each run, also if others are added.

    >>> sample(["https://example.org/a", "https://example.org/b"], 1)
    ['https://example.org/b']
    """
    found = list(urls)
    if number is None or number >= len(found):
        return found
    keys = {url: hashlib.sha256(url.encode("utf-8", "surrogateescape")).digest() for url in found}
    last = sorted(keys.values())[:number][-1] if number else b""
    return [url for url in found if keys[url] <= last]


class _AnswerTree(Tree):
    """Files by their paths from the root of the host; pages are not among them."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(Path("/nonexistent"))
        self.files.update(files)
        self._content = files

    def read(self, name: str, limit: int) -> bytes | None:
        """Return the first ``limit`` bytes of a file."""
        data = self._content.get(name)
        return None if data is None else data[:limit]

    def real(self, name: str) -> str:
        """Return the name: there are no links."""
        return name

    def modified(self, name: str) -> float | None:
        """Return ``None``: the time of a file is not known."""
        return None


def _on_files(site: Served, question: LiveQuestion, rules: Iterable[Rule]) -> list[Finding]:
    """Run the rules for files on what was served. The files of what they find are URLs."""
    has_sitemap = any(document for _, document in site.sitemaps.values())
    chosen = [rule for rule in rules if rule.id in (_ON_FILES if has_sitemap else _ON_ROBOTS)]
    if not site.has_sitemaps:
        return []
    wrong = {_name(url) for url, (_, found) in site.sitemaps.items() if found and not found.kind}
    files = {_name(url): answer.body for url, (answer, document) in site.sitemaps.items() if document}
    sitemaps = tuple(files)
    if site.robots_text:
        files[ROBOTS] = site.robots_text.data
    root = urljoin(site.base, "/")
    asked = replace(question, root=None, base_url=root, sitemaps=sitemaps)
    found = check_site(asked, chosen, tree=_AnswerTree(files)).findings
    # W0 reports what is no sitemap, W1 to W4 a part without an answer, and U1 one on another host
    kept = (it for it in found if it.file not in wrong and _NOT_BUILT not in it.message)
    return [replace(it, file=it.file and root + urls.escape_name(it.file)) for it in kept]
