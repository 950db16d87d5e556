"""``docs-sitemap build`` on what generators really build, with and without plugins of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs_sitemap.generators.html import Sources
from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.warm import generate, run_module

BASE = "https://example.org/docs/"
ROOT = Path(__file__).resolve().parents[3]
BIN = Path(sys.executable).parent


def run(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_module("docs_sitemap", "build", *map(str, args), cwd=cwd)


def build(site: Path, *args: str | Path, cwd: Path) -> dict[str, str | None]:
    """The sitemap that the command writes, without the base URL."""
    done = run(site, "--base-url", BASE, *args, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return {loc.removeprefix(BASE): date for loc, date in sitemaps.read(site / "sitemap.xml").items()}


def commit(repo: Repo, files: Iterable[tuple[str, str]]) -> None:
    """Commit each file on its own, so that no two have one date."""
    for name, text in files:
        repo.save(name, text)


def dates(repo: Repo, sources: dict[str, str]) -> dict[str, str]:
    return {
        page: datetime.fromtimestamp(repo.log_date(name), UTC).isoformat() for page, name in sources.items()
    }


def test_hugo(repo: Repo) -> None:
    """Its addresses are in lower case, with hyphens; its lists are made from no file."""
    hugo = BIN / "hugo"
    if not hugo.exists():
        pytest.skip("hugo is not installed")
    head = '+++\ntitle = "{}"\n{}+++\nText.\n'
    layout = (
        '<html><head><link rel="canonical" href="{{ .Permalink }}"></head><body>{{ .Content }}</body></html>'
    )
    pages = [
        ("content/_index.md", head.format("Home", "")),
        ("content/posts/First Post.md", head.format("First", "")),
        ("content/posts/second.md", head.format("Second", "[sitemap]\nlastmod = 2020-01-02\n")),
        ("content/posts/draft.md", head.format("Draft", "draft = true\n")),
        ("content/posts/hidden.md", head.format("Hidden", "[sitemap]\nexclude = true\n")),
    ]
    commit(repo, pages)
    repo.write(
        "hugo.toml",
        f'baseURL = "{BASE}"\ntitle = "Test"\ndisableKinds = ["taxonomy", "RSS", "sitemap", "404"]\n',
    )
    for name in ("single", "list", "home"):
        repo.write(f"layouts/{name}.html", layout)
    generate(hugo, "--quiet", cwd=repo.root)
    found = build(repo.root / "public", "--source-dir", "content", cwd=repo.root)
    known = dates(repo, {"": "content/_index.md", "posts/first-post/": "content/posts/First Post.md"})
    assert found == {**known, "posts/": None, "posts/second/": "2020-01-02"}


def test_pelican(repo: Repo) -> None:
    """Its pages are called after their titles; its lists are made from no file."""
    if find_spec("pelican") is None:
        pytest.skip("pelican is not installed")
    commit(
        repo,
        [
            ("content/a.md", "Title: My First Article\nDate: 2020-01-02\n\nText.\n"),
            ("content/b.rst", "About owls\n##########\n\n:slug: owls\n:date: 2020-01-03\n\nText.\n"),
            ("content/c.md", "Title: Later\nDate: 2020-01-04\nStatus: draft\n\nText.\n"),
            ("content/d.md", "Title: Elsewhere\nDate: 2020-01-05\nSave_as: else/d.html\n\nText.\n"),
            ("content/pages/e.md", "Title: About us\n\nText.\n"),
        ],
    )
    repo.write("pelicanconf.py", "SITENAME = 'Test'\nTIMEZONE = 'UTC'\n")
    repo.write("pyproject.toml", "[tool.docs-sitemap]\nexclude = ['/author/', '/category/']\n")
    generate(
        sys.executable, "-m", "pelican", "-q", "-s", "pelicanconf.py", "content", "-o", "site", cwd=repo.root
    )
    found = build(repo.root / "site", "--source-dir", "content", cwd=repo.root)
    sources = {
        "my-first-article.html": "content/a.md",
        "owls.html": "content/b.rst",
        "else/d.html": "content/d.md",
        "pages/about-us.html": "content/pages/e.md",
    }
    lists = dict.fromkeys(("", "archives.html", "authors.html", "categories.html", "tags.html"))
    assert found == {**dates(repo, sources), **lists}


@pytest.mark.parametrize("generator", ["pdoc", "pydoc"])
def test_modules(repo: Repo, generator: str) -> None:
    """Documentation of code: a page a module; pdoc is known, of others a rule says the source."""
    if generator == "pdoc" and find_spec("pdoc") is None:
        pytest.skip("pdoc is not installed")
    commit(repo, [("src/shelf/__init__.py", '"""Shelves."""\n'), ("src/shelf/board.py", '"""Boards."""\n')])
    env = {**os.environ, "PYTHONPATH": str(repo.root / "src")}
    site = repo.root / "site"
    site.mkdir()
    if generator == "pdoc":
        command = ["-m", "pdoc", "-o", str(site), "shelf"]
    else:
        command = ["-m", "pydoc", "-w", "shelf", "shelf.board"]
    subprocess.run([sys.executable, *command], cwd=site, env=env, check=True, capture_output=True)
    board = "shelf/board.html" if generator == "pdoc" else "shelf.board.html"
    args = ["--source-dir", "src"]
    if generator == "pydoc":
        rules = [
            '{match = "shelf.html", sources = ["src/shelf/__init__.py"]}',
            f'{{match = "{board}", sources = ["src/shelf/board.py"]}}',
        ]
        repo.write("docs-sitemap.toml", f"rules = [{', '.join(rules)}]\n")
        args = []
    found = build(site, *args, cwd=repo.root)
    known = dates(repo, {"shelf.html": "src/shelf/__init__.py", board: "src/shelf/board.py"})
    assert {page: date for page, date in found.items() if page} == known


EXAMPLES = {
    "mkdocs": ["--base-url", "https://docs.example.org/", "--exclude", "/committee/minutes.md"],
    "sphinx": ["--base-url", "https://example.org/widgets/", "--exclude", "drafts/"],
}


@pytest.mark.parametrize("host", EXAMPLES)
def test_the_example_sites_get_the_same_sitemap_as_from_their_plugins(host: str, tmp_path: Path) -> None:
    pytest.importorskip(host)
    pytest.importorskip("yaml")
    source = ROOT / "example_sites" / host
    site = tmp_path / "site"
    if host == "mkdocs":
        config = source / "mkdocs.yml"
        generate(sys.executable, "-m", "mkdocs", "build", "-q", "-f", config, "-d", site, cwd=tmp_path)
    else:
        generate(sys.executable, "-m", "sphinx", "-q", source, site, cwd=tmp_path)
    ours = {
        path.name: path.read_bytes() for path in site.iterdir() if path.name.startswith(("sitemap", "robots"))
    }
    for name in ours:
        (site / name).unlink()
    docs = source / "docs" if host == "mkdocs" else source
    done = run(site, "--source-dir", docs, *EXAMPLES[host], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("sitemap.xml", "sitemap.xml.gz", "sitemap.css"):
        assert (site / name).read_bytes() == ours[name], name


def site_of(folder: Path, pages: dict[str, str]) -> Path:
    """Write a tree of pages by what stands in their heads."""
    for name, head in pages.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<html><head>{head}</head><body><h1>Title</h1></body></html>", encoding="utf-8")
    return folder


def test_each_page_s_own_head_decides(tmp_path: Path) -> None:
    pages = {
        "index.html": "",
        "plain.html": f'<link rel="canonical" href="{BASE}plain">',
        "folder/index.html": f'<link rel="canonical" href="{BASE}folder/index.html">',
        "other/index.html": f'<link rel="canonical" href="{BASE}other">',
        "hidden.html": '<meta name="robots" content="noindex">',
        "stub.html": '<meta http-equiv="refresh" content="0; url=plain.html">',
        "copy.html": f'<link rel="canonical" href="{BASE}plain">',
        "404.html": "",
        "search.html": "",
        ".hidden/a.html": "",
        "not.txt": "",
    }
    site = site_of(tmp_path / "site", pages)
    (site / "empty.html").write_text("")
    outside = site_of(tmp_path / "outside", {"secret.html": ""})
    (site / "link.html").symlink_to(outside / "secret.html")
    (site / "linked").symlink_to(outside)
    assert build(site, cwd=tmp_path).keys() == {"", "plain", "folder/index.html", "other", "search"}


def test_languages_of_the_heads_are_alternates(tmp_path: Path) -> None:
    def links(*codes: str) -> str:
        return "".join(f'<link rel="alternate" hreflang="{code}" href="{BASE}{code}/">' for code in codes)

    site = site_of(
        tmp_path / "site",
        {
            "en/index.html": links("en", "de"),
            "de/index.html": links("en", "de"),
            "fr/index.html": links("en"),
        },
    )
    build(site, cwd=tmp_path)
    text = (site / "sitemap.xml").read_text("utf-8")
    assert text.count("<xhtml:link") == 4
    assert 'hreflang="fr"' not in text


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("a.md", "a/index.html"),
        ("a.rst", "a.html"),
        ("a/index.ipynb", "a/index.html"),
        ("a/README.md", "a/index.html"),
        ("a/_index.md", "a/index.html"),
        ("a/index.md", "a.html"),
        ("A Long Name.md", "a-long-name/index.html"),
        ("snake_case.adoc", "snake-case.html"),
        ("index.md", "index.html"),
        ("README.md", "index.html"),
    ],
)
def test_sources_are_found_by_path(tmp_path: Path, source: str, page: str) -> None:
    (tmp_path / source).parent.mkdir(exist_ok=True)
    (tmp_path / source).touch()
    assert Sources(tmp_path).find(page) == tmp_path / source


def test_the_line_wins_over_the_file_and_each_mistake_is_named_as_it_is_written(tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", {"a.html": "", "b.html": ""})
    config = tmp_path / "docs-sitemap.toml"
    config.write_text(f'base-url = "{BASE}"\nexclude = ["a.html"]\nformats = ["xml", "txt"]\n')
    done = run(site, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (site / "sitemap.txt").read_text() == f"{BASE}b.html\n"
    done = run(site, "--exclude", "b.html", "--formats", "xml", cwd=tmp_path)
    assert sitemaps.read(site / "sitemap.xml").keys() == {f"{BASE}a.html"}
    assert not (site / "sitemap.txt").exists()
    config.write_text("clock = 'wall'\n")
    for args, said in (
        ([], f"{config.name}: clock: expected one of committer, author, got 'wall'."),
        (["--clock", "sun"], "--clock: expected one of committer, author, got 'sun'."),
        (["--max-urls", "0"], "--max-urls: expected a whole number"),
        (["--languages", "de"], "--languages: expected CODE=URL"),
    ):
        done = run(site, *args, cwd=tmp_path)
        assert done.returncode == 2
        assert said in done.stderr
        config.write_text("")
    config.write_text("exclud = []\n")
    done = run(site, cwd=tmp_path)
    assert done.returncode == 2
    assert "exclud: there is no such option; did you mean exclude?" in done.stderr
    config.write_text("max-urls = 0\n")
    assert "docs-sitemap.toml: max-urls: expected" in run(site, cwd=tmp_path).stderr
    config.write_text("colour = 1\n")
    done = run(site, cwd=tmp_path)
    assert "colour: there is no such option; the options are base_url, filename," in done.stderr
    config.write_text("[")
    assert "expected a TOML file, got" in run(site, cwd=tmp_path).stderr
    config.unlink()
    done = run(site, cwd=tmp_path)
    assert done.returncode == 1
    assert "set --base-url to it" in done.stderr


def test_fields_of_restructuredtext_say_it_as_in_sphinx(repo: Repo) -> None:
    """A field of its own adds to ``sitemap``, and a mistake is told by the field's name."""
    commit(
        repo,
        [
            ("docs/a.rst", ":sitemap: false\n:sitemap-priority: 0.8\n\nText."),
            ("docs/b.rst", ":sitemap-priority: 7\n:sitemap-sources: gone.csv\n\nText."),
        ],
    )
    site = site_of(repo.root / "site", {"a.html": "", "b.html": ""})
    done = run(site, "--source-dir", "docs", "--base-url", BASE, cwd=repo.root)
    assert sitemaps.read(site / "sitemap.xml").keys() == {f"{BASE}b.html"}
    assert "b.rst: sitemap-priority: expected a number from 0.0 to 1.0, got '7'" in done.stderr
    assert "b.rst: sitemap-sources: no such file in docs: 'gone.csv'" in done.stderr


