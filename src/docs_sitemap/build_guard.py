"""The guard around our part of a host's build: an unexpected error is one line, and the build goes on.

Knows no host.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from typing import Final, ParamSpec, TypeVar

from docs_sitemap.notices import Notice, Subtype

DEBUG: Final = "DOCS_SITEMAP_DEBUG"
"""The environment variable with which unexpected errors end a build or a command with a traceback."""

_PACKAGE: Final = Path(__file__).parent

Given = ParamSpec("Given")
Result = TypeVar("Result")


class BuildGuard:
    """Our part of one build; ``is_over`` after an unexpected error.

    ``tell`` shows a notice about the error, which ends with ``consequence``. ``passed`` are the errors
    with which a handler ends the host's build on purpose.
    """

    def __init__(
        self,
        tell: Callable[[Notice], None],
        *passed: type[Exception],
        consequence: str = "No sitemap is written.",
    ) -> None:
        self._tell = tell
        self._passed = passed
        self._consequence = consequence
        self.is_over = False

    def around(self, handler: Callable[Given, Result]) -> Callable[Given, Result | None]:
        """Return a handler of the same name that does the same by way of ``call``."""

        @wraps(handler)
        def run(*args: Given.args, **values: Given.kwargs) -> Result | None:
            return self.call(handler, *args, **values)

        return run

    def call(
        self, handler: Callable[Given, Result], *args: Given.args, **values: Given.kwargs
    ) -> Result | None:
        """Return what a handler returns; ``None`` after an unexpected error, and from then on."""
        if self.is_over:
            return None
        try:
            return handler(*args, **values)
        except self._passed:
            raise
        except Exception as problem:
            self.is_over = True
            if is_debugging():
                raise
            self._tell(Notice("info", Subtype.STOPPED, f"{describe(problem)} {self._consequence}"))
            return None


def is_debugging() -> bool:
    """Return whether the user wants to see tracebacks."""
    return bool(os.environ.get(DEBUG))


def describe(problem: BaseException) -> str:
    """Return one line about an unexpected error, without its text: that may hold anything.

    >>> describe(KeyError("a secret"))
    'unexpected error: KeyError. Please report it; with DOCS_SITEMAP_DEBUG=1, it has a traceback.'
    """
    where = ""
    for frame, line in walk_tb(problem.__traceback__):
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(_PACKAGE):
            where = f" in {file.relative_to(_PACKAGE).as_posix()}, line {line}"
    name = type(problem).__name__
    return f"unexpected error: {name}{where}. Please report it; with {DEBUG}=1, it has a traceback."
