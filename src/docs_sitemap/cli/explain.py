"""``docs-sitemap explain``: explain why a page has its date."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import click
from click.core import ParameterSource

from docs_sitemap.brief import shown
from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    clock_option,
    follow_renames_option,
    note,
    read_ignore_revs,
    some,
    write_json,
    write_stdout,
)
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.urls import comparable

if TYPE_CHECKING:
    from docs_sitemap.explain import Asked, Note, PageExplanation
    from docs_sitemap.git import Clock, Rules

SUFFIXES: Final = (".md", ".rst", ".ipynb", ".txt", ".markdown", ".mdx", ".adoc", ".org", ".qmd")
"""Suffixes of the source files that documentation generators read."""

_FOLDERS: Final = ("docs", "doc", "docs/source", "doc/source", "source", "src", "content", ".")
"""Conventional folders of documentation; the working folder comes last, because it has a README."""

_END: Final = re.compile(rf"(?:{'|'.join(map(re.escape, SUFFIXES))}|\.html?)$")


def find_source(page: str, source_dir: Path | None) -> Path:
    """Return the source file of a page, given as a file path, a URL or a document name.

    Searches ``source_dir``, otherwise the conventional folders. Raises ``click.UsageError`` if no
    file or several files match.
    """
    if Path(page).is_file():
        return Path(page)
    folders = [source_dir] if source_dir else [Path(folder) for folder in _FOLDERS if os.path.isdir(folder)]
    names = _names(page)
    found = next(filter(None, (_files(folder, name) for folder in folders for name in names)), [])
    if len(found) == 1:
        return found[0]
    what = f"matches several files: {some([*map(str, found)])}" if found else "has no known source"
    raise click.UsageError(
        f"{shown(page, MAX_PATH)} {what}; name its source file, or its folder with --source-dir."
    )


def is_url(page: str) -> bool:
    """Tell whether a page is named by its URL."""
    return page.lower().startswith(("http://", "https://"))


def path_of(url: str) -> str:
    """Return the path of a URL, decoded; NUL if it has an invalid host, which is no page's."""
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return "\0"


def without_suffix(name: str) -> str:
    """Return a page's path without the suffix of its source or of HTML."""
    return _END.sub("", name)


def plain_path(name: str) -> str:
    """Return a page's path without what generators and servers add: suffix, ``index``, slashes."""
    return re.sub(r"(?:^|/)(?:index|README)$", "", without_suffix(name.strip("/"))).strip("/")


def _names(page: str) -> list[str]:
    """Return the paths that a page may have in a source folder.

    The path of a URL may start with folders that the sources do not have.
    """
    if not is_url(page):
        return [unquote(page).strip("/")]
    parts = path_of(page).strip("/").split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _files(folder: Path, path: str) -> list[Path]:
    """Return the possible source files of a page; more than one if its name is ambiguous."""
    stem = path.removesuffix("/index.html").removesuffix(".html").removesuffix(".htm")
    stem = "" if stem == "index" else stem
    names = [f"{stem}/{index}".lstrip("/") for index in ("index", "README")]
    files = [folder / name for name in ([stem] if stem else []) + names]
    # most folders do not exist
    there = [file for file in files if os.path.isdir(file.parent)]
    return [found for file in there for end in SUFFIXES if (found := Path(f"{file}{end}")).is_file()]


_SHOWN: Final = 5

_Keys = Callable[["Note"], Iterable[str]]


@dataclass(frozen=True, slots=True)
class PageNote:
    """The note of a page, and the header of its site's notes."""

    header: Mapping[str, Any]
    note: Note


class NotedSites:
    """The sites that builds have notes of."""

    def __init__(self) -> None:
        from docs_sitemap.explain import notes

        # notes, and the site's project; the newest build first
        self._sites = [
            (path, Path(str(header.get("root"))))
            for path, header in notes.headers()
            if not header.get("served")
        ]
        self.of = cache(self._of)
        self._read = cache(notes.read_file)
        self._by_key = cache(self._with_keys)

    def _of(self, folder: Path) -> tuple[Path, ...]:
        """Return the notes of each site built in a folder or its repository, the newest build first."""
        top = _work_tree(folder)
        return tuple(
            path for path, root in self._sites if (_work_tree(root) == top if top else root == folder)
        )

    def find(self, page: str, places: Sequence[Path]) -> PageNote | None:
        """Return the note of a page by its URL, document name or source file, from the notes in ``places``.

        The most specific test counts first, on all sites. Raises ``click.ClickException`` if several pages of
        a site match.
        """
        for keys, key in _tests(page):
            for place in places:
                if found := self._by_key(place, keys).get(key):
                    if found[1:]:
                        raise _ambiguous(page, found)
                    return PageNote(self._read(place).header, found[0])
        return None

    def _with_keys(self, place: Path, keys: _Keys) -> Mapping[str, list[Note]]:
        found: dict[str, list[Note]] = {}
        for noted in self._read(place).pages.values():
            for key in set(keys(noted)):
                found.setdefault(key, []).append(noted)
        return found


def _ambiguous(page: str, found: Sequence[Note]) -> click.ClickException:
    sources = ", ".join(map(shown, sorted(note.source or note.loc for note in found)[:_SHOWN]))
    name = shown(page, MAX_PATH)
    return click.ClickException(f"{name} matches several pages: {sources}. Name the source file instead.")


