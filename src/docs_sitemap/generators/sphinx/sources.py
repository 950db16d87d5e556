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

from docs_sitemap.generators.sphinx.configured import Configured
from docs_sitemap.generators.sphinx.doctrees import read_doctree
from docs_sitemap.generators.sphinx.generated import Made, generated
from docs_sitemap.generators.sphinx.translations import Translations
from docs_sitemap.installed import Doubt, Installed

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_NOTED: Final = "Sphinx notes it as a dependency of the document"
_CATALOG: Final = "it is the document's message catalog"
_MEDIA: Final = "the document shows it as an image, or offers it for download"


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

    def parts(self, docname: str) -> Parts:
        """Return the files that make a document."""
        made = self._generated.get(docname) or Made(Path(self._env.doc2path(docname)), {})
        files = self._dependencies(docname) - self._configured.files(docname)
        media = files & (self._downloads[docname] | self._pictures[docname])
        # a download may be quoted as well, and so may what ``image:: name.*`` takes for a picture
        doubtful = {file for file in media if file in self._downloads[docname] or not _is_picture(file)}
        if doubtful:
            media -= self._quoted(docname, doubtful)
        texts = dict.fromkeys(files - media, _NOTED) | dict.fromkeys(self._catalogs(docname), _CATALOG)
        texts |= made.files
        found, doubts = self._installed.originals(texts) if self._installed else (texts, {})
        return Parts(made.source, dict(sorted(found.items())), dict.fromkeys(sorted(media), _MEDIA), doubts)

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
            yield str(origin).partition(":docstring of ")[0].replace(os.sep, "/")


def _ends_in(file: Path, origin: str) -> bool:
    """Tell whether a file is the one that docutils names below the folder that was the working one."""
    name = re.sub(r"^(?:\.\./)+", "", origin)
    return f"/{file.as_posix()}".endswith(f"/{name.lstrip('/')}")
