"""A progress bar on stderr for people who wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """Show a bar where a person is looking, from the second report on: short work needs none."""
    progress = Progress(label)
    try:
        yield progress
    finally:
        progress.end()


class Progress:
    """One bar; a call tells it how much is done, and of how much."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Any = None
        self._done = 0

    def __call__(self, done: int, of: int) -> None:
        """Move the bar, and begin with it where there is more to come."""
        if done < of and self._bar is None and sys.stderr.isatty():
            self._bar = click.progressbar(length=of, label=self._label, file=sys.stderr)
            self._bar.__enter__()
        if self._bar is not None:
            self._bar.update(done - self._done)
        self._done = done

    def end(self) -> None:
        """Leave the bar as it is, and the cursor below it."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
