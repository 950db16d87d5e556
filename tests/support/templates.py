"""Templates, compiled once for all builds of this process: half of the time of a build went into it."""

from __future__ import annotations

from types import CodeType
from typing import Any, cast

_compiled: dict[object, CodeType] = {}

_OPTIONS = (
    *("block_start_string", "block_end_string", "variable_start_string", "variable_end_string"),
    *("comment_start_string", "comment_end_string", "line_statement_prefix", "line_comment_prefix"),
    *("trim_blocks", "lstrip_blocks", "newline_sequence", "keep_trailing_newline"),
    *("optimized", "autoescape", "sandboxed", "is_async", "finalize"),
)
"""What Jinja makes other code of, for the same template."""


def compile_once() -> None:
    """From now on, Jinja in this process takes the code that it has made of the same template before."""
    from jinja2 import Environment

    original = Environment.compile
    if original.__module__ == __name__:
        return

    def compile(self: Environment, source: object, *place: Any, **options: Any) -> object:  # noqa: A001
        if options or len(place) > 2 or not isinstance(source, str):
            return original(self, cast("Any", source), *place, **options)
        key = (source, *place, *_kind(self))
        if key not in _compiled:
            _compiled[key] = original(self, source, *place)
        return _compiled[key]

    cast("Any", Environment).compile = compile


def _kind(environment: Any) -> list[object]:
    """Return what two environments have in common that make the same code of a template."""
    functions = [
        (name, getattr(each, "__module__", ""), getattr(each, "__qualname__", ""), str(_wanted(each)))
        for known in (environment.filters, environment.tests)
        for name, each in known.items()
    ]
    values = [getattr(environment, name) for name in _OPTIONS]
    policies = repr(environment.policies)
    gettext = getattr(environment, "newstyle_gettext", None)
    return [type(environment), *values, tuple(environment.extensions), gettext, policies, tuple(functions)]


def _wanted(function: object) -> object:
    return getattr(function, "jinja_pass_arg", None)
