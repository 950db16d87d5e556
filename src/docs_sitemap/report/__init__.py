"""Write an HTML report on a built site: its findings, dates, ages and changes.

The same site gives the same bytes: ages count from the site's newest date, and the report does not contain
the current time. Reads the same files as the checker, and the git history only on request.
"""

from __future__ import annotations

from docs_sitemap.report.facts import Facts, gather_facts
from docs_sitemap.report.page import render_report

__all__ = ["Facts", "gather_facts", "render_report"]
