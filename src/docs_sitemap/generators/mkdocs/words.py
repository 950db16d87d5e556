"""Which words a text has, in their order, and whether they stand in a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_TAG: Final = re.compile(r"<(?:!--.*?--|[^<>]*)>", re.DOTALL)
_EXPLAINED: Final = re.compile(r'<abbr title="([^"]*)">')
_MAX_BYTES: Final = 4_000_000
"""Larger files are not looked into."""

_FEW: Final = 3
_SMALL: Final = 60
"""So few words in a row may stand by chance in a file of more different words than that."""

_BETWEEN: Final = 3
"""Words of a file that stand between two words of a line made from it: keys, units, quotes."""

_MANY: Final = 1000
"""Lines that plugins put into a page at most: a table of data, a whole file."""

_LONG: Final = 20_000
"""Characters of such a line at most: minified, a page is one line."""


class Text:
    """The words of a text, without regard to case.

    ``words`` are all of them, and ``lines`` those of each line that has enough to prove something, as
    far as lines are looked at.
    """

    def __init__(self, text: str) -> None:
        words = words_of(text)
        self.words = frozenset(words)
        self.lines = [line for line in map(words_of, text.splitlines()[:_MANY]) if len(line) >= _FEW]
        self._all = words
        self._joined = f" {' '.join(words)} "
        self._places: dict[str, list[int]] | None = None

    def has(self, line: Sequence[str]) -> bool:
        """Tell whether the words stand in it in that order, with a key or so between two of them.

        A few words prove nothing of a large text, nor a single letter or digit of any.
        """
        if not self.words.issuperset(line) or (len(line) == 1 and len(line[0]) == 1):
            return False
        if len(line) < _FEW and len(self.words) > _SMALL:
            return False
        return self.has_exactly(line) or any(map(self._has_from(line), self._places_of(line[0])))

    def has_exactly(self, line: Sequence[str]) -> bool:
        """Tell whether the words stand in it one after the other."""
        return f" {' '.join(line)} " in self._joined

    def _places_of(self, word: str) -> list[int]:
        if self._places is None:
            self._places = {}
            for number, known in enumerate(self._all):
                self._places.setdefault(known, []).append(number)
        return self._places[word]

    def _has_from(self, line: Sequence[str]) -> Callable[[int], bool]:
        def fits(place: int) -> bool:
            for word in line[1:]:
                near = self._all[place + 1 : place + 2 + _BETWEEN]
                if word not in near:
                    return False
                place += 1 + near.index(word)
            return True

        return fits


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
    except OSError:
        return Text("")
    if len(data) > _MAX_BYTES or b"\0" in data:
        return Text("")
    try:
        return Text(data.decode("utf-8"))
    except ValueError:
        return Text(data.decode("latin-1"))
