"""``docs-sitemap check --live``: check a site as it is served."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docs_sitemap.cli.common import checked, require
from docs_sitemap.cli.progress import reading_pages

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
    asked = LiveQuestion(base, root, question.previous, sample, Pace(rate, seconds=seconds))
    with reading_pages("Asking for pages") as progress:
        result, site = check_live(asked, rules, progress)
    if has_folder:
        with reading_pages() as progress:
            built = check_site(replace(question, base_url=question.base_url or base), rules, progress)
        result.findings = in_order([*result.findings, *built.findings])
    return result, site.is_complete
