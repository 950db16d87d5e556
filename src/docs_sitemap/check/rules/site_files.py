"""F, S and R: the sitemap files, what they show of the build, and robots.txt (RFC 9309)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from docs_sitemap.check.built_site import Site
from docs_sitemap.check.findings import FEW, RULES, Found, Rule, in_index, texts
from docs_sitemap.check.served import NAME, Record, RobotsText
from docs_sitemap.check.sites import is_apart
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_LOC, MAX_ROBOTS
from docs_sitemap.published import address
from docs_sitemap.text import counted, show_value
from docs_sitemap.urls import placeholder
from docs_sitemap.versions.builds import is_marked

_FOR_PREVIEW: Final = "None is needed: search engines should not find a preview."


def _recorded(site: Site, rule: str) -> Iterator[Found]:
    """Yield the problems that the parser recorded for a rule."""
    for document in (*site.sitemaps.all, *site.sitemaps.copies):
        for problem in document.problems:
            if problem.rule == rule:
                times = f" ({problem.count:,} times)" if problem.count > 1 else ""
                message = f"{problem.message}{times}"
                fix = "Leave it out." if message.startswith("lastmod is empty") else ""
                yield Found(message, file=document.name, level=problem.level, line=problem.line, fix=fix)


@RULES.add(
    "F0",
    "error",
    "No sitemap",
    "pages",
    fix="Write one with docs-sitemap build, or set the build's base URL; if it has another name, use "
    "--sitemap.",
)
def no_sitemap(site: Site) -> Iterator[Found]:
    """The folder has no sitemap: none that robots.txt names, and none with a common name such as sitemap.xml
    or sitemap_index.xml. A generator without a base URL (site_url, html_baseurl) often writes none. In a
    preview, or in a version that leads search engines to the current one, this is only a note.
    """
    for name in site.sitemaps.missing:
        yield Found(f"no {name} in the site's folder", file=name, fix="Give --sitemap a path in that folder.")
    if not site.sitemaps.all and not site.sitemaps.missing:
        text = "no sitemap: robots.txt names no existing file, and no file has a common name"
        if site.hosting.preview:
            text += f"; this is a preview ({site.hosting.preview})"
            yield Found(text, level="info", fix=_FOR_PREVIEW)
        elif "index.html" in site.tree.files and is_marked(site.tree.real("index.html")):
            text += "; the pages say that this is not the current version"
            yield Found(text, level="info", fix="None is needed: search engines look for the current one.")
        elif not site.tree.pages:
            yield Found("no sitemap, and the folder has no HTML file: is it the built site?")
        elif not all(facts.noindex for facts in site.own_pages.values()) or not site.own_pages:  # A4
            yield Found(text)


_SPLIT: Final = "Split the file, and list its parts in an index."
_RECORDED: Final = {
    ("F1", "Not well-formed or not valid", "Write it as the sitemaps.org schema has it."): """A sitemap must
    be well-formed XML. Its root must be urlset or sitemapindex in the namespace
    http://www.sitemaps.org/schemas/sitemap/0.9 (exactly, with http), and its elements must be those of the
    schema in the schema's order: loc, lastmod, changefreq, priority, then extensions. Otherwise engines
    refuse the whole file or skip the entry. L3 checks dates, and U2 checks URLs.""",
    ("F2", "More than 50,000 entries", _SPLIT): """One file lists at most 50,000 URLs, and an index at most
    50,000 sitemaps (sitemaps.org). Engines refuse larger files. The rest of such a file is not read.""",
    ("F3", "Too large", _SPLIT): """One file has at most 52,428,800 bytes uncompressed (sitemaps.org). Engines
    refuse larger files. Such a file is not read, so its other problems are not found.""",
    ("F4", "Not UTF-8, or with a DOCTYPE", "Save it as UTF-8, with no BOM and no DOCTYPE."): """A sitemap must
    be UTF-8 without a byte order mark, and without a DOCTYPE or its own entities: parsers refuse these
    because they are a known attack.""",
    ("F5", "Empty sitemap or lastmod", "Set the build's base URL, or write no empty sitemap."): """A urlset
    without a url, an index without a sitemap and an empty lastmod are invalid, and Search Console reports
    them. An empty sitemap usually means that the generator has no base URL (site_url, html_baseurl).""",
}
"""The explanations of rules whose problems the parser records, by id, title and fix."""

for (_id, _title, _fix), _text in _RECORDED.items():
    _check = partial(_recorded, rule=_id)
    RULES[_id] = Rule(_id, "error", _title, " ".join(_text.split()), _check, "files", _fix)


@RULES.add("F6", "error", "Broken parts or copies", fix="Compress the sitemap again, after its last change.")
def broken_parts(site: Site) -> Iterator[Found]:
    """A gzipped sitemap that cannot be decompressed, a compressed copy that differs from its original, or an
    index that names a file that is not in the build or is itself an index: engines never see what is listed
    there.
    """
    yield from _recorded(site, "F6")
    for child in site.sitemaps.children:
        loc = child.entry.loc
        if child.name is None and site.below(loc) is not None and not site.may_be_elsewhere(loc):
            fix = "Add the file to the build, or take it out of the index."
            yield in_index(child, "the index names a file that is not in the build", fix=fix)
    indexes = {document.name for document in site.sitemaps.all if document.kind == "index"}
    for child in site.sitemaps.children:
        if child.name in indexes:
            fix = "List the sitemaps of that index in this one."
            yield in_index(child, "the index names an index, which the protocol forbids", fix=fix)


@RULES.add("S1", "info", "XSL stylesheet", fix="Use a CSS stylesheet, or none.")
def xslt(site: Site) -> Iterator[Found]:
    """Browsers are removing XSLT (Chrome planned to turn it off in November 2026), so a sitemap with an XSL
    stylesheet becomes plain XML or a blank page for readers. CSS works everywhere.
    """
    for document in site.sitemaps.all:
        if document.xslt:
            yield Found("has an XSL stylesheet, which browsers no longer apply", file=document.name)


@RULES.add("S2", "info", "changefreq or priority", fix="Leave out both.")
def ignored_hints(site: Site) -> Iterator[Found]:
    """Google and Bing ignore changefreq and priority. They only make the sitemap larger."""
    for document in site.sitemaps.all:
        if document.hints:
            counts = " and ".join(f"{count:,} {name}" for name, count in sorted(document.hints.items()))
            yield Found(f"{counts}: engines ignore them", file=document.name)


@RULES.add("S3", "error", "Base URL not set", fix="Set site_url, html_baseurl or base_url to the real one.")
def no_base(site: Site) -> Iterator[Found]:
    """The base URL of the site is unknown, or is on a local server, a private network or the domain
    example.com: the build does not know the real one.
    """
    file = site.listed[0].document.name if site.listed else None
    if site.listed and not any(listed.origin for listed in site.listed):
        yield Found("no URL in the sitemap is absolute", file=file)
    origins = Counter(listed.origin for listed in site.listed) or Counter([site.origin])
    for origin, count in origins.items():
        if kind := placeholder(origin):
            what = f"{count:,} URLs are" if site.listed else "the site is"
            yield Found(f"{what} on {origin}, {kind}", file=file)


_KNOWN_KEYS: Final = frozenset(
    (
        *("user-agent", "disallow", "allow", "sitemap", "crawl-delay", "clean-param", "host"),
        *("request-rate", "visit-time", "noindex", "content-signal"),
    )
)
"""The keys that Lighthouse's audit accepts."""

