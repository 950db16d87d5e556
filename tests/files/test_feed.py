from __future__ import annotations

import html
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from docs_sitemap.files.feed import Feed, newest, render_atom, render_rss
from docs_sitemap.pages.entries import Url
from tests.support.feeds import Read, read_atom, read_rss

HOME = "https://example.org/docs/"
DAY = "2026-08-20"

PAGE = Url(HOME + "guide/", DAY, title="Guide", summary="How to begin.")
FEED = Feed("The docs", HOME, HOME + "feed.xml", [PAGE], "en")


@dataclass(frozen=True)
class Format:
    render: Callable[[Feed], bytes]
    read: Callable[[bytes], Read]


FORMATS = pytest.mark.parametrize(
    "form",
    [Format(render_atom, read_atom), Format(render_rss, read_rss)],
    ids=["atom", "rss"],
)


def feed_of(*entries: Url, title: str = "The docs") -> Feed:
    return replace(FEED, entries=entries, title=title)


# --- what stands in a feed ---


HARD = Url(HOME, "2026-08-20T12:00:00+02:00", created=DAY, title="a & <b>", summary="a & <b>")


def test_atom_is_what_rfc_4287_asks_for() -> None:
    """An id that no entry has (4.2.6), an author (4.1.1), and texts that say that they are plain (3.1.1)."""
    assert (
        render_atom(feed_of(PAGE, HARD, title="c & <d>")).decode()
        == f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by docs-sitemap -->
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>{HOME}feed.xml</id>
  <title>c &amp; &lt;d&gt;</title>
  <updated>2026-08-20T10:00:00+00:00</updated>
  <author><name>c &amp; &lt;d&gt;</name></author>
  <generator>docs-sitemap</generator>
  <link rel="self" type="application/atom+xml" href="{HOME}feed.xml"/>
  <link rel="alternate" type="text/html" href="{HOME}"/>
  <entry>
    <id>{HOME}</id>
    <title>a &amp; &lt;b&gt;</title>
    <updated>2026-08-20T10:00:00+00:00</updated>
    <published>2026-08-20T00:00:00+00:00</published>
    <link rel="alternate" type="text/html" href="{HOME}"/>
    <summary type="text">a &amp; &lt;b&gt;</summary>
  </entry>
  <entry>
    <id>{HOME}guide/</id>
    <title>Guide</title>
    <updated>2026-08-20T00:00:00+00:00</updated>
    <link rel="alternate" type="text/html" href="{HOME}guide/"/>
    <summary type="text">How to begin.</summary>
  </entry>
</feed>
"""
    )


def test_rss_is_what_its_profile_asks_for() -> None:
    """Plain texts are escaped in hexadecimal, and a description is HTML."""
    assert (
        render_rss(feed_of(PAGE, HARD, title="c & <d>")).decode()
        == f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by docs-sitemap -->
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>c &#x26; &#x3C;d&#x3E;</title>
    <link>{HOME}</link>
    <description>c &#x26; &#x3C;d&#x3E;</description>
    <language>en</language>
    <lastBuildDate>Thu, 20 Aug 2026 10:00:00 +0000</lastBuildDate>
    <generator>docs-sitemap</generator>
    <atom:link rel="self" type="application/rss+xml" href="{HOME}feed.xml"/>
    <item>
      <title>a &#x26; &#x3C;b&#x3E;</title>
      <link>{HOME}</link>
      <guid isPermaLink="true">{HOME}</guid>
      <pubDate>Thu, 20 Aug 2026 10:00:00 +0000</pubDate>
      <description>a &amp;amp; &amp;lt;b&amp;gt;</description>
    </item>
    <item>
      <title>Guide</title>
      <link>{HOME}guide/</link>
      <guid isPermaLink="true">{HOME}guide/</guid>
      <pubDate>Thu, 20 Aug 2026 00:00:00 +0000</pubDate>
      <description>How to begin.</description>
    </item>
  </channel>
</rss>
"""
    )


@FORMATS
def test_a_page_without_title_is_called_by_its_path(form: Format) -> None:
    locs = [HOME, HOME + "a%20b/%C3%A9/", HOME + "c.html", HOME + "%20", "https://example.org/up/%C3%BC"]
    titles = [
        entry.title for entry in form.read(form.render(feed_of(*(Url(loc, DAY) for loc in locs)))).entries
    ]
    assert dict(zip(sorted(locs), titles, strict=True)) == {
        HOME: "The docs",
        HOME + "a%20b/%C3%A9/": "a b/é",
        HOME + "c.html": "c.html",
        HOME + "%20": "The docs",
        "https://example.org/up/%C3%BC": "https://example.org/up/ü",
    }


@FORMATS
def test_a_site_without_title_is_called_by_its_address(form: Format) -> None:
    assert form.read(form.render(feed_of(PAGE, title=""))).title == "example.org/docs"
    assert (
        form.read(form.render(replace(FEED, title=" ", home="https://example.org/"))).title == "example.org"
    )


