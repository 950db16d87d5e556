"""A: what the sites in the folders of a tree say of each other, one finding a folder."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.check.built_site import Site
from docs_sitemap.check.findings import RULES, Found, texts
from docs_sitemap.check.sites import is_apart
from docs_sitemap.text import counted
from docs_sitemap.versions.builds import is_marked


@RULES.add("A1", "error", "Canonical link to another language", reads="pages")
@texts(fix="Build each with its own address.")
def other_language(site: Site) -> Iterator[Found]:
    """Half of a folder's pages or more have canonical links to pages in another language, by the lang of
    html: search engines show those instead, and nobody finds this language. Google wants a canonical page in
    the same language, with hreflang too (Google, How to specify a canonical URL). Usually each language is
    built with the base URL of one of them. Regions, such as de and de-AT, are one language. Fewer pages are
    no finding: a page that is not translated may name its original.
    """
    for folder, found in site.foreign.items():
        (name, target), pages = found[0], site.pages
        text = (
            f"the canonical links of {counted(len(found), 'page')} in {pages[name].language} name pages in "
            f"{pages[target].language}, which search engines show instead, for example that of {name}: "
            f"{site.canonical_of(name)}"
        )
        yield Found(text, file=folder or name, fix=_own_base(site, folder))


def _own_base(site: Site, folder: str) -> str:
    """Return how to build the site in a folder with its own base URL."""
    url = site.url_of(folder)
    is_sphinx = {f"{folder}objects.inv", f"{folder}searchindex.js"} & site.tree.files
    is_mkdocs = f"{folder}search/search_index.json" in site.tree.files
    setting = "html_baseurl = " if is_sphinx else "site_url: " if is_mkdocs else "base URL "
    value = f"{url!r}" if is_sphinx else url
    return f"Build {folder or 'the root'} with its own address: {setting}{value}"


@RULES.add("A2", "error", "Sitemap of another folder", reads="pages", fix="Build it with its own address.")
def outside(site: Site) -> Iterator[Found]:
    """A sitemap below the root lists URLs outside its own folder, which engines ignore (sitemaps.org,
    location): the site was built with the base URL of another one. An old version, an alias or a preview,
    whose home page names another site as canonical, is no finding as long as nothing names its sitemap.
    """
    for document in (*site.sitemaps.all, *site.sitemaps.unreferenced):
        folder, urls = document.folder, site.outside(document)
        is_named = document not in site.sitemaps.unnamed or folder in site.foreign
        if urls and (is_named or not is_apart(site, folder)):
            is_site = bool(site.tree.file_at(folder))
            fix = _own_base(site, folder) if is_site else "Put it into a folder above all of them."
            text = f"engines ignore {len(urls):,} of its URLs, which are outside {folder}, for example"
            yield Found(f"{text} {urls[0]}", file=document.name, fix=fix)


@RULES.add("A3", "warning", "Preview may be indexed", reads="pages", fix="Run docs-sitemap versions on it.")
def preview(site: Site) -> Iterator[Found]:
    """A preview (pr-preview/pr-12, pull/12, deploy-preview-12, branch/x) has pages that the site around it
    has too, and neither noindex nor a canonical link to them: search engines may show the preview.
    docs-sitemap versions adds noindex. A folder is a preview by its name, if most of its pages are also in
    the site around it.
    """
    for folder, names in site.previews.items():
        found = [it for it in names if site.pages[it].is_indexable and not site.leads_out(it, folder)]
        if found:
            text = f"{len(found):,} of its pages may be indexed, for example {found[0].removeprefix(folder)}"
            text += ", although the site around it has the same"
            is_closed = site.robots and site.robots.blocked_agent(site.url_of(found[0])) == "crawlers"
            if is_closed:
                text += "; robots.txt keeps crawlers from reading them, not their URLs out of search results"
            fix = "Remove the Disallow, and run docs-sitemap versions, whose noindex crawlers can read then."
            yield Found(text, file=folder, level="info" if is_closed else None, fix=fix if is_closed else "")


@RULES.add("A4", "error", "The site asks not to be shown", reads="pages")
@texts(fix="Remove noindex; if it is for previews, correct the test that tells them from production.")
def hidden(site: Site) -> Iterator[Found]:
    """The home page, or most pages, are noindex: search engines take the site out of their results. Themes
    and build scripts write it into previews, and into the live site if their test for production is wrong.
    Previews and versions that docs-sitemap has marked are no finding.
    """
    names, home = [*site.own_pages], site.tree.file_at("")
    found = [name for name in names if site.own_pages[name].noindex]
    if not (home in found or 2 * len(found) > len(names)) or site.hosting.preview:
        return
    if home is None or not is_marked(site.tree.real(home)):
        among = ", the home page among them" if home in found else ""
        which = (
            f"all {len(names):,} pages"
            if len(found) == len(names)
            else f"{len(found):,} of {len(names):,} pages"
        )
        yield Found(f"{which} say noindex{among}", file=home if home in found else found[0])


@RULES.add("A5", "error", "One canonical link for all pages", reads="pages")
@texts(fix="Give each page its own URL as canonical link, or none.")
def one_canonical(site: Site) -> Iterator[Found]:
    """All pages have the same canonical link, such as that of the home page: search engines take them for
    copies of that one page, and show no other.
    """
    if url := site.only_canonical:
        yield Found(
            f"the canonical link of all {len(site.own_pages):,} pages is {url}", file=site.tree.file_at("")
        )
