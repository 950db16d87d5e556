"""Trees of versions and languages as the tools build them: Sphinx, Doxygen, javadoc."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from tests.support.warm import run_module

BASE = "https://docs.example.org/"


def call(*command: str | Path, cwd: Path) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def ours(root: Path, command: str, *args: str) -> subprocess.CompletedProcess[str]:
    return run_module("docs_sitemap", command, str(root), "--base-url", BASE, *args, cwd=root)


def rows(root: Path, command: str, *args: str) -> list[dict[str, Any]]:
    return list(json.loads(ours(root, command, "--dry-run", "--json", *args).stdout))


def doxygen(source: Path, out: Path) -> None:
    source.joinpath("tree.h").write_text(
        "/** A tree. */\nclass Tree { public: /** Grows. */ void grow(); };\n"
    )
    settings = (
        f"INPUT = tree.h\nOUTPUT_DIRECTORY = {out}\nHTML_OUTPUT = .\nGENERATE_LATEX = NO\nQUIET = YES\n"
    )
    source.joinpath("Doxyfile").write_text(settings)
    call("doxygen", "-q", "Doxyfile", cwd=source)


def javadoc(source: Path, out: Path) -> None:
    for name in ("Tree", "Flower"):
        source.joinpath(f"{name}.java").write_text(
            f"package garden; /** A {name}. */ public class {name} {{}}\n"
        )
    call("javadoc", "-quiet", "-d", out, "Tree.java", "Flower.java", cwd=source)


@pytest.mark.parametrize("build", [doxygen, javadoc])
def test_versions_of_api_documentation(build: Any, tmp_path: Path) -> None:
    """None of these tools writes a sitemap."""
    root, source = tmp_path / "public", tmp_path / "source"
    source.mkdir()
    for version in ("1.0", "1.1"):
        (root / version).mkdir(parents=True)
        build(source, root / version)
    assert [(row["folder"], row["why"]) for row in rows(root, "index")] == [
        ("1.0", "a version without a sitemap"),
        ("1.1", "a version without a sitemap"),
    ]
    plan = {row["version"]: row for row in rows(root, "versions")}
    assert (plan["1.1"]["role"], plan["1.0"]["role"]) == ("current", "old")
    assert plan["1.0"]["canonical"] > 1
    done = ours(root, "index")
    assert f"docs-sitemap build {root / '1.1'} --base-url {BASE}1.1/" in done.stderr


@pytest.mark.parametrize("is_right", [True, False])
def test_languages_in_a_loop_of_sphinx_build(is_right: bool, tmp_path: Path) -> None:
    """With one address for all, each French page says that the English one is to be found."""
    pytest.importorskip("sphinx")
    docs, root = tmp_path / "docs", tmp_path / "public"
    docs.mkdir()
    (docs / "conf.py").write_text('extensions = ["docs_sitemap"]\nlanguage = "en"\n')
    (docs / "index.rst").write_text("Home\n====\n\n.. toctree::\n\n   guide\n   api\n")
    (docs / "guide.rst").write_text("Guide\n=====\n")
    (docs / "api.rst").write_text("API\n===\n")
    for language in ("en", "fr"):
        address = f"{BASE}{language if is_right else 'en'}/"
        settings = ["-D", f"language={language}", "-D", f"html_baseurl={address}"]
        call(sys.executable, "-m", "sphinx", "-q", *settings, docs, root / language, cwd=tmp_path)
    listed = [(row["folder"], row["status"]) for row in rows(root, "index")]
    assert listed == [("en", "listed"), ("fr", "listed" if is_right else "error")]
    done = ours(root, "check")
    first = done.stdout.splitlines()[0]
    assert first.startswith("error A1 Canonical link to another language") != is_right
    assert ours(root, "index").returncode == (0 if is_right else 1)
