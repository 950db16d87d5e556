"""``docs-sitemap index`` over trees of versions, languages and projects."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from click.testing import CliRunner, Result
from lxml import etree

from docs_sitemap.cli import main
from docs_sitemap.files.emission import emit
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Host, Page
from docs_sitemap.pages.version_names import is_development
from docs_sitemap.versions.tree import choose

pytestmark = pytest.mark.core

BASE = "https://example.org/docs/"


def site(folder: Path, base_url: str, *pages: str, day: str = "2024-01-02", **options: object) -> None:
    """Write a site with our sitemap as its plugin would."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text("<html></html>")
    records = [Page(url=page, settings=PageSettings(lastmod=day)) for page in pages or ("", "a/")]
    host = Host(base_url, "base_url", str)
    assert emit(records, folder, Options(**options), host, environ={}).urls  # type: ignore[arg-type]


def sites(root: Path, *folders: str) -> None:
    """Write a site into each folder, with its own address."""
    for folder in folders:
        site(root / folder, f"{BASE}{folder}/")


def run(root: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["index", str(root), *args])


def index(root: Path, *args: str, base_url: str = BASE) -> list[str]:
    """The sitemaps that the index names, without the base URL, in its order."""
    done = run(root, "--base-url", base_url, *args)
    assert done.exit_code == 0, done.stderr
    name = "sitemap_index.xml" if (root / "sitemap_index.xml").exists() else "sitemap.xml"
    return [loc.removeprefix(base_url) for loc in named(root / name)]


def named(file: Path) -> dict[str, str | None]:
    """``{sitemap: lastmod}`` of an index."""
    tag = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    root = etree.parse(file).getroot()
    assert root.tag == f"{tag}sitemapindex"
    return {str(entry.findtext(f"{tag}loc")): entry.findtext(f"{tag}lastmod") for entry in root}


def robots(root: Path) -> list[str]:
    lines = (root / "robots.txt").read_text().splitlines()
    return [line.removeprefix("Sitemap: ") for line in lines if line.startswith("Sitemap: ")]


def test_languages_and_projects_are_all_there(tmp_path: Path) -> None:
    """Each with the newest date of its pages; in any order, again and again, the same bytes."""
    for folder, day in (("en", "2024-01-02"), ("de", "2024-03-04"), ("project/api", "2023-05-06")):
        site(tmp_path / folder, f"{BASE}{folder}/", day=day)
    (tmp_path / "assets/deep").mkdir(parents=True)
    assert index(tmp_path) == ["de/sitemap.xml", "en/sitemap.xml", "project/api/sitemap.xml"]
    assert list(named(tmp_path / "sitemap.xml").values()) == ["2024-03-04", "2024-01-02", "2023-05-06"]
    assert robots(tmp_path) == [f"{BASE}sitemap.xml"]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert "no changes" in run(tmp_path, "--base-url", BASE).stdout
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


VERSIONS = ("1.9", "1.10", "2.0", "2.1rc1", "stable", "latest")
WITHOUT_NAMES = ("v1.9", "v1.10", "v1.10rc1", "v1.2", "v2.0rc1", "dev")


@pytest.mark.parametrize(
    ("versions", "policy", "expected"),
    [
        (VERSIONS, (), ["latest"]),
        (VERSIONS, ("--versions", "latest"), ["latest"]),
        (VERSIONS, ("--versions", "stable"), ["stable"]),
        (VERSIONS, ("--versions", "all"), sorted(VERSIONS)),
        (VERSIONS, ("--versions", "1.*, stable"), ["1.10", "1.9", "stable"]),
        (WITHOUT_NAMES, (), ["v1.10"]),
    ],
)
def test_versions_by_policy(
    tmp_path: Path, versions: tuple[str, ...], policy: tuple[str, ...], expected: list[str]
) -> None:
    """What is left out is said, on standard error."""
    sites(tmp_path, *versions)
    done = run(tmp_path, "--base-url", BASE, *policy)
    assert done.exit_code == 0, done.stderr
    if len(expected) == 1:  # one site needs no index
        assert robots(tmp_path) == [f"{BASE}{expected[0]}/sitemap.xml"]
        assert not (tmp_path / "sitemap.xml").exists()
    else:
        assert sorted(index(tmp_path, *policy)) == [f"{name}/sitemap.xml" for name in expected]
    rows = table(tmp_path, *policy)
    assert {name: row[0] for name, row in rows.items() if name not in expected} == {
        name: "development" if is_development(name) else "old version"
        for name in set(versions) - set(expected)
    }


