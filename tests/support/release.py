"""What is about to be published, looked at from outside: ``python -m tests.support.release dist``.

Each distribution is installed into an environment that has nothing else, once for each extra, and
has to build the example sites there, strictly, as a user would. Everything that is wrong is told, and
the exit code is 1. Needs a network, from which pip installs.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email import message_from_string
from email.message import Message
from pathlib import Path

from tests.support import sitemaps
from tests.support.gitrepo import Repo

ROOT = Path(__file__).resolve().parents[2]
WHEN = 1_750_000_000
"""POSIX seconds of the one commit of the example sites' copy, and so of each page's date."""

CORE_TESTS = ("project/test_architecture.py", "files/test_emit.py", "git/test_shapes.py")
"""Tests that the unpacked source distribution has to pass; they need no generator."""

SDIST_NEEDS = (
    "action.yml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "tox.ini",
    ".github/workflows/tests.yml",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    "docs/hosting.md",
    "benchmarks/__main__.py",
    "tests/project/test_release.py",
    "example_sites/mkdocs/mkdocs.yml",
    "example_sites/sphinx/conf.py",
)


def project() -> dict[str, object]:
    """Return the table ``project`` of pyproject.toml."""
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def package_version() -> str:
    """Return ``docs_sitemap.__version__`` as it is written; the package itself is not installed here."""
    text = (ROOT / "src/docs_sitemap/__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found
    return found[1]


def wrong_versions(tag: str) -> Iterator[str]:
    """Tell where a version is another than the package's own; ``tag`` is empty where none is set."""
    version = package_version()
    if project()["version"] != version:
        yield f"pyproject.toml says {project()['version']}, and docs_sitemap.__version__ {version}"
    if tag and tag != f"v{version}":
        yield f"the tag is {tag}, and should be v{version}"
    if tag and not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", _changelog(), re.MULTILINE):
        yield f"CHANGELOG.md has no section for {version} with the day of its release"


def _changelog() -> str:
    return (ROOT / "CHANGELOG.md").read_text("utf-8")


def wrong_files(names: Sequence[str]) -> Iterator[str]:
    """Tell which files a wheel lacks, and which it should not have."""
    source = ROOT / "src"
    modules = {path.relative_to(source).as_posix() for path in source.rglob("*.py")}
    info = f"docs_sitemap-{package_version()}.dist-info"
    tables = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    wanted = modules | {"docs_sitemap/py.typed"} | {f"{info}/{name}" for name in tables}
    yield from (f"the wheel has no {name}" for name in sorted(wanted - {*names}))
    yield from (f"the wheel has {name}, which belongs to no package" for name in sorted({*names} - wanted))


def wrong_metadata(metadata: Message, entry_points: str) -> Iterator[str]:
    """Tell what a wheel says otherwise than pyproject.toml."""
    declared = project()
    extras = declared["optional-dependencies"]
    assert isinstance(extras, dict)
    for name, wanted in {
        "Name": [declared["name"]],
        "Version": [package_version()],
        "Requires-Python": [declared["requires-python"]],
        "License-Expression": [declared["license"]],
        "Provides-Extra": sorted(extras),
        "Classifier": declared["classifiers"],
    }.items():
        found = metadata.get_all(name) or []
        if sorted(found) != wanted and found != wanted:
            yield f"{name} is {found}, and should be {wanted}"
    for line in (
        "docs-sitemap = docs_sitemap.cli:main",
        "docs-sitemap = docs_sitemap.generators.mkdocs:",
        "docs_sitemap = docs_sitemap.generators.mkdocs:",
    ):
        if line not in entry_points:
            yield f"the wheel has no entry point {line}"


