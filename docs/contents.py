"""A hook of the documentation's MkDocs build: the contents of the rules' page have titles beside the ids."""

from __future__ import annotations

import re
from typing import Any


def on_page_content(html: str, page: Any, **_: Any) -> None:
    """Add to each rule in the table of contents the title below its heading, whose anchor is the id."""
    if page.file.src_uri != "check-rules.md":
        return
    titles = dict(re.findall(r'<h3 id="(\w+)">.*?<strong>(.*?)</strong>', html, re.DOTALL))
    for kind in page.toc.items[0].children:
        for rule in kind.children:
            rule.title += f" {titles[rule.id]}"
