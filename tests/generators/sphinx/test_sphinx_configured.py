"""Real builds in which configuration names files for every document: those are no document's text."""

from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from tests.support.sphinxsite import Docs

pytestmark = pytest.mark.versions


def test_the_settings_of_docutils_are_no_document_s_text(docs: Docs) -> None:
    """Sphinx notes the file as a dependency of every document."""
    docs.repo.save("docs/docutils.conf", "[parsers]\nsmart_quotes: no\n")
    for _ in range(2):
        assert docs.build(strict=True).sitemap["one.html"] == docs.date("one.rst")


def test_files_that_the_prolog_includes_are_no_document_s_text(docs: Docs) -> None:
    """Not those that they include either; a document that includes one itself has it as its own."""
    docs.page("plain.rst", "Of name_.")
    docs.page("own.rst", ".. include:: /shared/names.txt\n")
    docs.page("deep.rst", ".. include:: part.txt\n")
    docs.page("marked.md", "")
    docs.repo.write("docs/part.txt", ".. include:: shared/names.txt\n")
    docs.repo.write("docs/marked.md", "# Title\n\n```{include} shared/names.txt\n```\n")
    docs.repo.write("docs/shared/more.txt", ".. _more: https://example.org/\n")
    docs.repo.save("docs/shared/code.txt", "Code.\n")
    names = ".. _name: https://example.org/\n.. include:: /shared/more.txt\n"
    docs.repo.save("docs/shared/names.txt", names)
    docs.conf(
        extensions=["docs_sitemap", "myst_parser"],
        rst_prolog=".. include:: /shared/names.txt\n.. include:: <isonum.txt>\n",
        rst_epilog=".. literalinclude:: /shared/code.txt\n",
        exclude_patterns=["shared"],
    )
    found = docs.run().sitemap  # MyST asks for what Sphinx 9 warns about
    for name in ("one", "sub/two", "plain"):
        assert found[f"{name}.html"] == docs.date(f"{name}.rst")
    newest = docs.date("shared/names.txt")
    assert found["own.html"] == found["deep.html"] == found["marked.html"] == newest
    docs.repo.save("docs/shared/more.txt", ".. _more: https://example.org/more\n")
    found = docs.run().sitemap
    assert found["plain.html"] == docs.date("plain.rst")
    assert found["own.html"] == docs.date("shared/more.txt") > newest


def test_what_is_noted_for_every_document_is_configuration(docs: Docs) -> None:
    """Unless it stands in the document."""
    docs.save_page("quoted.rst", ".. include:: /all.txt\n")
    docs.repo.save("docs/all.txt", "For all.")
    docs.conf(code=NOTING)
    found = docs.build().sitemap
    assert found["one.html"] == docs.date("one.rst")
    assert found["quoted.html"] == docs.date("all.txt")


NOTING = """
def setup(app):
    app.connect("source-read", lambda app, name, text: app.env.note_dependency("all.txt"))
"""
