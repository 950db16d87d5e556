"""V: several versions of a documentation in one folder, as ``docs-sitemap versions`` marks them."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap import urls
from docs_sitemap.check import address
from docs_sitemap.check.findings import RULES, Found, Level
from docs_sitemap.check.pages import Facts
from docs_sitemap.check.site import Site
from docs_sitemap.versions.marking import forms
from docs_sitemap.versions.policy import CURRENT, KEPT, Group, Version


@RULES.add(
    "V1",
    "warning",
    "Old version may be indexed",
    """The folder has several versions side by side, and the current version has the same page, but this one
    has neither noindex nor a canonical link to it: search engines show the one that more sites link to, often
    an old one. Run docs-sitemap versions on the folder. The current version is the one that the canonical
    links of the others name, otherwise the only one whose home page is not noindex, otherwise the one that
    docs-sitemap index lists.""",
    reads="pages",
    together="{count:,} pages of {cause[0]} may be indexed, for example {first.file}, although {cause[1]} "
    "has the same pages",
)
def indexable(site: Site) -> Iterator[Found]:
    """Find pages of other versions that compete with those of the current one."""
    for group in site.groups:
        current = group.current
        for version in group.versions:
            if version.is_link or version.role in (CURRENT, KEPT):
                continue
            for name, facts in site.pages_of(version):
                path = name.removeprefix(f"{version.real}/")
                has_same = any(f"{current.real}/{form}" in site.pages for form in forms(path))
                is_out = facts.noindex or facts.refresh or facts.utility or not facts.complete
                if has_same and not is_out and not _leads_out(site, name, version):
                    text = f"{current.folder} has the same page, but this one may be indexed"
                    yield Found(text, file=name, cause=(version.folder, current.folder))


def _leads_out(site: Site, name: str, version: Version) -> bool:
    """Tell whether a page's canonical link leads out of its version."""
    canonical = site.canonical_of(name)
    if not canonical or not site.is_own(canonical):
        return bool(canonical)
    return not (site.file_of(canonical) or site.below(canonical) or "").startswith(f"{version.real}/")


@RULES.add(
    "V2",
    "error",
    "Canonical link to a missing page",
    """The canonical link of an old version's page names a page that the folder does not have. Engines find a
    404 there and ignore the link, or drop the page. Run docs-sitemap versions again: of versions, it names
    only pages that are there. With --map, it knows moved pages. A page outside of the versions may be
    published from elsewhere: then this is a warning.""",
    reads="pages",
    together="the canonical links of {count:,} pages of {cause[0]} lead to missing pages, for example that "
    "of {first.file}",
)
def missing(site: Site) -> Iterator[Found]:
    """Find pages of versions whose canonical link leads to no file."""
    folders = {version.folder for group in site.groups for version in group.versions}
    for group, version, name, canonical in _canonicals(site):
        path = site.below(canonical)
        is_own = site.is_own(canonical)  # another host has other files
        if is_own and path is not None and site.file_of(canonical) is None:
            text = f"its canonical link names {canonical}, which has no file"
            start = f"{group.folder}/" if group.folder else ""
            is_here = path.startswith(start) and start + path[len(start) :].partition("/")[0] in folders
            level: Level | None = None if is_here else "warning"
            yield Found(text, file=name, level=level, cause=(version.folder, level))


def _canonicals(site: Site) -> Iterator[tuple[Group, Version, str, str]]:
    """Yield the pages of other versions that have a canonical link, with its URL.

    Engines do not look at that of a redirect or of an excluded page, and ``versions`` leaves it as it is.
    """
    for group in site.groups:
        for version in group.versions:
            if version.is_link or version.role == CURRENT:
                continue
            for name, facts in site.pages_of(version):
                is_out = facts.refresh or facts.noindex
                if not is_out and (canonical := site.canonical_of(name)):
                    yield group, version, name, canonical


@RULES.add(
    "V3",
    "error",
    "Current version excluded",
    """The home page of the current version is noindex, so engines drop it, and the pages of old versions name
    pages that are not indexed. Usually the version was in development, or an old one, when its pages were
    marked: run docs-sitemap versions again.""",
    reads="pages",
)
def excluded(site: Site) -> Iterator[Found]:
    """Find a current version whose home page is noindex."""
    for group in site.groups:
        name = f"{group.current.real}/index.html"
        facts = site.pages.get(name)
        if facts and facts.noindex:
            yield Found(
                f"{group.current.folder} is the current version, but its home page is noindex", file=name
            )


@RULES.add(
    "V4",
    "warning",
    "Chain of canonical links",
    """The canonical link of an old version's page names a page that has a canonical link to another page, is
    a redirect or is noindex. Engines do not always follow such a chain, and never index an excluded page. Run
    docs-sitemap versions again.""",
    reads="pages",
    together="the canonical links of {count:,} pages of {cause[0]} lead to pages of which each {cause[1]}, "
    "for example that of {first.file}",
)
def chain(site: Site) -> Iterator[Found]:
    """Find canonical links to pages that are not canonical themselves."""
    for _, version, name, canonical in _canonicals(site):
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
