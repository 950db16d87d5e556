"""Known findings that are not reported again: their keys, as JSON. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from docs_sitemap.check.finding import Finding
from docs_sitemap.untrusted import read_json

_FIELDS: Final = ("id", "url", "file", "message")
Key = tuple[str, ...]


def render(findings: Iterable[Finding]) -> bytes:
    """Render a baseline, sorted, one finding per line, so that diffs are readable."""
    keys = sorted({finding.key for finding in findings})
    lines = ",\n".join("  " + json.dumps(dict(zip(_FIELDS, key, strict=True))) for key in keys)
    return (f"[\n{lines}\n]\n" if lines else "[]\n").encode("ascii")


def parse(data: bytes) -> frozenset[Key]:
    """Return the known findings. Raises ``ValueError`` if the data is not a baseline."""
    try:
        found = read_json(data)
    except ValueError:
        raise ValueError("expected JSON, as --write-baseline writes it") from None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise ValueError("expected a list of objects, as --write-baseline writes it")
    return frozenset(map(_key, found))


def _key(item: dict[str, object]) -> Key:
    values = [item.get(name) for name in _FIELDS]
    if not all(isinstance(value, str) for value in values):
        raise ValueError(f"expected {', '.join(_FIELDS)} in each object, as --write-baseline writes them")
    return tuple(map(str, values))
