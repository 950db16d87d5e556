"""Which files make a document, and so its date."""

from __future__ import annotations

import os
import pickle
import re
from collections import defaultdict
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
        language = app.config.language or ""
        places = [self._srcdir / folder / language / "LC_MESSAGES" for folder in app.config.locale_dirs]
        self._catalogs = [place for place in places if language and place.is_dir()]
        self.is_translation = any(any(place.rglob("*.po")) for place in self._catalogs)
        """Whether this build shows its sources in another language, through message catalogs."""
        self._pictures = self._by_document(env.images)
        self._downloads = self._by_document(env.dlfiles)

    def texts(self, docname: str) -> tuple[Path, ...]:
        """Return the files whose text a document shows: includes, code, tables, modules, translations."""
        texts = self._dependencies(docname) - self._media(docname)
        return tuple(sorted({*texts, *self.catalogs(docname)}))

    def media(self, docname: str) -> tuple[Path, ...]:
        """Return the images that a document shows and the files that it offers for download."""
        return tuple(sorted(self._media(docname)))

    def catalogs(self, docname: str) -> list[Path]:
        """Return the message catalogs of a document; Sphinx names them to nobody after a clean build."""
        domain = docname_to_domain(docname, self._compact) + ".po"
        return [path for place in self._catalogs if (path := place / domain).is_file()]

    def is_untranslated(self, docname: str) -> bool:
        """Tell whether a translation shows this document as it is in the original language."""
        return self.is_translation and not any(map(_has_messages, self.catalogs(docname)))

    def _media(self, docname: str) -> set[Path]:
        files = self._dependencies(docname)
        downloads = files & self._downloads[docname]
        if downloads:
            downloads -= self._quoted(docname, downloads)
        return downloads | (files & self._pictures[docname])

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
        return {self._path(name) for name in self._env.dependencies.get(docname, ())}

    def _path(self, name: str | os.PathLike[str]) -> Path:
        return Path(os.path.normpath(self._srcdir / name))


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
    """Tell from the compiled catalog, which Sphinx makes beside it, whether any message is translated."""
    try:
        with open(catalog.with_suffix(".mo"), "rb") as stream:
            head = stream.read(12)
    except OSError:
        return True
    # GNU gettext, "MO file format": the number, in the byte order of the magic one
    number = head[8:12] if head[:4] == b"\x95\x04\x12\xde" else head[11:7:-1]
    return int.from_bytes(number, "big") > 1  # the first is the header
