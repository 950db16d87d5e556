"""Find the sources of documents that an extension writes during the build.

Each supported extension records them in its own way. A document that no extension has recorded has no date.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from docs_sitemap.git.head import untracked
from docs_sitemap.untrusted import RealPaths

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


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
