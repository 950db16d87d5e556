"""A test is skipped for a file that the system cannot have, and for nothing else."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from docs_sitemap.readers.files import read_plain
from tests.support.platforms import refusal


def caught(problem: OSError) -> OSError:
    with pytest.raises(OSError) as found:  # noqa: PT011 - which one it is, is given
        raise problem
    return found.value


def test_a_name_that_the_file_system_refuses_is_a_reason() -> None:
    assert refusal(caught(OSError(errno.EILSEQ, "Illegal byte sequence"))) != ""


def test_links_that_windows_refuses_are_a_reason() -> None:
    class RefusedError(OSError):
        winerror = 1314

    assert "symbolic links" in refusal(caught(RefusedError(errno.EINVAL, "A privilege is not held")))


@pytest.mark.parametrize("code", [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOSPC])
def test_other_failures_are_none(code: int) -> None:
    assert refusal(caught(OSError(code, "Something else"))) == ""


def test_what_fails_inside_the_package_is_never_excused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EILSEQ, "Illegal byte sequence")

    (tmp_path / "a").touch()
    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(OSError) as found:  # noqa: PT011
        read_plain(tmp_path / "a", 10)
    assert refusal(found.value) == ""
