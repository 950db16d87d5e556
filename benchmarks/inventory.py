"""``python -m benchmarks.inventory ...``: sphinx-build, and what Sphinx knows of the pages that it made.

Runs in the Python that has what the site needs, and imports nothing of the package that is judged:
that one is an extension like any other. Nothing below the site's source folder is written; what
conf.py would need (one more extension, a base URL, dates as ``git log -1`` has them) is
added to it as it is read.

The environment variable ``SITES_BUILD`` has a JSON object: ``inventory`` is the file to write,
``ours`` tells whether our extension takes part, ``base_url`` is for sites that have none, and ``also``
has pairs of a document's name and a pattern of files, from conf.py's folder, that it includes in a way
that nothing tells.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from benchmarks.sphinx_parts import Parts

VARIABLE = "SITES_BUILD"
OURS = "docs_sitemap"
AS_GIT_LOG = {"clock": "committer", "dependencies": "text", "follow_renames": False, "ignore_revs": False}
_AROUND_OURS = (899, 901)
_clock: list[float] = []
_opened: defaultdict[str, set[str]] = defaultdict(set)
"""The files that are opened while a document is read, by its name."""
_rendered: set[str] = set()
"""The pages that Sphinx makes from a template."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Note what is published, and how long our extension takes at the end of the build."""
    for priority in _AROUND_OURS:
        app.connect("build-finished", lambda *_: _clock.append(time.perf_counter()), priority=priority)
    app.connect("build-finished", _write, priority=_AROUND_OURS[-1] + 1)
    app.connect("html-page-context", lambda _, name, *__: _rendered.add(name))
    reading: list[str] = []
    app.connect("source-read", lambda _, name, __: reading.append(name))
    app.connect("doctree-read", lambda *_: reading.clear())

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and reading and isinstance(arguments[0], str):
            _opened[reading[-1]].add(arguments[0])

    sys.addaudithook(hear)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def complete(namespace: dict[str, Any], job: Mapping[str, Any]) -> None:
    """Add to what conf.py says; what it says of our dates gives way to what can be compared."""
    others = [name for name in namespace.get("extensions", ()) if name != OURS]
    namespace["extensions"] = [*others, *([OURS] if job["ours"] else []), "benchmarks.inventory"]
    namespace["html_baseurl"] = namespace.get("html_baseurl") or job["base_url"]
    for name, value in AS_GIT_LOG.items() if job["ours"] else ():
        namespace[f"{OURS}_{name}"] = value


def main(arguments: list[str]) -> int:
    """Run sphinx-build with the completed configuration."""
    import sphinx.config
    from sphinx.cmd.build import main as build

    read = sphinx.config.eval_config_file

    def read_and_complete(filename: Any, tags: Any) -> dict[str, Any]:
        namespace = read(filename, tags)
        complete(namespace, _job())
        return namespace

    sphinx.config.eval_config_file = read_and_complete  # as if one more line stood in conf.py
    return build(arguments)


def _job() -> Any:
    return json.loads(os.environ[VARIABLE])


def _write(app: Sphinx, exception: Exception | None) -> None:
    import sphinx

    if exception is not None:
        return
    config, env = app.config, app.builder.env
    parts = _parts(app)
    excluded = getattr(config, f"{OURS}_exclude", None) or []
    found = {
        "sphinx": sphinx.__version__,
        "builder": app.builder.name,
        "theme": config.html_theme,
        "extensions": [name for name in config.extensions if name != "benchmarks.inventory"],
        "language": config.language,
        "base_url": config.html_baseurl,
        "seconds_of_ours": _clock[1] - _clock[0],
        "exclude": [excluded] if isinstance(excluded, str) else list(excluded),
        "machine": sorted(_machine_pages(app)),
        "copied": sorted(_copied(app)),
        "rendered": sorted({_output(app, name) for name in _rendered} | _rendered_before()),
        "translation": any(folder.rglob("*.po") for folder in _catalog_folders(app)),
        "documents": {name: _document(app, parts, name) for name in sorted(env.found_docs)},
        "templates": {name: _template(app, name) for name in config.html_additional_pages},
    }
    Path(_job()["inventory"]).write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _parts(app: Sphinx) -> Parts:
    from benchmarks.sphinx_parts import Parts

    return Parts(app, _job()["also"])


def _document(app: Sphinx, parts: Parts, name: str) -> dict[str, Any]:
    env = app.builder.env
    shown = {
        _path(app, file)
        for kind in (env.images, env.dlfiles)
        for file, (names, _) in kind.items()
        if name in names
    }
    noted = {_path(app, file) for file in env.dependencies.get(name, ())}
    catalogs = list(_catalogs(app, name))
    return {
        "file": _output(app, name),
        **parts.of(name, noted, shown),
        "read": parts.tracked({_path(app, file) for file in _opened[name]} - shown),
        "media": sorted(map(str, shown)),
        "catalogs": [str(file) for file in catalogs],
        "translated": any(map(_has_translations, catalogs)),
        "settings": sorted(key for key in env.metadata.get(name, ()) if key.startswith("sitemap")),
    }


def _template(app: Sphinx, name: str) -> dict[str, Any]:
    places = [app.confdir / Path(folder) for folder in app.config.templates_path]
    template = app.config.html_additional_pages[name]
    source = next((str(place / template) for place in places if (place / template).is_file()), None)
    return {"file": _output(app, name), "source": source}


def _output(app: Sphinx, name: str) -> str:
    builder: Any = app.builder
    locate = getattr(builder, "get_output_path", None) or builder.get_outfilename  # 8.2 on, and before
    return os.path.relpath(locate(name), app.outdir)


def _path(app: Sphinx, name: str | os.PathLike[str]) -> Path:
    return Path(os.path.normpath(app.srcdir / Path(name)))


def _catalog_folders(app: Sphinx) -> list[Path]:
    language = app.config.language or ""
    folders = [app.srcdir / Path(folder) / language / "LC_MESSAGES" for folder in app.config.locale_dirs]
    return [folder for folder in folders if language and folder.is_dir()]


def _catalogs(app: Sphinx, name: str) -> Iterator[Path]:
    compact = app.config.gettext_compact
    domain = compact if isinstance(compact, str) else name.partition("/")[0] if compact else name
    for folder in _catalog_folders(app):
        if (file := folder / f"{domain}.po").is_file():
            yield file


def _has_translations(catalog: Path) -> bool:
    from babel.messages.pofile import read_po

    with open(catalog, "rb") as stream:
        return any(message.id and message.string and not message.fuzzy for message in read_po(stream))


def _rendered_before() -> set[str]:
    """Return the pages of the last build: up to Sphinx 8.1, one that finds nothing new makes none."""
    last = Path(_job()["inventory"])
    return set(json.loads(last.read_text("utf-8"))["rendered"]) if last.is_file() else set()


def _machine_pages(app: Sphinx) -> Iterator[str]:
    names = ["search", "genindex", "genindex-all", "genindex-single", "404"]
    names.append(getattr(app.config, "notfound_pagename", None) or "404")
    names.append(f"{getattr(app.config, 'blog_path', '')}/drafts")  # ablog lists them all
    for domain in app.builder.env.domains.values():
        names += [f"{domain.name}-{index.name}" for index in domain.indices]
    for name in names:
        yield _output(app, name)


def _copied(app: Sphinx) -> Iterator[str]:
    for entry in app.config.html_extra_path:
        root = app.confdir / Path(entry)
        for file in [root] if root.is_file() else root.rglob("*"):
            yield file.relative_to(root.parent if root.is_file() else root).as_posix()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
