"""H and V: a page in other languages, and in other versions of the documentation in the same folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from docs_sitemap import urls
from docs_sitemap.check.built_site import Listed, Site
from docs_sitemap.check.findings import RULES, Found, Level, texts
from docs_sitemap.check.page_facts import Facts
from docs_sitemap.options import languages
from docs_sitemap.published import address
from docs_sitemap.versions.marking import forms
from docs_sitemap.versions.policy import CURRENT, KEPT, Group, Version


@RULES.add("H1", "error", "Broken hreflang group")
@texts(fix="Give each language version the same list, with all of them and itself.")
@texts(together="hreflang {cause} ({count:,} URLs)")
def broken_group(site: Site) -> Iterator[Found]:
    """Each language version of a page has its own URL and lists all versions, including itself. Each of them
    must list it in return, or engines ignore both. A code is a BCP 47 tag with hyphens (en, pt-BR, zh-Hans)
    or x-default, once per page. A version that is built here but not listed is a warning; languages that are
    built elsewhere cannot be checked.
    """
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
                message = f"names {href} for {code}, which no sitemap lists"
                yield listed.in_sitemap(message, "warning", fix="List it too, or do not name it.")


def _codes(translated: list[Listed]) -> Iterator[Found]:
    for listed in translated:
        codes = [code for code, _ in listed.entry.alternates]
        wrong = filter(None, map(_wrong, dict.fromkeys(codes)))
        lower = [code.lower() for code in codes]
        twice = dict.fromkeys(code for at, code in enumerate(codes) if code.lower() in lower[:at])
        for cause in (*wrong, *(f"{code!r} is listed twice" for code in twice)):
            fix = "Correct the code, and give each language once."
            yield listed.in_sitemap(f"hreflang {cause}", cause=cause, fix=fix)


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


@RULES.add("H2", "warning", "hreflang in HTML and sitemap differ", reads="pages")
@texts(fix="Make both name the same URL: usually the theme's links are wrong.")
@texts(
    together="{count:,} pages all have {cause[1]} for {cause[0]}, but the sitemap has a separate URL for each"
)
def contradiction(site: Site) -> Iterator[Found]:
    """The page's link tags and the sitemap have different URLs for the same language. Engines read both, and
    ignore both if they differ. The usual cause is a theme that links to the home page of each language.
    """
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


@RULES.add("V1", "warning", "Old version may be indexed", reads="pages", fix="Run docs-sitemap versions.")
def indexable(site: Site) -> Iterator[Found]:
    """The folder has several versions side by side, and the current version has the same page, but this one
    has neither noindex nor a canonical link to it: search engines show the one that more sites link to, often
    an old one. The current version is the one that the canonical links of the others name, otherwise the
    only one whose home page is not noindex, otherwise the one that docs-sitemap index lists.
    """
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for group, version, name in _old_pages(site):
        current, facts = group.current, site.pages[name]
        if version.role == KEPT or not facts.is_indexable:
            continue
        path = name.removeprefix(f"{version.real}/")
        is_there = any(f"{current.real}/{form}" in site.pages for form in forms(path))
        if is_there and not site.leads_out(name, f"{version.real}/"):
            found[version.folder, current.folder].append(path)
    for (old, new), names in found.items():
        pages = f"{len(names):,} of its pages may be indexed, for example {names[0]}"
        yield Found(f"{pages}, although {new} has the same", file=f"{old}/")


def _old_pages(site: Site) -> Iterator[tuple[Group, Version, str]]:
    """Yield the pages of versions that are not current, but those that engines do not index anyway.

    ``versions`` leaves the canonical link of a redirect or of an excluded page as it is.
    """
    for group in site.versions.groups:
        for version in group.versions:
            if not version.is_link and version.role != CURRENT:
                for name in site.versions.pages[version.real]:
                    if not (site.pages[name].refresh or site.pages[name].noindex):
                        yield group, version, name


@RULES.add("V2", "error", "Canonical link to a missing page", reads="pages")
@texts(fix="Run docs-sitemap versions again, with --map for moved pages.")
@texts(
    together="the canonical links of {count:,} pages of {cause[0]} lead to missing pages, for example that "
    "of this page"
)
def missing(site: Site) -> Iterator[Found]:
    """The canonical link of an old version's page names a page that the folder does not have. Engines find a
    404 there and ignore the link, or drop the page. Of versions, docs-sitemap versions names only pages that
    are there. A page outside of the versions may be published from elsewhere: then this is a warning.
    """
    folders = {version.folder for group in site.versions.groups for version in group.versions}
    for group, version, name in _old_pages(site):
        canonical = site.canonical_of(name)
        path = site.below(canonical)
        is_own = site.is_own(canonical)  # another host has other files
        if is_own and path is not None and site.file_of(canonical) is None:
            text = f"its canonical link names {canonical}, which has no file"
            start = f"{group.folder}/" if group.folder else ""
            is_here = path.startswith(start) and start + path[len(start) :].partition("/")[0] in folders
            level: Level | None = None if is_here else "warning"
            yield Found(text, file=name, level=level, cause=(version.folder, level))


@RULES.add("V3", "error", "Current version excluded", reads="pages", fix="Run docs-sitemap versions again.")
def excluded(site: Site) -> Iterator[Found]:
    """The home page of the current version is noindex, so engines drop it, and the pages of old versions name
    pages that are not indexed. Usually the version was in development, or an old one, when its pages were
    marked.
    """
    for current in (group.current for group in site.versions.groups):
        name = f"{current.real}/index.html"
        if name in site.pages and site.pages[name].noindex:
            yield Found(f"{current.folder} is the current version, but its home page is noindex", file=name)


@RULES.add("V5", "warning", "Current version not listed", reads="pages")
@texts(fix="Write a sitemap when that version is built, then run docs-sitemap index on the folder.")
def not_listed(site: Site) -> Iterator[Found]:
    """There are sitemaps, but none lists a page of the current version: crawlers find it last, or an old
    version in its place. C1 is silent about these pages, and V3 is about a current version that is excluded.
    """
    for version in site.unlisted_versions:
        yield Found("no sitemap lists a page of this version, which is the current one", file=f"{version}/")


@RULES.add("V4", "warning", "Canonical link to a page that is not canonical", reads="pages")
@texts(fix="Run docs-sitemap versions again.")
@texts(
    together="the canonical links of {count:,} pages of {cause[0]} lead to pages of which each {cause[1]}, "
    "for example that of this page"
)
def chain(site: Site) -> Iterator[Found]:
    """The canonical link of an old version's page names a page that has a canonical link to another page, is
    a redirect or is noindex. Engines do not always follow such a chain, and never index an excluded page.
    """
    for _, version, name in _old_pages(site):
        canonical = site.canonical_of(name)
        file = site.file_of(canonical) if site.is_own(canonical) else None
        facts = site.pages.get(file) if file and file != name else None
        if file and facts and (what := _is_not_canonical(site, canonical, file, facts)):
            text = f"its canonical link names {canonical}, a page that {what}"
            yield Found(text, file=name, cause=(version.folder, what))


def _is_not_canonical(site: Site, url: str, name: str, facts: Facts) -> str:
    """Return why the page at a URL, in the file of that name, is not canonical; an alias has other URLs."""
    if facts.noindex:
        return "is noindex"
    if facts.refresh:
        return "is a redirect"
    if not facts.canonical:
        return ""
    further = address.join(url, facts.canonical)
    file = site.file_of(further)
    is_same = file == name and _place(site, further) == _place(site, url)
    return "names another one" if file and not is_same else ""


def _place(site: Site, url: str) -> str:
    """Return the path of a URL below the site's, without differences of which static hosts make none."""
    path = urls.comparable(site.below(url) or "")
    return path.rstrip("/").removesuffix(".html")
