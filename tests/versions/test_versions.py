"""``docs-sitemap versions`` over trees of versions, as people deploy them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lxml")

from click.testing import CliRunner, Result

from docs_sitemap.cli import main

pytestmark = pytest.mark.core

BASE = "https://docs.acme.org/"
PAGE = (
    '<!doctype html><html><head><title>x</title><link rel="canonical" href="{}"></head><body>{}</body></html>'
)


def put(root: Path, version: str, *pages: str, canonical: str = BASE, beside: str = "objects.inv") -> None:
    (root / version / beside).parent.mkdir(parents=True, exist_ok=True)
    (root / version / beside).touch()
    for page in pages:
        file = root / version / page
        file.parent.mkdir(parents=True, exist_ok=True)
        path = page.removesuffix("index.html")
        file.write_text(PAGE.format(f"{canonical}{version}/{path}", f"{version} {page}"))


REDIRECT = '<meta http-equiv="refresh" content="0; url={}"><title>x</title>'


def lay(root: Path, *versions: str) -> None:
    """Make ``1.0: a.html b.html=2.0/b.html c.html= d.html>a.html``, or a link: ``latest: @1.0``.

    A page has its own canonical link, another one after ``=``, or none; after ``>``, it redirects.
    """
    for version, pages in (each.split(": ") for each in versions):
        if pages.startswith("@"):
            (root / version).symlink_to(pages[1:])
            continue
        for page in pages.split():
            name, mark, url = re.split("([=>]|$)", page, maxsplit=1)
            put(root, version, name)
            text = (
                PAGE.format(url if "://" in url else BASE + url, "x") if url else PAGE.replace("<link", "<a")
            )
            if mark:
                (root / version / name).write_text(REDIRECT.format(url) if mark == ">" else text)


def run(root: Path, *arguments: str, base_url: str = BASE) -> Result:
    return CliRunner().invoke(main, ["versions", str(root), "--base-url", base_url, *arguments])


def rows(root: Path, *arguments: str) -> dict[str, dict[str, Any]]:
    done = run(root, "--json", *arguments)
    assert done.exit_code == 0, done.output
    return {row["version"]: row for row in json.loads(done.stdout)}


def says(file: Path) -> list[str]:
    """The URLs of a page's canonical links, and ``noindex``."""
    pattern = '<link rel="canonical" href="([^"]*)"|content="(noindex), follow"'
    return [url.removeprefix(BASE) or noindex for url, noindex in re.findall(pattern, file.read_text())]


def said(root: Path) -> dict[str, str]:
    """What each page says: one thing."""
    found = {}
    for file in sorted(root.rglob("*.html")):
        if file.is_symlink() or any(above.is_symlink() for above in file.parents):
            continue
        [found[file.relative_to(root).as_posix()]] = says(file)
    return found


