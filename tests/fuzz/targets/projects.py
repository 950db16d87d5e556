"""The configuration of a project of Zensical or MkDocs, and the note of one of its pages."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from docs_sitemap.errors import OptionError
from docs_sitemap.generators.zensical import ProjectSources, find_project
from docs_sitemap.generators.zensical.notes import PageNotes

_FOLDER = TemporaryDirectory()
_ROOT = Path(_FOLDER.name)
_NOTES = PageNotes(_ROOT, _ROOT / "docs")
_NOTES.write("a.md", {str(_ROOT / "x"): "reader"}, {}, is_first=True)
[_NOTE] = (_ROOT / ".cache/docs-sitemap").iterdir()

SEEDS = [
    b'[project]\nsite_url = "https://a.org/"\ndocs_dir = "a"\nsite_dir = "b"\nuse_directory_urls = false\n',
    b"[project.plugins.docs-sitemap]\nmax-urls = 9\n[project.markdown_extensions.docs-sitemap]\n",
    b"site_url: !ENV [A, B, x]\nplugins: [search, docs-sitemap: {images: true}]\ntheme: {language: de}\n",
    b"INHERIT: mkdocs.yml\nplugins: &p {docs-sitemap: *p}\nmarkdown_extensions: !!python/name:os.sep\n",
    _NOTE.read_bytes(),
]


def read(data: bytes) -> None:
    """Read an input as each of the files, and use what it says."""
    for name in ("zensical.toml", "mkdocs.yml"):
        (_ROOT / name).write_bytes(data)
        with suppress(OptionError):
            project = find_project(_ROOT)
            assert project is not None
            ProjectSources(project).find("a/index.html")
        (_ROOT / name).unlink()
    _NOTE.write_bytes(data)
    if note := _NOTES.read("a.md"):
        _NOTES.includes([note])
