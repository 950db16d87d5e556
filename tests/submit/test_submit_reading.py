"""Any sitemap is read, whoever wrote it; no file of a site or server can do harm."""

from __future__ import annotations

import gzip
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

pytest.importorskip("httpx")
pytest.importorskip("lxml")

from docs_sitemap.changes import Changed, compare
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Page
from docs_sitemap.submit import reading
from docs_sitemap.submit.indexnow import Key, find_base_url, find_key, key_files
from docs_sitemap.submit.reading import find_sitemap, read_file, read_web
from docs_sitemap.submit.web import Web
from tests.files.test_emit import BASE, run
from tests.support.engine import Play, is_endless, says, serving

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
WEB = Web(1.0, retries=0)


def urlset(*entries: str) -> bytes:
    return f'<urlset xmlns="{NS}">{"".join(entries)}</urlset>'.encode()


def url(loc: str, lastmod: str = "") -> str:
    return f"<url><loc>{loc}</loc>" + (f"<lastmod>{lastmod}</lastmod>" if lastmod else "") + "</url>"


def index(*locs: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="{NS}">{entries}</sitemapindex>'.encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sitemap.xml"


# what is read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formats", "max_urls"), [("xml", 50), ("gz", 50), ("txt", 50), ("txt gz", 50), ("xml", 3), ("gz", 3)]
)
def test_what_we_write_is_read(tmp_path: Path, formats: str, max_urls: int) -> None:
    date = PageSettings(lastmod="2024-05-01")
    pages = [Page(url=f"ü/{n}/", settings=date) for n in range(10)]
    run(pages, tmp_path, formats=formats.split(), max_urls=max_urls)
    found = read_file(find_sitemap(tmp_path))
    assert set(found) == {f"{BASE}%C3%BC/{n}/" for n in range(10)}
    assert set(found.values()) == {None if "txt" in formats else "2024-05-01"}


def test_what_others_write_is_read(file: Path) -> None:
    file.write_bytes(
        b'\xef\xbb\xbf<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?>\n<!-- x -->\n'
        b'<s:urlset xmlns:s="https://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="urn:i">'
        b"<s:url><s:loc>\n https://e.org/caf\xc3\xa9?a=1&amp;b=2#top </s:loc><s:lastmod> 2024 </s:lastmod>"
        b"<image:image><image:loc>https://e.org/i.png</image:loc></image:image></s:url>"
        b"<s:url><s:loc>/relative</s:loc></s:url><s:url><s:loc>https://u:p@e.org/</s:loc></s:url>"
        b"<s:url><s:loc>https://[::1/</s:loc></s:url><s:url/></s:urlset>"
    )
    assert read_file(file) == {"https://e.org/caf%C3%A9?a=1&b=2": "2024"}


def test_what_is_left_out_is_said_once_a_file(tmp_path: Path, file: Path) -> None:
    """Two of one part and one of another, the index's own, and no word of a password."""
    file.write_bytes(index("https://e.org/a.xml", "https://e.org/b.xml", "//c.xml"))
    (tmp_path / "a.xml").write_bytes(urlset(url("https://u:secret@e.org/"), url("/x"), url("https://e.org/")))
    (tmp_path / "b.xml").write_bytes(urlset(url("https://u:secret@e.org/"), url("https://e.org/b")))
    said: list[str] = []
    assert read_file(file, say=said.append).keys() == {"https://e.org/", "https://e.org/b"}
    expected = "expected absolute http or https URLs of fewer than 2,048 characters, got"
    assert said == [
        f"{file}: {expected} 1 entry without one, for example '//c.xml': left out.",
        f"{tmp_path}/a.xml: {expected} 2 entries without one, for example '/x': left out.",
        f"{tmp_path}/b.xml: {expected} 1 entry without one: left out.",
    ]


