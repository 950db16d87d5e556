"""S: the settings of the build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_address

from docs_sitemap.check.findings import RULES, Found
from docs_sitemap.check.site import Site


@RULES.add(
    "S1",
    "info",
    "XSL stylesheet",
    """Browsers are removing XSLT (Chrome planned to turn it off in November 2026), so a sitemap with an XSL
    stylesheet becomes plain XML or a blank page for readers. A CSS stylesheet works everywhere.""",
)
def xslt(site: Site) -> Iterator[Found]:
    """Find sitemaps that browsers will not display as intended."""
    for document in site.sitemaps.all:
        if document.xslt:
            yield Found("has an XSL stylesheet, which browsers no longer apply", file=document.name)


@RULES.add(
    "S2",
    "info",
    "changefreq or priority",
    """Google and Bing ignore changefreq and priority. They only make the sitemap larger.""",
)
def ignored_hints(site: Site) -> Iterator[Found]:
    """Find elements that no engine reads."""
    for document in site.sitemaps.all:
        if document.hints:
            counts = " and ".join(f"{count:,} {name}" for name, count in sorted(document.hints.items()))
            yield Found(f"{counts}: engines ignore them", file=document.name)


@RULES.add(
    "S3",
    "error",
    "Base URL not set",
    """The base URL of the site is unknown, or is on a local server, a private network or the domain
    example.com: the build does not know the real one. Set site_url, html_baseurl or base_url.""",
)
def no_base(site: Site) -> Iterator[Found]:
    """Find sites that were built without a base URL, or for one that is not public."""
    if site.listed and not any(listed.origin for listed in site.listed):
        yield Found("no URL in the sitemap is absolute", file=site.listed[0].document.name)
    origins = Counter(listed.origin for listed in site.listed)
    if not origins:
        origins[site.origin] += 1
    for origin, count in origins.items():
        if kind := _placeholder(origin):
            text = (
                f"{count:,} URLs are on {origin}, {kind}"
                if site.listed
                else f"the site is on {origin}, {kind}"
            )
            yield Found(text, file=site.listed[0].document.name if site.listed else None)


def _placeholder(origin: str) -> str:
    host = origin.partition("://")[2]
    host = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if host == "localhost" or host.endswith((".localhost", ".local", ".invalid", ".test")):
        return "a local name"
    if host == "example.com" or host.endswith(".example.com"):
        return "a placeholder"
    try:
        return "" if ip_address(host).is_global else "an address that is not public"
    except ValueError:
        return ""
