"""What Sphinx and its extensions generate: files, pages without a source, what doctrees keep of builds."""

from __future__ import annotations

import json
import os
import pickle
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

import sphinx
from docutils import nodes
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.util.matching import Matcher

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.errors import OutputError
from docs_sitemap.files import OutputFolder
from docs_sitemap.git.repository import untracked
from docs_sitemap.limits import MAX_NOTED
from docs_sitemap.readers import RealPaths, read_json

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment


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


class Notes:
    """A JSON file for one builder. Files that cannot be read or written are treated as missing."""

    def __init__(self, app: Sphinx, name: str) -> None:
        self._folder = Path(app.doctreedir)
        place = f"{crc32(os.fsencode(app.outdir)):08x}"  # the same doctrees may have several outputs
        self._name = f"docs_sitemap_{app.builder.name}_{place}_{name}.json"

    def read(self) -> dict[str, Any]:
        """Return the stored data, or an empty dict."""
        with suppress(OutputError, ValueError, RecursionError):
            value = read_json(OutputFolder(self._folder).read(self._name, MAX_NOTED) or b"null")
            if isinstance(value, dict):
                return value
        return {}

    def write(self, value: Mapping[str, object]) -> None:
        """Store data for the next build."""
        data = json.dumps(value, sort_keys=True).encode("ascii")
        with suppress(OutputError), OutputFolder(self._folder).changes() as changes:
            changes.write(self._name, data)
            changes.commit()


class Made(NamedTuple):
    """The files of a document: its source, if any, and other files with the evidence."""

    source: Path | None
    files: Mapping[Path, str]


def generated(app: Sphinx, env: BuildEnvironment) -> dict[str, Made]:
    """Return the files of each document that an extension wrote and recorded."""
    found = {**dict(_stubs(app, env)), **dict(_of_autoapi(app, env)), **dict(_of_gallery(app))}
    return {docname: made for docname, made in found.items() if docname in env.found_docs}


def _stubs(app: Sphinx, env: BuildEnvironment) -> Iterator[tuple[str, Made]]:
    """Yield untracked documents that are named after the Python object that they document.

    autosummary, numpydoc and apidoc write such stubs (seen with Sphinx 7.2 to 9.0). Their text comes from the
    modules that autodoc records.
    """
    objects = env.get_domain("py").data["objects"]
    names = {file: name for name, file in getattr(app.config, "autosummary_filename_map", {}).items()}
    documents = {}
    links = RealPaths()
    for docname in env.found_docs:
        stem = docname.rpartition("/")[2]
        documented = objects.get(names.get(stem, stem))
        if documented and documented.docname == docname:
            documents[Path(links.of(env.doc2path(docname)))] = docname
    for file in untracked(documents):
        yield documents[file], Made(None, {})


def _of_gallery(app: Sphinx) -> Iterator[tuple[str, Made]]:
    """Yield the pages that sphinx-gallery makes, each from one script (seen with 0.16 and 0.22).

    It records the title of each script with a page, by the script's path. The index page of a gallery, which
    shows the titles of all its scripts, has no such record.
    """
    conf = getattr(app.config, "sphinx_gallery_conf", None) or {}
    scripts = [Path(name) for name in conf.get("titles", ())]
    for examples, gallery in zip(_listed(conf, "examples_dirs"), _listed(conf, "gallery_dirs"), strict=False):
        folder = Path(os.path.normpath(Path(app.srcdir, examples)))
        for script in scripts:
            if script.is_relative_to(folder):
                document = Path(gallery, script.relative_to(folder)).with_suffix("")
                yield _docname(document), Made(script, {script: "sphinx-gallery makes the page from it"})


def _listed(conf: Mapping[str, Any], name: str) -> list[Any]:
    """Return a setting of sphinx-gallery, a folder or a list of folders, as a list."""
    value = conf.get(name, [])
    return value if isinstance(value, list) else [value]


def _of_autoapi(app: Sphinx, env: BuildEnvironment) -> Iterator[tuple[str, Made]]:
    """Yield the pages that sphinx-autoapi writes, with the modules of the objects on each (seen with 3.9).

    It records all objects, the objects that have their own page, and the file of each module.
    """
    if not getattr(app.config, "autoapi_generate_api_docs", False):
        return  # autoapi has records, but writes no pages
    pages = getattr(env, "autoapi_objects", {})
    for name, files in _shown(getattr(env, "autoapi_all_objects", {}), pages).items():
        if name in pages:
            document = pages[name].output_dir(app.config.autoapi_root) / pages[name].output_filename()
            evidence = dict.fromkeys(sorted(files), "sphinx-autoapi documents it on the page")
            yield _docname(document), Made(None, evidence)


