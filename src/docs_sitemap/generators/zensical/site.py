"""Add what is noted of a project's pages to the records of its built tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from docs_sitemap.dates import Installed
from docs_sitemap.files import on_doubts, on_undated
from docs_sitemap.generators.zensical.notes import PageNotes
from docs_sitemap.generators.zensical.project import Project
from docs_sitemap.notices import Notice
from docs_sitemap.pages import Page

_EXTENSIONS: Final = {"docs-sitemap", "docs_sitemap.generators.zensical.extension"}
"""The names under which Markdown finds our extension."""


def with_included(pages: Iterable[Page], project: Project) -> tuple[list[Page], list[Notice]]:
    """Return the pages with the files that they are known to include, and notices about them.

    Without our extension, pages have only their own files: notes of an earlier build do not count. With it,
    a page of which nothing is noted has no date.
    """
    pages = list(pages)
    if project.extensions.isdisjoint(_EXTENSIONS):
        return pages, []
    notes = PageNotes(project.file.parent, project.docs_dir)
    found = {page.source_path: notes.read(page.source_path) for page in pages if page.source_path}
    if not any(found.values()) and project.file.suffix != ".toml":  # MkDocs may have built the site
        return pages, []
    included = notes.includes(note for note in found.values() if note)
    installed = Installed(project.docs_dir)
    unknown = 0
    made = []
    for page in pages:
        files = included.get(page.source_path or "")
        if files is None and (page.source_path or "").endswith(".md"):
            unknown += 1
            why = "what it includes is not noted, or has changed since"
            made.append(replace(page, datable=False, undated=why))
            continue
        originals, undated = installed.originals(files or {})
        made.append(
            replace(
                page,
                dependencies=tuple(originals),
                evidence=originals,
                datable=not undated,
                undated=undated,
            )
        )
    return made, [*_about(unknown), *on_doubts(installed.doubts)]


def _about(unknown: int) -> list[Notice]:
    why = "what they include is not noted, or has changed since they were built"
    return [on_undated(unknown, why, "build once with zensical build --clean")] if unknown else []
