"""The IndexNow client: keys, waiting for the new site, URLs by host, one POST request per batch.

https://www.indexnow.org/documentation
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from docs_sitemap import urls
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_BATCH, MAX_ROBOTS, MAX_TEXT
from docs_sitemap.options import validation
from docs_sitemap.options.validation import INDEXNOW_KEY
from docs_sitemap.readers.files import read_start
from docs_sitemap.submit.reading import fetch, locate_parts, parse, read_content
from docs_sitemap.submit.web import Statuses, SubmitError, Web, explain_status

INDEXNOW: Final = "https://api.indexnow.org/indexnow"
"""Forwards everything to all engines that take part."""

ACCEPTED: Final = (200, 202)

_STATUSES: Final[Statuses] = {
    200: ("accepted", ""),
    202: ("accepted, but the engine still has to check the key file. Yandex: submit again until 200", ""),
    400: ("the engine rejects the format of the request", "look for a malformed URL: --dry-run lists them"),
    403: (
        "the engine does not accept the key",
        "open {file}: it must have only the key. If it does, submit again tomorrow, then use a new key",
    ),
    405: ("the endpoint takes no POST request", "check --endpoint"),
    422: ("the URLs are not on this host, or the key does not cover them", "keep to the folder of {file}"),
    429: (
        "too many requests, which the engine treats as spam",
        "submit only what changed (--since), some hours later, or name another engine as well: --endpoint "
        f"{INDEXNOW} --endpoint https://yandex.com/indexnow",
    ),
    "SiteVerificationNotCompleted": ("the engine has not checked the key yet", "submit again in 15 minutes"),
}
"""Meaning and fix of the statuses that IndexNow documents, and Yandex (Webmaster, "IndexNow", POST).

While a key is new, Bing answers 403 with that word; users saw 2 to 10 minutes of it (2026).
"""

_NOT_AT_ROOT: Final = (
    "the engine does not accept the key",
    "put the key file at the root of the host, {root}: some engines accept it only there",
)
"""403 for a key file in a folder, as in gitlab-mcp-server, issue 207."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and the URL of its file, or ``""`` for ``/KEY.txt`` at the root of each host.

    Neither is shown, because the URL ends in the key.
    """

    value: str = field(repr=False)
    location: str = field(default="", repr=False)

    def covers(self, url: str) -> bool:
        """Tell whether the key covers a URL.

        A key file covers its folder and below. A key file at a host's root covers the whole host; other hosts
        count as covered, because they can have key files at their own roots.
        """
        if self.folder == "/":
            return True
        return host_of(url) == host_of(self.location) and urlsplit(url).path.startswith(self.folder)

    def shown(self, host: str) -> str:
        """Return the URL of the key file for a host, with the word KEY for the key."""
        url = self.location if host_of(self.location) == host else f"https://{host}/{self.value}.txt"
        return f"{url.replace(self.value, 'KEY')} (KEY stands for the key)"

    @property
    def folder(self) -> str:
        """Return the path of the key file's folder."""
        return urlsplit(self.location).path.rpartition("/")[0] + "/"


class Batch(NamedTuple):
    """URLs on one host for one POST request."""

    host: str
    urls: list[str]


def batches(addresses: Iterable[str]) -> Iterator[Batch]:
    """Yield the URLs in batches by host, both sorted; http and https of a host are in the same batch."""
    for host, group in groupby(sorted(addresses, key=lambda url: (host_of(url), url)), host_of):
        found = list(group)
        for start in range(0, len(found), MAX_BATCH):
            yield Batch(host, found[start : start + MAX_BATCH])


def host_of(url: str) -> str:
    """Return the host of a URL, with its port unless that is the default."""
    return urlsplit(urls.with_usual_host(url)).netloc


def find_key(folder: Path, given: str, location: str, base_url: str) -> Key | None:
    """Return the ``given`` key, or that of the only key file in a folder; ``None`` if there is neither.

    ``location`` is the URL of the key file, if given; otherwise it is in the folder, whose URL is
    ``base_url``, or at the host's root. Raises ``SubmitError`` if the folder has several key files, or if
    the URL of the key file is unknown.
    """
    found = key_files(folder)
    if not given and len(found) > 1:
        raise SubmitError(f"{folder}: has {len(found)} IndexNow key files: choose a key with INDEXNOW_KEY.")
    key = given or next(iter(found), "")
    if not key:
        return None
    if location or key not in found:
        return Key(key, location)
    if not base_url:
        raise SubmitError(
            f"{folder}: has an IndexNow key file, but the folder's URL is unknown, because robots.txt does "
            "not have exactly one line for its sitemap. Set the URL with --base-url."
        )
    return Key(key, f"{base_url}{key}.txt")


def find_base_url(sitemap: Path) -> str:
    """Return the URL of a sitemap's folder from the robots.txt next to it, or ``""``."""
    try:
        lines = robots.named(read_start(sitemap.parent / "robots.txt", MAX_ROBOTS, below=sitemap.parent))
    except OSError:
        return ""
    end = "/" + urls.escape_name(sitemap.name)
    found = {line.removesuffix(end) + "/" for line in lines if line.endswith(end)}
    try:
        return validation.base_url(found.pop()) if len(found) == 1 else ""
    except validation.UnexpectedError:
        return ""


