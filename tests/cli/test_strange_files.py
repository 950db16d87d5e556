"""Files that are no files, lead elsewhere or have no end, in each place where a command reads one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("resource")  # which Windows has not
pytest.importorskip("httpx")
pytest.importorskip("lxml")
pytest.importorskip("protego")
pytest.importorskip("google.auth")

from docs_sitemap.limits import MAX_TEXT
from tests.submit.test_submit_reading import index, url, urlset
from tests.support import guarded
from tests.support.gitrepo import Repo

pytestmark = pytest.mark.slow

BASE = "https://docs.example.org/"
KEY = "0123456789abcdef"


def fill(file: Path) -> None:
    with open(file, "wb") as stream:
        stream.truncate(1 << 30)


STRANGE: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "an endless device": lambda file: file.symlink_to("/dev/zero"),
    "a gigabyte": fill,
}


def strange(file: Path, kind: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    STRANGE[kind](file)
    return file


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Home</title>", "utf-8")
    (folder / "sitemap.xml").write_bytes(urlset(url(BASE, "2024-01-01")))
    return folder


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_file_among_the_sites_of_an_index_is_as_none(site: Path, kind: str) -> None:
    strange(site / "versions.json", kind)
    (site / "1.0").mkdir()
    (site / "1.0/sitemap.xml").write_bytes(urlset(url(BASE + "1.0/a")))
    done = guarded.run("index", site, "--base-url", BASE)
    assert done.returncode == 0, done.stderr
    assert "2 pages from 2 sites" in done.stdout


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("name", ["robots.txt", f"{KEY}.txt"])
def test_a_strange_file_beside_the_sitemap_is_as_none_to_submit(site: Path, kind: str, name: str) -> None:
    strange(site / name, kind)
    done = guarded.run("submit", site, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{BASE}\tnew\n"
    assert "No key yet" in done.stderr


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_file_among_the_parts_is_one_line(site: Path, kind: str) -> None:
    strange(site / "part.xml", kind)
    (site / "sitemap.xml").write_bytes(index(BASE + "part.xml"))
    for command in (
        ("check", site, "--base-url", BASE),
        ("submit", site, "--dry-run"),
        ("index", site, "--base-url", BASE),
    ):
        done = guarded.run(*command)
        assert done.returncode in (1, 2)
        assert command[0] == "check" or done.stderr.count("\n") == 1


@pytest.mark.parametrize("kind", ["a pipe", "a folder"])
def test_a_site_in_a_repository_that_cannot_be_read_is_checked(site: Path, tmp_path: Path, kind: str) -> None:
    Repo(tmp_path)
    file = tmp_path / ".git/shallow"
    file.mkdir() if kind == "a folder" else strange(file, kind)
    for command in (("check", site), ("report", site, "-o", tmp_path / "report.html")):
        done = guarded.run(*command)
        assert done.returncode < 2, done.stderr


@pytest.mark.parametrize("kind", ["an endless device", "a gigabyte"])
def test_a_configuration_has_a_limit(site: Path, tmp_path: Path, kind: str) -> None:
    file = strange(tmp_path / "docs-sitemap.toml", kind)
    for args in (("build", site), ("build", site, "--config", file)):
        done = guarded.run(*args, cwd=tmp_path)
        assert done.returncode == (2 if kind == "a gigabyte" or "--config" in args else 0)
        assert kind != "a gigabyte" or f"larger than {MAX_TEXT:,} bytes" in done.stderr


@pytest.mark.parametrize("option", ["--baseline", "--previous"])
@pytest.mark.parametrize("kind", ["an endless device", "a gigabyte"])
def test_a_file_that_is_named_has_a_limit(site: Path, tmp_path: Path, option: str, kind: str) -> None:
    file = strange(tmp_path / "named", kind)
    done = guarded.run("check", site, option, file)
    assert done.returncode == 2
    assert option in done.stderr


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
    done = guarded.run("index", site, "--base-url", BASE)
    assert f"{sites} pages from {sites} site{'s' * (sites > 1)};" in done.stdout
    assert name == "versions.json" or name not in (site / "robots.txt").read_text("utf-8")


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
        done = guarded.run("check", site, "--write-baseline", file)
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
    done = guarded.run("submit", site, "--all", "--dry-run")
    assert "the root is ééé" in done.stderr
    assert len(done.stderr) < 700
    assert done.stderr.rstrip("\n").isprintable()
