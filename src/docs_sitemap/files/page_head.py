"""Make the elements that tell search engines a page's dates, for its head. Pure."""

from __future__ import annotations

import json
from typing import Final

from docs_sitemap.untrusted.html import dates_in

_MODIFIED: Final = "article:modified_time"
_PUBLISHED: Final = "article:published_time"
_STRUCTURED: Final = "dateModified"


def date_elements(
    date: str, url: str | None, present: str, *, created: str | None = None, structured: bool
) -> str:
    r"""Return the elements for a date in W3C Datetime: Open Graph's, and JSON-LD if it is asked for.

    ``present`` is the head, or what is known of it: what it already says is not said again, because two dates
    of a page would contradict each other. ``url`` is the page's own URL, ``created`` when it was added.

    >>> date_elements("2024-05-01", None, "<head>", structured=False)
    '<meta property="article:modified_time" content="2024-05-01">\n'
    """
    said = dates_in(present.encode("utf-8", "replace"))
    found = "" if _MODIFIED in said else f'<meta property="{_MODIFIED}" content="{date}">\n'
    if created and _PUBLISHED not in said:
        found += f'<meta property="{_PUBLISHED}" content="{created}">\n'
    if structured and _STRUCTURED not in said:
        data = {
            "@context": "https://schema.org",
            "@type": "WebPage",
            "url": url,
            _STRUCTURED: date,
            "datePublished": created,
        }
        text = json.dumps({name: value for name, value in data.items() if value})
        found += '<script type="application/ld+json">' + text.replace("<", r"\u003c") + "</script>\n"
    return found
