"""Limits the work for one question to a history; whoever parses or compares trees does it by way of this."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Sized
from functools import cache
from typing import Final

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import Packs
from docs_sitemap.history.trees import (
    SHORTEST,
    Difference,
    Entry,
    Tree,
    any_moves,
    count_entries,
    differing_entries,
    parse_tree,
)
from docs_sitemap.limits import (
    MAX_COPIES,
    MAX_DIFFERENCES,
    MAX_FILES,
    MAX_OCTOPUS,
    MAX_PARSED,
    MAX_PATHS,
    MAX_SKIPS,
    MAX_STEPS,
    MAX_TURNS,
)

_LARGE: Final = 1 << 20
"""Bytes of a tree that is worth counting first."""

_LOOK: Final = 1 << 20
"""Bytes of trees that are compared between two looks at the time."""

_USUAL_TURNS: Final = 10
"""Turns of a file in a history with many merges: the most in 80 public repositories are 2.4."""

_USUAL_DIFFERENCES: Final = 100
"""Entries that a commit changes in the folders on the way to the files that are looked for."""

_USUAL_WALKS: Final = 4
"""Walks through the whole history: files have few former names, and those are looked for together."""


class Count:
    """Limits the work for one question: a dozen trees that contain each other can have billions of files.

    ``packs`` returns what the history has on disk; it is asked once.
    """

    def __init__(self, packs: Callable[[], Packs] = lambda: Packs(0, 0)) -> None:
        self._packs = cache(packs)
        self._files = self._bytes = self._copies = self._turns = self._skips = 0
        self._steps = self._longest = self._differences = self._parsed = self._looked = self._compared = 0

    def parse(self, data: bytes, name_size: int) -> dict[bytes, Entry]:
        """Return a tree's entries by name; ``name_size`` is the length of binary object names.

        A large one is refused before it is parsed, because that takes some twenty times its memory. Raises
        ``RepositoryError`` if there are too many, and ``ValueError`` for a malformed tree.
        """
        if len(data) > _LARGE:
            self._check(self._files + count_entries(data, name_size))
        found = parse_tree(data, name_size)
        self._parse(len(found))
        return found

    def compare(
        self, ours: Tree, theirs: Tree, name_size: int, wanted: Collection[bytes] | None = None
    ) -> list[Difference]:
        """Return the entries in which two trees differ; raises the same errors as ``parse``.

        Of very many, it may return only those of ``wanted`` names.
        """
        found = differing_entries(ours, theirs, name_size, wanted)
        self._differences += len(found)
        more = self._differences - MAX_DIFFERENCES - _USUAL_DIFFERENCES * self._longest
        # each name of a new object has its bytes in a pack: they can be neither packed nor left out
        if more > 0 and more * name_size > self._packs().size:
            text = f"commits change more than {MAX_DIFFERENCES:,} entries of the folders with the files"
            raise RepositoryError(text, Reason.TOO_LARGE)
        if not theirs.has_names_of(ours) and any_moves(found):  # then all of theirs is parsed
            self._parse(len(theirs) // (name_size + SHORTEST))
        return found

    def _parse(self, entries: int) -> None:
        self._parsed += entries
        if self._parsed > MAX_PARSED:
            text = f"more than {MAX_PARSED:,} entries of trees are to be read"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def read(self, trees: Collection[Sized]) -> None:
        """Count trees that are read; what the packs have explains the time that these take, but once."""

    def add(self, paths: Sequence[bytes], *, are_copies: bool = False) -> None:
        """Count paths of files and folders; raises ``RepositoryError`` if there are too many.

        ``are_copies`` tells whether the same tree has been listed in another place.
        """
        self._files += len(paths)
        self._bytes += sum(map(len, paths))
        self._copies += len(paths) * are_copies
        self._check(self._files)
        if self._copies > MAX_COPIES:
            text = f"folders with the same content have more than {MAX_COPIES:,} files"
            raise RepositoryError(text, Reason.TOO_LARGE)
        if self._bytes > MAX_PATHS:
            raise RepositoryError(f"the paths of a tree have more than {MAX_PATHS:,} bytes", Reason.TOO_LARGE)

    def turn(self, files: int, of: int) -> None:
        """Count how many ``of`` the files of a walk change in a commit; raises ``RepositoryError``."""
        self._turns += files
        if self._turns > MAX_TURNS + _USUAL_TURNS * of:
            text = f"more than {MAX_TURNS:,} changes of files are in ignored commits or only in merges"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def step(self, commits: int, of: int) -> None:
        """Count commits that a walk passes, which has passed ``of`` in all; raises ``RepositoryError``."""
        self._steps += commits
        self._longest = max(self._longest, of)
        if self._steps > MAX_STEPS + _USUAL_WALKS * self._longest:
            text = f"renames lead through the history again, for more than {MAX_STEPS:,} commits"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def look(self, parents: int) -> None:
        """Count parents of a merge beyond the second that are looked at; raises ``RepositoryError``."""
        self._looked += parents
        if self._looked > MAX_OCTOPUS:
            text = f"merges have more than {MAX_OCTOPUS:,} parents beyond the second"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def skip(self, commits: int) -> None:
        """Count the skipped commits of a file that was renamed; raises ``RepositoryError``."""
        self._skips += commits
        if self._skips > MAX_SKIPS:
            raise RepositoryError(f"more than {MAX_SKIPS:,} skipped commits of files", Reason.TOO_LARGE)

    @staticmethod
    def _check(files: int) -> None:
        if files > MAX_FILES:
            raise RepositoryError(f"a tree has more than {MAX_FILES:,} files", Reason.TOO_LARGE)
