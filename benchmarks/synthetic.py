"""Histories of a given length or width, made by ``git fast-import``: the same bytes in each run."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

FILES = 200
"""Files in ``docs``."""
_SEED = 7
SITE_COMMITS = 300
"""Commits of a site: each adds an equal share of its pages, and changes a tenth as many older ones."""
_EVERY = 10
"""One commit in so many changes the documentation; the others change a program."""
_FIRST = 1_500_000_000
"""POSIX seconds of the first commit; each further one is an hour later."""


def make(folder: Path, commits: int, git: Path) -> None:
    """Make a bare repository with a straight history, packed as a fresh clone is.

    Some files change often and others hardly ever, and one not since the first commit: so the walk
    has to go all the way, which is the dearest case.
    """
    _make(folder, git, _stream(commits), is_bare=True)


def make_site(folder: Path, files: int, git: Path) -> None:
    """Make a repository with a work tree, to which the pages in ``docs`` came by and by."""
    _make(folder, git, _site(files))


def make_documented(folder: Path, pages: Mapping[str, str], commits: int, git: Path) -> None:
    """Make a repository with a work tree: the first commit has all pages, and each later one changes one."""
    _make(folder, git, _documented(pages, commits))


def _make(folder: Path, git: Path, stream: Iterable[str], *, is_bare: bool = False) -> None:
    folder.mkdir()
    _run(folder, git, "init", "--quiet", "--initial-branch=main", *(["--bare"] if is_bare else []))
    with tempfile.TemporaryFile() as file:  # in memory, it would count in each process that starts later
        file.writelines(piece.encode() for piece in stream)
        file.seek(0)
        _run(folder, git, "fast-import", "--quiet", stdin=file)
    _run(folder, git, "repack", "-adq")
    if not is_bare:
        _run(folder, git, "checkout", "--quiet", "main", "--")


def _run(folder: Path, git: Path, *arguments: str, stdin: IO[bytes] | None = None) -> None:
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run([git, *arguments], cwd=folder, env=env, stdin=stdin, check=True, capture_output=True)


def _stream(commits: int) -> Iterator[str]:
    dice = random.Random(_SEED)  # noqa: S311 - the same history each time
    for number in range(commits):
        yield _commit(number)
        if number == 0:
            changed = [f"docs/page{page}.md" for page in range(FILES)]
        elif number % _EVERY:
            changed = [f"src/module{dice.randrange(100)}.py"]
        else:
            # the cube makes low numbers frequent; the last file stays as it was
            changed = [f"docs/page{int((FILES - 1) * dice.random() ** 3)}.md"]
        yield from (_blob(path, number) for path in changed)
        yield "\n"


def _site(files: int) -> Iterator[str]:
    dice = random.Random(_SEED)  # noqa: S311 - the same history each time
    share = -(-files // SITE_COMMITS)
    for number in range(SITE_COMMITS):
        yield _commit(number)
        there = min(number * share, files)
        added = range(there, min(there + share, files))
        for at in (*added, *dice.sample(range(there), min(-(-share // 10), there))):
            yield _blob(_site_page(at), number)
        yield "\n"


def _documented(pages: Mapping[str, str], commits: int) -> Iterator[str]:
    dice = random.Random(_SEED)  # noqa: S311 - the same history each time
    for number in range(commits):
        yield _commit(number)
        changed = dice.choices(list(pages)) if number else pages
        for path in changed:
            yield _file(path, f"{pages[path]}\nRevision {number}.\n")
        yield "\n"


def _site_page(number: int) -> str:
    return f"docs/part-{number // 1000}/page-{number}.md"


def _commit(number: int) -> str:
    when = _FIRST + 3600 * number
    return f"commit refs/heads/main\ncommitter C <c@example.org> {when} +0000\ndata 1\n.\n"


def _blob(path: str, number: int) -> str:
    return _file(path, f"{path} {number}\n")


def _file(path: str, text: str) -> str:
    """Return a file of a commit; the text is in ASCII."""
    return f"M 100644 inline {path}\ndata {len(text)}\n{text}"
