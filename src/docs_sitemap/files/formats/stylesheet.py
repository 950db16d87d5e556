"""The stylesheet that shows a sitemap as a table. CSS, because browsers are removing XSLT."""

from __future__ import annotations

SIGNATURE = b"/* Written by docs-sitemap */"
"""Marks the file as ours, at its start, so that a later build may remove it."""

# Rows are plain blocks, and a negative margin moves the date next to the last line of the URL: 50,000 rows
# load in Chromium in 2.5 s and scroll at the full frame rate. A table or a grid takes a little longer to
# load; dates with `position` triple the cost of each jump; `content-visibility: auto` loads in 2 s, but then
# each scroll step takes 0.35 s. The file is ASCII, so that it does not depend on the charset. Phones lay out
# XML at 980 px and scale it to the screen, hence device-width and vw. Type selectors match in all namespaces:
# `link` and `image` are from the extensions. Firefox has no ::first-line in generated content.
_RULES = """
:root {
  --paper: #fff; --ink: #1c2128; --quiet: #57606a; --line: #d8dee4; --rule: #6e7781;
  color-scheme: light dark;
  display: block;
  max-width: 68em;
  margin: 0 auto;
  padding: 2.5em 2em 4em;
  background: var(--paper);
  color: var(--quiet);
  font: 15px/1.5 system-ui, sans-serif;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14181d; --ink: #e8ecf0; --quiet: #a0aab4; --line: #30373f; --rule: #7d8792; }
}

:root::before { color: var(--ink); font-size: 1.8em; font-weight: 600; line-height: 1.2; }
urlset::before { content: "Sitemap"; }
sitemapindex::before { content: "Sitemap index"; }
url:first-child::before { content: "The pages of this site, and when each last changed."; }
sitemap:first-child::before { content: "The sitemaps of this site, and when each last changed."; }

url, sitemap { display: block; padding: .5em 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
loc {
  display: block;
  margin-right: 16.5rem;
  color: var(--ink);
  font-variant-ligatures: none;
  overflow-wrap: anywhere;
}
:first-child > loc { position: relative; }
:first-child > loc::before, :first-child > loc::after {
  content: "Address";
  display: block;
  color: var(--quiet);
  font-size: .9em;
  font-weight: 600;
}
:first-child > loc::before {
  margin: 1.5rem -16.5rem .5rem 0;
  padding-bottom: .2rem;
  border-bottom: 2px solid var(--rule);
}
:first-child > loc::after {
  content: "Last changed";
  position: absolute;
  top: 0;
  right: -16.5rem;
  width: 15.5rem;
}
lastmod {
  display: block;
  width: 15.5rem;
  margin: -1.5em 0 0 auto;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}

changefreq, priority, link, image {
  display: inline;
  margin-right: 1.5em;
  font-size: .9em;
  white-space: nowrap;
}
changefreq::before { content: "changes "; }
priority::before { content: "priority "; }
link::before { content: attr(hreflang); }
link:first-of-type::before { content: "languages: " attr(hreflang); }
link:not(:last-of-type) { margin: 0; }
link:not(:last-of-type)::after { content: ","; }
url { counter-reset: images; }
image { counter-increment: images; }
image:not(:last-of-type) { margin: 0; }
image * { display: none; }
image:last-of-type::after { content: "images: " counter(images); }

@media screen and (max-width: 45em), screen and (max-device-width: 45em) {
  :root { padding: 1.2em 1em 2em; }
  :first-child > loc::before { content: ""; margin-right: 0; }
  :first-child > loc::after { content: none; }
  loc, lastmod { width: auto; margin: 0; }
}
@media screen and (max-device-width: 979px) { :root { font-size: max(15px, 2.1vw); } }
@media screen and (min-device-width: 30em) and (max-device-width: 41em) { :root { font-size: 2.8vw; } }
@media screen and (max-device-width: 30em) and (orientation: portrait) { :root { font-size: 4.2vw; } }
@media print { :root { padding: 0; max-width: none; font-size: 10pt; } }
"""


def render_stylesheet() -> bytes:
    """Return the stylesheet for ``<urlset>`` and ``<sitemapindex>``: the same bytes for every site."""
    return SIGNATURE + _RULES.encode("ascii")