@FORMATS
def test_pages_without_a_date_are_left_out(form: Format) -> None:
    data = form.render(feed_of(Url(HOME + "new"), PAGE))
    assert [entry.id for entry in form.read(data).entries] == [PAGE.loc]


# --- dates ---

DATES = {
    "2026-08-20": "2026-08-20T00:00:00+00:00",
    "2024-05-01T10:00:00.25+02:00": "2024-05-01T08:00:00+00:00",
    "2024-02-29T23:59:59.999999999Z": "2024-02-29T23:59:59+00:00",
    "2023-12-31T20:00:00-05:00": "2024-01-01T01:00:00+00:00",
    "2024-05-01T10:00:00+14:00": "2024-04-30T20:00:00+00:00",
    "0001-01-02T00:00:00Z": "0001-01-02T00:00:00+00:00",
    "9999-12-31T23:59:59Z": "9999-12-31T23:59:59+00:00",
}


@FORMATS
@pytest.mark.parametrize("lastmod", DATES)
def test_a_date_is_the_instant_of_the_lastmod_in_utc(lastmod: str, form: Format) -> None:
    data = form.render(feed_of(Url(HOME, lastmod)))
    assert form.read(data).date.isoformat() == form.read(data).entries[0].date.isoformat() == DATES[lastmod]


# --- which pages are in it ---


def locs(urls: list[Url]) -> str:
    return "".join(url.loc for url in urls)


def test_newest_compares_instants_and_not_texts() -> None:
    urls = [
        Url("a", "2024-05-01"),
        Url("b", "2024-05-01T00:00:00+02:00"),  # two hours before a
        Url("c", "2024-04-30T23:00:00-02:00"),  # one hour after a
        Url("d", "2024-05-01T00:00:00.000001Z"),
        Url("e", "2024-05-01T00:00:00Z"),
    ]
    assert locs(newest(urls, 9)) == "cdaeb"
    assert locs(newest(urls, 2)) == "cd"


@pytest.mark.parametrize("lastmod", [None, "", "yesterday", "12026-01-01", "0001-01-01T00:00:00+14:00"])
def test_a_page_without_a_date_that_a_feed_can_write_is_never_among_the_newest(lastmod: str | None) -> None:
    assert newest([Url("a", lastmod)], 5) == []


# --- the same bytes everywhere ---


@FORMATS
def test_the_order_of_the_pages_does_not_matter(form: Format) -> None:
    urls = [Url(f"{HOME}{n}", f"2026-01-{n % 3 + 1:02}", title=str(n)) for n in range(12)]
    assert form.render(feed_of(*urls[::-1])) == form.render(feed_of(*urls[5:], *urls[:5]))


PROGRAM = """
import locale, sys
locale.setlocale(locale.LC_ALL, "")
from datetime import date
from docs_sitemap.files.feed import Feed, render_atom, render_rss
from docs_sitemap.pages.entries import Url
feed = Feed("T", "https://e.org/", "https://e.org/f", [
    Url("https://e.org/a", "2026-05-20"), Url("https://e.org/b", "2026-03-29T02:30:00+02:00")])
sys.stderr.write(date(2026, 5, 20).strftime("%a %b"))
sys.stdout.buffer.write(render_atom(feed) + render_rss(feed))
"""


