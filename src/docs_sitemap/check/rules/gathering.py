"""One fault, one finding: what a setting of the whole site makes wrong everywhere is told once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from docs_sitemap.check.finding import Found

FEW = 5
"""Findings of one cause that are told one by one."""

Cause = TypeVar("Cause", bound=Hashable)


def gather(
    found: Iterable[tuple[Cause | None, Found]], together: Callable[[Cause, list[Found]], Found]
) -> Iterator[Found]:
    """Yield findings as they are, but those of one cause as one, where they are more than a few.

    ``None`` is no cause: such findings stay by themselves.
    """
    by_cause: dict[Cause, list[Found]] = {}
    for cause, finding in found:
        if cause is None:
            yield finding
        else:
            by_cause.setdefault(cause, []).append(finding)
    for cause, findings in by_cause.items():
        if len(findings) > FEW:
            yield together(cause, findings)
        else:
            yield from findings
