"""Checks of values that a user wrote: each returns the clean value or raises ``UnexpectedError``.

Options and the settings of single pages share these checks. A check does not know where the value was
written: ``checked`` adds the name to the message.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timezone
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from docs_sitemap import urls
from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.text import show_value
from docs_sitemap.timestamps import EARLIEST

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

Check = Callable[[Any], Any]

CHANGEFREQS: Final = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""The protocol's words (sitemaps.org, xmlTagDefinitions)."""

INDEXNOW_KEY: Final = re.compile(r"[A-Za-z0-9-]{8,128}")
"""The format of a key of IndexNow (indexnow.org, documentation)."""

# The formats of lastmod in sitemap.xsd: xsd:date, or xsd:dateTime with a zone. W3C Datetime also has
# YYYY-MM and minute precision, which fail the schema.
_LASTMOD = re.compile(
    r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00))?", re.ASCII
)


def not_shown(value: object) -> str:
    """Return what a message says in place of a secret.

    >>> not_shown(12345678)
    'a value of type int that is not shown'
    """
    kind = "text" if isinstance(value, str) else f"value of type {type(value).__name__}"
    return f"a {kind} that is not shown"


def may_be_secret(value: object) -> bool:
    """Tell whether a value for URLs may contain a password: a text with ``@``, or anything with parts."""
    return "@" in value if isinstance(value, str) else isinstance(value, (Iterable, bytes))


class UnexpectedError(ValueError):
    """A value is not what was expected; the text is what was, such as "a number from 0.0 to 1.0".

    Within a longer value, ``at`` is the place, such as "rule 2, priority", and ``got`` is the value there.
    A ``secret`` value is not shown.
    """

    def __init__(self, expected: str, *, at: str = "", got: object = None, secret: bool = False) -> None:
        super().__init__(expected)
        self.at = at
        self.got = got
        self.secret = secret


def checked(name: str, value: object, check: Check) -> Any:
    """Return the clean value of what the user wrote as ``name``.

    Raises ``OptionError`` with the name as the user wrote it, what was expected, and what was got.

    >>> checked("--max-urls", "0", whole_number(1, 50_000))
    Traceback (most recent call last):
    docs_sitemap.errors.OptionError: --max-urls: expected a whole number from 1 to 50000, got '0'.
    """
    try:
        return check(value)
    except UnexpectedError as problem:
        where = f"{name}: {problem.at}" if problem.at else name
        got = not_shown(value) if problem.secret else show_value(problem.got if problem.at else value)
        raise OptionError(f"{where}: expected {problem}, got {got}.") from None


def boolean(value: object, expected: str = "true or false") -> bool:
    """Accept a bool, or its name as text: MyST and ``sphinx-build -D`` pass only text."""
    word = value.strip().lower() if isinstance(value, str) else value
    if word is True or word in ("true", "yes", "on", "1"):
        return True
    if word is False or word in ("false", "no", "off", "0"):
        return False
    raise UnexpectedError(expected)


def robots(value: object) -> bool | Literal["elsewhere"]:
    """Accept a bool, or ``elsewhere``."""
    is_word = isinstance(value, str) and value.strip().lower() == "elsewhere"
    return "elsewhere" if is_word else boolean(value, "true, false, or elsewhere")


def one_of(*words: str) -> Check:
    """Accept exactly one of the words."""

    def check(value: object) -> str:
        if isinstance(value, str) and value in words:
            return value
        raise UnexpectedError("one of " + ", ".join(words))

    return check


def formats(value: object) -> tuple[str, ...]:
    """Accept a list of formats that is not empty, and return it without repetition."""
    expected = 'a list of any of xml, gz, txt, atom, rss, such as ["xml"]'
    items = _strings(value, expected)
    if not items or not {"xml", "gz", "txt", "atom", "rss"}.issuperset(items):
        raise UnexpectedError(expected)
    return tuple(dict.fromkeys(items))


def optional(check: Check) -> Check:
    """Accept what ``check`` accepts, and ``None`` for "not set"."""
    return lambda value: None if value is None else check(value)


changefreq: Check = one_of(*CHANGEFREQS)


