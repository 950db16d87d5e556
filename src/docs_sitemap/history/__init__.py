"""Finds the commit that last changed each file: like ``git log -1 -- FILE``, for many files at once.

And the commit that added it: like ``git log --diff-filter=A -1 -- FILE``.

Knows git, and nothing about pages, sitemaps or generators. The names in ``__all__`` are public; the
modules of this package are not. Paths of files on disk are ``Path``, or another ``os.PathLike``. Paths inside
a repository are ``bytes``, as git stores them; commit names in questions are ``bytes`` too, in lower case.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple, get_args

from docs_sitemap.history.catfile import open_reader
from docs_sitemap.history.change import Answer, AnyPath, Change, Reason, RepositoryError, Skip, Unknown
from docs_sitemap.history.ignored import default_ignored, read_ignored
from docs_sitemap.history.listing import list_files
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.question import Clock, Question, ask
from docs_sitemap.history.repository import Repository, RepositoryFinder, open_bare
from docs_sitemap.history.session import Session
from docs_sitemap.untrusted import RealPaths

__all__ = [
    "Answer",
    "Change",
    "Clock",
    "Reason",
    "Repository",
    "RepositoryError",
    "Rules",
    "Skip",
    "Unknown",
    "find_repository",
    "last_additions",
    "last_changes",
    "read_ignored",
    "tracked_additions",
    "tracked_changes",
]

_SESSION: Final = Session()


class Rules(NamedTuple):
    """What counts as a change; without arguments, what ``git log`` counts.

    ``clock`` is ``committer`` or ``author``. ``ignored`` are full names of commits that do not
    count, as ``read_ignored`` returns them, or ``None`` for those in each repository's own
    ``.git-blame-ignore-revs``: the search continues at the first parent that has the file; if none has it,
    the commit counts after all. With ``follow_renames``, if a parent has the same blob and mode under a name
    that no longer exists, the search continues under that name.

    >>> Rules("author", ignored=None).follow_renames
    False
    """

    clock: Clock = "committer"
    ignored: frozenset[bytes] | None = frozenset()
    follow_renames: bool = False

    def question(self, repository: Repository, *, added: bool = False) -> Question:
        """Return the question for one repository; raises ``RepositoryError`` if it cannot be read.

        With ``added``, no commit is ignored. Raises ``ValueError`` for an invalid clock.
        """
        _check_clock(self.clock)
        return Question(
            shallow=repository.shallow,
            ignored=frozenset() if added else self._ignored(repository),
            follow_renames=self.follow_renames,
            clock=self.clock,
            where=os.fspath(repository.root),
            added=added,
        )

    def _ignored(self, repository: Repository) -> frozenset[bytes]:
        return default_ignored(repository) if self.ignored is None else self.ignored


PLAIN: Final = Rules()
"""What ``git log`` counts."""


def last_changes(paths: Iterable[AnyPath], rules: Rules = PLAIN) -> dict[AnyPath, Answer]:
    """Return for each path the commit that ``git log -1 -- PATH`` names, or why it is unknown.

    The paths may be in several repositories; relative paths start from the working folder. The keys of the
    answers are the paths as given. Merges are exact, with git's default history simplification. A symbolic
    link counts as the link itself, but links in its parent folders are resolved. A folder is ``Unknown``.
    Uncommitted edits do not count. There is one walk per repository, and none if HEAD is unchanged
    since the last call. The network is not used, and nothing from the repository is executed. Raises only
    ``ValueError``, for an invalid clock: whatever cannot be read is an ``Unknown`` with its reason.

    >>> [answer] = last_changes([Path("no such folder/page.md")]).values()
    >>> isinstance(answer, Unknown)
    True
    """
    return _by_path(paths, rules, _changes)


def last_additions(paths: Iterable[AnyPath], rules: Rules = PLAIN) -> dict[AnyPath, Answer]:
    """Return for each path the commit that brought it into the history for the last time.

    That is the one that ``git log --diff-filter=A -1 -- PATH`` names: a commit that has the path and is no
    merge, and whose parent does not have it. A path that a merge added is ``Unknown``, and so is one for
    which git's answer depends on more than trees and dates. A new mode or type is no addition.
    ``rules.ignored`` does not matter: an ignored commit that adds a file does add it. With
    ``rules.follow_renames``, the search continues under the old name of a pure rename. All else is as for
    ``last_changes``. The same walk finds the last changes of these paths: asking for those afterwards, with
    the same rules, needs no other walk.

    >>> [answer] = last_additions([Path("no such folder/page.md")]).values()
    >>> isinstance(answer, Unknown)
    True
    """
    return _by_path(paths, rules, _additions)


def tracked_changes(
    repository: Repository, folders: Iterable[bytes], rules: Rules = PLAIN
) -> dict[bytes, dict[bytes, Answer]]:
    """Return, for each folder, the answer for every file that HEAD has at or below it.

    Folders and files are paths from the repository's root without trailing slashes; ``b""`` is the root.
    Raises ``RepositoryError`` if the repository cannot be read.
    """
    return _tracked(repository, folders, rules.question(repository))


def tracked_additions(
    repository: Repository, folders: Iterable[bytes], rules: Rules = PLAIN
) -> dict[bytes, dict[bytes, Answer]]:
    """Return the same as ``tracked_changes``, with the answers of ``last_additions``."""
    return _tracked(repository, folders, rules.question(repository, added=True))


def _tracked(
    repository: Repository, folders: Iterable[bytes], question: Question
) -> dict[bytes, dict[bytes, Answer]]:
    with open_reader(repository) as reader:
        names = _files(reader, folders)
        wanted = {name for found in names.values() for name in found}
        answers = ask(reader, wanted, question)
    return {folder: {name: answers[name] for name in found} for folder, found in names.items()}


def _files(reader: ObjectReader, folders: Iterable[bytes]) -> dict[bytes, list[bytes]]:
    """Return, for each folder, the files that HEAD has at or below it."""
    head = reader.head()
    if head is None:
        return {folder: [] for folder in folders}
    return list_files(reader, reader.commits([head])[head].tree, folders)


def _all_files(reader: ObjectReader) -> set[bytes]:
    return set(_files(reader, [b""])[b""])


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that contains a folder, or the bare repository that it is, or ``None``."""
    try:
        real = RealPaths().of(folder)  # of dozens of links, os.path.realpath takes a third of a second
        return RepositoryFinder().repository_of(real) or open_bare(Path(real))
    except (OSError, ValueError):  # no folder can have such a name
        return None


