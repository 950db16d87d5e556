"""Parse, compare and join URLs written by other tools. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from docs_sitemap.pages.version_names import is_version

_PORTS: Final = {"http": ":80", "https": ":443"}
_ABSOLUTE: Final = re.compile(r"https?://", re.IGNORECASE)
_ENCODED: Final = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+")


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
    return unquote(first.path) == unquote(second.path)


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


def other_version(one: str, other: str) -> bool:
    """Tell whether two URLs differ only in the version, which one of them may lack.

    >>> other_version("https://example.org/guide/", "https://example.org/v2.1/guide/")
    True
    """
    first, second = split(one), split(other)
    if not first or not second or first.origin != second.origin:
        return False
    ours, theirs = [list(filter(None, unquote(found.path).split("/"))) for found in (first, second)]
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


def escape(name: str) -> str:
    """Return the URL path of a file name."""
    return quote(name, errors="surrogateescape")
