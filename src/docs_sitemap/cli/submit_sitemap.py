"""``docs-sitemap submit --search-console``: submit the sitemap's URL to Google."""

from __future__ import annotations

from pathlib import Path

import click

from docs_sitemap.cli.common import note, say
from docs_sitemap.submit import SEARCH_CONSOLE, SearchConsole, Web, check_property, read_account


def open_console(
    site: str, address: str, credentials: Path | None, web: Web, endpoint: str | None
) -> SearchConsole:
    """Return a client for the property, which must contain the sitemap's URL. Sends no requests yet."""
    if credentials is None:
        raise click.UsageError(
            "--search-console needs --credentials FILE, the JSON file of a service account."
        )
    check_property(site, address)
    return SearchConsole(site, read_account(credentials), web, endpoint or SEARCH_CONSOLE)


def submit_sitemap(address: str, console: SearchConsole, *, dry_run: bool) -> None:
    """Submit a sitemap, and print its status at Google; exit with code 1 if Google found errors."""
    if dry_run:
        say(address)
        note(f"It would be submitted to Search Console for {console.site}.")
        return
    console.submit(address)
    status = console.get(address)
    say(f"{address}: submitted to Search Console: {status.text}.")
    if status.errors:
        raise click.exceptions.Exit(1)
