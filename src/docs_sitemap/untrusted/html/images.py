"""Finds the images of a published page that are its own: in its main part, from its own site.

They are read from the HTML, so that images count whichever extension, plugin or theme put them there.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap import urls
from docs_sitemap.limits import MAX_IMAGES, MAX_LOC, MAX_PAGE
from docs_sitemap.untrusted.files import read_start
from docs_sitemap.untrusted.html.tags import Tag, tags

_AROUND: Final = frozenset((b"aside", b"footer", b"nav", b"noscript", b"template"))
"""Elements around a page's own text (HTML, "sections"), and elements that are not shown.

``header`` counts too, but not within the main part, where it contains the title and perhaps an image.
"""


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
    seen = _Images()
    for tag in tags(data):
        seen.add(tag)
    base = urls.absolute(loc, seen.base) or loc
    host = urlsplit(loc).hostname
    found = (urls.absolute(base, source) for source in dict.fromkeys(seen.images()))
    own = dict.fromkeys(url for url in found if url and urlsplit(url).hostname == host)
    return tuple(own)[: MAX_IMAGES + 1]  # one more says that there are too many


class _Images:
    """Collects the images of ``main`` or ``role="main"``, or of the whole body if there is neither."""

    def __init__(self) -> None:
        self.base = ""
        self.main = b""
        self._depth = 0
        self._around = Counter[bytes]()
        self._in_main: list[str] = []
        self._in_body: list[str] = []

    def images(self) -> list[str]:
        """Return the sources as written."""
        return self._in_main if self.main else self._in_body

    def add(self, tag: Tag) -> None:
        """Process the next tag of the page."""
        name = tag.name
        if name == b"img":
            self._image(tag)
        elif name == b"base" and not tag.is_end:
            self.base = self.base or tag.attributes("href").get("href", "")
        elif name in _AROUND or (name == b"header" and not self._depth):
            self._around[name] = max(0, self._around[name] + (-1 if tag.is_end else 1))
        elif not self.main:
            if not tag.is_end and (name == b"main" or (b"main" in tag.rest and _is_main(tag))):
                self.main, self._depth = name, 1
        elif name == self.main and self._depth:
            self._depth += -1 if tag.is_end else 1

    def _image(self, tag: Tag) -> None:
        source = "" if tag.is_end or self._around.total() else tag.attributes("src").get("src", "").strip()
        if 0 < len(source) <= MAX_LOC:
            self._in_body.append(source)
            if self._depth:
                self._in_main.append(source)


def _is_main(tag: Tag) -> bool:
    return tag.attributes("role").get("role") == "main"
