"""Which words a text has, and whether they stand in a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_TAG: Final = re.compile(r"<(?:!--.*?--|[^<>]*)>", re.DOTALL)
_EXPLAINED: Final = re.compile(r'<abbr title="([^"]*)">')
_MAX_BYTES: Final = 4_000_000


def words_of(text: str) -> list[str]:
    """Return the words of plain text or Markdown, in their order, without regard to case."""
    return _WORD.findall(text.casefold())


def shown(html: str) -> str:
    """Return the text that a reader sees of some HTML, abbreviations explained."""
    return unescape(_TAG.sub(" ", _EXPLAINED.sub(r"\1 ", html)))


def inserted_lines(before: str, after: str) -> Iterator[list[str]]:
    """Yield the words that each new line of a text has, without those of the lines that it replaces."""
    if before == after:
        return
    old, new = Counter(before.splitlines()), Counter(after.splitlines())
    gone = Counter(word for line in old - new for word in words_of(line))
    for line in (new - old).elements():
        words = []
        for word in words_of(line):
            if gone[word]:
                gone[word] -= 1
            else:
                words.append(word)
        if words:
            yield words


def words_in(file: Path) -> frozenset[str]:
    """Return the words of a file; none of one that is no text, is very large or cannot be read."""
    try:
        data = file.read_bytes()
        return frozenset(words_of(data.decode("utf-8"))) if len(data) <= _MAX_BYTES else frozenset()
    except (OSError, ValueError):
        return frozenset()
