"""Each reader takes linear time, whatever shape its input has: a piece repeated many thousand times.

To add one: a function from bytes, its size (the limit of what is read, or as much as takes some tenths of a
second) and its shapes. A new shape for all readers of its kind goes into the lists at the top.
"""

from __future__ import annotations

import math
import re
import sys
import timeit
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no interval timers", allow_module_level=True)
pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap import index, urls, version_names
from docs_sitemap.check import address, baseline, finding, parsing, tree
from docs_sitemap.check.kept_names import ByName
from docs_sitemap.check.links import Links
from docs_sitemap.check.robotstxt import RobotsText
from docs_sitemap.check.site import Site
from docs_sitemap.dates.evidence import named
from docs_sitemap.dates.installed import Installed
from docs_sitemap.files import robots
from docs_sitemap.generators.html import front_matter
from docs_sitemap.index import versions
from docs_sitemap.limits import MAX_FRONT_MATTER, MAX_ROBOTS, MAX_STUB
from docs_sitemap.marks.addresses import Addresses
from docs_sitemap.marks.pages import Shared, Task, edited
from docs_sitemap.options import languages, validation
from docs_sitemap.options.page_settings import read_metadata
from docs_sitemap.pages.page import Page
from docs_sitemap.pages.patterns import Patterns
from docs_sitemap.submit import reading
from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.untrusted import RealPaths
from docs_sitemap.untrusted.data import read_toml
from docs_sitemap.untrusted.html import (
    dates_in,
    embedded,
    head_of,
    hrefs,
    leads_elsewhere,
    search_forms,
    unescape,
)
from docs_sitemap.untrusted.html.heading import heading_of
from docs_sitemap.untrusted.html.images import images_of
from docs_sitemap.untrusted.html.tags import tags as tags_of
from docs_sitemap.untrusted.sitemaps import SitemapError, parse_entries
from docs_sitemap.versions import policy, targets
from tests.support.checksite import NS
from tests.support.growth import WORST, HangError, Shape, growth

pytestmark = pytest.mark.slow

BASE = "https://docs.acme.org/"

TEXTS = [
    *(
        Shape(piece)
        for piece in (
            '{"a": ',
            "[",
            "a",
            "/",
            "a/",
            ".",
            "../",
            "a.",
            "%",
            "%2e",
            "-",
            "ß",
            " ",
            "\n",
            "*",
            "a*",
        )
    ),
    *(Shape(piece, end="!") for piece in ("a", "a.", "-a1", "1.", "0", "-", "/a")),
    *(Shape(piece, "https://") for piece in ("a", "a.", "ß", "ß.", "@", ":", "[", "/", "?", "#")),
    *(Shape(piece, BASE) for piece in ("/", "a/", "../", "%2e%2e/", "./", "é", "%", "v1/", "index.html")),
    *(Shape(piece, "https://", "!") for piece in ("a", "a.", "1.")),
    *(Shape(piece, BASE, " ") for piece in ("a", "a/")),
]

XML = [
    *(Shape(piece) for piece in ("<?a b?>", "<!--a-->", " ", "<?a ", "<!--", "<a>", "<", "&amp;", "]]>")),
    Shape("encoding ", "<?xml "),
    *(
        Shape(piece, f'<urlset xmlns="{NS}" xmlns:x="http://www.w3.org/1999/xhtml">', "</urlset>")
        for piece in (
            *(
                "<url><loc>https://a.org/{}</loc></url>",
                "<url/>",
                "<a{}/>",
                "<a>",
                "<?a?>",
                "<!---->",
                "&lt;",
            ),
            *(
                "<url><loc>a</loc><lastmod>2020</lastmod></url>",
                "<url><x:link href='{}'/></url>",
                "<a b='{}'/>",
            ),
            "<url xmlns:a{}='b{}'/>",
        )
    ),
    *(
        Shape(piece, f'<urlset xmlns="{NS}" xmlns:x="http://www.w3.org/1999/xhtml"><url>', "</url></urlset>")
        for piece in ("<loc>a</loc>", "<x:link hreflang='en' href='{}'/>", "<x:link hreflang='e{}'/>", "<a/>")
    ),
    *(
        Shape(piece, f'<sitemapindex xmlns="{NS}">', "</sitemapindex>")
        for piece in (
            "<sitemap><loc>https://a.org/s.xml</loc></sitemap>",
            "<sitemap><loc>b{}</loc></sitemap>",
        )
    ),
    Shape("<item><link>https://a.org/</link></item>", "<rss><channel>", "</channel></rss>"),
    Shape("<entry><link href='https://a.org/'/></entry>", "<feed>", "</feed>"),
    Shape(" a{}='b'", "<urlset", "/>"),
]