def _shown(objects: Mapping[str, Any], pages: Mapping[str, Any]) -> Mapping[str, set[Path]]:
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
            file = _module_of(origin, modules)
        if file:
            found[page].add(file)
        for child in shown.children:
            if child.display:
                add(child, page, file)

    for name, file in modules.items():
        add(objects[name], name, file)
    return found


def _module_of(name: str, modules: Mapping[str, Path]) -> Path | None:
    """Return the file of an object's module; ``None`` if the module is not documented."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return modules.get(name)


def _docname(path: PurePath) -> str:
    """Return the document name for a path relative to the source folder, without suffix."""
    return os.path.normpath(path).replace(os.sep, "/")


_NAME: Final = "pages"
_COLLECT: Final = "html-collect-pages"
_VIEWCODE: Final = "sphinx.ext.viewcode"

# Since 8.2, top-level files are matched against exclude_patterns as ./NAME, so few patterns match.
_TOP: Final = "./" if sphinx.version_info >= (8, 2) else ""


class ExtraPages:
    """The pages without a document in a build."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._is_complete = False

    def connect(self, app: Sphinx, guard: BuildGuard) -> None:
        """Connect the event handlers; call ``names`` at the end of a successful build."""
        app.connect("env-updated", guard.around(self._ask))
        app.connect(_COLLECT, self._begin)
        app.connect("html-page-context", guard.around(self._add))

    def names(self, app: Sphinx) -> set[str]:
        """Return the names of all such pages, and store them for builds that write none."""
        if not self._is_complete:
            return set(map(str, _noted(app).get("pages", ())))
        # viewcode skips pages that are newer than their modules
        names = self._seen | set(_source_pages(app))
        Notes(app, _NAME).write({"pages": sorted(names), "makers": _makers(app)})
        return names

    def _ask(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Return a document to write if the makers of such pages have changed or are unknown."""
        writes_always = sphinx.version_info >= (8, 2) or isinstance(app.builder, SingleFileHTMLBuilder)
        return [] if writes_always or _noted(app).get("makers") == _makers(app) else [app.config.root_doc]

    def _begin(self, app: Sphinx) -> Iterable[Any]:
        self._is_complete = True  # a build writes all of them or none
        return ()

    def _add(self, app: Sphinx, pagename: str, templatename: str, context: object, doctree: Any) -> None:
        """Add a page without a doctree; a page with one is a document in the environment."""
        if doctree is None:
            self._seen.add(pagename)


def _noted(app: Sphinx) -> dict[str, list[str]]:
    noted = Notes(app, _NAME).read()
    return {name: value for name, value in noted.items() if isinstance(value, list)}


def _makers(app: Sphinx) -> list[str]:
    makers = [listener.handler for listener in app.events.listeners.get(_COLLECT, ())]
    return sorted(f"{maker.__module__}.{getattr(maker, '__qualname__', '')}" for maker in makers)


def _source_pages(app: Sphinx) -> Iterable[str]:
    if _VIEWCODE in app.extensions:
        for module, entry in getattr(app.env, "_viewcode_modules", {}).items():
            if entry:
                yield f"_modules/{module.replace('.', '/')}"


def extra_files(config: Config, confdir: Path) -> dict[str, Path]:
    """Return the files by their names in the output, with ``/``; if names are equal, the last file counts."""
    excluded = Matcher(config.exclude_patterns)
    entries = (confdir / entry for entry in config.html_extra_path)
    return {name: file for entry in entries for name, file in _files(excluded, entry)}


def static_files(config: Config, confdir: Path) -> dict[str, Path]:
    """Return the files of ``html_static_path`` by their names in ``_static``: no templates, none hidden."""
    excluded = Matcher([*config.exclude_patterns, "**/.*"])
    entries = (confdir / entry for entry in config.html_static_path)
    found = {name: file for entry in entries for name, file in _files(excluded, entry)}
    return {name: file for name, file in found.items() if not name.endswith((".jinja", "_t"))}


def _files(excluded: Matcher, root: Path) -> Iterator[tuple[str, Path]]:
    """Walk like Sphinx: a file that is an entry itself is never excluded, and links are followed."""
    if root.is_file():
        yield root.name, root
        return
    for folder, folders, files in os.walk(root, followlinks=True):
        below = Path(folder).relative_to(root).as_posix() + "/"
        prefix, asked = ("", _TOP) if below == "./" else (below, below)
        folders[:] = sorted(name for name in folders if not excluded(asked + name))
        for name in sorted(files):
            if not excluded(asked + name):
                yield prefix + name, Path(folder, name)
