"""Which modules a page documents: by mkdocstrings, which reads whole packages for that, or by import.

Known from the page: the objects that it asks for (``::: package.module``), and the anchors of all that
are shown. Where they are written, mkdocstrings' own collection of modules knows (mkdocstrings 0.24 to
1.0, with its Python handler); else, as for mkautodoc and mkdocs-click, the modules that were imported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

_ASKED: Final = re.compile(r"^[ \t]*:::[ \t]+([\w.]+)[ \t]*$", re.MULTILINE)
_OF_COMMANDS: Final = re.compile(r"^[ \t]*:module:[ \t]*([\w.]+)[ \t]*$", re.MULTILINE)
_ANCHOR: Final = re.compile(r'\sid="(\w+\.[\w.]+)"')
"""Objects below a package: a heading may be called like the package itself."""


def shown_modules(plugins: Mapping[str, Any], markdown: str, html: str) -> set[str]:
    """Return the absolute paths of the files whose objects a page shows."""
    asked = _ASKED.findall(markdown)
    if "::: mkdocs-click" in markdown:
        asked += _OF_COMMANDS.findall(markdown)
    if not asked:
        return set()
    collections = list(_collections(plugins))
    names = {*asked, *(_ANCHOR.findall(html) if collections else ())}
    found = {path for name in names for modules in collections for path in _paths(modules, name)}
    return found | {path for name in asked for path in _imported(name) if not found}


def _collections(plugins: Mapping[str, Any]) -> Iterator[Any]:
    with suppress(Exception):  # another plugin's own affairs
        for handler in plugins["mkdocstrings"].handlers.seen_handlers:
            modules = getattr(handler, "_modules_collection", None)
            if modules is not None:
                yield modules


def _paths(modules: Any, name: str) -> Iterable[str]:
    """Return the file of an object, or the files of a namespace package; none of what is no object."""
    with suppress(Exception):  # griffe has one for each way in which an alias leads nowhere
        found = _find(modules, name)
        paths = found.filepath if found is not None else []
        return map(str, paths) if isinstance(paths, list) else [str(paths)]
    return []


def _find(modules: Any, name: str) -> Any:
    """Return an object where it is defined, or ``None``.

    A step at a time, because griffe's own look-up works out all inherited members at each step.
    """
    first, *rest = name.split(".")
    found = modules.members.get(first)
    for part in rest:
        if found is None:
            return None
        within = found.final_target if found.is_alias else found
        found = within.members.get(part)
        if found is None and within.is_class:
            found = within.inherited_members.get(part)
    return found.final_target if found is not None and found.is_alias else found


def _imported(name: str) -> Iterable[str]:
    """Return the file that an object is from, if its module was imported; nothing is imported for that."""
    parts = name.split(".")
    for number in range(len(parts), 0, -1):
        module = sys.modules.get(".".join(parts[:number]))
        if module is not None:
            found: object = module
            for part in parts[number:]:
                found = getattr(found, "__dict__", {}).get(part)
            path = _file_of(found) or getattr(module, "__file__", None)
            return [path] if found is not None and path else []
    return []


def _file_of(found: object) -> str | None:
    """Return the file of a function's code, or of a method's; ``__module__`` may be made up for readers."""
    members: Iterable[object] = (found,)
    if isinstance(found, type):  # a class without methods is taken to stand beside those that it extends
        members = [member for base in found.__mro__[:-1] for member in vars(base).values()]
    codes = (getattr(member, "__code__", None) for member in members)
    path = next((code.co_filename for code in codes if code is not None), None)
    home = sys.modules.get(getattr(found, "__module__", None) or "")
    return path or getattr(home, "__file__", None)
