"""The rules by their ids: each is one function, with what a user may read of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from docs_sitemap.check.finding import Finding, Found, Level
from docs_sitemap.check.site import Site
from docs_sitemap.limits import MAX_LOC, MAX_MESSAGE

Check = Callable[[Site], Iterator[Found]]

Reads = Literal["files", "pages", "links"]
"""What a rule asks for: sitemaps, robots.txt and names of files; or the pages' heads too; or their links."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``level`` is that of its findings where they do not say another one.

    ``title`` and ``explanation`` are plain text for people: a few words, and one paragraph.
    """

    id: str
    level: Level
    title: str
    explanation: str
    check: Check
    reads: Reads = "files"

    def findings(self, site: Site) -> Iterator[Finding]:
        """Yield what is wrong with a site by this rule."""
        for found in self.check(site):
            level = found.level or self.level
            url = None if found.url is None else _cut(found.url, MAX_LOC)
            yield Finding(self.id, level, url, found.file, _cut(found.message, MAX_MESSAGE), found.line)


def _cut(text: str, limit: int) -> str:
    """Return a text that has values of the site in it, short enough for people."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


class Rules(dict[str, Rule]):
    """All rules, in the order of their ids."""

    def add(
        self, rule_id: str, level: Level, title: str, explanation: str, *, reads: Reads = "files"
    ) -> Callable[[Check], Check]:
        """Make a rule of a function; white space in the explanation is folded."""

        def register(check: Check) -> Check:
            self[rule_id] = Rule(rule_id, level, title, " ".join(explanation.split()), check, reads)
            return check

        return register

    def arrange(self, order: Callable[[str], tuple[int, str]]) -> None:
        """Put the rules in an order of their ids."""
        rules = sorted(self.items(), key=lambda item: order(item[0]))
        self.clear()
        self.update(rules)

    def beginning(self, word: str) -> list[Rule]:
        """Return the rules whose id is a word or begins so, in any case; none for the empty word."""
        return [rule for name, rule in self.items() if word and name.startswith(word.upper())]

    def chosen(self, select: Iterable[str], ignore: Iterable[str]) -> list[Rule]:
        """Return the rules that begin with one of ``select`` and with none of ``ignore``, in their order.

        Without ``select`` all are chosen.
        """
        wanted = {rule.id for word in select for rule in self.beginning(word)} or set(self)
        unwanted = {rule.id for word in ignore for rule in self.beginning(word)}
        return [rule for name, rule in self.items() if name in wanted - unwanted]


RULES = Rules()
