"""Escape any text for XML 1.0. Pure."""

from __future__ import annotations

import re

# XML 1.0 (fifth edition), production 2, "Char": a document must not contain any other character, not even
# as a reference. This excludes lone surrogates, U+FFFE and U+FFFF.
_NO_CHAR = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# `>` because "]]>" is not allowed in text (2.4); `\r` because it would be read back as `\n` (2.11)
_IN_TEXT = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#13;"}
)

# unescaped white space in an attribute would be read back as a space (3.3.3)
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({"\t": "&#9;", "\n": "&#10;"})


def escape_text(text: str) -> str:
    """Escape a text for an element; characters that XML does not allow become U+FFFD.

    >>> escape_text("a < b")
    'a &lt; b'
    """
    return _NO_CHAR.sub("\ufffd", text).translate(_IN_TEXT)


def escape_attribute(text: str) -> str:
    """Escape a text for an attribute, in quotes of either kind; otherwise like ``escape_text``."""
    return _NO_CHAR.sub("\ufffd", text).translate(_IN_ATTRIBUTE)
