"""How files are found that make a page: what is read, what plugins return, what is appended to pages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.evidence.named import Appended
from docs_sitemap.dates.evidence.reads import Observer, Reads
from docs_sitemap.notices import Notice


@pytest.fixture
def listening() -> Iterator[Reads]:
    recording = Reads()
    recording.listen()
    yield recording
    recording.close()


def test_only_what_git_has_counts(tmp_path: Path, listening: Reads) -> None:
    (tmp_path / "in/sub").mkdir(parents=True)
    (tmp_path / "in/.git/objects").mkdir(parents=True)
    names = [tmp_path / name for name in ("in/a", "in/sub/b", "in/.git/objects/c", "d")]
    for name in names:
        name.write_text("")
        name.read_text()
    assert listening.take() == {str(name): __name__ for name in names[:2]}


@pytest.mark.skipif(sys.platform == "win32", reason="no folder is removed while it is used")
@pytest.mark.usefixtures("listening")
def test_what_cannot_be_noted_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, the working folder is gone, so that a relative path has no absolute one."""
    (tmp_path / "there").write_text("text")
    (tmp_path / "gone").mkdir()
    folder = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    try:
        with open(os.open("there", os.O_RDONLY, dir_fd=folder)) as stream:
            assert stream.read() == "text"
    finally:
        os.close(folder)


@pytest.mark.core
def test_an_error_in_watching_another_plugin_is_ignored() -> None:
    told: list[Notice] = []
    plugin, guard = SimpleNamespace(add=lambda number: number + 1), BuildGuard(told.append)
    Observer(guard).watch(plugin, "add", lambda *_args: [].pop())
    assert [plugin.add(1), plugin.add(2)] == [2, 3]
    assert not guard.is_over
    assert not told


def test_an_abbreviation_is_explained_by_the_file_that_defines_it(tmp_path: Path) -> None:
    """Also by one that the appended file names, and that names it in return."""
    (tmp_path / "a.md").write_text('*[HT]: Hyper Text\n--8<-- "more.md"\n')
    (tmp_path / "more.md").write_text('*[ML]: Markup\n--8<-- "a.md"\n--8<-- "none.md"\n')
    appended = Appended(["a.md"], [str(tmp_path)])
    first, second = str(tmp_path / "a.md"), str(tmp_path / "more.md")
    assert appended.files == {first, second}
    html = '<abbr title="Markup">ML</abbr>'
    assert appended.explained(html, appended.files) == {second: "it defines the abbreviation ML"}
    assert appended.explained(html, [first]) == {}
    assert appended.explained("ML", appended.files) == {}
