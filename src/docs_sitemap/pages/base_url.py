"""Finds a site's base URL: from the option, else from the generator, else from the hosting service."""

from __future__ import annotations

from docs_sitemap.brief import brief, shown
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import Options, validation
from docs_sitemap.pages.hosting import Hosting, detect_hosting
from docs_sitemap.pages.page import Host


def find_base_url(options: Options, host: Host, hosting: Hosting) -> tuple[str | None, list[Notice]]:
    """Return the site's base URL, and a notice if it is missing, invalid or inconsistent.

    It is absolute, in ASCII, and ends in ``/``; ``None`` if no sitemap can be written.
    """
    if hosting.preview:
        text = f"This is a preview build ({shown(hosting.preview)}): no sitemap is written."
        return None, [Notice("info", Subtype.PREVIEW, text)]
    if options.base_url:
        return options.base_url, _disagreement(options.base_url, host)
    if host.base_url:
        return _checked(host.base_url_option, host.base_url)
    if hosting.base_url:
        return _checked("the hosting service's environment", hosting.base_url)
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
        text = f"{name}: expected {problem}, got {brief(base_url)}. No sitemap is written."
        return None, [Notice("warning", Subtype.BASE_URL, text)]


def _disagreement(base_url: str, host: Host) -> list[Notice]:
    theirs = _checked(host.base_url_option, host.base_url)[0] if host.base_url else None
    if theirs is None or theirs == base_url:
        return []
    name = host.spell("base_url")
    text = (
        f"{name} is {shown(base_url)}, but {host.base_url_option} is {shown(theirs)}: the sitemap uses "
        "the first URL, the pages' canonical links use the second. Set both to the same URL, or remove "
        f"{name}."
    )
    return [Notice("warning", Subtype.CANONICAL, text)]
