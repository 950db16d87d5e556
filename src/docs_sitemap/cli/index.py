"""``docs-sitemap index``: write one index and robots.txt for many sites."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from docs_sitemap.cli.common import FOLDER, checked, note, read_base_url, require, say, some, write_json
from docs_sitemap.limits import MAX_ROBOTS
from docs_sitemap.pages.version_names import order
from docs_sitemap.readers.files import read_start
from docs_sitemap.text import counted, shorten

if TYPE_CHECKING:
    from docs_sitemap.check.served import RobotsText
    from docs_sitemap.versions.index import Row
    from docs_sitemap.versions.tree import DeployedTree, Site


@click.command()
@click.argument("root", metavar="ROOT", type=FOLDER)
@click.option("--base-url", metavar="URL", required=True, help="The URL of ROOT on the server.")
@click.option(
    "--versions",
    "policy",
    metavar="POLICY",
    default="latest",
    show_default=True,
    help="Which versions to list: latest, stable, all, or name patterns, such as 2.*,3.* with commas.",
)
@click.option(
    "--host",
    "hosts",
    metavar="DIR=URL",
    multiple=True,
    help="A folder in ROOT that is served at its own URL; may be repeated.",
)
@click.option(
    "--filename",
    metavar="NAME",
    help="Name of the index; default: sitemap.xml, or sitemap_index.xml if ROOT itself contains a site.",
)
@click.option("--no-robots", is_flag=True, help="Do not change robots.txt.")
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Leave out folders below ROOT, such as old/*; may be repeated.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be listed, and write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, one per folder.")
def index(
    *,
    root: Path,
    base_url: str,
    policy: str,
    hosts: tuple[str, ...],
    filename: str | None,
    no_robots: bool,
    exclude: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Write one sitemap index and robots.txt for all sites deployed in ROOT.

    A site is a folder with a sitemap: a version, a language or a project; sites may be nested. Old versions
    and previews are left out, so that search engines find the current pages, and so are sites whose home
    page says noindex, or that robots.txt forbids to Google. The files of the sites are not changed. Run it
    where all sites are present, after each deployment.

    The exit code is 1 if a site was built with a wrong URL: its sitemap has URLs outside its folder.
    """
    require("index", "lxml")
    from docs_sitemap.options import validation
    from docs_sitemap.versions.index import Choice, gather
    from docs_sitemap.versions.tree import DeployedTree

    tree = DeployedTree(root, read_base_url(base_url), _hosts(root, hosts))
    versions = [name.strip() for name in policy.split(",") if name.strip()]
    if not versions or (len(versions) > 1 and "all" in versions):
        raise click.UsageError(f"--versions: expected latest, stable, all, or patterns, got {policy!r}.")
    if filename is not None:
        filename = checked("--filename", filename, validation.filename)
    rows = gather(tree, Choice(versions, exclude, forbidden(tree, "index")))
    for pattern in exclude:
        if not any(fnmatchcase(row.folder, pattern.strip("/")) for row in rows):
            note(f"--exclude: {shorten(pattern)} matches no site.")
    lines = [] if dry_run else write_indexes(root, tree, rows, filename, with_robots=not no_robots)
    if as_json:
        write_json([_as_json(row, tree) for row in rows])
    else:
        for line in [*_table(rows), *lines]:
            say(line)
    _check(root, tree, rows)
    _about_robots(root, tree, rows, with_robots=not no_robots)


def _about_robots(root: Path, tree: DeployedTree, rows: Sequence[Row], *, with_robots: bool) -> None:
    """Say which lines in robots.txt name what is left out, and where crawlers read that file."""
    from docs_sitemap.files import robots
    from docs_sitemap.versions.index import OLD
    from docs_sitemap.versions.policy import DEVELOPMENT, PREVIEW

    apart = [tree.address(row.folder) for row in rows if row.status in (OLD, DEVELOPMENT, PREVIEW)]
    for host in sorted({tree.host_of(row.folder) for row in rows if row.site}):
        try:
            present = read_start(root / host / "robots.txt", MAX_ROBOTS)
        except OSError:
            continue
        own = robots.named(robots.users_part(present))
        if wrong := [name for name in own if name.startswith(tuple(apart))]:
            lines = some([f'"Sitemap: {name}"' for name in wrong])
            note(f"robots.txt names old versions or previews, which no index lists: remove {lines}.")
        address = urlsplit(tree.address(host))
        if with_robots and address.path != "/":
            lines = some([f'"Sitemap: {name}"' for name in robots.named(present) if name not in wrong])
            place = f"{address.scheme}://{address.netloc}/robots.txt"
            note(f"Crawlers read robots.txt only at {place}: add {lines} to it, and use --no-robots here.")


