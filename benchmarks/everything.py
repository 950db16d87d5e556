"""Every figure and plot of the documentation, made anew: which clones they need, and which commands."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.kept import RESULTS
from benchmarks.measure import BenchmarkError
from benchmarks.tools import HERE

_IMAGES: Final = HERE / "docs" / "images"


@dataclass(frozen=True, slots=True)
class Clone:
    """A public repository, and the folder of its documentation."""

    url: str
    folder: str


@dataclass(frozen=True, slots=True)
class Site:
    """A public site with git-revision-date-localized: what it is built with, and without."""

    url: str
    requires: Sequence[str]
    without: Sequence[str] = ()


CLONES: Final = {
    "ansible-documentation": Clone("https://github.com/ansible/ansible-documentation", "docs"),
    "git": Clone("https://github.com/git/git", "Documentation"),
    "mkdocs-material": Clone("https://github.com/squidfunk/mkdocs-material", "docs"),
    "scipy": Clone("https://github.com/scipy/scipy", "doc"),
    "sphinx": Clone("https://github.com/sphinx-doc/sphinx", "doc"),
}
SITES: Final = {
    "external-dns": Site(
        "https://github.com/kubernetes-sigs/external-dns",
        ("-r", "docs/scripts/requirements.txt"),
    ),
    "hatch": Site(
        "https://github.com/pypa/hatch",
        (
            *("mkdocs~=1.6.0", "mkdocs-material~=9.7.0", "mkdocs-minify-plugin~=0.8.0", "hatch"),
            *("mkdocs-git-revision-date-localized-plugin~=1.2.5", "mkdocstrings[python]~=0.26.0"),
            *("mkdocs-redirects~=1.2.1", "mkdocs-glightbox~=0.4.0", "mike~=2.1.1", "mkdocs-click~=0.8.1"),
            *("pymdown-extensions~=10.8.1", "pygments~=2.18.0"),
        ),
        without=("social", "git-committers"),
    ),
    "mkdocs-table-reader-plugin": Site(
        "https://github.com/timvink/mkdocs-table-reader-plugin",
        (
            *("-e", ".", "mkdocs-git-authors-plugin", "mkdocs-git-revision-date-localized-plugin"),
            *("mkdocs-macros-plugin", "mkdocs-material", "openpyxl", "pyarrow", "xlrd"),
        ),
    ),
}
"""Each is built in an environment of its own, which is made where it is missing.

It is not in the clone: with ``docs_dir: .``, all of its files would be looked at.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One command of ``python -m benchmarks``, or of another module; what it ``needs`` to be cloned."""

    name: str
    command: Sequence[str]
    needs: str | None = None


def steps(clones: Path, git: str) -> Iterator[Step]:
    """Yield all commands in their order: the results first, then what is drawn and written of them."""
    for name, clone in CLONES.items():
        where = (os.fspath(clones / name), clone.folder, "--git", git, "--label", name)
        yield Step(f"dates-{name}", ["dates", *where, "--runs", "7", *_kept(f"dates-{name}")], name)
    for name, clone in CLONES.items():
        if name != "ansible-documentation":
            where = (os.fspath(clones / name), clone.folder, "--git", git, "--label", name)
            yield Step(f"additions-{name}", ["additions", *where, *_kept(f"additions-{name}")], name)
    for host in ("mkdocs", "sphinx"):
        yield Step(f"builds-{host}", ["builds", host, "--rounds", "3", *_kept(f"builds-{host}")])
    for name, site in SITES.items():
        without = [word for plugin in site.without for word in ("--without", plugin)]
        python = os.fspath(_programs(clones, name) / "python")
        command = ["moving", os.fspath(clones / name), os.fspath(clones / "built" / name), *without]
        yield Step(
            f"moving-{name}", [*command, "--python", python, "--label", name, *_kept(f"moving-{name}")], name
        )
    yield Step("serve", ["serve", "--rounds", "2", *_kept("serve")])
    yield Step("emit", ["emit", "--rounds", "3", *_kept("emit")])
    size = ["--pages", "20000", "--kilobytes", "24"]
    yield Step("check", ["check", *size, *_kept("check")])
    yield Step("versions", ["versions", "--rounds", "1", *_kept("versions")])
    picture = ["--plot", os.fspath(_IMAGES / "growth.svg")]
    yield Step("growth", ["growth", "--git", git, *_kept("growth"), *picture])
    for name in ("dates", "builds"):
        files = [os.fspath(file) for file in sorted(RESULTS.glob(f"{name}-*.json"))]
        yield Step(f"plot-{name}", ["plot", os.fspath(_IMAGES / f"{name}.svg"), *files])


def _kept(name: str) -> list[str]:
    return ["--json", os.fspath(RESULTS / f"{name}.json")]


def run(clones: Path, git: str, only: Sequence[str], report: Callable[[str], None]) -> None:
    """Run all steps, or those whose names begin with one of ``only``, and write the documentation's tables.

    Raises ``BenchmarkError`` if a clone is missing, before anything is measured, and if a step fails.
    """
    chosen = [step for step in steps(clones, git) if not only or step.name.startswith(tuple(only))]
    if not chosen:
        raise BenchmarkError(f"--only: no step begins with {' or '.join(only)}")
    urls = {
        **{name: each.url for name, each in CLONES.items()},
        **{name: each.url for name, each in SITES.items()},
    }
    missing = {step.needs: urls[step.needs] for step in chosen if step.needs}
    missing = {name: url for name, url in missing.items() if not (clones / name).exists()}
    if missing:
        commands = [
            shlex.join(["git", "clone", url, os.fspath(clones / name)]) for name, url in missing.items()
        ]
        raise BenchmarkError("\n  ".join(["repositories are missing; first run", *commands]))
    for step in chosen:
        if step.needs in SITES:
            _install(clones, step.needs, report)
        report(f"== {step.name}: python -m benchmarks {shlex.join(step.command)}")
        # a site's hooks may run programs of its own
        path = [os.fspath(_programs(clones, step.needs))] if step.needs in SITES else []
        _call([sys.executable, "-m", "benchmarks", *step.command], path=path)
    _call([sys.executable, "-m", "docs.tables"])


def _programs(clones: Path, name: str) -> Path:
    return clones / "environments" / name / "bin"


def _install(clones: Path, name: str, report: Callable[[str], None]) -> None:
    folder = _programs(clones, name)
    if folder.exists():
        return
    report(f"== installing what {name} is built with")
    _call([sys.executable, "-m", "venv", os.fspath(folder.parent)])
    for requires in (SITES[name].requires, ("click", "pathspec")):
        _call([os.fspath(folder / "python"), "-m", "pip", "install", "--quiet", *requires], clones / name)


def _call(command: Sequence[str], folder: Path = HERE, path: Sequence[str] = ()) -> None:
    environ = {**os.environ, "PATH": os.pathsep.join([*path, os.environ["PATH"]])}
    done = subprocess.run(command, cwd=folder, env=environ, check=False)
    if done.returncode:
        raise BenchmarkError(f"{shlex.join(command[:6])} ... ended with exit code {done.returncode}")
