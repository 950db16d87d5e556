"""Render a report as one HTML page without requests; the script only adds sorting. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from docs_sitemap.check import Finding
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.report import plot
from docs_sitemap.report.facts import Facts, RuleFindings
from docs_sitemap.report.plot import Markup, join, tag, with_code
from docs_sitemap.text import and_more, counted, cut
from docs_sitemap.timestamps import instant

_STYLE, _SCRIPT = (
    "\n" + Path(__file__).with_name(name).read_text("utf-8") for name in ("report.css", "report.js")
)


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_POLICY: Final = (
    f"default-src 'none'; style-src {_hashed(_STYLE)}; script-src {_hashed(_SCRIPT)}; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Content Security Policy: no requests, and only this style and this script, by their hashes (CSP 3)."""

ROWS: Final = 50
"""The maximum number of rows in a table."""

EXAMPLES: Final = 5
"""The maximum number of messages per rule, and of places per message."""

_MONTHS: Final = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
"""Not from ``strftime``, whose names depend on the machine's language."""


def render_report(facts: Facts) -> bytes:
    """Render the page. The same facts give the same bytes."""
    title = f"Report on {cut(facts.base)}" if facts.base else "Report on a site"
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="robots", content="noindex"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("link", rel="icon", href="data:,"),
        tag("title", title),
        tag("style", Markup(_STYLE)),
    ]
    body = [tag("h1", title), *_summary(facts), *_findings(facts), *_undated(facts)]
    body += () if facts.same_dates else (*_ages(facts), *_oldest(facts))
    body += _changes(facts)
    parts = [
        Markup("<!DOCTYPE html>"),
        Markup('<html lang="en">'),
        tag("head", *head),
        tag("body", tag("main", join(body, "\n")), tag("script", Markup(_SCRIPT))),
        Markup("</html>\n"),
    ]
    return join(parts, "\n").encode("utf-8")