def run(**environ: str) -> tuple[bytes, bytes]:
    """Return a feed, and how the locale writes a date, of a process with other settings."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **environ}, capture_output=True, check=True
    )
    return done.stdout, done.stderr


def test_a_feed_is_the_same_in_every_time_zone() -> None:
    feed = run(TZ="Pacific/Apia")
    assert feed == run(TZ="America/St_Johns")
    assert b"Wed, 20 May 2026 00:00:00 +0000" in feed[0]


def test_a_feed_is_in_english_in_every_locale(tmp_path: Path) -> None:
    """Makes a locale of its own, because few machines have any but C."""
    made = tmp_path / "de_DE.UTF-8"
    try:
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", made], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("localedef is not installed")
    if not (made / "LC_TIME").is_file():
        pytest.skip("localedef has no source of de_DE")
    feed, date = run(LOCPATH=str(tmp_path), LC_ALL="de_DE.UTF-8")
    assert date == b"Mi Mai"
    assert feed == run(LC_ALL="C")[0]


# --- any text ---

ANY_TEXT = st.text(st.characters(codec=None), max_size=30)  # with controls, surrogates, all planes
HARD_TEXTS = [
    "]]>",
    "<![CDATA[x]]>",
    "&amp; &lt; &#38; &#x26;",
    "<script>alert(1)</script>",
    "a\x00b\x0b\x1f\x7f\x85",
    "\ud800 \udfff \ud83d\ude00 \ufffe\uffff",
    "\r\n \r \n \t x",
    "  leading and trailing  ",
    "\u202eright to left\u202c \u0627\u0644",
    "👩‍🚀 \U0001fffe \U0010ffff",
    "-->",
    "'\"`",
    "\ufeffx",
]


def readable(text: str) -> str:
    """Return a text with U+FFFD for what XML 1.0 cannot hold (production 2), from its list, not ours."""

    def is_char(code: int) -> bool:
        return (
            code in (0x9, 0xA, 0xD)
            or 0x20 <= code <= 0xD7FF
            or 0xE000 <= code <= 0xFFFD
            or 0x10000 <= code <= 0x10FFFF
        )

    return "".join(char if is_char(ord(char)) else "\ufffd" for char in text)


def summary_of(text: str) -> str | None:
    return readable(text) if text.strip() else None


@FORMATS
@pytest.mark.parametrize("text", HARD_TEXTS, ids=range(len(HARD_TEXTS)))
def test_hard_texts_read_back_as_they_were(text: str, form: Format) -> None:
    data = form.render(feed_of(Url(HOME, DAY, title=text, summary=text), title=text))
    found = form.read(data)
    assert {found.title, found.entries[0].title, found.entries[0].summary} == {readable(text)}


@FORMATS
def test_addresses_and_languages_are_escaped_wherever_they_stand(form: Format) -> None:
    """They should be clean; where they are not, the document is well-formed all the same."""
    dirty = "https://e.org/?a=1&b='2'\"<c>\x00"
    root = etree.fromstring(form.render(Feed("t", dirty, dirty, [Url(dirty, DAY)], dirty)))
    clean = readable(dirty)
    assert {value for value in root.itertext() if "e.org" in value} == {clean}
    assert {link.get("href") for link in root.iter("{*}link") if "href" in link.attrib} == {clean}


# --- as feedparser reads it ---


def parsed(data: bytes) -> Any:
    feedparser = pytest.importorskip("feedparser")
    found = feedparser.parse(data)
    assert not found.bozo, found.get("bozo_exception")
    return found


def is_left_alone(text: str) -> bool:
    """Tell whether feedparser reads a text as it is: it mends what looks like Windows-1252 or Latin-1."""
    if any("\x80" <= char <= "\x9f" for char in text):
        return False
    try:
        return text.encode("latin-1").decode("utf-8") == text
    except UnicodeError:
        return True


PLAIN = ANY_TEXT.filter(is_left_alone)
NO_MARKUP = st.text(st.characters(codec=None, exclude_characters="<&"), max_size=30).filter(is_left_alone)


def assert_same(found: Any, page: Url, expected_title: str) -> None:
    (entry,) = found.entries
    assert (entry.id, entry.link, entry.title) == (page.loc, page.loc, readable(expected_title).strip())
    summary = entry.get("summary", "")
    expected = (summary_of(page.summary) or "").strip()
    assert (html.unescape(summary) if found.version == "rss20" else summary) == expected
    assert (found.feed.title, found.feed.link, found.feed.language) == ("The docs", HOME, "en")
    assert [link.href for link in found.feed.links if link.rel == "self"] == [FEED.address]


@pytest.mark.readers
@given(title=PLAIN, summary=PLAIN)
@example(title="", summary="\x0c")
@settings(deadline=None, max_examples=20)
def test_feedparser_reads_atom_as_it_was_written(title: str, summary: str) -> None:
    page = Url(HOME + "a", "2024-05-01T10:00:00+02:00", title=title, summary=summary)
    found = parsed(render_atom(feed_of(page)))
    assert found.version == "atom10"
    assert_same(found, page, title if title.strip() else "a")
    assert found.entries[0].updated_parsed[:6] == found.feed.updated_parsed[:6] == (2024, 5, 1, 8, 0, 0)
    assert found.feed.author == "The docs"


@pytest.mark.readers
@given(title=NO_MARKUP, summary=PLAIN)
@example(title="", summary="\x0c")
@settings(deadline=None, max_examples=20)
def test_feedparser_reads_rss_as_it_was_written(title: str, summary: str) -> None:
    page = Url(HOME + "a", "2024-05-01T10:00:00+02:00", title=title, summary=summary)
    found = parsed(render_rss(feed_of(page)))
    assert found.version == "rss20"
    assert_same(found, page, title if title.strip() else "a")
    assert found.entries[0].published_parsed[:6] == found.feed.updated_parsed[:6] == (2024, 5, 1, 8, 0, 0)
    assert found.entries[0].guidislink is False  # a permalink beside a link of its own


@pytest.mark.readers
def test_markup_in_a_summary_is_shown_and_not_run_by_a_reader_of_html() -> None:
    text = "<script>alert(1)</script> & <b>bold</b> &amp;"
    summary = parsed(render_rss(feed_of(Url(HOME, DAY, summary=text)))).entries[0].summary
    assert "<" not in summary
    assert html.unescape(summary) == text
