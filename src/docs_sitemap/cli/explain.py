"""``docs-sitemap explain``: explain why a page has its date."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import click
from click.core import ParameterSource

from docs_sitemap import urls
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
from docs_sitemap.pages.page import SOURCE_SUFFIXES
from docs_sitemap.pages.version_names import is_version
from docs_sitemap.text import counted, escape_control, shorten

if TYPE_CHECKING:
    from docs_sitemap.explain.explanation import Asked
    from docs_sitemap.explain.notes import Note
    from docs_sitemap.git import Clock, Rules

_FOLDERS: Final = ("docs", "doc", "docs/source", "doc/source", "source", "src", "content", ".")
"""Conventional folders of documentation; the working folder comes last, because it has a README."""

_END: Final = re.compile(rf"(?:{'|'.join(map(re.escape, SOURCE_SUFFIXES))}|\.html?)$")

_SHOWN: Final = 5
"""How many of several pages a message names."""


def find_source(page: str, source_dir: Path | None) -> Path:
    """Return the source file of a page, given as a file path, a URL or a document name.

    Searches ``source_dir``, otherwise the conventional folders. Raises ``click.UsageError`` if no
    file or several files match, or only one whose address has fewer folders.
    """
    if Path(page).is_file():
        return Path(page)
    folders = [source_dir] if source_dir else [Path(folder) for folder in _FOLDERS if os.path.isdir(folder)]
    # the path of a URL may start with folders that the sources do not have
    parts = _path_of(page).strip("/").split("/")
    names = {"/".join(parts[start:]): parts[:start] for start in range(len(parts) if _is_url(page) else 1)}
    each = ((_files(folder, name), above) for folder in folders for name, above in names.items())
    found, above = next(filter(itemgetter(0), each), ([], []))
    if len(found) == 1 and all(map(_is_of_site, above)):
        return found[0]
    what = "matches several files" if len(found) > 1 else "may be made from a file in another folder"
    what = f"{what}: {some([*map(str, found)])}" if found else "has no known source"
    also = "" if source_dir else ", or its folder with --source-dir"
    raise click.UsageError(f"{shorten(page, MAX_PATH)} {what}; name its source file{also}.")


def _is_of_site(folder: str) -> bool:
    """Tell whether a folder in a URL may be that of a site: a version, a language, or the repository."""
    is_language = re.fullmatch("[a-z]{2}(?:[-_][A-Za-z]{2,4})?", folder)
    return bool(is_language) or is_version(folder) or folder == Path(_repository_or_self(Path.cwd())).name


def _files(folder: Path, path: str) -> list[Path]:
    """Return the possible source files of a page; more than one if its name is ambiguous."""
    stem = re.sub(r"(/index)?\.html?$", "", path)
    stem = "" if stem == "index" else stem
    names = [*([stem] if stem else []), *(f"{stem}/{index}".lstrip("/") for index in ("index", "README"))]
    # most folders do not exist
    there = [folder / name for name in names if (folder / name).parent.is_dir()]
    return [found for file in there for end in SOURCE_SUFFIXES if (found := Path(f"{file}{end}")).is_file()]


def _is_url(page: str) -> bool:
    return page.lower().startswith(("http://", "https://"))


def _path_of(page: str) -> str:
    """Return the decoded path of a page's URL or name; NUL if its URL is malformed, which is no page's."""
    try:
        return unquote(urlsplit(page).path if _is_url(page) else page)
    except ValueError:
        return "\0"


def _plain_path(name: str) -> str:
    """Return a page's path without what generators and servers add: suffix, ``index``, slashes."""
    return re.sub(r"(?:^|/)(?:index|README)$", "", _END.sub("", name.strip("/"))).strip("/")


_KEYS: Final[Mapping[str, Callable[[Note], Iterable[str]]]] = {
    "url": lambda note: [urls.comparable(note.loc)] if note.loc else [],
    "path": lambda note: [_plain_path(_path_of(note.loc))] if note.loc else [],
    "source": lambda note: [os.path.realpath(file) for file in (note.source, note.file) if file],
    "name": lambda note: [name.strip("/") for name in note.names],
    "stem": lambda note: [_END.sub("", name.strip("/")) for name in note.names],
    "plain name": lambda note: map(_plain_path, note.names),
}
"""What a page's note can be found by."""


def _ways(page: str) -> list[tuple[str, str]]:
    """Return the ways to find a page, the most specific first: a name in ``_KEYS``, and the key."""
    if _is_url(page):
        return [("url", urls.comparable(page)), ("path", _plain_path(_path_of(page)))]
    if os.path.isfile(page):
        return [("source", os.path.realpath(page))]
    name = page.strip("/")
    return [("name", name), ("stem", _END.sub("", name)), ("plain name", _plain_path(name))]


