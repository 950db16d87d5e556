"""What strangers rely on besides the code: workflows, forms, the changelog, what CONTRIBUTING names."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("yaml")

import yaml

from docs_sitemap import __version__

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted(
    set((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"}
)
YAML = [
    *WORKFLOWS,
    *sorted((ROOT / ".github/ISSUE_TEMPLATE").iterdir()),
    *(ROOT / name for name in ("action.yml", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml")),
]


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def read(file: Path) -> Any:
    """Read YAML with each value as the text that it is: to PyYAML the key ``on`` would be true."""
    return yaml.load(file.read_text("utf-8"), yaml.BaseLoader)  # noqa: S506 - it makes strings alone


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in WORKFLOWS:
        for name, job in read(file)["jobs"].items():
            yield f"{file.stem}.{name}", job


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in jobs():
        for step in job.get("steps", ()):
            yield name, step


@pytest.mark.parametrize("file", YAML, ids=name_of)
def test_each_yaml_file_parses(file: Path) -> None:
    assert read(file)


def environments(job: dict[str, Any]) -> set[str]:
    """Return the tox environments that a job runs, each of its matrix."""
    named = {
        step.get("env", {}).get("TOXENV", "")
        for step in job.get("steps", ())
        if "tox run" in step.get("run", "")
    }
    if "${{ matrix.env }}" not in named:
        return named
    matrix = job["strategy"]["matrix"]
    return {*matrix["env"], *(more["env"] for more in matrix.get("include", ()))}


def env_list() -> set[str]:
    """Return tox's own list, with what stands in braces written out."""
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", "utf-8")
    found = set()
    for name in re.findall(r"[\w-]+(?:\{[^}]*\})?", tox["tox"]["env_list"]):
        stem, _, factors = name.rstrip("}").partition("{")
        found |= {stem + factor.strip() for factor in factors.split(",")}
    return found


def test_each_environment_runs_in_a_workflow() -> None:
    run = set().union(*(environments(job) for name, job in jobs() if name.startswith("tests.")))
    assert {"core", "lint", "sphinx72", "sphinx90"} <= env_list()
    assert env_list() <= run


def test_what_takes_long_runs_on_a_schedule_and_not_for_each_push() -> None:
    workflow = read(ROOT / ".github/workflows/generators.yml")
    assert workflow["on"].keys() == {"schedule", "workflow_dispatch"}
    assert environments(workflow["jobs"]["generators"]) == {"generators"}
    assert "generators" not in env_list()


def test_macos_and_windows_run_the_core_and_both_hosts() -> None:
    job = read(ROOT / ".github/workflows/tests.yml")["jobs"]["systems"]
    assert job["strategy"]["matrix"]["os"] == ["macos-latest", "windows-latest"]
    assert environments(job) == {"core", "mkdocs", "sphinx90"}


def test_a_python_is_promised_where_the_core_is_tested_with_it() -> None:
    """One that is ahead is tried, and not promised yet."""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    promised = re.findall(r"Python :: (3\.\d+)$", "\n".join(classifiers), re.MULTILINE)
    matrix = read(ROOT / ".github/workflows/tests.yml")["jobs"]["core"]["strategy"]["matrix"]
    assert promised == matrix["python"]
    assert all(more["ahead"] == "true" and more["python"] not in promised for more in matrix["include"])


def test_a_missing_python_fails_a_workflow() -> None:
    """tox.ini has those skipped for people; a job would be green without a single test."""
    assert read(ROOT / ".github/workflows/tests.yml")["env"] == {"TOX_SKIP_MISSING_INTERPRETERS": "false"}


def test_each_action_is_pinned_to_a_commit_and_says_its_version() -> None:
    used = [line for file in WORKFLOWS for line in re.findall(r"uses: (.*)", file.read_text("utf-8"))]
    assert used
    for line in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./.*", line), line


def test_no_script_has_text_put_into_it() -> None:
    """Whatever a stranger writes, such as a branch's name, would be run: variables are not."""
    scripts = [(name, step["run"]) for name, step in steps() if "run" in step]
    assert scripts
    assert [name for name, script in scripts if "${{" in script] == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=name_of)
