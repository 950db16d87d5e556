"""Find the files that a document is made from, which determine its date."""

from __future__ import annotations

import mimetypes
import os
import pickle
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docutils import nodes

from docs_sitemap.dates.installed import Installed
from docs_sitemap.generators.sphinx.shown import DOCSTRING, origins_in, shown_in
from docs_sitemap.git.repository import untracked
from docs_sitemap.pages.page import Undated
from docs_sitemap.readers.files import read_text, real_path

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from docs_sitemap.generators.sphinx.translations import Translations

_NOTED: Final = "Sphinx records it as a dependency of the document"
_CATALOG: Final = "it is the document's message catalog"
_SHARED: Final = (
    "it is the message catalog that the document shares with others (gettext_compact), "
    "so that it is new when any of them is translated"
)
_MEDIA: Final = "the document shows it as an image or links to it as a download"

_UNREADABLE: Final = Undated(
    "what Sphinx stored of a document cannot be read",
    cure="build once with -E, which reads all documents again",
)

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
    the document has, or what the repository has of an installed one.
    """

    source: Path | None
    texts: dict[Path, str]
    media: dict[Path, str]
    undated: Undated | None


class Sources:
    """The files of each document of a build; ``installed`` finds the originals of modules that pip copied."""

    def __init__(
        self,
        app: Sphinx,
        env: BuildEnvironment,
        translations: Translations | None,
        installed: Installed | None,
    ) -> None:
        self._env = env
        self._srcdir = Path(app.srcdir)
        # a thousand documents may show the same thousand files
        self._path = cache(lambda name: Path(os.path.normpath(self._srcdir / name)))
        self._translations = translations
        self._pictures = self._by_document(env.images)
        self._downloads = self._by_document(env.dlfiles)
        self._installed = installed
        self._settings = Path(app.confdir, "docutils.conf")
        texts = (app.config.rst_prolog, app.config.rst_epilog)
        self._configured = _names("\n".join(text or "" for text in texts))
        self._names_in = cache(lambda file: _names(read_text(file)))
        self._origins = lru_cache(maxsize=1)(self._read_origins)
        self._generated = generated_documents(app, env)
        self._unreadable: set[str] = set()  # documents whose doctrees cannot be read, so far
        # a dependency of every document is configuration, unless a document contains its text
        every = [self._dependencies(docname) for docname in env.found_docs]
        self._common = set.intersection(*every) if len(every) >= _SEVERAL else set()

    def parts(self, docname: str) -> Parts:
        """Return the files of a document."""
        source, texts_of = self._generated.get(docname) or (Path(self._env.doc2path(docname)), {})
        files = self._dependencies(docname)
        files -= self._only_configured(docname, files)
        common = files & self._common
        media = files & (self._downloads[docname] | self._pictures[docname])
        # a download can also be quoted, and so can a file that ``image:: name.*`` matches
        doubtful = {file for file in media if file in self._downloads[docname] or not _is_picture(file)}
        # those of which the document has text, by its nodes
        quoted = named_by(self._origins(docname), common | doubtful) if common | doubtful else set()
        files -= common - quoted
        media = (media & files) - (doubtful & quoted)
        shown = {
            Path(file): f"it has {name}, which the document shows"
            for name, files_of in sorted(shown_in(self._env, docname).items())
            for file in sorted(files_of)
        }
        recorded = self._without_candidates(docname, files - media, shown)
        catalogs = {
            file: _CATALOG if file.with_suffix("").as_posix().endswith(f"/{docname}") else _SHARED
            for file in self._catalogs(docname)
        }
        texts = {**dict.fromkeys(recorded, _NOTED), **shown, **catalogs, **texts_of}
        found, undated = self._installed.originals(texts) if self._installed else (texts, None)
        if docname in self._unreadable:
            undated = _UNREADABLE._replace(example=docname)
        return Parts(source, dict(sorted(found.items())), dict.fromkeys(sorted(media), _MEDIA), undated)

    def _only_configured(self, docname: str, files: set[Path]) -> set[Path]:
        """Return the files that only configuration adds to a document, and that are thus not its text.

        Sphinx records ``docutils.conf`` as a dependency of each document, and also the files that
        ``rst_prolog`` and ``rst_epilog`` include, with those that these include.
        """
        document = self._path(self._env.doc2path(docname))
        found = self._included(self._configured, document.parent, files)
        if found:
            found -= self._included(self._names_in(document), document.parent, files)
        return found | {self._settings}

    def _included(self, names: Iterable[str], folder: Path, files: set[Path]) -> set[Path]:
        """Return those of the files that these names mean in a document's folder, and what they include.

        Sphinx resolves names from the document, docutils from the file with the name or the working folder.
        """
        found: set[Path] = set()
        rest = [(name, folder) for name in names]
        for name, place in rest:
            below = name.lstrip(f"/{os.sep}")
            own = (folder if below == name else self._srcdir) / below
            # Sphinx resolves links since 8.2
            ways = {Path(os.path.realpath(own)), *map(self._path, (own, place / name, Path.cwd() / name))}
            new = (ways & files) - found
            found |= new
            rest += [(other, file.parent) for file in new for other in self._names_in(file)]
        return found

    def _without_candidates(self, docname: str, files: set[Path], known: Collection[Path]) -> set[Path]:
        """Return the files without modules of which autodoc shows nothing; ``known`` have a shown object.

        autodoc (Sphinx 7.2 to 9.1) records the module of each member that it inspects, even if it then leaves
        the member out because it is imported.
        """
        modules = {file for file in files if file.suffix in _MODULES}
        if modules <= {*known} or (not known and len(modules) < 2):  # a single module is the requested one
            return files
        origins = self._origins(docname)
        if not known and not any(DOCSTRING in origin for origin in origins):
            return files
        names = shown_in(self._env, docname)
        unknown = {origin for origin in origins if origin.partition(DOCSTRING)[2] not in names}
        return files - (modules - shown_modules(unknown, modules))

    def _read_origins(self, docname: str) -> set[str]:
        """Return the origins of a document's nodes: those of directives, and those of their texts."""
        doctree = read_doctree(self._env, docname)
        if doctree is None:
            self._unreadable.add(docname)
            return set()
        return origins_in(doctree)

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

    def _catalogs(self, docname: str) -> list[Path]:
        return self._translations.catalogs(docname) if self._translations else []


