"""The example site, built as its reader would build it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support import sitemaps
from tests.support.gitrepo import newest
from tests.support.warm import generate

SITE = Path(__file__).resolve().parents[3] / "example_sites" / "sphinx"
BASE = "https://example.org/widgets/"

# Each page with the files that make it; drafts/roadmap is excluded, and thanks says noindex.
PAGES = {
    "index.html": ["index.rst"],
    "install.html": ["install.rst"],
    "guide/index.html": ["guide/index.rst"],
    "guide/first-part.html": ["guide/first-part.rst", "examples/bracket.toml", "_shared/units.rst"],
    "guide/materials.html": ["guide/materials.rst", "_shared/units.rst"],
    "reference/index.html": ["reference/index.rst"],
    "reference/commands.html": ["reference/commands.rst"],
    "reference/configuration.html": ["reference/configuration.rst", "_shared/units.rst"],
}


@pytest.fixture(scope="module")
def outdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    place = tmp_path_factory.mktemp("site")
    out = place / "out"
    generate(sys.executable, "-m", "sphinx", "-W", "-q", "-d", place / "doctrees", SITE, out, cwd=place)
    return out


def test_the_example_site_lists_its_pages(outdir: Path) -> None:
    found = sitemaps.read(outdir / "sitemap.xml")
    assert found.keys() == {BASE + page for page in PAGES}
    assert (outdir / "thanks.html").is_file()
    assert (outdir / "drafts/roadmap.html").is_file()


def test_the_example_site_s_robots_txt_is_completed(outdir: Path) -> None:
    own = (SITE / "_extra/robots.txt").read_text(encoding="utf-8")
    published = (outdir / "robots.txt").read_text(encoding="utf-8")
    assert published.startswith(own)
    assert published.splitlines()[-1] == f"Sitemap: {BASE}sitemap.xml"


def test_the_example_site_s_dates_are_git_s(outdir: Path) -> None:
    found = sitemaps.read(outdir / "sitemap.xml")
    for page, sources in PAGES.items():
        assert found[BASE + page] == newest(SITE, sources), page
