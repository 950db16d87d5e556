"""H and I: what extensions of the protocol add, the language versions and the images of a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from docs_sitemap.check import address
from docs_sitemap.check.findings import RULES, Found
from docs_sitemap.check.site import Listed, Site
from docs_sitemap.limits import MAX_IMAGES
from docs_sitemap.options import languages


@RULES.add(
    "H1",
    "error",
    "Broken hreflang group",
    """Each language version of a page has its own URL and lists all versions, including itself. Each of them
    must list it in return, or engines ignore both. A code is a BCP 47 tag with hyphens (en, pt-BR, zh-Hans)
    or x-default, once per page. A version that is built here but not listed is a warning; languages that are
    built elsewhere cannot be checked.""",
    together="hreflang {cause} ({count:,} URLs)",
)
def broken_group(site: Site) -> Iterator[Found]:
    """Find incomplete or one-way groups, and invalid codes."""
    translated = [listed for listed in site.listed if listed.entry.alternates]
    yield from _codes(translated)
    hrefs = {listed.loc: {href for _, href in listed.entry.alternates} for listed in site.listed}
    built = _built(site, translated)
    for listed in translated:
        if listed.loc not in hrefs[listed.loc]:
            yield listed.in_sitemap("its alternates do not include the page itself")
        told: set[str] = set()
        for code, href in listed.entry.alternates:
            if href in told or href == listed.loc:
                continue
            told.add(href)
            if href in hrefs:
                if listed.loc not in hrefs[href]:
                    yield listed.in_sitemap(f"names {href} for {code}, which does not link back")
            elif code in built and site.below(href) is not None and href not in built[code]:
                yield listed.in_sitemap(f"names {href} for {code}, which no sitemap lists", "warning")


def _codes(translated: list[Listed]) -> Iterator[Found]:
    for listed in translated:
        codes = [code for code, _ in listed.entry.alternates]
        wrong = filter(None, map(_wrong, dict.fromkeys(codes)))
        lower = [code.lower() for code in codes]
        twice = dict.fromkeys(code for at, code in enumerate(codes) if code.lower() in lower[:at])
        for cause in (*wrong, *(f"{code!r} is listed twice" for code in twice)):
            yield listed.in_sitemap(f"hreflang {cause}", cause=cause)


@cache
def _wrong(code: str) -> str:
    try:
        languages.normalise(code)
    except ValueError as problem:
        return str(problem)
    return f"{code!r} has an underscore: use {languages.normalise(code)}" if "_" in code else ""


def _built(site: Site, translated: list[Listed]) -> dict[str, set[str]]:
    """Return the languages built here, each with its URLs that unreferenced sitemaps list."""
    listed = {listed.loc for listed in site.listed}
    apart = {entry.loc for document in site.sitemaps.unreferenced for entry in document.entries}
    found: dict[str, set[str]] = defaultdict(set)
    for it in translated:
        for code, href in dict.fromkeys(it.entry.alternates):
            if href in apart:
                found[code].add(href)
            elif code not in found and (href in listed or site.file_of(href)):
                found[code] = set()
    return dict(found)


@RULES.add(
    "H2",
    "warning",
    "hreflang in HTML and sitemap differ",
    """The page's link tags and the sitemap have different URLs for the same language. Engines read both, and
    ignore both if they differ. The usual cause is a theme that links to the home page of each language.""",
    reads="pages",
    together="{count:,} pages all have {cause[1]} for {cause[0]}, but the sitemap has a separate URL for "
    "each",
)
def contradiction(site: Site) -> Iterator[Found]:
    """Find pages whose link tags differ from the sitemap."""
    for listed in site.listed:
        if not listed.facts or not listed.entry.alternates:
            continue
        ours = {code.lower(): href for code, href in listed.entry.alternates}
        for code, other in ours.items():
            written = listed.facts.hrefs.get(code)
            href = address.join(listed.loc, written) if written else other
            if not address.same(href, other):
                message = f"the page has {href} for {code}, but the sitemap has {other}"
                yield listed.on_page(message, cause=(code, href))
                break


@RULES.add(
    "I1",
    "warning",
    "Images that engines do not index",
    """A URL lists at most 1,000 images, each with image:loc only: since 2022, caption, title, license and
    geo_location are no longer read (Google, image sitemaps). An image below the site's base URL must be in
    the build.""",
)
def images(site: Site) -> Iterator[Found]:
    """Find too many images, obsolete tags, and missing images."""
    for document in site.sitemaps.all:
        if document.dropped:
            tags = ", ".join(f"image:{name}" for name in sorted(document.dropped))
            yield Found(f"{tags}: no longer read by engines", file=document.name)
    known: dict[str, bool] = {}
    for listed in site.listed:
        urls = listed.entry.images
        if len(urls) > MAX_IMAGES:
            yield listed.in_sitemap(f"has {len(urls):,} images, more than {MAX_IMAGES:,}")
        for image in dict.fromkeys(urls):
            if image not in known:
                known[image] = _exists(site, image)
                if not known[image]:
                    yield listed.in_sitemap(f"its image {image} is not in the build")


def _exists(site: Site, image: str) -> bool:
    """Tell whether an image is in the build; assume so if it is outside the site."""
    ours = any(base and image.startswith(base) for base in (site.base, site.listed_base))
    return not ours or site.file_of(image) is not None
