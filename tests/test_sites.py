"""The script that judges a site's sitemap: it sees each kind of fault, on the example site."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("lxml")

from benchmarks.measure import BenchmarkError
from benchmarks.sites import check, inventory_of

from tests.gitrepo import Repo

ROOT = Path(__file__).parents[1]
BASE = "https://example.org/widgets/"


def sites(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "sites", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The example site in a repository, built by the script: output, source, and what it said."""
    root = tmp_path_factory.mktemp("sites")
    repo = Repo(root / "repo")
    source = repo.root / "docs"
    shutil.copytree(ROOT / "example_sites/sphinx", source, ignore=shutil.ignore_patterns("__pycache__"))
    files = (path for path in source.rglob("*") if path.is_file())
    for file in sorted(files, reverse=True):  # what is included has a later commit than what includes it
        repo.git("add", str(file))
        repo.git("commit", "--quiet", "-m", "change", when=repo.tick())
    done = sites(root / "out", source, "--sphinx")
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "out", source, done.stdout


@pytest.fixture
def site(built: tuple[Path, Path, str], tmp_path: Path) -> Path:
    """A copy of the built site, for a test to spoil."""
    shutil.copytree(built[0], tmp_path / "out")
    shutil.copy(inventory_of(built[0]), inventory_of(tmp_path / "out"))
    return tmp_path / "out"


def change(file: Path, pattern: str, replacement: str) -> None:
    text, count = re.subn(pattern, replacement, file.read_text("utf-8"), count=1, flags=re.DOTALL)
    assert count == 1
    file.write_text(text, "utf-8")


def test_the_example_site_is_without_fault(built: tuple[Path, Path, str]) -> None:
    said = built[2].splitlines()
    assert "12 HTML files, 8 pages listed" in said
    assert "left out, noindex: 1" in said
    assert "left out, excluded: 1" in said
    assert "left out, search, index or 404: 2" in said
    assert "date equal to git log -1: 8" in said
    assert "date equal to git log -1, of another file than the source: 3" in said
    assert "loc equal to the canonical link: 8" in said
    assert "0 differences" in said


FAULTS = {
    "a page is lost": (r"<url>\s*<loc>[^<]*install.html.*?</url>", "", "lost: install.html"),
    "a page is invented": ("install.html</loc>", "gone.html</loc>", f"invented: {BASE}gone.html has no file"),
    "a page of another site": (BASE + "install", "https://example.com/install", "invented: https://exa"),
    "a page stands twice": (BASE + "index.html", BASE + "install.html", f"twice: {BASE}install.html"),
    "a machine page": ("install.html</loc>", "search.html</loc>", "listed, though search, index or 404: "),
    "a page with noindex": ("install.html</loc>", "thanks.html</loc>", "listed, though noindex: thanks"),
    "an excluded page": ("install.html</loc>", "drafts/roadmap.html</loc>", "listed, though excluded: "),
    "another spelling": ("install.html</loc>", "inst%61ll.html</loc>", "canonical: install.html says "),
    "a wrong date": (r"(install.html</loc>\s*<lastmod>)\d+", r"\g<1>2020", "date: install.html has 2020-"),
    "a missing date": (
        r"(install.html</loc>)\s*<lastmod>.*?</lastmod>",
        r"\1",
        "date: install.html has None",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_sitemap_is_a_difference(
    fault: str, site: Path, built: tuple[Path, Path, str]
) -> None:
    pattern, replacement, said = FAULTS[fault]
    change(site / "sitemap.xml", pattern, replacement)
    assert any(line.startswith(said) for line in check(site, built[1]).differences)


def test_the_date_of_an_include_counts(site: Path, built: tuple[Path, Path, str]) -> None:
    found = inventory_of(site)
    found.write_text(found.read_text("utf-8").replace("_shared/units.rst", "_shared/none.rst"), "utf-8")
    dated = [line for line in check(site, built[1]).differences if line.startswith("date: ")]
    assert len(dated) == 3


def test_a_date_for_files_that_no_commit_has_is_a_difference(
    site: Path, built: tuple[Path, Path, str]
) -> None:
    found = inventory_of(site)
    found.write_text(found.read_text("utf-8").replace("/install.rst", "/none.rst"), "utf-8")
    assert any("no tracked file" in line for line in check(site, built[1]).differences)


def test_what_a_page_says_of_itself_counts(site: Path, built: tuple[Path, Path, str]) -> None:
    change(site / "install.html", "<head>", '<head><meta name="Robots" content="none">')
    change(site / "guide/index.html", "<head>", '<head><meta http-equiv="refresh" content="0; url=x.html">')
    assert check(site, built[1]).differences == [
        "listed, though redirect: guide/index.html",
        "listed, though noindex: install.html",
    ]


def test_a_stub_that_leads_elsewhere_by_script_is_no_page(site: Path, built: tuple[Path, Path, str]) -> None:
    stub = '<noscript><meta http-equiv="refresh" content="0; url=install.html"></noscript>'
    (site / "setup.html").write_text(f"<html><head>{stub}</head><body><script></script></body></html>")
    (site / "forgotten.html").write_text("<html><head></head><body>Text.</body></html>")
    found = check(site, built[1])
    assert found.left_out["redirect"] == ["setup.html"]
    assert found.differences == ["lost: forgotten.html"]


def test_a_built_folder_alone_is_compared_as_far_as_it_goes(
    site: Path, built: tuple[Path, Path, str]
) -> None:
    inventory_of(site).unlink()
    found = check(site, built[1])
    assert found.differences == ["lost: drafts/roadmap.html"]  # only conf.py knows why it is left out
    assert found.compared["date newer than its source"] == 3
    change(site / "sitemap.xml", r"(install.html</loc>\s*<lastmod>)\d+", r"\g<1>2020")
    assert any(line.startswith("date: install.html") for line in check(site, built[1]).differences)


def test_a_shallow_clone_cannot_judge(site: Path, built: tuple[Path, Path, str], tmp_path: Path) -> None:
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", built[1].parent.as_uri(), tmp_path / "shallow"], check=True
    )
    inventory_of(site).unlink()
    with pytest.raises(BenchmarkError, match="shallow"):
        check(site, tmp_path / "shallow/docs")


def test_a_difference_is_exit_code_1(site: Path, built: tuple[Path, Path, str]) -> None:
    change(site / "sitemap.xml", r"<url>.*?</url>", "")
    done = sites(site, built[1])
    assert done.returncode == 1
    assert "1 differences" in done.stdout


def test_a_folder_that_holds_something_is_not_built_into(site: Path, built: tuple[Path, Path, str]) -> None:
    done = sites(site, built[1], "--sphinx")
    assert done.returncode == 1
    assert "is not empty" in done.stderr
