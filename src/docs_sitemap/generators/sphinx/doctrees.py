"""Read a document as Sphinx stores it between builds."""

from __future__ import annotations

import pickle
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment


def read_doctree(env: BuildEnvironment, docname: str) -> nodes.Element:
    """Return a document, or an empty one; ``env.get_doctree`` is not used, because 7.2 never frees it."""
    with suppress(OSError), open(Path(env.doctreedir, docname + ".doctree"), "rb") as stream:
        doctree = pickle.load(stream)  # noqa: S301  # Sphinx has just written it, and reads it the same way
        if isinstance(doctree, nodes.Element):
            return doctree
    return nodes.Element()
