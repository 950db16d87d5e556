"""robots.txt as text: complete a user's file, or make a minimal one (RFC 9309). Pure."""

from __future__ import annotations

import re

_MINIMAL = b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\n"
_REMARK = b"# Added by docs-sitemap"

# Only what we wrote to the letter is ours, one line a remark and nothing behind it: a user may have
# started theirs from a copy of ours, and then every line in it is theirs.
_OURS = re.compile(re.escape(_MINIMAL) + rb"Sitemap: ([^\r\n]*)\n")
_ADDITION = re.compile(rb"(?:\r?\n)" + _REMARK + rb"\r?\nSitemap: ([^\r\n]*)\r?\n\Z")

_SITEMAP = re.compile(rb"^[ \t]*sitemap[ \t]*:[ \t]*([^\r\n#]*)", re.IGNORECASE | re.MULTILINE)
_BOM = b"\xef\xbb\xbf"


def complete(present: bytes | None, sitemap: str | None) -> bytes | None:
    """Return a robots.txt that names the sitemap, from the one that is there.

    A user's file keeps each of its bytes; where it does not name the sitemap yet, that is added at
    its end, in its own line endings. What an earlier build added is taken out first. Without a
    sitemap the result is the user's own file, or ``None`` where no file of theirs is left.
    """
    own = users_part(present)
    if sitemap is None:
        return own
    line = b"Sitemap: " + sitemap.encode("ascii")
    if own is None:
        return _MINIMAL + line + b"\n"
    if sitemap.encode() in {match.strip() for match in _SITEMAP.findall(own.removeprefix(_BOM))}:
        return own
    end = b"\r\n" if b"\r\n" in own else b"\n"
    text = own if not own or own.endswith((b"\n", b"\r")) else own + end
    return text + end + end.join([_REMARK, line, b""])


def users_part(present: bytes | None) -> bytes | None:
    """Return the part of a robots.txt that is not ours, or ``None`` where all of it is."""
    if present is None or _OURS.fullmatch(present):
        return None
    return _ADDITION.sub(b"", present)


def named_by_us(present: bytes | None) -> str | None:
    """Return the sitemap that an earlier build of ours wrote into a robots.txt."""
    match = (_OURS.fullmatch(present) or _ADDITION.search(present)) if present else None
    return match[1].decode("ascii", "replace") if match else None
