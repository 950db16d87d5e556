"""Files that snippets appends to every page are part of those that have an abbreviation from them."""

from __future__ import annotations

from pathlib import Path

from docs_sitemap.dates.evidence.named import Appended


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
