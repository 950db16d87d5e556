"""What a message shows of names: whatever they are, one line of text that moves no cursor."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from docs_sitemap.dates.installed import CHANGED
from docs_sitemap.dates.site_dates import Dated
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.files import messages
from docs_sitemap.files.emission import emit
from docs_sitemap.files.output import OutputFolder
from docs_sitemap.history import Reason, Unknown
from docs_sitemap.options.configuration import read_configuration
from docs_sitemap.options.declarations import read_options
from docs_sitemap.options.page_settings import read_metadata
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.page import Files, Host, Page

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its names have no such characters")

NAME = "n\x1b[31m\x1b]0;T\x07\n\x9bm\u2028\udcffevil"
SHOWN = ascii(NAME)


def test_a_page_with_mistakes(tmp_path: Path) -> None:
    folder = tmp_path / NAME
    metadata = {"sitemap": {"priority": 5, "none-such": 1, "sources": "a"}, "sitemap-lastmod": "x"}
    for value in (metadata, {"sitemap": 5}):
        notices = read_metadata(value, f"{NAME}.md", folder)[2]
        assert all(notice.text.isprintable() for notice in notices)
        assert all("evil.md': sitemap" in notice.text for notice in notices)
        assert notices


def test_a_build(tmp_path: Path) -> None:
    out = tmp_path / "a\x1b[31mb"
    out.mkdir()
    source = tmp_path / NAME
    page = Page(url="a/", source=source, evidence={}, alternates=())
    options = read_options({"filename": "a\x9bm.xml"})
    report = emit(
        [page], out, options, Host("https://example.org/"), own=lambda name: str(source), environ={}
    )
    texts = [notice.text for notice in report.notices]
    assert any("contains the site's own" in text for text in texts)
    report = emit([page], out, options, Host("https://example.org/"), environ={})
    texts += [notice.text for notice in report.notices]
    texts += messages.on_pages(report)
    unknown = [Unknown(reason, NAME) for reason in Reason]
    doubt = CHANGED._replace(example=NAME)
    url, known = Url("https://example.org/a/"), Files(source)
    report.dated = [(url, known, Dated(each, source)) for each in unknown]
    report.dated.append((url, Files(None, undated=doubt), Dated(unknown[0])))
    report.causes = messages.causes_of(report.dated)
    texts += [notice.text for notice in messages.on_missing_dates(report, unknown, options)]
    texts += messages.on_pages(report)
    assert [text for text in texts if not text.isprintable()] == []


def test_the_output(tmp_path: Path) -> None:
    gone = tmp_path / NAME
    with pytest.raises(OutputError, match="gone") as caught:
        OutputFolder(gone)
    said = [str(caught.value)]
    gone.mkdir()
    (gone / "folder").mkdir()
    (gone / "out").symlink_to(tmp_path)
    with pytest.raises(OutputError) as caught:
        OutputFolder(gone).read_whole("folder", 10)
    said.append(str(caught.value))
    for name in ("folder", f"out/{NAME}"):
        with OutputFolder(gone).changes() as changes, pytest.raises(OutputError) as caught:
            changes.write(name, b"")
        said.append(str(caught.value))
    assert [text for text in said if not text.isprintable()] == []
    assert len(said) == 4


def test_a_configuration(tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_text("a = 1")
    said = [read_configuration(file).spell("a")]
    file.write_text("[")
    with pytest.raises(OptionError) as caught:
        read_configuration(file)
    said.append(str(caught.value))
    file.unlink()
    with pytest.raises(OptionError) as caught:
        read_configuration(file)
    said.append(str(caught.value))
    assert [text for text in said if not text.isprintable()] == []
