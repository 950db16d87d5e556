"""``docs-sitemap explain``: explain why a page has its date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    clock_option,
    follow_renames_option,
    note,
    read_ignore_revs,
    write_json,
    write_stdout,
)
from docs_sitemap.cli.page_source import find_source

if TYPE_CHECKING:
    from docs_sitemap.cli.page_notes import NotedSites
    from docs_sitemap.explain import Asked, PageExplanation
    from docs_sitemap.git import Clock, Rules


@click.command()
@click.option(
    "--include",
    "includes",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, path_type=Path),
    help="Another file that the pages depend on, for example an included file; may be repeated.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=FOLDER,
    help="The folder of the documentation sources; default: docs and other common folders.",
)
@clock_option
@click.option(
    "--ignore-revs",
    metavar="FILE",
    type=FILE,
    help="A file of commits to ignore, one full hash per line; default: the repository's "
    ".git-blame-ignore-revs, as in builds.",
)
@follow_renames_option
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, one per page.")
@click.argument("pages", nargs=-1, required=True, metavar="PATH...")
def explain(
    *,
    includes: tuple[Path, ...],
    source_dir: Path | None,
    clock: Clock,
    ignore_revs: Path | None,
    follow_renames: bool,
    as_json: bool,
    pages: tuple[str, ...],
) -> None:
    """Explain why a page has its date: the deciding file, the commit, and the git command to verify it.

    PATH is the URL, the document name or the source file of a page. The last build recorded in the user's
    cache folder what each page includes. For a file that is not a page, only that file is explained.
    """
    from docs_sitemap.cli.page_notes import NotedSites
    from docs_sitemap.explain import explanation as explaining

    found: list[tuple[Asked, Rules]] = []
    problems: list[click.ClickException] = []
    context = click.get_current_context()
    sites = NotedSites()
    for page in pages:
        try:
            header, asked = _find(page, source_dir, sites)
            files = asked.files._replace(others=(*asked.files.others, *includes))
            rules = _rules(context, header, clock, ignore_revs, follow_renames)
            found.append((replace(asked, files=files), rules))
        except click.ClickException as problem:
            problems.append(problem)
    _write(explaining.explain_pages(found), as_json)
    for each in problems:
        note(f"Error: {each.format_message()}")
    if problems:
        context.exit(1 if found else max(each.exit_code for each in problems))


def _find(page: str, source_dir: Path | None, sites: NotedSites) -> tuple[Mapping[str, Any], Asked]:
    """Return a page from the records of earlier builds, otherwise by its name.

    With it comes the header of its record, which is empty without one. Raises ``click.ClickException`` if
    there is no such page, or several.
    """
    from docs_sitemap.explain import Asked
    from docs_sitemap.pages import Files

    found = None if source_dir else sites.find(page, _places(sites, page))
    if found is None:
        source = find_source(page, source_dir)
        places = _places(sites, str(source))
        found = sites.find(str(source), places)
        if found is None:
            return {}, Asked(page, Files(source), has_notes=bool(places))
    return found.header, Asked(page, found.note.files(), found.note)


def _places(sites: NotedSites, page: str) -> Sequence[Path]:
    """Return the notes to search for a page: it may be in a repository other than the working folder's."""
    here = sites.of(Path.cwd())
    return (*here, *sites.of(Path(page).absolute().parent)) if Path(page).is_file() else here


def _rules(
    context: click.Context, header: Mapping[str, Any], clock: Clock, ignore_revs: Path | None, follow: bool
) -> Rules:
    """Return the rules for dates: those of the build, unless the command line overrides them."""
    from docs_sitemap.git import Rules

    def is_given(name: str) -> bool:
        return context.get_parameter_source(name) is not ParameterSource.DEFAULT

    noted_clock: Clock = "author" if header.get("clock") == "author" else "committer"
    revs = header.get("ignore_revs")
    if is_given("ignore_revs") or revs is None:
        ignored = read_ignore_revs(ignore_revs) if ignore_revs else None
    else:
        ignored = read_ignore_revs(Path(revs)) if revs else frozenset()
    return Rules(
        clock if is_given("clock") else noted_clock,
        ignored,
        follow if is_given("follow_renames") else bool(header.get("follow_renames")),
    )


def _write(found: list[PageExplanation], as_json: bool) -> None:
    from docs_sitemap.explain import explanation as explaining

    if as_json:
        write_json([explaining.as_json(page) for page in found])
    elif found:
        text = "\n\n".join(explaining.as_text(page) for page in found)
        write_stdout(text.encode("utf-8", "surrogateescape") + b"\n")
