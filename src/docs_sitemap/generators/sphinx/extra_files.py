"""Find the files that ``html_extra_path`` adds to the build output, and their names there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sphinx
from sphinx.util.matching import Matcher

if TYPE_CHECKING:
    from sphinx.config import Config

# Since 8.2, top-level files are matched against exclude_patterns as ./NAME, so few patterns match.
_TOP: Final = "./" if sphinx.version_info >= (8, 2) else ""


def extra_files(config: Config, confdir: Path) -> dict[str, Path]:
    """Return the files by their names in the output, with ``/``; if names are equal, the last file counts."""
    return {name: file for entry in config.html_extra_path for name, file in _files(config, confdir / entry)}


def _files(config: Config, root: Path) -> Iterator[tuple[str, Path]]:
    """Walk like Sphinx: a file that is an entry itself is never excluded, and links are followed."""
    if root.is_file():
        yield root.name, root
        return
    excluded = Matcher(config.exclude_patterns)
    for folder, folders, files in os.walk(root, followlinks=True):
        below = Path(folder).relative_to(root).as_posix() + "/"
        prefix, asked = ("", _TOP) if below == "./" else (below, below)
        folders[:] = sorted(name for name in folders if not excluded(asked + name))
        for name in sorted(files):
            if not excluded(asked + name):
                yield prefix + name, Path(folder, name)
