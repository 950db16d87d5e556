"""mypy and pyright, each at its strictest, know the public names of the installed package as a user does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import docs_sitemap
from docs_sitemap import history

for needed in ("mypy", "pyright", "sphinx"):
    if find_spec(needed) is None:
        pytest.skip(f"needs {needed}", allow_module_level=True)

FILES = Path(__file__).parent
_EXPECTED = re.compile(r"# E: (?P<mypy>[\w-]+), (?P<pyright>\w+)$")

Faults = set[tuple[str, int, str]]
"""File, line from 1 on, and the checker's name for what is wrong there."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The users' files in a project of their own, so that no setting and no source of ours is found."""
    shutil.copytree(FILES, tmp_path / "user")
    (tmp_path / "user" / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    return tmp_path / "user"


def run(*command: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def by_mypy(folder: Path, *names: str) -> Faults:
    settings = (
        "--strict",
        "--config-file=",
        "--output=json",
        "--no-error-summary",
        f"--cache-dir={folder / 'cache'}",
    )
    found = [json.loads(line) for line in run("mypy", *settings, *names, cwd=folder).splitlines()]
    return {(Path(it["file"]).name, it["line"], it["code"]) for it in found if it["severity"] == "error"}


def by_pyright(folder: Path, *names: str) -> Faults:
    found = pyright(folder, *names)["generalDiagnostics"]
    return {
        (Path(it["file"]).name, it["range"]["start"]["line"] + 1, it.get("rule", it["message"]))
        for it in found
        if it["severity"] == "error"
    }


def pyright(folder: Path, *arguments: str) -> Any:
    settings = ("--outputjson", "--pythonpath", sys.executable)
    return json.loads(run("pyright", *settings, *arguments, cwd=folder))


CHECKERS = {"mypy": by_mypy, "pyright": by_pyright}


def expected(checker: str) -> Iterator[tuple[str, int, str]]:
    for file in (FILES / "wrong").glob("*.py"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if found := _EXPECTED.search(line):
                yield file.name, number, found[checker]


def test_what_is_checked_says_that_it_is_typed() -> None:
    assert (Path(docs_sitemap.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_use_is_right(checker: str, folder: Path) -> None:
    assert CHECKERS[checker](folder, "right") == set()


@pytest.mark.parametrize("checker", CHECKERS)
def test_wrong_use_is_an_error_where_it_stands(checker: str, folder: Path) -> None:
    marked = set(expected(checker))
    assert len(marked) > 10
    found = CHECKERS[checker](folder, "wrong")
    # what comes of it: of a name that is none, nothing is known
    assert {fault for fault in found if not fault[2].startswith("reportUnknown")} == marked


def test_every_public_name_has_a_complete_type(tmp_path: Path) -> None:
    found = pyright(tmp_path, "--verifytypes", "docs_sitemap", "--ignoreexternal")["typeCompleteness"]
    symbols = {it["name"]: it["isTypeKnown"] and not it["isTypeAmbiguous"] for it in found["symbols"]}
    homes = {home(package, name) for package in PACKAGES for name in package.__all__ if name[0] != "_"}
    assert homes <= symbols.keys()
    of_them = [name for name in symbols if any(name == home or name.startswith(f"{home}.") for home in homes)]
    assert len(of_them) > 2 * len(homes)  # their attributes and methods are among them
    assert [name for name in of_them if not symbols[name]] == []


PACKAGES = (docs_sitemap, history)


def home(package: ModuleType, name: str) -> str:
    """Return where a public name is defined, or where it is named, if it is no class or function."""
    module = getattr(getattr(package, name), "__module__", "")
    return f"{module if module.startswith('docs_sitemap') else package.__name__}.{name}"