def _check(root: Path, tree: DeployedTree, rows: Sequence[Row]) -> None:
    """Raise an error where a site was built for another folder, or where there is nothing to list."""
    from docs_sitemap.versions.index import WITHOUT, WRONG
    from docs_sitemap.versions.policy import ALIAS

    wrong = next((row for row in rows if row.status == WRONG), None)
    if wrong:
        raise click.ClickException(
            f"{shorten(wrong.folder or '.')}: {wrong.why}. It was built with the URL of another folder: "
            f"build it with {shorten(tree.address(wrong.folder))}."
        )
    if not rows:
        raise click.UsageError(
            f"{root}: contains no site with a sitemap; nothing was written. Name the folder into which all "
            "sites are deployed."
        )
    if not any(row.site for row in rows):
        alias = next((row for row in rows if row.status == ALIAS), None)
        if all(row.why == WITHOUT for row in rows):
            last = shorten(max(rows, key=lambda row: order(row.folder.rpartition("/")[2])).folder)
            text = (
                f"{root}: no site in it has a sitemap. To write one: docs-sitemap build {root / last} "
                f"--base-url {shorten(tree.address(last))}"
            )
        elif alias:
            text = f"{shorten(alias.folder)}: {alias.why}, but no site that has these is listed"
        else:
            text = f"{root}: all sites in it are left out: see --versions and --exclude"
        raise click.ClickException(f"{text}; nothing was written.")


_MOST_ROWS: Final = 12
"""So many folders of a kind are shown; ``--json`` has all."""


def _table(rows: list[Row]) -> list[str]:
    """Return a line for each folder, at most some of each kind."""
    width = max((len(shorten(row.folder)) for row in rows), default=0) + 1
    numbers = Counter(row.status for row in rows)
    shown: Counter[str] = Counter()
    lines = []
    for row in rows:
        shown[row.status] += 1
        if shown[row.status] <= _MOST_ROWS:
            pages = f"{counted(row.site.pages, 'page')}; " if row.site else ""
            lines.append(f"{f'{shorten(row.folder)}/':<{width}}  {row.status:<11}  {pages}{row.why}")
    more = [
        f"{number - _MOST_ROWS:,} more: {status}" for status, number in numbers.items() if number > _MOST_ROWS
    ]
    return lines + more


def _as_json(row: Row, tree: DeployedTree) -> dict[str, Any]:
    return {
        "folder": row.folder,
        "url": tree.address(row.folder),
        "status": row.status,
        "why": row.why,
        "pages": row.site.pages if row.site else None,
    }


def forbidden(tree: DeployedTree, command: str) -> Callable[[str], bool]:
    """Return a test whether the robots.txt of a folder's host keeps Google out of the folder."""

    @cache
    def robots(host: str) -> RobotsText | None:
        try:
            data = read_start(tree.root / host / "robots.txt", MAX_ROBOTS + 1)
        except OSError:
            return None
        require(command, "protego")
        from docs_sitemap.check.served import RobotsText

        return RobotsText(data)

    def is_forbidden(folder: str) -> bool:
        found = robots(tree.host_of(folder))
        return found is not None and not found.allows(tree.address(folder), "googlebot")

    return is_forbidden


def _hosts(root: Path, hosts: tuple[str, ...]) -> dict[str, str]:
    """Return the base URLs of the folders of ``--host``."""
    from docs_sitemap.options import validation

    folders = {}
    for item in hosts:
        name, _, url = item.partition("=")
        folder = posixpath.normpath(name.strip("/") or ".")
        if not url or folder == "." or folder.startswith("..") or not (root / folder).is_dir():
            raise click.UsageError(f"--host: expected DIR=URL with a folder in {root}, got {item!r}.")
        folders[folder] = checked("--host", url, validation.base_url)
    return folders


def write_indexes(
    root: Path, tree: DeployedTree, rows: Sequence[Row], filename: str | None, *, with_robots: bool
) -> list[str]:
    """Write an index, and robots.txt, for each host; return a line about each."""
    from docs_sitemap.versions.index import WRONG, write_root

    lines = []
    hosts: dict[str, list[Site]] = {}
    for site in (row.site for row in rows if row.site):
        hosts.setdefault(tree.host_of(site.folder), []).append(site)
    own_sites = {row.folder for row in rows if row.site or row.status == WRONG}
    for host in sorted(hosts):  # check all hosts before writing any
        if filename == "sitemap.xml" and host in own_sites:
            raise click.UsageError(f"--filename: {root / host} already has a sitemap.xml, of the site there.")
    for host, sites in sorted(hosts.items()):
        name = filename or ("sitemap_index.xml" if host in own_sites else "sitemap.xml")
        written = write_root(root / host, tree.address(host), name, sites, with_robots=with_robots)
        pages = sum(site.pages for site in sites)
        files = f"; written: {', '.join(written)}" if written else "; no changes"
        lines.append(f"{tree.address(host)}: {pages:,} pages from {counted(len(sites), 'site')}{files}.")
    return lines
