"""``docs-sitemap check``: find problems in a built site's sitemaps before it is deployed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.cli.check_live import check_served
from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    count_cores,
    note,
    read_base_url,
    require,
    site_url_option,
    write_file,
)
from docs_sitemap.cli.progress import reading_pages

if TYPE_CHECKING:
    from docs_sitemap.check import Finding, Result
    from docs_sitemap.pages import Hosting

_INTERRUPTED = 130
"""The exit code of a shell's command that Ctrl-C has ended."""

_FORMATS = ("text", "json", "sarif", "junit")
# a copy of the checker's levels: the checker needs lxml, which the help must not import
_LEVELS = ("error", "warning", "info")
# a copy too: the services come with the options and the patterns of pages
_SERVICES = ("cloudflare", "github", "gitlab", "netlify", "read-the-docs", "vercel")


@click.command()
@site_url_option
@click.option(
    "--sitemap",
    "sitemaps",
    metavar="NAME",
    multiple=True,
    help="A sitemap, as a path in SITE_DIR; may be repeated. Default: the sitemaps that robots.txt names, "
    "and those with common names.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="Output format: text for people, the others for tools.",
)
@click.option(
    "--all",
    "all_findings",
    is_flag=True,
    help="In text output, show all findings, not only the first few of each rule.",
)
@click.option(
    "--select",
    metavar="ID,...",
    multiple=True,
    help="Run only these rules, by id or start of an id: U,C1. May be repeated.",
)
@click.option(
    "--ignore",
    metavar="ID,...",
    multiple=True,
    help="Skip these rules (same syntax as --select). May be repeated.",
)
@click.option(
    "--level",
    type=click.Choice(_LEVELS),
    default="info",
    show_default=True,
    help="Show findings of this level and above. The exit code is unaffected.",
)
@click.option(
    "--previous", metavar="SITEMAP", type=FILE, help="An older sitemap, whose dates rule L6 compares."
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=FILE,
    help="Ignore the findings in this file, which --write-baseline wrote.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the findings to this file as a baseline, print none, and exit with 0.",
)
@click.option(
    "--served-by",
    type=click.Choice(_SERVICES),
    help="The hosting service, for rule U9; default: the one that runs the command.",
)
@click.option(
    "--jobs",
    "-j",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of processes that read pages; default: one per core.",
)
@click.option(
    "--live",
    metavar="URL",
    help="Check the site that is served at this URL: robots.txt, sitemaps, and the answer for each listed "
    "URL. With SITE_DIR, also check that folder, and compare it with what is served.",
)
@click.option(
    "--sample",
    metavar="N",
    type=click.IntRange(min=1),
    help="With --live: ask only for N of the listed URLs, the same ones each time.",
)
@click.option(
    "--rate",
    metavar="N",
    type=click.FloatRange(0.01, 10_000),
    default=5.0,
    show_default=True,
    help="With --live: requests per second, at most.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0.1, 600),
    default=30.0,
    show_default=True,
    help="With --live: how long to wait for an answer.",
)
@click.option("--list-rules", is_flag=True, help="Print the id, level and title of all rules, and exit.")
@click.option("--explain", metavar="ID", help="Print the explanation of a rule, and exit.")
@click.argument("site_dir", metavar="SITE_DIR", required=False, type=FOLDER)
def check(
    *,
    site_dir: Path | None,
    base_url: str | None,
    sitemaps: tuple[str, ...],
    format_: str,
    all_findings: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    level: str,
    previous: Path | None,
    baseline: Path | None,
    write_baseline: Path | None,
    served_by: str | None,
    jobs: int | None,
    live: str | None,
    sample: int | None,
    rate: float,
    timeout: float,
    list_rules: bool,
    explain: str | None,
) -> None:
    """Check the sitemaps, pages and robots.txt of a built site, offline; or a served one with --live.

    The exit code is 1 if there are errors, otherwise 0. Warnings do not change it.
    """
    require("check", "lxml", "protego")
    if list_rules or explain is not None:
        _print_rules(explain)
        return
    if site_dir is None and live is None:
        raise click.UsageError("Missing argument 'SITE_DIR'.")
    from docs_sitemap.check import RULES, Question, check_site

    asked = _words("--select", select)
    rules = RULES.chosen(asked, _words("--ignore", ignore))
    known = _read_baseline(baseline) if baseline else frozenset()
    question = Question(
        site_dir or Path(),
        read_base_url(base_url),
        tuple(map(_name, sitemaps)),
        previous,
        frozenset(asked),
        jobs or count_cores(),
        _hosting(served_by),
    )
    is_complete = True
    if live is not None:
        pace = (rate, timeout)
        result, is_complete = check_served(live, question, rules, pace, sample, has_folder=bool(site_dir))
    else:
        with reading_pages() as progress:
            result = check_site(question, rules, progress)
    if write_baseline and is_complete:
        _write_baseline(write_baseline, result.findings)
        return
    _drop_known(result, known)
    failed = any(finding.level == "error" for finding in result.findings)
    shown = _LEVELS[: _LEVELS.index(level) + 1]
    result.findings = [finding for finding in result.findings if finding.level in shown]
    _print(result, format_, all_findings)
    if failed or not is_complete:
        raise click.exceptions.Exit(1 if failed else _INTERRUPTED)


