"""From git-revision-date-localized to us: `python -m benchmarks moving` on a small site with both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
pytest.importorskip("material")

from docs_sitemap.options.declarations import unknown_option
from tests.support.mkdocssite import Docs

ROOT = Path(__file__).parents[2]
FIRST, SECOND = 1_773_572_400, 1_781_000_000
"""2026-03-15 and 2026-06-09; the authors wrote a day earlier."""

pytestmark = pytest.mark.slow


def test_readers_see_the_same_dates_but_where_a_page_includes_a_newer_file(tmp_path: Path) -> None:
    """Also the page that the site itself excludes there; the site's own configuration stays as it is."""
    docs = Docs(tmp_path)
    docs.repo.write("docs/index.md", "# Home\n")
    docs.repo.write("docs/excluded.md", "# Excluded\n")
    docs.repo.write("docs/includes.md", '# Includes\n\n--8<-- "part.txt"\n')
    plugins = ["search", {"git-revision-date-localized": {"type": "timeago", "exclude": ["excluded.md"]}}]
    docs.repo.write("mkdocs.yml", f"INHERIT: base.yml\nplugins: {json.dumps(plugins)}\n")
    docs.repo.write(
        "base.yml",
        "site_name: x\nmarkdown_extensions: [pymdownx.snippets]\n"
        "theme: {name: material, font: false}\ndocs_dir: docs\n",
    )
    docs.repo.commit(when=FIRST)
    docs.repo.write("part.txt", "Some text.\n")
    docs.repo.commit(when=SECOND)
    file = tmp_path / "found.json"
    before = (docs.repo.root / "mkdocs.yml").read_bytes()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks", "moving", docs.repo.root, tmp_path / "out"),
            *("--rounds", "1", "--label", "small", "--json", file),
        ],
        cwd=ROOT,
        env={**os.environ, "DISABLE_MKDOCS_2_WARNING": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (docs.repo.root / "mkdocs.yml").read_bytes() == before
    result = json.loads(file.read_text("utf-8"))
    assert result["pages"] == 3
    assert result["shown"] == {"the same": 1, "another": 1, "theirs only": 0, "ours only": 1}
    assert {name: len(times) for name, times in result["seconds"].items()} == dict.fromkeys(
        ("none", "theirs", "ours"), 1
    )
    assert "  includes/index.html: March 14, 2026 -> June 8, 2026" in done.stdout
    assert "  excluded/index.html: none -> March 14, 2026" in done.stdout


def test_every_option_of_theirs_is_ours_or_told() -> None:
    theirs = pytest.importorskip("mkdocs_git_revision_date_localized_plugin.plugin")
    names = {name for name, _ in theirs.GitRevisionDateLocalizedPlugin.config_scheme}
    told = {name for name in names if "git-revision-date-localized's" in unknown_option(name, str)}
    # MkDocs reads "enabled" itself, and "exclude" is an option of both
    assert names - told == {"enabled", "exclude"}
