"""Any sitemap as ``{address: lastmod}``: XML or text, gzipped or not, with all parts of an index.

From a folder or over the web; written by anyone, so every file has a limit and no entity is resolved.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from lxml import etree

from docs_sitemap import urls
from docs_sitemap.limits import MAX_BYTES, MAX_SITEMAPS
from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.submit.web import Web

Entries = dict[str, str | None]
"""Addresses in ASCII, with the text of their ``lastmod``."""

NAMES: Final = ("sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz")
"""Where a folder's sitemap is looked for."""

MAX_ENTRIES: Final = 5_000_000
"""Addresses in all parts; more would fill the memory."""

MAX_SECONDS: Final = 600.0
"""For reading all parts over the web."""

_MAX_EVENTS: Final = 50_000
"""Starts and ends of elements in one entry: a page with 1,000 images has some 5,000."""

_ADDRESS: Final = re.compile(r"https?://[!-~]+", re.IGNORECASE)


def find_sitemap(place: Path) -> Path:
    """Return the sitemap in a folder, or the file itself."""
    if not place.is_dir():
        return place
    found = next((place / name for name in NAMES if (place / name).is_file()), None)
    if found is None:
        raise SubmitError(f"{place}: there is no sitemap in it, such as {NAMES[0]}.")
    return found


def read_file(file: Path, base_url: str = "") -> Entries:
    """Return the entries of a sitemap file, and of its parts where it is an index.

    A part lies in the index's folder or below: where ``base_url``, the address of that folder, says,
    or else where all parts are found by the ends of their addresses.
    """
    found, parts = _parse(_content(file, file.parent), str(file))
    if not parts:
        return found
    paths = _place(parts, file, base_url)
    return _union(
        parts, lambda part: _parse(_content(paths[part], file.parent), str(paths[part])), nested=str(file)
    )


def read_web(url: str, web: Web) -> Entries:
    """Return the entries of a sitemap on the web, and of its parts: those must be of the same host."""
    found, parts = _parse(_fetch(url, web), url)
    if not parts:
        return found
    own = urlsplit(url)
    started = time.monotonic()

    def load(part: str) -> tuple[Entries, list[str]]:
        if urlsplit(part)[:2] != own[:2]:
            raise SubmitError(f"{url}: its part {part} is of another host, and is not read.")
        if time.monotonic() - started > MAX_SECONDS:
            raise SubmitError(f"{url}: its parts take more than {MAX_SECONDS:.0f} seconds to read.")
        return _parse(_fetch(part, web), part)

    return _union(parts, load, nested=url)


def _union(parts: list[str], load: Callable[[str], tuple[Entries, list[str]]], *, nested: str) -> Entries:
    entries: Entries = {}
    for part in parts:
        found, more = load(part)
        if more:
            raise SubmitError(f"{nested}: its part {part} is an index too, which the protocol forbids.")
        entries |= found
        if len(entries) > MAX_ENTRIES:
            raise SubmitError(f"{nested}: it has more than {MAX_ENTRIES:,} addresses.")
    return entries


def _place(parts: list[str], index: Path, base_url: str) -> dict[str, Path]:
    """Return the file of each part.

    Without a base URL, nobody knows how much of an address is the folder's: the least that lets all
    parts be found.
    """
    folder = Path(os.path.realpath(index.parent))
    split = {part: unquote(urlsplit(part).path).lstrip("/").split("/") for part in parts}
    if base_url:
        if outside := [part for part in parts if not part.startswith(base_url)]:
            raise SubmitError(f"{index}: its part {outside[0]} is not below {base_url}.")
        depths = [urlsplit(base_url).path.count("/") - 1]
    else:
        depths = list(range(min(map(len, split.values()))))
    for depth in depths:
        found = {part: folder.joinpath(*names[depth:]) for part, names in split.items()}
        if all(_is_inside(path, folder) and path != folder / index.name for path in found.values()):
            return found
    raise SubmitError(
        f"{index}: not all of the {len(parts):,} sitemaps that it names lie in its folder or below, "
        f"as {parts[0]}: name a folder that has all of them, or its address with --base-url."
    )


def _is_inside(path: Path, folder: Path) -> bool:
    try:
        return path.is_file() and Path(os.path.realpath(path)).is_relative_to(folder)
    except ValueError:  # a NUL in it
        return False


