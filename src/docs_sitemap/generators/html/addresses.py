"""Decides the URL of each page of a built site, and keeps what another tool's sitemap says of the page.

A page's own canonical link comes first; then the option ``url_style``, the canonical links of other pages,
the sitemap that is there, the links between pages, and the file's name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_sitemap import urls
from docs_sitemap.files import robots
from docs_sitemap.files.urlset import SIGNATURE, TAKEN
from docs_sitemap.limits import MAX_BYTES, MAX_FILE, MAX_HEAD, MAX_PAGE
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.base_url import base_url_of
from docs_sitemap.pages.hosting import detect_hosting
from docs_sitemap.pages.page import Host, Page
from docs_sitemap.published import WELL_KNOWN, Tree, address, base_of, home_address, likely_base, linked_paths
from docs_sitemap.readers.html import Head, head_of
from docs_sitemap.text import and_more, counted, shorten, show_path

if TYPE_CHECKING:
    from docs_sitemap.sitemaps import Document

_SAMPLE: Final = 50
"""How many pages are read for the form of the URLs of those without a canonical link."""

_PAGE: Final = "page.html"
_USUAL: Final = {"index.html": "directory", "folder/index.html": "directory", _PAGE: "html"}
"""The usual form by kind: the home page, other index pages, and all others."""

_CANONICAL: Final = "the pages' canonical links"
_LINKS: Final = "the links between pages"
_TO_KEEP: Final = re.compile(rb"<\w+:(?:link|image)\b|<sitemapindex\b")


def _forms_of(name: str) -> dict[str, str]:
    """Return the URL paths at which hosts serve a page, by form.

    >>> _forms_of("guide/install.html")
    {'html': 'guide/install.html', 'clean': 'guide/install', 'directory': 'guide/install/'}
    """
    path = urls.escape_name(name)
    folder, slash, last = path.rpartition("/")
    stem = re.sub(r"\.html?\Z", "", path, flags=re.IGNORECASE)
    if last in ("index.html", "index.htm"):
        return {"directory": folder + slash, "html": path, "clean": folder, "stem": stem}
    return {"html": path, "clean": stem, "directory": f"{stem}/"}


def _kind_of(name: str) -> str:
    folder, _, last = name.rpartition("/")
    return _PAGE if last not in ("index.html", "index.htm") else f"{'folder/' if folder else ''}index.html"


def _most(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the most common form of each kind; forms may be empty."""
    numbers = Counter(pair for pair in found if pair[1])
    return dict(sorted(numbers, key=lambda pair: (numbers[pair], pair)))  # the last one counts


def _as(form: str, names: Collection[str]) -> str:
    name = max(names)
    return f"{shorten(_forms_of(name)[form])} for {shorten(name)}"


