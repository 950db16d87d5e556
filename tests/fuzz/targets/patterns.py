"""Patterns and the names that they are matched with: a line each, the last one is the name."""

from __future__ import annotations

import warnings

from docs_sitemap.options import validation
from docs_sitemap.pages.page import Page
from docs_sitemap.pages.patterns import Patterns

SEEDS = [
    b"drafts/\n!drafts/index.md\ndrafts/index.md",
    b"**/a/**/b*c?.[ch]\na/a/b/bxc1.h",
    b"*a*a*[!a]*b\n" + b"a" * 100,
    b"/a/*/b/**\n\\*\\ \na/b/b/c",
    b"*\n!*/\nx",
]


def read(data: bytes) -> None:
    """Match one name with all patterns, if they are some."""
    *patterns, name = data.decode("utf-8", "replace").split("\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of re, for [[a]
        try:
            clean = validation.patterns(patterns[:20])
        except validation.UnexpectedError:
            return
        Patterns(clean).match(Page(url=name[:2_000], source_path=name[:2_000]))
