"""The files that a walk still looks for, as nested names that can be compared with trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_LONGEST: Final = 256
"""Bytes of the path of a folder that is used: each line of a request to git has it."""

Names = dict[bytes, "bytes | Names"]
"""A folder's wanted names; a leaf is the whole path of a file."""


def nest(paths: Iterable[bytes], root: Names | None = None) -> Names:
    """Turn paths into nested names, in addition to those in ``root``.

    >>> nest([b"docs/a.md", b"mkdocs.yml"])
    {b'docs': {b'a.md': b'docs/a.md'}, b'mkdocs.yml': b'mkdocs.yml'}
    """
    root = {} if root is None else root
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


def have_room(names: Names, paths: Iterable[bytes]) -> bool:
    """Tell whether paths can be added: none is there, is below a file that is, or is the folder of one."""
    for path in paths:
        node = names
        for part in path.split(b"/"):
            child = node.get(part)
            if child is None:
                break
            if isinstance(child, bytes):
                return False
            node = child
        else:
            return False
    return True


def leaves(names: Names) -> Iterator[bytes]:
    """Yield the paths of all files."""
    for child in names.values():
        if isinstance(child, bytes):
            yield child
        else:
            yield from leaves(child)


def common_folder(names: Names, depth: int) -> tuple[bytes, Names]:
    """Return the deepest folder that contains all files, up to ``depth`` and a length; and the names."""
    folder = b""
    while len(names) == 1 and depth:
        ((name, child),) = names.items()
        # a line break would end the request to git that has this path, and git drops a CR before it
        if isinstance(child, bytes) or b"\n" in name or b"\r" in name or len(folder + name) > _LONGEST:
            break
        folder = folder + b"/" + name if folder else name
        names = child
        depth -= 1
    return folder, names
