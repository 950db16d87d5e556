"""The boundary between a host's build and our part of it: what goes wrong in ours is one line.

A build that worked without us goes on, without a sitemap. Knows no host.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from functools import wraps
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final, ParamSpec, TypeVar

from docs_sitemap.brief import shown
from docs_sitemap.budget import Budget, ExhaustedError, running
from docs_sitemap.notices import Notice, Subtype

DEBUG: Final = "DOCS_SITEMAP_DEBUG"
"""The environment variable with which unexpected errors end a build or a command with a traceback."""

_LITTLE: Final = 8 << 20
"""Bytes of memory without which nothing goes on."""

_PACKAGE: Final = Path(__file__).parent

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Boundary:
    """Our part of one build: its budget, and whether it has ended before the build.

    ``tell`` shows a notice, which ends with ``lost``: what the build goes on without. ``passed`` are the
    errors with which a handler ends the host's build.
    """

    def __init__(
        self,
        tell: Callable[[Notice], None],
        *passed: type[Exception],
        lost: str = "No sitemap is written.",
    ) -> None:
        self._tell = tell
        self._passed = passed
        self._lost = lost
        self._budget = Budget()
        self.is_over = False

    def around(
        self, handler: Callable[Given, Result], *, is_short: bool = False
    ) -> Callable[Given, Result | None]:
        """Return a handler of the same name that does the same by way of ``call``."""

        @wraps(handler)
        def run(*args: Given.args, **values: Given.kwargs) -> Result | None:
            return self.call(handler, args, values, is_short=is_short)

        return run

    def call(
        self,
        handler: Callable[..., Result],
        args: tuple[Any, ...],
        values: Mapping[str, Any],
        *,
        is_short: bool = False,
    ) -> Result | None:
        """Return what a handler returns; ``None`` if something goes wrong, and from then on.

        A short one, which is called for each page and looks at little, is not measured: that takes ten
        microseconds.
        """
        if self.is_over:
            return None
        try:
            if is_short or running():
                return handler(*args, **values)
            try:
                with self._budget:
                    return handler(*args, **values)
            finally:
                self._budget.stop()
        except self._passed:
            raise
        except (Exception, ExhaustedError) as problem:
            if isinstance(interrupt := unwrapped(problem), KeyboardInterrupt):
                raise interrupt from None
            self.is_over = True
            if is_debugging():
                raise
            self._tell(Notice("info", Subtype.STOPPED, f"{describe(problem)} {self._lost}"))
            return None


def is_debugging() -> bool:
    """Return whether the user wants to see tracebacks."""
    return bool(os.environ.get(DEBUG))


def unwrapped(problem: BaseException) -> BaseException:
    """Return what a ``RuntimeError`` was raised from: Python 3.11 puts one around Ctrl+C in ``__set_name__``.

    That is called where a class is made, as in each module that is imported.
    """
    while type(problem) is RuntimeError and problem.__cause__ is not None:
        problem = problem.__cause__
    return problem


def exhausted_in(problem: BaseException) -> ExhaustedError | None:
    """Return the error of the budget, also from a group of errors, as ``asyncio`` raises them."""
    problem = unwrapped(problem)
    if isinstance(problem, BaseExceptionGroup):
        return next(filter(None, map(exhausted_in, problem.exceptions)), None)
    while isinstance(problem.__cause__, ExhaustedError):  # Python puts another one around that of a codec
        problem = problem.__cause__
    return problem if isinstance(problem, ExhaustedError) else None


def _is_about_memory(problem: BaseException) -> bool:
    """Tell whether an error is, or may be, one for want of memory.

    Where a module cannot be loaded, Python itself says ImportError, SystemError or SyntaxError.
    """
    if isinstance(problem, MemoryError) or getattr(problem, "errno", None) == errno.ENOMEM:
        return True
    try:
        bytearray(_LITTLE)
    except MemoryError:
        return True
    return False


def describe(problem: BaseException) -> str:
    """Return one line about an unexpected error, without its text: that may hold anything.

    >>> describe(KeyError("a secret"))
    'unexpected error: KeyError. Please report it; with DOCS_SITEMAP_DEBUG=1, it has a traceback.'
    """
    if exhausted := exhausted_in(problem):
        return str(exhausted)
    if _is_about_memory(problem):
        return "stopped, because the system has no more memory."
    if isinstance(problem, ImportError) and problem.path and problem.path.endswith(tuple(EXTENSION_SUFFIXES)):
        library = shown(os.path.basename(problem.path))
        return f"{library} cannot be loaded: it needs more memory than there is, or another system."
    where = ""
    for frame, line in walk_tb(problem.__traceback__):
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(_PACKAGE):
            where = f" in {file.relative_to(_PACKAGE).as_posix()}, line {line}"
    name = type(problem).__name__
    return f"unexpected error: {name}{where}. Please report it; with {DEBUG}=1, it has a traceback."