def _check_clock(clock: str) -> None:
    if clock not in get_args(Clock):
        raise ValueError(f"clock: expected one of {', '.join(get_args(Clock))}, got {clock!r}")


_Ask = Callable[[Repository, Iterable[bytes], Rules], dict[bytes, Answer]]


def _by_path(paths: Iterable[AnyPath], rules: Rules, ask_one: _Ask) -> dict[AnyPath, Answer]:
    """Return the answers for paths in any repositories, each of which is asked once."""
    _check_clock(rules.clock)
    answers: dict[AnyPath, Answer] = {}
    finder = RepositoryFinder()
    groups: dict[Repository, dict[bytes, list[AnyPath]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        found = finder.locate(path)
        if found is None:
            answers[path] = Unknown(Reason.NO_REPOSITORY, os.fspath(path))
        else:
            repository, name = found
            groups[repository][name].append(path)
    # in order: of too many, the same ones are asked each time
    for repository in sorted(groups, key=lambda repository: repository.root):
        names = groups[repository]
        for name, answer in _or_why_not(repository, names, rules, ask_one).items():
            for path in names[name]:
                answers[path] = answer
    return answers


def _or_why_not(
    repository: Repository, names: Iterable[bytes], rules: Rules, ask_one: _Ask
) -> dict[bytes, Answer]:
    try:
        return ask_one(repository, names, rules)
    except RepositoryError as problem:
        return dict.fromkeys(names, Unknown(problem.reason, os.fspath(repository.root)))


def _changes(repository: Repository, names: Iterable[bytes], rules: Rules) -> dict[bytes, Answer]:
    def read(wanted: set[bytes], everything: bool) -> dict[bytes, Answer]:
        with open_reader(repository) as reader:
            return ask(reader, wanted | _all_files(reader) if everything else wanted, question)

    question = rules.question(repository)
    return _SESSION.answers(repository, question, names, read)


def _additions(repository: Repository, names: Iterable[bytes], rules: Rules) -> dict[bytes, Answer]:
    changes: dict[bytes, Answer] = {}

    def read(wanted: set[bytes], everything: bool) -> dict[bytes, Answer]:
        passed: dict[bytes, Answer] = {}
        with open_reader(repository) as reader:
            wanted = wanted | _all_files(reader) if everything else wanted
            answers = ask(reader, wanted, question, passed)
        changes.update(
            (name, answer)
            for name, answer in passed.items()
            if isinstance(answer, Unknown) or answer.commit.encode() not in beside.ignored
        )
        return answers

    question, beside = rules.question(repository, added=True), rules.question(repository)
    return _SESSION.answers(repository, question, names, read, {beside: changes})