OURS = "\n# Added by docs-sitemap\nSitemap: https://a.org/{}\n"
ROBOTS = [
    *(
        Shape(piece)
        for piece in (
            *("User-agent: a{}\n", "User-agent: *\n", "User-agent: a\nDisallow: /{}\n", "Disallow: /\n"),
            *("Sitemap: https://a.org/{}.xml\n", "Sitemap: https://a.org/\n", "\n", "\r", "#", ":", "a", " "),
            *(OURS, OURS.replace("\n", "\r"), OURS.replace("\n", "\r\n"), "# Added by docs-sitemap"),
        )
    ),
    *(
        Shape(piece, "User-agent: *\n")
        for piece in ("Disallow: /*a{}*b$\n", "Allow: /{}\n", "Disallow: /a\n", "a: b\n", "User-agent: b{}\n")
    ),
    *(Shape(piece, "User-agent: *\nDisallow: /", "b\n") for piece in ("*a", "*", "%41", "é", "a$")),
    *(Shape(piece, "Sitemap: https://a.org/") for piece in ("a/", "/", "../")),
]


HTML = [
    *(
        Shape(piece)
        for piece in (
            *(
                "<a ",
                "<!--",
                "<!-",
                "<![CDATA[",
                "<?",
                "</",
                "<",
                "<meta name=robots ",
                "<a b=",
                "<a b='",
                "<a '",
            ),
            *(
                '<link rel=canonical href="',
                "<title>",
                "</title ",
                "<script>",
                "</script ",
                "<script><!--<script>",
                "<textarea>",
                "<noscript>",
            ),
            *(
                "<template><meta name=robots content=noindex>",
                "<base href=a>",
                "<h1>",
                "<h1",
                "</h1>",
                "<a class=headerlink>",
            ),
            *(
                "<link rel=alternate hreflang=a{} href=b{}>",
                "<meta http-equiv=refresh ",
                "&",
                "&#9",
                "&amp",
                " ",
                "href=",
                "href",
            ),
        )
    ),
    *(
        Shape(piece, "<html><head></head><body><h1><main>")
        for piece in (
            "<img src='../a{}.png'>",
            "<img src=a",
            "<nav>",
            "</main>",
            "<div id=search-results>",
            "<input ",
            "a ",
        )
    ),
    *(Shape(piece, "<html><head></head><body><a b", ">") for piece in (" b{}=c", "=", " ", "/", "'\"'")),
    Shape("9", "<h1>&#", ";</h1>"),
    Shape("../", "<img src='", "'>"),
    Shape("a/", "<base href='/", "'><a href=../b>"),
]