_SERVICES_NAME: Final = "sitemap.xml"
"""The sitemap that a service's own robots.txt names; see ``Hosting.own_robots``."""


_in_robots: Final = partial(Found, file=NAME)


@RULES.add("R1", "warning", "Sitemap line missing or wrong", fix="Name its whole URL in robots.txt.")
def names_no_sitemap(site: Site) -> Iterator[Found]:
    """Now that pings are gone, crawlers find sitemaps by Sitemap: lines with absolute URLs. A relative URL,
    or a file that is not in the build, is an error; but a folder that the build does not have may be another
    site on the same host, whose sitemap may be named here. If the site is not at the root of its host, only
    the host's robots.txt counts, which is not in the build: then a missing file is only a reminder. If only
    folders have sitemaps, an index that docs-sitemap index writes is to be named, and no sitemap of an old
    version. Read the Docs has a robots.txt of its own, which names /sitemap.xml.
    """
    if not site.sitemaps.all:
        return  # F0 reports this
    first, several = site.sitemaps.all[0], len(site.sitemaps.all) > 1
    needs_index = first in site.sitemaps.unnamed and (several or is_apart(site, first.folder))
    name, before = (_SERVICES_NAME, "Run docs-sitemap index. ") if needs_index else (first.name, "")
    wanted = f"Sitemap: {site.base or site.listed_base or 'https://YOUR-ADDRESS/'}{name}"
    add = f"{before}Add this line to robots.txt: {wanted}"
    if site.robots is not None:
        if not site.robots.sitemaps:
            yield _in_robots("has no Sitemap line", fix=add)
        for record in site.robots.sitemaps:
            yield from _sitemap_problems(site, record, wanted, before)
    elif site.hosting.own_robots and site.hosting.at_root:
        if name != _SERVICES_NAME:
            url = wanted.removeprefix("Sitemap: ")
            text = f"the robots.txt of {site.hosting.own_robots} names /{_SERVICES_NAME}, not {url}"
            yield _in_robots(text, fix=f"Add a robots.txt with this line: {wanted}")
    elif site.at_root:
        fix = f"{before}Add a robots.txt with this line: {wanted}"
        yield _in_robots("no robots.txt, so crawlers do not find the sitemap", fix=fix)
    else:
        text = "only the robots.txt at the root of the host is read, and it is not part of this build"
        yield _in_robots(text, level="info", fix=f"{before}Check that it has this line: {wanted}")


