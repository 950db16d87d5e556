"""Finds abbreviations from a shared file: it is part of a page only if the page has one of them.

``auto_append`` of pymdownx.snippets appends such a file to every page; the extension abbr (Markdown 3.4 to
3.11, and Material's tooltips) puts the explanation into the page at each abbreviation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Final

_DEFINED: Final = re.compile(r"^[ ]{0,3}\*\[([^\]\n]+)\][ ]?:(.+)$", re.MULTILINE)
_SHOWN: Final = re.compile(r'<abbr title="([^"]{0,2000})">([^<]{0,500})</abbr>')


def defined_in(text: str) -> Mapping[str, str]:
    """Return the abbreviations that a text defines, with their meanings.

    >>> defined_in("*[HTML]: Hyper Text Markup Language")
    {'HTML': 'Hyper Text Markup Language'}
    """
    return {short.strip(): long.strip().strip("\"'") for short, long in _DEFINED.findall(text)}


def shown_in(html: str) -> set[tuple[str, str]]:
    """Return the abbreviations that a page explains, with their meanings.

    >>> shown_in('<abbr title="Hyper Text">HT</abbr>')
    {('HT', 'Hyper Text')}
    """
    return {(unescape(short), unescape(long)) for long, short in _SHOWN.findall(html)}
