"""Record what a build knows about its pages, for ``explain`` and for builds that make only some pages.

The notes are in the user's cache folder, outside the site and the project: file names, the evidence that each
file is part of a page, and page settings. They contain no dates from git, which are read from the history
each time. Notes that cannot be read or written are treated as missing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from platformdirs import user_cache_path

from docs_sitemap import urls
from docs_sitemap.errors import OutputError
from docs_sitemap.files import OutputFolder, Report
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Files, Host, Originals, Page, Undated, originals_of
from docs_sitemap.pages.selection import SettingsOf
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import read_plain, read_start, status_of

_VERSION: Final = 3
SWITCH: Final = "DOCS_SITEMAP_NOTES"
"""The environment variable with which a user switches notes off."""

_SUFFIX: Final = ".jsonl"
_KEPT_SITES: Final = 40
"""How many sites to keep notes of: the most recently built ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The note of one page.

    ``key`` is unique within the site, ``loc`` is the absolute URL or empty, ``names`` are names that users
    may give. ``included`` maps files to the evidence that they are part of the page, ``sources`` are files
    that settings add, ``not_sources`` those that settings remove. ``lastmod`` is ``git``, ``none`` or a W3C
    Datetime; ``listed`` is whether the sitemap has the page, ``left_out`` why not; ``undated`` is why the
    page's source or its files are unknown, as in ``Undated``. ``file`` is the published one. ``state``
    changes with the text of the source and the included files; ``extra`` is for the generator.
    """

    key: str
    loc: str = ""
    names: tuple[str, ...] = ()
    source: str | None = None
    included: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    not_sources: tuple[str, ...] = ()
    lastmod: str = "git"
    datable: bool = True
    undated: tuple[str, ...] = ()
    file: str = ""
    listed: bool = True
    left_out: str = ""
    state: tuple[int, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def is_current(self) -> bool:
        """Tell whether the source and the included files are unchanged since the note."""
        return self.state == state_of(self.source, *self.included)

    def files(self, header: Mapping[str, Any]) -> Files:
        """Return the page's files, as in the build that has written the ``header``."""
        originals = Originals(header.get("source_map") or {})
        page = Page(
            url="",
            source=Path(self.source) if self.source else None,
            sources=tuple(map(Path, self.sources)),
            dependencies=tuple(map(Path, self.included)),
            evidence={Path(name): how for name, how in self.included.items()},
            datable=self.datable,
            undated=Undated(*self.undated) if self.undated else None,
        )
        return page.files("text", PageSettings(not_sources=self.not_sources), originals)


class Noted(NamedTuple):
    """The notes of one site: a header for the whole site, and the pages by key."""

    header: Mapping[str, Any]
    pages: Mapping[str, Note]


NOTHING: Final = Noted({}, {})


Noting = tuple[str, Page, Mapping[str, Any]]
"""A page with its key, and the generator's extra data."""


class Notes:
    """The notes of one site; ``identity`` must be unique among the user's sites."""

    def __init__(self, *identity: str) -> None:
        digest = hashlib.sha256(os.fsencode("\n".join(identity))).hexdigest()
        self._name = f"{digest[:32]}{_SUFFIX}"

    def read(self) -> Noted:
        """Return the notes, or ``NOTHING``."""
        folder = cache_folder()
        return read_file(folder / self._name) if folder else NOTHING

    def write(
        self,
        generator: str,
        pages: Iterable[Noting],
        options: Options,
        host: Host,
        report: Report,
        **more: object,
    ) -> None:
        """Replace the notes, as JSON Lines, and delete those of the sites whose last builds are oldest.

        ``more`` is the generator's own data about the site, as JSON, and ``output``, the build output.
        """
        folder = cache_folder()
        if folder is None:
            return
        revs = options.ignore_revs
        header = {
            "generator": generator,
            "places": [os.path.abspath(host.folder)],
            "base_url": report.base_url,
            "clock": options.clock,
            "lastmod_format": options.lastmod_format,
            "follow_renames": options.follow_renames,
            "source_map": originals_of(options, host).places,
            "ignore_revs": os.path.abspath(host.folder / revs) if revs else revs,
            **more,
            "version": _VERSION,
        }
        with suppress(OutputError, OSError):
            above = next(each for each in (folder, *folder.parents) if each.is_dir())
            below = folder.relative_to(above).as_posix()
            prefix = "" if below == "." else f"{below}/"
            with OutputFolder(above).changes() as changes:
                lines = map(json.dumps, [header, *map(asdict, _notes_of(pages, options, report))])
                changes.write(prefix + self._name, "".join(f"{line}\n" for line in lines).encode("ascii"))
                others = [path.name for path in _files(folder) if path.name != self._name]
                for name in others[_KEPT_SITES - 1 :]:
                    changes.drop(prefix + name)
                changes.commit()


