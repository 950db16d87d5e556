from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from docs_sitemap.dates import site_dates
from docs_sitemap.dates.site_dates import newest, page_dates
from docs_sitemap.git import Rules
from docs_sitemap.history import Answer, Change, Reason, Unknown
from docs_sitemap.pages.page import Files, Page
from docs_sitemap.timestamps import format_date

NOW = 1_800_000_000


def change(time: int) -> Change:
    return Change("c" * 40, time)


def cut_off(boundary: int) -> Unknown:
    return Unknown(Reason.BOUNDARY, "/repo", boundary)


UNTRACKED = Unknown(Reason.UNTRACKED, "/repo")


def test_the_newest_file_decides() -> None:
    assert newest([change(5), change(9), change(7)], NOW) == 9


def test_files_that_no_commit_has_do_not_count_beside_one_that_has() -> None:
    assert newest([UNTRACKED, change(5)], NOW) == 5
    assert newest([change(5), Unknown(Reason.NO_REPOSITORY, "/usr")], NOW) == 5
    assert newest([UNTRACKED, UNTRACKED], NOW) == UNTRACKED


@pytest.mark.parametrize("reason", [Reason.NO_REPOSITORY, Reason.UNTRACKED, Reason.NO_COMMIT])
def test_a_page_whose_source_no_commit_has_has_no_date_whatever_it_includes(reason: Reason) -> None:
    """A generated document with one tracked include; an exported version beside a checkout."""
    own = Unknown(reason, "/tmp")
    assert newest([own, change(5)], NOW, own) == own
    assert newest([change(5), own], NOW, change(5)) == 5
    assert newest([own, change(5)], NOW) == 5


def test_a_page_whose_source_is_cut_off_may_have_the_date_of_a_newer_include() -> None:
    assert newest([cut_off(3), change(5)], NOW, cut_off(3)) == 5


@pytest.mark.parametrize("reason", [Reason.OTHER_OWNER, Reason.UNREADABLE, Reason.INCOMPLETE, Reason.NO_DATE])
def test_a_file_that_cannot_be_read_may_be_the_newest(reason: Reason) -> None:
    assert newest([change(5), Unknown(reason, "/repo")], NOW) == Unknown(reason, "/repo")


@pytest.mark.parametrize(("date", "stands"), [(100, True), (101, True), (99, False)])
def test_an_include_cut_off_by_the_boundary_is_no_newer_than_it(date: int, stands: bool) -> None:
    assert newest([change(date), cut_off(100)], NOW) == (date if stands else cut_off(100))
    assert newest([cut_off(100), change(date)], NOW) == (date if stands else cut_off(100))


@pytest.mark.parametrize("reason", [Reason.OTHER_OWNER, Reason.UNREADABLE, Reason.INCOMPLETE])
def test_what_hides_a_newer_commit_leaves_no_date(reason: Reason) -> None:
    hidden = Unknown(reason, "sub")
    assert newest([change(100), hidden], NOW) == hidden


def test_a_page_cut_off_by_the_boundary_says_so() -> None:
    assert newest([UNTRACKED, cut_off(100)], NOW) == cut_off(100)


def test_a_date_to_come_is_never_given() -> None:
    unknown = newest([change(5), change(NOW + 1)], NOW)
    assert isinstance(unknown, Unknown)
    assert unknown.reason is Reason.FUTURE


def test_a_page_without_files_has_no_date() -> None:
    unknown = newest([], NOW)
    assert isinstance(unknown, Unknown)
    assert unknown.reason is Reason.GENERATED


def test_the_history_is_asked_once_and_a_link_counts_as_its_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "target.md"
    target.touch()
    (tmp_path / "link.md").symlink_to(target)
    asked: list[set[os.PathLike[str]]] = []

    def changes(paths: Iterable[os.PathLike[str]], rules: Rules) -> dict[os.PathLike[str], Answer]:
        asked.append(set(paths))
        return {path: change(7 if path == target.resolve() else 3) for path in asked[0]}

    pages = [
        Page(url="a", source=tmp_path / "link.md"),
        Page(url="b", source=tmp_path / "b.md"),
        Page(url="c"),
    ]
    monkeypatch.setattr(site_dates, "last_changes", changes)
    dates = page_dates([page.files() for page in pages], Rules())
    assert dates[:2] == [(7, tmp_path / "link.md"), (3, tmp_path / "b.md")]
    assert isinstance(dates[2].date, Unknown)
    assert dates[2].decided_by is None
    outside = Unknown(Reason.NO_REPOSITORY, "/tmp")
    answer: dict[os.PathLike[str], Answer] = {tmp_path / "out.md": outside, tmp_path / "b.md": change(3)}
    include = (tmp_path / "b.md",)
    out, b = tmp_path / "out.md", tmp_path / "b.md"
    groups = [Files(out, include), Files(None, (out, *include)), Files(out, include, has_named=True)]
    monkeypatch.setattr(
        site_dates, "last_changes", lambda paths, rules: {path: answer[path] for path in paths}
    )
    dates = page_dates(groups, Rules())
    assert dates == [(outside, out), (3, b), (3, b)]
    assert asked == [{target.resolve(), (tmp_path / "b.md").resolve()}]


def test_dates_are_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    assert format_date(1_787_218_272, "datetime") == "2026-08-20T09:31:12+00:00"
    assert format_date(1_787_218_272, "date") == "2026-08-20"
    assert format_date(253_402_300_799, "date") == "9999-12-31"
    assert format_date(0, "datetime") == "1970-01-01T00:00:00+00:00"
