"""Find the IndexNow key, and the URL of its file."""

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

_LONGEST = 130  # bytes of the longest key, with line ends that editors add


def find_key(folder: Path, given: str, location: str, base_url: str) -> Key | None:
    """Return the ``given`` key, or that of the only key file in a folder; ``None`` if there is neither.

    ``location`` is the URL of the key file, if given; otherwise it is in the folder, whose URL is
    ``base_url``, or at the host's root. Raises ``SubmitError`` if the folder has several key files, or if
    the URL of the key file is unknown.
    """
    found = key_files(folder)
    if not given and len(found) > 1:
        raise SubmitError(f"{folder}: has {len(found)} IndexNow key files: choose a key with INDEXNOW_KEY.")
    key = given or next(iter(found), "")
    if not key:
        return None
    if location or key not in found:
        return Key(key, location)
    if not base_url:
        raise SubmitError(
            f"{folder}: has an IndexNow key file, but the folder's URL is unknown, because robots.txt does "
            "not have exactly one line for its sitemap. Set the URL with --base-url."
        )
    return Key(key, f"{base_url}{key}.txt")


def find_base_url(sitemap: Path) -> str:
    """Return the URL of a sitemap's folder from the robots.txt next to it, or ``""``."""
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
    """Return the keys of the key files in a folder: regular files that contain their own name."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            key, _, suffix = entry.name.rpartition(".")
            if suffix == "txt" and INDEXNOW_KEY.fullmatch(key) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):  # an unreadable file is no key file
                    if read_start(entry.path, _LONGEST).strip() == key.encode("ascii"):
                        found.append(key)
    return sorted(found)
