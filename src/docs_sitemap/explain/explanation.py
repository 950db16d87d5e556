"""Explain a page's date: the deciding file, the evidence that it is part of the page, and the commit."""

from __future__ import annotations

import os
import re
import shlex
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from docs_sitemap.dates.site_dates import date_of
from docs_sitemap.explain.notes import Note, how_to_note
from docs_sitemap.git import Answer, Change, Reason, RepositoryError, Rules, Unknown
from docs_sitemap.git.repository import by_repository, describe_commits
from docs_sitemap.git.search import remembered, resolved
from docs_sitemap.pages.page import Files
from docs_sitemap.text import escape_control
from docs_sitemap.timestamps import format_date

_SHOWN_SKIPS: Final = 20
"""Skipped commits that are shown as text."""

_MAX_TEXT: Final = 500
"""Bytes of an author or a subject that are shown."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A page to explain: its name as given, its files, and the note of the last build.

    ``has_notes`` is whether a build has recorded notes for the site, ``leads_to``
    the URL to which the name only redirects: then the note is that of the page there, if there is one.
    ``lastmod_format`` is the option of that build.
    """

    page: str
    files: Files
    note: Note | None = None
    has_notes: bool = False
    leads_to: str = ""
    lastmod_format: str = "datetime"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What git knows about one file.

    ``author`` is ``NAME <MAIL>``; it and ``subject`` are empty without a commit. ``command`` is a shell
    command that can be run from any folder. ``is_ignored`` is whether the commit is listed as ignored.
    """

    name: str
    answer: Answer
    author: str = ""
    subject: str = ""
    command: str = ""
    is_ignored: bool = False


def explain_files(paths: Iterable[os.PathLike[str]], rules: Rules) -> dict[os.PathLike[str], Explanation]:
    """Explain each file; a link counts as its target, and each repository is read once."""
    groups, outside = by_repository(paths, resolve=True)
    found = {path: Explanation(unknown.where, unknown) for path, unknown in outside.items()}
    for repository, names in groups.items():
        try:
            answers = remembered(repository, names.values(), rules, added=False)
            commits = {answer.commit for answer in answers.values() if isinstance(answer, Change)}
            # git converts both from the encoding that the commit states; neither has a line break
            texts = describe_commits(repository, map(str.encode, commits), "%an <%ae>", "%s")
        except RepositoryError as problem:
            status = shlex.join(["git", "-C", os.fspath(repository.root), "status"])
            unknown = problem.answer(repository.root)
            found |= {path: Explanation(os.fspath(path), unknown, command=status) for path in names}
            continue
        ignored = resolved(rules, repository).ignored or ()
        for path, name in names.items():
            answer, text = answers[name], name.decode("utf-8", "surrogateescape")
            commit = answer.commit.encode() if isinstance(answer, Change) else b""
            author, subject = map(_printable, texts.get(commit, (b"", b"")))
            command = _command(repository.root, text, answer, rules)
            found[path] = Explanation(text, answer, author, subject, command, commit in ignored)
    return found


def _printable(text: bytes) -> str:
    return "".join(filter(str.isprintable, text[:_MAX_TEXT].decode("utf-8", "replace")))


def _command(root: Path, name: str, answer: Answer, rules: Rules) -> str:
    """Return the git command that shows the commit that was found on its first line.

    After a skipped commit, the command starts at the parent where the search continued.
    """
    start: list[str] = []
    for skip in answer.skips:
        start = [skip.parent]
        name = skip.old_name.decode("utf-8", "surrogateescape") or name
    if isinstance(answer, Unknown) and answer.reason is Reason.UNTRACKED:
        return shlex.join(["git", "-C", str(root), "status", "--ignored", "--", name])
    date = "%aI" if rules.clock == "author" else "%cI"
    literal = ["--literal-pathspecs"] if re.search(r"[*?\[\\:]", name) else []
    format_ = f"--format=%H {date} %an: %s"
    return shlex.join(["git", "-C", str(root), *literal, "log", "-1", format_, *start, "--", name])


def explain_pages(pages: Sequence[tuple[Asked, Rules]]) -> list[dict[str, Any]]:
    """Explain the dates of pages in the sitemap, as plain data in which unknown values are ``None``.

    Reads the history once for equal rules.
    """
    wanted: defaultdict[Rules, dict[os.PathLike[str], None]] = defaultdict(dict)
    for asked, rules in pages:
        wanted[rules].update(dict.fromkeys(asked.files.all()))
    known = {rules: explain_files(files, rules) for rules, files in wanted.items()}
    return [_explain(asked, known[rules]) for asked, rules in pages]


def _explain(asked: Asked, known: Mapping[os.PathLike[str], Explanation]) -> dict[str, Any]:
    files, note = asked.files, asked.note
    explained = {path: known[path] for path in files.all()}
    answers = [known[path].answer for path in files.all()]
    lastmod = note.lastmod if note else "git"
    shown, unknown = (None if lastmod == "none" else lastmod), None
    decisive = found = answer = None
    if lastmod == "git":
        date, decisive = date_of(files, answers, int(time.time()))
        unknown = date if isinstance(date, Unknown) else None
        shown = None if isinstance(date, Unknown) else format_date(date, asked.lastmod_format)
        if decisive:
            found = explained[decisive]
            answer = found.answer
    lack = files.undated if decisive == files.source else None
    why = f"redirect: it leads to {asked.leads_to}" if asked.leads_to else ""
    left_out = _left_out(why or (note.left_out if note else ""))
    return {
        "page": asked.page,
        "address": (note.loc or None) if note else None,
        "listed": note.listed and not asked.leads_to if note else None,
        "left_out": left_out,
        "leads_to": asked.leads_to or None,
        "date": shown,
        "path": found.name if found else None,
        "how": files.how(decisive) if decisive else None,
        "commit": answer.commit if isinstance(answer, Change) else None,
        "author": (found.author or None) if found else None,
        "subject": (found.subject or None) if found else None,
        "files": [each.name for each in explained.values()],
        "known": [
            {
                "path": each.name,
                "date": format_date(each.answer.time) if isinstance(each.answer, Change) else None,
                "how": files.how(path),
            }
            for path, each in explained.items()
        ],
        "skipped": [
            {
                "commit": skip.commit,
                "why": skip.why,
                "old_name": skip.old_name.decode("utf-8", "surrogateescape") or None,
            }
            for skip in (answer.skips if answer else ())
        ],
        "reason": (str(lack._replace(cure="")) if lack else unknown.reason.text) if unknown else None,
        "fix": ((lack or unknown).cure or None) if unknown else None,
        "command": (found.command or None) if found else None,
        "remarks": [*_remarks(asked, lastmod, bool(found and found.is_ignored))],
    }


def _remarks(asked: Asked, lastmod: str, is_ignored: bool) -> Iterator[str]:
    note = asked.note
    if note is None and asked.has_notes:
        yield "the last build has no such page: this explains only the file"
    elif note is None:
        yield f"the included files are unknown: {how_to_note()}, or use --include FILE"
    elif note.datable and not note.is_current():
        yield "the page or a file that it includes has changed since the last build: build the site again"
    if note and note.loc == asked.leads_to:
        yield f"the date and what decides it are those of {note.loc}"
    for name in note.not_sources if note else ():
        yield f"{name} does not count, because of not_sources"
    if lastmod == "none":
        yield "the page, a rule or the option lastmod turns off its date"
    elif lastmod != "git":
        yield "the date is set in the page or in a rule"
    if is_ignored:
        yield "the commit is listed as ignored, but counts because no parent has the file"


def _left_out(why: str) -> dict[str, Any] | None:
    """Return a reason and its detail as plain data; ``None`` for a page that is listed."""
    reason, _, detail = why.partition(": ")
    return {"reason": reason, "detail": detail or None} if reason else None


def pages_left_out(notes: Iterable[Note]) -> dict[str, list[dict[str, Any]]]:
    """Return the pages that are not listed, as plain data, by their reasons; each list is sorted by name."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for note in notes:
        if not note.listed:
            name, why = note.key if note.names == () else note.names[-1], _left_out(note.left_out)
            page = {"page": name, "address": note.loc or None, "source": note.source, "left_out": why}
            found[why["reason"] if why else ""].append(page)
    return {reason: sorted(found[reason], key=lambda each: str(each["page"])) for reason in sorted(found)}


