"""``python -m benchmarks.mkdocs_inventory ...``: mkdocs, and what it knows of the pages that it made.

Runs in the Python that has what the site needs, and imports nothing of the package that is judged:
that one is a plugin like any other. Nothing below the site's source folder is written; what
mkdocs.yml would need (one more plugin, a site_url, dates as ``git log -1`` has them) is added to it
as it is read. The environment variable has what ``benchmarks.sphinx_inventory`` says, and with
``without`` the names of plugins that take no part.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.base import LegacyConfig
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.utils.meta import get_data

from benchmarks.mkdocs_includes import Includes, shows_others
from benchmarks.sphinx_inventory import AS_GIT_LOG, job

if TYPE_CHECKING:
    from mkdocs.structure.files import File, Files

OURS = "docs-sitemap"
_NAME = "benchmarks-inventory"
_MODULES = {
    OURS: "docs_sitemap.generators.mkdocs:DocsSitemapPlugin",
    _NAME: "benchmarks.mkdocs_inventory:Inventory",
}
_AFTER_OURS = -2000


class Inventory(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]
    """Notes what is published; static-i18n builds further languages inside the end of the first."""

    config_scheme = ()

    def __init__(self) -> None:
        self._files: list[Files] = []
        self._texts: dict[File, str] = {}
        self._ended = 0

    @event_priority(_AFTER_OURS)
    def on_env(self, env: object, /, *, config: MkDocsConfig, files: Files) -> None:
        """Take the files, to which plugins may add until the build ends; they may remove what they made."""
        self._files.append(files)
        self._texts |= {file: _content(file) for file in files.documentation_pages()}

    @event_priority(_AFTER_OURS)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write all of it when the outermost build ends."""
        self._ended += 1
        if self._ended == len(self._files):
            files = [file for files in self._files for file in files]
            found = _inventory(config, files, self._texts)
            Path(job()["inventory"]).write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def _complete(data: MutableMapping[str, Any]) -> None:
    """Add to what mkdocs.yml says; what it says of our dates gives way to what can be compared."""
    plugins: list[dict[str, Any]] = []
    for name, said in _each_plugin(data.get("plugins", ["search"])):
        if name not in (*job()["without"], *([] if job()["ours"] else [OURS])):
            plugins.append({name: {**(said or {}), **AS_GIT_LOG} if name == OURS else said})
    if job()["ours"] and not any(OURS in plugin for plugin in plugins):
        plugins.append({OURS: dict(AS_GIT_LOG)})
    data["plugins"] = [*plugins, {_NAME: {}}]
    data["site_url"] = data.get("site_url") or job()["base_url"]


def _each_plugin(plugins: Mapping[str, Any] | Iterable[Any] | None) -> Iterator[tuple[str, Any]]:
    """Yield each plugin of a configuration with its options."""
    if isinstance(plugins, Mapping):
        yield from plugins.items()
        return
    for plugin in plugins or ():
        yield from plugin.items() if isinstance(plugin, Mapping) else [(plugin, None)]


def main(arguments: list[str]) -> Any:
    """Run mkdocs with the completed configuration."""
    from mkdocs.__main__ import cli

    read = MkDocsConfig.load_dict

    def read_and_complete(self: MkDocsConfig, patch: dict[str, Any]) -> None:
        MkDocsConfig.load_dict = read  # type: ignore[method-assign]  # only the site's own, and once
        _complete(patch)
        read(self, patch)

    MkDocsConfig.load_dict = read_and_complete  # type: ignore[method-assign]  # as if mkdocs.yml said so
    installed = dict(MkDocsConfig._schema)["plugins"].installed_plugins  # type: ignore[attr-defined]
    for name, module in _MODULES.items():
        installed[name] = EntryPoint(name, module, "mkdocs.plugins")
    return cli.main(arguments, standalone_mode=False)


def _inventory(config: MkDocsConfig, files: list[File], texts: Mapping[File, str]) -> dict[str, Any]:
    ours: Any = config.plugins.get(OURS)
    pages = [file for file in files if file.page is not None and file.inclusion.is_included()]  # type: ignore[no-untyped-call]
    theme, templates = config.theme, [*config.theme.static_templates, *map(str, config.extra_templates)]
    return {
        "generator": "MkDocs",
        "base_url": config.site_url,
        "exclude": ours.config["exclude"] if ours else [],
        "machine": ["404.html", *(name for name in templates if name.endswith(".html"))],
        "copied": sorted(_copied([config.docs_dir, *theme.dirs])),
        "translation": any(getattr(file, "alternates", None) for file in pages),
        "documents": list(_documents(config, pages, texts)),
        "templates": {},
    }


def _documents(
    config: MkDocsConfig, pages: list[File], texts: Mapping[File, str]
) -> Iterator[dict[str, Any]]:
    """Yield each page; ``sources`` is ``None`` where it says its date itself, and empty where none is known.

    The second page that is made of a source is no translation.
    """
    includes = Includes(config)
    seen = set()
    for file in sorted(pages, key=lambda file: (file.dest_uri.count("/"), file.dest_uri)):
        source, page = _source(file), Path(config.site_dir, file.dest_uri)
        written = texts.get(file) or _content(file)
        said = _settings(written)
        included = includes.of(source or Path(config.docs_dir, file.src_uri), written, page)
        included |= {Path(config.docs_dir, name) for name in said.get("sources", ())}
        sources = [*([str(source)] if source else []), *sorted(map(str, included))]
        yield {
            "file": file.dest_uri,
            "source": str(source) if source else None,
            "sources": None if "lastmod" in said else [] if shows_others(page, written) else sources,
            "translated": source not in seen,
            "excluded": bool(said.get("exclude")),
        }
        seen.add(source or file.src_uri)


def _source(file: File) -> Path | None:
    """Return the file that a page is written in, ``None`` for what a plugin has made up."""
    places = [file.abs_src_path, file.src_dir and os.path.join(file.src_dir, file.src_uri)]
    made_up = file.generated_by is not None or _is_temporary(Path(file.src_dir or ""))
    return next((Path(place) for place in places if place and os.path.isfile(place) and not made_up), None)


def _is_temporary(folder: Path) -> bool:
    """Tell whether a folder is a plugin's own; the site may itself be in a temporary one."""
    is_project = folder.is_relative_to(Path.cwd()) or Path.cwd().is_relative_to(folder)
    return folder.is_relative_to(tempfile.gettempdir()) and not is_project


def _content(file: File) -> str:
    try:
        return file.content_string
    except (OSError, ValueError):
        return ""


def _settings(text: str) -> dict[str, Any]:
    """Return what a page's front matter says of the sitemap."""
    said = get_data(text)[1].get("sitemap")
    return dict(said) if isinstance(said, Mapping) else {"exclude": said is False}


def _copied(folders: Iterable[str]) -> Iterator[str]:
    for folder in map(Path, folders):
        for file in folder.rglob("*.html"):
            yield file.relative_to(folder).as_posix()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