def test_versions_within_languages_and_languages_within_versions(tmp_path: Path) -> None:
    for language in ("en", "de"):
        for version in ("1.0", "2.0"):
            site(tmp_path / "a" / language / version, f"{BASE}a/{language}/{version}/")
            site(tmp_path / "b" / version / language, f"{BASE}b/{version}/{language}/")
    assert index(tmp_path) == [
        *(f"a/{language}/2.0/sitemap.xml" for language in ("de", "en")),
        *(f"b/2.0/{language}/sitemap.xml" for language in ("de", "en")),
    ]


@pytest.mark.parametrize("canonical", ["2.0", "latest"])
def test_an_alias_counts_where_its_sitemap_is_its_own(tmp_path: Path, canonical: str) -> None:
    """mike: a link or a copy says what the version says; with canonical_version it is the other way round."""
    site(tmp_path / "1.0", f"{BASE}{'1.0' if canonical == '2.0' else 'latest'}/")
    site(tmp_path / "2.0", f"{BASE}{canonical}/")
    (tmp_path / "latest").symlink_to("2.0")
    versions = [{"version": "2.0", "title": "2", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]
    (tmp_path / "versions.json").write_text(json.dumps(versions))
    done = run(tmp_path, "--base-url", BASE)
    assert done.exit_code == 0, done.stderr
    assert robots(tmp_path) == [f"{BASE}{canonical}/sitemap.xml"]
    other = "latest" if canonical == "2.0" else "2.0"
    assert [line.split()[:2] for line in done.stdout.splitlines()[:-1]] == sorted(
        [["1.0/", "old"], [f"{canonical}/", "listed"], [f"{other}/", "alias"]]
    )


def test_a_version_without_a_sitemap_is_named(tmp_path: Path) -> None:
    site(tmp_path / "2.0", f"{BASE}2.0/")
    (tmp_path / "1.0").mkdir()
    (tmp_path / "1.0/doxygen.css").touch()
    (tmp_path / "1.0/index.html").write_text("<html></html>")
    done = run(tmp_path, "--base-url", BASE)
    assert "1.0/  left out     a version without a sitemap\n" in done.stdout
    assert "old version" not in done.stdout


def test_folders_that_only_look_like_versions_are_none(tmp_path: Path) -> None:
    sites(tmp_path, "dev", "guide", "v2 notes")
    for policy in ("latest", "all"):
        found = index(tmp_path, "--versions", policy)
        assert found == [f"{name}/sitemap.xml" for name in ("dev", "guide", "v2%20notes")]
    assert choose(["1.0.0", "1.0"], ["stable"], {}) == [["1.0.0", "1.0"]]


def test_a_site_at_the_root_keeps_its_sitemap(tmp_path: Path) -> None:
    site(tmp_path, BASE, "", "b/")
    site(tmp_path / "api", f"{BASE}api/")
    before = (tmp_path / "sitemap.xml").read_bytes()
    assert index(tmp_path) == ["sitemap.xml", "api/sitemap.xml"]
    assert (tmp_path / "sitemap.xml").read_bytes() == before
    done = run(tmp_path, "--base-url", BASE, "--filename", "sitemap.xml")
    assert done.exit_code == 2
    assert "already has a sitemap.xml, of the site there" in done.stderr


def test_a_site_in_parts_is_named_by_its_parts(tmp_path: Path) -> None:
    """An index may not name an index."""
    site(tmp_path / "big", f"{BASE}big/", *(f"{n}/" for n in range(5)), max_urls=2)
    site(tmp_path / "small", f"{BASE}small/")
    parts = [f"big/sitemap-{number}.xml" for number in (1, 2, 3)]
    assert index(tmp_path) == [*parts, "small/sitemap.xml"]


def test_a_site_with_compressed_files_alone(tmp_path: Path) -> None:
    site(tmp_path / "a", f"{BASE}a/", formats=("gz",))
    site(tmp_path / "b", f"{BASE}b/")
    assert index(tmp_path) == ["a/sitemap.xml.gz", "b/sitemap.xml"]


def test_hosts_have_an_index_and_robots_txt_each(tmp_path: Path) -> None:
    """A sitemap may name pages of its own host only."""
    api = "https://api.example.org/"
    for folder in ("en", "de"):
        site(tmp_path / folder, f"{BASE}{folder}/")
        site(tmp_path / "api" / folder, f"{api}{folder}/")
    assert index(tmp_path, "--host", f"api={api}") == ["de/sitemap.xml", "en/sitemap.xml"]
    assert [loc.removeprefix(api) for loc in named(tmp_path / "api/sitemap.xml")] == [
        "de/sitemap.xml",
        "en/sitemap.xml",
    ]
    assert robots(tmp_path) == [f"{BASE}sitemap.xml"]
    assert robots(tmp_path / "api") == [f"{api}sitemap.xml"]


def test_sites_that_go_leave_the_index(tmp_path: Path) -> None:
    sites(tmp_path, "a", "b", "c")
    assert len(index(tmp_path)) == 3
    for folder in ("c", "b"):
        for file in (tmp_path / folder).iterdir():
            file.unlink()
    assert run(tmp_path, "--base-url", BASE).exit_code == 0
    assert not (tmp_path / "sitemap.xml").exists()
    assert robots(tmp_path) == [f"{BASE}a/sitemap.xml"]


def test_a_user_s_own_files_stay(tmp_path: Path) -> None:
    sites(tmp_path, "a", "b")
    theirs = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'
    (tmp_path / "sitemap.xml").write_text(theirs)
    (tmp_path / "robots.txt").write_text("User-agent: x\nDisallow: /y\n")
    done = run(tmp_path, "--base-url", BASE)
    assert done.exit_code == 1
    assert "exists, and docs-sitemap did not write it: use --filename." in done.stderr
    assert (tmp_path / "sitemap.xml").read_text() == theirs
    done = run(tmp_path, "--base-url", BASE, "--filename", "all.xml", "--no-robots")
    assert done.exit_code == 0
    assert (tmp_path / "robots.txt").read_text() == "User-agent: x\nDisallow: /y\n"
    assert run(tmp_path, "--base-url", BASE, "--filename", "all.xml").exit_code == 0
    assert (tmp_path / "robots.txt").read_text().startswith("User-agent: x\nDisallow: /y\n")
    assert robots(tmp_path) == [f"{BASE}all.xml"]


TENFOLD = "".join(f'<!ENTITY l{n + 1} "{10 * ("&l" + str(n) + ";")}">' for n in range(9))
BOMB = f'<!DOCTYPE a [{TENFOLD}<!ENTITY l0 "lol">]><urlset>&l9;</urlset>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not well-formed XML"),
        (b"<html></html>", "the root is html, not urlset or sitemapindex (line 1)."),
        (BOMB.encode(), "has a DOCTYPE, which sitemaps do not need"),
        (b"<urlset><url><loc>", "is not well-formed XML"),
        (b"\x1f\x8bbroken", "is not a valid gzip file."),
        (gzip.compress(b" " * 60_000_000), "has more than 52,428,800 bytes"),
    ],
)
def test_a_broken_sitemap_stops_it_before_anything_is_written(tmp_path: Path, data: bytes, said: str) -> None:
    site(tmp_path / "a", f"{BASE}a/")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/sitemap.xml").write_bytes(data)
    done = run(tmp_path, "--base-url", BASE)
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "sitemap.xml").exists()
    assert not (tmp_path / "robots.txt").exists()


