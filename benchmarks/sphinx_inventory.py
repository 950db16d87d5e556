"""``python -m benchmarks.sphinx_inventory ...``: sphinx-build, and what it knows of the pages that it made.

Runs in the Python that has what the site needs, and imports nothing of the package that is judged:
that one is an extension like any other. Nothing below the site's source folder is written; what
conf.py would need (one more extension, a base URL, dates as ``git log -1`` has them) is
added to it as it is read.

The environment variable ``SITES_BUILD`` has a JSON object: ``inventory`` is the file to write,
``ours`` tells whether our extension takes part, and ``base_url`` is for sites that have none.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

VARIABLE: Final = "SITES_BUILD"
AS_GIT_LOG: Final = {
    "clock": "committer",
    "dependencies": "text",
    "follow_renames": False,
    "ignore_revs": False,
}
_OURS: Final = "docs_sitemap"
_AFTER_OURS: Final = 1000
_rendered: Final[set[str]] = set()
"""The pages that Sphinx makes from a template."""


def job() -> Any:
    """Return what this build is to do."""
    return json.loads(os.environ[VARIABLE])


@cache
def read_text(file: Path) -> str:
    """Return the text of a file, without a byte order mark; nothing where it has none."""
    try:
        return file.read_text("utf-8-sig")
    except (OSError, ValueError):
        return ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Note what is published."""
    app.connect("html-page-context", lambda _, name, *__: _rendered.add(name))
    app.connect("build-finished", _write, priority=_AFTER_OURS)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _complete(namespace: dict[str, Any]) -> None:
    """Add to what conf.py says; what it says of our dates gives way to what can be compared."""
    others = [name for name in namespace.get("extensions", ()) if name != _OURS]
    is_ours = job()["ours"]
    namespace["extensions"] = [*others, *([_OURS] if is_ours else []), "benchmarks.sphinx_inventory"]
    namespace["html_baseurl"] = namespace.get("html_baseurl") or job()["base_url"]
    for name, value in AS_GIT_LOG.items() if is_ours else ():
        namespace[f"{_OURS}_{name}"] = value


def main(arguments: list[str]) -> int:
    """Run sphinx-build with the completed configuration."""
    import sphinx.config
    from sphinx.cmd.build import main as build

    read = sphinx.config.eval_config_file

    def read_and_complete(filename: Any, tags: Any) -> dict[str, Any]:
        namespace = read(filename, tags)
        _complete(namespace)
        return namespace

    sphinx.config.eval_config_file = read_and_complete  # as if one more line stood in conf.py
    return build(arguments)


def _write(app: Sphinx, exception: Exception | None) -> None:
    import sphinx

    if exception is not None:
        return
    excluded = getattr(app.config, f"{_OURS}_exclude", None) or []
    found = {
        "generator": "Sphinx",
        "version": sphinx.version_info[:2],
        "builder": app.builder.name,
        "base_url": app.config.html_baseurl,
        "exclude": [excluded] if isinstance(excluded, str) else list(excluded),
        "machine": sorted(_output(app, name) for name in _machine_pages(app)),
        "copied": sorted(_copied(app)),
        "rendered": sorted(_output(app, name) for name in _rendered),
        "translation": any(folder.rglob("*.po") for folder in _catalog_folders(app)),
        "documents": list(_documents(app)),
        "templates": {
            _output(app, name): list(_template(app, str(template)))
            for name, template in app.config.html_additional_pages.items()
        },
    }
    Path(job()["inventory"]).write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _documents(app: Sphinx) -> Iterator[dict[str, Any]]:
    """Yield each document; ``sources`` is ``None`` where it has settings of its own."""
    from benchmarks.sphinx_parts import Parts

    env = app.builder.env
    parts = Parts(app)
    for name in sorted(env.found_docs):
        catalogs = list(_catalogs(app, name))
        said = {key: value for key, value in env.metadata[name].items() if key.startswith("sitemap")}
        yield {
            "file": _output(app, name),
            "source": str(env.doc2path(name)),
            "sources": None if said else [*parts.of(name), *map(str, catalogs)],
            "translated": any(map(_has_translations, catalogs)),
            "excluded": str(said.get("sitemap")).lower() == "false",
        }


def _template(app: Sphinx, name: str) -> Iterator[str]:
    """Yield the file of a template, if it is the site's own."""
    places = [app.confdir / Path(folder) / name for folder in app.config.templates_path]
    yield from [str(place) for place in places if place.is_file()][:1]


def _output(app: Sphinx, name: str) -> str:
    builder: Any = app.builder
    locate = getattr(builder, "get_output_path", None) or builder.get_outfilename  # 8.2 on, and before
    return os.path.relpath(locate(name), app.outdir)


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


def _machine_pages(app: Sphinx) -> Iterator[str]:
    yield from ("search", "genindex", "genindex-all", "genindex-single", "404")
    yield getattr(app.config, "notfound_pagename", None) or "404"
    yield f"{getattr(app.config, 'blog_path', '')}/drafts"  # ablog lists them all
    for domain in app.builder.env.domains.values():
        yield from (f"{domain.name}-{index.name}" for index in domain.indices)


def _copied(app: Sphinx) -> Iterator[str]:
    for entry in app.config.html_extra_path:
        root = app.confdir / Path(entry)
        for file in [root] if root.is_file() else root.rglob("*"):
            yield file.relative_to(root.parent if root.is_file() else root).as_posix()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
