"""Tell search engines what has changed, through IndexNow and Google's Search Console.

``reading`` reads sitemaps, ``batches`` groups them by host, ``web`` sends all requests,
and ``answers`` explains the responses. No message contains a secret: no key, no token, and no content of
a credentials file.
"""

from __future__ import annotations

from docs_sitemap.submit.answers import (
    ENGINES,
    NewSitemap,
    gone,
    wait_for,
    why_not_key,
)
from docs_sitemap.submit.indexnow import (
    INDEXNOW,
    Batch,
    IndexNow,
    Key,
    Outcome,
    batches,
    find_base_url,
    find_key,
    host_of,
    own_addresses,
)
from docs_sitemap.submit.reading import find_sitemap, read_file, read_live, read_web
from docs_sitemap.submit.searchconsole import SEARCH_CONSOLE, SearchConsole, check_property, read_account
from docs_sitemap.submit.web import MissingError, SubmitError, Web, check_url

__all__ = [
    "ENGINES",
    "INDEXNOW",
    "SEARCH_CONSOLE",
    "Batch",
    "IndexNow",
    "Key",
    "MissingError",
    "NewSitemap",
    "Outcome",
    "SearchConsole",
    "SubmitError",
    "Web",
    "batches",
    "check_property",
    "check_url",
    "find_base_url",
    "find_key",
    "find_sitemap",
    "gone",
    "host_of",
    "own_addresses",
    "read_account",
    "read_file",
    "read_live",
    "read_web",
    "wait_for",
    "why_not_key",
]
