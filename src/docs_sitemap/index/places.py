"""Map the folders of a deployed tree to URLs."""

from __future__ import annotations

from collections.abc import Mapping

from docs_sitemap import urls


class Places:
    """The URLs of folders: below the base URL, or below the base URL of their own host.

    ``hosts`` maps folders below the root, with ``/``, to base URLs; all base URLs end in ``/``.
    """

    def __init__(self, base_url: str, hosts: Mapping[str, str]) -> None:
        self._bases = {"": base_url, **hosts}

    def host_of(self, folder: str) -> str:
        """Return the folder, or the parent of it, that has its own base URL; the root is ``""``."""
        while folder not in self._bases:
            folder = folder.rpartition("/")[0]
        return folder

    def address(self, folder: str) -> str:
        """Return the absolute URL of a folder, encoded, with a trailing ``/``."""
        host = self.host_of(folder)
        below = folder.removeprefix(host).strip("/")
        return urls.join_file(self._bases[host], below) + "/" if below else self._bases[host]
