"""Files that are no files or lead elsewhere: what readers and writers of files promise, seen in commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("resource")  # which Windows has not
pytest.importorskip("httpx")
pytest.importorskip("lxml")
pytest.importorskip("protego")
pytest.importorskip("google.auth")

from tests.submit.test_submit_reading import index, url, urlset
from tests.support.warm import run_module

pytestmark = pytest.mark.slow

BASE = "https://docs.example.org/"


def run(*args: object) -> subprocess.CompletedProcess[str]:
    return run_module("docs_sitemap", *map(str, args))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Home</title>", "utf-8")
    (folder / "sitemap.xml").write_bytes(urlset(url(BASE, "2024-01-01")))
    return folder


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="shells here hand over no pipes by name")
@pytest.mark.parametrize(
    ("options", "writer", "code"),
    [
        ("build {site} --config", f"echo 'base_url = \"{BASE}\"'", 0),
        ("submit {site} --dry-run --since", f"echo '<urlset><url><loc>{BASE}</loc></url></urlset>'", 0),
        ("submit {site} --dry-run --since", "false", 1),
    ],
)
def test_a_pipe_that_the_user_names_is_read(site: Path, options: str, writer: str, code: int) -> None:
    """The shell's ``<(...)`` is the name of a pipe; the writer comes when it has something to say.

    If its command fails, nothing is said to be new: every URL would be submitted.
    """
    words = f"{sys.executable} -m docs_sitemap {options.format(site=site)} <(sleep 0.3; {writer})"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code, done.stderr
    assert ("is empty, so that it is unknown what changed since" in done.stderr) == (writer == "false")
    assert writer == "false" or not re.search("Usage|Error", done.stderr)


@pytest.mark.parametrize(("name", "sites"), [("v/sitemap.xml", 1), ("versions.json", 2)])
def test_no_file_of_an_index_leads_out_of_its_tree(site: Path, tmp_path: Path, name: str, sites: int) -> None:
    (site / "v").mkdir()
    for file, data in (
        ("v/sitemap.xml", urlset(url(BASE + "v/a", "2024-01-01"))),
        ("versions.json", b'[{"version": "v", "aliases": []}]'),
    ):
        (tmp_path / "outside" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "outside" / file).write_bytes(data)
        if file == name:
            (site / file).symlink_to(tmp_path / "outside" / file)
        elif file == "v/sitemap.xml":
            (site / file).write_bytes(data)
    done = run("index", site, "--base-url", BASE)
    assert f"{sites} pages from {sites} site{'s' * (sites > 1)};" in done.stdout
    assert name == "versions.json" or name not in (site / "robots.txt").read_text("utf-8")


def test_a_robots_txt_that_leads_out_stays_as_it_is_and_is_said_in_one_line(site: Path) -> None:
    (site.parent / "secret").write_text("root:x:0:0", "utf-8")
    (site / "robots.txt").symlink_to("../secret")
    done = run("build", site, "--base-url", BASE)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "robots.txt" in line]
    assert "a link that leads out of" in line
    assert f'"Sitemap: {BASE}sitemap.xml"' in line
    assert not line.startswith("Warning")
    assert os.readlink(site / "robots.txt") == "../secret"
    assert (site.parent / "secret").read_text("utf-8") == "root:x:0:0"


def test_what_is_no_regular_file_is_not_replaced(site: Path, tmp_path: Path) -> None:
    """A stranger's checkout may have a link in the place of the file that a workflow writes."""
    (tmp_path / "home").mkdir()
    pipe, secret = tmp_path / "pipe", tmp_path / "home/.bashrc"
    os.mkfifo(pipe)
    secret.write_text("alias ls=ls")
    for name, target in (("pipe", ""), ("link", "pipe"), ("known.json", "home/.bashrc")):
        file = tmp_path / name
        if target:
            file.symlink_to(target)
        done = run("check", site, "--write-baseline", file)
        why = "is a link; name the file that it leads to" if target else "is not a regular file"
        assert done.returncode == 2
        assert f"--write-baseline: cannot write {file}: it {why}" in done.stderr
    assert pipe.is_fifo()
    assert secret.read_text() == "alias ls=ls"


def test_a_name_is_shown_in_one_short_line(site: Path) -> None:
    """That of an element, and that of a file, which may have what moves the cursor."""
    name = "a\x1b[31m\x1b]0;T\x07\nX.xml"
    (site / name).write_bytes(f"<{'é' * 24_000}/>".encode())
    (site / "sitemap.xml").write_bytes(index(BASE + quote(name)))
    done = run("submit", site, "--all", "--dry-run")
    assert "the root is ééé" in done.stderr
    assert len(done.stderr) < 700
    assert done.stderr.rstrip("\n").isprintable()
