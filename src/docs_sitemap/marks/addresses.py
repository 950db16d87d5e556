"""Find the address that a URL is below, among many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_sitemap.urls import with_usual_host


class Addresses:
    """The URLs of folders, which end in ``/``, each with its folder, or ``None`` if that is not known."""

    def __init__(self, folders: Mapping[str, str | None]) -> None:
        usual = {with_usual_host(url): folder for url, folder in folders.items()}
        self._known = {_rest(url): (url, folder) for url, folder in usual.items()}

    def above(self, url: str) -> tuple[str, str | None] | None:
        """Return the address that an absolute URL is below, with http or https, and its folder.

        The URL must have the usual host: in lower case, without the default port.
        """
        rest = _rest(url)
        ends = (at + 1 for at, char in enumerate(rest) if char == "/")
        return next((self._known[rest[:end]] for end in ends if rest[:end] in self._known), None)


def _rest(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return rest if scheme in ("http", "https") else ""


NOWHERE: Final = Addresses({})
