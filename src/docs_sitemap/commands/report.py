"""``docs-sitemap report``: one HTML page about a built site, to look at."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.commands.common import count_cores, read_base_url, require

if TYPE_CHECKING:
    from docs_sitemap.check import Question
    from docs_sitemap.sitereport import Facts


@click.command()
@click.argument("site_dir", metavar="SITE_DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Where the page is written, outside of SITE_DIR; - for stdout.",
)
@click.option(
    "--base-url", metavar="URL", help="Where the site will be; default: what its pages and sitemap say."
)
@click.option(
    "--previous",
    metavar="SITEMAP",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An older sitemap: the page says what changed since.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the sources of the pages lie: their history says why pages have no date.",
)
def report(
    *, site_dir: Path, output: Path, base_url: str | None, previous: Path | None, source_dir: Path | None
) -> None:
    """Write one HTML page about a built site: ages, pages without a date, findings, changes.

    It needs nothing else, neither script nor network, and the same site gives the same bytes: ages
    count from the newest date of the site.
    """
    require("report", "lxml", "protego")
    from docs_sitemap.check import Question
    from docs_sitemap.sitereport import render_report

    _refuse_inside(output, site_dir)
    question = Question(site_dir, read_base_url(base_url), previous=previous, jobs=count_cores())
    facts = _gather(question, source_dir)
    _write(output, render_report(facts))
    if output != Path("-"):
        pages = len(facts.dated) + len(facts.undated)
        findings = sum(len(faults.findings) for faults in facts.faults)
        click.echo(f"{output}: {pages:,} pages listed, {findings:,} findings.", err=True)


def _refuse_inside(output: Path, site_dir: Path) -> None:
    """Refuse a file in the site: it would be published, and be a page of the next report."""
    site = os.path.realpath(site_dir)
    if output != Path("-") and Path(os.path.realpath(output.parent)).is_relative_to(site):
        raise click.BadParameter(
            f"expected a file outside of {site_dir}, got {output}, which would be published.", param_hint="-o"
        )


def _gather(question: Question, source_dir: Path | None) -> Facts:
    from docs_sitemap.sitereport import gather_facts

    with _progress() as progress:
        try:
            return gather_facts(question, source_dir, progress)
        except (OSError, ValueError) as problem:
            if question.previous is None:
                raise
            text = getattr(problem, "strerror", None) or problem
            raise click.BadParameter(f"{question.previous}: {text}.", param_hint="--previous") from None


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show a bar where a person is looking."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    with click.progressbar(length=1, label="Reading pages", file=sys.stderr) as bar:

        def progress(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        yield progress


def _write(output: Path, data: bytes) -> None:
    from docs_sitemap.errors import OutputError
    from docs_sitemap.output import OutputFolder

    if output == Path("-"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with OutputFolder(output.parent).changes() as changes:
            changes.write(output.name, data)
            changes.commit()
    except OutputError as problem:
        raise click.BadParameter(str(problem), param_hint="-o") from None
