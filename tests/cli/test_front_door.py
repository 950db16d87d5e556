"""What a person types first: no command, a typo, a folder that is not there. One clear line, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from docs_sitemap.cli import main

pytestmark = pytest.mark.core

NO_PROJECT = "Missing SITE_DIR: expected the folder of the built site, or a zensical.toml or mkdocs.yml"
NO_PATH = "Missing argument 'PATH...'"
NO_REPOSITORY = "not inside a git repository; name one with --repo DIR"
NO_SOURCE = "has no known source; name its source file, or its folder with --source-dir"

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
    "explain": NO_PATH,
    "explain --jsn a": "No such option",
    "explain .": f". {NO_SOURCE}",
    "explain nowhere": f"nowhere {NO_SOURCE}",
    "explain https://example.org/": f"https://example.org/ {NO_SOURCE}",
    "explain a --source-dir nowhere": "Invalid value for '--source-dir': Directory 'nowhere' does not exist.",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_usage_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    (tmp_path / "file.txt").touch()
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, line.split(), prog_name="docs-sitemap")
    assert done.exit_code == 2, done.output
    assert done.output.startswith("Error: ")
    assert WRONG[line] in done.output
    assert done.output.count("\n") == 1


def test_the_bare_command_shows_the_help() -> None:
    """Click 8.2 and later make an error of that."""
    done = CliRunner().invoke(main, [], prog_name="docs-sitemap")
    assert (done.exit_code, done.exception) == (0, None)
    assert done.output == CliRunner().invoke(main, ["--help"], prog_name="docs-sitemap").output
    assert done.output.startswith("Usage: docs-sitemap ")
