"""Wait until a deployed sitemap and the key file are online."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from docs_sitemap.sitemaps import read_entries
from docs_sitemap.submit.reading import fetch, is_xml, locate_parts, parse, read_content
from docs_sitemap.submit.web import SubmitError, Web

_PAUSE: Final = 5.0
"""Seconds between two tries, at most; a tenth of a shorter limit."""

_LAST_TRY: Final = 1.0
"""Seconds for the last answers after the time is over."""


def wait_until_served(
    file: Path, url: str, key_file: tuple[str, str] | None, web: Web, seconds: float
) -> None:
    """Wait until ``url`` serves what a sitemap ``file`` and its parts have, and until the key file is there.

    ``key_file`` is its URL and the key, or ``None`` if nobody is to ask for it. Raises ``SubmitError`` with
    what is still missing after so many ``seconds``.
    """
    end = time.monotonic() + seconds
    asking = replace(web, retries=0, until=end + _LAST_TRY)
    _, parts = parse(read_content(file), str(file))
    files = {url: file} | (locate_parts(parts, file, url.rpartition("/")[0] + "/") if parts else {})
    told = ""
    while missing := " and ".join(_missing(files, url, key_file, asking)):
        left = end - time.monotonic()
        if left <= 0:
            raise SubmitError(f"not online after {seconds:g} seconds: {missing}. Nothing is submitted.")
        if missing != told:
            web.say(f"Waiting for {missing}.")
            told = missing
        time.sleep(min(_PAUSE, seconds / 10, left))


def _missing(files: dict[str, Path], url: str, key_file: tuple[str, str] | None, web: Web) -> Iterator[str]:
    if why := _why_not_online(files, url, web):
        yield f"the new sitemap at {url} ({why})"
    if key_file and (why := why_not_key(*key_file, web)):
        yield f"the key file ({why})"


def _why_not_online(files: dict[str, Path], sitemap: str, web: Web) -> str:
    """Return why not all files have the same entries, or name the same parts, at their URLs.

    Once one is missing, the others are not asked for. What is there is taken out, and not asked for again.
    """
    for url, file in list(files.items()):
        try:
            here, there = read_content(file), fetch(url, web)
            if here != there and _entries(here, str(file)) != _entries(there, url):
                return f"{'' if url == sitemap else f'{url}: '}it still has other URLs or dates"
        except SubmitError as problem:
            return str(problem).rstrip(".").removeprefix(f"{sitemap}: ")
        del files[url]
    return ""


def _entries(data: bytes, name: str) -> set[tuple[str, str | None]]:
    """Return the URLs of a sitemap or an index, with their dates."""
    if is_xml(data):
        return {(entry.loc, entry.lastmod) for entry in read_entries(data, name).entries}
    return set(parse(data, name)[0].items())


def why_not_key(url: str, key: str, web: Web) -> str:
    """Return why a URL does not have the key, without the key."""
    try:
        answer = web.ask("GET", url)
    except SubmitError as problem:
        return str(problem).replace(key, "KEY").rstrip(".")
    if answer.status != 200:
        return f"the server answers {answer.status}"
    return "" if answer.body.strip() == key.encode() else "it has something else"
