"""``docs-sitemap lastmod``: print the last change of each tracked file."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    clock_option,
    follow_renames_option,
    note,
    read_ignore_revs,
    some,
    write_json,
)
from docs_sitemap.limits import MAX_MESSAGE, MAX_PATH
from docs_sitemap.readers.files import real_path
from docs_sitemap.text import escape_control, shorten

if TYPE_CHECKING:
    from docs_sitemap.git import Answer, Clock, Repository

# how git writes each byte in a quoted name
_ESCAPED: Final = [b"%c" % byte if 0x20 <= byte < 0x7F else b"\\%03o" % byte for byte in range(256)]
for _byte, _letter in zip(b'"\\\a\b\t\n\v\f\r', rb'"\abtnvfr', strict=True):
    _ESCAPED[_byte] = b"\\%c" % _letter


@click.command()
@click.option(
    "--repo",
    "repo_dir",
    metavar="DIR",
    type=FOLDER,
    help="A folder in the repository; default: the working folder.",
)
@click.option("--json", "as_json", is_flag=True, help='Print a list of {"path", "commit", "date"}.')
@clock_option
@click.option(
    "--ignore-revs",
    metavar="FILE",
    type=FILE,
    help="A file of commits to ignore, one full hash per line.",
)
@follow_renames_option
@click.option(
    "--added",
    is_flag=True,
    help="Print instead the commit that added each file, as git log --diff-filter=A -1 gives it.",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def lastmod(
    *,
    repo_dir: Path | None,
    as_json: bool,
    clock: Clock,
    ignore_revs: Path | None,
    follow_renames: bool,
    added: bool,
    paths: tuple[str, ...],
) -> None:
    r"""Print the last change of each tracked file at or below PATH, as git log -1 gives it.

    One line per file, sorted by path: COMMIT, DATE (UTC) and PATH from the repository's root,
    separated by tabs. If a date is unknown, for example at the boundary of a shallow clone, the
    first two columns are "-", and stderr shows the cause and the fix. A name with characters that
    are not printable, or with a command to a CI service, is quoted as git quotes names.
    """
    from docs_sitemap.git import RepositoryError, Rules, tracked_additions, tracked_changes

    rules = Rules(clock, read_ignore_revs(ignore_revs), follow_renames)
    repository = _repository_of(repo_dir, paths)
    folders = [_below(repository, path) for path in paths]
    try:
        answers = (tracked_additions if added else tracked_changes)(repository, dict.fromkeys(folders), rules)
    except RepositoryError as problem:
        raise click.ClickException(
            f"{shorten(str(problem), MAX_MESSAGE)}. To fix it: {problem.cure}."
        ) from None
    known = {name: answer for found in answers.values() for name, answer in found.items()}
    _print(known, as_json)
    _report_causes(known.values())
    empty = [path for path, folder in zip(paths, folders, strict=True) if not answers[folder]]
    if empty:
        is_usage = not all(map(os.path.lexists, empty))
        error = click.UsageError if is_usage else click.ClickException
        raise error(f"HEAD has no tracked file at {some(empty)}.")


def _repository_of(repo_dir: Path | None, paths: Sequence[str]) -> Repository:
    """Return the repository of --repo, otherwise the working folder's, or an absolute PATH's outside it."""
    from docs_sitemap.git import find_repository

    found = find_repository(repo_dir or Path(os.curdir))
    absolute = [] if repo_dir else [path for path in paths if os.path.isabs(path)]
    for folder in (path if os.path.isdir(path) else os.path.dirname(path) for path in absolute):
        if found is None or not Path(real_path(folder)).is_relative_to(found.root):
            found = find_repository(Path(folder)) or found
            break
    if found:
        return found
    missing = [] if repo_dir or absolute else [path for path in paths if not os.path.lexists(path)]
    if missing:
        raise click.UsageError(f"no such file or folder: {some(missing)}.")
    where = shorten(os.fspath(repo_dir or os.curdir), MAX_PATH)
    raise click.UsageError(f"{where}: not inside a git repository; name one with --repo DIR.")


def _below(repository: Repository, path: str) -> bytes:
    """Return PATH, relative to the working folder, as a path from the repository's root.

    If the working folder is outside the repository, a relative PATH is relative to the repository's root.
    """
    if real_path(path) == os.fspath(repository.root):
        return b""
    folder, name = os.path.split(os.path.abspath(path))
    real = Path(real_path(folder), name)
    if real.is_relative_to(repository.root):
        below = os.fspath(real.relative_to(repository.root))
    elif os.path.isabs(path) or Path.cwd().resolve().is_relative_to(repository.root):
        root = shorten(os.fspath(repository.root), MAX_PATH)
        raise click.UsageError(f"{shorten(path, MAX_PATH)}: not inside the repository {root}.")
    else:
        below = os.path.normpath(path)
    return b"" if below == os.curdir else os.fsencode(below).replace(os.fsencode(os.sep), b"/")


def _print(answers: dict[bytes, Answer], as_json: bool) -> None:
    from docs_sitemap.git import Change
    from docs_sitemap.timestamps import format_date

    rows = [
        (name, answer.commit, format_date(answer.time)) if isinstance(answer, Change) else (name, None, None)
        for name, answer in sorted(answers.items())
    ]
    if as_json:
        # bytes that are not UTF-8 become lone surrogates, which JSON escapes, on any platform
        names = [name.decode("utf-8", "surrogateescape") for name, _, _ in rows]
        columns = zip(names, rows, strict=True)
        write_json([{"path": name, "commit": row[1], "date": row[2]} for name, row in columns])
        return
    for name, commit, date in rows:
        sys.stdout.buffer.write(f"{commit or '-'}\t{date or '-'}\t".encode() + _quoted(name) + b"\n")


def _report_causes(answers: Iterable[Answer]) -> None:
    """Report on stderr why dates are unknown and the fix, once per cause."""
    from docs_sitemap.git import Unknown

    unknown = [answer for answer in answers if isinstance(answer, Unknown)]
    for reason, number in Counter(answer.reason for answer in unknown).items():
        fix = f" To fix it: {reason.cure}." if reason.cure else ""
        have = "1 file has" if number == 1 else f"{number:,} files have"
        note(f"{have} no date: {reason.text}.{fix}")


def _quoted(name: bytes) -> bytes:
    """Return a name, quoted as git does if it is not printable, starts with a quote, or has a command."""
    text = name.decode("utf-8", "surrogateescape")
    has_command = "##" in text and escape_control(text) != text
    if text.isprintable() and not text.startswith('"') and not has_command:
        return name
    return b'"' + b"".join(_ESCAPED[byte] for byte in name).replace(b"##", b"#\\043") + b'"'
