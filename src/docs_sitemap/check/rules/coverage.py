"""C: what is listed against what was built."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs_sitemap.check import address
from docs_sitemap.check.finding import Found
from docs_sitemap.check.head import Facts
from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules.gathering import gather
from docs_sitemap.check.rules.places import on_page
from docs_sitemap.check.rules.urls import foreign_canonical, listed_below
from docs_sitemap.check.site import Site

_ERRORS = ("404", "not_found", "not-found")
_INDEXES = ("genindex", "py-modindex", "modindex", "searchindex")
_PRINTS = ("print", "print_page", "printable", "print-site", "print_site")

_PART_OF_SITE = re.compile("[a-z]{2}([-_][A-Za-z]{2,4})?")  # a folder with one language


def machine_page(name: str, facts: Facts | None) -> str:
    """Return what kind of machine page a file is by its name, or ``""`` for a page to read.

    Only at the root of a site, of a version or of a language: deeper pages may well be about searching.
    """
    folder, _, file = name.rpartition("/")
    stem = file.rpartition(".")[0]
    if stem == "index":
        folder, _, stem = folder.rpartition("/")
    stem = stem.lower()
    if not all(
        _PART_OF_SITE.fullmatch(part) or address.is_version(part) for part in folder.split("/") if part
    ):
        return ""
    if stem in _ERRORS:
        return "an error page"
    if stem in _INDEXES or stem.startswith("genindex-") or stem.endswith("-modindex"):
        return "a machine-made index"
    if stem in _PRINTS:
        return "a copy for printing"
    return "a search page" if stem == "search" and facts and facts.searches else ""


@RULES.add(
    "C1",
    "warning",
    "Page missing from the sitemap",
    """The build has this page, it may be indexed (no noindex, no canonical link elsewhere, no redirect), and
    no sitemap lists it. Not meant are 404, search, index and print pages, pieces of HTML that are no
    documents, folders that begin with an underscore, as Sphinx's machine-made ones do, and folders with a
    sitemap of their own that no index names: versions that were left out. Nothing is said where a sitemap
    could not be read to its end. What docs-sitemap does not list was left out on
    purpose, as by exclude: --select C1 shows it.""",
    reads="pages",
)
def not_listed(site: Site) -> Iterator[Found]:
    """Find pages to be indexed that are not listed."""
    if not site.is_read or (site.signed and "C1" not in site.asked):
        return
    apart = tuple(document.name.rpartition("/")[0] + "/" for document in site.sitemaps.asides)
    for name, facts in site.pages_with_facts():
        if name in site.listed_files or name.startswith(apart) or not _is_published(name, facts):
            continue
        canonical = address.join(site.url_of(name), facts.canonical) if facts.canonical else ""
        if not canonical or site.file_of(canonical) == name:
            yield Found("the page may be indexed, and no sitemap lists it", site.url_of(name), name)


def _is_published(name: str, facts: Facts) -> bool:
    if facts.noindex or facts.refresh or not facts.complete or machine_page(name, facts):
        return False
    folders = name.split("/")[:-1]
    return not any(folder.startswith(("_", ".")) for folder in folders)


@RULES.add(
    "C2",
    "info",
    "No internal link leads to it",
    """No other page of the build has a link to this page. Engines find it by the sitemap alone and rank it
    low; readers do not find it. Links that scripts make are not seen.""",
    reads="links",
)
def orphan(site: Site) -> Iterator[Found]:
    """Find listed pages without a link to them."""
    home = site.tree.file_at("")
    told: set[str] = set()
    for listed in site.listed:
        file, facts = listed.file, listed.facts
        if not file or not facts or file in told or file == home or file in site.linked_files:
            continue
        told.add(file)
        if not (facts.noindex or facts.refresh or machine_page(file, facts)):  # which should not be listed
            yield on_page(listed, "no other page has a link to it")


@RULES.add(
    "C3",
    "warning",
    "Machine page listed",
    """Error pages, search pages, machine-made indexes (genindex, modindex) and print copies of the whole site
    have nothing that anybody searches for. Leave them out.""",
    reads="pages",
)
def machine_pages(site: Site) -> Iterator[Found]:
    """Find 404, search, genindex and print pages."""
    for listed in site.listed:
        if listed.file and (kind := machine_page(listed.file, listed.facts)):
            yield on_page(listed, f"is {kind}")


@RULES.add(
    "C4",
    "warning",
    "Old version listed",
    """The page's canonical link names the same page in another version of the documentation, so that engines
    index that one. List only the version to be found.""",
    reads="pages",
)
def old_version(site: Site) -> Iterator[Found]:
    """Find pages whose canonical address is in another version."""

    def each() -> Iterator[tuple[tuple[str, str] | None, Found]]:
        for listed in site.listed:
            canonical = foreign_canonical(site, listed)
            if canonical and address.other_version(listed.loc, canonical):
                message = f"the page's canonical link is another version: {canonical}"
                cause = address.difference(listed.loc, canonical)
                yield cause, on_page(listed, message)

    def together(cause: tuple[str, str], findings: list[Found]) -> Found:
        message = listed_below(cause, len(findings))
        return Found(f"{message}: leave out that version", None, findings[0].file)

    yield from gather(each(), together)
