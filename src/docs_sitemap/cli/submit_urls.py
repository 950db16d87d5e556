"""``submit`` to IndexNow, and of the sitemap itself to Search Console."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urljoin

import click

from docs_sitemap import changes, urls
from docs_sitemap.changes import Changes, Dates, compare
from docs_sitemap.cli.common import INTERRUPTED, note, read_base_url, say, write_file
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.options import validation
from docs_sitemap.options.validation import INDEXNOW_KEY
from docs_sitemap.readers.files import is_open_file
from docs_sitemap.submit import indexnow
from docs_sitemap.submit.reading import find_sitemap, read_file, read_live, read_web
from docs_sitemap.submit.web import MissingError, SubmitError, Web, check_url
from docs_sitemap.text import counted, shorten


def to_search_console(
    address: str, site: str, credentials: Path | None, web: Web, endpoints: Collection[str], *, dry_run: bool
) -> None:
    """Submit a sitemap to Search Console, and print its status; exit with code 1 if Google found errors."""
    if credentials is None:
        raise click.UsageError(
            "--search-console needs --credentials FILE, the JSON file of a service account."
        )
    if len(endpoints) > 1:
        raise click.UsageError("--endpoint: only one is possible with --search-console.")
    from docs_sitemap.submit.searchconsole import (
        SEARCH_CONSOLE,
        check_property,
        read_account,
        submit_sitemap,
    )

    check_property(site, address)
    account = read_account(credentials)
    if dry_run:
        say(address)
        note(f"It would be submitted to Search Console for {site}.")
        return
    status = submit_sitemap(site, address, account, web, *(endpoints or [SEARCH_CONSOLE]))
    say(f"{address}: submitted to Search Console: {status.text}.")
    if status.errors:
        raise click.exceptions.Exit(1)


_NO_KEY: Final = (
    "no key for IndexNow: set INDEXNOW_KEY, or let the build write the key file with the option indexnow_key."
)


class Place(NamedTuple):
    """The new sitemap: its file, or ``None`` if it is on the web; the URL of its folder, or ``""``.

    ``name`` is what the user named: the sitemap or its folder. ``is_named`` tells whether the user gave the
    URL, and not only a file of the site.
    """

    name: str
    file: Path | None
    base_url: str
    is_named: bool

    @property
    def url(self) -> str:
        """Return the URL of the sitemap, which must be known."""
        if self.file is None:
            return self.name
        if not self.base_url:
            raise click.UsageError(
                f"the URL of {self.file} is unknown: set that of its folder with --base-url."
            )
        return urls.join_file(self.base_url, self.file.name)


def check_since(since: str | None, *, everything: bool) -> None:
    """Refuse an old sitemap that is none, or beside ``--all``."""
    if since is None:
        return
    if since and everything:
        raise click.UsageError("--since and --all: use only one of them.")
    if "://" in since:
        check_option("--since", since)
    elif not since or not Path(since).exists():
        raise click.UsageError(f"--since: expected a sitemap, as a file or an https URL, got {since!r}.")


def check_option(option: str, *values: str | None) -> None:
    """Refuse URLs that secrets must not be sent to; do not show them, because they may contain one."""
    try:
        for url in filter(None, values):
            check_url(url)
    except SubmitError as problem:
        raise click.UsageError(f"{option}: {problem}") from None


def read_host(host: str) -> str:
    """Return a base URL for ``--host``, which may be a host or a URL."""
    try:
        return validation.base_url(host if "://" in host else f"https://{host}/")
    except validation.UnexpectedError:
        got = "" if "@" in host else f", got {host!r}"  # it may have a password
        raise click.UsageError(f"--host: expected a host, for example www.example.org{got}.") from None


def find_place(name: str, base_url: str | None) -> Place:
    """Return the sitemap that the user named, or that of the folder."""
    if "://" in name:
        check_option("SITEMAP", name)
        folder = name.partition("?")[0].rpartition("/")[0] + "/"
        return Place(name, None, read_base_url(base_url) or folder, True)
    if not Path(name).exists():
        raise click.UsageError(f"SITE_DIR|SITEMAP: no such file or folder: {name}")
    with _naming_the_folder():
        sitemap = find_sitemap(Path(name))
    given = read_base_url(base_url)
    return Place(name, sitemap, given or indexnow.find_base_url(sitemap), bool(given))


@contextmanager
def _naming_the_folder() -> Iterator[None]:
    try:
        yield
    except DocsSitemapError as problem:
        raise click.UsageError(f"{problem} Name the folder of the built site, or its sitemap.") from None


def find_changes(
    place: Place, since: str | None, web: Web, *, everything: bool
) -> tuple[Dates, Dates, Changes]:
    """Return the old sitemap's dates, the new one's, and the changes; all URLs without an old sitemap."""
    new = _read_new(place, web)
    if since is None:
        if not everything:
            raise click.UsageError(
                f"all {_urls(len(new))} would be submitted, but IndexNow is for changed URLs: name "
                "the old sitemap with --since, or submit all URLs with --all."
            )
        return {}, new, compare({}, new)
    old = _read_old(since, web)
    if undated := sum(new[url] is None for url in new.keys() & old.keys()):
        note(f"{_urls(undated)} without a date, so that it is unknown whether they changed: not submitted.")
    found = compare(old, new)
    return old, new, found._replace(changed=[page for page in found.changed if page.after])


def _read_new(place: Place, web: Web) -> Dates:
    if place.file is None:
        return read_web(place.url, web)
    with _naming_the_folder() if place.file == Path(place.name) else nullcontext():
        return read_file(place.file, place.base_url, note)


def _read_old(since: str, web: Web) -> Dates:
    if "://" not in since:
        file = find_sitemap(Path(since))
        found = read_file(file)
        if not found and (is_open_file(file) or not file.stat().st_size):
            raise SubmitError(f"{file}: is empty, so that it is unknown what changed since.")
        return found
    try:
        return read_web(since, web)
    except MissingError as problem:
        raise SubmitError(f"{problem} If this is the first deployment, use --all.") from None


def remember(place: Place, file: Path, web: Web) -> None:
    """Write what the live sitemap lists, with all of its parts, before a new one is deployed."""
    web = replace(web, only_public=not place.is_named)
    found = read_live(place.url, place.base_url, web, note)
    write_file("--remember", file, changes.render(found))


def wait_until_online(place: Place, key: indexnow.Key | None, web: Web, seconds: float) -> None:
    """Wait until the sitemap, which is a file, and the key file are served."""
    if key is None:
        raise click.UsageError(_NO_KEY)
    if place.file is None:
        raise click.UsageError(
            f"--wait: is for the folder of the new site, to compare it with what is online; got {place.name}."
        )
    # a key that the site does not publish is a secret, and its files may name any host; it has a location if
    # its file is in the site, or if the user says where it is
    location = key.location or (urljoin(place.base_url, f"/{key.value}.txt") if place.is_named else "")
    key_file = (location, key.value) if location else None
    asking = replace(web, only_public=not place.is_named)
    indexnow.wait_until_served(place.file, place.url, key_file, asking, seconds)


def read_key(place: Place, key: str | None, location: str | None, web: Web) -> indexnow.Key | None:
    """Return the given key, or that of the key file in the sitemap's folder."""
    if key and not INDEXNOW_KEY.fullmatch(key):
        raise click.UsageError(
            "--key or INDEXNOW_KEY: expected 8 to 128 letters a to z and A to Z, digits and hyphens."
        )
    if place.file:
        return indexnow.find_key(place.file.parent, key or "", location or "", place.base_url)
    if not key or location:
        return indexnow.Key(key, location or "") if key else None
    beside = f"{place.base_url}{key}.txt"
    return indexnow.Key(key, "" if indexnow.why_not_key(beside, key, web) else beside)


