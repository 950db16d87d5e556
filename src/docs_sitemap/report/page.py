"""Render a report as one HTML page without requests; the script only adds sorting. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.changes import Changes
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.report import plot
from docs_sitemap.report.facts import Dated, Facts, Release, RuleFindings
from docs_sitemap.report.plot import Markup, join, shorten, tag, with_code
from docs_sitemap.text import counted

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
"""The maximum number of findings per rule; ``docs-sitemap check --all`` shows all."""


class Column(NamedTuple):
    """The head of a column, its class, and whether the rows are sorted by it."""

    title: str
    class_: str | None = None
    sorted_: bool = False


def render_report(facts: Facts) -> bytes:
    """Render the page. The same facts give the same bytes."""
    title = f"Report on {shorten(facts.base)}" if facts.base else "Report on a site"
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
    body = [tag("h1", title), *_summary(facts), *_ages(facts), *_stalest(facts), *_undated(facts)]
    body += [*_findings(facts), *_over_time(facts.releases), *_changes(facts.changes)]
    parts = [
        Markup("<!DOCTYPE html>"),
        Markup('<html lang="en">'),
        tag("head", *head),
        tag("body", tag("main", join(body, "\n")), tag("script", Markup(_SCRIPT))),
        Markup("</html>\n"),
    ]
    return join(parts, "\n").encode("utf-8")


def _summary(facts: Facts) -> Iterator[Markup]:
    count = len(facts.dated) + len(facts.undated)
    names = ", ".join(map(shorten, facts.sitemaps[:3]))
    more = f" and {len(facts.sitemaps) - 3:,} more" if len(facts.sitemaps) > 3 else ""
    read = f"Read: {names}{more}" if names else "No sitemap was found"
    yield tag(
        "p", f"{read}; {counted(facts.files, 'HTML file')}. Ages count from the newest date of the site."
    )
    numbers: list[tuple[str, str]] = [("Pages listed", f"{count:,}")]
    if facts.dated:
        numbers += [
            ("Newest", _day(facts.dated[-1])),
            ("Oldest", _day(facts.dated[0])),
            ("Median age", counted(facts.dated[len(facts.dated) // 2].days, "day")),
        ]
    numbers += [
        ("Without a date", _jump(len(facts.undated), "undated")),
        ("Errors", _jump(facts.count("error"), "findings")),
        ("Warnings", _jump(facts.count("warning"), "findings")),
    ]
    if facts.changes is not None:
        numbers += [("Changes", _jump(facts.changes.total, "changes"))]
    yield tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in numbers))


def _jump(count: int, to: str) -> Markup:
    return tag("a", f"{count:,}", href=f"#{to}")


def _ages(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "How old the pages are", id="ages")
    if not facts.dated:
        yield tag("p", "No page has a date.")
        return
    ages = plot.count_ages(page.when for page in facts.dated)
    newest = tag("time", _day(facts.dated[-1]))
    yield tag("p", f"{counted(len(facts.dated), 'page')} by age; the newest is from ", newest, ".")
    yield plot.draw(ages)
    head = tag("thead", tag("tr", tag("th", "Age", scope="col"), _head(Column("Pages", "number"))))
    table = tag("table", tag("caption", "Pages by age"), head, tag("tbody", plot.as_rows(ages)))
    yield tag("details", tag("summary", "The same numbers as a table"), table)


def _stalest(facts: Facts) -> Iterator[Markup]:
    if not facts.dated:
        return
    yield tag("h2", "The stalest pages", id="stalest")
    columns = [Column("Page"), Column("Last changed", "date", sorted_=True), Column("Days older", "number")]
    rows = [
        [
            _page(page.url),
            _cell(tag("time", _day(page), datetime=page.when.isoformat()), "date"),
            _number(page.days),
        ]
        for page in facts.dated[:ROWS]
    ]
    yield _table("Pages, the longest unchanged first", columns, rows, len(facts.dated))


def _undated(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "Pages without a date", id="undated")
    if not facts.undated:
        yield tag("p", "Each page has a date.")
        return
    if not facts.has_history:
        yield tag("p", with_code("The reasons are unknown, because `--source-dir` was not given."))
    reasons = Counter(page.why for page in facts.undated)
    rows = [
        [_cell(why.text, head=True), _cell(with_code(why.fix)), _number(count)]
        for why, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    ]
    if facts.has_history or len(reasons) > 1:
        columns = [Column("Why"), Column("Fix"), Column("Pages", "number")]
        yield _table("Why pages have no date", columns, rows[:ROWS], len(rows))
    pages = [[_page(page.url), _cell(page.why.text)] for page in facts.undated[:ROWS]]
    columns = [Column("Page"), Column("Why", sorted_=True)]
    yield _table("Pages without a date", columns, pages, len(facts.undated))


def _findings(facts: Facts) -> Iterator[Markup]:
    yield tag("h2", "Findings", id="findings")
    if not facts.findings:
        yield tag("p", with_code("`docs-sitemap check` has nothing to report."))
        return
    yield tag(
        "p", with_code("The findings of `docs-sitemap check`; its option `--explain ID` explains a rule.")
    )
    columns = [Column("Rule"), Column("Level", sorted_=True), Column("What"), Column("Findings", "number")]
    rows = [
        [_cell(each.rule.id, head=True), _level(each), _cell(each.rule.title), _number(len(each.findings))]
        for each in facts.findings
    ]
    yield _table("Findings by rule, the most severe first", columns, rows, len(rows))
    examples = [
        [
            _cell(each.rule.id),
            _page(finding.url) if finding.url else _cell(shorten(finding.file or "the site"), head=True),
            _cell(shorten(finding.message)),
        ]
        for each in facts.findings
        for finding in each.findings[:EXAMPLES]
    ]
    caption = f"Examples, up to {EXAMPLES} per rule"
    columns = [Column("Rule"), Column("Where"), Column("What is wrong")]
    yield _table(caption, columns, examples, sum(len(each.findings) for each in facts.findings))


def _level(found: RuleFindings) -> Markup:
    key = {"error": "0", "warning": "1"}.get(found.level, "2")
    return tag("td", tag("span", found.level, class_=found.level), class_="level", data_key=key)


def _over_time(releases: Sequence[Release]) -> Iterator[Markup]:
    if len(releases) < 3:  # the changes since one older sitemap are shown page by page
        return
    yield tag("h2", "How fresh the site was over time", id="over-time")
    text = "The median age of the pages, in days before the newest date of each sitemap, the oldest first."
    yield tag("p", text)
    yield plot.draw_over_time([(f"{each.newest.date()}", each.days) for each in releases])
    columns = [
        Column("Sitemap"),
        Column("Newest date", "date", sorted_=True),
        Column("Pages", "number"),
        Column("With a date", "number"),
        Column("Median age in days", "number"),
    ]
    rows = [
        [
            _cell(shorten(each.name), head=True),
            _cell(tag("time", f"{each.newest.date()}", datetime=each.newest.isoformat()), "date"),
            *map(_number, (each.pages, each.dated, each.days)),
        ]
        for each in releases[-ROWS:]
    ]
    yield _table("Sitemaps", columns, rows, len(releases))


def _changes(changes: Changes | None) -> Iterator[Markup]:
    if changes is None:
        return
    yield tag("h2", "Changes since the older sitemap", id="changes")
    if not changes.total:
        yield tag("p", "None: the same pages have the same dates.")
        return
    counts = (
        f"{len(changes.added):,} added, {len(changes.removed):,} removed, {len(changes.changed):,} changed."
    )
    yield tag("p", counts)
    for caption, urls in (("Added", changes.added), ("Removed", changes.removed)):
        if urls:
            rows = [[_page(url)] for url in urls[:ROWS]]
            yield _table(f"{caption} pages", [Column("Page", sorted_=True)], rows, len(urls))
    if changes.changed:
        rows = [[_page(url), _date(before), _date(after)] for url, before, after in changes.changed[:ROWS]]
        columns = [Column("Page", sorted_=True), Column("Was", "date"), Column("Is", "date")]
        yield _table("Pages with a changed date", columns, rows, len(changes.changed))


def _table(caption: str, columns: Iterable[Column], rows: Sequence[Sequence[Markup]], count: int) -> Markup:
    """Return a table whose caption gives the number of omitted rows."""
    text = f"{caption}: {count:,}."
    if left := count - len(rows):
        text = f"{caption}: {len(rows):,} of {count:,}; {left:,} are not shown."
    head = tag("thead", tag("tr", *map(_head, columns)))
    body = join((tag("tr", *row) for row in rows), "\n")
    return tag("table", tag("caption", text), head, tag("tbody", body), class_="sortable")


def _head(column: Column) -> Markup:
    order = "ascending" if column.sorted_ else None
    return tag("th", column.title, scope="col", class_=column.class_, aria_sort=order)


def _cell(content: str, class_: str | None = None, *, head: bool = False) -> Markup:
    return tag("th", content, scope="row") if head else tag("td", content, class_=class_)


def _number(value: int) -> Markup:
    return tag("td", f"{value:,}", class_="number", data_key=value)


def _page(url: str) -> Markup:
    """Return the head of a page's row; link only to http(s), so that no URL can be a script."""
    text = shorten(url)
    is_link = url.startswith(("https://", "http://")) and len(url) <= MAX_LOC
    return _cell(tag("a", text, href=url, rel="noreferrer") if is_link else text, head=True)


def _date(lastmod: str | None) -> Markup:
    return _cell(shorten(lastmod, 40) if lastmod else "no date", "date long")


def _day(page: Dated) -> str:
    return page.when.date().isoformat()