def read_doctree(env: BuildEnvironment, docname: str) -> nodes.Element | None:
    """Return a document, or ``None`` if its file cannot be read, for example if a build was killed.

    Sphinx does not notice that unless it writes the document's page again. ``env.get_doctree`` is not used,
    because 7.2 never frees what it returns.
    """
    file = Path(env.doctreedir, docname + ".doctree")
    # where the file is damaged decides which error it is, even an ImportError
    with suppress(Exception), file.open("rb") as stream:
        doctree = pickle.load(stream)  # noqa: S301  # Sphinx wrote it, and reads the environment in this way
        if isinstance(doctree, nodes.Element):
            return doctree
    return None


def _is_picture(file: Path) -> bool:
    return (mimetypes.guess_type(file.name)[0] or "").startswith("image/")


def shown_modules(origins: Iterable[str], modules: Collection[Path]) -> set[Path]:
    """Return the modules that autodoc shows: by the files that texts are from, and by the objects' names.

    A member that is inherited from another module has its name in that module. A package that re-exports an
    object of one of its modules does not count.
    """
    by_name: defaultdict[str, set[Path]] = defaultdict(set)
    for module in modules:
        parts = (module.parent if module.stem == "__init__" else module.with_suffix("")).parts
        for start in range(len(parts)):
            by_name[".".join(parts[start:])].add(module)
    shown: set[Path] = set()
    for origin in origins:
        found = named_by([origin], modules)
        name = origin.partition(DOCSTRING)[2]
        while name and name not in by_name:
            name = name.rpartition(".")[0]
        shown |= found
        for module in by_name.get(name, ()):
            is_package = module.stem == "__init__"
            if not is_package or not any(file.is_relative_to(module.parent) for file in found):
                shown.add(module)
    return shown


def named_by(origins: Iterable[str], files: Iterable[Path]) -> set[Path]:
    """Return the files that match the file of any origin: the whole path or its end."""
    named = (origin.partition(DOCSTRING)[0].replace(os.sep, "/") for origin in origins)
    # without what leads to the working folder
    ends = tuple({"/" + re.sub(r"^(?:\.\./)+", "", name).lstrip("/") for name in named})
    return {file for file in files if f"/{file.as_posix()}".endswith(ends)}


def _names(text: str) -> set[str]:
    """Return the names of the files that directives in a text read."""
    return {match[1].strip() for match in _READS.finditer(text)}


