"""Each rule finds the fault that is put into a site without one, and says nothing before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from click.testing import CliRunner, Result

from docs_sitemap.check import RULES, Question, check_site
from docs_sitemap.cli import main
from docs_sitemap.files.urlset import SIGNATURE, UNDATED
from docs_sitemap.pages.hosting import MISSING, SERVED, SERVICES, Hosting
from docs_sitemap.versions.marks import mark_element
from tests.support.checksite import BASE, NS, BuiltSite, Entry, Page, packed
from tests.support.gitrepo import Repo

MIDNIGHT = "T00:00:00+00:00"
UNKNOWN = ["1969-12-31T23:00:00-01:00", *(f"{day}{MIDNIGHT}" for day in ("0001-01-01", "1900-01-01"))]
UNKNOWN += [f"{day}{MIDNIGHT}" for day in ("1970-01-01", "1980-01-01", "1991-08-05")]
NOINDEX = '<meta name="robots" content="noindex, follow">'
REFRESH = '<meta http-equiv="refresh" content="0; url=../{}/">'
Change = Callable[[BuiltSite], object]


@pytest.fixture
def site(tmp_path: Path) -> BuiltSite:
    return BuiltSite(tmp_path / "site")


def ids(site: BuiltSite, letter: str = "") -> list[str]:
    return [found.id for found in site.check() if found.id.startswith(letter)]


# Small changes of a site.


def edit(old: str, new: str) -> Change:
    """Replace a text in the sitemap."""

    def change(site: BuiltSite) -> None:
        assert old in site.urlset()
        site.files["sitemap.xml"] = site.urlset().replace(old, new).encode()

    return change


def put(data: bytes, name: str = "sitemap.xml") -> Change:
    """Put a file into the site, by default in place of the sitemap."""
    return lambda site: site.files.update({name: data})


def faq(**values: str | None) -> Change:
    """Change the entry of the page faq/."""

    def change(site: BuiltSite) -> None:
        entry = site.entry("faq/")
        for name, value in values.items():
            setattr(entry, name, value)

    return change


def page(path: str = "faq/", **values: str) -> Change:
    """Change a page."""

    def change(site: BuiltSite) -> None:
        for name, value in values.items():
            setattr(site.pages[path], name, value)

    return change


def more(loc: str) -> Change:
    """List one more URL."""
    return lambda site: site.entries.append(Entry(loc, "2024-08-08T00:00:00Z"))


def robots(text: str, sitemap: str = f"\nSitemap: {BASE}sitemap.xml\n") -> Change:
    return lambda site: setattr(site, "robots", text + sitemap)


def forbid(*agents: str) -> str:
    return "".join(f"User-agent: {agent}\nDisallow: /\n" for agent in agents)


def robots_below(*folders: str) -> Change:
    """Put a robots.txt into folders, with a line that the one at the root has not."""
    names = [f"{folder}robots.txt" for folder in folders or ("guide/", "faq/")]
    return lambda site: site.files.update(dict.fromkeys(names, b"User-agent: *\nDisallow: /old/\n"))


def rebase(base: str) -> Change:
    return lambda site: site.__init__(site.root, base)  # type: ignore[misc]


def images(*locs: str, more: str = "") -> Change:
    ns = 'xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'
    return faq(more="".join(f"<i:image {ns}><i:loc>{loc}</i:loc>{more}</i:image>" for loc in locs))


def translate(site: BuiltSite, *pairs: tuple[str, str], pages: tuple[str, ...] = ("faq/", "de/faq/")) -> None:
    """Give pages these alternates."""
    if "de/faq/" not in site.pages:
        site.add("de/faq/")
    start = '<x:link xmlns:x="http://www.w3.org/1999/xhtml" rel="alternate"'
    links = "".join(f'{start} hreflang="{code}" href="{BASE}{path}"/>' for code, path in pairs)
    for path in pages:
        site.entry(path).more = links


EN, DE = ("en", "faq/"), ("de", "de/faq/")


def alternates(*pairs: tuple[str, str], pages: tuple[str, ...] = ("faq/",)) -> Change:
    """Give a page alternates, beside a translation without faults."""

    def change(site: BuiltSite) -> None:
        translate(site, EN, DE)
        translate(site, *pairs, pages=pages)

    return change


def add_versions(site: BuiltSite) -> None:
    """Two versions below the site, of which the pages of the old one name those of the current one."""
    for version in ("1.0", "2.0"):
        site.files[f"{version}/objects.inv"] = b""
        for path in ("", "guide/", "new/" if version == "2.0" else "gone/"):
            site.add(f"{version}/{path}")
    for number, path in enumerate(("", "guide/", "gone/")):
        site.unlist(f"1.0/{path}")
        site.entry(f"2.0/{path.replace('gone', 'new')}").lastmod = f"2024-09-0{number + 1}T10:00:00+00:00"
        if path != "gone/":
            site.pages[f"1.0/{path}"].canonical = f"{BASE}2.0/{path}"
    site.pages["1.0/gone/"].head = NOINDEX


def versions(path: str, *, unlisted: str = "", **values: str) -> Change:
    """Add versions, and change one of their pages."""

    def change(site: BuiltSite) -> None:
        add_versions(site)
        page(path, **values)(site)
        if unlisted:
            site.unlist(unlisted)

    return change


@dataclass
class Case:
    """A fault, the rule that finds it, what that says, at which level if not at its own, and how often."""

    rule: str
    message: str
    fault: Change
    level: str = ""
    count: int = 1


FAQ = "<loc>https://docs.acme.org/faq/</loc>"
DATED = "<lastmod>2024-06-06T10:00:00+00:00</lastmod>"
URLSET = BuiltSite(Path()).urlset().encode()
CDN = "https://cdn.acme.org/a.png"


def all_pages(**values: str) -> Change:
    """Change all pages."""
    return lambda site: [page(path, **values)(site) for path in site.pages]


def hide(*paths: str) -> Change:
    """Make pages noindex, and list them no more."""

    def change(site: BuiltSite) -> None:
        for path in paths:
            page(path, head=NOINDEX)(site)
            site.unlist(path)

    return change


def all_hidden(site: BuiltSite) -> None:
    """A build of a site whose pages are all noindex has no sitemap."""
    hide(*site.pages)(site)
    site.files["sitemap.xml"] = None
    robots("User-agent: *\nAllow: /\n", "")(site)


def hidden_and_forbidden(site: BuiltSite) -> None:
    """A page with noindex, and one with a canonical link, that crawlers must not fetch."""
    robots("User-agent: *\nDisallow: /old/")(site)
    for path, more in ("old/a/", {"head": NOINDEX}), ("old/b/", {"canonical": BASE}):
        site.add(path, **more)
        site.unlist(path)


CASES = [
    Case("F1", "is not well-formed XML", edit("</urlset>", "")),
    Case("F1", "the root is html, not urlset", put(b"<html><body/></html>")),
    Case("F1", "the root is in the namespace https://www.", edit("http://www", "https://www")),
    Case("F1", "the root has no namespace", edit(f' xmlns="{NS}"', "")),
    Case("F1", "loc is out of order", edit(FAQ + DATED, DATED + FAQ)),
    Case("F1", "url has a second lastmod", faq(more="<lastmod>2024-06-06</lastmod>")),
    Case("F1", "url has author, which is not in the schema", faq(more="<author>A</author>")),
    Case("F1", "unexpected page: the schema allows only url here", edit("</urlset>", "<page/></urlset>")),
    Case("F1", "url without a loc (2 times)", edit("</urlset>", "<url/><url><loc> </loc></url></urlset>")),
    Case("F4", "is not UTF-8: byte 0xe9", put(URLSET + b"<!-- \xe9 -->")),
    Case("F4", "starts with a byte order mark", put(b"\xef\xbb\xbf" + URLSET), level="warning"),
    Case("F4", "has a DOCTYPE", edit("<urlset", '<!-- a --><!DOCTYPE urlset [<!ENTITY a "b">]>\n<urlset')),
    Case("F5", "no entries: write no file rather than an empty urlset", lambda site: site.entries.clear()),
    Case("F6", "the gzip file is broken", put(packed(URLSET)[:-9], "sitemap.xml.gz")),
    Case("F6", "is not a compressed copy of sitemap.xml", put(packed(URLSET + b" "), "sitemap.xml.gz")),
    Case("F6", "the name ends with .gz, but the file is not gzipped", put(URLSET, "sitemap.xml.gz")),
    Case("U1", "is on http://docs.acme.org, but the site is on https:", faq(loc=f"http{BASE[5:]}faq/")),
    Case("U1", "CNAME publishes the site on acme.org, but its URLs are", put(b"acme.org\n", "CNAME")),
    Case("U2", "is not an absolute http or https URL", more("faq/")),
    Case("U2", "is not percent-encoded", lambda site: site.add("café/")),
    Case("U2", "has a fragment", faq(loc=f"{BASE}faq/#top")),
    Case("U3", "is already listed in line 8", lambda site: site.entries.append(site.entry("faq/"))),
    Case("U4", "has no file in the build", more(BASE + "gone/")),
    Case("U4", "build; faq/index.html is written in another case", more(f"{BASE}Faq/")),
    Case("U7", f"canonical link is {BASE}stable/guide/", page("guide/", canonical=f"{BASE}stable/guide/")),
    Case("U6", "the page is marked noindex", page(head=NOINDEX)),
    Case("U7", "the page's canonical link is https://docs.acme.org/guide/", page(canonical="../guide/")),
    Case("U7", "the page's canonical link is http://[/", page(canonical="http://[/")),
    Case("U7", f"is {BASE}faq/index.html", page(canonical=BASE + "faq/index.html"), level="warning"),
    Case("U8", "robots.txt blocks crawlers from fetching it", robots("User-agent: *\nDisallow: /fa*\n")),
    Case("U8", "blocks Googlebot from", robots("User-agent: googlebot\nDisallow: /guide/\n"), count=3),
    Case("C1", "the page may be indexed, but no sitemap lists it", lambda site: site.unlist("faq/")),
    Case("C3", "is an error page", lambda site: site.add("404.html")),
    Case("C4", f"version: {BASE}stable/x/", lambda it: it.add("1.0/x/", canonical=BASE + "stable/x/")),
    Case(
        "L1",
        "is in the future",
        faq(lastmod=(datetime.now(UTC) + timedelta(hours=2)).isoformat(timespec="seconds")),
    ),
    Case("L3", "lastmod '20/08/2024' is not W3C Datetime", faq(lastmod="20/08/2024")),
    Case("L3", "lastmod '2024-02-30T00:00:00Z' is not a valid date", faq(lastmod="2024-02-30T00:00:00Z")),
    Case("L3", "lastmod '2024-08-20T10:11:12' has no time zone", faq(lastmod="2024-08-20T10:11:12")),
    Case("L3", "lastmod '2024-08' is W3C Datetime, but not in the schema", faq(lastmod="2024-08")),
    Case("L3", "1 of 6 URLs have no lastmod, for example https://docs.acme.org/faq/", faq(lastmod=None)),
    Case("L3", "1 lastmods are days, and 5 have a time", faq(lastmod="2024-08-20")),
    Case("L3", "lastmod '1.1.2025' is not W3C Datetime", lambda site: site.split(lastmod="1.1.2025")),
    Case("L5", "newest page in sitemap-1.xml, 2024-06-06T10", lambda it: it.split(lastmod="2024-06-05")),
    Case("H1", "its alternates do not include the page itself", alternates(EN, pages=("de/faq/",))),
    Case("H1", "for de, which does not link back", lambda it: translate(it, EN, DE, pages=("faq/",))),
    Case("H1", "'en-UK': UK is not a region code", alternates(("en-UK", "faq/"), DE)),
    Case("H1", "'pt_BR' has an underscore: use pt-BR", alternates(("pt_BR", "faq/"), DE)),
    Case(
        "H1",
        "'en' is listed twice",
        alternates(("en", "guide/"), EN, DE, pages=("faq/", "de/faq/", "guide/")),
        count=3,
    ),
    Case(
        "H1",
        f"names {BASE}de/guide/ for de, which no sitemap lists",
        alternates(("en", "guide/"), ("de", "de/guide/"), pages=("guide/",)),
        level="warning",
    ),
    Case(
        "I1", "has 1,001 images, more than 1,000", images(*(f"https://e.org/{it}.png" for it in range(1001)))
    ),
    Case("I1", "image:caption, image:title: no longer read", images(CDN, more="<i:title/><i:caption/>")),
    Case("I1", f"its image {BASE}b.png is not in the build", images(BASE + "api.html", BASE + "b.png", CDN)),
    Case(
        "R1",
        f"crawlers do not find the sitemap. Add a robots.txt with this line: Sitemap: {BASE}sitemap.xml",
        lambda site: setattr(site, "robots", None),
    ),
    Case("R1", "has no Sitemap line", robots("User-agent: *\nAllow: /\n", "")),
    Case("R1", "Sitemap: /s.xml is not an absolute URL", robots("", "Sitemap: /s.xml"), level="error"),
    Case(
        "R1",
        f"on https://acme.io, but the site is on {BASE[:-1]}",
        robots("", "Sitemap: https://acme.io/s.xml"),
    ),
    Case("R1", "the sitemap is not in the build", robots(f"Sitemap: {BASE}faq/sitemap.xml"), level="error"),
    Case("R2", f"will be at {BASE}docs/robots.txt, where no crawler reads it", rebase(BASE + "docs/")),
    Case(
        "R3",
        "more than 512,000 bytes",
        robots(f"Sitemap: {BASE}sitemap.xml\n{'# filled' * 70_000}\n"),
        level="error",
    ),
    Case("R3", "starts with a byte order mark", robots("\ufeffUser-agent: *\nAllow: /\n")),
    Case("R3", "no colon in line 2, 4", robots("User-agent: *\nDisallow /x\n\nAllow")),
    Case("R3", "unknown key 'dissallow'", robots("User-agent: *\nDissallow: /x\nDissallow: /y")),
    # Google's parser reads this as disallow, so that the next line begins another group
    Case(
        "R3", "unknown key 'disalow'", robots("User-agent: *\nDisalow: /x\nUser-agent: GPTBot\nDisallow: /")
    ),
    Case("R3", "disallow before the first User-agent has no effect", robots("Disallow: /x\nUser-agent: *")),
    Case("R3", "Disallow: / blocks the whole", robots("User-agent: *\nDisallow: / # for now"), level="error"),
    Case(
        "R8",
        "nobody may read the noindex or canonical link of 2 pages, for example old/a/index.html",
        hidden_and_forbidden,
    ),
    Case(
        "U11", f"{BASE}faq/ and {BASE}elsewhere/", page(head=f'<link rel=canonical href="{BASE}elsewhere/">')
    ),
    Case("U12", f"the canonical link is {BASE}guide/gone/", page(canonical=BASE + "guide/gone/")),
    Case("A5", f"the canonical link of all 6 pages is {BASE}", all_pages(canonical=BASE)),
    Case("A4", "all 6 pages say noindex, the home page among them", all_hidden),
    Case("A4", "1 of 6 pages say noindex, the home page among them", hide("")),
    Case("A4", "4 of 6 pages say noindex", hide("faq/", "guide/", "guide/use/", "guide/install/")),
    Case("R4", "blocks crawlers from fetching the sitemap", robots("User-agent: *\nDisallow: /*.xml$")),
    Case("V2", f"{BASE}2.0/gone/, which", versions("1.0/gone/", head="", canonical=f"{BASE}2.0/gone/")),
    Case(
        "V4",
        "a page that names another one",
        versions("2.0/guide/", canonical=f"{BASE}2.0/new/", unlisted="2.0/guide/"),
    ),
    Case(
        "V4",
        "a page that is a redirect",
        versions("2.0/guide/", head=REFRESH.format("new"), unlisted="2.0/guide/"),
    ),
    Case("V4", "a page that is noindex", versions("2.0/guide/", head=NOINDEX, unlisted="2.0/guide/")),
    Case(
        "S1",
        "has an XSL stylesheet",
        edit("<urlset", '<?xml-stylesheet type="text/xsl" href="sitemap.xsl"?>\n<urlset'),
    ),
    Case(
        "S2",
        "1 changefreq and 1 priority: engines ignore them",
        faq(more="<changefreq>weekly</changefreq><priority>1.0</priority>"),
    ),
    Case("S3", "6 URLs are on http://localhost:8000, a local name", rebase("http://localhost:8000/")),
    Case("S3", "on https://[fd00::1]:8000, an address that is not public", rebase("https://[FD00::1]:8000/")),
    Case("S3", "6 URLs are on https://example.com, a placeholder", rebase("https://example.com/")),
]


def case(rule: str, message: str, level: str = "", count: int = 1) -> Callable[[Change], Change]:
    """Add a fault that takes several lines."""

    def add(fault: Change) -> Change:
        CASES.append(Case(rule, message, fault, level, count))
        return fault

    return add


@case("F0", "no sitemap: robots.txt names no existing file")
def none_at_all(site: BuiltSite) -> None:
    site.files["sitemap.xml"] = None
    site.robots = "User-agent: *\nAllow: /\n"


@case("F3", "more than 52,428,800 bytes uncompressed")
def too_large(site: BuiltSite) -> None:
    site.files |= {"sitemap.xml": None, "sitemap.xml.gz": packed(URLSET + b" " * 52_428_800)}
    site.robots = f"User-agent: *\nAllow: /\nSitemap: {BASE}sitemap.xml.gz\n"


@case("F5", "lastmod is empty: omit it (2 times)")
def empty_date(site: BuiltSite) -> None:
    site.entry("faq/").lastmod = ""
    site.entry("api.html").lastmod = " "


@case("F6", "the index names a file that is not in the build")
def missing_part(site: BuiltSite) -> None:
    site.split()
    site.files["sitemap.xml"] = site.index("sitemap-1.xml", "sitemap-2.xml")


@case("F6", "the index names an index")
def nested_index(site: BuiltSite) -> None:
    site.split()
    site.files["sitemap.xml"] = site.index("sitemap-1.xml", "inner.xml")
    site.files["inner.xml"] = site.index("sitemap-1.xml")


@case("U1", "12 URLs are on https://acme.github.io, but the site is https://docs.acme.org/")
def other_host_everywhere(site: BuiltSite) -> None:
    site.add_many(6)
    for entry in site.entries:
        entry.loc = entry.loc.replace("docs.acme.org", "acme.github.io")


@case("A2", f"5 of its URLs, which are outside maps/, for example {BASE}. Build maps/ with its own address")
def above_the_sitemap(site: BuiltSite) -> None:
    site.pages["maps/"] = site.pages.pop("faq/")
    site.unlist("faq/")
    site.pages[""].links.append("maps/")
    site.entries.append(Entry(BASE + "maps/", "2024-08-08T00:00:00Z"))
    site.files |= {"sitemap.xml": None, "maps/sitemap.xml": site.urlset().encode()}
    site.robots = f"User-agent: *\nAllow: /\nSitemap: {BASE}maps/sitemap.xml\n"


@case("U2", "has 2,048 characters; fewer than 2,048 are allowed")
def too_long(site: BuiltSite) -> None:
    site.pages["faq/"].canonical = ""
    site.entries.append(Entry(f"{BASE}faq/?{'a' * 3000}"[:2048], "2024-08-08T00:00:00Z"))


@case("U3", "is the same page as https://docs.acme.org/faq/, which is also listed")
def two_addresses(site: BuiltSite) -> None:
    site.pages["faq/"].canonical = ""
    site.entries.append(Entry(BASE + "faq/index.html", "2024-08-08T00:00:00Z"))


@case("U3", "is also listed in sitemap-1.xml")
def in_two_files(site: BuiltSite) -> None:
    site.split()
    site.files["sitemap-2.xml"] = site.urlset([site.entry("faq/")]).encode()
    site.files["sitemap.xml"] = site.index("sitemap-1.xml", "sitemap-2.xml")


@case("U3", "6 URLs are also listed in sitemap.xml")
def a_whole_file_twice(site: BuiltSite) -> None:
    site.files["all.xml"] = site.urlset().encode()
    site.robots = f"{site.robots}Sitemap: {BASE}all.xml\n"


@case("U4", "has no file in the build")
def out_of_the_folder(site: BuiltSite) -> None:
    (site.root.parent / "outside.html").write_text("<html></html>")
    site.entries.append(Entry(BASE + "guide/../../outside.html", "2024-08-08T00:00:00Z"))


@case("U5", "is a redirect")
def stub(site: BuiltSite) -> None:
    """A redirect to another page that says noindex is one fault and not three."""
    site.add("old/", head=REFRESH.format("faq") + NOINDEX, canonical=BASE + "faq/")


@case(
    "U7",
    "12 pages are listed below https://docs.acme.org/, but their canonical links are below https://www.acme.org/d/",
)
def canonicals_elsewhere(site: BuiltSite) -> None:
    for path in [*site.add_many(7), "guide/", "guide/install/", "guide/use/", "faq/", "api.html"]:
        site.pages[path].canonical = "https://www.acme.org/d/" + path


@case("U7", "12 pages are listed with or without a last / or index.html, unlike", level="warning")
def canonicals_without_a_slash(site: BuiltSite) -> None:
    for path in site.add_many(12):
        site.pages[path].canonical = BASE + path.removesuffix("/")


@case("U7", "10 pages are listed below https://docs.acme.org/en/latest/")
def urls_with_a_version(site: BuiltSite) -> None:
    """sphinx-sitemap's default puts language and version into each URL, whatever the canonical links say."""
    site.add_many(4)
    site.files["sitemap.xml"] = site.urlset().replace(BASE, BASE + "en/latest/").encode()


