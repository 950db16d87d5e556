"""What stands above the entries of an XML file of ours, and what a later build reads there. Pure.

XML's own word for the declaration, the comments and the processing instructions before the root
element (XML 1.0, 2.8). The comments say which files were written together: some of them, as text
and key files, can say nothing of themselves.
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
"""Stands in each of our files, so that a later build removes what it no longer writes and nothing else."""

_TEXT = re.compile(rb"<!-- The same as text: ([^\n]*) -->")
_KEY = re.compile(rb"<!-- With the key file of IndexNow: ([0-9a-f]{8}) -->")


@dataclass(frozen=True, slots=True)
class Prolog:
    """What is said above the entries of a file.

    ``stylesheet`` is the address of a CSS file from there, or empty; ``text`` the name of the text
    sitemap that was written beside it, which can carry no signature itself, or empty; and ``key`` the
    ``key_mark`` of the IndexNow key whose file was, or empty.
    """

    stylesheet: str = ""
    text: str = ""
    key: str = ""

    def lines(self) -> Iterator[str]:
        """Yield its lines, each with its end, in ASCII."""
        yield DECLARATION + "\n"
        yield SIGNATURE.decode() + "\n"
        if self.key:
            yield f"<!-- With the key file of IndexNow: {self.key} -->\n"
        if self.stylesheet:
            yield f'<?xml-stylesheet type="text/css" href="{escape_attribute(self.stylesheet)}"?>\n'
        if self.text:
            # two hyphens may not stand in a comment (XML 1.0, 2.5)
            yield f"<!-- The same as text: {escape_name(self.text).replace('-', '%2D')} -->\n"


BARE: Final = Prolog()
"""Of a file beside which no other was written."""


def names_text(head: bytes) -> str:
    """Return the name of the text sitemap that a file of ours says was written beside it, or ``""``."""
    found = _TEXT.search(head)
    return unquote(found[1].decode("ascii", "replace")) if found else ""


def key_mark(key: str) -> str:
    """Return what tells a key from any other that may lie in its place, and not what the key is.

    32 bits of a hash: millions of keys have the same.
    """
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:8]


def names_key(head: bytes) -> str:
    """Return the ``key_mark`` of the key whose file was written beside a file of ours, or ``""``."""
    found = _KEY.search(head)
    return found[1].decode("ascii") if found else ""
