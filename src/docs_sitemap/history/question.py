"""Answers one question about one repository, over any ``ObjectReader``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from docs_sitemap.history.additions import AdditionWalk
from docs_sitemap.history.change import Answer, Change, Reason, RepositoryError, Skipped, Unknown
from docs_sitemap.history.count import Count
from docs_sitemap.history.listing import Finder, files_among
from docs_sitemap.history.objects import Commit, ObjectReader, parsing
from docs_sitemap.history.renames import Renames
from docs_sitemap.history.trees import TREE_MODE
from docs_sitemap.history.walk import Walk
from docs_sitemap.history.wanted import Names, have_room, leaves, nest
from docs_sitemap.limits import MAX_WALKS

Clock = Literal["committer", "author"]
"""Which of a commit's two dates to use."""

_EVER: Final = 2**63

_Skips = tuple[Skipped, ...]


class Question(NamedTuple):
    """How to ask: ``shallow`` are commits whose parents are cut off, ``ignored`` do not count.

    With ``added``, it asks which commit added each file. ``where`` names the repository in unknown answers.
    """

    shallow: frozenset[bytes] = frozenset()
    ignored: frozenset[bytes] = frozenset()
    follow_renames: bool = False
    clock: Clock = "committer"
    where: str = ""
    added: bool = False


def ask(
    reader: ObjectReader,
    paths: Iterable[bytes],
    question: Question,
    changes: dict[bytes, Answer] | None = None,
) -> dict[bytes, Answer]:
    """Return for each path, from the repository's root, its last change or why it is unknown.

    With ``question.added``, return its addition, and add to ``changes`` the last changes that the walk
    passes on its way. Raises ``RepositoryError`` if HEAD cannot be read; missing or broken objects further
    back only make the files unknown that are not answered yet.
    """
    wanted = set(paths)
    head = reader.head()
    if head is None:
        return dict.fromkeys(wanted, Unknown(Reason.NO_COMMIT, question.where))
    count = Count(reader.packs)
    tracked = _tracked(reader, reader.commits([head])[head].tree, wanted, count)
    answers: dict[bytes, Answer] = dict.fromkeys(wanted - tracked, Unknown(Reason.UNTRACKED, question.where))
    answers.update(
        _walk(reader, head, {path: [path] for path in tracked}, question, count=count, changes=changes)
    )
    return answers


def _tracked(reader: ObjectReader, tree: bytes, wanted: set[bytes], count: Count) -> set[bytes]:
    names = nest(wanted)
    tracked = {path for path, _ in files_among(reader, tree, names, count)}
    # if a path below a file is wanted too, nesting keeps only the folder
    finder = Finder(reader, count)
    for path in sorted(wanted.difference(leaves(names))):
        entry = finder.find(tree, path)
        if entry is not None and entry[0] != TREE_MODE:
            tracked.add(path)
    return tracked


def _walk(
    reader: ObjectReader,
    head: bytes,
    files: dict[bytes, list[bytes]],
    question: Question,
    *,
    count: Count,
    changes: dict[bytes, Answer] | None,
) -> dict[bytes, Answer]:
    """Walk from HEAD, and again from the commits where files had other names.

    ``files`` maps each file's name at the start to its names at HEAD.
    """
    answers: dict[bytes, Answer] = {}
    skips: dict[bytes, _Skips] = {}
    starts = {head: files}
    renames = Renames(reader, count) if question.follow_renames else None
    walks = 0
    while starts:
        together, starts = _without_clashes(starts)
        files = {path: names for some in together.values() for path, names in some.items()}
        walks += 1
        if walks > MAX_WALKS:
            too_many = Unknown(Reason.TOO_LARGE, question.where)
            answers.update(dict.fromkeys([name for names in files.values() for name in names], too_many))
            continue
        walk = _new_walk(reader, set(files), question, renames, count)
        unknown = Unknown(Reason.INCOMPLETE, question.where)
        try:
            with parsing(question.where):
                walk.run({start: set(some) for start, some in together.items()})
        except RepositoryError as problem:  # answers so far are kept
            unknown = Unknown(problem.reason, question.where)
        answers.update(dict.fromkeys([name for path in walk.unanswered for name in files[path]], unknown))
        try:
            _lengthen(skips, ((files[path], skipped) for path, skipped in _skipped(walk)), count)
        except RepositoryError as problem:
            unknown = Unknown(problem.reason, question.where)
            answers.update(dict.fromkeys([name for names in files.values() for name in names], unknown))
            continue
        answers.update(_found(walk, files, skips, question))
        if changes is not None and walks == 1:
            changes.update(_passed_changes(walk, question))
        for _, parent, old_names in walk.moved:
            moved = starts.setdefault(parent, {})
            for path in old_names.keys() - walk.undecided.keys():
                names = files.pop(path, [])  # most lists become those of the old name as they are
                if moved.setdefault(old_names[path], names) is not names:
                    moved[old_names[path]] += names
        del walk  # before the next: of very many files, the names of one walk take a hundred megabytes
    return answers


