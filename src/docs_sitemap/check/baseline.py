"""Known findings, which are not reported again: what they are told by, as JSON. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from docs_sitemap.check.finding import Finding

_FIELDS: Final = ("id", "url", "file", "message")
Key = tuple[str, str, str, str]


def render(findings: Iterable[Finding]) -> bytes:
    """Return the file of a baseline, sorted, one finding a line, so that versions of it can be compared."""
    keys = sorted({finding.key for finding in findings})
    lines = ",\n".join("  " + json.dumps(dict(zip(_FIELDS, key, strict=True))) for key in keys)
    return (f"[\n{lines}\n]\n" if lines else "[]\n").encode("ascii")


def parse(data: bytes) -> frozenset[Key]:
    """Return the known findings. Raises ``ValueError`` for what is no baseline of ours."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError, MemoryError):
        raise ValueError("expected JSON, as --write-baseline writes it") from None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise ValueError("expected a list of objects, as --write-baseline writes it")
    return frozenset(map(_key, found))


def _key(item: dict[str, object]) -> Key:
    values = [item.get(name) for name in _FIELDS]
    if not all(isinstance(value, str) for value in values):
        raise ValueError(f"expected {', '.join(_FIELDS)} in each object, as --write-baseline writes them")
    a, b, c, d = map(str, values)
    return a, b, c, d
