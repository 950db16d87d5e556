"""What our part of a build does when it watches the functions of other plugins."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from docs_sitemap.boundary import Boundary
from docs_sitemap.budget import budget
from docs_sitemap.dates.evidence import Observer
from docs_sitemap.notices import Notice

pytestmark = pytest.mark.core


def watched(see: object) -> tuple[SimpleNamespace, Boundary, list[Notice]]:
    told: list[Notice] = []
    plugin, boundary = SimpleNamespace(add=lambda number: number + 1), Boundary(told.append)
    Observer(boundary).watch(plugin, "add", see)  # type: ignore[arg-type]
    return plugin, boundary, told


def test_an_error_in_watching_is_ignored() -> None:
    plugin, boundary, told = watched(lambda *_args: [].pop())
    assert [plugin.add(1), plugin.add(2)] == [2, 3]
    assert not boundary.is_over
    assert not told


def test_watching_counts_for_our_part_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_SECONDS", 0.2)
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    plugin, boundary, told = watched(lambda *_args: sum(range(1_000_000)))
    assert [plugin.add(number) for number in range(100)] == [*range(1, 101)]
    assert boundary.is_over
    assert len(told) == 1