def _new_walk(
    reader: ObjectReader, files: set[bytes], question: Question, renames: Renames | None, count: Count
) -> Walk:
    if question.added:
        return AdditionWalk(reader, files, renames, count, question.shallow)
    return Walk(reader, files, question.ignored, renames, count)


def _found(
    walk: Walk, files: dict[bytes, list[bytes]], skips: dict[bytes, _Skips], question: Question
) -> Iterator[tuple[bytes, Answer]]:
    """Yield what a walk has found for each name that a file has at HEAD."""
    for commit_name, paths in walk.answered.items():
        answer = _answer(commit_name, walk.commits[commit_name], question)
        for name in [name for path in paths for name in files[path]]:
            yield name, replace(answer, skipped=skips[name]) if name in skips else answer
    for path, reason in walk.undecided.items():
        answer = Unknown(reason, question.where)
        for name in files[path]:
            yield name, replace(answer, skipped=skips[name]) if name in skips else answer


def _passed_changes(walk: Walk, question: Question) -> Iterator[tuple[bytes, Answer]]:
    """Yield the last change of each file for which it is known, by its path."""
    renamed: defaultdict[bytes, set[bytes]] = defaultdict(set)
    for move in walk.moved:
        renamed[move.commit] |= move.old_names.keys()
    for name, paths in walk.changed.items():
        answer = _answer(name, walk.commits[name], question)
        yield from ((path, answer) for path in paths - renamed[name])


def _skipped(walk: Walk) -> Iterator[tuple[bytes, _Skips]]:
    """Yield what a walk has skipped for each path; a rename is the last, because the walk ends there."""
    renamed: set[bytes] = set()
    for move in walk.moved:
        commit, parent = move.commit.decode(), move.parent.decode()  # once: there may be very many files
        renamed |= move.old_names.keys()
        for path, old in move.old_names.items():
            yield path, (*walk.skips.get(path, ()), ("renamed", commit, parent, old))
    yield from ((path, tuple(skips)) for path, skips in walk.skips.items() if path not in renamed)


def _lengthen(skips: dict[bytes, _Skips], more: Iterable[tuple[list[bytes], _Skips]], count: Count) -> None:
    """Append what a walk has skipped for each path to the skips of its names; equal tuples are shared.

    Thousands of names may have been one path, with thousands of ignored commits.
    """
    firsts: dict[_Skips, _Skips] = {}
    for names, skipped in more:
        joined: dict[int, tuple[_Skips, _Skips]] = {}  # with the key's object, to keep it
        last = firsts.setdefault(skipped, skipped)
        for name in names:
            before = skips.get(name, ())
            if before and id(before) not in joined:
                count.skip(len(before) + len(last))
                joined[id(before)] = before, before + last
            skips[name] = joined[id(before)][1] if before else last


_Starts = dict[bytes, dict[bytes, list[bytes]]]
"""Files by the commit to start from; see ``_walk``."""


def _without_clashes(starts: _Starts) -> tuple[_Starts, _Starts]:
    """Split starts into what one walk can follow and the rest: a path at two commits may be two files.

    And a file of one commit may have the name of a folder of another.
    """
    if len(starts) < 2:
        return starts, {}
    together: _Starts = {}
    rest: _Starts = {}
    taken: Names = {}
    for start, files in starts.items():
        if have_room(taken, files):
            together[start] = files
            nest(files, taken)
        else:
            rest[start] = files
    return together, rest


def _answer(name: bytes, commit: Commit, question: Question) -> Answer:
    if name in question.shallow:
        # without a date, it is not known what is newer than the boundary
        not_after = _EVER if commit.committer_time is None else commit.committer_time
        return Unknown(Reason.BOUNDARY, question.where, not_after)
    time = commit.author_time if question.clock == "author" else commit.committer_time
    if time is None:
        return Unknown(Reason.NO_DATE, question.where)
    return Change(name.decode(), time)
