"""Which words a text has, in their order, and whether they stand in a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_TAG: Final = re.compile(r"<(?:!--.*?--|[^<>]*)>", re.DOTALL)
_EXPLAINED: Final = re.compile(r'<abbr title="([^"]*)">')
_MAX_BYTES: Final = 4_000_000

_FEW: Final = 3
_SMALL: Final = 60
"""So few words in a row may stand by chance in a file of more different words than that."""

_MANY: Final = 1000
"""Lines that plugins put into a page at most: a table of data, a whole file."""

_LONG: Final = 20_000
"""Characters of such a line at most: minified, a page is one line."""


class Text:
    """The words of a text, without regard to case."""

    def __init__(self, text: str) -> None:
        words = words_of(text)
        self.words = frozenset(words)
        self._joined = f" {' '.join(words)} "

    def has(self, line: Sequence[str]) -> bool:
        """Tell whether the words stand in it, one after the other; a few prove nothing of a large one."""
        if not self.words.issuperset(line) or (len(line) < _FEW and len(self.words) > _SMALL):
            return False
        return f" {' '.join(line)} " in self._joined

    def names(self, file: str) -> bool:
        """Tell whether a file's name stands in it."""
        return f" {' '.join(words_of(file))} " in self._joined


def words_of(text: str) -> list[str]:
    """Return the words of plain text or Markdown, in their order, in lower case."""
    return _WORD.findall(text.casefold())


def shown(html: str) -> str:
    """Return the text that a reader sees of some HTML."""
    return unescape(_TAG.sub(" ", html))


def explanations(html: str) -> Iterator[list[str]]:
    """Yield the words that explain each abbreviation."""
    for found in set(_EXPLAINED.findall(html)):
        yield words_of(unescape(found))


def inserted_lines(before: str, after: str) -> Iterator[list[str]]:
    """Yield the words that each new line of a text has, without those of the lines that it replaces.

    Both may be HTML. Where nearly all is new, as from a plugin that minifies, nothing was put in.
    """
    old, new = Counter(before.splitlines()), Counter(after.splitlines())
    added = list((new - old).elements())
    if not added or len(added) > _MANY or max(map(len, added)) > _LONG:
        return
    gone = Counter(word for line in old - new for word in words_of(shown(line)))
    for line in added:
        words = []
        for word in words_of(shown(line)):
            if gone[word]:
                gone[word] -= 1
            else:
                words.append(word)
        if words:
            yield words


def read_text(file: Path) -> Text:
    """Return the words of a file; none of one that is no text, is very large or cannot be read."""
    try:
        data = file.read_bytes()
        return Text(data.decode("utf-8") if len(data) <= _MAX_BYTES else "")
    except (OSError, ValueError):
        return Text("")
