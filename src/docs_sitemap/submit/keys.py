"""Finding the key of IndexNow, and the address of its file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from docs_sitemap import urls
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_ROBOTS
from docs_sitemap.options import INDEXNOW_KEY, validation
from docs_sitemap.submit.batches import Key
from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.untrusted import read_start

_LONGEST = 130  # a key, and what an editor puts behind it


def find_key(folder: Path, given: str, location: str, base_url: str) -> Key | None:
    """Return the key that was ``given``, or that of the one key file in a folder; ``None`` without either.

    ``location`` is the address of the key file, if that was given too; else it is in the folder, whose
    address is ``base_url``, or at the host's root. Raises ``SubmitError`` where a folder has several
    key files, and where the address of one is not known.
    """
    found = key_files(folder)
    if not given and len(found) > 1:
        raise SubmitError(
            f"{folder}: has {len(found)} key files of IndexNow: say which key with INDEXNOW_KEY."
        )
    key = given or next(iter(found), "")
    if not key:
        return None
    if location or key not in found:
        return Key(key, location)
    if not base_url:
        raise SubmitError(
            f"{folder}: has a key file of IndexNow, but the folder's address is not known: robots.txt has no "
            "one line for its sitemap. Say it with --base-url."
        )
    return Key(key, f"{base_url}{key}.txt")


def find_base_url(sitemap: Path) -> str:
    """Return the address of a sitemap's folder, as the robots.txt beside it says, or ``""``."""
    try:
        lines = robots.named(read_start(sitemap.parent / "robots.txt", MAX_ROBOTS, below=sitemap.parent))
    except OSError:
        return ""
    end = "/" + urls.escape_name(sitemap.name)
    found = {line.removesuffix(end) + "/" for line in lines if line.endswith(end)}
    try:
        return validation.base_url(found.pop()) if len(found) == 1 else ""
    except validation.UnexpectedError:
        return ""


def key_files(folder: Path) -> list[str]:
    """Return the keys whose files lie in a folder: plain files that have their own name in them."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            key, _, suffix = entry.name.rpartition(".")
            if suffix == "txt" and INDEXNOW_KEY.fullmatch(key) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):  # what nobody can read proves nothing
                    if read_start(entry.path, _LONGEST).strip() == key.encode("ascii"):
                        found.append(key)
    return sorted(found)
