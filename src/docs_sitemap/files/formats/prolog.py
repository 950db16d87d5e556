"""Write and read the prolog of our XML files. Pure.

"Prolog" is XML's term for the declaration, comments and processing instructions before the root
element (XML 1.0, 2.8). The comments record which files were written together, because text and key
files cannot contain comments themselves.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from docs_sitemap.files.formats.escaping import escape_attribute
from docs_sitemap.urls import escape_name

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

SIGNATURE = b"<!-- Written by docs-sitemap -->"
"""Marks our files, so that a later build removes only files that an earlier build wrote."""

FOR_THEME = b"<!-- For the theme, which reads URLs in the browser; not for search engines -->"
"""Marks a sitemap that lists pages without dates, beside the one for search engines."""

_TEXT = re.compile(rb"<!-- The same as text: ([^\n]*) -->")
_KEY = re.compile(rb"<!-- With the key file of IndexNow: ([0-9a-f]{8}) -->")


@dataclass(frozen=True, slots=True)
class Prolog:
    """The prolog of a file; each field may be empty.

    ``stylesheet`` is the relative URL of a CSS file; ``text`` the name of the text sitemap written with
    this file, which cannot have a signature; ``key`` the ``key_mark`` of the IndexNow key whose file was
    written with this file. ``for_theme`` adds ``FOR_THEME``.
    """

    stylesheet: str = ""
    text: str = ""
    key: str = ""
    for_theme: bool = False

    def lines(self) -> Iterator[str]:
        """Yield the lines, with line ends, in ASCII."""
        yield DECLARATION + "\n"
        yield SIGNATURE.decode() + "\n"
        if self.for_theme:
            yield FOR_THEME.decode() + "\n"
        if self.key:
            yield f"<!-- With the key file of IndexNow: {self.key} -->\n"
        if self.stylesheet:
            yield f'<?xml-stylesheet type="text/css" href="{escape_attribute(self.stylesheet)}"?>\n'
        if self.text:
            # a comment must not contain two hyphens (XML 1.0, 2.5)
            yield f"<!-- The same as text: {escape_name(self.text).replace('-', '%2D')} -->\n"


BARE: Final = Prolog()
"""The prolog of a file that is written alone."""


def names_text(head: bytes) -> str:
    """Return the name of the text sitemap that was written with one of our files, or ``""``."""
    found = _TEXT.search(head)
    return unquote(found[1].decode("ascii", "replace")) if found else ""


def key_mark(key: str) -> str:
    """Return a mark that distinguishes a key from others, but does not reveal it.

    32 bits of a hash: millions of keys share each mark.
    """
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:8]


def names_key(head: bytes) -> str:
    """Return the ``key_mark`` of the key whose file was written with one of our files, or ``""``."""
    found = _KEY.search(head)
    return found[1].decode("ascii") if found else ""