class NotedSites:
    """The sites that builds have notes of, each by its file of notes; the newest build first."""

    def __init__(self) -> None:
        from docs_sitemap.explain import notes

        self._sites = {
            path: {_repository_or_self(Path(place)) for place in header.get("places", ())}
            for path, header in notes.headers()
            if not header.get("served")
        }
        self.read = cache(notes.read_file)
        self._by_key = cache(self._index)
        self.published = cache(self._published)

    def of(self, page: str = "") -> list[Path]:
        """Return the sites built in the repository of the working folder, then in that of a page's file."""
        folders = [Path.cwd(), *([Path(page).absolute().parent] if os.path.isfile(page) else [])]
        here = dict.fromkeys(map(_repository_or_self, folders))
        return [path for place in here for path, places in self._sites.items() if place in places]

    def find(self, page: str, sites: Sequence[Path]) -> tuple[Mapping[str, Any], Note] | None:
        """Return the header of a page's site, and the page's note, by its URL, document name or file.

        The most specific way counts first, on all sites; published files that are no pages come last. Raises
        ``click.ClickException`` if several pages of a site match.
        """
        for notes_of, (way, key), site in product((self.pages, self.published), _ways(page), sites):
            found = self._by_key(notes_of, site, way).get(key, [])
            if len(found) > 1:
                sources = sorted(note.source or note.loc for note in found)[:_SHOWN]
                text = f"matches several pages: {', '.join(map(shorten, sources))}"
                raise click.ClickException(f"{shorten(page, MAX_PATH)} {text}. Name the source file instead.")
            if found:
                return self.read(site).header, found[0]
        return None

    def pages(self, site: Path) -> list[Note]:
        """Return the notes of a site's pages."""
        return [*self.read(site).pages.values()]

    def _published(self, site: Path) -> list[Note]:
        """Return a note for each HTML file in the last build's output that is no page of the generator."""
        from docs_sitemap.explain.notes import Note
        from docs_sitemap.pages.selection import NOT_FOUND, REDIRECT
        from docs_sitemap.pages.utility_pages import ERROR, machine_page
        from docs_sitemap.readers.files import files_below
        from docs_sitemap.readers.html import read_head

        header, pages = self.read(site)
        base, output = str(header.get("base_url") or ""), Path(str(header.get("output")))
        known, found = {note.file for note in pages.values()}, []
        for name in files_below(output):
            if not urls.is_html(name) or str(output / name) in known:
                continue
            loc = base and urls.join(base, urls.escape_name(re.sub(r"(^|/)index\.html?$", r"\1", name)))
            why = f"no page of {header.get('generator')}: what a theme or another tool adds is not listed"
            if (head := read_head(output / name)) and head.refresh:
                why = f"{REDIRECT}: it leads to {urls.absolute(loc, head.refresh) or head.refresh}"
            elif machine_page(output, name) == ERROR:
                why = f"{NOT_FOUND}: {ERROR}"
            file = str(output / name)
            found.append(Note(key=name, loc=loc, names=(name,), file=file, listed=False, left_out=why))
        return found

    def led_to(self, note: Note, sites: Sequence[Path]) -> tuple[str, tuple[Mapping[str, Any], Note] | None]:
        """Return the URL to which a stub redirects, or nothing, and the page of a site that has it."""
        from docs_sitemap.pages.selection import REDIRECT
        from docs_sitemap.readers.html import read_head

        is_stub = note.left_out.startswith(REDIRECT) and not note.source and note.file
        head = read_head(Path(note.file)) if is_stub else None
        url = (urls.absolute(note.loc, head.refresh) or head.refresh) if head else ""
        for site in sites if url else ():
            if found := self._by_key(self.pages, site, "url").get(urls.comparable(url)):
                return found[0].loc, (self.read(site).header, found[0])
        return url, None

    def around(self, page: str, sites: Sequence[Path]) -> list[Path]:
        """Return the sites below whose address a URL is."""
        bases = {site: urls.comparable(str(self.read(site).header.get("base_url") or "")) for site in sites}
        return [site for site, base in bases.items() if base and urls.comparable(page).startswith(base)]

    def unknown(self, page: str, sites: Sequence[Path]) -> click.ClickException:
        """Return the error for a page that no site has, with the nearest names."""
        from difflib import get_close_matches

        notes = (each for site in sites for each in self.pages(site))
        names = dict.fromkeys(name for each in notes for name in (*each.names, each.loc) if name)
        near = get_close_matches(page, names, n=_SHOWN)
        hint = f" Nearest: {', '.join(map(shorten, near))}." if near else ""
        return click.ClickException(f"{shorten(page, MAX_PATH)}: the last build has no such page.{hint}")

    def _index(
        self, notes_of: Callable[[Path], list[Note]], site: Path, way: str
    ) -> Mapping[str, list[Note]]:
        found: defaultdict[str, list[Note]] = defaultdict(list)
        header = self.read(site).header
        for page_note in notes_of(site):
            source = page_note.files(header).source if way == "source" else None
            for key in {*_KEYS[way](page_note), *([os.path.realpath(source)] if source else ())}:
                found[key].append(page_note)
        return found


