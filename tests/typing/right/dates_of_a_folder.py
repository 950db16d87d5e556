"""A script that lists the day on which each file of a folder last changed."""

from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

from docs_sitemap import Change, Unknown, last_additions, last_changes
from docs_sitemap.history import Answer, Clock, Reason, Rules, Skip, read_ignored


def main(folder: Path, clock: Clock = "committer") -> None:
    ignored = read_ignored(folder / "ignored")
    assert_type(ignored, frozenset[bytes])
    answers = last_changes(folder.rglob("*.md"), Rules(clock, ignored, follow_renames=True))
    assert_type(answers, dict[Path, Change | Unknown])
    added = last_additions(answers, Rules(clock))
    assert_type(added, dict[Path, Change | Unknown])
    for path, answer in sorted(answers.items()):
        print(path, day(answer), day(added[path]))


def day(answer: Answer) -> str:
    if isinstance(answer, Change):
        assert_type(answer.time, int)
        assert_type(answer.commit, str)
        assert_type(answer.skips, tuple[Skip, ...])
        return datetime.fromtimestamp(answer.time, UTC).date().isoformat()
    assert_type(answer, Unknown)
    assert_type(answer.reason, Reason)
    assert_type(answer.reason.cure, str)
    assert_type(answer.not_after, int | None)
    return answer.reason.text
