"""``docs-sitemap submit``: tell search engines what has changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from docs_sitemap.commands.common import require

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docs_sitemap.submit.batches import Batch, Key
    from docs_sitemap.submit.changes import Changes
    from docs_sitemap.submit.indexnow import Outcome
    from docs_sitemap.submit.web import Web


@click.command()
@click.option(
    "--since",
    metavar="OLD_SITEMAP",
    help="The sitemap of the last deployment, a file or an https URL: only what differs is submitted.",
)
@click.option("--all", "everything", is_flag=True, help="Submit all URLs, as after a first deployment.")
@click.option(
    "--endpoint",
    metavar="URL",
    help="Where to submit; default: https://api.indexnow.org/indexnow, which tells all engines that take "
    "part in IndexNow, and with --search-console Google's own.",
)
@click.option(
    "--key",
    metavar="KEY",
    envvar="INDEXNOW_KEY",
    show_envvar=True,
    help="The site's key for IndexNow; default: the one whose key file lies beside the sitemap.",
)
@click.option(
    "--key-location",
    metavar="URL",
    help="The address of the key file; default: where it lies beside the sitemap, else the host's root.",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="The address of the sitemap's folder; default: as robots.txt beside it says.",
)
@click.option(
    "--engine",
    metavar="NAME",
    default="indexnow",
    show_default=True,
    help="indexnow, or google with --search-console. Of engines that once took pings, such as bing, it says "
    "since when they do not, and what to do instead.",
)
@click.option(
    "--search-console",
    "site",
    metavar="SITE",
    help="Submit the sitemap itself to Google, for this property of Search Console, such as "
    "https://example.org/ or sc-domain:example.org.",
)
@click.option(
    "--credentials",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The JSON file of a service account that is a user of the property that --search-console names.",
)
@click.option(
    "--retries",
    metavar="N",
    type=click.IntRange(0, 10),
    default=3,
    show_default=True,
    help="Number of further tries where an engine is busy or out of reach.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(0.1, 600),
    default=30.0,
    show_default=True,
    help="How long an answer may take.",
)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be submitted, one URL a line, and send nothing."
)
@click.argument("place", metavar="SITE_DIR|SITEMAP", type=click.Path(exists=True, path_type=Path))
def submit(
    *,
    since: str | None,
    everything: bool,
    endpoint: str | None,
    key: str | None,
    key_location: str | None,
    base_url: str | None,
    engine: str,
    site: str | None,
    credentials: Path | None,
    retries: int,
    timeout: float,
    dry_run: bool,
    place: Path,
) -> None:
    """Tell search engines what has changed since the last deployment, through IndexNow.

    Run it when the new site is online: engines fetch the key file and the pages. SITEMAP may also be
    a list of URLs, one a line, as --dry-run prints it. With --search-console, Google is told where
    the sitemap is, and says what it found in it.
    """
    require("submit", "httpx", "lxml", "google.auth")
    from docs_sitemap.errors import DocsSitemapError
    from docs_sitemap.submit.web import Web

    _check_engine(engine, site)
    if since and everything:
        raise click.UsageError("--since and --all: only one of them can be meant.")
    old_address = since if _is_web(since) else None
    if since is not None and not old_address and not (since and Path(since).exists()):
        raise click.UsageError(f"--since: expected a sitemap, as a file or an https URL, got {since!r}.")
    _check_urls({"--since": old_address, "--endpoint": endpoint, "--key-location": key_location})
    web = Web(timeout, retries, say=_note)
    try:
        sitemap, base_url = _find(place, base_url)
        if site:
            _submit_sitemap(
                sitemap,
                base_url,
                site=site,
                credentials=credentials,
                endpoint=endpoint,
                web=web,
                dry_run=dry_run,
            )
            return
        changes = _changes(sitemap, base_url, since, web, everything=everything or dry_run)
        if dry_run and not (since or everything):
            _note("Without --since these are all URLs; to submit them, --all is needed.")
        _submit_urls(
            changes, _key(sitemap.parent, key, key_location, base_url), endpoint, web, dry_run=dry_run
        )
    except DocsSitemapError as problem:
        raise click.ClickException(str(problem)) from None


def _check_engine(engine: str, site: str | None) -> None:
    from docs_sitemap.submit.answers import ENGINES, gone

    engine = engine.lower()
    if engine not in ENGINES:
        raise click.UsageError(f"--engine: expected one of {', '.join(ENGINES)}, got {engine!r}.")
    if engine != "indexnow" and not (engine == "google" and site):
        raise click.UsageError(f"--engine {engine}: {gone(engine)}")


def _is_web(place: str | None) -> bool:
    return place is not None and "://" in place


def _check_urls(named: dict[str, str | None]) -> None:
    """Refuse what would go where no secret may go; the URL is not shown, as it may have one in it."""
    from docs_sitemap.errors import DocsSitemapError
    from docs_sitemap.submit.web import check_url

    for option, url in named.items():
        try:
            if url:
                check_url(url)
        except DocsSitemapError as problem:
            raise click.UsageError(f"{option}: {problem}") from None


def _find(place: Path, base_url: str | None) -> tuple[Path, str]:
    """Return the sitemap, and the address of its folder where that is known."""
    from docs_sitemap import checks
    from docs_sitemap.errors import OptionError
    from docs_sitemap.submit.keys import find_base_url
    from docs_sitemap.submit.reading import find_sitemap

    sitemap = find_sitemap(place)
    if base_url is None:
        return sitemap, find_base_url(sitemap)
    try:
        return sitemap, checks.checked("--base-url", base_url, checks.base_url)
    except OptionError as problem:
        raise click.UsageError(str(problem)) from None


def _changes(sitemap: Path, base_url: str, since: str | None, web: Web, *, everything: bool) -> Changes:
    """Return what is to be submitted."""
    from docs_sitemap.submit.changes import Changes, compare
    from docs_sitemap.submit.reading import find_sitemap, read_file, read_web

    entries = read_file(sitemap, base_url, _note)
    if since is None:
        if not everything:
            raise click.UsageError(
                f"all {_urls(len(entries))} would be submitted, but IndexNow wants those that changed: name "
                "the old sitemap with --since, or submit all of them with --all."
            )
        return Changes(added=tuple(sorted(entries)))
    old = read_web(since, web) if _is_web(since) else read_file(find_sitemap(Path(since)))
    changes = compare(old, entries)
    if changes.undated:
        _note(
            f"{_urls(changes.undated)} without a date, so that nobody knows whether they changed: not "
            "submitted."
        )
    return changes


def _key(folder: Path, key: str | None, location: str | None, base_url: str) -> Key | None:
    from docs_sitemap.checks import INDEXNOW_KEY
    from docs_sitemap.submit.keys import find_key

    if key and not INDEXNOW_KEY.fullmatch(key):
        raise click.UsageError("--key: expected 8 to 128 letters a to z and A to Z, digits and hyphens.")
    return find_key(folder, key or "", location or "", base_url)


def _submit_urls(changes: Changes, key: Key | None, endpoint: str | None, web: Web, *, dry_run: bool) -> None:
    from docs_sitemap.submit.batches import batches
    from docs_sitemap.submit.indexnow import ENDPOINT

    endpoint = endpoint or ENDPOINT
    addresses = changes.addresses()
    _note(
        f"{_urls(len(addresses))}: {len(changes.added):,} new, {len(changes.changed):,} changed, "
        f"{len(changes.removed):,} removed."
    )
    covered = [address for address in addresses if key is None or key.covers(address)]
    todo = list(batches(covered))
    if dry_run:
        _rehearse(todo, key, endpoint)
    elif todo and key is None:
        raise click.UsageError(
            "there is no key for IndexNow: set INDEXNOW_KEY, or have the build write the key file with the "
            "option indexnow_key."
        )
    done = True if dry_run or key is None else _send(todo, key, endpoint, web)
    if key and len(covered) < len(addresses):
        refused = next(address for address in addresses if not key.covers(address))
        _fail(
            f"not submitted: {_urls(len(addresses) - len(covered))} outside of {key.folder}, where the key "
            f"file is, as {refused}. Another key file belongs there, or this one at the root of the host."
        )
    if not done:
        sys.exit(1)


def _rehearse(todo: list[Batch], key: Key | None, endpoint: str) -> None:
    """Print the URLs, and say where they would go."""
    for batch in todo:
        _note(f"{batch.host}: {_urls(len(batch.addresses))} would go to {endpoint}.")
        for address in batch.addresses:
            click.echo(address)
    if key is None:
        _note("There is no key yet; see INDEXNOW_KEY and the option indexnow_key.")
    elif key.location:
        _note(f"The key file is in the folder {key.folder}.")


def _send(todo: list[Batch], key: Key, endpoint: str, web: Web) -> bool:
    """Send, say what became of it, and tell whether all of it was taken."""
    from docs_sitemap.submit.indexnow import send

    outcomes = send(todo, key, endpoint, web)
    if len(todo) > 1 and sys.stderr.isatty():
        with click.progressbar(outcomes, length=len(todo), label="Submitting", file=sys.stderr) as bar:
            return _tell(list(bar))
    return _tell(outcomes if todo else [])


def _tell(outcomes: Iterable[Outcome]) -> bool:
    done = True
    for outcome in outcomes:
        click.echo(f"{outcome.batch.host}: {_urls(len(outcome.batch.addresses))}: {outcome.text}.")
        done = done and outcome.is_accepted
    return done


def _submit_sitemap(
    sitemap: Path,
    base_url: str,
    *,
    site: str,
    credentials: Path | None,
    endpoint: str | None,
    web: Web,
    dry_run: bool,
) -> None:
    from docs_sitemap import urls
    from docs_sitemap.submit import searchconsole

    if credentials is None:
        raise click.UsageError(
            "--search-console needs --credentials FILE, the JSON file of a service account."
        )
    if not base_url:
        raise click.UsageError(
            f"the address of {sitemap} is not known: say that of its folder with --base-url."
        )
    endpoint = endpoint or searchconsole.ENDPOINT
    address = urls.join_file(base_url, sitemap.name)
    searchconsole.check_property(site, address)
    account = searchconsole.read_account(credentials)
    if dry_run:
        click.echo(address)
        _note(f"It would be submitted to Search Console for {site}.")
        return
    console = searchconsole.SearchConsole(site, account, web, endpoint)
    console.submit(address)
    status = console.get(address)
    click.echo(f"{address}: submitted to Search Console: {status.text}.")
    if status.errors:
        sys.exit(1)


def _urls(number: int) -> str:
    return "1 URL" if number == 1 else f"{number:,} URLs"


def _note(text: str) -> None:
    click.echo(text, err=True)


def _fail(text: str) -> NoReturn:
    raise click.ClickException(text)
