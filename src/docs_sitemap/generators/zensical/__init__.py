"""Read what a project of Zensical or MkDocs says about itself: zensical.toml, or mkdocs.yml.

This is for ``docs-sitemap build``, after the project's own build; ``notes`` has what its pages include. No
generator is imported. The files are read as plain data: Python tags of YAML are passed over, where the
generators themselves would import what they name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

from docs_sitemap.dates.evidence.named import templates_of
from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_PATH, MAX_TEXT
from docs_sitemap.options.configuration import Configuration
from docs_sitemap.pages.page import Host
from docs_sitemap.readers.data import read_toml, read_yaml, read_yaml_type
from docs_sitemap.readers.files import read_plain
from docs_sitemap.readers.html import read_head
from docs_sitemap.text import shorten, show_value, text_of

CONFIGURATIONS: Final = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")
"""The configuration files, in the order in which Zensical looks for them."""

PLUGIN: Final = "docs-sitemap"
"""The name of our plugin for MkDocs, below which both generators have our options."""

EXTENSIONS: Final = {"docs-sitemap", "docs_sitemap.generators.zensical.extension"}
"""The names under which Markdown finds our extension."""

_SUFFIXES: Final = (".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".ipynb")
"""Zensical reads only the first; MkDocs, and its plugin for notebooks, read all."""

Setting = TypeVar("Setting", str, bool)


class Project:
    """The settings in a project's configuration ``file``, as its generator reads them.

    ``folder`` has the sources of the pages: ``docs_dir``. ``options`` are ours, as the MkDocs plugin has
    them: both generators accept a plugin of that name. ``plugins`` and ``extensions`` are names of plugins
    and of Markdown extensions. ``custom_dir`` has templates of the theme; ``None`` if ``folder`` is in it.
    Raises ``OptionError``, which names file and key, if the file cannot be read or has a wrong value.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        where = file.name
        values = _read(file, where)
        is_of_zensical = file.suffix == ".toml"
        if is_of_zensical and isinstance(values.get("project"), Mapping):  # it can do without that table
            values = values["project"]

        def setting(key: str, default: Setting) -> Setting:
            value = values.get(key)
            if value is None:
                return default
            if not isinstance(value, type(default)) or (default and value == ""):
                expected = "true or false" if isinstance(default, bool) else "a text"
                raise OptionError(f"{where}: {key}: expected {expected}, got {show_value(value)}.")
            return value

        plugins = values.get("plugins")
        self.options = _options(plugins, f"{where}: plugins: {PLUGIN}")
        self.plugins = frozenset(name for name, _ in _named(plugins))
        self.extensions = frozenset(_extensions(values.get("markdown_extensions")))
        self.folder = file.parent / setting("docs_dir", "docs")
        self.site_dir = file.parent / setting("site_dir", "site")
        real = Path(os.path.realpath(self.folder))
        if real.is_relative_to(os.path.realpath(self.site_dir)):  # MkDocs refuses it too
            got = show_value(os.path.relpath(self.site_dir, file.parent))
            raise OptionError(f"{where}: site_dir: expected a folder that docs_dir is not in, got {got}.")
        theme = values.get("theme")
        theme = theme if isinstance(theme, Mapping) else {}
        custom = text_of(theme.get("custom_dir"))
        custom_dir = Path(os.path.realpath(file.parent / custom)) if custom else None
        # if docs_dir is in it, nothing tells its templates from the files of docs_dir
        self.custom_dir = custom_dir if custom_dir and not real.is_relative_to(custom_dir) else None
        self.host = Host(
            setting("site_url", "") or None,
            f"{where}: site_url",
            self.options.spell,
            file.parent,
            title=text_of(values.get("site_name")),
            language=text_of(theme.get("language")),
            # the script of its theme looks there for the pages that it loads in advance
            reads_urls="sitemap.xml" if is_of_zensical else "",
            folders="set use_directory_urls: true",
            has_notes=True,
        )
        self.use_directory_urls = setting("use_directory_urls", True) and not _is_offline(plugins)

    @property
    def is_noted(self) -> bool:
        """Tell whether the project uses our extension, which notes what pages include."""
        return not self.extensions.isdisjoint(EXTENSIONS)

    def built_site(self) -> Path:
        """Return the folder of the built site; raises ``OptionError`` if there is none."""
        if self.site_dir.is_dir():
            return self.site_dir
        folder = shorten(os.path.relpath(self.site_dir, self.file.parent), MAX_PATH)
        raise OptionError(
            f"{self.file.name}: site_dir: expected a built site, but {folder} is not a folder; "
            "build the site first."
        )

    def is_built_by_zensical(self) -> bool:
        """Tell whether Zensical has built the site: it alone reads zensical.toml, and pages name it.

        Not all themes of MkDocs name MkDocs.
        """
        heads = (read_head(self.site_dir / name) for name in ("index.html", "404.html"))
        return self.file.suffix == ".toml" or any(
            head is not None and head.generator.lower().startswith("zensical") for head in heads
        )

    def is_template(self, name: str) -> bool:
        """Tell whether a file in the build output is from custom_dir: that is copied if it is in docs_dir."""
        file = self.folder / name
        if self.custom_dir is None or not file.is_file():
            return False
        return Path(os.path.realpath(file)).is_relative_to(self.custom_dir)

    def templates(self, name: object) -> dict[Path, str]:
        """Return the files of custom_dir that make a page whose front matter names a template."""
        spec = find_spec("zensical")
        theme = [os.path.join(os.path.dirname(spec.origin or ""), "templates")] if spec else []
        found = templates_of(name, str(self.custom_dir), theme) if self.custom_dir else {}
        return {Path(file): how for file, how in found.items()}

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output, or the file that is copied there."""
        stem = name.rpartition(".")[0]
        folder, slash, last = stem.rpartition("/")
        is_index = last == "index"
        stems = [f"{folder}{slash}index", f"{folder}{slash}README"] if is_index else []
        if self.use_directory_urls and folder and is_index:
            stems.append(folder)
        elif not self.use_directory_urls and not is_index:
            stems.append(stem)
        names = (name, *(each + suffix for each in stems for suffix in _SUFFIXES))
        return next(filter(os.path.isfile, (self.folder / each for each in names)), None)


def find_project(folder: Path) -> Project | None:
    """Return the project in a folder; ``None`` if it has no configuration file. Raises like ``Project``."""
    file = next((folder / name for name in CONFIGURATIONS if (folder / name).is_file()), None)
    return Project(file) if file else None


def _read(file: Path, where: str) -> Mapping[str, Any]:
    """Return the settings in a file, which messages call ``where``, with those that mkdocs.yml inherits."""
    is_toml = file.suffix == ".toml"
    try:
        text = read_plain(file, MAX_TEXT).decode("utf-8-sig").replace("\r\n", "\n")
        found = read_toml(text) if is_toml else read_yaml(text, _tagged)
    except OSError as problem:
        raise OptionError(f"{where}: cannot be read: {problem.strerror}.") from None
    except ValueError as problem:
        lacks_tomli = is_toml and not find_spec("tomli")
        cure = " For TOML 1.1, install tomli: pip install tomli" if lacks_tomli else ""
        kind = "TOML" if is_toml else "YAML"
        raise OptionError(f"{where}: expected a {kind} file, got {problem}.{cure}") from None
    except ImportError:
        cure = 'install PyYAML, for example with pip install "docs-sitemap[cli]"'
        raise OptionError(f"{where}: expected PyYAML to read it; {cure}.") from None
    if not isinstance(found, Mapping):
        # not what it has: it may be a link to a secret
        got = "an empty file" if found is None else f"a value of type {type(found).__name__}"
        raise OptionError(f"{where}: expected settings, got {got}.")
    parent = None if is_toml else found.get("INHERIT")
    if parent is None:
        return found
    if not isinstance(parent, str):
        raise OptionError(f"{where}: INHERIT: expected the path of a file, got {show_value(parent)}.")
    above = file.parent / parent
    return _merged(_read(above, shorten(str(above), MAX_PATH)), found)


def _merged(parent: Mapping[str, Any], child: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return inherited settings with the file's own, as MkDocs: mappings are merged, all else replaced."""
    both = {
        key: _merged(parent[key], child[key])
        for key in parent.keys() & child.keys()
        if isinstance(parent[key], Mapping) and isinstance(child[key], Mapping)
    }
    return {**parent, **child, **both}


