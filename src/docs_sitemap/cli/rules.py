"""Options of ``check`` and ``report``: which rules run, on which sitemaps, what is known; progress bars."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_sitemap.cli.common import FILE, note, read_base_url
from docs_sitemap.pages.hosting import SERVICES
from docs_sitemap.text import counted, show_value

if TYPE_CHECKING:
    from docs_sitemap.check import Finding, Found, Question, Rule
    from docs_sitemap.options.configuration import Configuration


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


# a copy of the checker's, which needs lxml
LEVELS = ("error", "warning", "info")
FAIL_ON = (*LEVELS, "never")

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
        type=click.Choice(SERVICES),
        help="The hosting service, for rule U9; default: the one that runs the command.",
    ),
    click.option(
        "--config",
        "config_file",
        metavar="FILE",
        type=FILE,
        help="A TOML file with a table [check], or a pyproject.toml with [tool.docs-sitemap.check]; default: "
        "docs-sitemap.toml in the working folder, otherwise its pyproject.toml.",
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
    settings: Configuration,
    *,
    sitemaps: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    served_by: str | None,
    previous: Path | None = None,
    served: str = "",
) -> tuple[Question, list[Rule], Callable[[], None]]:
    """Return what to check, and the rules to run, which find nothing in files that the settings leave out.

    The third is to be called after the check: it tells of patterns that match nothing of a whole site.
    ``served`` is the base URL of a served site. An option replaces the setting of its name, and ``select``
    replaces ``ignore`` too.
    """
    from docs_sitemap.check import RULES, Question
    from docs_sitemap.pages.hosting import Hosting, detect_hosting

    values = settings.values
    asked = read_rule_ids("--select", select) or values.get("select", ())
    unwanted = read_rule_ids("--ignore", ignore) or (() if select else values.get("ignore", ()))
    rules = RULES.chosen(asked, unwanted)
    used: set[str] = set()
    for pattern, ids in values.get("per_file_ignores", {}).items():
        theirs = RULES.named(ids)
        rules = [_outside(rule, pattern, served, used) if rule.id in theirs else rule for rule in rules]

    def note_unused() -> None:
        if site_dir and not (select or ignore):
            _note_unused(settings, site_dir, used)

    hosting = detect_hosting()
    served_by = served_by or values.get("served_by")
    if served_by not in (None, hosting.served_by):
        hosting = Hosting(preview=hosting.preview, served_by=served_by)
    # in the form of the site's file names: normalized, with /
    names = sitemaps or values.get("sitemap", ())
    question = Question(
        site_dir,
        read_base_url(base_url) or values.get("base_url", ""),
        tuple(os.path.normpath(name).replace(os.sep, "/") for name in names),
        previous,
        frozenset(asked),
        hosting,
    )
    return question, rules, note_unused


def _note_unused(settings: Configuration, root: Path, used: Collection[str]) -> None:
    """Tell of patterns that match neither a finding, nor a file, nor its URL."""
    from docs_sitemap.options.validation import compiled_patterns
    from docs_sitemap.published import Tree, url_path

    unused = [each.lstrip("!") for each in settings.values.get("per_file_ignores", ()) if each not in used]
    files = Tree(root).files if unused else ()
    forms = [form for name in files for form in (name, url_path(name), name.removesuffix(".html")) if form]
    example = next((f"{name.partition('/')[0]}/" for name in sorted(files) if "/" in name), "*.html")
    for pattern in unused:
        if any(map(compiled_patterns([pattern]).match_file, forms)):
            continue
        short = pattern.lstrip("/")
        for own in (root.as_posix(), root.absolute().name):
            short = short.removeprefix(f"{own}/")
        is_right = short and short != pattern and any(map(compiled_patterns([short]).match_file, forms))
        hint = f"did you mean {short}?" if is_right else f"patterns start there, for example {example}"
        note(f"{settings.spell('per_file_ignores')}: {pattern} matches no file in {root}: {hint}")


def _outside(rule: Rule, pattern: str, served: str, used: set[str]) -> Rule:
    """Return a rule without what it finds in files, or for URLs, that match a pattern as in gitignore.

    It is tested with the finding's file, the file of its URL, and the path of that below the base URL. If it
    matches, it is added to ``used``.
    """
    from docs_sitemap.check import Site
    from docs_sitemap.options import validation
    from docs_sitemap.urls import decoded

    spec = validation.compiled_patterns([pattern.removeprefix("!")])

    def is_match(site: Any, found: Found) -> bool:
        names, url, base = [found.file], found.url or "", served or site.base
        if url.startswith(base):
            names.append(decoded(url.removeprefix(base)))
        if url and isinstance(site, Site):
            names.append(site.file_of(url))
        if matches := any(map(spec.match_file, filter(None, names))):
            used.add(pattern)
        return matches

    is_kept = pattern.startswith("!")  # as in ruff, that means all others
    return replace(rule, check=lambda site: (it for it in rule.check(site) if is_match(site, it) is is_kept))


def read_rule_ids(where: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return rule ids, or starts of rule ids, in upper case; a usage error if no rule has one.

    A value may have several, with commas.
    """
    from docs_sitemap.check import RULES

    found = [word.strip() for value in values for word in value.split(",")]
    for word in found:
        if not word or not RULES.chosen([word.upper()]):
            close = difflib.get_close_matches(word.upper(), RULES, n=1)
            hint = f"did you mean {close[0]}?" if close else "check --list-rules shows all rules."
            expected = "expected rule ids or the start of them, for example C1 or U"
            raise click.UsageError(f"{where}: {expected}, got {show_value(word)}; {hint}")
    return tuple(map(str.upper, found))


def read_baseline(file: Path | None, settings: Configuration) -> Known:
    """Return the findings of the ``--baseline`` file, or of that in the settings, if there is one."""
    from docs_sitemap.check import parse_baseline
    from docs_sitemap.limits import MAX_FILE
    from docs_sitemap.readers.files import read_named

    where = "--baseline" if file else settings.spell("baseline")
    file = file or settings.values.get("baseline")
    if file is None:
        return frozenset()
    try:
        return parse_baseline(read_named(file, MAX_FILE))
    except FileNotFoundError:
        cure = f"to write it: docs-sitemap check --write-baseline {file}"
        raise click.UsageError(f"{where}: {file} does not exist; {cure}") from None
    except (OSError, ValueError) as problem:
        raise click.UsageError(f"{where}: {file}: {getattr(problem, 'strerror', problem)}") from None


def without_known(findings: Collection[Finding], known: Known, ran: Iterable[Rule]) -> list[Finding]:
    """Return the findings that are not in the baseline, and report how many are in it, and how many are gone.

    The latter is only told of the rules that ran, and for all files.
    """
    from docs_sitemap.check import RULES

    new = [finding for finding in findings if finding.key not in known]
    if hidden := len(findings) - len(new):
        note(f"Not shown: {counted(hidden, 'finding')} of the baseline.")
    whole = {rule.id for rule in ran if rule == RULES[rule.id]}
    gone = sum(key[0] in whole for key in known - {finding.key for finding in findings})
    if gone:
        what = f"{counted(gone, 'finding')} in the baseline no longer occur{'s' if gone == 1 else ''}"
        note(f"{what}: consider a new baseline.")
    return new
