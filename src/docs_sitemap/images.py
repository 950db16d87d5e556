"""The images of a published page that are its own: in its main part, from its own site.

Read from the HTML, so that images count whatever extension, plugin or theme put them there.
"""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

from docs_sitemap import urls
from docs_sitemap.published import feed

_AROUND = frozenset({"aside", "footer", "nav", "noscript", "template"})
"""What surrounds a page's own text (HTML, "sections"), and what is not shown.

``header`` too, but not inside of the main part, where it has the title and perhaps a picture.
"""


def read_images(file: Path, loc: str) -> tuple[str, ...]:
    """Return the absolute URLs of the images that an HTML file shows, in its order, each once.

    ``loc`` is the page's own address. Images from other hosts are not the page's own: badges,
    mostly. Empty where there is no such file.
    """
    try:
        text = file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ()
    if "<img" not in text.lower():
        return ()
    parser = _ImageParser()
    feed(parser, text)
    base = urls.absolute(loc, parser.base) or loc
    host = urlsplit(loc).hostname
    found = (urls.absolute(base, source) for source in parser.images())
    return tuple(dict.fromkeys(url for url in found if url and urlsplit(url).hostname == host))


class _ImageParser(HTMLParser):
    """Collects the images of ``main`` or ``role="main"``; of the whole body where there is neither."""

    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self._main = ""
        self._depth = 0
        self._around = Counter[str]()
        self._in_main: list[str] = []
        self._in_body: list[str] = []

    def images(self) -> list[str]:
        """Return the sources as they are written."""
        return self._in_main if self._main else self._in_body

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "base":
            self.base = self.base or values.get("href", "")
        elif tag == "img":
            self._image(values.get("src", "").strip())
        elif tag in _AROUND or (tag == "header" and not self._depth):
            self._around[tag] += 1
        elif not self._main and (tag == "main" or values.get("role") == "main"):
            self._main, self._depth = tag, 1
        elif tag == self._main and self._depth:
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in self._around:
            self._around[tag] = max(0, self._around[tag] - 1)
        elif tag == self._main and self._depth:
            self._depth -= 1

    def _image(self, source: str) -> None:
        if source and not self._around.total():
            self._in_body.append(source)
            if self._depth:
                self._in_main.append(source)
