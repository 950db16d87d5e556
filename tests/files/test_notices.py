"""Each kind of notice is declared once, and in use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from docs_sitemap.notices import Subtype

SRC = Path(__file__).resolve().parents[2] / "src" / "docs_sitemap"


def used() -> set[str]:
    """Return the names N of all ``Notice(level, Subtype.N, text)`` in the sources."""
    found = set()
    for module in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Notice":
                subtype = node.args[1]
                assert isinstance(subtype, ast.Attribute), (
                    f"{module}:{node.lineno}: a subtype of no declaration"
                )
                found.add(subtype.attr)
    return found


def test_each_subtype_is_emitted_somewhere() -> None:
    assert used() == set(Subtype.__members__)


@pytest.mark.parametrize("subtype", Subtype)
def test_a_subtype_is_the_name_that_users_write(subtype: Subtype) -> None:
    assert subtype == subtype.name.lower()
    assert f"docs_sitemap.{subtype}" == f"docs_sitemap.{subtype.value}"
    assert subtype in {"*", subtype.value}  # how Sphinx looks for it in suppress_warnings
