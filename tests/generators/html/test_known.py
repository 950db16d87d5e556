"""Which source a page is made from, as each known generator documents it and was seen to do it."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs_sitemap.generators.html import Sources
from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.projects import BUILT, NOT_LISTED, PROJECTS, write_files
from tests.support.warm import run_module

pytest.importorskip("yaml", reason="front matter in YAML is read only where PyYAML is")


@pytest.mark.parametrize("name", PROJECTS)
def test_pages_have_the_sources_that_the_generator_documents(name: str, tmp_path: Path) -> None:
    files, folder, pages = PROJECTS[name]
    write_files(tmp_path, files)
    sources = Sources(tmp_path / folder)
    assert sources.generator.name in name or name == "another one"
    found = {page: sources.find(page) for page in pages}
    assert {
        page: path.relative_to(tmp_path).as_posix() if path else "" for page, path in found.items()
    } == pages


def test_what_the_built_site_says_of_its_sources_is_better(tmp_path: Path) -> None:
    """MyST flattens addresses and numbers those that are taken; VitePress can rewrite them."""
    files, _, built = BUILT["myst"]
    write_files(tmp_path / "book", files | built)
    book = Sources(tmp_path / "book", tmp_path / "book/_build/html")
    start = tmp_path / "book/guide/start.md"
    assert book.find("start-1/index.html") == tmp_path / "book/other/start.md"
    assert book.find("start/index.html") == start
    assert [*book.parts(start)] == [tmp_path / "book/parts/a.md"]
    files = {
        "press/.vitepress/config.ts": "",
        "press/old-name.md": "",
        "press/items/[id].md": "",
        "press/items/[id].paths.js": "",
        "built/index.html": '<meta name="generator" content="VitePress v1.6.4">',
        "built/assets/new.md.a.lean.js": 'const a=\'{"relativePath":"new.md","filePath":"old-name.md"}\'',
        "built/assets/b.md.a.lean.js": 'const a=\'{"relativePath":"items/b.md","filePath":"items/[id].md"}\'',
    }
    write_files(tmp_path, files)
    press = Sources(tmp_path / "press", tmp_path / "built")
    assert press.find("new.html") == tmp_path / "press/old-name.md"
    item = press.find("items/b.html")
    assert item == tmp_path / "press/items/[id].md"
    assert [*press.parts(item)] == [tmp_path / "press/items/[id].paths.js"]


@pytest.mark.parametrize("folder", [".", "docs"])
def test_docusaurus_names_the_source_of_each_page(tmp_path: Path, folder: str) -> None:
    """It has slugs, numbers, versions and languages, and its scripts have the data of each page."""
    files, pages, built = BUILT["docusaurus"]
    write_files(tmp_path, files | built)
    sources = Sources(tmp_path / folder, tmp_path / "build")
    of = {page: path for page, path in pages.items() if folder == "." or path.startswith("docs/")}
    found = {page: sources.find(page) for page in of}
    assert found == {page: tmp_path / path for page, path in of.items()}
    start, copy = tmp_path / "docs/02-guide/01-start.md", tmp_path / "docs/Café.md"
    assert [*sources.parts(start)] == [tmp_path / "docs/_part.mdx"]
    assert sources.is_copy("fr/docs/next/Café.html", tmp_path / "x.html", copy)
    assert not sources.is_copy("docs/next/guide/start.html", tmp_path / "x.html", start)


def command_of(page: Path) -> list[str]:
    """The command of ours that a page of the documentation shows."""
    lines = page.read_text("utf-8").splitlines()
    return shlex.split(next(line for line in lines if line.startswith("$ docs-sitemap build")))[3:]


GUIDES = sorted((Path(__file__).parents[3] / "docs/generators").glob("*.md"))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_command_in_the_documentation_dates_every_page(guide: Path, repo: Repo) -> None:
    command = command_of(guide)
    site = repo.root / command[0]
    if guide.stem in BUILT:
        files, pages, built = BUILT[guide.stem]
    else:
        name = next(name for name in PROJECTS if guide.stem in name.lower())
        files, _, known = PROJECTS[name]
        pages = {page: source for page, source in known.items() if source}
        built = {f"{command[0]}/{page}": "<title>Page</title>" for page in pages}
    for path, text in files.items():
        repo.save(path, text)
    write_files(repo.root, built)
    done = run_module("docs_sitemap", "build", *command, cwd=repo.root)
    assert done.returncode == 0, done.stderr
    found = sitemaps.read(site / "sitemap.xml")
    wanted = {
        page.removesuffix("index.html"): datetime.fromtimestamp(repo.log_date(source), UTC).isoformat()
        for page, source in pages.items()
    }
    base = command[command.index("--base-url") + 1]
    dates = {unquote(loc.removeprefix(base)): date for loc, date in found.items()}
    assert dates == {page: date for page, date in wanted.items() if page not in NOT_LISTED}
    # and what front matter hides is not listed
    for page, source in [each for each in pages.items() if each[1].endswith((".md", ".qmd"))][-1:]:
        text = (repo.root / source).read_text("utf-8")
        fenced = text.removeprefix("---\n") if text.startswith("---\n") else f"---\n{text}"
        head = "robots: noindex\n"
        repo.write(source, f"{head}{text}" if text.startswith("Title:") else f"---\n{head}{fenced}")
        assert run_module("docs_sitemap", "build", *command, cwd=repo.root).returncode == 0
        hidden = {*found} - {*sitemaps.read(site / "sitemap.xml")}
        assert {unquote(loc.removeprefix(base)) for loc in hidden} == {page.removesuffix("index.html")}


# a project, its built pages, and what is listed with which date: "git" is that of the source
WORDS: dict[str, tuple[dict[str, str], dict[str, str], dict[str, str]]] = {
    "Hugo": (
        {
            "hugo.toml": "",
            "content/a.md": "---\nsitemap:\n  disable: true\n---\n",
            "content/b.md": "+++\n[build]\nlist = 'never'\n+++\n",
            "content/c.md": "---\nlastmod: 2024-05-06\n---\n",
            "content/d.md": "---\nlastmod: 2024-05-06\nsitemap: {lastmod: 2020-01-02, filename: x}\n---\n",
        },
        {f"{name}/index.html": "" for name in "abcd"},
        {"c/": "2024-05-06", "d/": "2020-01-02"},
    ),
    "Pelican": (
        {
            "pelicanconf.py": "",
            "content/a.md": "Title: One\nStatus: draft\n",
            "content/b.rst": "Two\n###\n\n:status: hidden\n",
            "content/c.md": "Title: Three\n",
        },
        {"drafts/one.html": "", "two.html": "", "three.html": ""},
        {"three.html": "git"},
    ),
    "Docusaurus": ({"docusaurus.config.js": "", "src/pages/a.js": ""}, {"a.html": ""}, {"a.html": "git"}),
    "Astro": (
        {
            "astro.config.mjs": "",
            "src/content/docs/guide.md": "",
            "src/content/docs/b.md": "---\ndraft: true\n---\n",
        },
        {
            "guide/index.html": '<html lang="en"><main class="x" lang="en">',
            "fr/guide/index.html": '<html lang="fr"><main class="x" lang="en">',
            "b/index.html": "",
        },
        {"guide/": "git"},
    ),
    "mdBook": (
        {"book.toml": "", "content/intro.md": ""},
        {
            # the head is the author's own, and may tell where the page is
            "index.html": "<!-- Book generated using mdBook --><script>'index.md'</script></head>Intro",
            "intro.html": "<!-- Book generated using mdBook --><script>'intro.md'</script></head>Intro",
        },
        {"": "git"},
    ),
}


SAID = {
    "Hugo": ("a.md has sitemap: disable: true", "b.md has build: list: never"),
    "Pelican": ("a.md has status: draft", "b.rst has status: hidden"),
    "Astro": ("src/content/docs/b.md has draft: true",),
}
"""What explain says of the pages that are hidden."""


@pytest.mark.parametrize("name", WORDS)
def test_what_a_generator_hides_is_not_listed(name: str, repo: Repo) -> None:
    files, pages, wanted = WORDS[name]
    for path, text in files.items():
        repo.write(path, text)
    repo.commit()
    write_files(repo.root / "site", {page: html or f"<title>{page}</title>" for page, html in pages.items()})
    folder = "content" if (repo.root / "content").is_dir() else "."
    command = ["site", "--source-dir", folder, "--base-url", "https://example.org/"]
    done = run_module("docs_sitemap", "build", *command, cwd=repo.root)
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr
    found = sitemaps.read(repo.root / "site/sitemap.xml")
    date = datetime.fromtimestamp(repo.log_date("."), UTC).isoformat()
    assert {loc.removeprefix("https://example.org/"): day for loc, day in found.items()} == {
        page: date if day == "git" else day for page, day in wanted.items()
    }
    left_out = run_module("docs_sitemap", "explain", "--left-out", cwd=repo.root).stdout
    assert all(f": {words}\n" in left_out for words in SAID.get(name, ())), left_out


def test_a_page_that_is_not_built_moves_no_other(tmp_path: Path) -> None:
    """The path of the site's URL is what most permalinks begin with; a draft has one, too."""
    data = '{{"source":"@site/docs/{0}.md","sourceDirName":".","slug":"/{0}","permalink":"/docs/{0}"}}'
    names = ["a", "b", "draft"]
    files = {
        "docusaurus.config.js": "",
        "build/index.html": '<meta name="generator" content="Docusaurus v3.10.2">',
        "build/docs/a.html": "",
        "build/docs/b.html": "",
        "build/assets/js/main.js": "".join(map(data.format, names)),
        **{f"docs/{name}.md": "" for name in names},
    }
    write_files(tmp_path, files)
    sources = Sources(tmp_path, tmp_path / "build")
    assert sources.find("docs/a.html") == tmp_path / "docs/a.md"
    assert sources.find("index.html") is None


