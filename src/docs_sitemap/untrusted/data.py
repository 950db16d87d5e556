"""Reads untrusted YAML, TOML and JSON in bounded time and memory; Python tags in YAML are refused.

The caller limits the length of the text. The result may contain nested aliases: use only ``brief`` to convert
it to text. Each function raises ``ValueError`` for malformed or too deeply nested text.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from docs_sitemap.brief import shown
from docs_sitemap.limits import (
    MAX_BRACKETS,
    MAX_CONTAINERS,
    MAX_DIGITS,
    MAX_DIRECTIVES,
    MAX_DOTS,
    MAX_FRONT_MATTER_NODES,
    MAX_KEY_DIGITS,
    MAX_MERGED,
    MAX_NESTED,
    MAX_SHOWN,
    MAX_VALUES,
)

_PART: Final = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*')[ \t]*\.[ \t]*"""
_LONG_KEY: Final = re.compile(rf"(?<![\w.\\-])(?:{_PART}){{{MAX_DOTS}}}")

_STRING: Final = rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'
"""A string in JSON, or what is left of one."""

_QUOTED: Final = re.compile(r"""('<[a-z ]+>'|'[^\\]')|'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\"""", re.DOTALL)
"""What a parser quotes, perhaps as Python does: it escapes quotes in a text that has both kinds.

The group has tokens such as ``<block end>``, and single characters.
"""

_TOO_DEEP: Final = "brackets that are nested too deeply"
_CHARACTERS_OF_NODE: Final = 8
_MERGE: Final = "tag:yaml.org,2002:merge"
_NUMBERS: Final = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class TooMuchError(ValueError):
    """A text has more values, or more deeply nested ones, than anybody writes."""


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML."""
    if _LONG_KEY.search(text):
        raise ValueError(f"a key of more than {MAX_DOTS} parts")
    found: dict[str, Any] = _read(tomllib.loads, text)
    return found


def read_json(text: str | bytes, containers: int = MAX_CONTAINERS, keys: int | None = None) -> Any:
    """Parse JSON.

    Raises ``ValueError`` also for bytes with more lists and objects than ``containers``, more ``keys``, or
    more than ``MAX_VALUES``.
    """
    if isinstance(text, bytes):
        if _outside_strings(text, b",", MAX_VALUES) > MAX_VALUES:
            raise ValueError(f"more than {MAX_VALUES:,} values")
        if _outside_strings(text, b"[{", containers) > containers:
            raise ValueError(f"more than {containers:,} lists and objects")
        if keys is not None and _outside_strings(text, b":", keys) > keys:
            raise ValueError(f"more than {keys:,} keys")
    return _read(json.loads, text)


def _outside_strings(text: bytes, marks: bytes, enough: int) -> int:
    """Return how many of some characters a text in JSON has outside its strings, or more than ``enough``.

    Those in strings are counted too if all together are no more than ``enough``.
    """
    number = sum(map(text.count, marks))
    if number > enough and b'"' in text:
        # a step for each of the characters, not for each string: 50 MB may have 24 million empty ones
        to_next = _to_next(marks)
        number = at = 0
        while number <= enough and (found := to_next.match(text, at)):
            number += 1
            at = found.end()
    return number


@cache
def _to_next(marks: bytes) -> re.Pattern[bytes]:
    """Return an expression for text up to the next of some characters outside strings."""
    mark = re.escape(marks)
    return re.compile(rb"(?>[^\"%b]++|%b)*+[%b]" % (mark, _STRING, mark), re.DOTALL)


def read_json_start(text: str) -> Any:
    """Parse the JSON value at the start of a text."""
    return _read(lambda value: json.JSONDecoder().raw_decode(value)[0], text)


def read_yaml(text: str, tagged: Callable[[str, Any], Any] | None = None) -> Any:
    """Parse YAML; raises ``ImportError`` if PyYAML is not installed.

    ``tagged`` returns the value for a tag that YAML does not have, such as ``!ENV`` or
    ``tag:yaml.org,2002:python/name:os.sep``, given the tag and what it stands before: a text, list or
    mapping. Without it, such tags are refused.
    """
    return _read(_yaml_reader(_loader()) if tagged is None else _tagged_reader(tagged), text)


def read_front_matter_yaml(text: str) -> Any:
    """Parse YAML as ``read_yaml``.

    Raises ``TooMuchError`` also for more than ``MAX_FRONT_MATTER_NODES``, or for collections that are nested
    as deeply as brackets may not be.
    """
    most = MAX_FRONT_MATTER_NODES + len(text) // _CHARACTERS_OF_NODE
    return _read(_yaml_reader(_loader(), most), text)


def read_yaml_type(text: str) -> Any:
    """Return a text, or what it is in YAML if it has another type, such as a number; nothing else is read.

    So does ``!ENV`` of MkDocs (pyyaml_env_tag 1.1): quotes, brackets and colons are characters.
    """
    try:
        return _read(_read_type, text)
    except ValueError:  # a date that does not exist, or a number of thousands of digits
        return text


def _read_type(text: str) -> Any:
    import yaml

    loader = _loader()("")
    return loader.construct_object(
        yaml.ScalarNode(loader.resolve(yaml.ScalarNode, text, (True, False)), text)
    )


def _read(read: Callable[[Any], Any], text: str | bytes) -> Any:
    try:
        return read(text)
    except RecursionError:
        raise TooMuchError(_TOO_DEEP) from None
    except (MemoryError, TooMuchError):  # the first one is no answer about the text
        raise
    except Exception as problem:  # yaml also raises IndexError, KeyError, AttributeError and its own errors
        if "nesting depth" in str(problem):  # libyaml's words, for a thousand that it looks ahead
            raise TooMuchError(_TOO_DEEP) from None
        raise ValueError(shown(_what_and_where(problem), 2 * MAX_SHOWN)) from None


def _what_and_where(problem: Any) -> str:
    """Return the parser's words without those of the text: the file may be a link to a secret."""
    mark = getattr(problem, "problem_mark", None)
    said = f"{problem.problem}, line {mark.line + 1}, column {mark.column + 1}" if mark else str(problem)
    return _QUOTED.sub(lambda quoted: quoted[1] or "'...'", " ".join(said.split()))


