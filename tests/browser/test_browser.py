"""What a person sees who opens a sitemap in a browser: a real one, on the loopback."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from docs_sitemap.files.urlset import make_prolog, render_url, render_urlset
from docs_sitemap.pages.entries import Url
from tests.support import gitrepo
from tests.support.browser import EXAMPLE, STYLESHEET, Browser, Site, contrast, luminance, serving, text_of
from tests.support.sitemaps import assert_valid

STYLED = make_prolog("sitemap.css")
BASE = "https://docs.example.org/"
LONG = BASE + "reference/" + "a-name-that-somebody-thought-about/" * 9 + "x" * 200
ENTRIES = [
    *EXAMPLE,
    Url(BASE + "release/", "2026-08-20"),  # as written by hand: a day only
    Url(LONG, "2026-01-02T03:04:05+00:00", "monthly", 0.8),
    Url(BASE + "z/", None, "never", 0.1),
]

EXTENDED = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="sitemap.css"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:xhtml="http://www.w3.org/1999/xhtml"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>https://docs.example.org/</loc>
    <lastmod>2026-08-20</lastmod>
    <changefreq>weekly</changefreq>
    <priority>0.8</priority>
    <xhtml:link rel="alternate" hreflang="de" href="https://docs.example.org/de/"/>
    <xhtml:link rel="alternate" hreflang="zh-Hans" href="https://docs.example.org/zh/"/>
    <xhtml:link rel="alternate" hreflang="x-default" href="https://docs.example.org/"/>
    <image:image>
      <image:loc>https://docs.example.org/_images/one.png</image:loc>
    </image:image>
    <image:image>
      <image:loc>https://docs.example.org/_images/two.png</image:loc>
    </image:image>
  </url>
  <url>
    <loc>https://docs.example.org/de/</loc>
    <xhtml:link rel="alternate" hreflang="de" href="https://docs.example.org/de/"/>
    <image:image>
      <image:loc>https://docs.example.org/_images/three.png</image:loc>
    </image:image>
  </url>
</urlset>
"""

INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="sitemap.css"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap>
    <loc>https://docs.example.org/sitemap-1.xml</loc>
    <lastmod>2026-08-20T10:11:12+00:00</lastmod>
  </sitemap>
  <sitemap>
    <loc>https://docs.example.org/sitemap-2.xml</loc>
  </sitemap>
</sitemapindex>
"""

TEXT = [
    ("urlset", "::before"),
    ("urlset", "::after"),
    ("loc", "::before"),
    ("loc", "::after"),
    ("loc", None),
    ("lastmod", None),
    ("changefreq", None),
    ("priority", None),
    ("priority", "::before"),
    ("link", "::before"),
    ("image:last-of-type", "::after"),
]
"""All that has text, as selector and pseudo-element."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site of which only the sitemap is there."""
    folder = tmp_path / "site"
    folder.mkdir()
    with serving(folder) as site:
        put(site, render_urlset(map(render_url, ENTRIES), STYLED))
        yield site


def put(site: Site, document: bytes | str) -> None:
    data = document.encode() if isinstance(document, str) else document
    (site.folder / "sitemap.xml").write_bytes(data)
    (site.folder / "sitemap.css").write_bytes(STYLESHEET)


def open_sitemap(browser: Browser, site: Site) -> None:
    """Open it, and see that the browser shows neither an error nor its own tree of elements."""
    browser.open(site.base_url + "sitemap.xml")
    assert browser.run("return document.documentElement.localName") in ("urlset", "sitemapindex")
    shown = browser.run("return document.documentElement.textContent")
    assert "does not appear to have any style information" not in shown
    assert browser.run("return document.getElementsByTagName('parsererror').length") == 0
    assert browser.boxes("loc")[0].width > 0
    assert [line for line in browser.console() if "favicon.ico" not in line] == []


def painted(browser: Browser, tmp_path: Path) -> str:
    """The text that the browser paints on paper."""
    if shutil.which("pdftotext") is None:
        pytest.skip("not on PATH: pdftotext")
    return text_of(browser.printed(tmp_path / "page.pdf"))


def test_a_sitemap_is_a_table(browser: Browser, site: Site) -> None:
    open_sitemap(browser, site)
    rows, addresses, dates = (browser.boxes(name) for name in ("url", "loc", "lastmod"))
    assert len(rows) == len(addresses) == len(ENTRIES)
    assert len(dates) == sum(entry.lastmod is not None for entry in ENTRIES)
    assert min(min(box.width, box.height) for box in rows + addresses + dates) > 0
    assert len({box.left for box in addresses}) == 1
    assert len({box.left for box in dates}) == 1
    assert all(box.right <= dates[0].left for box in addresses)
    assert all(upper.bottom <= lower.top for upper, lower in pairwise(rows))
    for date in dates:  # each beside the last line of its own address
        assert sum(abs(date.bottom - address.bottom) < 1 for address in addresses) == 1


