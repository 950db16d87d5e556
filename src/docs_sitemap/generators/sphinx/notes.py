"""What one build notes for the next, beside the doctrees: it is as old as they are, and goes with them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from docs_sitemap.errors import OutputError
from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_NOTED

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class Notes:
    """A JSON file of a builder's own. What cannot be read or written is as if it were not there."""

    def __init__(self, app: Sphinx, name: str) -> None:
        self._folder = Path(app.doctreedir)
        place = f"{crc32(os.fsencode(app.outdir)):08x}"  # several may be built from the same doctrees
        self._name = f"docs_sitemap_{app.builder.name}_{place}_{name}.json"

    def read(self) -> dict[str, Any]:
        """Return what was noted, or nothing."""
        with suppress(OutputError, ValueError):
            value = json.loads(OutputFolder(self._folder).read(self._name, MAX_NOTED) or b"null")
            if isinstance(value, dict):
                return value
        return {}

    def write(self, value: Mapping[str, object]) -> None:
        """Note it for the next build."""
        data = json.dumps(value, sort_keys=True).encode("ascii")
        with suppress(OutputError), OutputFolder(self._folder).changes() as changes:
            changes.write(self._name, data)
            changes.commit()
