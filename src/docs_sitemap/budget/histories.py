"""What the repositories of one run explain of the time that their histories take.

A site may have thousands of folders with a ``.git`` file each, all of which name the same repository, or
repositories that borrow the objects of one: its history explains the time once, not for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from docs_sitemap.limits import (
    COMMIT_SECONDS,
    MAX_GIT_SECONDS,
    MAX_REPOSITORIES,
    MAX_SAME_HISTORY,
    MAX_SAME_OBJECTS,
    MEGABYTE_SECONDS,
    OBJECT_SECONDS,
)

_BYTE_SECONDS: Final = MEGABYTE_SECONDS / (1 << 20)

_WALKS: Final = 4
"""How often all trees are read: a generator asks for some pages alone, and then for all of them."""


class Histories:
    """The repositories that were asked so far, and what is left of what they explain.

    ``git_seconds`` are the processor seconds that git may still take beyond that.
    """

    def __init__(self) -> None:
        self.git_seconds: float = MAX_GIT_SECONDS
        self._repositories: set[str] = set()
        self._borrowers: Counter[int] = Counter()
        self._objects = self._bytes = self._commits = self._again = 0

    def add(self, root: str, stored: Mapping[int, tuple[int, int]]) -> bool:
        """Count a repository; return whether it may be asked.

        ``stored`` are the folders and files with its objects, by a number that tells them from others, with
        how many bytes of objects each has, and how many objects.
        """
        if root in self._repositories:
            return True
        if len(self._repositories) >= MAX_REPOSITORIES:
            return False
        if any(self._borrowers[number] >= MAX_SAME_OBJECTS for number in stored):
            return False
        again = sum(objects for number, (_, objects) in stored.items() if self._borrowers[number])
        if self._again + again > MAX_SAME_HISTORY:
            return False
        self._again += again
        self._repositories.add(root)
        new = [stored[number] for number in stored if not self._borrowers[number]]
        self._borrowers.update(stored.keys())
        objects = sum(number for _, number in new)
        self._objects += _WALKS * objects
        self._bytes += _WALKS * sum(size for size, _ in new)
        self._commits += objects
        return True

    def seconds_for(self, objects: int, size: int) -> float:
        """Return the seconds that it takes to read so many objects of so many bytes, once for each walk."""
        objects, size = min(objects, self._objects), min(size, self._bytes)
        self._objects -= objects
        self._bytes -= size
        return objects * OBJECT_SECONDS + size * _BYTE_SECONDS

    def count_git(self, seconds: float, commits: int) -> float:
        """Count what a git process took that has read so many commits, which explain a part of it.

        Returns the seconds that they do not explain.
        """
        explained = min(commits, self._commits, int(seconds / COMMIT_SECONDS) + 1)
        self._commits -= explained
        unexplained = max(0.0, seconds - explained * COMMIT_SECONDS)
        self.git_seconds -= unexplained
        return unexplained
