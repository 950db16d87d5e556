"""Find the files that a document is made from, which determine its date."""

from __future__ import annotations

import mimetypes
import os
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docutils import nodes

from docs_sitemap.dates import Installed
from docs_sitemap.generators.sphinx.configured import Configured
from docs_sitemap.generators.sphinx.doctrees import read_doctree
from docs_sitemap.generators.sphinx.generated import Made, generated
from docs_sitemap.generators.sphinx.translations import Translations
from docs_sitemap.limits import MAX_COMPARED

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_NOTED: Final = "Sphinx records it as a dependency of the document"
_CATALOG: Final = "it is the document's message catalog"
_MEDIA: Final = "the document shows it as an image or links to it as a download"

_DOCSTRING: Final = ":docstring of "
"""Follows the file name in autodoc's record of a node's origin."""

UNREADABLE: Final = "what Sphinx stored of a document cannot be read"

_SEVERAL: Final = 3
"""With at least this many documents, a dependency of all of them counts as configuration."""

_MODULES: Final = (".py", ".pyx", ".pyi")


class Parts(NamedTuple):
    """The files of a document, each with the evidence for it.

    ``source`` is the file that the document is written in, if any. ``texts`` are includes, code, tables,
    modules and translations; ``media`` are images and downloads. ``undated`` is why it is unknown which files
    the document has, or what the repository has of an installed one, or empty.
    """

    source: Path | None
    texts: dict[Path, str]
    media: dict[Path, str]
    undated: str

    @property
    def evidence(self) -> dict[Path, str]:
        """The evidence that each file is part of the document."""
        return {**self.media, **self.texts}


class Sources:
    """The files of each document of a build; ``installed`` finds the originals of modules that pip copied.

    ``unreadable`` are the documents whose doctrees cannot be read, so far.
    """

    def __init__(
        self, app: Sphinx, env: BuildEnvironment, translations: Translations, installed: Installed | None
    ) -> None:
        self._env = env
        self._srcdir = Path(app.srcdir)
        self._path = cache(self._placed)  # a thousand documents may show the same thousand files
        self._catalogs = translations.catalogs
        self._pictures = self._by_document(env.images)
        self._downloads = self._by_document(env.dlfiles)
        self._installed = installed
        self._configured = Configured(app, env)
        self._origins = lru_cache(maxsize=1)(self._read_origins)
        self._generated = generated(app, env)
        self._left = MAX_COMPARED
        self.unreadable: set[str] = set()
        # a dependency of every document is configuration, unless a document contains its text
        every = [self._dependencies(docname) for docname in env.found_docs]
        self._common = set.intersection(*every) if len(every) >= _SEVERAL else set()

    def parts(self, docname: str) -> Parts:
        """Return the files of a document."""
        made = self._generated.get(docname) or Made(Path(self._env.doc2path(docname)), {})
        files = self._dependencies(docname) - self._configured.files(docname)
        common = files & self._common
        media = files & (self._downloads[docname] | self._pictures[docname])
        # a download can also be quoted, and so can a file that ``image:: name.*`` matches
        doubtful = {file for file in media if file in self._downloads[docname] or not _is_picture(file)}
        quoted = self._quoted(docname, common | doubtful)
        files -= common - quoted
        media = (media & files) - (doubtful & quoted)
        notes = self._without_candidates(docname, files - media)
        texts = dict.fromkeys(notes, _NOTED) | dict.fromkeys(self._catalogs(docname), _CATALOG)
        texts |= made.files
        found, undated = self._installed.originals(texts) if self._installed else (texts, "")
        undated = UNREADABLE if docname in self.unreadable else undated
        return Parts(made.source, dict(sorted(found.items())), dict.fromkeys(sorted(media), _MEDIA), undated)

    def _without_candidates(self, docname: str, files: set[Path]) -> set[Path]:
        """Return the files without modules of which autodoc shows nothing.

        autodoc (Sphinx 7.2 to 9.1) records the module of each member that it inspects, even if it then leaves
        the member out because it is imported. After ``MAX_COMPARED``, all modules count.
        """
        modules = {file for file in files if file.suffix in _MODULES}
        if len(modules) < 2:  # a single module is the requested one
            return files
        origins = self._origins(docname)
        if not any(_DOCSTRING in origin for origin in origins):
            return files
        by_name = _by_name(modules)
        self._left -= sum(len(by_name.get(part, ())) for origin in origins for part in _parts(origin))
        if self._left < 0:
            return files
        shown = {file for origin in origins for file in _shown(origin, by_name)}
        return files - (modules - shown)

    def _quoted(self, docname: str, files: set[Path]) -> set[Path]:
        """Return the files whose text is also in the document, according to its nodes."""
        if not files:
            return set()
        return named_by(map(_file_of, self._origins(docname)), files)

    def _read_origins(self, docname: str) -> set[str]:
        """Return the origins of a document's nodes: those of directives, and those of their texts."""
        doctree = read_doctree(self._env, docname)
        if doctree is None:
            self.unreadable.add(docname)
            return set()
        found = doctree.findall(nodes.Element)
        return {str(origin) for node in found for origin in (node.source, node.get("source")) if origin}

    def _by_document(self, files: Mapping[Any, tuple[Iterable[str], object]]) -> defaultdict[str, set[Path]]:
        found: defaultdict[str, set[Path]] = defaultdict(set)
        for name, (docnames, _) in files.items():
            for docname in docnames:
                found[docname].add(self._path(name))
        return found

    def _dependencies(self, docname: str) -> set[Path]:
        # relative to the source folder up to 8.1, as given in 8.2, absolute since 9.0
        files = {self._path(name) for name in self._env.dependencies.get(docname, ())}
        # Sphinx records the compiled catalog only if it reads the document again
        return files - {catalog.with_suffix(".mo") for catalog in self._catalogs(docname)}

    def _placed(self, name: str | os.PathLike[str]) -> Path:
        return Path(os.path.normpath(self._srcdir / name))


