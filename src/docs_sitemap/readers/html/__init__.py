"""Reads what published pages say: the only package that reads HTML.

Search engines obey the page and not the generator's configuration, so the file decides, whichever
theme, template or plugin wrote it. Knows HTML; must not know its callers, nor what a sitemap is.

Pages are read by the tokenizer in ``tags.py``, and only up to ``MAX_HEAD`` or ``MAX_PAGE`` bytes of a file.
"""

from docs_sitemap.readers.html.head import (
    MARK,
    Head,
    has_noindex,
    head_of,
    read_head,
    refresh_in,
)
from docs_sitemap.readers.html.page import (
    dates_in,
    embedded,
    hrefs,
    read_heading,
    read_images,
    search_forms,
)
from docs_sitemap.readers.html.tags import Tag, tags, unescape

__all__ = [
    "MARK",
    "Head",
    "Tag",
    "dates_in",
    "embedded",
    "has_noindex",
    "head_of",
    "hrefs",
    "read_head",
    "read_heading",
    "read_images",
    "refresh_in",
    "search_forms",
    "tags",
    "unescape",
]
