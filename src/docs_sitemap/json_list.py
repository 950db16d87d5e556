"""Write long lists of objects as JSON, one by one: they can have a gigabyte."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping


def json_list(objects: Iterable[Mapping[str, object]]) -> Iterator[str]:
    r"""Yield what ``json.dumps`` returns for a list of flat objects with ``indent=2``, and a line end.

    Texts are escaped by ``inert``.

    >>> print("".join(json_list([{"path": "a.md", "date": None}])), end="")
    [
      {
        "path": "a.md",
        "date": null
      }
    ]
    >>> "".join(json_list([]))
    '[]\n'
    """
    before = "[\n"
    for each in objects:
        fields = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in each.items())
        yield inert(f"{before}  {{\n{fields}\n  }}")
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def inert(text: str) -> str:
    r"""Return the same JSON without ``##``: the runner of a workflow would take ``##[`` for a command.

    >>> print(inert('["##[error]x"]'))
    ["#\u0023[error]x"]
    """
    return text.replace("##", "#\\u0023")