def find_own(changes: Changes, named: Collection[str], likely: str) -> list[str]:
    """Return the changed URLs on the site's own hosts, and report others: no key is sent for those.

    The own hosts are those of ``named``, which are the site's base URL and URLs from the user, or empty, and
    that of ``likely``. If nothing is named, and no URL is on the host of ``likely``, the single host counts.
    """
    addresses = sorted([*changes.added, *changes.removed, *(page.url for page in changes.changed)])
    note(
        f"{_urls(len(addresses))}: {len(changes.added):,} new, {len(changes.changed):,} changed, "
        f"{len(changes.removed):,} removed."
    )
    own = {indexnow.host_of(name) for name in (*named, likely) if name}
    hosts = sorted({indexnow.host_of(url) for url in addresses})
    if not any(named) and own.isdisjoint(hosts):
        if len(hosts) > 1:
            some = " and ".join(host[:100] for host in hosts[:2])
            raise click.UsageError(
                f"the URLs are on {len(hosts):,} hosts, such as {some}, and it is unknown which one is the "
                "site's: set the URL of the sitemap's folder with --base-url, or name hosts with --host."
            )
        own = {*hosts}
    if others := [url for url in addresses if indexnow.host_of(url) not in own]:
        number = len({*hosts} - own)
        note(
            f"{_urls(len(others))} on {f'{number:,} other hosts' if number > 1 else 'another host'}, such as "
            f"{shorten(others[0])}: not submitted. If a host belongs to the site, name it with --host."
        )
    return [url for url in addresses if indexnow.host_of(url) in own]


