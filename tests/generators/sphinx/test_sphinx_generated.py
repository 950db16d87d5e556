"""Real builds with extensions that write documents: what these were made from dates them, or nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support.sphinxsite import Docs

pytestmark = pytest.mark.versions

GENERATE = """
import pathlib

def generate(app):
    for name, text in DOCUMENTS.items():
        path = pathlib.Path(app.srcdir, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

def setup(app):
    app.connect("builder-inited", generate)
"""


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """Documentation whose folder ``made`` is ignored, so that no commit has what is generated there."""
    site = Docs(tmp_path)
    site.repo.write(".gitignore", "made\n")
    site.conf()
    site.pages("one.rst")
    return site


def generate(docs: Docs, extensions: list[str], documents: dict[str, str], **values: object) -> None:
    """Have the build write documents, as scripts in conf.py do."""
    code = f"DOCUMENTS = {documents!r}\n{GENERATE}"
    docs.conf(extensions=["docs_sitemap", *extensions], code=code, **values)


def module(docs: Docs, name: str, *lines: str) -> str:
    """Commit a module below ``src``; return its path from the documentation folder."""
    docs.repo.save(f"src/{name}", "\n".join(lines) + "\n")
    return f"../src/{name}"


def test_a_generated_document_has_no_date_whatever_it_includes(docs: Docs) -> None:
    """What the generator itself put in may be newer than what the document includes."""
    docs.repo.commit("part.txt")
    generate(docs, [], {"made/page.rst": "Page\n====\n\n.. include:: /../part.txt\n"})
    assert docs.build(strict=True).sitemap["made/page.html"] is None
    rules = [{"match": "made/page.rst", "sources": ["../part.txt"]}]
    generate(docs, [], {"made/page.rst": "Page\n====\n\nText.\n"}, docs_sitemap_rules=rules)
    assert docs.build(strict=True).sitemap["made/page.html"] == docs.date("../part.txt")


def test_a_stub_has_the_date_of_the_modules_that_its_own_object_is_from(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As apidoc and others write them, also outside of the index; one of another name is no stub."""
    package = module(docs, "stub_made/__init__.py", '"""A package."""')
    deep = module(docs, "stub_made/deep.py", '"""Deep."""')
    docs.repo.commit("docs/one.rst")
    monkeypatch.syspath_prepend(docs.repo.root / "src")
    text = "Title\n=====\n\n.. automodule:: stub_made.deep\n   :no-index:\n"
    documents = {
        "made/stub_made.deep.rst": text,
        "made/modules.rst": text,
        "made/renamed.rst": text.replace("stub_made.deep\n   :no-index:\n", "stub_made\n"),
    }
    generate(docs, ["sphinx.ext.autodoc"], documents)
    found = docs.build().sitemap
    assert found["made/stub_made.deep.html"] == docs.date(deep)
    assert found["made/modules.html"] is found["made/renamed.html"] is None
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]
    generate(docs, extensions, documents, autosummary_filename_map={"stub_made": "renamed"})
    assert docs.build().sitemap["made/renamed.html"] == docs.date(package)


def test_a_stub_that_is_committed_has_its_own_date_as_well(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = module(docs, "stub_kept.py", '"""A module."""')
    monkeypatch.syspath_prepend(docs.repo.root / "src")
    docs.page("stub_kept.rst", ".. automodule:: stub_kept\n")
    docs.conf(extensions=["docs_sitemap", "sphinx.ext.autodoc"])
    docs.repo.commit()
    assert docs.build(strict=True).sitemap["stub_kept.html"] == docs.date("stub_kept.rst") > docs.date(path)


SCRIPT = '"""\nTitle\n=====\n\nText.\n"""\nprint(1)\n'


def test_a_page_of_a_gallery_has_the_date_of_its_script(docs: Docs) -> None:
    """Also in a gallery within the gallery, and in a build that makes none of them anew."""
    pytest.importorskip("sphinx_gallery")
    names = ("plot_a.py", "more/plot_b.py", "own_c.py", "other_d.py")
    for name in names:
        docs.repo.save(f"examples/{name}", SCRIPT)
    for folder in ("examples", "examples/more"):
        docs.repo.write(f"{folder}/GALLERY_HEADER.rst", "Gallery\n=======\n")
    docs.repo.save(".gitignore", "docs/gallery\ndocs/sg_execution_times.rst\n")
    conf: dict[str, object] = {
        "examples_dirs": ["../examples"],
        "gallery_dirs": ["gallery"],
        "image_scrapers": [],
    }
    conf |= {"reset_modules": [], "ignore_pattern": "other_"}
    docs.page("gallery/other_d.rst")
    docs.conf(extensions=["docs_sitemap", "sphinx_gallery.gen_gallery"], sphinx_gallery_conf=conf)
    for builder in ("html", "html"):
        found = docs.build(builder).sitemap
        for name in names[:3]:
            assert found[f"gallery/{name.replace('.py', '.html')}"] == docs.date(f"../examples/{name}")
        assert found["gallery/other_d.html"] is found["gallery/index.html"] is None
        assert found["gallery/more/index.html"] is found["sg_execution_times.html"] is None


@pytest.mark.parametrize(("keep", "inherited"), [(False, False), (True, True)])
def test_a_page_of_autoapi_has_the_date_of_the_modules_that_it_shows(
    docs: Docs, keep: bool, inherited: bool
) -> None:
    """Objects that are imported or inherited count with the module that their text is in."""
    pytest.importorskip("autoapi")
    init = module(docs, "pack/__init__.py", "from pack.impl import given", "__all__ = ['given']")
    plain = module(docs, "pack/plain.py", "from pack.base import Base", "class Plain(Base): ...")
    impl = module(docs, "pack/impl.py", "def given():", '    """Given."""')
    base = module(docs, "pack/base.py", "class Base:", "    def do(self):", '        """Do."""')
    docs.repo.save(".gitignore", "docs/autoapi\n")
    options = ["members", "undoc-members", "imported-members", "inherited-members"]
    values = {"autoapi_dirs": ["../src/pack"], "autoapi_keep_files": keep}
    values |= {"autoapi_options": options if inherited else options[:-1]}
    docs.conf(extensions=["docs_sitemap", "autoapi.extension"], **values)
    for _ in range(2):
        found = docs.build().sitemap
        assert found["autoapi/pack/index.html"] == docs.date(impl) > docs.date(init)
        assert found["autoapi/pack/plain/index.html"] == docs.date(base if inherited else plain)
        assert found["autoapi/index.html"] is None
