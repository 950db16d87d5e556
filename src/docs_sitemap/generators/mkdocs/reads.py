"""Which files this process reads, as Python itself tells: whoever reads them, and however.

An audit hook (PEP 578) sees each ``open``, ``Path.read_text`` and ``os.open``, changes nothing, and can
never be removed again: so there is one for the life of the process, which does nothing unless a
build listens.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache
from types import FrameType
from typing import Any, Final

_STANDARD: Final = os.path.join(os.path.dirname(os.__file__), "")
_PYTHON: Final = (sys.prefix, sys.base_prefix)

# Imports show on no page. Neither does a package that is read to document one module of it: what of
# it shows, mkdocstrings itself knows.
_UNSEEN: Final = ("griffe.", "_griffe.", "linecache.")

# Who has a file read is the first that is not one of these: they read what they are asked for.
_READERS: Final = (
    "jinja2.",
    "yaml.",
    "mkdocs.structure.files.",
    "mkdocs.utils.",
    "properdocs.structure.files.",
    "properdocs.utils.",
    "docs_sitemap.",
)

# The generator itself: it reads pages, templates, and what it copies.
_GENERATORS: Final = ("mkdocs.", "properdocs.")


class Reads:
    """The files in any repository that plugins have read since they were last taken, in their order.

    Hooks and extensions of Markdown are plugins here.
    """

    def __init__(self) -> None:
        self._paths: dict[str, None] = {}
        self._passed_over: tuple[str, ...] = ()
        self.pass_over(_PYTHON)

    def pass_over(self, folders: Iterable[str]) -> None:
        """Let the files of these folders count no more, such as those of themes."""
        self._passed_over += tuple(os.path.join(os.path.abspath(folder), "") for folder in folders)

    def __bool__(self) -> bool:
        """Tell whether any file was read."""
        return bool(self._paths)

    def take(self) -> list[str]:
        """Return their absolute paths, and begin anew."""
        found, self._paths = self._paths, {}
        return [name for name in found if not name.startswith(self._passed_over)]

    def note(self, path: object, mode: object, flags: object) -> None:
        """Take one ``open``, as its audit event has it."""
        if isinstance(path, (str, bytes)) and _is_reading(mode, flags):
            name = os.path.abspath(os.fsdecode(path))
            if name not in self._paths and self._counts(name) and _is_for_a_plugin():
                self._paths[name] = None

    def _counts(self, name: str) -> bool:
        return not name.startswith(self._passed_over) and _in_repository(os.path.dirname(name))


def listen(reads: Reads | None) -> Reads | None:
    """Note there what is read from now on, or nowhere; return where it was noted so far."""
    if reads is not None:
        _install()
    before, _ear.reads = _ear.reads, reads
    return before


@cache
def _install() -> None:
    sys.addaudithook(_hear)


def _hear(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and _ear.reads is not None:
        _ear.reads.note(*args)


# Python traces no other hook: debuggers and coverage would pass it over
_hear.__cantrace__ = True  # type: ignore[attr-defined]


class _Ear:
    """Where the one hook of the process notes what it hears; ``None`` while no build listens."""

    reads: Reads | None = None


_ear = _Ear()


@cache
def _in_repository(folder: str) -> bool:
    """Tell whether a folder lies in a work tree of git, and not in git's own files."""
    if os.path.basename(folder) == ".git":
        return False
    above = os.path.dirname(folder)
    return above != folder and (os.path.exists(os.path.join(folder, ".git")) or _in_repository(above))


def _is_reading(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return not set(mode) & set("wax+")
    return isinstance(flags, int) and not flags & (os.O_WRONLY | os.O_RDWR)  # os.open has no mode


def _is_for_a_plugin() -> bool:
    """Tell from the callers whether a plugin reads something that may show on a page."""
    plugin = None
    frame: FrameType | None = sys._getframe(3)  # above this, note and _hear: who opens the file
    if frame is not None and _name_of(frame).startswith("importlib."):
        return False  # a module's own file; what it reads itself is another thing
    while frame is not None:
        name = _name_of(frame)
        if name.startswith(_UNSEEN):
            return False
        if plugin is None and not _is_reader(name, frame.f_code.co_filename):
            plugin = not name.startswith(_GENERATORS)
        frame = frame.f_back
    return bool(plugin)


def _name_of(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}."


@cache
def _is_reader(name: str, file: str) -> bool:
    # by the file: a hook may be called like a module of the standard library
    is_standard = file.startswith(("<frozen ", _STANDARD)) and "site-packages" not in file
    return is_standard or name.startswith(_READERS)