@case("U10", "1 page has links that GitHub Pages redirects, for example to /guide. Make", count=1)
def links_without_a_slash(site: BuiltSite) -> None:
    rebase("https://acme.github.io/")(site)
    site.pages["faq/"].links += [
        "/guide/use",
        "/guide",
        "../guide/#x",
        "/guide?x",
        "/guide#x",
        "/guide/install",
    ]
    site.pages["old/"] = Page(["/guide"], head='<meta http-equiv="refresh" content="0; url=/faq/">')


@case("U12", "7 pages have canonical links to missing pages, for example", count=1)
def canonicals_of_another_form(site: BuiltSite) -> None:
    for path in site.add_many(7):
        site.pages[path].canonical = f"{BASE}{path}page.html"


@case("C2", "no other page links to it")
def orphan(site: BuiltSite) -> None:
    site.pages[""].links.remove("faq/")
    site.pages["faq/"].links += ["", "#x", "index.html", "../faq/", "/faq/", BASE + "faq/"]


@case("C3", "7 URLs, for example https://docs.acme.org/_modules/m0.html: each is a page of source code")
def source_code(site: BuiltSite) -> None:
    site.files["_static/documentation_options.js"] = b""
    for number in range(7):
        site.add(f"_modules/m{number}.html", body='<h1>m</h1><div class="highlight"><pre></pre></div>')


