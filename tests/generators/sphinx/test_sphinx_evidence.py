"""Every file that counts for a page comes with how it is known to belong to it, in words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from docs_sitemap.generators.sphinx.sources import named_by
from docs_sitemap.pages.page import Page
from tests.generators.sphinx.test_sphinx_dates import DONE, catalog
from tests.support.installing import Project
from tests.support.sphinxsite import PNG, Docs


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Page]:
    """The pages that builds tell the core about, by their addresses."""
    found: dict[str, Page] = {}

    def emit(pages: Iterable[Page], *args: object, **options: object) -> None:
        found.update({page.url: page for page in pages})

    monkeypatch.setattr("docs_sitemap.generators.sphinx.emit", emit)
    return found


def test_each_file_comes_with_its_evidence(
    tmp_path: Path, told: dict[str, Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = Docs(tmp_path)
    docs.pages("one.rst")
    project = Project(docs.repo)
    module = project.write("tiny/__init__.py", '"""A module."""\n')
    monkeypatch.syspath_prepend(project.install(tmp_path / "env"))
    docs.repo.write("docs/part.txt")
    (docs.srcdir / "map.png").write_bytes(PNG)
    catalog(docs, "one", *DONE)
    docs.save_page("one.rst", ".. include:: part.txt\n\n.. image:: map.png\n\n.. automodule:: tiny\n")
    docs.conf(extensions=["docs_sitemap", "sphinx.ext.autodoc"], language="de", locale_dirs=["locales"])
    for builder in ("html", "singlehtml"):
        docs.build(builder)
        [page] = [page for page in told.values() if page.media]
        assert page.evidence.keys() == {*page.dependencies, *page.media}
        said = {path.name: words for path, words in page.evidence.items()}
        copy = tmp_path / "env/tiny/__init__.py"
        assert said == {
            "part.txt": "Sphinx records it as a dependency of the document",
            "__init__.py": f"it has tiny, which the document shows, installed as {copy}",
            "one.po": "it is the document's message catalog",
            "map.png": "the document shows it as an image or links to it as a download",
        }
        assert page.evidence[module].endswith("__init__.py")
        told.clear()


@pytest.mark.parametrize("extension", ["sphinx_gallery.gen_gallery", "autoapi.extension"])
def test_the_mechanism_that_made_a_page_tells_what_from(
    tmp_path: Path, told: dict[str, Page], extension: str
) -> None:
    pytest.importorskip(extension.partition(".")[0])
    docs = Docs(tmp_path)
    docs.pages("one.rst")
    docs.repo.write("examples/GALLERY_HEADER.rst", "Gallery\n=======\n")
    docs.repo.save("examples/plot_tiny.py", '"""\nTitle\n=====\n\nText.\n"""\n')
    gallery = {"examples_dirs": "../examples", "gallery_dirs": "made", "image_scrapers": []}
    docs.conf(
        extensions=["docs_sitemap", extension],
        sphinx_gallery_conf=gallery | {"reset_modules": []},
        autoapi_dirs=["../examples"],
    )
    docs.build("dirhtml")
    script = docs.repo.root / "examples/plot_tiny.py"
    url, source, words = {
        "autoapi": ("autoapi/plot_tiny/", None, "sphinx-autoapi documents it on the page"),
        "sphinx_gallery": ("made/plot_tiny/", script, "sphinx-gallery makes the page from it"),
    }[extension.partition(".")[0]]
    assert told[url].source == source
    assert told[url].evidence[script] == words


NAMES = {
    "../../i/a.txt": True,
    "i/a.txt": True,
    "/docs/i/a.txt": True,
    "a.txt": True,
    "/a.txt": True,
    "": False,
    "../": False,
    ".txt": False,
    "other/i/a.txt": False,
    "i/b.txt": False,
    "/elsewhere/docs/i/a.txt/": False,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_matches_the_end_of_a_path(name: str) -> None:
    file = Path("/docs/i/a.txt")
    assert named_by(["x/y/z/none.txt", name], [file]) == ({file} if NAMES[name] else set())
