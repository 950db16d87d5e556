"""Any pages, any options: what independent readers find in the files is what went in."""

from __future__ import annotations

import gzip
import re
import tempfile
import urllib.robotparser
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from docs_sitemap.emit import emit
from docs_sitemap.options import read_options
from docs_sitemap.page import Host, Page
from docs_sitemap.report import Report
from docs_sitemap.settings import PageSettings

# RFC 3986: scheme, authority, and a path of characters that may stand there and of escapes
ADDRESS = r"https?://[a-z0-9.:-]+/([A-Za-z0-9/:@!$&'()*+,;=._~-]|%[0-9A-Fa-f]{2})*"
S = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
ATOM = "{http://www.w3.org/2005/Atom}"
BASES = ["https://example.org/", "http://localhost:8000/a%20b/", "https://xn--exmple-cua.org/docs/"]
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)

any_character = st.characters(exclude_categories=())  # lone surrogates too
any_text = st.text(any_character, max_size=12) | st.sampled_from(
    ["]]>", "\x00\x07", "\ud800", "\u202eabc", "😀", "&amp;<b>", " \t", "\ufffe", "a\rb"]
)
segments = st.text(
    st.characters(codec="utf-8", exclude_characters="/?#"), min_size=1, max_size=8
) | st.sampled_from(
    ["a", "b", "", ".", "ü ß", "a%20b", "50%", "it's", "R&D", "<c>", "😀", "]]>", "\u202er", "index.html"]
)
paths = st.lists(segments, max_size=3).map("/".join)
dates = st.sampled_from([None, "none", "2020-02-29", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.25+02:00"])
changefreqs = st.sampled_from([None, "daily", "never"])
priorities = st.sampled_from([None, 0.0, 0.25, 1.0])


@st.composite
def pages(draw: st.DrawFn) -> Page:
    said = PageSettings(lastmod=draw(dates), changefreq=draw(changefreqs), priority=draw(priorities))
    images = tuple(draw(st.lists(paths.filter(bool), max_size=3)))
    return Page(url=draw(paths), settings=said, title=draw(any_text), summary=draw(any_text), images=images)


@st.composite
def values(draw: st.DrawFn) -> dict[str, Any]:
    base = draw(st.sampled_from(BASES))
    found: dict[str, Any] = {
        "base_url": base,
        "formats": draw(
            st.lists(st.sampled_from(["xml", "gz", "txt", "atom", "rss"]), min_size=1, unique=True)
        ),
        "max_urls": draw(st.integers(1, 6)),
        "filename": draw(st.sampled_from(["sitemap.xml", "plan é&%.xml", "--x--.xml"])),
        "stylesheet": draw(st.booleans()),
        "images": draw(st.booleans()),
        "changefreq": draw(changefreqs),
        "priority": draw(priorities),
        "robots": draw(st.booleans()),
        "feed_entries": draw(st.integers(1, 5)),
    }
    if draw(st.booleans()):
        found["languages"] = {"en": base, "pt_BR": "https://example.org/pt br/", "x-default": base}
    return found


@dataclass(frozen=True)
class Found:
    lastmod: str | None
    changefreq: str | None
    priority: float | None
    alternates: frozenset[tuple[str, str]]
    images: tuple[str, ...]


def _root(data: bytes) -> Any:
    return etree.fromstring(data, PARSER)


def _entry(url: Any) -> Found:
    order = [child.tag for child in url if child.tag.startswith(S)]
    assert order == sorted(
        order, key=[f"{S}{name}" for name in ("loc", "lastmod", "changefreq", "priority")].index
    )
    priority = url.findtext(f"{S}priority")
    return Found(
        url.findtext(f"{S}lastmod"),
        url.findtext(f"{S}changefreq"),
        None if priority is None else float(priority),
        frozenset((link.get("hreflang"), link.get("href")) for link in url.iter(f"{XHTML}link")),
        tuple(image.text for image in url.iter(f"{IMAGE}loc")),
    )


def _read_xml(folder: Path, base: str, name: str, max_urls: int) -> dict[str, Found]:
    """Follow an index as a crawler does, and check each part on the way."""

    def load(file: str) -> Any:
        data = (folder / file).read_bytes()
        return _root(gzip.decompress(data) if file.endswith(".gz") else data)

    root = load(name)
    parts = [root]
    if root.tag == f"{S}sitemapindex":
        names = [unquote(loc.text.removeprefix(base)) for loc in root.iter(f"{S}loc")]
        parts = [load(part) for part in names]
        assert len(parts) > 1
    found: dict[str, Found] = {}
    for part in parts:
        assert part.tag == f"{S}urlset"
        assert 1 <= len(part) <= max_urls
        used = {etree.QName(element).namespace for element in part.iter() if isinstance(element.tag, str)}
        assert set(part.nsmap.values()) == used
        for url in part:
            loc = url.findtext(f"{S}loc")
            assert loc not in found
            found[loc] = _entry(url)
    return found


def _address(path: str) -> bytes:
    """What a path means, whatever its escapes: the bytes that a server sees, without empty segments."""
    parts = path.encode("utf-8", "surrogateescape").split(b"/")
    decoded = [unquote_to_bytes(part) for part in parts]
    kept = [part for part in decoded if part not in (b"", b".")]
    return b"/".join(kept) + (b"/" if kept and decoded[-1] in (b"", b".") else b"")


def _publish(site: list[Page], said: dict[str, Any], folder: Path) -> Report:
    return emit(site, folder, read_options(said, str), Host(None, "site_url", str, title="T"), environ={})


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(pages(), min_size=1, max_size=9), values())
def test_what_is_read_is_what_was_given(site: list[Page], said: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = _publish(site, said, folder)
        base, formats = said["base_url"], said["formats"]
        locs = {url.loc for url in report.urls}
        refused = report.left_out["impossible address"]
        # nothing lost, nothing invented, by the meaning of the addresses
        assert {unquote_to_bytes(loc.removeprefix(base)) for loc in locs} >= {
            _address(page.url) for page in site if ".." not in unquote(page.url) and "\ud800" not in page.url
        } - ({b""} if refused else set())
        assert all(loc.startswith(base) for loc in locs)
        assert all(re.fullmatch(ADDRESS, loc) for loc in locs)
        expected = {
            url.loc: Found(url.lastmod, url.changefreq, url.priority, _alternates(url.loc, said), url.images)
            for url in report.urls
        }
        _check_settings(site, report, said)
        files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert files == set(report.written)
        has_xml, has_gz = "xml" in formats, "gz" in formats
        for suffix in [""] * has_xml + [".gz"] * (has_gz and (has_xml or "txt" not in formats)):
            assert _read_xml(folder, base, said["filename"] + suffix, said["max_urls"]) == expected
        for file in files:
            data = (folder / file).read_bytes()
            if file.endswith(".gz"):
                assert (
                    not (plain := folder / file[:-3]).exists() or gzip.decompress(data) == plain.read_bytes()
                )
            elif file.endswith(".xml"):
                _root(data)
        if "txt" in formats:
            texts = [
                (folder / file).read_text()
                for file in sorted(files)
                if file.endswith(".txt") and file != "robots.txt"
            ]
            assert sorted(line for text in texts for line in text.splitlines()) == sorted(locs)
        _check_robots(folder, base, files, said)
        _check_feed(folder, report, said)


def _alternates(loc: str, said: dict[str, Any]) -> frozenset[tuple[str, str]]:
    if "languages" not in said:
        return frozenset()
    path = loc.removeprefix(said["base_url"])
    portuguese = "https://example.org/pt%20br/" + path
    return frozenset({("en", loc), ("pt-BR", portuguese), ("x-default", loc)})


def _check_settings(site: list[Page], report: Report, said: dict[str, Any]) -> None:
    """Compare with the pages for those addresses that only one page claims."""
    claims: dict[bytes, list[Page]] = {}
    for page in site:
        claims.setdefault(_address(page.url), []).append(page)
    for url in report.urls:
        claiming = claims.get(unquote_to_bytes(url.loc.removeprefix(said["base_url"])), [])
        if len(claiming) != 1:
            continue
        own = claiming[0].settings
        assert url.lastmod == (None if own.lastmod == "none" else own.lastmod)
        assert url.changefreq == (own.changefreq or said["changefreq"])
        assert url.priority == (said["priority"] if own.priority is None else own.priority)
        assert (url.title, url.summary) == (claiming[0].title, claiming[0].summary)
        assert len(url.images) <= (len(set(claiming[0].images)) if said["images"] else 0)


def _check_robots(folder: Path, base: str, files: set[str], said: dict[str, Any]) -> None:
    assert ("robots.txt" in files) == (said["robots"] and len(files) > 0)
    if "robots.txt" not in files:
        return
    parser = urllib.robotparser.RobotFileParser()
    parser.parse((folder / "robots.txt").read_text().splitlines())
    named = [unquote(url.removeprefix(unquote(base)).removeprefix(base)) for url in parser.site_maps() or []]
    assert named
    assert all((folder / unquote(name)).is_file() or (folder / name).is_file() for name in named)


def _check_feed(folder: Path, report: Report, said: dict[str, Any]) -> None:
    dated = sum(url.lastmod is not None for url in report.urls)
    wanted = "atom" in said["formats"]
    assert (folder / "atom.xml").is_file() == (wanted and dated > 0)
    if wanted and dated:
        feed = _root((folder / "atom.xml").read_bytes())
        assert len(feed.findall(f"{ATOM}entry")) == min(dated, said["feed_entries"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(pages(), max_size=6), values(), st.lists(pages(), max_size=6), values())
def test_a_later_build_leaves_what_a_first_one_would(
    first: list[Page], said: dict[str, Any], second: list[Page], later: dict[str, Any]
) -> None:
    """Where robots.txt is ours or XML is written, by which our text files are known."""
    said, later = {**said, "robots": True}, {**later, "robots": True}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        (Path(one) / "theirs.xml").write_bytes(b"theirs")
        _publish(first, said, Path(one))
        _publish(second, later, Path(one))
        _publish(second, later, Path(other))
        left = {path.name: path.read_bytes() for path in Path(one).iterdir()}
        fresh = {path.name: path.read_bytes() for path in Path(other).iterdir()}
        assert left == {**fresh, "theirs.xml": b"theirs"}


@settings(max_examples=150, deadline=None)
@given(st.text(any_character, max_size=30))
def test_any_address_is_listed_or_refused_by_name(url: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        report = _publish([Page(url=url), Page(url="other/")], {"base_url": BASES[0]}, Path(name))
        warnings = [notice for notice in report.notices if notice.subtype == "address"]
        assert report.left_out["impossible address"] == len(warnings)
        assert len(report.urls) + len(warnings) == 2 or _address(url) == b"other/"
