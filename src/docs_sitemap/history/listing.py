"""Looking paths up in a tree, and listing what it has. Pure: reads through its reader."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.trees import TREE_MODE, Entry, differing_entries, parse_tree
from docs_sitemap.history.wanted import Names


def entries(reader: ObjectReader, tree: bytes) -> dict[bytes, Entry]:
    """Return the entries of a tree, given by its hex name."""
    return parse_tree(reader.trees([tree])[tree], len(tree) // 2)


def find(reader: ObjectReader, tree: bytes, path: bytes) -> Entry | None:
    """Return the entry at a path, or ``None``; ``b""`` is the tree itself."""
    entry = (TREE_MODE, bytes.fromhex(tree.decode()))
    for name in path.split(b"/") if path else ():
        if entry[0] != TREE_MODE:
            return None
        found = entries(reader, hex_name(entry)).get(name)
        if found is None:
            return None
        entry = found
    return entry


def list_files(reader: ObjectReader, tree: bytes, folder: bytes = b"") -> list[bytes]:
    """Return the path of every file, link and submodule that a tree has at or below ``folder``."""
    entry = find(reader, tree, folder)
    return [path for path, _ in below(reader, entry, folder)] if entry else []


def below(reader: ObjectReader, entry: Entry, path: bytes) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file at or below an entry that stands at ``path``."""
    if entry[0] != TREE_MODE:
        yield path, entry
        return
    for name, child in entries(reader, hex_name(entry)).items():
        yield from below(reader, child, path + b"/" + name if path else name)


def files_among(reader: ObjectReader, tree: bytes, wanted: Names) -> Iterator[tuple[bytes, Entry]]:
    """Yield those wanted paths that are files, links or submodules in a tree, with their entries."""
    found = entries(reader, tree)
    for name, child in wanted.items():
        entry = found.get(name)
        if entry is None:
            continue
        if isinstance(child, bytes):
            if entry[0] != TREE_MODE:
                yield child, entry
        elif entry[0] == TREE_MODE:
            yield from files_among(reader, hex_name(entry), child)


def vanished(
    reader: ObjectReader, ours: bytes, theirs: bytes, path: bytes = b""
) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file that their tree has and ours has not."""
    data = reader.trees([ours, theirs])
    for name, our, their in differing_entries(data[ours], data[theirs], len(ours) // 2):
        if their is None:
            continue
        child = path + b"/" + name if path else name
        if our is None or our[0] != TREE_MODE:
            if our is None or their[0] == TREE_MODE:
                yield from below(reader, their, child)
        elif their[0] == TREE_MODE:
            yield from vanished(reader, hex_name(our), hex_name(their), child)
        else:
            yield child, their


def hex_name(entry: Entry) -> bytes:
    """Return the hex name of the object of an entry."""
    return entry[1].hex().encode()