def content(root: Path) -> dict[str, bytes]:
    return {
        file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Three releases, one of them a pre-release, and a branch; what moved and went."""
    root = tmp_path / "site"
    put(root, "1.0", "index.html", "guide/index.html", "gone/index.html", "moved/index.html", "flat.html")
    put(root, "2.0", "index.html", "guide/index.html", "new/index.html", "flat/index.html")
    put(root, "2.1rc1", "index.html", "guide/index.html")
    put(root, "main", "index.html", "guide/index.html")
    (root / "2.0/moved").mkdir()
    (root / "2.0/moved/index.html").write_text(
        '<meta http-equiv="refresh" content="0; url=../new/"><title>x</title>'
    )
    (root / "index.html").write_text('<meta http-equiv="refresh" content="0; url=2.0/">')
    (root / "2.0/logo.png").write_bytes(b"\x89PNG")
    return root


MARKED = {
    "1.0/index.html": "2.0/",
    "1.0/guide/index.html": "2.0/guide/",
    "1.0/gone/index.html": "noindex",
    "1.0/moved/index.html": "2.0/new/",
    "1.0/flat.html": "2.0/flat/",
    "2.1rc1/index.html": "noindex",
    "2.1rc1/guide/index.html": "noindex",
    "main/index.html": "noindex",
    "main/guide/index.html": "noindex",
}


def test_each_old_page_says_one_thing(tree: Path) -> None:
    before = content(tree)
    assert run(tree).exit_code == 0
    stubs = ("index.html", "2.0/moved/index.html")
    for name in stubs:
        assert content(tree)[name] == before[name]
        (tree / name).unlink()
    found = said(tree)
    assert {name: found[name] for name in MARKED} == MARKED
    for name in before.keys() - MARKED.keys() - set(stubs):
        assert content(tree)[name] == before[name]


def test_twice_is_as_once_and_undo_is_as_before(tree: Path) -> None:
    before = content(tree)
    assert sum(row["changed"] for row in rows(tree, "--dry-run").values()) == len(MARKED)
    assert content(tree) == before
    assert sum(row["changed"] for row in rows(tree).values()) == len(MARKED)
    once = content(tree)
    assert sum(row["changed"] for row in rows(tree).values()) == 0
    assert content(tree) == once
    assert sum(row["changed"] for row in rows(tree, "--undo").values()) == len(MARKED)
    assert content(tree) == before


def test_a_new_version_turns_the_last_one_old(tree: Path) -> None:
    before = content(tree)
    run(tree)
    put(tree, "3.0", "index.html", "guide/index.html")
    assert rows(tree)["2.0"]["role"] == "old"
    (tree / "index.html").unlink()
    (tree / "2.0/moved/index.html").unlink()
    found = said(tree)
    assert found["1.0/index.html"] == found["2.0/index.html"] == "3.0/"
    assert found["2.0/new/index.html"] == found["1.0/moved/index.html"] == "noindex"
    shutil.rmtree(tree / "3.0")
    rows(tree)
    assert content(tree)["2.0/index.html"] == before["2.0/index.html"]


def test_the_table_says_what_changed_and_why_not(tree: Path) -> None:
    (tree / "1.0/foreign.html").write_text(PAGE.format("https://other.org/", "x"))
    done = run(tree)
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["2.0", "current"],
        ["1.0", "old"],
        ["2.1rc1", "development"],
        ["main", "development"],
    ]
    assert lines[2].split()[2:] == ["6", "4", "1", "1", "5", *["by", "its", "name", "and", "its", "pages"]]
    assert lines[5] == (
        "1.0: 1 page untouched: its canonical link leads to another site, for example 1.0/foreign.html."
    )


def test_the_current_version_by_name_and_what_stays(tree: Path) -> None:
    found = rows(tree, "--current", "1.0", "--keep", "main", "--development", "2.1*")
    assert {name: row["role"] for name, row in found.items()} == {
        "1.0": "current",
        "2.0": "old",
        "2.1rc1": "development",
        "main": "kept",
    }
    refused = run(tree, "--current", "9.9")
    assert refused.exit_code == 1
    assert "--current: expected one of 1.0, 2.0, 2.1rc1, main, got 9.9." in refused.stderr
    refused = run(tree, "--current", "")
    assert refused.exit_code == 2
    assert "--current: expected latest, stable or a version's name, got nothing." in refused.stderr


@pytest.mark.parametrize("version", ["1.0", "dev", "de/1.0"])
@pytest.mark.parametrize("has_list", [False, True])
def test_a_first_version_is_no_error(tmp_path: Path, version: str, has_list: bool) -> None:
    put(tmp_path, version, "index.html")
    if has_list:
        (tmp_path / version).with_name("versions.json").write_text(json.dumps([{"version": version[-3:]}]))
    before = content(tmp_path)
    for options in ((), ("--current", "stable")):
        done = run(tmp_path, *options)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == f"Nothing to do: {tmp_path} has no two versions side by side.\n"
    assert rows(tmp_path) == {}
    assert content(tmp_path) == before


def test_branches_alone_have_no_current_version(tmp_path: Path) -> None:
    for version in ("dev", "main"):
        put(tmp_path, version, "index.html")
    assert "--current: expected one of dev, main, got latest." in run(tmp_path).stderr


def test_what_options_do_not_reach_is_told(tmp_path: Path) -> None:
    for version in ("en/1.0", "en/2.0", "de/1.0", "de/1.1", "fr/1.0"):
        put(tmp_path, version, "index.html")
    (tmp_path / "versions.json").write_text("{")
    done = run(tmp_path, "--current", "2.0", "--development", "mian,1*", "--keep", "1.00")
    assert done.stderr.splitlines() == [
        "versions.json is ignored: expected a list of versions, as mike writes it.",
        "de: none of its versions (1.0, 1.1) is 2.0: their pages stay as they are.",
        "fr: none of its versions (1.0) is 2.0: their pages stay as they are.",
        "--development: mian matches no version.",
        "--keep: 1.00 matches no version.",
    ]


def test_moved_pages_by_a_map(tree: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.txt"
    moved.write_text("# old  new\n\ngone/index.html  guide/index.html\n/index.html new/\n")
    rows(tree, "--map", str(moved))
    for name in ("index.html", "2.0/moved/index.html"):
        (tree / name).unlink()
    assert said(tree)["1.0/gone/index.html"] == "2.0/guide/"
    assert said(tree)["1.0/index.html"] == "2.0/new/"
    moved.write_text("a secret c\n")
    said_of_it = run(tree, "--map", str(moved)).stderr
    assert "--map" in said_of_it
    assert "line 1: expected an old and a new path in a version" in said_of_it
    assert "secret" not in said_of_it  # the file may be a link to one


def test_aliases_are_links_or_copies(tree: Path) -> None:
    """mike makes either; a copy of the current version leads to it, a link is counted once."""
    (tree / "latest").symlink_to("2.0")
    shutil.copytree(tree / "2.0", tree / "stable")
    (tree / "versions.json").write_text(json.dumps([{"version": "2.0", "aliases": ["latest", "stable"]}]))
    (tree / "outside").symlink_to(tree.parent)
    found = rows(tree)
    assert (found["latest"]["link_to"], found["latest"]["pages"]) == ("2.0", 0)
    assert found["2.0"]["role"] == "current"
    assert found["stable"]["role"] == "alias"
    assert found["1.0"]["role"] == "old"  # whether or not versions.json still names it
    assert f'href="{BASE}2.0/guide/"' in (tree / "stable/guide/index.html").read_text()


BOTH = ("1.0", "2.0")
LATEST = "index.html=latest/ guide/index.html=latest/guide/"
LEADING = {
    "where the current page says it is, without a chain": (
        ["1.0: index.html", "2.0: index.html=latest/"],
        "1.0/index.html=latest/",
    ),
    "in each language and project, also beside versions": (
        [f"{folder}{version}: index.html" for folder in ("", "de/", "projects/api/") for version in BOTH],
        "1.0/index.html=2.0/ de/1.0/index.html=de/2.0/ projects/api/1.0/index.html=projects/api/2.0/",
    ),
    "from a line of releases, which is no pre-release": (
        [f"{version}: a.html" for version in ("1.x", "2.x", "2.9.post1", "3.0", "3.1dev")],
        "1.x/a.html=3.0/a.html 2.x/a.html=3.0/a.html 2.9.post1/a.html=3.0/a.html 3.1dev/a.html=noindex",
    ),
    "by redirects whose names begin as a URL does": (
        ["1.0: std:a.html", "2.0: std:a.html>./std:b.html std:b.html>./std:c.html std:c.html"],
        "1.0/std:a.html=2.0/std:c.html",
    ),
    "to the page of the current version that the author names": (
        ["1.0: old.html=2.0/new.html wrong.html=2.0/never.html", "2.0: new.html"],
        "1.0/old.html=2.0/new.html 1.0/wrong.html=noindex",
    ),
    "by a redirect to an alias": (
        ["1.0: a.html", f"2.0: index.html new.html a.html>{BASE}latest/new.html", "latest: @2.0"],
        "1.0/a.html=2.0/new.html",
        *("--current", "2.0"),
    ),
    "by a redirect out of the current version, but not to an old one": (
        [
            "1.0: news.html back.html",
            "2.0: a.html news.html>../blog/ back.html>../1.0/news.html",
            "blog: index.html",
        ],
        "1.0/news.html=blog/ 1.0/back.html=noindex",
    ),
    # a fixed html_baseurl in all builds: what it names may be a version in development
    "where all versions name another one, which names itself": (
        [f"1.0: {LATEST}", f"stable: {LATEST}", f"latest: {LATEST}"],
        "1.0/index.html=stable/ 1.0/guide/index.html=stable/guide/ stable/guide/index.html=stable/guide/ "
        "latest/index.html=noindex latest/guide/index.html=noindex",
        *("--current", "stable"),
    ),
    "from an address with http": (
        ["1.0: a.html=http://docs.acme.org/1.0/a.html", "2.0: a.html"],
        "1.0/a.html=2.0/a.html",
    ),
    "without a circle": (
        ["1.0: a.html b.html", "2.0: a.html=http://docs.acme.org/1.0/a.html b.html"],
        "1.0/a.html=2.0/a.html 2.0/a.html=2.0/a.html 2.0/b.html=2.0/b.html",
    ),
    "in the folders to which versions are links": (
        ["b0: index.html=1.0/", "b1: index.html=2.0/", "1.0: @b0", "2.0: @b1", "latest: @2.0"],
        "b0/index.html=2.0/",
    ),
    "where a link into the current version is no version": (
        ["1.0: index.html beta/index.html", "2.0: index.html", "2.0/beta: index.html", "1.9: @2.0/beta"],
        "2.0/beta/index.html=2.0/beta/ 1.9->2.0/beta",
    ),
    "to a current version that is in another one": (
        ["1.0: index.html", "2.0: de/index.html", "2.0/en: index.html", "latest: @2.0/en"],
        "2.0/en/index.html=latest/ 1.0/index.html=latest/",
    ),
    "in the versions of a language to which there are links": (
        [
            *(f"en/{version}: index.html=" for version in BOTH),
            *(f"{version}: @en/{version}" for version in BOTH),
        ],
        "en/1.0/index.html=en/2.0/ 1.0->en/1.0",
    ),
}


@pytest.mark.parametrize("case", LEADING.values(), ids=LEADING)
def test_old_pages_lead(tmp_path: Path, case: Any) -> None:
    """Twice is as once, and undone is as before."""
    versions, expected, *options = case
    lay(tmp_path, *versions)
    before = content(tmp_path)
    found = rows(tmp_path, *options)
    for name, mark, what in (re.split("(=|->)", each, maxsplit=1) for each in expected.split()):
        assert (found[name]["link_to"] if mark == "->" else says(tmp_path / name)) in (what, [what]), name
    assert all(row["changed"] == 0 for row in rows(tmp_path, *options).values())
    rows(tmp_path, "--undo")
    assert content(tmp_path) == before


def test_old_pages_lead_to_the_urls_that_the_current_sitemap_has(tmp_path: Path) -> None:
    """A page without a canonical link may be served without its ending."""
    put(tmp_path, "1.0", "guide/install.html")
    put(tmp_path, "2.0", "index.html", "guide/install.html")
    (tmp_path / "2.0/guide/install.html").write_text("<!doctype html><html><head></head></html>")
    loc = f"<url><loc>{BASE}2.0/guide/install</loc></url>"
    (tmp_path / "2.0/sitemap.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{loc}</urlset>'
    )
    rows(tmp_path)
    assert f'href="{BASE}2.0/guide/install"' in (tmp_path / "1.0/guide/install.html").read_text()


def test_what_is_no_page_of_the_tree_stays(tree: Path) -> None:
    secret = tree.parent / "secret.html"
    secret.write_text(PAGE.format(f"{BASE}1.0/secret.html", "x"))
    (tree / "1.0/link.html").symlink_to(secret)
    (tree / "1.0/folder").symlink_to(tree.parent)
    os.mkfifo(tree / "1.0/pipe.html")
    before = secret.read_bytes()
    assert rows(tree)["1.0"]["pages"] == 5
    assert secret.read_bytes() == before


def test_permissions_stay(tree: Path) -> None:
    page = tree / "1.0/index.html"
    page.chmod(0o640)
    rows(tree)
    assert page.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "beside",
    ["sitemap.xml", "sitemap.xml.gz", "searchindex.js", "search/search_index.json", "de/objects.inv"],
)
def test_folders_called_like_versions_are_versions_if_they_are_whole_sites(
    tmp_path: Path, beside: str
) -> None:
    """The years of a blog, or the steps of a tutorial, are none: their pages stay."""
    for version in ("1.0", "2.0"):
        put(tmp_path, version, "index.html", "blog/2023/index.html", "blog/2024/index.html", beside=beside)
    before = said(tmp_path)
    found = rows(tmp_path)
    assert set(found) == {"1.0", "2.0"}
    assert [found[name]["canonical"] for name in ("1.0", "2.0")] == [3, 0]
    assert said(tmp_path)["2.0/blog/2023/index.html"] == before["2.0/blog/2023/index.html"]


def test_folders_called_like_versions_are_none_without_evidence(tmp_path: Path) -> None:
    for year in ("2023", "2024"):
        put(tmp_path, year, "index.html")
        (tmp_path / year / "objects.inv").unlink()
    assert "Versions are those in a versions.json, or folders that" in run(tmp_path).output
    (tmp_path / "versions.json").write_text('[{"version": "2023"}, {"version": "2024"}]')
    assert rows(tmp_path)["2023"]["canonical"] == 1


@pytest.mark.parametrize("place", ["", "_static/", "dev/_static/"])
def test_the_switcher_of_a_theme_names_the_current_version(tmp_path: Path, place: str) -> None:
    """pydata-sphinx-theme: the preferred one, whatever its folder is called; it leaves out old versions."""
    for version in ("1.0", "1.1", "lts", "dev"):
        put(tmp_path, version, "index.html")
    switcher = [
        {"name": "dev", "version": "2.0.dev0", "url": f"{BASE}dev/"},
        {"name": "1.1 (stable)", "version": "1.1.3", "url": f"{BASE}1.1/index.html", "preferred": True},
        {"version": "lts", "url": f"{BASE}lts/"},
    ]
    (tmp_path / place).mkdir(parents=True, exist_ok=True)
    (tmp_path / place / "switcher.json").write_text(json.dumps(switcher))
    assert {name: row["role"] for name, row in rows(tmp_path).items()} == {
        "1.1": "current",
        "1.0": "old",
        "lts": "old",
        "dev": "development",
    }


def test_the_table_can_be_written_to_any_terminal(tmp_path: Path) -> None:
    for version in ("1.0", "\u7248"):
        put(tmp_path, version, "index.html")
    (tmp_path / "versions.json").write_text('[{"version": "1.0"}, {"version": "\\u7248"}]')
    command = [sys.executable, "-m", "docs_sitemap", "versions", "--base-url", BASE, "--current", "1.0"]
    done = subprocess.run(
        [*command, tmp_path],
        check=False,
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )
    assert done.returncode == 0, done.stderr
    assert "\u7248".encode() in done.stdout


def test_an_alias_that_only_redirects_is_not_the_current_version(tmp_path: Path) -> None:
    """mike, ``alias_type: redirect``: the folder has a page that redirects for each page of the version."""
    for version in ("1.0", "2.0"):
        put(tmp_path, version, "index.html", "guide/index.html", beside="search/search_index.json")
    for page in ("index.html", "guide/index.html"):
        (tmp_path / "latest" / page).parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (page.count("/") + 1)
        (tmp_path / "latest" / page).write_text(REDIRECT.format(f"{up}2.0/{page.removesuffix('index.html')}"))
    known = [{"version": "2.0", "title": "2.0", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]
    (tmp_path / "versions.json").write_text(json.dumps(known))
    found = rows(tmp_path)
    assert {name: row["role"] for name, row in found.items()} == {
        "2.0": "current",
        "1.0": "old",
        "latest": "alias",
    }
    assert (found["1.0"]["canonical"], found["2.0"]["changed"], found["latest"]["changed"]) == (2, 0, 0)


@pytest.mark.parametrize(
    "strange",
    ["<!-- </head> -->", "<script>x = '<body>'</script>", f"<!-- <body> --><style>{'x' * 2_000_000}</style>"],
    ids=["comment", "script", "long"],
)
def test_marks_in_strange_heads_are_removed(tree: Path, strange: str) -> None:
    for page in tree.rglob("*.html"):
        page.write_text(page.read_text().replace("<head>", f"<head>{strange}"))
    before = content(tree)
    run(tree)
    assert content(tree) != before
    run(tree, "--undo")
    assert content(tree) == before


def test_undo_needs_no_versions(tree: Path) -> None:
    before = content(tree)
    run(tree)
    for name in ("2.0", "2.1rc1", "main"):
        shutil.rmtree(tree / name)
    assert rows(tree, "--undo") == {
        "": {**rows(tree, "--undo")[""], "role": "restored", "pages": 6, "changed": 5}
    }
    assert content(tree).items() <= before.items()


def test_a_picture_that_counts_visits_does_not_hide_the_head(tree: Path) -> None:
    picture = '<noscript><img src="https://stats.example/x.gif"></noscript>'
    for page in tree.rglob("*.html"):
        page.write_text(page.read_text().replace("<title>", f"{picture}<title>"))
    before = content(tree)
    run(tree)
    for name in ("index.html", "2.0/moved/index.html"):
        (tree / name).unlink()
    found = said(tree)
    assert {name: found[name] for name in MARKED} == MARKED
    run(tree, "--undo")
    assert content(tree).items() <= before.items()


@pytest.mark.parametrize("named", ["2.0", "latest"])
@pytest.mark.parametrize("says", ["2.0", "latest", "new.html"])
def test_a_link_to_the_current_version_may_name_an_alias_but_makes_no_chain(
    tmp_path: Path, named: str, says: str
) -> None:
    put(tmp_path, "1.0", "a.html", "gone.html", "excluded.html", "moved.html")
    put(tmp_path, "2.0", "a.html", "new.html", "excluded.html", "moved.html")
    (tmp_path / "latest").symlink_to("2.0")
    for name, target in (("a", "a"), ("gone", "new"), ("excluded", "excluded"), ("moved", "moved")):
        (tmp_path / f"1.0/{name}.html").write_text(PAGE.format(f"{BASE}{named}/{target}.html", "x"))
        url = f"{BASE}{says}/{target}.html" if says != "new.html" else f"{target}.html"
        (tmp_path / f"2.0/{target}.html").write_text(PAGE.format(url, "x"))
    (tmp_path / "2.0/excluded.html").write_text('<html><head><meta name="robots" content="noindex">')
    (tmp_path / "2.0/moved.html").write_text(
        '<html><head><meta http-equiv="refresh" content="0; url=new.html">'
    )
    run(tmp_path)
    final = {"new.html": named}.get(says, says)
    links = {
        file.name: re.findall(r'href="(\S+?)"|noindex', file.read_text())
        for file in tmp_path.glob("1.0/*.html")
    }
    assert links["a.html"][0] == f"{BASE}{final}/a.html"
    assert links["gone.html"][0] == f"{BASE}{final}/new.html"
    assert links["excluded.html"][0] == ""
    assert links["moved.html"][0].endswith("/new.html")
    assert all(row["changed"] == 0 for row in rows(tmp_path).values())


def test_an_excluded_current_version_takes_no_old_page_out_of_the_index(tmp_path: Path) -> None:
    """By a mistake in its build, mostly; a single page is excluded on purpose."""
    for version in ("1.0", "2.0", "main"):
        put(tmp_path, version, "index.html", "a.html")
    before = content(tmp_path)
    page = tmp_path / "2.0/a.html"
    page.write_text(page.read_text().replace("<title>", '<meta name="robots" content="noindex"><title>'))
    text = "1 page of current versions is noindex, so the same old pages are too, for example 2.0/a.html."
    assert text in run(tmp_path).stderr
    assert said(tmp_path / "1.0") == {"index.html": "2.0/", "a.html": "noindex"}
    page = tmp_path / "2.0/index.html"
    page.write_text(page.read_text().replace("<title>", '<meta name="robots" content="noindex"><title>'))
    done = run(tmp_path)
    assert done.stderr == (
        "2.0: the home page of the current version is noindex, so old pages stay as they were.\n"
    )
    assert {name: content(tmp_path)[name] for name in before if name.startswith("1.0")} == {
        name: before[name] for name in before if name.startswith("1.0")
    }
    assert said(tmp_path / "main") == {"index.html": "noindex", "a.html": "noindex"}


BIG = f"<style>{'a{color:red}' * 10_000}</style>"


@pytest.mark.parametrize(
    ("before", "href"),
    [
        ("", "new.html"),
        (BIG, "new.html"),
        ('<base href="/">', "2.0/new.html"),
        ('<script>x = "</head><body>"</script>', "new.html"),
    ],
)
def test_what_a_page_of_the_current_version_declares_counts_wherever_its_head_has_it(
    tmp_path: Path, before: str, href: str
) -> None:
    put(tmp_path, "1.0", "a.html", "b.html", "c.html")
    put(tmp_path, "2.0", "new.html")
    for name, element in (
        ("a", '<meta name="robots" content="noindex">'),
        ("b", f'<meta http-equiv="refresh" content="0; url={href}">'),
        ("c", f'<link rel="canonical" href="{href}">'),
    ):
        (tmp_path / f"2.0/{name}.html").write_text(f"<html><head>{before}{element}</head><body>x")
    run(tmp_path)
    found = {name: re.findall("2.0/new.html|noindex", (tmp_path / name).read_text()) for name in MOVED}
    assert found == MOVED


MOVED = {"1.0/a.html": ["noindex"], "1.0/b.html": ["2.0/new.html"], "1.0/c.html": ["2.0/new.html"]}


@pytest.mark.parametrize("old", ["gone/index.html", "gone/", "gone", "/gone/", "gone.html"])
def test_a_map_may_write_a_page_in_each_form(tree: Path, tmp_path: Path, old: str) -> None:
    moved = tmp_path / "moved.txt"
    moved.write_text(f"{old}  guide/\nnever.html guide/\nflat.html missing.html\n")
    done = run(tree, "--map", str(moved))
    assert "--map: 2 of 3 lines led to no page, such as flat.html." in done.stderr
    for name in ("index.html", "2.0/moved/index.html"):
        (tree / name).unlink()
    assert said(tree)["1.0/gone/index.html"] == "2.0/guide/"
    assert said(tree)["1.0/flat.html"] == "2.0/flat/"


def test_a_map_writes_blanks_as_in_an_address(tree: Path, tmp_path: Path) -> None:
    put(tree, "1.0", "a b 100%.html")
    moved = tmp_path / "moved.txt"
    moved.write_text("a%20b%20100%25.html  guide/\n")
    run(tree, "--map", str(moved))
    assert f'"{BASE}2.0/guide/"' in (tree / "1.0/a b 100%.html").read_text()
    moved.write_bytes(b"\xff\xfea b")
    assert "expected text in UTF-8" in run(tree, "--map", str(moved)).stderr


def test_versions_that_are_kept_stay_as_they_are(tree: Path) -> None:
    run(tree)
    before = content(tree)
    row = rows(tree, "--keep", "1.0")["1.0"]
    assert (row["pages"], row["canonical"], row["changed"]) == (5, 0, 0)
    assert content(tree) == before


def test_a_withdrawn_release_leaves_nothing_in_the_one_before(tmp_path: Path) -> None:
    """``latest`` is the address of both."""
    for version in ("1.0", "2.0"):
        put(tmp_path, version, "index.html")
        page = tmp_path / version / "index.html"
        page.write_text(re.sub("<link.*?>", "", page.read_text()))
    before = content(tmp_path)
    for current in ("2.0", "1.0"):
        (tmp_path / "latest").unlink(missing_ok=True)
        (tmp_path / "latest").symlink_to(current)
        run(tmp_path)
    assert (tmp_path / "1.0/index.html").read_bytes() == before["1.0/index.html"]
    assert "latest/" in (tmp_path / "2.0/index.html").read_text()


@pytest.mark.parametrize("host", ["https://Docs.ACME.org/", "HTTPS://docs.acme.org:443/"])
def test_a_host_may_be_written_in_each_way(tmp_path: Path, host: str) -> None:
    put(tmp_path, "1.0", "a.html", "b.html", canonical=host)
    put(tmp_path, "2.0", "a.html", "b.html", canonical=host)
    (tmp_path / "2.0/b.html").write_text(PAGE.format(f"{host}2.0/a.html", "x"))
    for base_url in (BASE, host):
        run(tmp_path, base_url=base_url)
        for name in ("a", "b"):
            assert f'"{BASE}2.0/a.html" data' in (tmp_path / f"1.0/{name}.html").read_text()
        run(tmp_path, "--undo")


def test_a_site_above_its_versions_is_not_passed_over(tmp_path: Path) -> None:
    """Its old versions may be marked by their builds, with ``current_version: ..``."""
    put(tmp_path, "", "index.html")
    for version in ("1.0", "2.0"):
        put(tmp_path, version, "index.html")
    before = content(tmp_path)
    done = run(tmp_path)
    assert (done.exit_code, content(tmp_path)) == (1, before)
    assert "ROOT has versions and is a site itself" in done.stderr
    assert "such as --current latest" in done.stderr
    for current in ("2.0", "latest", "stable"):
        assert rows(tmp_path, "--current", current)["1.0"]["canonical"] == 1
        run(tmp_path, "--undo")
        assert content(tmp_path) == before


def test_a_robots_tag_for_one_engine_excludes_too(tmp_path: Path) -> None:
    put(tmp_path, "1.0", "a.html", "b.html")
    put(tmp_path, "2.0", "a.html", "b.html")
    tag = '<meta name="googlebot" content="noindex">'
    for name in ("1.0/a.html", "2.0/b.html"):
        page = tmp_path / name
        page.write_text(page.read_text().replace("</head>", f"{tag}</head>"))
    run(tmp_path)
    assert f"{tag}</head>" in (tmp_path / "1.0/a.html").read_text()
    assert "data-docs-sitemap" not in (tmp_path / "1.0/a.html").read_text()
    assert said(tmp_path)["1.0/b.html"] == "noindex"


@pytest.mark.parametrize("left", ["1.0", "main"])
def test_the_last_version_that_is_left_is_the_current_one(tree: Path, left: str) -> None:
    before = content(tree)
    run(tree)
    for name in {"1.0", "2.0", "2.1rc1", "main"} - {left}:
        shutil.rmtree(tree / name)
    assert content(tree) != {name: before[name] for name in content(tree)}
    assert rows(tree)[left]["role"] == "current"
    assert content(tree) == {name: before[name] for name in content(tree)}


def test_missing_pages_that_the_current_version_names_are_said(tmp_path: Path) -> None:
    lay(tmp_path, "1.0: a.html", "2.0: a.html=a.html")
    assert f"such as {BASE}a.html: old pages lead there too." in run(tmp_path).stderr
    assert said(tmp_path)["1.0/a.html"] == "a.html"


@pytest.mark.parametrize("named", ["2.0", "latest", "1.0", "stable"])
def test_a_current_page_that_names_a_missing_page_of_a_version_counts_itself(
    tmp_path: Path, named: str
) -> None:
    """``stable`` is a folder of redirects, as mike makes with ``alias_type: redirect``."""
    versions = ["1.0: a.html b.html=2.0/a.html", f"2.0: a.html={named}/gone.html new.html", "latest: @2.0"]
    lay(tmp_path, *versions)
    (tmp_path / "stable").mkdir()
    (tmp_path / "stable/gone.html").write_text(REDIRECT.format("../2.0/new.html"))
    (tmp_path / "stable/index.html").write_text(REDIRECT.format("../2.0/new.html"))
    known = [{"version": "2.0", "aliases": ["latest", "stable"]}, {"version": "1.0"}]
    (tmp_path / "versions.json").write_text(json.dumps(known))
    done = run(tmp_path, "--current", "2.0")
    assert (done.exit_code, done.stderr) == (0, "")
    assert says(tmp_path / "1.0/a.html") == says(tmp_path / "1.0/b.html") == ["2.0/a.html"]


def test_a_current_version_without_pages_is_refused(tree: Path) -> None:
    for page in (tree / "2.0").rglob("*.html"):
        page.unlink()
    before = content(tree)
    done = run(tree)
    assert (done.exit_code, content(tree)) == (1, before)
    assert "2.0: the current version has no page" in done.stderr


STRANGE = "a\n::warning::b\x1b[31m"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("what", ["has versions and is a site itself", "the current version has no page"])
def test_no_name_writes_a_line_of_its_own(tmp_path: Path, what: str) -> None:
    if what == "the current version has no page":
        put(tmp_path, "1.0", "index.html")
        put(tmp_path, STRANGE)
        (tmp_path / "2.0").symlink_to(STRANGE)
    else:
        for folder in ("", "/1.0", "/2.0"):
            put(tmp_path, f"{STRANGE}{folder}", "index.html")
    done = run(tmp_path)
    assert what in done.stderr
    assert "\x1b" not in done.output
    assert not any(line.startswith("::") for line in done.output.splitlines())


def test_previews_are_noindex_and_the_site_stays(tmp_path: Path) -> None:
    for folder in ("", "pr-preview/pr-1/", "pr-preview/pr-2/"):
        put(tmp_path, f"{folder}.".rstrip("."), "index.html")
        (tmp_path / folder / "objects.inv").touch()
    root = (tmp_path / "index.html").read_bytes()
    found = rows(tmp_path, "--keep", "pr-2")
    assert {name: (row["role"], row["noindex"]) for name, row in found.items()} == {
        "": ("kept", 0),
        "pr-preview/pr-1": ("preview", 1),
        "pr-preview/pr-2": ("kept", 0),
    }
    assert (tmp_path / "index.html").read_bytes() == root


def test_numbers_of_pull_requests_are_no_versions(tmp_path: Path) -> None:
    for folder in ("pull/12", "pull/14"):
        put(tmp_path, folder, "index.html", "guide.html")
    done = run(tmp_path, "--keep", "pull/14", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert [row["role"] for row in json.loads(done.stdout)] == ["kept", "preview", "kept"]


@pytest.mark.parametrize("option", [(), ("--versions", "spring,autumn", "--current", "autumn")])
def test_versions_without_a_sitemap_are_marked_too(tmp_path: Path, option: tuple[str, ...]) -> None:
    """Doxygen writes none; names that say nothing are told."""
    old, new = ("spring", "autumn") if option else ("1.0", "2.0")
    for version in (old, new):
        for page in ("index.html", "annotated.html", "files.html"):
            put(tmp_path, version, page)
        (tmp_path / version / "doxygen.css").touch()
    found = rows(tmp_path, *option)
    assert (found[old]["canonical"], found[new]["role"]) == (3, "current")
    assert found[old]["why"] == ("by --versions" if option else "by its name and its pages")
