"""Shared by several commands: options, their values, and output."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from docs_sitemap.text import escape_control, escape_json, shorten

if TYPE_CHECKING:
    from docs_sitemap.options.validation import Check

INTERRUPTED: Final = 130
"""The exit code of a shell's command that Ctrl-C has ended."""

FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)

_USER: Final = re.compile(r"(?<=://)[^/@\s]++@")


class _Folder(click.Path):
    """A folder, which is no URL; the folder of a built site has files in it."""

    def __init__(self, *, is_site: bool = False) -> None:
        super().__init__(exists=True, file_okay=False, path_type=Path)
        self._is_site = is_site

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        expected = "expected the folder of a built site, got"
        if "://" in str(value) and self._is_site:
            self.fail(f"{expected} a URL: use check {live_site(shorten(str(value)))}", param, ctx)
        if "://" in str(value):
            self.fail(f"expected a folder on this machine, got the URL {value}.", param, ctx)
        folder = super().convert(value, param, ctx)
        if self._is_site and not os.listdir(folder):
            self.fail(f"{expected} an empty one: {shorten(str(value))}", param, ctx)
        return folder


def live_site(url: str) -> str:
    """Return ``--live`` for the URL of a site; for that of a sitemap, with the site, and with its name."""
    found = re.fullmatch(r"(\w+://.+/)([^/]+\.(?:xml|xml\.gz|txt))", url)
    if not found:
        return f"--live {url}"
    is_usual = found[2] in ("sitemap.xml", "sitemap_index.xml", "robots.txt")
    return f"--live {found[1]}" + ("" if is_usual else f" --sitemap {found[2]}")


class Grouped(click.Command):
    """A command whose help shows its options in groups, in one column, and then examples.

    ``groups`` has the options below each title: their names without ``--``, separated by spaces. Names of
    options that the command doesn't have are ignored. What is in no group is last, with ``--help``.
    """

    def __init__(self, *args: Any, groups: Mapping[str, str], examples: Sequence[str], **values: Any) -> None:
        super().__init__(*args, **values)
        self.groups = groups
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups. Padded names make the columns of all groups equally wide."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        rows = {option.opts[-1].removeprefix("--"): option.get_help_record(ctx) for option in options}
        width = min(30, max(len(row[0]) for row in rows.values() if row))  # click wraps those that are wider
        groups = {title: names.split() for title, names in self.groups.items()}
        left = [name for name in rows if not any(name in names for names in groups.values())]
        for title, names in {**groups, "Other": left}.items():
            if shown := [row for name in names if (row := rows.get(name))]:
                with formatter.section(title):
                    formatter.write_dl([(f"{name:{width}}", text) for name, text in shown])
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def wants_color() -> bool:
    """Tell whether stdout gets colors: by NO_COLOR or FORCE_COLOR, otherwise if it is a terminal.

    So do Python's own tools (Python, "Controlling color"). click, 8.1 to 8.5, reads neither variable.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("FORCE_COLOR"):
        return not os.environ.get("NO_COLOR")
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


FOLDER: Final = _Folder()
SITE_FOLDER: Final = _Folder(is_site=True)


class _SiteDir(click.Argument):
    """An optional argument that messages name without the brackets of the usage."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        return "'SITE_DIR'"


site_dir_argument = click.argument(
    "site_dir", cls=_SiteDir, metavar="[SITE_DIR]", required=False, type=SITE_FOLDER
)

clock_option = click.option(
    "--clock",
    type=click.Choice(["committer", "author"]),
    default="committer",
    show_default=True,
    help="Which of a commit's two dates to use.",
)
follow_renames_option = click.option(
    "--follow-renames", is_flag=True, help="Do not count a pure rename as a change."
)
site_url_option = click.option(
    "--base-url",
    metavar="URL",
    help="The URL of the deployed site; default: from its pages and sitemap.",
)


def read_ignore_revs(file: Path | None) -> frozenset[bytes]:
    """Return the commits listed in the ``--ignore-revs`` file, if there is one."""
    from docs_sitemap.git import read_ignored

    try:
        return read_ignored(file) if file else frozenset()
    except (OSError, ValueError) as problem:
        raise click.BadParameter(f"{file}: {problem}", param_hint="--ignore-revs") from None


def require(command: str, *modules: str) -> None:
    """Exit with code 2 and one line if a library is missing; it names the smallest extra that has all."""
    install = f'pip install "docs-sitemap[{"submit" if command.startswith("submit") else "check"}]"'
    for module in modules:
        if not _is_there(module):
            raise click.UsageError(f"docs-sitemap {command} needs {module.replace('.', '-')}: {install}")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):  # the parent package is missing, or None in sys.modules
        return False


def checked(option: str, value: object, check: Check) -> Any:
    """Return an option's normalized value; an error names the option, the expected and the given value."""
    from docs_sitemap.errors import OptionError
    from docs_sitemap.options import validation

    try:
        return validation.checked(option, value, check)
    except OptionError as problem:
        raise click.UsageError(str(problem)) from None


def read_base_url(base_url: str | None) -> str:
    """Return ``--base-url``, encoded and with a trailing ``/``; empty if it is not given."""
    from docs_sitemap.options import validation

    return "" if base_url is None else str(checked("--base-url", base_url, validation.base_url))


def some(names: Sequence[str]) -> str:
    """Return names for a message: the first ten, and how many more."""
    return ", ".join(map(shorten, names[:10])) + (f" and {len(names) - 10:,} more" if len(names) > 10 else "")


def check_writable(option: str, file: Path | None) -> None:
    """Refuse a file that an option names, if any, and that cannot be written."""
    problem = ""
    if file is None:
        return
    if not file.parent.is_dir():
        problem = f"directory {file.parent} does not exist"
    elif file.is_symlink():  # which a checkout may have, and lead anywhere
        problem = "it is a link; name the file that it leads to"
    elif file.exists() and not file.is_file():
        problem = "it is not a regular file"
    if problem:
        raise click.UsageError(f"{option}: cannot write {file}: {problem}.")


def write_file(option: str, file: Path, data: bytes) -> None:
    """Write the file that an option names, atomically; its folder must exist."""
    from docs_sitemap.errors import OutputError
    from docs_sitemap.files import OutputFolder

    check_writable(option, file)
    try:
        with OutputFolder(file.parent).changes() as changes:
            changes.write(file.name, data)
            changes.commit()
    except OutputError as problem:
        raise click.UsageError(f"{option}: {problem}") from None


def say(text: str) -> None:
    """Print a line of the result, on stdout; texts of a stranger in it are no command to any CI service."""
    click.echo(escape_control(text))


def note(text: str) -> None:
    """Print a message that is not part of the result, on stderr, as ``say`` does."""
    click.echo(told(text), err=True)


def told(text: str) -> str:
    """Return a message as it is printed: ``printable``, and without the user and password of a URL."""
    return _USER.sub("…@", escape_control(text))


def write_json(value: object) -> None:
    """Print a result in JSON; texts of a stranger in it are no command to any CI service."""
    import json

    click.echo(escape_json(json.dumps(value, indent=2)))


def write_stdout(data: bytes) -> None:
    """Write bytes unchanged: a text stream might not be able to encode them."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
