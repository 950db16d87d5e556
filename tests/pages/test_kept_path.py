from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from docs_sitemap import emit, read_options
from docs_sitemap.dates import page_dates
from docs_sitemap.history import Change
from docs_sitemap.options import Options
from docs_sitemap.pages import KeptPath, Page, Selection


@pytest.mark.parametrize("name", ["a/b.md", "é/\N{GRINNING FACE}.md", "\udc80", ""])
def test_a_kept_path_is_the_path(name: str) -> None:
    kept = KeptPath(name)
    assert os.fspath(kept) == name
    assert Path(kept) == Path(name)
    assert {kept: 1}[KeptPath(name)] == 1
    assert kept != KeptPath(name + "x")
    assert kept != Path(name)
    assert repr(kept) == f"KeptPath({name!r})"


def test_sources_take_little_memory_until_their_dates_are_known(tmp_path: Path) -> None:
    """100,000 names with an emoji took 671 MB, and others 400."""
    sizes = []
    for end in ("a", "\N{GRINNING FACE}"):
        tracemalloc.start()
        selection = Selection("https://example.org/", Options(), tmp_path)
        pages = (
            Page(url=str(number), source=tmp_path / f"{number}{'x' * 220}{end}") for number in range(1_000)
        )
        selection.add(pages)
        dated = page_dates(
            [files for _, files in selection.undated], lambda paths: dict.fromkeys(paths, SAID)
        )
        sizes.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert {date for date, _ in dated} == {7}
        assert all(isinstance(files.source, KeptPath) for _, files in selection.undated)
    assert sizes[1] < 1.2 * sizes[0]


SAID = Change("0" * 40, 7)


def test_a_source_behind_a_link_is_the_one_that_decides(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").touch()
    (tmp_path / "linked").symlink_to("docs")
    page = Page(url="a", source=tmp_path / "linked/a.md")
    report = emit([page], tmp_path, read_options({"base_url": "https://example.org/"}), environ={})
    [(_, files, dated)] = report.dated
    assert dated.decided_by == files.source == KeptPath(str(tmp_path / "linked/a.md"))
    assert dated.decided_by is not None
    assert files.how(dated.decided_by) == "the page is written in it"