def _sitemap_problems(site: Site, record: Record, wanted: str, before: str) -> Iterator[Found]:
    """Yield the problems of a ``Sitemap:`` line, which should be the wanted one, and what to do before."""
    url, line, is_there = record.value, record.line, site.robots and wanted[9:] in site.robots.sitemap_urls
    fix = (before.rstrip() or "Remove the line.") if is_there else f"{before}Replace the line: {wanted}"
    named, base = address.split(url), address.split(site.base)
    if not named or len(url) > MAX_LOC:
        text = f"Sitemap: {url} is not an absolute URL of fewer than {MAX_LOC + 1:,} characters"
        yield _in_robots(text, level="error", line=line, fix=fix)
    elif base and named.origin != base.origin:
        where = ", ".join(filter(None, (named.origin, placeholder(named.origin))))
        text = f"the sitemap is on {where}, but the site is on {base.origin}"
        yield _in_robots(text, url=url, line=line, fix=fix)
    elif base and url.startswith(site.base) and not (site.file_of(url) or site.may_be_elsewhere(url)):
        yield _in_robots("the sitemap is not in the build", level="error", url=url, line=line, fix=fix)


@RULES.add("R2", "warning", "robots.txt not at the root", fix="Put its lines into the file at the root.")
def not_at_root(site: Site) -> Iterator[Found]:
    """Crawlers read robots.txt only at the root of a host, never below a path (RFC 9309, 2.3). On Read the
    Docs this finds nothing, because it serves the file of the default version there. A file that contains
    the line by docs-sitemap is not reported, because the build has reported it.
    """
    at_root = site.at_root or site.hosting.at_root
    if site.robots is not None and not at_root and not robots.named_by_us(site.robots.data):
        yield _in_robots(f"will be at {site.base}{NAME}, where no crawler reads it")


