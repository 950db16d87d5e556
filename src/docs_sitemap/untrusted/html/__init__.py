"""What a published page says of itself: the one room that reads HTML.

Search engines obey the page and not the generator's configuration, so the file is the truth whatever
theme, template or plugin wrote it. Knows HTML; must not know who asks, nor what a sitemap is.

All of it is read by the tags of ``tags.py``, in time linear in the bytes, whatever stands in them; no
more of a file is read than ``MAX_HEAD`` or ``MAX_PAGE`` bytes, and only what is asked for.
"""

from docs_sitemap.untrusted.html.forms import search_forms
from docs_sitemap.untrusted.html.head import (
    Head,
    head_of,
    leads_elsewhere,
    read_head,
    read_to_end_of_head,
    says_noindex,
)
from docs_sitemap.untrusted.html.heading import read_heading
from docs_sitemap.untrusted.html.images import read_images
from docs_sitemap.untrusted.html.links import embedded, hrefs
from docs_sitemap.untrusted.html.tags import unescape

__all__ = [
    "Head",
    "embedded",
    "head_of",
    "hrefs",
    "leads_elsewhere",
    "read_head",
    "read_heading",
    "read_images",
    "read_to_end_of_head",
    "says_noindex",
    "search_forms",
    "unescape",
]
