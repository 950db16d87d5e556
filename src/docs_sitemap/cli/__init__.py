"""The command line. Results go to stdout, everything else to stderr.

Exit codes are 0, 1, 2, and 130 after Ctrl-C.

Each command and its dependencies are imported only when it runs, so that the command line starts fast
and needs only the libraries of the command in use.
"""

from __future__ import annotations

import difflib
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from docs_sitemap import __version__
from docs_sitemap.build_guard import describe, is_debugging
from docs_sitemap.cli.common import INTERRUPTED, told
from docs_sitemap.errors import DocsSitemapError

COMMANDS: Final = {
    "build": "Write sitemap and robots.txt for the built site of any generator.",
    "check": "Find problems in the sitemaps of a built site, offline, or of a served one.",
    "explain": "Explain why a page has its date, or is not listed.",
    "index": "Write one index and robots.txt for many sites: versions, languages, projects.",
    "lastmod": "Print the last change of each tracked file, as git log -1 gives it.",
    "report": "Write an HTML report on a built site: findings, dates, ages, changes.",
    "submit": "Tell search engines what has changed.",
    "versions": "Mark the pages of old versions, so that search engines find current ones.",
}
"""The help text for each command in ``docs-sitemap --help``, which imports no commands."""


class _Commands(click.Group):
    """Load each command from its own module: ``cli.NAME`` contains the command NAME."""

    def main(self, *args: Any, **values: Any) -> Any:
        _open_streams()
        try:
            return super().main(*args, **values)
        finally:
            _discard_unwritten()

    def make_context(self, *args: Any, **values: Any) -> click.Context:
        with _one_line():
            return super().make_context(*args, **values)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        close = [] if args[0] in COMMANDS else difflib.get_close_matches(args[0], COMMANDS, n=1)
        if close:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"docs_sitemap.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _open_streams() -> None:
    """Open the streams that whoever started this has closed: no other file may take the place of one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


@contextmanager
def _one_line() -> Iterator[None]:
    """Report errors on one line, in which a stranger's texts are no command to any CI service."""
    try:
        try:
            yield
        except click.exceptions.Exit:
            sys.stdout.flush()  # here, an error of that is reported
            raise
        sys.stdout.flush()
    except (click.exceptions.Exit, click.Abort):
        raise
    except KeyboardInterrupt:
        # it may break off the end of an asyncio loop, which then complains as it is deleted
        warnings.simplefilter("ignore")
        sys.unraisablehook = lambda _: None
        click.echo("Stopped.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _discard_unwritten()
        raise  # click exits with 1
    except Exception as problem:
        found = _as_click(problem)
        vars(found)["message"] = told(found.message)  # for type checkers, it is final
        raise found from None


def _as_click(problem: Exception) -> click.ClickException:
    """Return an error of click, and usage errors without a usage summary.

    System errors, such as a full disk behind stdout or folders nested too deep, also take one line, and so
    do errors of our own.
    """
    if isinstance(problem, click.UsageError):
        text = problem.format_message()
        if problem.ctx and isinstance(problem, (click.MissingParameter, click.NoSuchOption)):
            text += f" See {problem.ctx.command_path} --help."
        return click.UsageError(text)
    if isinstance(problem, click.ClickException):
        return problem
    if isinstance(problem, DocsSitemapError):
        return click.ClickException(str(problem))
    if isinstance(problem, RecursionError):
        return click.ClickException("folders, or brackets in a file, are nested too deep.")
    if isinstance(problem, OSError):
        return click.ClickException(f"{problem.filename or 'the output'}: {problem.strerror}.")
    if is_debugging():
        raise problem
    return click.ClickException(describe(problem))


def _discard_unwritten() -> None:
    """Send to the null device what cannot be written, because a disk is full or the reader has left.

    Otherwise Python tries again at its end, says so in words of its own, and exits with 120 (Python, "Note on
    SIGPIPE").
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,  # click 8.2 and later make an error of the help
)
@click.version_option(__version__, prog_name="docs-sitemap")
@click.pass_context
def main(context: click.Context) -> None:
    """Honest sitemaps for documentation sites."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
