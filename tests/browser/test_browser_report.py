"""What a person sees who opens a report in a browser: a real one, with and without script."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from tests.support.browser import Browser, Site, contrast, report_site, serving, text_of, write_report

HEADS = ["Page", "Last changed", "Days older"]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A folder in which only the report is served, on a site with something to say in each section."""
    folder = tmp_path / "served"
    folder.mkdir()
    write_report(report_site(tmp_path / "built"), folder / "report.html")
    with serving(folder) as served:
        yield served


def open_report(browser: Browser, site: Site) -> None:
    """Open it, and see that the browser has nothing to say against it."""
    browser.open(site.base_url + "report.html")
    assert browser.console() == []


def rows(browser: Browser, column: int) -> list[str]:
    """Return the texts of a column of the oldest pages, as they stand."""
    script = (
        "return [...document.querySelectorAll('#oldest + table tbody tr')]"
        ".map(row => row.cells[arguments[0]].textContent)"
    )
    return list(browser.run(script, column))


def sort(browser: Browser, column: int) -> str | None:
    """Click the head of a column of the oldest pages; return the order that it then announces."""
    head = f"#oldest + table th:nth-child({column + 1})"
    browser.click(f"{head} button")
    order = browser.run("return document.querySelector(arguments[0]).ariaSort", head)
    return None if order is None else str(order)


def test_a_click_on_a_head_sorts_by_it_and_a_second_the_other_way(browser: Browser, site: Site) -> None:
    open_report(browser, site)
    days = rows(browser, 2)
    assert days == sorted(days, key=as_number, reverse=True)
    assert sort(browser, 2) == "ascending"
    assert rows(browser, 2) == sorted(days, key=as_number)
    assert as_number(rows(browser, 2)[-1]) > 1000  # which as text would stand before 15
    assert sort(browser, 2) == "descending"
    assert rows(browser, 2) == sorted(days, key=as_number, reverse=True)
    assert sort(browser, 0) == "ascending"
    assert rows(browser, 0) == sorted(rows(browser, 0))
    script = "return document.querySelectorAll('#oldest + table [aria-sort]').length"
    assert browser.run(script) == 1
    assert browser.console() == []


def as_number(text: str) -> int:
    return int(text.replace(",", ""))


def test_dates_sort_by_time_and_not_as_they_are_written(browser: Browser, site: Site) -> None:
    open_report(browser, site)
    oldest_first = rows(browser, 1)
    assert oldest_first != sorted(oldest_first)
    assert sort(browser, 1) == "descending"
    assert sort(browser, 1) == "ascending"
    assert [text[-4:] for text in rows(browser, 1)] == sorted(text[-4:] for text in oldest_first)
    script = "return [...document.querySelectorAll('#oldest + table time')].map(time => time.dateTime)"
    assert browser.run(script) == sorted(browser.run(script))


def test_heads_are_reached_and_used_by_keyboard(browser: Browser, site: Site) -> None:
    open_report(browser, site)
    browser.run("document.querySelector('#oldest + table th:nth-child(3) button').focus()")
    assert browser.run("return document.activeElement.textContent") == "Days older"
    before = rows(browser, 2)
    browser.press("ENTER")
    assert rows(browser, 2) == before[::-1]


def test_without_script_all_is_there(browser: Browser, site: Site) -> None:
    open_report(browser, site)
    assert browser.run("return document.querySelectorAll('button').length") > 10
    with_script = browser.run("return document.querySelector('main').textContent")
    browser.scripts(False)
    open_report(browser, site)
    assert browser.run("return document.querySelectorAll('button').length") == 0
    assert browser.run("return document.querySelector('main').textContent") == with_script
    assert browser.run("return [...document.querySelectorAll('#oldest + table thead th')]"
                       ".map(head => head.textContent)") == HEADS  # fmt: skip
    assert all(box.width and box.height for box in browser.boxes("h2, table.sortable a, .bar"))
    for word in (
        "noindex",
        "How old the pages are",
        "Not committed.",
        "1 page added.",
        "1 page with another date.",
    ):
        assert word in with_script


def test_the_plot_is_painted(browser: Browser, site: Site, tmp_path: Path) -> None:
    open_report(browser, site)
    browser.run("document.querySelector('#ages').scrollIntoView()")
    picture = browser.look_at(browser.screenshot(tmp_path / "window.png"))
    assert (picture.width, picture.height) == (1100, 700)
    assert picture.paper == b"\xff\xff\xff"
    assert picture.colours[bytes.fromhex("2f6fb0")] > 2000
    assert 0.01 < picture.ink < 0.2


