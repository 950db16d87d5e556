"""The limits of the protocol and of the engines that read it, each with its source."""

from __future__ import annotations

from typing import Final

MAX_URLS: Final = 50_000
"""URLs in one sitemap (sitemaps.org, protocol; Google, Bing and Yandex reject more)."""

MAX_BYTES: Final = 52_428_800
"""Bytes of one sitemap or index before compression (sitemaps.org, since November 2016)."""

MAX_SITEMAPS: Final = 50_000
"""Sitemaps in one index (sitemaps.org, index)."""

MAX_LOC: Final = 2_047
"""Characters of a ``loc``: "less than 2,048" (sitemaps.org, xmlTagDefinitions)."""

MAX_IMAGES: Final = 1_000
"""``image:image`` elements of one URL (Google, image sitemaps)."""

MAX_ROBOTS: Final = 512_000
"""Bytes of a robots.txt that must be read at least (RFC 9309, 2.5); Google reads no more."""
