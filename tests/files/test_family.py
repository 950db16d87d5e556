"""What an earlier build left goes, whatever its options were; what is not ours stays, byte for byte."""

from __future__ import annotations

import gzip
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.errors import OutputError
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Page
from tests.files.test_emit import BASE, run

FORMATS = ("xml", "gz", "txt", "atom", "rss")
SUBSETS = [subset for size in range(1, 6) for subset in combinations(FORMATS, size)]
ALL: dict[str, Any] = {"formats": FORMATS, "max_urls": 3}
DATED = PageSettings(lastmod="2024-05-06")


def pages(number: int) -> list[Page]:
    """Pages that may be listed both in the root and in the folder of a sitemap."""
    return [Page(url=f"maps/{page}/", title=f"Page {page}", settings=DATED) for page in range(number)]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def build(out: Path, number: int = 10, **values: Any) -> dict[str, bytes]:
    run(pages(number), out, **values)
    return files(out)


CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"max_urls": 3}, {}),
    ({"max_urls": 1}, {"max_urls": 7}),
    ({"max_urls": 1, "formats": ["gz"]}, {"formats": ["xml"]}),
    ({"max_urls": 2, "formats": ["txt"]}, {"formats": ["xml"]}),
    ({"max_urls": 2, "formats": ["txt", "gz"]}, {"formats": ["gz"]}),
    ({"max_urls": 2, "formats": ["xml", "txt", "gz"]}, {"max_urls": 5, "formats": ["xml"]}),
    ({"formats": ["xml", "txt"], "robots": False}, {"robots": False}),
    ({"filename": "map.xml"}, {}),
    ({"filename": "map.xml", **ALL}, {"filename": "a b%20ü.xml"}),
    ({"filename": "map.xml", **ALL}, {"filename": "map-index.xml"}),
    ({"filename": "map.xml", "max_urls": 3, "formats": ["txt", "gz"]}, {}),
    ({"filename": "maps/map.xml", **ALL}, {}),
    ({"filename": "maps/sitemap.xml", **ALL}, {"filename": "sitemap.xml", "formats": ["txt"]}),
    ({"filename": "maps/map.xml", "max_urls": 3, "formats": ["txt"]}, {"filename": "maps/2.xml"}),
    ({"filename": "maps/map.xml", "formats": ["rss"]}, {"filename": "map.xml"}),
    ({"filename": "map-2.xml", **ALL}, {"filename": "map-index-3.xml", "max_urls": 3}),
    ({"filename": "map-2.xml", "formats": ["txt"]}, {"filename": "map-3.xml", "formats": ["gz"]}),
    ({"filename": "Map.XML", **ALL}, {"filename": "Map.XML", "formats": ["gz"]}),
    ({"filename": "Map.XML", **ALL}, {}),
    ({"filename": "map.xml", "formats": ["atom"]}, {"formats": ["rss"]}),
    ({"stylesheet": False}, {}),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_nothing_is_left_of_what_is_no_longer_written(
    tmp_path: Path, before: dict[str, Any], after: dict[str, Any]
) -> None:
    build(tmp_path / "out", **before)
    assert build(tmp_path / "out", **after) == build(tmp_path / "fresh", **after)


def test_a_line_like_ours_leads_nowhere_else(tmp_path: Path) -> None:
    """Whoever writes one into robots.txt makes us read the folder that it names, no other, and no trouble."""
    out = tmp_path / "out"
    outside = build(tmp_path / "outside", **ALL)
    for name in ("../outside/sitemap.xml", "%2e%2e/outside/sitemap.xml", "", ".gz", "/"):
        build(out)
        line = f"\n# Added by docs-sitemap\nSitemap: {BASE}{name}\n"
        (out / "robots.txt").write_text("User-agent: *\n" + line)
        build(out, formats=["xml"])
    assert files(tmp_path / "outside") == outside


@pytest.mark.parametrize("name", ["é" * 120, "&" * 240])
def test_our_files_of_the_longest_names_are_known_again(tmp_path: Path, name: str) -> None:
    """Encoded and escaped, such a name takes many times its length."""
    assert build(tmp_path / "out", filename=f"{name}.xml", **ALL).keys() > {f"{name}-1.xml.gz"}
    assert build(tmp_path / "out") == build(tmp_path / "fresh")


def names_of(formats: tuple[str, ...]) -> set[str]:
    """The names of a sitemap in two parts, without the program's help."""
    xml, gz, txt = "xml" in formats, "gz" in formats, "txt" in formats
    names = {"robots.txt"} | {f"{feed}.xml" for feed in ("atom", "rss") if feed in formats}
    sitemaps = {"sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"}
    texts = {"sitemap-1.txt", "sitemap-2.txt"}
    names |= sitemaps | {"sitemap.css"} if xml else set()
    names |= {f"{name}.gz" for name in sitemaps} if gz and (xml or not txt) else set()
    names |= texts if txt else set()
    return names | ({f"{name}.gz" for name in texts} if txt and gz else set())


