"""The objects that the walk reads from an ``ObjectReader``: commits, trees, and runs of first parents."""

# pyright: reportReturnType=false
# pyright requires `...` in a protocol's methods, although they have docstrings; mypy checks the rest.

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.limits import MAX_HEADER, MAX_OBJECT


class Commit(NamedTuple):
    """A commit: names in hex, and the whole object as it is stored.

    Dates are in POSIX seconds (UTC), or ``None`` if git cannot read them.
    """

    tree: bytes
    parents: tuple[bytes, ...]
    committer_time: int | None
    author_time: int | None
    data: bytes = b""


class Packs(NamedTuple):
    """How many bytes and objects the packs of a repository have on disk; 0 if that is not known."""

    size: int
    objects: int


class Run(NamedTuple):
    """A commit and its ancestors along first parents.

    ``folders[i]`` is the tree of the requested folder in ``commits[i]``, or ``None`` if that commit does not
    have it. ``ends`` is true if the last commit has no parents.
    """

    commits: Sequence[bytes]
    folders: Sequence[bytes | None]
    ends: bool


class Ancestor(NamedTuple):
    """A commit as ``git log`` passes it: ``date`` is the committer's, 0 if git cannot read it.

    ``parents`` are those that git follows; one may be named twice, and then the commit is a merge for git.
    """

    name: bytes
    date: int
    tree: bytes
    parents: Sequence[bytes]


class MissingObjectError(RepositoryError):
    """An object of the history is missing: the clone is partial or damaged."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Reason.INCOMPLETE)


_OF_PARSING: Final = (
    *(ValueError, LookupError, ArithmeticError, MemoryError, OSError),
    zlib.error,
)


@contextmanager
def parsing(where: str | Path) -> Iterator[None]:
    """Convert any error in parsing the repository ``where`` to a ``RepositoryError``.

    Only this function does so: parsers may raise any of these errors.
    """
    try:
        yield
    except RecursionError:
        raise RepositoryError(f"{where}: folders are nested too deeply", Reason.TOO_LARGE) from None
    except MemoryError:
        raise RepositoryError(f"{where}: not enough memory", Reason.TOO_LARGE) from None
    except _OF_PARSING as problem:
        raise RepositoryError(f"{where}: {str(problem) or type(problem).__name__}") from problem


def check_size(size: int, where: str | Path, limit: int = MAX_OBJECT) -> None:
    """Raise ``RepositoryError`` for an object, or several together, of more than ``limit`` bytes."""
    if size > limit:
        raise RepositoryError(
            f"{where}: an object of {size:,} bytes is larger than {limit:,}", Reason.TOO_LARGE
        )


class ObjectReader(Protocol):
    """Reads objects of one repository; names are lower-case hex in ASCII bytes.

    Many objects are requested at once, because waiting for each takes longer than reading it. All
    methods raise ``MissingObjectError``, or ``RepositoryError`` if nothing can be read.
    """

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` if there is no commit yet."""

    def packs(self) -> Packs:
        """Return what the packs have; never raises."""

    def runs(self, starts: Sequence[tuple[bytes, int]], folder: bytes) -> list[Run]:
        """Return, for each commit and number, the run of that many steps from the commit.

        ``folder`` is a path from the root, ``b""`` for the root itself. A commit at the boundary
        of a shallow clone has no parents here.
        """

    def ancestors(self, starts: Iterable[bytes]) -> AbstractContextManager[Iterator[Ancestor]]:
        """Yield commits and all their ancestors, once each, in the order of ``git log`` without paths."""

    def folders(self, trees: Iterable[bytes], folder: bytes) -> Mapping[bytes, bytes | None]:
        """Return the tree of a folder in each tree or commit, or ``None`` if that does not have it."""

    def commits(self, names: Iterable[bytes]) -> Mapping[bytes, Commit]:
        """Return commits by name, with the parents that git follows: none at a shallow boundary."""

    def trees(self, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Return the content of trees by name."""


_HEADER: Final = re.compile(
    rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n((?:parent (?:[0-9a-f]{40}|[0-9a-f]{64})\n)*+)(?!parent )"
)
"""The start of a commit (commit.c, parse_commit_buffer)."""

_PERSON: Final = re.compile(rb"^(author|committer) (.*)$", re.MULTILINE)


_ENCODING: Final = re.compile(rb"^encoding (.*)$", re.MULTILINE)
_WITH_ASCII: Final = re.compile(
    rb"utf-?8|us-ascii|ascii|latin-?\d+|iso[-_]?8859[-_]\d+|(windows-|cp)(125\d|437|85[0258]|866|874|9(32|36|49|50))"
    rb"|koi8-[ru]|big5|gbk|gb2312|gb18030|euc-?(jp|kr|cn|tw)|s(hift)?[-_]?jis",
    re.IGNORECASE,
)
"""Encodings in which ASCII stands for itself: git converts the header too before it reads the date.

Not in EBCDIC (cp037, cp500), nor in Johab (cp1361), where ``>`` may be the second byte of a letter.
"""


def parse_commit(data: bytes) -> Commit:
    """Parse a commit as git does; raises ``ValueError`` if it is malformed."""
    begin = _HEADER.match(data)
    if begin is None:
        raise ValueError("a commit with a malformed header")
    # git uses the last of several (pretty.c, parse_commit_header)
    header = data[begin.end() : data.find(b"\n\n", begin.end() - 1) + 1 or None]
    if len(header) > MAX_HEADER:
        raise ValueError(f"a commit with a header of {len(header):,} bytes")
    people = dict(_PERSON.findall(header))
    is_converted = b"encoding " in header and not all(map(_WITH_ASCII.fullmatch, _ENCODING.findall(header)))
    if is_converted or b"\0" in header:  # of which some of git's functions go on, and others stop
        people.clear()  # only git knows what the header says
    # without duplicates: a commit may name one parent ten thousand times
    parents = dict.fromkeys(begin[2].replace(b"parent ", b"").split())
    committer_time, author_time = _time(people.get(b"committer", b"")), _time(people.get(b"author", b""))
    return Commit(begin[1], tuple(parents), committer_time, author_time, data)


# As in git's split_ident_line: digits after the last `>`, then a zone and anything else
_TIME: Final = re.compile(rb"[ \t\r]*(\d+)[ \t\r]*([+-])(\d+)")
_LONGEST_TIME: Final = 17
_LATEST: Final = 67_768_036_191_676_799
"""The last second of the year 2,147,485,547. The C library has no later year, and git shows 1970."""
_LONGEST_ZONE: Final = 7
"""Digits of a zone: there are commits with six instead of four, and git calculates with an ``int``."""


def _time(person: bytes) -> int | None:
    """Return the time; ``None`` for one that git cannot show in its zone (date.c, gm_time_t)."""
    end = person.rfind(b">")
    match = _TIME.match(person, end + 1)
    if not match or b"<" not in person[: max(end, 0)]:
        return None
    if len(match[1]) > _LONGEST_TIME or len(match[3]) > _LONGEST_ZONE:
        return None
    time, zone = int(match[1]), int(match[3])
    offset = 60 * (zone // 100 * 60 + zone % 100)
    shown = time + (offset if match[2] == b"+" else -offset)
    return time if shown >= 0 and max(time, shown) <= _LATEST else None
