"""Finds a site's base URL, and whether a build is that of an old version."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from docs_sitemap import urls
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import validation
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.validation import not_shown
from docs_sitemap.pages.hosting import NO_HOSTING, Hosting, detect_hosting
from docs_sitemap.pages.page import Host
from docs_sitemap.pages.version_names import STABLE, is_development, is_release, is_version
from docs_sitemap.text import shorten, show_value

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

    >>> from docs_sitemap.pages.hosting import NO_HOSTING
    >>> version_of("https://docs.example.org/en/2.1/", NO_HOSTING)
    '2.1'
    >>> version_of("https://example.github.io/project/", NO_HOSTING)
    ''
    """
    name = unquote(urlsplit(base_url).path.removesuffix("/").rpartition("/")[2])
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


_NO_SITE: Final = "/"
"""What Read the Docs tells its users to write for builds elsewhere ("Deploying Sphinx on Read the Docs")."""


def find_base_url(options: Options, host: Host, hosting: Hosting) -> tuple[str | None, list[Notice]]:
    """Return the site's base URL, and a notice if it is missing, invalid or inconsistent.

    It is absolute, in ASCII, and ends in ``/``; ``None`` if no sitemap is to be written.
    """
    if hosting.preview:
        text = f"This is a preview build ({shorten(hosting.preview)}): no sitemap is written."
        return None, [Notice("info", Subtype.PREVIEW, text)]
    base_url, notices = _found(options, host, hosting)
    if base_url is None or options.current_version is None:
        return base_url, notices
    notices += _of_another(base_url, options, host, hosting)
    if other := other_version(base_url, options.current_version, hosting):
        text = (
            f"This is a build of version {shorten(other.name)}, and {host.spell('current_version')} is "
            f"{shorten(options.current_version)}: no sitemap is written."
        )
        return None, [*notices, Notice("info", Subtype.VERSION, text)]
    if not version_of(base_url, hosting) and options.current_version != ABOVE:
        text = (
            f"{host.spell('current_version')} is {shorten(options.current_version)}, but the URL of the "
            f"site, {shorten(base_url)}, does not end with the name of a version: this is taken for the "
            "current one."
        )
        notices.append(Notice("info", Subtype.VERSION, text))
    return base_url, notices


def _of_another(base_url: str, options: Options, host: Host, hosting: Hosting) -> list[Notice]:
    """Report the URL of a version that is neither the current one nor the one that is built."""
    named = version_of(base_url, NO_HOSTING)
    if not hosting.version or not named or named in (hosting.version, options.current_version):
        return []
    text = (
        f"The URL of the site, {shorten(base_url)}, is that of version {shorten(named)}, and "
        f"{host.spell('current_version')} is {shorten(options.current_version or '')}: the canonical links "
        "of all versions lead to one that search engines do not find. Name the same version in both."
    )
    return [Notice("warning", Subtype.VERSION, text)]


def find_other_version(
    options: Options, host: Host, hosting: Hosting
) -> tuple[str | None, OtherVersion | None]:
    """Return the site's base URL, and which version is built if it is not the current one.

    Both are ``None`` in a preview, and if the URL is not known.
    """
    base_url = None if hosting.preview else _found(options, host, hosting)[0]
    if base_url is None or options.current_version is None:
        return base_url, None
    return base_url, other_version(base_url, options.current_version, hosting)


def _found(options: Options, host: Host, hosting: Hosting) -> tuple[str | None, list[Notice]]:
    if options.base_url:
        name = host.spell("base_url")
        notices = _disagreement(options.base_url, host) or _elsewhere(name, options.base_url, hosting)
        return options.base_url, notices
    if host.base_url and host.base_url != _NO_SITE:
        base_url, notices = _checked(host.base_url_option, host.base_url)
        return base_url, notices or _elsewhere(host.base_url_option, base_url, hosting)
    if hosting.base_url:
        return _checked(f"the environment variable {hosting.variable}", hosting.base_url)
    text = (
        "No sitemap is written, because the URL of the site is not known: "
        f'set {host.base_url_option} to it, such as "https://example.org/docs/".'
    )
    # many read it from a variable that only the service sets: their local builds must not fail
    return None, [Notice("info", Subtype.BASE_URL, text)]


def base_url_of(options: Options, host: Host) -> str | None:
    """Return the base URL alone, for callers that need it before ``emit`` reports what is wrong with it."""
    return find_base_url(options, host, detect_hosting())[0]


def _checked(name: str, base_url: str) -> tuple[str | None, list[Notice]]:
    try:
        return validation.base_url(base_url), []
    except validation.UnexpectedError as problem:
        got = not_shown(base_url) if problem.secret else show_value(base_url)
        text = f"{name}: expected {problem}, got {got}. No sitemap is written."
        return None, [Notice("warning", Subtype.BASE_URL, text)]


def _elsewhere(name: str, base_url: str | None, hosting: Hosting) -> list[Notice]:
    """Report a URL at which this build is not published, such as that of another version."""
    published = _checked("", hosting.base_url)[0] if hosting.base_url and hosting.is_exact else None
    if not base_url or not published or urlsplit(base_url).path == urlsplit(published).path:
        return []
    ours, theirs = ((urlsplit(url).hostname or "").lower() for url in (base_url, published))
    if ours != theirs and ours not in hosting.hosts:
        return []  # another server may pass requests on
    text = (
        f"{name} is {shorten(base_url)}, but this build is published at {shorten(published)}: the sitemap "
        f"lists URLs of another build, of which some may not exist. Set {name} to the second URL, or remove "
        "it."
    )
    return [Notice("info", Subtype.CANONICAL, text)]


def _disagreement(base_url: str, host: Host) -> list[Notice]:
    theirs = _checked(host.base_url_option, host.base_url)[0] if host.base_url else None
    if theirs is None or theirs == base_url:
        return []
    name = host.spell("base_url")
    text = (
        f"{name} is {shorten(base_url)}, but {host.base_url_option} is {shorten(theirs)}: the sitemap uses "
        "the first URL, the pages' canonical links use the second. Set both to the same URL, or remove "
        f"{name}."
    )
    return [Notice("warning", Subtype.CANONICAL, text)]
