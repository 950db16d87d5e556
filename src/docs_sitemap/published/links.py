"""The links of a page to other pages of its site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence, Set
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap.published.address import escape, join
from docs_sitemap.readers.html import unescape
from docs_sitemap.readers.page_parts import hrefs

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_UNKNOWN_BASE: Final = "https://unknown.invalid/"


def linked_paths(
    data: bytes, name: str, base: str, bases: Sequence[str], known: Set[bytes] = frozenset()
) -> Iterator[tuple[bytes, str]]:
    """Yield the links of a page but those that are ``known``, each with its path.

    The paths are relative to the site's base URL, with their escapes. ``base`` is the page's ``<base href>``,
    or empty; ``bases`` are the base URLs of the site. Links that begin with ``../`` are yielded from the root
    of the host, so that those of a navigation are the same on all pages.
    """
    folder = escape(name.rpartition("/")[0])
    if base and (place := _path_of(base, folder, bases)) is not None:
        folder = place.rpartition("/")[0]
    root = urlsplit(bases[0]).path if bases else "/"
    for link in _from_root(hrefs(data), folder, root) - known:
        text = unescape(link.decode("utf-8", "surrogateescape").strip())
        path = _path_of(text, folder, bases) if text else None
        if path is not None:
            yield link, path


def _from_root(links: set[bytes], folder: str, root: str) -> set[bytes]:
    """Return links without quotes, with their first ``../`` resolved; all at once, because they are many."""
    folders = folder.split("/") if folder else []
    text = b"\n" + b"\n".join(links)  # links have no line ends
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(len(folders), 0, -1):
        above = root + "".join(f"{each}/" for each in folders[:-up])
        text = text.replace(b"\n" + b"../" * up, b"\n" + above.encode("utf-8", "surrogateescape"))
    return set(text[1:].split(b"\n"))


def _path_of(link: str, folder: str, bases: Sequence[str]) -> str | None:
    """Return the path of a link on a page in a folder; ``None`` if it leads out of the site."""
    if link[0] != "/" and not _SCHEME.match(link):
        path = posixpath.normpath(f"/{folder}/{link}").strip("/")
        is_folder = link.rpartition("/")[2] in ("", ".", "..")
        return f"{path}/" if path and is_folder else path
    for site in bases or (_UNKNOWN_BASE,):
        url = join(site, link)
        if url.startswith(site):
            return url.removeprefix(site)
    return None
