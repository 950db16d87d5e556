"""Count how often the system is asked about files."""

from __future__ import annotations

import os
from typing import Any

import pytest


def count_lookups(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[object]:
    """Return a list that gets the path of each call of these functions of ``os``."""
    looked: list[object] = []
    for name in names:
        look = getattr(os, name)

        def count(path: Any, *args: Any, look: Any = look, **options: Any) -> Any:
            looked.append(path)
            return look(path, *args, **options)

        monkeypatch.setattr(os, name, count)
    return looked
