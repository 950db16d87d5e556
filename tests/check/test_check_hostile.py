"""A hostile site holds up no command: each shape has once taken minutes, or all memory.

Nothing is measured: a command that goes wrong here runs into the limit of its own processor time or memory,
by a wide margin, and one that is right ends long before, on a machine that is busy, too.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("resource")  # not on Windows
pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap.check import RULES, Question, address, check_site, discovery, read_site
from docs_sitemap.check.finding import Found
from docs_sitemap.check.links import Links
from docs_sitemap.check.pages import Task, _read, read_chunk
from docs_sitemap.check.parsing import read_document
from docs_sitemap.check.registry import OMITTED, Rule
from docs_sitemap.check.rules import coverage
from docs_sitemap.check.tree import Tree
from docs_sitemap.cli import main
from docs_sitemap.limits import (
    MAX_BYTES,
    MAX_EVENTS,
    MAX_HEAD,
    MAX_LOC,
    MAX_MESSAGE,
    MAX_SITE,
)
from docs_sitemap.untrusted.sitemaps import Unpacked, gunzip
from tests.support.checksite import BASE, NS

pytestmark = pytest.mark.slow

MEMORY = 700 << 20
"""Bytes of address space; the command and its libraries take some 150 MB, a sitemap of 50 MB thrice that."""
SECONDS = 30
"""Of processor time."""

LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from docs_sitemap.cli import main
main(prog_name="docs-sitemap")
"""

Files = Mapping[str, str | bytes]
HOME = f'<!DOCTYPE html><html><head><link rel="canonical" href="{BASE}"></head><body>x</body></html>'


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [sys.executable, "-c", LIMITED, *arguments]
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", errors="replace", timeout=20 * SECONDS
    )


