"""The former names of ``text``."""

from __future__ import annotations

from docs_sitemap.text import and_more, counted, escape_json, text_of
from docs_sitemap.text import escape_control as printable
from docs_sitemap.text import shorten as shown
from docs_sitemap.text import show_value as brief

__all__ = ["and_more", "brief", "counted", "escape_json", "printable", "shown", "text_of"]
