"""Explains a file's date: describes the commit, and gives the git command that shows it."""

from __future__ import annotations

import os
import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from docs_sitemap.git import Rules
from docs_sitemap.git.answers import Answer, AnyPath, Change, Reason, RepositoryError, Unknown
from docs_sitemap.git.process import run
from docs_sitemap.git.repository import Finder, Repository
from docs_sitemap.git.search import search
from docs_sitemap.git.walk import Question

_MAX_TEXT: Final = 500
"""Characters of an author or a subject that are shown."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known about one file.

    ``author`` is ``NAME <MAIL>``; it and ``subject`` are empty without a commit. ``command`` is a shell
    command that can be run from any folder.
    """

    name: str
    answer: Answer
    author: str
    subject: str
    command: str


def explain_files(paths: Iterable[AnyPath], rules: Rules) -> Mapping[AnyPath, tuple[Explanation, bool]]:
    """Explain each file, and return whether its commit is an ignored one; reads each repository once."""
    finder = Finder()
    found: dict[AnyPath, tuple[Explanation, bool]] = {}
    groups: defaultdict[Repository, dict[AnyPath, bytes]] = defaultdict(dict)
    for path in paths:
        located = finder.locate(path, resolve=True)  # a link counts as its target
        if located is None:
            unknown = Unknown(Reason.NO_REPOSITORY, os.fspath(path))
            found[path] = Explanation(os.fspath(path), unknown, "", "", ""), False
        else:
            groups[located[0]][path] = located[1]
    for repository, names in groups.items():
        question = rules.question(repository)
        try:
            explained = _explain(repository, set(names.values()), question)
        except RepositoryError as problem:
            unknown = Unknown(problem.reason, problem.where or os.fspath(repository.root))
            status = shlex.join(["git", "-C", os.fspath(repository.root), "status"])
            found |= {path: (Explanation(os.fspath(path), unknown, "", "", status), False) for path in names}
            continue
        for path, name in names.items():
            answer = explained[name].answer
            is_ignored = isinstance(answer, Change) and answer.commit.encode() in question.ignored
            found[path] = explained[name], is_ignored
    return found


def _explain(repository: Repository, names: set[bytes], question: Question) -> dict[bytes, Explanation]:
    """Return the explanation of each file, by its path from the root."""
    answers, _ = search(repository, question, names)
    commits = {answer.commit for answer in answers.values() if isinstance(answer, Change)}
    described = _describe(repository, commits)
    found = {}
    for name, answer in answers.items():
        author, subject = described[answer.commit] if isinstance(answer, Change) else ("", "")
        text = name.decode("utf-8", "surrogateescape")
        shown = command(repository.root, text, answer, question)
        found[name] = Explanation(text, answer, author, subject, shown)
    return found


def _describe(repository: Repository, commits: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return author and subject of commits: only printable characters."""
    names = [commit.encode() for commit in commits]
    if not names:
        return {}
    # git converts both from the encoding that the commit states; neither has a line break
    options = ("--no-walk=unsorted", "--stdin", "--format=%an <%ae>%n%s")
    data = run(repository.top, "rev-list", *options, lines=names, is_bare=repository.is_bare)
    lines = [_printable(line) for line in data.split(b"\n")]
    found = zip(lines[::3], lines[1::3], lines[2::3], strict=False)
    return {commit.removeprefix("commit "): (author, subject) for commit, author, subject in found}


def _printable(line: bytes) -> str:
    return "".join(filter(str.isprintable, line.decode("utf-8", "replace")[:_MAX_TEXT]))


def command(root: Path, name: str, answer: Answer, question: Question) -> str:
    """Return the git command that shows the commit that was found on its first line.

    After a skipped commit, the command starts at the parent where the search continued.
    """
    start: list[str] = []
    for skip in answer.skips:
        start = [skip.parent]
        name = skip.old_name.decode("utf-8", "surrogateescape") or name
    if isinstance(answer, Unknown) and answer.reason is Reason.UNTRACKED:
        return shlex.join(["git", "-C", str(root), "status", "--ignored", "--", name])
    date = "%aI" if question.clock == "author" else "%cI"
    literal = ["--literal-pathspecs"] if re.search(r"[*?\[\\:]", name) else []
    format_ = f"--format=%H {date} %an: %s"
    return shlex.join(["git", "-C", str(root), *literal, "log", "-1", format_, *start, "--", name])
