"""What ``docs-sitemap check`` prints on a terminal of a small site with faults, as text and as a page."""

from __future__ import annotations

import re
import tempfile
from contextlib import chdir
from html import escape
from pathlib import Path
from typing import Final

from click.testing import CliRunner
from tests.support.checksite import BASE, BuiltSite, Entry

from docs_sitemap.cli import main

_STYLE: Final = """
body { margin: 0; padding: 18px 20px; background: #fff; color: #24292f; }
pre { margin: 0; font: 14.5px/1.5 "DejaVu Sans Mono", monospace; }
pre { white-space: pre-wrap; word-break: break-all; }
.s1 { font-weight: bold } .s31 { color: #b3261e } .s32 { color: #0a6b2d } .s33 { color: #7d5a00 }
.s34 { color: #0b4fb3 } .s36 { color: #0e6a7c }
@media (prefers-color-scheme: dark) {
  body { background: #16191d; color: #e0e4ea; }
  .s31 { color: #ff7b72 } .s32 { color: #5fd07d } .s33 { color: #e3b341 } .s34 { color: #79b8ff }
  .s36 { color: #5ec8d8 }
}
"""


def check_output(*, color: bool = False) -> str:
    """Return what ``check`` prints of a small site: errors, warnings and an info."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        site = BuiltSite(Path("site"))
        site.entries.append(Entry(f"{BASE}guide/old/", "2024-07-07T10:00:00+00:00"))
        for path in ("faq/", "guide/use/"):
            site.pages[path].head = '<meta name="robots" content="noindex">'
        site.entry("api.html").lastmod = "20.8.2024"
        site.robots = f"User-agent: *\nDissallow: /drafts/\n\nSitemap: {BASE}sitemap.xml\n"
        site.pages[""].links.remove("guide/install/")
        site.write()
        env = {"NO_COLOR": None if color else "1", "FORCE_COLOR": "1"}
        return CliRunner().invoke(main, ["check", "site"], env=env).stdout


def example() -> str:
    """Return the output as a block for a page."""
    return f"```console\n$ docs-sitemap check site\n{check_output().rstrip()}\n```"


def as_html(text: str) -> str:
    """Return text with the codes of a terminal (ECMA-48, SGR) as a page with classes for them."""
    shown = re.sub(r"\x1b\[([\d;]+)m", _span, escape(f"$ docs-sitemap check site\n{text}", quote=False))
    return f'<!DOCTYPE html><meta charset="utf-8"><style>{_STYLE}</style><pre>{shown}</pre>'


def _span(code: re.Match[str]) -> str:
    classes = " ".join(f"s{number}" for number in code[1].split(";"))
    return "</span>" if code[1] == "0" else f'<span class="{classes}">'
