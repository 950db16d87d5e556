"""C: compare what is listed with what was built."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from docs_sitemap.check import address
from docs_sitemap.check.findings import RULES, Found
from docs_sitemap.check.pages import Facts
from docs_sitemap.check.rules.urls import LISTED_BELOW, foreign_canonical
from docs_sitemap.check.site import Site
from docs_sitemap.pages.utility_pages import SOURCE_CODE


@RULES.add(
    "C1",
    "warning",
    "Page missing from the sitemap",
    """The build has this page, it may be indexed (no noindex, no canonical link to another page, no
    redirect), and no sitemap lists it. The rule ignores 404, search, index and print pages, HTML fragments,
    folders that start with an underscore, such as those that Sphinx generates, and folders with their own
    sitemap that no index names, which are versions that were left out. It reports nothing if a sitemap could
    not be read to its end. What docs-sitemap does not list was left out on purpose, for example by exclude:
    --select C1 shows it.""",
    reads="pages",
)
def not_listed(site: Site) -> Iterator[Found]:
    """Find indexable pages that are not listed."""
    if not site.is_read or (site.signed and "C1" not in site.asked):
        return
    apart = {document.name.rpartition("/")[0] for document in site.sitemaps.unreferenced} - {""}
    for name, facts in site.pages.items():
        if name in site.listed_files or _lies_in(name, apart) or not _is_published(name, facts):
            continue
        canonical = site.canonical_of(name)
        if not canonical or site.file_of(canonical) == name:
            yield Found("the page may be indexed, but no sitemap lists it", site.url_of(name), name)


def _lies_in(name: str, folders: set[str]) -> bool:
    """Tell whether a file is below one of the folders."""
    return any(folder in folders for folder in accumulate(name.split("/")[:-1], "{}/{}".format))


def _is_published(name: str, facts: Facts) -> bool:
    if facts.noindex or facts.refresh or not facts.complete or facts.utility:
        return False
    folders = name.split("/")[:-1]
    return not any(folder.startswith(("_", ".")) for folder in folders)


@RULES.add(
    "C2",
    "info",
    "No internal links to the page",
    """No other page of the build links to this page. Engines find it only through the sitemap and rank it
    low; readers do not find it. Links made by scripts are not detected.""",
    reads="links",
)
def orphan(site: Site) -> Iterator[Found]:
    """Find listed pages that no page links to."""
    home = site.tree.file_at("")
    told: set[str] = set()
    for listed in site.listed:
        file, facts = listed.file, listed.facts
        if not file or not facts or file in told or file == home or file in site.linked_files:
            continue
        told.add(file)
        if not (facts.noindex or facts.refresh or facts.utility):  # these should not be listed
            yield listed.on_page("no other page links to it")


@RULES.add(
    "C3",
    "warning",
    "Utility page listed",
    """Error pages, search pages, generated indexes (genindex, modindex), source code pages and print copies
    of the whole site are not useful as search results. Leave them out. They are detected by content and by
    place in the site, never by name alone.""",
    reads="pages",
    together="{count:,} URLs, for example {first.url}: each is {cause}",
)
def utility_pages(site: Site) -> Iterator[Found]:
    """Find utility pages; docs-sitemap lists source code only if a rule of the build asks for it."""
    for listed in site.listed:
        kind = listed.facts.utility if listed.facts else ""
        if kind and not (site.signed and kind == SOURCE_CODE):
            yield listed.on_page(f"is {kind}", cause=kind)


@RULES.add(
    "C4",
    "warning",
    "Old version listed",
    """The page's canonical link names the same page in another version of the documentation, so engines index
    that one. List only the version that users should find.""",
    reads="pages",
    together=LISTED_BELOW + ": leave out that version",
)
def old_version(site: Site) -> Iterator[Found]:
    """Find pages whose canonical URL is in another version."""
    for listed in site.listed:
        canonical = foreign_canonical(listed)
        if canonical and address.other_version(listed.loc, canonical):
            message = f"the page's canonical link is in another version: {canonical}"
            yield listed.on_page(message, cause=address.difference(listed.loc, canonical))
