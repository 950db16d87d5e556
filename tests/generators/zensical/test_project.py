"""``docs-sitemap build`` without arguments: what zensical.toml and mkdocs.yml say."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.generators.zensical import _tagged, find_project
from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.warm import generate, run_module

BASE = "https://example.org/docs/"
TOML = f'[project]\nsite_name = "Test"\nsite_url = "{BASE}"\n'
YAML = f"site_name: Test\nsite_url: {BASE}\n"

needs_yaml = pytest.mark.skipif(find_spec("yaml") is None, reason="PyYAML is not installed")


def run(*args: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return run_module("docs_sitemap", "build", *map(str, args), cwd=cwd, env={**os.environ, **env})


def listed(site: Path) -> dict[str, str | None]:
    return {loc.removeprefix(BASE): date for loc, date in sitemaps.read(site / "sitemap.xml").items()}


def dates(repo: Repo, sources: dict[str, str]) -> dict[str, str]:
    return {
        page: datetime.fromtimestamp(repo.log_date(name), UTC).isoformat() for page, name in sources.items()
    }


def commit(repo: Repo, *names: str) -> None:
    """Commit each file on its own, so that no two have one date."""
    for name in names:
        repo.commit(name)


@pytest.mark.parametrize(
    ("generator", "folders"), [("zensical", True), ("zensical", False), ("mkdocs", True)]
)
def test_a_built_project_needs_no_arguments(repo: Repo, generator: str, folders: bool) -> None:
    """The folders have other names than by default, and each page has the date of its own source."""
    if find_spec(generator) is None:
        pytest.skip(f"{generator} is not installed")
    commit(
        repo, "text/index.md", "text/guide/README.md", "text/guide/first_page.md", "text/guide/First-Page.md"
    )
    settings = {"docs_dir": "text", "site_dir": "out", "use_directory_urls": folders}
    if generator == "zensical":
        lines = [
            f"{key} = {str(value).lower() if value in (True, False) else repr(value)}"
            for key, value in settings.items()
        ]
        repo.write(
            "zensical.toml", TOML + "\n".join(lines) + '\n[project.plugins.docs-sitemap]\nformats = ["xml"]\n'
        )
    else:
        lines = [f"{key}: {value}" for key, value in settings.items()]
        repo.write("mkdocs.yml", YAML + "\n".join(lines) + "\nplugins:\n  - docs-sitemap: {formats: [xml]}\n")
    generate(sys.executable, "-m", generator, "build", cwd=repo.root)
    (repo.root / "out/sitemap.xml").unlink()
    done = run(cwd=repo.root)
    assert done.returncode == 0, done.stderr
    end, index = ("/", "") if folders else (".html", "index.html")  # as their canonical links say
    assert listed(repo.root / "out") == dates(
        repo,
        {
            index: "text/index.md",
            f"guide/{index}": "text/guide/README.md",
            f"guide/first_page{end}": "text/guide/first_page.md",
            f"guide/First-Page{end}": "text/guide/First-Page.md",
        },
    )
    assert not (repo.root / "out/sitemap.xml.gz").exists()


@pytest.mark.parametrize("theme", ["mkdocs", "material"])
def test_the_sitemap_of_the_plugin_is_kept(repo: Repo, theme: str) -> None:
    """The plugin for MkDocs knows what pages include, and nothing notes that for the command."""
    for module in ("mkdocs", theme, "pymdownx"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    repo.write("docs/index.md", '# Home\n\n--8<-- "inc/a.txt"\n')
    repo.save(
        "mkdocs.yml",
        f"{YAML}theme: {theme}\nplugins: [docs-sitemap]\nmarkdown_extensions: [pymdownx.snippets]\n",
    )
    commit(repo, "inc/a.txt")
    generate(sys.executable, "-m", "mkdocs", "build", cwd=repo.root)
    of_plugin = listed(repo.root / "site")
    done = run(cwd=repo.root)
    assert listed(repo.root / "site") == of_plugin == dates(repo, {"": "inc/a.txt"})
    assert done.returncode == 2
    assert "mkdocs.yml: plugins: docs-sitemap: expected a site that Zensical has built" in done.stderr
    assert run("site", "--base-url", BASE, cwd=repo.root).returncode == 0  # asked for by name


@pytest.mark.skipif(find_spec("zensical") is None, reason="zensical is not installed")
def test_a_site_of_zensical_is_written_twice(repo: Repo) -> None:
    """The sitemap there is ours, too, and mkdocs.yml has the plugin, but Zensical has built the site."""
    commit(repo, "docs/index.md")
    repo.write("mkdocs.yml", f"{YAML}plugins: [docs-sitemap]\n")
    generate(sys.executable, "-m", "zensical", "build", cwd=repo.root)
    for _ in range(2):
        done = run(cwd=repo.root)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("enabled", [True, False])
def test_a_site_for_offline_use_has_no_folders(repo: Repo, enabled: bool) -> None:
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed")
    commit(repo, "docs/index.md", "docs/a.md")
    repo.write("zensical.toml", f"{TOML}[project.plugins.offline]\nenabled = {str(enabled).lower()}\n")
    generate(sys.executable, "-m", "zensical", "build", cwd=repo.root)
    assert run(cwd=repo.root).returncode == 0
    pages = {"index.html": "docs/index.md", "a.html": "docs/a.md"}
    assert listed(repo.root / "site") == dates(
        repo, pages if enabled else {"": "docs/index.md", "a/": "docs/a.md"}
    )


@pytest.mark.parametrize("configuration", ["zensical.toml", pytest.param("mkdocs.yml", marks=needs_yaml)])
def test_templates_in_docs_dir_are_no_pages(repo: Repo, configuration: str) -> None:
    """Zensical copies them, also through a link. HTML beside them is a page if others link to it."""
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed")
    repo.save("docs/index.md", '# Home\n\n[Copied](copied.html)\n\n<iframe src="frame.html"></iframe>\n')
    names = [f"theme/{name}" for name in ("main.html", "partials/a.html", "shown.html", "a.pdf")]
    names += ["copied.html", "frame.html", "named.html"]
    for name in names:
        repo.write(f"docs/{name}", '{% extends "base.html" %}')
    (repo.root / "docs/linked.html").symlink_to(repo.root / "docs/theme/main.html")
    nav = "nav = ['index.md', {N = 'named.html'}]\n"
    text = f"{TOML}{nav}[project.theme]\ncustom_dir = 'docs/theme'\n"
    if configuration == "mkdocs.yml":
        text = f"{YAML}nav: [index.md, N: named.html]\ntheme:\n  custom_dir: docs/../docs/theme\n"
    repo.write(configuration, text)
    rules = "{match = 'theme/shown.html', exclude = false}, {match = 'theme/*.pdf', include = true}"
    repo.save("docs-sitemap.toml", f"rules = [{rules}]\n")
    generate(sys.executable, "-m", "zensical", "build", cwd=repo.root)
    assert {*names, "linked.html"} <= {
        file.relative_to(repo.root / "site").as_posix() for file in (repo.root / "site").rglob("*.*")
    }
    for args in ((), ("site", "--base-url", BASE), ("site", "--base-url", BASE, "--source-dir", "docs")):
        done = run(*args, cwd=repo.root)
        assert listed(repo.root / "site").keys() == {"", "copied.html", "named.html", "theme/shown.html"}
        assert "3 HTML of custom_dir, 1 HTML that no page links to" in done.stderr


@pytest.mark.parametrize("custom_dir", [".", "docs", "''", "other", "1"])
def test_without_templates_in_docs_dir_html_there_is_listed(repo: Repo, custom_dir: str) -> None:
    root = built(
        repo, "zensical.toml", f"{TOML}[project.theme]\ncustom_dir = '{custom_dir.strip(chr(39))}'\n"
    )
    repo.write("site/index.html", "<title>Home</title><a href=copied.html>Copied</a>")
    for name in ("docs/copied.html", "other/copied.html", "site/copied.html"):
        repo.write(name, "<html><head><title>Copied</title></head></html>")
    assert run(cwd=root).returncode == 0
    assert listed(root / "site").keys() == {"", "copied.html"}


def built(repo: Repo, configuration: str, text: str) -> Path:
    """A project with one page, as a generator leaves it."""
    commit(repo, "docs/index.md")
    repo.write("site/index.html", "<html><head><title>Home</title></head></html>")
    repo.write(configuration, text)
    return repo.root


def test_the_command_line_wins_over_the_file(repo: Repo) -> None:
    root = built(
        repo,
        "zensical.toml",
        TOML + '[project.plugins.docs-sitemap]\nfilename = "a.xml"\nformats = ["xml"]\n',
    )
    assert run("--filename", "b.xml", "--base-url", BASE, cwd=root).returncode == 0
    assert (root / "site/b.xml").exists()
    assert not (root / "site/a.xml").exists()


def test_our_own_file_wins_over_the_file_of_the_project(repo: Repo) -> None:
    root = built(
        repo,
        "zensical.toml",
        TOML + '[project.plugins.docs-sitemap]\nfilename = "a.xml"\nformats = ["xml"]\n',
    )
    repo.write("docs-sitemap.toml", 'filename = "c.xml"\n')
    assert run(cwd=root).returncode == 0
    assert (root / "site/c.xml").exists()
    assert not (root / "site/c.xml.gz").exists()  # formats are those of the project


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("zensical.toml", "[project]\ndocs_dir = 1\n", "zensical.toml: docs_dir: expected a text, got 1"),
        ("zensical.toml", "[project]\nsite_dir = ''\n", "zensical.toml: site_dir: expected a text, got ''"),
        (
            "zensical.toml",
            "[project]\nuse_directory_urls = 1\n",
            "use_directory_urls: expected true or false, got 1",
        ),
        ("zensical.toml", "[project\n", "zensical.toml: expected a TOML file, got "),
        (
            "zensical.toml",
            TOML + "site_dir = 'none'\n",
            "zensical.toml: site_dir: expected a built site, but none is not a folder",
        ),
        (
            "zensical.toml",
            TOML + "[project.plugins.docs-sitemap]\nmax-url = 1\n",
            "zensical.toml: plugins: docs-sitemap: max-url: there is no such option; did you mean max_urls?",
        ),
        (
            "zensical.toml",
            TOML + "[project.plugins.docs-sitemap]\npage_date = true\n",
            "plugins: docs-sitemap: page_date: there is no such option; did you mean page_dates?",
        ),
        (
            "zensical.toml",
            TOML + "[project.plugins.docs_sitemap]\nimages = true\n",
            "zensical.toml: plugins: docs-sitemap: expected this name of the plugin, got docs_sitemap.",
        ),
        (
            "zensical.toml",
            TOML + "[project.plugins.docs-sitemap]\nformats = 1\n",
            "zensical.toml: plugins: docs-sitemap: formats: expected ",
        ),
        (
            "zensical.toml",
            TOML + "[project.plugins]\ndocs-sitemap = 1\n",
            "plugins: docs-sitemap: expected a table of options, got 1",
        ),
        pytest.param(
            "mkdocs.yml",
            "site_url: https://e.org/\nplugins: [{docs-sitemap: {1: 2}}]\n",
            "plugins: docs-sitemap: 1: there is no such option",
            marks=needs_yaml,
        ),
        pytest.param(
            "mkdocs.yml",
            "site_url: https://e.org/\nplugins: {docs-sitemap: {~: 2}}\n",
            "plugins: docs-sitemap: None: there is no such option",
            marks=needs_yaml,
        ),
        pytest.param("mkdocs.yml", "- a\n", "expected settings, got a value of type list", marks=needs_yaml),
        pytest.param("mkdocs.yml", "a: [\n", "mkdocs.yml: expected a YAML file, got ", marks=needs_yaml),
        pytest.param(
            "mkdocs.yml",
            "INHERIT: 1\n",
            "mkdocs.yml: INHERIT: expected the path of a file, got 1",
            marks=needs_yaml,
        ),
        pytest.param(
            "mkdocs.yml", "INHERIT: none.yml\n", "none.yml: cannot be read: No such file", marks=needs_yaml
        ),
    ],
)
def test_a_mistake_names_file_and_key(repo: Repo, file: str, text: str, message: str) -> None:
    done = run(cwd=built(repo, file, text))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@needs_yaml
@pytest.mark.parametrize("path", [".", "/"])
def test_the_output_of_mkdocs_has_no_sources_in_it(repo: Repo, path: str) -> None:
    """With ``/``, the whole file system was walked through."""
    done = run(cwd=built(repo, "mkdocs.yml", f"site_dir: {path}\n"))
    assert done.returncode == 2
    assert "mkdocs.yml: site_dir: expected a folder that docs_dir is not in, got " in done.stderr


@needs_yaml
@pytest.mark.parametrize("text", ["SECRET-TOKEN\n", "*SECRET\n", "a: !!int SECRET\n", 'a: 1\nb: "SECRET'])
def test_no_message_shows_the_text_of_a_file_that_another_leads_to(
    repo: Repo, tmp_path: Path, text: str
) -> None:
    """A stranger's branch may lead to the credentials of the one who builds it, and the log is public."""
    (tmp_path / "credentials").write_text(text)
    said = [run(cwd=built(repo, "mkdocs.yml", f"INHERIT: {tmp_path}/credentials\n")).stderr]
    (repo.root / "mkdocs.yml").unlink()
    for name in ("mkdocs.yml", "zensical.toml"):
        (repo.root / name).symlink_to(tmp_path / "credentials")
        said.append(run(cwd=repo.root).stderr)
    for message in said:
        assert message.startswith("Error: ")
        assert "SECRET" not in message
        assert "abc" not in message


