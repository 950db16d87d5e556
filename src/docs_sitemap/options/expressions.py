"""Compiles gitignore-style patterns (git, gitignore) into expressions that take linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.limits import MAX_PATTERNS

if TYPE_CHECKING:
    from pathspec import RegexPattern

_STAR: Final = "[^/]*"
_MIDDLE: Final = "(?:/.+)?"
_FIRST: Final = "^(?:.+/)?"
"""How pathspec writes ``*`` in a folder or name, ``/**/``, and ``**/`` at the beginning."""

_SLASHLESS: Final = re.compile(r"\[\^/\]|\(\?!/\)")
_BRACKETS: Final = re.compile(r"\\.|\[\^/\]|\[(\^?)(\]?[^]]*)\]", re.DOTALL)
_RANGES: Final = re.compile(r"(\\?.)(?:-(\\?.))?", re.DOTALL)
"""What stands in brackets: a character, escaped or not, or a range of two."""

_FOLDER: Final = "(?P<ps_d>/)"
"""How pathspec marks the end of a folder; only one group in an expression may have this name."""

_TOGETHER: Final = 100
"""Patterns in one expression: Python passes over those that begin with another character than the text."""


@lru_cache(maxsize=2 * MAX_PATTERNS)  # the check of an option and each use of it ask for the same
def compiled(pattern: str) -> RegexPattern | None:
    """Return a pattern with its expression in ``regex``; ``None`` for a comment or an empty line.

    Raises ``ValueError`` or ``re.error`` for an invalid pattern.
    """
    import pathspec  # here: the command line has no patterns and starts faster without it

    # not from_lines, which compiles pathspec's own expression
    kind: Any = type(pathspec.GitIgnoreSpec.from_lines(["a"]).patterns[0])
    regex, include = kind.pattern_to_regex(pattern) if pattern else (None, None)
    return None if regex is None else kind(re.compile(_anchored(_linear(regex))), include)


def _anchored(regex: str) -> str:
    """Return an expression for ``re.match``: pathspec searches, and ``**/`` is a slash anywhere."""
    return regex if regex.startswith(("^", "(?>^")) else f"(?s:.*?){regex}"


def together(patterns: Sequence[RegexPattern]) -> list[re.Pattern[str]]:
    """Return a few expressions of which one matches whenever one of the patterns does."""
    anywhere: list[str] = []  # what is common to them is tried once for all
    others: list[str] = []
    for pattern in patterns:
        if pattern.regex:
            regex = _without_name(pattern.regex.pattern)
            (anywhere if regex.startswith(_FIRST) else others).append(regex.removeprefix(_FIRST))
    return [*_joined("", others), *_joined(_FIRST, anywhere)]


def _joined(start: str, parts: Sequence[str]) -> Iterator[re.Pattern[str]]:
    for at in range(0, len(parts), _TOGETHER):
        yield re.compile(f"{start}(?:{'|'.join(parts[at : at + _TOGETHER])})")


def _without_name(regex: str) -> str:
    for end, same in ((f"(?:{_FOLDER}|$)", "(?:/|$)"), (_FOLDER, "/")):
        if regex.endswith(end):
            return regex.removesuffix(end) + same
    return regex


def _linear(regex: str) -> str:
    """Return an equivalent expression that does not retry a wildcard for each later one.

    The text after a wildcard may match at its first occurrence: that leaves the most text for the rest, so
    a later occurrence never helps. This holds for all but the last wildcard of a name, and the last ``**``.
    """
    regex = _BRACKETS.sub(_bracket, regex)
    first, *others = regex.split(_MIDDLE)
    start = _FIRST if first.startswith(_FIRST) else ""
    parts = [_without_retries(part) for part in (first.removeprefix(start), *others)]
    if not others:
        return start + parts[0]
    lazy = "^(?:.+?/)??" if start else ""
    middle = "".join(f"(?>(?:/.+?)??{part}(?=/))" for part in parts[1:-1])
    return f"(?>{lazy}{parts[0]}(?=/)){middle}{_MIDDLE}{parts[-1]}"


def _bracket(found: re.Match[str]) -> str:
    """Return the expression for brackets with what is special to Python escaped, as ``[[`` and ``--``."""
    negation, inside = found.groups()
    if inside is None:
        return found[0]
    inside = _RANGES.sub(lambda each: "-".join(map(_escaped, filter(None, each.groups()))), inside)
    # no bracket matches a slash (git, wildmatch.c); in pathspec's expression, [!a] could
    return f"(?!/)[{negation}{inside}]"


def _escaped(character: str) -> str:
    return character if character.startswith("\\") else re.escape(character)


def _without_retries(part: str) -> str:
    """Return the expression for a part of a pattern that has no ``**``."""
    found, *others = part.split(_STAR)
    for number, text in enumerate(others, 1):
        if number == len(others) or "/" in _SLASHLESS.sub("", text):
            found += _STAR + text
        elif text:
            found += f"(?>[^/]*?{text})"
    return found
