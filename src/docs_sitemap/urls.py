"""Normalises a page's URL path, joins it to the base URL, and percent-encodes it exactly once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from docs_sitemap.limits import MAX_LOC
from docs_sitemap.text import show_value

_PATH_SAFE: Final = "/:@!$&'()*+,;=-._~%"
"""All characters that are allowed in a path (RFC 3986), and ``%``, so that escapes are not encoded again."""

_STRAY_PERCENT: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")

# The syntax of encoded host names and IPv6 addresses, with a port; crawlers cannot use others. Python's own
# URL parser ignores text before a [.
_NETLOC: Final = re.compile(r"(?:[\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]*)?", re.ASCII | re.IGNORECASE)

_QUERY: Final = re.compile("[?#]")


def encode_path(path: str) -> str:
    """Percent-encode what RFC 3986 does not allow in a path; keep existing escapes.

    Raises ``UnicodeEncodeError`` for a lone surrogate that does not represent a byte.

    >>> encode_path("käse 100%/caf%C3%A9")
    'k%C3%A4se%20100%25/caf%C3%A9'
    """
    return _quote(path, _PATH_SAFE)


def _quote(text: str, safe: str) -> str:
    """Return what ``urllib.parse.quote`` does; a ``%`` that begins no escape is encoded, too."""
    return quote(_STRAY_PERCENT.sub(b"%25", text.encode("utf-8", "surrogateescape")), safe)


def normalise_path(path: str, *, may_lead_out: bool = False) -> str:
    """Return a page URL path without ``.``, ``..``, ``//`` and a leading ``/`` (RFC 3986, 5.2.4).

    Raises ``ValueError``, whose text says what is wrong, if it leads out of the base URL, unless it may:
    then a ``..`` there is removed.

    >>> normalise_path("/guide/./../install//")
    'install/'
    """
    segments = path.split("/")
    kept: list[str] = []
    for segment in segments:
        # browsers also treat `%2e` as a dot (WHATWG URL, "single-dot URL path segment")
        dots = segment.lower().replace("%2e", ".")
        if dots == "..":
            if not kept and not may_lead_out:
                raise ValueError("an address that leads out of the site")
            del kept[-1:]
        elif segment and dots != ".":
            kept.append(segment)
    is_folder = segments[-1].lower().replace("%2e", ".") in ("", ".", "..")
    return "/".join(kept) + ("/" if is_folder and kept else "")


def encode_base(base_url: str) -> str:
    """Return an absolute URL in ASCII: path normalised and percent-encoded, host in punycode (RFC 5890).

    A ``..`` at the root of the host is removed (RFC 3986, 5.2.4). Raises ``UnicodeError`` if the host
    cannot be written in punycode or is not a valid host name, and ``ValueError`` if the port is invalid.

    >>> encode_base("https://bücher.example:8080/über/")
    'https://xn--bcher-kva.example:8080/%C3%BCber/'
    """
    return _encoded(urlsplit(base_url))


def _encoded(parts: SplitResult) -> str:
    host, port, netloc = parts.hostname or "", parts.port, parts.netloc
    if not host.isascii():
        encoded = _in_punycode(host)
        netloc = encoded if port is None else f"{encoded}:{port}"
    if not _NETLOC.fullmatch(netloc):
        raise UnicodeError(f"{show_value(host)} is not a valid host name")
    path = encode_path("/" + normalise_path(parts.path, may_lead_out=True))
    return urlunsplit((parts.scheme, netloc, path, "", ""))


@lru_cache  # a label takes half a millisecond
def _in_punycode(host: str) -> str:
    """Return a host in punycode, or ``""`` if it has none."""
    try:
        return ".".join(map(_punycode, host.split(".")))
    except UnicodeError:
        return ""


def _punycode(label: str) -> str:
    # Python's codec implements IDNA 2003, which maps these four characters to others or drops them. IDNA 2008
    # and browsers keep them (RFC 5894, 7.2).
    if re.search("[\u00df\u03c2\u200c\u200d]", label):
        return "xn--" + unicodedata.normalize("NFC", label.lower()).encode("punycode").decode("ascii")
    return label.encode("idna").decode("ascii")


def join(base_url: str, path: str) -> str:
    """Return the absolute URL of a URL path below an encoded base URL that ends in ``/``.

    Raises ``ValueError``, whose text says what is wrong, for a path that leads out of the base URL, or has a
    query, a fragment, or characters that do not represent bytes.

    >>> join("https://example.org/docs/", "guide/")
    'https://example.org/docs/guide/'
    """
    if "?" in path or "#" in path:
        raise ValueError("an address with a query or fragment")
    try:
        return base_url + encode_path(normalise_path(path))
    except UnicodeEncodeError:
        raise ValueError("an address that is not valid text") from None


def with_usual_host(url: str) -> str:
    """Return an absolute URL with scheme and host in lower case, without the default port (RFC 3986, 6.2).

    >>> with_usual_host("HTTPS://Example.org:443/A")
    'https://example.org/A'
    """
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    scheme = scheme.lower()
    host = host.lower().removesuffix({"http": ":80", "https": ":443"}.get(scheme, ":")).removesuffix(":")
    return scheme + separator + host + slash + path


def absolute(base_url: str, reference: str) -> str | None:
    """Return the absolute URL of a reference relative to the base URL, without its fragment.

    Returns ``None`` if it is not an http(s) URL, for example ``data:``, or not valid, or longer than
    ``MAX_LOC``.

    >>> absolute("https://example.org/docs/", "../logo.png#dark")
    'https://example.org/logo.png'
    >>> absolute("https://example.org/docs/", "data:,") is None
    True
    """
    reference = reference.strip()
    if len(reference) > MAX_LOC:
        return None
    try:
        parts = urlsplit(urljoin(base_url, reference))
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            return None
        query = "?" + _quote(parts.query, _PATH_SAFE + "?") if parts.query else ""
        return _encoded(parts) + query
    except ValueError:  # UnicodeError too
        return None


def decoded(text: str) -> str:
    """Return a text with its escapes decoded as UTF-8; others become U+FFFD.

    >>> decoded("caf%C3%A9 %zz")
    'café %zz'
    """
    return unquote(text, errors="replace")


def path_behind(url: str, start: str) -> str:
    """Return the decoded path of a URL behind its ``start``, without query and fragment.

    It may begin with what a parser takes for a scheme.

    >>> path_behind("https://example.org/2.0/std:map.html?a", "https://example.org/2.0/")
    'std:map.html'
    """
    return decoded(_QUERY.split(url[len(start) :], maxsplit=1)[0])


def join_file(base_url: str, name: str) -> str:
    """Return the URL of an output file; unlike in a page's URL path, no character has a special meaning."""
    return base_url + escape_name(name)


