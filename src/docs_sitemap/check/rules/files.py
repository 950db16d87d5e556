"""F and S: the sitemap files, and the settings of the build that they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_address

from docs_sitemap.check.findings import RULES, Found
from docs_sitemap.check.site import Site
from docs_sitemap.limits import MAX_BYTES, MAX_SITEMAPS, MAX_URLS
from docs_sitemap.versions.builds import is_marked


def _problems(site: Site, rule: str) -> Iterator[Found]:
    """Yield the problems that the parser recorded for a rule."""
    for document in (*site.sitemaps.all, *site.sitemaps.copies):
        for problem in document.problems:
            if problem.rule == rule:
                times = f" ({problem.count:,} times)" if problem.count > 1 else ""
                line = f"line {problem.line}: " if problem.line else ""
                message = f"{line}{problem.message}{times}"
                yield Found(message, file=document.name, level=problem.level, line=problem.line)


def _add_recorded(rule_id: str, title: str, explanation: str) -> None:
    """Add a rule that finds what the parser recorded for it, and nothing else."""
    RULES.add(rule_id, "error", title, explanation)(partial(_problems, rule=rule_id))


@RULES.add(
    "F0",
    "error",
    "No sitemap",
    """The folder has no sitemap: none that robots.txt names, and none with a common name such as sitemap.xml
    or sitemap_index.xml. If it has another name, use --sitemap. A generator without a base URL (site_url,
    html_baseurl) often writes none. In a preview, or in a version that leads search engines to the current
    one, this is only a note.""",
)
def no_sitemap(site: Site) -> Iterator[Found]:
    """Report that there is nothing to check."""
    for name in site.sitemaps.missing:
        yield Found(f"no {name} in the site's folder", file=name)
    if not site.sitemaps.all and not site.sitemaps.missing:
        text = "no sitemap: robots.txt names no existing file, and no file has a common name"
        if site.hosting.preview:
            yield Found(f"{text}; this is a preview ({site.hosting.preview})", level="info")
        elif "index.html" in site.tree.files and is_marked(site.tree.real("index.html")):
            yield Found(f"{text}; the pages say that this is not the current version", level="info")
        else:
            yield Found(text)


_add_recorded(
    "F1",
    "Not well-formed or not valid",
    """A sitemap must be well-formed XML. Its root must be urlset or sitemapindex in the namespace
    http://www.sitemaps.org/schemas/sitemap/0.9 (exactly, with http), and its elements must be those of the
    schema in the schema's order: loc, lastmod, changefreq, priority, then extensions. Otherwise engines
    refuse the whole file or skip the entry. L3 checks dates, and U2 checks URLs.""",
)

_add_recorded(
    "F2",
    "More than 50,000 URLs",
    f"""One file lists at most {MAX_URLS:,} URLs, and an index at most {MAX_SITEMAPS:,} sitemaps
    (sitemaps.org). Engines refuse larger files. Split the file and add an index. The rest of such a file is
    not read.""",
)

_add_recorded(
    "F3",
    "Too large",
    f"""One file has at most {MAX_BYTES:,} bytes uncompressed (sitemaps.org). Engines refuse larger files.
    Split the file and add an index. Such a file is not read, so its other problems are not found.""",
)

_add_recorded(
    "F4",
    "Not UTF-8, or with a DOCTYPE",
    """A sitemap must be UTF-8 without a byte order mark, and without a DOCTYPE or its own entities: parsers
    refuse these because they are a known attack.""",
)

_add_recorded(
    "F5",
    "Empty sitemap or lastmod",
    """A urlset without a url, an index without a sitemap and an empty lastmod are invalid, and Search Console
    reports them. An empty sitemap usually means that the generator has no base URL.""",
)


@RULES.add(
    "F6",
    "error",
    "Broken parts",
    """A gzipped sitemap that cannot be decompressed, a compressed copy that differs from its original, or an
    index that names a file that is not in the build or is itself an index: engines never see what is listed
    there.""",
)
def broken_parts(site: Site) -> Iterator[Found]:
    """Find files that cannot be decompressed, missing files, and nested indexes."""
    yield from _problems(site, "F6")
    for child in site.sitemaps.children:
        if child.name is None and site.below(child.entry.loc) is not None:
            yield child.in_index("the index names a file that is not in the build")
    indexes = {document.name for document in site.sitemaps.all if document.kind == "index"}
    for child in site.sitemaps.children:
        if child.name in indexes:
            yield child.in_index("the index names an index, which the protocol forbids")


@RULES.add(
    "S1",
    "info",
    "XSL stylesheet",
    """Browsers are removing XSLT (Chrome planned to turn it off in November 2026), so a sitemap with an XSL
    stylesheet becomes plain XML or a blank page for readers. A CSS stylesheet works everywhere.""",
)
def xslt(site: Site) -> Iterator[Found]:
    """Find sitemaps that browsers will not display as intended."""
    for document in site.sitemaps.all:
        if document.xslt:
            yield Found("has an XSL stylesheet, which browsers no longer apply", file=document.name)


@RULES.add(
    "S2",
    "info",
    "changefreq or priority",
    """Google and Bing ignore changefreq and priority. They only make the sitemap larger.""",
)
def ignored_hints(site: Site) -> Iterator[Found]:
    """Find elements that no engine reads."""
    for document in site.sitemaps.all:
        if document.hints:
            counts = " and ".join(f"{count:,} {name}" for name, count in sorted(document.hints.items()))
            yield Found(f"{counts}: engines ignore them", file=document.name)


@RULES.add(
    "S3",
    "error",
    "Base URL not set",
    """The base URL of the site is unknown, or is on a local server, a private network or the domain
    example.com: the build does not know the real one. Set site_url, html_baseurl or base_url.""",
)
def no_base(site: Site) -> Iterator[Found]:
    """Find sites that were built without a base URL, or for one that is not public."""
    if site.listed and not any(listed.origin for listed in site.listed):
        yield Found("no URL in the sitemap is absolute", file=site.listed[0].document.name)
    origins = Counter(listed.origin for listed in site.listed)
    if not origins:
        origins[site.origin] += 1
    for origin, count in origins.items():
        if kind := _placeholder(origin):
            text = (
                f"{count:,} URLs are on {origin}, {kind}"
                if site.listed
                else f"the site is on {origin}, {kind}"
            )
            yield Found(text, file=site.listed[0].document.name if site.listed else None)


def _placeholder(origin: str) -> str:
    host = origin.partition("://")[2]
    host = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if host == "localhost" or host.endswith((".localhost", ".local", ".invalid", ".test")):
        return "a local name"
    if host == "example.com" or host.endswith(".example.com"):
        return "a placeholder"
    try:
        return "" if ip_address(host).is_global else "an address that is not public"
    except ValueError:
        return ""
