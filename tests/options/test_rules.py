"""Page, rules, site: who wins, setting by setting; and what no setting can bring back."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.options.page_settings import PageSettings, read_metadata
from docs_sitemap.pages.page import Page
from tests.files.test_emit import BASE, html, run, said
from tests.files.test_roundtrip import Entry, read_site
from tests.support.gitrepo import FIRST, Repo

GIT = "2023-11-14T22:13:20+00:00"
DAY = "2020-02-03"


def entries(out: Path) -> dict[str, Entry]:
    """What the sitemap says of each page, by its path."""
    if not (out / "robots.txt").exists():
        return {}
    return {loc.removeprefix(BASE): entry for loc, entry in read_site(out, BASE).items()}


def listed(out: Path, pages: list[Page], **values: Any) -> set[str]:
    run(pages, out, **values)
    return set(entries(out))


def of_page(**said: Any) -> PageSettings:
    """A page's own settings, read as from its front matter."""
    settings, _, notices = read_metadata({"sitemap": said}, "a.md", Path())
    assert notices == []
    return settings


VALUES: dict[str, tuple[Any, Any, Any]] = {
    "changefreq": ("daily", "weekly", "yearly"),
    "priority": (0.1, 0.0, 0.9),
    "lastmod": ("none", "2021-01-01", "2022-02-02T03:04:05Z"),
}
"""What the site, a rule and the page say; the site knows no date."""


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("who", list(product([False, True], repeat=3)), ids=str)
def test_the_page_wins_over_the_rules_and_these_over_the_site(
    tmp_path: Path, name: str, who: tuple[bool, bool, bool]
) -> None:
    site, rule, page = VALUES[name]
    values: dict[str, Any] = {name: site} if who[0] else {}
    if who[1]:
        values["rules"] = [{"match": "a/", name: rule}]
    run([Page(url="a/", settings=of_page(**{name: page} if who[2] else {}))], tmp_path, **values)
    winner = page if who[2] else rule if who[1] else site if who[0] else None
    assert getattr(entries(tmp_path)["a/"], name) == (None if winner == "none" else winner)


def test_each_setting_comes_from_whoever_says_it(tmp_path: Path) -> None:
    rules = [
        {"match": "*.md", "priority": 0.2, "changefreq": "daily", "lastmod": "2020-01-01"},
        {"match": "a/", "priority": 0.3},
        {"match": "b/", "priority": 0.4},
    ]
    run(
        [Page(url="a/", source_path="a.md", settings=of_page(changefreq="never")), Page(url="c/")],
        tmp_path,
        rules=rules,
        priority=0.1,
    )
    assert entries(tmp_path) == {"a/": Entry("2020-01-01", "never", 0.3), "c/": Entry(None, None, 0.1)}


def test_of_the_rules_that_match_the_last_wins(tmp_path: Path) -> None:
    rules = [
        {"match": match, "priority": number / 10} for number, match in enumerate(["/a/*", "*", "x/", "y/"])
    ]
    run([Page(url=url) for url in ("a/x/", "a/y/", "a/x/y/", "a/", "b/")], tmp_path, rules=rules)
    assert {url: entry.priority for url, entry in entries(tmp_path).items()} == {
        "a/x/": 0.2,
        "a/y/": 0.3,
        "a/x/y/": 0.3,
        "a/": 0.1,
        "b/": 0.1,
    }
    run([Page(url="a/x/")], tmp_path, rules=rules[::-1])
    assert entries(tmp_path)["a/x/"].priority == 0.0


MATCHES: list[tuple[Any, set[str]]] = [
    ("blog/", {"blog/", "blog/2024/a/", "docs/blog/b/"}),
    ("/blog/", {"blog/", "blog/2024/a/"}),
    (["blog/", "!blog/2024/"], {"blog/", "docs/blog/b/"}),
    (["!blog/2024/", "blog/"], {"blog/", "blog/2024/a/", "docs/blog/b/"}),
    (["*", "!/docs/**"], {"", "blog/", "blog/2024/a/", "café x/", "sourced/"}),
    (["**/a/"], {"blog/2024/a/"}),
    (["/*/2024/**"], {"blog/2024/a/"}),
    ("café x/", {"café x/"}),
    ("caf[é] ?", {"café x/"}),
    ("deep/source.md", {"sourced/"}),
    ("source.*", {"sourced/"}),
    (["sourced/", "!source.md"], set()),
    (["source.md", "!sourced/"], set()),
    (["!sourced/", "source.md"], {"sourced/"}),
    ("# a remark", set()),
    ("\\#", set()),
]


@pytest.mark.parametrize(("match", "matching"), MATCHES)
def test_match_is_gitignores_with_its_negation(tmp_path: Path, match: Any, matching: set[str]) -> None:
    """The same in a rule and in ``exclude``; the address is matched decoded, and so is the source."""
    urls = ["", "blog/", "blog/2024/a/", "docs/blog/b/", "caf%C3%A9%20x/"]
    pages = [Page(url=url, source_path="index.rst" if url == "" else None) for url in urls]
    pages.append(Page(url="sourced/", source_path="deep/source.md"))
    run(pages, tmp_path, rules=[{"match": match, "priority": 0.7}])
    found = {url for url, entry in entries(tmp_path).items() if entry.priority == 0.7}
    assert found == {url.replace("é x", "%C3%A9%20x") for url in matching}
    patterns = [match] if isinstance(match, str) else match
    assert set(entries(tmp_path)) - listed(tmp_path, pages, exclude=patterns) == found


