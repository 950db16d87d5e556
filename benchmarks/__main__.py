"""``python -m benchmarks``: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from benchmarks import builds, check, dates, growth, rebuild, sites
from benchmarks.measure import BenchmarkError
from benchmarks.tools import Target

_COUNT = click.IntRange(min=1)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)

json_option = click.option("--json", "json_file", metavar="FILE", type=Path, help="Write all figures.")


_Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def _find(ctx: click.Context, param: click.Parameter, value: str) -> Path:
    program = shutil.which(value)
    if program is None:
        raise click.BadParameter(f"expected a program, as git-2.55/bin/git; got {value}", ctx, param)
    return Path(program)


git_option = click.option(
    "--git", metavar="PROGRAM", default="git", callback=_find, help="git for all; default: on the PATH."
)


def rounds_option(default: int) -> _Decorator:
    """Return the option for the number of interleaved rounds."""
    return click.option("--rounds", type=_COUNT, default=default, show_default=True)


class _Group(click.Group):
    """Ends a command with a reason and exit code 1 where nothing can be measured."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BenchmarkError as problem:
            raise click.ClickException(str(problem)) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Measure what dates and sitemaps cost, and judge the sitemaps of real sites."""


@main.command("dates")
@click.argument("repo", metavar="REPO", type=_FOLDER)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@rounds_option(5)
@git_option
@click.option("--label", metavar="TEXT", help="Name of the repository in tables.")
@json_option
def dates_command(
    *,
    repo: Path,
    paths: tuple[str, ...],
    rounds: int,
    git: Path,
    label: str | None,
    json_file: Path | None,
) -> None:
    """Date the files that REPO has at or below each PATH (from its root), with each tool in turn.

    Exit code 1 where they name different commits.
    """
    target = Target.find(repo, paths, git)
    name = label or target.root.name.removesuffix(".git") or target.root.parent.name
    result = dates.measure(target, name, rounds, _report)
    _show(dates.text(result), result, json_file)
    if any(result["differences"].values()):
        raise BenchmarkError("the tools name different commits")


@main.command("builds")
@click.argument("host", type=click.Choice(list(builds.HOSTS)))
@click.option("--pages", type=_COUNT, default=1_000, show_default=True)
@click.option("--commits", type=_COUNT, default=3_000, show_default=True)
@rounds_option(5)
@git_option
@json_option
def builds_command(
    host: str, *, pages: int, commits: int, rounds: int, git: Path, json_file: Path | None
) -> None:
    """Measure builds of a site by HOST, as whole processes: without us, with us, and with other plugins.

    What a plugin's own event handlers take is measured within them; that figure is the steadier one.
    """
    result = builds.measure(host, pages=pages, commits=commits, rounds=rounds, git=git, report=_report)
    _show(builds.text(result), result, json_file)


@main.command("check")
@click.option("--pages", type=click.IntRange(min=2), default=50_000, show_default=True)
@click.option("--kilobytes", type=_COUNT, default=40, show_default=True, help="Of each page.")
@rounds_option(3)
@json_option
def check_command(*, pages: int, kilobytes: int, rounds: int, json_file: Path | None) -> None:
    """Measure `docs-sitemap check` and `build` on a large site without faults, made in a temporary folder."""
    result = check.measure(pages, kilobytes, rounds, _report)
    _show(check.text(result), result, json_file)


@main.command("growth")
@rounds_option(3)
@git_option
@json_option
def growth_command(*, rounds: int, git: Path, json_file: Path | None) -> None:
    """Measure how time and memory grow with pages, files and commits, all made in temporary folders."""
    result = growth.measure(git, rounds, _report)
    _show(growth.text(result), result, json_file)


@main.command("sites")
@click.argument("site", metavar="BUILT_DIR", type=click.Path(path_type=Path))
@click.argument("source", metavar="SOURCE_DIR", type=_FOLDER)
@click.option("--sphinx", is_flag=True, help="Build it with Sphinx into BUILT_DIR, with us and without.")
@click.option(
    "--mkdocs",
    metavar="[CONFIG_FILE]",
    is_flag=False,
    flag_value="mkdocs.yml",
    help="The same with MkDocs, run in SOURCE_DIR.",
)
@click.option("--base-url", metavar="URL", help="The site's address, where it does not say so itself.")
@click.option("--builder", type=click.Choice(["html", "dirhtml"]), default="html", show_default=True)
@click.option("--python", default=sys.executable, help="The Python that has what the site's build needs.")
@click.option("-D", "definitions", metavar="NAME=VALUE", multiple=True, help="As for sphinx-build.")
@click.option("--without", metavar="PLUGIN", multiple=True, help="A plugin of MkDocs to build without.")
def sites_command(site: Path, source: Path, *, sphinx: bool, base_url: str | None, **build: Any) -> None:
    """Compare a site's sitemap with its built pages and with git log -1 over their sources.

    Without --sphinx and --mkdocs, it judges what an earlier call has built there.

    Exit code 1 where a page is lost, invented or changed, or an address or a date is another one.
    """
    changed: list[str] = []
    if sphinx or build["mkdocs"]:
        job = rebuild.Build(source.resolve(), base_url=base_url or "https://example.org/en/", **build)
        changed = rebuild.build_twice(job, site.absolute(), _report)
    found = sites.check(site.absolute())
    found.differences += [f"changed: {name} is another one with us" for name in changed]
    click.echo(found.text())
    if not found.is_right():
        raise click.exceptions.Exit(1)


def _show(text: str, result: dict[str, Any], json_file: Path | None) -> None:
    click.echo(text)
    if json_file is not None:
        json_file.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


def _report(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
