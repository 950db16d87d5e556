"""Explain a page's date: the deciding file, the evidence that it is part of the page, and the commit."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from docs_sitemap.dates import deciding, newest
from docs_sitemap.explain.notes import Note
from docs_sitemap.git import Change, Rules, Unknown
from docs_sitemap.git.explanation import Explanation, explain_files
from docs_sitemap.pages import Files
from docs_sitemap.text import escape_control
from docs_sitemap.timestamps import format_date

_SHOWN_SKIPS: Final = 20
"""Skipped commits that are shown as text."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A page to explain: its name as given, its files, and the note of the last build.

    ``has_notes`` is whether a build has recorded notes for the site.
    """

    page: str
    files: Files
    note: Note | None = None
    has_notes: bool = False


def explain_pages(pages: Sequence[tuple[Asked, Rules]]) -> list[dict[str, Any]]:
    """Explain the dates of pages in the sitemap, as plain data in which unknown values are ``None``.

    Reads the history once for equal rules.
    """
    wanted: defaultdict[Rules, dict[os.PathLike[str], None]] = defaultdict(dict)
    for asked, rules in pages:
        wanted[rules].update(dict.fromkeys(asked.files.all()))
    said = {rules: explain_files(files, rules) for rules, files in wanted.items()}
    return [_explain(asked, said[rules]) for asked, rules in pages]


def _explain(asked: Asked, said: Mapping[os.PathLike[str], tuple[Explanation, bool]]) -> dict[str, Any]:
    files, note = asked.files, asked.note
    explained = {path: said[path] for path in files.all()}
    answers = [explanation.answer for explanation, _ in explained.values()]
    date = newest(answers, int(time.time()), answers[0] if files.source and not files.has_named else None)
    lastmod = note.lastmod if note else "git"
    number = deciding(date, answers) if lastmod == "git" else None
    decisive = None if number is None else [*explained][number]
    found, is_ignored = explained[decisive] if decisive else (None, False)
    answer = found.answer if found else None
    unknown = date if isinstance(date, Unknown) and lastmod == "git" else None
    if lastmod == "git":
        lastmod_shown = None if isinstance(date, Unknown) else format_date(date)
    else:
        lastmod_shown = None if lastmod == "none" else lastmod
    return {
        "page": asked.page,
        "address": (note.loc or None) if note else None,
        "date": lastmod_shown,
        "path": found.name if found else None,
        "how": files.how(decisive) if decisive else None,
        "commit": answer.commit if isinstance(answer, Change) else None,
        "author": (found.author or None) if found else None,
        "subject": (found.subject or None) if found else None,
        "files": [explanation.name for explanation, _ in explained.values()],
        "known": [
            {
                "path": each.name,
                "date": format_date(each.answer.time) if isinstance(each.answer, Change) else None,
                "how": files.how(path),
            }
            for path, (each, _) in explained.items()
        ],
        "skipped": [
            {
                "commit": skip.commit,
                "why": skip.why,
                "old_name": skip.old_name.decode("utf-8", "surrogateescape") or None,
            }
            for skip in (answer.skips if answer else ())
        ],
        "reason": unknown.reason.text if unknown else None,
        "fix": (unknown.cure or None) if unknown else None,
        "command": (found.command or None) if found else None,
        "remarks": [*_remarks(asked, lastmod, is_ignored)],
    }


def _remarks(asked: Asked, lastmod: str, is_ignored: bool) -> Iterator[str]:
    note = asked.note
    if note is None and asked.has_notes:
        yield "the last build has no such page: this explains only the file"
    elif note is None:
        yield "the included files are unknown: build the site once, or use --include FILE"
    elif not note.datable:
        why = note.undated or "the last build used --dirty and did not build it"
        yield f"the page has no date, because its files are unknown: {why}"
    elif not note.is_current():
        yield "the page or a file that it includes has changed since the last build: build the site again"
    if note and not note.listed:
        yield "the sitemap does not list this page"
    for name in note.not_sources if note else ():
        yield f"{name} does not count, because of not_sources"
    if lastmod == "none":
        yield "the page, a rule or the option lastmod turns off its date"
    elif lastmod != "git":
        yield "the date is set in the page or in a rule"
    if is_ignored:
        yield "the commit is listed as ignored, but counts because no parent has the file"


def as_text(page: Mapping[str, Any]) -> str:
    """Return a page's explanation as text."""
    why = f"none: {page['reason']}" if page["reason"] else "none"
    rows = [
        ("address", page["address"]),
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
    rows = [(name, value) for name, value in rows if value]
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{width}}  {escape_control(value)}" for name, value in rows]
    return "\n".join([escape_control(page["page"]), *lines])
