from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("yaml")

from docs_sitemap.untrusted.data import read_yaml

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
