"""Maps an installed module to its file in the repository: ``pip install .`` copies it out of the repository.

Knows what installers record (RECORD and direct_url.json, PEP 376 and PEP 610) and no host. A module counts
only if its distribution was installed from the repository itself and HEAD has the same bytes: for a module
that was installed from another commit, every date would be wrong.
"""

from __future__ import annotations

import csv
import hashlib
import os
import posixpath
import sys
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap.git import RepositoryError, find_repository
from docs_sitemap.git.repository import tracked
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.pages.page import Undated
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import read_plain, real_path

CHANGED: Final = Undated(
    "an installed module differs from the commit that is built",
    cure="install the package from the commit that is built, for example with `pip install .`",
)
AMBIGUOUS: Final = Undated(
    "an installed module matches several identical files in the commit that is built",
    cure="install the package in place, for example with `pip install -e .`",
)


class Installed:
    """The installed files of the documentation's repository, which contains ``folder``.

    Reads the records of installers only when a file below ``sys.path`` is looked up, and HEAD only when such
    a file was installed from the repository.
    """

    def __init__(self, folder: Path) -> None:
        self._repository = find_repository(folder)
        roots = {os.path.join(os.path.realpath(name), "") for name in sys.path if os.path.isdir(name)}
        self._roots = tuple(sorted(roots, key=len, reverse=True))  # one may be in another
        self.original = cache(self._original)  # many pages include the same files

    def _original(self, file: Path) -> Path | Undated | None:
        """Return the file of the repository that an installed file was copied from.

        Returns ``None`` if the file was not installed from the repository, or if HEAD has no file of its
        path, for example for a generated module: then it does not count. Returns why pages that include it
        have no date if HEAD has one that is not known to be the same.
        """
        # resolve only the folder: some installers link files to a cache
        path = os.path.join(real_path(os.path.dirname(os.path.abspath(file))), file.name)
        if self._repository is None or not path.startswith(self._roots):
            return None
        name, origin = self._copies.get(os.path.normcase(path), ("", self._repository.root))
        if not name:
            return None
        own = os.path.relpath(path, self._repository.root).replace(os.sep, "/")
        if os.fsencode(own) in self._blobs:
            return None  # a folder of the repository may be on sys.path
        root, blobs = self._repository.root, _possible_blobs(path)
        named = self._by_name[posixpath.basename(name)]
        places = {Path(root, place): place for place in named if f"/{place}".endswith(f"/{name}")}
        if not places:
            return None
        # a file in a usual layout takes precedence over copies elsewhere
        usual = places.keys() & {
            Path(above, layout, name) for above in (origin, root) for layout in ("", "src")
        }
        same = [file for file in usual or places if self._blobs[os.fsencode(places[file])] in blobs]
        if len(same) > 1:
            same = [file for file in same if file.is_relative_to(origin)] or same
        if not same:
            return CHANGED
        return same[0] if len(same) == 1 else AMBIGUOUS

    def originals(self, files: Mapping[Path, str]) -> tuple[dict[Path, str], Undated | None]:
        """Return a page's files and their evidence, with installed files replaced by those of the repository.

        Also return why the page has no date; ``None`` without doubtful files. Those stay among the files
        unchanged: no commit has them.
        """
        found: dict[Path, str] = {}
        undated = None
        for file, evidence in files.items():
            original = self.original(file)
            if isinstance(original, Path):
                found.setdefault(original, f"{evidence}, installed as {file}")
                continue
            found[file] = evidence
            if original and not undated:
                undated = original._replace(example=str(file))
        return found, undated

    @cached_property
    def _copies(self) -> dict[str, tuple[str, Path]]:
        """The files installed from the repository, with their paths there, and the folder installed from."""
        found: dict[str, tuple[str, Path]] = {}
        for distribution in distributions(path=[*self._roots]):
            # a broken record must not stop the build: that distribution is ignored
            with suppress(OSError, ValueError, TypeError, csv.Error):
                origin = _origin(distribution)
                if origin and find_repository(origin) == self._repository:
                    for file in distribution.files or ():
                        path = os.path.normcase(os.path.normpath(str(distribution.locate_file(file))))
                        found.setdefault(path, (posixpath.normpath(file.as_posix()), origin))
        return found

    @cached_property
    def _blobs(self) -> dict[bytes, bytes]:
        """The blobs of HEAD by path; empty if HEAD cannot be read: then it has no dates either."""
        try:
            return tracked(self._repository) if self._repository else {}
        except RepositoryError:
            return {}

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        """The paths of HEAD's regular files, by the names of the files."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in (os.fsdecode(path) for path, blob in self._blobs.items() if blob):
            found[posixpath.basename(path)].append(path)
        return found


def _origin(distribution: Distribution) -> Path | None:
    """Return the folder that a distribution was installed from: the project's, or that of a wheel or archive.

    Returns ``None`` for a distribution from an index, which has no direct_url.json, or from version control.
    Raises ``ValueError`` for a record that no installer writes.
    """
    record = read_json(distribution.read_text("direct_url.json") or "null")
    if not isinstance(record, dict) or not {"dir_info", "archive_info"} & record.keys():
        return None
    from urllib.request import url2pathname  # it imports ssl and http

    url = urlsplit(str(record.get("url")))
    if url.scheme != "file" or url.netloc not in ("", "localhost"):
        return None
    path = Path(real_path(url2pathname(url.path)))
    return path if "dir_info" in record else path.parent


def _possible_blobs(file: str) -> set[bytes]:
    """Return the possible names of a file's blob in git: of its bytes, and with LF in place of CR LF."""
    try:
        data = read_plain(file, MAX_FILE)
    except OSError:
        return set()
    texts = {data, data.replace(b"\r\n", b"\n")}
    return {
        hashlib.new(kind, b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest().encode()
        for text in texts
        for kind in ("sha1", "sha256")  # a repository uses one of these
    }