@pytest.mark.parametrize(
    "data",
    [
        # 2.0 to 3.3: an object of the script; a post with and without editUrl; JSON in 3.4 to 3.10
        'const m={id:"a",source:"@site/blog/a.md",sourceDirName:".",slug:"/a",permalink:"/blog/a",tags:[]}',
        'm={permalink:"/blog/a",source:"@site/blog/a.md",tags:[{label:"T",permalink:"/blog/tags/t"}]},p="{"',
        'm=JSON.parse(\'{"permalink":"/blog/a","editUrl":"https://e.org","source":"@site/blog/a.md","t":"\\\\"{"}\')',
        'm={permalink:"/blog/a",editUrl:"https://e.org",tags:[{permalink:"/x"}],source:"@site/blog/a.md"}',
    ],
)
def test_docusaurus_says_which_source_a_page_has_in_any_order(tmp_path: Path, data: str) -> None:
    files = {
        "docusaurus.config.js": "",
        "build/index.html": '<meta name="generator" content="Docusaurus v3.10.2">',
        "build/blog/a/index.html": "",
        "build/assets/js/a.js": f"e.exports={{a:/x/}};{data}",
        "blog/a.md": "",
    }
    write_files(tmp_path, files)
    assert Sources(tmp_path, tmp_path / "build").find("blog/a/index.html") == tmp_path / "blog/a.md"
