"""Our own walk in a process of its own: ``python -m benchmarks.child REPO COUNT PATH...``.

Imports everything first and then measures: starting git, listing the files, walking,
closing. So the time has neither Python's own start nor its imports. Prints JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from benchmarks.measure import peaks
from docs_sitemap.history import Answer, Change, find_repository
from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.listing import list_files
from docs_sitemap.history.objects import Ancestor, Commit, ObjectReader, Packs, Run
from docs_sitemap.history.question import Question, ask


class Counting:
    """An ``ObjectReader`` that notes which commits were read through it; it costs time."""

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader
        self.visited: set[bytes] = set()

    def head(self) -> bytes | None:
        return self._reader.head()

    def packs(self) -> Packs:
        return self._reader.packs()

    def runs(self, starts: Sequence[tuple[bytes, int]], folder: bytes) -> list[Run]:
        runs = self._reader.runs(starts, folder)
        self.visited.update(commit for run in runs for commit in run.commits)
        return runs

    def commits(self, names: Iterable[bytes]) -> Mapping[bytes, Commit]:
        found = self._reader.commits(names)
        self.visited.update(found)
        return found

    def ancestors(self, starts: Iterable[bytes]) -> AbstractContextManager[Iterator[Ancestor]]:
        return self._reader.ancestors(starts)

    def folders(self, trees: Iterable[bytes], folder: bytes) -> Mapping[bytes, bytes | None]:
        return self._reader.folders(trees, folder)

    def trees(self, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        return self._reader.trees(names)


def main(root: str, count: str, *paths: str) -> None:
    """Measure the walk; with COUNT ``1`` count the visited commits instead.

    With ``added``, ask for the commits that added the files.
    """
    repository = find_repository(Path(root))
    if repository is None:
        sys.exit(f"{root}: no repository")
    folders = [os.fsencode(path) for path in paths] or [b""]
    counting = None
    start = time.perf_counter()
    with CatFile(repository) as reader:
        if count == "1":
            counting = Counting(reader)
        answers = walk(counting or reader, folders, Question(added=count == "added"))
    seconds = time.perf_counter() - start
    memory, children_memory = peaks()
    found = {
        os.fsdecode(path): answer.commit if isinstance(answer, Change) else f"unknown: {answer.reason.text}"
        for path, answer in answers.items()
    }
    result = {
        "seconds": seconds,
        "memory": memory,
        "children_memory": children_memory,
        "visited": None if counting is None else len(counting.visited),
        "answers": found,
    }
    print(json.dumps(result))


def walk(
    reader: ObjectReader,
    folders: Iterable[bytes],
    question: Question = Question(),  # noqa: B008
) -> dict[bytes, Answer]:
    """List the files at or below the folders and answer them, as ``docs-sitemap lastmod`` does."""
    head = reader.head()
    if head is None:
        sys.exit("HEAD has no commit")
    tree = reader.commits([head])[head].tree
    names = {path for found in list_files(reader, tree, folders).values() for path in found}
    return ask(reader, names, question)


if __name__ == "__main__":
    main(*sys.argv[1:])
