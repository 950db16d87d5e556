"""Sitemaps are unpacked as gzip does, up to what the protocol allows, and read without DTD and entities."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

pytest.importorskip("lxml")

from docs_sitemap.limits import MAX_BYTES, MAX_URLS
from docs_sitemap.sitemaps import SitemapError, gunzip, read_bytes, read_document, read_entries

CONTENTS = [b"", b"x", b"<url/>" * 100_000, os.urandom(300_000)]
PADDING = b"\0" * 10_240


@pytest.mark.parametrize("data", CONTENTS, ids=len)
def test_what_gzip_takes_is_unpacked_and_what_it_refuses_is_broken(data: bytes) -> None:
    packed = gzip.compress(data)
    blocks = b"".join(gzip.compress(data[at : at + 65_280]) for at in range(0, max(len(data), 1), 65_280))
    for whole in (packed, packed + PADDING, blocks, packed + PADDING + gzip.compress(b"")):
        assert gunzip(whole) == data
    assert gunzip(packed + packed) == data * 2
    for broken in (packed[:-1], packed[:11], packed + b"x", packed[:-8] + b"\1" * 8):
        assert gunzip(broken) is None


def test_no_more_is_unpacked_than_a_sitemap_may_have(tmp_path: Path) -> None:
    whole, more = (gunzip(gzip.compress(b" " * (MAX_BYTES + extra))) for extra in (0, 50_000_000))
    assert whole is not None
    assert more is not None
    assert (len(whole), len(more)) == (MAX_BYTES, MAX_BYTES + 1)
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(more))
    with pytest.raises(SitemapError, match="more than 52,428,800 bytes"):
        read_bytes(tmp_path / "a.xml.gz")


def test_data_that_are_not_gzipped_stay_as_they_are() -> None:
    assert gunzip(b"<urlset/>") == b"<urlset/>"


URLSET = "<urlset><url><loc> x </loc><lastmod>2026-01-01</lastmod></url>\n<url><loc>y</loc></url></urlset>"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("declared", ["", '<?xml version="1.0" encoding="UTF-8"?>'])
def test_entries_are_read_with_and_without_a_mark_in_any_namespace(encoding: str, declared: str) -> None:
    document = read_entries(f"{declared}{URLSET}".encode(encoding), "s.xml")
    assert [(entry.loc, entry.lastmod) for entry in document.entries] == [("x", "2026-01-01"), ("y", None)]


def test_all_entries_are_read_also_more_than_an_engine_takes() -> None:
    data = b"<urlset>%b</urlset>" % (b"<url><loc>x</loc></url>" * (MAX_URLS + 9))
    assert len(read_entries(data, "s.xml").entries) == MAX_URLS + 9
    document = read_document("s.xml", data)
    assert len(document.entries) == MAX_URLS + 1
    assert [it.message for it in document.problems if it.rule == "F2"] == [
        "more than 50,000 URLs: the rest is not read"
    ]


BAD = {
    "a DOCTYPE": (
        b'<!DOCTYPE a [<!ENTITY i SYSTEM "file:///etc/passwd">]><urlset>&i;</urlset>',
        "has a DOCTYPE",
    ),
    "a DOCTYPE behind two marks": (
        b"\xef\xbb\xbf" * 2 + b'<!DOCTYPE a [<!ENTITY i "x">]><urlset/>',
        "does not start with < in UTF-8",
    ),
    "in UTF-16": (URLSET.encode("utf-16"), "is not UTF-8: byte 0xff"),
    "in UTF-7": (b'<?xml version="1.0" encoding="utf-7"?>+ADw-urlset/>', "the encoding utf-7, but must be"),
    "in UTF-16 without a mark": ("<urlset/>".encode("utf-16-le"), "does not start with < in UTF-8"),
    "an entity": (b"<urlset><url><loc>&i;</loc></url></urlset>", "not well-formed XML"),
    "no end": (b"<urlset><url>", r"not well-formed XML: .* \(line 1\)"),
    "depth": (b"<urlset>" + b"<url>" * 100_000, "not well-formed XML"),
    "no XML": (b"none", "does not start with <"),
    "a feed": (b"<rss/>", "is a feed, not a sitemap"),
    "a page": (b"<html/>", r"the root is html, not urlset or sitemapindex \(line 1\)"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_sitemap_is_one_error(kind: str) -> None:
    data, said = BAD[kind]
    with pytest.raises(SitemapError, match=f"^s.xml: .*{said}"):
        read_entries(data, "s.xml")


def test_a_file_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(SitemapError, match=r"none\.xml: cannot be read: No such file or directory"):
        read_bytes(tmp_path / "none.xml")


def test_a_stylesheet_is_found_before_the_root() -> None:
    data = b'<?xml version="1.0"?>' + b"\n<?a?><!---->" * 3
    ends = (b"<?xml-stylesheet href=a.xsl?><urlset/>", b"<urlset/>")
    assert [read_document("s.xml", data + end).xslt for end in ends] == [True, False]
