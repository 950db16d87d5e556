"""Addresses: joining a page's URL path to the base URL, percent-encoding exactly once."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, unquote, urlsplit, urlunsplit

# RFC 3986: everything that may stand in a path as it is. `%` is here because what is encoded
# already must not be encoded again; a `%` that begins no escape is mended first.
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def encode_path(path: str) -> str:
    """Percent-encode what RFC 3986 does not allow in a path; leave what is encoded already."""
    return quote(_STRAY_PERCENT.sub("%25", path), safe=_PATH_SAFE, errors="surrogateescape")


def encode_base(base_url: str) -> str:
    """Return an absolute URL in ASCII: path percent-encoded, host in punycode (RFC 5890).

    Raises ``UnicodeError`` where the host cannot be written in punycode.
    """
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if not host.isascii():
        host = ".".join(map(_punycode, host.split(".")))
        netloc = host if parts.port is None else f"{host}:{parts.port}"
    else:
        netloc = parts.netloc
    return urlunsplit((parts.scheme, netloc, encode_path(parts.path), "", ""))


def _punycode(label: str) -> str:
    # Four characters that IDNA 2003, which Python's codec knows, maps to others or drops, and that
    # IDNA 2008 keeps, as browsers do (RFC 5894, 7.2)
    if re.search("[\u00df\u03c2\u200c\u200d]", label):
        return "xn--" + unicodedata.normalize("NFC", label.lower()).encode("punycode").decode("ascii")
    return label.encode("idna").decode("ascii")


def join(base_url: str, path: str) -> str:
    """Return the absolute URL of a URL path below an encoded base URL."""
    return base_url + encode_path(path)


def join_file(base_url: str, name: str) -> str:
    """Return the URL of a file of ours; in its name, unlike in a page's URL, ``%`` is a character."""
    return join(base_url, name.replace("%", "%25"))


def comparable(url: str) -> str:
    """Return a URL without differences that lead nowhere else: escapes, fragment, a folder's index.html."""
    return unquote(url.partition("#")[0]).removesuffix("index.html")
