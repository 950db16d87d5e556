"""What a page of MkDocs includes, as the text of its source says.

Knows the directives of pymdownx.snippets, include-markdown, macros, markdown-include and its kin,
table-reader, mkdocstrings, mkdocs-click and mkautodoc, and reads them as text;
nothing is taken from the package that is judged. Where several places are possible, the first that
has the file is it.

What is appended to every page counts where one of its abbreviations is used; addresses of links
show on no page. What a hook or code in a page reads, no text tells.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from glob import glob
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.sphinx_inventory import read_text

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

_SNIPPET = re.compile(r"""^[ \t>]*-+8<-+[ ]+(["'])(.+?)\1[ \t]*$""", re.MULTILINE)
_SNIPPETS = re.compile(r"^[ \t>]*-+8<-+[ \t]*\n(.*?)^[ \t>]*-+8<-+[ \t]*$", re.MULTILINE | re.DOTALL)
_PART = re.compile(r":(?:[-\d:,]+|[A-Za-z][\w-]*)$")
_JINJA = re.compile(r"""\{%[-+]?\s*(?:include|import|extends|from)\s+(["'])(.+?)\1""")
_BRACES = re.compile(r"(?<!\\)\{![+-]?\s*>?\s*([^]|[]+?)(?:\s*\[.*?\])?(?:\s*\|.*?)?\s*!\}")
_VARIANTS = re.compile(r"^\{\*\s*(\S+).*\*\}$", re.MULTILINE)
_VARIED = re.compile(r"(?:_an|_py\d+)*$")
_RAW = re.compile(r"\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}", re.DOTALL)
_NOT_RENDERED = re.compile(r"\A---\n(?:.*\n)*?render_macros:\s*false\b")
_TABLE = re.compile(r"""\{[{%][^}]*?(?:\b|_)read_\w+\(\s*(["'])(.+?)\1""")
_ASKED = re.compile(r"^[ \t]*(?:#{1,6} *)?:::[ \t]*([\w.]+)[ \t]*$", re.MULTILINE)
_CLICK = re.compile(r"^[ \t]*::: *mkdocs-click[ \t]*\n((?:[ \t]+:.*\n?)+)", re.MULTILINE)
_OPTION = re.compile(r"^[ \t]+:(\w+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_EXPLAINED = re.compile(r"^\*\[(.+?)\]:[ \t]*(.*)$", re.MULTILINE)
_LISTED = re.compile(r"^\s*(?:<!-- material/tags\b.*-->|\[TAGS\])", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_WHOLE = ("include", "include-markdown")


class Includes:
    """Finds the files that pages include, by the configuration of a site."""

    def __init__(self, config: MkDocsConfig) -> None:
        self._modules = _Modules(config)
        readers = (_snippets, _tags, _macros, _braces, _tables)
        self._rules: list[_Rule] = [rule for reader in readers for rule in reader(config)]
        self._data = list(_data(config))
        options = config.mdx_configs.get("pymdownx.snippets", {})
        bases = _bases(options, Path.cwd(), Path(config.docs_dir))
        appended = [file for name in options.get("auto_append") or () for file in _in_bases(bases, name)]
        within = [more for file in appended for more in self._within(file, read_text(file))]
        self._appended = {*appended, *within}

    def of(self, source: Path, text: str, page: Path) -> set[Path]:
        """Return the files that a page includes, of its text and its published file."""
        found = self._within(source, text)
        every = text + "".join(map(read_text, found))
        found |= {file for file in self._appended if _is_used(read_text(file), page)}
        made = _rendered(every)
        found |= {file for file, key in self._data if re.search(rf"\{{[{{%][^}}]*\b{re.escape(key)}\b", made)}
        found |= self._modules.of(every, page)
        return {Path(os.path.abspath(file)) for file in found} - {source}

    def _within(self, file: Path, text: str) -> set[Path]:
        found: set[Path] = set()
        new = self._named(file, text)
        while new:
            found |= new
            new = {more for one in new for more in self._named(one, read_text(one))} - found
        return found

    def _named(self, file: Path, text: str) -> set[Path]:
        return {
            Path(os.path.normpath(named))
            for rule in self._rules
            for named in rule(file, text)
            if named.is_file()
        }


_Rule = Callable[[Path, str], Iterator[Path]]


def _snippets(config: MkDocsConfig) -> Iterator[_Rule]:
    if "pymdownx.snippets" not in config.markdown_extensions:
        return
    options = config.mdx_configs.get("pymdownx.snippets", {})

    def rule(file: Path, text: str) -> Iterator[Path]:
        bases = _bases(options, Path.cwd(), file.parent)
        names = [match[2] for match in _SNIPPET.finditer(text)]
        names += [line.strip(" \t>") for match in _SNIPPETS.finditer(text) for line in match[1].splitlines()]
        for name in names:
            if name and not name.startswith((";", "http://", "https://")):
                yield from list(_in_bases(bases, name))[:1] or list(_in_bases(bases, _PART.sub("", name)))[:1]

    yield rule


def _bases(options: Mapping[str, Any], root: Path, folder: Path) -> list[Path]:
    """Return where names start from; ``!relative`` without more is the folder of the page itself."""
    bases = options.get("base_path", ["."])
    found = [bases] if isinstance(bases, (str, os.PathLike)) else bases
    return [folder if type(base).__name__ == "RelativeDirPlaceholder" else root / str(base) for base in found]


def _in_bases(bases: Iterable[Path], name: str) -> Iterator[Path]:
    """Yield what a name means; a base may be a file that is included by its own name."""
    name = _PART.sub("", name) if _PART.search(name) and not _PART.sub("", name).endswith(":") else name
    for base in bases:
        if base.is_dir() and (base / name).is_file():
            yield base / name
        elif base.is_file() and base.name == name:
            yield base


def _tags(config: MkDocsConfig) -> Iterator[_Rule]:
    plugin: Any = config.plugins.get("include-markdown")
    if plugin is None:
        return
    directives = {name: (plugin.config.get("directives") or {}).get(name, name) for name in _WHOLE}
    names = "|".join(re.escape(name) for name in sorted(directives.values(), key=len, reverse=True))
    begin, end = re.escape(plugin.config["opening_tag"]), re.escape(plugin.config["closing_tag"])
    tag = re.compile(rf"""{begin}\s*(?:{names})\s+(["'])(.+?)\1(.*?){end}""", re.DOTALL)
    docs_dir = Path(config.docs_dir)

    def rule(file: Path, text: str) -> Iterator[Path]:
        for match in tag.finditer(text):
            base = file.parent if match[2].startswith(("./", "../")) else docs_dir
            without = re.search(r"""\bexclude=(["'])(.+?)\1""", match[3])
            left_out = set(glob(str(base / without[2]), recursive=True)) if without else set()
            found = glob(str(base / match[2]), recursive=True)
            yield from (Path(name) for name in found if name not in left_out and name != str(file))

    yield rule


def _macros(config: MkDocsConfig) -> Iterator[_Rule]:
    plugin: Any = config.plugins.get("macros")
    if plugin is None:
        return
    base = Path(config.config_file_path).parent / (plugin.config["include_dir"] or config.docs_dir)
    yield lambda file, text: (base / match[2] for match in _JINJA.finditer(_rendered(text)))


def _rendered(text: str) -> str:
    """Return what Jinja makes something of."""
    return "" if _NOT_RENDERED.match(text) else _RAW.sub("", text)


def _data(config: MkDocsConfig) -> Iterator[tuple[Path, str]]:
    """Yield each data file that macros reads, with each of the names that it gives to pages."""
    import yaml  # type: ignore[import-untyped,import-not-found,unused-ignore]

    plugin: Any = config.plugins.get("macros")
    said = plugin.config["include_yaml"] if plugin else []
    root = Path(config.config_file_path).parent
    for item in said if isinstance(said, list) else [said]:
        for key, name in item.items() if isinstance(item, Mapping) else [("", item)]:
            names = [key] if key else yaml.safe_load(read_text(root / name)) or ()
            yield from ((root / name, str(one)) for one in names)


def _braces(config: MkDocsConfig) -> Iterator[_Rule]:
    kin = ("markdown_include.include", "mdx_include", "markdown_include_variants")
    options = [config.mdx_configs.get(name, {}) for name in kin if name in config.markdown_extensions]
    bases = [Path.cwd() / str(one.get("base_path") or ".") for one in options]

    def rule(file: Path, text: str) -> Iterator[Path]:
        for match in _BRACES.finditer(text):
            name = match[1]
            places = [*bases, Path(config.docs_dir), file.parent]
            yield next((place / name for place in places if (place / name).is_file()), Path(name))

    if options:
        yield rule
    if kin[-1] in config.markdown_extensions:
        yield lambda file, text: (
            one for match in _VARIANTS.finditer(text) for one in _variants(Path.cwd() / match[1])
        )


def _variants(file: Path) -> list[Path]:
    """Return a file with those for other versions of Python, or, where there are none, from such folders."""
    folder = file.parent
    stems = {one: _VARIED.sub("", one.stem) for one in folder.glob("*.py")}
    found = [one for one, stem in stems.items() if stem == _VARIED.sub("", file.stem)]
    if len(found) > 1:
        return found
    folders = [
        one for one in folder.parent.glob("*") if _VARIED.sub("", one.name) == _VARIED.sub("", folder.name)
    ]
    return [file, *(one / file.name for one in folders)]


def _tables(config: MkDocsConfig) -> Iterator[_Rule]:
    plugin: Any = config.plugins.get("table-reader")
    if plugin is None:
        return
    bases = [Path(config.config_file_path).parent, Path(config.docs_dir)]
    bases = [base / folder for folder in (plugin.config["data_path"], "") for base in bases]

    def rule(file: Path, text: str) -> Iterator[Path]:
        for match in _TABLE.finditer(_rendered(text)):
            places = [base / match[2] for base in (*bases, file.parent)]
            yield next((place for place in places if place.is_file()), places[0])

    yield rule


def _is_used(appended: str, page: Path) -> bool:
    """Tell whether a page shows an abbreviation of a text, or the text has more than definitions."""
    titles = {node.get("title") for node in _tree(page).iter("abbr")}
    if any(explained.strip() in titles for _, explained in _EXPLAINED.findall(appended)):
        return True
    rest = appended
    for pattern in (_COMMENT, _SNIPPETS, _SNIPPET):
        rest = pattern.sub("", rest)
    return any(line.strip() and not line.lstrip().startswith(("[", "*[")) for line in rest.splitlines())


def shows_others(page: Path, text: str) -> bool:
    """Tell whether a page shows excerpts of others, as a blog's do, or lists those that have a tag."""
    excerpts = (
        node for node in _tree(page).iter("article") if "md-post--excerpt" in (node.get("class") or "")
    )
    return _LISTED.search(text) is not None or any(True for _ in excerpts)


class _Modules:
    """The files of what mkdocstrings and its kin document, as griffe finds them."""

    def __init__(self, config: MkDocsConfig) -> None:
        plugin: Any = config.plugins.get("mkdocstrings")
        handler = (plugin.config["handlers"] or {}).get("python", {}) if plugin else {}
        root = Path(config.config_file_path).parent
        paths = [root / path for path in handler.get("paths") or (".",)]
        self._paths = [Path(found) for path in paths for found in glob(str(path))]
        self._paths += [root, root / "src", *map(Path, sys.path)]
        self._shown_by_heading = plugin is not None
        self._is_asked = plugin is not None or "mkautodoc" in config.markdown_extensions
        self._has_clicks = "mkdocs-click" in config.markdown_extensions
        self._file = cache(self._ask_griffe)

    def of(self, text: str, page: Path) -> set[Path]:
        """Return the files of all that a page asks for, and of what its headings then name."""
        asked = _ASKED.findall(text) if self._is_asked else []
        found = {file for name in asked for file in self._file(name)}
        if asked and self._shown_by_heading:
            headings = (node for node in _tree(page).iter() if "doc-heading" in (node.get("class") or ""))
            found |= {file for node in headings for file in self._file(node.get("id") or "")}
        for options in _CLICK.findall(text) if self._has_clicks else ():
            found |= set(_commands(dict(_OPTION.findall(options))))
        return found

    def _ask_griffe(self, name: str) -> tuple[Path, ...]:
        """Return the file in which an object is written, wherever it is imported to."""
        try:
            modules = self._loaded(name.partition(".")[0])
        except Exception:  # no such package, or none that griffe can read
            return ()
        try:
            found = modules[name]
            files = found.filepath if isinstance(found.filepath, list) else [found.filepath]
        except Exception:  # not there, or leads out of the package
            return ()
        return tuple(map(Path, files))

    @cache  # noqa: B019
    def _loaded(self, package: str) -> Any:
        from griffe import GriffeLoader  # type: ignore[import-not-found,unused-ignore]

        loader = GriffeLoader(search_paths=self._paths)
        loader.load(package)
        loader.resolve_aliases(implicit=True, external=False)
        return loader.modules_collection


def _commands(options: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files of a command of Click that a page shows, and those of all its subcommands."""
    import inspect

    import click

    module = import_module(options["module"])
    yield Path(str(module.__file__))
    to_do: list[click.Command] = [getattr(module, options["command"])]
    while to_do:
        command = to_do.pop()
        if command.hidden and "show_hidden" not in options:
            continue
        if command.callback is not None:
            yield Path(inspect.unwrap(command.callback).__code__.co_filename)
        to_do += command.commands.values() if isinstance(command, click.Group) else ()


def _tree(page: Path) -> Any:
    from lxml import html

    data = page.read_bytes() if page.is_file() else b""
    return html.fromstring(data or b"<html></html>", parser=html.HTMLParser(encoding="utf-8"))