@case("C4", "7 pages are listed below https://docs.acme.org/v1.2/, but their canonical links are below")
def old_versions(site: BuiltSite) -> None:
    for path in site.add_many(7, "v1.2"):
        site.pages[path].canonical = BASE + path.removeprefix("v1.2/")


@case("L1", "8 lastmods are 2999-01-01T00:00:00Z, in the future")
def many_tomorrow(site: BuiltSite) -> None:
    for path in site.add_many(8):
        site.entry(path).lastmod = "2999-01-01T00:00:00Z"


@case("L2", "all 6 lastmods are 2026-11-01")
def one_day(site: BuiltSite) -> None:
    for entry in site.entries:
        entry.lastmod = "2026-11-01"


@case("L2", "all 6 lastmods are the modification times of the built files")
def file_times(site: BuiltSite) -> None:
    for number, entry in enumerate(site.entries):  # files are written at 15:06:40
        entry.lastmod = f"2025-06-15T17:06:{39 + number % 3}+02:00"


@case("L4", "11 of 12 dates are 2024-01-01T10:00:00+00:00, where a shallow")
def boundary(site: BuiltSite) -> None:
    site.add_many(6)
    for entry in site.entries[2:]:
        entry.lastmod = "2024-01-01T10:00:00+00:00"


def dated(*lastmods: str) -> Change:
    """Give as many pages these dates."""

    def change(site: BuiltSite) -> None:
        for path, lastmod in zip(site.add_many(len(lastmods)), lastmods, strict=True):
            site.entry(path).lastmod = lastmod

    return change


