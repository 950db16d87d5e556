"""A page that shows Python objects has the date of the files in which their text is written."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

import pytest

pytest.importorskip("sphinx")

from tests.support.sphinxsite import Docs

MODULES: Final = {
    "base": """
from functools import cached_property
class Base:
    "A base."
    kind = 1
    "Which one."
    @property
    def size(self):
        "How large it is."
    @cached_property
    def view(self):
        "What is in it."
    def grow(self):
        "Make it larger."
    def shrink(self):
        "Make it smaller."
""",
    "sub": """
from shown.base import Base
class Sub(Base):
    "A sub."
    def own(self):
        "Own."
    def shrink(self):
        return self
""",
    "_impl": """
import functools
def run():
    "Run."
class Scope:
    "A class without functions."
def wrapper(function):
    @functools.wraps(function)
    def inner():
        return function()
    return inner
NUMBER = 3.5
"A number."
""",
    "decorated": """
from shown._impl import wrapper
@wrapper
def go():
    "Go."
""",
    "__init__": """
from shown._impl import NUMBER, Scope, run
for each in (run, Scope):
    each.__module__ = __name__
""",
}

SHOWN = {
    "autoproperty:: shown.sub.Sub.size": {"base"},
    "autoattribute:: shown.sub.Sub.view": {"base"},
    "autoattribute:: shown.sub.Sub.kind": {"base"},
    "automethod:: shown.sub.Sub.grow": {"base"},
    "automethod:: shown.sub.Sub.own": {"sub"},
    "automethod:: shown.sub.Sub.shrink": {"sub", "base"},  # its text is inherited, its signature is not
    "autoclass:: shown.sub.Sub": {"sub"},
    "autofunction:: shown.run": {"_impl"},
    "autoclass:: shown.Scope": {"_impl"},
    "autofunction:: shown.decorated.go": {"decorated"},
}
CLICK: Final = {
    "click:: commands:main\n   :prog: tool\n   :nested: full": {"commands", "below"},
    "click:: commands:main\n   :prog: tool\n   :nested: none": {"commands"},
}
EXTENSIONS = ["docs_sitemap", "sphinx.ext.autodoc"]
if find_spec("sphinx_click"):
    SHOWN |= CLICK
    EXTENSIONS.append("sphinx_click")

COMMANDS: Final = {
    "commands": """
import click
class Lazy(click.Group):
    def list_commands(self, context):
        return ["below"]
    def get_command(self, context, name):
        from below import below
        return below
@click.group(cls=Lazy)
def main():
    "Do it."
""",
    "below": """
import click
@click.command()
def below():
    "Below it."
""",
}


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    docs = Docs(tmp_path_factory.mktemp("shown"))
    docs.page("index.rst", ".. toctree::\n   :glob:\n\n   page*\n")
    for number, directive in enumerate(SHOWN):
        docs.page(f"page{number}.rst", f".. {directive}\n")
    docs.conf(extensions=EXTENSIONS, code="import os, sys; sys.path[:0] = [os.path.abspath('../src')]")
    docs.repo.commit()
    files = {f"src/shown/{name}.py": text for name, text in MODULES.items()}
    files |= {f"src/{name}.py": text for name, text in COMMANDS.items()}
    for name, text in files.items():
        docs.repo.write(name, text)
    docs.repo.commit_each(*files)
    return docs


def expected(docs: Docs) -> dict[str, str]:
    found = {}
    for number, names in enumerate(SHOWN.values()):
        files = [f"../src/{name if name in COMMANDS else f'shown/{name}'}.py" for name in names]
        found[f"page{number}.html"] = docs.date(*files)
    return found


def test_the_files_of_what_a_page_shows_count(docs: Docs) -> None:
    right = expected(docs)
    built = docs.run("-j", "2", out="out").passed()
    sitemap = {name: date for name, date in built.sitemap.items() if name.startswith("page")}
    assert sitemap == right
    # the next build reads one document, and loads no module of the others
    (docs.srcdir / "page0.rst").touch()
    docs.page("index.rst", "New.\n\n.. toctree::\n   :glob:\n\n   page*\n")
    again = docs.run(out="out")
    assert {name: date for name, date in again.sitemap.items() if name.startswith("page")} == right
