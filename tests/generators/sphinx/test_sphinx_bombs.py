"""Real Sphinx builds of documents and options that take all memory when they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from sphinx import version_info

from tests.support.bombs import assert_brief, run
from tests.support.sphinxsite import Docs

FIELDS = ["exclude", "lastmod", "changefreq", "priority", "sources", "not-sources"]
TEXTS = {
    "a long text": "x" * 100_000,
    "commas": "a," * 50_000,
    "brackets": '{"a":' * 50_000,
    "many digits": "9" * 5000,
    "no characters": "\x01\x1b[2J",
}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages()
    return site


def build(docs: Docs) -> tuple[int, list[str]]:
    """Build as a user does; return the exit code and the warnings."""
    done = run(
        "sphinx", "--no-color", "-b", "html", "-E", str(docs.srcdir), str(docs.outdir), cwd=docs.repo.root
    )
    assert "Traceback" not in done.stderr, done.stderr[-1000:]
    said = [line for line in done.stderr.splitlines() if "sitemap" in line]
    assert_brief(said)
    return done.returncode, said


def test_each_field_of_a_document(docs: Docs) -> None:
    fields = [f":sitemap-{name}: {text}" for name in FIELDS for text in TEXTS.values()]
    fields += [f":sitemap: {text}" for text in TEXTS.values()]
    for number, field in enumerate(fields):
        docs.page(f"p{number}.rst", fields=field)
    docs.page("name.rst", fields=f":sitemap-{'x' * 100_000}: 1")
    docs.page("own.rst", fields=f":robots: {'x,' * 50_000} noindex\n:description: {'x' * 1_000_000}")
    docs.repo.commit()
    code, said = build(docs)
    assert code == 0
    for number, field in enumerate(fields):
        assert sum(f" p{number}.rst: " in line for line in said) == 1, (field[:100], said)
    assert sum(" name.rst: " in line for line in said) == 1
    listed = (docs.outdir / "sitemap.xml").read_text()
    assert listed.count("<loc>") == len(fields) + 2
    assert "own.html" not in listed


VALUES = {
    "digits": "10**5000",
    "digits in a list": "[10**5000]",
    "a long text": "'x' * 10_000_000",
    "many items": "['x' * 100] * 100_000",
    "within itself": "(lambda a: a.append(a) or a)([])",
    "a rule": "[{'match': 'a', 'priority': 10**5000}]",
    "an object": "__import__('types').SimpleNamespace(a='x' * 1_000_000)",
}
"""Not nested lists, and no option on which pages depend: Sphinx itself writes out those."""


@pytest.mark.parametrize("kind", VALUES)
def test_a_wrong_option_is_one_warning(docs: Docs, kind: str) -> None:
    if kind == "within itself" and version_info < (7, 4):
        pytest.skip("Sphinx itself does not survive it")
    for option in ("rules", "exclude"):
        docs.conf(code=f"docs_sitemap_{option} = {VALUES[kind]}")
        code, [said] = build(docs)
        assert code == 0
        assert f"WARNING: docs_sitemap_{option}: " in said
        assert "expected " in said
        assert said.removesuffix(" [docs_sitemap.option]").endswith("No sitemap is written.")  # from 8.0 on
        assert not (docs.outdir / "sitemap.xml").exists()


def test_patterns_of_sphinx_sitemap_with_many_stars(docs: Docs) -> None:
    docs.conf(sitemap_excludes=["*a" * 40])
    code, [said] = build(docs)
    assert code == 0
    assert "sitemap_excludes: expected patterns with at most 6 *, got '*a*a*a" in said


def test_the_name_of_a_document_moves_no_cursor(docs: Docs) -> None:
    docs.page("n\x1b[31m\x9bevil.rst", fields=":sitemap: 5")
    code, said = build(docs)
    assert code == 0
    assert len(said) == 1
    assert "'n\\x1b[31m\\x9bevil.rst': sitemap: expected" in said[0]
