"""The check before a release refuses what must not be published."""

from __future__ import annotations

import zipfile
from email.message import Message
from pathlib import Path

import pytest

pytest.importorskip("lxml")

from tests.support import release

pytestmark = pytest.mark.slow

INFO = f"docs_sitemap-{release.package_version()}.dist-info"
ENTRY_POINTS = (release.ROOT / "pyproject.toml").read_text("utf-8").replace('"', "")
TAG = f"v{release.package_version()}"


def files() -> dict[str, str]:
    """The content of a good wheel, as far as it is looked at."""
    modules = {path.relative_to(release.ROOT / "src").as_posix(): "" for path in _sources()}
    tables = dict.fromkeys((f"{INFO}/RECORD", f"{INFO}/WHEEL", f"{INFO}/licenses/LICENSE"), "")
    return {
        **modules,
        **tables,
        "docs_sitemap/py.typed": "",
        f"{INFO}/METADATA": metadata().as_string(),
        f"{INFO}/entry_points.txt": ENTRY_POINTS,
    }


def _sources() -> list[Path]:
    return sorted((release.ROOT / "src").rglob("*.py"))


def metadata() -> Message:
    declared = release.project()
    extras, classifiers = declared["optional-dependencies"], declared["classifiers"]
    assert isinstance(extras, dict)
    assert isinstance(classifiers, list)
    found = Message()
    found["Name"], found["Version"] = "docs-sitemap", release.package_version()
    found["Requires-Python"], found["License-Expression"] = ">=3.11", "BSD-2-Clause"
    for extra in extras:
        found["Provides-Extra"] = extra
    for classifier in classifiers:
        found["Classifier"] = classifier
    return found


def wheel(folder: Path, content: dict[str, str]) -> Path:
    file = folder / "x.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    return file


def test_a_good_wheel_passes(tmp_path: Path) -> None:
    assert list(release.wrong_wheel(wheel(tmp_path, files()))) == []


@pytest.mark.parametrize(
    "name", ["docs_sitemap/git/walk.py", "docs_sitemap/py.typed", f"{INFO}/licenses/LICENSE"]
)
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    content = files()
    del content[name]
    assert list(release.wrong_wheel(wheel(tmp_path, content))) == [f"the wheel has no {name}"]


@pytest.mark.parametrize("name", ["tests/test_emit.py", "docs_sitemap/left.orig", "docs_sitemap/old.py"])
def test_a_file_too_many_is_named(tmp_path: Path, name: str) -> None:
    (wrong,) = release.wrong_wheel(wheel(tmp_path, {**files(), name: ""}))
    assert name in wrong


@pytest.mark.parametrize(
    ("key", "value"),
    [("Classifier", "Programming Language :: Python :: 3.10"), ("Provides-Extra", "dev"), ("Version", "9.9")],
)
def test_metadata_that_say_more_are_told(tmp_path: Path, key: str, value: str) -> None:
    found = metadata()
    found[key] = value
    content = {**files(), f"{INFO}/METADATA": found.as_string()}
    (wrong,) = release.wrong_wheel(wheel(tmp_path, content))
    assert wrong.startswith(f"{key} is ")


def test_a_lost_entry_point_is_told(tmp_path: Path) -> None:
    content = {
        **files(),
        f"{INFO}/entry_points.txt": ENTRY_POINTS.replace("docs-sitemap = docs_sitemap.cli", "x = x"),
    }
    (wrong,) = release.wrong_wheel(wheel(tmp_path, content))
    assert "cli:main" in wrong


def test_a_tag_must_be_the_version() -> None:
    assert list(release.wrong_versions("")) == []
    assert next(release.wrong_versions("v9.9.9")) == f"the tag is v9.9.9, and should be {TAG}"


def test_a_release_has_its_day_in_the_changelog(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for day, wrong in (("unreleased", 1), ("2026-12-01", 0)):
        for name in ("pyproject.toml", "src/docs_sitemap/__init__.py"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes((release.ROOT / name).read_bytes())
        (tmp_path / "CHANGELOG.md").write_text(f"## {TAG[1:]} - {day}\n", "utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(release, "ROOT", tmp_path)
            assert len(list(release.wrong_versions(TAG))) == wrong
