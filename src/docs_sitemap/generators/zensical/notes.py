"""What Zensical's pages include, noted while they are rendered and read after the build.

There is one note per page below Zensical's own cache folder, because they belong together: Zensical does not
render a page again that it has in its cache, and ``zensical build --clean`` removes both. A note has names of
files and digests of what they were, no dates.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from docs_sitemap.dates.evidence import is_includer, is_medium
from docs_sitemap.errors import OutputError
from docs_sitemap.files import OutputFolder
from docs_sitemap.readers import open_plain, read_json, read_plain

_VERSION: Final = 1
_FOLDER: Final = ".cache/docs-sitemap"

_MAX_NOTE: Final = 1 << 22
"""Bytes of a page's note; a larger one is ignored. One of an API may have a megabyte."""


@dataclass(frozen=True, slots=True)
class PageNote:
    """The files of one page, by name relative to the project.

    ``read`` maps the files that were read while it was rendered to the modules that read them, ``included``
    others to their evidence, ``digests`` all of them to their content. ``unsure`` are those that may be
    read for all pages, because this was the first; ``shown`` is the date that the page shows, or empty.
    """

    source: str
    read: Mapping[str, str] = field(default_factory=dict)
    included: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    unsure: Collection[str] = ()
    shown: str = ""


class PageNotes:
    """The notes of a project in ``root``; pages are named by their sources below ``docs_dir``.

    Both are absolute paths.
    """

    def __init__(self, root: Path, docs_dir: Path) -> None:
        self._root = root
        self._docs_dir = self._relative(os.fspath(docs_dir))
        self._is_ready = False
        self._digest = cache(lambda name: _digest(root / name))

    def write(
        self,
        source: str,
        read: Mapping[str, str],
        included: Mapping[str, str],
        *,
        is_first: bool,
        shown: str = "",
    ) -> None:
        """Replace a page's note; the files are absolute paths.

        ``is_first`` is whether the process rendered no page before. What the page read before as a later one
        is known to be its own.
        """
        names = {path: self._relative(path) for path in (*read, *included)}
        own = self._page(source)
        before = (is_first and self.read(source)) or PageNote(source)
        sure = before.read.keys() - {*before.unsure}
        note = PageNote(
            source,
            read={names[path]: by for path, by in read.items()},
            included={names[path]: how for path, how in included.items()},
            digests={name: _digest(self._root / name) for name in (own, *names.values())},
            unsure=sorted({names[path] for path in read} - sure) if is_first else [],
            shown=shown,
        )
        data = json.dumps({"version": _VERSION, **asdict(note)}, sort_keys=True).encode("ascii")
        with suppress(OutputError):
            folder = self._own()
            if self._is_ready:  # without looking at all notes for each page
                folder.replace(_name(source), data)
                return
            with folder.changes() as changes:
                changes.write(_name(source), data)
                changes.commit()
            self._is_ready = True

    def drop(self, source: str) -> None:
        """Remove the note of a page that is rendered again: nothing is known of it."""
        with suppress(OutputError):  # at once: this is done for each page, also after our part has ended
            self._own().drop(_name(source))

    def _own(self) -> OutputFolder:
        """Return the project's folder; raises ``OutputError`` if a link leads the notes elsewhere in it."""
        folder = os.path.join(os.path.realpath(self._root), _FOLDER)
        if os.path.realpath(folder) != folder:
            raise OutputError(f"{_FOLDER}: expected a folder, got a link")
        return OutputFolder(self._root)

    def read(self, source: str) -> PageNote | None:
        """Return a page's note, or ``None`` if there is none, or none that we write."""
        with suppress(OSError, ValueError, TypeError, LookupError, AttributeError):
            file = self._root / _name(source)
            if file.is_symlink():  # we write none
                return None
            values: Any = read_json(read_plain(file, _MAX_NOTE))
            note = PageNote(**values) if values.pop("version") == _VERSION else None
            return note if note and note.source == source else None
        return None

    def includes(self, notes: Iterable[PageNote]) -> dict[str, dict[Path, str] | None]:
        """Return the files that each page includes, with their evidence, by its source.

        ``None`` for a page if its source or such a file has changed since: the page shows an older one. A
        file that was read for every page, or once for a first one, is not known to be part of any, unless
        what read it only ever reads for the current page. Nor is a page or a picture.
        """
        notes = list(notes)
        pages = {self._page(note.source) for note in notes}
        times = Counter(name for note in notes for name in note.read)
        later = {name for note in notes for name in note.read.keys() - {*note.unsure}}

        def counts(note: PageNote, name: str, by: str) -> bool:
            is_everywhere = 1 < times[name] == len(notes)
            is_kept = name in note.unsure and name not in later
            is_other = name in pages or is_medium(name)
            return is_includer(by) or not (is_everywhere or is_kept or is_other)

        found: dict[str, dict[Path, str] | None] = {}
        for note in notes:
            files = dict(note.included)
            for name, by in note.read.items():
                if counts(note, name, by):
                    files.setdefault(name, f"{by} reads it while the page is built")
            is_current = all(
                self._digest(name) == note.digests.get(name) for name in (self._page(note.source), *files)
            )
            found[note.source] = (
                {self._root / os.path.normpath(name): files[name] for name in sorted(files)}
                if is_current
                else None
            )
        return found

    def _relative(self, path: str) -> str:
        try:
            return os.path.relpath(path, self._root)
        except ValueError:  # on another drive of Windows
            return path

    def _page(self, source: str) -> str:
        return os.path.join(self._docs_dir, os.path.normpath(source))


def _digest(path: Path) -> str:
    try:
        with open_plain(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def _name(source: str) -> str:
    return f"{_FOLDER}/{hashlib.sha256(os.fsencode(source)).hexdigest()}.json"