def test_a_malformed_site_url_is_a_warning_that_names_it(repo: Repo) -> None:
    done = run(cwd=built(repo, "zensical.toml", '[project]\nsite_url = "example.org"\n'))
    assert "Warning: zensical.toml: site_url: expected " in done.stderr


def test_a_folder_without_a_project_needs_arguments(tmp_path: Path) -> None:
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    assert (
        "Missing SITE_DIR: expected the folder of the built site, or a zensical.toml or mkdocs.yml"
        in done.stderr
    )


@needs_yaml
def test_nothing_that_yaml_names_is_run(repo: Repo) -> None:
    """mkdocs.yml may name any function; Material's documentation has users name those for emoji."""
    text = f"""{YAML}
extra: !!python/object/apply:os.mkdir [made]
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
  - !!python/object/apply:os.mkdir [made]
plugins: [docs-sitemap: {{formats: [xml]}}]
"""
    root = built(repo, "mkdocs.yml", text)
    done = run(cwd=root)
    assert done.returncode == 0, done.stderr
    assert listed(root / "site") == dates(repo, {"": "docs/index.md"})
    assert not (root / "made").exists()


@needs_yaml
@pytest.mark.parametrize(
    "text",
    [
        "Docs: API: v2",
        "@team",
        '"s3cret',
        "[a, b",
        "",
        "true",
        "12",
        "1:30",
        "2024-01-02",
        "null",
        "'a'",
        "a # b",
    ],
)
def test_variables_are_what_mkdocs_takes_them_for(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One for another plugin, such as a token, need not be YAML."""
    yaml_env_tag = pytest.importorskip("yaml_env_tag")
    import yaml

    monkeypatch.setenv("VARIABLE", text)
    loader: Any = yaml_env_tag.add_env_tag(type("Loader", (yaml.SafeLoader,), {}))
    try:
        expected = yaml.load("!ENV VARIABLE", loader)  # noqa: S506  # a SafeLoader
    except yaml.YAMLError:
        expected = text
    assert _tagged("!ENV", "VARIABLE") == expected


@needs_yaml
def test_environment_and_inherited_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.yml").write_text(
        "docs_dir: text\nsite_dir: out\nplugins: {docs-sitemap: {images: true, max_urls: 9}, search: {}}\n"
    )
    (tmp_path / "mkdocs.yml").write_text(
        "INHERIT: base.yml\nsite_url: !ENV [NONE, URL, 'https://default.example/']\n"
        "site_dir: !ENV NONE\nuse_directory_urls: !ENV FLAG\nplugins: {docs-sitemap: {max_urls: 8}}\n"
    )
    monkeypatch.setenv("URL", BASE)
    monkeypatch.setenv("FLAG", "false")
    project = find_project(tmp_path)
    assert project is not None
    assert project.host.base_url == BASE
    assert (project.folder, project.site_dir) == (tmp_path / "text", tmp_path / "site")
    assert project.use_directory_urls is False
    assert project.options.values == {"images": True, "max_urls": 8}
    monkeypatch.delenv("URL")
    project = find_project(tmp_path)
    assert project is not None
    assert project.host.base_url == "https://default.example/"


def test_zensical_toml_comes_before_mkdocs_yml(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").write_text(TOML)
    (tmp_path / "mkdocs.yml").write_text("a: [")
    project = find_project(tmp_path)
    assert project is not None
    assert project.file.name == "zensical.toml"
    assert project.host.title == "Test"


def test_a_source_is_found_by_its_own_name_only(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").write_text(TOML)
    for name in ("a_b.md", "c.md", "c.html", "d/index.md", "e/README.md", "plain.html"):
        (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / name).write_text("x")
    project = find_project(tmp_path)
    assert project is not None

    def source(name: str) -> str | None:
        found = project.find(name)
        return found.relative_to(project.folder).as_posix() if found else None

    assert source("a_b/index.html") == "a_b.md"
    assert source("a-b/index.html") is None  # a generator that changes names is another one
    assert source("a_b.html") is None
    assert source("c/index.html") == "c.md"
    assert source("c.html") == "c.html"  # copied
    assert source("d/index.html") == "d/index.md"
    assert source("e/index.html") == "e/README.md"
    assert source("plain.html") == "plain.html"
    assert source("index.html") is None
