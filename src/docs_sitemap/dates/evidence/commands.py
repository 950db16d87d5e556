"""Watches mkdocs-click (0.8, 0.9) and mkautodoc (0.2): finds the files of the objects that they show."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from docs_sitemap.dates.evidence.observing import Observer, Tell


def watch_mkdocs_click(observer: Observer, tell: Tell) -> None:
    """Report the files of a command that is shown, and of all its subcommands."""

    def loaded(command: Any, module: str, *_: object) -> None:
        if file := getattr(sys.modules.get(module), "__file__", None):
            tell(file, f"mkdocs-click shows a command of {module}")
        for each in _with_subcommands(command):
            if file := _file_of(getattr(each, "callback", None)):
                tell(file, f"mkdocs-click shows the command {getattr(each, 'name', '')}")

    observer.watch(sys.modules.get("mkdocs_click._extension"), "load_command", loaded)


def watch_mkautodoc(observer: Observer, tell: Tell) -> None:
    """Report the file of an object that is shown."""

    def imported(found: Any, name: str, *_: object) -> None:
        module = sys.modules.get(name.rpartition(".")[0])
        if file := _file_of(found) or getattr(module, "__file__", None):
            tell(file, f"mkautodoc shows {name}")

    observer.watch(sys.modules.get("mkautodoc.extension"), "import_from_string", imported)


def _with_subcommands(command: Any) -> Iterator[Any]:
    """Yield a command and all its subcommands, including those that a group loads on demand."""
    yield command
    if not hasattr(command, "list_commands"):
        return
    with suppress(Exception):  # the site's own code may raise anything
        import click

        context = click.Context(command)
        names = command.list_commands(context)
        below = [command.get_command(context, name) for name in names]
        for each in below:
            if each is not None and not each.hidden:
                yield from _with_subcommands(each)


def _file_of(found: object) -> str | None:
    """Return the file of a function or of a class's methods; ``__module__`` may be changed for display."""
    members: Iterable[object] = (found,)
    if isinstance(found, type):  # a class without methods is assumed to be in the file of its base classes
        members = [member for base in found.__mro__[:-1] for member in vars(base).values()]
    functions = (inspect.unwrap(member) for member in members if callable(member))
    codes = (getattr(function, "__code__", None) for function in functions)
    path = next((code.co_filename for code in codes if code is not None), None)
    home = sys.modules.get(getattr(found, "__module__", None) or "")
    return path or getattr(home, "__file__", None)
