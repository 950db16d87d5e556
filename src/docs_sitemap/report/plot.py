"""Draw a histogram of ages, and ages over time, as SVG. Pure. Any text that is not ``Markup`` is escaped.

Horizontal positions are percentages of the width, so that the plot fits any screen while text keeps its size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final, NamedTuple

from docs_sitemap.files.urlset import escape_attribute, escape_text

_VOID: Final = frozenset({"link", "meta"})
_MAX_TEXT: Final = 300
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


def shorten(text: str, longest: int = _MAX_TEXT) -> str:
    """Cut a long text."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def with_code(text: str) -> Markup:
    """Convert one of our texts, in which code is between backticks."""
    parts = text.split("`")
    return join(tag("code", part) if number % 2 else part for number, part in enumerate(parts))


_MAX_MONTHS: Final = 48
_MAX_YEARS: Final = 40

_TOP: Final = 14
_GROUND: Final = 204
_HEIGHT: Final = 250
_GUTTER: Final = 13.0
"""Percent of the width: at 320 pixels, a number of five digits fits."""


class Ages(NamedTuple):
    """The numbers of pages by age: ``counts[0]`` is for less than one ``unit`` (month, year).

    ``open_end`` is true if the last number includes all older pages.
    """

    unit: str
    counts: Sequence[int]
    open_end: bool = False

    def name(self, age: int) -> str:
        """Describe the age of the pages in one number."""
        if age == 0:
            return f"less than a {self.unit}"
        if self.open_end and age == len(self.counts) - 1:
            return f"{age} {self.unit}s or more"
        return f"{age} {self.unit}{'s' * (age > 1)}"


def count_ages(moments: Iterable[datetime]) -> Ages:
    """Count dates by age relative to the newest: in months, or in years if there are too many months."""
    moments = list(moments)
    newest = max(moments)
    months = [_months(moment, newest) for moment in moments]
    if max(months) < _MAX_MONTHS:
        return Ages("month", _counts(months))
    years = [min(age // 12, _MAX_YEARS) for age in months]
    return Ages("year", _counts(years), open_end=max(years) == _MAX_YEARS)


def _months(moment: datetime, newest: datetime) -> int:
    """Return the whole months from one date to a later one."""
    months = (newest.year - moment.year) * 12 + newest.month - moment.month
    return months - ((moment.day, moment.time()) > (newest.day, newest.time()))


def _counts(ages: Sequence[int]) -> list[int]:
    counts = Counter(ages)
    return [counts[age] for age in range(max(ages) + 1)]


def draw(ages: Ages) -> Markup:
    """Draw the plot, with the newest pages on the right."""
    marks = [*_grid(max(ages.counts)), *_bars(ages), *_axis(ages)]
    return _svg("plot", "How old the pages are", _in_words(ages), marks)


def _svg(name: str, title: str, words: str, marks: Iterable[Markup]) -> Markup:
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", words, id=f"{name}-words"),
        *marks,
        role="img",
        width="100%",
        height=_HEIGHT,
        aria_labelledby=f"{name}-title {name}-words",
    )


def _in_words(ages: Ages) -> str:
    highest = max(range(len(ages.counts)), key=lambda age: ages.counts[age])
    return (
        f"Pages by age in {ages.unit}s before the newest date, up to {ages.name(len(ages.counts) - 1)}. "
        f"Most, {ages.counts[highest]:,}, are at {ages.name(highest)}. The table below has all numbers."
    )


def _grid(most: int) -> Iterator[Markup]:
    step = _step(most)
    for count in range(0, most + 1, step):
        at = f"{_level(count, most):.1f}"
        yield tag("line", x1=f"{_GUTTER}%", x2="100%", y1=at, y2=at, class_="grid")
        label = f"{_level(count, most) + 4:.1f}"
        yield tag("text", f"{count:,}", x=f"{_GUTTER - 1}%", y=label, text_anchor="end")


def _step(most: int) -> int:
    """Return a round number that divides a scale into two to five parts."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if size * factor * 5 >= most:
                return size * factor
        size *= 10


def _level(count: int, most: int) -> float:
    return _GROUND - count / most * (_GROUND - _TOP)


def _bars(ages: Ages) -> Iterator[Markup]:
    most, width = max(ages.counts), _width(ages)
    for age, count in enumerate(ages.counts):
        if count:
            top = min(_level(count, most), _GROUND - 2.0)  # keep one page among thousands visible
            yield tag(
                "rect",
                tag("title", f"{ages.name(age)}: {count:,}"),
                x=f"{_left(ages, age) + width * 0.08:.3f}%",
                y=f"{top:.1f}",
                width=f"{width * 0.84:.3f}%",
                height=f"{_GROUND - top:.1f}",
                class_="bar",
            )


def _axis(ages: Ages) -> Iterator[Markup]:
    steps = (1, 2, 3, 6, 12) if ages.unit == "month" else (1, 2, 5, 10)
    step = next(step for step in steps if len(ages.counts) <= 6 * step or step == steps[-1])
    for age in range(0, len(ages.counts), step):
        at = f"{_left(ages, age) + _width(ages) / 2:.3f}%"
        more = "+" if ages.open_end and age == len(ages.counts) - 1 else ""
        yield tag("text", f"{age}{more}", x=at, y=_GROUND + 18, text_anchor="middle")
    title = f"{ages.unit}s before the newest date"
    yield tag("text", title, x="100%", y=_GROUND + 40, text_anchor="end")


def _width(ages: Ages) -> float:
    """Return the width of a bar in percent; a few bars do not fill the plot."""
    return min((100 - _GUTTER) / len(ages.counts), 17.0)


def _left(ages: Ages, age: int) -> float:
    return 100 - (age + 1) * _width(ages)


def as_rows(ages: Ages) -> Markup:
    """Return the numbers as rows of a table."""
    rows = (
        tag("tr", tag("th", ages.name(age), scope="row"), tag("td", f"{count:,}", class_="number"))
        for age, count in enumerate(ages.counts)
        if count
    )
    return join(rows, "\n")


def draw_over_time(points: Sequence[tuple[str, int]]) -> Markup:
    """Draw a line of days by name, from left to right; ``points`` are two at least."""
    most = max(1, *(days for _, days in points))
    step = (100 - _GUTTER) / (len(points) - 1 or 1)
    places = [(_GUTTER + step * number * 0.96, _level(days, most)) for number, (_, days) in enumerate(points)]
    marks = [*_grid(most)]
    for (left, top), (right, bottom) in pairwise(places):
        ends = {"x1": f"{left:.2f}%", "y1": f"{top:.1f}", "x2": f"{right:.2f}%", "y2": f"{bottom:.1f}"}
        marks.append(tag("line", **ends, class_="trend"))
    for (name, days), (left, top) in zip(points, places, strict=True):
        title = tag("title", f"{name}: {days:,} days")
        marks.append(tag("circle", title, cx=f"{left:.2f}%", cy=f"{top:.1f}", r=3, class_="bar"))
    for number in (0, len(points) - 1):
        anchor = "end" if number else "start"
        left = places[number][0]
        marks.append(tag("text", points[number][0], x=f"{left:.2f}%", y=_GROUND + 18, text_anchor=anchor))
    first, last = points[0], points[-1]
    words = f"From {first[1]:,} days at {first[0]} to {last[1]:,} days at {last[0]}. The table below has all."
    return _svg("trend", "Median age over time", words, marks)
