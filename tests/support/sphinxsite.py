"""Real Sphinx builds for tests: in this process where that is enough, else as a user runs them."""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Self

from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.templates import compile_once
from tests.support.warm import run_module

BASE = "https://example.org/docs/"

PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Built:
    """What a build left and said."""

    outdir: Path
    failed: bool
    status: str
    warnings: str

    @property
    def sitemap(self) -> dict[str, str | None]:
        """``{path below the base URL: lastmod}``."""
        found = sitemaps.read(self.outdir / "sitemap.xml")
        assert all(loc.startswith(BASE) for loc in found)
        return {loc.removeprefix(BASE): date for loc, date in found.items()}

    def passed(self) -> Self:
        """Return the build, which has not failed."""
        assert not self.failed, self.status + self.warnings
        return self

    def read(self, name: str) -> bytes:
        return (self.outdir / name).read_bytes()

    def has(self, name: str) -> bool:
        return (self.outdir / name).exists()

    def notices(self, words: str) -> list[str]:
        """The lines of the output, warnings included, that have the words."""
        return [line for line in (self.status + self.warnings).splitlines() if words in line]


OWN_BUILDER = """
import sys, types
from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.builders.epub3 import Epub3Builder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinxcontrib.serializinghtml import JSONHTMLBuilder

class Ours(BASE):
    name = "ours"

sys.modules["ours"] = types.ModuleType("ours")  # as a setup() of conf.py itself it would come too late
sys.modules["ours"].setup = lambda app: app.add_builder(Ours)
extensions.append("ours")
"""
"""Code for conf.py that makes a builder named ``ours`` from another, to be put in for BASE."""


class Docs:
    """Documentation in the folder ``docs`` of a repository."""

    def __init__(self, root: Path, *, repo: Repo | None = None) -> None:
        self.repo = repo or Repo(root / "repo")
        self.srcdir = self.repo.root / "docs"
        self.outdir = root / "out"

    def conf(self, **values: object) -> None:
        """Write a conf.py that has the extension, a base URL, and the values; ``code`` comes last."""
        code = values.pop("code", "")
        values = {"extensions": ["docs_sitemap"], "html_baseurl": BASE, **values}
        lines = [f"{name} = {value!r}" for name, value in values.items() if value is not ...]
        self.repo.write("docs/conf.py", "\n".join([*lines, str(code), ""]))

    def page(self, name: str, body: str = "Text.", fields: str = "") -> None:
        """Write a page; ``fields`` is its file-wide metadata."""
        self.repo.write(f"docs/{name}", f"{fields}\n\nTitle\n=====\n\nOf {name!r}.\n\n{body}\n")

    def save_page(self, name: str, body: str = "Text.", fields: str = "") -> None:
        """Write a page, and commit everything."""
        self.page(name, body, fields)
        self.repo.commit()

    def pages(self, *names: str) -> None:
        """Commit each page on its own, so that no two have one date; the first is the root."""
        self.save_page("index.rst", ".. toctree::\n   :glob:\n\n   **\n")
        for name in names:
            self.page(name)
        self.repo.commit_each(*(f"docs/{name}" for name in names))

    def date(self, *names: str) -> str:
        """The newest date that ``git log -1`` gives for the files, as a sitemap has it."""
        newest = max(self.repo.log_date(f"docs/{name}") for name in names)
        return datetime.fromtimestamp(newest, UTC).isoformat()

    def build(
        self,
        builder: str = "html",
        *,
        strict: bool = False,
        out: str = "",
        overrides: Mapping[str, str] | None = None,
    ) -> Built:
        """Build in this process."""
        from sphinx import locale
        from sphinx.application import Sphinx
        from sphinx.util.docutils import docutils_namespace, patch_docutils

        compile_once()
        locale.translators.clear()  # Sphinx keeps the language of the build before
        outdir = self.outdir.with_name(out or f"out-{builder}")
        status, warnings = StringIO(), StringIO()
        failed = True
        with patch_docutils(self.srcdir), docutils_namespace():
            try:
                app = Sphinx(
                    self.srcdir,
                    self.srcdir,
                    outdir,
                    outdir.with_name(outdir.name + "-doctrees"),
                    builder,
                    confoverrides=dict(overrides or {}),
                    status=status,
                    warning=warnings,
                    warningiserror=strict,
                )
                app.build()
                failed = app.statuscode != 0
            except Exception as problem:  # Sphinx's command says it in the same words
                warnings.write(f"{type(problem).__name__}: {problem}\n")
        return Built(outdir, failed, _plain(status.getvalue()), _plain(warnings.getvalue()))

    def run(
        self,
        *args: str,
        builder: str = "html",
        out: str = "out-run",
        env: Mapping[str, str] | None = None,
        umask: int = 0o022,
    ) -> Built:
        """Build as a user does, by the command."""
        outdir = self.outdir.with_name(out)
        words = ["--no-color", "-b", builder, "-d", f"{outdir}-doctrees", *args]
        words += map(os.fspath, (self.srcdir, outdir))
        done = run_module("sphinx", *words, env={**os.environ, **(env or {})}, umask=umask)
        return Built(outdir, done.returncode != 0, done.stdout, done.stderr)


def _plain(text: str) -> str:
    return _COLOUR.sub("", text)
