"""MyST: mystmd.org, "Cross-references: myst.xref.json", "Include and embed"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from docs_sitemap.generators.html.known.generator import Generator, named
from docs_sitemap.limits import MAX_PAGE
from docs_sitemap.readers import read_json, read_start

_INCLUDED: Final = re.compile(
    r"^[ \t>]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{(?:include|literalinclude)\}[ \t]+(\S+)", re.MULTILINE
)


def _written(site: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages in ``myst.xref.json``, and the ``location`` that the data of each has."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        for each in _read(site, "myst.xref.json")["references"]:
            if each["kind"] == "page":
                yield each["url"].strip("/"), _read(site, each["data"])["location"].lstrip("/")


def _read(site: Path, name: str) -> Any:
    return read_json(read_start(site / name.lstrip("/"), MAX_PAGE, site).decode())


MYST = Generator(
    "MyST",
    "mystmd",
    ("myst.yml",),
    lambda source: iter(()),  # addresses have no folders, and only the site says of which file each is
    parts=lambda source: named(source, _INCLUDED),
    is_whole=True,
    written=_written,
)
