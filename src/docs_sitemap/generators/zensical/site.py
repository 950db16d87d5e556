"""Add what is noted of a project's pages to the records of its built tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from docs_sitemap import urls
from docs_sitemap.dates import Installed
from docs_sitemap.errors import OptionError
from docs_sitemap.files import HEAD, Family, OutputFolder, Report, on_doubts, on_undated
from docs_sitemap.generators.zensical.notes import PageNotes
from docs_sitemap.generators.zensical.project import PLUGIN, Project
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import Options, Spell
from docs_sitemap.pages import Page
from docs_sitemap.timestamps import same_date
from docs_sitemap.untrusted.html import read_head

_EXTENSIONS: Final = {"docs-sitemap", "docs_sitemap.generators.zensical.extension"}
"""The names under which Markdown finds our extension."""

_INCLUDING: Final = {
    "include-markdown",
    "macros",
    "mkdocstrings",
    "pymdownx.snippets",
    "table-reader",
}
"""Plugins and extensions with which pages include files."""

_CLEAN: Final = "build once with zensical build --clean"


class Site(NamedTuple):
    """The pages of a project, notices about them, and the dates that they show, by URL path."""

    pages: list[Page]
    notices: list[Notice]
    shown: Mapping[str, str]


def with_included(pages: Iterable[Page], project: Project) -> Site:
    """Return the pages with the files that they are known to include.

    Without our extension, pages have only their own files: notes of an earlier build do not count. With it,
    a page of which nothing is noted has no date.
    """
    pages = list(pages)
    notes = PageNotes(project.file.parent, project.docs_dir)
    sources = [page.source_path for page in pages if page.source_path]
    is_used = _is_used(project)
    noted = {source: note for source in sources if (note := notes.read(source))} if is_used else {}
    if not is_used or (not noted and project.file.suffix != ".toml"):  # MkDocs may have built the site
        return Site(pages, [], {})
    included = notes.includes(noted.values())
    installed = Installed(project.docs_dir)
    made = []
    unknown = 0
    for page in pages:
        files, undated = included.get(page.source_path or ""), ""
        if files is None and (page.source_path or "").endswith(".md"):
            undated = "what it includes is not noted, or has changed since"
            unknown += 1
        found, doubt = installed.originals(files or {})
        undated = undated or doubt
        made.append(
            replace(page, dependencies=tuple(found), evidence=found, datable=not undated, undated=undated)
        )
    why = "what they include is not noted, or has changed since they were built"
    notices = [on_undated(unknown, why, _CLEAN)] if unknown else []
    shown = {page.url: noted[source].shown for page in pages if (source := page.source_path) in noted}
    return Site(made, notices + on_doubts(installed.doubts), shown)


def is_of_zensical(project: Project) -> bool:
    """Tell whether Zensical has built the site: it alone reads zensical.toml, and pages name it.

    Not all themes of MkDocs name MkDocs.
    """
    heads = (read_head(project.site_dir / name) for name in ("index.html", "404.html"))
    return project.file.suffix == ".toml" or any(
        head is not None and head.generator.lower().startswith("zensical") for head in heads
    )


def check_is_not_of_plugin(project: Project, filename: str) -> None:
    """Raise ``OptionError`` if the sitemap ``filename`` of a project's site is that of our plugin for MkDocs.

    The plugin knows what pages include: the dates of another sitemap would be too old.
    """
    if PLUGIN not in project.plugins or is_of_zensical(project):
        return
    folder = OutputFolder(project.site_dir)
    if Family(filename).ours([filename, filename + ".gz"], lambda name: folder.read(name, HEAD) or b"", ()):
        raise OptionError(
            f"{project.file.name}: plugins: {PLUGIN}: expected a site that Zensical has built, got one of "
            "MkDocs, where this plugin has written the sitemap, with dates of what pages include: leave out "
            "docs-sitemap build, or name SITE_DIR to replace that sitemap."
        )


def about_configuration(project: Project, options: Options, spell: Spell) -> list[Notice]:
    """Report options without effect on Zensical's pages, and dates that are too old without our extension."""
    if not is_of_zensical(project):
        return []
    notices = []
    if options.json_ld:
        why = "no extension can change the head of Zensical's pages"
        text = f"{spell('json_ld')}: it has no effect, because {why}."
        notices.append(Notice("info", Subtype.OPTION, text))
    included = sorted(_INCLUDING & (project.plugins | project.extensions))
    lacking = [f"no page shows its date ({spell('page_dates')})"] if options.page_dates else []
    if included:
        lacking.append(f"the files that pages include do not count for their dates ({', '.join(included)})")
    if lacking and not _is_used(project):
        besides = "" if project.extensions else ", with Zensical's own list, which this replaces"
        text = (
            f"Without the Markdown extension docs-sitemap, {' and '.join(lacking)}. To fix it: "
            f"add docs-sitemap to markdown_extensions{besides}, and {_CLEAN}."
        )
        if options.page_dates:
            notices.append(Notice("warning", Subtype.OPTION, text))
        else:
            notices.append(Notice("info", Subtype.LASTMOD, text))
    return notices


def _is_used(project: Project) -> bool:
    return not project.extensions.isdisjoint(_EXTENSIONS)


def about_shown(shown: Mapping[str, str], report: Report, *, is_asked: bool) -> list[Notice]:
    """Report dates that pages still show, or do not show yet: Zensical does not render all of them again."""
    listed = {url.loc: url.lastmod for url in report.urls}  # empty without a base URL
    places = {url: urls.join(report.base_url, url) for url in shown} if listed else {}
    dated = {url: date for url, place in places.items() if (date := listed.get(place))}
    if not is_asked:
        others, what = sum(map(bool, shown.values())), "a date, although page_dates is off"
    elif dated and not any(shown.values()):
        others, what = len(dated), "no date, although page_dates is on"
    else:
        others = sum(bool(shown[url]) and not same_date(date, shown[url]) for url, date in dated.items())
        what = "another date than the sitemap has"
    if not others:
        return []
    pages = "1 page shows" if others == 1 else f"{others:,} pages show"
    text = f"{pages} {what}, from an earlier build. To fix it: {_CLEAN}."
    return [Notice("info", Subtype.LASTMOD, text)]
