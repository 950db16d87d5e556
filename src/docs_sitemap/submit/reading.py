"""Read any sitemap as ``{URL: lastmod}``: XML or text, gzipped or not, with all parts of an index.

Sitemaps come from a folder or from the web and are not trusted: files have size limits, and entities are not
resolved.
"""

from __future__ import annotations

import codecs
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit

from docs_sitemap import changes, urls
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_BYTES, MAX_LOC, MAX_PATH, MAX_READ_SECONDS, MAX_ROBOTS, MAX_SITE
from docs_sitemap.readers.files import Resolver, is_open_file, read_named
from docs_sitemap.sitemaps import read_bytes, read_entries, too_long, unpack
from docs_sitemap.submit.web import MissingError, SubmitError, Web
from docs_sitemap.text import counted, shorten, show_value

Entries = dict[str, str | None]
"""URLs in ASCII, with the text of their ``lastmod``."""

Say = Callable[[str], None]

NAMES: Final = ("sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz")
"""The names of sitemaps to look for in a folder."""

_MAX_NAMED: Final = 10
"""Sitemaps of one site that are read from its robots.txt."""

_URL: Final = re.compile(r"https?://[!-~]+", re.IGNORECASE | re.ASCII)


def find_sitemap(place: Path) -> Path:
    """Return the sitemap in a folder, or the file itself."""
    if not place.is_dir():
        return place
    found = next((place / name for name in NAMES if (place / name).is_file()), None)
    if found is None:
        raise SubmitError(f"{place}: contains no sitemap, such as {NAMES[0]}.")
    return found


def read_file(file: Path, base_url: str = "", say: Say = lambda text: None) -> Entries:
    """Return the entries of a sitemap file, and of its parts if it is an index.

    Parts are in the index's folder or below: located by ``base_url``, the URL of that folder, or otherwise
    by the ends of their URLs. ``say`` is called with a message about invalid URLs.
    """
    found, parts = parse(read_content(file), str(file), say)
    if not parts:
        return found
    files = locate_parts(parts, file, base_url)
    loaded = ((read_bytes(path), shorten(str(path), MAX_PATH)) for path in files.values())
    return _merge(loaded, str(file), say)


def read_web(url: str, web: Web) -> Entries:
    """Return the entries of a sitemap on the web, and of its parts, which must be on the same host."""
    found, parts = parse(fetch(url, web), url)
    if not parts:
        return found
    end = time.monotonic() + MAX_READ_SECONDS

    def load(part: str) -> tuple[bytes, str]:
        if urlsplit(part)[:2] != urlsplit(url)[:2]:
            raise SubmitError(f"{url}: its part {part} is on another host, and is not read.")
        if time.monotonic() > end:
            raise SubmitError(f"{url}: its parts take more than {MAX_READ_SECONDS:.0f} seconds to read.")
        try:
            return fetch(part, web), part
        except MissingError as problem:
            raise SubmitError(str(problem)) from None  # the sitemap itself is there

    return _merge(map(load, parts), url)


def _merge(parts: Iterable[tuple[bytes, str]], index: str, say: Say = lambda text: None) -> Entries:
    """Return the entries of all parts of an index, given the content and the name of each."""
    entries: Entries = {}
    size = 0
    for data, name in parts:
        size += len(data)
        if size > MAX_SITE:
            raise SubmitError(f"{index}: its parts have more than {MAX_SITE:,} bytes in total.")
        found, more = parse(data, name, say)
        if more:
            raise SubmitError(f"{index}: its part {name} is also an index, which the protocol forbids.")
        entries |= found
    return entries


def locate_parts(parts: list[str], index: Path, base_url: str) -> dict[str, Path]:
    """Return the file of each part, with links resolved.

    Without a base URL, it is unknown how much of a URL belongs to the folder: use the shortest prefix with
    which all parts are found.
    """
    resolver = Resolver(index.parent)
    paths = [urls.decoded(urlsplit(part).path).lstrip("/") for part in parts]
    if base_url:
        if outside := [part for part in parts if not part.startswith(base_url)]:
            raise SubmitError(f"{index}: its part {outside[0]} is not below {base_url}.")
        depths = [urlsplit(base_url).path.count("/") - 1]
    else:
        depths = list(range(min(path.count("/") for path in paths) + 1))
    for depth in depths:
        found = [resolver.file("/".join(path.split("/")[depth:])) for path in paths]
        if all(found):
            return {part: Path(path) for part, path in zip(parts, found, strict=True) if path}
    raise SubmitError(
        f"{index}: not all of the {len(parts):,} sitemaps that it names are in its folder or below, "
        f"for example {parts[0]}: name a folder that has all of them, or set its URL with --base-url."
    )


