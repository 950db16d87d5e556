"""The rules by id: each is a function, with a title and an explanation for users."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal

from docs_sitemap.check.finding import Finding, Found, Level
from docs_sitemap.limits import MAX_FINDINGS, MAX_FOUND, MAX_LOC, MAX_MESSAGE

Check = Callable[[Any], Iterator[Found]]
"""A rule's function: it gets the ``Site``, or what a server answered if the rule reads the web."""

FEW = 5
"""Up to this number, findings with the same cause are reported one by one."""

OMITTED: Final = f"the findings have more than {MAX_FOUND:,} characters: the rest is omitted"

Reads = Literal["files", "pages", "links", "web"]
"""What a rule needs: sitemaps, robots.txt and file names; page heads too; page links too; or a server."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. ``level`` is the default level of its findings.

    ``title`` (a few words) and ``explanation`` (one paragraph) are plain text. ``together`` is the message of
    merged findings, in which ``cause``, their ``count`` and the ``first`` of them may be named.
    """

    id: str
    level: Level
    title: str
    explanation: str
    check: Check
    reads: Reads = "files"
    together: str = ""

    def findings(self, site: object) -> Iterator[Finding]:
        """Yield the findings of this rule for a site."""
        findings = self._merged(map(_short, self.check(site)))
        for found in map(_short, islice(findings, MAX_FINDINGS)):
            yield Finding(
                self.id, found.level or self.level, found.url, found.file, found.message, found.line
            )
        if next(findings, None):
            text = f"more than {MAX_FINDINGS:,} findings: the rest is omitted"
            yield Finding(self.id, self.level, None, None, text)

    def _merged(self, found: Iterable[Found]) -> Iterator[Found]:
        """Merge findings with the same cause, so that a wrong site-wide setting is reported once."""
        first: dict[Hashable, list[Found]] = {}
        counts: Counter[Hashable] = Counter()
        size = 0  # of those that are kept
        for finding in found:
            cause = finding.cause
            if cause is None:
                yield finding
            elif cause in first or (len(first) <= MAX_FINDINGS and size <= MAX_FOUND):
                counts[cause] += 1
                if counts[cause] <= FEW and size <= MAX_FOUND:  # there may be a million
                    first.setdefault(cause, []).append(finding._replace(cause=None))
                    size += _size(finding)
        for cause, findings in first.items():
            if counts[cause] > FEW:
                message = self.together.format(cause=cause, count=counts[cause], first=findings[0])
                yield Found(message, None, findings[0].file, findings[0].level)
            else:
                yield from findings
        if size > MAX_FOUND:
            yield Found(OMITTED)


def _short(found: Found) -> Found:
    """Cut what a finding says: thousands are kept, and a URL of a megabyte may be in each."""
    message, url = found.message, found.url
    if len(message) > MAX_MESSAGE:
        message = message[: MAX_MESSAGE - 1] + "…"
    if url and len(url) > MAX_LOC:
        url = _cut(url)
    return found._replace(message=message, url=url, cause=_short_cause(found.cause))


def _size(found: Found) -> int:
    """Return the bytes of what is kept: one character may make each take four."""
    texts = [found.message, found.url or "", found.cause]
    if isinstance(found.cause, tuple):
        texts += found.cause
    return sum(sys.getsizeof(text) for text in texts if isinstance(text, str))


def _short_cause(cause: Hashable) -> Hashable:
    """Cut a cause to what a message shows of it; another one stays another one."""
    if isinstance(cause, tuple):
        return tuple(map(_short_cause, cause))
    if isinstance(cause, str) and len(cause) > MAX_MESSAGE:
        return f"{cause[:MAX_MESSAGE]}{hash(cause)}"
    return cause


@lru_cache(maxsize=8)
def _cut(url: str) -> str:
    """Shorten a long URL; cached, so that all findings about it share one string."""
    return url[: MAX_LOC - 1] + "…"


class Rules(dict[str, Rule]):
    """All rules, in the order of their ids."""

    def add(
        self,
        rule_id: str,
        level: Level,
        title: str,
        explanation: str,
        *,
        reads: Reads = "files",
        together: str = "",
    ) -> Callable[[Check], Check]:
        """Register a function as a rule; white space in the explanation is folded."""

        def register(check: Check) -> Check:
            text = " ".join(explanation.split())
            self[rule_id] = Rule(rule_id, level, title, text, check, reads, together)
            return check

        return register

    def chosen(self, select: Iterable[str], ignore: Iterable[str] = ()) -> list[Rule]:
        """Return the rules whose ids start with a word of ``select`` but with none of ``ignore``, in order.

        Without ``select``, start from all rules. The words are in upper case.
        """
        wanted, unwanted = tuple(select) or "", tuple(ignore)
        return [it for it in self.values() if it.id.startswith(wanted) and not it.id.startswith(unwanted)]


RULES = Rules()


def offline(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules that need no server."""
    return [rule for rule in rules if rule.reads != "web"]
