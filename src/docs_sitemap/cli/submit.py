"""``docs-sitemap submit``: tell search engines what has changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.cli.common import FILE, note, read_base_url, require, write_file

if TYPE_CHECKING:
    from docs_sitemap.cli.submit_urls import Place


@click.command()
@click.option(
    "--since",
    metavar="OLD_SITEMAP",
    help="The sitemap of the last deployment, a file or an https URL: only differences are submitted.",
)
@click.option("--all", "everything", is_flag=True, help="Submit all URLs, as after the first deployment.")
@click.option(
    "--endpoint",
    metavar="URL",
    help="Where to submit; default: https://api.indexnow.org/indexnow, which notifies all engines that take "
    "part in IndexNow, or Google's endpoint with --search-console.",
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
    help="Before a deployment: write what the sitemap that is online lists to this file, for --since, and "
    "submit nothing.",
)
@click.option(
    "--wait",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=0.0,
    help="Wait until the new sitemap and the key file are online, at most so long.",
)
@click.option(
    "--log",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what engines know after this submission to this file, for --since of the next one.",
)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be submitted, one URL per line, and why; send nothing."
)
@click.argument("place", metavar="SITE_DIR|SITEMAP")
def submit(
    *,
    since: str | None,
    everything: bool,
    endpoint: str | None,
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
    require("submit", "httpx", "lxml", "google.auth")
    from docs_sitemap import changes
    from docs_sitemap.cli.submit_urls import (
        find_changes,
        find_own,
        open_console,
        read_key,
        refuse_others,
        submit_sitemap,
        submit_urls,
        wait_until_online,
    )
    from docs_sitemap.cli.submit_urls import remember as remember_live
    from docs_sitemap.submit import INDEXNOW, IndexNow, Web

    _check_engine(engine, site)
    _check_alone(remember, since, everything, log, wait, dry_run, site)
    _check_writable({"--log": log, "--remember": remember})
    if log and since and not everything and Path(since) == log and not log.exists():
        since, everything = None, True  # the first of many runs
    _check_since(since, everything=everything)
    _check_urls({"--endpoint": endpoint, "--key-location": key_location})
    own = _addresses(hosts)
    web = Web(timeout, retries, say=note)
    found_at = _find(place, base_url)
    if site:
        console = open_console(site, found_at.url, credentials, web, endpoint)
        submit_sitemap(found_at.url, console, dry_run=dry_run)
        return
    if remember:
        remember_live(found_at, remember, web)
        return
    found = find_changes(found_at, since, web, everything=everything or dry_run)
    if dry_run and not (since or everything):
        note("Without --since, these are all URLs; to submit them, use --all.")
    key_of_site = read_key(found_at, key, key_location, web)
    likely = since if since and "://" in since else ""
    addresses = find_own(found.changes, [found_at.base_url, key_location or "", *own], likely)
    if wait and addresses and not dry_run:
        wait_until_online(found_at, key_of_site, web, wait)
    index_now = IndexNow(web, endpoint or INDEXNOW)
    accepted, code = submit_urls(addresses, key_of_site, index_now, found.why(), dry_run=dry_run)
    if log and not dry_run:
        write_file("--log", log, changes.render(changes.after(found.before, found.now, accepted)))
    refuse_others(addresses, key_of_site)
    if code:
        raise click.exceptions.Exit(code)


def _check_engine(engine: str, site: str | None) -> None:
    from docs_sitemap.submit import ENGINES, gone

    name = engine.lower()
    if name not in ENGINES:
        raise click.UsageError(f"--engine: expected one of {', '.join(ENGINES)}, got {engine!r}.")
    if name != "indexnow" and not (name == "google" and site):
        raise click.UsageError(f"--engine {engine}: {gone(name)}")


def _check_alone(remember: Path | None, *others: object) -> None:
    if remember and any(others):
        raise click.UsageError("--remember is for the time before a deployment, alone with --base-url.")


def _check_writable(named: dict[str, Path | None]) -> None:
    """Refuse a file that cannot be written, before anything is sent."""
    for option, file in named.items():
        if file and not file.parent.is_dir():
            raise click.UsageError(f"{option}: cannot write {file}: directory {file.parent} does not exist.")


def _check_since(since: str | None, *, everything: bool) -> None:
    if since is None:
        return
    if since and everything:
        raise click.UsageError("--since and --all: use only one of them.")
    if "://" in since:
        _check_urls({"--since": since})
    elif not since or not Path(since).exists():
        raise click.UsageError(f"--since: expected a sitemap, as a file or an https URL, got {since!r}.")


def _check_urls(named: dict[str, str | None]) -> None:
    """Refuse URLs that secrets must not be sent to; do not show the URL, which may contain a secret."""
    from docs_sitemap.errors import DocsSitemapError
    from docs_sitemap.submit import check_url

    for option, url in named.items():
        try:
            if url:
                check_url(url)
        except DocsSitemapError as problem:
            raise click.UsageError(f"{option}: {problem}") from None


def _addresses(hosts: tuple[str, ...]) -> list[str]:
    """Return a base URL for each ``--host``, which may be a host or a URL."""
    from docs_sitemap.options import validation

    found = []
    for host in hosts:
        try:
            found.append(validation.base_url(host if "://" in host else f"https://{host}/"))
        except validation.UnexpectedError:
            got = "" if "@" in host else f", got {host!r}"  # it may have a password
            raise click.UsageError(f"--host: expected a host, for example www.example.org{got}.") from None
    return found


def _find(place: str, base_url: str | None) -> Place:
    """Return the sitemap, and the URL of its folder, or an empty string if that is unknown."""
    from docs_sitemap.cli.submit_urls import Place
    from docs_sitemap.errors import DocsSitemapError
    from docs_sitemap.submit import find_base_url, find_sitemap

    if "://" in place:
        _check_urls({"SITEMAP": place})
        folder = place.partition("?")[0].rpartition("/")[0] + "/"
        return Place(place, None, folder if base_url is None else read_base_url(base_url), True)
    if not Path(place).exists():
        raise click.UsageError(f"SITE_DIR|SITEMAP: no such file or folder: {place}")
    try:
        sitemap = find_sitemap(Path(place))
    except DocsSitemapError as problem:
        raise click.UsageError(f"{problem} Name the folder of the built site, or its sitemap.") from None
    if base_url is not None:
        return Place(place, sitemap, read_base_url(base_url), True)
    return Place(place, sitemap, find_base_url(sitemap), False)
