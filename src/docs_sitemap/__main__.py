"""``python -m docs_sitemap`` is the command line."""

from __future__ import annotations

from docs_sitemap.cli import main

if __name__ == "__main__":
    main(prog_name="docs-sitemap")
