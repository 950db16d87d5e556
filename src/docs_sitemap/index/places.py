"""Which folder of a deployed tree is published where."""

from __future__ import annotations

from collections.abc import Mapping

from docs_sitemap import urls


class Places:
    """The addresses of folders: below the base URL, but for those that are hosts of their own.

    ``hosts`` are base URLs by folders below the root, with ``/``; all base URLs end in ``/``.
    """

    def __init__(self, base_url: str, hosts: Mapping[str, str]) -> None:
        self._bases = {"": base_url, **hosts}

    def host_of(self, folder: str) -> str:
        """Return the folder whose address is not its parent's: the one itself, or one above it."""
        names = folder.split("/") if folder else []
        for number in range(len(names), 0, -1):
            above = "/".join(names[:number])
            if above in self._bases:
                return above
        return ""

    def address(self, folder: str) -> str:
        """Return the absolute URL of a folder, encoded, with ``/`` at its end."""
        host = self.host_of(folder)
        below = folder.removeprefix(host).strip("/")
        return urls.join_file(self._bases[host], below) + "/" if below else self._bases[host]
