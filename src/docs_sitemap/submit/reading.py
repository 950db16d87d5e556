"""Read any sitemap as ``{URL: lastmod}``: XML or text, gzipped or not, with all parts of an index.

Sitemaps come from a folder or from the web and are not trusted: files have size limits, and entities are not
resolved.
"""

from __future__ import annotations

import codecs
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit

from docs_sitemap import changes, urls
from docs_sitemap.brief import brief, counted, shown
from docs_sitemap.files import robots
from docs_sitemap.limits import (
    MAX_BYTES,
    MAX_LOC,
    MAX_PATH,
    MAX_READ_SECONDS,
    MAX_ROBOTS,
    MAX_SITE,
    MAX_SITEMAPS,
)
from docs_sitemap.readers import Resolver, is_open_file, read_named
from docs_sitemap.sitemaps import read_bytes, read_entries, too_long, unpack
from docs_sitemap.submit.web import MissingError, SubmitError, Web

Entries = dict[str, str | None]
"""URLs in ASCII, with the text of their ``lastmod``."""

Say = Callable[[str], None]

_Parsed = tuple[Entries, list[str]]
"""Entries, and the URLs of an index's parts."""

NAMES: Final = ("sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz")
"""The names of sitemaps to look for in a folder."""

_ADDRESS: Final = re.compile(r"https?://[!-~]+", re.IGNORECASE | re.ASCII)


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
    found, parts = _parse(_content(file), str(file), say)
    if not parts:
        return found
    # one name for each file, even if several URLs or links lead to it
    files = {path: part for part, path in _place(parts, file, base_url).items()}
    paths = {part: path for path, part in files.items()}

    def load(part: str) -> tuple[bytes, str]:
        return read_bytes(paths[part]), shown(str(paths[part]), MAX_PATH)

    return _union(paths, load, say, nested=str(file))


def find_parts(file: Path, base_url: str) -> dict[str, Path]:
    """Return the parts of a sitemap file by their URLs, if it is an index in the folder at ``base_url``."""
    _, parts = _parse(_content(file), str(file))
    return _place(parts, file, base_url) if parts else {}


def is_served(file: Path, url: str, web: Web) -> bool:
    """Tell whether a URL has the entries of a sitemap file, or names the same parts with the same dates."""
    here, there = _content(file), _fetch(url, web)
    return here == there or _listed(here, str(file)) == _listed(there, url)


def _listed(data: bytes, name: str) -> Counter[tuple[str, str | None]]:
    """Return the URLs of a sitemap or an index, with their dates."""
    if not data.lstrip().startswith(b"<"):
        return Counter(_parse(data, name)[0].items())
    return Counter((entry.loc, entry.lastmod) for entry in read_entries(data, name).entries)


def read_web(url: str, web: Web) -> Entries:
    """Return the entries of a sitemap on the web, and of its parts, which must be on the same host."""
    found, parts = _parse(_fetch(url, web), url)
    if not parts:
        return found
    own = urlsplit(url)
    started = time.monotonic()

    def load(part: str) -> tuple[bytes, str]:
        if urlsplit(part)[:2] != own[:2]:
            raise SubmitError(f"{url}: its part {part} is on another host, and is not read.")
        if time.monotonic() - started > MAX_READ_SECONDS:
            raise SubmitError(f"{url}: its parts take more than {MAX_READ_SECONDS:.0f} seconds to read.")
        try:
            return _fetch(part, web), part
        except MissingError as problem:
            raise SubmitError(str(problem)) from None  # the sitemap itself is there

    return _union(parts, load, nested=url)


def _union(
    parts: Iterable[str],
    load: Callable[[str], tuple[bytes, str]],
    say: Say = lambda text: None,
    *,
    nested: str,
) -> Entries:
    """Return the entries of all parts of an index; ``load`` returns a part's content and its name."""
    entries: Entries = {}
    size = 0
    for part in parts:
        data, name = load(part)
        size += len(data)
        if size > MAX_SITE:
            raise SubmitError(f"{nested}: its parts have more than {MAX_SITE:,} bytes in total.")
        found, more = _parse(data, name, say)
        if more:
            raise SubmitError(f"{nested}: its part {part} is also an index, which the protocol forbids.")
        entries |= found
    return entries


def _place(parts: list[str], index: Path, base_url: str) -> dict[str, Path]:
    """Return the file of each part, with links resolved.

    Without a base URL, it is unknown how much of a URL belongs to the folder: use the shortest prefix with
    which all parts are found.
    """
    resolver = Resolver(index.parent)
    own = os.path.realpath(index)
    names = {part: urls.decoded(urlsplit(part).path).lstrip("/") for part in parts}
    if base_url:
        if outside := [part for part in parts if not part.startswith(base_url)]:
            raise SubmitError(f"{index}: its part {outside[0]} is not below {base_url}.")
        depths = [urlsplit(base_url).path.count("/") - 1]
    else:
        depths = list(range(min(name.count("/") + 1 for name in names.values())))
    for depth in depths:
        found: dict[str, Path] = {}
        for part, name in names.items():
            path = resolver.file("/".join(name.split("/")[depth:]))
            if not path or path == own:
                break
            found[part] = Path(path)
        else:
            return found
    raise SubmitError(
        f"{index}: not all of the {len(parts):,} sitemaps that it names are in its folder or below, "
        f"for example {parts[0]}: name a folder that has all of them, or set its URL with --base-url."
    )


