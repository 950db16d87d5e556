"""Records which files this process reads, whichever code reads them, and how.

An audit hook (PEP 578) sees each ``open``, ``Path.read_text`` and ``os.open``, and changes nothing. It cannot
be removed, so there is only one for the life of the process; it does nothing unless a build is recording.
What other plugins' functions return is observed too, to learn what they have read.
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, cached_property, wraps
from types import FrameType
from typing import Any, ClassVar, Final

from docs_sitemap.build_guard import BuildGuard

See = Callable[..., object]
"""Called with the result of a function and its arguments."""

Tell = Callable[[str, str], None]
"""Called with a file's path, and how it is known to be part of the current page."""


class Observer:
    """Watches functions until ``close``, without changing what they return or raise.

    What it takes counts for our part of the build. ``miss`` gets a line about what it could not see: the
    objects of another plugin may be of any kind.
    """

    def __init__(self, guard: BuildGuard, miss: Callable[[str], object] = lambda line: None) -> None:
        self._guard = guard
        self._miss = miss
        self._undo: list[Callable[[], None]] = []
        self._watched: set[tuple[int, str]] = set()

    def watch(self, owner: Any, name: str, see: See) -> None:
        """Call ``see`` after each call of a module's or object's function; watching twice has no effect."""
        if owner is None or (id(owner), name) in self._watched:
            return
        function = getattr(owner, name, None)
        if not callable(function):  # a version of the plugin that lacks it
            return

        @wraps(function)
        def observed(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            self._guard.call(self._see, name, see, result, *args)
            return result

        is_own = name in getattr(owner, "__dict__", {})
        with suppress(AttributeError, TypeError):  # objects with slots or compiled ones
            setattr(owner, name, observed)
            self._watched.add((id(owner), name))
            self._undo.append(lambda: setattr(owner, name, function) if is_own else delattr(owner, name))

    def _see(self, name: str, see: See, *args: object) -> None:
        try:
            see(*args)
        except Exception as problem:
            self._miss(f"Not seen: what {name} put into a page ({problem!r})")

    def close(self) -> None:
        """Restore all functions."""
        while self._undo:
            self._undo.pop()()
        self._watched.clear()


_STANDARD: Final = os.path.join(os.path.dirname(os.__file__), "")
_PYTHON: Final = (sys.prefix, sys.base_prefix)

# Imports are not part of a page. A package that is read to document one module is not either: mkdocstrings
# knows which part of it is shown. Material's own plugins read layouts of pictures and the files they copy.
_UNSEEN: Final = ("griffe.", "_griffe.", "linecache.", "material.plugins.")

# These modules read files for others: the reader is the first caller that is none of them.
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
_GENERATORS: Final = ("mkdocs.", "properdocs.", "zensical.markdown.", "zensical.config.")

# Zensical's macros run the module of a project again for each page: what it reads then is for no page.
_LOADING: Final = ("zensical.extensions.macros.", "_load_module")

# Jinja caches what it loads, and Python what a module reads during its import. Only the plugin itself knows
# what a page shows of it: see macros.
_CACHING: Final = ("jinja2.loaders.", "importlib.")

_CACHED: Final = type(cache(lambda: None))


class Reads:
    """Files in any repository that plugins have read since the last ``take``, and which module read each.

    Hooks and Markdown extensions count as plugins. Paths are absolute, readers are names of modules.
    ``kept`` are files that their reader is known to cache: it is not known for which pages.
    """

    recording: ClassVar[Reads | None] = None
    """What the audit hook records into; ``None`` while no build is recording."""

    def __init__(self) -> None:
        self.kept: set[str] = set()
        self._paths: dict[str, str] = {}
        self._passed_over: tuple[str, ...] = ()
        self._thread = 0
        self.pass_over(_PYTHON)

    def pass_over(self, folders: Iterable[str]) -> None:
        """Ignore the files of these folders, such as those of themes."""
        self._passed_over += tuple(os.path.join(os.path.abspath(folder), "") for folder in folders)

    def listen(self) -> None:
        """Record what this thread reads until ``close``."""
        _install()
        _in_work_tree.cache_clear()
        self._thread = threading.get_ident()  # it is not known for which page another thread reads
        Reads.recording = self

    def close(self) -> None:
        """Stop recording."""
        Reads.recording = None

    def take(self) -> dict[str, str]:
        """Return the files with their readers, and start again."""
        found, self._paths = self._paths, {}
        return {name: by for name, by in found.items() if not name.startswith(self._passed_over)}

    def note(self, path: object, mode: object, flags: object) -> None:
        """Record one ``open``, with the arguments of its audit event."""
        if not isinstance(path, (str, bytes)) or not _is_reading(mode, flags):
            return
        if threading.get_ident() != self._thread:
            return
        name = sys.intern(os.path.abspath(os.fsdecode(path)))  # many pages may read the same file
        if name in self._paths or name.startswith(self._passed_over):
            return
        if _in_work_tree(os.path.dirname(name)):
            # without this function and _on_audit_event
            by, is_kept = _find_reader(sys._getframe(2))
            if by and is_kept:
                self.kept.add(name)
            elif by:
                self._paths[name] = by


@cache
def _install() -> None:
    sys.addaudithook(_on_audit_event)


def _on_audit_event(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and Reads.recording is not None:
        with suppress(Exception):  # it would be raised by ``open``, in whatever code reads a file
            Reads.recording.note(*args)


# without this, Python does not trace a hook, so debuggers and coverage would miss it
_on_audit_event.__cantrace__ = True  # type: ignore[attr-defined]


def _is_reading(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return not set(mode) & set("wax+")
    return isinstance(flags, int) and not flags & (os.O_WRONLY | os.O_RDWR)  # os.open has no mode


@cache
def _in_work_tree(folder: str) -> bool:
    """Return whether a folder, given as an absolute path, is in a work tree of git, and not in ``.git``."""
    above, name = os.path.split(folder)
    if name == ".git":
        return False
    return (above != folder and _in_work_tree(above)) or os.path.exists(os.path.join(folder, ".git"))


def _find_reader(frame: FrameType | None) -> tuple[str, bool]:
    """Return the module of the plugin that reads a file, and whether the plugin is known to cache it.

    The module is ``""`` if no plugin reads the file, or if it is not read for the text of a page.
    """
    reader, is_kept = "", False
    if frame is not None and _name_of(frame).startswith("importlib."):
        return "", False  # the file of an imported module; files that the module itself reads count
    while frame is not None:
        name = _name_of(frame)
        if name.startswith(_UNSEEN) or (name, frame.f_code.co_name) == _LOADING:
            return "", False
        if not reader and not _is_reader(name, frame.f_code.co_filename):
            reader = name.removesuffix(".")
        is_kept = is_kept or name.startswith(_CACHING) or _is_cached(frame)
        frame = frame.f_back
    return ("", False) if f"{reader}.".startswith(_GENERATORS) else (reader, is_kept)


def _is_cached(frame: FrameType) -> bool:
    """Return whether functools caches a function, found by its name where it is defined."""
    code = frame.f_code
    found = frame.f_globals.get(code.co_name)
    if code.co_varnames[:1] == ("self",):
        owner = type(frame.f_locals.get("self"))
        found = inspect.getattr_static(owner, code.co_name, None)
        if isinstance(found, cached_property):
            return True
    wrapped = getattr(found, "__wrapped__", None) if isinstance(found, _CACHED) else None
    return getattr(wrapped, "__code__", None) is code


def _name_of(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}."


@cache
def _is_reader(name: str, file: str) -> bool:
    # check the file: a hook may have the name of a module of the standard library
    is_standard = file.startswith(("<frozen ", _STANDARD)) and "site-packages" not in file
    return is_standard or name.startswith(_READERS)
