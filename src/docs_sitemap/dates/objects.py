"""Finds the file in which a Python object is written.

Its code tells, where it has any: packages change ``__module__`` so that documentation shows a shorter name.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import Any, Final

from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.readers import read_start

_MISSING: Final = object()


def files_of_name(name: str, *, inherits: bool = True) -> set[str]:
    """Return the files of the text that documentation shows of an imported object, by its dotted name.

    An inherited member is in the file of its class. So is the docstring of a member without one, if
    documentation ``inherits`` it. Empty if the name or the file is unknown, as for a module in C.
    """
    with suppress(Exception):  # a module's or a class's own __getattr__ may raise anything
        owner: Any = None
        found: Any
        found, rest = _module_of(name)
        for part in rest:
            look = inspect.getattr_static if isinstance(found, type) else getattr
            owner, found = found, look(found, part)
        if owner is None:
            return _existing(file_of(found))
        member = rest[-1]
        if not isinstance(owner, type):
            return _existing(file_of(found) or _file_that_defines(owner, member, found))
        owners = [
            base
            for base in owner.__mro__
            if member in vars(base) or member in vars(base).get("__annotations__", ())
        ]
        files = _existing(file_of(found) or file_of(owners[0]))
        if inherits and getattr(found, "__doc__", None) is None:
            for base in owners:
                if getattr(vars(base).get(member), "__doc__", None):
                    return files | _existing(file_of(vars(base)[member]) or file_of(base))
        return files
    return set()


def file_of(found: object) -> str | None:
    """Return the file of a function, method, property or class; ``None`` if its code does not tell."""
    if isinstance(found, ModuleType):
        return getattr(found, "__file__", None)
    if isinstance(found, type):
        return _file_of_class(found)
    code = getattr(_function(found), "__code__", None)
    return getattr(code, "co_filename", None)


def _function(found: Any) -> Any:
    """Return the function in a property, a method, a partial object or a wrapper."""
    for name in ("fget", "func", "__func__"):
        if (inner := getattr(found, name, None)) is not None:
            return _function(inner)
    return inspect.unwrap(found) if callable(found) else found


def _file_of_class(found: type) -> str | None:
    """Return the file of a class: that of its own functions, or the one that defines its name."""
    prefix = f"{found.__qualname__}."
    for member in vars(found).values():
        function = _function(member)
        if getattr(function, "__qualname__", "").startswith(prefix):
            path = getattr(getattr(function, "__code__", None), "co_filename", "")
            if os.path.isfile(path):  # not in code that dataclasses and attrs make
                return path
    module = sys.modules.get(found.__module__)
    return _file_that_defines(module, found.__qualname__.partition(".")[0], found) if module else None


def _file_that_defines(module: ModuleType, name: str, found: object) -> str | None:
    """Return the file of the only module with an object of this name that its own text defines."""
    package = module.__name__.partition(".")[0]
    there = [module, *(each for key, each in [*sys.modules.items()] if key.partition(".")[0] == package)]
    homes = [each for each in there if vars(each).get(name, _MISSING) is found or each is module]
    paths = {getattr(each, "__file__", None) or "" for each in homes}
    files = [path for path in paths if name in _defined_names(path)]
    return files[0] if len(files) == 1 else None


_DEFINITION: Final = re.compile(
    r"^(?:(?:async[ ]+)?(?:def|class)[ ]+(\w+)|(\w+)[ ]*(?::[^=\n]*)?=(?!=))", re.MULTILINE
)


@cache
def _defined_names(file: str) -> frozenset[str]:
    """Return the names that a module's text defines at its top level."""
    try:
        text = read_start(file, MAX_TEXT).decode("utf-8", "replace")
    except (OSError, ValueError):
        return frozenset()
    return frozenset(one or other for one, other in _DEFINITION.findall(text))


def _module_of(name: str) -> tuple[ModuleType, list[str]]:
    """Return the loaded module of a dotted name, and the names below it. Raises ``KeyError``."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        if (module := sys.modules.get(".".join(parts[:end]))) is not None:
            return module, parts[end:]
    raise KeyError(name)


def _existing(path: str | None) -> set[str]:
    return {os.path.abspath(path)} if path and os.path.isfile(path) else set()


def with_subcommands(command: Any, parent: Any = None) -> Iterator[Any]:
    """Yield a click command and all its visible subcommands, as sphinx-click asks for them.

    Raises whatever the site's own commands raise.
    """
    from click import Context

    yield command
    if hasattr(command, "list_commands"):
        context = Context(command, info_name=command.name, parent=parent)
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            if each is not None and not each.hidden:
                yield from with_subcommands(each, context)
