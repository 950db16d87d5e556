"""What our part of a build does when it watches the functions of other plugins."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.evidence import Observer
from docs_sitemap.notices import Notice

pytestmark = pytest.mark.core


def watched(see: object) -> tuple[SimpleNamespace, BuildGuard, list[Notice]]:
    told: list[Notice] = []
    plugin, guard = SimpleNamespace(add=lambda number: number + 1), BuildGuard(told.append)
    Observer(guard).watch(plugin, "add", see)  # type: ignore[arg-type]
    return plugin, guard, told


def test_an_error_in_watching_is_ignored() -> None:
    plugin, guard, told = watched(lambda *_args: [].pop())
    assert [plugin.add(1), plugin.add(2)] == [2, 3]
    assert not guard.is_over
    assert not told
