"""Normalises a page's URL path, joins it to the base URL, and percent-encodes it exactly once."""

from __future__ import annotations

import re
import string
import unicodedata
from binascii import a2b_qp, b2a_qp
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, unquote, unquote_to_bytes, urljoin, urlsplit, urlunsplit

from docs_sitemap.brief import brief
from docs_sitemap.limits import MAX_DEPTH, MAX_LOC, MAX_STRAY

# RFC 3986: all characters that are allowed in a path. `%` is included so that escapes are not encoded
# again; a `%` that does not begin an escape is encoded first.
_PATH_SAFE = "/:@!$&'()*+,;=-._~%"
_STRAY_PERCENT = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_PLAIN_BYTES = (string.ascii_letters + string.digits + _PATH_SAFE.removesuffix("%")).encode()
_PRINTED = bytes(code for code in range(33, 127) if code not in b"%" + _PLAIN_BYTES)

# Browsers and crawlers also treat `%2e` as a dot (WHATWG URL, "single-dot URL path segment").
_DOTS_OR_SLASH = ("/", ".", "%2")

# The syntax of encoded host names and IPv6 addresses, with a port; crawlers cannot use others. Python's own
# URL parser ignores text before a [.
_NETLOC = re.compile(r"(?:[\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]*)?", re.ASCII | re.IGNORECASE)

_WITH_HOST: Final = re.compile(r"https?://[^/?#\\\s;][^;]*", re.IGNORECASE)
"""A URL that is joined to no other; Python drops a ``;`` at the end of its path."""

_QUERY: Final = re.compile("[?#]")
_MANY_ESCAPES: Final = 16
_LONGEST_ENCODED: Final = 12
"""Characters of a character that is encoded: four bytes of three."""

_KINDS: Final = bytes(
    ord("h") if chr(code) in string.hexdigits else ord("%") if chr(code) == "%" else 0 for code in range(256)
)
"""For ``bytes.translate``: what may be in an escape."""

_LONGEST_LABEL = 63
"""Maximum characters of a part of a host name (RFC 1035, 2.3.4)."""

_LONGEST_HOST = 253
"""Maximum characters of a host name, whose 255 bytes include a length before each label (RFC 1035, 2.3.4)."""


_AUTHORITY: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#]*\[[^/?#]*)")
_IPV6: Final = re.compile(r"(?:[!-Z\\^-~]*@)?+\[([0-9A-Fa-f:.]++(?:%[!-?A-Z\\^-~]++)?+)\](?::[0-9]*+)?+")
_PLAIN: Final = re.compile(
    r"https?://[a-z][a-z0-9]*+(?:[.-][a-z0-9]++)*+/"
    r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*+/)*+(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*+)?+"
)
"""A URL that is as it would be resolved, as most are; it takes a tenth of the time."""


def encode_path(path: str) -> str:
    """Percent-encode what RFC 3986 does not allow in a path; keep existing escapes.

    Raises ``UnicodeEncodeError`` for a lone surrogate that does not represent a byte.

    >>> encode_path("käse 100%/caf%C3%A9")
    'k%C3%A4se%20100%25/caf%C3%A9'
    """
    if path.isascii() and not path.encode().translate(None, _PLAIN_BYTES):
        return path  # most pages
    return _quote(path, _PATH_SAFE)


def _quote(text: str, safe: str) -> str:
    """Return what ``urllib.parse.quote`` returns, in a third of the time.

    A ``%`` that begins no escape is encoded, although ``safe`` has it.
    """
    data = _with_escapes(text.encode("utf-8", "surrogateescape"))
    # it is quoted-printable but for the first character, the ends of lines, and printable ones
    found = b2a_qp(data, quotetabs=True, istext=False).replace(b"=\r\n", b"").replace(b"=\n", b"")
    found = found.replace(b"=2E", b".").replace(b"=3D", b"\n").replace(b"=", b"%").replace(b"\n", b"=")
    for code in _PRINTED:
        if code in found and chr(code) not in safe:
            found = found.replace(bytes([code]), b"%%%02X" % code)
    return found.decode("ascii")


def normalise_path(path: str, *, may_lead_out: bool = False) -> str:
    """Return a page URL path without ``.``, ``..``, ``//`` and a leading ``/`` (RFC 3986, 5.2.4).

    Raises ``ValueError``, whose text says what is wrong, if it leads out of the base URL, unless it may:
    then a ``..`` there is removed.

    >>> normalise_path("/guide/./../install//")
    'install/'
    """
    # each of these searches takes a hundredth of the time of an expression
    if not ("//" in path or "/." in path or "/%2" in path or path.startswith(_DOTS_OR_SLASH)):
        return path
    segments = path.split("/")
    kept: list[str] = []
    for segment in segments:
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
        raise UnicodeError(f"{brief(host)} is not a valid host name")
    path = encode_path("/" + normalise_path(parts.path, may_lead_out=True))
    return urlunsplit((parts.scheme, netloc, path, "", ""))


@lru_cache(maxsize=256)
def _in_punycode(host: str) -> str:
    """Return a host in punycode, or ``""`` if it has none; cached, because a long one takes a millisecond."""
    if len(host) > _LONGEST_HOST:
        return ""
    try:
        return ".".join(map(_punycode, host.split(".")))
    except UnicodeError:
        return ""


def _punycode(label: str) -> str:
    if len(label) > _LONGEST_LABEL:  # encoding in punycode takes quadratic time
        raise UnicodeError("label too long")
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
    if len(reference) <= MAX_LOC and _PLAIN.fullmatch(reference):
        return reference
    try:
        reference = reference.strip()
        if not is_encodable(reference):
            return None
        if reference.startswith("//"):
            reference = f"{base_url.partition(':')[0].lower()}:{reference}"
        parts = split(reference if _WITH_HOST.fullmatch(reference) else urljoin(base_url, reference))
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            return None
        query = "?" + _quote(parts.query, _PATH_SAFE + "?") if parts.query else ""
        return _encoded(parts) + query
    except ValueError:  # UnicodeError too
        return None