def _hosting(served_by: str | None) -> Hosting:
    """Return the hosting service that ``--served-by`` names, or that which runs the command."""
    from docs_sitemap.pages import Hosting, detect_hosting

    found = detect_hosting()
    if served_by is None or served_by == found.served_by:
        return found
    return Hosting(preview=found.preview, served_by=served_by)


def _print_rules(rule_id: str | None) -> None:
    from docs_sitemap.check import RULES

    if rule_id is None:
        for rule in RULES.values():
            click.echo(f"{rule.id}  {rule.level:7}  {rule.title}")
    elif rule_id.upper() in RULES:
        rule = RULES[rule_id.upper()]
        click.echo(f"{rule.id}: {rule.title} ({rule.level})\n")
        click.echo(click.wrap_text(rule.explanation, 78))
    else:
        raise click.BadParameter(
            f"no such rule: {rule_id!r}; --list-rules shows all rules.", param_hint="--explain"
        )


def _words(option: str, values: tuple[str, ...]) -> list[str]:
    """Return an option's rule ids, or starts of rule ids, in upper case."""
    from docs_sitemap.check import RULES

    words = [word.strip() for value in values for word in value.split(",")]
    for word in words:
        if not word or not RULES.chosen([word.upper()]):
            raise click.UsageError(
                f"{option}: expected rule ids or the start of them, for example C1 or U, got {word!r}; "
                "--list-rules shows all rules."
            )
    return [word.upper() for word in words]


def _name(sitemap: str) -> str:
    """Return a sitemap's path in the form of the site's file names: normalized, with ``/``."""
    return os.path.normpath(sitemap).replace(os.sep, "/")


def _read_baseline(file: Path) -> frozenset[tuple[str, ...]]:
    from docs_sitemap.check import baseline
    from docs_sitemap.limits import MAX_BASELINE
    from docs_sitemap.untrusted import read_named

    try:
        return baseline.parse(read_named(file, MAX_BASELINE))
    except OSError as problem:
        raise click.BadParameter(f"{file}: {problem.strerror}", param_hint="--baseline") from None
    except ValueError as problem:
        raise click.BadParameter(f"{file}: {problem}", param_hint="--baseline") from None


def _write_baseline(file: Path, findings: list[Finding]) -> None:
    from docs_sitemap.check import baseline

    write_file("--write-baseline", file, baseline.render(findings))
    note(f"{file}: wrote {len({finding.key for finding in findings}):,} known findings.")


def _drop_known(result: Result, known: frozenset[tuple[str, ...]]) -> None:
    found = {finding.key for finding in result.findings}
    result.findings = [finding for finding in result.findings if finding.key not in known]
    if gone := len(known - found):
        note(f"{gone:,} findings in the baseline no longer occur: consider a new baseline.")


def _print(result: Result, format_: str, all_findings: bool) -> None:
    from docs_sitemap.check import reporters

    if format_ == "text":
        pieces = reporters.as_text(result, all_findings=all_findings)
    else:
        formats = {"json": reporters.as_json, "sarif": reporters.as_sarif, "junit": reporters.as_junit}
        pieces = formats[format_](result)
    for piece in pieces:  # not held together: a site may have 100 MB of them
        sys.stdout.buffer.write(piece.encode("utf-8", "backslashreplace"))
