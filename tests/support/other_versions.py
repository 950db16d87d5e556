"""Builds that know which version is current: where each is published, and what its pages should say."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.support.services import READ_THE_DOCS, enter_environment

HOST: Final = "https://docs.example.org/"


class Version(NamedTuple):
    """A build at ``url`` with ``current_version``: its pages lead to ``current``, or are noindex if ``""``.

    ``None`` is the current version.
    """

    url: str
    current: str | None
    named: str = "stable"
    branch: str = ""


def _on_read_the_docs(name: str, current: str | None) -> Version:
    return Version(f"{HOST}en/{name}/", current, branch=name)


VERSIONS: Final = {
    "the current one": Version(f"{HOST}en/stable/", None),
    "an old one": Version(f"{HOST}en/1.0/", f"{HOST}en/stable/"),
    "of another language": Version(f"{HOST}de/1.0/", f"{HOST}de/stable/"),
    "a line of releases": Version(f"{HOST}2.x/", f"{HOST}stable/"),
    "a release after a release": Version(f"{HOST}2.0.post1/", f"{HOST}stable/"),
    "stable, where latest is current": Version(f"{HOST}stable/", f"{HOST}latest/", named="latest"),
    "a pre-release": Version(f"{HOST}3.0rc1/", ""),
    "a development version": Version(f"{HOST}main/", ""),
    "latest, where stable is current": Version(f"{HOST}latest/", ""),
    "the folder above": Version(f"{HOST}project/", None, named=".."),
    "below the current one": Version(f"{HOST}project/v1/", f"{HOST}project/", named=".."),
    "a host in upper case": Version("https://Docs.Example.org/project/v1/", f"{HOST}project/", named=".."),
    "at the root": Version(HOST, None),
    "the name of a project": Version("https://example.github.io/project/", None),
    "a branch": _on_read_the_docs("feature-7", ""),
    "old, with the address of the current one": Version(
        f"{HOST}en/stable/", f"{HOST}en/stable/", branch="1.4"
    ),
    "a branch called stable": Version(
        f"{HOST}en/stable/", f"{HOST}en/latest/", named="latest", branch="stable"
    ),
    "a name with a plus": Version(f"{HOST}1.0/", f"{HOST}2.0+b/", named="2.0+b"),
    "a branch of releases": _on_read_the_docs("1.4", f"{HOST}en/stable/"),
}


def enter(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the environment of a build."""
    environ = {}
    if version.branch:
        environ = READ_THE_DOCS | {
            "READTHEDOCS_VERSION": version.branch,
            "READTHEDOCS_CANONICAL_URL": f"{HOST}en/{version.branch}/",
        }
    enter_environment(environ, monkeypatch)


class _Head(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "link" and values.get("rel") == "canonical":
            self.said.append(values["href"] or "")
        elif tag == "meta" and values.get("name") == "robots":
            self.said.append(values["content"] or "")


def said(file: Path) -> list[str]:
    """The canonical links and the robots tags of a page."""
    head = _Head()
    head.feed(file.read_text(encoding="utf-8"))
    return head.said


def check(version: Version, outdir: Path, pages: dict[str, str], output: str) -> None:
    """Check what a build left: ``pages`` maps files to URL paths."""
    for name, path in pages.items():
        if version.current is None:
            expected = version.url + path
        else:
            expected = version.current + path if version.current else "noindex, follow"
        assert said(outdir / name) == [expected], name
    assert (outdir / "sitemap.xml").exists() == (version.current is None)
    assert ("no sitemap is written" in output) == (version.current is not None)
    assert "Sitemap:" not in _robots(outdir) or version.current is None


def _robots(outdir: Path) -> str:
    file = outdir / "robots.txt"
    return file.read_text() if file.exists() else ""