def priority(value: object) -> float:
    """Accept a number from 0.0 to 1.0, also as text."""
    try:
        # what cannot be a number raises TypeError
        number = -1.0 if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise UnexpectedError("a number from 0.0 to 1.0")
    return abs(number)  # -0.0 is within the range, but nobody means it


def whole_number(least: int, most: int) -> Check:
    """Accept a whole number in this range, also as text."""

    def check(value: object) -> int:
        digits = value.strip() if isinstance(value, str) else value
        if isinstance(digits, str) and re.fullmatch("[0-9]{1,9}", digits):
            digits = int(digits)
        if isinstance(digits, bool) or not isinstance(digits, int) or not least <= digits <= most:
            raise UnexpectedError(f"a whole number from {least} to {most}")
        return digits

    return check


def page_lastmod(value: object) -> str:
    """Accept a page's lastmod: ``git``, ``none`` for no date, or a date as ``lastmod`` accepts it.

    >>> page_lastmod(date(2026, 8, 20))
    '2026-08-20'
    """
    if value in ("git", "none"):
        return str(value)
    try:
        return lastmod(value)
    except UnexpectedError as problem:
        raise UnexpectedError(f"git, none, or {problem}") from None


def lastmod(value: object) -> str:
    """Accept a day or a full time that is not in the future, and return it as it was written.

    YAML turns dates into objects: they are returned in the same notation. A time from YAML without a
    zone is UTC (YAML 1.1, timestamps).
    """
    expected = 'a day such as 2026-08-20 or a time with its zone such as "2026-08-20T10:11:12+00:00"'
    if isinstance(value, datetime):
        value = (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    elif isinstance(value, date):
        value = value.isoformat()
    text = value.strip() if isinstance(value, str) else ""
    if not _LASTMOD.fullmatch(text):
        raise UnexpectedError(expected)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UnexpectedError(expected) from None
    # a day without a zone has come as soon as it begins anywhere on earth
    earliest = moment if moment.tzinfo else moment.replace(tzinfo=timezone(EARLIEST))
    if earliest > datetime.now(UTC):
        raise UnexpectedError("a date that is not in the future")
    return text


def base_url_or_none(value: object) -> str | None:
    """Accept what ``base_url`` accepts; ``None`` for a URL that is not known here.

    Many take it from a variable of their hosting service, with ``""`` or ``"/"`` for builds elsewhere.
    """
    is_unknown = value is None or (isinstance(value, str) and value.strip() in ("", "/"))
    return None if is_unknown else base_url(value)


def base_url(value: object) -> str:
    """Accept an absolute http(s) URL without query and fragment; return it in ASCII, ending in ``/``.

    One with ``@`` is not shown in the error, because it may contain a password.
    """
    expected = 'an absolute URL such as "https://example.org/docs/"'

    def unexpected(more: str = "") -> UnexpectedError:
        return UnexpectedError(expected + more, secret=may_be_secret(value))

    text = value.strip() if isinstance(value, str) and len(value) <= MAX_LOC else ""
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises ValueError if it is not a number
    except ValueError:
        raise unexpected() from None
    host = parts.hostname or ""
    is_host = re.search(r"[\w:]", host) and re.fullmatch(r"[\w.-]+|[0-9a-f:.]+", host)
    if parts.scheme not in ("http", "https") or not is_host or re.search(r"[\x00-\x1f\\]", text):
        raise unexpected()
    if parts.username is not None or parts.password is not None:
        raise unexpected(", without user name and password")
    if parts.query or parts.fragment or text[-1] in "?#":
        raise unexpected(", without query and fragment")
    try:
        return urls.encode_base(text if text.endswith("/") else text + "/")
    except UnicodeError:
        raise unexpected(", with a valid domain name") from None


def filename(value: object) -> str:
    """Accept a path below the build output that ends in ``.xml``; return it with ``/``."""
    if (
        not isinstance(value, str)
        or not value.lower().endswith(".xml")
        or len(value.encode("utf-8", "replace").rpartition(b"/")[2]) > 246  # with -50000.xml.gz: 255
        or re.search(r"[\x00-\x1f\\:\ud800-\udfff]", value)
    ):
        raise UnexpectedError('a file name that ends in .xml, such as "sitemap.xml"')
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or path.name == ".xml":
        raise UnexpectedError('a path inside the build output, such as "sitemap.xml"')
    if path.name.lower() in ("atom.xml", "rss.xml"):
        raise UnexpectedError("a name other than atom.xml and rss.xml, which are feeds")
    return str(path)


def version(value: object) -> str:
    """Accept the name of a version's folder, or ``..``.

    Not a number: YAML, TOML and Python read 1.10 as 1.1.
    """
    if not isinstance(value, str) or not re.fullmatch(r"[\w.+~-]{1,100}", value) or value == ".":
        raise UnexpectedError('the name of a version\'s folder as text, such as "stable" or "1.10", or ".."')
    return value


def dependencies(value: object) -> str:
    """Accept ``text``, ``all``, true for ``text`` and false for ``none``, also as text."""
    if value in ("text", "all") and isinstance(value, str):
        return value
    return "text" if boolean(value, "false, text or all") else "none"


def patterns(value: object) -> tuple[str, ...]:
    """Accept gitignore-style patterns as a list of strings."""
    items = _strings(value, 'a list of gitignore-style patterns, such as ["drafts/"]')
    for item in items:
        try:
            compiled_patterns([item])
        except (ValueError, re.error):  # re.error: a range such as [b-a]
            raise UnexpectedError(f"gitignore-style patterns ({show_value(item)} is not valid)") from None
    return items


def compiled_patterns(items: Iterable[str]) -> GitIgnoreSpec:
    """Return patterns that ``patterns`` has accepted, ready to match."""
    from pathspec import GitIgnoreSpec  # here: the command line has no patterns and starts faster without it

    with warnings.catch_warnings():
        # Python warns of ``[[]``, and some builds make errors of warnings
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(items)


def paths(value: object) -> tuple[str, ...]:
    """Accept relative paths, as a list or as one string."""
    expected = "a list of file paths"
    items = (value,) if isinstance(value, str) else _strings(value, expected)
    if not all(map(_is_path, items)):
        raise UnexpectedError(expected)
    return items


_ENDING: Final = re.compile(r"(?:[^*]*/)?\*\.[^*./]+")


def source_map(value: object) -> tuple[tuple[str, str], ...]:
    """Accept ``{BUILD/DIR: SOURCE/DIR}``, paths of copies and originals, or such pairs as text.

    Both can end in ``*`` and a suffix.
    """
    expected = 'BUILD/DIR=SOURCE/DIR, or a mapping such as {"docs/a": "packages/a/docs"}'
    if not isinstance(value, Mapping):
        value = dict(text.partition("=")[::2] for text in _strings(value, expected))
    if not all(isinstance(path, str) and _is_path(path) for pair in value.items() for path in pair):
        raise UnexpectedError(expected)
    for pair in value.items():
        if any("*" in path for path in pair) and not all(_ENDING.fullmatch(path) for path in pair):
            raise UnexpectedError(
                '"*" and a suffix as the last part of both, BUILD/DIR/*.md=SOURCE/DIR/*.ipynb'
            )
    return tuple(value.items())


def file_or_false(value: object) -> str:
    """Accept a file path, or false for none, which is returned as ``""``."""
    if value is False or (isinstance(value, str) and value.strip().lower() == "false"):
        return ""
    if not isinstance(value, str) or not _is_path(value):
        raise UnexpectedError("the path of a file, or false")
    return value


def indexnow_key(value: object) -> str:
    """Accept a key of IndexNow (indexnow.org, documentation); an invalid one is not shown: it is a secret."""
    if isinstance(value, str) and INDEXNOW_KEY.fullmatch(value):
        return value
    expected = "a key of 8 to 128 letters a to z and A to Z, digits and hyphens"
    if isinstance(value, (int, float)):  # in YAML, also from a variable with ``!ENV``
        expected += ", as a text: in quotes, or with a letter or hyphen in it"
    raise UnexpectedError(expected, secret=value is not None)


def _strings(value: object, expected: str) -> tuple[str, ...]:
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        raise UnexpectedError(expected)
    items = tuple(value)
    if not all(isinstance(item, str) for item in items):
        raise UnexpectedError(expected)
    return items


def _is_path(text: str) -> bool:
    return bool(text.strip()) and "\0" not in text
