"""The key file of IndexNow: written beside the sitemap, ours as long as our files say so, and never named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.errors import OutputError
from docs_sitemap.files.emission import emit
from docs_sitemap.files.urlset import key_mark
from docs_sitemap.pages.page import Host, Page
from tests.files.test_emit import BASE, options, run, spell
from tests.support import sitemaps
from tests.support.services import NETLIFY_PREVIEW

KEY = "0123456789abcdef-ABCDEF"
FILE = f"{KEY}.txt"


def pages(number: int = 1) -> list[Page]:
    return [Page(url=f"{name}/") for name in range(number)]


def names(outdir: Path) -> set[str]:
    return {path.relative_to(outdir).as_posix() for path in outdir.rglob("*") if path.is_file()}


def test_the_file_has_the_key_and_nothing_else(tmp_path: Path) -> None:
    report = run(pages(), tmp_path, indexnow_key=KEY)
    assert (tmp_path / FILE).read_bytes() == KEY.encode()
    assert report.written[0] == FILE
    assert len(sitemaps.read(tmp_path / "sitemap.xml")) == 1


def test_it_lies_beside_a_sitemap_that_has_a_folder(tmp_path: Path) -> None:
    """There it covers what that sitemap may list, and no more."""
    run([Page(url="maps/a")], tmp_path, indexnow_key=KEY, filename="maps/sitemap.xml")
    assert (tmp_path / "maps" / FILE).read_bytes() == KEY.encode()


def test_the_sitemap_does_not_tell_the_key(tmp_path: Path, schemas: Path) -> None:
    for max_urls in (50_000, 1):
        run(pages(2), tmp_path, indexnow_key=KEY, formats=["xml", "gz", "txt"], max_urls=max_urls)
        for path in tmp_path.iterdir():
            assert path.name == FILE or KEY.encode() not in path.read_bytes()
    sitemaps.assert_valid(tmp_path / "sitemap-1.xml", schemas)
    assert len(key_mark(KEY)) == 8  # no more than 32 bits: not enough to find a key with


@pytest.mark.parametrize(
    "before",
    [
        {},
        {"formats": ["gz"]},
        {"max_urls": 1},
        {"filename": "maps/map.xml"},
        {"filename": "é" * 120 + ".xml", "formats": ["xml", "gz", "txt"]},
        {"stylesheet": False},
    ],
)
def test_it_goes_when_the_option_goes(tmp_path: Path, before: dict[str, Any]) -> None:
    found = [Page(url="maps/a"), Page(url="maps/b")]
    run(found, tmp_path / "out", indexnow_key=KEY, **before)
    assert any(name.endswith(FILE) for name in names(tmp_path / "out"))
    run(found, tmp_path / "out")
    run(found, tmp_path / "fresh")
    assert names(tmp_path / "out") == names(tmp_path / "fresh")


def test_a_preview_and_a_site_without_pages_have_none(tmp_path: Path) -> None:
    run(pages(), tmp_path, indexnow_key=KEY)
    run(pages(), tmp_path, indexnow_key=KEY, environ=NETLIFY_PREVIEW)
    assert names(tmp_path) == set()
    run([], tmp_path, indexnow_key=KEY)
    assert names(tmp_path) == set()


def test_a_key_file_that_a_generator_copied_stays(tmp_path: Path) -> None:
    """To the byte it is as ours would be: only our own files tell them apart."""
    (tmp_path / FILE).write_text(KEY)
    run(pages(), tmp_path)
    run(pages(), tmp_path, indexnow_key="another-key")
    run(pages(), tmp_path)
    assert (tmp_path / FILE).read_text() == KEY


@pytest.mark.parametrize("content", ["", KEY + "\n", KEY[:-1], "theirs"])
def test_a_file_of_that_name_with_other_content_stays(tmp_path: Path, content: str) -> None:
    run(pages(), tmp_path, indexnow_key=KEY)
    (tmp_path / FILE).write_text(content)
    run(pages(), tmp_path)
    assert (tmp_path / FILE).read_text() == content


def test_a_key_file_among_the_sources_stays_and_its_name_is_not_said(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(KEY + "\n")

    def own(name: str) -> str:
        return "docs_dir" if name == FILE else ""

    for values in ({"indexnow_key": KEY}, {}):
        report = emit(
            pages(), tmp_path, options(**values), Host(BASE, "site_url", spell), own=own, environ={}
        )
        assert (tmp_path / FILE).read_text() == KEY + "\n"
        assert KEY not in "".join(notice.text for notice in report.notices)
        said = [notice.text for notice in report.notices if notice.subtype == "own"]
        key_file = "docs_dir contains the site's own IndexNow key file: it is kept, and none is generated."
        assert said == ([key_file] if values else [])


def test_a_failure_does_not_say_the_key(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(OutputError) as caught:
        run(pages(), tmp_path, indexnow_key=KEY)
    assert "cannot write KEY.txt" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_key_that_is_named_like_a_text_sitemap_costs_no_sitemap(tmp_path: Path) -> None:
    run(pages(2), tmp_path, indexnow_key="sitemap-1", formats=["xml", "txt"], max_urls=1)
    texts = [(tmp_path / f"sitemap-{number}.txt").read_text() for number in (1, 2)]
    assert "".join(texts).count(BASE) == 2
    run(pages(2), tmp_path, indexnow_key="sitemap-1", formats=["xml", "txt"], max_urls=1)
    assert [(tmp_path / f"sitemap-{number}.txt").read_text() for number in (1, 2)] == texts
