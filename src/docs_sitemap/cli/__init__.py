"""The command line. Results go to stdout, everything else to stderr; exit codes 0, 1, 2.

A command is imported when it runs, and so is what it uses: the command line starts fast, and needs
no more than its command does.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from docs_sitemap import __version__

COMMANDS: Final = {
    "build": "Write sitemap and robots.txt for any built HTML tree.",
    "check": "Find what is wrong with a built site's sitemaps, offline.",
    "explain": "Say why a page has its date.",
    "index": "Write one index and robots.txt over many sites: versions, languages, projects.",
    "lastmod": "Print the last change of each tracked file, as git log -1 gives it.",
    "report": "Write one HTML page about a built site: ages, findings, changes.",
    "submit": "Tell search engines what has changed.",
}
"""What ``docs-sitemap --help`` says of each command: it is not imported for that."""


class _Commands(click.Group):
    """Commands in modules of their own: ``cli.NAME`` has the command NAME."""

    def make_context(self, *args: Any, **values: Any) -> click.Context:
        with _one_line():
            return super().make_context(*args, **values)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line():
            result = super().invoke(ctx)
            sys.stdout.flush()  # what cannot be written is told here, and not by the end of Python
            return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"docs_sitemap.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@contextmanager
def _one_line() -> Iterator[None]:
    """Have wrong usage told in one line, without the usage of the whole command above it.

    So is what only the system can refuse: a full disk behind standard output, endless folders.
    """
    try:
        yield
    except click.UsageError as problem:
        problem.ctx = None
        raise
    except RecursionError:
        raise click.ClickException("folders, or brackets in a file, lie too deep in one another.") from None
    except OSError as problem:
        if problem.errno == errno.EPIPE:
            _say_no_more()
            raise  # click ends with 1
        raise click.ClickException(f"{problem.filename or 'the output'}: {problem.strerror}.") from None


def _say_no_more() -> None:
    """Let Python write what is left for a reader who has gone to nowhere (Python, "Note on SIGPIPE")."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="docs-sitemap")
def main() -> None:
    """Honest sitemaps for documentation sites."""