def write(root: Path, files: Files) -> Path:
    usual: Files = {"index.html": HOME, "sitemap.xml": urlset(BASE)}
    for name, content in {**usual, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def urlset(*locs: str, more: str = "", after: str = "") -> str:
    rows = "".join(f"<url><loc>{loc}</loc>{more}</url>\n" for loc in locs)
    return f'<urlset xmlns="{NS}" xmlns:x="http://www.w3.org/1999/xhtml">\n{rows}{after}</urlset>\n'


def index(*locs: str) -> str:
    rows = "".join(f"<sitemap><loc>{loc}</loc><lastmod>2020-01-01</lastmod></sitemap>\n" for loc in locs)
    return f'<sitemapindex xmlns="{NS}">\n{rows}</sitemapindex>\n'


def fill(start: str, piece: str, end: str) -> bytes:
    """Return one piece as often as the protocol lets a sitemap be long."""
    times = (MAX_BYTES - len(start) - len(end)) // len(piece)
    return f"{start}{piece * times}{end}".encode()


def dated(number: int) -> str:
    return "".join(
        f"<url><loc>{BASE}{n}</loc><lastmod>2020-01-01T00:00:00Z</lastmod></url>" for n in range(number)
    )


def tags(name: str, number: int) -> bytes:
    """Return an entry of tags with many attributes each."""
    attributes = " ".join(f'{name}{each}="b"' for each in range(number))
    return fill(f"{ROOT}<url><loc>{BASE}</loc>", f"<a {attributes}/>", "</url></urlset>")


ROOT = f'<urlset xmlns="{NS}" xmlns:x="http://www.w3.org/1999/xhtml">'

SHAPES: dict[str, Callable[[], Files]] = {
    "an address of 400,000 slashes": lambda: {"sitemap.xml": urlset(BASE + "/" * 400_000)},
    "an address of 200,000 folders": lambda: {"sitemap.xml": urlset(BASE + "a/" * 200_000)},
    "a part with 200,000 folders": lambda: {"sitemap.xml": index(BASE + "a/" * 200_000)},
    "a line in robots.txt with 200,000 folders": lambda: {
        "robots.txt": f"Sitemap: http://a.org/{'a/' * 200_000}"
    },
    "15,000 agents with 20,000 rules": lambda: {
        "robots.txt": "".join(f"User-agent: a{n}\n" for n in range(15_000)) + "Disallow: /x\n" * 20_000
    },
    "30,000 rules for 50,000 addresses": lambda: {
        "robots.txt": "User-agent: *\n" + "".join(f"Disallow: /*{n}$\n" for n in range(30_000)),
        "sitemap.xml": urlset(*(f"{BASE}{n}a" for n in range(50_000))),
    },
    "8,000 sitemaps in robots.txt": lambda: {
        "robots.txt": "".join(f"Sitemap: {BASE}s{n}.xml\n" for n in range(8_000)),
        **{f"s{n}.xml": urlset(BASE) for n in range(8_000)},
    },
    "2,000 rules with wildcards for 5,000 long addresses": lambda: {
        "robots.txt": "User-agent: *\n" + "".join(f"Disallow: /*ba*c{n}\n" for n in range(2_000)),
        "sitemap.xml": urlset(*(f"{BASE}{n}/{'ab' * 1_000}" for n in range(5_000))),
    },
    "a namespace of 1 MB over 20,000 entries": lambda: {
        "sitemap.xml": f'<urlset xmlns="{"a" * 1_000_000}">{"<url><loc>b</loc></url>" * 20_000}</urlset>'
    },
    "a date of 1 MB in a part that is named 20,000 times": lambda: {
        "sitemap.xml": index(*[BASE + "s.xml"] * 20_000),
        "s.xml": urlset(BASE, more=f"<lastmod>2021-01-01T00:00:00.{'0' * 1_000_000}Z</lastmod>"),
    },
    "one part 20,000 times": lambda: {
        "sitemap.xml": index(*[BASE + "s.xml"] * 20_000),
        "s.xml": f"{ROOT}{dated(20_000)}</urlset>",
    },
}

MEMORY_SHAPES: dict[str, Callable[[], bytes]] = {
    "tags of a million attributes": lambda: tags("a", 1_000_000),
    "tags of 10,000 attributes": lambda: tags("a", 10_000),
    "tags of 10,000 namespaces": lambda: tags("xmlns:a", 10_000),
    "an entry of 13 million elements": lambda: fill(f"{ROOT}<url>", "<a/>", "</url></urlset>"),
    "5 million alternates": lambda: fill(f"{ROOT}<url><loc>{BASE}</loc>", "<x:link/>", "</url></urlset>"),
    "2 million entries": lambda: fill(ROOT, "<url><loc>a</loc></url>", "</urlset>"),
    "8 million entries without an address": lambda: fill(ROOT, "<url/>", "</urlset>"),
    "1,000 entries with 5,000 alternates": lambda: fill(
        ROOT, f"<url><loc>{BASE}</loc>{'<x:link/>' * 5_000}</url>", "</urlset>"
    ),
    "a feed of 3 million items": lambda: fill(
        "<rss><channel>", "<item><link>a</link></item>", "</channel></rss>"
    ),
}


@pytest.mark.parametrize("marks", [1, 2, 3])
def test_no_byte_order_mark_hides_a_doctype(marks: int) -> None:
    """libxml2 removes a second one, and reads the DOCTYPE behind it, of which 2 MB took 15 seconds."""
    attributes = "".join(f"<!ATTLIST a b{number} ID #IMPLIED>" for number in range(60_000))
    text = f"<!DOCTYPE urlset [{attributes}]>{urlset(BASE)}"
    document = read_document("sitemap.xml", b"\xef\xbb\xbf" * marks + text.encode())
    problem = "has a DOCTYPE" if marks == 1 else "it does not start with < in UTF-8"
    assert any(problem in found.message for found in document.problems)
    assert not document.entries


def test_text_of_20_million_lines_does_not_fill_the_memory(tmp_path: Path) -> None:
    files: Files = {"sitemap.txt": b"a\n" * (MAX_BYTES // 2), "robots.txt": f"Sitemap: {BASE}sitemap.txt\n"}
    (write(tmp_path, files) / "sitemap.xml").unlink()
    done = run("check", tmp_path)
    assert "more than 50,000 URLs" in done.stdout, done.stderr


def test_a_text_of_one_line_does_not_fill_the_memory(tmp_path: Path) -> None:
    """With one character of four bytes, two lines in 93 kB of gzip took half a gigabyte, or more."""
    files: Files = {
        "index.html": HOME,
        "robots.txt": f"Sitemap: {BASE}a.txt.gz\nSitemap: {BASE}b.txt.gz\n",
        "a.txt.gz": gzip.compress(f" 😀{'a' * 39_000_000} \n".encode()),
        "b.txt.gz": gzip.compress(f" 😀{'a' * (MAX_BYTES - 50)} \n".encode()),
    }
    (write(tmp_path, files) / "sitemap.xml").unlink()
    done = run("check", tmp_path)
    assert "2 URLs in the sitemaps" in done.stdout, done.stderr


def test_one_long_address_does_not_fill_the_output(tmp_path: Path) -> None:
    """Each of 20,000 findings names it."""
    links = "".join(f'<x:link hreflang="e{n}_" href="{BASE}{n}"/>' for n in range(20_000))
    write(tmp_path, {"sitemap.xml": urlset(BASE + "a" * 1_000_000, more=links)})
    done = run("check", "--all", tmp_path)
    assert done.returncode == 1, done.stderr
    assert max(map(len, done.stdout.splitlines())) < MAX_LOC + 2 * MAX_MESSAGE


def test_no_message_names_a_site_by_half_a_megabyte(tmp_path: Path) -> None:
    """Nor is one made for each address: 20,000 of them would have 10 GB."""
    locs = [f"https://{'a' * 500_000}/", *(f"https://docs.acme.org/{n}" for n in range(20_000))]
    write(tmp_path, {"index.html": HOME.replace("canonical", ""), "sitemap.xml": urlset(*locs)})
    done = run("check", tmp_path)
    assert done.returncode == 1, done.stderr
    assert "URLs in the sitemaps" in done.stdout


@pytest.mark.parametrize(("more", "read"), [("x", 40), ("é", 40), ("中", 20), ("😀", 10)])
@pytest.mark.parametrize("where", ["loc", "image", "alternate"])
def test_a_text_counts_for_the_memory_that_it_takes(where: str, more: str, read: int) -> None:
    """With one character that takes four bytes, each does: 150 MB of sitemaps took a gigabyte."""
    url = f"{BASE}{'x' * 2_000}{more}"
    piece = {
        "loc": f"<url><loc>{url}</loc></url>",
        "image": f"<url><loc>{BASE}</loc><i:image><i:loc>{url}</i:loc></i:image></url>",
        "alternate": f'<url><loc>{BASE}</loc><x:link hreflang="de" href="{url}"/></url>',
    }[where]
    root = ROOT.replace(">", ' xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">')
    document = read_document("sitemap.xml", f"{root}{piece * 40}</urlset>".encode(), 110_000)
    assert read <= len(document.entries) <= read + 5
    assert document.whole == (read == 40)


def test_lines_count_for_the_memory_that_they_take() -> None:
    weights = [read_document("a.txt", (("x" * 2_000 + more + "\n") * 40).encode()).weight for more in "é中😀"]
    assert [weight // 80_000 for weight in weights] == [1, 2, 4]


def test_long_addresses_and_a_linked_folder_hold_up_nobody(tmp_path: Path) -> None:
    """Each depth of each address was looked for behind the link."""
    locs = [f"{BASE}{number}/{'a/' * 990}" for number in range(400)]
    lines = "".join(f"Sitemap: {BASE}{'b/' * 990}{number}.xml\n" for number in range(200))
    write(tmp_path, {"sitemap.xml": urlset(*locs), "robots.txt": lines, "real/a.html": HOME})
    (tmp_path / "linked").symlink_to("real")
    assert run("check", tmp_path).returncode == 1


def test_a_link_is_resolved_once_whatever_the_addresses_behind_it(tmp_path: Path) -> None:
    """Each address leads through 38 links, in another order, and each link through 1,600 folders."""
    target = "d/../" * 818
    names = [f"l{number}" for number in range(38)]
    orders = [names[at % 38 :] + names[: at % 38] for at in range(120)]
    locs = [f"{BASE}{'/'.join(order)}/k/x.html?{at}" for at, order in enumerate(orders)]
    write(tmp_path, {"sitemap.xml": urlset(*locs), "e/x.html": HOME})
    (tmp_path / "d").mkdir()
    for name in names:
        (tmp_path / name).symlink_to(target + ".")
    (tmp_path / "k").symlink_to(target + "e")
    done = run("check", "--select", "F,U", "--format", "json", tmp_path)
    assert done.returncode == 1, done.stderr
    assert "e/x.html" in done.stdout


def test_links_to_one_sitemap_are_no_further_sitemaps(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": f"{ROOT}{dated(20_000)}</urlset>"})
    for number in range(60):
        (tmp_path / f"v{number}").mkdir()
        (tmp_path / f"v{number}/sitemap.xml").symlink_to("../sitemap.xml")
    assert "20,000 URLs in the sitemaps" in run("check", "--select", "F2", tmp_path).stdout


def test_a_site_whose_versions_are_all_links_is_checked(tmp_path: Path) -> None:
    """A usual deployment, too: none of the versions is a folder whose pages could name the current one."""
    write(tmp_path, {})
    for version in ("1.0", "2.0"):
        write(tmp_path / "_v" / version, {})
        (tmp_path / version).symlink_to(f"_v/{version}")
    site = read_site(Question(tmp_path, BASE), RULES.values(), lambda done, of: None)
    assert ["2.0", "1.0"] in [[version.folder for version in group.versions] for group in site.groups]


def test_each_page_is_one_of_one_version_whatever_the_links(tmp_path: Path) -> None:
    """Each of 200 links into nested folders had all pages below: 5,000 of them took a minute."""
    folder = write(tmp_path, {"latest/index.html": HOME, "latest/objects.inv": ""}) / "deep"
    for number in range(10):
        folder /= "d"
        write(folder, {"index.html": HOME.replace(BASE, f"{BASE}latest/missing"), "objects.inv": ""})
        (tmp_path / f"{number}.0").symlink_to(folder)
    found = check_site(Question(tmp_path, BASE), [RULES["V2"]]).findings
    assert len({each.file for each in found}) == len(found) == 10


def test_no_more_of_a_copy_is_unpacked_than_its_original_explains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links from 1,400 copies to 200 kB of gzip took 110 s: each was unpacked to 52 MB."""
    (tmp_path / "bomb").write_bytes(gzip.compress(b"https://example.org/a\n" * 40_000))
    xml = f'<urlset xmlns="{NS}"><url><loc>{BASE}%d</loc></url></urlset>'
    for number in range(20):
        (tmp_path / f"s{number}.xml").write_text(xml % number)
        for suffix in (".xml.gz", ".txt.gz"):
            (tmp_path / f"s{number}{suffix}").symlink_to("bomb")
    unpacked: list[int] = []

    def count(data: bytes, most: int = MAX_BYTES) -> Unpacked:
        found = gunzip(data, most)
        unpacked.append(found.size)
        return found

    monkeypatch.setattr(discovery, "gunzip", count)
    monkeypatch.setattr(discovery, "MAX_SITE", 8_000)
    names = tuple(f"s{number}.xml" for number in range(20))
    sitemaps = read_site(Question(tmp_path, BASE, names), [], lambda done, of: None).sitemaps
    assert (len(sitemaps.roots), len(sitemaps.copies)) == (20, 40)
    assert sum(unpacked) < 10_000


def test_links_to_one_index_are_no_further_indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """robots.txt names each, and the parts of each were looked for at each depth."""
    lines = "".join(f"Sitemap: {BASE}s{number}.xml\n" for number in range(60))
    write(tmp_path, {"sitemap.xml": index(BASE + "a.xml"), "a.xml": urlset(BASE), "robots.txt": lines})
    for number in range(60):
        (tmp_path / f"s{number}.xml").symlink_to("sitemap.xml")
    calls = count_calls(monkeypatch, "fit")
    sitemaps = read_site(Question(tmp_path, BASE), [], lambda done, of: None).sitemaps
    assert ([each.name for each in sitemaps.roots], len(sitemaps.parts)) == (["s0.xml"], 1)
    assert len(calls) == 1 + 1  # and for the URLs of the site


def test_a_baseline_of_millions_of_objects_is_refused(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text("[" + "{}," * 5_000_000 + "{}]")
    done = run("check", write(tmp_path / "site", {}), "--baseline", tmp_path / "known.json")
    assert done.returncode == 2
    assert "expected JSON, as --write-baseline writes it" in done.stderr


def test_a_part_that_an_index_names_often_is_read_once(tmp_path: Path) -> None:
    """By ``index``, as an older sitemap of ``check``, and by ``submit``."""
    files: Files = {
        "sitemap.xml": index(*[BASE + "s.xml"] * 3_000),
        "s.xml": f"{ROOT}{dated(20_000)}</urlset>",
    }
    old = write(tmp_path, files) / "sitemap.xml"
    for arguments in (
        ("index", tmp_path, "--base-url", BASE),
        ("check", "--select", "L6", "--previous", old, tmp_path),
        ("submit", tmp_path, "--all", "--dry-run"),
    ):
        done = run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr


def test_parts_with_900_folders_are_not_all_looked_for_at_each_depth(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": index(*(f"{BASE}{'a/' * 900}{n}.xml" for n in range(20_000)))})
    done = run("submit", tmp_path, "--all", "--dry-run")
    assert "not all of the 20,000 sitemaps that it names are in its folder" in done.stderr


def count_calls(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """Return a list that gets an item for each call of a function in ``address``."""
    calls: list[object] = []
    real: Any = vars(address)[name]

    def counted(*arguments: str) -> Any:
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(address, name, counted)
    return calls


def test_link_tags_are_compared_for_the_languages_of_an_entry_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 5,000 was joined with the address of each entry."""
    tags = "<link rel=alternate hreflang=fr href=x>" * 5_000
    alternates = f'<x:link hreflang="fr" href="{BASE}x"/>'
    locs = [f"{BASE}?{number}" for number in range(50)]
    write(
        tmp_path, {"index.html": f"<html><head>{tags}</head>", "sitemap.xml": urlset(*locs, more=alternates)}
    )
    calls = count_calls(monkeypatch, "join")
    assert not check_site(Question(tmp_path, BASE), [RULES["H2"]]).findings
    assert len(calls) == 50


@pytest.mark.parametrize("rules", ["H2", "U7 C4"])
@pytest.mark.parametrize("start", ["", "/", BASE])
def test_references_of_a_page_are_resolved_once_whatever_addresses_lead_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str, start: str
) -> None:
    """Half a second for each listed address of a page with a thousand languages."""
    href = f"{start}{'a/../' * 40}x"
    codes = ("de", "fr", "it")
    tags = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code in codes)
    more = "".join(f'<x:link rel="alternate" hreflang="{code}" href="{BASE}x"/>' for code in codes)
    page = f'<html><head><link rel="canonical" href="{href}">{tags}</head>'
    locs = [f"{BASE}x?{number}" for number in range(50)]
    write(tmp_path, {"x.html": page, "sitemap.xml": urlset(*locs, more=more)})
    calls = count_calls(monkeypatch, "urljoin")
    address._joined.cache_clear()
    check_site(Question(tmp_path, BASE), [RULES[rule] for rule in rules.split()])
    assert len(calls) == (0 if start == BASE else 1)  # an absolute one is what it is joined to


def test_a_reference_of_very_many_folders_is_not_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """45,000 pages with 600 of them in each canonical link took 27 seconds more."""
    assert address.join(BASE + "a/", "../" * 40 + "b") == f"{BASE}b"
    monkeypatch.delattr(address, "urljoin")
    assert address.join(BASE + "a/", "../" * 600 + "b") == "../" * 600 + "b"


def test_a_reference_without_a_path_keeps_the_query() -> None:
    assert address.join(BASE + "a?b", "#c/d") == BASE + "a?b#c/d"
    assert address.join(BASE + "a?b", "?c/d") == BASE + "a?c/d"
    assert address.join(BASE + "a/b?c/d", "e/f") == BASE + "a/e/f"
    assert address.join(BASE + "a/b?c/d", "/e/f?g") == BASE + "e/f?g"


def test_an_address_of_very_many_folders_is_joined_to_none() -> None:
    """40,000 pages whose URLs have 975 took 25 seconds."""
    deep = BASE + "a/" * 975
    assert address.join(deep, "b") == "b"
    assert address.join(BASE, "a/" * 975) == "a/" * 975
    assert address.join(BASE + "a/" * 100, "b") == BASE + "a/" * 100 + "b"


def test_of_other_languages_than_the_sitemap_has_nothing_is_kept(tmp_path: Path) -> None:
    """Those of 50,000 pages took 500 MB."""
    tags = "".join(f"<link rel=alternate hreflang={code} href={code}>" for code in ("DE", "x", "fr"))
    write(tmp_path, {"index.html": f"<html><head>{tags}</head>"})
    for languages, kept in ((frozenset({"de", "it"}), {"de": b"DE"}), (frozenset[str](), {})):
        task = Task(Tree(tmp_path), (BASE,), with_links=False, languages=languages)
        assert read_chunk(task, ["index.html"])[0]["index.html"].hrefs == kept


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_names_that_are_no_text_are_sent_as_bytes(tmp_path: Path) -> None:
    """In three folders with 220 such bytes each, 50,000 pages took four times the time of others."""
    folder = tmp_path / "\udcff"
    write(folder, {"a.html": HOME, "b.html": f"{HOME}<a href=a.html>"})
    os.mkfifo(folder / "none.html")
    tree = Tree(tmp_path)
    names = tree.pages.packed()[:2]
    assert names == [b"\xff/a.html", b"\xff/b.html"]
    read = _read(Task(tree, (BASE,), with_links=True), [*names, b"\xff/none.html"])
    assert read[0] == [b"\xff/a.html", b"\xff/b.html"]
    assert read[2] == [b"\xff/a.html"]


def test_no_more_of_a_page_is_its_head_than_is_read_of_it_without_links(tmp_path: Path) -> None:
    """A tag of 32 MB with eight million attributes took six hundred megabytes."""
    for more, is_head in ((-1_000, True), (1, False)):
        text = f"<html><head><title>{'x' * (MAX_HEAD + more)}</title><meta name=robots content=noindex>"
        write(tmp_path, {"index.html": f"{text}</head><body><a href=a.html>", "a.html": HOME})
        for with_links in (True, False):
            task = Task(Tree(tmp_path), (BASE,), with_links)
            facts, linked = read_chunk(task, ["index.html"])
            assert facts["index.html"].noindex == is_head
            assert linked == ({"a.html"} if with_links else set())


def test_one_emoji_does_not_make_an_address_four_times_as_large(tmp_path: Path) -> None:
    """25,000 pages with four long addresses took 795 MB, where their heads have 190."""
    long = "/" + "x" * 800 + "\N{GRINNING FACE}"
    links = "".join(f"<link rel=alternate hreflang=a{n} href={long}{n}>" for n in range(3))
    write(tmp_path, {"index.html": f"<html><head><link rel=canonical href={long}>{links}</head>"})
    task = Task(Tree(tmp_path), (BASE,), with_links=False, languages=frozenset(["a0", "a1", "a2"]))
    facts = read_chunk(task, ["index.html"])[0]["index.html"]
    assert (facts.canonical, facts.alternate("a2"), facts.alternate("b")) == (long, f"{long}2", None)
    assert sum(map(sys.getsizeof, [facts.declared, *facts.hrefs.values()])) < 4 * 900


def test_long_addresses_of_a_page_are_not_kept(tmp_path: Path) -> None:
    """90,000 pages with a canonical link of 2,000 emoji took 930 MB, usual ones 150."""
    links = [f"<link rel=alternate hreflang=a{n} href=/{'x' * 1_000}{n}>" for n in range(9)]
    emoji = "\N{GRINNING FACE}" * 2_000
    languages = frozenset(f"a{n}" for n in range(9))
    write(
        tmp_path,
        {
            f"{n}.html": f"<html><head><link rel=canonical href={emoji}{n}>{''.join(links)}</head>"
            for n in "ab"
        },
    )
    task = Task(Tree(tmp_path), (BASE,), with_links=False, languages=languages)
    facts, _ = read_chunk(task, ["a.html", "b.html"])
    assert facts["a.html"].declared is facts["b.html"].declared
    assert len(facts["a.html"].canonical or "") > MAX_LOC
    assert [*facts["a.html"].hrefs] == ["a0", "a1"]
    usual = "".join(f"<link rel=alternate hreflang=a{n} href={BASE}{'x' * 150}>" for n in range(9))
    write(tmp_path, {"c.html": f"<html><head>{usual}</head>"})
    assert len(read_chunk(task, ["c.html"])[0]["c.html"].hrefs) == 9


def test_causes_count_as_what_is_kept_of_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """6,500 causes with one emoji took a hundred megabytes."""
    monkeypatch.setattr("docs_sitemap.check.registry.MAX_FOUND", 10_000)
    for text, number in (("a" * 400, 17), ("\N{GRINNING FACE}" * 400, 6)):
        site: Any = [Found("m", cause=(text, f"{at}")) for at in range(100)]
        rule = Rule("X1", "info", "", "", iter)
        assert len([each for each in rule.findings(site) if each.message == "m"]) == number


def test_a_canonical_link_of_a_megabyte_is_told_once(tmp_path: Path) -> None:
    home = HOME.replace(BASE, BASE + "a/" * 500_000)
    locs = [f"{BASE}?{number}" for number in range(30)]
    write(tmp_path, {"index.html": home, "sitemap.xml": urlset(*locs)})
    [found] = check_site(Question(tmp_path, BASE), [RULES["U7"], RULES["C4"]]).findings
    assert (found.id, found.file) == ("U7", "index.html")
    assert found.message == "the page's canonical link has more than 2,047 characters"


def test_a_page_is_not_told_to_be_that_of_an_address_of_a_megabyte(tmp_path: Path) -> None:
    """Each of 20,000 messages would name it."""
    locs = [f"{BASE}#{'a' * 1_000_000}", *(f"{BASE}#{number}" for number in range(3))]
    write(tmp_path, {"sitemap.xml": urlset(*locs)})
    found = check_site(Question(tmp_path, BASE), [RULES["U3"]]).findings
    assert {each.message for each in found} == {f"is the same page as {BASE}#0, which is also listed"}


def test_an_address_is_parsed_once_whatever_the_rules_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locs = [f"https://b{number}.org/é" for number in range(300)]
    write(tmp_path, {"sitemap.xml": urlset(*locs)})
    monkeypatch.setattr("docs_sitemap.check.discovery._SAMPLE", 1)
    calls = count_calls(monkeypatch, "split")
    assert check_site(Question(tmp_path, BASE), [*RULES.values()]).findings
    assert len(calls) < 2 * len(locs)


def test_links_below_a_long_base_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Each of 300,000 was held with a folder of 2,000 characters before it."""
    base, links = "a/" * 1_000, "".join(f"<a href=./{number}>" for number in range(300_000))
    write(tmp_path, {"index.html": f"<html><head><base href={base}></head><body>{links}"})
    done = run("check", "--select", "C2", "--jobs", "1", tmp_path)
    assert done.returncode == 0, done.stderr[-500:]


def test_short_links_take_little_more_memory_than_their_page() -> None:
    """A link of ten bytes took three hundred."""
    data = b"".join(b"<a href=%06d>" % number for number in range(200_000))
    tracemalloc.start()
    try:
        found = sum(1 for _ in Links((BASE,)).new(data, "a.html"))
        assert tracemalloc.get_traced_memory()[1] < 15 * len(data)
    finally:
        tracemalloc.stop()
    assert found == 200_000


@pytest.mark.parametrize("filling", ["", "<p>", "x" * 300_000, "<p>" * 100_000])
def test_no_link_of_a_long_page_is_lost(filling: str) -> None:
    names = [f"a/{number:05}-href/" for number in range(20_000)]
    data = filling.join(["", *(f'<a href="{name}">' for name in names[:1_000])])
    data = data[: 3 << 20].rpartition("<a")[0] + "".join(f'<a href="{name}">' for name in names)
    assert {*Links((BASE,)).new(data.encode(), "b/c.html")} == {f"b/{name}" for name in names}


@pytest.mark.parametrize(
    ("link", "path"),
    [
        *((".", "a/b/"), ("./c", "a/b/c"), ("..", "a/"), ("../c", "a/c"), ("../../../c", "c")),
        *(("c/../d", "a/b/d"), ("c/../../d", "a/d"), ("./../c/.", "a/c/"), ("c.", "a/b/c.")),
    ],
)
def test_dot_segments_of_a_link_are_resolved(link: str, path: str) -> None:
    folder = "a/b"
    assert [*Links((BASE,)).new(f"<a href='{link}'>".encode(), f"{folder}/x.html")] == [path]
    long = "y" * 300
    found = [*Links((BASE,)).new(f"<a href='{link}'>".encode(), f"{long}/{folder}/x.html")]
    assert found == [path if link == "../../../c" else f"{long}/{path}"]


def test_rules_explain_the_limits_that_they_have() -> None:
    assert f"more than {MAX_EVENTS // 2:,} elements" in RULES["F1"].explanation
    assert f"After {MAX_SITE:,} bytes of sitemaps" in RULES["F3"].explanation


@pytest.mark.parametrize("format_", ["text", "json", "sarif"])
def test_findings_are_written_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    pieces: list[int] = []

    class Stream(io.BytesIO):
        def write(self, data: Any, /) -> int:
            pieces.append(len(data))
            return super().write(data)

    locs = [f"{BASE}{'x' * 500}{number}" for number in range(200)]
    write(tmp_path, {"sitemap.xml": urlset(BASE, *locs)})
    data = Stream()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(data, write_through=True))
    arguments = ["check", "--select", "U4", "--level", "error", "--format", format_, "--all", str(tmp_path)]
    assert main(arguments, standalone_mode=False) == 1
    assert len(data.getvalue()) > 100_000
    assert max(pieces) < 5_000
    if format_ == "json":
        assert data.getvalue().decode() == json.dumps(json.loads(data.getvalue()), indent=2) + "\n"
    if format_ == "sarif":
        assert len(json.loads(data.getvalue())["runs"][0]["results"]) == 200


def test_of_findings_with_one_cause_only_the_first_are_kept() -> None:
    """Two sitemaps had five million; the message needs their number."""
    found = (Found("x", f"{BASE}{number}", cause=(number % 2,)) for number in range(100_000))
    rule = Rule("X1", "error", "", "", lambda site: found, together="{count} as {first.url}")
    site: Any = None
    tracemalloc.start()
    try:
        messages = [each.message for each in rule.findings(site)]
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert messages == [f"50000 as {BASE}0", f"50000 as {BASE}1"]


def test_long_findings_with_many_causes_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """250,000 URLs of a page with a canonical link of 2,000 characters took 1.2 GB."""
    monkeypatch.setattr("docs_sitemap.check.registry.MAX_FOUND", 100_000)
    long = "x" * 2_000
    found = (Found(f"{at} {long}", BASE, cause=(f"{long}{at // 5}",)) for at in range(20_000))
    rule = Rule("X1", "error", "", "", lambda site: found, together="{count}")
    site: Any = None
    tracemalloc.start()
    try:
        findings = [*rule.findings(site)]
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert findings[-1].message == OMITTED
    assert [each.message[:3] for each in findings[:3]] == ["0 x", "1 x", "2 x"]
    # a cut message has two bytes for each character, and its cause one
    assert 100_000 // (4 * MAX_MESSAGE) < len(findings) < 100_000 // (3 * MAX_MESSAGE)


def test_long_causes_that_differ_at_their_ends_are_not_merged() -> None:
    found = (Found("x", BASE, cause="x" * 2_000 + str(number % 2)) for number in range(20))
    rule = Rule("X1", "error", "", "", lambda site: found, together="{count}")
    site: Any = None
    assert [each.message for each in rule.findings(site)] == ["10", "10"]


def test_a_wrong_or_repeated_code_is_found_once_in_an_entry(tmp_path: Path) -> None:
    links = f'<x:link hreflang="zz" href="{BASE}"/>' * 1_000
    write(tmp_path, {"sitemap.xml": urlset(BASE, more=links)})
    found = check_site(Question(tmp_path), [RULES["H1"]]).findings
    assert found[0].message == "hreflang 'zz' is listed twice"
    assert len(found) == 2


def test_an_address_of_the_longest_length_is_still_looked_at(tmp_path: Path) -> None:
    name = "a" * 200 + "/"
    path = name * ((MAX_LOC - len(BASE)) // len(name))
    write(
        tmp_path, {f"{path}index.html": HOME.replace(BASE, BASE + path), "sitemap.xml": urlset(BASE + path)}
    )
    assert "Nothing to report" in run("check", "--select", "U", tmp_path).stdout


@pytest.mark.parametrize(
    ("text", "blocked"),
    [
        ("User-agent: a\nUser-agent: *\nDisallow: /x\n", True),
        ("User-agent: *\nSitemap: https://a.org/\nUser-agent: a\nDisallow: /x\n", True),
        ("User-agent: *\nDisallow: /y\nUser-agent: a\nDisallow: /x\n", False),
        ("User-agent: a\nDisallow: /y\nUser-agent: Googlebot\nDisallow: /x\n", True),
        ("User-agent: *\nDisallow: /x\nUser-agent: bingbot\nDisallow: /y\n", True),
        ("User-agent: Googlebot\nAllow: /\nUser-agent: *\nDisallow: /x\n", True),
        ("User-agent: *\nAllow: /x\nDisallow: /x\n", False),
        ("User-agent: *\n# nothing\n\nDisallow: /x\n", True),
        ("useragent: *\nCrawl-delay: 1\nDisallow: /x\n", True),
    ],
)
def test_groups_of_other_agents_change_nothing(tmp_path: Path, text: str, blocked: bool) -> None:
    """Only those of the agents in question are handed to the parser."""
    write(tmp_path, {"robots.txt": text, "sitemap.xml": urlset(BASE + "x"), "x.html": HOME})
    assert ("U8" in run("check", "--select", "U8", tmp_path).stdout) is blocked


def test_a_page_in_thousands_of_folders_is_looked_for_once_in_those_with_other_sitemaps() -> None:
    """The path of each of 4,000 pages was copied 4,000 times."""
    sizes: list[int] = []

    class Name(str):
        def __getitem__(self, key: Any) -> str:
            sizes.append(len(part := super().__getitem__(key)))
            return part

    apart = coverage._by_names(["", "v/1", "a/" * 2_000 + "b"])
    inside = ["v/1/x.html", "v/1/2/x.html", "a/" * 2_000 + "b/x.html"]
    outside = [
        "x.html",
        "v/x.html",
        "v/1",
        "v/12/x.html",
        "a/" * 2_000 + "x.html",
        "a/" * 2_000 + "c/b/x.html",
    ]
    for names, is_inside in ((inside, True), (outside, False)):
        assert [coverage._lies_in(Name(name), apart) for name in names] == [is_inside] * len(names)
    assert not sizes