def test_a_list_of_addresses_is_read(file: Path) -> None:
    file.write_text("\ufeffhttps://e.org/a\r\n\r\n  https://e.org/b  \n", encoding="utf-8")
    assert read_file(file) == {"https://e.org/a": None, "https://e.org/b": None}
    file.write_text("")
    assert read_file(file) == {}


# where the parts of an index lie -----------------------------------------------------------------


@pytest.mark.parametrize("base_url", ["", "https://e.org/docs/"])
def test_parts_lie_where_their_addresses_end(tmp_path: Path, base_url: str) -> None:
    folder = tmp_path / "en" / "latest"
    folder.mkdir(parents=True)
    (tmp_path / "sitemap.xml").write_bytes(
        index("https://e.org/docs/en/latest/sitemap.xml", "https://e.org/docs/b%20.xml.gz")
    )
    (folder / "sitemap.xml").write_bytes(urlset(url("https://e.org/docs/a")))
    (tmp_path / "b .xml.gz").write_bytes(gzip.compress(urlset(url("https://e.org/docs/b"))))
    found = read_file(tmp_path / "sitemap.xml", base_url)
    assert set(found) == {"https://e.org/docs/a", "https://e.org/docs/b"}


def test_a_part_that_is_not_there_is_said(file: Path) -> None:
    file.write_bytes(index("https://e.org/one.xml"))
    with pytest.raises(
        DocsSitemapError, match=r"not all of the 1 sitemaps .* for example https://e.org/one.xml"
    ):
        read_file(file)
    with pytest.raises(
        DocsSitemapError, match=r"its part https://e\.org/one\.xml is not below https://f.org/"
    ):
        read_file(file, "https://f.org/")


