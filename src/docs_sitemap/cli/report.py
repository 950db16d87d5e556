"""``docs-sitemap report``: write an HTML report on a built site."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any, Final

import click

from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    note,
    require,
    site_dir_argument,
    site_url_option,
    some,
    write_file,
    write_stdout,
)
from docs_sitemap.cli.rules import read_baseline, read_question, reading_pages, rule_options, without_known
from docs_sitemap.text import counted

_STDOUT: Final = Path("-")
_OUTPUT: Final = "--output / -o"


class _File(click.Path):
    def get_missing_message(self, *_: Any, **__: Any) -> str:
        return "For example: -o report.html."


@click.command(context_settings={"allow_extra_args": True})
@site_dir_argument
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    type=_File(dir_okay=False, allow_dash=True, path_type=Path),
    help="The file to write, outside of SITE_DIR; - for stdout.",
)
@site_url_option
@click.option(
    "--previous",
    metavar="SITEMAP",
    type=FILE,
    help="An older sitemap, or a file of submit --remember or --log, to show the changes since.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=FOLDER,
    help="The folder of the page sources: their history shows why pages have no date.",
)
@rule_options
def report(
    *,
    site_dir: Path | None,
    output: Path,
    base_url: str | None,
    previous: Path | None,
    source_dir: Path | None,
    baseline: Path | None,
    config_file: Path | None,
    **chosen: Any,
) -> None:
    """Write an HTML report on a built site: findings with fixes, pages without a date, ages, changes.

    With the same options, the findings are those of check. The report is one file that needs neither
    scripts nor the network. The same site gives the same bytes: ages count from its newest date.
    """
    if extra := click.get_current_context().args:
        raise click.UsageError(f"Unexpected after SITE_DIR: {some(extra)}.")
    require("report", "lxml", "protego")
    from docs_sitemap.check import LEVELS, offline
    from docs_sitemap.cli.settings import built_site, read_settings
    from docs_sitemap.report import gather_facts, render_report

    settings = read_settings(config_file)
    site_dir = built_site(settings, f"report -o {shlex.quote(str(output))}", site_dir)
    _refuse_inside(output, site_dir)
    question, rules, note_unused = read_question(site_dir, base_url, settings, previous=previous, **chosen)
    known = read_baseline(baseline, settings)
    with reading_pages() as progress:
        facts = gather_facts(
            question,
            rules,
            source_dir=source_dir,
            progress=progress,
            kept=lambda findings: without_known(findings, known, offline(rules)),
        )
    note_unused()
    page = render_report(facts)
    if output == _STDOUT:
        write_stdout(page)
        return
    write_file(_OUTPUT, output, page)
    pages = len(facts.dated) + len(facts.undated)
    counts = [(level, facts.count(level)) for level in LEVELS]
    found = [
        f"{count:,} info" if level == "info" else counted(count, level) for level, count in counts if count
    ]
    note(f"{output}: {counted(pages, 'page')} listed, {', '.join(found) or 'nothing to report'}.")


def _refuse_inside(output: Path, site_dir: Path) -> None:
    """Refuse a file in the site: it would be published, and listed in the next report."""
    site = os.path.realpath(site_dir)
    if output != _STDOUT and Path(os.path.realpath(output.parent)).is_relative_to(site):
        raise click.UsageError(
            f"{_OUTPUT}: expected a file outside of {site_dir}, got {output}, which would be published."
        )
