"""Limits of the protocol and of search engines, with their sources, and limits on what is read."""

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
"""Bytes of a robots.txt that crawlers must read at least (RFC 9309, 2.5); Google reads no more."""

MAX_HEAD: Final = 1 << 20
"""Bytes of a page that are searched for the end of its head; some themes inline a whole style sheet."""

MAX_PAGE: Final = 1 << 23
"""Bytes of a page that are searched for its heading and images, tag by tag."""

MAX_TITLE: Final = 300
"""Characters of a title or a summary in a feed: engines and readers show no more."""

MAX_SITE: Final = 3 * MAX_BYTES
"""Bytes before compression of all parts of one sitemap that ``submit`` reads, some 600,000 URLs."""

MAX_STUB: Final = 1 << 14
"""Size in bytes from which a page is not a redirect stub: its body is not searched for a meta refresh.

Browsers obey a meta refresh in the body too (HTML, 4.2.5.3). This much of each page is read anyway, for its
head, so the search does not slow down long pages.
"""

MAX_FILE: Final = 64 << 20
"""Bytes of any file that is read whole and has no limit of its own; a larger one counts as unreadable."""

MAX_TEXT: Final = 1 << 20
"""Bytes of a configuration, data or source file: a larger one is an error, or is not searched for names."""

MAX_ANSWER: Final = 1 << 16
"""Bytes that are read of an HTTP response, unless it is a sitemap."""

MAX_SERVED_PAGE: Final = 1 << 24
"""Bytes of a page that ``check --live`` reads: Google reads 15 MB. A longer one may have no end."""

MAX_WAIT: Final = 120.0
"""Seconds that ``submit`` and ``check --live`` wait before another try, whatever ``Retry-After`` says."""

MAX_HELD: Final = 600.0
"""Seconds that ``check --live`` waits in all because a server asks for it, does not answer, or is slow."""

MAX_READ_SECONDS: Final = 600.0
"""Seconds that are taken at most to read all parts of one sitemap over HTTP (``submit``).

``check --live`` reads all sitemaps of a site for as long, and checks the pages that those list.
"""

MAX_BATCH: Final = 10_000
"""URLs in one POST to IndexNow (indexnow.org, documentation)."""

MAX_SHOWN: Final = 100
"""Characters of an untrusted value in a message: enough to find it."""

MAX_PATH: Final = 4_096
"""Characters of a path or pattern; Linux opens no longer path (``PATH_MAX``), others only shorter ones."""

MAX_FRONT_MATTER: Final = 1 << 16
"""Bytes of a page's source within which its front matter must end, and characters of settings in JSON."""

MAX_MESSAGE: Final = 500
"""Characters of a finding's message.

Longer messages are cut, and so are findings' URLs beyond ``MAX_LOC``: a URL of a megabyte may be in many
findings.
"""
