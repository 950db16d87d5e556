"""Which files make a document, and so its date."""

from __future__ import annotations

import mimetypes
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docutils import nodes

from docs_sitemap.dates import Doubt, Installed
from docs_sitemap.generators.sphinx.configured import Configured
from docs_sitemap.generators.sphinx.doctrees import read_doctree
from docs_sitemap.generators.sphinx.generated import Made, generated
from docs_sitemap.generators.sphinx.translations import Translations

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_NOTED: Final = "Sphinx notes it as a dependency of the document"
_CATALOG: Final = "it is the document's message catalog"
_MEDIA: Final = "the document shows it as an image, or offers it for download"


_DOCSTRING: Final = ":docstring of "
"""Behind the file's name, where autodoc says which text a node is from."""

_SEVERAL: Final = 3
"""Documents of a site in which a file that all of them note is taken for configuration."""

_MODULES: Final = (".py", ".pyx", ".pyi")


class Parts(NamedTuple):
    """What a document is made of, each file with the evidence for it.

    ``source`` is the file that it is written in, if any. ``texts`` are includes, code, tables, modules
    and translations; ``media`` are images and downloads. ``doubts`` are installed files of which it is
    not known which content of the repository they have.
    """

    source: Path | None
    texts: dict[Path, str]
    media: dict[Path, str]
    doubts: dict[Path, Doubt]

    @property
    def evidence(self) -> dict[Path, str]:
        """How each file is known to be part of the document."""
        return {**self.media, **self.texts}


class Sources:
    """The files of each document of a build; ``installed`` finds modules again that pip has copied."""

    def __init__(
        self, app: Sphinx, env: BuildEnvironment, translations: Translations, installed: Installed | None
    ) -> None:
        self._env = env
        self._srcdir = Path(app.srcdir)
        self._catalogs = translations.catalogs
        self._pictures = self._by_document(env.images)
        self._downloads = self._by_document(env.dlfiles)
        self._installed = installed
        self._configured = Configured(app, env)
        self._generated = generated(app, env)
        # what is noted for every document is configuration of all of them, unless it stands in one
        every = [self._dependencies(docname) for docname in env.found_docs]
        self._common = set.intersection(*every) if len(every) >= _SEVERAL else set()

    def parts(self, docname: str) -> Parts:
        """Return the files that make a document."""
        made = self._generated.get(docname) or Made(Path(self._env.doc2path(docname)), {})
        files = self._dependencies(docname) - self._configured.files(docname)
        if common := files & self._common:
            files -= common - self._quoted(docname, common)
        media = files & (self._downloads[docname] | self._pictures[docname])
        # a download may be quoted as well, and so may what ``image:: name.*`` takes for a picture
        doubtful = {file for file in media if file in self._downloads[docname] or not _is_picture(file)}
        if doubtful:
            media -= self._quoted(docname, doubtful)
        notes = self._without_candidates(docname, files - media)
        texts = dict.fromkeys(notes, _NOTED) | dict.fromkeys(self._catalogs(docname), _CATALOG)
        texts |= made.files
        found, doubts = self._installed.originals(texts) if self._installed else (texts, {})
        return Parts(made.source, dict(sorted(found.items())), dict.fromkeys(sorted(media), _MEDIA), doubts)

    def _without_candidates(self, docname: str, files: set[Path]) -> set[Path]:
        """Return the files without modules of which autodoc shows nothing.

        autodoc (Sphinx 7.2 to 9.1) notes the module of each member that it looks at, also of those that it
        then leaves out because they are imported.
        """
        modules = {file for file in files if file.suffix in _MODULES}
        if len(modules) < 2:  # one alone is the module that was asked for
            return files
        found = read_doctree(self._env, docname).findall(nodes.Element)
        origins = {str(origin) for node in found for origin in (node.source, node.get("source")) if origin}
        if not any(_DOCSTRING in origin for origin in origins):
            return files
        by_name = _by_name(modules)
        shown = {file for origin in origins for file in _shown(origin, by_name)}
        return files - (modules - shown)

    def _quoted(self, docname: str, files: set[Path]) -> set[Path]:
        """Return those of the files that stand in the document as text, too, as its nodes tell."""
        found = read_doctree(self._env, docname).findall(nodes.Element)
        origins = {origin for node in found for origin in _origins(node)}
        return {file for file in files if any(_ends_in(file, origin) for origin in origins)}

    def _by_document(self, files: Mapping[Any, tuple[Iterable[str], object]]) -> defaultdict[str, set[Path]]:
        found: defaultdict[str, set[Path]] = defaultdict(set)
        for name, (docnames, _) in files.items():
            for docname in docnames:
                found[docname].add(self._path(name))
        return found

    def _dependencies(self, docname: str) -> set[Path]:
        # below the source folder up to 8.1, as given in 8.2, absolute from 9.0 on
        files = {self._path(name) for name in self._env.dependencies.get(docname, ())}
        # only where a document is read again, Sphinx names its compiled catalog
        return {file for file in files if file.suffix != ".mo" or file not in self._compiled(docname)}

    def _compiled(self, docname: str) -> set[Path]:
        return {catalog.with_suffix(".mo") for catalog in self._catalogs(docname)}

    def _path(self, name: str | os.PathLike[str]) -> Path:
        return Path(os.path.normpath(self._srcdir / name))


def _is_picture(file: Path) -> bool:
    return (mimetypes.guess_type(file.name)[0] or "").startswith("image/")


def _origins(node: nodes.Element) -> Iterator[str]:
    """Yield the file that a node is from: its directive's, and the one that its text was read from."""
    for origin in (node.source, node.get("source")):
        if origin:
            yield _file_of(str(origin))


def _by_name(modules: Iterable[Path]) -> Mapping[str, list[Path]]:
    """Return the modules by the last part of their name, a package by that of its folder, and by file."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for module in modules:
        found[module.parent.name if module.stem == "__init__" else module.stem].append(module)
        found[module.name].append(module)
    return found


def _shown(origin: str, modules: Mapping[str, list[Path]]) -> Iterator[Path]:
    """Yield the modules that a text of autodoc is from: the file that it names, and that of the object.

    A member that is inherited from another module has the name that it has there.
    """
    file, _, name = origin.replace(os.sep, "/").partition(_DOCSTRING)
    found = [module for module in modules.get(file.rpartition("/")[2], ()) if _ends_in(module, file)]
    yield from found
    parts = name.split(".")
    for number in range(len(parts), 0, -1):
        stem = "/".join(["", *parts[:number]])
        named = [
            each
            for each in modules.get(parts[number - 1], ())
            if each.with_suffix("").as_posix().endswith((stem, f"{stem}/__init__"))
        ]
        if named:
            yield from (each for each in named if not _is_package_of(each, found))
            return


def _is_package_of(module: Path, found: list[Path]) -> bool:
    """Tell whether a module is a package that only imports what one of its own modules defines."""
    return module.stem == "__init__" and any(one.is_relative_to(module.parent) for one in found)


def _file_of(origin: str) -> str:
    return origin.partition(_DOCSTRING)[0].replace(os.sep, "/")


def _ends_in(file: Path, origin: str) -> bool:
    """Tell whether a file is the one that docutils names below the folder that was the working one."""
    name = re.sub(r"^(?:\.\./)+", "", origin)
    return f"/{file.as_posix()}".endswith(f"/{name.lstrip('/')}")
