"""Any text as XML 1.0 can hold it. Pure."""

from __future__ import annotations

import re

# XML 1.0 (fifth edition), production 2, "Char": no other character may stand in a document, not even
# as a reference. Lone surrogates and U+FFFE, U+FFFF are among the others.
_NO_CHAR = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# `>` so that "]]>" never stands in a text (2.4); a raw `\r` would be read back as `\n` (2.11)
_IN_TEXT = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#13;"}
)

# each raw white space in an attribute would be read back as a blank (3.3.3)
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({"\t": "&#9;", "\n": "&#10;"})


def escape_text(text: str) -> str:
    """Return a text for the content of an element; what XML cannot hold becomes U+FFFD.

    >>> escape_text("a < b")
    'a &lt; b'
    """
    return _NO_CHAR.sub("\ufffd", text).translate(_IN_TEXT)


def escape_attribute(text: str) -> str:
    """Return a text for an attribute's value, between quotes of either kind; else as ``escape_text``."""
    return _NO_CHAR.sub("\ufffd", text).translate(_IN_ATTRIBUTE)
