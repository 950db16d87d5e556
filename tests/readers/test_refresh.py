"""Pages that lead elsewhere: a file and its bytes say the same."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

from docs_sitemap.limits import MAX_STUB
from docs_sitemap.readers.html import Head, head_of, read_head

REFRESH = '<meta http-equiv="refresh" content="0; url=other.html">'


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("<html><head></head><body>{}</body></html>", True),
        ("<html><body><p>Moved.{}", True),
        ("<HTML><BODY CLASS=x>{}", True),
        ("<html><head></head><body><template></template><noscript></noscript>{}", True),
        ("{}", True),
        ("<noscript>{}</noscript><script>location = 'other.html'</script>", True),  # in a head without tag
        ("<html><head><template>{}</template></head><body></body></html>", False),
        ("<html><head></head><body><!-- {} --></body></html>", False),
        ("<html><head></head><body><script>'{}'</script></body></html>", False),
        ("<html><head></head><body><style>{}</style></body></html>", False),
        ("<html><head></head><body><template><template></template>{}</template></body></html>", False),
        ("<html><head></head><body><noscript>{}</noscript></body></html>", False),
        ("<html><head></head><body><textarea>{}</textarea></body></html>", False),
        ("<html><head></head><body><xmp>{}</xmp></body></html>", False),
        ("<html><head></head><body><p title='{}'></body></html>", False),
    ],
)
def test_a_refresh_counts_where_browsers_obey_it(tmp_path: Path, text: str, leads: bool) -> None:
    """The reader of builds and that of the check say the same, in each spelling."""
    page = tmp_path / "a.html"
    for tag in (REFRESH, REFRESH.upper(), REFRESH.replace('"', "").replace("0; url", "0;url")):
        page.write_text(text.format(tag))
        head = read_head(page)
        assert head is not None
        assert bool(head.refresh) is bool(head_of(page.read_bytes()).refresh) is leads, tag


def test_a_refresh_that_is_shown_is_none(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(f"<html><head></head><body><code>{escape(REFRESH)}</code></body></html>")
    assert read_head(page) == Head()
    assert not head_of(page.read_bytes()).refresh


def test_the_body_of_a_long_page_is_not_searched(tmp_path: Path) -> None:
    """A page that only leads elsewhere is short."""
    page = tmp_path / "a.html"
    for length, leads in ((MAX_STUB - 1, True), (MAX_STUB, False)):
        text = f"<html><head></head><body>{REFRESH}"
        page.write_text(text.ljust(length, "x"))
        head = read_head(page)
        assert head is not None
        assert bool(head.refresh) is bool(head_of(page.read_bytes()).refresh) is leads
