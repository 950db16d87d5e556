"""robots.txt as text: complete a user's file, or make a minimal one (RFC 9309). Pure."""

from __future__ import annotations

import re

_MINIMAL = b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\n"
_OURS = re.compile(re.escape(_MINIMAL) + rb"(?:Sitemap: [^\r\n]*\n)*")
_ADDED = b"# Added by docs-sitemap"
# our own addition at the end of a user's file: the empty line before it, the remark, the lines
_ADDITION = re.compile(rb"(?:\r?\n)?" + _ADDED + rb"\r?\n(?:sitemap:[^\r\n]*(?:\r?\n)?)*", re.IGNORECASE)
_SITEMAP = re.compile(rb"^[ \t]*sitemap[ \t]*:[ \t]*([^\r\n#]*)", re.IGNORECASE | re.MULTILINE)
_BOM = b"\xef\xbb\xbf"


def complete(present: bytes | None, sitemaps: list[str]) -> bytes | None:
    """Return a robots.txt that names the sitemaps, from the one that is there.

    A user's file keeps each of its bytes; what it does not name yet is added at its end, in its
    own line endings. What an earlier build added is taken out first. Without sitemaps the result
    is the user's own file, or ``None`` where no file of theirs is left.
    """
    own = users_part(present)
    if own is None:
        if not sitemaps:
            return None
        return _MINIMAL + b"".join(_line(url) + b"\n" for url in sitemaps)
    named = {match.strip() for match in _SITEMAP.findall(own.removeprefix(_BOM))}
    missing = [url for url in sitemaps if url.encode() not in named]
    if not missing:
        return own
    end = b"\r\n" if b"\r\n" in own else b"\n"
    text = own if not own or own.endswith((b"\n", b"\r")) else own + end
    return text + end + end.join([_ADDED, *map(_line, missing), b""])


def users_part(present: bytes | None) -> bytes | None:
    """Return the part of a robots.txt that is not ours, or ``None`` where all of it is."""
    if present is None or _OURS.fullmatch(present):
        return None  # to the letter: a user may have started theirs from a copy of ours
    return _ADDITION.sub(b"", present)


def _line(sitemap: str) -> bytes:
    return b"Sitemap: " + sitemap.encode("ascii")
