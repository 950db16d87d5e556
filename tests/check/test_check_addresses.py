"""What URLs and links lead to: addresses, paths, files, links between folders."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap.check import RULES, Question, read_site
from docs_sitemap.check.page_facts import Task, read_pages
from docs_sitemap.published import Tree, address, home_address, linked_paths
from tests.support.checksite import BASE, BuiltSite


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("HTTPS://E.org:443/A?B#C", ("https://e.org", "/A", "B")),
        ("Http://u:p@x@E.ORG:443", ("http://e.org:443", "/", "")),
        ("https://e.org/@A", ("https://e.org", "/@A", "")),
        ("https://BÜ.РФ/é", ("https://bü.рф", "/é", "")),
        ("https://[::1]:8000/a/b?c", ("https://[::1]:8000", "/a/b", "c")),
        *(
            (url, None)
            for url in ("/a", "ftp://e.org/", "https://", "https://[1::2::3]/", "https://e.org:x/")
        ),
    ],
)
def test_an_address_is_split(url: str, parts: tuple[str, str, str] | None) -> None:
    assert address.split(url) == parts


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("e/f", "a/e/f"),
        ("/e/f?g", "e/f?g"),
        ("?c/d", "a/b?c/d"),
        ("#c/d", "a/b?x/y#c/d"),
        ("../" * 40 + "b", "b"),
        ("//docs.acme.org/z", "z"),
        (BASE + "q/../r", "q/../r"),
    ],
)
def test_a_reference_is_joined(reference: str, joined: str) -> None:
    assert address.join(BASE + "a/b?x/y", reference) == BASE + joined


@pytest.mark.parametrize(
    ("link", "path"),
    [
        *((".", "a/b/"), ("./c", "a/b/c"), ("..", "a/"), ("../c", "a/c"), ("../../../c", "c")),
        *(("c/../d", "a/b/d"), ("c/../../d", "a/d"), ("./../c/.", "a/c/"), ("c.", "a/b/c.")),
    ],
)
def test_dot_segments_of_a_link_are_resolved(link: str, path: str) -> None:
    found = linked_paths(f"<a href='{link}'>".encode(), "a/b/x.html", "", (BASE,))
    assert [found_path for _, found_path in found] == [path]


@pytest.mark.parametrize("folder", ["50%41", "50%41/x"])
def test_a_folder_whose_name_looks_encoded_is_that_folder(tmp_path: Path, folder: str) -> None:
    names = [f"{folder}/{name}.html" for name in "abcd"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    full = quote(folder)
    (tmp_path / names[0]).write_text(
        f"<html><head></head><body><a href=a.html><a href=%62><a href=./c><a href=/{full}/d.html>"
    )
    _, linked = read_pages(names, Task(Tree(tmp_path), (BASE,), with_links=True), lambda done, of: None)
    assert sorted(linked) == names[1:]


def test_a_path_that_begins_with_the_host_is_not_cut_off_the_host(tmp_path: Path) -> None:
    """As a mirror made with wget is; without a home page."""
    page = tmp_path / "e.org/p.html"
    page.parent.mkdir()
    page.write_text('<html><head><title>x</title><link rel="canonical" href="https://e.org/p.html"></head>')
    assert home_address(Tree(tmp_path)) == ""
    (tmp_path / "q.html").write_text('<html><head><link rel="canonical" href="https://e.org/q.html"></head>')
    assert home_address(Tree(tmp_path)) == "https://e.org/"


@pytest.fixture
def site(tmp_path: Path) -> BuiltSite:
    site = BuiltSite(tmp_path / "site")
    site.write()
    return site


links = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


@links
def test_linked_folders_lead_to_the_files_of_the_site(site: BuiltSite) -> None:
    """mike's aliases; links to links, and to files; but none that lead nowhere, or out of the site."""
    (site.root.parent / "other.html").write_text("<html>")
    for name, target in (
        ("alias", "guide"),
        ("again", "alias"),
        ("loop", "loop"),
        ("gone", "missing"),
        ("out", "../.."),
        ("out.html", "../other.html"),
        ("guide/more.html", "use/index.html"),
    ):
        (site.root / name).symlink_to(target)
    tree = Tree(site.root)
    assert "guide/more.html" not in tree.pages
    assert tree.file_at("again/use/") == "guide/use/index.html" == tree.file_at("alias/use")
    assert tree.file_at("alias/more.html") == "guide/use/index.html"
    assert tree.file_at("guide/more") == "guide/more.html"
    assert {tree.file_at(path) for path in ("loop/", "gone/", "out/", "out/other", "out", "a\0b/")} == {None}


@links
def test_a_link_to_a_sitemap_is_no_further_sitemap(site: BuiltSite) -> None:
    lines = [f"Sitemap: {BASE}sitemap.xml\n"]
    for number in range(3):
        (site.root / f"v{number}").mkdir()
        (site.root / f"v{number}/sitemap.xml").symlink_to("../sitemap.xml")
        (site.root / f"s{number}.xml").symlink_to("sitemap.xml")
        lines.append(f"Sitemap: {BASE}s{number}.xml\n")
    site.robots = "".join(lines)
    site.write()
    found = read_site(Question(site.root, BASE), [], lambda done, of: None).sitemaps
    assert ([each.name for each in found.all], found.unreferenced) == (["sitemap.xml"], [])


@links
def test_a_site_whose_versions_are_all_links_is_checked(site: BuiltSite) -> None:
    """A usual deployment, too: none of the versions is a folder whose pages could name the current one."""
    for version in ("1.0", "2.0"):
        BuiltSite(site.root / "_v" / version).write()
        (site.root / version).symlink_to(f"_v/{version}")
    read = read_site(Question(site.root, BASE), RULES.values(), lambda done, of: None)
    assert ["2.0", "1.0"] in [
        [version.folder for version in group.versions] for group in read.versions.groups
    ]
