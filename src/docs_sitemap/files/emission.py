"""Write the files of a site from its pages: the function that every adapter calls.

The module is not named ``emit``: as ``docs_sitemap.emit`` it would hide the function of that name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from docs_sitemap.dates.site_dates import (
    common_move,
    created_date,
    creations,
    git_dates,
    notebooks_beside,
)
from docs_sitemap.errors import OutputError
from docs_sitemap.files import messages, robots
from docs_sitemap.files.documents import Documents
from docs_sitemap.files.family import HEAD, Family, filenames_of, name_of
from docs_sitemap.files.messages import Report
from docs_sitemap.files.output import OutputFolder
from docs_sitemap.git import Answer
from docs_sitemap.limits import MAX_FILE, MAX_LOC
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.base_url import find_base_url
from docs_sitemap.pages.entries import Url, make_reciprocal, merge_duplicates
from docs_sitemap.pages.hosting import Hosting, detect_hosting
from docs_sitemap.pages.page import NO_HOST, Files, Host, Own, Page, originals_of
from docs_sitemap.pages.selection import Selection
from docs_sitemap.timestamps import creation_before, format_date

ROBOTS = "robots.txt"


def emit(
    pages: Iterable[Page],
    outdir: Path,
    options: Options,
    host: Host = NO_HOST,
    *,
    own: Own = lambda name: "",
    is_good: Callable[[Report], bool] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Report:
    """Write the sitemap and robots.txt of a site into its build output, a folder that exists.

    The same pages of the same commit give the same bytes, in any order, on any machine. ``pages`` may
    be a stream: none is kept. If no sitemap can be written, the report says why, and files left by an
    earlier build are removed. If the site has its ``own`` sitemap, none is written. The site's own files
    are not changed, except robots.txt, unless that is a link out of the output or not a regular file.
    ``is_good`` gets the report before anything is written, and can prevent writing: a strict build that
    fails because of a warning keeps its last files. From ``environ``, the hosting service's variables
    give the URL, or mark the build as a preview. Raises ``OptionError`` if an option names a file that
    cannot be read, and then nothing was written; ``OutputError``, which says in which state the files
    are, if a file cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> from docs_sitemap import read_options
    >>> options = read_options({"base_url": "https://example.org/", "formats": ["xml"]})
    >>> with TemporaryDirectory() as folder:
    ...     report = emit([Page(url="guide/")], Path(folder), options, environ={})
    >>> report.written
    ['sitemap.css', 'sitemap.xml', 'robots.txt']
    """
    site = _Site(outdir, options, host, own, detect_hosting(environ))
    documents = site.documents(pages)
    site.complete_robots(documents.urls())
    if is_good is None or is_good(site.report):
        try:
            site.report.written = site.write(documents)
        except OutputError as problem:
            key = options.indexnow_key
            if key and key in str(problem):  # the name of the key file, which is a secret
                raise OutputError(str(problem).replace(key, "KEY")) from None
            raise
    return site.report


class _Site:
    """The state of a site while it is processed; ``report`` collects the results."""

    def __init__(self, outdir: Path, options: Options, host: Host, own: Own, hosting: Hosting) -> None:
        self._folder = OutputFolder(outdir)
        self._outdir = outdir
        self._host = host
        self._own = own
        self._hosting = hosting
        self._robots: bytes | None = None
        self._robots_problem = ""
        try:
            self._old_robots = self._folder.read_whole(ROBOTS, MAX_FILE)
        except OutputError as problem:
            self._old_robots, self._robots_problem = None, str(problem)
        base_url, notices = find_base_url(options, host, hosting)
        if taken := next(filter(own, (options.filename, options.filename + ".gz")), None):
            base_url, notices = None, [messages.on_own(taken, own)]
        self._base_url = base_url or ""
        if base_url:
            with suppress(OutputError):
                notices += messages.on_address(base_url, self._folder.read("CNAME", MAX_LOC), host)
        self.report = Report(notices=notices, base_url=self._base_url)
        self.report.no_sitemap = "" if base_url else notices[-1].text
        self._options = options
        languages = dict(options.languages or ())
        if self._base_url and languages and self._base_url not in languages.values():
            # a page must name itself
            self.report.notices.append(messages.on_languages(options, self._base_url, host))
            self._options = replace(options, languages=None)

    def documents(self, pages: Iterable[Page]) -> Documents:
        """Return the files for the pages; none if the site has its own sitemap."""
        if self._base_url:
            self.report.urls = self._entries(pages)
        documents = Documents(self.report.urls, self._base_url, self._options, self._host)
        if clash := next(filter(self._own, documents.sitemaps), None):
            self.report.notices.append(messages.on_own(clash, self._own))
            return Documents([], self._base_url, self._options)
        for name in filter(self._own, documents.names()):
            secret = "IndexNow key file" if name == documents.key_file else ""
            self.report.notices.append(messages.on_own(name, self._own, secret))
        if documents.parts:
            name = documents.named[0].rpartition("/")[2] if documents.named else self._options.filename
            self.report.notices += messages.on_result(
                self.report, name, documents.parts, self._options, self._host
            )
        return documents

    def _entries(self, pages: Iterable[Page]) -> list[Url]:
        originals = originals_of(self._options, self._host)
        selection = Selection(self._base_url, self._options, self._outdir, originals, self._host)
        selection.add(pages)
        self.report.left_out, self.report.files = selection.left_out, selection.files
        self.report.reasons = selection.reasons
        self.report.notices += messages.on_selection(selection, self._options, self._host)
        self._date(selection.undated)
        for url in selection.listed:
            url.created = creation_before(url.created, url.lastmod)
        entries = merge_duplicates(selection.listed)
        self.report.notices += messages.on_redirected(entries, self._base_url, self._hosting, self._host)
        if not self._options.languages:  # with languages, other versions of this URL may be in other builds
            make_reciprocal(entries, self._base_url)
        return entries

    def _date(self, undated: list[tuple[Url, Files]]) -> None:
        """Set the dates of the entries from their files, with one query to the history."""
        created: list[Answer | None] = []
        if self._options.page_dates or "atom" in self._options.formats:  # a sitemap has none
            asked = [(url, files.source) for url, files in undated if url.created == "git"]
            created = creations([source for _, source in asked], self._options, self._host)
            for (url, _), added in zip(asked, created, strict=True):
                url.created = created_date(added)
        found = [files for _, files in undated]
        dates = git_dates(found, self._options, self._host)
        beside = notebooks_beside(found, dates, self._options, self._host)
        for (url, own), dated in zip(undated, dates, strict=True):
            date, files = dated.date, own
            if own.source in beside:
                files = own._replace(undated=messages.by_notebooks(own, beside, self._host))
            url.lastmod = format_date(date, self._options.lastmod_format) if isinstance(date, int) else None
            self.report.dated.append((url, files, dated))
        self.report.causes = messages.causes_of(self.report.dated)
        self.report.notices += messages.on_missing_dates(self.report, created, self._options)
        number, commit = common_move(dates, self._options, self._host)
        self.report.notices += messages.on_move(number, len(dates), commit, self._host)

    def complete_robots(self, sitemaps: list[str]) -> None:
        """Set the new content of robots.txt, or ``None`` if there should be no file."""
        present = self._old_robots
        if self._hosting.preview and self._options.previews:
            self.report.notices += messages.on_preview(present, self._host)
            self._robots = robots.disallow(present)
            return
        if self._options.robots is not True:
            sitemaps = []
        if sitemaps and self._robots_problem:
            self.report.notices.append(messages.on_unusable_robots(self._robots_problem, sitemaps))
        elif sitemaps:
            self.report.notices += messages.on_robots(
                self._base_url, sitemaps, present, self._hosting, self._host
            )
            if self._hosting.own_robots and robots.users_part(present) is None:
                sitemaps = []  # ours would replace the service's own, which forbids hidden versions
        self._robots = robots.complete(present, sitemaps)

    def write(self, documents: Documents) -> list[str]:
        """Write the files, and remove those that only an earlier build wrote.

        Keeps the site's own files, which may have started as copies of ours.
        """
        with self._folder.changes() as changes:
            for name, data in documents.render():
                if not self._own(name):
                    changes.write(name, data)
            if self._robots is not None and not self._robots_problem:
                changes.write(ROBOTS, self._robots)
            elif not self._robots_problem:
                changes.drop(ROBOTS)
            named = [name_of(address, self._base_url) for address in robots.named_by_us(self._old_robots)]
            leftovers = _leftovers(self._folder, self._options.filename, named) - {*documents.names()}
            for name in sorted(leftovers):
                if not self._own(name):
                    changes.drop(name)
            return changes.commit()


def _leftovers(folder: OutputFolder, filename: str, named: list[str]) -> set[str]:
    """Return the names of our files in the output, including those of an earlier ``filename``.

    ``named`` are the names of the files in our lines in robots.txt, which tell the earlier ``filename``.
    """
    found: set[str] = set()
    for each in {filename}.union(*map(filenames_of, named)):
        family = Family(each)
        names = [family.path(name) for name in folder.names(family.folder)]
        found.update(family.ours(names, lambda name: folder.read(name, HEAD) or b"", named))
    return found
