"""Parse, compare and join URLs written by other tools. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Final, NamedTuple, TypeVar
from urllib.parse import quote, urljoin

from docs_sitemap.limits import MAX_BASE_FOLDERS, MAX_DEPTH
from docs_sitemap.urls import decoded, is_encodable, is_ipv6
from docs_sitemap.urls import split as urlsplit

_PORTS: Final = {"http": ":80", "https": ":443"}
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
_USUAL: Final = re.compile(
    r"(https?)://([a-z0-9.-]++|\[[0-9a-f:.]++(?:%[a-z0-9._~-]++)?+\]|[a-z0-9.\xa1-\u1fff-]++)(:[0-9]{1,5}+)?+"
    r"(/[!-\"$->@-~\xa1-\U0010ffff]*+)?+(?:\?([!-\"$-~\xa1-\U0010ffff]*+))?+(?:#[!-~]*+)?+"
)  # possessive: one character that is not ASCII made it try all the shorter ones
"""A URL of usual characters. Below U+2000, none in a host stands for a ``/`` or ``@``."""

_HOST: Final = re.compile(
    r"(https?)://(?:[!-\"$-.0->@-Z\\^-~]*@)?+([!-\"$-.0->@-~\xa1-\u1fff]*+)", re.ASCII | re.IGNORECASE
)
_ABSOLUTE: Final = re.compile(
    r"([Hh][Tt]{2}[Pp][Ss]?)(://(?:[!-\"$-.0->@-Z\\^-~]*@)?+"
    r"(?:[A-Za-z0-9.-]++|\[[0-9A-Fa-f:.]++(?:%[A-Za-z0-9._~-]++)?+\])(?::[0-9]{1,5}+)?+"
    r"/[!-\"$-:<->@-~\xa1-\U0010ffff]*+)"
)
"""A URL that is what it is joined to, but for the case of the scheme."""

_LAST_PORT: Final = 65_535
_WITH_PATH: Final = re.compile(r"(?:https?://[^/?#]++)?+/?+[\w.%-]++/")
_MOST_JOINED: Final = 8_192
"""Joined URLs that are kept: of some pages with a thousand languages each, which many URLs lead to."""

_LONG: Final = 300
_MOST_LONG: Final = 256
"""Characters of a URL, and how many longer ones are kept, joined and in parts: many URLs lead to one page.

