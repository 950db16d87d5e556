"""Finds files that a page names: snippets, templates, abbreviations, commands, modules of mkdocstrings."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from html import unescape
from itertools import chain
from typing import Any, Final

from docs_sitemap.dates.evidence.reads import Observer, Tell
from docs_sitemap.readers.files import read_text

# each repetition is limited or possessive, so that matching takes linear time
_QUOTED: Final = r"""["']([^"'\n]{1,500})["']"""
_SYNTAX: Final = (
    re.compile(rf"""^[ \t]*-{{1,}}8<-{{1,}}[ \t]+{_QUOTED}""", re.MULTILINE),
    re.compile(r"(?<!\\)\{[!*][+-]?>?[ \t]*([^\s{}!*|\[\]]{1,500}+)[^{}\n]{0,200}[!*]\}"),
    re.compile(rf"""(?<!\\)\{{[%!]-?[ \t]*include(?:-markdown)?[ \t]+{_QUOTED}"""),
    re.compile(rf"""^[ \t]*(?:```++|~~~++)[^`~\n]{{0,500}}?\b(?:file|path|src)={_QUOTED}""", re.MULTILINE),
)
"""Snippets; braces, as in markdown-include; tags, as in Jinja and include-markdown; options of fences."""

_MARKS: Final = ("8<", "{!", "{*", "include", "file=", "path=", "src=")
"""What is in each of them; searching for texts one by one is twenty times as fast as the expressions."""

_SHOWN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|\{%-?\s*raw\b.*?(?:\bendraw\s*-?%\}|\Z)|(?<!`)`[^`\n]+`(?!`)", re.DOTALL
)
"""Places where a page shows the syntax without including anything."""

_SECTION: Final = re.compile(r"(?<![\w,:-])([\w,-]*+):[\w,:-]*+$")
"""The end of a name before lines or a section of the file, as snippets name them, and these."""


def named_in(text: str) -> dict[str, str]:
    """Return the paths that a text includes, as written, each with the text that names it.

    >>> named_in('--8<-- "data/owls.txt:2:3"')
    {'data/owls.txt:2:3': '--8<-- "data/owls.txt:2:3"', 'data/owls.txt': '--8<-- "data/owls.txt:2:3"'}
    >>> [*named_in("{* ../src/app.py hl[1] *} and {! a.md !}")]
    ['../src/app.py', 'a.md']
    """
    found: dict[str, str] = {}
    if not any(mark in text for mark in _MARKS):  # most pages
        return found
    included = _SHOWN.sub("", text)
    for match in chain.from_iterable(syntax.finditer(included) for syntax in _SYNTAX):
        for name in (match[1].strip(), _without_section(match[1].strip())):
            found.setdefault(name, match[0].strip()[:100])
    return found


def _without_section(name: str) -> str:
    """Return a name from a snippet without the line numbers or section after it."""
    return _SECTION.sub(r"\1", name)


def places_of(name: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the absolute path of a name in each of the folders."""
    for folder in folders:
        yield os.path.normpath(os.path.join(folder, name))


_DEFINED: Final = re.compile(r"^[ ]{0,3}\*\[([^\]\n]+)\][ ]?:(.+)$", re.MULTILINE)
_ABBREVIATION: Final = re.compile(r'<abbr title="([^"]{0,2000})">([^<]{0,500})</abbr>')


class Appended:
    """The files that snippets appends to every page, with all that they include: ``files``, absolute paths.

    ``names`` are those in ``auto_append``, ``folders`` those in which snippets looks.
    """

    def __init__(self, names: Iterable[str], folders: Iterable[str]) -> None:
        self.files = _with_included(names, [*folders])
        self._defined_by = cache(_abbreviations_of)

    def explained(self, html: str, read: Iterable[str]) -> dict[str, str]:
        """Return those of the files read for a page that define an abbreviation on it, with the evidence."""
        appended = self.files.intersection(read) if "<abbr" in html else ()
        found = _ABBREVIATION.findall(html) if appended else ()
        shown = {(unescape(short), unescape(long)) for long, short in found}
        common = {name: min(shown & self._defined_by(name).items(), default=None) for name in appended}
        return {name: f"it defines the abbreviation {pair[0]}" for name, pair in common.items() if pair}


_LOADED: Final = re.compile(rf"""\{{%[+-]?\s*(?:extends|include|import|from)\s+{_QUOTED}""")
_COMMENT: Final = re.compile(r"\{#.*?(?:#\}|\Z)", re.DOTALL)


def templates_of(name: object, folder: str, theme: Collection[str]) -> dict[str, str]:
    """Return the templates of a page whose front matter names one, with the evidence: absolute paths.

    Those in the site's own ``folder`` count, but not what main.html loads, which makes other pages, nor what
    replaces a file of the ``theme``'s folders, which the theme also shows elsewhere. If these are not known,
    what the template loads does not count.
    """
    own = os.path.normpath(os.path.join(folder, name)) if isinstance(name, str) else ""
    if not os.path.isfile(own):  # most pages
        return {}
    found = _with_included([own], [folder], _loaded_by)
    names = [os.path.relpath(file, folder) for file in found]
    replaced = [each for each in names for place in theme if os.path.isfile(os.path.join(place, each))]
    others = _with_included(["main.html", *replaced], [folder], _loaded_by)
    if own in others:
        return {}
    how = "the template that its front matter names"
    loaded = sorted(found - others - {own}) if theme else ()
    return {own: f"it is {how}", **dict.fromkeys(loaded, f"{how} loads it")}


def _loaded_by(template: str) -> list[str]:
    """Return the names of the templates that a template extends, includes or imports."""
    return _LOADED.findall(_SHOWN.sub("", _COMMENT.sub("", template)))


def _with_included(
    names: Iterable[str], folders: list[str], find: Callable[[str], Iterable[str]] = named_in
) -> set[str]:
    """Return the files of these names, and recursively those that they name, as ``find`` does."""
    found: set[str] = set()
    wanted = {*names}
    while wanted:
        wanted |= {_without_section(name) for name in wanted}
        places = {place for name in wanted for place in places_of(name, folders)}
        places |= {base for base in folders if os.path.basename(base) in wanted}  # snippets accepts files
        new = {place for place in places - found if os.path.isfile(place)}
        found |= new
        wanted = {name for place in new for name in find(read_text(place))}
    return found


def _abbreviations_of(file: str) -> Mapping[str, str]:
    """Return the abbreviations that a file defines, with their meanings."""
    return {short.strip(): long.strip().strip("\"'") for short, long in _DEFINED.findall(read_text(file))}


def watch_mkdocs_click(observer: Observer, tell: Tell) -> None:
    """Report the module that a page names, and the file of each command that is shown (mkdocs-click 0.9).

    A command may load its subcommands in a context of its own, and remember it: nothing is asked of it here.
    """

    def loaded(command: Any, module: str, *_: object) -> None:
        if file := getattr(sys.modules.get(module), "__file__", None):
            tell(file, f"mkdocs-click shows a command of {module}")

    def shown(context: Any, *_: object) -> None:
        from docs_sitemap.dates.objects import file_of

        command = context.command
        if not command.hidden and (file := file_of(command.callback)):
            tell(file, f"mkdocs-click shows the command {command.name}")

    observer.watch(sys.modules.get("mkdocs_click._extension"), "load_command", loaded)
    observer.watch(sys.modules.get("mkdocs_click._docs"), "_build_command_context", shown)


def watch_mkautodoc(observer: Observer, tell: Tell) -> None:
    """Report the file of an object that is shown."""

    def imported(found: Any, name: str, *_: object) -> None:
        from docs_sitemap.dates.objects import file_of

        module = sys.modules.get(name.rpartition(".")[0])
        if file := file_of(found) or getattr(module, "__file__", None):
            tell(file, f"mkautodoc shows {name}")

    observer.watch(sys.modules.get("mkautodoc.extension"), "import_from_string", imported)


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
        self._inherited: dict[str, Mapping[str, Any]] = {}

    def files(self, name: str) -> list[str]:
        """Return the files of an object; empty if the name is only a heading's."""
        with suppress(Exception):  # griffe raises many errors for broken aliases
            return _files_of(self._find(name))
        return []

    def _find(self, name: str) -> Any:
        first, *rest = name.split(".")
        found = self._handler._modules_collection.members.get(first)
        for part in rest:
            if found is None:
                return None
            owner = found.final_target if found.is_alias else found
            found = owner.members.get(part)
            if found is None and owner.is_class:
                if owner.path not in self._inherited:
                    self._inherited[owner.path] = owner.inherited_members
                found = self._inherited[owner.path].get(part)
        return found
