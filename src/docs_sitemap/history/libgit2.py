"""Reads objects through libgit2, if pygit2 is installed: in-process, without a git program.

libgit2 supports neither SHA-256, nor reftable repositories, nor replaced commits: there, only git itself can
answer. Nothing can stop it if it waits for a pipe or reads forever: so it reads only packs, and the files
that it opens are checked first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pygit2

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.loose import LooseObjects, object_folders
from docs_sitemap.history.objects import Commit, MissingObjectError, Run, check_size, parse_commit
from docs_sitemap.history.repository import Repository
from docs_sitemap.history.trees import EntryFinder
from docs_sitemap.limits import MAX_GIT_FILE, MAX_OBJECTS
from docs_sitemap.untrusted import open_plain, read_plain

if not hasattr(pygit2.Odb, "read_header"):
    raise ImportError("expected pygit2 1.19.2 or newer")

_NAME = 40
_KINDS: Final = {b"commit": int(pygit2.enums.ObjectType.COMMIT), b"tree": int(pygit2.enums.ObjectType.TREE)}

_COMMIT: Final = re.compile(rb"tree ([0-9a-f]{40})\n(?:parent ([0-9a-f]{40})\n|(?!parent ))")
"""The start of a commit: its tree, and its first parent if it has any."""


class LibGit2:
    """An ``ObjectReader`` over libgit2; a context manager.

    Raises ``RepositoryError`` if libgit2 cannot read the repository as git does.
    """

    def __init__(self, repository: Repository) -> None:
        if repository.grafts or repository.has_replacements():
            raise RepositoryError(f"{repository.root}: libgit2 does not follow replaced commits")
        self._where = repository.root
        self._shallow = repository.shallow
        self._repository = repository
        try:
            folders = object_folders(repository.common_dir / "objects")
            _look_at_files(repository, folders)
            self._loose = LooseObjects(folders)
            # checks the owner of the repository, and its extensions
            pygit2.Repository(os.fspath(repository.git_dir), pygit2.enums.RepositoryOpenFlag.NO_SEARCH).free()
            self._packs = pygit2.Odb()
            for folder in folders:
                self._packs.add_backend(pygit2.OdbBackendPack(os.fspath(folder)), 1)
        except (pygit2.GitError, OSError) as problem:
            reason = Reason.OTHER_OWNER if "owned by" in str(problem) else Reason.UNREADABLE
            raise RepositoryError(f"{self._where}: {problem}", reason) from None
        self._settings = _tune()
        self._seen: dict[int, tuple[bytes, bytes | None]] = {}
        self._finder = EntryFinder(_NAME // 2)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _restore(*self._settings)

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` if there is no commit yet; reads it once."""
        return self._head

    @cached_property
    def _head(self) -> bytes | None:
        name = self._repository.head_name()
        if name and not re.fullmatch(rb"[0-9a-f]{40}", name):
            raise RepositoryError(f"{self._where}: HEAD does not name a commit")
        return name or None

    def commits(self, names: Iterable[bytes]) -> Mapping[bytes, Commit]:
        """Return commits by name; see ``ObjectReader``."""
        found = {name: parse_commit(data) for name, data in self._objects(names, b"commit").items()}
        for name in self._shallow & found.keys():
            found[name] = found[name]._replace(parents=())
        return found

    def trees(self, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Return the content of trees by name."""
        return self._objects(names, b"tree")

    def _objects(self, names: Iterable[bytes], kind: bytes) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        total = 0
        for name in names:
            found[name] = self._object(name, kind)
            total += len(found[name])
            check_size(total, self._where, MAX_OBJECTS)
        return found

    def runs(self, starts: Sequence[tuple[bytes, int]], folder: bytes) -> list[Run]:
        """Return runs along first parents; see ``ObjectReader``."""
        folders = folder.split(b"/") if folder else []
        return [self._run(commit, steps, folders) for commit, steps in starts]

    def _run(self, commit: bytes | None, steps: int, folder: list[bytes]) -> Run:
        commits: list[bytes] = []
        folders: list[bytes | None] = []
        while commit is not None and len(commits) <= steps:
            try:
                data = self._object(commit, b"commit")
            except MissingObjectError:
                if not commits:
                    raise
                break  # the walk sees that the last commit has parents
            begin = _COMMIT.match(data)
            if begin is None:
                raise ValueError("a commit with a malformed header")
            commits.append(commit)
            folders.append(self._folder(begin[1], folder))
            commit = None if commit in self._shallow else begin[2]
        return Run(commits, folders, len(commits) <= steps)

    def _folder(self, tree: bytes, folder: list[bytes]) -> bytes | None:
        for depth, name in enumerate(folder):
            seen, found = self._seen.get(depth, (b"", None))
            if seen != tree:
                found = self._finder.find_tree(self._object(tree, b"tree"), name, depth)
                self._seen[depth] = (tree, found)
            if found is None:
                return None
            tree = found
        return tree

    def _object(self, name: bytes, kind: bytes) -> bytes:
        """Return an object's content; raises like ``LooseObjects.read``, and ``MissingObjectError``."""
        if (loose := self._loose.read(name)) is not None:
            found, content = loose
            if found == kind:
                return content
        else:
            text = name.decode()
            with suppress(KeyError, pygit2.GitError):
                check_size(self._packs.read_header(text)[1], self._where)
                number, content = self._packs.read(text)
                if number == _KINDS[kind]:
                    return bytes(content)  # makes no copy; type checkers without pygit2 do not know its type
        raise MissingObjectError(f"{self._where}: {name.decode()} is missing")


def _look_at_files(repository: Repository, folders: Iterable[Path]) -> None:
    """Raise ``OSError`` if libgit2 would open something other than a regular file."""
    for folder in {repository.git_dir, repository.common_dir}:
        for name in ("HEAD", "config", "config.worktree", "commondir", "gitdir"):
            with suppress(FileNotFoundError):
                content = read_plain(folder / name, MAX_GIT_FILE)
                if re.search(rb"\[\s*include", content, re.IGNORECASE):
                    raise RepositoryError(
                        f"{folder / name}: libgit2 is not used with included configuration files"
                    )
    for folder in folders:
        with suppress(FileNotFoundError):
            for entry in os.scandir(folder / "pack"):
                if entry.name.endswith((".idx", ".pack", "multi-pack-index")):
                    open_plain(entry.path).close()


def _tune() -> tuple[int, int]:
    """Configure libgit2 for one walk through the packs; return the two settings that can be read.

    The settings apply to the whole process, so each walk restores them, or the defaults. By default, libgit2
    hashes every object that it reads, which takes half of its time and git does not do; it
    maps whole packs and keeps every object.
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
