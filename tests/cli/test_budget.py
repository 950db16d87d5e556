"""Commands that fail or take too long end with one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.core

CODE = """
import sys
from docs_sitemap.budget import budget
budget.MAX_SECONDS = 0.5
import docs_sitemap.history as place
def fail(*args, **values):
    {fault}
place.find_repository = fail
from docs_sitemap.cli import main
main(["lastmod", "a.md"], prog_name="docs-sitemap")
"""

FAULTS = {
    "raise LookupError('secret')": "Error: unexpected error: LookupError in cli/lastmod.py, line ",
    "raise MemoryError": "Error: stopped, because the system has no more memory.",
    "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 20, -1)); raise SyntaxError": (
        "Error: stopped, because the system has no more memory."
    ),
    "raise ImportError('secret')": "Error: unexpected error: ImportError in cli/lastmod.py, line ",
    "raise ImportError('secret', path='/a/_rust.abi3.so')": (
        "Error: _rust.abi3.so cannot be loaded: it needs more memory than there is, or another system."
    ),
    "while True: pass": "Error: stopped, because it would take more than ",
}


def run(fault: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "a.md").touch()
    code = CODE.format(fault=fault)
    words = [sys.executable, "-c", code]
    return subprocess.run(words, cwd=folder, capture_output=True, check=False, text=True)


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_one_line(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    done = run(fault, tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith(FAULTS[fault])
    assert "secret" not in line


FULL = """
    import resource
    import docs_sitemap.cli as place
    tell = place.told
    place.told = lambda text: bytes(1 << 19) and tell(text)  # as modules that are not loaded yet
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (8 << 20), -1))
    kept, size = (), 1 << 20
    while size > 1 << 17:
        try:
            kept = (kept, bytes(size))
        except MemoryError:
            size //= 2
    raise MemoryError
"""


@pytest.mark.skipif(sys.platform != "linux", reason="others do not limit the address space")
def test_it_is_one_line_where_no_memory_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The frames of the error still had all of it, and to make the line took some."""
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG")
    done = run(FULL, tmp_path)
    assert (done.returncode, done.stderr) == (1, f"{FAULTS['raise MemoryError']}\n")


def test_it_has_a_traceback_where_one_asks_for_it(tmp_path: Path) -> None:
    assert "Traceback" in run("raise LookupError('secret')", tmp_path).stderr
