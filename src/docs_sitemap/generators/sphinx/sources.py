"""Find the files that a document is made from, which determine its date."""

from __future__ import annotations

import mimetypes
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docutils import nodes

from docs_sitemap.dates import Installed
from docs_sitemap.generators.sphinx.generated import Made, generated, read_doctree
from docs_sitemap.generators.sphinx.translations import Translations
from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.readers import read_start

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

# The directives of reStructuredText and MyST that read a file, and the option that can
_READS: Final = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+(?:literal)?include::|(?:`{3,}|:{3,})\{(?:literal)?include\}|:file:)[ \t]+(\S.*)",
    re.MULTILINE,
)


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
        self._configured = _Configured(app, env)
        self._origins = lru_cache(maxsize=1)(self._read_origins)
        self._generated = generated(app, env)
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
        the member out because it is imported.
        """
        modules = {file for file in files if file.suffix in _MODULES}
        if len(modules) < 2:  # a single module is the requested one
            return files
        origins = self._origins(docname)
        if not any(_DOCSTRING in origin for origin in origins):
            return files
        by_name = _by_name(modules)
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


def _by_name(modules: Iterable[Path]) -> Mapping[str, list[Path]]:
    """Return the modules by the last part of their name (packages by their folder), and by file name."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for file in sorted(modules):
        found[file.parent.name if file.stem == "__init__" else file.stem].append(file)
        found[file.name].append(file)
    return found


def _shown(origin: str, modules: Mapping[str, list[Path]]) -> Iterator[Path]:
    """Yield the modules of a text by autodoc: the file that it names, and that of the object.

    A member that is inherited from another module has its name in that module. A package that re-exports an
    object of one of its modules does not count.
    """
    end = _end_of(_file_of(origin))
    same = modules.get(end.rpartition("/")[2], ())
    found = [file for file in same if f"/{file.as_posix()}".endswith(f"/{end}")]
    yield from found
    parts = origin.partition(_DOCSTRING)[2].split(".")
    for number in range(len(parts), 0, -1):
        stem = "/".join(["", *parts[:number]])
        same = modules.get(parts[number - 1], ())
        named = [
            file for file in same if file.with_suffix("").as_posix().endswith((stem, f"{stem}/__init__"))
        ]
        for file in named:
            if file.stem != "__init__" or not any(other.is_relative_to(file.parent) for other in found):
                yield file
        if named:
            return


def _file_of(origin: str) -> str:
    return origin.partition(_DOCSTRING)[0].replace(os.sep, "/")


def named_by(origins: Iterable[str], files: Iterable[Path]) -> set[Path]:
    """Return the files that match any of the names: the whole path or its end."""
    names = set(map(_end_of, origins))
    return {file for file in files if not names.isdisjoint(_ends_of(file))}


def _ends_of(file: Path) -> Iterator[str]:
    parts = file.as_posix().split("/")
    return ("/".join(parts[start:]) for start in range(len(parts)))


def _end_of(origin: str) -> str:
    """Return a name without what leads to the working folder."""
    return re.sub(r"^(?:\.\./)+", "", origin).lstrip("/")


class _Configured:
    """The files that configuration adds to the documents of a build: settings, not a document's text.

    Sphinx records ``docutils.conf`` as a dependency of each document, and also the files that ``rst_prolog``
    and ``rst_epilog`` include.
    """

    def __init__(self, app: Sphinx, env: BuildEnvironment) -> None:
        self._env = env
        self._settings = Path(app.confdir, "docutils.conf")
        texts = (app.config.rst_prolog, app.config.rst_epilog)
        self._named = _names("\n".join(text or "" for text in texts))
        self._added = cache(self._added_in)
        self._names_of = cache(_names_in)

    def files(self, docname: str) -> frozenset[Path]:
        """Return the files that only configuration adds to a document, not those that it reads itself."""
        document = os.path.normpath(self._env.doc2path(docname))
        found = self._added(os.path.dirname(document))
        own = self._read(os.path.dirname(document), _names_in(document)) if len(found) > 1 else ()
        return found - {*map(Path, own)} | {self._settings} if own else found

    def _added_in(self, folder: str) -> frozenset[Path]:
        """Return what configuration adds to the documents of a folder."""
        return frozenset({self._settings, *map(Path, self._read(folder, self._named))})

    def _read(self, within: str, names: Collection[str]) -> set[str]:
        """Return the files that these names can mean in a folder's document, and the files that those read.

        Sphinx resolves names from the document, docutils from the file with the name or the working folder.
        """
        found: set[str] = set()
        asked = [(name, within) for name in names]
        known = set(asked)
        for name, folder in asked:
            if name.startswith("<"):  # a file of docutils
                continue
            below = name.lstrip(f"/{os.sep}")
            own = os.path.join(within if below == name else self._env.srcdir, below)
            ways = (own, os.path.join(folder, name), os.path.join(os.getcwd(), name))
            # Sphinx resolves links since 8.2
            for path in {os.path.realpath(own), *map(os.path.normpath, ways)} - found:
                found.add(path)
                new = dict.fromkeys((other, os.path.dirname(path)) for other in self._names_of(path))
                asked += [each for each in new if each not in known]
                known.update(new)
        return found


def _names(text: str) -> Collection[str]:
    """Return the names in a text, each once."""
    return dict.fromkeys(match[1].strip() for match in _READS.finditer(text)).keys()


def _names_in(file: str) -> Collection[str]:
    """Return the names of the files that a file reads by directives; none if it cannot be read."""
    try:
        return _names(read_start(file, MAX_TEXT).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return ()