def no_dates(site: BuiltSite) -> None:
    for entry in site.entries:
        entry.lastmod = None


def ours(site: BuiltSite) -> None:
    site.prolog += f"{SIGNATURE.decode()}\n"


def copies(count: int, headers: bytes = b"") -> Change:
    """Put copies in Markdown beside pages, in each of the usual forms."""
    names = ["faq/index.md", "guide.md", "api.html.md", "api.md"][:count]
    return lambda site: site.files.update(
        {**dict.fromkeys(names, b"# Text\n"), "README.md": b"No page.\n", "_headers": headers}
    )


@case("L8", "none of the 6 URLs has a date")
def no_dates_of_ours(site: BuiltSite) -> None:
    ours(site)
    no_dates(site)


CASES += [
    Case("L7", f"lastmod {UNKNOWN[0]} is a date before the Web", dated(UNKNOWN[0])),
    Case("L7", "is a date before the Web", dated(*UNKNOWN[:5]), count=5),
    Case("L7", "18 lastmods are before the Web (6 August 1991)", dated(*UNKNOWN * 3)),
    Case("C5", "search engines may index a copy of a page in Markdown, for example faq/index.md", copies(1)),
    Case(
        "C5",
        "index 4 copies of pages in Markdown",
        copies(4, b"/guide/*\n  X-Robots-Tag: noindex\n/*.md\n  X-A: b\n"),
    ),
    Case(
        "R1",
        "on http://localhost:3000, a local name, but",
        robots("", "Sitemap: http://localhost:3000/s.xml"),
    ),
    Case(
        "R5",
        "the whole site is forbidden to OAI-SearchBot, perplexitybot, but not to Googlebot",
        robots(f"User-agent: *\nAllow: /\n\n{forbid('GPTBot', 'OAI-SearchBot', 'perplexitybot')}"),
    ),
    Case(
        "R6",
        "content-signal before the first User-agent",
        robots("Content-Signal: search=yes\nUser-agent: *\n"),
    ),
    Case(
        "R6",
        "unknown: 'train-ai=no, search=y, ai-input'",
        robots("User-agent: *\nContent-Signal: train-ai=no, ai-train=no, search=y, ai-input\nAllow: /\n"),
    ),
    Case("R7", "no crawler reads this file below the root", robots_below("_static/css/"), level="info"),
    Case("R7", "no crawler reads 2 files below the root, for example faq/", robots_below(), level="info"),
]


@case("H2", f"the page has {BASE}de/ for de, but the sitemap has {BASE}de/faq/")
def contradiction(site: BuiltSite) -> None:
    translate(site, EN, DE)
    site.pages["faq/"].head = '<link rel="alternate" hreflang="de" href="/de/">'


@case("H2", f"7 pages all have {BASE}de/ for de, but the sitemap has a separate URL for each")
def contradiction_of_the_theme(site: BuiltSite) -> None:
    for path in site.add_many(7):
        site.add("de/" + path)
        translate(site, ("en", path), ("de", "de/" + path), pages=(path, "de/" + path))
        site.pages[path].head = '<link rel="alternate" hreflang="de" href="/de/">'
    site.unlist("de/faq/")
    site.pages.pop("de/faq/")
    site.pages[""].links.remove("de/faq/")


@case("V1", "1 of its pages may be indexed, for example guide/index.html, although 2.0 has the same")
def an_old_page(site: BuiltSite) -> None:
    add_versions(site)
    site.pages["1.0/guide/"].canonical = ""
    site.entries.append(Entry(f"{BASE}1.0/guide/", "2024-08-08T10:00:00+00:00"))


@case("V1", "10 of its pages may be indexed, for example p0/index.html, although 2.0 has the same")
def many_old_pages(site: BuiltSite) -> None:
    add_versions(site)
    for number in range(10):
        for version in ("1.0", "2.0"):
            site.add(f"{version}/p{number}/")
            site.entry(f"{version}/p{number}/").lastmod = f"2024-07-{number + 10}T10:00:0{version[0]}+00:00"


@case("V1", "1 of its pages may be indexed, for example guide/index.html, although 2.0 has the same")
def an_old_page_below_a_site(site: BuiltSite) -> None:
    """MkDocs's own site, with the versions of mike beside its pages."""
    an_old_page(site)
    site.files["objects.inv"] = b""


@case("V2", "pages of 1.0 lead to missing pages, for example that of this page", level="warning")
def many_canonicals_elsewhere(site: BuiltSite) -> None:
    """The site at the root may be published from another repository."""
    add_versions(site)
    for path in site.add_many(7, "1.0/many"):
        site.unlist(path)
        site.pages[path].canonical = f"{BASE}{path.replace('1.0/', '')}"


@case("V3", "2.0 is the current version, but its home page is noindex")
def current_excluded(site: BuiltSite) -> None:
    versions("2.0/", head=NOINDEX, unlisted="2.0/")(site)
    site.pages["1.0/"].canonical = f"{BASE}2.0/new/"


def add_language(site: BuiltSite, lang: str = "fr", *, other: str = "", count: int = 6) -> str:
    """A translation with its own sitemap, whose first pages name those of another folder as canonical."""
    paths = ["", "guide/", "guide/install/", "guide/use/", "api.html", "faq/"]
    entries = []
    for number, path in enumerate(paths):
        own = f"{BASE}{lang}/{path}"
        canonical = f"{BASE}{other}{path}" if number < count else own
        text = Page(canonical=canonical, body="".join(f'<a href="{BASE}{lang}/{it}">x</a>' for it in paths))
        html = text.html(own).replace("lang=en", f'lang="{lang}"')
        site.files[f"{lang}/{path}{'' if path.endswith('.html') else 'index.html'}"] = html.encode()
        entries.append(Entry(canonical, f"2024-0{number + 1}-05T10:00:00+00:00"))
    return site.urlset(entries)


@case("A1", "6 pages in fr name pages in en, which search engines show instead, for example that of fr/")
def a_language_with_the_address_of_another(site: BuiltSite) -> None:
    add_language(site)
    site.files["fr/objects.inv"] = b""


@case("A1", f"Build 2.0/fr/ with its own address: site_url: {BASE}2.0/fr/", count=1)
def a_language_of_a_version(site: BuiltSite) -> None:
    for path in ("", "guide/", "faq/"):
        site.add(f"2.0/{path}")
        site.entry(f"2.0/{path}").lastmod = f"2024-07-0{len(path) + 1}T10:00:00+00:00"
    add_language(site, "2.0/fr", other="2.0/", count=2)
    for name in [*site.files]:
        site.files[name] = (site.files[name] or b"").replace(b'lang="2.0/fr"', b'lang="fr-CA"')
        if name not in ("2.0/fr/index.html", "2.0/fr/guide/index.html"):
            site.files.pop(name)
    site.files["2.0/fr/search/search_index.json"] = b"{}"


@case("A2", f"3 of its URLs, which are outside tools/, for example {BASE}tool/. Build tools/ with its own")
def a_folder_with_another_name_than_its_address(site: BuiltSite) -> None:
    for path in ("", "a/", "b/"):
        site.pages[f"tools/{path}"] = Page(canonical=f"{BASE}tool/{path}")
    locs = [Entry(f"{BASE}tool/{path}", "2024-07-07T10:00:00+00:00") for path in ("", "a/", "b/")]
    site.files["tools/sitemap.xml"] = site.urlset(locs).encode()


@case("A2", f"2 of its URLs, which are outside fr/, for example {BASE}guide/. Build fr/ with its own address")
def a_named_sitemap_of_a_language(site: BuiltSite) -> None:
    """Its pages are right: another tool wrote the sitemap."""
    add_language(site, count=0)
    locs = [BASE + path for path in ("guide/", "faq/")] + [f"{BASE}fr/{it}" for it in ("guide/use/", "")]
    dated = [Entry(loc, f"2023-0{number}-03T10:00:00+00:00") for number, loc in enumerate(locs, 1)]
    left = [f"{BASE}fr/{path}" for path in ("guide/", "guide/install/", "api.html", "faq/")]
    more = [Entry(loc, f"2022-0{number}-03T10:00:00+00:00") for number, loc in enumerate(left, 1)]
    site.entries = [entry for entry in site.entries if entry.loc not in locs]
    site.files |= {"fr/sitemap.xml": site.urlset(dated + more).encode()}
    site.robots = f"{site.robots}Sitemap: {BASE}fr/sitemap.xml\n"


