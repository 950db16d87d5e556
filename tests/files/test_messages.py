"""What a message shows of names: whatever they are, one line of text that moves no cursor."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from docs_sitemap.dates.installed import CHANGED
from docs_sitemap.dates.site_dates import Dated
from docs_sitemap.files import messages
from docs_sitemap.files.emission import emit
from docs_sitemap.history import Reason, Unknown
from docs_sitemap.options.declarations import read_options
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.page import Files, Host, Page

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its names have no such characters")

NAME = "n\x1b[31m\x1b]0;T\x07\n\x9bm\u2028\udcffevil"


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
