"""Real Sphinx builds in which our part fails, takes too long or too much: the build goes on."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("sphinx")

import docs_sitemap.generators.sphinx as ours
from docs_sitemap.generators.sphinx.page_dates import PageDates
from docs_sitemap.generators.sphinx.site import ExtraPages, Site
from tests.support.sphinxsite import Docs

FAULTS: dict[str, tuple[Any, str]] = {
    "options": (ours, "options_of"),
    "question": (ExtraPages, "_ask"),
    "page": (ExtraPages, "_add"),
    "dates": (PageDates, "_find"),
    "shown date": (PageDates, "_show"),
    "pages": (Site, "pages"),
    "sitemap": (ours, "emit"),
}


@pytest.fixture(autouse=True)
def no_debugging(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    docs.conf(docs_sitemap_page_dates=True)


@pytest.mark.versions
@pytest.mark.parametrize("place", FAULTS)
def test_a_build_goes_on_without_us(docs: Docs, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """One info line, also for a strict build, and no sitemap; the next build is as if nothing had been."""

    def fail(*_args: object, **_values: object) -> None:
        raise RecursionError("\x1b[2J::error::secret")

    owner, name = FAULTS[place]
    fail.__module__, fail.__qualname__ = getattr(owner, name).__module__, name
    monkeypatch.setattr(owner, name, fail)
    built = docs.build(strict=True).passed()
    assert built.has("one.html")
    assert not built.has("sitemap.xml")
    [line] = built.notices("No sitemap is written")
    assert "secret" not in line
    monkeypatch.undo()
    assert {"one.html", "sub/two.html"} < docs.build(strict=True).sitemap.keys()


@pytest.mark.versions
def test_the_last_good_sitemap_stays(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    before = docs.build(strict=True).read("sitemap.xml")
    monkeypatch.setattr(Site, "pages", lambda _self: [].pop())
    built = docs.build(strict=True).passed()
    assert built.notices("unexpected error: IndexError")
    assert built.read("sitemap.xml") == before


def test_an_error_of_ours_has_a_traceback_where_one_asks_for_it(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCS_SITEMAP_DEBUG", "1")
    monkeypatch.setattr(Site, "pages", lambda _self: [].pop())
    built = docs.build()
    assert built.failed
    assert "pop from empty list" in built.warnings