def test_links_out_of_the_tree_and_in_circles_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    site(root / "a", f"{BASE}a/")
    site(root / "b", f"{BASE}b/")
    site(tmp_path / "secret", f"{BASE}secret/")
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "a/up").symlink_to(root)
    (root / "a/self").symlink_to("self")
    assert index(root) == ["a/sitemap.xml", "b/sitemap.xml"]


def test_pages_of_elsewhere_leave_a_sitemap_out(tmp_path: Path) -> None:
    site(tmp_path / "a", "https://other.example/a/")
    site(tmp_path / "b", f"{BASE}b/")
    done = run(tmp_path, "--base-url", BASE)
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: a: its sitemap has URLs outside its folder, such as https://other.example/a/. It was built "
        f"with the URL of another folder: build it with {BASE}a/.\n"
    )
    assert robots(tmp_path) == [f"{BASE}b/sitemap.xml"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "Missing option"),
        (("--base-url", "example.org"), "--base-url: expected"),
        (("--base-url", BASE, "--host", "nowhere=https://a.b/"), "--host: expected DIR=URL with a folder in"),
        (("--base-url", BASE, "--versions", ","), "--versions: expected latest, stable, all, or patterns"),
        (("--base-url", BASE, "--versions", "all,1.9"), "--versions: expected latest, stable, all, or"),
        (("--base-url", BASE, "--host", "=https://a.b/"), "--host: expected DIR=URL with a folder in"),
        (("--base-url", BASE, "--host", "..=https://a.b/"), "--host: expected DIR=URL with a folder in"),
        (("--base-url", BASE, "--filename", "robots.txt"), "--filename: expected a file name that ends in"),
        (("--base-url", BASE, "--filename", "../x.xml"), "--filename: expected a path inside"),
    ],
)
def test_wrong_usage_is_one_line(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, *args)
    assert done.exit_code == 2
    assert said in done.stderr


