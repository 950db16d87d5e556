"""Format findings as text for people, and as JSON, SARIF and JUnit for tools. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, Final
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from docs_sitemap import __version__
from docs_sitemap.check.findings import LEVELS, Finding, Result, Rule
from docs_sitemap.text import counted, escape_control, escape_json

_SHOWN: Final = 5
"""How many findings of each rule the text shows by default."""

_NO_FILE: Final = "sitemap.xml"
"""The location of findings that are about no single file."""

_SARIF_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}


def as_text(result: Result, *, all_findings: bool = False) -> Iterator[str]:
    """Yield text: the findings by rule, as they are sorted, the first few of each, and a summary."""
    rules = {rule.id: rule for rule in result.rules}
    for rule_id, group in groupby(result.findings, attrgetter("id")):
        findings = list(group)
        yield f"{findings[0].level} {rule_id} {rules[rule_id].title} ({len(findings):,})\n"
        shown = findings if all_findings or len(findings) <= _SHOWN + 1 else findings[:_SHOWN]
        yield from (f"  {_line(finding)}\n" for finding in shown)
        if len(shown) < len(findings):
            yield f"  ... and {len(findings) - len(shown):,} more (--all shows them)\n"
        yield "\n"
    yield _summary(result) + "\n"


def _line(finding: Finding) -> str:
    where = finding.url or finding.file or ""
    also = f" ({finding.file})" if finding.url and finding.file else ""
    return escape_control(f"{where}{also}: {finding.message}" if where else finding.message)


def _summary(result: Result) -> str:
    counts = [sum(finding.level == level for finding in result.findings) for level in LEVELS]
    total = ", ".join(
        f"{count:,} {level if count == 1 or level == 'info' else level + 's'}"
        for level, count in zip(LEVELS, counts, strict=True)
        if count
    )
    read = f"{result.pages:,} HTML files" if result.asked is None else f"{result.asked:,} asked for"
    return f"{total or 'Nothing to report'}: {counted(result.urls, 'URL')} in the sitemaps, {read}."


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
        "informationUri": "https://www.sitemaps.org/protocol.html",
        "rules": [_sarif_rule(rule) for rule in result.rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    start, _, end = json.dumps(log, indent=2).rpartition("]\n    }")
    before = f"{start}\n        "
    for finding in result.findings:
        yield escape_json(before + json.dumps(_sarif_result(finding, order[finding.id])))
        before = ",\n        "
    yield "\n      " if result.findings else start
    yield f"]\n    }}{end}\n"


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
    text = f"{finding.url}: {finding.message}" if finding.url else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": rule_index,
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": f"{text}. {finding.fix}"},
        "partialFingerprints": {"docsSitemap/v1": "|".join(finding.key)},
    }
    # a service refuses all results if one has no location (GitHub, "SARIF support", locations[])
    file = quote(finding.file or _NO_FILE, errors="surrogateescape")
    place: dict[str, Any] = {"artifactLocation": {"uri": file, "uriBaseId": "SITE"}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    result["locations"] = [{"physicalLocation": place}]
    return result


def as_junit(result: Result) -> Iterator[str]:
    """Yield JUnit XML: one test per rule, which fails as the check does; other findings are in its output."""
    by_id: dict[str, list[Finding]] = {rule.id: [] for rule in result.rules}
    for finding in result.findings:
        by_id[finding.id].append(finding)
    failed = sum(any(it.level in result.failing for it in findings) for findings in by_id.values())
    counts = f'tests="{len(by_id)}" failures="{failed}" errors="0" skipped="0"'
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="docs-sitemap check" {counts}>\n'
        f'<testsuite name="docs-sitemap check" {counts}>\n'
    )
    for rule in result.rules:
        yield from _junit_case(rule, by_id[rule.id], result.failing)
    yield "</testsuite>\n</testsuites>\n"


def _junit_case(rule: Rule, findings: list[Finding], failing: tuple[str, ...]) -> Iterator[str]:
    yield f'<testcase classname="docs-sitemap.check" name={quoteattr(f"{rule.id} {rule.title}")}>'
    errors = [finding for finding in findings if finding.level in failing]
    others = [finding for finding in findings if finding.level not in failing]
    if errors:
        message = quoteattr(_line(errors[0]) if len(errors) == 1 else f"{len(errors):,} findings")
        yield f"\n<failure type={quoteattr(rule.id)} message={message}>"
        yield escape("\n".join(map(_line, errors)))
        yield "</failure>\n"
    if others:
        yield "\n<system-out>"
        yield escape("\n".join(f"{finding.level}: {_line(finding)}" for finding in others))
        yield "</system-out>\n"
    yield "</testcase>\n"
