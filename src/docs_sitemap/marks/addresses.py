"""Find the address that a URL is below, among many, in time that does not grow with their number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_sitemap.urls import with_usual_host


class Addresses:
    """The URLs of folders, which end in ``/``, each with its folder, or ``None`` if that is not known."""

    def __init__(self, folders: Mapping[str, str | None]) -> None:
        usual = {with_usual_host(url): folder for url, folder in folders.items()}
        self._known = {_rest(url): (url, folder) for url, folder in usual.items()}
        self._depth = max((rest.count("/") for rest in self._known), default=0)

    def above(self, url: str) -> tuple[str, str | None] | None:
        """Return the address that an absolute URL is below, with http or https, and its folder.

        The URL must have the usual host: in lower case, without the default port.
        """
        rest = _rest(url)
        end = 0
        for _ in range(self._depth):  # a URL may have thousands of folders
            end = rest.find("/", end) + 1
            if not end:
                return None
            if rest[:end] in self._known:
                return self._known[rest[:end]]
        return None


def _rest(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return rest if scheme in ("http", "https") else ""


NOWHERE: Final = Addresses({})
