"""Format findings as text for people, and as JSON, SARIF, JUnit and annotations for tools. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import Any, Final
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape, quoteattr

from docs_sitemap import __version__
from docs_sitemap.check.findings import DOCS, LEVELS, Finding, Result, Rule
from docs_sitemap.text import counted, escape_control, escape_json

_SHOWN: Final = 5
"""How many findings of each rule the text shows by default."""

_ANNOTATED: Final = 10
"""Annotations of each type that GitHub shows of a step (actions/toolkit, docs/problem-matchers.md, 2026)."""

_NO_FILE: Final = "sitemap.xml"
"""The location of findings that are about no single file."""

_SARIF_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_COMMANDS: Final = {"error": "error", "warning": "warning", "info": "notice"}

_STYLES: Final = {"error": "1;31", "warning": "1;33", "info": "1;34", "id": "1", "place": "36", "fix": "32"}
"""What is in color on a terminal, in the colors that each terminal has (ECMA-48, SGR)."""

Paint = Callable[[str, str], str]


def as_text(
    result: Result, root: str = "", *, all_findings: bool = False, color: bool = False
) -> Iterator[str]:
    """Yield text: the findings by rule, as they are sorted, the first few of each, and a summary.

    ``root`` is the site's folder as seen from the current one, with a slash at its end, or empty.
    """
    paint = _in_color if color else _plain
    rules = {rule.id: rule for rule in result.rules}
    is_cut = False
    for (level, rule_id), group in groupby(result.findings, attrgetter("level", "id")):
        findings, rule = list(group), rules[rule_id]
        shown = findings if all_findings or len(findings) <= _SHOWN + 1 else findings[:_SHOWN]
        is_cut |= len(shown) < len(findings)
        yield f"{paint(level, level)} {paint(rule_id, 'id')} {paint(rule.title, 'id')} ({len(findings):,})\n"
        for finding, after in zip_longest(shown, shown[1:]):
            yield f"  {_line(finding, root, paint)}\n"
            if after is None and len(shown) < len(findings):
                yield f"  ... and {len(findings) - len(shown):,} more\n"
            if after is None or after.fix != finding.fix:
                yield f"  {paint('Fix:', 'fix')} {escape_control(finding.fix)}\n"
        yield f"  {rule.help}\n\n"
    yield _summary(result, paint) + "\n"
    if result.findings:
        yield _next_steps(result, is_cut=is_cut) + "\n"


def _plain(text: str, _: str) -> str:
    return text


def _in_color(text: str, style: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def _line(finding: Finding, root: str = "", paint: Paint = _plain) -> str:
    """Return a finding in one line: the place first, in a form that terminals and editors open."""
    file = _path(finding, root) or ("" if finding.url else root)
    place = f"{file}:{finding.line}" if file and finding.line else file
    first, *others = map(escape_control, filter(None, (place, finding.url, finding.message)))
    return ": ".join((paint(first, "place") if others else first, *others))


def _path(finding: Finding, root: str) -> str:
    """Return the path or the URL of the finding's file."""
    return f"{'' if '://' in (finding.file or '') else root}{finding.file}" if finding.file else ""


def _message(finding: Finding) -> str:
    return f"{finding.url}: {finding.message}" if finding.url else finding.message


def _summary(result: Result, paint: Paint) -> str:
    counts = [sum(finding.level == level for finding in result.findings) for level in LEVELS]
    total = ", ".join(
        paint(f"{count:,} {level if count == 1 or level == 'info' else level + 's'}", level)
        for level, count in zip(LEVELS, counts, strict=True)
        if count
    )
    read = counted(result.pages, "HTML file") if result.asked is None else f"{result.asked:,} asked for"
    total = total or paint("Nothing to report", "fix")
    return f"{total}: {counted(result.urls, 'URL')} in the sitemaps, {read}."


def _next_steps(result: Result, *, is_cut: bool) -> str:
    worst = result.findings[0]
    can_accept = worst.level in ("warning", *result.failing) and not result.has_baseline
    steps = ["See all findings: --all."] if is_cut else []
    steps += [f"Read about a rule: --explain {worst.id}."]
    steps += ["Accept what is found: --write-baseline FILE."] if can_accept else []
    return " ".join(steps)


def as_annotations(result: Result, root: str = "") -> Iterator[str]:
    """Yield commands for GitHub Actions, up to the limit for each level: one of each rule, then a second.

    ``root`` is the site's folder as seen from the repository's, with a slash at its end, or empty. Built
    files are rarely in the repository: GitHub then shows the annotation in the run's summary only.
    """
    rules, left = {rule.id: rule for rule in result.rules}, 0
    for _, of_level in groupby(result.findings, attrgetter("level")):
        by_rule = [list(group) for _, group in groupby(of_level, attrgetter("id"))]
        findings = [finding for row in zip_longest(*by_rule) for finding in row if finding]
        left += max(0, len(findings) - _ANNOTATED)
        yield from (_command(it, rules[it.id], root) for it in findings[:_ANNOTATED])
    if left:
        yield f"GitHub shows {_ANNOTATED} annotations of each level: {left:,} findings have none.\n"


