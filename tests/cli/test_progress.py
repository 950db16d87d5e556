"""The progress bar: for people at a terminal, and for nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from tests.support.checksite import NS
from tests.support.engine import Play, says, serving

pty = pytest.importorskip("pty", reason="terminals are other things there")

COMMAND = [sys.executable, "-m", "docs_sitemap", "check"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """More pages than are read before the first word about it."""
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(700):
        page = folder / f"{number}.html"
        page.write_text(f"<title>{number}</title><link rel=canonical href=https://acme.org/{number}.html>")
    return folder


def at_a_terminal(command: list[str]) -> str:
    """Return what a program writes to the terminal that its stderr is."""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environ):
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux says so when the last writer has gone; macOS returns nothing
                break
            if not part:
                break
            said += part
    os.close(ours)
    return said.decode()


def test_a_person_sees_how_far_it_is(site: Path) -> None:
    assert "100%" in at_a_terminal([*COMMAND, str(site)])


def test_a_person_sees_how_far_the_sitemaps_of_a_server_are_read() -> None:
    """An index may have 50,000 parts, and all are read before the first page."""
    pytest.importorskip("httpx")
    paths: dict[str, Play] = {"/robots.txt": says(404)}
    with serving(paths=paths) as server:
        parts = "".join(f"<sitemap><loc>{server.url}/{number}.xml</loc></sitemap>" for number in range(3))
        paths["/sitemap.xml"] = says(200, f'<sitemapindex xmlns="{NS}">{parts}</sitemapindex>'.encode())
        said = at_a_terminal([*COMMAND[:4], "--live", f"{server.url}/", "--rate", "100"])
    assert "Reading sitemaps" in said
    assert "100%" in said


def test_a_log_has_no_bar(site: Path) -> None:
    done = subprocess.run([*COMMAND, str(site)], capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 1  # there is no sitemap
    assert done.stderr == ""


def test_a_closed_stream_shows_no_bar(tmp_path: Path, site: Path) -> None:
    """Python has none then; it was an unexpected error."""
    command = f"{sys.executable} -m docs_sitemap report site -o out.html --base-url https://acme.org/"
    line = ["/bin/sh", "-c", f"{command} <&- >&- 2>&-"]
    subprocess.run(line, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "out.html").exists()
