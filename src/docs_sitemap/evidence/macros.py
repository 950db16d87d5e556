"""mkdocs-macros (1.0 to 1.5): the templates that Jinja loads for a page, and the data files that it names.

Jinja keeps a template that it has loaded, so that only the first page reads the file. Data files of
``include_yaml`` are read at the start of a build; the names that they give to pages are known.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from docs_sitemap.evidence.observing import Observer, Tell


def watch_macros(plugin: Any, observer: Observer, tell: Tell) -> None:
    """Tell each template that a page includes or imports, and each data file of whose names it has one."""
    environment = getattr(plugin, "_env", None)
    if environment is None:
        return
    data = _data_files(plugin)

    def loaded(template: Any, *_: object) -> None:
        if template.filename:
            tell(os.path.abspath(template.filename), f"macros includes {template.name}")
            if data:
                named(None, environment.loader.get_source(environment, template.name)[0])

    def named(_: object, source: str, *__: object) -> None:
        for name in _variables(environment, source) & data.keys():
            for path in data[name]:
                tell(path, f"macros has it as {name}")

    observer.watch(environment, "get_template", loaded)
    observer.watch(environment, "select_template", loaded)
    if data:
        observer.watch(environment, "from_string", named)


def _variables(environment: Any, source: str) -> set[str]:
    """Return the names that a template takes from outside, as Jinja itself finds them."""
    from jinja2 import meta

    return meta.find_undeclared_variables(environment.parse(source))


def _data_files(plugin: Any) -> Mapping[str, set[str]]:
    """Return the data files by the names that pages know them by."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, file in _said(plugin.config.get("include_yaml")):
        path = os.path.join(getattr(plugin, "project_dir", ""), file)
        for each in [name] if name else _keys(path):
            found[each].add(os.path.abspath(path))
    return found


def _said(value: Any) -> Iterator[tuple[str, str]]:
    """Yield name and file of each; those without a name give all their keys."""
    for item in value.items() if isinstance(value, Mapping) else value or ():
        pairs = (
            item.items() if isinstance(item, Mapping) else [item if isinstance(item, tuple) else ("", item)]
        )
        yield from ((str(name), str(file)) for name, file in pairs)


def _keys(path: str) -> list[str]:
    import yaml

    with suppress(OSError, ValueError, yaml.YAMLError), open(path, encoding="utf-8") as stream:
        value = yaml.safe_load(stream)
        return [str(name) for name in value] if isinstance(value, Mapping) else []
    return []
