"""A script that writes the sitemap of pages of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, assert_type

import docs_sitemap
from docs_sitemap import Page, PageSettings, Report, emit, read_options


def pages(folder: Path) -> Iterator[Page]:
    for file in folder.rglob("*.md"):
        url = file.relative_to(folder).with_suffix("").as_posix() + "/"
        yield Page(url=url, source=file, settings=PageSettings(priority=0.5, sources=("data/prices.csv",)))


def main(folder: Path, site: Path) -> None:
    options = read_options({"base_url": "https://example.org/", "max_urls": "1000", "exclude": ["drafts/"]})
    assert_type(options.base_url, str | None)
    assert_type(options.max_urls, int)
    assert_type(options.clock, Literal["committer", "author"])
    assert_type(options.exclude, tuple[str, ...])
    report = emit(pages(folder), site, options)
    assert_type(report, Report)
    assert_type([url.loc for url in report.urls], list[str])
    assert_type([url.lastmod for url in report.urls], list[str | None])
    assert_type(report.left_out["noindex"], int)
    assert_type(report.written, list[str])
    assert_type(docs_sitemap.__version__, str)
