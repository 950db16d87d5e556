"""What a document of Sphinx is made of, by a search of its own.

Takes nothing from the package that is judged. Looks where the nodes of the document come from, as docutils
and autodoc say, and what the text of its source names: a file, an object of Python. An
installed module is the file of the repository with the same path in the package and the same bytes.
What Sphinx notes as dependencies counts as well.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property
from importlib.metadata import distributions
from inspect import isclass, isroutine, unwrap
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from docutils import nodes

from benchmarks.sphinx_inventory import read_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_DIRECTIVE = re.compile(
    r"^[ \t>]*(?:\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:.-]+?)::|(?:`{3,}|:{3,}|~{3,})[ \t]*\{([\w:.-]+)\})"
    r"[ \t]*(.*)$",
    re.MULTILINE,
)
_OPTION = re.compile(r"^[ \t>]+:([\w-]+):[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_SUMMARY = re.compile(r"^([ \t]*)\.\. autosummary::.*\n((?:\1[ \t]+.*\n|[ \t]*\n)*)", re.MULTILINE)
_SCRIPT = re.compile(r'EDIT THE SOURCE PYTHON FILE:\n\.\. "(.+)"')
_DOCSTRING = re.compile(r"^(?:(.*):)?docstring of (\S+)$")
_MODULES = ("module", "currentmodule", "automodule", "py:module", "py:currentmodule")
_NO_TEXT = ("image", "figure", "toctree", "thumbnail", "code-block", "code", "sourcecode")
_PICTURES = re.compile(r".*\.(?:png|svg|jpe?g|gif|webp|ico|pdf|zip|whl|mp4|webm)", re.IGNORECASE)
_LINKS = ("link", "target", "class", "name", "alt", "image", "caption", "header", "title")


class Parts:
    """The files of each document of a build."""

    def __init__(self, app: Sphinx) -> None:
        self._app = app
        self._env = app.builder.env
        self._repository = _Repository(Path(app.confdir))
        self._documented: defaultdict[str, set[str]] = defaultdict(set)
        for name, entry in self._env.get_domain("py").data["objects"].items():
            self._documented[entry.docname].add(name)

    def of(self, name: str) -> list[str]:
        """Return the files that make a document, its source first; none where nobody can tell.

        What Sphinx notes as dependencies counts, but what configures all documents, and images.
        """
        source = Path(self._env.doc2path(name))
        named = self._named(name, source)
        configured = self._configured(name) - named
        found = named | (self._origins(name) - configured)
        noted = {self._path(file) for file in self._env.dependencies.get(name, ())}
        found |= {file for file in noted if file.name != "docutils.conf"} - configured - self._shown(name)
        is_written = self._repository.has(source)
        made = set() if is_written else self._made_from(name, source)
        originals = {file: self._repository.original(file) for file in found | made}
        if not (is_written or made) or any(map(self._repository.is_other, originals)):
            return []
        files = {file for file in originals.values() if file} - {source}
        return [*([str(source)] if is_written else []), *sorted(map(str, files))]

    def _shown(self, name: str) -> set[Path]:
        """Return the images and downloads of a document."""
        files: Any = [*self._env.images.items(), *self._env.dlfiles.items()]
        return {self._path(file) for file, (names, _) in files if name in names}

    def _path(self, name: str | os.PathLike[str]) -> Path:
        return Path(os.path.normpath(self._app.srcdir / Path(name)))

    def _origins(self, name: str) -> set[Path]:
        """Return the files that the nodes of a document come from."""
        found: set[Path] = set()
        for node in self._env.get_doctree(name).findall(nodes.Element):
            for origin in {str(node.source or ""), str(node.get("source") or "")}:
                match = _DOCSTRING.match(origin)
                found |= _files_of(match[2]) if match else set()
                file = match[1] if match else origin
                if file and os.path.isfile(path := os.path.join(self._app.srcdir, file)):
                    found.add(Path(os.path.normpath(path)))
        return found

    def _named(self, name: str, file: Path) -> set[Path]:
        """Return the files that the text of a document names, and the text of these."""
        found: set[Path] = set()
        new = {file}
        while new:
            found |= new
            new = {more for one in new if one.suffix != ".py" for more in self._named_in(name, one)} - found
        return found - {file}

    def _named_in(self, name: str, file: Path) -> Iterator[Path]:
        text = read_text(file)
        directives = [(match[1] or match[2], match[3].strip()) for match in _DIRECTIVE.finditer(text)]
        modules = ["", *(argument for directive, argument in directives if directive in _MODULES)]
        for directive, argument in directives:
            if directive not in _NO_TEXT:
                yield from self._places(name, file, argument)
            if directive.startswith("auto") and argument:
                yield from (found for module in modules for found in _files_of(f"{module}.{argument}"))
        for option, value in _OPTION.findall(text):
            if option not in _LINKS:
                yield from self._places(name, file, value)
            if option == "module":
                yield from _files_of(value)
        for item in (item for match in _SUMMARY.finditer(text) for item in match[2].split()):
            yield from (found for module in modules for found in _files_of(f"{module}.{item.lstrip('~!')}"))

    def _places(self, name: str, file: Path, value: str) -> Iterator[Path]:
        """Yield the file that a value is the name of, from the document, or from the file that has it."""
        if not value or len(value) > 300 or _PICTURES.fullmatch(value):
            return
        srcdir = Path(self._app.srcdir)
        folders = [Path(self._env.doc2path(name)).parent, file.parent, srcdir]
        for folder in [srcdir] if value.startswith("/") else folders:
            if (path := Path(os.path.normpath(folder / value.lstrip("/")))).is_file():
                yield path
                return

    def _configured(self, name: str) -> set[Path]:
        """Return what prolog and epilog include, and what that includes."""
        config = self._app.config
        text = "\n".join(filter(None, (config.rst_prolog, config.rst_epilog)))
        found: set[Path] = set()
        for match in _DIRECTIVE.finditer(text):
            for file in self._places(name, Path(self._env.doc2path(name)), match[3].strip()):
                found |= {file} | self._named(name, file)
        return found

    def _made_from(self, name: str, source: Path) -> set[Path]:
        """Return what a document is made from that no commit has; nothing where nobody can tell."""
        if script := _SCRIPT.search(read_text(source)):
            return self._repository.twins(Path(self._app.srcdir, script[1]))
        return {file for documented in self._documented[name] for file in _files_of(documented)}


class _Repository:
    """The files of HEAD around a folder."""

    def __init__(self, folder: Path) -> None:
        self.root = Path(_git(folder, "rev-parse", "--show-toplevel").strip())
        self._files = {self.root / name for name in _git(self.root, "ls-files", "-z").split("\0") if name}
        self._installed = Path(os.path.realpath(sysconfig.get_path("purelib")))
        self._packages = set(_of_folders(self._installed))

    def has(self, file: Path) -> bool:
        """Tell whether a commit may have a file, or the one that it links to."""
        return Path(os.path.realpath(file)) in self._files

    def twins(self, file: Path) -> set[Path]:
        """Return the tracked files that a file is a copy of, by its name."""
        return {one for one in self._by_name[file.name] if one.read_bytes() == file.read_bytes()}

    def original(self, file: Path) -> Path | None:
        """Return the tracked file that a file is, or was installed from."""
        if self.has(file):
            return file
        same = [one for one in self._alike(file) if one.read_bytes() == file.read_bytes()]
        return min(same, key=lambda one: len(one.parts), default=None)

    def is_other(self, file: Path) -> bool:
        """Tell whether a file was installed from another state of the repository."""
        return not self.has(file) and bool(self._alike(file)) and self.original(file) is None

    def _alike(self, file: Path) -> list[Path]:
        """Return the tracked files with the path that an installed one has in its package."""
        file = Path(os.path.realpath(file.parent), file.name)
        if not file.is_relative_to(self._installed):
            return []
        name = file.relative_to(self._installed)
        if name.parts[0].removesuffix(".py") not in self._packages:
            return []
        return [one for one in self._by_name[file.name] if one.parts[-len(name.parts) :] == name.parts]

    @cached_property
    def _by_name(self) -> defaultdict[str, list[Path]]:
        found: defaultdict[str, list[Path]] = defaultdict(list)
        for file in self._files:
            if file.is_file():
                found[file.name].append(file)
        return found


def _of_folders(place: Path) -> Iterator[str]:
    """Yield the packages that pip installed from a folder, as it notes beside them."""
    for one in distributions(path=[os.fspath(place)]):
        record = json.loads(one.read_text("direct_url.json") or "{}")
        if str(record.get("url")).startswith("file:"):
            yield from {file.parts[0].removesuffix(".py") for file in one.files or ()}


@cache
def _files_of(name: str) -> set[Path]:
    """Return the file that an object is written in; nothing for a name that is of none."""
    found = _find(name)
    if found is None:
        return set()
    module = found[1] if isinstance(found[1], ModuleType) else sys.modules.get(found[1].__module__)
    # the line of its code, where it has any: packages change __module__ for display
    file = _file_of_code(found[0]) or _file_of_code(found[1]) or getattr(module, "__file__", None) or ""
    return {Path(file)} if file.endswith(".py") else set()


def _file_of_code(thing: Any) -> str:
    """Return the file of a function, of a property's, or of the first of a class."""
    own = (
        vars(thing).values()
        if isclass(thing)
        else [getattr(thing, "fget", None) or getattr(thing, "func", None) or thing]
    )
    for one in own:
        code = getattr(unwrap(getattr(one, "__func__", one)), "__code__", None) if callable(one) else None
        name = getattr(one, "__qualname__", "")
        if (
            code
            and os.path.isfile(code.co_filename)
            and (not isclass(thing) or name.startswith(thing.__qualname__))
        ):
            return str(code.co_filename)
    name = thing.__qualname__ if isclass(thing) else ""
    homes = [
        one for one in [*sys.modules.values()] if name and getattr(one, "__dict__", {}).get(name) is thing
    ]
    files = {getattr(one, "__file__", None) or "" for one in homes}
    written = [file for file in files if re.search(rf"^class {name}\b", read_text(Path(file)), re.MULTILINE)]
    return written[0] if len(written) == 1 else ""