def test_front_matter_that_cannot_be_read_is_one_warning(repo: Repo) -> None:
    """Where it is about the sitemap; the page is listed with its date."""
    pytest.importorskip("yaml")
    name = "n\x1b[31m\nevil"
    commit(repo, [(f"docs/{name}.md", "---\nsitemap: [\n---\nText."), ("docs/b.md", "---\na: [\n---\nText.")])
    site = site_of(repo.root / "site", {f"{name}.html": "", "b.html": ""})
    done = run(site, "--source-dir", "docs", "--base-url", BASE, cwd=repo.root)
    assert done.returncode == 0
    [warning] = [line for line in done.stderr.splitlines() if "front matter" in line]
    assert warning.startswith(f"Warning: {f'docs/{name}.md'!a}: cannot read the front matter: ")
    assert warning.endswith(". It is ignored.")
    assert all(sitemaps.read(site / "sitemap.xml").values())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_pipes_are_no_pages_and_no_sources(tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", {"a.html": "", "b.html": ""})
    (tmp_path / "docs").mkdir()
    os.mkfifo(site / "pipe.html")
    os.mkfifo(tmp_path / "docs/a.md")
    (tmp_path / "docs/b.md").touch()
    assert build(site, "--source-dir", "docs", cwd=tmp_path).keys() == {"a.html", "b.html"}


def test_a_preview_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = site_of(tmp_path / "site", {"a.html": ""})
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    done = run(site, "--base-url", BASE, cwd=tmp_path)
    assert done.returncode == 0
    assert not (site / "sitemap.xml").exists()


def test_an_old_version_leads_to_the_current_one_and_back(tmp_path: Path) -> None:
    """The second run reads pages that the first one has marked."""
    site = site_of(tmp_path / "site", {"a.html": "", "b/index.html": ""})
    before = {name: (site / name).read_bytes() for name in ("a.html", "b/index.html")}
    for current, path in (("stable", "stable/"), ("1.0", "1.0/"), ("2.0", "2.0/")):
        done = run(site, "--base-url", f"{BASE}1.0/", "--current-version", current, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        is_current = path == "1.0/"
        assert (site / "sitemap.xml").exists() == is_current
        for name, page in (("a.html", "a.html"), ("b/index.html", "b/")):
            data = (site / name).read_bytes()
            assert (data == before[name]) == is_current
            assert (f'<link rel="canonical" href="{BASE}{path}{page}"'.encode() in data) != is_current


def test_versions_below_the_current_one_keep_their_marks(tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", {"a.html": ""})
    for version in ("1.0", "2.0"):
        site_of(site / version, {"a.html": ""})
        (site / version / "objects.inv").touch()
        url = f"{BASE}{version}/"
        assert run(site / version, "--base-url", url, "--current-version", "..", cwd=tmp_path).returncode == 0
    marked = (site / "1.0/a.html").read_bytes()
    assert f'<link rel="canonical" href="{BASE}a.html"'.encode() in marked
    assert run(site, "--base-url", BASE, "--current-version", "..", cwd=tmp_path).returncode == 0
    assert (site / "1.0/a.html").read_bytes() == marked


@pytest.mark.parametrize("option", ["page-dates = true", 'dependencies = "all"', 'missing_dates = "warning"'])
def test_what_only_plugins_can_heed_is_refused(tmp_path: Path, option: str) -> None:
    site = site_of(tmp_path / "site", {"a.html": ""})
    (tmp_path / "docs-sitemap.toml").write_text(option + "\n")
    done = run(site, "--base-url", BASE, cwd=tmp_path)
    assert done.returncode == 2
    assert f"docs-sitemap.toml: {option.partition(' ')[0]}: only the plugins" in done.stderr
    assert not (site / "sitemap.xml").exists()


def test_without_a_source_folder_rules_name_sources_from_the_working_folder(repo: Repo) -> None:
    commit(repo, [("docs/a.md", "A"), ("src/api.py", "1")])
    site = site_of(repo.root / "site", {"a.html": "", "api.html": ""})
    config = repo.root / "docs-sitemap.toml"
    config.write_text('rules = [{match = "api.html", sources = ["src/api.py"]}]\n')
    api = dates(repo, {"api": "src/api.py"})["api"]
    assert build(site, cwd=repo.root) == {"a.html": None, "api.html": api}
    config.write_text('rules = [{match = "api.html", sources = ["api.py"]}]\n')
    done = run(site, "--base-url", BASE, cwd=repo.root)
    assert f"docs-sitemap.toml: rules: rule 1, sources: no such file in {repo.root.name}" in done.stderr


def test_the_author_s_creation_date_is_in_the_feed(repo: Repo) -> None:
    """As in the page itself; in reStructuredText, ``date`` may be anything."""
    pytest.importorskip("yaml")
    repo.write("src/one.md", "---\ndate: 2022-05-05\n---\n# One\n")
    repo.save("src/two.rst", ":date: 2022-05-05\n\nTwo\n===\n")
    for name in ("one", "two"):
        repo.write(f"site/{name}/index.html", f"<html><head><title>{name}</title></head><body></body></html>")
    options = ("--source-dir", repo.root / "src", "--formats", "xml,atom", "--creation-dates", "true")
    dates = build(repo.root / "site", *options, cwd=repo.root)
    feed = (repo.root / "site/atom.xml").read_text("utf-8")
    assert "<published>2022-05-05T00:00:00+00:00</published>" in feed
    assert f"<published>{dates['two/']}</published>" in feed


def test_why_creation_dates_are_missing_is_reported(repo: Repo, tmp_path: Path) -> None:
    """Only if the same does not keep the last changes away too: one line is enough."""
    repo.commit("src/one.md", "src/two.md")
    repo.commit("src/one.md")
    repo.commit("src/one.md")
    clone = tmp_path / "clone"
    repo.git("clone", "--quiet", "--depth=2", repo.root.as_uri(), os.fspath(clone))
    for name in ("one", "two"):
        page = clone / f"site/{name}/index.html"
        page.parent.mkdir(parents=True)
        page.write_text(f"<html><head><title>{name}</title></head><body></body></html>")
        options = ("--source-dir", clone / "src", "--formats", "xml,atom", "--creation-dates", "true")
        done = run(clone / "site", *options, "--base-url", BASE, cwd=clone)
        said = [line for line in done.stderr.splitlines() if "before this shallow clone begins" in line]
        assert len(said) == 1
        assert f"1 page has no {'creation date' if name == 'one' else 'date'}: " in said[0]


def test_previews_in_the_site_are_not_listed_unless_a_rule_says_so(tmp_path: Path) -> None:
    pages = ["index.html", "pr-preview/pr-1/index.html", "pr-preview/pr-1/a/index.html", "preview/index.html"]
    site = site_of(
        tmp_path / "site", {page: f"<title>{page}</title>" for page in [*pages, "preview/a/index.html"]}
    )
    assert build(site, cwd=tmp_path).keys() == {"", "preview/", "preview/a/"}
    rules = 'rules = [{match = "pr-preview/", exclude = false}]'
    (tmp_path / "docs-sitemap.toml").write_text(rules)
    assert "pr-preview/pr-1/a/" in build(site, cwd=tmp_path)
