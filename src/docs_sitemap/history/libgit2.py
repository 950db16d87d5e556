"""Reads objects through libgit2, where pygit2 is installed: in-process, without a git program.

libgit2 knows neither SHA-256 nor reftable repositories, and no replaced commits: there only git
itself can answer.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self

import pygit2

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import Commit, MissingObjectError, Run, parse_commit
from docs_sitemap.history.repository import Repository
from docs_sitemap.history.trees import EntryFinder

_NAME = 40
_COMMIT = int(pygit2.enums.ObjectType.COMMIT)
_TREE = int(pygit2.enums.ObjectType.TREE)


class LibGit2:
    """An ``ObjectReader`` over libgit2; a context manager.

    Raises ``RepositoryError`` where libgit2 cannot read the repository as git does.
    """

    def __init__(self, repository: Repository) -> None:
        if repository.grafts or repository.has_replacements():
            raise RepositoryError(f"{repository.root}: libgit2 does not follow replaced commits")
        self._where = repository.root
        self._shallow = repository.shallow
        self._repository = repository
        try:
            self._libgit2 = pygit2.Repository(
                os.fspath(repository.git_dir), pygit2.enums.RepositoryOpenFlag.NO_SEARCH
            )
        except pygit2.GitError as problem:
            reason = Reason.OTHER_OWNER if "owned by" in str(problem) else Reason.UNREADABLE
            raise RepositoryError(f"{self._where}: {problem}", reason) from None
        self._read = self._libgit2.odb.read
        self._settings = _tune()
        self._seen: dict[int, tuple[bytes, bytes | None]] = {}
        self._head: bytes | None = None
        self._finder = EntryFinder(_NAME // 2)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._libgit2.free()
        _restore(*self._settings)

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` where there is no commit yet; asked once."""
        if self._head is None:
            self._head = self._read_head()
        return self._head

    def _read_head(self) -> bytes | None:
        try:
            if self._libgit2.head_is_unborn:
                return None
            return str(self._libgit2.head.target).encode()
        except (pygit2.GitError, KeyError) as problem:
            raise RepositoryError(f"{self._where}: {problem}") from None

    def commits(self, names: Iterable[bytes]) -> Mapping[bytes, Commit]:
        """Return commits by name; see ``ObjectReader``."""
        found = {name: parse_commit(self._object(name, _COMMIT)) for name in names}
        for name in self._shallow & found.keys():
            found[name] = found[name]._replace(parents=())
        return found

    def trees(self, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Return the content of trees by name."""
        return {name: self._object(name, _TREE) for name in names}

    def runs(self, starts: Sequence[tuple[bytes, int]], folder: bytes) -> list[Run]:
        """Return runs along first parents; see ``ObjectReader``."""
        folders = folder.split(b"/") if folder else []
        return [self._run(commit, steps, folders) for commit, steps in starts]

    def _run(self, commit: bytes | None, steps: int, folder: list[bytes]) -> Run:
        commits: list[bytes] = []
        folders: list[bytes | None] = []
        while commit is not None and len(commits) <= steps:
            try:
                data = self._object(commit, _COMMIT)
            except MissingObjectError:
                if not commits:
                    raise
                break  # the walk sees that the last commit has parents
            commits.append(commit)
            folders.append(self._folder(data[5 : 5 + _NAME], folder))
            # "tree NAME\nparent NAME\n": the first parent stands at a fixed place
            at = 5 + _NAME + 1
            has_parent = data.startswith(b"parent ", at) and commit not in self._shallow
            commit = data[at + 7 : at + 7 + _NAME] if has_parent else None
        return Run(commits, folders, len(commits) <= steps)

    def _folder(self, tree: bytes, folder: list[bytes]) -> bytes | None:
        for depth, name in enumerate(folder):
            seen, found = self._seen.get(depth, (b"", None))
            if seen != tree:
                found = self._finder.find_tree(self._object(tree, _TREE), name, depth)
                self._seen[depth] = (tree, found)
            if found is None:
                return None
            tree = found
        return tree

    def _object(self, name: bytes, kind: int) -> bytes:
        try:
            found, content = self._read(name.decode())
        except (KeyError, pygit2.GitError):
            found, content = None, b""
        if found != kind:
            raise MissingObjectError(f"{self._where}: {name.decode()} is missing")
        return bytes(content)  # no copy: it is one, which type checkers see only beside pygit2


def _tune() -> tuple[int, int]:
    """Set libgit2 for one walk through the packs; return the two settings that it can tell.

    Settings are the process's, so each walk puts back what it found, or the default. libgit2
    hashes every object again that it reads, half of all its time, which git does not do; it
    would map whole packs and keep every object.
    """
    settings = pygit2.settings
    before = (settings.mwindow_size, settings.mwindow_mapped_limit)
    settings.enable_strict_hash_verification(False)
    settings.enable_caching(False)
    settings.mwindow_size, settings.mwindow_mapped_limit = 1 << 20, 32 << 20
    return before


def _restore(window_size: int, mapped_limit: int) -> None:
    settings = pygit2.settings
    settings.mwindow_size, settings.mwindow_mapped_limit = window_size, mapped_limit
    settings.enable_caching(True)
    settings.enable_strict_hash_verification(True)
