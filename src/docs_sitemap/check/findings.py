"""Findings, the rules that make them, and the baseline of those that are known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from docs_sitemap.limits import MAX_LOC, MAX_MESSAGE
from docs_sitemap.published.finder import Child
from docs_sitemap.readers.data import read_json
from docs_sitemap.text import cut

Level = Literal["error", "warning", "info"]
LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "info")
"""The most severe first."""

FEW = 5
"""Up to this number, findings with the same cause are reported one by one."""

DOCS: Final = "https://docs-sitemap.readthedocs.io/"
"""The documentation of all rules, options and commands."""

_NUMBER: Final = re.compile(r"[0-9][0-9,]*")


class Found(NamedTuple):
    """What a rule yields; ``level`` and ``fix`` are set only if they differ from the rule's.

    ``url`` is the URL concerned, and ``file`` the file in the site's folder to fix or to inspect; either
    may be missing. ``line`` counts from 1. Findings with the same ``cause`` are merged if there are many of
    them; those without one never are.
    """

    message: str
    url: str | None = None
    file: str | None = None
    level: Level | None = None
    line: int | None = None
    cause: Hashable = None
    fix: str = ""


def in_index(child: Child, message: str, *, cause: Hashable = None, fix: str = "") -> Found:
    """Return a finding about a sitemap, at its line in the index."""
    return Found(message, child.entry.loc, child.index.name, line=child.entry.line, cause=cause, fix=fix)


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, with the id of the rule that found it, and what to do."""

    id: str
    level: Level
    url: str | None
    file: str | None
    message: str
    line: int | None = None
    fix: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """The identity of the problem across builds; the message is part of it only if there is no URL.

        Numbers in the message are ignored: they change with each page that is added.
        """
        text = "" if self.url else _NUMBER.sub("#", self.message)
        return (self.id, self.url or "", self.file or "", text)


Check = Callable[[Any], Iterator[Found]]
"""A rule's function: it gets the ``Site``, or what a server answered if the rule reads the web."""

Reads = Literal["files", "pages", "links", "web"]
"""What a rule needs: sitemaps, robots.txt and file names; page heads too; page links too; or a server."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. ``level`` is the default level of its findings.

    ``title`` (a few words), ``explanation`` (one paragraph) and ``fix`` (one sentence: what to do) are plain
    text. ``together`` is the message of merged findings, in which ``cause``, their ``count`` and the
    ``first`` of them may be named.
    """

    id: str
    level: Level
    title: str
    explanation: str
    check: Check
    reads: Reads
    fix: str
    together: str = ""

    @property
    def help(self) -> str:
        """Its address in the documentation."""
        return f"{DOCS}check-rules/#{self.id.lower()}"

    def findings(self, site: object) -> Iterator[Finding]:
        """Yield the findings of this rule for a site."""
        for found in self._merged(self.check(site)):
            url, message = found.url and cut(found.url, MAX_LOC), cut(found.message, MAX_MESSAGE)
            fix = cut(found.fix or self.fix, MAX_MESSAGE)
            yield Finding(self.id, found.level or self.level, url, found.file, message, found.line, fix)

    def _merged(self, found: Iterable[Found]) -> Iterator[Found]:
        """Merge findings with the same cause, so that a wrong site-wide setting is reported once."""
        by_cause: dict[Hashable, list[Found]] = {}
        for finding in found:
            if finding.cause is None:
                yield finding
            else:
                by_cause.setdefault(finding.cause, []).append(finding)
        for cause, findings in by_cause.items():
            if len(findings) <= FEW:
                yield from findings
            else:
                first = findings[0]
                message = self.together.format(cause=cause, count=len(findings), first=first)
                yield Found(message, None, first.file, first.level, fix=first.fix)


class Rules(dict[str, Rule]):
    """All rules, in the order of their ids."""

    def add(
        self, rule_id: str, level: Level, title: str, reads: Reads = "files", **more: str
    ) -> Callable[[Check], Check]:
        """Register a function as a rule; its docstring is the explanation."""

        def register(check: Check) -> Check:
            explanation = " ".join((check.__doc__ or "").split())
            self[rule_id] = Rule(rule_id, level, title, explanation, check, reads, **more, **check.__dict__)
            return check

        return register

    def chosen(self, select: Iterable[str], ignore: Iterable[str] = ()) -> list[Rule]:
        """Return the rules whose ids start with a word of ``select`` but with none of ``ignore``, in order.

        Without ``select``, start from all rules. The words are in upper case; W1 names itself, not W10, too.
        """
        wanted, unwanted = self.named(tuple(select) or [""]), self.named(ignore)
        return [it for it in self.values() if it.id in wanted and it.id not in unwanted]

    def named(self, words: Iterable[str]) -> set[str]:
        """Return the ids that start with one of the words; a whole id names itself alone."""
        return {it for word in words for it in ([word] if word in self else self) if it.startswith(word)}


RULES = Rules()


def texts(**named: str) -> Callable[[Check], Check]:
    """Give the rule in the line above its ``fix`` or ``together``, if the line has no room for it."""

    def register(check: Check) -> Check:
        check.__dict__.update(named)
        return check

    return register


def offline(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules that need no server."""
    return [rule for rule in rules if rule.reads != "web"]


def findings_of(site: object, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield what the rules find."""
    for rule in rules:
        yield from rule.findings(site)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings sorted by level, id, fix and place."""

    def key(it: Finding) -> tuple[int | str, ...]:
        return LEVELS.index(it.level), it.id, it.fix, it.file or "", it.line or 0, it.url or "", it.message

    return sorted(findings, key=key)


@dataclass(slots=True)
class Result:
    """The findings, in order, and the number of HTML files and of listed URLs.

    ``asked`` is the number of URLs that a server was asked for, instead of that of files. ``failing`` are
    the levels of findings that let the check fail.
    """

    findings: list[Finding]
    rules: list[Rule]
    pages: int = 0
    urls: int = 0
    asked: int | None = None
    failing: tuple[str, ...] = ("error",)
    has_baseline: bool = False


_FIELDS: Final = ("id", "url", "file", "message")


def render_baseline(findings: Iterable[Finding]) -> bytes:
    """Render a baseline, sorted, one finding per line, so that diffs are readable."""
    keys = sorted({finding.key for finding in findings})
    lines = ",\n".join("  " + json.dumps(dict(zip(_FIELDS, key, strict=True))) for key in keys)
    return (f"[\n{lines}\n]\n" if lines else "[]\n").encode("ascii")


def parse_baseline(data: bytes) -> frozenset[tuple[str, ...]]:
    """Return the keys of the known findings. Raises ``ValueError`` if the data is not a baseline."""
    try:
        found = read_json(data)
    except ValueError:
        raise ValueError("expected JSON, as --write-baseline writes it") from None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise ValueError("expected a list of objects, as --write-baseline writes it")
    keys = [tuple(item.get(name) for name in _FIELDS) for item in found]
    if not all(isinstance(value, str) for key in keys for value in key):
        raise ValueError(f"expected {', '.join(_FIELDS)} in each object, as --write-baseline writes them")
    return frozenset(keys)