@case("U3", "6 URLs are also listed in sitemap.xml, for example https://docs.acme.org/fr/")
def two_sites_with_the_same_urls(site: BuiltSite) -> None:
    site.files["fr/sitemap.xml"] = add_language(site, count=0).encode()
    for path in ("", "guide/", "guide/install/", "guide/use/", "api.html", "faq/"):
        site.entries.append(Entry(f"{BASE}fr/{path}", f"2022-0{len(path) % 7 + 1}-03T10:00:00+00:00"))


@case("A3", "3 of its pages may be indexed, for example faq/index.html, although the site")
def a_preview(site: BuiltSite) -> None:
    for path in ("", "guide/", "faq/", "new/"):
        site.pages[f"pr-preview/pr-12/{path}"] = Page(links=["guide/", "faq/", "new/"])
    site.files["pr-preview/pr-12/sitemap.xml"] = site.urlset(
        [Entry(f"{BASE}pr-preview/pr-12/", None)]
    ).encode()


@case("V5", "no sitemap lists a page of this version, which is the current one")
def an_unlisted_version(site: BuiltSite) -> None:
    add_versions(site)
    for path in ("", "guide/", "new/"):
        site.unlist(f"2.0/{path}")


@pytest.mark.parametrize("it", CASES, ids=[f"{it.rule}-{number}" for number, it in enumerate(CASES)])
def test_a_fault_is_found_by_its_rule_and_by_no_other(it: Case, site: BuiltSite) -> None:
    it.fault(site)
    findings = site.check()
    assert {finding.id for finding in findings} == {it.rule}, findings
    assert len(findings) == it.count
    for finding in findings:
        assert it.message in f"{finding.message}. {finding.fix}"
        assert finding.level == (it.level or RULES[it.rule].level)
        assert finding.file or it.rule == "F0"
    # what it reads is declared with it, so that it finds the same where no other rule asks
    assert check_site(Question(site.root), [RULES[it.rule]]).findings == findings


def test_urls_on_a_local_name_are_told_once(site: BuiltSite) -> None:
    rebase("http://localhost:8000/")(site)
    assert {"S3"} == {it.id for it in site.check(base_url=BASE)} & {"S3", "U1"}


def test_an_empty_lastmod_is_not_mended_by_a_base_url(site: BuiltSite) -> None:
    site.entry("faq/").lastmod = ""
    assert [it.fix for it in site.check() if it.id == "F5"] == ["Leave it out."]


def test_each_rule_has_a_fault_that_it_finds() -> None:
    on_disk = {rule.id for rule in RULES.values() if rule.reads != "web"}  # test_check_live has the others
    assert {it.rule for it in CASES} | {"F2", "L6", "U9"} == on_disk


def robots_of_a_build(base: str) -> bytes:
    return f"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: {base}sitemap.xml\n".encode()


FINE: dict[str, Change] = {
    "the site as it is": lambda site: None,
    "its sitemap in parts": lambda site: site.split(),
    "versions that are marked": add_versions,
    "a fragment of HTML": put(b"<p>Included elsewhere.", "part.html"),
    "a language that is built elsewhere": alternates(
        ("en", "guide/"), ("fr", "fr/guide/"), pages=("guide/",)
    ),
}
"""Sites in which nothing is found."""


def fine(change: Change) -> Change:
    """Add a site in which nothing is found."""
    FINE[change.__name__] = change
    return change


@fine
def comments_in_a_sitemap(site: BuiltSite) -> None:
    site.prolog += "<!-- by hand -->\n"
    site.entry("faq/").more = "<!-- often asked for -->"
    site.files["sitemap.xml"] = site.urlset().replace("</urlset>", "<!-- the end --></urlset>").encode()


@fine
def dates_that_are_switched_off(site: BuiltSite) -> None:
    no_dates_of_ours(site)
    site.prolog += f"{UNDATED.decode()}\n"


FINE |= {
    "the first page of the Web": dated(f"1991-08-06{MIDNIGHT}"),
    "sitemaps of others without dates": no_dates,
    "copies in Markdown with a header": copies(4, b"# ours\n/*.md\n  X-A: b\n  x-robots-tag: noindex\n"),
    "crawlers for training, and of a user": robots(
        f"User-agent: *\nAllow: /\n{forbid('GPTBot', 'ClaudeBot', 'CCBot', 'ChatGPT-User')}"
    ),
    "a part that is forbidden": robots(
        "User-agent: OAI-SearchBot\nDisallow: /old/\n\nUser-agent: *\nAllow: /\n"
    ),
    "signals": robots(
        "User-agent: *\nContent-signal: search=yes,ai-train=no,use=reference\n"
        "Content-Signal: /faq/ ai-input=no\nAllow: /\n"
    ),
}


@fine
def copies_in_markdown_that_engines_may_not_read(site: BuiltSite) -> None:
    copies(4)(site)
    robots("User-agent: Googlebot\nUser-agent: bingbot\nDisallow: /*.md$\n")(site)


@fine
def a_robots_txt_that_is_read_by_nobody_on_purpose(site: BuiltSite) -> None:
    """A copy of the one at the root, our own, a download, and a page about it."""
    robots_below("_downloads/1/", "guide/")(site)
    site.pages["guide/"].links.append("robots.txt")
    site.files |= {"faq/robots.txt": (site.robots or "").encode(), "guide/use/robots.txt": b"<html>"}
    site.files["guide/install/robots.txt"] = robots_of_a_build(f"{BASE}guide/install/")


@fine
def source_code_in_a_sitemap_of_ours(site: BuiltSite) -> None:
    """It is listed where a rule asks for it."""
    source_code(site)
    site.prolog += "<!-- Written by docs-sitemap -->\n"


@fine
def our_own_line_in_a_robots_txt_below_the_root(site: BuiltSite) -> None:
    rebase(BASE + "docs/")(site)
    site.robots = robots_of_a_build(site.base).decode()


@fine
def a_language_with_a_sitemap_of_its_own(site: BuiltSite) -> None:
    translate(site, EN, DE)
    german = site.entry("de/faq/")
    site.entries.remove(german)
    site.files["de/sitemap.xml"] = site.urlset([german]).encode()


@fine
def a_version_with_a_sitemap_that_no_index_names(site: BuiltSite) -> None:
    """It was left out on purpose."""
    for path in ("1.0/", "1.0/x/"):
        site.add(path)
        site.unlist(path)
    site.files["1.0/sitemap.xml"] = site.urlset([Entry(BASE + "1.0/", "2020-01-01")]).encode()


@fine
def a_language_of_another_region(site: BuiltSite) -> None:
    add_language(site, "en-GB")


@fine
def a_few_pages_that_are_not_translated(site: BuiltSite) -> None:
    add_language(site, count=0)
    for path in ("guide/", "faq/"):
        html = Page(canonical=BASE + path).html("").replace("lang=en", "lang=fr")
        site.files[f"fr/{path}index.html"] = html.encode()
    site.entries += [
        Entry(f"{BASE}fr/{path}", f"2022-0{len(path) % 7 + 1}-03T10:00:00+00:00")
        for path in ("", "guide/install/", "guide/use/", "api.html")
    ]


@fine
def an_old_version_and_a_preview_that_name_the_site(site: BuiltSite) -> None:
    """Their sitemaps have the site's URLs, and nothing names them."""
    for folder in ("1.0/", "pull/12/"):
        for path in ("", "guide/", "faq/"):
            site.pages[folder + path] = Page(canonical=BASE + path)
        site.files[f"{folder}sitemap.xml"] = site.urlset(site.entries[:2]).encode()


@fine
def a_site_that_robots_txt_forbids(site: BuiltSite) -> None:
    site.pages |= {"internal/": Page(), "internal/a/": Page()}
    site.files["internal/sitemap.xml"] = site.urlset([Entry(f"{BASE}internal/", "2020-01-01")]).encode()
    robots("User-agent: Googlebot\nDisallow: /internal/\n")(site)