def _command(finding: Finding, rule: Rule, root: str) -> str:
    """Return a command with GitHub's escapes (actions/toolkit, packages/core/src/command.ts)."""
    values = {"file": _path(finding, root), "line": finding.line, "title": f"{rule.id} {rule.title}"}
    escapes = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
    more = str.maketrans({":": "%3A", ",": "%2C"})
    shown = {name: escape_control(str(value)).translate(escapes) for name, value in values.items() if value}
    named = ",".join(f"{name}={value.translate(more)}" for name, value in shown.items())
    texts = map(escape_control, (_message(finding), f"Fix: {finding.fix}", rule.help))
    text = "\n".join(texts).translate(escapes)
    return f"::{_COMMANDS[finding.level]} {named}::{text}\n"


def as_json(result: Result) -> Iterator[str]:
    """Yield a list of objects with the fields of a finding, and the rule's address; some may be null."""
    pages = {rule.id: rule.help for rule in result.rules}
    names = ("id", "level", "url", "file", "line", "message", "fix")
    found = [{name: getattr(it, name) for name in names} | {"help": pages[it.id]} for it in result.findings]
    yield escape_json(json.dumps(found, indent=2)) + "\n"


def as_sarif(result: Result) -> Iterator[str]:
    """Yield SARIF 2.1.0 (OASIS), for code scanning services; files are relative to the site.

    Each result is one line, which is written in a tenth of the time.
    """
    order = {rule.id: number for number, rule in enumerate(result.rules)}
    driver = {
        "name": "docs-sitemap",
        "semanticVersion": __version__,
        "informationUri": DOCS,
        "rules": [_sarif_rule(rule) for rule in result.rules],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": []}
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    start, bracket, end = json.dumps(log, indent=2).rpartition("]\n    }")
    yield start
    before = "\n        "
    for finding in result.findings:
        yield escape_json(before + json.dumps(_sarif_result(finding, order[finding.id])))
        before = ",\n        "
    yield ("\n      " if result.findings else "") + f"{bracket}{end}\n"


def _sarif_rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": "".join(re.findall("[A-Za-z0-9]+", rule.title.title())),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": f"{rule.explanation} {rule.fix}"},
        "helpUri": rule.help,
        "defaultConfiguration": {"level": _SARIF_LEVELS[rule.level]},
    }


def _sarif_result(finding: Finding, rule_index: int) -> dict[str, Any]:
    # a service refuses all results if one has no location (GitHub, "SARIF support", locations[])
    file = finding.file or _NO_FILE
    uri = urlsplit(file).path[1:] if "://" in file else quote(file, errors="surrogateescape")
    place: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": "SITE"}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.id,
        "ruleIndex": rule_index,
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": f"{_message(finding)}. {finding.fix}"},
        "partialFingerprints": {"docsSitemap/v1": "|".join(finding.key)},
        "locations": [{"physicalLocation": place}],
    }


def as_junit(result: Result) -> Iterator[str]:
    """Yield JUnit XML: one test per rule, which fails as the check does; other findings are in its output."""
    by_id: dict[str, list[Finding]] = {rule.id: [] for rule in result.rules}
    for finding in result.findings:
        by_id[finding.id].append(finding)
    failed = sum(any(it.level in result.failing for it in findings) for findings in by_id.values())
    counts = f'tests="{len(by_id)}" failures="{failed}" errors="0" skipped="0"'
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield from (f'<{tag} name="docs-sitemap check" {counts}>\n' for tag in ("testsuites", "testsuite"))
    for rule in result.rules:
        yield from _junit_case(rule, by_id[rule.id], result.failing)
    yield "</testsuite>\n</testsuites>\n"


def _junit_case(rule: Rule, findings: list[Finding], failing: tuple[str, ...]) -> Iterator[str]:
    yield f'<testcase classname="docs-sitemap.check" name={quoteattr(f"{rule.id} {rule.title}")}>'
    errors = [finding for finding in findings if finding.level in failing]
    others = [finding for finding in findings if finding.level not in failing]
    if errors:
        message = quoteattr(_line(errors[0]) if len(errors) == 1 else f"{len(errors):,} findings")
        text = "\n".join(f"{_line(it)}. {escape_control(it.fix)}" for it in errors)
        yield f"\n<failure type={quoteattr(rule.id)} message={message}>{escape(text)}</failure>\n"
    if others:
        text = "\n".join(f"{it.level}: {_line(it)}. {escape_control(it.fix)}" for it in others)
        yield f"\n<system-out>{escape(text)}</system-out>\n"
    yield "</testcase>\n"
