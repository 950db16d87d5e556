"""Inputs made of real ones: cut, joined, swapped, and one small piece of them repeated many times.

What is hostile is mostly a repetition. Pure: the same chance gives the same inputs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

LONGEST: Final = 200_000
"""Bytes of an input: enough to see quadratic time, and few enough for hundreds of inputs in a second."""

_TOKENS: Final = (
    *(
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\r",
        b"\n\n",
        b"\t",
        b" ",
        b"\x1f\x8b",
        b"\xc3\xa9",
        b"\xed\xa0\x80",
    ),
    *(
        b"<",
        b">",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?",
        b"?>",
        b"<!",
        b"&",
        b"&#0;",
        b"&lt;",
        b'"',
        b"'",
        b"=",
    ),
    *(
        b"/",
        b"//",
        b"../",
        b"%",
        b"%2e",
        b"%00",
        b"#",
        b"?",
        b"@",
        b":",
        b"[",
        b"]",
        b"{",
        b"}",
        b"(",
        b")",
        b",",
    ),
    *(
        b"*",
        b"**/",
        b"$",
        b"\\",
        b"!",
        b"-",
        b"_",
        b".",
        b"a",
        b"0",
        b"9" * 30,
        b"1e999",
        b"-1",
        b"nan",
        b"null",
    ),
    *(
        b"true",
        b"\xe2\x80\xa8",
        b"\xc2\xa0",
        b"\xd9\xa3",
        b"\xef\xbc\x8f",
        b"&a",
        b"*a",
        b"<<: ",
        b"!!python/name:os.",
    ),
)


def mutate(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the seeds after a few changes."""
    data = chance.choice(seeds)
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        data = chance.choice(_CHANGES)(chance, data, seeds)[:LONGEST]
    return data


def _piece(chance: random.Random, data: bytes) -> tuple[int, int]:
    """Return where a piece begins and ends, mostly a short one."""
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.choice((1, 2, 4, 8, 16, 64, len(data))))


def _repeat(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _piece(chance, data)
    room = max(1, LONGEST // max(1, end - start))
    return data[:end] + data[start:end] * chance.randint(1, chance.choice((3, 100, room))) + data[end:]


def _repeat_token(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at, token = chance.randint(0, len(data)), chance.choice(_TOKENS)
    times = chance.choice((1, 1, 1, 40, LONGEST // len(token)))
    return data[:at] + token * times + data[at:]


def _repeat_pair(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Repeat one piece and then another: what is made of each pair of them takes quadratic time."""
    (one, two), (three, four) = _piece(chance, data), _piece(chance, data)
    times = chance.choice((10, 1_000))
    return data[:two] + data[one:two] * times + data[three:four] * times + data[four:]


def _remove(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _piece(chance, data)
    return data[:start] + data[end:]


def _splice(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = chance.choice(seeds)
    start, end = _piece(chance, other)
    at = chance.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _replace(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Write a token in the place of each occurrence of a short piece."""
    start = chance.randint(0, len(data))
    piece = data[start : start + chance.randint(1, 3)]
    return data.replace(piece, chance.choice(_TOKENS)) if piece else data


def _flip(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def _number(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Repeat the line at a place, with another number each time."""
    start = data.rfind(b"\n", 0, chance.randint(0, len(data))) + 1
    line = data[start : start + 60].partition(b"\n")[0]
    lines = (b"%b%d\n" % (line, number) for number in range(chance.choice((10, 2_000))))
    return data[:start] + b"".join(lines) + data[start:]


_CHANGES: Final[tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...]] = (
    *(_repeat, _repeat, _repeat_token, _repeat_token, _repeat_pair, _remove, _splice, _splice),
    *(_replace, _flip, _flip, _number),
)