class Addresses:
    """The URLs of a site's pages, and what a sitemap that another tool wrote says of them.

    Of our own sitemaps, those count that have something from such. ``options`` have a base URL if the site
    itself has one and nothing else does. ``url_style`` is the option.
    """

    def __init__(self, site_dir: Path, options: Options, host: Host, url_style: str | None) -> None:
        self._tree = Tree(site_dir)
        self._style, self._style_option = url_style, host.spell("url_style")
        self._unread = ""
        self._own_in = cache(lambda name: self._own(name, head_of(self._tree.read(name, MAX_HEAD) or b"")))
        self._home = home_address(self._tree)
        documents = self._documents(options.filename)
        theirs = [document for document in documents if not document.signed]
        names = [show_path(document.name) for document in theirs or documents]
        were = "were" if names[1:] else "was"
        self._sitemap = f"{''.join(names[:1])}{and_more(len(names) - 1)}, which {were} there"
        entries = [entry for document in documents for entry in document.entries]
        base = options.base_url or self._home
        self._theirs = likely_base(self._tree, [entry.loc for entry in entries], base) if entries else ""
        listed = ((*self._find(entry.loc), entry) for entry in reversed(entries))  # the first one counts
        self._listed = {name: (form, entry) for name, form, entry in listed}
        self._pages: defaultdict[tuple[str, str], set[str]] = defaultdict(set)  # by what is known of them
        self._origin_of_base = ""
        self.options = self._with_base_url(options, host)
        self._base_url = base_url_of(self.options, host) or ""

    def _with_base_url(self, options: Options, host: Host) -> Options:
        base = base_of(self._home, self._theirs)
        found = address.split(base)
        is_given = options.base_url or host.base_url not in (None, "", "/") or detect_hosting().base_url
        if is_given or found is None or urls.placeholder(found.origin):
            return options
        self._origin_of_base = _CANONICAL if base == self._home else self._sitemap
        return replace(options, base_url=urls.absolute("", base))

    def _documents(self, filename: str) -> list[Document]:
        """Return the sitemaps that count, those of another tool first."""
        try:
            from docs_sitemap.published.finder import Finder  # needs lxml, which only tools install
        except ImportError:
            for name in self._tree.files.intersection((*WELL_KNOWN, filename)):
                data = self._tree.read(name, MAX_BYTES) or b""
                if (SIGNATURE not in data or TAKEN in data) and _TO_KEEP.search(data):
                    self._unread = show_path(name)
            return []
        finder = Finder(self._tree, self._home)
        if names := [name for name in (filename, "sitemap-0.xml") if name in self._tree.files]:
            finder.find(names)
        found = finder.find(named=robots.named(self._tree.read("robots.txt", MAX_FILE))).all
        found = [each for each in found if each.kind == "urlset" and (each.taken or not each.signed)]
        return sorted(found, key=lambda document: document.signed)

    def _find(self, url: str) -> tuple[str, str]:
        """Return the page at a URL of the sitemap, or at a path, and the form of that; or nothing."""
        path = url.removeprefix(self._theirs)
        name = self._tree.file_at(path) or ""
        if not name and path.endswith("/"):
            name = self._tree.file_at(f"{path[:-1]}.html") or ""
        forms = _forms_of(name).items() if urls.is_html(name) else ()
        form = next((form for form, each in forms if urls.decoded(each) == urls.decoded(path)), "")
        return (name, form) if form else ("", "")

    def page(self, name: str, head: Head) -> Page:
        """Return a page with its URL, and with the alternates and images that are known of it."""
        kind, form = _kind_of(name), self._own(name, head)
        canonical, origin = (head.canonical, form) if form else (None, "")
        if not form:
            form, origin = self._forms[kind]
        if not name.endswith("404.html"):  # which has any URL
            self._pages[kind, origin].add(name)
        page = Page(
            url=_forms_of(name)[form],
            canonical=canonical,
            alternates=head.alternates,
            is_taken=self._sitemap in (origin, self._origin_of_base),
        )
        if name not in self._listed or not self._base_url:
            return page
        listed_form, entry = self._listed[name]
        if canonical and listed_form != form and kind != "index.html":
            self._pages["canonical", listed_form].add(name)
        codes = {code.lower() for code, _ in head.alternates}
        listed = () if self.options.languages else entry.alternates
        kept = tuple((code, self._here(url)) for code, url in listed if code.lower() not in codes)
        images = tuple(map(self._here, entry.images))
        for what in ["alternates"][: len(kept)] + ["images"][: len(images)]:
            self._pages[what, self._sitemap].add(name)
        is_taken = page.is_taken or bool(kept or images)
        return replace(page, alternates=kept + head.alternates, more_images=images, is_taken=is_taken)

    def _own(self, name: str, head: Head) -> str:
        """Return the form of a page's canonical link; empty if there is none, or that of another page."""
        if not self._base_url or not head.canonical:
            return ""
        forms, canonical = _forms_of(name).items(), urls.decoded(head.canonical)  # not all encode it
        # a site that is published at another URL, too, has the form of its canonical links there
        bases = dict.fromkeys(filter(None, (self._base_url, self._home)))
        ways = ((form, base + urls.decoded(path)) for base in bases for form, path in forms)
        return next((form for form, url in ways if url == canonical), "")

    @cached_property
    def _forms(self) -> dict[str, tuple[str, str]]:
        """The form of pages without a canonical link of their own, by kind, and what says it, if known."""
        found = {kind: (form, "") for kind, form in _USUAL.items()}
        if not self._base_url:
            return found
        # hosts show an error page at any address: its own says nothing of others
        pages = [name for name in self._tree.pages if not name.endswith("404.html")]
        names = pages[:: max(1, len(pages) // _SAMPLE)]
        known = _most((_kind_of(name), self._own_in(name)) for name in names)
        if self._style:
            known[_PAGE] = self._style
            known |= {} if self._style == "clean" else {"folder/index.html": "directory"}
        linked = {} if _PAGE in known else _most(link for name in names for link in self._links(name))
        found |= {kind: (form, _LINKS) for kind, form in linked.items() if form != _USUAL[kind]}
        for kind, form in _most((_kind_of(name), form) for name, (form, _) in self._listed.items()).items():
            if not form == found[kind][0] == _USUAL[kind]:
                found[kind] = form, self._sitemap
        return found | {kind: (form, "") for kind, form in known.items()}

    def linked(self, names: Iterable[str]) -> set[str]:
        """Return the files to which pages link."""
        paths = {path for name in names for path in self._paths(name)}
        return {*filter(None, map(self._tree.file_at, paths))}

    def _paths(self, name: str) -> Iterator[str]:
        data = self._tree.read(name, MAX_PAGE) or b""
        head = head_of(data[:MAX_HEAD])
        bases = (self._base_url,) if self._base_url else ()
        yield from (path for _, path in linked_paths(data[head.end :], name, head.base, bases))

    def _links(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the form of each link of a page to another of which only one file can be meant."""
        for path in self._paths(name):
            target, form = self._find(path)
            is_other = target != name and _kind_of(target) == _PAGE
            if is_other and f"{target.rpartition('.')[0]}/index.html" not in self._tree.files:
                yield _PAGE, form

    def _here(self, url: str) -> str:
        """Return the URL that a page or another file has here, by that in the sitemap."""
        name, _ = self._find(url)
        if name:
            form = self._own_in(name) or self._forms[_kind_of(name)][0]
            return urls.join(self._base_url, _forms_of(name)[form])
        is_below = self._theirs and url.startswith(self._theirs)
        return self._base_url + url.removeprefix(self._theirs) if is_below else url

    def notices(self) -> Iterator[Notice]:
        """Yield what the pages so far have from where, and how the evidence disagrees."""
        if self._unread:
            text = (
                f"{self._unread}, which was there, is not read without lxml: alternates and images are lost. "
                'To keep them: pip install "docs-sitemap[check]"'
            )
            yield Notice("info", Subtype.WRITTEN, text)
        pages = self._pages
        for origin in (_CANONICAL, self._sitemap, _LINKS) if self._base_url else ():
            kept = [(what, pages[what, origin]) for what in ("alternates", "images")]
            found = [f"{what} of {counted(len(names), 'page')}" for what, names in kept if names]
            forms = [(form, pages[kind, origin]) for kind, (form, _) in self._forms.items()]
            found += [f"the form of URLs ({_as(form, names)})" for form, names in forms if names]
            found += [f"the base URL {shorten(self._base_url)}"] * (self._origin_of_base == origin)
            if found:
                listing = ", ".join(found[:-1]) + (" and " if found[1:] else "") + found[-1]
                yield Notice("info", Subtype.WRITTEN, f"From {origin}: {listing}.")
        own = {form: names for form in _forms_of(_PAGE) if (names := pages[_PAGE, form])}
        said = [f"{_as(*each)} in canonical links of {counted(len(each[1]), 'page')}" for each in own.items()]
        said += [f"{self._style_option} {self._style}"] if self._style and own.keys() - {self._style} else []
        differing = [(form, names) for form in _forms_of("index.html") if (names := pages["canonical", form])]
        said += [f"{_as(*each)} in {self._sitemap} ({counted(len(each[1]), 'page')})" for each in differing]
        is_decided = self._style or any(pages[_PAGE, origin] for origin in ("", self._sitemap, _LINKS))
        if differing or (is_decided and len(said) > 1):
            text = f"The forms of URLs disagree: {'; '.join(said)}. Each page's own canonical link is used."
            yield Notice("info", Subtype.CANONICAL, text)
