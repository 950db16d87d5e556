"""Files that are no pages in ``docs-sitemap build``: listed where a rule includes them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("lxml")

from click.testing import CliRunner

from docs_sitemap.cli import main
from tests.support import sitemaps
from tests.support.gitrepo import Repo

BASE = "https://example.org/"


def test_a_rule_lists_files_with_their_dates(tmp_path: Path) -> None:
    """Never the files that the build writes itself, also in the second run."""
    repo = Repo(tmp_path / "repo")
    for name in ("docs/index.md", "docs/files/paper.pdf"):
        repo.save(name, "x")
    site = tmp_path / "site"
    for name in ("index.html", "files/paper.pdf", "files/made.pdf", "assets/a.css", ".hidden/x.pdf"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("<title>x</title>")
    configuration = f'base_url = "{BASE}"\nrules = [{{match = "*", include = true}}]\n'
    (tmp_path / "sitemap.toml").write_text(configuration)
    arguments = ["build", str(site), "--source-dir", str(repo.root / "docs")]
    arguments += ["--config", str(tmp_path / "sitemap.toml"), "--formats", "xml,gz,txt,atom"]
    for _ in range(2):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
        found = sitemaps.read(site / "sitemap.xml")
        names = {"", "files/paper.pdf", "files/made.pdf", "assets/a.css"}
        assert {loc.removeprefix(BASE) for loc in found} == names
        day = datetime.fromtimestamp(repo.log_date("docs/files/paper.pdf"), UTC)
        assert found[f"{BASE}files/paper.pdf"] == day.isoformat()
        assert found[f"{BASE}files/made.pdf"] is None