def _tagged(tag: str, value: Any) -> Any:
    """Return what ``!ENV`` says; ``None`` for all other tags.

    A list has names of variables, of which the first that is set counts, and a default at its end.
    """
    if tag != "!ENV":
        return None
    *names, default = value if isinstance(value, list) and len(value) > 1 else [value, None]
    for name in names:
        said = os.environ.get(text_of(name)) if text_of(name) else None
        if said is not None:
            return read_yaml_type(said)
    return default


def _is_offline(plugins: Any) -> bool:
    """Tell whether the plugin offline, of Zensical and Material, is on: it turns off use_directory_urls."""
    found = [value for name, value in _named(plugins) if name.removeprefix("material/") == "offline"]
    return any(not isinstance(value, Mapping) or value.get("enabled", True) for value in found)


def _options(plugins: Any, where: str) -> Configuration:
    """Return the options below our name among the plugins; refuse our name with an underscore."""
    if any(name == PLUGIN.replace("-", "_") for name, _ in _named(plugins)):
        raise OptionError(f"{where}: expected this name of the plugin, got docs_sitemap.")
    values = next((value for name, value in _named(plugins) if name == PLUGIN), None) or {}
    if not isinstance(values, Mapping):
        raise OptionError(f"{where}: expected a table of options, got {show_value(values)}.")
    written = {shorten(name).replace("-", "_"): name for name in values}
    found = {name: values[key] for name, key in written.items()}
    return Configuration(found, where, {name: shorten(key) for name, key in written.items()})


def _extensions(listed: Any) -> Iterator[str]:
    """Yield names of Markdown extensions; in TOML, pymdownx.snippets without quotes is a table in a table."""
    for name, value in _named(listed):
        yield name
        if name == "pymdownx" and isinstance(value, Mapping):
            yield from (f"pymdownx.{shorten(key)}" for key in value)


def _named(listed: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and settings of plugins or extensions, which are a mapping, or a list of both."""
    for item in listed if isinstance(listed, list) else [listed]:
        pairs = item.items() if isinstance(item, Mapping) else [(item, None)]
        yield from ((name, value) for name, value in pairs if isinstance(name, str))