def test_a_rule_lists_again_what_exclude_takes_out(tmp_path: Path) -> None:
    pages = [Page(url=url) for url in ("drafts/a/", "drafts/b/", "c/")]
    rules: list[dict[str, Any]] = [{"match": "drafts/b/", "exclude": False}]
    assert listed(tmp_path, pages, exclude=["drafts/"]) == {"c/"}
    assert listed(tmp_path, pages, exclude=["drafts/"], rules=rules) == {"drafts/b/", "c/"}
    rules.append({"match": "b/", "exclude": True})
    assert listed(tmp_path, pages, exclude=["drafts/"], rules=rules) == {"c/"}
    assert listed(tmp_path, pages, exclude=["drafts/"], rules=rules[::-1]) == {"drafts/b/", "c/"}


def test_a_page_lists_itself_again_or_takes_itself_out(tmp_path: Path) -> None:
    for exclude, expected in ((False, {"drafts/a/"}), (True, {"drafts/b/"})):
        pages = [Page(url="drafts/a/", settings=of_page(exclude=exclude)), Page(url="drafts/b/")]
        rules = [{"match": "drafts/", "exclude": not exclude}]
        assert listed(tmp_path, pages, exclude=["drafts/"], rules=rules) == expected


def test_other_settings_of_a_page_or_rule_list_nothing_again(tmp_path: Path) -> None:
    pages = [Page(url="a/", settings=of_page(priority=0.5)), Page(url="b/"), Page(url="c/")]
    rules = [{"match": "b/", "priority": 0.5}]
    assert listed(tmp_path, pages, exclude=["a/", "b/"], rules=rules) == {"c/"}


def test_what_engines_must_not_index_stays_out_whatever_is_said(tmp_path: Path) -> None:
    heads = {
        "noindex/": '<meta name="robots" content="noindex">',
        "none/": '<meta name="googlebot" content="none">',
        "moved/": '<meta http-equiv="refresh" content="0; url=/a/">',
        "copy/": f'<link rel="canonical" href="{BASE}a/">',
    }
    wish = PageSettings(exclude=False, lastmod=DAY, priority=1.0)
    pages = [
        Page(
            url=url,
            file=html(tmp_path / "site", f"{url}index.html", head),
            canonical=BASE + url,
            settings=wish,
        )
        for url, head in heads.items()
    ]
    pages.append(Page(url="404.html", unlisted="404 page", settings=wish))
    pages.append(Page(url="draft/", unlisted="draft", settings=wish))
    pages.append(Page(url="gone/", file=tmp_path / "site" / "gone.html", settings=wish))
    pages.append(Page(url="a/", file=html(tmp_path / "site", "a/index.html"), settings=wish))
    report = run(pages, tmp_path / "site", rules=[{"match": "*", "exclude": False}], exclude=["*"])
    assert set(entries(tmp_path / "site")) == {"a/"}
    assert report.left_out == {
        "noindex": 2,
        "redirect": 1,
        "canonical elsewhere": 1,
        "404 page": 1,
        "draft": 1,
        "empty": 1,
    }
    assert said(report, "warning") == []


WORDS = [None, "git", "none", DAY]


@pytest.mark.parametrize("site", ["git", "none"])
@pytest.mark.parametrize("rule", WORDS)
@pytest.mark.parametrize("page", WORDS)
def test_dates_come_from_whoever_says_where(
    repo: Repo, tmp_path: Path, site: str, rule: str | None, page: str | None
) -> None:
    """``git``, no date or a date by hand, for the site (but for the last), by a rule and by the page."""
    repo.commit("a.md", when=FIRST)
    settings = PageSettings() if page is None else of_page(lastmod=page)
    rules = [] if rule is None else [{"match": ["a/", "b/"], "lastmod": rule}]
    pages = [Page(url="a/", source=repo.root / "a.md", settings=settings), Page(url="b/", settings=settings)]
    run(pages, tmp_path / "site", lastmod=site, rules=rules)
    winner = page or rule or site
    found = entries(tmp_path / "site")
    assert found["a/"].lastmod == {"git": GIT, "none": None, DAY: DAY}[winner]
    assert found["b/"].lastmod == (DAY if DAY in (page, None if page else rule) else None)


def test_a_date_by_hand_is_written_as_it_stands_and_one_from_git_in_the_sites_format(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit("a.md", when=FIRST)
    source = repo.root / "a.md"
    written = "2022-02-02T03:04:05.678901+09:30"
    pages = [Page(url="a/", source=source), Page(url="b/", source=source, settings=of_page(lastmod=written))]
    run(pages, tmp_path / "site", lastmod_format="date", rules=[{"match": "b/", "lastmod": "git"}])
    found = entries(tmp_path / "site")
    assert {url: entry.lastmod for url, entry in found.items()} == {"a/": GIT[:10], "b/": written}


def test_what_is_cut_out_by_a_page_is_not_asked_of_git(repo: Repo, tmp_path: Path) -> None:
    """A page without a date from git costs no notice either, where git could not have told one."""
    for number in range(3):
        repo.commit("a.md", when=FIRST + number)
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    pages = [Page(url="a/", source=clone.root / "a.md")]
    assert said(run(pages, tmp_path / "site"), "info") == ["lastmod", "written"]
    rules = [{"match": "a/", "lastmod": "none"}]
    assert said(run(pages, tmp_path / "site", rules=rules), "info") == ["written"]
