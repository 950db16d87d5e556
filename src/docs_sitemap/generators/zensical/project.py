"""Read what a project of Zensical or MkDocs says about itself: zensical.toml, or mkdocs.yml.

The files are read as plain data: Python tags of YAML are passed over, where the generators themselves would
import what they name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from docs_sitemap import urls
from docs_sitemap.brief import brief, shown, text_of
from docs_sitemap.dates import Installed
from docs_sitemap.errors import OptionError
from docs_sitemap.files import HEAD, Family, OutputFolder, Report, on_doubts, on_undated
from docs_sitemap.generators.zensical.notes import PageNotes
from docs_sitemap.limits import MAX_PATH, MAX_TEXT
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import Configuration, Options, Spell
from docs_sitemap.pages import Host, Page
from docs_sitemap.readers import read_plain, read_toml, read_yaml, read_yaml_type
from docs_sitemap.readers.html import read_head
from docs_sitemap.timestamps import same_date

_FILES: Final = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")
"""The configuration files, in the order in which Zensical looks for them."""

PLUGIN: Final = "docs-sitemap"
"""The name of our plugin for MkDocs, below which both generators have our options."""

_SUFFIXES: Final = (".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".ipynb")
"""Zensical reads only the first; MkDocs, and its plugin for notebooks, read all."""

_INDICES: Final = ("index", "README")

_MERGED: Final[Mapping[str, Any]] = {"theme": {}, "markdown_extensions": {}, "plugins": {PLUGIN: {}}}
"""Where mappings are merged with those that a file inherits: nested aliases would make others endless."""


@dataclass(frozen=True, slots=True)
class Project:
    """The settings in a project's configuration ``file``, as its generator reads them.

    ``options`` are ours, as the MkDocs plugin has them: both generators accept a plugin of that name.
    ``plugins`` and ``extensions`` are names of plugins and of Markdown extensions.
    """

    file: Path
    docs_dir: Path
    site_dir: Path
    use_directory_urls: bool
    host: Host
    options: Configuration
    plugins: frozenset[str]
    extensions: frozenset[str]

    def built_site(self) -> Path:
        """Return the folder of the built site; raises ``OptionError`` if there is none."""
        if self.site_dir.is_dir():
            return self.site_dir
        folder = shown(os.path.relpath(self.site_dir, self.file.parent), MAX_PATH)
        raise OptionError(
            f"{self.file.name}: site_dir: expected a built site, but {folder} is not a folder; "
            "build the site first."
        )


class ProjectSources:
    """Finds the source of a page by its name in the build output, as the generator names pages."""

    def __init__(self, project: Project) -> None:
        self.folder = project.docs_dir
        self._has_folders = project.use_directory_urls

    def find(self, name: str) -> Path | None:
        """Return the source of a page, or the file that is copied to this place; ``None`` without one."""
        stem = name.rpartition(".")[0]
        ways = (self.folder / way for way in (name, *self._ways(stem)))
        return next(filter(os.path.isfile, ways), None)

    def _ways(self, stem: str) -> Iterator[str]:
        folder, slash, last = stem.rpartition("/")
        stems = [folder + slash + index for index in _INDICES] if last == "index" else []
        if self._has_folders and folder and stems:
            stems.append(folder)
        elif not self._has_folders and not stems:
            stems.append(stem)
        for each in stems:
            yield from (each + suffix for suffix in _SUFFIXES)


def find_project(folder: Path) -> Project | None:
    """Return the project in a folder; ``None`` if it has no configuration file.

    Raises ``OptionError``, which names file and key, if the file cannot be read or has a wrong value.
    """
    file = next((folder / name for name in _FILES if (folder / name).is_file()), None)
    if file is None:
        return None
    values = _read(file)
    if file.suffix == ".toml":  # Zensical also accepts the settings without the table
        values = _mapping(values, "project", file.name) if "project" in values else values

    def text(key: str, default: str) -> str:
        value = default if values.get(key) is None else values[key]
        if isinstance(value, str) and (value or not default) and "\0" not in value:
            return value
        raise OptionError(f"{file.name}: {key}: expected a text, got {brief(value)}.")

    options = _options(values.get("plugins"), f"{file.name}: plugins: {PLUGIN}")
    docs_dir, site_dir = folder / text("docs_dir", "docs"), folder / text("site_dir", "site")
    if file.suffix == ".toml":
        _check_is_within(folder, {"docs_dir": docs_dir, "site_dir": site_dir}, file.name)
    if Path(os.path.realpath(docs_dir)).is_relative_to(os.path.realpath(site_dir)):  # MkDocs refuses it too
        got = brief(os.path.relpath(site_dir, folder))
        raise OptionError(f"{file.name}: site_dir: expected a folder that docs_dir is not in, got {got}.")
    theme = values.get("theme")
    host = Host(
        text("site_url", "") or None,
        f"{file.name}: site_url",
        options.spell,
        folder,
        title=text_of(values.get("site_name")),
        language=text_of(theme.get("language")) if isinstance(theme, Mapping) else "",
        # the script of its theme looks there for the pages that it loads in advance
        reads_urls="sitemap.xml" if file.suffix == ".toml" else "",
        folders="set use_directory_urls: true",
    )
    return Project(
        file,
        docs_dir,
        site_dir,
        _boolean(values, "use_directory_urls", file.name) and not _is_offline(values.get("plugins")),
        host,
        options,
        frozenset(name for name, _ in _named(values.get("plugins"))),
        frozenset(_extensions(values.get("markdown_extensions"))),
    )


def _check_is_within(folder: Path, named: Mapping[str, Path], where: str) -> None:
    """Raise ``OptionError`` for a folder outside the project, as Zensical does; MkDocs allows them."""
    for key, place in named.items():
        if not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder)):
            got = brief(os.path.relpath(place, folder))
            raise OptionError(f"{where}: {key}: expected a folder of the project, got {got}.")


def _read(file: Path, heirs: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """Return the settings in a file, with those of mkdocs.yml that it inherits; ``heirs`` inherit from it."""
    where = shown(str(file) if heirs else file.name, MAX_PATH)
    try:
        text = read_plain(file, MAX_TEXT).decode("utf-8-sig").replace("\r\n", "\n")
        found = read_toml(text) if file.suffix == ".toml" else read_yaml(text, _tagged)
    except OSError as problem:
        raise OptionError(f"{where}: cannot be read: {problem.strerror}.") from None
    except ValueError as problem:
        kind = "TOML" if file.suffix == ".toml" else "YAML"
        raise OptionError(f"{where}: expected a {kind} file, got {problem}.") from None
    except ImportError:
        cure = 'install PyYAML, for example with pip install "docs-sitemap[cli]"'
        raise OptionError(f"{where}: expected PyYAML to read it; {cure}.") from None
    if not isinstance(found, Mapping):
        # not what it has: it may be a link to a secret
        got = "an empty file" if found is None else f"a value of type {type(found).__name__}"
        raise OptionError(f"{where}: expected settings, got {got}.")
    parent = found.get("INHERIT") if file.suffix != ".toml" else None
    if parent is None:
        return found
    if not isinstance(parent, str) or "\0" in parent:
        raise OptionError(f"{where}: INHERIT: expected the path of a file, got {brief(parent)}.")
    heirs += (os.path.realpath(file),)
    if os.path.realpath(file.parent / parent) in heirs:
        raise OptionError(f"{where}: INHERIT: expected another file than those that inherit from it.")
    return _merged(_read(file.parent / parent, heirs), found)


def _merged(
    parent: Mapping[str, Any], child: Mapping[str, Any], below: Mapping[str, Any] = _MERGED
) -> Mapping[str, Any]:
    """Return inherited settings with the file's own: mappings that we read are merged, all else replaced."""
    both = {
        key: _merged(parent[key], child[key], deeper)
        for key, deeper in below.items()
        if isinstance(parent.get(key), Mapping) and isinstance(child.get(key), Mapping)
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


def _mapping(values: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    found = values[key]
    if not isinstance(found, Mapping):
        raise OptionError(f"{where}: {key}: expected a table, got {brief(found)}.")
    return found


def _boolean(values: Mapping[str, Any], key: str, where: str) -> bool:
    value = True if values.get(key) is None else values[key]
    if not isinstance(value, bool):
        raise OptionError(f"{where}: {key}: expected true or false, got {brief(value)}.")
    return value


def _is_offline(plugins: Any) -> bool:
    """Tell whether the plugin offline, of Zensical and Material, is on: it turns off use_directory_urls."""
    found = [value for name, value in _named(plugins) if name.removeprefix("material/") == "offline"]
    return any(not isinstance(value, Mapping) or value.get("enabled", True) for value in found)


def _options(plugins: Any, where: str) -> Configuration:
    """Return the options below our name among the plugins."""
    values = next((value for name, value in _named(plugins) if name == PLUGIN), None)
    if not isinstance(values, Mapping | None):
        raise OptionError(f"{where}: expected a table of options, got {brief(values)}.")
    written = {shown(name).replace("-", "_"): name for name in values or ()}
    found = {name: (values or {})[key] for name, key in written.items()}
    return Configuration(found, where, {name: shown(key) for name, key in written.items()})


def _extensions(listed: Any) -> Iterator[str]:
    """Yield names of Markdown extensions; in TOML, pymdownx.snippets without quotes is a table in a table."""
    for name, value in _named(listed):
        yield name
        if name == "pymdownx" and isinstance(value, Mapping):
            yield from (f"pymdownx.{shown(key)}" for key in value)


def _named(listed: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and settings of plugins or extensions, which are a mapping, or a list of both."""
    for item in listed if isinstance(listed, list) else [listed]:
        pairs = item.items() if isinstance(item, Mapping) else [(item, None)]
        yield from ((name, value) for name, value in pairs if isinstance(name, str))


_EXTENSIONS: Final = {"docs-sitemap", "docs_sitemap.generators.zensical.extension"}
"""The names under which Markdown finds our extension."""

_INCLUDING: Final = {
    "include-markdown",
    "macros",
    "mkdocstrings",
    "pymdownx.snippets",
    "table-reader",
}
"""Plugins and extensions with which pages include files."""

_CLEAN: Final = "build once with zensical build --clean"


class Site(NamedTuple):
    """The pages of a project, notices about them, and the dates that they show, by URL path."""

    pages: list[Page]
    notices: list[Notice]
    shown: Mapping[str, str]


def with_included(pages: Iterable[Page], project: Project) -> Site:
    """Return the pages with the files that they are known to include.

    Without our extension, pages have only their own files: notes of an earlier build do not count. With it,
    a page of which nothing is noted has no date.
    """
    pages = list(pages)
    notes = PageNotes(project.file.parent, project.docs_dir)
    sources = [page.source_path for page in pages if page.source_path]
    is_used = _is_used(project)
    noted = {source: note for source in sources if (note := notes.read(source))} if is_used else {}
    if not is_used or (not noted and project.file.suffix != ".toml"):  # MkDocs may have built the site
        return Site(pages, [], {})
    included = notes.includes(noted.values())
    installed = Installed(project.docs_dir)
    made = []
    unknown = 0
    for page in pages:
        files, undated = included.get(page.source_path or ""), ""
        if files is None and (page.source_path or "").endswith(".md"):
            undated = "what it includes is not noted, or has changed since"
            unknown += 1
        found, doubt = installed.originals(files or {})
        undated = undated or doubt
        made.append(
            replace(page, dependencies=tuple(found), evidence=found, datable=not undated, undated=undated)
        )
    why = "what they include is not noted, or has changed since they were built"
    notices = [on_undated(unknown, why, _CLEAN)] if unknown else []
    shown = {page.url: noted[source].shown for page in pages if (source := page.source_path) in noted}
    return Site(made, notices + on_doubts(installed.doubts), shown)


def is_of_zensical(project: Project) -> bool:
    """Tell whether Zensical has built the site: it alone reads zensical.toml, and pages name it.

    Not all themes of MkDocs name MkDocs.
    """
    heads = (read_head(project.site_dir / name) for name in ("index.html", "404.html"))
    return project.file.suffix == ".toml" or any(
        head is not None and head.generator.lower().startswith("zensical") for head in heads
    )


def check_is_not_of_plugin(project: Project, filename: str) -> None:
    """Raise ``OptionError`` if the sitemap ``filename`` of a project's site is that of our plugin for MkDocs.

    The plugin knows what pages include: the dates of another sitemap would be too old.
    """
    if PLUGIN not in project.plugins or is_of_zensical(project):
        return
    folder = OutputFolder(project.site_dir)
    if Family(filename).ours([filename, filename + ".gz"], lambda name: folder.read(name, HEAD) or b"", ()):
        raise OptionError(
            f"{project.file.name}: plugins: {PLUGIN}: expected a site that Zensical has built, got one of "
            "MkDocs, where this plugin has written the sitemap, with dates of what pages include: leave out "
            "docs-sitemap build, or name SITE_DIR to replace that sitemap."
        )


def about_configuration(project: Project, options: Options, spell: Spell) -> list[Notice]:
    """Report options without effect on Zensical's pages, and dates that are too old without our extension."""
    if not is_of_zensical(project):
        return []
    notices = []
    if options.json_ld:
        why = "no extension can change the head of Zensical's pages"
        text = f"{spell('json_ld')}: it has no effect, because {why}."
        notices.append(Notice("info", Subtype.OPTION, text))
    included = sorted(_INCLUDING & (project.plugins | project.extensions))
    lacking = [f"no page shows its date ({spell('page_dates')})"] if options.page_dates else []
    if included:
        lacking.append(f"the files that pages include do not count for their dates ({', '.join(included)})")
    if lacking and not _is_used(project):
        besides = "" if project.extensions else ", with Zensical's own list, which this replaces"
        text = (
            f"Without the Markdown extension docs-sitemap, {' and '.join(lacking)}. To fix it: "
            f"add docs-sitemap to markdown_extensions{besides}, and {_CLEAN}."
        )
        if options.page_dates:
            notices.append(Notice("warning", Subtype.OPTION, text))
        else:
            notices.append(Notice("info", Subtype.LASTMOD, text))
    return notices


def _is_used(project: Project) -> bool:
    return not project.extensions.isdisjoint(_EXTENSIONS)


def about_shown(shown: Mapping[str, str], report: Report, *, is_asked: bool) -> list[Notice]:
    """Report dates that pages still show, or do not show yet: Zensical does not render all of them again."""
    listed = {url.loc: url.lastmod for url in report.urls}  # empty without a base URL
    places = {url: urls.join(report.base_url, url) for url in shown} if listed else {}
    dated = {url: date for url, place in places.items() if (date := listed.get(place))}
    if not is_asked:
        others, what = sum(map(bool, shown.values())), "a date, although page_dates is off"
    elif dated and not any(shown.values()):
        others, what = len(dated), "no date, although page_dates is on"
    else:
        others = sum(bool(shown[url]) and not same_date(date, shown[url]) for url, date in dated.items())
        what = "another date than the sitemap has"
    if not others:
        return []
    pages = "1 page shows" if others == 1 else f"{others:,} pages show"
    text = f"{pages} {what}, from an earlier build. To fix it: {_CLEAN}."
    return [Notice("info", Subtype.LASTMOD, text)]