@pytest.mark.parametrize("formats", SUBSETS, ids="+".join)
def test_of_all_formats_only_those_that_are_still_written_stay(
    tmp_path: Path, formats: tuple[str, ...]
) -> None:
    for each in (FORMATS, formats):
        assert set(build(tmp_path, 3, formats=each, max_urls=2)) == names_of(each)


THEIRS = [
    "sitemap-1.xml",
    "sitemap-1.xml.gz",
    "sitemap-99.xml",
    "sitemap-99.xml.gz",
    "sitemap-index-2.xml",
    "sitemap-1.txt",
    "sitemap-99.txt",
    "sitemap-99.txt.gz",
    "sitemap.txt",
    "sitemap.css",
    "sitemap.xml.gz",
    "atom.xml",
    "rss.xml",
    "sitemap-.xml",
    "sitemap-x.xml",
    "sitemaps.xml",
    "my-sitemap.xml",
    "sitemap.xml.bak",
]

PLAIN = b'<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>\n'
ZIPPED = gzip.compress(random.Random(1).randbytes(3000))  # noqa: S311
CONTENTS = {
    "plain": PLAIN,
    "empty": b"",
    "text": b"https://example.org/a\n",
    "gz": gzip.compress(PLAIN),
    "truncated": ZIPPED[:1000],
    "corrupt": ZIPPED[:10] + b"\xff" * 100 + ZIPPED[110:],
}


@pytest.mark.parametrize("data", CONTENTS.values(), ids=CONTENTS)
def test_a_users_file_of_any_such_name_stays(tmp_path: Path, data: bytes) -> None:
    for name in THEIRS:
        (tmp_path / name).write_bytes(data)
    for site in (BASE, None):
        run(pages(3), tmp_path, site=site, formats=["xml"], stylesheet=False)
        found = files(tmp_path)
        assert {name: found.get(name) for name in THEIRS} == dict.fromkeys(THEIRS, data)


@pytest.mark.parametrize("formats", [["txt"], ["xml", "txt"], ["gz", "txt"], [*FORMATS]], ids="+".join)
@pytest.mark.parametrize("max_urls", [1, 50])
def test_a_users_text_beside_ours_stays(tmp_path: Path, formats: list[str], max_urls: int) -> None:
    """Text sitemaps bear no signature: ours are those that our other files and lines name, and no more."""
    theirs = {"sitemap-99.txt": b"theirs", "sitemap-99.txt.gz": b"theirs", "sitemap-0.txt": b"theirs"}
    if max_urls == 1:
        theirs["sitemap.txt"] = b"theirs"
    for name, data in theirs.items():
        (tmp_path / name).write_bytes(data)
    build(tmp_path, 3, formats=formats, max_urls=max_urls)
    found = build(tmp_path, 3, formats=["xml"], stylesheet=False)
    assert {name: data for name, data in found.items() if name.endswith((".txt", ".gz"))} == {
        **theirs,
        "robots.txt": found["robots.txt"],
    }


def test_each_part_names_the_text_beside_it(tmp_path: Path) -> None:
    found = build(tmp_path, 3, formats=["xml", "txt"], max_urls=2, filename="ä-b.xml")
    for number in (1, 2):
        part = found[f"ä-b-{number}.xml"]
        assert f"<!-- The same as text: %C3%A4%2Db%2D{number}.txt -->\n".encode() in part
        assert all(b"<loc>" + loc + b"</loc>" in part for loc in found[f"ä-b-{number}.txt"].split())
    assert b"as text" not in found["ä-b.xml"]  # an index has none


def test_a_text_that_nothing_names_stays(tmp_path: Path) -> None:
    """It could be anybody's: without XML and robots.txt, nothing tells whose it is."""
    build(tmp_path, formats=["txt"], robots=False)
    assert set(build(tmp_path, formats=["xml"], stylesheet=False, robots=False)) == {
        "sitemap.txt",
        "sitemap.xml",
    }


def test_a_folder_of_such_a_name_stays_and_is_told_where_a_file_must_be(tmp_path: Path) -> None:
    (tmp_path / "sitemap-1.xml").mkdir()
    (tmp_path / "sitemap-1.xml" / "theirs").touch()
    before = build(tmp_path)
    with pytest.raises(OutputError, match=r"cannot write sitemap-1\.xml: .* is a folder"):
        build(tmp_path, max_urls=5)
    assert files(tmp_path) == before
    assert (tmp_path / "sitemap-1.xml").is_dir()


def test_a_link_of_such_a_name_stays_and_so_does_what_it_leads_to(tmp_path: Path) -> None:
    build(tmp_path, max_urls=5)
    (tmp_path / "sitemap-2.xml").rename(tmp_path / "kept.xml")
    kept = (tmp_path / "kept.xml").read_bytes()
    (tmp_path / "sitemap-2.xml").symlink_to("kept.xml")
    (tmp_path / "sitemap-3.xml").symlink_to("nowhere")
    (tmp_path / "sitemap-4.xml").symlink_to("sitemap-4.xml")
    build(tmp_path)
    assert (tmp_path / "kept.xml").read_bytes() == kept
    assert [(tmp_path / f"sitemap-{number}.xml").is_symlink() for number in (2, 3, 4)] == [True] * 3