def test_what_is_said_besides_never_stands_in_the_column_of_dates(browser: Browser, site: Site) -> None:
    open_sitemap(browser, site)
    address = browser.boxes("url:last-child > loc")[0]
    (changefreq,) = browser.boxes("url:last-child > changefreq")
    assert changefreq.left == address.left
    assert changefreq.top >= address.bottom


@pytest.mark.parametrize("width", [1100, 320])
def test_long_addresses_wrap(browser: Browser, site: Site, width: int) -> None:
    browser.screen(width, 700)
    open_sitemap(browser, site)
    long, short = browser.boxes("url:nth-last-child(2) > loc")[0], browser.boxes("url:last-child > loc")[0]
    assert long.height >= 3 * short.height
    assert browser.run("return document.documentElement.scrollWidth") == width


def test_headings_addresses_and_dates_are_painted(browser: Browser, site: Site, tmp_path: Path) -> None:
    open_sitemap(browser, site)
    lines = painted(browser, tmp_path).split("\n")
    assert lines[0].strip() == "Sitemap"
    assert lines[1].strip() == f"Pages: {len(ENTRIES)}, each with the day of its last change, if known"
    assert ["Address", "Last", "changed"] in [line.split() for line in lines]
    for entry in EXAMPLE:
        day = [entry.lastmod[: len("2026-08-20")]] if entry.lastmod else []
        assert [entry.loc, *day] in [line.split() for line in lines]
    assert ["changes", "never", "priority", "0.1"] in [line.split() for line in lines]