def test_it_is_dark_where_the_reader_s_system_is(browser: Browser, site: Site, tmp_path: Path) -> None:
    browser.prefer("dark")
    open_report(browser, site)
    browser.run("document.querySelector('#ages').scrollIntoView()")
    picture = browser.look_at(browser.screenshot(tmp_path / "window.png"))
    assert max(picture.paper) < 50
    assert picture.colours[bytes.fromhex("6ea8e0")] > 2000
    assert 0.01 < picture.ink < 0.2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_text_has_the_contrast_that_wcag_asks_for(browser: Browser, site: Site, scheme: str) -> None:
    """AA: 4.5 to 1 for text (1.4.3), 3 to 1 for bars and focus (1.4.11)."""
    browser.prefer(scheme)
    open_report(browser, site)
    script = """
        const colours = new Set();
        for (const element of document.querySelectorAll("body *")) {
            const texts = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
            if (texts && element.getClientRects().length)
                colours.add(getComputedStyle(element)[element.closest("svg") ? "fill" : "color"]);
        }
        return [...colours];
    """
    colours = browser.run(script)
    paper = browser.style("html", "backgroundColor")
    assert len(colours) >= 4
    for colour in colours:
        assert contrast(colour, paper) >= 4.5, colour
    assert contrast(browser.style(".bar", "fill"), paper) >= 3


@pytest.mark.parametrize(("width", "height"), [(320, 568), (844, 390)])
def test_on_a_phone_nothing_is_cut_off_or_too_small(
    browser: Browser, site: Site, width: int, height: int
) -> None:
    browser.screen(width, height, phone=True, density=2)
    open_report(browser, site)
    assert browser.run("return document.documentElement.clientWidth") == width
    assert browser.run("return document.documentElement.scrollWidth") == width
    for box in browser.boxes("h1, h2, dd, td, th, svg text, .bar"):
        assert box.left >= 0, box
        assert box.right <= width, box
    for selector in ("p", "td", "thead th", "svg text", "caption", "code"):
        assert float(browser.style(selector, "fontSize").removesuffix("px")) >= 12, selector


def test_on_a_phone_a_finding_ends_with_its_fix(browser: Browser, site: Site) -> None:
    """Five columns do not fit: the cells of a rule stand one below another."""
    browser.screen(400, 800, phone=True)
    open_report(browser, site)
    names = (".level", "th", "td:nth-child(4)", ".fix")
    level, rule, what, fix = (browser.boxes(f".findings thead + tbody {name}")[0] for name in names)
    assert level.top == rule.top
    assert fix.top >= what.bottom > rule.bottom
    assert fix.width > 350


def test_on_a_phone_causes_and_changes_are_cards_and_days_take_one_line(browser: Browser, site: Site) -> None:
    """A fix was a column of two words a line, and a date had three lines."""
    browser.screen(400, 800, phone=True)
    open_report(browser, site)
    for table in ("#undated + table", "#changes ~ table:has(.long)"):
        cells = [browser.boxes(f"{table} tbody tr > :nth-child({number})")[0] for number in (1, 2, 3)]
        assert all(cell.width > 350 for cell in cells)
        assert all(above.bottom <= below.top + 1 for above, below in pairwise(cells))
    assert all(box.bottom - box.top < 30 for box in browser.boxes("#oldest + table time"))


def test_labels_of_the_plot_do_not_touch(browser: Browser, site: Site) -> None:
    browser.screen(320, 568, phone=True)
    open_report(browser, site)
    texts = browser.boxes("svg text")
    for number, one in enumerate(texts):
        for other in texts[number + 1 :]:
            apart = one.right <= other.left or other.right <= one.left
            assert apart or one.bottom <= other.top or other.bottom <= one.top


def test_nothing_is_fetched_but_the_report(browser: Browser, site: Site) -> None:
    open_report(browser, site)
    assert site.asked == ["/report.html"]
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def test_no_script_but_its_own_would_run(browser: Browser, site: Site) -> None:
    """Were there a way to put markup into the page, the policy would still stop it."""
    file = site.folder / "report.html"
    evil = b"<script>window.evil = 1</script><img src=x onerror='window.evil = 2'><iframe src=y></iframe>"
    file.write_bytes(file.read_bytes().replace(b"</main>", evil + b"</main>"))
    browser.open(site.base_url + "report.html")
    assert browser.run("return document.querySelectorAll('button').length") > 10
    assert browser.run("return window.evil ?? null") is None
    assert site.asked == ["/report.html"]
    browser.console()


def test_it_prints_with_the_numbers_of_the_plot(browser: Browser, site: Site, tmp_path: Path) -> None:
    browser.prefer("dark")
    open_report(browser, site)
    lines = text_of(browser.printed(tmp_path / "page.pdf"))
    for word in ("How old the pages are", "How many pages have which age.", "less than a year", "noindex"):
        assert word in lines
    assert lines.count("Days older") > 1  # the head is on each page
    assert "guide/install/" in lines
    assert "docs.example.org/guide" not in lines
