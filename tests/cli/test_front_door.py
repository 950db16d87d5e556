"""What a person types first: no command, a typo, a folder that is not there. One clear line, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from docs_sitemap.cli import main
from tests.support.gitrepo import Repo

NO_PROJECT = "Missing SITE_DIR: expected the folder of the built site, or a zensical.toml or mkdocs.yml"
NO_PATH = "Missing argument 'PATH...'"
NO_REPOSITORY = "not inside a git repository; name one with --repo DIR"
NO_SOURCE = "has no known source; name its source file, or its folder with --source-dir"
NO_FOLDER = "expected a folder on this machine, got the URL http://e.org/."

WRONG = {
    "buidl": "No such command 'buidl'. Did you mean 'build'?",
    "lastmods .": "No such command 'lastmods'. Did you mean 'lastmod'?",
    "zzz": "No such command 'zzz'.",
    "--nope": "No such option",
    "build": NO_PROJECT,
    "build --source-dri x": "No such option",
    "build nowhere": "Directory 'nowhere' does not exist.",
    "build file.txt": "Directory 'file.txt' is a file.",
    "build https://example.org/": "expected a folder on this machine, got the URL https://example.org/.",
    "build . --config nowhere.toml": "Invalid value for '--config': File 'nowhere.toml' does not exist.",
    "build . --max-urls many": "--max-urls: expected a whole number from 1 to 50000, got 'many'.",
    "lastmod": NO_PATH,
    "lastmod --jsn .": "No such option",
    "lastmod .": NO_REPOSITORY,
    "lastmod nowhere": "no such file or folder: nowhere.",
    "lastmod file.txt": NO_REPOSITORY,
    "lastmod https://example.org/": "no such file or folder: https://example.org/.",
    "lastmod --repo nowhere .": "Invalid value for '--repo': Directory 'nowhere' does not exist.",
    "lastmod --repo file.txt .": "Invalid value for '--repo': Directory 'file.txt' is a file.",
    "explain": "expected either pages or --left-out",
    "explain --jsn a": "No such option",
    "explain .": f". {NO_SOURCE}",
    "explain nowhere": f"nowhere {NO_SOURCE}",
    "explain https://example.org/": f"https://example.org/ {NO_SOURCE}",
    "explain a --source-dir nowhere": "Invalid value for '--source-dir': Directory 'nowhere' does not exist.",
    "lastmod --clock sun .": "'sun' is not one of 'committer', 'author'",
}

WITH_LIBRARIES = {
    "submit": "Missing argument 'SITE_DIR|SITEMAP'. See docs-sitemap submit --help.",
    "submit --alll .": "No such option '--alll'",
    "submit empty": "empty: contains no sitemap, such as sitemap.xml. Name the folder of the built",
    "submit gone": "no such file or folder: gone",
    "submit file.txt": "file.txt: is neither a sitemap nor a list of URLs. Name the folder of the built",
    "submit page.html": "page.html: has a DOCTYPE, which sitemaps do not need",
    "submit http://e.org/": "SITEMAP: expected an https URL, got an http URL",
    "index": "Missing argument 'ROOT'. See docs-sitemap index --help.",
    "index empty": "Missing option '--base-url'. See docs-sitemap index --help.",
    "index --nope .": "No such option '--nope'. See docs-sitemap index --help.",
    "index --base-url https://e.org/ empty": "empty: contains no site with a sitemap; nothing was written.",
    "index --base-url https://e.org/ gone": "Directory 'gone' does not exist.",
    "index --base-url https://e.org/ file.txt": "Directory 'file.txt' is a file.",
    "index --base-url https://e.org/ http://e.org/": NO_FOLDER,
    "versions": "Missing argument 'ROOT'. See docs-sitemap versions --help.",
    "versions empty": "Missing option '--base-url'. See docs-sitemap versions --help.",
    "versions --nope .": "No such option '--nope'",
    "versions --base-url https://e.org/ empty": "empty: expected several versions side by side, found none.",
    "versions --base-url https://e.org/ gone": "Directory 'gone' does not exist.",
    "versions --base-url https://e.org/ file.txt": "Directory 'file.txt' is a file.",
    "versions --base-url https://e.org/ http://e.org/": NO_FOLDER,
}


@pytest.mark.core
@pytest.mark.parametrize("line", WRONG)
def test_wrong_usage_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    assert_is_one_clear_line(tmp_path, monkeypatch, line, WRONG[line])


@pytest.mark.parametrize("line", WITH_LIBRARIES)
def test_wrong_usage_of_a_command_with_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    for name in ("httpx", "lxml", "google.auth"):
        pytest.importorskip(name)
    assert_is_one_clear_line(tmp_path, monkeypatch, line, WITH_LIBRARIES[line])


def assert_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, expected: str
) -> None:
    (tmp_path / "file.txt").write_text("Hello")
    (tmp_path / "page.html").write_text("<!doctype html><title>Hello</title>")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, line.split(), prog_name="docs-sitemap")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list((tmp_path / "empty").iterdir())


@pytest.mark.core
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", "/: not inside the repository"),
        ("../..", "../..: not inside the repository"),
        ("nowhere", "HEAD has no tracked file at nowhere."),
    ],
)
def test_a_path_that_git_does_not_know_is_one_line(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, path: str, said: str
) -> None:
    repo.commit("a.md")
    monkeypatch.chdir(repo.root)
    done = CliRunner().invoke(main, ["lastmod", path], prog_name="docs-sitemap")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


@pytest.mark.core
def test_the_bare_command_shows_the_help() -> None:
    """Click 8.2 and later make an error of that."""
    done = CliRunner().invoke(main, [], prog_name="docs-sitemap")
    assert (done.exit_code, done.exception) == (0, None)
    assert done.output == CliRunner().invoke(main, ["--help"], prog_name="docs-sitemap").output
    assert done.output.startswith("Usage: docs-sitemap ")
