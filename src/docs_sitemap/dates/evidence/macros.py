"""Watches mkdocs-macros (1.0 to 1.5) and Zensical's own macros (0.0.73 to 0.1): templates and data files.

Jinja caches the templates that it loads for mkdocs-macros, so that only the first page reads the file. Data
files of ``include_yaml`` are read for no page or for all; pages use them by name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from docs_sitemap.dates.evidence.reads import Observer, See, Tell
from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.readers.data import read_yaml
from docs_sitemap.readers.files import read_plain
from docs_sitemap.text import text_of


def watch_macros(plugin: Any, observer: Observer, tell: Tell) -> None:
    """Report each template that a page includes or imports, and each data file whose names it uses."""
    if environment := getattr(plugin, "_env", None):
        uses = _Uses(plugin, tell)
        _watch(
            environment,
            observer,
            lambda found, *_: uses.loaded(environment, found),
            lambda _, text, *__: uses.named(environment, text),
        )


def watch_zensical_macros(plugin: Any, observer: Observer, tell: Tell) -> None:
    """Report the same for Zensical, which makes a new environment for each page.

    ``plugin`` has ``config``, ``project_dir`` and ``page`` like that of MkDocs.
    """
    uses = _Uses(plugin, tell)

    def loaded(found: Any, environment: Any, *_: object) -> None:
        if _is_of_zensical(environment):
            uses.loaded(environment, found)

    def named(_: object, environment: Any, text: str, *__: object) -> None:
        if _is_of_zensical(environment):
            uses.named(environment, text)

    _watch(getattr(sys.modules.get("jinja2"), "Environment", None), observer, loaded, named)


def _watch(environment: Any, observer: Observer, loaded: See, named: See) -> None:
    observer.watch(environment, "get_template", loaded)
    observer.watch(environment, "select_template", loaded)
    observer.watch(environment, "from_string", named)


def _is_of_zensical(environment: Any) -> bool:
    load = getattr(environment.loader, "load_func", None)
    return getattr(load, "__module__", "") == "zensical.extensions.macros"


class _Uses:
    """Reports what the pages of a plugin use; ``data`` has its data files by the names in pages."""

    def __init__(self, plugin: Any, tell: Tell) -> None:
        self.data = _data_files(plugin)
        self._plugin = plugin
        self._tell = tell

    def loaded(self, environment: Any, template: Any) -> None:
        """Report a template that a page includes or imports, and the data files whose names it uses."""
        if template.filename:
            self._tell(os.path.abspath(template.filename), f"macros includes {template.name}")
            if self.data:
                text = environment.loader.get_source(environment, template.name)[0]
                self._show(_variables(environment, text, with_macros=False))

    def named(self, environment: Any, text: str) -> None:
        """Report the data files whose names a page uses."""
        if self.data:
            self._show(_variables(environment, text, with_macros=True))

    def _show(self, names: set[str]) -> None:
        own = getattr(getattr(self._plugin, "page", None), "meta", None) or {}  # a page's own variables win
        for name in (names & self.data.keys()) - own.keys():
            for path in self.data[name]:
                self._tell(path, f"macros provides it as {name}")


def _variables(environment: Any, source: str, *, with_macros: bool) -> set[str]:
    """Return the names of a template's undeclared variables, as Jinja itself finds them.

    The macros of an included template are left out: they may never be called.
    """
    from jinja2 import meta, nodes

    tree = environment.parse(source)
    for macro in () if with_macros else tree.find_all(nodes.Macro):
        macro.body = []
    return meta.find_undeclared_variables(tree)


def _data_files(plugin: Any) -> Mapping[str, list[str]]:
    """Return the data files by the names that pages use for them.

    If two have the same name, the last one wins, unless both are mappings: then both are used.
    """
    found: dict[str, list[str]] = {}
    for name, file in _names_and_files(plugin.config.get("include_yaml")):
        path = os.path.abspath(os.path.join(getattr(plugin, "project_dir", ""), file))
        if name and name not in found:  # whatever is in it; reading YAML is slow
            found[name] = [path]
            continue
        content = _content(path)
        values = {name: content} if name else content if isinstance(content, Mapping) else {}
        for each, value in values.items():
            before = found.get(text_of(each), []) if isinstance(value, Mapping) else []
            found[text_of(each)] = [*before, path]
    return found


def _names_and_files(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the name and file of each item of ``include_yaml``; the name is empty for all keys of a file."""
    for item in [value] if isinstance(value, Mapping) else value or ():
        pairs = item.items() if isinstance(item, Mapping) else [("", item)]
        yield from ((text_of(name), text_of(file)) for name, file in pairs)


def _content(path: str) -> Any:
    try:
        return read_yaml(read_plain(path, MAX_TEXT).decode("utf-8"))
    except (OSError, ValueError):
        return None