def test_no_site_s_own_sitemap_is_ever_replaced(tmp_path: Path) -> None:
    site(tmp_path, BASE, "", "b/")
    sites(tmp_path, "en", "de")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.xml")}
    for name in ("en/sitemap.xml", "./sitemap.xml", "sitemap.xml"):
        done = run(tmp_path, "--base-url", BASE, "--filename", name)
        assert done.exit_code in (1, 2)
        assert done.stdout == ""
        assert {path: path.read_bytes() for path in tmp_path.rglob("*.xml")} == before


def test_versions_that_none_match_are_told(tmp_path: Path) -> None:
    sites(tmp_path, "1.0", "2.0")
    done = run(tmp_path, "--base-url", BASE, "--versions", "3.*")
    assert done.exit_code == 1
    assert "all sites in it are left out: see --versions and --exclude" in done.stderr


def test_a_folder_of_a_host_may_be_written_in_any_way(tmp_path: Path) -> None:
    sites(tmp_path, "en", "de")
    site(tmp_path / "api", "https://api.example.org/")
    assert run(tmp_path, "--base-url", BASE, "--host", "./api/=https://api.example.org").exit_code == 0
    assert robots(tmp_path / "api") == ["https://api.example.org/sitemap.xml"]


@pytest.mark.parametrize(
    "date", ["2026-08-20é10:11:12+00:00", "2026-08-20<10:11:12+00:00", "<" * 19 + "+00:00", "2026-W01-1"]
)
def test_a_date_in_another_form_is_not_written_to_the_index(tmp_path: Path, date: str) -> None:
    """Python's parser accepts any character before the time, and would write it unescaped."""
    newest = "2024-03-04T05:06:07+00:00"
    for folder in ("de", "en"):
        site(tmp_path / folder, f"{BASE}{folder}/", day=newest)
    file = tmp_path / "de/sitemap.xml"
    text = file.read_text("utf-8").replace(newest, escape(date), 1)
    file.write_text(text, "utf-8")
    assert index(tmp_path) == ["de/sitemap.xml", "en/sitemap.xml"]
    assert [*named(tmp_path / "sitemap.xml").values()] == [newest, newest]


def whole(folder: Path, *pages: str, lang: str = "", robots: str = "", mark: str = "objects.inv") -> None:
    """A site without a sitemap, as Sphinx and others build it."""
    for page in ("index.html", *pages):
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(f'<html lang="{lang}"><meta name="robots" content="{robots}">')
    (folder / mark).touch()


def table(root: Path, *args: str) -> dict[str, tuple[str, str]]:
    """Return what the index does with each folder, and why; nothing is written."""
    before = sorted(root.rglob("*"))
    done = run(root, "--base-url", BASE, "--dry-run", "--json", *args)
    assert sorted(root.rglob("*")) == before
    return {row["folder"]: (row["status"], row["why"]) for row in json.loads(done.stdout)}