Its canonical link was split and decoded for each of 200,000 URLs.
"""

_ENCODED: Final = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+")

_VERSION: Final = re.compile(
    r"v?\d++(\.[\dx]++)*+([.-]?(a|b|rc|alpha|beta|dev|pre|post|lts)[.-]?\d*+)?"
    r"|latest|stable|main|master|dev|devel|develop|development|current|next|nightly|trunk|edge|unstable|lts",
    re.IGNORECASE,
)


_T = TypeVar("_T")


class Address(NamedTuple):
    """An absolute URL: ``origin`` in lower case without the default port, ``path`` as written."""

    origin: str
    path: str
    query: str


def _long_once(function: Callable[[str], _T]) -> Callable[[str], _T]:
    """Keep what a function returns for texts longer than ``_LONG``; for others, it takes no longer itself."""
    once = lru_cache(_MOST_LONG)(function)

    @wraps(function)
    def look(text: str) -> _T:
        return function(text) if len(text) <= _LONG else once(text)

    return look


@_long_once
def split(url: str) -> Address | None:
    """Return the parts of an absolute http(s) URL, or ``None`` if it is none or exceeds ``MAX_LOC``."""
    if not _SCHEME.match(url) or not is_encodable(url):
        return None
    if usual := _USUAL.fullmatch(url) or _USUAL.fullmatch(_with_plain_host(url)):  # in a fifth of the time
        scheme, authority, port, path, query = usual.groups("")
        if authority[0] == "[" and not is_ipv6(authority[1:-1]):
            return None
        if port in ("", _PORTS[scheme]) or 1 <= int(port[1:]) <= _LAST_PORT:
            port = port if port != _PORTS[scheme] else ""
            authority = authority if authority.isascii() else authority.lower()
            return Address(f"{scheme}://{authority}{port}", path or "/", query)
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return None
    if not host:
        return None
    scheme = parts.scheme
    authority = parts.netloc.rpartition("@")[2].lower().removesuffix(_PORTS[scheme])
    return Address(f"{scheme}://{authority}", parts.path or "/", parts.query)


_decoded = _long_once(decoded)


def _with_plain_host(url: str) -> str:
    """Return a URL with scheme and host in lower case, and without a user name, if these are usual."""
    found = _HOST.match(url)
    return f"{found[1].lower()}://{found[2].lower()}{url[found.end() :]}" if found else url


def join(base: str, reference: str) -> str:
    """Resolve a reference against a base URL; return it unchanged if it is invalid or too deep."""
    if _WITH_PATH.match(reference):  # then the query does not matter: a page may be listed with thousands
        base = base.partition("?")[0]
    if base.count("/") > MAX_DEPTH or reference.count("/") > MAX_DEPTH:
        return reference
    absolute = _ABSOLUTE.fullmatch(reference)
    if absolute and absolute[1] in _PORTS:
        return reference
    scheme = base.partition(":")[0]
    if reference.startswith("//"):
        absolute = _ABSOLUTE.fullmatch(f"{scheme}:{reference}")
    if absolute:
        return scheme + absolute[2] if absolute[1].lower() == scheme else reference
    return (_joined if len(reference) <= _LONG else _joined_once)(base, reference)


def _join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


_joined = lru_cache(_MOST_JOINED)(_join)
_joined_once = lru_cache(_MOST_LONG)(_join)


def is_encoded(url: str) -> bool:
    """Tell whether a URL has only characters and escapes that RFC 3986 allows."""
    return bool(_ENCODED.fullmatch(url))


def same(one: str, other: str) -> bool:
    """Tell whether two URLs are equal except for escapes, fragment, and the case of scheme and host."""
    if one == other:
        return True
    first, second = split(one), split(other)
    if not first or not second:
        return False
    if (first.origin, first.query) != (second.origin, second.query):
        return False
    return _decoded(first.path) == _decoded(second.path)


def same_but_index(one: str, other: str) -> bool:
    """Tell whether two URLs differ only by ``index.html`` or the trailing ``/``."""
    return same(_without_index(one), _without_index(other))


def _without_index(url: str) -> str:
    return url.partition("#")[0].removesuffix("index.html").removesuffix("/")


def folder_of(url: str) -> str:
    """Return a URL up to its last ``/``: the URL of a site, given that of its home page.

    >>> folder_of("https://example.org/docs/index.html")
    'https://example.org/docs/'
    """
    found = split(url)
    if not found:
        return ""
    folder, _, last = found.path.rpartition("/")
    if last and "." not in last:
        folder += "/" + last  # some hosts serve folders without the trailing slash
    return found.origin + folder + "/"


def is_version(name: str) -> bool:
    """Tell whether a folder name looks like a version of the documentation."""
    return bool(_VERSION.fullmatch(name))


def other_version(one: str, other: str) -> bool:
    """Tell whether two URLs differ only in the version, which one of them may lack.

    >>> other_version("https://example.org/guide/", "https://example.org/v2.1/guide/")
    True
    """
    first, second = split(one), split(other)
    if not first or not second or first.origin != second.origin:
        return False
    ours, theirs = [list(filter(None, _decoded(found.path).split("/"))) for found in (first, second)]
    if len(ours) < len(theirs):
        ours, theirs = theirs, ours
    at = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), len(theirs))
    if at == len(ours) or not is_version(ours[at]):
        return False
    if len(ours) == len(theirs):
        return is_version(theirs[at]) and ours[at + 1 :] == theirs[at + 1 :]
    return ours[at + 1 :] == theirs[at:]


def difference(one: str, other: str) -> tuple[str, str] | None:
    """Return the differing starts of two URLs before their common end, up to a ``/``; ``None`` if none.

    ``https://a/x/page/`` and ``https://b/page/`` give ``https://a/x/`` and ``https://b/``.
    """
    ours, theirs = one.split("/"), other.split("/")
    alike = 0
    while alike < min(len(ours), len(theirs)) - 3 and ours[-1 - alike] == theirs[-1 - alike]:
        alike += 1
    if not alike:
        return None
    return "/".join(ours[:-alike]) + "/", "/".join(theirs[:-alike]) + "/"


def fit(urls: Iterable[str], file_at: Callable[[str], str | None]) -> tuple[str, int]:
    """Return the base URL under which most of the URLs lead to files of a site, and how many do.

    If several are equal, the shortest; ``("", 0)`` if there is none. URLs that are too long for the
    protocol are ignored.
    """
    hits: Counter[str] = Counter()
    for url in urls:
        address = split(url)
        if not address:
            continue
        segments = address.path.split("/")
        for at in range(1, min(len(segments), MAX_BASE_FOLDERS + 2)):
            if file_at("/".join(segments[at:])):
                hits[address.origin + "/".join(segments[:at]) + "/"] += 1
    if not hits:
        return "", 0
    best = min(hits, key=lambda base: (-hits[base], len(base), base))
    return best, hits[best]


def escape(name: str) -> str:
    """Return the URL path of a file name."""
    return quote(name, errors="surrogateescape")
