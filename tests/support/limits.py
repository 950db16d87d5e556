"""Which tests hold which limit: ``@pytest.mark.limit("MAX_URLS")`` says it where the test stands."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]


def marked() -> dict[str, list[str]]:
    """Return the tests of each limit, as ``file::function``."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                for limit in _limits(node):
                    found.setdefault(limit, []).append(f"{file.relative_to(TESTS).as_posix()}::{node.name}")
    return found


def _limits(function: ast.FunctionDef) -> list[str]:
    calls = [mark for mark in function.decorator_list if isinstance(mark, ast.Call)]
    marks = [call for call in calls if ast.unparse(call.func) == "pytest.mark.limit"]
    return [ast.literal_eval(name) for mark in marks for name in mark.args]
