"""``python -m benchmarks``: results on stdout, everything else on stderr."""

from __future__ import annotations

import functools
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks import additions, builds, dates, emit, growth, plot, serve, table
from benchmarks.measure import BenchmarkError
from benchmarks.target import Target
from benchmarks.tools import NAMES
from docs_sitemap.limits import MAX_URLS


@dataclass(frozen=True)
class Job:
    """What ``dates`` and ``additions`` take alike, ready to start."""

    target: Target
    label: str
    runs: int
    json_file: Path | None
    plot_file: Path | None

    def write(self, result: dict[str, Any], plotter: Callable[[dict[str, Any], Path], None]) -> None:
        """Write the files that were asked for."""
        _write_json(self.json_file, result)
        if self.plot_file is not None:
            plotter(result, self.plot_file)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Measure what the dates of many files cost, and the sitemaps of many pages."""


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
    target = Target.find(repo, paths, _git(git))
    name = target.root.name.removesuffix(".git") or target.root.parent.name
    if kept["plot_file"]:
        plot.require()  # so that nothing is measured in vain
    return Job(target, label or name, **kept)


def _git(git: str | None) -> str:
    program = git or shutil.which("git")
    if program is None:
        raise BenchmarkError("no git program is on the PATH: name one with --git PROGRAM")
    return program


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


@main.command("additions")
@_job(5)
@click.option("--most", type=click.IntRange(min=1), help="Files to ask git for, drawn by lot; default: all.")
def additions_command(job: Job, *, most: int | None) -> None:
    """Find the commits that added the files that REPO has at or below each PATH, beside their last changes.

    Exit code 1 where git log names another commit for one of the files that it is asked for.
    """
    result = additions.measure(job.target, job.label, job.runs, most, _report)
    click.echo(additions.text(result))
    _write_json(job.json_file, result.json())
    if result.differences:
        raise BenchmarkError("git log names other commits")


@main.command("growth")
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--git", metavar="PROGRAM", help="git for all tools; default: the one on the PATH.")
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
@click.option("--plot", "plot_file", metavar="FILE", type=Path, help="Draw a .png or .svg file.")
def growth_command(*, runs: int, git: str | None, json_file: Path | None, plot_file: Path | None) -> None:
    """Measure how time and memory grow with pages, files and commits, all made in temporary folders."""
    try:
        if plot_file:
            plot.require()
        result = growth.measure(Path(_git(git)), runs, _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(growth.text(result))
    _write_json(json_file, result.json())
    if plot_file:
        plot.plot_growth(result, plot_file)


@main.command("table")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def table_command(files: tuple[Path, ...]) -> None:
    """Print a Markdown table of FILEs that dates --json wrote."""
    click.echo(table.table([json.loads(file.read_text("utf-8")) for file in files]))


@main.command("plot")
@click.argument("picture", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def plot_command(picture: Path, files: tuple[Path, ...]) -> None:
    """Draw one PICTURE (.png, .svg) of FILES that dates --json or builds --json wrote."""
    results = [json.loads(file.read_text("utf-8")) for file in files]
    kinds = {"tools" if "tools" in result else "rows" for result in results}
    if len(kinds) > 1:
        raise click.UsageError("FILES: expected files of dates or files of builds, got both.")
    try:
        plot.require()
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    (plot.plot_table if kinds == {"tools"} else plot.plot_builds)(results, picture)


@main.command("emit")
@click.option("--urls", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option(
    "--git-urls",
    type=click.IntRange(min=0),
    default=100_000,
    show_default=True,
    help="Of a site whose dates are asked of git; 0 for none.",
)
@click.option("--max-urls", type=click.IntRange(1, MAX_URLS), default=MAX_URLS, help="In one file.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--git", metavar="PROGRAM", help="git that makes the repositories; default: on the PATH.")
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
def emit_command(
    *, urls: int, git_urls: int, max_urls: int, rounds: int, git: str | None, json_file: Path | None
) -> None:
    """Measure writing so many entries against the standard library, and the whole way from their pages.

    Both are shown as tables in Markdown. Everything is made in a temporary folder.
    """
    try:
        size = emit.Size(urls, git_urls, max_urls)
        result = emit.measure(size, rounds, Path(_git(git)), _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(emit.text(result))
    _write_json(json_file, result.json())


@main.command("builds")
@click.argument("host", type=click.Choice(list(builds.HOSTS)))
@click.option("--pages", type=click.IntRange(min=1), default=1_000, show_default=True)
@click.option("--commits", type=click.IntRange(min=1), default=3_000, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--git", metavar="PROGRAM", help="git that makes the repository; default: on the PATH.")
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
def builds_command(
    host: str, *, pages: int, commits: int, rounds: int, git: str | None, json_file: Path | None
) -> None:
    """Measure builds of a site by HOST, as whole processes: without us, with us, and with other plugins.

    What a plugin's own event handlers take is measured within them; that figure is the steadier one.
    """
    try:
        result = builds.measure(host, builds.Size(pages, commits, rounds), Path(_git(git)), _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(builds.text(result))
    _write_json(json_file, result.json())


@main.command("serve")
@click.option("--pages", type=click.IntRange(min=1), default=300, show_default=True)
@click.option("--commits", type=click.IntRange(min=1), default=3_000, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--git", metavar="PROGRAM", help="git that makes the repository; default: on the PATH.")
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
def serve_command(*, pages: int, commits: int, rounds: int, git: str | None, json_file: Path | None) -> None:
    """Measure the rebuilds of mkdocs serve after a page was edited, without us and with us."""
    try:
        result = serve.measure(builds.Size(pages, commits, rounds), Path(_git(git)), _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(serve.text(result))
    _write_json(json_file, result.json())


def _write_json(file: Path | None, result: dict[str, Any]) -> None:
    if file is not None:
        file.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


@main.command("sites")
@click.argument("site", metavar="BUILT_DIR", type=click.Path(path_type=Path))
@click.argument("source", metavar="SOURCE_DIR", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--sphinx", is_flag=True, help="Build it first, into BUILT_DIR, with our extension and without."
)
@click.option(
    "--mkdocs",
    metavar="[CONFIG_FILE]",
    is_flag=False,
    flag_value="mkdocs.yml",
    help="The same with MkDocs and our plugin, run in SOURCE_DIR.",
)
@click.option("--base-url", metavar="URL", help="The site's address, where it does not say so itself.")
@click.option("--builder", type=click.Choice(["html", "dirhtml"]), default="html", show_default=True)
@click.option("--python", default=sys.executable, help="The Python that has what the site's build needs.")
@click.option("-D", "definitions", metavar="NAME=VALUE", multiple=True, help="As for sphinx-build.")
@click.option(
    "--also",
    nargs=2,
    multiple=True,
    metavar="PAGE PATTERN",
    help="Files, from SOURCE_DIR, that pages include through code of their own.",
)
@click.option(
    "--not-seen",
    "unseen",
    nargs=3,
    multiple=True,
    metavar="PAGE FILE ROW",
    help="FILE, from the repository's root, of a built PAGE (patterns both) is not seen, as a row of "
    "docs/what-a-page-includes.md says that begins with ROW: the page may be too old without it.",
)
@click.option("--without", metavar="PLUGIN", multiple=True, help="A plugin of MkDocs to build without.")
@click.option("--once", is_flag=True, help="Build with us alone, and once: only addresses and dates count.")
def sites_command(
    site: Path,
    source: Path,
    *,
    sphinx: bool,
    base_url: str | None,
    unseen: Sequence[tuple[str, str, str]],
    **build: Any,
) -> None:
    """Compare a site's sitemap with its built pages and with git log -1 over their sources.

    Exit code 1 where a page is lost or invented, or an address or a date is another one.
    """
    from benchmarks import rebuild, sites

    try:
        said: list[str] = []
        wrong: list[str] = []
        known = sites.not_seen(unseen)
        if sphinx or build["mkdocs"]:
            job = rebuild.Site(
                source.resolve(), site, base_url=base_url or "https://example.org/en/", **build
            )
            said, wrong = rebuild.rebuild(job, _report)
        found = sites.check(site, source, base_url, known)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    found.differences += wrong
    click.echo("\n".join([*said, found.text()]))
    if not found.is_right():
        raise click.exceptions.Exit(1)


@main.command("check")
@click.option("--pages", type=click.IntRange(min=2), default=50_000, show_default=True)
@click.option("--kilobytes", type=click.IntRange(min=1), default=40, show_default=True, help="Of each page.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
def check_command(*, pages: int, kilobytes: int, rounds: int, json_file: Path | None) -> None:
    """Measure `docs-sitemap check` and `build` on a large site without faults, made in a temporary folder."""
    from benchmarks import check

    try:
        result = check.measure(check.Size(pages, kilobytes), rounds, _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(check.text(result))
    _write_json(json_file, result.json())


@main.command("versions")
@click.option(
    "--pages", type=click.IntRange(min=1), default=5_000, show_default=True, help="In each version."
)
@click.option("--kilobytes", type=click.IntRange(min=20), default=24, show_default=True, help="Of a page.")
@click.option("--versions", "number", type=click.IntRange(min=2), default=10, show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
def versions_command(*, pages: int, kilobytes: int, number: int, rounds: int, json_file: Path | None) -> None:
    """Measure `docs-sitemap versions` on a large deployed tree, made in a temporary folder."""
    from benchmarks import check, versions

    try:
        result = versions.measure(check.Size(pages, kilobytes), number, rounds, _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(versions.text(result))
    _write_json(json_file, result.json())


@main.command("moving")
@click.option("--config", "-f", metavar="FILE", default="mkdocs.yml", show_default=True)
@click.option("--python", metavar="PROGRAM", default=sys.executable, help="The Python that the site needs.")
@click.option("--without", metavar="PLUGIN", multiple=True, help="A plugin to leave out of all builds.")
@click.option("--label", metavar="TEXT", help="Name of the site in tables.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path, exists=True))
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
def moving_command(
    *,
    config: str,
    python: str,
    without: tuple[str, ...],
    label: str | None,
    rounds: int,
    json_file: Path | None,
    source: Path,
    out: Path,
) -> None:
    """Build a site that has git-revision-date-localized with it, with us in its place, and with neither."""
    from benchmarks import moving

    try:
        build = moving.Build(source, config, python, without)
        moved = moving.move(build, out.resolve(), rounds, _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None
    for line in moving.lines_of(moved):
        click.echo(line)
    _write_json(json_file, moved.figures(label or source.name))


@main.command("all")
@click.option(
    "--git", metavar="PROGRAM", help="git 2.52 or newer, which has last-modified; default: on the PATH."
)
@click.option("--only", metavar="STEP", multiple=True, help="Only steps whose names begin like this.")
@click.option("--list", "listed", is_flag=True, help="Print the names of the steps, and run none.")
@click.argument("clones", metavar="CLONES", type=click.Path(path_type=Path))
def all_command(*, git: str | None, only: tuple[str, ...], listed: bool, clones: Path) -> None:
    """Make every figure, plot and table of the documentation anew, which takes an hour or two.

    CLONES is the folder with the clones of the public repositories; those that are missing are named.
    """
    from benchmarks import everything

    try:
        if listed:
            click.echo("\n".join(step.name for step in everything.steps(clones.resolve(), _git(git))))
        else:
            everything.run(clones.resolve(), _git(git), only, _report)
    except BenchmarkError as problem:
        raise click.ClickException(str(problem)) from None


def _report(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
