"""Results that are kept as JSON in ``benchmarks/results``: the documentation's tables come from them."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_type_hints

RESULTS: Final = Path(__file__).parent / "results"

T = TypeVar("T")


def read(pattern: str) -> list[Any]:
    """Return the kept results whose file names match a glob pattern, in the order of their names."""
    return [json.loads(file.read_text("utf-8")) for file in sorted(RESULTS.glob(pattern))]


def revive(kind: type[T], data: Any) -> T:
    """Return a dataclass again, with those in it; values that are no field of it are left out."""
    assert is_dataclass(kind)  # noqa: S101
    types = get_type_hints(kind)
    return kind(**{each.name: _value(types[each.name], data[each.name]) for each in fields(kind)})


def _value(kind: Any, data: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        return revive(kind, data)
    if isinstance(data, list) and get_args(kind):
        return [_value(get_args(kind)[0], each) for each in data]
    return data
