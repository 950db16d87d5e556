"""``docs-sitemap check``: what is wrong with a built site's sitemaps, before it is deployed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    count_cores,
    read_base_url,
    require,
    site_url_option,
    write_file,
    write_stdout,
)
from docs_sitemap.cli.progress import progress_bar

if TYPE_CHECKING:
    from docs_sitemap.check import Finding, Question, Result, Rule

_FORMATS = ("text", "json", "sarif", "junit")
# the checker's own, which is not imported for the help: it needs lxml
_LEVELS = ("error", "warning", "info")


@click.command()
@site_url_option
@click.option(
    "--sitemap",
    "sitemaps",
    metavar="NAME",
    multiple=True,
    help="A sitemap by its path in SITE_DIR; may be repeated. Default: those that robots.txt names, "
    "and those with a usual name.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="How findings are printed: text is for people, the others are for machines.",
)
@click.option(
    "--all",
    "all_findings",
    is_flag=True,
    help="In text, show all findings and not only the first few of each rule.",
)
@click.option(
    "--select",
    metavar="ID,...",
    multiple=True,
    help="Only these rules, or those whose ids begin so: U,C1. May be repeated.",
)
@click.option(
    "--ignore",
    metavar="ID,...",
    multiple=True,
    help="Not these rules, written as for --select. May be repeated.",
)
@click.option(
    "--level",
    type=click.Choice(_LEVELS),
    default="info",
    show_default=True,
    help="Show findings of this level and worse. The exit code counts errors that are not shown, too.",
)
@click.option(
    "--previous", metavar="SITEMAP", type=FILE, help="An older sitemap: rule L6 compares its dates."
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=FILE,
    help="Leave out the findings that --write-baseline has written into this file.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what is found into this file as a baseline, print no findings, and exit with 0.",
)
@click.option(
    "--jobs",
    "-j",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of processes that read pages; default: one for each core.",
)
@click.option("--list-rules", is_flag=True, help="Print all rules by id, level and title, and check nothing.")
@click.option("--explain", metavar="ID", help="Print what a rule is about, and check nothing.")
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
    jobs: int | None,
    list_rules: bool,
    explain: str | None,
) -> None:
    """Check the sitemaps, pages and robots.txt of a built site, offline.

    The exit code is 1 where there are errors, and 0 where there are none, also with warnings.
    """
    require("check", "lxml", "protego")
    if list_rules or explain is not None:
        _tell_rules(explain)
        return
    if site_dir is None:
        raise click.UsageError("Missing argument 'SITE_DIR'.")
    from docs_sitemap.check import RULES, Question

    asked = _words("--select", select)
    rules = RULES.chosen(asked, _words("--ignore", ignore))
    known = _read_baseline(baseline) if baseline else frozenset()
    question = Question(
        site_dir,
        read_base_url(base_url),
        tuple(map(_name, sitemaps)),
        previous,
        frozenset(asked),
        jobs or count_cores(),
    )
    result = _check(question, rules)
    if write_baseline:
        _write_baseline(write_baseline, result.findings)
        return
    _drop_known(result, known)
    failed = any(finding.level == "error" for finding in result.findings)
    _drop_below(result, level)
    _print(result, format_, all_findings)
    if failed:
        raise click.exceptions.Exit(1)


def _tell_rules(rule_id: str | None) -> None:
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
            f"there is no rule {rule_id!r}; --list-rules shows all.", param_hint="--explain"
        )


def _words(option: str, values: tuple[str, ...]) -> list[str]:
    """Return what an option names, in upper case: each the id of a rule or the beginning of some."""
    from docs_sitemap.check import RULES

    words = [word.strip() for value in values for word in value.split(",")]
    for word in words:
        if not RULES.beginning(word):
            raise click.UsageError(
                f"{option}: expected ids of rules or what they begin with, such as U or C1, got {word!r}; "
                "--list-rules shows all."
            )
    return [word.upper() for word in words]


def _name(sitemap: str) -> str:
    """Return the name of a sitemap as those of the site's files are."""
    return os.path.normpath(sitemap).replace(os.sep, "/")


def _check(question: Question, rules: list[Rule]) -> Result:
    from docs_sitemap.check import OlderSitemapError, check_site

    try:
        with progress_bar("Reading pages") as progress:
            return check_site(question, rules, progress)
    except OlderSitemapError as problem:
        raise click.UsageError(f"--previous: {problem}") from None


def _read_baseline(file: Path) -> frozenset[tuple[str, str, str, str]]:
    from docs_sitemap.check import baseline
    from docs_sitemap.limits import MAX_BASELINE
    from docs_sitemap.untrusted import read_named

    try:
        return baseline.parse(read_named(file, MAX_BASELINE))
    except OSError as problem:
        raise click.BadParameter(f"{file}: {problem.strerror}", param_hint="--baseline") from None
    except (ValueError, RecursionError) as problem:
        raise click.BadParameter(f"{file}: {problem}", param_hint="--baseline") from None


def _write_baseline(file: Path, findings: list[Finding]) -> None:
    from docs_sitemap.check import baseline

    write_file("--write-baseline", file, baseline.render(findings))
    click.echo(f"{file}: {len({finding.key for finding in findings}):,} known findings.", err=True)


def _drop_known(result: Result, known: frozenset[tuple[str, str, str, str]]) -> None:
    found = {finding.key for finding in result.findings}
    result.findings = [finding for finding in result.findings if finding.key not in known]
    if gone := len(known - found):
        click.echo(f"{gone:,} findings of the baseline are gone: it can be written anew.", err=True)


def _drop_below(result: Result, level: str) -> None:
    shown = _LEVELS[: _LEVELS.index(level) + 1]
    result.findings = [finding for finding in result.findings if finding.level in shown]


def _print(result: Result, format_: str, all_findings: bool) -> None:
    from docs_sitemap.check import reporters

    if format_ == "text":
        text = reporters.as_text(result, all_findings=all_findings)
    else:
        formats = {"json": reporters.as_json, "sarif": reporters.as_sarif, "junit": reporters.as_junit}
        text = formats[format_](result)
    write_stdout(text.encode("utf-8", "backslashreplace"))
