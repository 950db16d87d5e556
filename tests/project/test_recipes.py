"""The recipes in the documentation: their files parse, and what they run is there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("yaml")

import yaml

from docs_sitemap.cli.submit import submit
from docs_sitemap.files import robots
from docs_sitemap.pages import hosting

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_file_parses(number: int) -> None:
    kind, text = BLOCKS[number]
    if kind == "yaml":
        assert isinstance(yaml.safe_load(text), dict)
    elif kind == "toml":
        assert "build" in tomllib.loads(text)
    elif kind == "json":
        assert {"buildCommand", "outputDirectory"} <= json.loads(text).keys()
    elif kind == "text":
        assert robots.named(text.encode())
    else:
        assert kind in ("console", "sh")


def test_each_variable_in_the_table_is_one_that_is_read() -> None:
    table = "".join(line for line in TEXT.splitlines(keepends=True) if line.startswith("|"))
    source = Path(hosting.__file__).read_text(encoding="utf-8")
    variables = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)[`=]", table + TEXT))
    assert {"READTHEDOCS_CANONICAL_URL", "CI_PAGES_URL", "CF_PAGES_URL", "URL", "CONTEXT"} <= variables
    elsewhere = {"INDEXNOW_KEY", "PYTHON_VERSION", "GIT_DEPTH"}
    assert all(f'"{name}"' in source for name in variables - elsewhere)


def test_each_option_in_the_recipes_and_the_readme_is_one_of_submit() -> None:
    known = {name for parameter in submit.params for name in parameter.opts}
    text = TEXT + (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"docs-sitemap submit ([^;&>\n]*)", text)
    assert len(lines) > 5
    assert {option for line in lines for option in re.findall(r"--[a-z-]+", line)} <= known


SCRIPTS = {
    "GitHub": next(
        step["run"]
        for step in yaml.safe_load(next(text for _, text in BLOCKS if "actions/deploy-pages" in text))[
            "jobs"
        ]["docs"]["steps"]
        if "submit" in step.get("run", "")
    ),
    "GitLab": yaml.safe_load(next(text for _, text in BLOCKS if ".gitlab-ci.yml" in text))["submit"][
        "script"
    ][1],
}


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("is_first", [True, False])
def test_the_last_step_submits_all_once_and_then_what_changed(
    tmp_path: Path, name: str, is_first: bool
) -> None:
    program = tmp_path / "docs-sitemap"
    program.write_text(f"#!{sys.executable}\nimport sys\nprint(*sys.argv[1:])\n")
    program.chmod(0o755)
    if not is_first:
        (tmp_path / "old-sitemap.xml").write_text("<urlset/>")
    env = {**os.environ, "RUNNER_TEMP": str(tmp_path), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-e", "-c", SCRIPTS[name]], cwd=tmp_path, env=env, capture_output=True, check=True, text=True
    )
    assert done.stdout.startswith("submit ")
    assert ("--all" in done.stdout) is is_first
    assert ("old-sitemap.xml" in done.stdout) is not is_first
