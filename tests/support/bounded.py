"""Questions to hostile repositories in a process of their own: one that may hang, or take all memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

_SECONDS: Final = 90
"""What separates an answer from a hang."""

_MEMORY: Final = 1 << 30
"""Bytes of address space that our process, and each git, may have: as many as a small machine has."""

_HEADER: Final = """
import json, os, sys
if sys.platform != "win32":
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
from pathlib import Path
from docs_sitemap.history import Change, Rules, last_changes
from docs_sitemap.history import process
process.MAX_GIT_SILENCE = patience or process.MAX_GIT_SILENCE
"""

_ASK: Final = """
found = last_changes(map(Path, paths), Rules(follow_renames=follow))
answers = [found[Path(path)] for path in paths]
said = [each.commit if isinstance(each, Change) else each.reason.name for each in answers]
peak = 0
if sys.platform != "win32":
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
status = Path("/proc/self/status")
if status.exists():  # what getrusage says of ourselves is at least what the process had that started us
    peak = max(peak, int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024)
json.dump({"said": said, "peak": peak}, sys.stdout)
"""


def run_bounded(code: str, memory: int = _MEMORY, patience: int | None = None, **values: object) -> str:
    """Run Python code with these names, within seconds and a gigabyte; return what it prints.

    ``patience`` is in the place of ``MAX_GIT_SILENCE`` there.
    """
    values |= {"memory": memory, "patience": patience}
    names = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    done = subprocess.run(
        [sys.executable, "-c", names + _HEADER + code],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask_bounded(*paths: Path, follow: bool = False, patience: int | None = None) -> list[str]:
    """Return for each path the commit, or the name of the reason why there is none."""
    said = ask_measured(paths, follow=follow, patience=patience)["said"]
    return [str(each) for each in said]


def ask_measured(paths: Sequence[Path], memory: int = _MEMORY, **values: Any) -> dict[str, Any]:
    """Return the same as ``said``, and as ``peak`` the bytes that we or git had in memory."""
    values = {"follow": False, "paths": list(map(os.fspath, paths)), **values}
    said: dict[str, Any] = json.loads(run_bounded(_ASK, memory, **values))
    return said
