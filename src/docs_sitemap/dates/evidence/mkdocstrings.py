"""Watches mkdocstrings (0.24 to 1.0) with its Python handler: the modules of the objects that it renders.

It reads whole packages to show one object. The page shows the rendered object, and each object whose
anchor is in the rendered HTML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from docs_sitemap.dates.evidence.observing import Observer, Tell

_ANCHOR: Final = re.compile(r'\sid="(\w+\.[\w.]+)"')
"""Matches only objects below a package: a heading may have the same name as the package itself."""


def watch_mkdocstrings(plugin: Any, observer: Observer, tell: Tell) -> None:
    """Report the file of each object that is rendered, wherever it is defined."""

    def watch_handler(handler: Any, *_: object) -> None:
        observer.watch(handler, "render", partial(rendered, _Objects(handler)))

    def rendered(objects: _Objects, html: str, data: Any, *_: object) -> None:
        for path in _files_of(data):
            tell(path, f"mkdocstrings shows {getattr(data, 'path', 'an object')} from it")
        for name in dict.fromkeys(_ANCHOR.findall(html)):
            for path in objects.files(name):
                tell(path, f"mkdocstrings shows {name} from it")

    with suppress(Exception):  # a disabled plugin has no handlers
        observer.watch(plugin.handlers, "get_handler", watch_handler)
        for handler in plugin.handlers.seen_handlers:
            watch_handler(handler)


def _files_of(found: Any) -> list[str]:
    """Return the file of an object, or the files of a namespace package; empty for anything else."""
    with suppress(Exception):
        paths = (found.final_target if found.is_alias else found).filepath
        return [str(path) for path in (paths if isinstance(paths, list) else [paths])]
    return []


class _Objects:
    """The objects that a handler has collected so far; only Python's handler has any.

    Names are looked up part by part, because griffe's own lookup computes all inherited members each time.
    """

    def __init__(self, handler: Any) -> None:
        self._handler = handler
        self._files: dict[str, list[str]] = {}
        self._inherited: dict[str, Mapping[str, Any]] = {}

    def files(self, name: str) -> list[str]:
        """Return the files of an object; empty if the name is only a heading's."""
        if not self._files.get(name):  # it may have been collected since
            with suppress(Exception):  # griffe raises many errors for broken aliases
                self._files[name] = _files_of(self._find(name))
        return self._files.get(name, [])

    def _find(self, name: str) -> Any:
        first, *rest = name.split(".")
        found = self._handler._modules_collection.members.get(first)
        for part in rest:
            if found is None:
                return None
            within = found.final_target if found.is_alias else found
            found = within.members.get(part)
            if found is None and within.is_class:
                found = self._inherited_by(within).get(part)
        return found

    def _inherited_by(self, owner: Any) -> Mapping[str, Any]:
        if owner.path not in self._inherited:
            self._inherited[owner.path] = owner.inherited_members
        return self._inherited[owner.path]