def _find(name: str) -> tuple[Any, Any] | None:
    """Return the object of a dotted name, and what it is written in: itself, its class, or its module."""
    parts = name.replace(":", ".").strip(".").split(".")
    if not all(map(str.isidentifier, parts)):
        return None
    for end in range(len(parts), 0, -1):
        if parts[end - 1].startswith("__"):  # a method, though a package could be imported by it
            continue
        try:
            module = importlib.import_module(".".join(parts[:end]))
        except (Exception, SystemExit):  # noqa: S112 - code of a site that is imported may do anything
            continue
        thing: Any = module
        owner: Any = module
        for part in parts[end:]:
            is_of_any = thing is module and hasattr(ModuleType, part)
            if is_of_any or not hasattr(thing, part):  # an attribute of instances may be documented, too
                return None if thing is module else (thing, owner)
            if isclass(thing):  # what has no module of its own may be inherited
                owner = next(base for base in [*thing.__mro__, thing] if part in vars(base) or base is object)
            thing = getattr(thing, part)
            is_own = isclass(thing) or (isroutine(thing) and getattr(thing, "__module__", None))
            owner = thing if is_own or isinstance(thing, ModuleType) else owner
        return thing, owner
    return None


def _git(folder: Path, *arguments: str) -> str:
    return os.fsdecode(
        subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True).stdout
    )
