"""Links to deep folders: what they lead to is looked up once."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")
if sys.platform == "win32":
    pytest.skip("links need a right there, and are looked up by the system", allow_module_level=True)

from docs_sitemap.check import address
from docs_sitemap.check import pages as check_pages
from docs_sitemap.check import tree as check_tree
from tests.support.checksite import BASE


def linked(root: Path, links: int, folders: int) -> list[str]:
    """Make links to a file and to a folder, each through all folders, and return the names of those."""
    (root / ("d/" * folders)).mkdir(parents=True)
    (root / ("d/" * folders) / "x.html").write_text("x")
    for number in range(links):
        (root / f"l{number}.html").symlink_to("d/" * folders + "x.html")
        (root / f"v{number}").symlink_to("d/" * folders)
    return [f"l{number}.html" for number in range(links)]


def test_a_path_of_hundreds_of_folders_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20 links below a base of 495 took 27 seconds of 25,000 pages, where usual bases take 12."""
    linked(tmp_path, 1, 100)
    tree = check_tree.Tree(tmp_path)
    monkeypatch.delattr(check_tree, "decoded")
    assert tree.file_at("%41/" * 495 + "x") is None


def test_a_name_is_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names with an emoji took four bytes for each character: 90,000 long ones, twice, took 500 MB."""
    linked(tmp_path, 1, 1)
    (tmp_path / "d" / "x.html").write_text(
        '<html><head></head><body><a href="../v0/x.html"><a href="/d/x.html">'
    )
    (tmp_path / "d" / "y.html").write_text('<html><head></head><body><a href="x.html">')
    tree = check_tree.Tree(tmp_path)
    task = check_pages.Task(tree, (BASE,), True)
    monkeypatch.setattr(check_pages, "_FEW", 0)
    monkeypatch.setattr(check_pages, "_CHUNK", 1)
    facts, found = check_pages.read_pages(tree.pages, task, 2, lambda done, total: None)
    kept = set(map(id, tree.files.packed()))
    assert (len(tree.pages), len(facts), len(found)) == (2, 2, 1)
    assert kept >= {id(name) for names in (tree.pages, facts, found) for name in names.packed()}


def test_a_file_is_behind_as_many_links_as_the_system_follows(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("")
    (tmp_path / "up").symlink_to(".")
    tree = check_tree.Tree(tmp_path)
    assert tree.file_at(f"{'up/' * 40}x.html") == "x.html" == tree.file_at("x.html")
    assert (tmp_path / f"{'up/' * 40}x.html").is_file()
    assert tree.file_at(f"{'up/' * 41}x.html") is None
    with pytest.raises(OSError, match="symbolic links"):
        (tmp_path / f"{'up/' * 41}x.html").stat()


def test_a_long_canonical_is_read_once_for_all_urls_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """200,000 URLs that led to one page took 33 seconds, and usual ones 12."""
    decoded: list[str] = []

    def counted(text: str) -> str:
        decoded.append(text)
        return unquote(text)

    monkeypatch.setattr("docs_sitemap.check.address.decoded", counted)
    monkeypatch.setattr("docs_sitemap.check.address._decoded", address._long_once(counted))
    monkeypatch.delattr("docs_sitemap.check.address.urlsplit")  # nor with Python's own parser
    monkeypatch.delattr("docs_sitemap.check.address.urljoin")
    canonical = f"{BASE}{'é%c3a/' * 90}"
    for number in range(50):
        joined = address.join(f"{BASE}%61/{number}", canonical)
        assert not address.same(f"{BASE}%61/{number}", joined)
        assert not address.other_version(f"{BASE}%61/{number}", joined)
    assert len(decoded) == 50 * 2 + 1


def test_long_addresses_are_kept_up_to_a_number() -> None:
    """Of 8,000 canonical links with one emoji, each took 16 kB where it was joined."""
    for number in range(300):
        address.join(BASE, f"{'x' * 500}😀{number}")
    assert address._joined_once.cache_info().currsize <= 256


def test_a_host_in_capitals_is_read_without_python_s_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """990,000 links to other languages with capitals and user names took 25 seconds, and usual ones 7."""
    monkeypatch.delattr("docs_sitemap.check.address.urlsplit")
    assert address.split("HTTPS://E.org:443/A?B#C") == ("https://e.org", "/A", "B")
    assert address.split("Http://u:p@x@E.ORG:443") == ("http://e.org:443", "/", "")
    assert address.split("https://e.org/@A") == ("https://e.org", "/@A", "")
    assert address.split("https://BÜ.РФ/é") == ("https://bü.рф", "/é", "")


def test_ipv6_addresses_are_read_without_python_s_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which parses them anew each time: half a million of them took 22 seconds."""
    monkeypatch.delattr("docs_sitemap.check.address.urlsplit")
    monkeypatch.delattr("docs_sitemap.check.address.urljoin")
    for host in ("[::1]", "[2001:db8::1.2.3.4]", "[1:2:3:4:5:6:7:8]"):
        url = f"https://{host}:8000/a/b?c"
        assert address.split(url) == (f"https://{host}:8000", "/a/b", "c")
        assert address.join("https://e.org/x/", url.partition("?")[0]) == f"https://{host}:8000/a/b"
        zone = f"{host[:-1]}%25e]"
        url = f"//u:p@{zone.upper()}:443/%d0"
        assert address.join("https://e.org/x/", f"HTTPS:{url}") == f"https:{url}"
        assert address.join("https://e.org/x/", url) == f"https:{url}"
        assert address.split(f"HTTPS:{url}") == (f"https://{zone}", "/%d0", "")
    for host in ("[1::2::3]", "[1:2]", "[1:2:3:4:5:6:7:8:9]", "[12345::1]", "[::1.2.3.256]", "[:]", "[.]"):
        assert address.split(f"https://{host}/a") is None
