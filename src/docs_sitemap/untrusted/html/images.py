"""Finds the images of a published page that are its own: in its main part, from its own site.

They are read from the HTML, so that images count whichever extension, plugin or theme put them there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.limits import MAX_IMAGE_TAGS, MAX_IMAGE_TEXT, MAX_IMAGES, MAX_LOC, MAX_PAGE
from docs_sitemap.untrusted.files import read_start
from docs_sitemap.untrusted.html.tags import Tag, most_tags, some_tags, tags

_AROUND: Final = frozenset((b"aside", b"footer", b"nav", b"noscript", b"template"))
"""Elements around a page's own text (HTML, "sections"), and elements that are not shown.

``header`` counts too, but not within the main part, where it contains the title and perhaps an image.
"""

_READ: Final = _AROUND | {b"base", b"header", b"img", b"main"}
_MAINS: Final = frozenset((b"article", b"div", b"section"))
"""Elements that have ``role="main"`` in usual themes."""

_TEXT_OF_BYTE: Final = 4
_TEXT_OF_NONE: Final = 4096
"""Characters of URLs for each byte of a page, and for none: thousands of small pages may have a long base."""

_TEXT_OF_IMAGE: Final = 300
"""Characters of a URL that count for one image: usual ones have a third of it."""

_PLAIN: Final = re.compile(r"[\w-]++(?:[./][\w-]++)*+", re.ASCII)
"""A path in the same folder or below it, without any character that a URL escapes or has a meaning for."""

_ALL_TAGS: Final = 2
"""How many times as many are read where all tags of one name are counted."""

_HAS_HOST: Final = re.compile("(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


def read_images(file: Path, loc: str) -> tuple[str, ...]:
    """Return the absolute URLs of the images that an HTML file shows, in order, without duplicates.

    ``loc`` is the page's own URL. Images from other hosts, mostly badges, are ignored. Empty if the file
    cannot be read.
    """
    try:
        data = read_start(file, MAX_PAGE)
        return images_of(data, loc)
    except (OSError, ValueError):
        return ()


def images_of(data: bytes, loc: str) -> tuple[str, ...]:
    """Return ``read_images`` for the content of a file."""
    if b"<img" not in data.lower():
        return ()
    most = most_tags(data, MAX_IMAGE_TAGS, in_body=True)
    seen = _Images(islice(some_tags(data, _READ, b"role"), most))
    if seen.main and seen.main not in _READ:  # the tags of this name are counted to find its end
        is_usual = seen.main in _MAINS
        found = some_tags(data, _READ | _MAINS, b"role") if is_usual else tags(data)
        seen = _Images(islice(found, _ALL_TAGS * most))
    base = urls.absolute(loc, seen.base) or loc
    host = urls.split(loc).hostname
    sources = [*dict.fromkeys(seen.images())]
    if urls.split(base).hostname != host:  # then no relative one is the site's own
        sources = [source for source in sources if _HAS_HOST.match(source)]
    folder = (urls.absolute(base, "x") or "")[:-1]
    own = (url for source in sources if (url := _own(source, base, folder, host)))
    # one more says that there are too many
    room = min(MAX_IMAGE_TEXT, _TEXT_OF_NONE + _TEXT_OF_BYTE * len(data))
    return tuple(dict.fromkeys(_bounded(islice(own, MAX_IMAGES + 1), room)))


def _own(source: str, base: str, folder: str, host: str | None) -> str | None:
    """Return the URL of an image of the site itself; most are plain names, which take a tenth of the time."""
    if folder and _PLAIN.fullmatch(source):
        return folder + source
    url = urls.absolute(base, source)
    return url if url and urls.split(url).hostname == host else None


def _bounded(found: Iterable[str], room: int) -> Iterator[str]:
    for url in found:
        room -= len(url)
        if room < 0:
            return
        yield url


class _Images:
    """Collects the images of ``main`` or ``role="main"``, or of the whole body if there is neither."""

    def __init__(self, found: Iterable[Tag]) -> None:
        self.base = ""
        self.main = b""
        self.number = 0
        self._depth = 0
        self._around = Counter[bytes]()
        self._in_main: list[str] = []
        self._in_body: list[str] = []
        for tag in found:
            self._add(tag)

    def images(self) -> list[str]:
        """Return the sources as written."""
        return self._in_main if self.main else self._in_body

    def _add(self, tag: Tag) -> None:
        """Process the next tag of the page."""
        name = tag.name
        if name == b"img":
            self._image(tag)
        elif name == b"base" and not tag.is_end:
            self.base = self.base or tag.attributes("href").get("href", "")[: MAX_LOC + 1]
        elif name in _AROUND or (name == b"header" and not self._depth):
            self._around[name] = max(0, self._around[name] + (-1 if tag.is_end else 1))
        elif not self.main:
            if not tag.is_end and (name == b"main" or (b"main" in tag.rest and _is_main(tag))):
                self.main, self._depth = name, 1
        elif name == self.main and self._depth:
            self._depth += -1 if tag.is_end else 1

    def _image(self, tag: Tag) -> None:
        self.number += 1  # also those without a source
        source = "" if tag.is_end or self._around.total() else tag.attributes("src").get("src", "").strip()
        if 0 < len(source) <= MAX_LOC:
            self._in_body.append(source)
            if self._depth:
                self._in_main.append(source)


def _is_main(tag: Tag) -> bool:
    return tag.attributes("role").get("role") == "main"
