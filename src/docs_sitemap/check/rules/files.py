"""F: the files of the site map themselves."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.check.finding import Found
from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules.places import in_index
from docs_sitemap.check.site import Site


def _problems(site: Site, rule: str) -> Iterator[Found]:
    """Yield what the reader noted for a rule."""
    for document in (*site.sitemaps.all, *site.sitemaps.copies):
        for problem in document.problems:
            if problem.rule == rule:
                times = f" ({problem.count:,} times)" if problem.count > 1 else ""
                line = f"line {problem.line}: " if problem.line else ""
                message = f"{line}{problem.message}{times}"
                yield Found(message, file=document.name, level=problem.level, line=problem.line)


@RULES.add(
    "F0",
    "error",
    "No sitemap",
    """The folder has no sitemap: none that robots.txt names, and none under a usual name such as sitemap.xml
    or sitemap_index.xml. Name it with --sitemap where it has another name. A generator that knows no base URL
    (site_url, html_baseurl) often writes none.""",
)
def no_sitemap(site: Site) -> Iterator[Found]:
    """Find that there is nothing to check."""
    for name in site.sitemaps.missing:
        yield Found(f"there is no {name} in the site's folder", file=name)
    if not site.sitemaps.all and not site.sitemaps.missing:
        yield Found("no sitemap: robots.txt names none that is there, and none has a usual name")


@RULES.add(
    "F1",
    "error",
    "Not well-formed or not valid",
    """A sitemap is well-formed XML, its root is urlset or sitemapindex in the namespace
    http://www.sitemaps.org/schemas/sitemap/0.9 (http, exactly), and its elements are those of the schema in
    the schema's order: loc, lastmod, changefreq, priority, then extensions. Engines refuse the whole file or
    skip the entry. Dates are the business of L3, addresses that of U2. A file that has an entry of more than
    25,000 elements is read no further.""",
)
def invalid(site: Site) -> Iterator[Found]:
    """Find what an XML parser or the schema refuses."""
    yield from _problems(site, "F1")


@RULES.add(
    "F2",
    "error",
    "More than 50,000 URLs",
    """One file lists at most 50,000 URLs, and an index at most 50,000 sitemaps (sitemaps.org). Engines refuse
    more. Split the file and put the parts under an index. The rest of such a file is not read.""",
)
def too_many(site: Site) -> Iterator[Found]:
    """Find files with too many entries."""
    yield from _problems(site, "F2")


@RULES.add(
    "F3",
    "error",
    "More than 50 MB",
    """One file has at most 52,428,800 bytes, counted uncompressed (sitemaps.org). Engines refuse more. Split
    the file and put the parts under an index. Such a file is not read, so that its other faults are not
    found; nor are further sitemaps of a site that has 1,048,576,000 bytes of them.""",
)
def too_large(site: Site) -> Iterator[Found]:
    """Find files that are too large."""
    yield from _problems(site, "F3")


@RULES.add(
    "F4",
    "error",
    "Not UTF-8, or with a DOCTYPE",
    """A sitemap is UTF-8, without a byte order mark, and has neither DOCTYPE nor entities of its own: parsers
    refuse these, because such files are a known attack on them.""",
)
def not_plain_utf8(site: Site) -> Iterator[Found]:
    """Find what makes a careful parser refuse a file."""
    yield from _problems(site, "F4")


@RULES.add(
    "F5",
    "error",
    "Empty sitemap or lastmod",
    """A urlset without a url, an index without a sitemap and an empty lastmod fail the schema, and Search
    Console reports them. An empty sitemap mostly means that the generator was not told the base URL.""",
)
def empty(site: Site) -> Iterator[Found]:
    """Find files and dates without content."""
    yield from _problems(site, "F5")


@RULES.add(
    "F6",
    "error",
    "Broken parts",
    """A gzipped sitemap that cannot be unpacked, a compressed copy that differs from its original, an index
    that names a file which is not in the build or is itself an index: what is listed there, engines never
    see.""",
)
def broken_parts(site: Site) -> Iterator[Found]:
    """Find what cannot be unpacked, is not there, or nests."""
    yield from _problems(site, "F6")
    for child in site.sitemaps.children:
        if child.name is None and site.below(child.entry.loc) is not None:
            yield in_index(child, "the index names a file that is not in the build")
    indexes = {document.name for document in site.sitemaps.all if document.kind == "index"}
    for child in site.sitemaps.children:
        if child.name in indexes:
            yield in_index(child, "the index names an index, which the protocol forbids")
