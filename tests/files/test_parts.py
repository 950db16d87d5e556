"""Which part a page goes to: parts are filled in order, and the limits hold for any site."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_sitemap.files.documents import place


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(1, 300), max_size=60), st.integers(1, 10), st.integers(50, 400))
def test_limits_hold_and_a_part_ends_only_where_the_next_page_does_not_fit(
    sizes: list[int], max_urls: int, max_bytes: int
) -> None:
    placed = place(sizes, max_urls, max_bytes)
    pairs = groupby(zip(placed, sizes, strict=True), key=lambda pair: pair[0])
    groups = {part: [size for _, size in group] for part, group in pairs}
    assert list(groups) == sorted(set(placed)) == list(range(len(groups)))
    for part, group in groups.items():
        assert len(group) <= max_urls
        assert sum(group) <= max_bytes or len(group) == 1
        for following in groups.get(part + 1, [])[:1]:
            assert len(group) == max_urls or sum(group) + following > max_bytes
