from __future__ import annotations

import os
import sys
import tempfile
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.browser import Browser, browsing, missing
from tests.support.gitrepo import Repo
from tests.support.platforms import refusal

# The same few examples on each machine; HISTORIES=N tries N of them, and
# `pytest --hypothesis-profile=default` looks for new ones.
settings.register_profile("same", derandomize=True, max_examples=int(os.environ.get("HISTORIES", "30")))
settings.load_profile("same")

# Environments that run side by side would remove the old folders of each other, and the one that meets a
# folder half removed fails: each has its own.
_TEMPORARY = Path(tempfile.gettempdir(), f"docs-tests-{zlib.crc32(sys.prefix.encode()):08x}")
if "PYTEST_DEBUG_TEMPROOT" not in os.environ:
    _TEMPORARY.mkdir(exist_ok=True)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(_TEMPORARY)

SCHEMAS = Path(os.environ.get("SITEMAP_SCHEMAS", Path(__file__).parents[2] / "shared" / "schemas")).resolve()

_SERVICES = ("READTHEDOCS", "NETLIFY", "VERCEL", "GITLAB_CI", "CF_PAGES", "CONTEXT", "CI_PAGES_URL")
_OURS = ("INDEXNOW_", "DOCS_SITEMAP_", "CI_MERGE_REQUEST_")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip a test whose files this system cannot have."""
    try:
        return (yield)
    except OSError as problem:
        if reason := refusal(problem):
            pytest.skip(reason)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that claims to need no library, and is skipped for want of one: no other run has it."""
    report = yield
    if report.skipped and item.get_closest_marker("core") and "could not import" in str(report.longrepr):
        report.outcome = "failed"
    return report


@pytest.fixture(autouse=True)
def plain_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees this machine's git configuration or hosting service."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", *_SERVICES, *_OURS)) or name in (
            "TZ",
            "NO_COLOR",
            "FORCE_COLOR",
            "LC_ALL",
            "LANG",
            "SOURCE_DATE_EPOCH",
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("DOCS_SITEMAP_DEBUG", "1")  # an unexpected error fails the test that causes it
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository."""
    return Repo(tmp_path / "repo")


@pytest.fixture
def schemas() -> Path:
    """The official XSDs, which are checked against and never part of the project."""
    if not (SCHEMAS / "all.xsd").is_file():
        pytest.skip("SITEMAP_SCHEMAS names no folder that has the official schemas")
    return SCHEMAS


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One Chromium for all tests that look at a page."""
    pytest.importorskip("selenium")
    if missing():
        pytest.skip(f"not on PATH: {', '.join(missing())}")
    with browsing(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser) -> Browser:
    """The browser as it was when it started, a page of 1100 by 700."""
    window.plain()
    window.screen(1100, 700)
    return window
