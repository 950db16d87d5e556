"""The links by which browsers and readers find a site's feeds from each of its pages. Pure."""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape

from docs_sitemap import urls
from docs_sitemap.address import find_address
from docs_sitemap.family import Family
from docs_sitemap.hosting import detect_hosting
from docs_sitemap.options import Options
from docs_sitemap.page import Host


def feed_links(options: Options, host: Host, environ: Mapping[str, str] = os.environ) -> str:
    """Return a ``<link rel="alternate">`` for each feed that is asked for, for a page's head.

    Empty where there is none, or where the site's address is not known.
    """
    family = Family(options.filename)
    feeds = {"atom": ("application/atom+xml", family.atom), "rss": ("application/rss+xml", family.rss)}
    wanted = [feed for name, feed in feeds.items() if name in options.formats]
    base_url = find_address(options, host, detect_hosting(environ)).base_url if wanted else None
    if base_url is None:
        return ""
    links = [(kind, escape(urls.join_file(base_url, name))) for kind, name in wanted]
    title = escape(host.title)
    return "".join(
        f'<link rel="alternate" type="{kind}" title="{title}" href="{url}">\n' for kind, url in links
    )