def _list_left_out(sites: NotedSites, *, as_json: bool) -> None:
    """Print the pages of the last build here that are not listed, by reason."""
    from docs_sitemap.explain.explanation import pages_left_out
    from docs_sitemap.explain.notes import how_to_note

    here = sites.of()
    if not here:
        raise click.ClickException(f"no build with docs-sitemap is known here: {how_to_note()}.")
    notes = [*sites.pages(here[0]), *sites.published(here[0])]
    found = pages_left_out(notes)
    if as_json:
        write_json([page for group in found.values() for page in group])
        return
    number = sum(map(len, found.values()))
    output = sites.read(here[0]).header.get("output")
    lines = [f"{number:,} of {counted(len(notes), 'page')} not listed, in {output}"]
    for reason, group in found.items():
        lines += ["", f"{reason} ({len(group):,})"]
        for page in group:
            detail = page["left_out"]["detail"]
            lines.append(f"  {page['page']}{': ' if detail else ''}{detail or ''}")
    write_stdout("\n".join(map(escape_control, lines)).encode("utf-8", "surrogateescape") + b"\n")


@cache
def _repository_or_self(folder: Path) -> str:
    from docs_sitemap.git import find_repository

    repository = find_repository(folder)
    return os.path.realpath(repository.root) if repository else os.fspath(folder)


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
@click.option(
    "--left-out",
    is_flag=True,
    help="List the pages of the last build that the sitemap does not list, and why.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, one per page.")
@click.argument("pages", nargs=-1, metavar="[PATH]...")
def explain(
    *,
    includes: tuple[Path, ...],
    source_dir: Path | None,
    clock: Clock,
    ignore_revs: Path | None,
    follow_renames: bool,
    left_out: bool,
    as_json: bool,
    pages: tuple[str, ...],
) -> None:
    """Explain why a page has its date, or why the sitemap does not list it.

    For a date: the deciding file, the commit, and the git command to verify it.

    PATH is the URL, the document name or the source file of a page. Build the site first: the answers come
    from its last build. For a file that is not a page, only that file is explained.
    """
    from docs_sitemap.explain.explanation import as_text, explain_pages

    found: list[tuple[Asked, Rules]] = []
    problems: list[click.ClickException] = []
    context = click.get_current_context()
    sites = NotedSites()
    if bool(pages) == left_out:
        raise click.UsageError("expected either pages or --left-out; see docs-sitemap explain --help.")
    if left_out:
        _list_left_out(sites, as_json=as_json)
    for page in pages:
        try:
            header, asked = _find(page, source_dir, sites)
            files = asked.files._replace(others=(*asked.files.others, *includes))
            rules = _rules(context, header, clock, ignore_revs, follow_renames)
            found.append((replace(asked, files=files), rules))
        except click.ClickException as problem:
            problems.append(problem)
    explained = explain_pages(found)
    if as_json and pages:
        write_json(explained)
    elif explained:
        text = "\n\n".join(map(as_text, explained))
        write_stdout(text.encode("utf-8", "surrogateescape") + b"\n")
    for each in problems:
        note(f"Error: {each.format_message()}")
    if problems:
        context.exit(1 if found else max(each.exit_code for each in problems))


def _find(page: str, source_dir: Path | None, sites: NotedSites) -> tuple[Mapping[str, Any], Asked]:
    """Return a page from the notes of earlier builds with their header, otherwise by its name without one.

    Raises ``click.ClickException`` if there is no such page, or several.
    """
    from docs_sitemap.explain.explanation import Asked
    from docs_sitemap.pages.page import Files

    there = sites.of(page)
    found = sites.find(page, there)
    if found and source_dir and not _is_below(found[1], source_dir):
        found = None
    if found is None:
        if not source_dir and (around := sites.around(page, there)):
            raise sites.unknown(page, around)
        try:
            source = find_source(page, source_dir)
        except click.UsageError:
            if source_dir or not there:
                raise
            raise sites.unknown(page, there) from None
        there = sites.of(str(source))
        found = sites.find(str(source), there)
        if found is None:
            return {}, Asked(page, Files(source), has_notes=bool(there))
    url, target = sites.led_to(found[1], there)
    header, note = target or found
    form = str(header.get("lastmod_format", "datetime"))
    return header, Asked(page, note.files(header), note, leads_to=url, lastmod_format=form)


def _is_below(note: Note, folder: Path) -> bool:
    """Tell whether a page's source is in a folder; a page without one may be made from anything there."""
    return not note.source or Path(os.path.realpath(note.source)).is_relative_to(os.path.realpath(folder))


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