def _content(file: Path) -> bytes:
    """Return the content of a file that does not lead out of its folder, or of a pipe that a shell names."""
    if is_open_file(file):
        return unpack(read_named(file, MAX_BYTES), str(file))
    if not Resolver(file.parent).file(file.name):
        raise SubmitError(f"{file}: no such file, or it leads out of its folder.")
    return read_bytes(file, file.parent)


def _fetch(url: str, web: Web) -> bytes:
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


def _parse(data: bytes, name: str, say: Say = lambda text: None) -> _Parsed:
    if changes.is_json(data):
        return _known(data, name), []
    if _is_list(data):
        return _parse_text(data, name, say), []
    found: Entries = {}
    parts: list[str] = []
    lost: list[str] = []
    document = read_entries(data, name)
    for entry in document.entries:
        address = _address(entry.loc)
        if address and document.kind == "urlset":
            found[address] = entry.lastmod or None
        elif address:
            parts.append(address)
        else:
            lost.append(_example(entry.loc))
    if lost:
        say(_invalid_urls(lost, name))
    if len(parts) > MAX_SITEMAPS:
        raise SubmitError(f"{name}: names more than {MAX_SITEMAPS:,} sitemaps, which the protocol forbids.")
    return found, list(dict.fromkeys(parts))


def _is_list(data: bytes) -> bool:
    """Tell whether data that are no JSON are a list of URLs: XML may have a byte order mark."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    return not start.startswith((b"<", b"\xff\xfe", b"\xfe\xff"))


def _known(data: bytes, name: str) -> Entries:
    try:
        found = changes.parse(data)
    except ValueError as problem:
        raise SubmitError(f"{name}: {problem}.") from None
    return {address: date for url, date in found.items() if (address := _address(url))}


def _example(loc: str) -> str:
    """Show an invalid URL; one with a user name is not shown, because it may contain a password."""
    return "" if "@" in loc else f", for example {brief(loc)}"


def _invalid_urls(examples: list[str], name: str) -> str:
    example = next(filter(None, examples), "")
    what = "1 entry without one" if len(examples) == 1 else f"{len(examples):,} entries without one"
    return (
        f"{name}: expected absolute http or https URLs of fewer than {MAX_LOC + 1:,} characters, got "
        f"{what}{example}: left out."
    )


def _parse_text(data: bytes, name: str, say: Say) -> Entries:
    """Return the entries of a text sitemap: one URL per line, and nothing else."""
    found: Entries = {}
    long: list[str] = []
    for text in data.removeprefix(codecs.BOM_UTF8).splitlines():
        line = text.partition(b"\t")[0].decode("utf-8", "replace").strip()  # --dry-run adds why
        address = _address(line)
        if address:
            found[address] = None
        elif address is not None:
            long.append(_example(line))
        elif line:
            raise SubmitError(f"{name}: is neither a sitemap nor a list of URLs.")
    if long:
        say(_invalid_urls(long, name))
    return found


def _address(text: str) -> str | None:
    """Return an absolute http(s) URL in ASCII without its fragment.

    ``None`` if it is none, empty if it exceeds ``MAX_LOC``.
    """
    text = text.partition("#")[0]  # which no engine asks a server for
    if len(text) > MAX_LOC:
        return ""
    try:
        if _ADDRESS.fullmatch(text) and urlsplit(text).username is None:
            return text
    except ValueError:  # an invalid IPv6 address
        return None
    address = urls.absolute("", text)
    return "" if address and len(address) > MAX_LOC else address


_MOST: int = 10
"""Sitemaps of one site that its robots.txt may name."""


def read_live(url: str, base_url: str, web: Web, say: Callable[[str], None]) -> Entries:
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


def _read_named(base_url: str, web: Web, say: Callable[[str], None]) -> Entries:
    robots_url = urljoin(base_url, "/robots.txt")
    answer = web.ask("GET", robots_url, limit=MAX_ROBOTS)
    if answer.status not in (200, 404, 410):
        raise SubmitError(f"{robots_url}: cannot be read, the server answered {answer.status}.")
    named = robots.named(answer.body) if answer.status == 200 else []
    found: Entries = {}
    for url in [url for url in named if url.startswith(base_url) and len(url) <= MAX_LOC][:_MOST]:
        try:
            part = read_web(url, web)
        except MissingError:
            continue
        say(f"{url}, which robots.txt names: {counted(len(part), 'URL')}.")
        found |= part
    return found
