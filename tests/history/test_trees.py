from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_sitemap.history import trees
from docs_sitemap.history.trees import Difference

SIZE = 20
MODES = st.sampled_from([b"100644", b"100755", b"120000", b"160000", b"40000"])
# names like the ends of entries, and objects that contain what looks like entries
NAMES = st.one_of(
    st.integers(0, 150).map(lambda number: b"page-%03d.md" % number),
    st.binary(min_size=1, max_size=6).filter(lambda name: not set(name) & set(b"/\0")),
)
LIKE_ENTRIES = [b"", b"40000 docs\x00", b"\x00100644 page-001.md\x00", b"zz40000 docs\x00"]
OBJECTS = st.one_of(
    st.binary(min_size=SIZE, max_size=SIZE),
    st.sampled_from([text[:SIZE].ljust(SIZE, b"z") for text in LIKE_ENTRIES]),
)
Tree = dict[bytes, tuple[bytes, bytes]]


def data(tree: Tree) -> bytes:
    """A tree as git writes it: sorted, folders as if their names ended in a slash."""
    ordered = sorted(tree.items(), key=lambda item: item[0] + b"/" if item[1][0] == b"40000" else item[0])
    return b"".join(b"%b %b\0%b" % (mode, name, object_name) for name, (mode, object_name) in ordered)


def differing(ours: bytes, theirs: bytes) -> list[Difference]:
    compared = trees.Tree(theirs)
    found = trees.differing_entries(trees.Tree(ours), compared, SIZE)
    assert compared.ends(SIZE) == trees.Tree(theirs).ends(SIZE)
    return found


def assert_that_of_a_whole_parse(ours: Tree, theirs: Tree) -> None:
    found = differing(data(ours), data(theirs))
    assert {name: (our, their) for name, our, their in found} == {
        name: (ours.get(name), theirs.get(name))
        for name in ours.keys() | theirs.keys()
        if ours.get(name) != theirs.get(name)
    }
    assert len(found) == len({name for name, _, _ in found})


@given(
    st.dictionaries(NAMES, st.tuples(MODES, OBJECTS), max_size=120),
    st.dictionaries(NAMES, st.none() | st.tuples(MODES, OBJECTS), max_size=6),
)
def test_what_differs_is_what_a_whole_parse_finds(
    ours: Tree, edits: dict[bytes, tuple[bytes, bytes] | None]
) -> None:
    theirs = {name: entry for name, entry in {**ours, **edits}.items() if entry is not None}
    assert_that_of_a_whole_parse(ours, theirs)


def test_a_folder_has_another_place_in_the_order_than_a_file() -> None:
    """The file ``a`` is before ``a.md``, and the folder ``a`` behind it; in trees too large to be parsed."""
    rest = {b"page-%d" % number: (b"100644", b"r" * SIZE) for number in range(40)}
    names, entries = (b"a", b"a.md", b"a0"), (None, (b"100644", b"f" * SIZE), (b"40000", b"d" * SIZE))
    some = [
        rest | {name: entry for name, entry in zip(names, chosen, strict=True) if entry}
        for chosen in product(entries, repeat=len(names))
    ]
    for ours, theirs in product(some, repeat=2):
        assert_that_of_a_whole_parse(ours, theirs)


@pytest.mark.parametrize("other", ["rename", "mode", "mode of old tools"])
def test_trees_of_one_length_may_differ_in_more_than_objects(other: str) -> None:
    ours = {b"page-%02d.md" % number: (b"100644", b"r" * SIZE) for number in range(60)}
    theirs = dict(ours)
    del theirs[b"page-30.md"]
    changed = {"rename": b"page-3a.md"}.get(other, b"page-30.md")
    theirs[changed] = (b"100755" if other == "mode" else b"100644", b"s" * SIZE)
    theirs[b"page-50.md"] = (b"100644", b"t" * SIZE)
    if other != "mode of old tools":
        assert_that_of_a_whole_parse(ours, theirs)
        return
    found = differing(data(ours), data(theirs).replace(b"100644 page-30", b"100664 page-30"))
    assert [(name, our, their) for name, our, their in found] == [
        (name, ours[name], theirs[name]) for name in (b"page-30.md", b"page-50.md")
    ]


