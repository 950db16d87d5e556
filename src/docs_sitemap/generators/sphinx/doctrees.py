"""Read documents as Sphinx stores them between builds, and store our data in the same folder.

Both are then deleted together.
"""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from docutils import nodes

from docs_sitemap.errors import OutputError
from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_NOTED
from docs_sitemap.untrusted import read_json

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


def read_doctree(env: BuildEnvironment, docname: str) -> nodes.Element | None:
    """Return a document, or ``None`` if its file cannot be read, for example if a build was killed.

    Sphinx does not notice that unless it writes the document's page again. ``env.get_doctree`` is not used,
    because 7.2 never frees what it returns.
    """
    file = Path(env.doctreedir, docname + ".doctree")
    # where the file is damaged decides which error it is, even an ImportError
    with suppress(Exception), file.open("rb") as stream:
        doctree = pickle.load(stream)  # noqa: S301  # Sphinx wrote it, and reads the environment in this way
        if isinstance(doctree, nodes.Element):
            return doctree
    return None


class Notes:
    """A JSON file for one builder. Files that cannot be read or written are treated as missing."""

    def __init__(self, app: Sphinx, name: str) -> None:
        self._folder = Path(app.doctreedir)
        place = f"{crc32(os.fsencode(app.outdir)):08x}"  # the same doctrees may have several outputs
        self._name = f"docs_sitemap_{app.builder.name}_{place}_{name}.json"

    def read(self) -> dict[str, Any]:
        """Return the stored data, or an empty dict."""
        with suppress(OutputError, ValueError, RecursionError):
            value = read_json(OutputFolder(self._folder).read(self._name, MAX_NOTED) or b"null")
            if isinstance(value, dict):
                return value
        return {}

    def write(self, value: Mapping[str, object]) -> None:
        """Store data for the next build."""
        data = json.dumps(value, sort_keys=True).encode("ascii")
        with suppress(OutputError), OutputFolder(self._folder).changes() as changes:
            changes.write(self._name, data)
            changes.commit()
