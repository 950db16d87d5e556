"""H: the versions of a page in other languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from docs_sitemap.check import address
from docs_sitemap.check.finding import Found
from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules.gathering import gather
from docs_sitemap.check.rules.places import in_sitemap, on_page
from docs_sitemap.check.site import Listed, Site
from docs_sitemap.options import languages

Pair = tuple[str, str]


@RULES.add(
    "H1",
    "error",
    "hreflang group broken",
    """Each language version of a page is a URL of its own, and lists all versions, itself included; each of
    them must list it in return, or engines ignore both. A code is one of BCP 47 with a hyphen (en, pt-BR,
    zh-Hans) or x-default, once a page. A version that is built here and not listed is a warning; languages
    that are built elsewhere cannot be asked.""",
)
def broken_group(site: Site) -> Iterator[Found]:
    """Find groups that are not complete or not mutual, and codes that are none."""
    translated = [listed for listed in site.listed if listed.entry.alternates]
    yield from gather(_codes(translated), _same_code)
    hrefs = {listed.loc: {href for _, href in listed.entry.alternates} for listed in site.listed}
    built = _built(site, translated)
    for listed in translated:
        if listed.loc not in hrefs[listed.loc]:
            yield in_sitemap(listed, "its alternates do not name the page itself")
        told: set[str] = set()
        for code, href in listed.entry.alternates:
            if href in told or href == listed.loc:
                continue
            told.add(href)
            if href in hrefs:
                if listed.loc not in hrefs[href]:
                    yield in_sitemap(listed, f"names {href} for {code}, which does not name it in return")
            elif code in built and site.below(href) is not None and href not in built[code]:
                yield in_sitemap(listed, f"names {href} for {code}, which no sitemap lists", "warning")


def _codes(translated: list[Listed]) -> Iterator[tuple[str, Found]]:
    wrong: dict[str, str] = {}
    for listed in translated:
        seen: set[str] = set()
        for code, _ in listed.entry.alternates:
            if code not in wrong:
                wrong[code] = _wrong(code)
            if wrong[code]:
                yield wrong[code], in_sitemap(listed, f"hreflang {wrong[code]}")
            if code.lower() in seen:
                yield f"{code!r} is there twice", in_sitemap(listed, f"hreflang {code!r} is there twice")
            seen.add(code.lower())


def _wrong(code: str) -> str:
    try:
        languages.normalise(code)
    except ValueError as problem:
        return str(problem)
    return f"{code!r} has an underscore: write {languages.normalise(code)}" if "_" in code else ""


def _same_code(cause: str, findings: list[Found]) -> Found:
    return Found(f"hreflang {cause} ({len(findings):,} URLs)", None, findings[0].file)


def _built(site: Site, translated: list[Listed]) -> dict[str, set[str]]:
    """Return the languages that are built here, each with those addresses that other sitemaps list."""
    listed = {listed.loc for listed in site.listed}
    apart = {entry.loc for document in site.sitemaps.asides for entry in document.entries}
    found: dict[str, set[str]] = defaultdict(set)
    for it in translated:
        for code, href in it.entry.alternates:
            if href in apart:
                found[code].add(href)
            elif href in listed or site.file_of(href):
                found.setdefault(code, set())
    return dict(found)


@RULES.add(
    "H2",
    "warning",
    "hreflang in HTML and sitemap differ",
    """The page's own link tags and the sitemap name different addresses for one language. Engines read both,
    and contradictions make them ignore both. Themes that link to the home page of each language are the usual
    cause.""",
    reads="pages",
)
def contradiction(site: Site) -> Iterator[Found]:
    """Find pages whose head says other versions than the sitemap."""

    def each() -> Iterator[tuple[Pair, Found]]:
        for listed in site.listed:
            if not listed.facts or not listed.entry.alternates:
                continue
            ours = {code.lower(): href for code, href in listed.entry.alternates}
            for code, written in listed.facts.alternates:
                href = address.join(listed.loc, written)
                other = ours.get(code.lower())
                if other is not None and not address.same(href, other):
                    message = f"the page names {href} for {code}, and the sitemap {other}"
                    yield (code, href), on_page(listed, message)
                    break

    def together(cause: Pair, findings: list[Found]) -> Found:
        code, href = cause
        message = (
            f"{len(findings):,} pages all name {href} for {code}, and the sitemap each one's own version"
        )
        return Found(message, None, findings[0].file)

    yield from gather(each(), together)