def test_objects_that_differ_in_their_last_byte() -> None:
    ours = {b"page-%02d.md" % number: (b"100644", b"r" * SIZE) for number in range(60)}
    assert_that_of_a_whole_parse(ours, ours | {b"page-30.md": (b"100644", b"r" * (SIZE - 1) + b"s")})


def test_a_malformed_rest_of_a_tree_of_the_same_length() -> None:
    ours = data({b"page-%02d.md" % number: (b"100644", b"r" * SIZE) for number in range(60)})
    with pytest.raises(ValueError, match="malformed"):
        differing(ours, ours.replace(b"100644 page-59", b"1006x4 page-59"))


@given(
    st.dictionaries(NAMES, st.tuples(MODES, OBJECTS), max_size=60),
    st.dictionaries(NAMES, st.none() | st.tuples(MODES, OBJECTS), max_size=60),
    st.sets(NAMES, max_size=8),
)
def test_what_differs_of_the_wanted_names_is_what_a_whole_parse_finds(
    ours: Tree, edits: dict[bytes, tuple[bytes, bytes] | None], wanted: set[bytes]
) -> None:
    theirs = {name: entry for name, entry in {**ours, **edits}.items() if entry is not None}
    compared = trees.Tree(data(theirs))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_MANY", 2)
        patch.setattr(trees, "_FEW", 1)
        found = trees.differing_entries(trees.Tree(data(ours)), compared, SIZE, wanted)
    assert {name: (our, their) for name, our, their in found if name in wanted} == {
        name: (ours.get(name), theirs.get(name)) for name in wanted if ours.get(name) != theirs.get(name)
    }
    assert len(found) <= max(len(wanted), len(ours.keys() | theirs.keys()))
    assert compared.ends(SIZE) == trees.Tree(compared.data).ends(SIZE)


def note_looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the size of each tree whose entries are looked for."""
    looked: list[int] = []
    check = trees._check_entries

    def counted(tree: bytes, name_size: int) -> None:
        looked.append(len(tree))
        check(tree, name_size)

    monkeypatch.setattr(trees, "_check_entries", counted)
    return looked


def test_of_very_many_differences_only_the_wanted_ones_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5,000 pages that each of 320 builds commits, to find the three others took three seconds."""
    looked = note_looks(monkeypatch)
    versions = [
        trees.Tree(data({b"p%04d" % page: (b"100644", bytes([number]) * SIZE) for page in range(900)}))
        for number in range(100)
    ]
    versions = [trees.Tree(tree.data + b"40000 z\0" + tree.data[-SIZE:]) for tree in versions]
    wanted = [b"p0007", b"p0899", b"z", b"q"]
    for ours, theirs in pairwise(versions):
        assert [name for name, _, _ in trees.differing_entries(ours, theirs, SIZE, wanted)] == wanted[:3]
    assert len(looked) == 1


def test_other_names_and_entries_out_of_order_are_found_where_only_wanted_ones_are_looked_up() -> None:
    pages = [b"100644 p%04d\0" % page for page in range(900)]
    ours = b"".join(page + b"a" * SIZE for page in pages)
    pages[-1], pages[-2] = pages[-2], pages[-1]
    theirs = b"".join(page + b"b" * SIZE for page in pages)
    with pytest.raises(ValueError, match="out of order"):
        trees.differing_entries(trees.Tree(ours), trees.Tree(theirs), SIZE, [b"p0007"])
    more = b"100644 p\0" + b"c" * SIZE + b"".join(page + b"b" * SIZE for page in sorted(pages))
    found = trees.differing_entries(trees.Tree(ours), trees.Tree(more), SIZE, [b"p", b"p0007"])
    assert [name for name, _, _ in found] == [b"p", b"p0007"]
    with pytest.raises(ValueError, match="out of order"):
        trees.differing_entries(trees.Tree(ours), trees.Tree(b"100644 a\0" + b"c" * SIZE + theirs), SIZE)
    for broken in (theirs[:-1], theirs + b"100644 p0000\0" + b"b" * SIZE, b"x" * len(theirs)):
        with pytest.raises(ValueError, match="a tree with"):
            trees.differing_entries(trees.Tree(ours), trees.Tree(broken), SIZE, [b"p0007"])


