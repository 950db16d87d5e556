"""The GitHub Action and the pre-commit hook: what they run, as their runners run it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("yaml")

import yaml

import docs_sitemap
from docs_sitemap.pages.page import Page
from tests.files.test_emit import BASE, run
from tests.support.engine import says, serving
from tests.support.gitrepo import Repo
from tests.support.installing import Project

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="the tripwires are written for POSIX")


@pytest.fixture
def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    return found


@pytest.fixture
def hook() -> dict[str, Any]:
    (found,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return dict(found)


def program(folder: Path, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "docs-sitemap"
    path.write_text(f"#!{sys.executable}\n{script}")
    path.chmod(0o755)
    return path


def real(folder: Path) -> Path:
    ours = str(Path(docs_sitemap.__file__).parents[1])  # the action empties PYTHONPATH
    run = "from docs_sitemap.cli import main\nmain(prog_name='docs-sitemap')\n"
    return program(folder, f"import sys\nsys.path.insert(1, {ours!r})\n{run}")


def echoing(folder: Path) -> Path:
    return program(folder, "import sys\nprint(sys.argv[1:])\n")


def run_step(
    step: dict[str, Any], inputs: dict[str, str], program: Path, cwd: Path, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does: expressions become text in ``env``, and bash gets the script."""
    values = {f"inputs.{name}": value for name, value in inputs.items()}
    values["steps.install.outputs.program"] = str(program)
    env = {
        name: re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text)
        for name, text in step.get("env", {}).items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        env={**os.environ, **environ, **env},
        cwd=cwd,
        capture_output=True,
        check=False,
        text=True,
    )


def inputs_of(action: dict[str, Any], **given: str) -> dict[str, str]:
    return {
        name: given.get(name.replace("-", "_"), what.get("default", ""))
        for name, what in action["inputs"].items()
    }


def test_the_action_is_one_that_github_takes(action: dict[str, Any]) -> None:
    assert action["runs"]["using"] == "composite"
    assert action["inputs"].keys() == {"site-dir", "mode", "base-url", "wait", "strict", "args"}
    assert [name for name, what in action["inputs"].items() if what.get("required")] == ["site-dir"]
    assert all(step["shell"] == "bash" for step in action["runs"]["steps"])  # required in composite ones


def test_no_input_of_the_action_gets_into_a_script(action: dict[str, Any]) -> None:
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"]


ARGUMENTS: list[tuple[dict[str, str], list[str]]] = [
    ({"site_dir": "site"}, ["check", "--format", "github", "--", "site"]),
    (
        {"site_dir": "my site", "base_url": BASE},
        ["check", "--format", "github", "--base-url", BASE, "--", "my site"],
    ),
    (
        {"site_dir": "site", "args": " --format  sarif\n--level * "},
        ["check", "--format", "github", "--format", "sarif", "--level", "*", "--", "site"],
    ),
    ({"site_dir": "--help"}, ["check", "--format", "github", "--", "--help"]),
    (
        {"site_dir": "$(touch a)`touch b`", "base_url": '"; touch c; "', "args": "$(touch d)"},
        [
            "check",
            "--format",
            "github",
            "--base-url",
            '"; touch c; "',
            "$(touch",
            "d)",
            "--",
            "$(touch a)`touch b`",
        ],
    ),
]


@pytest.mark.parametrize(("given", "argv"), ARGUMENTS)
def test_the_action_hands_on_what_it_is_given(
    action: dict[str, Any], tmp_path: Path, given: dict[str, str], argv: Sequence[str]
) -> None:
    step = action["runs"]["steps"][1]
    done = run_step(step, inputs_of(action, **given), echoing(tmp_path / "bin"), tmp_path)
    assert done.stdout == f"{argv}\n", done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_action_fails_as_the_check_fails(action: dict[str, Any], tmp_path: Path, code: int) -> None:
    step = action["runs"]["steps"][1]
    failing = program(tmp_path / "bin", f"raise SystemExit({code})\n")
    assert run_step(step, inputs_of(action, site_dir="."), failing, tmp_path).returncode == code


IMPORTED = (
    *("venv", "ensurepip", "pip", "logging", "subprocess", "multiprocessing", "sitecustomize", "encodings"),
    *("usercustomize", "docs_sitemap", "click", "lxml", "protego", "tiny", "backend"),
)
"""What is imported where a step starts Python, or could be."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A stranger's checkout: whoever imports from it leaves a trace."""
    # what open() needs is not there yet where Python starts with encodings
    trace = os.fsencode(tmp_path / "tripped")
    trap = f"import posix\nposix.write(posix.open({trace!r}, {os.O_CREAT | os.O_WRONLY | os.O_APPEND}), "
    trap += "__name__.encode() + b' ')\n"
    folder = tmp_path / "workspace"
    for name in IMPORTED:
        file = (
            folder / name / "__init__.py" if name in ("docs_sitemap", "encodings") else folder / f"{name}.py"
        )
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(trap)
    (folder / "setup.cfg").write_text(f"[install]\nprefix = {tmp_path / 'elsewhere'}\n")
    (folder / "pip.conf").write_text("[global]\nindex-url = https://stranger.example/\n")
    return folder


