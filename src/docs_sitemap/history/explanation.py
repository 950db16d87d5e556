"""Explains a file's date: describes the commit, and the git command that shows it."""

from __future__ import annotations

import os
import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs_sitemap.history import Rules
from docs_sitemap.history.catfile import open_reader
from docs_sitemap.history.change import Answer, AnyPath, Change, Reason, RepositoryError, Unknown
from docs_sitemap.history.question import Question, ask
from docs_sitemap.history.repository import Repository, RepositoryFinder
from docs_sitemap.limits import MAX_SUBJECT


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


def _explain(repository: Repository, names: Iterable[bytes], question: Question) -> dict[bytes, Explanation]:
    """Return the explanation of each file, by its path from the root.

    Raises ``RepositoryError`` if the repository cannot be read.
    """
    with open_reader(repository) as reader:
        answers = ask(reader, names, question)
        known = {answer.commit.encode() for answer in answers.values() if isinstance(answer, Change)}
        commits = reader.commits(known)
    found = {}
    for name, answer in answers.items():
        author = subject = ""
        if isinstance(answer, Change):
            author, subject = describe(commits[answer.commit.encode()].data)
        text = name.decode("utf-8", "surrogateescape")
        found[name] = Explanation(
            text, answer, author, subject, command(repository.root, text, answer, question)
        )
    return found


def explain_files(paths: Iterable[AnyPath], rules: Rules) -> Mapping[AnyPath, tuple[Explanation, bool]]:
    """Explain each file, and return whether its commit is an ignored one; reads each repository once."""
    finder = RepositoryFinder()
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
        try:
            question = rules.question(repository)
            explained = _explain(repository, set(names.values()), question)
            found |= {
                path: (explained[name], _is_ignored(explained[name], question))
                for path, name in names.items()
            }
        except RepositoryError as problem:
            unknown = Unknown(problem.reason, os.fspath(repository.root))
            status = shlex.join(["git", "-C", os.fspath(repository.root), "status"])
            found |= {path: (Explanation(os.fspath(path), unknown, "", "", status), False) for path in names}
    return found


def _is_ignored(explanation: Explanation, question: Question) -> bool:
    answer = explanation.answer
    return isinstance(answer, Change) and answer.commit.encode() in question.ignored


def describe(commit: bytes) -> tuple[str, str]:
    """Return author and subject of a commit object, decoded with the encoding that it states.

    Returns only printable characters, from at most ``MAX_SUBJECT`` bytes of each.
    """
    header, _, message = commit.partition(b"\n\n")
    encoding = (_field(b"encoding", header) or b"utf-8").decode("ascii", "replace")
    # the subject is the first paragraph, on one line (git-log(1), %s)
    start = message.lstrip(b"\n")[: 2 * MAX_SUBJECT]
    subject = b" ".join(start.partition(b"\n\n")[0].split(b"\n")).strip()
    author = _field(b"author", header).rpartition(b"> ")[0] + b">"
    author, subject = author[:MAX_SUBJECT], subject[:MAX_SUBJECT]
    try:
        texts = author.decode(encoding), subject.decode(encoding)
    except (LookupError, ValueError):  # an unknown encoding, or text that does not match it
        texts = author.decode("utf-8", "replace"), subject.decode("utf-8", "replace")
    author_text, subject_text = ("".join(filter(str.isprintable, text)) for text in texts)
    return author_text, subject_text


def _field(key: bytes, header: bytes) -> bytes:
    match = re.search(rb"^%b (.*)$" % key, header, re.MULTILINE)  # a list of millions of lines is too large
    return match[1] if match else b""


def command(root: Path, name: str, answer: Answer, question: Question) -> str:
    """Return the git command that shows the commit that was found on its first line.

    After a skipped commit, the command starts at the parent where the walk continued.
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
