"""Histories of a given length, made by ``git fast-import``: the same bytes in each run."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

FILES = 200
"""Files in ``docs``."""
_SEED = 7
_EVERY = 10
"""One commit in so many changes the documentation; the others change a program."""
_FIRST = 1_500_000_000
"""POSIX seconds of the first commit; each further one is an hour later."""


def make(folder: Path, commits: int, git: Path) -> None:
    """Make a bare repository with a straight history, packed as a fresh clone is.

    Some files change often and others hardly ever, and one not since the first commit: so the walk
    has to go all the way, which is the dearest case.
    """
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def run(*arguments: str, data: bytes | None = None) -> None:
        subprocess.run([git, *arguments], cwd=folder, env=env, input=data, check=True, capture_output=True)

    folder.mkdir()
    run("init", "--quiet", "--bare", "--initial-branch=main")
    run("fast-import", "--quiet", data="".join(_stream(commits)).encode())
    run("repack", "-adq")


def _stream(commits: int) -> Iterator[str]:
    dice = random.Random(_SEED)  # noqa: S311 - the same history each time
    for number in range(commits):
        when = _FIRST + 3600 * number
        yield f"commit refs/heads/main\ncommitter C <c@example.org> {when} +0000\ndata 1\n.\n"
        if number == 0:
            changed = [_page(page) for page in range(FILES)]
        elif number % _EVERY:
            changed = [f"src/module{dice.randrange(100)}.py"]
        else:
            # the cube makes low numbers frequent; the last file stays as it was
            changed = [_page(int((FILES - 1) * dice.random() ** 3))]
        for path in changed:
            text = f"{path} {number}\n"
            yield f"M 100644 inline {path}\ndata {len(text)}\n{text}"
        yield "\n"


def _page(number: int) -> str:
    return f"docs/part{number % 8}/page{number}.md"
