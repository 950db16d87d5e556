"""W: what a server answers, for ``check --live``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap.check.findings import RULES, Found, Level, texts
from docs_sitemap.check.served import RobotsText, Served, Visit
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.published import address
from docs_sitemap.readers.connections import is_inside
from docs_sitemap.text import and_more, shorten
from docs_sitemap.timestamps import instant

_DAY: Final = 86_400
_OK: Final = 200
_MISSING: Final = frozenset({404, 410})
_TOO_MANY: Final = 429
_FILES: Final = ("", "html", "htm", "xhtml")
"""The endings of the names of pages; other files have other types."""

_LINES: Final = 3
_PASSWORD: Final = {401: "It asks for a password: let crawlers read it, or check with --header."}


@RULES.add("W0", "error", "Sitemap not found", reads="web", fix="Deploy it, and name it in robots.txt.")
def no_sitemap(site: Served) -> Iterator[Found]:
    """The served robots.txt names no sitemap of the site that can be read, and none is at the usual address
    below the base URL: the server answers 404 or another 4xx. Or the sitemap's answer is no sitemap, for
    example an error page with status 200. If only robots.txt does not name it, that is a warning, or an info
    for a site below a path. The rules for sitemaps and dates, and R3 and R4, apply to the served files
    too.
    """
    if not site.has_sitemaps:
        return  # the check was stopped, or nothing may be asked
    read = {url: document for url, (_, document) in site.sitemaps.items() if document}
    for url, document in read.items():
        if not document.kind:
            answer, _ = site.sitemaps[url]
            text = f"the answer is no sitemap; its type is {shorten(answer.type) or 'missing'}"
            yield Found(text, url, fix="Serve the sitemap itself at this address.")
    named = site.sitemap_urls
    others = f"; robots.txt names {shorten(named[0], MAX_LOC)}" if named else ""
    if not site.sitemaps.keys().isdisjoint(named):
        return  # an answer that is no sitemap is for the rules below
    answers = {answer.status for answer, _ in site.sitemaps.values()}
    if not read and all(map(_is_missing, answers)):
        refused = ", ".join(map(str, sorted(answers - _MISSING)))
        others = f"; the server answers {refused}{others}" if refused else others
        fix = next((_PASSWORD[answer] for answer in answers if answer in _PASSWORD), "")
        yield Found(f"no sitemap of {site.base} was found{others}", site.robots.url, fix=fix)
    elif read and site.robots.status in (_OK, *_MISSING):
        url = next(iter(read))
        level: Level = "warning" if urlsplit(site.base).path == "/" else "info"
        text, fix = f"robots.txt does not name {url}{others}", f"Add this line to robots.txt: Sitemap: {url}"
        yield Found(text, site.robots.url, level=level, fix=fix)


def _is_missing(status: int) -> bool:
    return 400 <= status < 500 and status != _TOO_MANY


@RULES.add("W1", "error", "No complete answer", reads="web", fix="Open the URL in a browser, and see why.")
def no_answer(site: Served) -> Iterator[Found]:
    """The server cannot be reached, breaks off, takes longer than --timeout, or sends without end. Or its
    status is not that of a page: 202, 204 and others below 300, except 200. Or the host has a private
    address: then nothing is sent, unless the URL itself has that address. A URL without an answer is tried
    three times; after one that failed, each of the next is tried once, until one has an answer. The check
    stops after 20 URLs in a row without an answer, if the server asks to wait for more than two minutes
    (Retry-After), or if it has waited for ten minutes in total; what an answer takes beyond five seconds
    counts. Sitemaps are read for ten minutes; then only the pages of those that were read are checked. URLs
    that robots.txt forbids to docs-sitemap, or to the crawler of --as, are not asked for: that is an info.
    """
    for visit in site.all_visits:
        if visit.problem:
            yield Found(visit.problem, visit.url)
        elif visit.status < 300 and visit.status != _OK and visit is not site.robots:
            yield Found(f"the server answers {visit.status}, expected 200", visit.url)
    if not site.is_complete:
        is_cut = len(site.visits) < site.wanted
        after = f" after {len(site.visits):,} of {site.wanted:,} URLs" if is_cut else ""
        why = f": {site.stopped}" if site.stopped else ""
        fix = "Check again later, or with a lower --rate or a --sample."
        yield Found(f"the check was stopped{after}{why}", site.base, level="warning", fix=fix)
    if site.forbidden:
        what = "1 URL was" if site.forbidden == 1 else f"{site.forbidden:,} URLs were"
        fix = "Allow docs-sitemap in robots.txt, to check these too."
        yield Found(f"{what} not asked for: robots.txt forbids it", site.robots.url, level="info", fix=fix)


@RULES.add("W2", "error", "Not found or refused", reads="web", fix="Deploy it, or do not list it.")
def not_found(site: Served) -> Iterator[Found]:
    """The server answers 404, 410 or another 4xx for a listed URL or a sitemap that robots.txt names. For
    robots.txt itself, 4xx means that there is none: crawlers may fetch everything (RFC 9309, 2.3.1.3).
    """
    indexes = (it for _, it in site.sitemaps.values() if it and it.kind == "index")
    named = {*site.sitemap_urls, *(entry.loc for index in indexes for entry in index.entries)}
    for visit in [*(visit for url, (visit, _) in site.sitemaps.items() if url in named), *site.visits]:
        if _is_missing(visit.status):
            fix = "" if visit.status in _MISSING else "Let crawlers read it, or do not list it."
            fix = _PASSWORD.get(visit.status, fix)
            yield Found(f"the server answers {visit.status}", visit.url, fix=fix)


@RULES.add("W3", "error", "Redirected", reads="web", fix="List the target in its place.")
def redirected(site: Served) -> Iterator[Found]:
    """The server answers with a redirect, or the page is one (meta refresh). Engines report the listed URL as
    "page with redirect". Redirects are not followed, other than those of robots.txt
    on the same host. One to an address inside a network is a mistake or an attack.
    """
    for visit in site.all_visits:
        if message := _redirect(visit):
            yield Found(message, visit.url)


def _redirect(visit: Visit) -> str:
    if visit.has_refresh:
        return "the page redirects (meta refresh)"
    if not 300 <= visit.status < 400:
        return ""
    if not visit.target:
        return f"the server answers {visit.status} without a valid address"
    host = urlsplit(visit.target).hostname if address.split(visit.target) else None
    where = ""
    if host and host != urlsplit(visit.url).hostname:
        where = ", which is not public" if is_inside(host) else ", on another host"
    return f"the server redirects ({visit.status}) to {shorten(visit.target, MAX_LOC)}{where}"


@RULES.add("W4", "error", "Server error or 429", reads="web", fix="See its log; for 429, use a lower --rate.")
def server_error(site: Served) -> Iterator[Found]:
    """The server answers 5xx, or 429 (too many requests) although the check has waited as Retry-After says.
    While robots.txt answers 5xx, crawlers fetch nothing (RFC 9309, 2.3.1.4), and neither does this check.
    """
    for visit in site.all_visits:
        if visit.status >= 500 or visit.status == _TOO_MANY:
            yield Found(f"the server answers {visit.status}", visit.url)


@RULES.add("W5", "error", "Served page is noindex", reads="web", fix="Remove noindex, or do not list it.")
def excluded(site: Served) -> Iterator[Found]:
    """The answer has an X-Robots-Tag header with noindex, or the served page has a robots tag with it, so
    that engines do not index the page. Some hosting services send the header for previews.
    """
    names = {"X-Robots-Tag": "an X-Robots-Tag header", "robots": "a robots tag"}
    for visit in site.visits:
        if visit.noindex and visit.status == _OK:
            yield Found(f"the page is listed, but has {names[visit.noindex]} with noindex", visit.url)


@RULES.add("W6", "error", "Served canonical is another URL", reads="web")
@texts(fix="List the canonical URL, or make the page's canonical link the listed one.")
@texts(
    together="{count:,} served pages have another canonical link, for example {first.url}: {first.message}"
)
def other_canonical(site: Served) -> Iterator[Found]:
    """The canonical link of the served page differs from the URL in the served sitemap, as in U7."""
    for visit in site.visits:
        if visit.canonical and not address.same(visit.canonical, visit.url):
            level: Level | None = "warning" if address.same_but_index(visit.canonical, visit.url) else None
            message = f"the page's canonical link is {shorten(visit.canonical, MAX_LOC)}"
            yield Found(message, visit.url, level=level, cause=address.difference(visit.url, visit.canonical))


@RULES.add("W7", "warning", "Wrong Content-Type", reads="web", fix="Set the types in the server.")
def wrong_type(site: Served) -> Iterator[Found]:
    """A page is not served as text/html or application/xhtml+xml, so that engines may not read it as a page,
    or a sitemap is served as text/html.
    """
    for visit in site.visits:
        name = urlsplit(visit.url).path.rpartition("/")[2]
        is_page = name.rpartition(".")[2].lower() in _FILES or "." not in name
        if visit.status == _OK and not visit.problem and is_page and "html" not in visit.type:
            what = shorten(visit.type) or "nothing: it has no type"
            yield Found(f"the page is served as {what}", visit.url)
    for answer, document in site.sitemaps.values():
        if document and document.kind and "html" in answer.type:
            yield Found(f"the sitemap is served as {shorten(answer.type)}", answer.url)


@RULES.add("W8", "warning", "Page older than its lastmod", reads="web", fix="Deploy, or correct the date.")
def older(site: Served) -> Iterator[Found]:
    """The page's Last-Modified is more than a day before its lastmod: either the server still has an older
    page, or the date is wrong. A later Last-Modified is normal, because most servers send the time of the
    deployment.
    """
    for visit in site.visits:
        lastmod = site.listed.get(visit.url)
        date = instant(lastmod) if lastmod else None
        if not date or visit.modified is None or visit.status != _OK:
            continue
        if visit.modified < date.timestamp() - _DAY:
            yield Found(f"lastmod is {lastmod}, but the server sends an older page", visit.url)


@RULES.add("W9", "warning", "Not what was built", reads="web", fix="Deploy again, and empty the cache.")
def differs(site: Served) -> Iterator[Found]:
    """The served robots.txt or sitemap differs from that in SITE_DIR. Some hosting services and content
    delivery networks put rules of their own into robots.txt, and a cache may still have the old sitemap.
    Without SITE_DIR, nothing is compared.
    """
    if site.built_robots is not None and urlsplit(site.base).path == "/":  # others are not the host's
        yield from _robots_differ(site, site.built_robots)
    if site.built is not None and site.sitemaps and site.has_sitemaps:
        url = next(iter(site.sitemaps))
        missing = [] if site.has_unread_sitemaps else [each for each in site.built if each not in site.listed]
        extra = [each for each in site.listed if each not in site.built]
        both = site.built.keys() & site.listed.keys()
        dates = [each for each, date in site.built.items() if each in both and date != site.listed[each]]
        for found, one, several in (
            (missing, "is not listed online", "are not listed online"),
            (extra, "is listed online, but was not built", "are listed online, but were not built"),
            (dates, "has another lastmod online", "have another lastmod online"),
        ):
            if found:
                text = f"1 URL {one}" if len(found) == 1 else f"{len(found):,} URLs {several}"
                yield Found(f"{text}, for example {shorten(found[0], MAX_LOC)}", url)


@RULES.add("W10", "warning", "Another answer for Googlebot", reads="web")
@texts(fix="Inspect the URL in Search Console; if it fails there, too, let verified bots pass the firewall.")
def differs_for_googlebot(site: Served) -> Iterator[Found]:
    """The server answers for the home page, robots.txt or the sitemap in another way if a request has the
    User-Agent of Googlebot: with another status, redirect or type, with a page of a firewall, with HTML in
    place of a sitemap, or with nothing. Search Console then says "Couldn't fetch" or "Sitemap could not be
    read". Firewalls verify Googlebot by its address, so that Google itself may get another answer. Nothing
    is compared with --as, or where robots.txt forbids it.
    """
    for ours, theirs in site.as_googlebot:
        own, other = _whole_answer(ours), _whole_answer(theirs)
        if own != other and (ours.status or theirs.status):
            said = '; Search Console may say "Couldn\'t fetch"' if theirs.url in site.sitemaps else ""
            yield Found(f"as Googlebot: {other}; as docs-sitemap: {own}{said}", theirs.url)


def _whole_answer(visit: Visit) -> str:
    text = visit.problem or str(visit.status)
    text += f" from a firewall ({shorten(visit.firewall)})" if visit.firewall else ""
    text += f" to {shorten(visit.target, MAX_LOC)}" if visit.target else ""
    if visit.status != _OK:
        return text
    start = visit.body.lstrip()[:15].lower()
    is_html = start.startswith((b"<!doctype html", b"<html")) and "html" not in visit.type
    text += f", {shorten(visit.type) or 'no type'}"
    return f"{text}, but {'HTML' if is_html else 'empty'}" if is_html or not start else text


@RULES.add("W11", "info", "Served copies in Markdown may be indexed", reads="web")
@texts(fix=RULES["C5"].fix)
def markdown_copy(site: Served) -> Iterator[Found]:
    """llms.txt (llmstxt.org) names pages in Markdown, and the first that is on this host is served without
    the header "X-Robots-Tag: noindex", and not forbidden to Googlebot: search engines may index the copies as
    second pages with the same text (Google, Block search indexing). C5 finds them in the built site.
    """
    copy = site.copy_in_markdown
    if copy and copy.status == _OK and not copy.noindex and "html" not in copy.type:
        yield Found("llms.txt names this copy of a page, which search engines may index", copy.url)


def _robots_differ(site: Served, built: bytes) -> Iterator[Found]:
    if site.robots_text is None:
        yield Found("the built robots.txt is not served", site.robots.url)
        return
    texts = (RobotsText(built), site.robots_text)
    ours, theirs = (dict.fromkeys(line for _, line in text.lines) for text in texts)
    added = [line for line in theirs if line not in ours]
    removed = [line for line in ours if line not in theirs]
    for lines, what in ((added, "was not built"), (removed, "is not served")):
        if lines:
            some = ", ".join(f'"{shorten(line)}"' for line in lines[:_LINES]) + and_more(len(lines) - _LINES)
            fix = "Deploy again, or see what the hosting service or its cache does to robots.txt."
            yield Found(f"robots.txt {what} like this: {some}", site.robots.url, fix=fix)