@fine
def an_old_version_with_a_page_of_its_own(site: BuiltSite) -> None:
    """It need not be listed, and V1 is about pages that the current version has too."""
    add_versions(site)
    site.pages["1.0/gone/"].head = ""


@fine
def branches_of_a_bank(site: BuiltSite) -> None:
    """Folders with the name of a preview, but with pages of the site."""
    for path in ("branch/berlin/", "branch/paris/", "previews/guide/", "pull/doors/"):
        site.add(path)


@fine
def pages_that_need_not_be_listed(site: BuiltSite) -> None:
    """Machine-made folders, and pages that are not to be indexed."""
    refresh = f"<noscript>{REFRESH.format('faq')}</noscript>"
    for path in ("_static/x/", ".hidden/", "_modules/a.html"):
        site.pages[path] = Page()
    site.pages |= {"x1/": Page(head=NOINDEX), "x2/": Page(head=refresh)}
    site.pages |= {f"x{host}/": Page(canonical=f"https://{host}/faq/") for host in ("docs.acme.org", "e.org")}


@fine
def pages_about_searching(site: BuiltSite) -> None:
    for path in ("search/", "print/", "guide/404/", "genindex.html", "guide/setup/genindex.html"):
        site.add(path)


@fine
def links_from_deep_pages(site: BuiltSite) -> None:
    site.pages[""].links = ["guide/install/"]
    site.pages["guide/install/"].links = ["../../../../faq/", "../use/", "../../api.html", "../"]


@fine
def one_link_to_another_page_from_another_folder(site: BuiltSite) -> None:
    for folder in ("a/", "b/"):
        site.add(folder, links=["x.html"])
        site.add(folder + "x.html")
        site.pages[""].links.remove(folder + "x.html")


@fine
def no_link_to_the_home_page(site: BuiltSite) -> None:
    for path, each in site.pages.items():
        each.links = each.links if path == "" else []


@fine
def addresses_with_and_without_escapes(site: BuiltSite) -> None:
    """Sphinx's dirhtml does not escape its canonical links."""
    site.add("a%20b/", canonical=BASE + "a b/")
    site.pages["a b/"] = site.pages.pop("a%20b/")
    site.pages["faq/"].canonical = BASE + "f%61q/"


@fine
def a_base_tag_that_moves_the_links(site: BuiltSite) -> None:
    site.pages[""].links.remove("faq/")
    site.pages["guide/use/"].head = '<base href="/">'
    site.pages["guide/use/"].links = ["faq/"]


@fine
def a_feed_that_robots_txt_names(site: BuiltSite) -> None:
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{BASE}faq/"/></entry></feed>'
    site.files |= {"sitemap.xml": None, "atom.xml": feed.encode()}
    site.robots = f"User-agent: *\nAllow: /\nSitemap: {BASE}atom.xml\n"


@fine
def prefixes_of_any_name(site: BuiltSite) -> None:
    text = site.urlset().replace("<", "<s:").replace("<s:/", "</s:").replace("<s:?", "<?")
    site.files["sitemap.xml"] = text.replace("xmlns=", "xmlns:s=").encode()


@pytest.mark.parametrize("change", FINE.values(), ids=FINE)
def test_nothing_is_found_in_a_site_without_faults(change: Change, site: BuiltSite) -> None:
    change(site)
    assert site.check() == []


LINKS = (
    *('<a href="faq/">', "<a href='./faq/?a=b#c'>", '<A HREF = "/faq/">', '<a href=" faq/ ">'),
    *('<a href="https://docs.acme.org/faq">', '<a href="//docs.acme.org/faq/">'),
)


@pytest.mark.parametrize("link", LINKS)
def test_every_way_to_write_a_link_counts(site: BuiltSite, link: str) -> None:
    site.pages[""].links.remove("faq/")
    site.pages[""].body = link
    assert site.check() == []


@pytest.mark.parametrize("href", ["./{}", "/{}"])
def test_links_to_names_of_any_characters_count(site: BuiltSite, href: str) -> None:
    """Sphinx's dirhtml leaves spaces and letters as they are."""
    names = ["a b/", "it's/", "a&b/", "café/", "100%25/"]
    for number, name in enumerate(names):
        site.files[f"{unquote(name)}index.html"] = b"<html><head></head><body>"
        site.entries.append(Entry(BASE + quote(name, safe="/%&'"), f"2024-08-0{number + 1}T10:00:00+00:00"))
    assert ids(site) == ["C2"] * 5
    site.pages[""].body = "".join(f'<a href="{href.format(name.replace("&", "&amp;"))}">' for name in names)
    assert site.check() == []


# Versions


@pytest.mark.parametrize("host", ["https://other.example/main/", "https://other.example/2.0/missing/"])
def test_canonical_links_to_other_hosts_are_no_versions(site: BuiltSite, host: str) -> None:
    versions("1.0/guide/", canonical=host)(site)
    assert ids(site, "V") == []


def test_a_new_release_that_is_not_marked_yet_is_the_current_one(site: BuiltSite) -> None:
    add_versions(site)
    site.files["3.0/objects.inv"] = b""
    for number, path in enumerate(("", "guide/", "new/")):
        site.add(f"3.0/{path}")
        site.entry(f"3.0/{path}").lastmod = f"2024-10-0{number + 1}T10:00:00+00:00"
    found = [each for each in site.check() if each.id.startswith("V")]
    assert {(each.id, (each.file or "").partition("/")[0]) for each in found} == {("V1", "2.0")}


@pytest.mark.parametrize("other", ["latest", "3.0"])
def test_a_version_in_development_is_not_the_current_one(site: BuiltSite, other: str) -> None:
    """As ``versions --current stable`` has marked it, where no other version leads to the current one."""
    for version in ("stable", other):
        site.files[f"{version}/objects.inv"] = b""
        site.add(f"{version}/")
    site.pages[f"{other}/"].head = NOINDEX
    site.unlist(f"{other}/")
    assert ids(site, "V") == []


def test_a_sitemap_is_in_the_folder_in_which_robots_txt_names_it(site: BuiltSite) -> None:
    """mike: ``latest`` is a link to the folder of a version, whose sitemap has the URLs of ``latest``."""
    site.pages = {f"2.0/{path}": page for path, page in site.pages.items()}
    for path, each in site.pages.items():
        each.canonical = f"{BASE}latest/{path.removeprefix('2.0/')}"
    for entry in site.entries:
        entry.loc = entry.loc.replace(BASE, f"{BASE}latest/")
    site.files |= {"sitemap.xml": None, "2.0/sitemap.xml": site.urlset().encode()}
    site.root.mkdir()
    (site.root / "latest").symlink_to("2.0")
    for folder, expected in (("latest", []), ("2.0", ["engines ignore 6 of its URLs"])):
        site.robots = f"User-agent: *\nAllow: /\nSitemap: {BASE}{folder}/sitemap.xml\n"
        found = [each.message for each in site.check(base_url=BASE) if each.id == "A2"]
        assert [message.partition(", which")[0] for message in found] == expected


@pytest.mark.parametrize("head", [REFRESH.format("guide"), NOINDEX])
def test_the_canonical_link_of_a_redirect_or_an_excluded_page_does_not_count(
    site: BuiltSite, head: str
) -> None:
    """``versions`` leaves such pages as they are, so that the finding would never go away."""
    versions("2.0/guide/", head=NOINDEX, unlisted="2.0/guide/")(site)
    page("1.0/guide/", head=head, canonical=f"{BASE}2.0/guide/")(site)
    assert ids(site, "V") == []


def test_a_file_that_is_no_document_is_no_old_page(site: BuiltSite) -> None:
    """The proof to a service whose site it is, for example: ``versions`` leaves it as it is."""
    add_versions(site)
    for version in ("1.0", "2.0"):
        site.files[f"{version}/google1234.html"] = b"google-site-verification: google1234.html"
    assert ids(site, "V") == []