def key_files(folder: Path) -> list[str]:
    """Return the keys of the key files in a folder: regular files that contain their own name."""
    found = []
    for file in folder.glob("*.txt"):
        if INDEXNOW_KEY.fullmatch(file.stem) and not file.is_symlink():
            with suppress(OSError):  # an unreadable file is no key file
                if read_start(file, MAX_TEXT).strip() == file.stem.encode():
                    found.append(file.stem)
    return sorted(found)


_PAUSE: Final = 5.0
"""Seconds between two tries, at most; a tenth of a shorter limit."""

_LAST_TRY: Final = 1.0
"""Seconds for the last answers after the time is over."""


def wait_until_served(
    file: Path, url: str, key_file: tuple[str, str] | None, web: Web, seconds: float
) -> None:
    """Wait until ``url`` serves what a sitemap ``file`` and its parts have, and until the key file is there.

    ``key_file`` is its URL and the key, or ``None`` if nobody is to ask for it. Raises ``SubmitError`` with
    what is still missing after so many ``seconds``.
    """
    end = time.monotonic() + seconds
    asking = replace(web, retries=0, until=end + _LAST_TRY)
    _, parts = parse(read_content(file), str(file))
    files = {url: file} | (locate_parts(parts, file, url.rpartition("/")[0] + "/") if parts else {})
    told = ""
    while missing := " and ".join(_missing(files, url, key_file, asking)):
        left = end - time.monotonic()
        if left <= 0:
            raise SubmitError(f"not online after {seconds:g} seconds: {missing}. Nothing is submitted.")
        if missing != told:
            web.say(f"Waiting for {missing}.")
            told = missing
        time.sleep(min(_PAUSE, seconds / 10, left))


def _missing(files: dict[str, Path], url: str, key_file: tuple[str, str] | None, web: Web) -> Iterator[str]:
    if why := _why_not_online(files, url, web):
        yield f"the new sitemap at {url} ({why})"
    if key_file and (why := why_not_key(*key_file, web)):
        yield f"the key file ({why})"


def _why_not_online(files: dict[str, Path], sitemap: str, web: Web) -> str:
    """Return why not all files have the same entries, or name the same parts, at their URLs.

    Once one is missing, the others are not asked for. What is there is taken out, and not asked for again.
    """
    for url, file in list(files.items()):
        try:
            here, there = read_content(file), fetch(url, web)
            if here != there and parse(here, str(file)) != parse(there, url):
                return f"{'' if url == sitemap else f'{url}: '}it still has other URLs or dates"
        except DocsSitemapError as problem:  # also half a file, of a deployment that goes on
            return str(problem).rstrip(".").removeprefix(f"{sitemap}: ")
        del files[url]
    return ""


def why_not_key(url: str, key: str, web: Web) -> str:
    """Return why a URL does not have the key, without the key."""
    try:
        answer = web.ask("GET", url)
    except SubmitError as problem:
        return str(problem).replace(key, "KEY").rstrip(".")
    if answer.status != 200:
        return f"the server answers {answer.status}"
    return "" if answer.body.strip() == key.encode() else "it has something else"


class Outcome(NamedTuple):
    """The result of a batch: of each endpoint that was asked, its answer in sentences; the last status.

    200 and 202 accept it, but with 202 the engine does not have the URLs yet: it still has to check the key.
    """

    batch: Batch
    answers: list[list[str]]
    status: int


def send(batches: Iterable[Batch], key: Key, web: Web, endpoints: Collection[str]) -> Iterator[Outcome]:
    """Send each batch to one endpoint after the other until one accepts it, and yield its outcome.

    One is enough: engines share what they accept (indexnow.org, FAQ). After a refusal, an endpoint is not
    asked for further batches of that host.
    """
    refused: set[tuple[str, str]] = set()
    for batch in batches:
        answers, status = [], 0
        for endpoint in endpoints:
            if (batch.host, endpoint) in refused:
                continue
            status, (first, *more) = _send_batch(batch, key, web, endpoint)
            name = f"{urlsplit(endpoint).netloc}: " if len(endpoints) > 1 else ""
            answers.append([name + first.removeprefix(name), *more])
            if status in ACCEPTED:
                break
            refused.add((batch.host, endpoint))
        not_sent = [["not sent, because the engine refused an earlier batch."]]
        yield Outcome(batch, answers or not_sent, status)


def _send_batch(batch: Batch, key: Key, web: Web, endpoint: str) -> tuple[int, list[str]]:
    sent = {"host": batch.host, "key": key.value, "urlList": batch.urls}
    if key.location and host_of(key.location) == batch.host:
        sent["keyLocation"] = key.location
    headers = {"Content-Type": "application/json; charset=utf-8"}
    try:
        answer = web.ask("POST", endpoint, headers=headers, body=json.dumps(sent).encode("ascii"))
    except SubmitError as problem:
        return 0, [f"{problem}."]
    shown = {"file": key.shown(batch.host), "root": Key(key.value).shown(batch.host)}
    known = _STATUSES if key.folder == "/" else {**_STATUSES, 403: _NOT_AT_ROOT}
    statuses = {status: (meaning, fix.format(**shown)) for status, (meaning, fix) in known.items()}
    return answer.status, explain_status(answer, statuses, {key.value: "KEY"})
