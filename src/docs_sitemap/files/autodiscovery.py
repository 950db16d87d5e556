"""Make the links by which browsers and feed readers find a site's feeds. Pure."""

from __future__ import annotations

from html import escape

from docs_sitemap import urls
from docs_sitemap.files.family import Family
from docs_sitemap.files.formats.feed import MEDIA_TYPES
from docs_sitemap.options import Options
from docs_sitemap.pages import Host, base_url_of


def feed_links(options: Options, host: Host) -> str:
    """Return a ``<link rel="alternate">`` for each feed in ``formats``, for a page's head.

    Empty if there is none, or if the site's base URL is unknown.
    """
    feeds = {kind: name for kind, name in Family(options.filename).feeds.items() if kind in options.formats}
    base_url = base_url_of(options, host) if feeds else None
    if base_url is None:
        return ""
    title = escape(host.title)
    links = [(MEDIA_TYPES[kind], escape(urls.join_file(base_url, name))) for kind, name in feeds.items()]
    return "".join(
        f'<link rel="alternate" type="{media_type}" title="{title}" href="{url}">\n'
        for media_type, url in links
    )
