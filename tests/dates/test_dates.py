from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import cast

import pytest

from docs_sitemap.dates.page_date import _deciders, newest, page_dates
from docs_sitemap.history import Answer, Change, Reason, Unknown
from docs_sitemap.options import PageSettings
from docs_sitemap.pages.page import Files, Page
from docs_sitemap.timestamps import format_date
from docs_sitemap.untrusted import RealPaths

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


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.OTHER_OWNER, Reason.UNREADABLE, Reason.INCOMPLETE])
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


def test_the_history_is_asked_once_and_a_link_counts_as_its_target(tmp_path: Path) -> None:
    target = tmp_path / "target.md"
    target.touch()
    (tmp_path / "link.md").symlink_to(target)
    asked: list[set[os.PathLike[str]]] = []

    def changes(paths: Iterable[os.PathLike[str]]) -> dict[os.PathLike[str], Answer]:
        asked.append(set(paths))
        return {path: change(7 if path == target.resolve() else 3) for path in asked[0]}

    pages = [
        Page(url="a", source=tmp_path / "link.md"),
        Page(url="b", source=tmp_path / "b.md"),
        Page(url="c"),
    ]
    dates = page_dates([page.files() for page in pages], changes)
    assert dates[:2] == [(7, tmp_path / "link.md"), (3, tmp_path / "b.md")]
    assert isinstance(dates[2].date, Unknown)
    assert dates[2].decided_by is None
    outside = Unknown(Reason.NO_REPOSITORY, "/tmp")
    answer: dict[os.PathLike[str], Answer] = {tmp_path / "out.md": outside, tmp_path / "b.md": change(3)}
    include = (tmp_path / "b.md",)
    out, b = tmp_path / "out.md", tmp_path / "b.md"
    groups = [Files(out, include), Files(None, (out, *include)), Files(out, include, has_named=True)]
    dates = page_dates(groups, lambda paths: {path: answer[path] for path in paths})
    assert dates == [(outside, out), (3, b), (3, b)]
    assert asked == [{target.resolve(), (tmp_path / "b.md").resolve()}]


def test_a_rule_s_files_decide_the_same_as_each_page_s_own(tmp_path: Path) -> None:
    """Most of them are left out for each page; not those that could decide its date."""
    chance = random.Random(3)  # noqa: S311  # no secret
    reasons = [None, None, Reason.BOUNDARY, Reason.UNTRACKED, Reason.NO_COMMIT, Reason.TIMEOUT]
    for _ in range(300):
        paths = [tmp_path / f"{number}" for number in range(chance.randrange(1, 9))]
        answers: dict[Path, Answer] = {}
        for path in paths:
            reason = chance.choice(reasons[: chance.randrange(1, 7)])
            moment = chance.choice([3, 5, 5, 9, NOW * 2])
            answers[path] = cut_off(moment) if reason is Reason.BOUNDARY else change(moment)
            if reason in reasons[3:]:
                answers[path] = Unknown(cast(Reason, reason), path.name)
        source, rest = chance.choice([(None, paths), (paths[0], paths[1:])])
        at = chance.randrange(len(rest) + 1)
        named = chance.choice([True, False])
        groups = [
            Files(source, tuple(rest), named),
            Files(source, tuple(rest[at:]), named, shared=tuple(rest[:at])),
            Files(source, (), named, shared=tuple(rest)),
        ]
        found = page_dates(groups, lambda paths, said=answers: {path: said[path] for path in paths})  # type: ignore[misc]
        assert found[0] == found[1] == found[2], answers


def test_a_rule_s_files_are_no_work_for_each_page(tmp_path: Path) -> None:
    """20,000 pages took 5 seconds for a thousand files, and 11 with ten rules for the same files."""
    names = tuple(str(tmp_path / f"{number}.csv") for number in range(1000))
    rules = [PageSettings(sources=names[number:] + names[:number]) for number in range(3)]
    pages = [Page(url=f"{number}/", source=tmp_path / f"{number}.md") for number in range(300)]
    files = [page.files("text", rules[number % 3]) for number, page in enumerate(pages)]
    steps = 0

    def count(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal steps
        steps += event in ("call", "c_call") and frame.f_code.co_filename.endswith(
            ("pathlib.py", "page_date.py")
        )

    sys.setprofile(count)
    try:
        dates = page_dates(files, lambda paths: dict.fromkeys(paths, change(5)))
    finally:
        sys.setprofile(None)
    assert [dated.date for dated in dates] == [5] * 300
    assert steps < 100_000  # 900,000 if each page is compared with each


def test_dates_are_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    assert format_date(1_787_218_272, "datetime") == "2026-08-20T09:31:12+00:00"
    assert format_date(1_787_218_272, "date") == "2026-08-20"
    assert format_date(999_999_999_999, "datetime") == "33658-09-27T01:46:39+00:00"
    assert format_date(253_402_300_799, "date") == "9999-12-31"
    assert format_date(0, "datetime") == "1970-01-01T00:00:00+00:00"


def test_files_that_many_pages_share_are_looked_up_once(tmp_path: Path) -> None:
    """A rule with 10,000 files took half a second for each page."""
    names = [str(tmp_path / f"{number}.csv") for number in range(1000)]
    rule = PageSettings(sources=tuple(names[:500]), not_sources=tuple(names[500:]))
    looked_up = Counter[str]()
    codes = {os.path.realpath.__code__: "filename", RealPaths.of.__code__: "path"}

    def count(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and frame.f_code in codes:
            looked_up[os.fspath(frame.f_locals[codes[frame.f_code]])] += 1

    sys.setprofile(count)
    try:
        pages = [Page(url=f"{number}/", dependencies=(tmp_path / "a.md",)) for number in range(20)]
        links = RealPaths()
        files = [page.files("text", rule, links) for page in pages]
        dates = page_dates(files, lambda paths: dict.fromkeys(paths, change(5)))
    finally:
        sys.setprofile(None)
    assert [dated.date for dated in dates] == [5] * 20
    assert {name: looked_up[name] for name in names} == dict.fromkeys(names, 1)


def test_few_files_of_a_rule_are_looked_at_for_each_page() -> None:
    """1,000 of a shallow clone, from old to new, took 48,000 pages nine seconds more."""
    chance = random.Random(3)  # noqa: S311  # no secret
    kinds = [Reason.BOUNDARY, Reason.UNTRACKED, Reason.UNREADABLE, Reason.GENERATED]

    def answer(number: int, few: int) -> Answer:
        if chance.random() < 0.5:
            return Change(f"{number}", chance.choice([number, 7]))
        reason = kinds[chance.randrange(few)]
        return Unknown(reason, "", number if reason is Reason.BOUNDARY else None)

    for turn in range(300):
        paths = [Path(f"{number}") for number in range(50)]
        said: dict[os.PathLike[str], Answer] = {path: answer(int(str(path)), 1 + turn % 4) for path in paths}
        chance.shuffle(paths)
        own, shared = paths[:2], tuple(sorted(paths[2:]))
        asked = partial(said_of, said)
        [dated] = page_dates([Files(own[0], others=(own[1],), shared=shared)], asked)
        whole = newest([said[path] for path in (own[0], *shared, own[1])], 1_000, said[own[0]])
        if isinstance(whole, Unknown):
            assert isinstance(dated.date, Unknown)
            assert dated.date.reason is whole.reason
        else:
            assert dated.date == whole
        assert len(_deciders(shared, said)) <= 8


def said_of(
    said: dict[os.PathLike[str], Answer], paths: Iterable[os.PathLike[str]]
) -> dict[os.PathLike[str], Answer]:
    return {path: said[Path(Path(path).name)] for path in paths}
