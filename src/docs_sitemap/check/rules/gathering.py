"""Merge findings with the same cause, so that a wrong site-wide setting is reported once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from docs_sitemap.check.finding import Found

FEW = 5
"""Up to this number, findings with the same cause are reported one by one."""

Cause = TypeVar("Cause", bound=Hashable)


def gather(
    found: Iterable[tuple[Cause | None, Found]], together: Callable[[Cause, list[Found]], Found]
) -> Iterator[Found]:
    """Yield findings, merging those with the same cause if there are more than ``FEW``.

    Findings with the cause ``None`` are never merged.
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
