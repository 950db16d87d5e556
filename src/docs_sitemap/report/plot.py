"""Draw a histogram of ages, and ages over time, as SVG. Pure. Any text that is not ``Markup`` is escaped.

Horizontal positions are percentages of the width, so that the plot fits any screen while text keeps its size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count
from typing import Final, NamedTuple

from docs_sitemap.check import DOCS
from docs_sitemap.files.urlset import escape_attribute, escape_text

_VOID: Final = frozenset({"link", "meta"})
_CONTROL: Final = re.compile("[\x7f-\x9f]")
"""Characters that XML allows, and HTML only as bytes: a reference is another character."""


class Markup(str):
    """HTML that this module builds, or that is a literal in the source code."""

    __slots__ = ()


def tag(name: str, /, *content: str, **attributes: str | int | None) -> Markup:
    """Return an element. ``class_`` and ``data_key`` mean ``class`` and ``data-key``.

    An attribute that is ``None`` is omitted, an empty one has no value.
    """
    start = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + (f'="{_inert(escape_attribute(str(value)))}"' if value != "" else "")
        for key, value in attributes.items()
        if value is not None
    )
    end = "" if name in _VOID else f"{join(content)}</{name}>"
    return Markup(f"<{name}{start}>{end}")


def join(content: Iterable[str], between: str = "") -> Markup:
    """Join pieces; ``between`` is white space."""
    return Markup(
        between.join(each if isinstance(each, Markup) else _inert(escape_text(each)) for each in content)
    )


def _inert(escaped: str) -> str:
    r"""Return the same HTML in which no line begins with a stranger's text, and ``##[`` is no command.

    >>> print(_inert("a\n::error::b ##[error]c"))
    a&#10;::error::b #&#35;[error]c
    """
    if escaped.isprintable() and "##" not in escaped:
        return escaped
    text = _CONTROL.sub("\ufffd", escaped)
    text = "".join(char if char.isprintable() else f"&#{ord(char)};" for char in text)
    return text.replace("##", "#&#35;")


def with_code(text: str) -> Markup:
    """Convert one of our texts, in which code, and addresses of the documentation, are between backticks."""
    parts = text.split("`")
    return join(_code(part) if number % 2 else part for number, part in enumerate(parts))


def _code(text: str) -> Markup:
    return tag("a", text, href=text, rel="noreferrer") if text.startswith(DOCS) else tag("code", text)


_MAX_MONTHS: Final = 48

_TOP: Final = 14
_GROUND: Final = 204
_HEIGHT: Final = 250
_GUTTER: Final = 13.0
"""Percent of the width: at 320 pixels, a number of five digits fits."""


class Ages(NamedTuple):
    """The numbers of pages by age: ``counts[0]`` is for less than one ``unit`` (month, year)."""

    unit: str
    counts: Sequence[int]

    def name(self, age: int) -> str:
        """Describe the age of the pages in one number."""
        return f"{age} {self.unit}{'s' * (age > 1)}" if age else f"less than a {self.unit}"


def count_ages(moments: Sequence[datetime]) -> Ages:
    """Count dates by age relative to the newest: in months, or in years if there are too many months."""
    newest = max(moments)
    unit, ages = "month", [_months(moment, newest) for moment in moments]
    if max(ages) >= _MAX_MONTHS:
        unit, ages = "year", [months // 12 for months in ages]
    counts = Counter(ages)
    return Ages(unit, [counts[age] for age in range(max(ages) + 1)])


def _months(moment: datetime, newest: datetime) -> int:
    """Return the whole months from one date to a later one."""
    months = (newest.year - moment.year) * 12 + newest.month - moment.month
    return months - ((moment.day, moment.time()) > (newest.day, newest.time()))


def draw(ages: Ages) -> Markup:
    """Draw the histogram, with the newest pages on the right."""
    unit, counts = ages
    most = max(counts)
    width = min((100 - _GUTTER) / len(counts), 17.0)  # a few bars do not fill the plot
    marks = _grid(most)
    for age, number in enumerate(counts):
        if number:
            top = min(_level(number, most), _GROUND - 2.0)  # keep one page among thousands visible
            place = {"x": f"{100 - (age + 1) * width + width * 0.08:.3f}%", "y": f"{top:.1f}"}
            size = {"width": f"{width * 0.84:.3f}%", "height": f"{_GROUND - top:.1f}"}
            title = tag("title", f"{ages.name(age)}: {number:,}")
            marks.append(tag("rect", title, **place, **size, class_="bar"))
    steps = (1, 2, 3, 6, 12) if unit == "month" else (1, 2, 5, 10)
    for age in range(0, len(counts), next(step for step in steps if len(counts) <= 6 * step)):
        x = f"{100 - (age + 1) * width + width / 2:.3f}%"
        marks.append(tag("text", f"{age}", x=x, y=_GROUND + 18, text_anchor="middle"))
    axis = f"{unit}s before the newest date"
    marks.append(tag("text", axis, x="100%", y=_GROUND + 40, text_anchor="end"))
    words = (
        f"Pages by age in {axis}, up to {ages.name(len(counts) - 1)}. "
        f"Most, {most:,}, are at {ages.name(counts.index(most))}. The table below has all numbers."
    )
    return _svg("plot", "How old the pages are", words, marks)


def _svg(name: str, title: str, words: str, marks: Iterable[Markup]) -> Markup:
    labels = {"aria_labelledby": f"{name}-title {name}-words"}
    head = tag("title", title, id=f"{name}-title"), tag("desc", words, id=f"{name}-words")
    return tag("svg", *head, *marks, role="img", width="100%", height=_HEIGHT, **labels)


def _grid(most: int) -> list[Markup]:
    """Return lines with numbers, two to five steps of a round number."""
    sizes = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(size for size in sizes if size * 5 >= most)
    marks = []
    for number in range(0, most + 1, step):
        level = _level(number, most)
        y = f"{level:.1f}"
        marks.append(tag("line", x1=f"{_GUTTER}%", x2="100%", y1=y, y2=y, class_="grid"))
        x, y = f"{_GUTTER - 1}%", f"{level + 4:.1f}"
        marks.append(tag("text", f"{number:,}", x=x, y=y, text_anchor="end"))
    return marks


def _level(number: int, most: int) -> float:
    return _GROUND - number / most * (_GROUND - _TOP)
