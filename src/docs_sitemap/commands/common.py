"""What several commands have in common."""

from __future__ import annotations

from pathlib import Path

import click

clock_option = click.option(
    "--clock",
    type=click.Choice(["committer", "author"]),
    default="committer",
    show_default=True,
    help="Which of a commit's two dates counts.",
)
follow_renames_option = click.option(
    "--follow-renames", is_flag=True, help="A pure rename does not count as a change."
)


def read_ignore_revs(file: Path | None) -> frozenset[bytes]:
    """Return the commits of the file that ``--ignore-revs`` names, if any."""
    from docs_sitemap.history import read_ignored

    try:
        return read_ignored(file) if file else frozenset()
    except (OSError, ValueError) as problem:
        raise click.BadParameter(f"{file}: {problem}", param_hint="--ignore-revs") from None


class MissingError(click.ClickException):
    """An extra that a command needs is not installed: one line, and the exit code of bad usage."""

    exit_code = 2