def _tests(page: str) -> list[tuple[_Keys, str]]:
    """Return the tests for a page, the most specific first: one of the keys of its note is this one."""
    if is_url(page):
        return [(_url, comparable(page)), (_url_path, plain_path(path_of(page)))]
    if os.path.isfile(page):
        return [(_source, os.path.realpath(page))]
    name = page.strip("/")
    return [(_noted_names, name), (_stems, without_suffix(name)), (_plain_names, plain_path(name))]


def _source(note: Note) -> Iterable[str]:
    return (os.path.realpath(note.source),) if note.source else ()


def _url(note: Note) -> Iterable[str]:
    return (comparable(note.loc),) if note.loc else ()


def _url_path(note: Note) -> Iterable[str]:
    return (plain_path(path_of(note.loc)),) if note.loc else ()


def _noted_names(note: Note) -> Iterable[str]:
    return [name.strip("/") for name in note.names]


def _stems(note: Note) -> Iterable[str]:
    return map(without_suffix, _noted_names(note))


def _plain_names(note: Note) -> Iterable[str]:
    return map(plain_path, note.names)


@cache
def _work_tree(folder: Path) -> str | None:
    from docs_sitemap.git import find_repository

    repository = find_repository(folder)
    return os.path.realpath(repository.root) if repository else None


@click.command()
@click.option(
    "--include",
    "includes",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, path_type=Path),
    help="Another file that the pages depend on, for example an included file; may be repeated.",
)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=FOLDER,
    help="The folder of the documentation sources; default: docs and other common folders.",
)
@clock_option
@click.option(
    "--ignore-revs",
    metavar="FILE",
    type=FILE,
    help="A file of commits to ignore, one full hash per line; default: the repository's "
    ".git-blame-ignore-revs, as in builds.",
)
@follow_renames_option
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, one per page.")
@click.argument("pages", nargs=-1, required=True, metavar="PATH...")
def explain(
    *,
    includes: tuple[Path, ...],
    source_dir: Path | None,
    clock: Clock,
    ignore_revs: Path | None,
    follow_renames: bool,
    as_json: bool,
    pages: tuple[str, ...],
) -> None:
    """Explain why a page has its date: the deciding file, the commit, and the git command to verify it.

    PATH is the URL, the document name or the source file of a page. The last build recorded in the user's
    cache folder what each page includes. For a file that is not a page, only that file is explained.
    """
    from docs_sitemap.explain import explanation as explaining

    found: list[tuple[Asked, Rules]] = []
    problems: list[click.ClickException] = []
    context = click.get_current_context()
    sites = NotedSites()
    for page in pages:
        try:
            header, asked = _find(page, source_dir, sites)
            files = asked.files._replace(others=(*asked.files.others, *includes))
            rules = _rules(context, header, clock, ignore_revs, follow_renames)
            found.append((replace(asked, files=files), rules))
        except click.ClickException as problem:
            problems.append(problem)
    _write(explaining.explain_pages(found), as_json)
    for each in problems:
        note(f"Error: {each.format_message()}")
    if problems:
        context.exit(1 if found else max(each.exit_code for each in problems))


def _find(page: str, source_dir: Path | None, sites: NotedSites) -> tuple[Mapping[str, Any], Asked]:
    """Return a page from the records of earlier builds, otherwise by its name.

    With it comes the header of its record, which is empty without one. Raises ``click.ClickException`` if
    there is no such page, or several.
    """
    from docs_sitemap.explain import Asked
    from docs_sitemap.pages import Files

    found = None if source_dir else sites.find(page, _places(sites, page))
    if found is None:
        source = find_source(page, source_dir)
        places = _places(sites, str(source))
        found = sites.find(str(source), places)
        if found is None:
            return {}, Asked(page, Files(source), has_notes=bool(places))
    return found.header, Asked(page, found.note.files(), found.note)


def _places(sites: NotedSites, page: str) -> Sequence[Path]:
    """Return the notes to search for a page: it may be in a repository other than the working folder's."""
    here = sites.of(Path.cwd())
    return (*here, *sites.of(Path(page).absolute().parent)) if Path(page).is_file() else here


def _rules(
    context: click.Context, header: Mapping[str, Any], clock: Clock, ignore_revs: Path | None, follow: bool
) -> Rules:
    """Return the rules for dates: those of the build, unless the command line overrides them."""
    from docs_sitemap.git import Rules

    def is_given(name: str) -> bool:
        return context.get_parameter_source(name) is not ParameterSource.DEFAULT

    noted_clock: Clock = "author" if header.get("clock") == "author" else "committer"
    revs = header.get("ignore_revs")
    if is_given("ignore_revs") or revs is None:
        ignored = read_ignore_revs(ignore_revs) if ignore_revs else None
    else:
        ignored = read_ignore_revs(Path(revs)) if revs else frozenset()
    return Rules(
        clock if is_given("clock") else noted_clock,
        ignored,
        follow if is_given("follow_renames") else bool(header.get("follow_renames")),
    )


def _write(found: list[PageExplanation], as_json: bool) -> None:
    from docs_sitemap.explain import explanation as explaining

    if as_json:
        write_json([explaining.as_json(page) for page in found])
    elif found:
        text = "\n\n".join(explaining.as_text(page) for page in found)
        write_stdout(text.encode("utf-8", "surrogateescape") + b"\n")
