"""Mark the pages of a build that knows that it is not the current version."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from docs_sitemap import urls
from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_HEAD
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.base_url import OtherVersion, find_other_version
from docs_sitemap.pages.hosting import detect_hosting
from docs_sitemap.pages.page import Host, Page
from docs_sitemap.pages.utility_pages import SITE_FILES
from docs_sitemap.readers.files import read_any
from docs_sitemap.readers.html import head_of
from docs_sitemap.text import counted, shorten
from docs_sitemap.versions.marks import (
    ENDINGS,
    EXCLUDED,
    Addresses,
    Shared,
    Tally,
    Task,
    mark_pages,
    page_names,
)


def mark_build(
    pages: Iterable[Page], outdir: Path, options: Options, host: Host, environ: Mapping[str, str] = os.environ
) -> list[Notice]:
    """Mark the pages of a build of another version than ``current_version``; report what was done.

    A page gets a canonical link to its path in the current version, and noindex if the build's version is in
    development. A build does not know which pages the current version has: search engines ignore a canonical
    link to a missing page. The pages of the current version lose the marks of an earlier build in the same
    folder. Raises ``OutputError`` if a file cannot be written.
    """
    if options.current_version is None:
        return []
    base_url, other = find_other_version(options, host, detect_hosting(environ))
    if base_url is None:
        return []
    base_url = urls.with_usual_host(base_url)
    paths = {Path(os.path.relpath(page.file, outdir)).as_posix(): page.url for page in pages if page.file}
    # copied as they are
    paths |= {urls.decoded(path): path for path in paths.values() if path.endswith(ENDINGS)}
    folders: set[str] = set()
    tally = Tally()
    output = OutputFolder(outdir)
    tasks = list(_tasks(_own_names(outdir, paths, folders), base_url, other, paths))
    for folder in folders:
        output.clear(folder)
    currents = Addresses({other.current: None} if other else {})
    above = base_url.removesuffix("/").rpartition("/")[0] + "/"  # the folder that has the versions
    shared = Shared(outdir, Addresses({above: None}), is_dry=False, currents=currents)
    for done in mark_pages(shared, tasks):
        tally.add(done)
    return [_report(tally, other)] if other else []


def is_marked(home: str | Path) -> bool:
    """Tell whether a site's home page, a real path, says that the site is not of the current version."""
    return head_of(read_any(home, MAX_HEAD)).mark is not None


def _tasks(
    names: Iterable[str], base_url: str, other: OtherVersion | None, paths: Mapping[str, str]
) -> Iterator[Task]:
    for name in names:
        if name in paths:
            address = urls.join(base_url, paths[name])
        else:  # a file that is no page of the generator's
            address = urls.join_file(base_url, re.sub(r"(^|/)index\.html$", r"\1", name))
        if other is None or other.is_development:
            target = None if other is None else ""
        else:
            target = urls.with_usual_host(other.current) + address.removeprefix(base_url)
        yield Task(name, address, target, keeps=bool(target))


def _own_names(outdir: Path, paths: Mapping[str, str], folders: set[str]) -> Iterator[str]:
    """Yield the pages of the build, and files beside its home page, such as 404.html.

    Other builds may be published in folders below, as versions are below a current one.
    """

    def is_other(folder: str) -> bool:
        return any(os.path.isfile(outdir / folder / name) for name in ("sitemap.xml", *SITE_FILES))

    for name in page_names(outdir, "", folders, is_other):
        if name in paths or "/" not in name:
            yield name


def _report(tally: Tally, other: OtherVersion) -> Notice:
    if other.is_development:
        text = f"{counted(tally.noindex, 'page')} of version {shorten(other.name)} say noindex"
    else:
        text = f"{counted(tally.canonical, 'page')} of version {shorten(other.name)} lead to {other.current}"
    for why, number in tally.untouched.items():
        if why == EXCLUDED:  # a search page, in each build
            continue
        text += f"; {counted(number, 'page')} untouched: {why}, for example {shorten(tally.examples[why])}"
    return Notice("info", Subtype.VERSION, f"{text}.")