def test_a_page_has_other_addresses_in_an_alias(site: BuiltSite) -> None:
    add_versions(site)
    site.root.mkdir()
    (site.root / "latest").symlink_to("2.0")
    for path in ("", "guide/"):
        site.pages[f"1.0/{path}"].canonical = f"{BASE}latest/{path}"
    found = {(each.id, each.file) for each in site.check() if each.id.startswith("V")}
    assert found == {("V4", "1.0/index.html"), ("V4", "1.0/guide/index.html")}
    for path in ("", "guide/"):
        site.pages[f"2.0/{path}"].canonical = "index.html"
    assert ids(site, "V") == []


def test_the_build_of_an_old_version_has_its_own_address(tmp_path: Path) -> None:
    """Also where all canonical links, that of the home page too, name the stable version."""
    site = BuiltSite(tmp_path / "site", BASE + "1.0/")
    for path, each in site.pages.items():
        each.canonical = f"{BASE}stable/{path}"
    site.robots = None
    assert {*ids(site)} == {"C4", "R1"}


def test_without_one_at_the_root_the_sitemaps_of_versions_are_checked(site: BuiltSite) -> None:
    site.files["sitemap.xml"] = None
    site.files["1.0/sitemap.xml"] = site.urlset([Entry(BASE + "1.0/gone/", "2020-01-01")]).encode()
    site.pages = {"1.0/": site.pages["faq/"]}
    for robots, fix in ("", "Add this line to robots.txt: "), (f"Sitemap: {BASE}x.xml", "Replace the line: "):
        site.robots = f"User-agent: *\nAllow: /\n{robots}\n"
        found = {finding.id: finding.fix for finding in site.check()}
        assert found["R1"] == f"Run docs-sitemap index. {fix}Sitemap: {BASE}sitemap.xml"
        assert {"U4", "C1"} <= {*found}


# The hosting service


def test_a_preview_needs_no_sitemap_and_may_forbid_everything(site: BuiltSite) -> None:
    """``previews: disallow`` writes this."""
    site.robots = "User-agent: *\nDisallow: /\n"
    site.files["sitemap.xml"] = None
    for preview, level in (("", "error"), ("external", "info")):
        found = site.check(hosting=Hosting(preview=preview))
        assert {(each.id, each.level) for each in found if each.id in ("F0", "R3")} == {
            ("F0", level),
            ("R3", level),
        }


def test_a_version_that_is_not_the_current_one_needs_no_sitemap(site: BuiltSite) -> None:
    site.write()
    (site.root / "sitemap.xml").unlink()
    home = site.root / "index.html"
    for mark, level in ((b"", "error"), (mark_element(""), "info")):
        home.write_bytes(home.read_bytes().replace(b"</head>", mark + b"</head>"))
        findings = check_site(Question(site.root), [RULES["F0"]]).findings
        assert [each.level for each in findings] == [level]


READ_THE_DOCS = Hosting(own_robots="Read the Docs", at_root=True)


@pytest.mark.parametrize(
    ("path", "expected"), [("", {("R4", "warning")}), ("guide/", {("U8", "error")})], ids=["all", "a folder"]
)
def test_a_robots_txt_for_all_versions_may_hide_one(
    tmp_path: Path, path: str, expected: set[tuple[str, str]]
) -> None:
    """Read the Docs serves that of the default version for all: a file in each branch hides some of them."""
    site = BuiltSite(tmp_path / "site", BASE + "en/latest/")
    site.robots = f"User-agent: *\nDisallow: /en/latest/{path}\n"
    found = site.check(hosting=READ_THE_DOCS)
    assert {(each.id, each.level) for each in found if each.id in ("R2", "R4", "U8")} == expected
    assert "R2" in ids(site)


@pytest.mark.parametrize("is_split", [False, True])
def test_a_sitemap_of_another_name_that_nothing_names_is_found(site: BuiltSite, is_split: bool) -> None:
    """Where no robots.txt of ours is written, as on Read the Docs."""
    site.robots = None
    site.files["sitemap.xml"] = None
    site.files["pages.xml"] = site.urlset().replace("?>", f"?>\n{SIGNATURE.decode()}", 1).encode()
    if is_split:
        site.files["pages-index.xml"] = SIGNATURE + site.index("pages.xml").partition(b"\n")[2]
    name = "pages-index.xml" if is_split else "pages.xml"
    said = f"the robots.txt of Read the Docs names /sitemap.xml, not {BASE}{name}"
    found = [each for each in site.check(hosting=READ_THE_DOCS) if each.id in ("F0", "R1")]
    assert [(each.id, each.message.startswith(said)) for each in found] == [("R1", True)]


@pytest.mark.parametrize("at_root", [True, False])
def test_read_the_docs_has_a_robots_txt_of_its_own(site: BuiltSite, at_root: bool) -> None:
    """To add one as R1 says would show hidden versions to crawlers."""
    site.robots = None
    hosting = Hosting(own_robots="Read the Docs", at_root=at_root)
    assert ("R1" in {each.id for each in site.check(hosting=hosting)}) is not at_root


@pytest.mark.parametrize(
    ("service", "path", "file", "expected"),
    [
        ("cloudflare", "api.html", "api.html", f"warning: Cloudflare redirects it to {BASE}api"),
        ("cloudflare", "guide/", "guide/", ""),
        ("vercel", "api", "api.html", "error: Vercel answers 404"),
        ("github", "api.html?x", "api.html", ""),
        ("github", "guide", "guide/", f"warning: GitHub Pages redirects it to {BASE}guide/"),
        ("s3", "api.html", "api.html", ""),
        ("s3", "api", "api.html", "error: S3 website hosting answers 404, or 403"),
        ("s3", "guide", "guide/", f"warning: S3 website hosting redirects it to {BASE}guide/"),
        ("s3", "guide/", "guide/", ""),
        ("cloudfront", "", "", ""),
        ("cloudfront", "api", "api.html", "error: CloudFront with an S3 bucket answers 404, or 403"),
        ("cloudfront", "guide/", "guide/", "error: CloudFront with an S3 bucket answers 404, or 403"),
        ("cloudfront", "guide/index.html", "guide/", ""),
        ("azure", "api", "api.html", ""),
        ("azure", "guide", "guide/", ""),
        ("", "guide", "guide/", ""),
    ],
)
def test_a_url_that_the_hosting_service_redirects(
    site: BuiltSite, service: str, path: str, file: str, expected: str
) -> None:
    site.entry(file).loc = BASE + path
    found = [each for each in site.check(hosting=Hosting(served_by=service)) if each.id == "U9"]
    found = [each for each in found if each.url == BASE + path]
    assert [f"{each.level}: {each.message}" for each in found] == ([expected] if expected else [])


def test_a_site_in_a_folder_behind_cloudfront_has_no_home_page(site: BuiltSite) -> None:
    """The default root object is for the root of the host alone."""
    at_root = [each for each in site.check(hosting=Hosting(served_by="cloudfront")) if each.id == "U9"]
    base = f"{BASE}docs/"
    below = [SERVICES["cloudfront"].answer(url, is_index=True) for url in (BASE, base, "")]
    assert below == [SERVED, MISSING, SERVED]
    assert {each.fix for each in at_root} == {
        "Make the bucket's website endpoint the origin, or add a CloudFront function that appends index.html."
    }


def test_all_pages_of_a_builder_that_the_hosting_service_redirects_are_one_finding(site: BuiltSite) -> None:
    for number in range(12):
        site.add(f"p{number}.html")
    found = [each for each in site.check(hosting=Hosting(served_by="cloudflare")) if each.id == "U9"]
    assert [each.message for each in found] == [
        f"13 URLs, for example {BASE}api.html: Cloudflare redirects them"
    ]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


