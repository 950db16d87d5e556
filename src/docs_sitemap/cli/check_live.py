"""``docs-sitemap check --live``: check a site as it is served."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docs_sitemap.cli.common import checked, note, require
from docs_sitemap.cli.rules import comparing, progress_bar, reading_pages

if TYPE_CHECKING:
    from docs_sitemap.check import Question, Result, Rule


def check_served(
    url: str,
    question: Question,
    rules: list[Rule],
    pace: tuple[float, float],
    sample: int | None,
    *,
    has_folder: bool,
) -> tuple[Result, bool]:
    """Check a served site, and its built folder if there is one; tell whether all was checked.

    ``pace`` is the rate, requests a second, and the seconds for each answer.
    """
    require("check --live", "httpx", "lxml", "protego")
    from docs_sitemap.check import check_site, in_order
    from docs_sitemap.check.live import LiveQuestion, Pace, check_live
    from docs_sitemap.options import validation

    base = str(checked("--live", url, validation.base_url))
    rate, seconds = pace
    root = question.root if has_folder else None
    pace_of_all = Pace(rate, seconds=seconds)
    asked = LiveQuestion(base, root, question.previous, question.sitemaps, sample, pace_of_all)
    with comparing():
        result, site = check_live(asked, rules, progress_bar)
    if has_folder:
        with reading_pages() as progress:
            built = check_site(replace(question, base_url=question.base_url or base), rules, progress)
        known = {(found.id, found.url, found.message) for found in built.findings}
        online = [found for found in result.findings if (found.id, found.url, found.message) not in known]
        result.findings = in_order([*online, *built.findings])
    if not site.is_complete:
        note(f"The check was stopped{f': {site.stopped}' if site.stopped else ''}.")
    return result, site.is_complete
