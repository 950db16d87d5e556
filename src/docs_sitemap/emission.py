"""From the pages of a site to its files: the one call that every adapter makes.

The module is not named ``emit``: as ``docs_sitemap.emit`` it would hide the function of that name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from docs_sitemap import report as tell
from docs_sitemap import robots
from docs_sitemap.address import Address, find_address
from docs_sitemap.dating import git_dates
from docs_sitemap.documents import Documents
from docs_sitemap.errors import OutputError
from docs_sitemap.family import HEAD, Family, filenames_of, name_of
from docs_sitemap.hosting import detect_hosting
from docs_sitemap.notices import Notice
from docs_sitemap.options import Options
from docs_sitemap.output import OutputFolder
from docs_sitemap.page import Files, Host, Own, Page
from docs_sitemap.report import Report
from docs_sitemap.selection import Selection
from docs_sitemap.timestamps import format_date
from docs_sitemap.urlset import Url, make_reciprocal, unite

ROBOTS = "robots.txt"


def emit(
    pages: Iterable[Page],
    outdir: Path,
    options: Options,
    host: Host,
    *,
    own: Own = lambda name: "",
    is_good: Callable[[Report], bool] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Report:
    """Write the sitemap and robots.txt of a site into its build output.

    The same pages of the same commit give the same bytes, in any order, on any machine. Pages may
    stream in: none is kept. Where no sitemap can be written, the report says why, and files that
    an earlier build of ours left are removed. Where the site has a sitemap of its ``own``, none is
    written; no file of its own but robots.txt is touched. ``is_good`` sees the report before
    anything is written, and may forbid it: a strict build that our warning lets fail keeps its
    last files. Raises ``OutputError`` where a file cannot be written, and ``OptionError`` where an
    option names a file that cannot be read; then none was replaced.
    """
    folder = OutputFolder(outdir)
    present = folder.read(ROBOTS)
    hosting = detect_hosting(environ)
    taken = _own_sitemap(options, own)
    address = Address(None, (tell.on_own(taken, own),)) if taken else find_address(options, host, hosting)
    report = Report(notices=list(address.notices))
    base_url = address.base_url or ""
    if base_url:
        options = _with_own_language(options, base_url, host, report)
        report.urls = _entries(pages, base_url, options, host, report)
    documents = Documents(report.urls, base_url, options, title=host.title, language=host.language)
    if clash := documents.clashing(own):
        report.notices.append(tell.on_own(clash, own))
        documents = Documents([], base_url, options)
    for name in filter(own, documents.names()):
        title = "key file of IndexNow" if name == documents.key_file else ""
        report.notices.append(tell.on_own(name, own, title))
    if documents.parts:
        report.notices += tell.on_result(report, documents.title, documents.parts, options)
    sitemaps = documents.sitemaps()
    if sitemaps and options.robots:
        report.notices += tell.on_robots(base_url, sitemaps, present, at_root=hosting.serves_robots)
    robots_txt = robots.complete(present, sitemaps if options.robots else [])
    if hosting.preview and options.previews:
        report.notices += tell.on_preview(present, host)
        robots_txt = robots.disallow(present)
    if is_good is None or is_good(report):
        with _without_key(options):
            report.written = _write(folder, documents, options, own, base_url, robots_txt=robots_txt)
    return report


@contextmanager
def _without_key(options: Options) -> Iterator[None]:
    """Take the key out of what is said of a file that cannot be written: the key is that file's name."""
    try:
        yield
    except OutputError as problem:
        if options.indexnow_key and options.indexnow_key in str(problem):
            raise OutputError(str(problem).replace(options.indexnow_key, "KEY")) from None
        raise


def _own_sitemap(options: Options, own: Own) -> str:
    """Return the name of a file of the site's author that stands where our sitemap would, or ``""``."""
    names = (options.filename, options.filename + ".gz")
    return next((name for name in names if own(name)), "")


def _with_own_language(options: Options, base_url: str, host: Host, report: Report) -> Options:
    """Return the options without ``languages`` that do not have this site among them: a page names itself."""
    if not options.languages or base_url in dict(options.languages).values():
        return options
    report.notices.append(tell.on_languages(options, base_url, host))
    return replace(options, languages=None)


def _entries(pages: Iterable[Page], base_url: str, options: Options, host: Host, report: Report) -> list[Url]:
    selection = Selection(base_url, options)
    selection.add(pages)
    report.left_out = selection.left_out
    report.notices += tell.on_selection(selection, options, host)
    report.notices += _date(selection.undated, options, host)
    entries = unite(selection.listed)
    if not options.languages:  # with them, other languages of this address may be other builds
        make_reciprocal(entries, base_url)
    return entries


def _date(undated: list[tuple[Url, Files]], options: Options, host: Host) -> list[Notice]:
    """Give the entries the dates of their files, from one question to the history."""
    dates = git_dates([files for _, files in undated], options, host)
    for (url, _), date in zip(undated, dates, strict=True):
        url.lastmod = format_date(date, options.lastmod_format) if isinstance(date, int) else None
    return tell.on_dates(dates)


def _write(
    folder: OutputFolder,
    documents: Documents,
    options: Options,
    own: Own,
    base_url: str,
    *,
    robots_txt: bytes | None,
) -> list[str]:
    """Write the files, and remove those that an earlier build of ours wrote and this one does not.

    The author's own files stay, which may have begun as copies of ours.
    """
    present = folder.read(ROBOTS)
    with folder.changes() as changes:
        for name, data in documents.render():
            if not own(name):
                changes.write(name, data)
        if robots_txt is not None:
            changes.write(ROBOTS, robots_txt)
        else:
            changes.drop(ROBOTS)
        named = [name_of(address, base_url) for address in robots.named_by_us(present)]
        leftovers = _leftovers(folder, options, named) - {*documents.names()}
        for name in sorted(leftovers):
            if not own(name):
                changes.drop(name)
        return changes.commit()


def _leftovers(folder: OutputFolder, options: Options, named: list[str]) -> set[str]:
    """Return what is ours in the output, also under an earlier ``filename``.

    ``named`` are the names of the files in lines of ours in robots.txt, which tell that name.
    """
    found: set[str] = set()
    for filename in {options.filename}.union(*map(filenames_of, named)):
        family = Family(filename)
        names = [family.path(name) for name in folder.names(family.folder)]
        found.update(family.ours(names, lambda name: folder.read(name, HEAD) or b"", named))
    return found
