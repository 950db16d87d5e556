"""Pages in, files out: the whole core without a generator."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from docs_sitemap.files.emission import emit
from docs_sitemap.files.messages import Report
from docs_sitemap.limits import MAX_TITLE
from docs_sitemap.options.declarations import Options, read_options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.entries import make_url
from docs_sitemap.pages.page import Host, Page
from tests.support import sitemaps
from tests.support.gitrepo import FIRST, Repo

BASE = "https://example.org/"


def options(**values: Any) -> Options:
    return read_options(values, spell)


def spell(name: str) -> str:
    return f"opt_{name}"


def run(
    pages: list[Page],
    outdir: Path,
    *,
    site: str | None = BASE,
    environ: dict[str, str] | None = None,
    **values: Any,
) -> Report:
    outdir.mkdir(exist_ok=True)
    return emit(pages, outdir, options(**values), Host(site, "site_url", spell), environ=environ or {})


def said(report: Report, level: str) -> list[str]:
    return [notice.subtype for notice in report.notices if notice.level == level]


def html(folder: Path, name: str, head: str = "<title>x</title>") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<html><head>{head}</head><body></body></html>")
    return path


def test_the_whole_way_of_a_site(repo: Repo, tmp_path: Path, schemas: Path) -> None:
    repo.commit("a.md", when=FIRST)
    repo.commit("b.md", when=FIRST + 60)
    pages = [
        Page(url="b/", source=repo.root / "b.md", settings=PageSettings(priority=0.8)),
        Page(url="", source=repo.root / "a.md"),
        Page(url="generated/"),
    ]
    report = run(pages, tmp_path / "site", changefreq="weekly")
    assert sitemaps.read(tmp_path / "site" / "sitemap.xml") == {
        BASE: "2023-11-14T22:13:20+00:00",
        BASE + "b/": "2023-11-14T22:14:20+00:00",
        BASE + "generated/": None,
    }
    sitemaps.assert_valid(tmp_path / "site" / "sitemap.xml", schemas)
    assert report.written == ["sitemap.css", "sitemap.xml", "sitemap.xml.gz", "robots.txt"]
    assert said(report, "warning") == []
    text = (tmp_path / "site" / "sitemap.xml").read_text()
    assert text.count("<changefreq>weekly</changefreq>") == 3
    assert text.count("<priority>0.8</priority>") == 1


def test_gz_holds_the_same_bytes_and_is_reproducible(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run([Page(url="a")], tmp_path / name)
    one = (tmp_path / "one" / "sitemap.xml.gz").read_bytes()
    assert one == (tmp_path / "two" / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(one) == (tmp_path / "one" / "sitemap.xml").read_bytes()
    assert one[4:8] == b"\0\0\0\0"  # no time in the header


def test_the_order_of_the_pages_does_not_matter(tmp_path: Path) -> None:
    pages = [Page(url=f"{name}/", source_path=f"{name}.md") for name in "cab"]
    pages += [Page(url="a/", source_path="a/index.md", settings=PageSettings(priority=0.1))]
    run(pages, tmp_path / "one")
    run(pages[::-1], tmp_path / "two")
    assert (tmp_path / "one" / "sitemap.xml").read_bytes() == (tmp_path / "two" / "sitemap.xml").read_bytes()


def test_one_address_is_listed_once_with_a_date_only_if_each_source_has_one(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit("dup.md", when=FIRST)
    repo.commit("dup/index.md", when=FIRST + 60)
    pages = [
        Page(url="dup/", source=repo.root / "dup.md"),
        Page(url="dup/", source=repo.root / "dup/index.md"),
    ]
    run(pages, tmp_path)
    assert sitemaps.read(tmp_path / "sitemap.xml") == {BASE + "dup/": "2023-11-14T22:14:20+00:00"}
    run([*pages, Page(url="dup/")], tmp_path)
    assert sitemaps.read(tmp_path / "sitemap.xml") == {BASE + "dup/": None}


ODD_NAMES = ["a&b", "<c>", "d'e", 'f"g', "ü ß", "]]>", "\u202ertl", "😀", "a%20b", "50%"]


def test_any_text_in_an_address_gives_well_formed_xml(tmp_path: Path) -> None:
    run([Page(url=f"{name}.html") for name in ODD_NAMES], tmp_path)
    assert len(sitemaps.read(tmp_path / "sitemap.xml")) == len(ODD_NAMES)
    assert BASE + "a%20b.html" in sitemaps.read(tmp_path / "sitemap.xml")
    assert BASE + "50%25.html" in sitemaps.read(tmp_path / "sitemap.xml")


EXCLUDES = [
    (["drafts/"], {"", "a.md", "aa.md", "guide/x.md"}),
    (["a.md"], {"", "aa.md", "drafts/y.md", "guide/x.md"}),
    (["*.md"], {""}),
    (["guide/x/"], {"", "a.md", "aa.md", "drafts/y.md"}),
    (["*", "!guide/*.md"], {"guide/x.md"}),
    (["*", "!/guide/**"], {"guide/x.md"}),
    (["/a*"], {"", "drafts/y.md", "guide/x.md"}),
]


@pytest.mark.parametrize(("patterns", "left"), EXCLUDES)
def test_exclude_matches_address_and_source(tmp_path: Path, patterns: list[str], left: set[str]) -> None:
    pages = [Page(url="", source_path="index.html")]
    pages += [Page(url=f"{name}/", source_path=f"{name}.md") for name in ("a", "aa", "drafts/y", "guide/x")]
    run(pages, tmp_path, exclude=patterns)
    found = sitemaps.read(tmp_path / "sitemap.xml")
    names = {loc.removeprefix(BASE).rstrip("/") for loc in found}
    assert {f"{name}.md" if name else "" for name in names} == left


def test_exclude_matches_the_decoded_address(tmp_path: Path) -> None:
    run([Page(url="caf%C3%A9/x/"), Page(url="b/")], tmp_path, exclude=["café/"])
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [BASE + "b/"]


def test_the_published_head_decides(tmp_path: Path) -> None:
    heads = {
        "listed": f'<link rel="canonical" href="{BASE}listed">',
        "plain": "",
        "encoded%20name": f'<link rel="canonical" href="{BASE}encoded name">',
        "noindex": '<meta name="robots" content="noindex">',
        "moved": '<meta http-equiv="refresh" content="0; url=listed">',
        "copy": f'<link rel="canonical" href="{BASE}listed">',
        "unknown": f'<link rel="canonical" href="{BASE}gone">',
        "slashless/": f'<link rel="canonical" href="{BASE}slashless">',
        "folder/index.html": f'<link rel="canonical" href="{BASE}folder/">',
        "mirrored": '<link rel="canonical" href="https://mirror.example/v2/mirrored">',
    }
    pages = [
        Page(
            url=url,
            file=html(tmp_path, unquote(f"{url}index.html" if url[-1] == "/" else f"{url}.html"), head),
        )
        for url, head in heads.items()
    ]
    pages.append(Page(url="missing", file=tmp_path / "missing.html"))
    report = run(pages, tmp_path)
    assert set(sitemaps.read(tmp_path / "sitemap.xml")) == {
        BASE + url
        for url in (
            "listed",
            "plain",
            "encoded%20name",
            "folder/index.html",
            "mirrored",
            "unknown",
            "slashless/",
        )
    }
    assert report.left_out == {"noindex": 1, "redirect": 1, "canonical elsewhere": 1, "empty": 1}
    elsewhere, unknown = (n.text for n in report.notices if n.subtype == "canonical")
    assert "https://mirror.example/v2/mirrored" in elsewhere
    assert "2 pages have canonical links to an address that is no page's here" in unknown
    assert f"unknown to {BASE}gone." in unknown


def test_a_sitemap_in_a_folder_lists_only_what_lies_below(tmp_path: Path) -> None:
    report = run(
        [Page(url="maps/a"), Page(url="b"), Page(url="mapsb")], tmp_path, filename="maps/sitemap.xml"
    )
    assert list(sitemaps.read(tmp_path / "maps" / "sitemap.xml")) == [BASE + "maps/a"]
    assert report.left_out == {"outside the sitemap's folder": 2}
    assert b"Sitemap: https://example.org/maps/sitemap.xml\n" in (tmp_path / "robots.txt").read_bytes()
    report = run([Page(url="b")], tmp_path, filename="maps/sitemap.xml")
    assert said(report, "warning") == ["empty"]
    assert (
        "Set opt_filename, which is 'maps/sitemap.xml', to a name without a folder." in report.notices[0].text
    )


def test_a_changed_filename_leaves_no_old_sitemap_behind(tmp_path: Path) -> None:
    for name in ("sitemap.xml", "a b%20.xml", "new.xml"):
        run([Page(url="a")], tmp_path, filename=name)
    assert {path.name for path in tmp_path.iterdir()} == {"new.css", "new.xml", "new.xml.gz", "robots.txt"}


def test_a_page_may_state_its_own_date_and_none_may_come_from_git(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md")
    pages = [
        Page(url="a", source=repo.root / "a.md", settings=PageSettings(lastmod="2020-01-02")),
        Page(url="b", source=repo.root / "a.md"),
    ]
    run(pages, tmp_path, lastmod="none")
    assert sitemaps.read(tmp_path / "sitemap.xml") == {BASE + "a": "2020-01-02", BASE + "b": None}
    run(pages, tmp_path, lastmod_format="date")
    assert sitemaps.read(tmp_path / "sitemap.xml") == {BASE + "a": "2020-01-02", BASE + "b": "2023-11-14"}


def test_a_commit_in_the_future_gives_no_date(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md", when=4_000_000_000)
    report = run([Page(url="a", source=repo.root / "a.md")], tmp_path)
    assert sitemaps.read(tmp_path / "sitemap.xml") == {BASE + "a": None}
    assert said(report, "warning") == []


@pytest.mark.parametrize("moved", [True, False])
def test_one_commit_that_moved_most_pages_is_named_with_the_option(
    repo: Repo, tmp_path: Path, moved: bool
) -> None:
    """Not where it changed a byte of them, nor with the option."""
    for number in range(6):
        repo.commit(f"docs/{number}.md")
    repo.commit("docs/new.md")
    (repo.root / "docs").rename(repo.root / "pages")
    for number in range(2 if moved else 3):
        repo.write(f"pages/{number}.md")
    commit = repo.commit()
    repo.commit("pages/late.md")
    pages = [Page(url=path.stem, source=path) for path in (repo.root / "pages").iterdir()]
    found = [notice for notice in run(pages, tmp_path).notices if notice.subtype == "lastmod"]
    line = (
        f"5 of 8 pages have the date of one commit, {commit[:12]}, which moved their files and changed no "
        "byte of them. For the dates before such moves, set opt_follow_renames."
    )
    assert [(notice.level, notice.text) for notice in found] == [("info", line)] * moved
    assert "lastmod" not in said(run(pages, tmp_path, follow_renames=True), "info")


def test_lost_dates_give_one_notice_with_the_cure(repo: Repo, tmp_path: Path) -> None:
    for number in range(5):
        repo.commit(f"{number}.md")
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    report = run([Page(url=f"{n}", source=clone.root / f"{n}.md") for n in range(5)], tmp_path / "site")
    (notice,) = [notice for notice in report.notices if notice.subtype == "lastmod"]
    assert notice.level == "info"
    assert notice.text.startswith("5 pages have no date")
    assert "fetch-depth: 0" in notice.text
    assert set(sitemaps.read(tmp_path / "site" / "sitemap.xml").values()) == {None}


def test_each_cause_of_missing_dates_is_one_line_with_its_example_and_its_fix(
    repo: Repo, tmp_path: Path
) -> None:
    """What can be fixed is a warning only if that is asked for; what nothing is wrong with never is."""
    repo.commit("a.md")
    repo.commit("late.md", when=4_000_000_000)
    new = repo.write("new.md")
    pages = [
        Page(url=f"{file.stem}/", source=file)
        for file in (new, repo.write("new2.md"), repo.root / "a.md", repo.root / "late.md")
    ]
    pages += [Page(url="tags/"), Page(url="blog/"), Page(url="off/", settings=PageSettings(lastmod="none"))]
    lines = [
        f"2 pages have no date: not committed ({new}). To fix it: commit it; if it is copied from a "
        "committed file, set `source_map`; if it is made from one, name that as `sources` in a rule.",
        "2 pages have no date: made from no known file (/tags/).",
        f"1 page has no date: changed by a commit that is dated in the future ({repo.root / 'late.md'}).",
    ]
    for level in ("info", "warning"):
        report = run(pages, tmp_path, missing_dates=level)
        found = [notice for notice in report.notices if notice.subtype == "lastmod"]
        assert [notice.text for notice in found] == lines
        assert [notice.level for notice in found] == [level, "info", "info"]


def test_without_an_address_nothing_is_written_and_one_line_says_why(tmp_path: Path) -> None:
    for site in (None, "", "/"):
        report = run([Page(url="a")], tmp_path, site=site)
        assert said(report, "warning") == []
        assert said(report, "info") == ["base_url"]
        assert "set site_url" in report.notices[0].text
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("site", ["//", "example.org", "docs/", "https://example.org/?a=b"])
def test_an_address_that_is_none_is_named(tmp_path: Path, site: str) -> None:
    report = run([Page(url="a")], tmp_path, site=site)
    assert said(report, "warning") == ["base_url"]
    assert report.notices[0].text.startswith("site_url: expected an absolute URL")
    assert repr(site) in report.notices[0].text
    assert list(tmp_path.iterdir()) == []


def test_the_option_wins_over_the_generators_address_and_one_warning_says_so(tmp_path: Path) -> None:
    report = run([Page(url="a")], tmp_path, base_url="https://other.example/docs")
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == ["https://other.example/docs/a"]
    assert said(report, "warning") == ["canonical"]
    assert said(run([Page(url="a")], tmp_path, base_url="https://example.org"), "warning") == []


def test_an_empty_sitemap_is_not_written(tmp_path: Path) -> None:
    report = run([], tmp_path)
    assert said(report, "info") == ["empty"]
    assert list(tmp_path.iterdir()) == []
    report = run([Page(url="a", source_path="a.md")], tmp_path, exclude=["*"])
    assert said(report, "warning") == ["empty"]
    assert "opt_exclude" in report.notices[0].text


def test_below_the_hosts_root_an_info_says_which_line_belongs_there(tmp_path: Path) -> None:
    report = run([Page(url="a")], tmp_path, site="https://example.org/docs")
    (notice,) = [notice for notice in report.notices if notice.subtype == "robots"]
    assert notice.level == "info"
    assert "https://example.org/robots.txt" in notice.text
    assert '"Sitemap: https://example.org/docs/sitemap.xml"' in notice.text
    assert "set opt_robots to elsewhere" in notice.text
    assert (tmp_path / "robots.txt").is_file()
    done = run([Page(url="a")], tmp_path, site="https://example.org/docs", robots="elsewhere")
    assert said(done, "info") == ["lastmod", "written"]
    assert not (tmp_path / "robots.txt").exists()
    assert said(run([Page(url="a")], tmp_path / "root"), "info") == ["lastmod", "written"]


def test_a_variable_that_is_no_url_does_not_end_a_build(tmp_path: Path) -> None:
    environ = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "http://[::1"}
    run([Page(url="a")], tmp_path, environ=environ)
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [BASE + "a"]


def test_a_hosting_address_that_is_none_is_a_warning_and_not_a_crash(tmp_path: Path) -> None:
    report = run([Page(url="a")], tmp_path, site=None, environ={"NETLIFY": "true", "URL": "nonsense"})
    assert said(report, "warning") == ["base_url"]


def test_a_caller_may_look_before_anything_is_written(tmp_path: Path) -> None:
    seen: list[Report] = []

    def refuse(report: Report) -> bool:
        seen.append(report)
        return False

    run([Page(url="old")], tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    report = emit([Page(url="new")], tmp_path, options(), Host(BASE, "x", spell), is_good=refuse, environ={})
    assert seen == [report]
    assert report.written == []
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("base", "cname", "why"),
    [
        ("https://www.example.com/", "", "is a placeholder"),
        ("http://localhost:8000/", "", "is a local name"),
        ("https://acme.github.io/tool/", "docs.acme.org\n", "is not at docs.acme.org, where the file CNAME"),
        ("https://docs.acme.org/", "Docs.acme.org", ""),
    ],
)
def test_an_address_that_is_not_the_sites_own_is_reported(
    tmp_path: Path, base: str, cname: str, why: str
) -> None:
    (tmp_path / "CNAME").write_text(cname)
    report = emit([Page(url="a")], tmp_path, options(), Host(base, "site_url"), environ={})
    found = [notice.text for notice in report.notices if notice.subtype == "base_url"]
    assert [why in text and base in text and "set site_url" in text for text in found] == [True] * bool(why)


def test_its_own_address_in_another_link_is_not_a_pages_canonical(tmp_path: Path) -> None:
    head = f'<link rel="canonical" href="{BASE}b"><link rel="alternate" hreflang="en" href="{BASE}a">'
    pages = [
        Page(url="a", file=html(tmp_path, "a.html", head), canonical=BASE + "a"),
        Page(url="b", file=html(tmp_path, "b.html", head), canonical=BASE + "b"),
    ]
    run(pages, tmp_path)
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [BASE + "b"]


@pytest.mark.parametrize("end", ["", "index.html"])
@pytest.mark.parametrize("other", ["https://stable.org/", BASE.replace("https", "http")])
def test_a_home_page_with_its_canonical_in_another_version_is_listed_as_all_others_are(
    tmp_path: Path, end: str, other: str
) -> None:
    pages = [
        Page(url=url, file=html(tmp_path, f"{url}i.html", f'<link rel="canonical" href="{other}{url}">'))
        for url in (end, f"a/{end}")
    ]
    report = run(pages, tmp_path)
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == sorted([BASE + end, f"{BASE}a/{end}"])
    assert "canonical" in said(report, "info")


def test_a_feed_without_a_dated_page_is_said_whatever_else_is_written(tmp_path: Path) -> None:
    for formats in (["atom"], ["xml", "rss"]):
        report = run([Page(url="a")], tmp_path, formats=formats)
        assert "feed" in said(report, "info")
        assert not (tmp_path / "rss.xml").exists()
        assert not (tmp_path / "atom.xml").exists()


@pytest.mark.parametrize(
    ("formats", "name"), [(["txt"], "sitemap.txt"), (["gz"], "sitemap.xml.gz"), (["rss", "atom"], "atom.xml")]
)
def test_the_summary_names_a_file_that_is_there(tmp_path: Path, formats: list[str], name: str) -> None:
    report = run([Page(url="a", settings=PageSettings(lastmod="2020-01-02"))], tmp_path, formats=formats)
    (text,) = [notice.text for notice in report.notices if notice.subtype == "written"]
    assert text.startswith(f"{name}: 1 page, 1 with lastmod")
    assert (tmp_path / name).is_file()


@pytest.mark.parametrize("number", [1, 2])
def test_no_page_is_lost_to_a_file_that_has_the_name_of_a_part(tmp_path: Path, number: int) -> None:
    name = f"sitemap-{number}.xml"
    (tmp_path / name).write_text("theirs")
    host = Host(BASE, "site_url", spell)

    def own(file: str) -> str:
        return "docs_dir" if file == name else ""

    pages = [Page(url="a"), Page(url="b")]
    report = emit(pages, tmp_path, options(), host, own=own, environ={})
    assert len(sitemaps.read(tmp_path / "sitemap.xml")) == 2  # needs no parts
    report = emit(pages, tmp_path, options(max_urls=1), host, own=own, environ={})
    assert said(report, "info") == ["lastmod", "own"]
    assert {path.name for path in tmp_path.iterdir()} == {name}
    assert (tmp_path / name).read_text() == "theirs"


def test_a_robots_txt_that_crawlers_cannot_read_is_said(tmp_path: Path) -> None:
    data = "User-agent: *\n".encode("utf-16")
    (tmp_path / "robots.txt").write_bytes(data)
    report = run([Page(url="a")], tmp_path)
    assert said(report, "warning") == ["robots"]
    assert (tmp_path / "robots.txt").read_bytes() == data
    (tmp_path / "robots.txt").write_bytes(b"# long\n" * 80_000)
    report = run([Page(url="a")], tmp_path)
    assert "robots" in said(report, "info")


def test_what_feeds_show_of_a_page_has_a_length() -> None:
    """Descriptions of 5,600 characters with an emoji, of 28,000 pages, took 650 MB."""
    page = Page(url="a", title="t" * MAX_TITLE, summary="long " * 2_000)
    made = make_url(BASE + "a", page, PageSettings(), options(), BASE)
    assert made.title == page.title
    assert made.summary.endswith("long…")
    assert len(made.summary) <= MAX_TITLE <= 300