def _summary(facts: Facts) -> Iterator[Markup]:
    errors, warnings = facts.count("error"), facts.count("warning")
    if errors:
        verdict = "This site has errors. Fix them first: they can keep pages out of search engines."
    elif warnings:
        first = facts.findings[0]
        verdict = f"This site has no errors, but {counted(warnings, 'warning')}. "
        verdict += f"Begin with {first.rule.id}: {cut(first.findings[0].fix)}"
    elif facts.undated:
        verdict = "This site has neither errors nor warnings. Some pages have no usable date."
    elif facts.dated:
        verdict = "This site is healthy: it has neither errors nor warnings, and each page has a date."
    else:
        verdict = "This site lists no page."
    yield tag("p", with_code(verdict), class_="verdict")
    dated = [] if facts.same_dates else facts.dated
    listed = len(facts.dated) + len(facts.undated)
    numbers = [
        ("Errors", _jump(errors, "findings")),
        ("Warnings", _jump(warnings, "findings")),
        ("No usable date", _jump(listed - len(dated), "undated")),
        ("Pages listed", f"{listed:,}"),
    ]
    if dated:
        numbers += [("Newest", _day(dated[-1].when)), ("Oldest", _day(dated[0].when))]
        numbers += [("Median age", counted(dated[(len(dated) - 1) // 2].days, "day"))]
    if facts.changes is not None:
        numbers += [("Changes", _jump(facts.changes.total, "changes"))]
    yield tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in numbers))
    names = ", ".join(map(cut, facts.sitemaps[:3])) + and_more(len(facts.sitemaps) - 3)
    made = "This report is made from"
    start = f"{made} {names} and" if names else f"No sitemap was found. {made}"
    text = f"{start} {counted(facts.files, 'HTML file')}."
    if dated:
        text += f" Ages count from {numbers[4][1]}, the newest date in the sitemap, and not from today."
    yield tag("p", text)


def _jump(count: int, to: str) -> str:
    return tag("a", f"{count:,}", href=f"#{to}") if count else "0"


def _findings(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "Findings", id="findings")
    if not facts.findings:
        yield tag("p", with_code("`docs-sitemap check` finds nothing."))
        return
    total = sum(len(each.findings) for each in facts.findings)
    caption = f"{counted(total, 'finding')} of `docs-sitemap check`, the most severe first."
    bodies = join((_of_rule(each, facts.base) for each in facts.findings), "\n")
    messages = (Counter(it.message for it in each.findings) for each in facts.findings)
    if any(max(len(found), *found.values()) > EXAMPLES for found in messages):
        caption += " `docs-sitemap check --all` shows each of them."
    heads = tag("tr", *(tag("th", it, scope="col") for it in ("Level", "Rule", "Where", "What", "Fix")))
    yield tag("table", tag("caption", with_code(caption)), tag("thead", heads), bodies, class_="findings")


def _of_rule(found: RuleFindings, base: str) -> Markup:
    """Return the rows of a rule: one for each message, with the places that have it."""
    by_message: dict[str, list[Finding]] = {}
    for finding in found.findings:
        by_message.setdefault(finding.message, []).append(finding)
    shown = list(by_message.items())[:EXAMPLES]
    rows = [[tag("td", *_places(them, base)), tag("td", cut(message))] for message, them in shown]
    if left := len(found.findings) - sum(len(them) for _, them in shown):
        rows += [[tag("td", and_more(left), colspan=2)]]
    rule, span = found.rule, len(rows)
    name = tag("a", rule.id, href=rule.help, rel="noreferrer"), f" {rule.title}"
    rows[0] = [
        tag("td", tag("span", found.level, class_=found.level), rowspan=span, class_="level"),
        tag("th", *name, rowspan=span, scope="rowgroup"),
        *rows[0],
        tag("td", with_code(cut(found.findings[0].fix)), rowspan=span, class_="fix"),
    ]
    return tag("tbody", join((tag("tr", *row) for row in rows), "\n"))


def _places(findings: Sequence[Finding], base: str) -> Iterator[Markup]:
    for it in findings[:EXAMPLES]:
        file = cut(it.file or "the site") + (f":{it.line}" if it.line else "")
        if it.url is None:
            yield tag("div", file)
        else:
            place = tag("small", f" {file}") if it.line else ""
            yield tag("div", _link(it.url, base), place)
    if left := len(findings) - EXAMPLES:
        yield tag("div", and_more(left))


def _undated(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "Pages without a usable date", id="undated")
    count = len(facts.undated)
    if facts.same_dates:
        first, last = _day(facts.dated[0].when), _day(facts.dated[-1].when)
        days = first if first == last else f"{first} to {last}"
        text = (
            f"All {len(facts.dated):,} dates are those of the build ({days}): none of them tells when a page"
        )
        yield tag("p", f"{text} changed. {facts.same_dates}")
    elif not count:
        yield tag("p", "Each page has a date." if facts.dated else "No page is listed.")
    if not count:
        return
    reasons = Counter(page.why for page in facts.undated)  # sorted by reason, so that equal counts are
    causes = (
        _row(_sentence(why.text), tag("td", _sentence(why.fix or "nothing to do")), _number(pages))
        for why, pages in reasons.most_common()
    )
    heads = {"Cause": None, "Fix": None, "Pages": "number"}
    yield _table("Why these pages have no usable date.", heads, causes, len(reasons))
    rows = (
        _row(_link(url, facts.base), tag("td", why.text + (f": {cut(date, 40)}" if date else "")))
        for url, why, date in facts.undated
    )
    caption = f"{counted(count, 'page')} without a usable date."
    yield _table(caption, {"Page": None, "Cause": None}, rows, count, sorted_by="Cause")


def _ages(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "How old the pages are", id="ages")
    if not facts.dated:
        yield tag("p", "No page has a usable date.")
        return
    ages = plot.count_ages([page.when for page in facts.dated])
    newest = _time(facts.dated[-1].when)
    if len(ages.counts) == 1:
        count = counted(len(facts.dated), "page")
        yield tag("p", f"{count} changed in the month before ", newest, ": a plot would be a single bar.")
        return
    others = f" It leaves out {counted(len(facts.undated), 'page')} without a usable date."
    text = f"This plot counts pages by the {ages.unit}s between their date and the newest, "
    yield tag("p", text, newest, ".", others if facts.undated else "")
    yield plot.draw(ages)
    rows = [
        _row(ages.name(age), _number(pages), key=f"{age:02}")
        for age, pages in enumerate(ages.counts)
        if pages
    ]
    heads = {"Age": None, "Pages": "number"}
    table = _table("How many pages have which age.", heads, rows, len(rows), sorted_by="Age")
    yield tag("details", tag("summary", "The same numbers as a table"), table)


def _oldest(facts: Facts) -> Iterator[Markup]:
    older = [page for page in facts.dated if page.days]
    if not older:
        return
    yield tag("h2", "The oldest pages", id="oldest")
    rows = (_row(_link(url, facts.base), _day_cell(when), _number(days)) for url, when, days in older)
    caption = "The pages that have not changed for the longest time."
    heads = {"Page": None, "Last changed": "date", "Days older": "number"}
    yield _table(caption, heads, rows, len(older), sorted_by="Last changed")


def _changes(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "Changes since the older sitemap", id="changes")
    changes, base = facts.changes, facts.base
    if changes is None:
        text = "Not known. Keep a copy of this sitemap, and give it to the next report with `--previous`."
        other = f"{cut(facts.since)} has no page in common with this sitemap: is it that of another site?"
        yield tag("p", other) if facts.since else tag("p", with_code(text))
        return
    day = f", whose newest date is {_day(facts.since_day)}" if facts.since_day else ""
    yield tag("p", f"Since {cut(facts.since)}{day}.")
    if not changes.total:
        yield tag("p", "None: the same pages have the same dates.")
        return
    for what, urls in (("added", changes.added), ("removed", changes.removed)):
        if urls:
            caption = f"{counted(len(urls), 'page')} {what}."
            rows = (_row(_link(url, base)) for url in urls)
            rest = f"in the {'older ' if what == 'removed' else ''}sitemap"
            yield _table(caption, {"Page": None}, rows, len(urls), sorted_by="Page", rest=rest)
    if changes.changed:
        caption = f"{counted(len(changes.changed), 'page')} with another date."
        heads = {"Page": None, "Was": "date", "Is": "date"}
        rows = (_row(_link(url, base), *map(_date, dates)) for url, *dates in changes.changed)
        yield _table(caption, heads, rows, len(changes.changed), sorted_by="Page")


def _table(
    caption: str,
    heads: Mapping[str, str | None],
    rows: Iterable[Markup],
    count: int,
    *,
    sorted_by: str = "",
    rest: str = "in the sitemap",
) -> Markup:
    """Return a table of the first rows; its caption, a sentence, gives the number of others and their place.

    ``heads`` have the classes of columns by title; ``sorted_by`` is the one by which the rows are sorted.
    """
    if count > ROWS:
        caption += f" {count - ROWS:,} more are {rest}."
    order = {sorted_by: "ascending"}
    cells = (tag("th", it, scope="col", class_=heads[it], aria_sort=order.get(it)) for it in heads)
    head, body = tag("thead", tag("tr", *cells)), tag("tbody", join(islice(rows, ROWS), "\n"))
    class_ = "sortable cards" if {"Fix", "Was"} & heads.keys() else "sortable"  # cards on a phone
    return tag("table", tag("caption", caption), head, body, class_=class_)


def _row(head: str, *cells: Markup, key: str | None = None) -> Markup:
    """Return a row, which is sorted by ``key`` instead of its head."""
    return tag("tr", tag("th", head, scope="row", data_key=key), *cells)


def _number(value: int) -> Markup:
    return tag("td", f"{value:,}", class_="number", data_key=value)


def _link(url: str, base: str) -> Markup:
    """Link only to http(s), so that no URL can be a script; what all pages share is quiet."""
    text = join([cut(url)])
    if base and base != url and url.startswith(base):
        text = join([tag("span", base, class_="base"), cut(url.removeprefix(base))])
    is_link = url.startswith(("https://", "http://")) and len(url) <= MAX_LOC
    return tag("a", text, href=url, rel="noreferrer") if is_link else text


def _date(lastmod: str | None) -> Markup:
    """Return the cell of a date of a sitemap: its time too, because two may be of the same day."""
    moment = instant(lastmod or "")
    if not lastmod or moment is None:
        return tag("td", cut(lastmod or "no date", 40), class_="date long")
    clock = f", {moment:%H:%M} UTC" if "T" in lastmod else ""
    return tag("td", _time(moment, clock), class_="date long")


def _day_cell(moment: datetime) -> Markup:
    return tag("td", _time(moment), class_="date")


def _sentence(text: str) -> Markup:
    return with_code(f"{text[0].upper()}{text[1:]}.")


def _time(moment: datetime, clock: str = "") -> Markup:
    return tag("time", _day(moment) + clock, datetime=moment.isoformat())


def _day(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
