"""Tell search engines what has changed, through IndexNow and Google's Search Console.

``reading`` reads sitemaps, ``waiting`` waits until they are online, and ``web`` sends all requests. No
message contains a secret: no key, no token, and no content of a credentials file.
"""

from __future__ import annotations

from docs_sitemap.submit.indexnow import (
    INDEXNOW,
    Batch,
    Key,
    Outcome,
    batches,
    find_base_url,
    find_key,
    host_of,
    own_addresses,
    send,
)
from docs_sitemap.submit.reading import find_sitemap, read_file, read_live, read_web
from docs_sitemap.submit.searchconsole import SEARCH_CONSOLE, check_property, read_account, submit_sitemap
from docs_sitemap.submit.waiting import NewSitemap, wait_for, why_not_key
from docs_sitemap.submit.web import MissingError, SubmitError, Web, check_url

__all__ = [
    "INDEXNOW",
    "SEARCH_CONSOLE",
    "Batch",
    "Key",
    "MissingError",
    "NewSitemap",
    "Outcome",
    "SubmitError",
    "Web",
    "batches",
    "check_property",
    "check_url",
    "find_base_url",
    "find_key",
    "find_sitemap",
    "host_of",
    "own_addresses",
    "read_account",
    "read_file",
    "read_live",
    "read_web",
    "send",
    "submit_sitemap",
    "wait_for",
    "why_not_key",
]
