"""Selects the listed pages and their URLs, by patterns as in gitignore and by what published files say."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from docs_sitemap import urls
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.options import validation
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import PageSettings, given_in
from docs_sitemap.pages.entries import Url, make_url
from docs_sitemap.pages.page import NO_HOST, Files, Host, Originals, Page
from docs_sitemap.readers.files import Resolver
from docs_sitemap.readers.html import Head, has_noindex, read_head
from docs_sitemap.text import shorten, show_value, text_of
from docs_sitemap.urls import decoded


def names_of(page: Page) -> list[str]:
    """Return what patterns are tested with: the page's URL path, without escapes, and its source path."""
    return [name for name in (decoded(page.url), page.source_path) if name]


class Patterns:
    """Patterns for the names of a page: the last pattern that matches one of them decides.

    >>> drafts = Patterns(["drafts/", "!drafts/index.md"])
    >>> drafts.match(["drafts/plan/", "drafts/plan.md"]), drafts.match(["drafts/", "drafts/index.md"])
    (True, False)
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = [*filter(None, patterns)]  # as the specification has them
        self._spec = validation.compiled_patterns(patterns)
        self._unmatched = {
            index for index, each in enumerate(self._spec.patterns) if each.include is not None
        }

    @property
    def unmatched(self) -> list[str]:
        """The patterns that have matched no names given to ``note``."""
        return [self._patterns[index] for index in sorted(self._unmatched)]

    def note(self, names: Callable[[], Sequence[str]]) -> None:
        """Note which patterns match the names of a page, which are asked for only if that is open."""
        known = names() if self._unmatched else ()
        found = (index for index in self._unmatched if any(map(self._spec.patterns[index].match_file, known)))
        self._unmatched -= {*found}

    def match(self, names: Sequence[str]) -> bool:
        """Return whether the last matching pattern exists and is not negated."""
        return bool(self.decisive(names))

    def decisive(self, names: Sequence[str]) -> str:
        """Return the last matching pattern if it is not negated, else ``""``."""
        if not any(pattern.match_file(name) for pattern in self._spec.patterns for name in names):
            return ""  # as for most pages: check_file takes five times as long
        results = [self._spec.check_file(name) for name in names]
        last = max(results, key=lambda result: -1 if result.index is None else result.index)
        return self._patterns[last.index] if last.include and last.index is not None else ""


class SettingsOf:
    """Merges the settings of rules and pages: the page wins, then the last rule that matches it.

    ``unmatched`` are the indexes of rules that have matched no page yet.
    """

    def __init__(self, options: Options) -> None:
        self._rules = [(Patterns(rule.match), given_in(rule.settings)) for rule in options.rules]
        self.unmatched = {*range(len(options.rules))}

    def __call__(self, page: Page) -> PageSettings:
        """Return the settings of a page."""
        values: dict[str, Any] = {}
        names = names_of(page) if self._rules else []
        for number, (patterns, given) in enumerate(self._rules):
            if patterns.match(names):
                values |= given
                self.unmatched.discard(number)
        return PageSettings(**(values | given_in(page.settings))) if values else page.settings

    def excluding(self, page: Page, rules: str) -> str:
        """Return what excludes a page, in words: its own setting, or the last of the ``rules`` that does."""
        if page.settings.exclude:
            return said_in(page, page.settings.excluded_by) or "its own settings exclude it"
        names = names_of(page)
        for number, (patterns, given) in reversed([*enumerate(self._rules, start=1)]):
            if given.get("exclude") and (pattern := patterns.decisive(names)):
                return f"{rules}: rule {number} has the pattern {show_value(pattern)}"
        return ""


def included(files: Iterable[Page], options: Options) -> Iterator[Page]:
    """Yield those of a site's files, given as pages, that a rule lists with ``include``; never robots.txt.

    Without such a rule, ``files`` are not asked for.
    """
    if not any(rule.settings.include for rule in options.rules):
        return
    settings_of = SettingsOf(options)
    for page in files:
        if page.url != "robots.txt" and settings_of(page).include:
            yield replace(page, is_file=True)


# Reasons that several modules use; reports count pages by reason.
DRAFT = "draft"
EXCLUDED = "excluded"
MACHINE = "search and index"
NOINDEX = "noindex"
NOT_FOUND = "404"
UNTRANSLATED = "untranslated"
REDIRECT = "redirect"
OUTSIDE = "outside the sitemap's folder"
IMPOSSIBLE = "impossible address"

WhyNot = tuple[str, str]
"""Why a page is left out, one of the above or of a generator's, and what says so; both may be empty."""

