"""Finds the file in which a Python object is written.

Its code tells, where it has any: packages change ``__module__`` so that documentation shows a shorter name.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from contextlib import suppress
from functools import cache
from types import ModuleType
from typing import Any, Final

from docs_sitemap.readers.files import read_text


def files_of_name(name: str, *, inherits: bool = True) -> set[str]:
    """Return the files of the text that documentation shows of an imported object, by its dotted name.

    An inherited member is in the file of its class. So is the docstring of a member without one, if
    documentation ``inherits`` it. Empty if the name or the file is unknown, as for a module in C.
    """
    files: list[str | None] = []
    with suppress(Exception):  # a module's or a class's own __getattr__ may raise anything
        owner, member, found = _look_up(name)
        if not isinstance(owner, type):
            files.append(file_of(found) or _file_that_defines(owner, member, found))
        else:
            own = [(base, vars(base).get(member)) for base in owner.__mro__ if _has(base, member)]
            files.append(file_of(found) or file_of(own[0][0]))
            if inherits and getattr(found, "__doc__", None) is None:
                described = [pair for pair in own if getattr(pair[1], "__doc__", None)][:1]
                files += [file_of(each) or file_of(base) for base, each in described]
    return {os.path.abspath(file) for file in files if file and os.path.isfile(file)}


def _look_up(name: str) -> tuple[Any, str, Any]:
    """Return the module or class that has an object, the object's own name, and the object itself.

    A member of a class is taken as it is stored. Raises an error for names that are not loaded.
    """
    parts = name.split(".")
    end = next(end for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in sys.modules)
    owner: Any = None
    found: Any = sys.modules[".".join(parts[:end])]
    for part in parts[end:]:
        look = inspect.getattr_static if isinstance(found, type) else getattr
        owner, found = found, look(found, part)
    return owner, parts[-1], found


def _has(base: type, member: str) -> bool:
    return member in vars(base) or member in vars(base).get("__annotations__", ())


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
    for member in vars(found).values():
        function = _function(member)
        if getattr(function, "__qualname__", "").startswith(f"{found.__qualname__}."):
            path = getattr(getattr(function, "__code__", None), "co_filename", "")
            if os.path.isfile(path):  # not in code that dataclasses and attrs make
                return path
    module = sys.modules.get(found.__module__)
    return _file_that_defines(module, found.__qualname__.partition(".")[0], found) if module else None


def _file_that_defines(module: ModuleType, name: str, found: object) -> str | None:
    """Return the file of the only module with an object of this name that its own text defines."""
    package = module.__name__.partition(".")[0]
    loaded = [each for key, each in [*sys.modules.items()] if key.partition(".")[0] == package]
    homes = [each for each in loaded if name in vars(each) and vars(each)[name] is found]
    paths = {getattr(each, "__file__", None) or "" for each in (module, *homes)}
    files = [path for path in paths if name in _defined_names(path)]
    return files[0] if len(files) == 1 else None


_DEFINITION: Final = re.compile(
    r"^(?:(?:async[ ]+)?(?:def|class)[ ]+(\w+)|(\w+)[ ]*(?::[^=\n]*)?=(?!=))", re.MULTILINE
)


@cache
def _defined_names(file: str) -> frozenset[str]:
    """Return the names that a module's text defines at its top level."""
    return frozenset(one or other for one, other in _DEFINITION.findall(read_text(file)))
