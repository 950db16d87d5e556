"""Reading all pages of a site, as ``check`` and ``report`` do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click


@contextmanager
def reading_pages(label: str = "Reading pages") -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal's stderr, unless the work is done at the first call.

    Yields the function to call with the number of pages read and the total. An older sitemap that cannot be
    read is a usage error.
    """
    from docs_sitemap.check import OlderSitemapError

    try:
        with progress_bar(label) as progress:
            yield progress
    except OlderSitemapError as problem:
        raise click.UsageError(f"--previous: {problem}") from None


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar like ``reading_pages``, with a label."""
    bar: Any = None

    def progress(done: int, of: int) -> None:
        nonlocal bar
        if done < of and bar is None and sys.stderr.isatty():
            bar = stack.enter_context(click.progressbar(length=of, label=label, file=sys.stderr))
        if bar is not None:
            bar.update(done - bar.pos)

    with ExitStack() as stack:
        yield progress
