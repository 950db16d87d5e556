"""The example site, built as its reader would build it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from tests.support import sitemaps
from tests.support.gitrepo import newest
from tests.support.warm import run_module

SITE = Path(__file__).resolve().parents[3] / "example_sites" / "mkdocs"
BASE = "https://docs.example.org/"

# Each page with the files that make it; committee/ is excluded, and thanks says noindex.
PAGES = {
    "": ["docs/index.md"],
    "garden/": ["docs/garden/index.md"],
    "garden/compost/": ["docs/garden/compost.md"],
    "garden/sowing/": ["docs/garden/sowing.md", "data/sowing.csv"],
    "garden/watering/": ["docs/garden/watering.md"],
    "rules/": [],
}


@pytest.fixture(scope="module")
def outdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    out = tmp_path_factory.mktemp("example") / "out"
    options = ["--strict", "-f", str(SITE / "mkdocs.yml"), "-d", str(out)]
    done = run_module("mkdocs", "build", *options)
    assert done.returncode == 0, done.stderr
    return out


def test_the_example_site_lists_its_pages_and_gets_a_robots_txt(outdir: Path) -> None:
    found = sitemaps.read(outdir / "sitemap.xml")
    assert found.keys() == {BASE + page for page in PAGES}
    assert found[BASE + "rules/"] == "2025-03-14"
    assert "Broad beans" in (outdir / "garden/sowing/index.html").read_text(encoding="utf-8")
    assert (outdir / "committee/minutes/index.html").is_file()
    assert 'content="noindex"' in (outdir / "thanks/index.html").read_text(encoding="utf-8")
    published = (outdir / "robots.txt").read_text(encoding="utf-8")
    assert published.splitlines()[-1] == f"Sitemap: {BASE}sitemap.xml"


def test_the_example_site_s_dates_are_git_s(outdir: Path) -> None:
    found = sitemaps.read(outdir / "sitemap.xml")
    for page, sources in PAGES.items():
        if sources:
            assert found[BASE + page] == newest(SITE, sources), page