def _limit(merged: Sequence[Any]) -> None:
    """Raise ``ValueError`` for YAML nodes, or a list of them, with more than ``MAX_MERGED`` entries."""
    if len(merged) > MAX_MERGED or any(_entries(node) > MAX_MERGED for node in merged):
        raise ValueError(f"more than {MAX_MERGED:,} merged entries")


def _entries(node: Any) -> int:
    """Return the number of entries of a YAML node; of a list, those of its items together."""
    if node.id == "sequence":
        return sum(max(1, len(item.value)) for item in node.value)
    return len(node.value)


def _yaml_reader(loader: Any, most: int | None = None) -> Callable[[str], Any]:
    import yaml

    def read(text: str) -> Any:
        _look_through(text, most)
        return yaml.load(text, loader)  # noqa: S506  # a SafeLoader

    return read


def _tagged_reader(tagged: Callable[[str, Any], Any]) -> Callable[[str], Any]:
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
    return _yaml_reader(Tagged)


@cache
def _loader() -> Any:
    class Loader(_loader_base()):  # type: ignore[misc]  # whether PyYAML has libyaml is known here
        """Limits ``<<`` merges, and the length of numbers; long ones that are keys are texts.

        Ten lines of merges could take all memory. A number to the base of 60, such as ``1:30:00``, takes time
        that grows with the square of its length. And so do keys with the same hash, with the square of their
        number: those of texts are not known before.
        """

        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            merged = [value for key, value in node.value if key.tag == _MERGE]
            _limit(merged)
            super().flatten_mapping(node)
            if merged:
                _limit([node])
                self.merged += len(node.value)
            if self.merged > 10 * MAX_MERGED:
                raise ValueError(f"more than {10 * MAX_MERGED:,} merged entries in all")
            if any(_is_long_number(key) for key, _ in node.value):
                # new nodes, because an alias may have the number as a value
                node.value = [
                    (_text_of(key) if _is_long_number(key) else key, value) for key, value in node.value
                ]

    for tag in _NUMBERS:
        Loader.add_constructor(tag, _number)
    return Loader


def _is_long_number(node: Any) -> bool:
    return node.tag in _NUMBERS and len(node.value) > MAX_KEY_DIGITS


def _text_of(node: Any) -> Any:
    import yaml

    return yaml.ScalarNode("tag:yaml.org,2002:str", node.value, node.start_mark, node.end_mark)


def _loader_base() -> Any:
    """Return the loader of libyaml, which wheels of PyYAML have: it takes a tenth of the time."""
    import yaml

    try:
        from yaml.cyaml import CSafeLoader
    except ImportError:
        return _bracketed(yaml.SafeLoader)
    return CSafeLoader


def _bracketed(base: Any) -> Any:
    class Bracketed(base):  # type: ignore[misc]  # made where PyYAML is installed
        """Limits the nesting of brackets that the parser looks ahead: for each word, it looks at them all."""

        def fetch_flow_collection_start(self, TokenClass: Any) -> None:  # noqa: N803  # PyYAML's name
            if self.flow_level >= MAX_BRACKETS:
                raise RecursionError
            super().fetch_flow_collection_start(TokenClass)

    return Bracketed


def _look_through(text: str, most: int | None = None) -> None:
    """Raise ``TooMuchError`` for YAML with more nodes than ``most``, or nested more deeply than people write.

    The parser of libyaml makes events without recursion, and what follows makes values of them.
    """
    import yaml

    if text.count("%TAG") > MAX_DIRECTIVES:
        raise TooMuchError(f"more than {MAX_DIRECTIVES} directives")
    deepest = MAX_NESTED if most is None else MAX_BRACKETS
    parser = _loader()(text)
    nodes = 0
    opened: list[bool] = []
    try:
        while not isinstance(event := parser.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.NodeEvent):
                nodes += 1
                if most is not None and nodes > most:
                    raise TooMuchError(f"more than {most:,} keys and values")
            if isinstance(event, yaml.CollectionStartEvent):
                opened.append(bool(event.flow_style))
                if len(opened) > deepest or sum(opened) > MAX_BRACKETS:
                    raise TooMuchError(_TOO_DEEP)
            elif isinstance(event, yaml.CollectionEndEvent):
                opened.pop()
    finally:
        parser.dispose()


def _number(loader: Any, node: Any) -> Any:
    import yaml

    most = MAX_DIGITS // 100 if ":" in node.value else MAX_DIGITS
    if len(node.value) > most:
        raise ValueError(f"a number of more than {most:,} characters")
    return yaml.SafeLoader.yaml_constructors[node.tag](loader, node)
