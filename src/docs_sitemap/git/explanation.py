"""Explains a file's date: describes the commit, and gives the git command that shows it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import Answer, AnyPath, Change, Reason, Repository, RepositoryError, Rules
from docs_sitemap.git.repository import by_repository, describe_commits
from docs_sitemap.git.search import resolved, search

_MAX_TEXT: Final = 500
"""Bytes of an author or a subject that are shown."""


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
    groups, outside = by_repository(paths, resolve=True)  # a link counts as its target
    found = {path: (Explanation(why.where, why, "", "", ""), False) for path, why in outside.items()}
    for repository, names in groups.items():
        own = resolved(rules, repository)
        try:
            answers, _ = search(repository, {*names.values()}, own)
            described = _describe(repository, answers.values())
        except RepositoryError as problem:
            status = shlex.join(["git", "-C", os.fspath(repository.root), "status"])
            unknown = problem.answer(repository.root)
            found |= {path: (Explanation(os.fspath(path), unknown, "", "", status), False) for path in names}
            continue
        for path, name in names.items():
            answer, text = answers[name], name.decode("utf-8", "surrogateescape")
            commit = answer.commit if isinstance(answer, Change) else ""
            author, subject = described.get(commit, ("", ""))
            shown = command(repository.root, text, answer, rules)
            is_ignored = commit.encode() in (own.ignored or ())
            found[path] = Explanation(text, answer, author, subject, shown), is_ignored
    return found


def _describe(repository: Repository, answers: Iterable[Answer]) -> dict[str, tuple[str, str]]:
    """Return author and subject of the commits in answers: only printable characters."""
    names = {answer.commit.encode() for answer in answers if isinstance(answer, Change)}
    # git converts both from the encoding that the commit states; neither has a line break
    found = describe_commits(repository, names, "%an <%ae>", "%s") if names else {}

    def shown(text: bytes) -> str:
        return "".join(filter(str.isprintable, text[:_MAX_TEXT].decode("utf-8", "replace")))

    return {name.decode(): (shown(author), shown(subject)) for name, (author, subject) in found.items()}


def command(root: Path, name: str, answer: Answer, rules: Rules) -> str:
    """Return the git command that shows the commit that was found on its first line.

    After a skipped commit, the command starts at the parent where the search continued.
    """
    start: list[str] = []
    for skip in answer.skips:
        start = [skip.parent]
        name = skip.old_name.decode("utf-8", "surrogateescape") or name
    if not isinstance(answer, Change) and answer.reason is Reason.UNTRACKED:
        return shlex.join(["git", "-C", str(root), "status", "--ignored", "--", name])
    date = "%aI" if rules.clock == "author" else "%cI"
    literal = ["--literal-pathspecs"] if re.search(r"[*?\[\\:]", name) else []
    format_ = f"--format=%H {date} %an: %s"
    return shlex.join(["git", "-C", str(root), *literal, "log", "-1", format_, *start, "--", name])
