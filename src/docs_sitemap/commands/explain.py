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
    folders = [source_dir] if source_dir else [Path(folder) for folder in explaining.FOLDERS]
    found = []
    for page in pages:
        sources = explaining.find_source(page, folders)
        if len(sources) != 1:
            what = (
                f"may be made from {', '.join(map(str, sources))}"
                if sources
                else "has no source that can be found"
            )
            raise click.ClickException(
                f"{page} {what}: name its source file, or its folder with --source-dir."
            )
        found.append(explaining.explain_page(page, [*sources, *includes], rules))
    if as_json:
        import json

        click.echo(json.dumps([explaining.as_json(page) for page in found], indent=2))
    else:
        text = "\n\n".join(explaining.as_text(page) for page in found)
        write_stdout(text.encode("utf-8", "surrogateescape") + b"\n")