@pytest.mark.parametrize(
    "name", ["../secret.xml", "%2e%2e/secret.xml", "link/secret.xml", "linked.xml", "%00.xml"]
)
def test_no_part_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "secret.xml").write_bytes(urlset(url("https://e.org/secret")))
    (folder / "link").symlink_to(tmp_path)
    (folder / "linked.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "sitemap.xml").write_bytes(index(f"https://e.org/{name}"))
    for base_url in ("", "https://e.org/"):
        with pytest.raises(DocsSitemapError, match="not all of"):
            read_file(folder / "sitemap.xml", base_url)


def test_a_sitemap_that_leads_out_of_its_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_bytes(urlset())
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitemap.xml").symlink_to(tmp_path / "secret.xml")
    with pytest.raises(DocsSitemapError, match="leads out of its folder"):
        read_file(find_sitemap(tmp_path / "site"))


# what is refused ----------------------------------------------------------------------------------

BAD = {
    "html": (
        b"<!DOCTYPE html><html><body>Not found</body></html>",
        "has a DOCTYPE",
    ),
    "feed": (b"<rss/>", "is a feed, not a sitemap"),
    "cut off": (urlset(url("https://e.org/"))[:-20], "not well-formed"),
    "empty tag": (b"<", "not well-formed"),
    "file": (
        b'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + urlset(url("https://e.org/&x;")),
        "has a DOCTYPE",
    ),
    "bomb": (gzip.compress(b"<urlset>" + b" " * MAX_BYTES), "more than 52,428,800 bytes"),
    "broken gz": (gzip.compress(urlset())[:20], "is not a valid gzip file"),
    "words": (b"Not found", "neither a sitemap nor a list of URLs"),
    "\x1b": (b"<\x1b[31m/>", "not well-formed"),
    "nested": (index("https://e.org/bad.xml"), "is also an index"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_sitemap_is_one_sentence(tmp_path: Path, name: str) -> None:
    data, said = BAD[name]
    (tmp_path / "bad.xml").write_bytes(data)
    (tmp_path / "sitemap.xml").write_bytes(index("https://e.org/bad.xml"))
    with pytest.raises(DocsSitemapError, match=said) as caught:
        read_file(tmp_path / "sitemap.xml" if name == "nested" else tmp_path / "bad.xml")
    assert str(caught.value).isprintable()
    if name in ("html", "words", "broken gz"):
        with serving(says(200, data)) as engine, pytest.raises(DocsSitemapError, match=said):
            read_web(engine.url + "/sitemap.xml", Web(20.0, retries=0))


# over the web ---------------------------------------------------------------------------------------


def test_an_index_on_the_web_is_read_with_its_parts() -> None:
    paths: dict[str, Play] = {
        "/one.xml.gz": says(200, gzip.compress(urlset(url("https://e.org/a", "2024-01-01")))),
        "/two.xml": says(200, urlset(url("https://e.org/b"))),
    }
    with serving(paths=paths) as engine:
        paths["/sitemap.xml"] = says(200, index(engine.url + "/one.xml.gz", engine.url + "/two.xml"))
        found = read_web(engine.url + "/sitemap.xml", WEB)
    assert found == {"https://e.org/a": "2024-01-01", "https://e.org/b": None}


def test_a_part_on_another_host_is_not_asked_for() -> None:
    with (
        serving() as other,
        serving(says(200, index(other.url + "/x.xml"))) as engine,
        pytest.raises(DocsSitemapError, match="on another host"),
    ):
        read_web(engine.url + "/sitemap.xml", WEB)
    assert other.asked == []


TROUBLES: list[tuple[Play, str]] = [
    (says(404), r"no sitemap \(404\)\."),
    (says(301, Location="https://e.org/"), r"leads elsewhere \(301\)"),
    (says(403), "the server answered 403"),
    (says(500), "the server answered 500"),
]


@pytest.mark.parametrize(("play", "said"), TROUBLES)
def test_what_the_web_does_not_give_is_said(play: Play, said: str) -> None:
    with serving(play) as engine, pytest.raises(DocsSitemapError, match=said):
        read_web(engine.url + "/sitemap.xml", WEB)


def test_an_endless_sitemap_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1 << 20)  # 50 MB take long
    with serving(is_endless) as engine, pytest.raises(DocsSitemapError, match="more than 52,428,800 bytes"):
        read_web(engine.url + "/sitemap.xml", Web(20.0, retries=0))


@pytest.mark.parametrize(
    ("name", "limit", "said"),
    [
        ("MAX_SITE", 400, "its parts have more than 400 bytes in total"),
        ("MAX_READ_SECONDS", 1, "more than 1 seconds"),
    ],
)
def test_parts_on_the_web_have_limits_together(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: int, said: str
) -> None:
    """150 MB and ten minutes are too long for a test."""
    monkeypatch.setattr(reading, name, limit)

    def slowly(response: BaseHTTPRequestHandler) -> None:
        time.sleep(0.6)
        says(200, urlset(url("https://e.org/a"), url("https://e.org/b")))(response)

    paths: dict[str, Play] = {f"/{number}.xml": slowly for number in range(3)}
    with serving(paths=paths) as engine:
        paths["/sitemap.xml"] = says(200, index(*(engine.url + path for path in paths)))
        with pytest.raises(DocsSitemapError, match=said):
            read_web(engine.url + "/sitemap.xml", WEB)


def test_an_address_is_as_long_as_it_is_sent(tmp_path: Path, file: Path) -> None:
    """One of 2,000 characters had 12,000 bytes when it was encoded, and no part of it was counted."""
    short, long = (f"https://e.org/{letters}" for letters in ("é" * 300, "中" * 300))
    said: list[str] = []
    for data in (urlset(url(short), url(long)), f"{short}\n{long}\n".encode()):
        file.write_bytes(data)
        said.clear()
        assert [len(address) for address in read_file(file, say=said.append)] == [14 + 300 * 6]
        assert "https://e.org/中" in said[0]


def test_an_address_has_no_fragment(file: Path) -> None:
    file.write_bytes(urlset(url("https://e.org/a#b"), url("https://e.org/a##[c]"), url("https://e.org/é#d")))
    assert [*read_file(file)] == ["https://e.org/a", "https://e.org/%C3%A9"]


# what changed -----------------------------------------------------------------------------------------


def test_new_changed_and_removed_addresses_and_no_others() -> None:
    old = {"/same": "2024-01-01", "/gone": "2024-01-01", "/new date": "2024-01-01", "/none": None}
    new = {"/same": "2024-01-01", "/new date": "2024-01-02", "/none": None, "/first": None}
    changed = Changed("/new date", "2024-01-01", "2024-01-02")
    assert compare(old, new) == (["/first"], ["/gone"], [changed])
    assert compare(old, old) == ([], [], [])


SAME = [
    ("2024-05-01", "2024-05-01"),
    ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00+00:00"),
    ("2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00+00:00"),
    ("2024-05-01", "2024-05-01T23:59:59+00:00"),
    ("2024-05-01T23:59:59+00:00", "2024-05-01"),
    (None, None),
    ("soon", "soon"),
]
OTHER = [
    ("2024-05-01", "2024-05-02"),
    ("2024-05-02", "2024-05-01"),
    ("2024-05-01T10:00:00Z", "2024-05-01T10:00:01Z"),
    ("2024-05-01", "2024-05-02T00:00:00+00:00"),
    (None, "2024-05-01"),
    ("2024-05-01", None),
    ("soon", "2024-05-01"),
    ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00-14:00"),
]


@pytest.mark.parametrize(("old", "new"), SAME + OTHER)
def test_another_moment_is_a_change(old: str | None, new: str | None) -> None:
    assert bool(compare({"/": old}, {"/": new}).changed) == ((old, new) in OTHER)


# the key and its place ------------------------------------------------------------------------------

KEY = "0123456789abcdef"


def test_the_build_s_key_file_is_found_with_its_address(tmp_path: Path) -> None:
    run([Page(url="a")], tmp_path, site="https://e.org/docs/", indexnow_key=KEY)
    base_url = find_base_url(tmp_path / "sitemap.xml")
    assert base_url == "https://e.org/docs/"
    key = find_key(tmp_path, "", "", base_url)
    assert key == Key(KEY, f"https://e.org/docs/{KEY}.txt")
    assert KEY not in repr(key)


def test_only_files_that_have_their_own_name_in_them_are_key_files(tmp_path: Path) -> None:
    (tmp_path / f"{KEY}.txt").write_text(KEY + "\r\n")
    (tmp_path / "other-key.txt").write_text(KEY)
    (tmp_path / "short.txt").write_text("short")
    (tmp_path / "long-long.txt").write_text("long-long" + " " * 5000)
    (tmp_path / "folder-key.txt").mkdir()
    (tmp_path / "linked-key.txt").symlink_to(tmp_path / "long-long.txt")
    assert key_files(tmp_path) == sorted([KEY, "long-long"])
    with pytest.raises(DocsSitemapError, match="has 2 IndexNow key files: choose a"):
        find_key(tmp_path, "", "", BASE)


def test_where_a_key_file_may_be(tmp_path: Path) -> None:
    """At the root, if nothing else is known; not in a folder whose address is not known."""
    assert find_key(tmp_path, "", "", "") is None
    assert find_key(tmp_path, KEY, "", "") == Key(KEY, "")
    (tmp_path / f"{KEY}.txt").write_text(KEY)
    with pytest.raises(DocsSitemapError, match="--base-url") as caught:
        find_key(tmp_path, "", "", "")
    assert KEY not in str(caught.value)


TWO = "Sitemap: https://a.org/sitemap.xml\nSitemap: https://b.org/sitemap.xml"


@pytest.mark.parametrize(
    "text",
    ["", "Sitemap: /sitemap.xml", "Sitemap: https://e.org/map.xml", "Sitemap: ftp://e.org/sitemap.xml", TWO],
)
def test_a_robots_txt_that_does_not_tell_tells_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "robots.txt").write_text(text)
    assert find_base_url(tmp_path / "sitemap.xml") == ""
