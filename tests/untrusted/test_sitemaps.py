"""Gzipped sitemaps are unpacked as gzip does, but in time that their size explains; tags have a limit."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from docs_sitemap.limits import EVENT_WEIGHT, MAX_ATTRIBUTES, MAX_BYTES, MAX_LOC
from docs_sitemap.untrusted.sitemaps import (
    SitemapError,
    gunzip,
    lines_of,
    parse_entries,
    read_prolog,
    text_of,
    weight,
)

CONTENTS = [b"", b"x", b"<url/>" * 100_000, os.urandom(300_000)]
PADDING = b"\0" * 10_240


@pytest.mark.parametrize("data", CONTENTS, ids=len)
def test_what_gzip_takes_is_unpacked(data: bytes) -> None:
    packed = gzip.compress(data)
    blocks = b"".join(gzip.compress(data[at : at + 65_280]) for at in range(0, max(len(data), 1), 65_280))
    for whole in (packed, packed + PADDING, blocks, packed + PADDING + gzip.compress(b"")):
        assert gzip.decompress(whole) == data
        assert gunzip(whole).data == data
    assert gunzip(packed + packed).data == data * 2


@pytest.mark.parametrize("data", CONTENTS, ids=len)
def test_what_gzip_refuses_is_broken(data: bytes) -> None:
    packed = gzip.compress(data)
    for broken in (packed[:-1], packed[:11], packed + b"x", packed[:-8] + b"\1" * 8):
        assert gunzip(broken).data is None


def test_data_that_are_not_gzipped_stay_as_they_are() -> None:
    assert gunzip(b"<urlset/>") == (b"<urlset/>", 9)


def test_a_line_takes_no_more_memory_than_its_bytes() -> None:
    for end in ("", "é", "😀"):
        line = f" {'x' * 1_000_000}{end}\u3000".encode()
        text = text_of(line)
        assert sys.getsizeof(text) < len(line) + 100
    assert text_of(" https://example.org/😀\u3000".encode()) == "https://example.org/😀"
    assert len(text_of("😀".encode() * MAX_LOC)) == MAX_LOC


def test_no_more_is_unpacked_than_a_sitemap_may_have() -> None:
    whole, more = (gunzip(gzip.compress(b" " * (MAX_BYTES + extra))).data for extra in (0, 50_000_000))
    assert whole is not None
    assert more is not None
    assert (len(whole), len(more)) == (MAX_BYTES, MAX_BYTES + 1)


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b"<urlset/>") + b"\0" * 50_000_000,
        gzip.compress(b"") * 2_500_000,
        b"\x1f\x8b\x08\x08\0\0\0\0\0\0" + b"a" * 50_000_000,
    ],
    ids=["padding", "empty members", "a long name"],
)
def test_a_file_of_nothing_is_broken(data: bytes) -> None:
    """50 MB of these, which a disk need not even store, took 11 seconds."""
    found = gunzip(data)
    assert found.data is None
    assert found.size > 60_000


def test_a_broken_file_counts_for_what_was_unpacked() -> None:
    broken = gzip.compress(b"x" * 10_000_000)[:-1]
    assert gunzip(broken).data is None
    assert gunzip(broken).size > 10_000_000


def test_gzip_itself_agrees(tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    file.write_bytes(CONTENTS[2])
    subprocess.run(["gzip", "-9", file], check=True)
    assert gunzip((tmp_path / "a.xml.gz").read_bytes()).data == CONTENTS[2]


def test_a_tag_s_namespaces_count_as_attributes() -> None:
    def document(number: int) -> bytes:
        both = " ".join(f"xmlns:n{each}='{each}' a{each}=''" for each in range(number // 2))
        return f"<urlset {both}><url><loc>x</loc></url></urlset>".encode()

    assert len(list(parse_entries(document(MAX_ATTRIBUTES), "s.xml"))) == 1
    with pytest.raises(SitemapError, match=f"a tag has more than {MAX_ATTRIBUTES} attributes"):
        list(parse_entries(document(MAX_ATTRIBUTES + 2), "s.xml"))


def test_namespaces_may_be_declared_in_each_entry_but_not_many_more() -> None:
    """11 sitemaps with 30 in each tag, 29 MB in gzip, took `index` 23 seconds, where pages took five."""

    def document(number: int) -> bytes:
        declared = " ".join(f"xmlns:n{each}='b'" for each in range(number))
        entry = f"<url {declared}><loc {declared}>x</loc></url>"
        return f"<urlset>{entry * 500}</urlset>".encode()

    assert len([*parse_entries(document(3), "s.xml")]) == 500
    with pytest.raises(SitemapError, match="too many declarations of namespaces"):
        list(parse_entries(document(4), "s.xml"))
    assert weight(document(4)) == EVENT_WEIGHT * (2 + 500 * (4 + 8))


def test_what_is_no_utf_16_is_not_decoded_to_its_end() -> None:
    """51 kB in gzip took four seconds, within one call: each half of a letter is replaced."""
    halves = "<a>".encode("utf-16") + b"\x00\xd8" * 1_000
    with pytest.raises(SitemapError, match="not well-formed XML: expected UTF-16"):
        [*parse_entries(halves, "sitemap.xml")]


def test_what_comes_before_the_root_is_passed_in_one_step() -> None:
    """Four files of 50 MB of line ends and instructions took `index` 32 seconds, and usual ones 12."""
    data = b'<?xml version="1.0"?>' + b"\n<?a?><!---->" * 10_000
    called = Counter[str]()

    def count(frame: FrameType, event: str, arg: object) -> None:
        called[event] += 1

    sys.setprofile(count)
    try:
        found = [read_prolog(data + end) for end in (b"<?xml-stylesheet href=a.xsl?><!DOCTYPE", b"<a>")]
    finally:
        sys.setprofile(None)
    assert found == [(True, True), (False, False)]
    assert called.total() < 100


def test_empty_lines_of_a_list_take_no_step_each() -> None:
    """`submit` took 5 microseconds for each, of 200,000 in a kilobyte of gzip."""
    called: Counter[str] = Counter()

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        called[event] += 1

    data = b"\r\n \n\r\ta \xff\r\n\n" + b" \r\n" * 50_000 + b"b\rc\r"
    sys.setprofile(count)
    try:
        found = list(lines_of(data))
    finally:
        sys.setprofile(None)
    assert found == [(4, b"a \xff"), (50_006, b"b"), (50_007, b"c")]
    assert called.total() < 100
    lines = [*enumerate(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), 1)]
    assert found == [(number, line.strip()) for number, line in lines if line.strip()]