@pytest.mark.parametrize("name", ["CF_PAGES", "WORKERS_CI"])
def test_the_service_that_builds_is_the_one_that_serves(
    site: BuiltSite, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    site.write()
    monkeypatch.setenv(name, "1")
    assert "Cloudflare redirects it to" in run(str(site.root)).output
    assert "U9" not in run(str(site.root), "--served-by", "github").output
    monkeypatch.delenv(name)
    assert "U9" not in run(str(site.root)).output
    assert "Cloudflare redirects it to" in run(str(site.root), "--served-by", "cloudflare").output
    (site.root / "sitemap.xml").unlink()
    monkeypatch.setenv("DOCS_SITEMAP_PREVIEW", "1")
    assert run(str(site.root), "--served-by", "github").exit_code == 0
    refused = run(str(site.root), "--served-by", "geocities")
    assert refused.exit_code == 2
    assert "geocities" in refused.output


# Dates


@pytest.mark.parametrize(
    ("before", "now", "went_back"),
    [
        ("2024-06-06T10:00:00+00:00", "2023-06-06T10:00:00+00:00", True),
        ("2024-06-06T10:00:00+00:00", "2025-06-06T10:00:00+00:00", False),
        ("2024-06-06T10:00:00+00:00", "2024-06-06T11:00:00+01:00", False),
        ("2024-06-06T10:00:00+00:00", "2024-06-06T11:30:00+02:00", True),
        # a day is compared by its day
        ("2024-06-06T10:00:00+00:00", "2024-06-06", False),
        ("2024-06-06T10:00:00+00:00", "2024-06-05", True),
        ("2024-06-06", "2024-06-06T00:00:00+02:00", True),
    ],
)
def test_a_date_that_went_back_is_told_beside_the_previous_sitemap(
    before: str, now: str, went_back: bool, site: BuiltSite, tmp_path: Path
) -> None:
    previous = tmp_path / "old.xml.gz"
    site.entry("faq/").lastmod = before
    previous.write_bytes(packed(site.urlset().encode()))
    site.entry("faq/").lastmod = now
    found = [(each.url, each.message) for each in site.check(previous=previous) if each.id == "L6"]
    assert found == ([(BASE + "faq/", f"lastmod was {before} and is {now}")] if went_back else [])


@pytest.mark.parametrize("depth", [0, 1])
def test_a_shallow_clone_is_known_by_the_repository_around_the_site(tmp_path: Path, depth: int) -> None:
    repo = Repo(tmp_path / "repo")
    for _ in range(3):
        repo.commit("a.md")
    clone = repo.clone(tmp_path / "clone", *(["--depth", "1"] if depth else []))
    site = BuiltSite(clone.root / "site")
    site.entry("faq/").lastmod = None
    found = [finding.message for finding in site.check() if finding.id == "L4"]
    said = "the site was built in a shallow clone, and 1 of 6 URLs have no date"
    assert [message.partition(":")[0] for message in found] == [said] * depth
    site = BuiltSite(clone.root)  # the repository of the built site itself says nothing
    site.entry("faq/").lastmod = None
    assert ids(site, "L4") == []


def test_a_sitemap_of_ours_leaves_out_on_purpose_unless_asked(site: BuiltSite) -> None:
    """It has dates where they are known, and all pages but those that were excluded."""
    site.prolog += "<!-- Written by docs-sitemap -->\n"
    site.unlist("faq/")
    site.entry("api.html").lastmod = None
    site.entry("guide/").lastmod = "2024-02-02"
    assert site.check() == []
    for entry in site.entries:
        entry.lastmod = entry.lastmod and "2024-01-01T10:00:00+00:00"
    assert site.check() == []
    assert {finding.id for finding in site.check(asked="L2")} == {"L2"}
    site.entry("guide/").lastmod = "2024-02-02"
    assert {finding.file for finding in site.check(asked="C1")} == {"faq/index.html"}
    assert {finding.id for finding in site.check(asked="L3")} == {"L3"}


# Where the sitemap and the pages are


def test_without_any_address_the_base_url_is_not_set(site: BuiltSite) -> None:
    """One finding says that no URL is absolute, one that the base is missing; no page is told of."""
    site.add_many(4)
    for entry in site.entries:
        entry.loc = entry.loc.removeprefix(BASE[:-1])
    for each in site.pages.values():
        each.canonical = ""
    site.robots = "User-agent: *\nAllow: /\nSitemap: /sitemap.xml\n"
    found = site.check()
    assert [(it.id, it.message.split(",")[0]) for it in found if it.id in ("U2", "S3")] == [
        ("S3", "no URL in the sitemap is absolute"),
        ("U2", "10 URLs"),
    ]


def test_a_host_that_is_none_is_told_once(site: BuiltSite) -> None:
    """A template that nobody has filled in, in all URLs; a page of its own has a finding of its own."""
    for entry in site.entries:
        entry.loc = entry.loc.replace("docs.acme.org", "{host}")
    site.entries.append(Entry(f"{BASE}café/", "2024-08-08T00:00:00Z"))
    assert [it.message for it in site.check() if it.id == "U2"] == [
        "6 URLs, for example https://{host}/: the host {host} has characters that URLs do not allow",
        "is not percent-encoded",
    ]


def test_below_the_root_a_missing_robots_txt_is_a_reminder(tmp_path: Path) -> None:
    site = BuiltSite(tmp_path / "site", BASE + "docs/")
    site.robots = None
    [finding] = site.check()
    assert (finding.id, finding.level) == ("R1", "info")
    assert finding.fix == f"Check that it has this line: Sitemap: {BASE}docs/sitemap.xml"


def test_a_sitemap_that_breaks_off_says_nothing_of_the_pages_behind(site: BuiltSite) -> None:
    text = site.urlset()
    site.files["sitemap.xml"] = text[: text.index("<url>", len(text) // 2)].encode()
    assert ids(site) == ["F1"]


def test_a_folder_that_is_not_the_site_s_is_told_once(site: BuiltSite) -> None:
    site.add_many(5)
    for pages, missing in ({"other/": site.pages["faq/"]}, 11), ({"": site.pages["faq/"]}, 10):
        site.pages = pages
        found = [finding for finding in site.check(base_url=BASE) if finding.id == "U4"]
        assert [finding.message.partition(",")[0] for finding in found] == [
            f"{missing} of 11 URLs have no file in this folder"
        ]


@pytest.mark.parametrize(("path", "name"), [("api", "api.html"), ("faq", "faq/index.html")])
def test_addresses_without_their_ending_lead_to_the_file_too(site: BuiltSite, path: str, name: str) -> None:
    """As GitHub Pages, Netlify and Cloudflare Pages serve them."""
    own = name.removesuffix("index.html")
    site.entry(own).loc = BASE + path
    page(own, canonical=BASE + path, head=NOINDEX)(site)
    assert [(finding.id, finding.file) for finding in site.check()] == [("U6", name)]


def test_a_robots_txt_that_allows_something_again_is_read_url_by_url(site: BuiltSite) -> None:
    site.robots = f"User-agent: *\nDisallow: /\nAllow: /guide/\nAllow: /*.xml\nSitemap: {BASE}sitemap.xml\n"
    assert {(finding.id, finding.url) for finding in site.check()} == {
        ("U8", BASE + path) for path in ("", "api.html", "faq/")
    }


def test_text_sitemaps_are_read(site: BuiltSite) -> None:
    text = "\n".join(entry.loc for entry in site.entries) + "\n"
    site.files |= {"sitemap.xml": None, "sitemap.txt": text.encode()}
    site.robots = f"User-agent: *\nAllow: /\nSitemap: {BASE}sitemap.txt\n"
    assert site.check() == []
    site.files["sitemap.txt"] = f"{text}{BASE}gone\n".encode()
    assert [(it.id, it.url) for it in site.check()] == [("U4", BASE + "gone")]


@pytest.mark.parametrize("name", ["sitemap_index.xml", "maps/all.xml.gz"])
def test_a_sitemap_is_found_by_its_usual_name_or_by_robots_txt(site: BuiltSite, name: str) -> None:
    site.files["sitemap.xml"] = None
    data = site.urlset([Entry(BASE + "maps/gone", "2024-01-01")]).encode()
    site.files[name] = packed(data) if name.endswith(".gz") else data
    site.robots = f"User-agent: *\nAllow: /\nSitemap: {BASE}{name}\n"
    assert BASE + "maps/gone" in {finding.url for finding in site.check()}


def test_the_sitemap_that_is_named_is_the_one_checked(site: BuiltSite) -> None:
    site.files["other.xml"] = site.urlset().replace("/faq/", "/gone/").encode()
    found = site.check(sitemaps=("other.xml",))
    assert {finding.url for finding in found if finding.id == "U4"} == {BASE + "gone/"}
    assert [it.message for it in site.check(sitemaps=("no.xml",))] == ["no no.xml in the site's folder"]
