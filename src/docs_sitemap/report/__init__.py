"""A report on a built site, as one HTML page for people: its ages, findings and changes.

The same site gives the same bytes: ages are counted from the site's newest date, and no time of day
of this machine is written. Reads what the checker reads, and asks the history only if it may.
"""

from __future__ import annotations

from docs_sitemap.report.facts import Facts, gather_facts
from docs_sitemap.report.page import render_report

__all__ = ["Facts", "gather_facts", "render_report"]
