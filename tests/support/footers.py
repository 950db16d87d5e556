"""Real sites in the themes that show a page's date, for tests and for the documentation's pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.gitrepo import Repo

WHEN = 1_773_572_400
"""The commit of the page: 2026-03-15 11:00:00 UTC."""


class Footer(NamedTuple):
    """A built site: its folder, the page, and the selector of the element that has the date.

    ``has_head`` is whether the head of the page has the date too.
    """

    folder: Path
    page: str
    selector: str
    shown: str
    has_head: bool = True


def of_material(root: Path) -> Footer:
    """Build with Material for MkDocs, without a template."""
    from tests.support.mkdocssite import Docs

    docs = Docs(root)
    docs.repo.write("docs/index.md", "# Installation\n\nRun `pip install example`.\n")
    docs.conf({"page_dates": True}, site_name="Example", theme={"name": "material", "font": False})
    docs.repo.commit(when=WHEN)
    built = docs.run().passed()
    return Footer(built.outdir, "", ".md-source-file", "March 15, 2026")


def of_zensical(root: Path) -> Footer:
    """Build with Zensical and our Markdown extension, which shows the date."""
    import sys

    from tests.support.warm import generate

    repo = Repo(root / "repo")
    repo.write("docs/index.md", "# Installation\n\nRun `pip install example`.\n")
    repo.write(
        "zensical.toml",
        '[project]\nsite_name = "Example"\nsite_url = "https://example.org/"\ntheme = { font = false }\n'
        "[project.plugins.docs-sitemap]\npage_dates = true\n"
        '[project.markdown_extensions]\n"docs_sitemap.generators.zensical.extension" = {}\n',
    )
    repo.commit(when=WHEN)
    generate(sys.executable, "-m", "zensical", "build", cwd=repo.root)
    return Footer(repo.root / "site", "", ".md-source-file", "March 15, 2026", has_head=False)


OF_SPHINX: dict[str, tuple[str, dict[str, Any]]] = {
    "furo": (".last-updated", {}),
    "pydata_sphinx_theme": (".last-updated", {"footer_end": ["last-updated"]}),
    "sphinx_book_theme": (".last-updated", {}),
    "sphinx_rtd_theme": (".lastupdated", {}),
}
"""Where each theme shows the date, and the options for it."""


def of_sphinx(root: Path, theme: str) -> Footer:
    """Build with a theme of Sphinx."""
    from tests.support.sphinxsite import Docs

    docs = Docs(root, repo=Repo(root / "repo"))
    selector, options = OF_SPHINX[theme]
    docs.conf(
        docs_sitemap_page_dates=True,
        html_theme=theme,
        html_theme_options=options,
        project="Example",
        copyright="2026, Example",
    )
    docs.repo.write("docs/index.rst", "Installation\n============\n\nRun ``pip install example``.\n")
    docs.repo.commit(when=WHEN)
    built = docs.run().passed()
    return Footer(built.outdir, "index.html", selector, "Mar 15, 2026")


FOOTERS: dict[str, Callable[[Path], Footer]] = {
    "material": of_material,
    "zensical": of_zensical,
    **{theme: partial(of_sphinx, theme=theme) for theme in OF_SPHINX},
}
