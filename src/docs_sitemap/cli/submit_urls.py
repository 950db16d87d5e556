"""``docs-sitemap submit`` with IndexNow: find what changed, and submit it with the site's key."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NoReturn

import click

from docs_sitemap.brief import shown
from docs_sitemap.changes import Changes, compare
from docs_sitemap.cli.common import note
from docs_sitemap.options import INDEXNOW_KEY
from docs_sitemap.submit import (
    Batch,
    IndexNow,
    Key,
    Outcome,
    SubmitError,
    Web,
    batches,
    find_key,
    find_sitemap,
    host_of,
    own_addresses,
    read_file,
    read_web,
)


def find_changes(sitemap: Path, base_url: str, since: str | None, web: Web, *, everything: bool) -> Changes:
    """Return the differences from the old sitemap, a file or an https URL; without one, all URLs."""
    entries = read_file(sitemap, base_url, note)
    if since is None:
        if not everything:
            raise click.UsageError(
                f"all {_urls(len(entries))} would be submitted, but IndexNow is for changed URLs: name "
                "the old sitemap with --since, or submit all URLs with --all."
            )
        return compare({}, entries)
    old = read_web(since, web) if "://" in since else read_file(find_sitemap(Path(since)))
    if undated := sum(entries[url] is None for url in entries.keys() & old.keys()):
        note(f"{_urls(undated)} without a date, so that it is unknown whether they changed: not submitted.")
    changes = compare(old, entries)
    return changes._replace(changed=[page for page in changes.changed if page.after])


def read_key(folder: Path, key: str | None, location: str | None, base_url: str) -> Key | None:
    """Return the given key, or that of the key file in ``folder``; ``base_url`` is its URL or empty."""
    if key and not INDEXNOW_KEY.fullmatch(key):
        raise click.UsageError("--key: expected 8 to 128 letters a to z and A to Z, digits and hyphens.")
    return find_key(folder, key or "", location or "", base_url)


def find_own(changes: Changes, named: Collection[str], likely: str) -> list[str]:
    """Return the changed URLs on the site's own hosts, and report those on other hosts.

    ``named`` and ``likely`` are URLs on those hosts, or empty; see ``own_addresses``.
    """
    addresses = sorted([*changes.added, *changes.removed, *(page.url for page in changes.changed)])
    note(
        f"{_urls(len(addresses))}: {len(changes.added):,} new, {len(changes.changed):,} changed, "
        f"{len(changes.removed):,} removed."
    )
    try:
        own = own_addresses(addresses, named, likely)
    except SubmitError as problem:
        raise click.UsageError(str(problem)) from None
    if others := sorted({*addresses} - {*own}):
        hosts = len({host_of(address) for address in others})
        note(
            f"{_urls(len(others))} on {f'{hosts:,} other hosts' if hosts > 1 else 'another host'}, such as "
            f"{shown(others[0])}: not submitted. If a host belongs to the site, name it with --host."
        )
    return own


def submit_urls(addresses: list[str], key: Key | None, engine: IndexNow, *, dry_run: bool) -> None:
    """Submit the URLs that the key covers and print the results; exit with code 1 if any is not accepted."""
    covered = [address for address in addresses if key is None or key.covers(address)]
    todo = list(batches(covered))
    if dry_run:
        _rehearse(todo, key, engine)
    elif todo and key is None:
        raise click.UsageError(
            "no key for IndexNow: set INDEXNOW_KEY, or let the build write the key file with the option "
            "indexnow_key."
        )
    is_done = True if dry_run or key is None else _send(todo, key, engine)
    if key and len(covered) < len(addresses):
        _refuse([address for address in addresses if not key.covers(address)], key)
    if not is_done:
        raise click.exceptions.Exit(1)


def _refuse(addresses: list[str], key: Key) -> NoReturn:
    raise click.ClickException(
        f"not submitted: {_urls(len(addresses))} outside of {shown(key.folder)}, where the key file is, for "
        f"example {shown(addresses[0])}. Put another key file there, or this one at the root of the host."
    )


def _rehearse(todo: list[Batch], key: Key | None, engine: IndexNow) -> None:
    """Print the URLs, and report where they would be sent."""
    for batch in todo:
        note(f"{batch.host}: {_urls(len(batch.addresses))} would be sent to {engine.endpoint}.")
        for address in batch.addresses:
            click.echo(address)
    if key is None:
        note("No key yet: set INDEXNOW_KEY or the option indexnow_key.")
    elif key.location:
        note(f"The key file is in the folder {shown(key.folder)}.")


def _send(todo: list[Batch], key: Key, engine: IndexNow) -> bool:
    """Send the batches, print the results, and return whether all were accepted."""
    outcomes: Iterable[Outcome] = engine.send(todo, key)
    if len(todo) > 1 and sys.stderr.isatty():
        with click.progressbar(outcomes, length=len(todo), label="Submitting", file=sys.stderr) as bar:
            outcomes = list(bar)
    done = True
    for outcome in outcomes:
        click.echo(f"{outcome.batch.host}: {_urls(len(outcome.batch.addresses))}: {outcome.text}.")
        done = done and outcome.is_accepted
    return done


def _urls(number: int) -> str:
    return "1 URL" if number == 1 else f"{number:,} URLs"