@pytest.mark.parametrize(
    ("names", "current"),
    [
        (["v1_2_0", "v1_10_0"], "v1_10_0"),
        (["release-1.2", "release-2.0", "main"], "release-2.0"),
        (["1.2.0-lts", "2.0.0", "2.x"], "2.0.0"),
        (["owl-1.0", "owl-2.0"], "owl-2.0"),
        (["owl-1.9", "owl-1.10", "owl-2.0rc1", "current"], "current"),
    ],
)
def test_names_of_versions_as_people_write_them(tmp_path: Path, names: list[str], current: str) -> None:
    for name in names:
        site(tmp_path / name, f"{BASE}{name}/")
        whole(tmp_path / name, "guide.html", "api.html")
    found = table(tmp_path)
    assert [name for name in names if found[name][0] == "listed"] == [current]
    # the same words as in versions
    done = CliRunner().invoke(main, ["versions", str(tmp_path), "--base-url", BASE, "--dry-run", "--json"])
    roles = {row["version"]: row["role"] for row in json.loads(done.stdout)}
    words = {"listed": "current", "old version": "old", "development": "development"}
    assert roles == {name: words[row[0]] for name, row in found.items()}
    assert roles.get("main", "development") == roles.get("owl-2.0rc1", "development") == "development"


def test_versions_of_two_projects_side_by_side(tmp_path: Path) -> None:
    sites(tmp_path, "owl-1.0", "owl-2.0", "bat-0.9", "bat-0.10")
    assert [name for name, row in table(tmp_path).items() if row[0] == "listed"] == ["bat-0.10", "owl-2.0"]


def test_previews_are_not_listed(tmp_path: Path) -> None:
    """As actions and hosts name their folders, with a number."""
    site(tmp_path, BASE, "", "guide/")
    previews = ["pr-preview/pr-12", "pull/7", "previews/PR3", "deploy-preview-12", "_pr/1138", "mr-4"]
    for name in previews:
        site(tmp_path / name, f"{BASE}{name}/")
        whole(tmp_path / name)
    found = table(tmp_path)
    assert found.pop("") == ("listed", "site")
    assert found == dict.fromkeys(previews, ("preview", "by the name of its folder"))


PAGES = ("guide.html", "install.html")


@pytest.mark.parametrize(
    ("copy", "is_preview"),
    [
        ((*PAGES, "Owls", ""), False),  # with a sitemap, and the usual names of pages
        ((*PAGES, "Owls", BASE), True),
        ((*PAGES, "Agent", BASE), False),
        (("usage.html", "install.html", "Owls", BASE), False),
        (("Owls", BASE), False),
    ],
)
@pytest.mark.parametrize("name", ["pr-agent", "preview-server", "branch/feature", "preview/en"])
def test_a_name_alone_costs_no_site_its_place(
    tmp_path: Path, name: str, copy: tuple[str, ...], is_preview: bool
) -> None:
    """A project can have any name; ``versions`` writes noindex into previews."""
    for folder, (*pages, title, canonical) in (("", (*PAGES, "Owls", BASE)), (f"{name}/", copy)):
        site(tmp_path / folder, BASE + folder, "")
        whole(tmp_path / folder, *pages)
        home = f'<title>{title}</title><link rel="canonical" href="{canonical or BASE + folder}">'
        (tmp_path / folder / "index.html").write_text(home)
    wanted = ("preview", "by its name and its pages") if is_preview else ("listed", "site")
    assert table(tmp_path)[name] == wanted
    command = ["versions", str(tmp_path), "--base-url", BASE, "--json"]
    CliRunner().invoke(main, command)
    assert ("noindex" in (tmp_path / name / "index.html").read_text()) == is_preview
    done = CliRunner().invoke(main, [*command, "--previews", name])
    assert done.exit_code == 0, done.stderr
    assert "noindex" in (tmp_path / name / "index.html").read_text()


