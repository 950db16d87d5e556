"""Explain a page's date: the deciding file, the evidence that it is part of the page, and the commit."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from docs_sitemap.brief import printable
from docs_sitemap.dates import deciding, newest
from docs_sitemap.explain.notes import Note
from docs_sitemap.git import Change, Rules, Unknown
from docs_sitemap.git.explanation import Explanation, explain_files
from docs_sitemap.pages import Files
from docs_sitemap.timestamps import format_date

_MOST_SKIPPED: Final = 20
"""Skipped commits that are shown as text."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A page to explain: its name as given, its files, and the note of the last build."""

    page: str
    files: Files
    note: Note | None = None
    has_notes: bool = False
    """Whether a build has recorded notes for the site."""

    @property
    def lastmod(self) -> str:
        """``git``, ``none``, or a W3C Datetime set by the author."""
        return self.note.lastmod if self.note else "git"


@dataclass(frozen=True, slots=True)
class FileExplanation:
    """A file of a page: its history, and the evidence that it is part of the page."""

    said: Explanation
    how: str
    is_ignored: bool = False
    """Whether its commit is listed as ignored, but counts because no parent has the file."""


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """A page, its date (W3C Datetime, or ``None``), the deciding file, and all files."""

    asked: Asked
    date: str | None
    decisive: FileExplanation | None
    files: tuple[FileExplanation, ...]
    why_not: Unknown | None
    remarks: tuple[str, ...]


def explain_pages(pages: Sequence[tuple[Asked, Rules]]) -> list[PageExplanation]:
    """Explain the dates of pages in the sitemap, from their files; reads the history once for equal rules."""
    wanted: defaultdict[Rules, dict[os.PathLike[str], None]] = defaultdict(dict)
    for asked, rules in pages:
        wanted[rules].update(dict.fromkeys(asked.files.all()))
    said = {rules: explain_files(files, rules) for rules, files in wanted.items()}
    return [_explain(asked, said[rules]) for asked, rules in pages]


def _explain(asked: Asked, said: Mapping[os.PathLike[str], tuple[Explanation, bool]]) -> PageExplanation:
    files = asked.files
    explained = tuple(
        FileExplanation(said[path][0], files.how(path), said[path][1]) for path in dict.fromkeys(files.all())
    )
    answers = [each.said.answer for each in explained]
    own = answers[0] if files.source and not files.has_named else None
    date = newest(answers, int(time.time()), own)
    number = deciding(date, answers)
    decisive = None if number is None else explained[number]
    remarks = tuple(_remarks(asked, decisive))
    if asked.lastmod != "git":
        authored = None if asked.lastmod == "none" else asked.lastmod
        return PageExplanation(asked, authored, None, explained, None, remarks)
    if isinstance(date, Unknown):
        return PageExplanation(asked, None, decisive, explained, date, remarks)
    return PageExplanation(asked, format_date(date), decisive, explained, None, remarks)


def _remarks(asked: Asked, decisive: FileExplanation | None) -> list[str]:
    note = asked.note
    found = []
    if note is None and asked.has_notes:
        found.append("the last build has no such page: this explains only the file")
    elif note is None:
        found.append("the included files are unknown: build the site once, or use --include FILE")
    elif not note.datable:
        why = note.undated or "the last build used --dirty and did not build it"
        found.append(f"the page has no date, because its files are unknown: {why}")
    elif not note.is_current():
        found.append(
            "the page or a file that it includes has changed since the last build: build the site again"
        )
    if note and not note.listed:
        found.append("the sitemap does not list this page")
    for name in note.not_sources if note else ():
        found.append(f"{name} does not count, because of not_sources")
    if asked.lastmod == "none":
        found.append("the page, a rule or the option lastmod turns off its date")
    elif asked.lastmod != "git":
        found.append("the date is set in the page or in a rule")
    if decisive and decisive.is_ignored:
        found.append("the commit is listed as ignored, but counts because no parent has the file")
    return found


def as_json(page: PageExplanation) -> dict[str, Any]:
    """Return a page's explanation as plain data; unknown values are ``None``."""
    decisive = page.decisive
    said = decisive.said if decisive else None
    answer = said.answer if said else None
    return {
        "page": page.asked.page,
        "address": (page.asked.note.loc or None) if page.asked.note else None,
        "date": page.date,
        "path": said.name if said else None,
        "how": decisive.how if decisive else None,
        "commit": answer.commit if isinstance(answer, Change) else None,
        "author": (said.author or None) if said else None,
        "subject": (said.subject or None) if said else None,
        "files": [file.said.name for file in page.files],
        "known": [_file_as_json(file) for file in page.files],
        "skipped": [
            {
                "commit": skip.commit,
                "why": skip.why,
                "old_name": skip.old_name.decode("utf-8", "surrogateescape") or None,
            }
            for skip in (answer.skips if answer else ())
        ],
        "reason": page.why_not.reason.text if page.why_not else None,
        "fix": (page.why_not.cure or None) if page.why_not else None,
        "command": (said.command or None) if said else None,
        "remarks": list(page.remarks),
    }


def _file_as_json(file: FileExplanation) -> dict[str, str | None]:
    answer = file.said.answer
    date = format_date(answer.time) if isinstance(answer, Change) else None
    return {"path": file.said.name, "date": date, "how": file.how}


def as_text(page: PageExplanation) -> str:
    """Return a page's explanation as text."""
    data = as_json(page)
    why = f"none: {data['reason']}" if data["reason"] else "none"
    rows = [("address", data["address"])] if data["address"] else []
    rows.append(("date", data["date"] or why))
    if data["fix"]:
        rows.append(("fix", data["fix"]))
    if data["path"]:
        rows += [("decided by", data["path"]), ("because", data["how"])]
    rows += [(name, data[name]) for name in ("commit", "author", "subject") if data[name]]
    rows += [("also counts", _line(each)) for each in data["known"] if each["path"] != data["path"]]
    for skip in data["skipped"][:_MOST_SKIPPED]:
        what = f"renamed from {skip['old_name']}" if skip["old_name"] else "ignored"
        rows.append(("skipped", f"{skip['commit']} ({what})"))
    if more := len(data["skipped"][_MOST_SKIPPED:]):
        rows.append(("skipped", f"{more:,} more: see --json"))
    if data["command"]:
        rows.append(("see", data["command"]))
    rows += [("note", remark) for remark in data["remarks"]]
    width = max(len(name) for name, _ in rows)
    return "\n".join(
        [printable(data["page"]), *(f"  {name:<{width}}  {printable(value)}" for name, value in rows)]
    )


def _line(file: Mapping[str, str | None]) -> str:
    return f"{file['path']}, {file['date'] or 'no date'}: {file['how']}"
