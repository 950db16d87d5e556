"""Reading all pages of a site, as ``check`` and ``report`` do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click


@contextmanager
def reading_pages() -> Iterator[Callable[[int, int], None]]:
    """Do the same as ``progress_bar``; an older sitemap that cannot be read is a usage error."""
    with comparing(), progress_bar("Reading pages") as progress:
        yield progress


@contextmanager
def comparing() -> Iterator[None]:
    """Turn an older sitemap that cannot be read into a usage error."""
    from docs_sitemap.check import OlderSitemapError

    try:
        yield
    except OlderSitemapError as problem:
        raise click.UsageError(f"--previous: {problem}") from None


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal's stderr, unless the work is done at the first call.

    Yields the function to call with the number of what is done and the total, which may grow.
    """
    bar: Any = None

    def progress(done: int, of: int) -> None:
        nonlocal bar
        if done < of and bar is None and sys.stderr.isatty():
            bar = stack.enter_context(click.progressbar(length=of, label=label, file=sys.stderr))
        if bar is not None:
            bar.length = of
            bar.update(done - bar.pos)

    with ExitStack() as stack:
        yield progress
