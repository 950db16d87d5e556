"""U, C and I: the listed URLs, their pages and images, and what was built but is not listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_sitemap.check.built_site import Listed, Site
from docs_sitemap.check.findings import FEW, RULES, Found, in_index, texts
from docs_sitemap.limits import MAX_IMAGES, MAX_LOC, MAX_ROBOTS
from docs_sitemap.pages.hosting import MISSING, SERVED
from docs_sitemap.pages.utility_pages import SOURCE_CODE
from docs_sitemap.published import address
from docs_sitemap.urls import decoded, other_domain, placeholder

_ENCODED: Final = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+")
"""A URL that has only characters and escapes that RFC 3986 allows."""


def _other_origin(site: Site, listed: Listed) -> str:
    """Return a URL's origin if it differs from the site's, otherwise ``""``."""
    return listed.origin if site.origin and listed.origin != site.origin else ""


@RULES.add("U1", "error", "URL on another host or outside the folder")
@texts(fix="Set the base URL of the build to the site's own address, or correct --base-url.")
@texts(together="{count:,} URLs are {cause[0]}, but the site is {cause[1]}")
def out_of_place(site: Site) -> Iterator[Found]:
    """A sitemap may list only URLs with its own scheme, host and port, in its own folder or below
    (sitemaps.org, location). Engines ignore others. If all URLs are affected, the base URL of the build is
    wrong: it is compared with --base-url, or else with the home page's canonical link, and with the domain in
    the file CNAME, at which GitHub Pages publishes the site. A2 is about folders below the root.
    """
    home = address.split(site.base)
    if not home:
        return
    if cname := other_domain(site.tree.read("CNAME", MAX_LOC), site.base):
        yield Found(f"CNAME publishes the site on {cname}, but its URLs are on {home.origin}", file="CNAME")
    for listed in site.listed:
        if origin := _other_origin(site, listed):
            if placeholder(origin):
                continue  # S3
            message = f"is on {origin}, but the site is on {home.origin}"
            yield listed.in_sitemap(message, cause=(f"on {origin}", site.base))
        elif not listed.document.folder and listed.loc.startswith(home.origin):
            folder = site.scope_of(listed.document).removeprefix(home.origin)
            if not listed.loc.startswith(home.origin + folder):
                cause = (f"outside {folder}, the sitemap's folder", site.base)
                yield listed.in_sitemap(f"is outside {folder}, the folder of its sitemap", cause=cause)
    for child in site.sitemaps.children:
        found = address.split(child.entry.loc)
        if found and found.origin != home.origin:
            message = f"the index names a sitemap on {found.origin}, but the site is on {home.origin}"
            yield in_index(child, message, cause=(f"on {found.origin}", site.base))


@RULES.add("U2", "error", "Malformed URL")
@texts(fix="Write the whole URL, with https:// and percent-encoded, and without a fragment.")
@texts(together="{count:,} URLs, for example {first.url}: {cause}")
def malformed(site: Site) -> Iterator[Found]:
    """A loc must be an absolute http or https URL of fewer than 2,048 characters, percent-encoded by RFC 3986
    (non-ASCII hosts in punycode), without a fragment, which browsers do not send to servers.
    """
    for listed in site.listed:
        if message := _fault(listed.loc, listed.origin):
            yield listed.in_sitemap(message, cause=_cause(message, listed.loc))
    for child in site.sitemaps.children:
        loc = child.entry.loc
        if message := _fault(loc, address.split(loc)):
            yield in_index(child, message, cause=_cause(message, loc))
    for copy in site.sitemaps.copies:
        for entry in copy.entries if copy.kind == "text" else ():
            if message := _fault(entry.loc, address.split(entry.loc)):
                cause = _cause(message, entry.loc)
                yield Found(message, entry.loc, copy.name, line=entry.line, cause=cause)


def _fault(loc: str, is_absolute: object) -> str:
    if len(loc) > MAX_LOC:
        return f"has {len(loc):,} characters; fewer than {MAX_LOC + 1:,} are allowed"
    if not is_absolute:
        return "is not an absolute http or https URL"
    if not _ENCODED.fullmatch(loc):
        return "is not percent-encoded"
    return "has a fragment" if "#" in loc else ""


def _cause(fault: str, loc: str) -> str | None:
    """Return the cause of a fault that the whole site has: relative URLs, or a wrong host."""
    if "absolute" in fault:
        return fault
    host = loc.partition("://")[2].partition("/")[0]
    return None if _ENCODED.fullmatch(host) else f"the host {host} has characters that URLs do not allow"


@RULES.add("U3", "warning", "Listed twice", fix="List it once: remove the other entry.")
@texts(together="{count:,} URLs are also listed in {cause[0]}, for example {first.url}")
def listed_twice(site: Site) -> Iterator[Found]:
    """A URL should be listed once in a site's sitemaps: listed twice, it may have two dates, and counts twice
    in the reports of Search Console. Two URLs of the same page, such as guide/ and guide/index.html, are the
    same mistake. Sitemaps of two sites, each with some of the other's URLs, come from two builds.
    """
    first: dict[str, Listed] = {}
    by_file: dict[str, Listed] = {}
    told: set[str] = set()
    for listed in site.listed:
        before = first.setdefault(listed.loc, listed)
        other = before if before is not listed else _same_file(by_file, listed)
        if other is None or listed.loc in told:
            continue
        told.add(listed.loc)
        names = (other.document.name, listed.document.name)
        if names[0] != names[1]:
            yield listed.in_sitemap(f"is also listed in {names[0]}", cause=names)
        elif before is not listed:
            where = f" in line {other.entry.line}" if other.entry.line else ""
            yield listed.in_sitemap(f"is already listed{where}")
        else:
            yield listed.in_sitemap(f"is the same page as {other.loc}, which is also listed")


def _same_file(by_file: dict[str, Listed], listed: Listed) -> Listed | None:
    if not listed.file or "?" in listed.loc:
        return None
    before = by_file.setdefault(listed.file, listed)
    return before if before is not listed and before.loc != listed.loc else None


@RULES.add("U4", "error", "No file for a listed URL", fix="Build the page, or remove it from the sitemap.")
def no_file(site: Site) -> Iterator[Found]:
    """The build has no file that a static host would serve for this URL: it will be a 404, and engines stop
    trusting a sitemap with many of these. If no URL but that of the home page has a file, the folder or the
    base URL is wrong.
    """
    below = [listed for listed in site.listed if listed.is_below]
    missing = [listed for listed in below if listed.file is None]
    others = {listed.file for listed in below} - {None, site.tree.file_at("")}
    if len(missing) > FEW and not others:
        count = f"{len(missing):,} of {len(below):,} URLs have"
        message = f"{count} no file in this folder, for example {missing[0].loc}"
        fix = f"Check the folder of {site.base}, or correct the base URL of the build."
        yield Found(message, None, missing[0].document.name, fix=fix)
        return
    names = {name.lower(): name for name in site.tree.files} if missing else {}
    for listed in missing:
        path = decoded(site.below(listed.loc) or "").lower()
        forms = (f"{path}index.html", path, f"{path}.html", f"{path}/index.html")
        if other := next((names[form] for form in forms if form in names), ""):
            fix = "Write the URL as the file is named: servers tell upper from lower case."
            yield listed.in_sitemap(f"has no file in the build; {other} is written in another case", fix=fix)
        else:
            yield listed.in_sitemap("has no file in the build")


@RULES.add("U5", "warning", "Redirect listed", reads="pages", fix="List the target in its place.")
def redirect(site: Site) -> Iterator[Found]:
    """The page is only a redirect, by a meta refresh in its head or, if it is short, in its body. A sitemap
    should list the final URLs; Search Console reports others as "page with redirect".
    """
    for listed in site.listed:
        if listed.facts and listed.facts.refresh:
            yield listed.on_page("is a redirect, by a meta refresh")


@RULES.add("U6", "error", "noindex page listed", reads="pages", fix="Remove noindex, or do not list it.")
def noindex(site: Site) -> Iterator[Found]:
    """The page asks not to be indexed (meta robots noindex or none), but the sitemap asks to index it."""
    for listed in site.listed:
        if listed.facts and listed.facts.noindex and not listed.facts.refresh:
            yield listed.on_page("the page is marked noindex")


@RULES.add("U9", "warning", "Redirected or 404 at the hosting service")
@texts(fix="List the URL that the service answers: set the generator's form of URLs to it.")
@texts(together="{count:,} URLs, for example {first.url}: {cause}")
def redirected(site: Site) -> Iterator[Found]:
    """The hosting service redirects this form of the URL, or answers it with a 404, which is an error:
    Cloudflare redirects guide.html to guide, and most services redirect the folder guide to guide/. Search
    Console reports such URLs as "page with redirect". CloudFront finds no index.html in the folders of a
    bucket. The hosting service is the one that --served-by names, that builds the site, or that has the host,
    such as github.io; if it is unknown, the rule finds nothing.
    """
    serving = site.serving
    if serving is None:
        return
    for listed in site.listed:
        if not listed.file or not site.below(listed.loc):
            continue
        is_index = listed.file.rpartition("/")[2] == "index.html"
        answer = serving.answer(re.split("[?#]", listed.loc, maxsplit=1)[0], is_index=is_index)
        if answer == MISSING:
            message = f"{serving.title} answers {serving.missing}"
            yield listed.in_sitemap(message, "error", cause=message, fix=serving.fix)
        elif answer != SERVED:
            message = f"{serving.title} redirects it to {answer}"
            yield listed.in_sitemap(message, cause=f"{serving.title} redirects them")


@RULES.add("U10", "warning", "Links that the hosting service redirects", reads="links")
@texts(fix="Make the generator write links as the pages' URLs are.")
def redirected_links(site: Site) -> Iterator[Found]:
    """Pages link to other pages of the site by a form of the URL that the hosting service redirects, see U9.
    Readers wait for one more request, and Search Console lists each such URL as "page with redirect".
    """
    found = [
        (name, facts.redirected)
        for name, facts in site.pages.items()
        if facts.redirected and not facts.refresh
    ]
    if found and site.serving:
        has = "1 page has" if len(found) == 1 else f"{len(found):,} pages have"
        name, link = found[0]
        text = f"{has} links that {site.serving.title} redirects, for example to {link}"
        yield Found(text, file=name)


@RULES.add("U11", "warning", "Several canonical links", reads="pages", fix="Let only one tool write it.")
@texts(together="{count:,} pages have different canonical links, for example {first.file}: {first.message}")
def several_canonicals(site: Site) -> Iterator[Found]:
    """The page has canonical links to different URLs, such as one of the theme and one of the generator:
    Google says that it then ignores all of them (Google, 5 common mistakes with rel=canonical).
    """
    for name, facts in site.own_pages.items():
        if facts.canonicals:
            yield Found(" and ".join(facts.canonicals), site.url_of(name), name, cause="several")


@RULES.add("U12", "error", "Canonical link without a page", reads="pages")
@texts(fix="Correct the canonical link: it is often made of another base URL, or another form of URLs.")
@texts(
    together="{count:,} pages have canonical links to missing pages, for example {first.url}: {first.message}"
)
def missing_canonical(site: Site) -> Iterator[Found]:
    """The page's canonical link names a URL of this site that has no file in the build: engines that follow
    it find a 404, and may show neither. A folder that the build does not have may come from another build.
    """
    for name, canonical in site.missing_canonicals.items():
        yield Found(f"the canonical link is {canonical}", site.url_of(name), name, cause="missing")


def _foreign_canonical(listed: Listed) -> str:
    """Return the canonical URL of a listed page if it differs from the listed URL, otherwise ``""``."""
    facts = listed.facts
    if not facts or facts.noindex or facts.refresh or facts.canonical in (None, "", listed.loc):
        return ""
    canonical = address.join(listed.loc, facts.canonical or "")
    return "" if address.same(canonical, listed.loc) else canonical


def _is_old(loc: str, canonical: str) -> bool:
    """Tell whether a URL has a version in its path, and the canonical one another, or none."""
    return address.other_version(loc, canonical) and loc.count("/") >= canonical.count("/")


@RULES.add("U7", "error", "Canonical is another URL", reads="pages")
@texts(fix="List the canonical URL, or make the page's canonical link the listed one.")
@texts(together="{count:,} pages are listed {cause}, for example {first.url}")
def other_canonical(site: Site) -> Iterator[Found]:
    """The page's canonical link differs from the URL in the sitemap. Engines index the canonical URL and
    report the listed one as an "alternate page". If all pages are affected, the generator and the sitemap
    have different base URLs. If only the trailing / or index.html differs, this is a warning: most servers
    have the same page at both.
    """
    for listed in site.listed:
        canonical = _foreign_canonical(listed)
        is_told = canonical in (
            site.only_canonical,
            site.missing_canonicals.get(listed.file or ""),
        )  # A5, U12
        if not canonical or is_told or _is_old(listed.loc, canonical):
            continue
        if _other_origin(site, listed) and address.split(canonical) and canonical.startswith(site.base):
            continue  # U1 reports that the sitemap is on another host
        is_form = address.same_but_index(canonical, listed.loc)
        cause = "with or without a last / or index.html, unlike their canonical links" if is_form else None
        if starts := address.difference(listed.loc, canonical):
            cause = "below {}, but their canonical links are below {}".format(*starts)
        message = f"the page's canonical link is {canonical}"
        yield listed.on_page(message, "warning" if is_form else None, cause=cause)


@RULES.add("U8", "error", "Blocked by robots.txt", fix="Remove that Disallow, or do not list it.")
def blocked(site: Site) -> Iterator[Found]:
    """The site's robots.txt blocks crawlers (all, Googlebot or bingbot) from fetching this URL, so it is
    never read. Search Console reports it as "blocked by robots.txt". R3 covers rules that block the whole
    site.
    """
    if site.robots is None or site.robots.forbids_all or site.hidden_from:
        return
    for listed in site.listed:
        if agent := site.robots.blocked_agent(listed.loc):
            yield listed.in_sitemap(f"robots.txt blocks {agent} from fetching it")


@RULES.add("C1", "warning", "Page missing from the sitemap", reads="pages")
@texts(fix="List the page, or mark it noindex.")
def not_listed(site: Site) -> Iterator[Found]:
    """The build has this page, it may be indexed (no noindex, no canonical link to another page, no
    redirect), and no sitemap lists it. The rule ignores 404, search, index and print pages, HTML fragments,
    folders that start with an underscore, such as those that Sphinx generates, old versions, previews, and
    folders that name another site as canonical. It reports nothing if a sitemap could not be read to its end.
    What docs-sitemap does not list was left out on purpose, for example by exclude: --select C1 shows it.
    """
    if not site.is_read or (site.signed and "C1" not in site.asked):
        return
    for name, facts in site.own_pages.items():
        if name in site.listed_files or facts.noindex:
            continue
        canonical = site.canonical_of(name)
        if not canonical or site.file_of(canonical) == name:
            yield Found("the page may be indexed, but no sitemap lists it", site.url_of(name), name)


@RULES.add(
    "C2",
    "info",
    "No internal links to the page",
    reads="links",
    fix="Link to the page from another one, or leave it out of the site.",
)
def orphan(site: Site) -> Iterator[Found]:
    """No other page of the build links to this page. Engines find it only through the sitemap and rank it
    low; readers do not find it. Links made by scripts are not detected.
    """
    home = site.tree.file_at("")
    told: set[str] = set()
    for listed in site.listed:
        file, facts = listed.file, listed.facts
        if not file or not facts or file in told or file == home or file in site.linked_files:
            continue
        told.add(file)
        if not (facts.noindex or facts.refresh or facts.utility):  # these should not be listed
            yield listed.on_page("no other page links to it")


@RULES.add("C3", "warning", "Utility page listed", reads="pages")
@texts(fix="Remove it from the sitemap, or mark the page noindex.")
@texts(together="{count:,} URLs, for example {first.url}: each is {cause}")
def utility_pages(site: Site) -> Iterator[Found]:
    """Error pages, search pages, generated indexes (genindex, modindex), source code pages and print copies
    of the whole site are not useful as search results. They are detected by content and by place in the
    site, never by name alone.
    """
    for listed in site.listed:
        kind = listed.facts.utility if listed.facts else ""
        if kind and not (site.signed and kind == SOURCE_CODE):
            yield listed.on_page(f"is {kind}", cause=kind)


@RULES.add("C4", "warning", "Old version listed", reads="pages")
@texts(fix="List only the version that users should find.")
@texts(together="{count:,} pages are listed below {cause[0]}, but their canonical links are below {cause[1]}")
def old_version(site: Site) -> Iterator[Found]:
    """The page's canonical link names the same page in another version of the documentation, so engines index
    that one.
    """
    for listed in site.listed:
        canonical = _foreign_canonical(listed)
        if canonical and _is_old(listed.loc, canonical):
            message = f"the page's canonical link is in another version: {canonical}"
            yield listed.on_page(message, cause=address.difference(listed.loc, canonical))


_NOINDEX_HEADER: Final = re.compile(
    r"^(/\S*)[ \t]*\n(?:[ \t]+.*\n)*?[ \t]+X-Robots-Tag:.*\b(?:noindex|none)\b", re.MULTILINE | re.IGNORECASE
)
"""A path with that header in a _headers file (Cloudflare Pages, Netlify: Headers)."""


@RULES.add("C5", "info", "Copies in Markdown may be indexed")
@texts(fix='Send "X-Robots-Tag: noindex" with them, or forbid them to Googlebot and bingbot.')
def markdown_copies(site: Site) -> Iterator[Found]:
    """Pages have a copy in Markdown for assistants beside them (guide.md, guide/index.md, guide.html.md;
    llmstxt.org). Search engines may index it as a second page with the same text, unless its header says
    "X-Robots-Tag: noindex" (Google, Block search indexing): on Cloudflare and Netlify, a _headers file sets
    it. Where none can be set, as on GitHub Pages, robots.txt can forbid the copies to search engines only.
    These two files are all that is in the build: curl -I shows what another server sends.
    """
    headers = (site.tree.read("_headers", MAX_ROBOTS) or b"").decode("utf-8", "replace")
    patterns = (re.escape(path) for path in _NOINDEX_HEADER.findall(headers))
    excluded = [re.compile(re.sub(r"\\\*|:\w+", ".*", pattern)) for pattern in patterns]
    copies = (name for name in sorted(site.tree.files) if name.endswith(".md") and _is_copy(site, name))
    found = [name for name in copies if not any(path.fullmatch(f"/{name}") for path in excluded)]
    if found:
        what = "a copy of a page" if len(found) == 1 else f"{len(found):,} copies of pages"
        yield Found(f"search engines may index {what} in Markdown, for example {found[0]}", file=found[0])


def _is_copy(site: Site, name: str) -> bool:
    """Tell whether a file in Markdown is a copy of a page that Google may fetch."""
    stem, url = name.removesuffix(".md"), (site.listed_base or site.base) + address.escape(name)
    pages = (stem if stem.endswith(".html") else f"{stem}.html", f"{stem}/index.html")
    may_be_read = not site.robots or site.robots.allows(url, "googlebot")
    return may_be_read and not site.tree.files.isdisjoint(pages)


@RULES.add("I1", "warning", "Images or image tags engines ignore", fix="Remove what engines do not read.")
def images(site: Site) -> Iterator[Found]:
    """A URL lists at most 1,000 images, each with image:loc only: since 2022, caption, title, license and
    geo_location are no longer read (Google, image sitemaps). An image below the site's base URL must be in
    the build.
    """
    for document in site.sitemaps.all:
        if document.dropped:
            tags = ", ".join(f"image:{name}" for name in sorted(document.dropped))
            yield Found(f"{tags}: no longer read by engines", file=document.name)
    checked: set[str] = set()
    for listed in site.listed:
        found = listed.entry.images
        if len(found) > MAX_IMAGES:
            yield listed.in_sitemap(f"has {len(found):,} images, more than {MAX_IMAGES:,}")
        for image in found:
            if image not in checked and _is_missing(site, image):
                fix = "Add the image to the build, or take it out."
                yield listed.in_sitemap(f"its image {image} is not in the build", fix=fix)
            checked.add(image)


def _is_missing(site: Site, image: str) -> bool:
    """Tell whether an image that is below the site's base URL is not in the build."""
    is_ours = any(base and image.startswith(base) for base in (site.base, site.listed_base))
    return is_ours and site.file_of(image) is None