def split(url: str) -> SplitResult:
    """Return what ``urllib.parse.urlsplit`` does, which parses an IPv6 address anew in each URL, for 15 us.

    Raises ``ValueError``.
    """
    found = _AUTHORITY.match(url) if "[" in url else None
    if not found or not found[2].isprintable():
        return urlsplit(url)
    if problem := _problem_of(found[2]):
        raise ValueError(problem)
    return urlsplit(f"{found[1]}host{url[found.end() :]}")._replace(netloc=found[2])


def _problem_of(authority: str) -> str:
    if found := _IPV6.fullmatch(authority):
        return "" if is_ipv6(found[1]) else "Invalid IPv6 URL"
    return _other_problem_of(authority)


@lru_cache(maxsize=256)
def _other_problem_of(authority: str) -> str:
    try:
        urlsplit(f"https://{authority}")
    except ValueError as problem:
        return str(problem)
    return ""


def is_ipv6(host: str) -> bool:
    """Tell whether a text is an IPv6 address, perhaps with a zone (RFC 6874), faster than ``ipaddress``."""
    import socket  # takes a command 5 ms to start

    address, separator, zone = host.partition("%")
    if separator and (not zone or "%" in zone):
        return False
    try:
        socket.inet_pton(socket.AF_INET6, address)
    except (OSError, UnicodeError):
        return False
    return True


def _strays(data: bytes) -> int:
    """Return how many ``%`` begin no escape, which an expression would find in twenty times the time."""
    return data.count(b"%") - data.translate(_KINDS).count(b"%hh") if b"%" in data else 0


def _with_escapes(data: bytes) -> bytes:
    """Return data in which each ``%`` begins an escape."""
    return _STRAY_PERCENT.sub(b"%25", data) if _strays(data) else data


def is_encodable(url: str) -> bool:
    """Tell by a quick look whether a URL may have up to ``MAX_LOC`` characters, also when it is encoded.

    One with more than ``MAX_STRAY`` of ``%`` that begin no escape is none.
    """
    if len(url) > MAX_LOC:
        return False
    if url.isascii():
        return url.count("%") <= MAX_STRAY or _strays(url.encode()) <= MAX_STRAY
    # each other character becomes two escapes or more, except in a host
    plain = url.encode("ascii", "ignore")
    shortest = len(plain) + 6 * (len(url) - len(plain) - _LONGEST_HOST)
    return shortest <= MAX_LOC and is_encodable(plain.decode())


def decoded(text: str, errors: str = "replace") -> str:
    """Return what ``urllib.parse.unquote`` returns; faster, of many escapes in a sixth of the time.

    With ``surrogateescape``, bytes of a file's name and escapes beside them may be one character.

    >>> decoded("caf%C3%A9 %zz", "replace")
    'café %zz'
    """
    if "%" not in text:
        return text
    try:
        data = text.encode("utf-8", "surrogateescape" if errors == "surrogateescape" else "strict")
    except UnicodeEncodeError:  # half of a pair, or a byte of a file's name
        return unquote(text, errors=errors)
    return decoded_bytes(data).decode("utf-8", errors)


def decoded_bytes(data: bytes) -> bytes:
    """Return what ``urllib.parse.unquote_to_bytes`` returns; of many escapes, in a sixth of the time.

    With more than ``MAX_STRAY`` of ``%`` that begin no escape, the data stay as they are.
    """
    if data.count(b"%") < _MANY_ESCAPES:
        return unquote_to_bytes(data)
    if _strays(data) > MAX_STRAY:
        return data
    # without stray ones, they are those of quoted-printable but for the first character (RFC 2045, 6.7)
    return a2b_qp(_with_escapes(data).replace(b"=", b"=3D").replace(b"%", b"="))


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


def has_address(name: str) -> bool:
    """Tell whether the path of a file or folder is short enough for a URL of ``MAX_LOC`` characters.

    And lies in at most ``MAX_DEPTH`` folders: below 900, it takes ten times as long to open a file.

    >>> has_address("guide"), has_address("é" * 400), has_address("a/" * 121)
    (True, False, False)
    """
    if name.count("/") > MAX_DEPTH:
        return False
    if _LONGEST_ENCODED * len(name) <= MAX_LOC:
        return True
    data = name.encode("utf-8", "replace")  # a byte that is none of UTF-8 is a ?
    others = len(data) - len(name.encode("ascii", "ignore"))
    return len(data) + 2 * others <= MAX_LOC


def comparable(url: str) -> str:
    """Return a URL without differences that do not matter: escapes, fragment, a folder's index.html.

    >>> comparable("https://example.org/caf%C3%A9/index.html#menu")
    'https://example.org/café/'
    """
    return decoded(url.partition("#")[0]).removesuffix("index.html")


def packed(text: str) -> bytes:
    """Return a URL or a name as bytes, to keep: one emoji makes each character of a text take four.

    Of a file's name, those that it has on disk. Python takes a third of a microsecond for each byte that is
    none of UTF-8 if half a character is possible too: so a text with one, or one that begins like that, is
    marked.
    """
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = _HALF
    return _HALF + text.encode("utf-8", "surrogatepass") if data[:1] == _HALF else data


def unpacked(data: bytes) -> str:
    """Return what was ``packed``."""
    if data[:1] == _HALF:
        return data[1:].decode("utf-8", "surrogatepass")
    return data.decode("utf-8", "surrogateescape")


_HALF: Final = b"\0"
"""Marks a text with half a character; no file's name has it."""
