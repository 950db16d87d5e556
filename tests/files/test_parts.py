"""Which part a page goes to: the limits hold for any site, and a page that comes moves next to no other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_sitemap.files.documents import place
from docs_sitemap.pages.entries import Url

HOME = "https://example.org/"
PLENTY = 1 << 40


@cache
def site(number: int) -> tuple[Url, ...]:
    """Pages in sections, sorted by address, as `place` gets them."""
    locs = (f"{HOME}section-{page % 37}/page-{page:06}/" for page in range(number))
    return tuple(map(Url, sorted(locs)))


def parts_of(
    urls: Sequence[Url], max_urls: int, max_bytes: int = PLENTY, size: Callable[[Url], int] | None = None
) -> dict[str, int]:
    return dict(
        zip(
            (url.loc for url in urls),
            place(urls, [*map(size, urls)] if size else [1] * len(urls), max_urls, max_bytes),
            strict=True,
        )
    )


def moved(before: dict[str, int], after: dict[str, int]) -> int:
    """How many pages that were there before are in another part now."""
    return sum(after[loc] != part for loc, part in before.items())


def with_one_more(urls: Sequence[Url], name: object) -> list[Url]:
    return sorted([*urls, Url(f"{HOME}new/{name}/")], key=lambda url: url.loc)


SIZES = st.dictionaries(
    st.text("ab/-.%7E", min_size=1, max_size=6), st.integers(1, 300), min_size=1, max_size=60
)


@settings(deadline=None, max_examples=30)
@given(SIZES, st.integers(1, 10), st.integers(50, 400), st.randoms(use_true_random=False))
def test_limits_hold_no_part_is_empty_and_the_order_does_not_matter(
    sizes: dict[str, int], max_urls: int, max_bytes: int, rng: random.Random
) -> None:
    urls = [Url(HOME + name) for name in sorted(sizes)]

    def size(url: Url) -> int:
        return sizes[url.loc.removeprefix(HOME)]

    placed = parts_of(urls, max_urls, max_bytes, size)
    numbers, weights = Counter(placed.values()), Counter[int]()
    for url in urls:
        weights[placed[url.loc]] += size(url)
    assert set(numbers) == set(range(len(numbers)))
    assert max(numbers.values()) <= max_urls
    assert all(weights[part] <= max_bytes or numbers[part] == 1 for part in numbers)
    if len(urls) <= max_urls and sum(sizes.values()) <= max_bytes:
        assert len(numbers) == 1
    assert parts_of(rng.sample(urls, len(urls)), max_urls, max_bytes, size) == placed


@pytest.mark.parametrize("max_urls", [1, 7, 999, 1000, 1001])
@pytest.mark.parametrize("number", [1, 2, 999, 1000, 1001])
def test_there_are_no_more_parts_than_it_takes(number: int, max_urls: int) -> None:
    numbers = Counter(place(site(number), [1] * number, max_urls, PLENTY))
    assert len(numbers) == -(-number // max_urls)
    assert max(numbers.values()) <= max_urls


LOADS = [(1_000, 100, 0.95, 3, 5), (10_000, 1_000, 0.9999, 8, 20)]
"""Room, that of a part, how much of it is taken; what a page that comes may move on average and at most.

Measured: 0.4 and 1; 2.3 and 5.
"""


@pytest.mark.parametrize(("room", "max_urls", "load", "mean", "most"), LOADS)
def test_a_page_that_comes_moves_next_to_no_other(
    room: int, max_urls: int, load: float, mean: float, most: int
) -> None:
    urls = site(int(room * load))
    before = parts_of(urls, max_urls)
    moves = [moved(before, parts_of(with_one_more(urls, number), max_urls)) for number in range(8)]
    assert sum(moves) <= mean * len(moves)
    assert max(moves) <= most


@pytest.mark.parametrize("parts", [2, 10])
def test_one_more_part_takes_its_share_and_little_else_moves(parts: int) -> None:
    """Of k + 1 equal shares one has to move; what overflows a full part comes on top."""
    max_urls = 10_000 // parts
    urls = site(parts * max_urls)
    before = parts_of(urls, max_urls)
    after = parts_of(with_one_more(urls, "x"), max_urls)
    assert set(after.values()) == set(range(parts + 1))
    share = moved(before, after) / len(urls)
    assert 0.8 / (parts + 1) <= share <= 1.2 / (parts + 1) + 0.03
