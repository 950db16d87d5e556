"""Maps an installed module to its file in the repository: ``pip install .`` copies it out of the repository.

Knows how installers record what they install (RECORD and direct_url.json, PEP 376 and PEP 610) and no host. A
module counts only if its distribution was installed from the repository itself and HEAD has the
same bytes: for a module that was installed from another commit, every date would be wrong. What HEAD has is
not installed: a folder of the repository may be on ``sys.path``, and anybody can commit a RECORD.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import posixpath
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from docs_sitemap.git import RepositoryError, find_repository
from docs_sitemap.git.head import head_blobs
from docs_sitemap.limits import MAX_MODULE
from docs_sitemap.untrusted import RealPaths, read_json, read_plain

_MOST_PLACES: Final = 100
"""Files of HEAD whose paths end in that of an installed one: vendored copies, or those of tests."""

_MAX_ORIGIN: Final = 1 << 16
"""Bytes of a direct_url.json, which has about 200."""

_MAX_LIST: Final = 1 << 22
"""Bytes of the lists of files of all distributions together, of some 30,000 files."""


class Doubt(Enum):
    """Why the repository's version of an installed file is not known: ``text``, and ``cure``, the fix."""

    CHANGED = (
        "an installed module differs from the commit that is built",
        "install the package from the commit that is built, for example with `pip install .`",
    )
    AMBIGUOUS = (
        "an installed module matches several identical files in the commit that is built",
        "install the package in place, for example with `pip install -e .`",
    )

    def __init__(self, text: str, cure: str) -> None:
        self.text = text
        self.cure = cure