def _content(file: Path, root: Path) -> bytes:
    if not _is_inside(file, Path(os.path.realpath(root))):
        raise SubmitError(f"{file}: there is no such file, or it leads out of its folder.")
    try:
        with open(file, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as problem:
        raise SubmitError(f"{file}: cannot be read: {problem.strerror}.") from None
    return _plain(data, str(file))


def _fetch(url: str, web: Web) -> bytes:
    answer = web.ask("GET", url, limit=MAX_BYTES)
    if answer.status in (404, 410):
        raise SubmitError(
            f"{url}: there is no sitemap ({answer.status}). If this is the first deployment, use --all."
        )
    if 300 <= answer.status < 400:
        raise SubmitError(f"{url}: leads elsewhere ({answer.status}): name the address that it leads to.")
    if answer.status != 200:
        raise SubmitError(f"{url}: cannot be read, the server answers {answer.status}.")
    if not answer.is_whole:
        raise _too_long(url)
    return _plain(answer.body, url)


def _plain(data: bytes, name: str) -> bytes:
    """Return data without gzip, as far as the protocol lets a sitemap go."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error):
            raise SubmitError(f"{name}: its gzip is broken.") from None
    if len(data) > MAX_BYTES:
        raise _too_long(name)
    return data


def _too_long(name: str) -> SubmitError:
    return SubmitError(f"{name}: has more than {MAX_BYTES:,} bytes, which the protocol forbids.")


def _parse(data: bytes, name: str) -> tuple[Entries, list[str]]:
    """Return the entries of a sitemap, and the addresses of an index's parts."""
    if not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<", b"\xff\xfe", b"\xfe\xff")):
        return _parse_text(data, name), []
    found: Entries = {}
    parts: list[str] = []
    try:
        for kind, loc, lastmod in _elements(data, name):
            address = _address(loc)
            if address and kind == "url":
                found[address] = lastmod
            elif address:
                parts.append(address)
    except etree.LxmlError as problem:
        line = getattr(problem, "lineno", None)
        where = f" (line {line})" if line else ""
        raise SubmitError(f"{name}: is not well-formed XML{where}.") from None
    if len(parts) > MAX_SITEMAPS:
        raise SubmitError(f"{name}: names more than {MAX_SITEMAPS:,} sitemaps, which the protocol forbids.")
    return found, parts


def _elements(data: bytes, name: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield each entry of a urlset or an index; memory is freed behind it."""
    context = etree.iterparse(
        io.BytesIO(data),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root = None
    size = 0
    for event, element in context:
        tag = etree.QName(element)
        size += 1
        if size > _MAX_EVENTS:
            raise SubmitError(f"{name}: has an entry with too many elements.")
        if root is None:
            root = element
            if tag.localname not in ("urlset", "sitemapindex") or root.getroottree().docinfo.internalDTD:
                raise SubmitError(f"{name}: is no sitemap; its first element is {tag.localname!a}.")
        elif event == "end" and element.getparent() is root:
            if tag.localname in ("url", "sitemap"):
                loc = element.findtext(f"{{{tag.namespace}}}loc" if tag.namespace else "loc") or ""
                lastmod = element.findtext(f"{{{tag.namespace}}}lastmod" if tag.namespace else "lastmod")
                yield tag.localname, loc.strip(), (lastmod or "").strip() or None
            element.clear()
            while element.getprevious() is not None:  # those behind it may be there already
                del root[0]
            size = 0


def _parse_text(data: bytes, name: str) -> Entries:
    """Return the entries of a text sitemap: one address a line, and nothing else."""
    lines = [line.strip() for line in data.decode("utf-8-sig", "replace").splitlines()]
    addresses = [_address(line) for line in lines if line]
    if not all(addresses):
        raise SubmitError(f"{name}: is neither a sitemap nor a list of addresses.")
    return dict.fromkeys(filter(None, addresses))


def _address(text: str) -> str | None:
    """Return an absolute http(s) address in ASCII, or ``None`` for what is none."""
    try:
        if _ADDRESS.fullmatch(text) and urlsplit(text).username is None:
            return text
    except ValueError:  # a broken IPv6 address
        return None
    return urls.absolute("", text)