def _is_picture(file: Path) -> bool:
    return (mimetypes.guess_type(file.name)[0] or "").startswith("image/")


class _Module(NamedTuple):
    """A module, with its path and the path without suffix as texts: each is compared with many names.

    ``depth`` is how many names are in the path: an object of more has no module there.
    """

    file: Path
    path: str
    stem: str
    depth: int


def _by_name(modules: Iterable[Path]) -> Mapping[str, list[_Module]]:
    """Return the modules by the last part of their name (packages by their folder), and by file name."""
    found: defaultdict[str, list[_Module]] = defaultdict(list)
    for file in modules:
        stem = file.with_suffix("").as_posix()
        module = _Module(file, f"/{file.as_posix()}", stem, stem.count("/"))
        found[file.parent.name if file.stem == "__init__" else file.stem].append(module)
        found[file.name].append(module)
    return found


def _parts(origin: str) -> list[str]:
    """Return the name of a text's file, and the parts of the name of its object."""
    file, _, name = origin.replace(os.sep, "/").partition(_DOCSTRING)
    return [file.rpartition("/")[2], *name.split(".")]


def _shown(origin: str, modules: Mapping[str, list[_Module]]) -> Iterator[Path]:
    """Yield the modules of a text by autodoc: the file that it names, and that of the object.

    A member that is inherited from another module has its name in that module.
    """
    last, *parts = _parts(origin)
    end = f"/{_end_of(_file_of(origin))}"
    found = sorted(
        (module.path, module.file) for module in modules.get(last, ()) if module.path.endswith(end)
    )
    yield from (file for _, file in found)
    for number in range(len(parts), 0, -1):
        same = [each for each in modules.get(parts[number - 1], ()) if each.depth >= number]
        if not same:  # nearly always: the stem of each of thousands of parts takes quadratic time
            continue
        stem = "/".join(["", *parts[:number]])
        ends = stem, f"{stem}/__init__"
        named = [each for each in same if each.stem.endswith(ends)]
        if named:
            paths = [path for path, _ in found]
            yield from (each.file for each in named if not _is_package_of(each, paths))
            return


def _is_package_of(module: _Module, paths: list[str]) -> bool:
    """Tell whether a module is a package that re-exports an object of one of its modules, by sorted paths."""
    folder = f"{module.path.rpartition('/')[0]}/"
    at = bisect_left(paths, folder)  # there may be hundreds of packages, and of modules
    return module.stem.endswith("/__init__") and any(path.startswith(folder) for path in paths[at : at + 1])


def _file_of(origin: str) -> str:
    return origin.partition(_DOCSTRING)[0].replace(os.sep, "/")


def named_by(origins: Iterable[str], files: Iterable[Path]) -> set[Path]:
    """Return the files that match any of the names; each name is looked at once, and so is each file."""
    names = set(map(_end_of, origins))
    lengths: defaultdict[str, set[int]] = defaultdict(set)  # of those with this last part
    for name in names:
        lengths[name.rpartition("/")[2]].add(name.count("/") + 1)
    parts = {file: file.as_posix().split("/") for file in files if file.name in lengths}
    return {
        file
        for file in parts
        if any("/".join(parts[file][-length:]) in names for length in lengths[file.name])
    }


def _end_of(origin: str) -> str:
    """Return a name without what leads to the working folder."""
    return re.sub(r"^(?:\.\./)+", "", origin).lstrip("/")
