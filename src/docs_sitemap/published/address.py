"""Parse, compare and join URLs written by other tools. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from docs_sitemap.pages.version_names import is_version

_PORTS: Final = {"http": ":80", "https": ":443"}
_ABSOLUTE: Final = re.compile(r"https?://", re.IGNORECASE)


class Address(NamedTuple):
    """An absolute URL: ``origin`` in lower case without the default port, ``path`` as written."""

    origin: str
    path: str
    query: str


def split(url: str) -> Address | None:
    """Return the parts of an absolute http(s) URL, or ``None`` if it is none."""
    if not _ABSOLUTE.match(url):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    authority = parts.netloc.rpartition("@")[2].lower().removesuffix(_PORTS[parts.scheme])
    return Address(f"{parts.scheme}://{authority}", parts.path or "/", parts.query)


def join(base: str, reference: str) -> str:
    """Resolve a reference against a base URL; return it unchanged if it is absolute or invalid."""
    if _ABSOLUTE.match(reference):
        return reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def escape(name: str) -> str:
    """Return the URL path of a file name."""
    return quote(name, errors="surrogateescape")


def same(one: str, other: str) -> bool:
    """Tell whether two URLs are equal except for escapes, fragment, and the case of scheme and host."""
    if one == other:
        return True
    first, second = split(one), split(other)
    if not first or not second:
        return False
    return first._replace(path=unquote(first.path)) == second._replace(path=unquote(second.path))


def same_but_index(one: str, other: str) -> bool:
    """Tell whether two URLs differ only by ``index.html`` or the trailing ``/``."""
    return same(*(url.partition("#")[0].removesuffix("index.html").removesuffix("/") for url in (one, other)))


def other_version(one: str, other: str) -> bool:
    """Tell whether two URLs differ only in the version, which one of them may lack.

    >>> other_version("https://example.org/guide/", "https://example.org/v2.1/guide/")
    True
    """
    first, second = split(one), split(other)
    if not first or not second or first.origin != second.origin:
        return False
    paths = [list(filter(None, unquote(url.path).split("/"))) for url in (first, second)]
    shorter, longer = sorted(paths, key=len)
    start = 0
    while start < len(shorter) and shorter[start] == longer[start]:
        start += 1
    if start == len(longer) or not is_version(longer[start]):
        return False
    if len(shorter) == len(longer):
        return is_version(shorter[start]) and shorter[start + 1 :] == longer[start + 1 :]
    return shorter[start:] == longer[start + 1 :]


def difference(one: str, other: str) -> tuple[str, str] | None:
    """Return the differing starts of two URLs before their common end, up to a ``/``; ``None`` if none.

    ``https://a/x/page/`` and ``https://b/page/`` give ``https://a/x/`` and ``https://b/``.
    """
    ours, theirs = one.split("/"), other.split("/")
    alike = 0
    while alike < min(len(ours), len(theirs)) - 3 and ours[-1 - alike] == theirs[-1 - alike]:
        alike += 1
    return ("/".join(ours[:-alike]) + "/", "/".join(theirs[:-alike]) + "/") if alike else None