def test_in_the_dark_the_paper_is_dark_and_the_text_light(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    browser.prefer("dark")
    open_sitemap(browser, site)
    assert luminance(browser.style("urlset", "backgroundColor")) < 0.05
    assert luminance(browser.style("loc", "color")) > 0.5
    browser.prefer("dark", "print")
    assert luminance(browser.style("urlset", "backgroundColor")) == 1
    browser.prefer("dark")
    picture = browser.look_at(browser.screenshot(tmp_path / "window.png"))
    assert max(picture.paper) < 50
    assert 0.01 < picture.ink < 0.2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_text_has_the_contrast_that_wcag_asks_for(browser: Browser, site: Site, scheme: str) -> None:
    """AA, 1.4.3: at least 4.5 to 1."""
    put(site, EXTENDED)
    browser.prefer(scheme)
    open_sitemap(browser, site)
    paper = browser.style("urlset", "backgroundColor")
    for selector, pseudo in TEXT:
        assert contrast(browser.style(selector, "color", pseudo), paper) >= 4.5, (selector, pseudo)


PHONES = [(320, 568), (844, 390), (768, 1024)]


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_text_is_legible_on_a_phone(browser: Browser, site: Site, width: int, height: int) -> None:
    """A phone lays the document out on 980 pixels: what counts is what reaches the screen."""
    browser.screen(width, height, phone=True)
    put(site, EXTENDED)
    open_sitemap(browser, site)
    layout = browser.run("return document.documentElement.clientWidth")
    assert layout == max(width, 980)
    # a pixel more is Chromium's own rounding, which the emptiest document shows too
    assert browser.run("return document.documentElement.scrollWidth") <= layout + 1
    for selector, pseudo in TEXT:
        size = float(browser.style(selector, "fontSize", pseudo).removesuffix("px"))
        assert 12 <= size * width / layout < 40, (selector, pseudo)


def test_on_a_phone_the_date_stands_below_its_address(browser: Browser, site: Site, tmp_path: Path) -> None:
    browser.screen(390, 844, phone=True, density=2)
    open_sitemap(browser, site)
    address, date = browser.boxes("loc")[0], browser.boxes("lastmod")[0]
    assert date.left == address.left
    assert date.top >= address.bottom
    picture = browser.look_at(browser.screenshot(tmp_path / "phone.png"))
    assert picture.width == 780
    assert 0.01 < picture.ink < 0.2


def test_an_index_is_a_table_of_sitemaps(browser: Browser, site: Site, tmp_path: Path) -> None:
    put(site, INDEX)
    open_sitemap(browser, site)
    addresses, dates = browser.boxes("loc"), browser.boxes("lastmod")
    assert len({box.left for box in addresses}) == 1
    assert addresses[0].right <= dates[0].left
    lines = painted(browser, tmp_path).split("\n")
    assert lines[0].strip() == "Sitemap index"
    assert lines[1].strip() == "Sitemaps: 2, each with the day of its last change, if known"
    assert ["https://docs.example.org/sitemap-1.xml", "2026-08-20"] in [line.split() for line in lines]


@pytest.mark.parametrize(("width", "phone"), [(1100, False), (600, False), (390, True), (320, True)])
def test_the_number_of_pages_covers_nothing(browser: Browser, site: Site, width: int, phone: bool) -> None:
    """It is known below the last page only, and stands below the heading, where a line is kept free."""
    browser.screen(width, 800, phone=phone)
    open_sitemap(browser, site)
    top, size, pad = (
        float(browser.style("urlset", name, pseudo).removesuffix("px"))
        for name, pseudo in (("top", "::after"), ("fontSize", "::before"), ("paddingTop", None))
    )
    height = float(browser.style("urlset", "height", "::after").removesuffix("px"))
    assert top == pytest.approx(pad + 1.2 * size, abs=2)  # of the heading's one line
    line = float(browser.style("url", "lineHeight").removesuffix("px"))
    assert height <= 2 * line  # a line that is free, and the margin below, which is as high
    assert browser.boxes("loc")[0].top >= top + height


def test_the_number_is_that_of_the_pages_and_not_of_the_images(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    put(site, EXTENDED)
    open_sitemap(browser, site)
    assert "Pages: 2," in painted(browser, tmp_path)


@pytest.mark.parametrize(("width", "phone"), [(1100, False), (390, True)])
def test_a_date_is_cut_after_its_day(browser: Browser, site: Site, width: int, phone: bool) -> None:
    browser.screen(width, 800, phone=phone)
    open_sitemap(browser, site)
    script = """
        const text = document.querySelector("lastmod").firstChild, range = document.createRange();
        range.setStart(text, 0);
        range.setEnd(text, arguments[0]);
        return range.getBoundingClientRect().right
    """
    edge = browser.boxes("lastmod")[0].right
    assert browser.run(script, len("2026-08-20")) == pytest.approx(edge, abs=0.5)
    assert browser.style("lastmod", "overflowX") == "hidden"


def test_alternates_are_codes_and_images_a_count(browser: Browser, site: Site, tmp_path: Path) -> None:
    put(site, EXTENDED)
    open_sitemap(browser, site)
    assert len({box.left for box in browser.boxes("url > loc")}) == 1
    assert {box.height for box in browser.boxes("image > loc")} == {0}
    text = painted(browser, tmp_path)
    assert "languages: de, zh-Hans, x-default" in text
    assert re.findall(r"images: (\d+)", text) == ["2", "1"]
    assert re.findall(r"https://\S+", text) == ["https://docs.example.org/", "https://docs.example.org/de/"]


def test_a_reader_can_find_and_copy(browser: Browser, site: Site) -> None:
    open_sitemap(browser, site)
    browser.screen(1100, 200)
    assert browser.run("return scrollY") == 0
    assert browser.run("return find(arguments[0])", EXAMPLE[-1].loc)
    assert browser.run("return getSelection().toString()") == EXAMPLE[-1].loc
    assert browser.run("return scrollY") > 0
    browser.run("getSelection().selectAllChildren(document.documentElement)")
    copied = browser.run("return getSelection().toString()").split()
    assert {entry.loc for entry in ENTRIES} <= set(copied)
    assert {entry.lastmod for entry in ENTRIES if entry.lastmod} <= set(copied)


def test_nothing_is_fetched_but_the_sitemap_and_its_stylesheet(browser: Browser, site: Site) -> None:
    put(site, EXTENDED)
    open_sitemap(browser, site)
    assert set(site.asked) - {"/favicon.ico"} == {"/sitemap.xml", "/sitemap.css"}
    loaded = browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in loaded if "favicon.ico" not in name] == [site.base_url + "sitemap.css"]


def test_the_stylesheet_is_small_knows_its_maker_and_asks_for_nothing() -> None:
    data = STYLESHEET
    assert len(data) < 3500
    assert data.isascii()
    assert data.startswith(b"/* Written by docs-sitemap */")
    assert not re.search(rb"@import|url\(|image-set|src\s*:|//", data)


@pytest.mark.parametrize("entries", [ENTRIES, ENTRIES[:1]], ids=len)
def test_a_styled_sitemap_passes_the_schema(site: Site, schemas: Path, entries: list[Url]) -> None:
    put(site, render_urlset(map(render_url, entries), STYLED))
    assert b"<?xml-stylesheet " in (site.folder / "sitemap.xml").read_bytes()
    assert_valid(site.folder / "sitemap.xml", schemas)


MATERIAL: dict[str, tuple[dict[str, object], dict[str, str]]] = {
    "ours": ({}, {}),
    "another filename": ({"filename": "pages.xml"}, {}),
    "split": ({"max_urls": 2}, {}),
    "preview": ({}, {"DOCS_SITEMAP_PREVIEW": "1"}),
}
"""Options and environments of a build: in the last three, sitemap.xml is not ours, or not the index."""


@pytest.mark.parametrize("case", MATERIAL)
def test_beside_material_with_instant_navigation(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """Material reads the sitemap in the browser: where it cannot, each link loads the whole page anew."""
    pytest.importorskip("material")
    from tests.support.mkdocssite import Docs

    options, environ = MATERIAL[case]
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    docs = Docs(tmp_path)
    docs.outdir.mkdir()
    with serving(docs.outdir) as site:
        theme = {"name": "material", "font": False, "features": ["navigation.instant"]}
        docs.conf(options, site_url=site.base_url, theme=theme)
        docs.pages("one.md", "über uns & so.md")
        docs.build().passed()
        browser.screen(1400, 700)  # wide enough for Material's sidebar
        browser.open(site.base_url)
        browser.wait("return performance.getEntriesByType('resource').some(e => /sitemap.xml/.test(e.name))")
        browser.run("window.survivor = true")
        browser.click(".md-nav--primary a[href$='one/']")
        browser.wait("return location.pathname === '/one/' && /one.md/.test(document.body.textContent)")
        browser.click(".md-nav--primary a[href*='ber']")
        browser.wait("return /ber%20uns/.test(location.pathname) && /so.md/.test(document.body.textContent)")
        assert browser.run("return window.survivor")
        assert browser.console() == []
        if case == "ours":
            open_sitemap(browser, site)
            assert len(browser.boxes("lastmod")) == 3


@pytest.mark.parametrize("case", ["ours", "preview"])
def test_switching_versions_in_material_stays_on_the_page_that_both_have(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """Material reads the other version's sitemap for that; without an entry it leads to the home page."""
    pytest.importorskip("material")
    from tests.support.mkdocssite import Docs

    options, environ = MATERIAL[case]
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "versions"
    root.mkdir()
    docs = Docs(root, repo=gitrepo.Repo(tmp_path / "repo"))
    with serving(root) as site:
        theme = {"name": "material", "font": False}
        for version, page in (("1.0", "gone.md"), ("2.0", "new.md")):
            docs.conf(
                options,
                site_url=f"{site.base_url}{version}/",
                theme=theme,
                extra={"version": {"provider": "mike"}},
            )
            docs.pages("über uns.md", page)
            assert not docs.build(out=version).failed
            docs.repo.git("rm", "-q", f"docs/{page}")
        versions: list[dict[str, object]] = [
            {"version": name, "title": name, "aliases": []} for name in ("2.0", "1.0")
        ]
        (root / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
        browser.screen(1400, 700)
        for page, stays in (("%C3%BCber%20uns/", True), ("gone/", False)):
            browser.open(f"{site.base_url}1.0/{page}")
            browser.wait("return document.querySelectorAll('.md-version__link').length === 2")
            browser.run("document.querySelector(\".md-version__link[href*='2.0']\").click()")
            browser.wait("return location.pathname.startsWith('/2.0/') && document.readyState === 'complete'")
            assert browser.run("return location.pathname") == f"/2.0/{page if stays else ''}"


@pytest.mark.parametrize("case", ["ours", "preview"])
def test_a_preview_of_a_link_in_material(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """Material shows one only for a page in the sitemap, without any of its features or settings."""
    pytest.importorskip("material")
    from tests.support.mkdocssite import Docs

    options, environ = MATERIAL[case]
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    docs = Docs(tmp_path)
    docs.outdir.mkdir()
    with serving(docs.outdir) as site:
        theme = {"name": "material", "font": False}
        docs.conf(options, site_url=site.base_url, theme=theme, markdown_extensions=["attr_list"])
        docs.page("index.md", "[one](one.md){ data-preview }")
        docs.save_page("one.md", "Seen in a preview.")
        assert not docs.build().failed
        browser.screen(1400, 700)
        browser.open(site.base_url)
        browser.wait("return performance.getEntriesByType('resource').some(e => /sitemap.xml/.test(e.name))")
        browser.hover("a[data-preview]")
        browser.wait("return /Seen in a preview/.test(document.body.textContent)")


def test_beside_furo(browser: Browser, tmp_path: Path) -> None:
    pytest.importorskip("furo")
    from tests.support.sphinxsite import Docs

    docs = Docs(tmp_path, repo=gitrepo.Repo(tmp_path / "repo"))
    folder = tmp_path / "out-html"
    folder.mkdir()
    with serving(folder) as site:
        docs.conf(html_theme="furo", html_baseurl=site.base_url)
        docs.pages("one.rst")
        docs.build().passed()
        browser.open(site.base_url)
        browser.click(".sidebar-tree a[href='one.html']")
        browser.wait("return location.pathname === '/one.html' && document.readyState === 'complete'")
        assert [line for line in browser.console() if "favicon.ico" not in line] == []
        open_sitemap(browser, site)
        assert len(browser.boxes("lastmod")) == 2
