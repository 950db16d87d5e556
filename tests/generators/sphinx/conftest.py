"""The site that most tests here begin with: its history is made once, and copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.sphinxsite import Docs


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    site = Docs(tmp_path_factory.mktemp("original"))
    site.conf()
    site.pages("one.rst", "sub/two.rst")
    return site


@pytest.fixture
def docs(original: Docs, tmp_path: Path) -> Docs:
    """Documentation of three pages: ``index``, ``one`` and ``sub/two``."""
    shutil.copytree(original.repo.root, tmp_path / "repo")
    return Docs(tmp_path, repo=original.repo.at(tmp_path / "repo"))
