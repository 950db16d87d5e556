"""mkdocstrings (0.24 to 1.0) with its Python handler: the modules of the objects that it renders.

It reads whole packages to show one object. What shows is the object that was rendered, and each one whose
anchor stands in the HTML that was rendered for it.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import Any, Final

from docs_sitemap.evidence.observing import Observer, Tell

_ANCHOR: Final = re.compile(r'\sid="(\w+\.[\w.]+)"')
"""Objects below a package: a heading may be called like the package itself."""


def watch_mkdocstrings(plugin: Any, observer: Observer, tell: Tell) -> None:
    """Tell the file of each object that is rendered, wherever it is defined."""

    def watch_handler(handler: Any, *_: object) -> None:
        observer.watch(handler, "render", partial(rendered, handler, {}))

    def rendered(handler: Any, known: dict[str, list[str]], html: str, data: Any, *_: object) -> None:
        for path in _files_of(data):
            tell(path, f"mkdocstrings shows {getattr(data, 'path', 'an object')} of it")
        modules = getattr(handler, "_modules_collection", None)  # the Python handler's
        for name in set(_ANCHOR.findall(html)) if modules is not None else ():
            paths = known.get(name) or _paths(modules, name)
            known[name] = paths
            for path in paths:
                tell(path, f"mkdocstrings shows {name} of it")

    with suppress(Exception):  # a plugin that is switched off has no handlers
        observer.watch(plugin.handlers, "get_handler", watch_handler)
        for handler in plugin.handlers.seen_handlers:
            watch_handler(handler)


def _paths(modules: Any, name: str) -> list[str]:
    with suppress(Exception):  # griffe has an error for each way in which an alias leads nowhere
        return _files_of(_find(modules, name))
    return []


def _files_of(found: Any) -> list[str]:
    """Return the file of an object, or the files of a namespace package; none of what is no object."""
    with suppress(Exception):
        paths = (found.final_target if found.is_alias else found).filepath
        return [str(path) for path in (paths if isinstance(paths, list) else [paths])]
    return []


def _find(modules: Any, name: str) -> Any:
    """Return an object by its path, or ``None``.

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
    return found
