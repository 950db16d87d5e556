"""Options of ``check`` and ``report``: which rules run, on which sitemaps, what is known; progress bars."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_sitemap.cli.common import FILE, count_cores, note, read_base_url

if TYPE_CHECKING:
    from docs_sitemap.check import Finding, Question, Rule


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


# a copy of the names in pages/hosting.py, which takes long to import; a test holds it
_SERVICES = (
    *("azure", "cloudflare", "cloudfront", "github", "gitlab"),
    *("netlify", "read-the-docs", "s3", "vercel"),
)

Known = frozenset[tuple[str, ...]]
"""The findings of a baseline."""


_OPTIONS = (
    click.option(
        "--sitemap",
        "sitemaps",
        metavar="NAME",
        multiple=True,
        help="A sitemap, as a path in SITE_DIR; may be repeated. Default: the sitemaps that robots.txt "
        "names, and those with common names.",
    ),
    click.option(
        "--select",
        metavar="ID,...",
        multiple=True,
        help="Run only these rules, by id or start of an id: U,C1. May be repeated.",
    ),
    click.option(
        "--ignore",
        metavar="ID,...",
        multiple=True,
        help="Skip these rules (same syntax as --select). May be repeated.",
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        type=FILE,
        help="Ignore the findings in this file, which check --write-baseline wrote.",
    ),
    click.option(
        "--served-by",
        type=click.Choice(_SERVICES),
        help="The hosting service, for rule U9; default: the one that runs the command.",
    ),
)


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_question(
    site_dir: Path | None,
    base_url: str | None,
    *,
    sitemaps: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    served_by: str | None,
    jobs: int | None = None,
    previous: Path | None = None,
) -> tuple[Question, list[Rule]]:
    """Return what to check, and the rules to run."""
    from docs_sitemap.check import RULES, Question
    from docs_sitemap.pages.hosting import Hosting, detect_hosting

    asked = _words("--select", select)
    rules = RULES.chosen(asked, _words("--ignore", ignore))
    hosting = detect_hosting()
    if served_by not in (None, hosting.served_by):
        hosting = Hosting(preview=hosting.preview, served_by=served_by)
    # in the form of the site's file names: normalized, with /
    names = tuple(os.path.normpath(name).replace(os.sep, "/") for name in sitemaps)
    return Question(
        site_dir or Path(),
        read_base_url(base_url),
        names,
        previous,
        frozenset(asked),
        jobs or count_cores(),
        hosting,
    ), rules


def _words(option: str, values: tuple[str, ...]) -> list[str]:
    """Return an option's rule ids, or starts of rule ids, in upper case."""
    from docs_sitemap.check import RULES

    words = [word.strip() for value in values for word in value.split(",")]
    for word in words:
        if not word or not RULES.chosen([word.upper()]):
            raise click.UsageError(
                f"{option}: expected rule ids or the start of them, for example C1 or U, got {word!r}; "
                "check --list-rules shows all rules."
            )
    return [word.upper() for word in words]


def read_baseline(file: Path | None) -> Known:
    """Return the findings of the ``--baseline`` file, if there is one."""
    from docs_sitemap.check import parse_baseline
    from docs_sitemap.limits import MAX_BASELINE
    from docs_sitemap.readers.files import read_named

    if file is None:
        return frozenset()
    try:
        return parse_baseline(read_named(file, MAX_BASELINE))
    except OSError as problem:
        raise click.BadParameter(f"{file}: {problem.strerror}", param_hint="--baseline") from None
    except ValueError as problem:
        raise click.BadParameter(f"{file}: {problem}", param_hint="--baseline") from None


def without_known(findings: Collection[Finding], known: Known) -> list[Finding]:
    """Return the findings that are not in the baseline, and report how many of the baseline are gone."""
    found = {finding.key for finding in findings}
    if gone := len(known - found):
        note(f"{gone:,} findings in the baseline no longer occur: consider a new baseline.")
    return [finding for finding in findings if finding.key not in known]
