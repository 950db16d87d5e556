"""Real builds with a package that pip has installed from the repository, as Read the Docs does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support.installing import Project
from tests.support.sphinxsite import Docs

AUTODOC = ["docs_sitemap", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """A page of the package, one of a module, one without any, and a stub of autosummary."""
    site = Docs(tmp_path)
    site.repo.write(".gitignore", "docs/made\n")
    site.conf(extensions=AUTODOC)
    site.pages("plain.rst")
    site.page("package.rst", ".. automodule:: tiny\n")
    site.page("deep.rst", ".. automodule:: tiny.deep\n   :members:\n")
    site.save_page("api.rst", ".. autosummary::\n   :toctree: made\n\n   tiny.stub\n")
    return site


@pytest.fixture
def project(docs: Docs) -> Project:
    own = Project(docs.repo)
    for name in ("__init__", "deep", "stub"):
        own.write(f"tiny/{name}.py", f'"""Module {name}."""\n')
    return own


def src(name: str) -> str:
    return f"../src/tiny/{name}.py"


def environment(folder: Path) -> dict[str, str]:
    """Return what makes Python find packages in a folder, with our own."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))}


def test_modules_count_that_pip_has_installed_from_the_repository(
    docs: Docs, project: Project, tmp_path: Path
) -> None:
    """Where HEAD has others, pages show what it does not have: one line says so, and what to do."""
    env = environment(project.install(tmp_path / "env"))
    built = docs.run("-W", env=env).passed()
    found = built.sitemap
    assert found["package.html"] == docs.date(src("__init__"))
    assert found["deep.html"] == docs.date(src("deep"))
    assert found["made/tiny.stub.html"] == docs.date(src("stub"))
    assert found["plain.html"] == docs.date("plain.rst")
    assert not built.notices("no date")
    assert docs.run("-W", env=env).sitemap == found
    project.write("tiny/deep.py", '"""Edited."""\n')
    project.write("tiny/stub.py", '"""Edited."""\n')
    built = docs.run("-W", env=env)
    assert built.sitemap == {**found, "deep.html": None, "made/tiny.stub.html": None}
    [line] = built.notices("no date")
    assert "2 pages have no date: an installed module differs from" in line
    assert "install the package from the commit that is built" in line
    single = docs.run(builder="singlehtml", env=env, out="single")
    assert single.sitemap == {"index.html": None}
    assert single.notices("1 page has no date")
    docs.conf(extensions=AUTODOC, docs_sitemap_dependencies=False)
    built = docs.run(env=env)
    assert built.sitemap["deep.html"] == docs.date("deep.rst")
    assert built.notices("1 page has no date: made from no known file")