def wrong_wheel(wheel: Path) -> Iterator[str]:
    """Tell what is wrong inside a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        yield from wrong_files(names)
        info = f"docs_sitemap-{package_version()}.dist-info"
        if {f"{info}/METADATA", f"{info}/entry_points.txt"} <= {*names}:
            metadata = message_from_string(archive.read(f"{info}/METADATA").decode())
            yield from wrong_metadata(metadata, archive.read(f"{info}/entry_points.txt").decode())


class Environment:
    """A virtual environment with the wheel and an extra, and nothing else."""

    def __init__(self, folder: Path, requirement: str) -> None:
        venv.create(folder, with_pip=True, symlinks=os.name != "nt")
        self._bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement)
        self.python("-m", "pip", "check")

    def python(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run Python and return its output; raises ``Failure`` where it fails."""
        return self._run("python", *arguments, cwd=cwd)

    def docs_sitemap(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run the command as it was installed."""
        return self._run("docs-sitemap", *arguments, cwd=cwd)

    def has(self, module: str) -> bool:
        """Tell whether a module can be imported."""
        code = f"from importlib.util import find_spec; print(find_spec({module!r}) is not None)"
        return self.python("-c", code).strip() == "True"

    def _run(self, program: str, *arguments: str, cwd: Path | None) -> str:
        # neither this checkout nor what it is tested with may stand in for what was not installed
        environ = {name: value for name, value in os.environ.items() if not name.startswith(_HIDDEN)}
        path = shutil.which(program, path=self._bin)
        if path is None:
            raise Failure(f"there is no program {program}")
        done = subprocess.run(
            [path, *arguments], cwd=cwd, env=environ, capture_output=True, check=False, encoding="utf-8"
        )
        if done.returncode:
            raise Failure(f"{program} {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout


_HIDDEN = ("PYTHON", "VIRTUAL_ENV", "GITHUB_", "READTHEDOCS", "CI_", "TOX_")


class Failure(Exception):  # noqa: N818 - it is no fault of the script
    """Something that was tried does not work; the text says what."""


def expected(module: str) -> tuple[str, list[str]]:
    """Return the base URL and the pages of an example site as its test has them, without importing it."""
    values = {}
    for node in ast.parse((ROOT / "tests" / module).read_text("utf-8")).body:
        name = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
        if isinstance(node, ast.Assign) and name in ("BASE", "PAGES"):
            values[name] = ast.literal_eval(node.value)
    return values["BASE"], list(values["PAGES"])


def compare(found: Mapping[str, str | None], module: str, by_hand: Mapping[str, str]) -> None:
    """Hold a sitemap against what the tests expect of the example site; raises ``Failure``."""
    base, pages = expected(module)
    date = datetime.fromtimestamp(WHEN, UTC).isoformat()
    wanted = {base + page: by_hand.get(page, date) for page in pages}
    if found != wanted:
        raise Failure(f"the sitemap has {found}, and should have {wanted}")


def copy_of_examples(folder: Path) -> Path:
    """Return a copy of the example sites in a repository of their own, all of one date."""
    repo = Repo(folder)
    shutil.copytree(ROOT / "example_sites", folder / "example_sites")
    repo.commit(when=WHEN)
    return folder / "example_sites"


def try_none(environment: Environment, examples: Path, folder: Path) -> None:
    """Neither generator is there, and dates are."""
    _lacks(environment, "mkdocs", "sphinx", "lxml")
    version = environment.docs_sitemap("--version").strip()
    if version != f"docs-sitemap, version {package_version()}":
        raise Failure(f"docs-sitemap --version says {version}")
    lines = environment.docs_sitemap("lastmod", "mkdocs/docs/index.md", cwd=examples).splitlines()
    if len(lines) != 1 or datetime.fromtimestamp(WHEN, UTC).isoformat() not in lines[0]:
        raise Failure(f"docs-sitemap lastmod says {lines}")


def try_mkdocs(environment: Environment, examples: Path, folder: Path) -> None:
    """The example site, built strictly."""
    _lacks(environment, "sphinx", "lxml")
    site = folder / "mkdocs"
    environment.python(
        *("-m", "mkdocs", "build", "--strict", "-f", str(examples / "mkdocs/mkdocs.yml"), "-d", str(site))
    )
    compare(
        sitemaps.read(site / "sitemap.xml"),
        "generators/mkdocs/test_mkdocs_example.py",
        {"rules/": "2025-03-14"},
    )


def try_sphinx(environment: Environment, examples: Path, folder: Path) -> None:
    """The example site, with warnings as errors and all references checked."""
    _lacks(environment, "mkdocs", "lxml")
    site, doctrees = folder / "sphinx", folder / "doctrees"
    environment.python(
        *("-m", "sphinx", "-W", "-n", "-q", "-d", str(doctrees), str(examples / "sphinx"), str(site))
    )
    compare(sitemaps.read(site / "sitemap.xml"), "generators/sphinx/test_sphinx_example.py", {})


def try_check(environment: Environment, examples: Path, folder: Path) -> None:
    """The sites that were built before, checked."""
    _lacks(environment, "mkdocs", "sphinx", "google", "yaml")
    for name in ("mkdocs", "sphinx"):
        found = environment.docs_sitemap("check", "--format", "json", str(folder / name))
        if found.strip() != "[]":
            raise Failure(f"docs-sitemap check finds {found}")


def try_submit(environment: Environment, examples: Path, folder: Path) -> None:
    """What would be submitted of a site that was built before."""
    _lacks(environment, "mkdocs", "sphinx", "protego", "yaml")
    base, _ = expected("generators/mkdocs/test_mkdocs_example.py")
    if base not in environment.docs_sitemap("submit", str(folder / "mkdocs/sitemap.xml"), "--dry-run"):
        raise Failure("docs-sitemap submit finds no page")


def try_cli(environment: Environment, examples: Path, folder: Path) -> None:
    """A site that was built before, built anew."""
    _lacks(environment, "mkdocs", "sphinx")
    base, _ = expected("generators/mkdocs/test_mkdocs_example.py")
    source = str(examples / "mkdocs/docs")
    arguments = ["--exclude", "committee/", "--filename", "again.xml", "--robots", "false"]
    environment.docs_sitemap(
        "build", str(folder / "mkdocs"), "--base-url", base, "--source-dir", source, *arguments
    )
    compare(
        sitemaps.read(folder / "mkdocs/again.xml"),
        "generators/mkdocs/test_mkdocs_example.py",
        {"rules/": "2025-03-14"},
    )


def _lacks(environment: Environment, *modules: str) -> None:
    there = [module for module in modules if environment.has(module)]
    if there:
        raise Failure(f"{', '.join(there)} came along, though no one asked for it")


TRIALS: dict[str, Callable[[Environment, Path, Path], None]] = {
    "": try_none,
    "[mkdocs]": try_mkdocs,
    "[sphinx]": try_sphinx,
    # last: these look at what the others have built
    "[check]": try_check,
    "[submit]": try_submit,
    "[cli]": try_cli,
}


def wrong_installs(wheel: Path) -> Iterator[str]:
    """Install a wheel with each extra and tell what does not work then."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        examples = copy_of_examples(folder / "examples")
        for extra, attempt in TRIALS.items():
            start = time.monotonic()
            try:
                environment = Environment(folder / f"venv{extra.strip('[]')}", f"{wheel}{extra}")
                attempt(environment, examples, folder)
            except (Failure, OSError) as problem:
                yield f"docs-sitemap{extra}: {problem}"
            _say(f"docs-sitemap{extra} in an empty environment: {time.monotonic() - start:.0f} s")


def wrong_sdist(sdist: Path) -> Iterator[str]:
    """Tell what a source distribution lacks, and whether its own tests fail."""
    with tempfile.TemporaryDirectory() as name, tarfile.open(sdist) as archive:
        archive.extractall(name, filter="data")
        (folder,) = Path(name).iterdir()
        missing = [needed for needed in SDIST_NEEDS if not (folder / needed).is_file()]
        yield from (f"the source distribution has no {needed}" for needed in missing)
        if not missing:
            yield from _failing_tests(folder)


def _failing_tests(folder: Path) -> Iterator[str]:
    start = time.monotonic()
    environ = {**os.environ, "PYTHONPATH": str(folder / "src")}
    tests = [f"tests/{name}" for name in CORE_TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, check=False, encoding="utf-8"
    )
    if done.returncode:
        yield f"the tests of the source distribution: {done.stdout[-4000:]}{done.stderr[-1000:]}"
    _say(f"tests of the unpacked source distribution: {time.monotonic() - start:.0f} s")


def check(dist: Path, tag: str) -> list[str]:
    """Return everything that is wrong with the one wheel and the one source distribution in a folder."""
    wheels, sdists = list(dist.glob("*.whl")), list(dist.glob("*.tar.gz"))
    if len(wheels) != 1 or len(sdists) != 1:
        return [f"{dist} has {len(wheels)} wheels and {len(sdists)} source distributions"]
    wrong = [*wrong_versions(tag), *wrong_wheel(wheels[0])]
    # what is wrong already would be told once more by each of these, less clearly
    return wrong or [*wrong_sdist(sdists[0]), *wrong_installs(wheels[0].resolve())]


def tag_of(environ: Mapping[str, str]) -> str:
    """Return the tag that a workflow runs for, or nothing: a branch has its name in the same variable."""
    return "" if environ.get("GITHUB_REF_TYPE") == "branch" else environ.get("GITHUB_REF_NAME", "")


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    """Check the folder that the command line names."""
    wrong = check(Path(sys.argv[1]), tag_of(os.environ))
    for text in wrong:
        _say(f"WRONG: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
