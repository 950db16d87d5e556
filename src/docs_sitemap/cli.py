"""The command line. Results go to stdout, everything else to stderr; exit codes 0, 1, 2.

Each command imports what it uses when it runs, so that the command line starts fast.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap import __version__

if TYPE_CHECKING:
    from docs_sitemap.history import Answer, Repository


_clock = click.option(
    "--clock",
    type=click.Choice(["committer", "author"]),
    default="committer",
    show_default=True,
    help="Which of a commit's two dates counts.",
)
_follow_renames = click.option(
    "--follow-renames", is_flag=True, help="A pure rename does not count as a change."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="docs-sitemap")
def main() -> None:
    """Honest sitemaps for documentation sites."""


@main.command()
@click.option(
    "--repo", "repo_dir", metavar="DIR", help="A folder of the repository; default: the working folder."
)
@click.option("--json", "as_json", is_flag=True, help='Print a list of {"path", "commit", "date"}.')
@_clock
@click.option(
    "--ignore-revs",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Commits that do not count, one full name a line.",
)
@_follow_renames
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def lastmod(
    *,
    repo_dir: str | None,
    as_json: bool,
    clock: str,
    ignore_revs: Path | None,
    follow_renames: bool,
    paths: tuple[str, ...],
) -> None:
    r"""Print the last change of each tracked file at or below PATH, as git log -1 gives it.

    One line a file, sorted by path: COMMIT, DATE (UTC) and PATH from the repository's root,
    separated by tabs. An unknown date, as at the boundary of a shallow clone, is "-" in the first
    two columns. A name with control characters is quoted as git quotes it.
    """
    from docs_sitemap.history import RepositoryError, Rules, tracked_changes

    rules = Rules(clock, _ignored(ignore_revs), follow_renames)
    repository = _repository(repo_dir or os.curdir)
    folders = [_below(repository, path) for path in paths]
    try:
        answers = tracked_changes(repository, dict.fromkeys(folders), rules)
    except RepositoryError as problem:
        raise click.ClickException(f"{problem}\nTo cure it: {problem.reason.cure}.") from None
    _print({name: answer for found in answers.values() for name, answer in found.items()}, as_json)
    empty = [path for path, folder in zip(paths, folders, strict=True) if not answers[folder]]
    if empty:
        raise click.ClickException(f"no tracked file at {', '.join(empty)}: HEAD has none there.")


@main.command()
@click.option(
    "--include",
    "includes",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, path_type=Path),
    help="A further file that makes the page; may be repeated.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the sources of the documentation lie; default: docs and other usual folders.",
)
@_clock
@click.option(
    "--ignore-revs",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Commits that do not count; default: the repository's .git-blame-ignore-revs, as in builds.",
)
@_follow_renames
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@click.argument("pages", nargs=-1, required=True, metavar="PATH...")
def explain(
    *,
    includes: tuple[Path, ...],
    source_dir: Path | None,
    clock: str,
    ignore_revs: Path | None,
    follow_renames: bool,
    as_json: bool,
    pages: tuple[str, ...],
) -> None:
    """Say why a page has its date: the commit, what was passed over, the git command to check it.

    PATH is a source file, or the URL or the document name of a page whose source can be found
    from it.
    """
    from docs_sitemap import explain as explaining
    from docs_sitemap.history import Rules

    rules = Rules(clock, _ignored(ignore_revs) if ignore_revs else None, follow_renames)
    folders = [source_dir] if source_dir else [Path(folder) for folder in explaining.FOLDERS]
    found = []
    for page in pages:
        sources = explaining.find_source(page, folders)
        if len(sources) != 1:
            what = (
                f"may be made from {', '.join(map(str, sources))}"
                if sources
                else "has no source that can be found"
            )
            raise click.ClickException(
                f"{page} {what}: name its source file, or its folder with --source-dir."
            )
        found.append(explaining.explain_page(page, [*sources, *includes], rules))
    if as_json:
        import json

        click.echo(json.dumps([explaining.as_json(page) for page in found], indent=2))
    else:
        text = "\n\n".join(explaining.as_text(page) for page in found)
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape") + b"\n")


def _ignored(file: Path | None) -> frozenset[bytes]:
    from docs_sitemap.history import read_ignored

    try:
        return read_ignored(file) if file else frozenset()
    except (OSError, ValueError) as problem:
        raise click.BadParameter(f"{file}: {problem}", param_hint="--ignore-revs") from None


def _repository(folder: str) -> Repository:
    from docs_sitemap.history import find_repository

    repository = find_repository(Path(folder))
    if repository is None:
        raise click.ClickException(f"{folder}: not inside a git repository; name one with --repo DIR.")
    return repository


def _below(repository: Repository, path: str) -> bytes:
    """Return PATH, relative to the working folder, as a path from the repository's root.

    Outside the repository a relative PATH can mean nothing there, so it is taken from the root.
    """
    if os.path.realpath(path) == os.fspath(repository.root):
        return b""
    folder, name = os.path.split(os.path.abspath(path))
    real = Path(os.path.realpath(folder), name)
    if real.is_relative_to(repository.root):
        below = os.fspath(real.relative_to(repository.root))
    elif os.path.isabs(path) or Path.cwd().resolve().is_relative_to(repository.root):
        raise click.UsageError(f"{path}: not inside the repository {repository.root}.")
    else:
        below = os.path.normpath(path)
    return b"" if below == os.curdir else os.fsencode(below).replace(os.fsencode(os.sep), b"/")


def _print(answers: dict[bytes, Answer], as_json: bool) -> None:
    rows = [(name, *_columns(answers[name])) for name in sorted(answers)]
    if as_json:
        import json

        # bytes outside UTF-8 become lone surrogates, which JSON carries as escapes, on any platform
        found = [
            {"path": name.decode("utf-8", "surrogateescape"), "commit": commit, "date": date}
            for name, commit, date in rows
        ]
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        stream = sys.stdout.buffer
        for name, commit, date in rows:
            stream.write(f"{commit or '-'}\t{date or '-'}\t".encode() + _quoted(name) + b"\n")


def _columns(answer: Answer) -> tuple[str | None, str | None]:
    from docs_sitemap.history import Change
    from docs_sitemap.timestamps import format_date

    if isinstance(answer, Change):
        return answer.commit, format_date(answer.time)
    return None, None


def _quoted(name: bytes) -> bytes:
    """Return a name as it is, or as git quotes it where it would break the line or look quoted."""
    if all(byte >= 0x20 and byte != 0x7F for byte in name) and not name.startswith(b'"'):
        return name
    named = {0x22: b'\\"', 0x5C: b"\\\\", 0x07: b"\\a", 0x08: b"\\b", 0x09: b"\\t", 0x0A: b"\\n"}
    named |= {0x0B: b"\\v", 0x0C: b"\\f", 0x0D: b"\\r"}
    quoted = (
        named.get(byte) or (b"\\%03o" % byte if byte < 0x20 or byte == 0x7F else bytes([byte]))
        for byte in name
    )
    return b'"' + b"".join(quoted) + b'"'
