"""Complete a user's robots.txt, or create a minimal one (RFC 9309). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MINIMAL = b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\n"
_PREVIEW = b"# Written by docs-sitemap\nUser-agent: *\nDisallow: /\n"
_REMARK = b"# Added by docs-sitemap"
_SITEMAP = b"Sitemap: "

# Only exact copies of what we write are ours, with one line per remark and nothing after it: a user's file
# may have started as a copy of ours, and then every line in it belongs to the user.
_URL = rb'([!"$-~]+)'  # the characters of an encoded URL; after a # there would be a user's comment
_OURS = re.compile(re.escape(_MINIMAL + _SITEMAP) + _URL + rb"\n")
_ADDITION = re.compile(rb"(\r\n|\n|\r)" + _REMARK + rb"\1" + _SITEMAP + _URL + rb"\1\Z")

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # UTF-16 and UTF-32


def complete(present: bytes | None, sitemaps: Sequence[str]) -> bytes | None:
    """Return a robots.txt that names the sitemaps, from the existing one.

    The sitemaps are absolute URLs, percent-encoded. A user's file keeps all its bytes; sitemaps that
    it does not name yet are added at the end, with its line endings. What an earlier build added is
    removed first. Without a sitemap, the result is the user's part, or ``None`` if there is none. A
    file that ``can_complete`` refuses is returned unchanged.

    >>> complete(None, ["https://example.org/sitemap.xml"]).splitlines()[-1]
    b'Sitemap: https://example.org/sitemap.xml'
    """
    own = users_part(present)
    if not sitemaps or not can_complete(own):
        return own
    missing = [sitemap.encode("ascii") for sitemap in dict.fromkeys(sitemaps)]
    if own is None:
        text = _MINIMAL + _SITEMAP + missing.pop(0) + b"\n"
    else:
        text, there = own, _sitemaps_in(own)
        missing = [sitemap for sitemap in missing if sitemap not in there]
    end = _line_end(text)
    # The first line end also ends an unfinished last line, so that the addition can be removed again.
    return text + b"".join(end + _REMARK + end + _SITEMAP + sitemap + end for sitemap in missing)


def disallow(present: bytes | None) -> bytes:
    """Return a robots.txt that blocks all crawlers, or the user's file if there is one."""
    own = users_part(present)
    return _PREVIEW if own is None else own


def can_complete(present: bytes | None) -> bool:
    """Tell whether lines can be added: not to UTF-16 or UTF-32, which our bytes would break.

    RFC 9309, 2.3 requires UTF-8, so crawlers cannot read such a file anyway.
    """
    return present is None or not present.startswith(_WIDE_BOMS)


def users_part(present: bytes | None) -> bytes | None:
    """Return the part of a robots.txt that is not ours, or ``None`` if all of it is."""
    return _parted(present)[0]


def named(present: bytes | None) -> list[str]:
    """Return all sitemaps that a robots.txt names, sorted.

    >>> named(b"sitemap: https://example.org/a.xml # the old one")
    ['https://example.org/a.xml']
    """
    return sorted(sitemap.decode("ascii", "replace") for sitemap in _sitemaps_in(present or b""))


def named_by_us(present: bytes | None) -> list[str]:
    """Return the sitemaps that an earlier build added to a robots.txt, in order."""
    return [sitemap.decode("ascii") for sitemap in _parted(present)[1]]


def _parted(present: bytes | None) -> tuple[bytes | None, list[bytes]]:
    """Remove our additions, one by one from the end; return the rest and the removed sitemaps."""
    if present is None or not can_complete(present):
        return present, []
    end, sitemaps, line_end = len(present), list[bytes](), _line_end(present)
    while match := _ADDITION.search(present, max(present.rfind(_REMARK, 0, end) - 2, 0), end):
        if match[1] != line_end:
            break
        end = match.start()
        sitemaps.append(match[2])
    own = present[:end]
    sitemaps.reverse()
    if match := _OURS.fullmatch(own):
        return None, [match[1], *sitemaps]
    if own == _PREVIEW:
        return None, sitemaps
    return own, sitemaps


def _line_end(text: bytes) -> bytes:
    """Return the line ending of a text: CRLF or LF like the first one, or CR if there is no other."""
    first = text.partition(b"\n")
    if first[1]:
        return b"\r\n" if first[0].endswith(b"\r") else b"\n"
    return b"\r" if b"\r" in text else b"\n"


def _sitemaps_in(text: bytes) -> set[bytes]:
    """Return the sitemaps that a file names; its lines may end in CR, LF or CRLF (RFC 9309, 2.2)."""
    found = set()
    for line in text.removeprefix(_BOM).splitlines():
        key, _, value = line.partition(b"#")[0].partition(b":")
        if key.strip(b" \t").lower() == b"sitemap":
            found.add(value.strip(b" \t"))
    return found