def as_text(page: Mapping[str, Any]) -> str:
    """Return a page's explanation as text."""
    why = f"none: {page['reason']}" if page["reason"] else "none"
    left_out = ": ".join(filter(None, page["left_out"].values())) if page["left_out"] else ""
    rows = [("address", page["address"]), ("not listed", left_out)]
    if left_out and not (page["leads_to"] and page["files"]):  # its date matters to nobody; it is in the JSON
        return _table(page["page"], [*rows, ("source", next(iter(page["files"]), ""))])
    rows += [
        ("date", page["date"] or why),
        ("fix", page["fix"]),
        ("decided by", page["path"]),
        ("because", page["how"]),
        *((name, page[name]) for name in ("commit", "author", "subject")),
    ]
    for file in page["known"]:
        if file["path"] != page["path"]:
            rows.append(("also counts", f"{file['path']}, {file['date'] or 'no date'}: {file['how']}"))
    for skip in page["skipped"][:_SHOWN_SKIPS]:
        what = f"renamed from {skip['old_name']}" if skip["old_name"] else "ignored"
        rows.append(("skipped", f"{skip['commit']} ({what})"))
    if more := len(page["skipped"][_SHOWN_SKIPS:]):
        rows.append(("skipped", f"{more:,} more: see --json"))
    rows += [("see", page["command"]), *(("note", remark) for remark in page["remarks"])]
    return _table(page["page"], rows)


def _table(title: str, rows: Iterable[tuple[str, str | None]]) -> str:
    found = [(name, value) for name, value in rows if value]
    width = max((len(name) for name, _ in found), default=0)
    lines = [f"  {name:<{width}}  {escape_control(value)}" for name, value in found]
    return "\n".join([escape_control(title), *lines])
