"""Reads YAML, TOML and JSON that others wrote; Python tags in YAML are refused.

The caller limits the size of the text. Each function raises ``ValueError``, in one line, for malformed or too
deeply nested text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from docs_sitemap.text import shorten

_QUOTED: Final = re.compile(r"""('<[a-z ]+>'|'[^\\]')|'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""", re.DOTALL)
"""What a parser quotes, perhaps as Python does: it escapes quotes in a text that has both kinds.

The group has tokens such as ``<block end>``, and single characters.
"""

_LENGTH_OF_REASON: Final = 200


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML: 1.1 where tomli is installed, with which Zensical reads it (0.0.47), and 1.0 otherwise."""
    try:
        from tomli import loads
    except ImportError:
        from tomllib import loads
    found: dict[str, Any] = _read(loads, text)
    return found


def read_json(text: str | bytes) -> Any:
    """Parse JSON."""
    return _read(json.loads, text)


def read_json_start(text: str) -> Any:
    """Parse the JSON value at the start of a text."""
    return _read(lambda value: json.JSONDecoder().raw_decode(value)[0], text)


def read_yaml(text: str, tagged: Callable[[str, Any], Any] | None = None) -> Any:
    """Parse YAML; raises ``ImportError`` if PyYAML is not installed.

    ``tagged`` returns the value for a tag that YAML does not have, such as ``!ENV`` or
    ``tag:yaml.org,2002:python/name:os.sep``, given the tag and what it stands before: a text, list or
    mapping. Without it, such tags are refused.
    """
    import yaml

    loader = _loader() if tagged is None else _tagged_loader(tagged)
    return _read(lambda value: yaml.load(value, loader), text)  # noqa: S506  # a SafeLoader


def read_yaml_type(text: str) -> Any:
    """Return a text, or what it is in YAML if it has another type, such as a number; nothing else is read.

    So does ``!ENV`` of MkDocs (pyyaml_env_tag 1.1): quotes, brackets and colons are characters.
    """
    import yaml

    loader = _loader()("")
    node = yaml.ScalarNode(loader.resolve(yaml.ScalarNode, text, (True, False)), text)
    try:
        return _read(loader.construct_object, node)
    except ValueError:  # a date that does not exist, or a number of thousands of digits
        return text


def _read(read: Callable[[Any], Any], text: Any) -> Any:
    try:
        return read(text)
    except RecursionError:
        raise ValueError("brackets that are nested too deeply") from None
    except MemoryError:
        raise
    except Exception as problem:  # yaml also raises IndexError, KeyError, AttributeError and its own errors
        raise ValueError(shorten(_what_and_where(problem), _LENGTH_OF_REASON)) from None


def _what_and_where(problem: Any) -> str:
    """Return the parser's words without those of the text: the file may be a link to a secret."""
    mark = getattr(problem, "problem_mark", None)
    said = f"{problem.problem}, line {mark.line + 1}, column {mark.column + 1}" if mark else str(problem)
    return _QUOTED.sub(lambda quoted: quoted[1] or "'...'", " ".join(said.split()))


def _loader() -> Any:
    """Return the safe loader of libyaml, which wheels of PyYAML have: it takes a tenth of the time."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _tagged_loader(tagged: Callable[[str, Any], Any]) -> Any:
    import yaml

    class Tagged(_loader()):  # type: ignore[misc]  # made where PyYAML is installed
        """Passes tags that are not YAML's own on, and makes nothing of them by itself."""

    def construct(loader: Any, node: Any) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return tagged(node.tag, loader.construct_scalar(node))
        is_list = isinstance(node, yaml.SequenceNode)
        construct = loader.construct_sequence if is_list else loader.construct_mapping
        return tagged(node.tag, construct(node, deep=True))

    Tagged.add_constructor(None, construct)
    return Tagged