def half(start: str, middle: str, size: int) -> bytes:
    """Return two pieces, each half of all: what is made of each pair of them takes quadratic time."""
    return (start * (size // 2 // len(start)) + middle * (size // 2 // len(middle))).encode()


PAIRS: list[Callable[[int], bytes]] = [
    partial(half, "User-agent: a\n", "Disallow: /b\n"),
    partial(half, "User-agent: *\n", "Disallow: /*b\n"),
    partial(half, "User-agent: *\nUser-agent: bingbot\n", "Allow: /\n"),
]


def numbered_pair(size: int) -> bytes:
    agents = "".join(f"User-agent: a{n}\n" for n in range(size // 32))
    return (agents + "".join(f"Disallow: /{n}\n" for n in range(size // 32))).encode()


PAIRS.append(numbered_pair)


TOML = [
    *(
        Shape(piece, start)
        for piece in ('\\"', "\\'", '"', "'", "a ", "[")
        for start in ("", 'a = "', 'a = """')
    ),
    *(
        Shape(piece)
        for piece in ("a{} = 1\n", "[a{}]\n", "[[a]]\n", "'a' . ", "a.", "a{}.b = 1\n", "# a\n", "= ")
    ),
    *(Shape(piece, "a = ", "\n") for piece in ("[", "{", "[1,", "{a{}=1,", "1", "1_", "0x", "2020-01-01 ")),
    *(Shape(piece, "a = [", "]") for piece in ("1,", "'',", "{a=1},", "\n", "#\n")),
]

USUAL = [
    Shape(piece, f"<html><head>&<meta x={quote}", "></head><body>")
    for piece in ("rel=", "name=", "rel =", "rel", " rel", "&", "<script ", "<title ", "<!--")
    for quote in ("", '"', "'")
]
"""Heads that are read in a quick way, up to ``MAX_STUB``."""


@dataclass(frozen=True)
class Reader:
    """What is read, and how; exceptions in ``refuses`` are answers, too."""

    name: str
    read: Callable[[bytes], object]
    size: int
    shapes: list[Callable[[int], bytes]]
    refuses: tuple[type[Exception], ...] = field(default=(ValueError,))

    def __call__(self, data: bytes) -> None:
        with suppress(*self.refuses):
            self.read(data)


def text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


def read_rules(data: bytes) -> object:
    """As ``check`` does: whatever rules ask, of a few addresses."""
    found = RobotsText(data)
    urls = [f"{BASE}{'a' * 500}{n}" for n in range(20)]
    asked = [found.keeps_out(url) for url in urls[: found.tried(urls)]]
    return asked, found.forbids_all, found.records, found.sitemaps, found.lines_without_colon


class FewFiles(tree.Tree):
    """A site of three files, one of them behind a linked folder."""

    def __init__(self) -> None:
        super().__init__(Path("/nowhere"))
        for name in ("index.html", "a/index.html"):
            self.files.add(name)
        self.pages.add("index.html")
        self._linked_folders = {"linked": "a"}


FILES = FewFiles()


class Versions(index.Tree):
    """A tree whose versions are all folders."""

    def __init__(self) -> None:
        pass

    def real(self, folder: str) -> str:
        return folder


VERSIONS = Versions()

KNOWN = ['{"version": "{}", "aliases": ["a{}"]},', '{"version": "1", "aliases": ["{}", "{}"]},']


def read_known(data: bytes) -> object:
    names = re.findall(r'"version": "(\w+)"', data.decode())
    known = {name: [f"a{name}"] for name in names}
    return versions.choose(
        versions.find_versions([*names, *(f"x{name}" for name in names)], known), ["latest"], known
    )


def read_groups(data: bytes) -> object:
    """As many versions as names, each with one page: who has which page, and what is another version's."""
    names = data.decode().split()
    found = policy._roles(VERSIONS, "", names, (), policy.Policy())
    group = policy.Group("", found)
    policy.settle([group])
    site = object.__new__(Site)
    pages = ByName({f"{name}/index.html".encode(): None for name in names})
    vars(site).update(pages=pages, groups=[group])
    return [page for version in found for page in site.pages_of(version)], group.others


def read_addresses(data: bytes) -> object:
    """As many versions as pages, whose canonical links lead elsewhere."""
    known = Addresses({f"{BASE}{name}/": None for name in data.decode().split()})
    shared = Shared(Path(), known, True, known, known)
    urls = [f"{BASE}blog/{name}" for name in data.decode().split()]
    place = targets.Place(f"{BASE}v/", BASE, known, known)
    heads = (f'<html><head><link rel="canonical" href="{url}"></head>'.encode() for url in urls)
    task = Task("a", f"{BASE}1/a", f"{BASE}v/a")
    return [edited(head, task, shared, is_whole=True) for head in heads], [*map(place.is_other, urls)]


WILD = Patterns(["*a*a*a*a*b", "a/**/a/**/a/**/b", "**/*a*/**/*.*c", "!*?*?*b"])


def read_entry(value: str) -> object:
    return read_metadata(
        {"sitemap": value, "sitemap-sources": value, "sitemap-lastmod": value},
        "a",
        Path("/nowhere"),
        RealPaths(),
    )


ADDRESSES: dict[str, Callable[[str], object]] = {
    "address.split": address.split,
    "address.is_encoded": address.is_encoded,
    "address.folder_of": address.folder_of,
    "address.is_version": address.is_version,
    "address.other_version": lambda url: address.other_version(url, url + "v1/"),
    "address.difference": lambda url: address.difference(url, "x/" + url),
    "address.same_but_index": lambda url: address.same_but_index(url, url + "#a"),
    "address.fit": lambda url: address.fit([url], FILES.file_at),
    "address.join": lambda url: address.join(url, url),
    "tree.file_at": FILES.file_at,
    "urls.join": lambda url: urls.join(BASE, url),
    "urls.absolute": lambda url: urls.absolute(BASE, url),
    "urls.absolute alone": lambda url: urls.absolute("", url),
    "urls.encode_base": urls.encode_base,
    "urls.comparable": urls.comparable,
    "checks.base_url": validation.base_url,
    "checks.filename": validation.filename,
    "checks.lastmod": validation.lastmod,
    "checks.priority": validation.priority,
    "checks.whole_number": validation.whole_number(1, 9),
    "languages.normalise": languages.normalise,
    "finding.key": lambda url: finding.Finding("F1", "error", None, None, url).key,
    "settings": read_entry,
    "Addresses.above": Addresses({BASE: None, "https://a.org/a/a/": None}).above,
    "versions.choose": lambda url: versions.choose([url, url + "1"], ["latest"], {}),
    "patterns of a page": lambda url: WILD.match(Page(url=url)),
}

PAGES: dict[str, Callable[[bytes], object]] = {
    "a head": head_of,
    "dates in a head": lambda data: dates_in(b"article:modified_time" + data),
    "a refresh": lambda data: leads_elsewhere(b"refresh" + data),
    "a heading": heading_of,
    "images": lambda data: images_of(data, BASE),
    "links": hrefs,
    "what is embedded": lambda data: [*embedded(data)],
    "searches": search_forms,
    "references": lambda data: unescape(data.decode()),
    "the links of a site": lambda data: [*Links((BASE,)).new(data, "a/b/c.html")],
}

FRONT_MATTER = [
    *(
        Shape(f"{line}\n")
        for line in ("a:", "a: []", "a: {b: c}", "a: it's", "a: '", 'a: "b"', "a: ''", "#", " ")
    ),
    *(Shape(f"{line}\n") for line in ("- a", "sitemap:", "a: sitemap", "a-{}: b", "a", "")),
    *(
        Shape(piece, "a: ", "\nb: c\n")
        for piece in ("'", '"', "[", "{", "]", "a'", "'a'", "[]", "\n ", "\n- a")
    ),
]


def about(data: str) -> object:
    """Return the entries of YAML that say something of the sitemap."""
    return front_matter._about(data, ("sitemap",))


READERS = [
    *(Reader(f"HTML: {name}", read, 400_000, [*HTML]) for name, read in PAGES.items()),
    Reader("HTML: a usual head", partial(head_of, expected_canonical=BASE), MAX_STUB - 200, [*USUAL]),
    *(Reader(name, text(read), 200_000, [*TEXTS]) for name, read in ADDRESSES.items()),
    Reader("check: a sitemap", partial(parsing.read_document, "sitemap.xml"), 600_000, [*XML]),
    Reader("check: a text", partial(parsing.read_document, "sitemap.txt"), 600_000, [*TEXTS]),
    Reader(
        "submit: a sitemap",
        lambda data: reading._parse(data, "a"),
        600_000,
        [*XML, *TEXTS],
        (SubmitError, SitemapError),
    ),
    Reader("index: a sitemap", lambda data: [*parse_entries(data, "a")], 600_000, [*XML], (SitemapError,)),
    Reader("check: robots.txt", read_rules, MAX_ROBOTS // 4, [*ROBOTS, *PAIRS]),
    Reader("robots.complete", lambda data: robots.complete(data, [BASE]), 1_000_000, [*ROBOTS]),
    Reader("robots.named", robots.named, 1_000_000, [*ROBOTS]),
    Reader(
        "baseline",
        baseline.parse,
        600_000,
        [Shape("["), Shape('{"a": '), Shape('{"id": "{}"},', "[", "{}]")],
    ),
    Reader("front matter", text(about), MAX_FRONT_MATTER, [*FRONT_MATTER]),
    Reader(
        "fields of reStructuredText",
        text(front_matter._fields),
        200_000,
        [
            Shape(piece, start)
            for start in ("", "..\n", ".. a\n")
            for piece in (" ", "..\n", " a\n", ":a: b\n", " \n")
        ],
    ),
    Reader(
        "a snippet's section",
        text(named.without_section),
        200_000,
        [Shape(piece, end="/") for piece in (":", "a:", "a", ":a/")],
    ),
    # 600 documents that include files below 1,900 folders took Sphinx ten seconds more
    Reader("an installed file", text(Installed(Path("/nowhere"))._find), 8_000, [Shape("/a")]),
    Reader("TOML", text(read_toml), 100_000, [*TOML, *TEXTS]),
    Reader("versions", read_known, 400_000, [Shape(piece) for piece in KNOWN]),
    Reader("pages of versions", read_groups, 60_000, [Shape("{}.0 ")]),
    Reader("addresses of versions", read_addresses, 30_000, [Shape("{}.0 ")]),
]


@pytest.mark.parametrize("reader", READERS, ids=[reader.name for reader in READERS])
def test_a_reader_takes_linear_time(reader: Reader) -> None:
    found = {str(shape): growth(reader, shape, reader.size) for shape in reader.shapes}
    assert {shape: times for shape, times in found.items() if times >= WORST} == {}


def test_the_name_of_an_object_takes_linear_time() -> None:
    """Of a path of thousands of dots, each part took the time of all before it."""
    sources = pytest.importorskip("docs_sitemap.generators.sphinx.sources")
    modules = sources._by_name([Path("/m.py")])
    for piece in (".", "a.", "m."):
        shape = Shape(piece, "x:docstring of ")
        assert growth(lambda data: [*sources._shown(data.decode(), modules)], shape, 40_000) < WORST


def test_a_name_that_does_not_end_is_read_once() -> None:
    """Each of its 500 characters was tried as the last one: 1.5 s for each megabyte."""

    def seconds(text: str) -> float:
        return min(timeit.repeat(lambda: named.named_in(text), number=1, repeat=3))

    words = ("{!" + "a" * 500) * 1_000
    assert seconds(words) < 20 * seconds(words.replace("{!a", "{! {"))


def test_the_comments_of_a_script_take_no_step_each() -> None:
    """10,000 pages of 17 kB of them took 29 seconds, where usual scripts take 9."""

    def seconds(text: bytes) -> float:
        page = b"<script><!--" + text * 5_000 + b"--></script><p>"
        return min(timeit.repeat(lambda: [*tags_of(page)], number=1, repeat=5))

    assert seconds(b"<!--") < 8 * seconds(b"text")


@pytest.mark.parametrize(
    ("read", "text", "last"),
    [
        (address.split, f"https://e.org/{'x' * 1_900}", "\N{GRINNING FACE}"),
        (address.is_version, "1" * 2_000, "?"),
        (version_names.is_release, "1" * 2_000, "?"),
    ],
    ids=["address", "is_version", "is_release"],
)
def test_a_last_character_does_not_have_a_text_read_many_times(
    read: Callable[[str], object], text: str, last: str
) -> None:
    """The expressions tried all shorter texts: 0.2 ms for each address of 25,000 pages."""

    def seconds(text: str) -> float:
        return min(timeit.repeat(lambda: read(text), number=20, repeat=20))

    assert seconds(text + last) < 10 * seconds(text)


def quadratic(data: bytes) -> int:
    """Find each byte of a list in the list."""
    items = [*data[:20_000], -1]
    return sum(items.count(item) for item in items)


PLANTED: dict[str, Reader] = {
    "a loop": Reader("planted", quadratic, 20_000, []),
    "a regular expression": Reader("planted", re.compile(rb"a*a*b").fullmatch, 16_000, []),
    "copies of a text": Reader(
        "planted", lambda data: [len(data[:at]) for at in range(len(data))], 100_000, []
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_quadratic_time_is_seen(name: str) -> None:
    """In Python, in the engine of regular expressions, and in the copying of memory."""
    reader = PLANTED[name]
    assert growth(reader, Shape("a"), reader.size) > WORST


def test_exponential_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.growth.HANG", 0.5)
    with pytest.raises(HangError):
        growth(re.compile(rb"(a|aa)*b").fullmatch, Shape("a"), 400)


def test_linear_time_is_none() -> None:
    for read in (sum, re.compile(rb"[ab]*+c").fullmatch, lambda data: sorted(data * 2)):
        assert growth(read, Shape("a"), 4_000_000) < WORST


def test_a_step_is_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory outside the caches takes its time: once 8.2 times as much of it for four times the input.

    The clock is the test's own: where the caches of a machine end is not known.
    """
    clock = [0.0]
    monkeypatch.setattr("tests.support.growth.time.thread_time", lambda: clock[0])

    def read(data: bytes) -> None:
        clock[0] += len(data) * (1 if len(data) < 1_000_000 else 2.5)

    def square(data: bytes) -> None:
        clock[0] += len(data) ** 2

    assert growth(read, Shape("a"), 1_000_000) == pytest.approx(math.sqrt(40))
    assert growth(square, Shape("a"), 1_000_000) == 16
