"""Zensical's builds in which our part fails: pages are rendered, and have no dates."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.generators.zensical.test_includes import needs_zensical, project
from tests.generators.zensical.test_project import listed, run
from tests.support.gitrepo import Repo

pytestmark = needs_zensical

FAULTY = """
import sys
from docs_sitemap.generators.zensical import extension
owner, name = {place}
def fail(*args):
    raise LookupError("secret")
setattr(owner, name, fail)
from zensical.main import cli
cli(["build"])
"""
"""As ``zensical build``, whose Python parts are in the same process."""

PLACES = {
    "start": "extension._Recorder, '__init__'",
    "start of a page": "extension._Recorder, '_begin'",
    "end of a page": "extension._Recorder, '_end'",
}


@pytest.mark.parametrize("place", PLACES)
def test_pages_are_rendered_without_us(repo: Repo, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    project(repo, {"docs/index.md": "# Title\n", "docs/one.md": "# One\n"})
    code = FAULTY.format(place=PLACES[place])
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=repo.root, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stderr.splitlines() if "docs-sitemap" in line]
    assert line.startswith("docs-sitemap: unexpected error: LookupError in ")
    assert line.endswith("Pages have no dates from here on.")
    assert "Traceback" not in done.stderr
    assert run(cwd=repo.root).returncode == 0
    assert listed(repo.root / "site") == {"": None, "one/": None}
