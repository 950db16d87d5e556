"""From the pages of a site to its files: the one call that every adapter makes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from docs_sitemap import report as tell
from docs_sitemap import robots, urls
from docs_sitemap.address import Address, find_address
from docs_sitemap.dates import PageDate, page_dates
from docs_sitemap.errors import OptionError
from docs_sitemap.formats.xml import compress, is_ours, render_urlset
from docs_sitemap.history import Reason, Rules, Unknown, last_changes, read_ignored
from docs_sitemap.hosting import detect_hosting
from docs_sitemap.options import Options
from docs_sitemap.output import OutputFolder
from docs_sitemap.page import Host, OwnSitemap, Page
from docs_sitemap.report import Report
from docs_sitemap.selection import Selection
from docs_sitemap.urlset import Url, build_urlset

ROBOTS = "robots.txt"


def emit(
    pages: Iterable[Page],
    outdir: Path,
    options: Options,
    host: Host,
    *,
    own: OwnSitemap | None = None,
    is_good: Callable[[Report], bool] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Report:
    """Write the sitemap and robots.txt of a site into its build output.

    The same pages of the same commit give the same bytes, in any order, on any machine. Where no
    sitemap can be written, the report says why, and files that an earlier build of ours left are
    removed. Where the site has a sitemap of its ``own``, none is written, and that one is not
    touched. ``is_good`` sees the report before anything is written, and may forbid it: a strict
    build that our warning lets fail keeps its last files. Raises ``OutputError`` where a file
    cannot be written, and ``OptionError`` where an option names a file that cannot be read; then
    none was replaced.
    """
    hosting = detect_hosting(environ)
    address = Address(None, (tell.on_own(own),)) if own else find_address(options, host, hosting)
    report = Report(notices=list(address.notices))
    if address.base_url:
        report.urls = _entries(pages, address.base_url, options, host, report)
    contents = _documents(report.urls, options)
    sitemap_url = urls.join_file(address.base_url, min(contents)) if address.base_url and contents else None
    if sitemap_url and address.base_url:
        report.notices.append(tell.on_result(report, options))
        if options.robots and not hosting.serves_robots:
            report.notices += tell.on_robots(address.base_url, sitemap_url)
    if is_good is not None and not is_good(report):
        return report
    folder = OutputFolder(outdir)
    present = folder.read(ROBOTS)
    files = _with_leftovers(folder, contents, {options.filename, _last_name(present)}, own)
    files[ROBOTS] = robots.complete(present, sitemap_url if options.robots else None)
    report.written = folder.replace(files)
    return report


def _entries(pages: Iterable[Page], base_url: str, options: Options, host: Host, report: Report) -> list[Url]:
    selection = Selection(base_url, options)
    selection.add(pages)
    report.left_out = selection.left_out
    report.notices += tell.on_selection(selection, options, host)
    rules = Rules(options.clock, _ignored(options, host), options.follow_renames)
    dates = _dates([page for group in selection.listed.values() for page in group], options, rules)
    report.notices += tell.on_dates(dates.values())
    return build_urlset(selection.listed, dates, options)


def _ignored(options: Options, host: Host) -> frozenset[bytes] | None:
    """Return the commits of the file that ``ignore_revs`` names; ``None`` for each repository's own."""
    if options.ignore_revs is None:
        return None
    if not options.ignore_revs:
        return frozenset()
    try:
        return read_ignored(host.folder / options.ignore_revs)
    except OSError as problem:
        found = f"which cannot be read: {problem.strerror}"
    except ValueError as problem:
        found = f"of which {problem}"
    raise OptionError(
        f"{host.spell('ignore_revs')}: expected a file of full commit names, "
        f"got {options.ignore_revs!r}, {found}."
    )


def _dates(pages: list[Page], options: Options, rules: Rules) -> dict[int, PageDate]:
    """Return each page's date by ``id``; pages that state their own are not asked for."""
    asked = [page for page in pages if page.settings.lastmod is None]
    if options.lastmod == "none":
        return {id(page): Unknown(Reason.GENERATED, "") for page in asked}
    dates = page_dates(asked, partial(last_changes, rules=rules))
    return {id(page): date for page, date in zip(asked, dates, strict=True)}


def _documents(entries: list[Url], options: Options) -> dict[str, bytes]:
    """Return the sitemap's files; none for an empty urlset, which fails the schema."""
    if not entries:
        return {}
    document = render_urlset(entries)
    contents = {}
    if "xml" in options.formats:
        contents[options.filename] = document
    if "gz" in options.formats:
        contents[options.filename + ".gz"] = compress(document)
    return contents


def _last_name(robots_txt: bytes | None) -> str:
    """Return the end of the sitemap's address that an earlier build of ours wrote into robots.txt.

    It is enough to find the file again in the output's own folder when ``filename`` has changed.
    """
    name = unquote((robots.named_by_us(robots_txt) or "").rpartition("/")[2])
    return name.removesuffix(".gz")


def _with_leftovers(
    folder: OutputFolder, contents: Mapping[str, bytes], names: set[str], own: OwnSitemap | None
) -> dict[str, bytes | None]:
    """Add what an earlier build of ours wrote and this one does not, to be removed."""
    family = {name + suffix for name in names if name for suffix in ("", ".gz")} - contents.keys()
    if own:
        family.discard(own.name)  # it may have begun as a copy of ours
    leftovers = [name for name in sorted(family) if is_ours(folder.read(name, 4096) or b"")]
    return {**contents, **dict.fromkeys(leftovers)}
