"""Real MkDocs builds in which our part fails, takes too long or too much: the build goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

import docs_sitemap.generators.mkdocs as ours
from docs_sitemap.dates.evidence.reads import Reads
from docs_sitemap.generators.mkdocs.includes import Includes
from docs_sitemap.generators.mkdocs.site import Site
from tests.support.mkdocssite import Docs

FAULTS = {
    "options": (ours, "errors_of_unknown"),
    "start": (Includes, "__init__"),
    "navigation": (Includes, "know"),
    "start of a page": (Includes, "begin"),
    "end of a page": (Includes, "end"),
    "pages": (Site, "pages"),
    "notes": (Includes, "note"),
}


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Docs:
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.md", "two.md")
    return site


@pytest.mark.parametrize("place", FAULTS)
def test_a_build_goes_on_without_us(docs: Docs, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """One info line, also for a strict build; MkDocs's sitemap has no dates, and recording has ended."""

    def fail(*_args: object) -> None:
        raise LookupError("\x1b[2J::error::secret")

    owner, name = FAULTS[place]
    monkeypatch.setattr(owner, name, fail)
    built = docs.build(strict=True).passed()
    assert built.has("one/index.html")
    if place != "notes":
        assert not built.has("sitemap.xml") or set(built.sitemap.values()) == {None}
    [line] = built.notices("No sitemap with dates is written")
    assert line.startswith("INFO")
    assert "secret" not in line
    assert Reads.recording is None
    monkeypatch.undo()
    assert docs.build(strict=True).sitemap.keys() == {"", "one/", "two/"}


def test_the_authors_own_sitemap_stays_as_it_is(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "<url><loc>https://e.org/</loc><lastmod>2020-02-02</lastmod></url>"
    text = f"<?xml version='1.0'?><urlset>{url}</urlset>"
    docs.repo.write("theme/sitemap.xml", text)
    docs.conf(theme={"name": "mkdocs", "custom_dir": "theme"})
    monkeypatch.setattr(Includes, "know", lambda *_args: [].pop())
    built = docs.build(strict=True)
    assert built.notices("No sitemap with dates is written")
    assert built.read("sitemap.xml").decode() == text


def test_an_error_of_ours_has_a_traceback_where_one_asks_for_it(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCS_SITEMAP_DEBUG", "1")
    monkeypatch.setattr(Includes, "know", lambda *_args: [].pop())
    built = docs.build()
    assert built.failed
    assert built.notices("pop from empty list")