@RULES.add("R3", "warning", "Mistakes in robots.txt", fix="Write each line as key: value, or remove it.")
def malformed(site: Site) -> Iterator[Found]:
    """Crawlers read at least 500 KiB of the file, and Google reads no more. Lines are key: value, and the
    rules of a group follow its User-agent. A byte order mark can make crawlers ignore the first line, and an
    unknown key fails Lighthouse's audit. Disallow: / for all crawlers is an error: it removes the whole site
    from search. In a preview, this is only a note.
    """
    text = site.robots
    if text is None:
        return
    if len(text.data) > MAX_ROBOTS:
        message = f"has more than {MAX_ROBOTS:,} bytes: the rest is not read"
        yield _in_robots(message, level="error", fix="Shorten it to that.")
    if text.has_bom:
        yield _in_robots("starts with a byte order mark", fix="Save it without one.")
    if lines := text.lines_without_colon:
        where = ", ".join(map(str, lines[:FEW])) + (" and more" if len(lines) > FEW else "")
        yield Found(f"no colon in line {where}", file=NAME, line=lines[0])
    yield from _misread(text)
    if record := text.forbids_all:
        message = f"Disallow: {record.value} blocks the whole site for all crawlers"
        if site.hosting.preview:
            message += f"; this is a preview ({site.hosting.preview})"
            yield _in_robots(message, level="info", line=record.line, fix=_FOR_PREVIEW)
        else:
            fix = "Remove the line, unless no search engine should show the site."
            yield _in_robots(message, level="error", line=record.line, fix=fix)


def _misread(text: RobotsText) -> Iterator[Found]:
    """Yield the first record of each unknown key, and a rule before all groups."""
    first = {record.key: record for record in reversed(text.records)}
    for key, record in reversed(first.items()):
        if key not in _KNOWN_KEYS:
            yield _in_robots(f"unknown key {key!r}", line=record.line, fix="Correct or remove the key.")
    yield from _without_group(text, "allow", "disallow")


def _without_group(text: RobotsText, *keys: str) -> Iterator[Found]:
    """Yield the first record with one of the keys, if it is before all groups."""
    record = next((record for record in text.records if record.key in ("user-agent", *keys)), None)
    if record and record.key != "user-agent":
        message = f"{record.key} before the first User-agent has no effect"
        yield _in_robots(message, line=record.line, fix="Put a User-agent line before it.")


@RULES.add("R4", "error", "Sitemap blocked by robots.txt", fix="Allow it: remove the Disallow that matches.")
def forbids_sitemap(site: Site) -> Iterator[Found]:
    """The rules block crawlers from fetching the sitemap itself, so none of it is read. On Read the Docs, a
    robots.txt counts for all versions: one that blocks the whole version is a warning, because the version
    may be hidden on purpose, and U8 is silent.
    """
    if site.robots is None or site.robots.forbids_all:
        return
    if site.hidden_from:
        text = f"robots.txt blocks {site.hidden_from} from this whole version ({site.base})"
        yield _in_robots(text, level="warning", fix="Remove that rule, unless the version is to be hidden.")
        return
    for document in site.sitemaps.all:
        url = (site.base or site.listed_base) + document.name
        if address.split(url) and (agent := site.robots.blocked_agent(url)):
            yield Found(f"robots.txt blocks {agent} from fetching the sitemap", url, document.name)


@RULES.add("R5", "info", "Answer engines may not read the site")
@texts(fix="If assistants are to quote and link the site, remove these crawlers' Disallow: /.")
def forbids_answers(site: Site) -> Iterator[Found]:
    """robots.txt forbids the whole site to crawlers from whose index an assistant answers with links, but not
    to Googlebot: OAI-SearchBot (ChatGPT), Claude-SearchBot, Claude-User, PerplexityBot, MistralAI-Index,
    DuckAssistBot, Amzn-SearchBot, meta-webindexer. Then they neither quote nor link it. Lists of "AI bots"
    and switches of hosting services often mix them with crawlers that collect texts for training, such as
    GPTBot, ClaudeBot, CCBot and Google-Extended, which this rule ignores. Each has its own name, so a site
    can forbid one kind and allow the other.
    """
    url = site.base or site.listed_base
    if found := site.robots.forbidden_answers(url) if site.robots and url else []:
        names = ", ".join(record.value for record in found)
        text = f"the whole site is forbidden to {names}, but not to Googlebot: is that wanted?"
        yield _in_robots(text, line=found[0].line)


