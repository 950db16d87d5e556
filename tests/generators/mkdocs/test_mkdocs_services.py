"""Real MkDocs builds in the environment of each hosting service."""

from __future__ import annotations

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import Docs
from tests.support.services import AUTHORS, SERVICES, check, enter


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    site = Docs(tmp_path_factory.mktemp("services"))
    site.conf(site_url=...)
    site.pages("guide/install.md")
    return site


@pytest.mark.parametrize("authors", [False, True], ids=["", "robots.txt"])
@pytest.mark.parametrize("name", SERVICES)
def test_a_service(docs: Docs, monkeypatch: pytest.MonkeyPatch, name: str, authors: bool) -> None:
    """Strictly, as a build that has always worked must go on to work."""
    build = SERVICES[name]
    enter(build, monkeypatch)
    robots = docs.docs_dir / "robots.txt"
    robots.unlink(missing_ok=True)
    if authors:
        robots.write_bytes(AUTHORS)
    docs.conf(site_url=build.site)
    built = docs.build(strict=True, out=f"site-{[*SERVICES].index(name)}-{authors}").passed()
    check(build, built.outdir, "\n".join(built.log), authors=authors)
