"""What readers see of a page's date, in the themes that people use, and no second one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.browser import Browser, serving
from tests.support.footers import FOOTERS

DATE = re.compile(r"\d{4}")


@pytest.mark.parametrize("theme", FOOTERS)
def test_readers_see_the_date_below_the_page(browser: Browser, tmp_path: Path, theme: str) -> None:
    footer = FOOTERS[theme](tmp_path)
    with serving(footer.folder) as site:
        browser.open(site.base_url + footer.page)
        texts = browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText)", footer.selector
        )
        assert len(texts) == 1
        assert footer.shown in texts[0]
        assert len(DATE.findall(texts[0])) == 1
        (box,) = browser.boxes(footer.selector)
        assert box.height > 5
        head = browser.run(
            "return document.head.querySelector('[property=\"article:modified_time\"]')?.content ?? null"
        )
        assert head == ("2026-03-15T11:00:00+00:00" if footer.has_head else None)
