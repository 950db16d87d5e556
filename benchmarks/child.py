"""Our own walk in a process of its own: ``python -m benchmarks.child REPO COUNT PATH...``.

Imports everything first and then measures: starting git, listing the files, walking,
closing. So the time has neither Python's own start nor its imports. Prints JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.measure import peaks
from docs_sitemap.git import Change, find_repository, search, tracked_additions, tracked_changes
from docs_sitemap.git.walk import Commit, Differences, History

VISITED: Final[set[bytes]] = set()


class Counting(History):
    """Notes which commits the walk passes; it costs time."""

    def __iter__(self) -> Iterator[tuple[Commit, Differences]]:
        for commit, differences in super().__iter__():
            VISITED.add(commit.name)
            yield commit, differences


def main(root: str, count: str, *paths: str) -> None:
    """Measure the walk; with COUNT ``1`` count the visited commits instead.

    With ``added``, ask for the commits that added the files.
    """
    repository = find_repository(Path(root))
    if repository is None:
        sys.exit(f"{root}: no repository")
    if count == "1":
        search.History = Counting  # type: ignore[attr-defined]
    ask = tracked_additions if count == "added" else tracked_changes
    start = time.perf_counter()
    found = ask(repository, [os.fsencode(path) for path in paths] or [b""])
    seconds = time.perf_counter() - start
    memory, children_memory = peaks()
    answers = {
        os.fsdecode(path): answer.commit if isinstance(answer, Change) else f"unknown: {answer.reason.text}"
        for below in found.values()
        for path, answer in below.items()
    }
    result = {
        "seconds": seconds,
        "memory": memory,
        "children_memory": children_memory,
        "visited": len(VISITED) if count == "1" else None,
        "answers": answers,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
