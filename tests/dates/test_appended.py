"""Files that snippets appends to every page: looked at once, whatever links lead to them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_sitemap.dates.evidence import abbreviations, names_in_file


def test_a_file_that_is_appended_by_many_names_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """40 links to one file of a megabyte took 44 s, and 200 of them two gigabytes."""
    (tmp_path / "0.md").write_text('*[HT]: Hyper Text\n--8<-- "more.md"\n')
    (tmp_path / "more.md").write_text("*[ML]: Markup\n")
    for number in range(1, 20):
        (tmp_path / f"{number}.md").symlink_to("0.md")
    read: list[str] = []
    define = abbreviations.defined_in

    def searched(name: str) -> dict[str, str]:
        read.append(name)
        return names_in_file(name)

    def parsed(text: str) -> Mapping[str, str]:
        read.append(text)
        return define(text)

    monkeypatch.setattr(abbreviations, "names_in_file", searched)
    appended = abbreviations.Appended([f"{number}.md" for number in range(20)], [str(tmp_path)])
    assert len(appended.files) == 21
    assert len(read) == 2
    read.clear()
    monkeypatch.setattr(abbreviations, "defined_in", parsed)
    found = appended.explained('<abbr title="Hyper Text">HT</abbr>', appended.files)
    assert len(found) == 20
    assert len(read) == 2
