"""``docs-sitemap explain``: why a page has its date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.commands.common import (
    FILE,
    FOLDER,
    clock_option,
    follow_renames_option,
    read_ignore_revs,
    write_stdout,
)
from docs_sitemap.commands.page_source import find_source

if TYPE_CHECKING:
    from docs_sitemap.history import Clock


@click.command()
@click.option(
    "--include",
    "includes",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, path_type=Path),
    help="A further file that makes each page, such as one that it includes; may be repeated.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=FOLDER,
    help="Where the sources of the documentation lie; default: docs and other usual folders.",
)
@clock_option
@click.option(
    "--ignore-revs",
    metavar="FILE",
    type=FILE,
    help="A file of commits that do not count, one full name a line; default: the repository's own "
    ".git-blame-ignore-revs, as in builds.",
)
@follow_renames_option
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, one a page.")
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
    """Say why a page has its date: the commit, what was passed over, the git command to check it.

    PATH is a source file, or the URL or the document name of a page whose source can be found
    from it.
    """
    from docs_sitemap import explain as explaining
    from docs_sitemap.history import Rules

    rules = Rules(clock, read_ignore_revs(ignore_revs) if ignore_revs else None, follow_renames)
    found = [
        explaining.explain_page(page, [find_source(page, source_dir), *includes], rules) for page in pages
    ]
    if as_json:
        import json

        click.echo(json.dumps([explaining.as_json(page) for page in found], indent=2))
    else:
        text = "\n\n".join(explaining.as_text(page) for page in found)
        write_stdout(text.encode("utf-8", "surrogateescape") + b"\n")