class Installed:
    """The installed files of the documentation's repository, which contains ``folder``.

    Reads each folder of ``sys.path`` only once, when a file below it is looked up, and HEAD only once, when
    such a file was installed from the repository. ``doubts`` has the files that leave pages without a date,
    one per page.
    """

    def __init__(self, folder: Path) -> None:
        self.doubts: defaultdict[Doubt, list[Path]] = defaultdict(list)
        self._repository = find_repository(folder)
        roots = {os.path.join(os.path.realpath(name), "") for name in sys.path if os.path.isdir(name)}
        self._roots = sorted(roots, key=len, reverse=True)  # one may be in another
        self._files_below = cache(self._read_distributions)
        self._original_of = cache(self._look_below)  # many pages include the same files
        self._real = RealPaths().of
        self._left = _MAX_LIST

    def original(self, file: Path) -> Path | Doubt | None:
        """Return the file of the repository that an installed file was copied from.

        Returns ``None`` if the file was not installed from the repository, or if HEAD has no file of its
        path, for example for a generated module: then it does not count. Returns a ``Doubt`` if HEAD has one
        that is not known to be the same: then pages that include it have no date.
        """
        return self._original_of(os.fspath(file))

    def originals(self, files: Mapping[Path, str]) -> tuple[dict[Path, str], str]:
        """Return a page's files and their evidence, with installed files replaced by those of the repository.

        Also return why the page has no date, and the fix, as text; empty without doubtful files. Those stay
        among the files unchanged: no commit has them.
        """
        found: dict[Path, str] = {}
        undated = ""
        for file, evidence in files.items():
            original = self.original(file)
            if isinstance(original, Path):
                found.setdefault(original, f"{evidence}, installed as {file}")
                continue
            found[file] = evidence
            if original and not undated:
                undated = f"{original.text} ({file}): {original.cure}"
                self.doubts[original].append(file)
        return found, undated

    def _look_below(self, file: str) -> Path | Doubt | None:
        folder, name = os.path.split(os.path.abspath(file))
        # resolve only the folder: some installers link files to a cache
        return self._look(os.path.join(self._real(folder), name))

    def _look(self, file: str) -> Path | Doubt | None:
        found = self._find(file)
        if self._repository is None or found is None or self._is_tracked(file):
            return None
        name, origin = found
        places = self._places(name)
        if not places:
            return None
        if len(places) > _MOST_PLACES:
            return Doubt.AMBIGUOUS
        # a file in a usual layout takes precedence over copies elsewhere
        usual = {
            Path(folder, layout, name) for folder in (origin, self._repository.root) for layout in ("", "src")
        }
        places = [place for place in places if Path(self._repository.root, place) in usual] or places
        blobs = _possible_blobs(file)
        same = [place for place in places if self._blobs[os.fsencode(place)] in blobs]
        if not same:
            return Doubt.CHANGED
        files = [Path(self._repository.root, place) for place in same]
        if len(files) > 1:
            files = [path for path in files if path.is_relative_to(origin)]
        return files[0] if len(files) == 1 else Doubt.AMBIGUOUS

    def _find(self, file: str) -> tuple[str, Path] | None:
        """Return a file's path in its distribution, and the folder that it was installed from."""
        for root in self._roots:
            if file.startswith(root) and (
                found := self._files_below(root).get(os.path.normcase(file[len(root) :]))
            ):
                return found
        return None

    def _read_distributions(self, root: str) -> dict[str, tuple[str, Path]]:
        """Return the files below a folder of ``sys.path`` that were installed from the repository."""
        found: dict[str, tuple[str, Path]] = {}
        for folder in _metadata_folders(root):
            # a broken record must not stop the build: that distribution is ignored
            with suppress(OSError, ValueError, csv.Error):
                origin = _origin(folder)
                if origin and find_repository(origin) == self._repository and self._is_installed(folder):
                    found |= {os.path.normcase(name): (name, origin) for name in self._files_of(folder)}
        return found

    def _is_installed(self, folder: str) -> bool:
        """Tell whether a folder of metadata is not from the repository itself, or from a submodule."""
        if self._repository is None:
            return False
        if not Path(folder).is_relative_to(self._repository.root):
            return True
        return find_repository(Path(folder)) == self._repository and not self._is_tracked(folder)

    def _is_tracked(self, path: str) -> bool:
        """Tell whether HEAD has a path, or files in a folder; nothing on the way to it is a link."""
        root, place = self._repository.root if self._repository else Path(), Path(path)
        return place.is_relative_to(root) and place.relative_to(root).as_posix().casefold() in self._tracked

    def _files_of(self, folder: str) -> Iterator[str]:
        """Yield the paths of a distribution's files, from the folder that it is installed in."""
        data = read_plain(os.path.join(folder, "RECORD"), self._left)
        self._left -= len(data)
        for row in csv.reader(io.StringIO(data.decode(), newline="")):
            if row:
                yield posixpath.normpath(row[0])

    @cached_property
    def _blobs(self) -> dict[bytes, bytes]:
        """The blobs of HEAD by path; empty if HEAD cannot be read: then it has no dates either."""
        try:
            return head_blobs(self._repository) if self._repository else {}
        except RepositoryError:
            return {}

    @cached_property
    def _tracked(self) -> set[str]:
        """The paths of HEAD and of the folders that they are in, without case: some systems ignore it."""
        names = {os.fsdecode(path).casefold() for path in self._blobs}
        return names | set(map(posixpath.dirname, names))

    def _places(self, name: str) -> list[str]:
        """Return paths of HEAD that end in a path, up to one more than are looked at."""
        end = f"/{name}"[::-1]
        start = bisect_left(self._reversed, end)
        some = self._reversed[start : start + _MOST_PLACES + 1]
        return [path[-2::-1] for path in takewhile(lambda path: path.startswith(end), some)]

    @cached_property
    def _reversed(self) -> list[str]:
        """The paths of HEAD from their last letters on, sorted: thousands of files may have one name."""
        return sorted(f"/{os.fsdecode(path)}"[::-1] for path, blob in self._blobs.items() if blob)


def _metadata_folders(root: str) -> Iterator[str]:
    """Yield the folders of metadata in a folder of ``sys.path``; no installer makes links to them."""
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if entry.name.lower().endswith(".dist-info") and entry.is_dir(follow_symlinks=False):
                yield entry.path


def _origin(folder: str) -> Path | None:
    """Return the folder that a distribution was installed from: the project's, or that of a wheel or archive.

    Returns ``None`` for a distribution from version control. Raises ``OSError`` or ``ValueError`` for one
    from an index, which has no direct_url.json, and for one that no installer writes.
    """
    record = read_json(read_plain(os.path.join(folder, "direct_url.json"), _MAX_ORIGIN))
    if not isinstance(record, dict) or not {"dir_info", "archive_info"} & record.keys():
        return None
    url = urlsplit(str(record.get("url")))
    if url.scheme != "file" or url.netloc not in ("", "localhost"):
        return None
    path = Path(RealPaths().of(url2pathname(url.path)))
    return path if "dir_info" in record else path.parent


def _possible_blobs(file: str) -> set[bytes]:
    """Return the possible names of a file's blob in git: of its bytes, and with LF in place of CR LF."""
    try:
        data = read_plain(file, MAX_MODULE)
    except OSError:
        return set()
    texts = {data, data.replace(b"\r\n", b"\n")}
    return {
        hashlib.new(kind, b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest().encode()
        for text in texts
        for kind in ("sha1", "sha256")  # a repository uses one of these
    }