def test_lines_in_robots_for_old_versions_are_named(tmp_path: Path) -> None:
    """Each build of a version said to add its line; and below the root, nobody reads the file."""
    sites(tmp_path, "1.0", "2.0")
    old, new = (f'"Sitemap: {BASE}{name}/sitemap.xml"' for name in ("1.0", "2.0"))
    (tmp_path / "robots.txt").write_text(f"User-agent: *\nAllow: /\n{old.strip(chr(34))}\n")
    said = run(tmp_path, "--base-url", BASE).stderr
    assert f"remove {old}." in said
    assert f"read robots.txt only at https://example.org/robots.txt: add {new}" in said
    assert "read robots.txt" not in run(tmp_path, "--base-url", BASE, "--no-robots").stderr


def test_pages_of_a_site_that_is_called_preview_are_no_previews(tmp_path: Path) -> None:
    site(tmp_path / "preview", f"{BASE}preview/", "", "install/")
    whole(tmp_path / "preview", "install/index.html", "look/index.html")
    assert table(tmp_path) == {"preview": ("listed", "site")}


def test_versions_without_any_sitemap_say_which_command_writes_one(tmp_path: Path) -> None:
    for name in ("1.9", "1.10"):
        whole(tmp_path / name, mark="doxygen.css")
    done = run(tmp_path, "--base-url", BASE)
    assert done.exit_code == 1
    assert f"docs-sitemap build {tmp_path / '1.10'} --base-url {BASE}1.10/" in done.stderr


def test_what_engines_must_not_see_is_not_listed(tmp_path: Path) -> None:
    for name in ("a", "draft", "internal", "old/b"):
        site(tmp_path / name, f"{BASE}{name}/")
        whole(tmp_path / name, robots="noindex" if name == "draft" else "")
    (tmp_path / "robots.txt").write_text("User-agent: Googlebot\nDisallow: /docs/internal/\n")
    assert table(tmp_path, "--exclude", "old/*") == {
        "a": ("listed", "site"),
        "draft": ("left out", "its home page says noindex"),
        "internal": ("left out", "robots.txt forbids it to Google"),
        "old/b": ("left out", "by --exclude"),
    }
    assert (
        "--exclude: none/* matches no site" in run(tmp_path, "--base-url", BASE, "--exclude", "none/*").stderr
    )


def test_each_language_built_with_the_address_of_another_is_an_error(tmp_path: Path) -> None:
    """Their readers vanish from search: the sitemap of fr/ lists English pages."""
    for name in ("en", "fr"):
        site(tmp_path / name, f"{BASE}en/")
        whole(tmp_path / name, lang=name)
    done = run(tmp_path, "--base-url", BASE)
    assert done.exit_code == 1
    assert "fr: its sitemap has URLs outside its folder" in done.stderr
    assert f"build it with {BASE}fr/." in done.stderr
    assert table(tmp_path)["en"] == ("listed", "language")


@pytest.mark.parametrize("mark", ["crates.js", "element-list", "toc.html", "hashmap.json", "siteinfo.js"])
def test_versions_of_other_generators_are_named_without_a_sitemap(tmp_path: Path, mark: str) -> None:
    site(tmp_path, BASE, "", "guide/")
    for name in ("1.0", "2.0"):
        whole(tmp_path / "api" / name, "a.html", "b.html", mark=mark)
    left = ("left out", "a version without a sitemap")
    assert table(tmp_path) == {"": ("listed", "site"), "api/1.0": left, "api/2.0": left}


def test_years_of_a_blog_and_pages_of_a_list_are_no_versions(tmp_path: Path) -> None:
    site(tmp_path, BASE, "", "blog/2024/news/")
    for page in (
        "2023/index.html",
        "2024/index.html",
        "2024/news/index.html",
        "page/2/index.html",
        "page/3/index.html",
    ):
        (tmp_path / "blog" / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "blog" / page).write_text("<title>x</title>")
    assert table(tmp_path) == {"": ("listed", "site")}


def test_marks_that_no_crawler_may_read_are_reported(tmp_path: Path) -> None:
    for name in ("pull/12", "pull/14"):
        for page in ("index.html", "guide.html"):
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
            (tmp_path / name / page).write_text("<!doctype html><html><head><title>x</title></head></html>")
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /pull/12/\n")
    done = CliRunner().invoke(main, ["versions", str(tmp_path), "--base-url", "https://docs.acme.org/"])
    (line,) = done.stderr.splitlines()
    assert line.startswith("pull/12: robots.txt keeps Google out, so it reads neither noindex nor")
