"""``python -m benchmarks``: results on stdout, everything else on stderr."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks import dates, growth, plot, table
from benchmarks.measure import BenchmarkError
from benchmarks.target import Target
from benchmarks.tools import NAMES


@dataclass(frozen=True)
class Job:
    """What ``dates`` and ``growth`` take alike, ready to start."""

    target: Target
    label: str
    runs: int
    json_file: Path | None
    plot_file: Path | None

    def write(self, result: dict[str, Any], plotter: Callable[[dict[str, Any], Path], None]) -> None:
        """Write the files that were asked for."""
        if self.json_file is not None:
            self.json_file.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
        if self.plot_file is not None:
            plotter(result, self.plot_file)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Measure what the dates of many files cost."""


def _job(runs: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the arguments and options of a ``Job``, which becomes the command's first argument.

    Whatever cannot be measured ends the command with its reason and exit code 1.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def wrapper(**options: Any) -> None:
            taken = {name: options.pop(name) for name in ("repo", "paths", "git", "label", *_KEPT)}
            try:
                command(_start(**taken), **options)
            except BenchmarkError as problem:
                raise click.ClickException(str(problem)) from None

        for add in (
            click.option("--plot", "plot_file", metavar="FILE", type=Path, help="Draw a .png or .svg file."),
            click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures."),
            click.option("--label", metavar="TEXT", help="Name of the repository in tables and plots."),
            click.option("--git", metavar="PROGRAM", help="git for all tools; default: the one on the PATH."),
            click.option("--runs", type=click.IntRange(min=1), default=runs, show_default=True),
            click.argument("paths", nargs=-1, required=True, metavar="PATH..."),
            click.argument("repo", metavar="REPO", type=click.Path(path_type=Path, exists=True)),
        ):
            wrapper = add(wrapper)
        return wrapper

    return decorate


_KEPT = ("runs", "json_file", "plot_file")


def _start(*, repo: Path, paths: tuple[str, ...], git: str | None, label: str | None, **kept: Any) -> Job:
    program = git or shutil.which("git")
    if program is None:
        raise BenchmarkError("no git program is on the PATH: name one with --git PROGRAM")
    target = Target.find(repo, paths, program)
    name = target.root.name.removesuffix(".git") or target.root.parent.name
    if kept["plot_file"]:
        plot.require()  # so that nothing is measured in vain
    return Job(target, label or name, **kept)


@main.command("dates")
@_job(5)
@click.option("--only", metavar="NAME,...", help=f"Of the tools {', '.join(NAMES)}.")
@click.option("--no-each", is_flag=True, help="Leave out git log, one process a file: it is slow.")
def dates_command(job: Job, *, only: str | None, no_each: bool) -> None:
    """Date the files that REPO has at or below each PATH (from its root), with every tool in turn.

    Exit code 1 where tools that claim to be exact name different commits.
    """
    names = [name.strip() for name in only.split(",")] if only else list(NAMES)
    if unknown := set(names) - set(NAMES):
        raise click.UsageError(f"--only: expected some of {', '.join(NAMES)}; got {', '.join(unknown)}.")
    if no_each:
        names = [name for name in names if name != "log"]
    result = dates.measure(job.target, job.label, names, job.runs, _report)
    click.echo(dates.text(result))
    job.write(result.json(), plot.plot_dates)
    if not result.agree:
        raise BenchmarkError("exact tools name different commits")


@main.command("growth")
@_job(3)
def growth_command(job: Job) -> None:
    """Measure cost against files (some and all of those at PATH) and commits (made repositories)."""
    result = growth.measure(job.target, job.label, job.runs, _report)
    click.echo(growth.text(result))
    job.write(result, plot.plot_growth)


@main.command("table")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def table_command(files: tuple[Path, ...]) -> None:
    """Print a Markdown table of FILEs that dates --json wrote."""
    click.echo(table.table([json.loads(file.read_text("utf-8")) for file in files]))


def _report(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
