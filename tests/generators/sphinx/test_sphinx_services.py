"""Real Sphinx builds in the environment of each hosting service."""

from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from tests.support.services import AUTHORS, SERVICES, check, enter
from tests.support.sphinxsite import Docs


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    site = Docs(tmp_path_factory.mktemp("services"))
    site.conf(html_baseurl=...)
    site.pages("guide/install.rst")
    return site


@pytest.mark.parametrize("authors", [False, True], ids=["", "robots.txt"])
@pytest.mark.parametrize("name", SERVICES)
def test_a_service(docs: Docs, monkeypatch: pytest.MonkeyPatch, name: str, authors: bool) -> None:
    """Strictly, as a build that has always worked must go on to work."""
    build = SERVICES[name]
    enter(build, monkeypatch)
    docs.repo.write("docs/extra/robots.txt", AUTHORS.decode())
    docs.conf(html_baseurl=build.site, html_extra_path=["extra"] if authors else [])
    out = f"out-{[*SERVICES].index(name)}-{authors}"
    built = docs.build("dirhtml", strict=True, out=out).passed()
    check(build, built.outdir, built.status + built.warnings, authors=authors)
