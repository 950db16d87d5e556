"""``submit``, ``index`` and ``versions``, called as no help page says: one line, and what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("httpx")
pytest.importorskip("lxml")
pytest.importorskip("google.auth")

from click.testing import CliRunner

from docs_sitemap.cli import main

WITH_URL = ["--base-url", "https://docs.example.org/"]
NO_FOLDER = "expected a folder on this machine, got the URL http://e.org/."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["submit"], "Missing argument 'SITE_DIR|SITEMAP'. See docs-sitemap submit --help."),
        (["submit", "--alll", "."], "No such option '--alll'"),
        (
            ["submit", "empty"],
            "empty: contains no sitemap, such as sitemap.xml. Name the folder of the built",
        ),
        (["submit", "gone"], "no such file or folder: gone"),
        (["submit", "file"], "file: is neither a sitemap nor a list of URLs. Name the folder of the built"),
        (["submit", "page.html"], "page.html: has a DOCTYPE, which sitemaps do not need"),
        (["submit", "http://e.org/"], "SITEMAP: expected an https URL, got an http URL"),
        (["index"], "Missing argument 'ROOT'. See docs-sitemap index --help."),
        (["index", "empty"], "Missing option '--base-url'. See docs-sitemap index --help."),
        (["index", "--nope", "."], "No such option '--nope'. See docs-sitemap index --help."),
        (["index", *WITH_URL, "empty"], "empty: contains no site with a sitemap; nothing was written. Name"),
        (["index", *WITH_URL, "gone"], "Directory 'gone' does not exist."),
        (["index", *WITH_URL, "file"], "Directory 'file' is a file."),
        (["index", *WITH_URL, "http://e.org/"], NO_FOLDER),
        (["versions"], "Missing argument 'ROOT'. See docs-sitemap versions --help."),
        (["versions", "empty"], "Missing option '--base-url'. See docs-sitemap versions --help."),
        (["versions", "--nope", "."], "No such option '--nope'"),
        (["versions", *WITH_URL, "empty"], "empty: expected several versions side by side, found none."),
        (["versions", *WITH_URL, "gone"], "Directory 'gone' does not exist."),
        (["versions", *WITH_URL, "file"], "Directory 'file' is a file."),
        (["versions", *WITH_URL, "http://e.org/"], NO_FOLDER),
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("Hello")
    (tmp_path / "page.html").write_text("<!doctype html><title>Hello</title>")
    done = CliRunner().invoke(main, words, prog_name="docs-sitemap")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert not list((tmp_path / "empty").iterdir())
