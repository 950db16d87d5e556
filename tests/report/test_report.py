"""``docs-sitemap report``: what it says, and that no site can make it say anything else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("lxml")
pytest.importorskip("protego")

from lxml import html

from docs_sitemap.check import RULES, Question, check_site, read_older
from docs_sitemap.cli import main
from docs_sitemap.report.facts import why_undated
from docs_sitemap.report.plot import Ages, Markup, count_ages, draw, tag, with_code
from docs_sitemap.text import cut
from tests.support.checksite import BASE, NS, BuiltSite, Entry
from tests.support.gitrepo import FIRST, Repo

MARK = "<!-- Written by docs-sitemap -->"
NO_DATE = "no date is known for it, as for many pages that a build generates"
HOSTILE = "</script></style></title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202e"


@pytest.fixture
def site(tmp_path: Path) -> BuiltSite:
    """Six pages, of January to June 2024."""
    site = BuiltSite(tmp_path / "site")
    site.write()
    return site


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


def render(site: BuiltSite, *arguments: str | Path) -> bytes:
    """Write the site and return the report on it."""
    site.write()
    file = site.root.parent / "report.html"
    done = run(site.root, "-o", file, *arguments)
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    return file.read_bytes()


def parse(data: bytes) -> Any:
    return html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))


def table(document: Any, caption: str) -> list[list[str]]:
    """Return the texts of the rows of the table whose caption begins so."""
    found = [it for it in document.iter("table") if it.find("caption").text_content().startswith(caption)]
    assert len(found) == 1, caption
    return [[cell.text_content() for cell in row] for row in found[0].iterfind("tbody/tr")]


def caption(document: Any, start: str) -> str:
    texts = [it.text_content() for it in document.iter("caption")]
    return str(next(text for text in texts if text.startswith(start)))


def numbers(document: Any) -> dict[str, str]:
    names, values = ([it.text_content() for it in document.iter(name)] for name in ("dt", "dd"))
    return dict(zip(names, values, strict=True))


def test_the_oldest_pages_stand_first_by_their_days_before_the_newest(site: BuiltSite) -> None:
    document = parse(render(site))
    rows = table(document, "The pages that have not changed")
    assert rows[0] == [BASE, "1 January 2024", "157"]
    assert [row[0] for row in rows] == [entry.loc for entry in site.entries[:-1]]  # the newest is no older
    assert document.findtext(".//h1") == f"Report on {BASE}"
    assert numbers(document) == {
        "Errors": "0",
        "Warnings": "0",
        "No usable date": "0",
        "Pages listed": "6",
        "Newest": "6 June 2024",
        "Oldest": "1 January 2024",
        "Median age": "95 days",
    }
    assert "This site is healthy" in document.text_content()
    assert "docs-sitemap check finds nothing." in document.text_content()
    assert "give it to the next report with --previous" in document.text_content()
    heads = [it.get("id") for it in document.iter("h2")]
    assert heads == ["findings", "undated", "ages", "oldest", "changes"]  # what needs action comes first


def test_dates_are_compared_as_instants(site: BuiltSite) -> None:
    site.entry("").lastmod = "2024-03-03T23:00:00-10:00"
    site.entry("guide/").lastmod = "2024-03-04T01:00:00+00:00"
    rows = table(parse(render(site)), "The pages that have not changed")
    assert [row[0] for row in rows[:3]] == [BASE + "guide/install/", BASE + "guide/", BASE]


def test_the_plot_counts_months_and_its_table_too(site: BuiltSite) -> None:
    document = parse(render(site))
    assert [bar.findtext("title") for bar in document.iter("rect")] == [
        "less than a month: 1",
        *[f"{age} month{'s' * (age > 1)}: 1" for age in range(1, 6)],
    ]
    assert table(document, "How many pages have which age") == [
        ["less than a month", "1"],
        *[[f"{age} month{'s' * (age > 1)}", "1"] for age in range(1, 6)],
    ]


def at(days: float) -> datetime:
    return datetime(2024, 3, 31, 12, tzinfo=UTC) - timedelta(days=days)


def test_a_month_is_over_when_its_last_hour_is() -> None:
    moments = [datetime(2024, 3, 15, 12, tzinfo=UTC)]
    for hour in (11, 12, 13):
        moments.append(datetime(2024, 2, 15, hour, tzinfo=UTC))
    assert count_ages(moments).counts == [2, 2]


def test_many_months_are_counted_as_years() -> None:
    assert count_ages([at(0), at(47 * 30.5)]).unit == "month"
    assert count_ages([at(0), at(200), at(4.5 * 365.25)]) == Ages("year", [2, 0, 0, 0, 1])


@pytest.mark.parametrize("counts", [[1], [1, 0, 1], [50_000, 1], [3] * 48])
def test_bars_stay_in_the_plot_and_one_page_among_thousands_is_seen(counts: list[int]) -> None:
    plot = html.fragment_fromstring(draw(Ages("month", counts)))
    bars = list(plot.iter("rect"))
    assert len(bars) == sum(count > 0 for count in counts)
    for bar in bars:
        left, width = (float(bar.get(name).removesuffix("%")) for name in ("x", "width"))
        top, height = (float(bar.get(name)) for name in ("y", "height"))
        assert 13 <= left < left + width <= 100
        assert top >= 0
        assert height >= 2
        assert top + height == pytest.approx(204)
    labels = [it.text for it in plot.iter("text") if it.get("text-anchor") == "end"][:-1]
    assert 2 <= len(labels) <= 6


def test_a_single_bar_is_no_plot(site: BuiltSite) -> None:
    for day, entry in enumerate(site.entries):
        entry.lastmod = f"2024-06-0{1 + day // 3}"
    document = parse(render(site))
    assert not list(document.iter("svg"))
    assert "6 pages changed in the month before 2 June 2024: a plot would be" in document.text_content()


@pytest.mark.parametrize("is_day", [True, False])
def test_dates_of_the_build_are_not_shown_as_dates_of_changes(site: BuiltSite, is_day: bool) -> None:
    """All 301 pages had "changed in the month before", and the oldest 50 were 0 days old."""
    for number, entry in enumerate(site.entries):
        entry.lastmod = "2024-06-05" if is_day else f"2024-06-0{5 + number % 2}T08:00:00+00:00"
    site.write()
    for number, entry in enumerate(site.entries):
        page = site.root / entry.loc.removeprefix(BASE)
        moment = datetime(2024, 6, 5 + number % 2, 8, tzinfo=UTC).timestamp()
        os.utime(page if page.is_file() else page / "index.html", (moment, moment))
    document = parse(run(site.root, "-o", "-").stdout_bytes)
    days = "5 June 2024" if is_day else "5 June 2024 to 6 June 2024"
    text = document.text_content()
    assert f"All 6 dates are those of the build ({days}): none of them tells when a page changed." in text
    assert text.count(RULES["L2"].fix) == 3  # at the top, with the finding, and with the dates
    assert f"no errors, but 1 warning. Begin with L2: {RULES['L2'].fix}" in text
    assert numbers(document)["No usable date"] == "6"
    assert not {"Newest", "Oldest", "Median age"} & {*numbers(document)}
    assert [it.get("id") for it in document.iter("h2")] == ["findings", "undated", "changes"]


def test_dates_of_the_build_and_missing_ones_are_both_told(site: BuiltSite) -> None:
    for entry in site.entries[1:]:
        entry.lastmod = "2024-06-05"
    site.entries[0].lastmod = None
    document = parse(render(site))
    assert numbers(document)["No usable date"] == "6"
    assert "All 5 dates are those of the build" in document.text_content()
    assert table(document, "1 page without a usable date.") == [
        [BASE, "the tool that wrote the sitemap gave it no date"]
    ]


def test_ages_name_the_day_from_which_they_count(site: BuiltSite) -> None:
    text = parse(render(site)).text_content()
    assert "Ages count from 6 June 2024, the newest date in the sitemap, and not from today." in text
    for entry in site.entries:
        entry.lastmod = None
    document = parse(render(site))
    assert "Ages count" not in document.text_content()
    assert "No page has a usable date." in document.text_content()
    assert not list(document.iter("svg"))
    assert numbers(document)["No usable date"] == "6"


IMPOSSIBLE = ["0001-01-01T00:00:00Z", "1900-01-01", "1970-01-01", "1980-01-01T00:00:00+00:00", "2999-12-31"]


def test_a_date_that_cannot_be_right_spoils_no_number(site: BuiltSite) -> None:
    """It was the newest or the oldest, all others were one bar, and the median age 27,999 days."""
    plain = parse(render(site))
    for number, lastmod in enumerate(IMPOSSIBLE):
        site.add(f"odd/{number}/")
        site.entry(f"odd/{number}/").lastmod = lastmod
    document = parse(render(site))
    for name in ("Newest", "Oldest", "Median age"):
        assert numbers(document)[name] == numbers(plain)[name]
    assert [len(list(it.iter("rect"))) for it in (document, plain)] == [6, 6]
    assert "It leaves out 5 pages without a usable date." in document.text_content()
    assert [row[:2] for row in table(document, "Why these pages have no usable date")] == [
        ["Its date is older than the Web.", "Leave it out if it is unknown."],
        ["Its date is in the future.", "Correct it, or the clock of the build."],
    ]
    assert [BASE + "odd/4/", "its date is in the future: 2999-12-31"] in table(document, "5 pages without")


def why(site: BuiltSite, *options: str | Path) -> tuple[list[list[str]], dict[str, str]]:
    """Return the rows of the causes, and for each page its own."""
    document = parse(render(site, *options))
    causes = table(document, "Why these pages have no usable date")
    pages = {row[0]: row[1] for row in table(document, f"{sum(int(row[2]) for row in causes)} page")}
    return causes, pages


@pytest.mark.parametrize(
    ("wrote", "undated", "cause", "fix"),
    [
        ("<!-- Another tool -->", 1, "the tool that wrote the sitemap gave it no date", "with docs-sitemap"),
        (MARK, 1, NO_DATE, "add --source-dir FOLDER"),
        (MARK, 6, "no date is known for any page", "fetch-depth: 0"),
    ],
)
def test_without_sources_the_sitemap_says_what_can_be_done(
    site: BuiltSite, wrote: str, undated: int, cause: str, fix: str
) -> None:
    site.prolog += f"{wrote}\n"
    for entry in site.entries[:undated]:
        entry.lastmod = None
    causes, pages = why(site)
    assert pages == {entry.loc: cause for entry in site.entries[:undated]}
    assert [(row[0], row[2]) for row in causes] == [(f"{cause[0].upper()}{cause[1:]}.", str(undated))]
    assert fix in causes[0][1]


def test_a_page_that_is_not_built_or_has_no_date_to_read_is_told_without_sources(site: BuiltSite) -> None:
    site.entry("guide/").lastmod = "last week"
    site.entries.append(Entry(BASE + "nowhere/", None))
    assert why(site)[1] == {
        BASE + "guide/": "its date is not in the form of sitemaps: last week",
        BASE + "nowhere/": "the site has no file for its URL",
    }


def test_the_history_says_why_pages_have_no_date(site: BuiltSite, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write("docs/guide/use.md", "---\nsitemap: {lastmod: none}\n---\n# Use\n")
    repo.commit("docs/index.md", when=FIRST)
    repo.commit("docs/guide/index.md", when=FIRST + 864_000)
    repo.write("docs/faq.md")
    for name in ("", "faq/", "api.html", "guide/use/"):
        site.entry(name).lastmod = None
    site.entries.append(Entry(BASE + "nowhere/", None))
    site.entry("guide/").lastmod = None
    causes, pages = why(site, "--source-dir", repo.root / "docs")
    assert pages == {
        BASE: "its history has a date, but the sitemap does not: 2023-11-14",
        BASE + "guide/": "its history has a date, but the sitemap does not: 2023-11-24",
        BASE + "faq/": "not committed",
        BASE + "api.html": "no source was found",
        BASE + "guide/use/": "its source turns off the date",
        BASE + "nowhere/": "the site has no file for its URL",
    }
    assert any('rules = [{match = "api/", sources = ["../src/api.py"]}]' in row[1] for row in causes)
    assert any("relative to the folder of the sources" in row[1] for row in causes)
    assert [row[2] for row in causes] == ["2", "1", "1", "1", "1"]  # one row a cause, not a date
    assert "unless lastmod in the build or a rule turns dates off" in causes[0][1]


def test_a_shallow_clone_is_named_with_its_cure(site: BuiltSite, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("docs/index.md")
    repo.commit("docs/other.md")
    repo.git("clone", "--quiet", "--depth=1", repo.root.as_uri(), os.fspath(tmp_path / "clone"))
    site.entry("").lastmod = None
    rows, _ = why(site, "--source-dir", tmp_path / "clone" / "docs")
    assert len(rows) == 1
    assert "shallow" in rows[0][0]
    assert "git fetch --unshallow" in rows[0][1]
    assert "`" not in rows[0][1]


def test_findings_are_those_of_check(site: BuiltSite) -> None:
    for path in site.add_many(8):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.entries.append(site.entry("api.html"))
    document = parse(render(site))
    found = check_site(Question(site.root), list(RULES.values())).findings
    assert caption(document, f"{len(found)} findings of docs-sitemap check").endswith("shows each of them.")
    rows = {row[1].split()[0]: row for row in table(document, f"{len(found)} findings") if len(row) == 5}
    assert {*rows} == {it.id for it in found}
    link = f"https://docs-sitemap.readthedocs.io/check-rules/#{(rule := RULES['U6']).id.lower()}"
    assert rows["U6"] == [
        "error",
        f"U6 {rule.title}",
        "".join(f"{BASE}many/{number}/" for number in range(5)) + " and 3 more",
        "the page is marked noindex",
        rule.fix,
    ]
    assert link in [it.get("href") for it in document.iter("a")]
    assert rows["U3"][2:4] == [BASE + "api.html sitemap.xml:17", "is already listed in line 7"]
    assert numbers(document)["Errors"] == str(sum(it.level == "error" for it in found))
    assert "This site has errors. Fix them first" in document.text_content()


def test_a_rule_with_many_messages_shows_a_few(site: BuiltSite) -> None:
    site.add_many(3)
    site.entries += site.entries[:9]
    document = parse(render(site, "--select", "U3"))
    assert caption(document, "9 findings").endswith("check --all shows each of them.")
    rows = table(document, "9 findings")
    assert [len(row) for row in rows] == [5, 2, 2, 2, 2, 1]
    assert rows[-1] == [" and 4 more"]


def test_all_of_check_is_named_only_if_places_are_left_out(site: BuiltSite) -> None:
    for path in site.add_many(5):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.entries.append(site.entry("api.html"))
    text = caption(parse(render(site, "--select", "U3,U6")), "6 findings")
    assert text == "6 findings of docs-sitemap check, the most severe first."


def test_a_clean_site_has_no_findings(site: BuiltSite) -> None:
    assert "docs-sitemap check finds nothing." in parse(render(site)).text_content()


def test_changes_since_an_older_sitemap(site: BuiltSite, tmp_path: Path) -> None:
    older = tmp_path / "older.xml"
    entries = [Entry(entry.loc, entry.lastmod) for entry in site.entries]
    entries[0].lastmod = "2024-01-01T12:00:00+02:00"  # the same instant
    entries[1].lastmod = None
    entries[2].lastmod = "2023-02-03"
    entries[3].loc = BASE + "gone/"
    older.write_text(site.urlset(entries))
    document = parse(render(site, "--previous", older))
    assert "Since older.xml, whose newest date is 6 June 2024." in document.text_content()
    assert table(document, "1 page added.") == [[site.entries[3].loc]]
    assert table(document, "1 page removed.") == [[BASE + "gone/"]]
    assert table(document, "2 pages with another date.") == [
        [BASE + "guide/", "no date", "2 February 2024, 10:00 UTC"],
        [BASE + "guide/install/", "3 February 2023", "3 March 2024, 10:00 UTC"],
    ]
    assert numbers(document)["Changes"] == "4"


def test_nothing_changed_is_said(site: BuiltSite) -> None:
    document = parse(render(site, "--previous", site.root / "sitemap.xml"))
    assert "None: the same pages have the same dates." in document.text_content()


def test_an_older_sitemap_of_another_site_is_not_compared(site: BuiltSite, tmp_path: Path) -> None:
    """It said "6 pages added" and "1 page removed"."""
    older = tmp_path / "older.xml"
    older.write_text(site.urlset([Entry("https://other.example.org/", None)]))
    document = parse(render(site, "--previous", older))
    assert "older.xml has no page in common with this sitemap" in document.text_content()
    assert "Changes" not in numbers(document)
    assert "added" not in document.text_content()


def test_front_matter_that_cannot_be_read_says_nothing_of_a_date(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("---\nsitemap: [\n---\n# x\n")
    (page,) = why_undated([("https://e.org/", "index.html")], tmp_path / "docs")
    assert page.why.text == "not in a git repository"


def test_a_part_of_an_older_index_that_leads_out_of_its_folder_is_not_read(
    site: BuiltSite, tmp_path: Path
) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("https://secret.example.org/token\n")
    (site.root / "inside.txt").write_text(f"{BASE}old/\n")
    (site.root / "part-1.txt").symlink_to(outside)
    (site.root / "part-2.txt").symlink_to("inside.txt")
    index = site.root / "old.xml"
    parts = "".join(f"<sitemap><loc>{BASE}part-{number}.txt</loc></sitemap>" for number in (1, 2, 3))
    index.write_text(f'<sitemapindex xmlns="{NS}">{parts}</sitemapindex>')
    assert read_older(index).dates == {f"{BASE}old/": None}
    page = render(site, "--previous", index)
    assert b"secret" not in page


def test_two_runs_give_the_same_bytes(site: BuiltSite, tmp_path: Path) -> None:
    """With other hashes, at another time, in another folder, by another number of processes."""
    for path in site.add_many(20)[::5]:
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.write()
    found: list[bytes] = []
    for seed in ("1", "2"):
        time.sleep(1.1 if found else 0)
        folder = tmp_path / f"run-{seed}"
        folder.mkdir()
        (folder / "site").symlink_to(site.root)
        done = subprocess.run(
            [sys.executable, "-m", "docs_sitemap", "report", "site", "-o", "-"],
            cwd=folder,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        assert done.stderr == b""
        found.append(done.stdout)
    assert found[0] == found[1]
    assert os.fsencode(tmp_path) not in found[0]
    now = datetime.now(UTC).date()
    assert not any(str(now + timedelta(days=days)).encode() in found[0] for days in (-1, 0, 1))


def test_a_hostile_site_cannot_put_markup_into_the_report(site: BuiltSite, tmp_path: Path) -> None:
    text = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    older = tmp_path / "older.xml"
    older.write_text(site.urlset([Entry(BASE + "old" + text, text), Entry(BASE + text, text)]), "utf-8")
    site.prolog += f"<!-- {HOSTILE.replace('--', '')} -->"
    site.files[f"{'x' * 20}<script>alert(3)<"] = b"x"
    site.files["a<script>b.html"] = b'<html><head><meta name="robots" content="noindex"></head></html>'
    site.robots = f"User-agent: *\nSitemap: {HOSTILE}\nSitemap: {BASE}sitemap.xml\n"
    escaped = "".join(entry.xml() for entry in site.entries)
    escaped += f"<url><loc>{BASE}{text}</loc></url><url><loc>{BASE}a&lt;script&gt;b.html</loc>"
    escaped += f"<lastmod>{text}</lastmod></url><url><loc>javascript:alert(4)</loc></url>"
    site.files["sitemap.xml"] = site.urlset([]).replace("</urlset>", f"{escaped}</urlset>").encode()
    data = render(site, "--previous", older)
    document = parse(data)
    assert "alert(1)" in document.text_content()
    assert [len(list(document.iter(name))) for name in ("script", "style", "title", "img")] == [1, 1, 8, 0]
    assert {name for it in document.iter("*") for name in it.attrib if name.startswith("on")} == set()
    assert {it.get("href").partition(":")[0] for it in document.iter("a")} <= {
        "https",
        "#undated",
        "#findings",
        "#changes",
    }
    assert b"<script>alert" not in data
    assert data.count(b"<script") == 1


def test_all_text_is_escaped_but_what_is_markup() -> None:
    assert tag("b", HOSTILE, Markup("<i>x</i>"), title=HOSTILE) == (
        '<b title="{0}">{0}<i>x</i></b>'.format(
            "&lt;/script&gt;&lt;/style&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
            "&lt;img src=x onerror=alert(2)&gt;&quot;&apos;&amp;&#8238;"
        )
    )
    assert tag("b", "\0\ud800") == "<b>\ufffd\ufffd</b>"
    assert with_code("a `<b>` c") == "a <code>&lt;b&gt;</code> c"
    assert cut("x" * 301) == "x" * 297 + "..."
    assert not isinstance(cut(Markup("<b>")[:1]), Markup)


def test_a_page_without_request_style_or_script_of_others(site: BuiltSite) -> None:
    data = render(site).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', data)
    assert policy
    assert policy[1].startswith("default-src &apos;none&apos;; style-src &apos;sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r"\bsrc=|@import|url\(|\sstyle=", data)
    assert [it.get("href") for it in parse(data.encode()).iter("link")] == ["data:,"]


def test_tables_have_captions_and_each_head_its_scope(site: BuiltSite, tmp_path: Path) -> None:
    site.entries.append(Entry(BASE + "nowhere/", None))
    older = tmp_path / "older.xml"
    older.write_text(site.urlset([Entry(BASE, "2023-01-01"), Entry(BASE + "gone/", None)]))
    document = parse(render(site, "--previous", older))
    tables = list(document.iter("table"))
    assert len(tables) == 8
    assert all(it.find("caption") is not None for it in tables)
    assert {it.get("scope") for it in document.iter("th")} == {"col", "row", "rowgroup"}
    plot = next(document.iter("svg"))
    ids = {it.get("id") for it in document.iter("*")}
    assert plot.get("role") == "img"
    assert set(plot.get("aria-labelledby").split()) <= ids
    jumps = {it.get("href") for it in document.iter("a") if it.get("href").startswith("#")}
    assert {name.removeprefix("#") for name in jumps} <= ids
    assert document.get("lang") == "en"


def test_tables_say_what_they_leave_out(site: BuiltSite) -> None:
    for number in range(200 - 6):
        date = None if number % 2 else f"20{10 + number % 14}-01-{1 + number % 28:02}T00:00:00+00:00"
        site.entries.append(Entry(f"{BASE}missing/{number}/", date))
    document = parse(render(site))
    assert numbers(document)["Pages listed"] == "200"
    assert caption(document, "The pages that have not").endswith("time. 52 more are in the sitemap.")
    assert caption(document, "97 pages without a usable date.").endswith(". 47 more are in the sitemap.")
    assert len(table(document, "97 pages without a usable date.")) == 50


def test_a_dash_is_stdout_and_what_was_written_is_said(site: BuiltSite, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert run(site.root, "-o", file).stderr == f"{file}: 6 pages listed, nothing to report.\n"
    done = run(site.root, "-o", "-")
    assert (done.stdout_bytes, done.stderr) == (file.read_bytes(), "")
    assert not Path("-").exists()


def test_the_line_on_the_terminal_counts_findings_by_level(site: BuiltSite, tmp_path: Path) -> None:
    for path in site.add_many(2):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.add("alone/")
    site.pages[""].links.remove("alone/")
    site.entries.append(site.entry("api.html"))
    site.write()
    file = tmp_path / "report.html"
    found = check_site(Question(site.root), list(RULES.values())).findings
    levels = [it.level for it in found]
    assert (levels.count("error"), levels.count("warning"), levels.count("info")) == (2, 1, 1)
    done = run(site.root, "-o", file)
    assert (done.exit_code, done.stderr) == (0, f"{file}: 9 pages listed, 2 errors, 1 warning, 1 info.\n")


def test_the_site_s_folder_is_optional_in_the_usage() -> None:
    for command in ("check", "report"):
        done = CliRunner().invoke(main, [command, "--help"])
        assert f"{command} [OPTIONS] [SITE_DIR]\n" in done.output


def test_a_site_without_a_sitemap_has_a_report_too(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<html><head></head><body>x</body></html>")
    done = run(tmp_path / "site", "-o", "-", "--base-url", "https://other.example.org/")
    assert done.exit_code == 0
    assert "No sitemap was found. This report is made from 1 HTML file." in done.stdout
    assert "<h1>Report on https://other.example.org/</h1>" in done.stdout


OUTSIDE = "expected a file outside of"
WRONG = {
    "": "Missing option '--output' / '-o'. For example: -o report.html. See ",
    "-o r.html --previous a.xml b.xml c.xml": "Unexpected after SITE_DIR: b.xml, c.xml.",
    "-o site/r.html": OUTSIDE,
    "-o link/guide/r.html": OUTSIDE,
    "-o none/r.html": "--output / -o: cannot write ",
    "-o r.html --base-url x": "--base-url: expected an absolute",
    "-o r.html --previous no.xml": "no.xml: not a valid sitemap: ",
    "-o r.html --previous empty": "is a directory",
    "-o r.html --previous no.json": "no.json: is not a file that submit --remember or --log has written.",
    "-o r.html --select X": "--select: expected rule ids",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_usage_is_one_line_and_exit_code_2(
    site: BuiltSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("no.xml").write_text("<html/>")
    Path("a.xml").write_text(lists(["2021-01-01"]))
    Path("no.json").write_text('{"docs-sitemap": 2}')
    Path("link").symlink_to(site.root)
    Path("empty").mkdir()
    done = run("site", *words.split())
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert WRONG[words] in done.stderr
    assert not {Path("r.html"), Path("site/r.html"), Path("site/guide/r.html")} & {*Path().rglob("r.html")}


def lists(dates: Iterable[object]) -> str:
    urls = "".join(f"<url><loc>{BASE}{n}</loc><lastmod>{day}</lastmod></url>" for n, day in enumerate(dates))
    return f'<urlset xmlns="{NS}">{urls}</urlset>'


def test_options_of_check_give_the_findings_of_check(site: BuiltSite, tmp_path: Path) -> None:
    """Rules, sitemaps, a baseline: what the team has told the checker."""
    for path in site.add_many(2):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.entries.append(site.entry("api.html"))
    assert {"U3", "U6"} <= (ids := found_by(site))
    assert found_by(site, "--select", "U3") == {"U3"}
    assert found_by(site, "--ignore", "U3") == ids - {"U3"}
    baseline = tmp_path / "baseline.json"
    CliRunner().invoke(main, ["check", str(site.root), "--write-baseline", str(baseline)])
    assert found_by(site, "--baseline", str(baseline)) == set()


def found_by(site: BuiltSite, *options: str) -> set[str]:
    """The ids of the rules that found something, of which check says the same."""
    rows = re.findall(r'check-rules/#\w+"[^>]*>([A-Z]\d+)</a>', render(site, *options).decode())
    done = CliRunner().invoke(main, ["check", str(site.root), "--format", "json", *options])
    assert {found["id"] for found in json.loads(done.stdout)} == {*rows}
    return {*rows}
