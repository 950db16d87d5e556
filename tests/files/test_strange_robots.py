"""A robots.txt that is no file of the site, or has no end: it stays as it is, and the build goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("resource")  # which Windows has not

from docs_sitemap.files.emission import emit
from docs_sitemap.options.declarations import read_options
from docs_sitemap.pages.page import Page
from tests.support import guarded

pytestmark = pytest.mark.slow

BASE = "https://docs.example.org/"
THEIRS = "root:x:0:0"


def link_out(file: Path) -> None:
    (file.parent.parent / "secret").write_text(THEIRS, "utf-8")
    file.symlink_to("../secret")


STRANGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link out": (link_out, "a link that leads out of"),
    "a pipe": (os.mkfifo, "not a regular file"),
    "an endless device": (lambda file: file.symlink_to("/dev/zero"), "a link that leads out of"),
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Home</title>", "utf-8")
    return folder


@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_robots_txt_stays_as_it_is_and_is_said_in_one_line(site: Path, kind: str) -> None:
    make, reason = STRANGE[kind]
    make(site / "robots.txt")
    before = os.lstat(site / "robots.txt")
    done = guarded.run("build", site, "--base-url", BASE)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "robots.txt" in line]
    assert reason in line
    assert f'"Sitemap: {BASE}sitemap.xml"' in line
    assert not line.startswith("Warning")
    after = os.lstat(site / "robots.txt")
    assert (after.st_ino, after.st_mode, after.st_size) == (before.st_ino, before.st_mode, before.st_size)
    assert (site / "sitemap.xml").is_file()
    published = [path for path in site.rglob("*") if path.is_file() and path.name != "robots.txt"]
    assert all(THEIRS.encode() not in path.read_bytes() for path in published)


@pytest.mark.parametrize("options", [{"robots": False}, {"previews": "disallow"}])
def test_where_nothing_would_be_written_it_is_not_touched_either(
    site: Path, options: dict[str, object]
) -> None:
    link_out(site / "robots.txt")
    environ = {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"} if "previews" in options else {}
    report = emit([Page(url="")], site, read_options({"base_url": BASE, **options}), environ=environ)
    assert (site / "robots.txt").is_symlink()
    assert not [notice for notice in report.notices if notice.level == "warning"]


def test_a_link_within_the_site_is_completed(site: Path) -> None:
    (site / "static").mkdir()
    (site / "static/robots.txt").write_text("User-agent: *\n", "utf-8")
    (site / "robots.txt").symlink_to("static/robots.txt")
    assert guarded.run("build", site, "--base-url", BASE).returncode == 0
    assert (site / "robots.txt").read_text("utf-8").startswith("User-agent: *\n\n# Added by")
