"""``docs-sitemap explain``: why a page has its date, in words or as JSON."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_sitemap.dates import newest
from docs_sitemap.history import Answer, Change, Reason, RepositoryError, Rules, Unknown
from docs_sitemap.history.explanation import Explanation, explain
from docs_sitemap.history.repository import RepositoryFinder
from docs_sitemap.timestamps import format_date


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """A page, the date it gets (``None``: none), the file that decides, and what is known of each."""

    page: str
    date: int | None
    decisive: Explanation
    files: tuple[Explanation, ...]


def explain_page(page: str, files: list[Path], rules: Rules) -> PageExplanation:
    """Explain the date of a page that is made by these files, its source first."""
    explained = [_explain_file(path, rules) for path in files]
    answers = [each.answer for each in explained]
    date = newest(answers, int(time.time()), answers[0])
    if isinstance(date, int):
        decisive = next(
            each for each in explained if isinstance(each.answer, Change) and each.answer.time == date
        )
        return PageExplanation(page, date, decisive, tuple(explained))
    if date.reason is Reason.FUTURE:
        decisive = max(explained, key=_time)
        return PageExplanation(page, None, _without_date(decisive, date), tuple(explained))
    decisive = next((each for each in explained if each.answer == date), explained[0])
    return PageExplanation(page, None, decisive, tuple(explained))


def _time(explanation: Explanation) -> int:
    return explanation.answer.time if isinstance(explanation.answer, Change) else 0


def _without_date(explanation: Explanation, answer: Answer) -> Explanation:
    return Explanation(explanation.name, answer, explanation.author, explanation.subject, explanation.command)


def _explain_file(path: Path, rules: Rules) -> Explanation:
    located = RepositoryFinder().locate(path.resolve())  # a link counts as its target
    if located is None:
        return Explanation(os.fspath(path), Unknown(Reason.NO_REPOSITORY, os.fspath(path)), "", "", "")
    repository, name = located
    try:
        return explain(repository, [name], rules.question(repository))[name]
    except RepositoryError as problem:
        unknown = Unknown(problem.reason, os.fspath(repository.root))
        return Explanation(os.fspath(path), unknown, "", "", f"git -C {repository.root} status")


def as_json(page: PageExplanation) -> dict[str, Any]:
    """Return a page's explanation as plain data; what is unknown is ``None``."""
    answer = page.decisive.answer
    return {
        "page": page.page,
        "date": None if page.date is None else format_date(page.date, "datetime"),
        "path": page.decisive.name,
        "commit": answer.commit if isinstance(answer, Change) else None,
        "author": page.decisive.author or None,
        "subject": page.decisive.subject or None,
        "files": [file.name for file in page.files],
        "skipped": [
            {
                "commit": skip.commit,
                "why": skip.why,
                "old_name": skip.old_name.decode("utf-8", "surrogateescape") or None,
            }
            for skip in answer.skips
        ],
        "reason": answer.reason.text if isinstance(answer, Unknown) else None,
        "cure": (answer.reason.cure or None) if isinstance(answer, Unknown) else None,
        "command": page.decisive.command or None,
    }


def as_text(page: PageExplanation) -> str:
    """Return a page's explanation as lines to read."""
    data = as_json(page)
    rows = [("date", data["date"] or f"none: {data['reason']}")]
    rows += [(name, data[name]) for name in ("cure", "commit", "author", "subject") if data[name]]
    if len(page.files) > 1:
        rows.append(("decided by", f"{data['path']}, of {', '.join(data['files'])}"))
    for skip in data["skipped"]:
        what = f"renamed from {skip['old_name']}" if skip["old_name"] else "ignored"
        rows.append(("passed over", f"{skip['commit']} ({what})"))
    if data["command"]:
        rows.append(("see", data["command"]))
    if len(page.files) == 1:
        rows.append(("note", "what the page includes is not known here: name it with --include FILE"))
    width = max(len(name) for name, _ in rows)
    return "\n".join([page.page, *(f"  {name:<{width}}  {value}" for name, value in rows)])
