"""Whether a build is that of another version than the one that search engines should show."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from docs_sitemap import urls
from docs_sitemap.pages.hosting import Hosting
from docs_sitemap.version_names import STABLE, is_development, is_release, is_version

ABOVE = ".."
"""The ``current_version`` that is in the folder above the others."""


class OtherVersion(NamedTuple):
    """A version that is not the current one, whose base URL is ``current``."""

    name: str
    current: str
    is_development: bool


def version_of(base_url: str, hosting: Hosting) -> str:
    """Return the name of the version that is built; empty if the base URL does not end with one.

    The service knows it best: many write the current version's URL for all builds, as the canonical one.

    >>> from docs_sitemap.pages import NO_HOSTING
    >>> version_of("https://docs.example.org/en/2.1/", NO_HOSTING)
    '2.1'
    >>> version_of("https://example.github.io/project/", NO_HOSTING)
    ''
    """
    name = _last_folder(base_url)
    is_known = name == hosting.version or is_version(name)
    return (hosting.version or name) if is_known else ""


def other_version(base_url: str, current: str, hosting: Hosting) -> OtherVersion | None:
    """Return the version that is built, unless it is the ``current`` one or not known.

    A branch that the hosting service names is in development, also if its name says nothing.
    """
    name = version_of(base_url, hosting)
    if not name or name == current:
        return None
    parts = urlsplit(base_url)
    above = parts.path.removesuffix("/").rpartition("/")[0]
    path = f"{above}/" if current == ABOVE else f"{above}/{urls.escape_name(current)}/"
    is_branch = hosting.is_branch and name == hosting.version and not (is_release(name) or name == STABLE)
    url = urlunsplit((*parts[:2], path, "", ""))
    return OtherVersion(name, url, is_branch or is_development(name))


def _last_folder(base_url: str) -> str:
    return unquote(urlsplit(base_url).path.removesuffix("/").rpartition("/")[2])
