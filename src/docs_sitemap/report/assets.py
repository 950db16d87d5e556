"""The style and the script of a report, with the colours of the sitemap's stylesheet."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Final

STYLE: Final = """
:root {
  --paper: #fff; --ink: #1c2128; --quiet: #57606a; --line: #d8dee4; --rule: #6e7781;
  --bar: #2f6fb0; --error: #b3261e; --warning: #8a5300;
  color-scheme: light dark;
  background: var(--paper);
  color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e8ecf0; --quiet: #a0aab4; --line: #30373f; --rule: #7d8792;
    --bar: #6ea8e0; --error: #ff9b93; --warning: #e3b341;
  }
}
body { max-width: 68em; margin: 0 auto; padding: 2.5em 2em 4em; }
h1 { margin: 0; font-size: 1.8em; font-weight: 600; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.2em 0 .4em; font-size: 1.25em; font-weight: 600; line-height: 1.3; }
p { margin: .4em 0; }
time { white-space: nowrap; }
p, caption, summary, dt { color: var(--quiet); }
a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
code { font: .92em ui-monospace, monospace; color: var(--ink); }
dl { display: flex; flex-wrap: wrap; gap: 1em 2em; margin: 1.5em 0 0; }
dd { margin: 0; font-size: 1.25em; font-variant-numeric: tabular-nums; }
svg { display: block; margin-top: 1em; overflow: visible; }
svg text { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); }
.bar { fill: var(--bar); }
.trend { stroke: var(--bar); stroke-width: 2; }
summary { cursor: pointer; }
table { width: 100%; margin-top: 1.4em; border-collapse: collapse; }
caption { padding-bottom: .4em; text-align: left; }
th, td { padding: .45em 1.2em .45em 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
th { font-weight: 400; }
thead th { border-bottom: 2px solid var(--rule); color: var(--quiet); font-size: .9em; font-weight: 600;
  overflow-wrap: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.date { font-variant-numeric: tabular-nums; white-space: nowrap; }
.level { white-space: nowrap; }
.error { color: var(--error); font-weight: 600; }
.warning { color: var(--warning); font-weight: 600; }
th button { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer;
  text-align: inherit; text-decoration: underline dotted; text-underline-offset: .2em; }
[aria-sort=ascending] button::after { content: " \\2191"; }
[aria-sort=descending] button::after { content: " \\2193"; }
tr { break-inside: avoid; }
@media screen and (max-width: 40em) {
  body { padding: 1.2em 1em 2em; }
  th, td { padding-right: .8em; }
  .long { white-space: normal; }
  dl { display: grid; grid-template-columns: 1fr 1fr; }
}
@media print {
  :root { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  thead { display: table-header-group; }
  details::details-content { content-visibility: visible; height: auto; }
  .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""

# Makes tables sortable: compares rows by data-key, otherwise by text.
SCRIPT: Final = """
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const numbers = head.classList.contains("number");
      const key = row => {
        const cell = row.cells[column], text = cell.dataset.key ?? cell.textContent;
        return numbers ? Number(text) : text;
      };
      const compare = (a, b) => a < b ? -sign : a > b ? sign : 0;
      const rows = [...table.tBodies[0].rows].map(row => [key(row), row]);
      rows.sort((a, b) => compare(a[0], b[0]));
      table.tBodies[0].append(...rows.map(([, row]) => row));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
    });
  });
}
"""


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY: Final = (
    f"default-src 'none'; style-src {_source(STYLE)}; script-src {_source(SCRIPT)}; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Content Security Policy: no requests, and only this style and this script, by their hashes (CSP 3)."""