def tripped(workspace: Path) -> list[str]:
    trace = workspace.with_name("tripped")
    return trace.read_text().split() if trace.exists() else []


def install(
    action: dict[str, Any], source: Path, cwd: Path, mode: str = "check", **environ: str
) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run the first step as a runner does, and return the program that it names to the second."""
    output, temp = cwd.with_name("output"), cwd.with_name("temp")
    temp.mkdir(exist_ok=True)
    variables = {"RUNNER_TEMP": str(temp), "GITHUB_ACTION_PATH": str(source), "GITHUB_OUTPUT": str(output)}
    done = run_step(action["runs"]["steps"][0], {"mode": mode}, Path(), cwd, **variables, **environ)
    named = output.read_text().splitlines()[-1] if output.exists() else ""
    return done, Path(named.removeprefix("program="))


def tiny_action(repo: Repo) -> Path:
    """A project that pip builds and installs, without any index."""
    generated = (
        """{"tiny-1.0.dist-info/entry_points.txt": b"[console_scripts]\\ndocs-sitemap = tiny:main\\n"}"""
    )
    project = Project(repo, generated=generated)
    project.write("tiny/__init__.py", "import logging, subprocess\n\n\ndef main():\n    print('installed')\n")
    return repo.root


@needs_posix
def test_no_step_of_the_action_imports_from_the_workspace(
    action: dict[str, Any], workspace: Path, repo: Repo
) -> None:
    """Also where the workflow has a PYTHONPATH for its own build."""
    environ = {"PYTHONPATH": ".", "PIP_NO_INDEX": "1"}
    done, installed = install(action, tiny_action(repo), workspace, **environ)
    assert tripped(workspace) == []
    assert done.returncode == 0, done.stdout + done.stderr
    assert installed.is_relative_to(workspace.with_name("temp"))
    for command in (installed, real(workspace.with_name("bin"))):
        done = run_step(
            action["runs"]["steps"][1], inputs_of(action, site_dir="."), command, workspace, **environ
        )
        assert tripped(workspace) == []
        assert done.stdout, done.stderr
    assert done.returncode == 1  # it has looked, and found no sitemap


KEY = "0123456789abcdef"


def built(folder: Path, base: str, pages: dict[str, str]) -> Path:
    """A built site with its sitemap, and the key file of IndexNow."""
    folder.mkdir()
    urls = "".join(
        f"<url><loc>{base}{name}</loc><lastmod>{day}</lastmod></url>" for name, day in pages.items()
    )
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    (folder / "sitemap.xml").write_text(f'<urlset xmlns="{namespace}">{urls}</urlset>')
    (folder / "robots.txt").write_text(f"Sitemap: {base}sitemap.xml\n")
    (folder / f"{KEY}.txt").write_text(KEY)
    return folder


@needs_posix
@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("strict", ["false", "true"])
def test_the_action_remembers_and_submits(
    action: dict[str, Any], workspace: Path, tmp_path: Path, is_first: bool, strict: str
) -> None:
    """Before and after a deployment, in a workspace full of traps."""
    for library in ("httpx", "lxml", "google.auth"):
        pytest.importorskip(library)
    temp = tmp_path / "temp"
    temp.mkdir()

    def run_mode(mode: str, **given: str) -> subprocess.CompletedProcess[str]:
        given["base_url"] = engine.url  # not public, so no file of the site may lead there
        values = inputs_of(
            action, site_dir=str(new), mode=mode, strict=strict, args="--endpoint " + engine.url, **given
        )
        step = action["runs"]["steps"][1]
        return run_step(step, values, real(tmp_path / "bin"), workspace, RUNNER_TEMP=str(temp))

    with serving(says(404)) as engine:
        base = f"{engine.url}/"
        old = built(tmp_path / "old", base, {"a": "2024-01-01", "gone": "2024-01-01"})
        new = built(tmp_path / "new", base, {"a": "2024-02-02", "new": "2024-02-02"})
        done = run_mode("submit", wait="1")
        assert (done.returncode, "Nothing was remembered" in done.stderr) == (int(strict == "true"), True)
        assert ("::warning::" in done.stdout) == (strict == "false")
        if not is_first:
            engine.paths = {f"/{file.name}": says(200, file.read_bytes()) for file in old.iterdir()}
        assert run_mode("remember").returncode == 0
        engine.paths = {f"/{file.name}": says(200, file.read_bytes()) for file in new.iterdir()}
        engine.plays = [says(200)]
        done = run_mode("submit", wait="20")
        assert done.returncode == 0, done.stderr
        (asked,) = [asked for asked in engine.asked if asked.method == "POST"]
    expected = ["a", "new"] if is_first else ["a", "gone", "new"]
    assert asked.json["urlList"] == [base + name for name in expected]
    assert KEY not in done.stdout + done.stderr
    assert tripped(workspace) == []


def test_each_site_of_a_job_has_a_memory_of_its_own(action: dict[str, Any], tmp_path: Path) -> None:
    command = program(
        tmp_path / "bin",
        "import sys\nfrom pathlib import Path\n"
        "if '--remember' in sys.argv:\n    Path(sys.argv[3]).write_text('x')\nprint(sys.argv[2:4])\n",
    )
    said = []
    for site_dir in ("one", "two", "one"):
        inputs = inputs_of(action, site_dir=site_dir, mode="remember")
        step = action["runs"]["steps"][1]
        said.append(run_step(step, inputs, command, tmp_path, RUNNER_TEMP=str(tmp_path)).stdout)
    assert said[0] == said[2] != said[1]


@pytest.mark.parametrize(("mode", "code"), [("other", 2), ("", 2)])
def test_a_mode_that_is_none_is_said(action: dict[str, Any], tmp_path: Path, mode: str, code: int) -> None:
    step = action["runs"]["steps"][1]
    inputs = inputs_of(action, site_dir=".", mode=mode)
    done = run_step(step, inputs, echoing(tmp_path / "bin"), tmp_path, RUNNER_TEMP=str(tmp_path))
    assert (done.returncode, done.stdout) == (code, "")
    assert "mode: expected check, remember or submit" in done.stderr


@needs_posix
@pytest.mark.parametrize("name", ["venv", "pip", "logging", "click", "docs_sitemap", "lxml"])
def test_the_tripwires_are_armed(workspace: Path, name: str) -> None:
    """Else the test above would prove nothing."""
    subprocess.run([sys.executable, "-c", f"import {name}"], cwd=workspace, check=False, capture_output=True)
    assert name in tripped(workspace)


@pytest.mark.skipif(not os.environ.get("ACTION"), reason="ACTION=1 has it installed from the network")
def test_the_action_installs_itself(action: dict[str, Any], workspace: Path) -> None:
    for mode, has_google in (("check", False), ("submit", True), ("check", True)):
        done, installed = install(action, ROOT, workspace, mode)
        assert done.returncode == 0, done.stderr
        command = [str(installed.with_name("python")), "-I", "-c", "import google.auth"]
        found = subprocess.run(command, check=False, capture_output=True)
        assert (found.returncode == 0) == has_google
    subprocess.run(
        [installed, "submit", "--help"], cwd=workspace, env={}, check=True, stdout=subprocess.DEVNULL
    )
    assert tripped(workspace) == []


def test_the_hook_runs_one_command_on_the_folder_that_its_user_names(
    hook: dict[str, Any], tmp_path: Path
) -> None:
    """As pre-commit does: entry and args, and no file names."""
    assert (hook["id"], hook["language"]) == ("docs-sitemap-check", "python")
    assert hook["pass_filenames"] is False
    assert hook["always_run"] is True
    echoing(tmp_path)
    command = [*shlex.split(hook["entry"]), "site", "--base-url", BASE]
    done = subprocess.run([tmp_path / command[0], *command[1:]], capture_output=True, check=True, text=True)
    assert done.stdout == f"{['check', 'site', '--base-url', BASE]}\n"


def test_the_extra_that_both_install_is_there(action: dict[str, Any], hook: dict[str, Any]) -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"check", "submit"} <= project["optional-dependencies"].keys()
    assert hook["additional_dependencies"] == [".[check]"]
    assert '"$GITHUB_ACTION_PATH[$extra]"' in action["runs"]["steps"][0]["run"]


def test_both_check_a_real_site(action: dict[str, Any], hook: dict[str, Any], tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    for folder in (good, bad):
        folder.mkdir()
        head = f'<html lang="en"><head><title>x</title><link rel="canonical" href="{BASE}"></head>'
        (folder / "index.html").write_text(f"<!doctype html>{head}<body>x</body></html>")
        run([Page(url="", file=folder / "index.html")], folder)
    (bad / "sitemap.xml").write_text("<urlset>")
    command = real(tmp_path / "bin")
    step = action["runs"]["steps"][1]
    for folder, code in ((good, 0), (bad, 1)):
        done = run_step(step, inputs_of(action, site_dir=str(folder), base_url=BASE), command, tmp_path)
        assert done.returncode == code, done.stdout + done.stderr
        arguments = [*shlex.split(hook["entry"])[1:], str(folder), "--base-url", BASE]
        assert subprocess.run([command, *arguments], check=False, capture_output=True).returncode == code