Generated = tuple[Path | None, Mapping[Path, str]]
"""The files of a document that an extension wrote: its source, if any, and others with the evidence."""


def generated_documents(app: Sphinx, env: BuildEnvironment) -> dict[str, Generated]:
    """Return the files of each document that an extension wrote and recorded."""
    found = {**dict(_stubs(app, env)), **dict(_of_autoapi(app, env)), **dict(_of_gallery(app))}
    return {docname: document for docname, document in found.items() if docname in env.found_docs}


def _stubs(app: Sphinx, env: BuildEnvironment) -> Iterator[tuple[str, Generated]]:
    """Yield untracked documents that are named after the Python object that they document.

    autosummary, numpydoc and apidoc write such stubs (seen with Sphinx 7.2 to 9.0). Their text comes from the
    modules that autodoc records. With ``:no-index:``, the domain does not know the object, but autodoc's
    origins do.
    """
    objects = env.get_domain("py").data["objects"]
    names = {file: name for name, file in getattr(app.config, "autosummary_filename_map", {}).items()}
    documents = {}
    for docname in env.found_docs:
        stem = docname.rpartition("/")[2]
        name = names.get(stem, stem)
        documented = objects.get(name)
        if (documented and documented.docname == docname) or name in shown_in(env, docname):
            documents[Path(real_path(env.doc2path(docname)))] = docname
    for file in untracked(documents):
        yield documents[file], (None, {})


def _of_gallery(app: Sphinx) -> Iterator[tuple[str, Generated]]:
    """Yield the pages that sphinx-gallery makes, each from one script (seen with 0.16 and 0.22).

    It records the title of each script with a page, by the script's path. The index page of a gallery, which
    shows the titles of all its scripts, has no such record.
    """
    conf = getattr(app.config, "sphinx_gallery_conf", None) or {}
    # each is a folder or a list of folders
    sources, targets = (
        value if isinstance(value, list) else [value]
        for value in (conf.get("examples_dirs", []), conf.get("gallery_dirs", []))
    )
    scripts = [Path(name) for name in conf.get("titles", ())]
    for examples, gallery in zip(sources, targets, strict=False):
        folder = Path(os.path.normpath(Path(app.srcdir, examples)))
        for script in scripts:
            if script.is_relative_to(folder):
                document = Path(gallery, script.relative_to(folder)).with_suffix("")
                evidence = {script: "sphinx-gallery makes the page from it"}
                yield _docname(document), (script, evidence)


def _of_autoapi(app: Sphinx, env: BuildEnvironment) -> Iterator[tuple[str, Generated]]:
    """Yield the pages that sphinx-autoapi writes, with the modules of the objects on each (seen with 3.9).

    It records all objects, the objects that have their own page, and the file of each module.
    """
    if not getattr(app.config, "autoapi_generate_api_docs", False):
        return  # autoapi has records, but writes no pages
    pages = getattr(env, "autoapi_objects", {})
    for name, files in _files_on_pages(getattr(env, "autoapi_all_objects", {}), pages).items():
        if name in pages:
            document = pages[name].output_dir(app.config.autoapi_root) / pages[name].output_filename()
            evidence = dict.fromkeys(sorted(files), "sphinx-autoapi documents it on the page")
            yield _docname(document), (None, evidence)


def _files_on_pages(objects: Mapping[str, Any], pages: Mapping[str, Any]) -> Mapping[str, set[Path]]:
    """Return the files of the objects on each page, by the name of the object that has the page.

    An object with its own page is shown there; an imported or inherited object is in another file than its
    parent.
    """
    modules = {name: Path(each.obj["file_path"]) for name, each in objects.items() if "file_path" in each.obj}
    found: defaultdict[str, set[Path]] = defaultdict(set)

    def add(shown: Any, page: str, file: Path | None) -> None:
        page = shown.id if shown.id in pages else page
        origin = shown.obj.get("original_path") or (shown.obj.get("inherited_from") or {}).get("full_name")
        if origin:
            while origin and origin not in modules:
                origin = origin.rpartition(".")[0]
            file = modules.get(origin)  # none if the module is not documented
        if file:
            found[page].add(file)
        for child in shown.children:
            if child.display:
                add(child, page, file)

    for name, file in modules.items():
        add(objects[name], name, file)
    return found


def _docname(path: PurePath) -> str:
    """Return the document name for a path relative to the source folder, without suffix."""
    return os.path.normpath(path).replace(os.sep, "/")
