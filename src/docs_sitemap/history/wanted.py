"""The files that a walk still looks for, as nested names that can be compared with trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Names = dict[bytes, "bytes | Names"]
"""A folder's wanted names; a leaf is the whole path of a file."""


def nest(paths: Iterable[bytes]) -> Names:
    """Turn paths into nested names.

    >>> nest([b"docs/a.md", b"mkdocs.yml"])
    {b'docs': {b'a.md': b'docs/a.md'}, b'mkdocs.yml': b'mkdocs.yml'}
    """
    root: Names = {}
    for path in paths:
        *folders, name = path.split(b"/")
        node = root
        for folder in folders:
            child = node.setdefault(folder, {})
            if isinstance(child, bytes):  # also wanted as a file: only one of them can be tracked
                child = node[folder] = {}
            node = child
        node.setdefault(name, path)
    return root


def leaves(names: Names) -> Iterator[bytes]:
    """Yield the paths of all files."""
    for child in names.values():
        if isinstance(child, bytes):
            yield child
        else:
            yield from leaves(child)


def common_folder(names: Names, depth: int) -> tuple[bytes, Names]:
    """Return the deepest folder, up to ``depth``, that contains all files, and the names below it."""
    folder: list[bytes] = []
    while len(names) == 1 and len(folder) < depth:
        ((name, child),) = names.items()
        # a line break would end the request to git that has this path, and git drops a CR before it
        if isinstance(child, bytes) or b"\n" in name or b"\r" in name:
            break
        folder.append(name)
        names = child
    return b"/".join(folder), names
