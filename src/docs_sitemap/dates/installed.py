"""Which file of a repository an installed module is: ``pip install .`` copies it to where no commit has it.

Knows how installers record what they install (RECORD and direct_url.json, PEP 376 and PEP 610) and no host. A
module counts only where its distribution was installed from the repository itself, and HEAD has the
same bytes: of a module that was installed from another commit, no date would be true.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from functools import cache, cached_property
from importlib.metadata import Distribution, distributions
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from docs_sitemap.history import RepositoryError, find_repository
from docs_sitemap.history.head import head_blobs
from docs_sitemap.limits import MAX_MODULE
from docs_sitemap.untrusted import read_plain


class Doubt(Enum):
    """Why it is not known which content of the repository an installed file has: ``text``, and ``cure``."""

    CHANGED = (
        "an installed module has other content than in the commit that is built",
        "install the package from the same commit that is built, as `pip install .` does",
    )
    AMBIGUOUS = (
        "an installed module may be one of several equal files of the commit that is built",
        "install the package in place, as `pip install -e .` does",
    )

    def __init__(self, text: str, cure: str) -> None:
        self.text = text
        self.cure = cure


def why_undated(doubts: Mapping[Path, Doubt]) -> str:
    """Return in words why a page with such files has no date, and the cure; empty without any."""
    return next((f"{doubt.text} ({file}): {doubt.cure}" for file, doubt in doubts.items()), "")


class Installed:
    """The installed files of the repository that ``folder`` lies in, the one of the documentation.

    Looks into a folder of ``sys.path`` once, where a file below it is asked for, and reads HEAD once, where
    such a file was installed from the repository.
    """

    def __init__(self, folder: Path) -> None:
        self._repository = find_repository(folder)
        self._roots = {os.path.realpath(name) for name in sys.path if os.path.isdir(name)}
        self._files_below = cache(self._read_distributions)
        self._original_of = cache(self._look)

    def original(self, file: Path) -> Path | Doubt | None:
        """Return the file of the repository that an installed file is.

        ``None`` where the file was not installed from the repository, or HEAD has none of its path, as for a
        module that is generated: then it does not count. A ``Doubt`` where HEAD has one, and it is not known
        to be the same: then what includes it has no date.
        """
        folder, name = os.path.split(os.path.abspath(file))
        # not the file itself: some installers link files to a cache
        return self._original_of(os.path.join(os.path.realpath(folder), name))

    def originals(self, files: Mapping[Path, str]) -> tuple[dict[Path, str], dict[Path, Doubt]]:
        """Return files with what is said of each, those of the repository in place of installed ones.

        And those that are doubtful, which stay among the files as they are: no commit has them.
        """
        found: dict[Path, str] = {}
        doubts: dict[Path, Doubt] = {}
        for file, said in files.items():
            original = self.original(file)
            if isinstance(original, Doubt):
                doubts[file] = original
            if isinstance(original, Path):
                found.setdefault(original, f"{said}, installed as {file}")
            else:
                found[file] = said
        return found, doubts

    def _look(self, file: str) -> Path | Doubt | None:
        found = self._find(file)
        if self._repository is None or found is None:
            return None
        name, origin = found
        alike = self._tracked.get(name.rpartition("/")[2], ())
        places = [place for place in alike if f"/{place}".endswith(f"/{name}")]
        if not places:
            return None
        # where the usual layouts have it, no copy elsewhere stands for it
        usual = {Path(folder, way, name) for folder in (origin, self._repository.root) for way in ("", "src")}
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
        """Return the path of a file in its distribution, and the folder that this was installed from."""
        for parent in map(str, Path(file).parents):
            if parent in self._roots and (found := self._files_below(parent).get(os.path.normcase(file))):
                return found
        return None

    def _read_distributions(self, root: str) -> dict[str, tuple[str, Path]]:
        """Return the files below a folder of ``sys.path`` that were installed from the repository."""
        found: dict[str, tuple[str, Path]] = {}
        for distribution in distributions(path=[root]):
            # an environment with a broken record can be built with: nothing is known of that distribution
            with suppress(OSError, ValueError, csv.Error):
                origin = _origin(distribution)
                if origin and self._repository and find_repository(origin) == self._repository:
                    for name in distribution.files or ():
                        path = os.path.normpath(os.path.join(root, name))
                        found[os.path.normcase(path)] = (name.as_posix(), origin)
        return found

    @cached_property
    def _blobs(self) -> dict[bytes, bytes]:
        """The files of HEAD, by their paths; none where it cannot be read: then no date of it can."""
        try:
            return head_blobs(self._repository) if self._repository else {}
        except RepositoryError:
            return {}

    @cached_property
    def _tracked(self) -> dict[str, list[str]]:
        """The paths of HEAD, by their last names."""
        found: dict[str, list[str]] = {}
        for path in map(os.fsdecode, self._blobs):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found


def _origin(distribution: Distribution) -> Path | None:
    """Return the folder that a distribution was installed from: the project's, or that of a wheel or archive.

    ``None`` for one from an index, which has no direct_url.json, and for one from a version control system.
    """
    record = json.loads(distribution.read_text("direct_url.json") or "null")
    if not isinstance(record, dict) or not {"dir_info", "archive_info"} & record.keys():
        return None
    url = urlsplit(str(record.get("url")))
    if url.scheme != "file" or url.netloc not in ("", "localhost"):
        return None
    path = Path(os.path.realpath(url2pathname(url.path)))
    return path if "dir_info" in record else path.parent


def _possible_blobs(file: str) -> set[bytes]:
    """Return the names of blobs that git may have a file as: without conversions, and with LF for CR LF."""
    try:
        data = read_plain(file, MAX_MODULE)
    except OSError:
        return set()
    texts = {data, data.replace(b"\r\n", b"\n")}
    return {
        hashlib.new(kind, b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest().encode()
        for text in texts
        for kind in ("sha1", "sha256")  # a repository has names of the one or the other kind
    }
