"""What several commands have in common."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
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


class _MissingError(click.ClickException):
    exit_code = 2  # as for bad usage


def require(command: str, *modules: str) -> None:
    """Stop in one line, with exit code 2, where a library of the extra is not installed."""
    for module in modules:
        if not _is_there(module):
            name = module.replace(".", "-")
            raise _MissingError(f'docs-sitemap {command} needs {name}: pip install "docs-sitemap[cli]"')


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):  # not even the package above it, or None in its place
        return False


def read_base_url(base_url: str | None) -> str:
    """Return what ``--base-url`` says, encoded and with ``/`` at its end; empty where it is not given."""
    from docs_sitemap import checks

    if base_url is None:
        return ""
    try:
        found: str = checks.base_url(base_url)
        return found
    except checks.UnexpectedError as problem:
        raise click.BadParameter(f"expected {problem}, got {base_url!r}.", param_hint="--base-url") from None


def count_cores() -> int:
    """Return how many processes can work at once."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