def test_a_workflow_may_read_and_no_more(file: Path) -> None:
    workflow = read(file)
    assert workflow["permissions"] in ({}, {"contents": "read"})
    assert not {"pull_request_target", "workflow_run"} & set(workflow["on"])
    assert workflow["concurrency"]["group"].endswith("${{ github.ref }}")
    for name, job in workflow["jobs"].items():
        wanted = {"id-token": "write"} if name == "publish" else {"contents": "read"}
        assert job.get("permissions", workflow["permissions"]) == wanted, name


def test_no_checkout_leaves_its_token_behind() -> None:
    taken = [step for _, step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert taken
    assert all(step["with"]["persist-credentials"] == "false" for step in taken)


def test_only_what_was_checked_is_published() -> None:
    """The one job with a token runs nothing of the repository: it takes the files, and hands them on."""
    release = read(ROOT / ".github/workflows/release.yml")
    assert release["on"] == {"push": {"tags": ["v*"]}}
    assert release["jobs"]["check"]["needs"] == "tests"
    assert environments(release["jobs"]["check"]) == {"release"}
    publish = release["jobs"]["publish"]
    assert (publish["needs"], publish["environment"]) == ("check", "release")
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert publish["steps"][-1]["with"] == {"attestations": "true"}


def test_the_form_for_a_wrong_date_asks_for_what_settles_it() -> None:
    fields = {
        field.get("id"): field for field in read(ROOT / ".github/ISSUE_TEMPLATE/wrong_date.yml")["body"]
    }
    for name, words in {"explain": "docs-sitemap explain", "git": "git log -1"}.items():
        assert fields[name]["validations"]["required"] == "true"
        assert words in fields[name]["attributes"]["placeholder"]


def test_each_hook_before_a_commit_has_a_fixed_version() -> None:
    for repository in read(ROOT / ".pre-commit-config.yaml")["repos"]:
        assert repository["repo"] == "local" or re.fullmatch(r"v\d+\.\d+\.\d+", repository["rev"])


def test_the_changelog_has_a_section_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (\S+) - (unreleased|\d{4}-\d\d-\d\d)$", text, re.MULTILINE)
    assert versions[0][0] == __version__
    assert all(day != "unreleased" for _, day in versions[1:])
    known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert {*re.findall(r"^### (.+)$", text, re.MULTILINE)} <= known
    assert re.findall(r"\]\((?!https://)", text) == []  # it is part of the documentation too


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_contributing_leads_to_green_tests_in_three_commands() -> None:
    commands = re.findall(
        r"^\$ (.+)$", CONTRIBUTING.partition("```console\n")[2].partition("```")[0], re.MULTILINE
    )
    assert len(commands) == 3
    assert f"$ {commands[-1]}\n" in (ROOT / "README.md").read_text("utf-8")


def test_each_name_that_contributing_has_in_backticks_is_there() -> None:
    code = [file for folder in ("src", "tests") for file in (ROOT / folder).rglob("*.py")]
    code += [ROOT / "tox.ini", ROOT / "pyproject.toml", *(ROOT / ".github/workflows").glob("*.yml")]
    words = set(re.findall(r"\w+", "\n".join(file.read_text("utf-8") for file in code)))
    named = set(re.findall(r"`([A-Za-z_]\w*)(?:\(\))?`", CONTRIBUTING))
    assert len(named) > 50
    assert named <= words


def test_each_file_that_contributing_names_is_there() -> None:
    """Those that have a capital word in them stand for what someone is about to write."""
    files = {
        name
        for name in re.findall(r"`([\w./-]+\.(?:py|md|yml|toml|ini))`", CONTRIBUTING)
        if not re.search("NAME", name)
    }
    places = [ROOT, ROOT / "src/docs_sitemap", ROOT / "tests/generators/mkdocs"]
    missing = {name for name in files if not any((place / name).exists() for place in places)}
    assert len(files) > 20
    assert missing <= {
        f"docs/{name}.md" for name in ("architecture", "benchmarks", "command-line", "options")
    }


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", ".github/pull_request_template.md"])
def test_relative_links_lead_to_files(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\((?!https://|#)([^)#]+)", text):
        assert (ROOT / target).exists(), target
