"""``docs-sitemap check``: find problems in a built site's sitemaps before it is deployed."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_sitemap.cli.common import (
    FILE,
    INTERRUPTED,
    Grouped,
    checked,
    live_site,
    note,
    require,
    site_dir_argument,
    site_url_option,
    wants_color,
    write_file,
)
from docs_sitemap.cli.rules import (
    FAIL_ON,
    LEVELS,
    comparing,
    progress_bar,
    read_baseline,
    read_question,
    read_rule_ids,
    reading_pages,
    rule_options,
    without_known,
)
from docs_sitemap.text import counted

if TYPE_CHECKING:
    from docs_sitemap.check import Finding, Question, Result, Rule

_HEADER = re.compile(r"([!#$%&'*+.^_`|~\w-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)", re.ASCII)
"""A name and a value (RFC 9110, 5.5 and 5.6.2)."""

_FORMATS = ("text", "github", "json", "sarif", "junit")


def _check_agent(context: click.Context, option: click.Parameter, agent: str | None) -> str | None:
    if agent is None:
        return None
    names = ("googlebot", "bingbot")
    close = difflib.get_close_matches(agent.lower(), names, 1, 0.8) if agent.lower() not in names else []
    if agent.strip() and agent.isascii() and agent.isprintable() and not (close and agent.isalpha()):
        return agent
    hint = f"; did you mean {close[0]}?" if close else "."
    raise click.UsageError(
        f"--as: expected googlebot, bingbot or the text of a User-Agent, got {agent!r}{hint}"
    )


def _read_headers(_context: click.Context, _: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Return headers by name, with the texts of variables; no message shows what may be a secret."""
    found = {}
    for text in given:
        named = re.sub(r"(?<=[:\s])env:(\w+)$", lambda it: os.environ.get(it[1], "").strip() or "\n", text)
        if not (header := _HEADER.fullmatch(named)):
            what = "'NAME: VALUE' in ASCII, or in its place env:VARIABLE with a variable that is set"
            raise click.UsageError(f"--header: expected {what}, got a text that is not shown here.")
        found[header[1]] = header[2]
    return found


@click.command(
    cls=Grouped,
    groups={
        "What to check": "base-url sitemap previous served-by config",
        "Which findings": "select ignore baseline write-baseline level fail-on",
        "Output": "format all",
        "A served site": "live as header sample rate timeout",
        "About the rules": "list-rules explain",
    },
    examples=(
        "docs-sitemap check site",
        "docs-sitemap check site --ignore C2,L --format sarif > findings.sarif",
        "docs-sitemap check --live https://docs.example.org/ --sample 100",
    ),
)
@site_url_option
@rule_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="Output format: text for people; github with annotations too, which stand in the run's summary "
    "unless the files are in the repository; the others for tools. Text is in color on a terminal, unless "
    "NO_COLOR is set; FORCE_COLOR forces it.",
)
@click.option(
    "--all",
    "all_findings",
    is_flag=True,
    help="In text output, show all findings, not only the first few of each rule.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="info",
    show_default=True,
    help="Show findings of this level and above. The exit code is unaffected.",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    help="Exit with 1 if there are findings of this level or above; default: error.",
)
@click.option(
    "--previous", metavar="SITEMAP", type=FILE, help="An older sitemap, whose dates rule L6 compares."
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the findings to this file as a baseline, print none, and exit with 0.",
)
@click.option(
    "--live",
    metavar="URL",
    help="Check the site that is served at this URL: robots.txt, sitemaps, and the answer for each listed "
    "URL. With SITE_DIR, also check that folder, and compare it with what is served.",
)
@click.option(
    "--as",
    "agent",
    metavar="AGENT",
    callback=_check_agent,
    help="With --live: ask as googlebot, bingbot or any other User-Agent, and obey its rules in robots.txt. "
    "Firewalls verify crawlers by their addresses, so that Google itself may get another answer.",
)
@click.option(
    "--header",
    "headers",
    metavar="'NAME: VALUE'",
    multiple=True,
    callback=_read_headers,
    help="With --live: send this header, for a site behind a password, only to its own server. In place of "
    "VALUE, or of its last word, env:VARIABLE takes that variable of the environment. May be repeated.",
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
    help="With --live: requests per second, at most; default: 5.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0.1, 600),
    help="With --live: how long to wait for an answer; default: 30.",
)
@click.option("--list-rules", is_flag=True, help="Print the id, level and title of all rules, and exit.")
@click.option("--explain", metavar="ID", help="Explain a rule, or all whose ids start with ID, and exit.")
@site_dir_argument
def check(
    *,
    site_dir: Path | None,
    base_url: str | None,
    format_: str,
    all_findings: bool,
    level: str,
    fail_on: str | None,
    previous: Path | None,
    baseline: Path | None,
    write_baseline: Path | None,
    served_by: str | None,
    config_file: Path | None,
    live: str | None,
    agent: str | None,
    headers: Mapping[str, str],
    sample: int | None,
    rate: float | None,
    timeout: float | None,
    list_rules: bool,
    explain: str | None,
    **chosen: Any,
) -> None:
    """Check the sitemaps, pages and robots.txt of a built site, offline; or a served one with --live.

    Without SITE_DIR, it checks the folder that the configuration names as site, otherwise the only folder
    with a usual name that has a built site. The exit code is 1 if there are errors; see --fail-on.
    """
    require("check", "lxml", "protego")
    if list_rules or explain is not None:
        _print_rules(explain)
        return
    if live is None:
        given = {"--as": agent, "--header": headers or None, "--sample": sample}
        _refuse("--live URL", given | {"--rate": rate, "--timeout": timeout})
    elif site_dir is None:
        _refuse("SITE_DIR", {"--base-url": base_url, "--served-by": served_by})
    from docs_sitemap.cli.settings import built_site, read_settings

    served = _served_at(live) if live is not None else ""
    settings = read_settings(config_file)
    if site_dir or not served:
        site_dir = built_site(settings, "check", site_dir)
    chosen |= {"served_by": served_by, "previous": previous, "served": served}
    question, rules, note_unused = read_question(site_dir, base_url, settings, **chosen)
    known = read_baseline(baseline, settings) if baseline or not write_baseline else frozenset()
    if served:
        from docs_sitemap.check.live import Pace

        pace = Pace(rate or 5.0, seconds=timeout or 30.0)
        more = {"agent": agent or "", "headers": headers, "pace": pace, "sample": sample}
        result, is_complete = _check_served(question, rules, served, **more)
    else:
        result, is_complete = _check_built(question, rules), True
    note_unused()
    if write_baseline and is_complete:
        is_part = bool(chosen["select"] or chosen["ignore"])
        _write_baseline(write_baseline, result.findings, settings.table, is_part=is_part)
        return
    ran = [rule for rule in rules if (served if rule.reads == "web" else site_dir)]
    result.findings, result.has_baseline = without_known(result.findings, known, ran), bool(known)
    fail_on = fail_on or settings.values.get("fail_on", "error")
    result.failing = () if fail_on == "never" else LEVELS[: LEVELS.index(fail_on) + 1]
    failed = [finding for finding in result.findings if finding.level in result.failing]
    shown = LEVELS[: LEVELS.index(level) + 1]
    result.findings = [finding for finding in result.findings if finding.level in shown]
    _print(result, question.root or Path(), format_, all_findings)
    if hidden := sum(finding.level not in shown for finding in failed):
        note(f"Not shown with --level {level}: {counted(hidden, 'finding')} for --fail-on {fail_on}.")
    if failed or not is_complete:
        raise click.exceptions.Exit(1 if failed else INTERRUPTED)