def read_content(file: Path) -> bytes:
    """Return the content of a file that does not lead out of its folder, or of a pipe that a shell names."""
    if is_open_file(file):
        return unpack(read_named(file, MAX_BYTES), str(file))
    if not Resolver(file.parent).file(file.name):
        raise SubmitError(f"{file}: no such file, or it leads out of its folder.")
    return read_bytes(file, file.parent)


def fetch(url: str, web: Web) -> bytes:
    """Return the content of a sitemap on the web. Raises ``MissingError`` if there is none."""
    answer = web.ask("GET", url, limit=MAX_BYTES)
    if answer.status in (404, 410):
        raise MissingError(f"{url}: no sitemap ({answer.status}).")
    if 300 <= answer.status < 400:
        raise SubmitError(f"{url}: leads elsewhere ({answer.status}): name the address that it leads to.")
    if answer.status != 200:
        raise SubmitError(f"{url}: cannot be read, the server answered {answer.status}.")
    if not answer.is_whole:
        raise too_long(url)
    return unpack(answer.body, url)


def parse(data: bytes, name: str, say: Say = lambda text: None) -> tuple[Entries, list[str]]:
    """Return the entries of a sitemap, and the URLs of the parts of an index."""
    is_index = False
    if changes.is_json(data):
        try:
            written: Iterable[tuple[str, str | None]] = changes.parse(data).items()
        except ValueError as problem:
            raise SubmitError(f"{name}: {problem}.") from None
    elif data.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<"):
        document = read_entries(data, name)
        is_index = document.kind == "index"
        written = [(entry.loc, entry.lastmod or None) for entry in document.entries]
    else:
        written = ((line, None) for line in _lines(data, name))
    found: Entries = {}
    invalid: list[str] = []
    for loc, lastmod in written:
        if url := _normalise(loc):
            found[url] = lastmod
        else:
            invalid.append(loc)
    _report_invalid(invalid, name, say)
    return ({}, list(found)) if is_index else (found, [])


def _lines(data: bytes, name: str) -> Iterator[str]:
    """Yield the lines of a text sitemap: one URL per line, and nothing else."""
    for line in data.removeprefix(codecs.BOM_UTF8).splitlines():
        text = line.partition(b"\t")[0].decode("utf-8", "replace").strip()  # --dry-run adds why
        if text and _normalise(text) is None:
            raise SubmitError(f"{name}: is neither a sitemap nor a list of URLs.")
        if text:
            yield text


def _report_invalid(locs: list[str], name: str, say: Say) -> None:
    if not locs:
        return
    # one with a user name is not shown: it may contain a password
    example = next((f", for example {show_value(loc)}" for loc in locs if "@" not in loc), "")
    entries = "1 entry" if len(locs) == 1 else f"{len(locs):,} entries"
    say(
        f"{name}: expected absolute http or https URLs of fewer than {MAX_LOC + 1:,} characters, got "
        f"{entries} without one{example}: left out."
    )


def _normalise(text: str) -> str | None:
    """Return an absolute http(s) URL in ASCII without its fragment.

    ``None`` if it is none, empty if it exceeds ``MAX_LOC``.
    """
    text = text.partition("#")[0]  # which no engine asks a server for
    if len(text) > MAX_LOC:
        return ""
    try:
        if _URL.fullmatch(text) and urlsplit(text).username is None:
            return text
    except ValueError:  # an invalid IPv6 address
        return None
    url = urls.absolute("", text)
    return "" if url and len(url) > MAX_LOC else url


def read_live(url: str, base_url: str, web: Web, say: Say) -> Entries:
    """Return the entries of a site's sitemap, with all of its parts; without one, nothing.

    If there is none at ``url``, the site may have had another until now: those that the host's robots.txt
    names below ``base_url``. Raises ``SubmitError`` if it is unknown what engines know.
    """
    try:
        found = read_web(url, web)
    except MissingError as problem:
        say(str(problem))
        found = _read_named(base_url, web, say)
        if not found:
            say("Nothing is known: all URLs of the new sitemap will count as new.")
        return found
    say(f"{url}: {counted(len(found), 'URL')}.")
    return found


def _read_named(base_url: str, web: Web, say: Say) -> Entries:
    robots_url = urljoin(base_url, "/robots.txt")
    answer = web.ask("GET", robots_url, limit=MAX_ROBOTS)
    if answer.status not in (200, 404, 410):
        raise SubmitError(f"{robots_url}: cannot be read, the server answered {answer.status}.")
    named = robots.named(answer.body) if answer.status == 200 else []
    found: Entries = {}
    for url in [url for url in named if url.startswith(base_url) and len(url) <= MAX_LOC][:_MAX_NAMED]:
        try:
            part = read_web(url, web)
        except MissingError:
            continue
        say(f"{url}, which robots.txt names: {counted(len(part), 'URL')}.")
        found |= part
    return found
