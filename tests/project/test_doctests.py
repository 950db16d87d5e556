"""The examples in docstrings, and those of the documentation's page about Python, show what happens."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import docs_sitemap
from tests.support.gitrepo import FIRST, Repo

HERE = Path(docs_sitemap.__file__).parent
PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"

PUBLIC = ("files.emission", "git.answers", "options.declarations", "pages.page")
HELPERS = (
    "dates.site_dates",
    "files.documents",
    "files.robots",
    "options.languages",
    "pages.selection",
    "timestamps",
    "urls",
)


def names() -> list[str]:
    """Return the modules that have examples, without importing any."""
    files = [file for file in HERE.rglob("*.py") if ">>> " in file.read_text(encoding="utf-8")]
    parts = [file.relative_to(HERE.parent).with_suffix("").parts for file in files]
    return sorted(".".join(name).removesuffix(".__init__") for name in parts)


def load(name: str) -> ModuleType:
    """Import a module, or skip where a library is not installed that it needs."""
    try:
        return import_module(name)
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("docs_sitemap"):
            raise
        pytest.skip(f"{name} needs {problem.name}")


def failures(tests: list[doctest.DocTest]) -> tuple[int, str]:
    """Run examples; return how many there were, and what is said of those that failed."""
    runner = doctest.DocTestRunner()
    said: list[str] = []
    for test in tests:
        runner.run(test, out=said.append)
    return runner.tries, "".join(said)


def in_module(module: ModuleType) -> tuple[int, str]:
    return failures(doctest.DocTestFinder(exclude_empty=True).find(module))


def in_text(text: str, name: str) -> tuple[int, str]:
    """Run the examples of a page in Markdown; a fence ends what an example prints."""
    plain = re.sub(r"^```.*$", "", text, flags=re.MULTILINE)
    return failures([doctest.DocTestParser().get_doctest(plain, {"__name__": name}, name, name, 0)])


@pytest.mark.parametrize("name", names())
def test_examples_in_docstrings_show_what_happens(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load(name)
    monkeypatch.chdir(tmp_path)
    count, said = in_module(module)
    assert not said, said
    assert count
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", [*PUBLIC, *HELPERS])
def test_what_is_public_or_pure_has_examples_that_need_no_extra(name: str) -> None:
    count, _ = in_module(import_module(f"docs_sitemap.{name}"))
    assert count


def test_examples_of_the_page_about_python_show_what_happens(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("docs/index.md", when=FIRST)
    repo.commit("docs/guide.md", when=FIRST + 86_400)
    repo.write("docs/new.md")
    (repo.root / "site").mkdir()
    monkeypatch.chdir(repo.root)
    count, said = in_text(PAGE.read_text(encoding="utf-8"), PAGE.name)
    assert not said, said
    assert count > 10


def test_an_example_that_is_wrong_is_seen() -> None:
    module = ModuleType("wrong")
    module.__doc__ = ">>> 1 + 1\n3\n"
    assert in_module(module)[0] == 1
    assert "Expected:\n    3\nGot:\n    2" in in_module(module)[1]
    assert "Expected:\n    3\nGot:\n    2" in in_text("```python\n>>> 1 + 1\n3\n```\n", "wrong.md")[1]


def test_a_warning_in_an_example_is_a_fault() -> None:
    module = ModuleType("warning")
    module.__doc__ = ">>> import warnings\n>>> warnings.warn('old', DeprecationWarning)\n"
    assert "DeprecationWarning: old" in in_module(module)[1]