def file_name(address: str) -> str:
    """Return the name of the file at a URL, without its folder."""
    return decoded(address.rpartition("/")[2])


def escape_name(name: str) -> str:
    """Return the path of a file or document name, in which ``%``, ``?`` and ``#`` have no meaning.

    >>> escape_name("why?.xml")
    'why%3F.xml'
    """
    return encode_path(name.replace("%", "%25").replace("?", "%3F").replace("#", "%23"))


def is_html(name: str) -> bool:
    """Tell whether a file or a path has the name of a page in HTML."""
    return name.lower().endswith((".html", ".htm"))


def comparable(url: str) -> str:
    """Return a URL without differences that do not matter: escapes, fragment, a folder's index.html.

    >>> comparable("https://example.org/caf%C3%A9/index.html#menu")
    'https://example.org/café/'
    """
    return decoded(url.partition("#")[0]).removesuffix("index.html")


def placeholder(origin: str) -> str:
    """Return what an origin is instead of a site's own, in words; empty for any other."""
    from ipaddress import ip_address  # few builds ask

    host = origin.partition("://")[2]
    host = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if host == "localhost" or host.endswith((".localhost", ".local", ".invalid", ".test")):
        return "a local name"
    if host == "example.com" or host.endswith(".example.com"):
        return "a placeholder"
    try:
        return "" if ip_address(host).is_global else "an address that is not public"
    except ValueError:
        return ""


def other_domain(cname: bytes | None, url: str) -> str:
    """Return the domain in a CNAME file, with which GitHub Pages publishes a site, if a URL is on another.

    GitHub, "Managing a custom domain for your GitHub Pages site": the first line is the domain.

    >>> other_domain(b"docs.example.org", "https://acme.github.io/docs/")
    'docs.example.org'
    """
    lines = (cname or b"").decode("utf-8", "replace").split()
    domain = lines[0].lower().rstrip(".") if lines else ""
    is_domain = bool(_NETLOC.fullmatch(domain)) and "." in domain
    return domain if is_domain and domain != (urlsplit(url).hostname or "") else ""
