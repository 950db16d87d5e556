"""A progress bar on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """Show a progress bar on a terminal, unless the work is done at the first call."""
    progress = Progress(label)
    try:
        yield progress
    finally:
        progress.end()


class Progress:
    """A progress bar; call it with the amount done and the total."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Any = None
        self._done = 0

    def __call__(self, done: int, of: int) -> None:
        """Update the bar; create it first if work remains."""
        if done < of and self._bar is None and sys.stderr.isatty():
            self._bar = click.progressbar(length=of, label=self._label, file=sys.stderr)
            self._bar.__enter__()
        if self._bar is not None:
            self._bar.update(done - self._done)
        self._done = done

    def end(self) -> None:
        """Finish the bar, and move the cursor below it."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
