"""``docs-sitemap submit``: tell search engines what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from docs_sitemap.cli.common import FILE, Grouped, check_writable, note, require, write_file

_GONE: Final[Mapping[str, str]] = {
    "google": "Google shut down its ping at the end of 2023 (announced in June 2023); it answers 404. Use "
    "--search-console SITE with --credentials FILE, and the Sitemap: line in robots.txt.",
    "bing": "Bing shut down its ping in May 2022. Omit --engine: Bing takes part in IndexNow, whose engines "
    "notify each other.",
    "yahoo": "Yahoo closed its service in November 2011, with its Site Explorer; its results come from Bing. "
    "Omit --engine: Bing takes part in IndexNow.",
    "ask": "Ask closed its service: it has had no crawler of its own since November 2010. There is no "
    "replacement.",
    "didikle": "Didikle closed its service at an unknown date. There is no replacement.",
}
"""Since when engines accept no pings, and what to do instead."""


@click.command(
    cls=Grouped,
    groups={
        "What to submit": "since all dry-run",
        "Before and after a deployment": "remember wait log",
        "The site and its key": "base-url host key key-location",
        "Google Search Console": "search-console credentials",
        "The engine": "engine endpoint retries timeout",
    },
    examples=(
        "docs-sitemap submit site --all --dry-run",
        "docs-sitemap submit site --since old-sitemap.xml --wait 300",
        "docs-sitemap submit site --search-console sc-domain:example.org --credentials robot.json",
    ),
)
@click.option(
    "--since",
    metavar="OLD_SITEMAP",
    help="The sitemap of the last deployment, a file or an https URL: only differences are submitted.",
)
@click.option("--all", "everything", is_flag=True, help="Submit all URLs, as after the first deployment.")
@click.option(
    "--endpoint",
    "endpoints",
    metavar="URL",
    multiple=True,
    help="Where to submit; default: https://api.indexnow.org/indexnow, which notifies all engines that take "
    "part in IndexNow, or Google's endpoint with --search-console. May be repeated: if an engine refuses, "
    "the next one is asked.",
)
@click.option(
    "--key",
    metavar="KEY",
    envvar="INDEXNOW_KEY",
    show_envvar=True,
    help="The site's key for IndexNow; default: the key of the key file next to the sitemap.",
)
@click.option(
    "--key-location",
    metavar="URL",
    help="The URL of the key file; default: next to the sitemap if it is there, otherwise the host's root.",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="The URL of the sitemap's folder; default: as the robots.txt next to it declares.",
)
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    help="Another host of the site, such as www.example.org; may be repeated. URLs on hosts that only the "
    "sitemap names are not submitted.",
)
@click.option(
    "--engine",
    metavar="NAME",
    default="indexnow",
    show_default=True,
    help="indexnow, or google with --search-console. For an engine that once accepted pings, such as bing, "
    "the error says since when it does not, and what to do instead.",
)
@click.option(
    "--search-console",
    "site",
    metavar="SITE",
    help="Submit the sitemap itself to Google, for this Search Console property, such as "
    "https://example.org/ or sc-domain:example.org.",
)
@click.option(
    "--credentials",
    metavar="FILE",
    type=FILE,
    help="The JSON file of a service account that is a user of the --search-console property.",
)
@click.option(
    "--retries",
    metavar="N",
    type=click.IntRange(0, 10),
    default=3,
    show_default=True,
    help="Number of retries if an engine is busy or unreachable.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0.1, 600),
    default=30.0,
    show_default=True,
    help="How long to wait for a response.",
)
@click.option(
    "--remember",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Before a deployment: save the sitemap that is online in this file, for --since; submit nothing.",
)
@click.option(
    "--wait",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=0.0,
    help="Wait at most this long until the new sitemap and the key file are online.",
)
@click.option(
    "--log",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Note in this file which URLs and dates the engines have accepted, for --since of the next run.",
)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be submitted, one URL per line, and why; send nothing."
)
@click.argument("place", metavar="SITE_DIR|SITEMAP")
def submit(
    *,
    since: str | None,
    everything: bool,
    endpoints: tuple[str, ...],
    key: str | None,
    key_location: str | None,
    base_url: str | None,
    hosts: tuple[str, ...],
    engine: str,
    site: str | None,
    credentials: Path | None,
    retries: int,
    timeout: float,
    remember: Path | None,
    wait: float,
    log: Path | None,
    dry_run: bool,
    place: str,
) -> None:
    """Tell search engines what has changed since the last deployment, through IndexNow.

    Run it when the new site is online: engines fetch the key file and the pages. SITEMAP may also be
    an https URL, or a list of URLs, one per line, as --dry-run prints it. With --search-console, it
    submits the sitemap's URL to Google, and prints what Google found in it.
    """
    require("submit", "httpx", "lxml", *(["google.auth"] if site else []))
    from docs_sitemap import changes
    from docs_sitemap.cli import submit_urls
    from docs_sitemap.submit.indexnow import INDEXNOW
    from docs_sitemap.submit.web import Web

    _check_engine(engine, site)
    if remember and any((since, everything, log, wait, dry_run, site)):
        raise click.UsageError("--remember is for the time before a deployment, alone with --base-url.")
    check_writable("--log", log)
    check_writable("--remember", remember)
    if log and since and not everything and Path(since) == log and not log.exists():
        since, everything = None, True  # the first of many runs
    submit_urls.check_since(since, everything=everything)
    submit_urls.check_option("--endpoint", *endpoints)
    submit_urls.check_option("--key-location", key_location)
    own = [submit_urls.read_host(host) for host in hosts]
    web = Web(timeout, retries, say=note)
    found_at = submit_urls.find_place(place, base_url)
    if site:
        submit_urls.to_search_console(found_at.url, site, credentials, web, endpoints, dry_run=dry_run)
        return
    if remember:
        submit_urls.remember(found_at, remember, web)
        return
    endpoints = endpoints or (INDEXNOW,)
    before, now, found = submit_urls.find_changes(found_at, since, web, everything=everything or dry_run)
    if dry_run and not (since or everything):
        note("Without --since, these are all URLs; to submit them, use --all.")
    key_of_site = submit_urls.read_key(found_at, key, key_location, web)
    likely = since if since and "://" in since else ""
    addresses = submit_urls.find_own(found, [found_at.base_url, key_location or "", *own], likely)
    code = 0
    if dry_run:
        submit_urls.rehearse(addresses, key_of_site, endpoints, found)
    else:
        if wait and addresses:
            submit_urls.wait_until_online(found_at, key_of_site, web, wait)
        accepted, code = submit_urls.submit_urls(addresses, key_of_site, web, endpoints)
        if log:
            write_file("--log", log, changes.render(changes.after(before, now, accepted)))
    submit_urls.refuse_others(addresses, key_of_site)
    if code:
        raise click.exceptions.Exit(code)


def _check_engine(engine: str, site: str | None) -> None:
    name = engine.lower()
    if name != "indexnow" and name not in _GONE:
        known = ", ".join(["indexnow", *_GONE])
        raise click.UsageError(f"--engine: expected one of {known}, got {engine!r}.")
    if name != "indexnow" and not (name == "google" and site):
        raise click.UsageError(f"--engine {engine}: {_GONE[name]}")