def _notes_of(pages: Iterable[Noting], options: Options, report: Report) -> Iterator[Note]:
    settings_of = SettingsOf(options)
    listed = {url.loc for url in report.urls}
    unknown = report.no_sitemap or "another page has its address"
    for key, page, extra in pages:
        with suppress(ValueError):  # the URL is invalid
            loc = urls.join(report.base_url, page.url) if report.base_url else ""
            settings = settings_of(page)
            media = page.media if options.dependencies == "all" else ()
            included = () if options.dependencies == "none" else (*page.dependencies, *media)
            named = page.sources if page.sources or page.settings.sources else settings.sources
            how = {os.path.abspath(path): page.evidence.get(path, "") for path in included}
            yield Note(
                key=key,
                loc=loc,
                names=tuple(filter(None, (page.source_path, page.url))),
                source=os.path.abspath(page.source) if page.source else None,
                included=how,
                sources=tuple([os.path.abspath(path) for path in named]),
                not_sources=settings.not_sources,
                lastmod=settings.lastmod or options.lastmod,
                datable=page.datable,
                undated=page.undated or (),
                file=os.path.abspath(page.file) if page.file else "",
                listed=loc in listed,
                left_out="" if loc in listed else report.reasons.get(page.key, unknown),
                state=state_of(page.source, *how),
                extra=extra,
            )


def state_of(*files: str | os.PathLike[str] | None) -> tuple[int, ...]:
    """Return a fingerprint of files: modification time in nanoseconds and size in bytes of each."""
    state: list[int] = []
    for status in (status_of(file) for file in files if file):
        state += (status.st_mtime_ns, status.st_size) if status else (0, 0)
    return tuple(state)


def cache_folder() -> Path | None:
    """Return the folder of the notes, which may not exist.

    ``None`` for a user without a home, and where the user has switched the notes off.
    """
    has_no_home = os.environ.get("HOME") == "" and not os.environ.get("XDG_CACHE_HOME")
    if os.environ.get(SWITCH) == "0" or has_no_home:
        return None
    with suppress(RuntimeError):  # of newer platformdirs; older ones return a relative path, with ~
        folder = user_cache_path() / "docs-sitemap"
        if folder.is_absolute():
            return folder
    return None


def how_to_note() -> str:
    """Return what a user can do to have notes."""
    is_off = cache_folder() is None
    lacking = f" with notes, which {SWITCH}=0 or a missing home folder switches off" if is_off else ""
    return f"build the site once{lacking}"


def headers() -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield the file and header of each site's notes, newest first."""
    folder = cache_folder()
    for path in _files(folder) if folder else ():
        with suppress(OSError, ValueError):
            if header := _header(read_start(path, MAX_FILE).partition(b"\n")[0]):
                yield path, header


def read_file(path: Path) -> Noted:
    """Return the notes of one site, or ``NOTHING`` if they cannot be read."""
    with suppress(OSError, ValueError, TypeError):
        first, *lines = read_plain(path, MAX_FILE).splitlines()
        if header := _header(first):
            notes = [_note(read_json(line)) for line in lines]
            return Noted(header, {note.key: note for note in notes})
    return NOTHING


def _header(line: bytes) -> Mapping[str, Any]:
    """Return the header of notes; empty if it is of another version. Raises ``ValueError``."""
    header = read_json(line)
    return header if isinstance(header, dict) and header.get("version") == _VERSION else {}


def _note(values: Mapping[str, Any]) -> Note:
    """Return a page's note; JSON has lists in place of tuples. Raises ``TypeError`` if it is none."""
    fields: dict[str, Any] = dict(values)
    fields |= {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Note(**fields)


def _files(folder: Path) -> list[Path]:
    """Return the file of each site's notes, the one of the newest build first."""
    found: list[tuple[int, Path]] = []
    with suppress(OSError):
        for path in folder.glob(f"*{_SUFFIX}"):
            if path.is_file() and not path.is_symlink():
                found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]
