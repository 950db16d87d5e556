"""``docs-sitemap explain``: explain why a page has its date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    clock_option,
    follow_renames_option,
    read_ignore_revs,
    write_json,
    write_stdout,
)
from docs_sitemap.cli.page_source import find_note, find_source, noted_sites

if TYPE_CHECKING:
    from docs_sitemap.explain import Asked, Note, PageExplanation
    from docs_sitemap.history import Clock, Rules


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
    from docs_sitemap.explain import explanation as explaining

    found: list[tuple[Asked, Rules]] = []
    problems: list[click.ClickException] = []
    sites = list(noted_sites(Path.cwd()))
    noted_beside = cache(lambda folder: list(noted_sites(folder)))
    context = click.get_current_context()
    for page in pages:
        try:
            # it may be in a repository other than the working folder's
            beside = noted_beside(Path(page).absolute().parent) if Path(page).is_file() else []
            header, asked = _ask(page, [*sites, *beside], source_dir)
            files = asked.files._replace(others=(*asked.files.others, *includes))
            rules = _rules(context, header, clock, ignore_revs, follow_renames)
            found.append((replace(asked, files=files), rules))
        except click.ClickException as problem:
            problems.append(problem)
    _write(explaining.explain_pages(found), as_json)
    for each in problems:
        each.show()
    if problems:
        context.exit(1)


def _ask(
    page: str, sites: Sequence[tuple[Mapping[str, Any], list[Note]]], source_dir: Path | None
) -> tuple[Mapping[str, Any], Asked]:
    """Find a page in the records of earlier builds, otherwise by its name."""
    from docs_sitemap.explain import Asked
    from docs_sitemap.pages import Files

    noted = [notes for _, notes in sites]
    note = None if source_dir else find_note(page, noted)
    if note is None:
        source = find_source(page, source_dir)
        note = find_note(str(source), noted)
        if note is None:
            return {}, Asked(page, Files(source), has_notes=bool(sites))
    header = next(header for header, notes in sites if any(each is note for each in notes))
    return header, Asked(page, note.files(), note)


def _rules(
    context: click.Context, header: Mapping[str, Any], clock: Clock, ignore_revs: Path | None, follow: bool
) -> Rules:
    """Return the rules for dates: those of the build, unless the command line overrides them."""
    from docs_sitemap.history import Rules

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
