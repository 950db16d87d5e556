"""Which files make a document, and so its date."""

from __future__ import annotations

import os
import pickle
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.i18n import docname_to_domain

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


class Sources:
    """The files of each document of a build."""

    def __init__(self, app: Sphinx, env: BuildEnvironment) -> None:
        self._env = env
        self._srcdir = Path(app.srcdir)
        self._compact: bool | str = app.config.gettext_compact
        self._catalogs = _catalog_folders(app)
        self._domains = Counter(map(self._domain, env.found_docs if self._catalogs else ()))
        self._translated = frozenset(filter(self._is_translated, env.found_docs if self._catalogs else ()))
        self._pictures = self._by_document(env.images)
        self._downloads = self._by_document(env.dlfiles)

    def files(self, docname: str) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Return the files whose text a document shows, and those that it shows or offers otherwise.

        The first are includes, code, tables, modules and translations, the others images and downloads.
        """
        files = self._dependencies(docname)
        downloads = files & self._downloads[docname]
        if downloads:
            downloads -= self._quoted(docname, downloads)
        media = downloads | (files & self._pictures[docname])
        return tuple(sorted({*(files - media), *self.catalogs(docname)})), tuple(sorted(media))

    def catalogs(self, docname: str) -> list[Path]:
        """Return the message catalogs of a document; Sphinx names them to nobody after a clean build."""
        domain = self._domain(docname)
        return [path for place in self._catalogs if (path := place / f"{domain}.po").is_file()]

    def is_untranslated(self, docname: str) -> bool:
        """Tell whether a translation shows this document as it is in the original language.

        A site of which nothing is translated is no translation: the original language may have
        empty catalogs, and those with Sphinx's or a theme's own words belong to no document.
        """
        return bool(self._translated) and docname not in self._translated

    def _domain(self, docname: str) -> str:
        return docname_to_domain(docname, self._compact)

    def _is_translated(self, docname: str) -> bool:
        if not any(_has_messages(catalog) for catalog in self.catalogs(docname)):
            return False
        if self._domains[self._domain(docname)] == 1:
            return True
        # in a catalog of several documents, the messages may all be of others
        progress = self._doctree(docname).get("translation_progress") or {}
        return not progress.get("total") or bool(progress.get("translated"))

    def _quoted(self, docname: str, files: set[Path]) -> set[Path]:
        """Return those of the files that stand in the document as text, too, as its nodes tell."""
        found = self._doctree(docname).findall(nodes.Element)
        origins = {origin for node in found for origin in _origins(node)}
        return {file for file in files if any(_ends_in(file, origin) for origin in origins)}

    def _doctree(self, docname: str) -> nodes.Element:
        """Return the document as Sphinx keeps it; not by ``env.get_doctree``, which 7.2 keeps for good."""
        with suppress(OSError), open(Path(self._env.doctreedir, docname + ".doctree"), "rb") as stream:
            doctree = pickle.load(stream)  # noqa: S301  # Sphinx has just written it, and reads it so
            if isinstance(doctree, nodes.Element):
                return doctree
        return nodes.Element()

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
        return {catalog.with_suffix(".mo") for catalog in self.catalogs(docname)}

    def _path(self, name: str | os.PathLike[str]) -> Path:
        return Path(os.path.normpath(self._srcdir / name))


def _catalog_folders(app: Sphinx) -> list[Path]:
    """Return the folders of the language's catalogs; a regional one has those of its language as well."""
    language = app.config.language or ""
    languages = dict.fromkeys([language, language.partition("_")[0]] if language else [])
    folders = [Path(app.srcdir, folder) for folder in app.config.locale_dirs]
    places = [folder / name / "LC_MESSAGES" for folder in folders for name in languages]
    return [place for place in places if place.is_dir()]


def _origins(node: nodes.Element) -> Iterator[str]:
    """Yield the file that a node is from: its directive's, and the one that its text was read from."""
    for origin in (node.source, node.get("source")):
        if origin:
            yield str(origin).partition(":docstring of ")[0].replace(os.sep, "/")


def _ends_in(file: Path, origin: str) -> bool:
    """Tell whether a file is the one that docutils names below the folder that was the working one."""
    name = re.sub(r"^(?:\.\./)+", "", origin)
    return f"/{file.as_posix()}".endswith(f"/{name.lstrip('/')}")


def _has_messages(catalog: Path) -> bool:
    """Tell from the compiled catalog, the one that Sphinx reads, whether any message is translated."""
    try:
        with open(catalog.with_suffix(".mo"), "rb") as stream:
            head = stream.read(12)
    except OSError:
        return False
    # GNU gettext, "MO file format": the number, in the byte order of the magic one
    number = head[8:12] if head[:4] == b"\x95\x04\x12\xde" else head[11:7:-1]
    return int.from_bytes(number, "big") > 1  # the first is the header
