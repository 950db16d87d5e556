"""Watches mkdocs-macros (1.0 to 1.5): the templates that Jinja loads for a page, and the data files it uses.

Jinja caches loaded templates, so that only the first page reads the file. Data files of
``include_yaml`` are read at the start of a build; pages use them by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from docs_sitemap.brief import text_of
from docs_sitemap.dates.evidence.observing import Observer, Tell
from docs_sitemap.limits import MAX_DATA
from docs_sitemap.untrusted import read_plain, read_yaml


def watch_macros(plugin: Any, observer: Observer, tell: Tell) -> None:
    """Report each template that a page includes or imports, and each data file whose names it uses."""
    environment = getattr(plugin, "_env", None)
    if environment is None:
        return
    data = _data_files(plugin)

    used: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()  # while Jinja itself keeps the template

    def loaded(template: Any, *_: object) -> None:
        if template.filename:
            tell(os.path.abspath(template.filename), f"macros includes {template.name}")
            if data and template not in used:
                source = environment.loader.get_source(environment, template.name)[0]
                used[template] = _variables(environment, source, with_macros=False) & data.keys()
            show(used.get(template, set()))

    def named(_: object, source: str, *__: object) -> None:
        show(_variables(environment, source, with_macros=True) & data.keys())

    def show(names: set[str]) -> None:
        own = getattr(getattr(plugin, "page", None), "meta", None) or {}  # a page's own variables win
        for name in names - own.keys():
            for path in data[name]:
                tell(path, f"macros provides it as {name}")

    observer.watch(environment, "get_template", loaded)
    observer.watch(environment, "select_template", loaded)
    if data:
        observer.watch(environment, "from_string", named)


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
    for item in value.items() if isinstance(value, Mapping) else value or ():
        pairs = (
            item.items() if isinstance(item, Mapping) else [item if isinstance(item, tuple) else ("", item)]
        )
        yield from ((text_of(name), text_of(file)) for name, file in pairs)


def _content(path: str) -> Any:
    try:
        return read_yaml(read_plain(path, MAX_DATA).decode("utf-8"))
    except (OSError, ValueError):
        return None