def rehearse(
    addresses: list[str], key: indexnow.Key | None, endpoints: Collection[str], changes: Changes
) -> None:
    """Print the URLs that the key covers, each with why after a tab, and where they would be sent."""
    why = dict.fromkeys(changes.added, "new") | dict.fromkeys(changes.removed, "removed")
    for url, before, after in changes.changed:
        why[url] = f"changed from {shorten(before or 'no date')} to {shorten(after or '')}"
    for batch in indexnow.batches(_covered(addresses, key)):
        note(f"{batch.host}: {_urls(len(batch.urls))} would be sent to {' or '.join(endpoints)}.")
        for url in batch.urls:
            click.echo(f"{url}\t{why[url]}")
    if key is None:
        note("No key yet: set INDEXNOW_KEY or the option indexnow_key.")
    elif key.location:
        note(f"The key file: {shorten(key.shown(indexnow.host_of(key.location)), MAX_LOC)}.")


def submit_urls(
    addresses: list[str], key: indexnow.Key | None, web: Web, endpoints: Collection[str]
) -> tuple[set[str], int]:
    """Submit the URLs that the key covers and print the results.

    Returns the URLs that engines now know, and the exit code: 1 if not all were accepted.
    """
    if key is None:
        if addresses:
            raise click.UsageError(_NO_KEY)
        return set(), 0
    todo = list(indexnow.batches(_covered(addresses, key)))
    found: list[indexnow.Outcome] = []
    is_stopped = False
    try:
        for outcome in indexnow.send(todo, key, web, endpoints):
            found.append(outcome)
    except KeyboardInterrupt:
        note(f"Stopped after {len(found):,} of {len(todo):,} requests.")
        is_stopped = True
    for outcome in found:
        for first, *more in outcome.answers:
            say(f"{outcome.batch.host}: {_urls(len(outcome.batch.urls))}: {first}")
            for line in more:
                say(f"  {line}")
    known_now = {url for outcome in found if outcome.status == 200 for url in outcome.batch.urls}
    code = 0 if all(outcome.status in indexnow.ACCEPTED for outcome in found) else 1
    return known_now, INTERRUPTED if is_stopped else code


def _covered(addresses: list[str], key: indexnow.Key | None) -> list[str]:
    return [url for url in addresses if key is None or key.covers(url)]


def refuse_others(addresses: list[str], key: indexnow.Key | None) -> None:
    """Fail if the key does not cover all URLs."""
    if key and (others := [address for address in addresses if not key.covers(address)]):
        raise click.ClickException(
            f"not submitted: {_urls(len(others))} outside of {shorten(urljoin(key.location, '.'))}, the "
            f"folder of the key file, for example {shorten(others[0])}. Put the key file at the root of the "
            "host, or another one there."
        )


def _urls(number: int) -> str:
    return counted(number, "URL")