_LISTED: Final = ("", "")

_DETAILS: Final = {
    MACHINE: "a page that the generator makes for its search or index",
    NOT_FOUND: "an error page",
    REDIRECT: "its text only leads to another page",
    UNTRANSLATED: "a copy of the page in another language, because its own has no translation",
}
"""What a generator means by these reasons."""

HIDING: Final[Sequence[str]] = ("robots", "draft")
"""The keys of front matter that hide a page."""


def hidden_by(metadata: Mapping[Any, object]) -> str:
    """Return why a page's front matter or metadata hides it, in any host; empty if it does not.

    >>> hidden_by({"robots": "noindex, follow"}), hidden_by({"draft": True}), hidden_by({"draft": False})
    ('noindex: robots: noindex, follow', 'draft: draft: true', '')
    """
    if has_noindex(robots := metadata.get("robots")):
        return f"{NOINDEX}: robots: {shorten(str(robots))}"
    return f"{DRAFT}: draft: true" if text_of(metadata.get("draft")).lower() == "true" else ""


def said_in(page: Page, setting: str) -> str:
    """Return in which source a setting stands, as its author wrote it; empty without one."""
    return f"{page.source_path or 'its source'} has {setting}" if setting else ""


class Selection:
    """Selects the pages to list; ``base_url`` is encoded and ends in ``/``, ``outdir`` is the build output.

    A published file there is not read if a link leads to it out of the output. ``originals`` are of copies.

    ``listed`` has one entry per page; ``undated`` has the entries whose date comes from git, with the files
    that make the page, if any; ``files`` is the number of entries that are no pages. ``left_out`` counts the
    other pages by reason, and ``reasons`` has the reason of each in full; ``refused`` maps each error in a
    URL to the pages with it; ``untagged`` are the pages that say noindex in their front matter, but not in
    their published heads; ``foreign_canonical`` is the first canonical link to the same page on another
    host or in another version. ``unknown_canonicals`` maps pages to canonical links that lead to no file of
    this site.
    """

    def __init__(
        self, base_url: str, options: Options, outdir: Path, originals: Originals, host: Host = NO_HOST
    ) -> None:
        self.listed: list[Url] = []
        self.undated: list[tuple[Url, Files]] = []
        self.files = 0
        self.left_out: Counter[str] = Counter()
        self.reasons: dict[tuple[str, str | None], str] = {}
        self.refused: dict[str, list[str]] = {}
        self.untagged: list[str] = []
        self.foreign_canonical: str | None = None
        self.unknown_canonicals: dict[str, str] = {}
        self._base_url = base_url
        self._originals = originals
        self._outdir = os.path.join(os.path.abspath(outdir), "")
        self._output = Resolver(outdir)
        self._options = options
        self._host = host
        # The protocol's location rule: a sitemap lists only what lies in its own folder or below.
        self._folder_url = urls.join_file(base_url, options.filename).rpartition("/")[0] + "/"
        self._settings_of = SettingsOf(options)
        self._excluded = Patterns(options.exclude)

    def add(self, pages: Iterable[Page]) -> None:
        """List each page, or count the reason for leaving it out. Pages are not kept in memory."""
        for page in pages:
            settings = self._settings_of(page)
            self._excluded.note(partial(names_of, page))
            loc = ""
            reason, _, detail = page.unlisted.partition(": ")
            detail = said_in(page, detail) or _DETAILS.get(reason, "")
            if not reason:
                reason, detail = self._excluded_as(page, settings)
            if not reason:
                loc = self._loc(page)
                reason, detail = self._why_not_at(loc, page) if loc else (IMPOSSIBLE, "")
            if reason == NOINDEX and page.unlisted and (head := self._head_of(page)) and not head.noindex:
                self.untagged.append(page.source_path or page.url)
            if reason:
                self.left_out[reason] += 1
                self.reasons[page.key] = f"{reason}: {detail}" if detail else reason
                continue
            url = make_url(loc, page, settings, self._options, self._base_url)
            self.listed.append(url)
            self.files += page.is_file
            if (settings.lastmod or self._options.lastmod) == "git":
                files = page.files(self._options.dependencies, settings, self._originals)
                self.undated.append((url, files))

    def unmatched(self) -> list[tuple[str, list[str]]]:
        """Return the options whose patterns match no page and no other file, with these."""
        options, rules = self._options, sorted(self._settings_of.unmatched)
        matches = [(each, index + 1) for index in rules for each in options.rules[index].match]
        of_rules = [f"{show_value(pattern)} (rule {number})" for pattern, number in matches]
        exclude = [*map(show_value, self._excluded.unmatched)]
        return [(name, named) for name, named in (("rules", of_rules), ("exclude", exclude)) if named]

    def _loc(self, page: Page) -> str:
        """Return the page's URL, or record what is wrong with it and return ``""``."""
        try:
            loc = urls.join(self._base_url, page.url)
            wrong = f"an address of {MAX_LOC + 1:,} or more characters" if len(loc) > MAX_LOC else ""
        except ValueError as problem:
            loc, wrong = "", str(problem)
        if wrong:
            self.refused.setdefault(wrong, []).append(page.source_path or page.url)
        return "" if wrong else loc

    def _spelled(self, option: str) -> str:
        return ": ".join(filter(None, (self._host.file, self._host.spell(option))))

    def _excluded_as(self, page: Page, settings: PageSettings) -> WhyNot:
        """Return why a page is excluded; rules and the page's settings win over ``exclude``."""
        if settings.exclude is not None:
            rules = self._spelled("rules")
            return (EXCLUDED, self._settings_of.excluding(page, rules)) if settings.exclude else _LISTED
        if page.optional and not settings.include:
            why_not = self._by_head(page)[1] if page.file else None
            cure = f"it is {why_not[0]}, too" if why_not else "a rule with include: true lists it"
            return page.optional, "; ".join(filter(None, (_DETAILS.get(page.optional), cure)))
        pattern = self._excluded.decisive(names_of(page))
        why = f"{self._spelled('exclude')} has the pattern {show_value(pattern)}"
        return (EXCLUDED, why) if pattern else _LISTED

    def _why_not_at(self, loc: str, page: Page) -> WhyNot:
        """Return why a page is not listed, by its URL or its published head."""
        if not loc.startswith(self._folder_url):
            return OUTSIDE, self._folder_url
        if page.file is None:
            return _LISTED
        head, why_not = self._by_head(page, loc)
        return why_not or self._why_not_by_canonical(head.canonical, page, loc)

    def _by_head(self, page: Page, loc: str = "") -> tuple[Head, WhyNot | None]:
        """Return a page's published head, and why no rule lists the page."""
        head = self._head_of(page)
        if head is None:
            return Head(), ("empty", "its published file has no text, or is not there")
        if head.noindex:
            return head, (NOINDEX, "its published head says so")
        target = head.refresh and (urls.absolute(loc, head.refresh) or head.refresh)
        return head, (REDIRECT, f"it leads to {shorten(target, MAX_LOC)}") if target else None

    def _head_of(self, page: Page) -> Head | None:
        return page.head or (read_head(page.file) if page.file and self._is_own(page.file) else None)

    def _is_own(self, file: Path) -> bool:
        """Tell whether a published file is read: an earlier build may have left links to anything there."""
        place = os.path.abspath(file)
        if not place.startswith(self._outdir):
            return True
        return bool(self._output.real(place.removeprefix(self._outdir).replace(os.sep, "/")))

    def _why_not_by_canonical(self, canonical: str | None, page: Page, loc: str) -> WhyNot:
        if canonical is None or canonical == page.canonical:
            return _LISTED
        plain = urls.comparable(canonical)
        if plain == urls.comparable(loc):
            return _LISTED
        own = urls.comparable(page.url)
        same_base = plain.startswith(base := urls.decoded(self._base_url))
        if plain.endswith("/" + own) and (own or not same_base):
            # a setting of the whole site, not of this page: a notice reports it, and search engines decide
            self.foreign_canonical = self.foreign_canonical or canonical
            return _LISTED
        if same_base and self._published(plain.removeprefix(base)) in (
            None,
            os.path.realpath(page.file or ""),
        ):
            self.unknown_canonicals[page.source_path or page.url] = canonical
            return _LISTED
        return "canonical elsewhere", f"its canonical link is {shorten(canonical, MAX_LOC)}"

    def _published(self, path: str) -> str | None:
        """Return the real path of the file in the output that a URL path leads to, or ``None``."""
        is_folder = path.endswith("/") or not path
        names = [path + "index.html"] if is_folder else [path, f"{path}.html", f"{path}/index.html"]
        return next(filter(None, map(self._output.file, names)), None)
