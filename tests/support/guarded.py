"""Programs that must end soon and need little memory, whatever they are given."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from tests.support.warm import run_bytes

MEMORY = 700 << 20
SECONDS = 60


def run(*args: object, cwd: Path | None = None, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run ``docs-sitemap`` in this memory and this time; raise ``TimeoutExpired`` where it hangs."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    words = [str(arg) for arg in args]
    if stdin:
        done = subprocess.run(
            [sys.executable, "-m", "docs_sitemap", *words],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
            env=environ,
            cwd=cwd,
            input=stdin,
            capture_output=True,
            check=False,
            timeout=SECONDS,
        )
    else:
        done = run_bytes("docs_sitemap", *words, cwd=cwd, env=environ, memory=MEMORY)
    out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in err, err[-2000:]
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)
