"""Which files this process reads, as Python itself tells: whoever reads them, and however.

An audit hook (PEP 578) sees each ``open``, ``Path.read_text`` and ``os.open``, changes nothing, and can
never be removed again: so there is one for the life of the process, which does nothing unless a
build listens.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from collections.abc import Iterable
from functools import cache, cached_property
from types import FrameType
from typing import Any, Final

_STANDARD: Final = os.path.join(os.path.dirname(os.__file__), "")
_PYTHON: Final = (sys.prefix, sys.base_prefix)

# Imports show on no page. Neither does a package that is read to document one module of it: what of
# it shows, mkdocstrings itself knows. Material's own plugins read layouts of pictures and what they copy.
_UNSEEN: Final = ("griffe.", "_griffe.", "linecache.", "material.plugins.")

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


# What Jinja loads it keeps; so does Python what a module reads while it is imported. What of it shows, only
# the plugin itself knows: see macros.
_KEEPING: Final = ("jinja2.loaders.", "importlib.")

_CACHED: Final = type(cache(lambda: None))


class Reads:
    """The files in any repository that plugins have read since they were last taken, and who read each.

    Hooks and extensions of Markdown are plugins here. Paths are absolute, readers are names of modules.
    ``kept`` are files of which it is known that their reader keeps them: for which pages, nothing tells.
    """

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self._paths: dict[str, str] = {}
        self._passed_over: tuple[str, ...] = ()
        self._outer: Reads | None = None
        self._thread = threading.get_ident()
        self.is_building = False
        self.pass_over(_PYTHON)

    def pass_over(self, folders: Iterable[str]) -> None:
        """Let the files of these folders count no more, such as those of themes."""
        self._passed_over += tuple(os.path.join(os.path.abspath(folder), "") for folder in folders)

    def listen(self) -> None:
        """Note here what this thread reads from now on, until ``close``; another build may be under way."""
        _install()
        self._thread = threading.get_ident()  # for which page another one reads, nothing tells
        if _ear.reads is not None and _ear.reads.is_building:
            self._outer = _ear.reads
        _ear.reads = self

    def close(self) -> None:
        """Note no more; the build that was under way goes on noting."""
        _ear.reads = self._outer

    def take(self) -> dict[str, str]:
        """Return them, and begin anew."""
        found, self._paths = self._paths, {}
        return {name: by for name, by in found.items() if not name.startswith(self._passed_over)}

    def note(self, path: object, mode: object, flags: object) -> None:
        """Take one ``open``, as its audit event has it."""
        if isinstance(path, (str, bytes)) and _is_reading(mode, flags) and self._is_here():
            name = os.path.abspath(os.fsdecode(path))
            if name not in self._paths and self._counts(name):
                by, keeps = _reader()
                if by and keeps:
                    self.kept.add(name)
                elif by:
                    self._paths[name] = by

    def _is_here(self) -> bool:
        return threading.get_ident() == self._thread

    def _counts(self, name: str) -> bool:
        return not name.startswith(self._passed_over) and in_repository(os.path.dirname(name))


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
def in_repository(folder: str) -> bool:
    """Tell whether a folder lies in a work tree of git, and not in git's own files."""
    if os.path.basename(folder) == ".git":
        return False
    above = os.path.dirname(folder)
    return above != folder and (os.path.exists(os.path.join(folder, ".git")) or in_repository(above))


def _is_reading(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return not set(mode) & set("wax+")
    return isinstance(flags, int) and not flags & (os.O_WRONLY | os.O_RDWR)  # os.open has no mode


def _reader() -> tuple[str, bool]:
    """Return the module of the plugin that has a file read, and whether it is known to keep what it reads.

    The module is ``""`` where no plugin reads the file, or not for the text of a page.
    """
    reader, keeps = "", False
    frame: FrameType | None = sys._getframe(3)  # above this, note and _hear: who opens the file
    if frame is not None and _name_of(frame).startswith("importlib."):
        return "", False  # a module's own file; what it reads itself is another thing
    while frame is not None:
        name = _name_of(frame)
        if name.startswith(_UNSEEN):
            return "", False
        if not reader and not _is_reader(name, frame.f_code.co_filename):
            reader = name.removesuffix(".")
        keeps = keeps or name.startswith(_KEEPING) or _is_cached(frame)
        frame = frame.f_back
    return ("", False) if f"{reader}.".startswith(_GENERATORS) else (reader, keeps)


def _is_cached(frame: FrameType) -> bool:
    """Tell whether a function is one that functools calls once for all, by its name where it is defined."""
    code = frame.f_code
    found = frame.f_globals.get(code.co_name)
    if code.co_varnames[:1] == ("self",):
        found = inspect.getattr_static(type(frame.f_locals.get("self")), code.co_name, None)
        if isinstance(found, cached_property):
            return True
    wrapped = getattr(found, "__wrapped__", None) if isinstance(found, _CACHED) else None
    return getattr(wrapped, "__code__", None) is code


def _name_of(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}."


@cache
def _is_reader(name: str, file: str) -> bool:
    # by the file: a hook may be called like a module of the standard library
    is_standard = file.startswith(("<frozen ", _STANDARD)) and "site-packages" not in file
    return is_standard or name.startswith(_READERS)
