"""Why a page has its date: which file decided, how that is known to belong to the page, and the commit."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docs_sitemap.dates import deciding, newest
from docs_sitemap.explain.notes import Note
from docs_sitemap.history import Change, Rules, Unknown
from docs_sitemap.history.explanation import Explanation, explain_files
from docs_sitemap.pages import Files
from docs_sitemap.timestamps import format_date


@dataclass(frozen=True, slots=True)
class Asked:
    """A page that is asked for: what it was called, the files that make it, and what a build noted of it."""

    page: str
    files: Files
    note: Note | None = None
    has_notes: bool = False
    """Whether a build has noted anything of the site."""

    @property
    def lastmod(self) -> str:
        """``git``, ``none``, or the W3C Datetime that is written by hand."""
        return self.note.lastmod if self.note else "git"


@dataclass(frozen=True, slots=True)
class FileExplanation:
    """One file of a page: what the history says of it, and how it is known to be part of the page."""

    path: Path
    said: Explanation
    how: str
    is_ignored: bool = False
    """Whether its commit is one that does not count, and counts all the same: no parent has the file."""


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """A page, the date it gets (W3C Datetime; ``None``: none), the file that decides, and all files."""

    asked: Asked
    date: str | None
    decisive: FileExplanation | None
    files: tuple[FileExplanation, ...] = ()
    why_not: Unknown | None = None
    remarks: tuple[str, ...] = field(default=())


def explain_page(asked: Asked, rules: Rules) -> PageExplanation:
    """Explain the date of a page from the files that make it, as the sitemap has it."""
    files = asked.files
    said = explain_files(files.all(), rules)
    explained = tuple(
        FileExplanation(path, said[path][0], files.how(path), said[path][1])
        for path in dict.fromkeys(files.all())
    )
    found = _from_history(asked, explained)
    remarks = tuple(_remarks(asked, found.decisive))
    if asked.lastmod == "git":
        return replace(found, remarks=remarks)
    by_hand = None if asked.lastmod == "none" else asked.lastmod
    return replace(found, date=by_hand, decisive=None, why_not=None, remarks=remarks)


def _from_history(asked: Asked, explained: tuple[FileExplanation, ...]) -> PageExplanation:
    files = asked.files
    answers = [each.said.answer for each in explained]
    own = answers[0] if files.source and not files.has_named else None
    date = newest(answers, int(time.time()), own)
    number = deciding(date, answers)
    decisive = None if number is None else explained[number]
    if isinstance(date, Unknown):
        return PageExplanation(asked, None, decisive, explained, date)
    return PageExplanation(asked, format_date(date, "datetime"), decisive, explained)


def _remarks(asked: Asked, decisive: FileExplanation | None) -> list[str]:
    note = asked.note
    found = []
    if note is None and asked.has_notes:
        found.append("no page of the last build is called so: this is what is known of the file alone")
    elif note is None:
        found.append("what the page includes is not known: build the site once, or use --include FILE")
    elif not note.datable:
        why = note.undated or "it was not made by the last build, which was one with --dirty"
        found.append(f"which files make the page is not known, so that it has no date: {why}")
    elif not note.is_current():
        found.append("the page has changed since the build that noted what it includes: build it again")
    if note and not note.listed:
        found.append("the sitemap does not list this page")
    for name in note.not_sources if note else ():
        found.append(f"{name} does not count: not_sources takes it out")
    if asked.lastmod == "none":
        found.append("the page, a rule or the option lastmod asks for no date")
    elif asked.lastmod != "git":
        found.append("the date is written by hand, in the page or in a rule")
    if decisive and decisive.is_ignored:
        found.append("the commit is one to ignore, and counts all the same: no parent of it has the file")
    return found


def as_json(page: PageExplanation) -> dict[str, Any]:
    """Return a page's explanation as plain data; what is unknown is ``None``."""
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
        "cure": (page.why_not.reason.cure or None) if page.why_not else None,
        "command": (said.command or None) if said else None,
        "remarks": list(page.remarks),
    }


def _file_as_json(file: FileExplanation) -> dict[str, str | None]:
    answer = file.said.answer
    date = format_date(answer.time, "datetime") if isinstance(answer, Change) else None
    return {"path": file.said.name, "date": date, "how": file.how}


def as_text(page: PageExplanation) -> str:
    """Return a page's explanation as lines to read."""
    data = as_json(page)
    why = f"none: {data['reason']}" if data["reason"] else "none"
    rows = [("address", data["address"])] if data["address"] else []
    rows.append(("date", data["date"] or why))
    if data["cure"]:
        rows.append(("cure", data["cure"]))
    if data["path"]:
        rows += [("decided by", data["path"]), ("because", data["how"])]
    rows += [(name, data[name]) for name in ("commit", "author", "subject") if data[name]]
    rows += [("also counts", _line(each)) for each in data["known"] if each["path"] != data["path"]]
    for skip in data["skipped"]:
        what = f"renamed from {skip['old_name']}" if skip["old_name"] else "ignored"
        rows.append(("passed over", f"{skip['commit']} ({what})"))
    if data["command"]:
        rows.append(("see", data["command"]))
    rows += [("note", remark) for remark in data["remarks"]]
    width = max(len(name) for name, _ in rows)
    return "\n".join([data["page"], *(f"  {name:<{width}}  {value}" for name, value in rows)])


def _line(file: Mapping[str, str | None]) -> str:
    return f"{file['path']}, {file['date'] or 'no date'}: {file['how']}"
