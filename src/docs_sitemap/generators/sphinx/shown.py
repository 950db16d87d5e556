"""Records in which files the Python objects are that a document shows, while their modules are loaded.

autodoc (Sphinx 7.2 to 9.1) goes by the names of modules: it records the subclass's module for an inherited
property, which has no ``__module__``, and the public package for an object with a changed one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from sphinx.util import logging

from docs_sitemap.readers.files import read_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_logger = logging.getLogger(__name__)

DOCSTRING: Final = ":docstring of "
"""Follows the file name in autodoc's record of a node's origin, before the name of the object."""

# sphinx-click (6.1) records neither the module nor the command that its directive names
_CLICK: Final = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+click::|[`:]{3,}\{click\})[ \t]+([\w.]+):(\w+)((?:\n[ \t]*:[\w-]+:.*)*)",
    re.MULTILINE,
)


def note_shown(app: Sphinx, doctree: nodes.document) -> None:
    """Store the files of the objects in a document that was just read, for builds that read few documents."""
    if "sphinx.ext.autodoc" not in app.extensions:  # sphinx-click needs it, too
        return
    from docs_sitemap.dates.objects import files_of_name

    env = app.env
    found = {}
    inherits = app.config.autodoc_inherit_docstrings
    for name in {origin.partition(DOCSTRING)[2] for origin in origins_in(doctree) if DOCSTRING in origin}:
        if files := files_of_name(name, inherits=inherits):
            found[name] = files
    if "sphinx_click" in app.extensions:
        found |= dict(_commands(str(env.doc2path(env.docname))))
    if found:
        _stored(env)[env.docname] = found


def forget_shown(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a document that is read again or gone."""
    _stored(env).pop(docname, None)


def merge_shown(app: Sphinx, env: BuildEnvironment, docnames: Set[str], other: BuildEnvironment) -> None:
    """Take over what another process has read."""
    _stored(env).update({name: files for name, files in _stored(other).items() if name in docnames})


def shown_in(env: BuildEnvironment, docname: str) -> Mapping[str, set[str]]:
    """Return the files of the objects that a document shows, by the objects' names."""
    return _stored(env).get(docname, {})


def _stored(env: Any) -> dict[str, dict[str, set[str]]]:
    if not hasattr(env, "docs_sitemap_shown"):
        env.docs_sitemap_shown = {}
    found: dict[str, dict[str, set[str]]] = env.docs_sitemap_shown
    return found


def origins_in(doctree: nodes.Element) -> set[str]:
    """Return the origins of a document's nodes: those of directives, and those of their texts."""
    found = doctree.findall(nodes.Element)
    return {str(origin) for node in found for origin in (node.source, node.get("source")) if origin}


def _commands(file: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the files of the commands that a document's directives show by sphinx-click."""
    from docs_sitemap.dates.objects import file_of

    for module, name, options in _CLICK.findall(read_text(file)):
        command = getattr(sys.modules.get(module), name, None)
        if command is None:
            continue
        try:
            every = [command] if ":nested: none" in options else [*_with_subcommands(command)]
        except Exception as problem:  # the site's own code may raise anything
            _logger.verbose("docs-sitemap: not seen: subcommands of %s:%s: %r", module, name, problem)
            every = [command]
        files = {file_of(getattr(each, "callback", None)) for each in every}
        yield f"{module}:{name}", {each for each in files if each}


def _with_subcommands(command: Any, parent: Any = None) -> Iterator[Any]:
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
                yield from _with_subcommands(each, context)
