"""YAML, TOML and JSON that others wrote: a value, or one clear error without the text of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("yaml")

from docs_sitemap.readers.data import read_json, read_json_start, read_toml, read_yaml, read_yaml_type

PARTS = st.text(st.sampled_from("'\"\\ <>a\n"), max_size=6)


@pytest.mark.parametrize("kind", ["int", "float", "timestamp", "bool", "none"])
@given(before=PARTS, after=PARTS)
def test_no_message_has_the_text_of_a_value(kind: str, before: str, after: str) -> None:
    """The file may be a link to a secret, or one that ``INHERIT`` names."""
    with pytest.raises(ValueError, match=r"^(?!.*SECRET)"):
        read_yaml(f"a: !!{kind} {json.dumps(f'{before}SECRET{after}')}\n")


def test_a_message_says_which_token_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"expected ',' or '\]', line 3"):
        read_yaml("a: [\nb: c\n- d: ]")


def test_a_tag_of_python_is_not_obeyed(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for tag in ("object/apply:os.system", "object/new:os.system", "name:os.system", "module:os"):
        with pytest.raises(ValueError, match="could not determine a constructor"):
            read_yaml(f"a: !!python/{tag} ['touch {trace}']")
    assert not trace.exists()


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_yaml, "[" * 10_000),
        (read_yaml, "a: 2026-99-99"),
        (read_yaml, "a: *b"),
        (read_yaml, "a: b: c"),
        (read_yaml, '!!int ""'),
        (read_yaml, "a: " + "9" * 5_000),
        (read_json, "[" * 100_000),
        (read_json, '["'),
        (read_json, b"\xff"),
        (read_json_start, "9" * 5_000),
        (read_toml, "a = " + "[" * 50_000),
        (read_toml, "a = \0"),
    ],
)
def test_what_is_not_of_a_format_is_one_error(read: Callable[[Any], Any], text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"\w") as caught:
        read(text)
    assert len(str(caught.value)) <= 200
    assert str(caught.value).isprintable()


def test_what_people_write_is_read() -> None:
    text = "a: &a {x: 1}\nb: &b {y: 2, <<: *a}\nc: {<<: [*b, *a], z: 3}"
    assert read_yaml(text)["c"] == {"x": 1, "y": 2, "z": 3}
    assert read_yaml("a: !ENV [B, 1]", lambda tag, value: (tag, value)) == {"a": ("!ENV", ["B", 1])}
    assert read_json_start('{"a": 1} and text') == read_toml("a = 1") == {"a": 1}
    assert json.dumps(read_json("[NaN, 1e400]")) == "[NaN, Infinity]"
    texts = ("7", "yes", "[a]", "2026-99-99")
    assert [read_yaml_type(each) for each in texts] == [7, True, "[a]", "2026-99-99"]