_SIGNALS: Final = {
    **dict.fromkeys(("search", "ai-input", "ai-train"), ("yes", "no")),
    "use": ("immediate", "reference", "full"),
}
"""The words of Content-Signal: those of contentsignals.org, and ``use`` of Cloudflare (31 August 2026)."""


@RULES.add("R6", "warning", "Content-Signal without effect")
@texts(fix="Write it below a User-agent, for example: search=yes, ai-input=yes, ai-train=no.")
def signals(site: Site) -> Iterator[Found]:
    """Content-Signal (contentsignals.org) belongs to the group of a User-agent, as Content-Usage does (IETF
    draft aipref-attach): before the first User-agent, it is for nobody. It has search, ai-input and ai-train,
    each with yes or no, and Cloudflare's use. Crawlers ignore other words.
    """
    if site.robots:
        yield from _without_group(site.robots, "content-signal", "content-usage")
    for record in site.robots.records if site.robots else ():
        if record.key == "content-signal" and (unknown := _unknown_signals(record.value)):
            yield _in_robots(f"unknown: {show_value(unknown)}", line=record.line)


def _unknown_signals(value: str) -> str:
    """Return the parts of a Content-Signal that have no meaning, as written."""
    parts = [part.strip() for part in re.sub(r"^/\S*\s+", "", value).split(",")]  # it may start with a path
    pairs = ((part, part.lower().partition("=")) for part in parts)
    return ", ".join(part for part, (key, _, word) in pairs if word not in _SIGNALS.get(key, ()))


@RULES.add("R7", "warning", "robots.txt in a subfolder", reads="links")
@texts(fix="Move its lines into robots.txt at the root of the host.")
def in_a_subfolder(site: Site) -> Iterator[Found]:
    """Crawlers read robots.txt only at the root of a host (RFC 9309, 2.3): this one is beside the home page
    of a folder (a language, a version) or in _static, and has lines that the one at the root has not. Nobody
    reads these. In Sphinx, html_extra_path puts it at the root. If there is one at the root, this is only a
    note. A folder that is published on a host of its own needs one. A file that a page links to is taken for
    an example, and one by docs-sitemap is not reported.
    """
    found = sorted(name for name in site.tree.files if name.endswith(f"/{NAME}") and _is_lost(site, name))
    if found:
        count = f"{len(found):,} files" if len(found) > 1 else "this file"
        text = f"no crawler reads {count} below the root" + f", for example {found[0]}" * (len(found) > 1)
        yield Found(text, file=found[0], level="info" if site.robots else None)


def _is_lost(site: Site, name: str) -> bool:
    """Tell whether a robots.txt below the root is for crawlers, and says more than the one at the root."""
    folder = name.removesuffix(NAME)
    is_meant = f"{folder}index.html" in site.tree.files or "/_static/" in f"/{folder}"
    data = site.tree.read(name, MAX_ROBOTS) if is_meant and name not in site.linked_files else None
    if data is None or robots.named_by_us(data):
        return False
    read = {record[1:] for record in site.robots.records} if site.robots else set[object]()
    return any(record[1:] not in read for record in RobotsText(data).records)


@RULES.add("R8", "warning", "noindex or canonical that nobody may read", reads="pages")
@texts(fix="Remove that Disallow: crawlers must read a page to obey its noindex or its canonical link.")
def unread(site: Site) -> Iterator[Found]:
    """robots.txt blocks crawlers from pages with noindex, or with a canonical link to another page: they read
    neither, and may show the pages' URLs, without text, if others link to them (Google, Block Search indexing
    with noindex). One of the two must go: to keep pages out of search, remove the Disallow.
    """
    if site.robots is None or site.robots.forbids_all or site.hidden_from:
        return
    found = [
        name
        for name, facts in site.pages.items()
        if facts.is_for_readers
        and (facts.noindex or site.file_of(site.canonical_of(name) or "") not in (None, name))
        and site.robots.blocked_agent(site.url_of(name)) == "crawlers"
    ]
    if found:
        text = f"nobody may read the noindex or canonical link of {counted(len(found), 'page')}, for example"
        yield _in_robots(f"{text} {found[0]}")