def _served_at(live: str) -> str:
    """Return the base URL of the site that ``--live`` names."""
    from docs_sitemap.options import validation

    served = str(checked("--live", live, validation.base_url))
    if (fix := live_site(live)) != f"--live {live}":
        raise click.UsageError(f"--live: expected the URL of a site, got that of a sitemap: check {fix}")
    require("check --live", "httpx", "lxml", "protego")
    return served


def _check_built(question: Question, rules: list[Rule]) -> Result:
    from docs_sitemap.check import check_site

    with reading_pages() as progress:
        return check_site(question, rules, progress)


def _check_served(question: Question, rules: list[Rule], served: str, **more: Any) -> tuple[Result, bool]:
    """Check a served site, and its built folder if there is one; tell whether all was checked."""
    from docs_sitemap.check import in_order
    from docs_sitemap.check.live import LiveQuestion, check_live

    asked = (question.root, served, question.sitemaps, question.previous, question.asked)
    with comparing():
        result, site = check_live(LiveQuestion(*asked, **more), rules, progress_bar)
    if question.root:
        built = _check_built(replace(question, base_url=question.base_url or served), rules)
        known = {(found.id, found.url, found.message) for found in built.findings}
        online = [found for found in result.findings if (found.id, found.url, found.message) not in known]
        result.findings = in_order([*online, *built.findings])
    if not site.is_complete:
        note(f"The check was stopped{f': {site.stopped}' if site.stopped else ''}.")
    return result, site.is_complete


def _refuse(missing: str, given: Mapping[str, object]) -> None:
    """Refuse options that would be ignored without another argument."""
    if name := next((name for name, value in given.items() if value is not None), None):
        raise click.UsageError(f"{name}: is for {missing}, which is not given.")


def _print_rules(rule_id: str | None) -> None:
    from docs_sitemap.check import RULES

    if rule_id is None:
        for rule in RULES.values():
            click.echo(f"{rule.id}  {rule.level:7}  {rule.title}")
        return
    for number, rule in enumerate(RULES.chosen(read_rule_ids("--explain", [rule_id]))):
        click.echo(f"{chr(10) if number else ''}{rule.id}: {rule.title} ({rule.level})\n")
        click.echo(click.wrap_text(rule.explanation, 78))
        click.echo(f"\nFix: {rule.fix}\n{rule.help}")


def _write_baseline(file: Path, findings: list[Finding], table: str, *, is_part: bool) -> None:
    from docs_sitemap.check import render_baseline

    write_file("--write-baseline", file, render_baseline(findings))
    number = counted(len({finding.key for finding in findings}), "known finding")
    part = " It has only those of the rules that --select and --ignore leave." if is_part else ""
    setting = f'baseline = "{file.as_posix()}" in [{table or "tool.docs-sitemap.check"}]'
    note(f"{file}: wrote {number}.{part} Use it: --baseline {file}, or {setting}.")


def _print(result: Result, folder: Path, format_: str, all_findings: bool) -> None:
    from docs_sitemap.check import reporters

    if format_ in ("text", "github"):
        pieces = reporters.as_text(result, _root(folder), all_findings=all_findings, color=wants_color())
        if format_ == "github":
            top, path = os.environ.get("GITHUB_WORKSPACE") or os.getcwd(), Path(os.path.abspath(folder))
            folder = path.relative_to(top) if path.is_relative_to(top) else path
            pieces = chain(pieces, reporters.as_annotations(result, _root(folder)))
    else:
        formats = {"json": reporters.as_json, "sarif": reporters.as_sarif, "junit": reporters.as_junit}
        pieces = formats[format_](result)
    for piece in pieces:  # not held together: a site may have 100 MB of them
        sys.stdout.buffer.write(piece.encode("utf-8", "backslashreplace"))


def _root(folder: Path) -> str:
    return "" if folder == Path() else f"{folder.as_posix().rstrip('/')}/"
