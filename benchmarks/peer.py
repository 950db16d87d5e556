"""sphinx-last-updated-by-git without Sphinx: ``python -m benchmarks.peer ROOT < paths``.

Asks as the extension does at the end of a build: one call a folder, with the names in it. The
paths, from ROOT and separated by NUL, come on stdin. Prints JSON; a folder on which the extension
fails has no dates. Measured as our own walk is: without Python's start and imports.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from importlib import import_module
from pathlib import Path

from benchmarks.measure import peaks

MODULE = "sphinx_last_updated_by_git"


def main(root: str) -> None:
    """Measure the extension's own function; the answers are author dates in POSIX seconds."""
    update_file_dates = import_module(MODULE).update_file_dates
    folders: dict[str, dict[str, tuple[bytes, bool] | None]] = defaultdict(dict)
    for path in sys.stdin.read().split("\0"):
        folder, name = os.path.split(path)
        folders[folder][name] = None
    failed = 0
    start = time.perf_counter()
    for folder, dates in folders.items():
        try:
            update_file_dates(Path(root, folder), set(), dates)
        except (AssertionError, subprocess.CalledProcessError) as problem:
            failed += 1
            print(f"{MODULE} fails in {folder}: {problem!r:.200}", file=sys.stderr)
    seconds = time.perf_counter() - start
    found = {
        os.path.join(folder, name): found[0].decode()
        for folder, dates in folders.items()
        for name, found in dates.items()
        if found is not None and not found[1]
    }
    result = {"seconds": seconds, "memory": max(peaks()), "answers": found, "failed": failed}
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