def test_the_entries_of_trees_with_the_same_names_are_looked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = note_looks(monkeypatch)
    entries = {b"page-%02d.md" % number: (b"100644", b"r" * SIZE) for number in range(60)}
    versions = [
        trees.Tree(data(entries | {b"page-30.md": (b"100644", bytes([number]) * SIZE)}))
        for number in range(100)
    ]
    for ours, theirs in pairwise(versions):
        assert len(trees.differing_entries(ours, theirs, SIZE)) == 1
    assert len(looked) == 1


def test_the_entries_of_trees_with_more_and_more_names_are_looked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a folder of 9,000 pages, each added in a commit of its own, this took 14 seconds, git five."""
    looked = note_looks(monkeypatch)
    entry = (b"100644", b"r" * SIZE)
    numbers = [number * 7 % 101 for number in range(100)]  # in the middle, at the start, and at the end
    versions = [
        trees.Tree(data({b"page-%02d.md" % number: entry for number in numbers[: 100 - gone]}))
        for gone in range(100)
    ]
    for ours, theirs in pairwise(versions):
        assert len(trees.differing_entries(ours, theirs, SIZE)) == 1
        assert theirs.ends(SIZE) == trees.Tree(theirs.data).ends(SIZE)
        looked.pop()  # that of the last line
    for ours, theirs in pairwise(reversed(versions)):
        assert len(trees.differing_entries(ours, theirs, SIZE)) == 1
    assert sum(looked) < 3 * len(versions[0].data)


def test_large_trees_that_differ_at_many_places() -> None:
    ours = {b"page-%04d.md" % number: (b"100644", bytes([number % 256]) * SIZE) for number in range(900)}
    theirs = dict(ours)
    for number in (0, 1, 2, 400, 401, 898, 899):
        theirs[b"page-%04d.md" % number] = (b"100755", b"z" * SIZE)
    del theirs[b"page-0500.md"]
    theirs[b"page-0600a.md"] = (b"40000", b"q" * SIZE)
    names = [name for name, _, _ in differing(data(ours), data(theirs))]
    assert names == sorted(names)
    assert len(names) == 9


def large(mode: bytes) -> bytes:
    return data({b"%04d" % number: (mode, b"q" * SIZE) for number in range(200)})


def test_a_tree_is_parsed_once_however_many_folders_are_files_in_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A commit that made files of 10,000 folders took minutes."""
    parsed: list[int] = []
    parse = trees._parse

    def counted(tree: bytes, name_size: int) -> dict[bytes, trees.Entry]:
        parsed.append(len(tree))
        return parse(tree, name_size)

    monkeypatch.setattr(trees, "_parse", counted)
    ours, theirs = large(b"100644"), large(b"40000")
    assert len(differing(ours, theirs)) == 200
    assert sum(parsed) <= len(ours) + len(theirs)


def test_a_folder_in_the_place_of_a_file_is_out_of_order() -> None:
    rest = {b"page-%d" % number: (b"100644", b"r" * SIZE) for number in range(40)}
    ordered = data({**rest, b"a": (b"100644", b"f" * SIZE), b"a.md": (b"100644", b"f" * SIZE)})
    with pytest.raises(ValueError, match="out of order"):
        differing(ordered, ordered.replace(b"100644 a\0", b"40000 a\0"))


ENTRY = b"100644 %b\0" + b"r" * SIZE


@pytest.mark.parametrize("place", [1, 30, 59, 60])
def test_a_new_entry_out_of_order(place: int) -> None:
    names = [b"page-%02d.md" % number for number in range(60)]
    ours = b"".join(ENTRY % name for name in names)
    for new in (b"index.md", names[place - 1]):
        theirs = b"".join(ENTRY % name for name in [*names[:place], new, *names[place:]])
        with pytest.raises(ValueError, match=r"out of order|duplicate"):
            differing(ours, theirs)
