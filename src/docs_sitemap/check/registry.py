"""The rules by id: each is a function, with a title and an explanation for users."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from docs_sitemap.check.finding import Finding, Found, Level
from docs_sitemap.limits import MAX_LOC

Check = Callable[[Any], Iterator[Found]]
"""A rule's function: it gets the ``Site``, or what a server answered if the rule reads the web."""

FEW = 5
"""Up to this number, findings with the same cause are reported one by one."""

_LONGEST: Final = 500
"""Characters of a message: the rest is cut."""

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
        for found in self._merged(self.check(site)):
            level, message, url = found.level or self.level, found.message, found.url
            yield Finding(
                self.id, level, url and _cut(url, MAX_LOC), found.file, _cut(message, _LONGEST), found.line
            )

    def _merged(self, found: Iterable[Found]) -> Iterator[Found]:
        """Merge findings with the same cause, so that a wrong site-wide setting is reported once."""
        by_cause: dict[Hashable, list[Found]] = {}
        for finding in found:
            if finding.cause is None:
                yield finding
            else:
                by_cause.setdefault(finding.cause, []).append(finding)
        for cause, findings in by_cause.items():
            if len(findings) > FEW:
                first = findings[0]
                message = self.together.format(cause=cause, count=len(findings), first=first)
                yield Found(message, None, first.file, first.level)
            else:
                yield from findings


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


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
