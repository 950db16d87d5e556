"""Real builds: whatever makes a page dates it, and pages show the dates that the sitemap has."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.sphinxsite import PNG, Docs


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.rst", "two.rst")
    return site


TEXT = {
    "included": (".. include:: files/a.txt", "files/a.txt"),
    "literal": (".. literalinclude:: files/b.py", "files/b.py"),
    "table": (".. csv-table:: T\n   :file: files/c.csv", "files/c.csv"),
    "raw": (".. raw:: html\n   :file: files/d.html", "files/d.html"),
    "above": (".. include:: ../shared.txt", "../shared.txt"),
}
"""By page: what shows a file's text, and the file."""

MEDIA = {
    "downloaded": (":download:`this <files/e.zip>`", "files/e.zip"),
    "pictured": (".. image:: files/f.png", "files/f.png"),
    "figured": (".. figure:: files/g.png\n\n   Shown.", "files/g.png"),
}


@pytest.mark.parametrize("mode", [False, "text", "all", None])
def test_which_files_count(docs: Docs, mode: object) -> None:
    """``text``, the default: whose words a page shows; ``all``: images and downloads as well."""
    for page, (body, name) in (TEXT | MEDIA).items():
        docs.page(f"{page}.rst", body)
        docs.repo.write(f"docs/{name}")
    for number in (b"f", b"g"):
        (docs.srcdir / f"files/{number.decode()}.png").write_bytes(PNG + number)
    docs.repo.commit()
    for _, name in (TEXT | MEDIA).values():
        with (docs.srcdir / name).open("ab") as stream:
            stream.write(b" \n")
        docs.repo.commit()
    counted = {False: {}, "all": TEXT | MEDIA}.get(mode, TEXT)
    expected = {
        f"{page}.html": docs.date(name if page in counted else f"{page}.rst")
        for page, (_, name) in (TEXT | MEDIA).items()
    }
    docs.conf(docs_sitemap_dependencies=mode)
    for builder in ("html", "html"):  # the second time nothing is read again
        built = docs.build(builder, strict=True)
        assert not built.failed, built.warnings
        assert {url: built.sitemap[url] for url in expected} == expected


@pytest.mark.parametrize(
    "body",
    [
        ".. include:: ../shared/x.txt",
        ".. literalinclude:: ../shared/x.txt",
        ".. csv-table:: T\n   :file: ../shared/x.txt",
        ".. raw:: html\n   :file: ../shared/x.txt",
    ],
)
def test_a_file_that_is_shown_and_offered_for_download_is_text(docs: Docs, body: str) -> None:
    docs.page("shown.rst", f"{body}\n\n:download:`the file <../shared/x.txt>`\n")
    docs.page("offered.rst", ":download:`the file <../shared/x.txt>`\n")
    docs.repo.commit("shared/x.txt")
    docs.repo.commit("shared/x.txt")
    found = docs.build(strict=True).sitemap
    assert found["shown.html"] == docs.date("../shared/x.txt")
    assert found["offered.html"] == docs.date("offered.rst")
    assert docs.build().sitemap == found
