"""``docs-sitemap index``: one index and robots.txt over many sites."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.cli.common import FOLDER, checked, require

if TYPE_CHECKING:
    from docs_sitemap.index import Gathered, Places


@click.command()
@click.argument("root", metavar="ROOT", type=FOLDER)
@click.option("--base-url", metavar="URL", required=True, help="The address that ROOT is served under.")
@click.option(
    "--versions",
    "policy",
    metavar="POLICY",
    default="latest",
    show_default=True,
    help="Which versions to list: latest, stable, all, or patterns of names, such as 2.*,3.* with commas.",
)
@click.option(
    "--host",
    "hosts",
    metavar="DIR=URL",
    multiple=True,
    help="A folder of ROOT that is served under an address of its own; may be repeated.",
)
@click.option(
    "--filename",
    metavar="NAME",
    help="Name of the index; default: sitemap.xml, or sitemap_index.xml where ROOT has a site of its own.",
)
@click.option("--no-robots", is_flag=True, help="Leave robots.txt alone.")
def index(
    *, root: Path, base_url: str, policy: str, hosts: tuple[str, ...], filename: str | None, no_robots: bool
) -> None:
    """Write one sitemap index and robots.txt over all sites that are deployed in ROOT.

    Sites are folders with a sitemap: versions, languages, projects, one in another. Of several
    versions beside each other, old ones stay out: search engines shall find the current pages. The
    files of the sites are not touched. Run it where all sites are together, after each deployment.
    """
    require("index", "lxml")
    from docs_sitemap.errors import DocsSitemapError
    from docs_sitemap.index import Tree, gather
    from docs_sitemap.options import validation

    places = _places(root, base_url, hosts)
    versions = [name.strip() for name in policy.split(",") if name.strip()]
    if not versions or (len(versions) > 1 and "all" in versions):
        raise click.UsageError(f"--versions: expected latest, stable, all, or patterns, got {policy!r}.")
    if filename is not None:
        filename = checked("--filename", filename, validation.filename)
    try:
        found = gather(Tree(root, places), versions)
        written = _write(root, places, found, filename, with_robots=not no_robots)
    except DocsSitemapError as problem:
        raise click.ClickException(str(problem)) from None
    for line in written:
        click.echo(line)
    _tell(found)
    if not found.sites:
        what = "no site with a sitemap is in it"
        if found.old or found.foreign:
            what = "of the sites in it none is left: see --versions and --base-url"
        raise click.ClickException(f"{root}: {what}; nothing is written.")


def _places(root: Path, base_url: str, hosts: tuple[str, ...]) -> Places:
    from docs_sitemap.index import Places
    from docs_sitemap.options import validation

    folders = {}
    for item in hosts:
        name, _, url = item.partition("=")
        folder = posixpath.normpath(name.strip("/") or ".")
        if not url or folder == "." or folder.startswith("..") or not (root / folder).is_dir():
            raise click.UsageError(f"--host: expected DIR=URL with a folder of {root}, got {item!r}.")
        folders[folder] = checked("--host", url, validation.base_url)
    return Places(checked("--base-url", base_url, validation.base_url), folders)


def _write(
    root: Path, places: Places, found: Gathered, filename: str | None, *, with_robots: bool
) -> list[str]:
    from docs_sitemap.index import write_root

    lines = []
    hosts = sorted({places.host_of(site.folder) for site in found.sites})
    own_sites = {site.folder for site in found.sites + found.foreign}
    for host in hosts:  # before any is written
        if filename == "sitemap.xml" and host in own_sites:
            raise click.UsageError(f"--filename: {root / host} has a sitemap.xml of its own site.")
    for host in hosts:
        sites = [site for site in found.sites if places.host_of(site.folder) == host]
        name = filename or ("sitemap_index.xml" if host in own_sites else "sitemap.xml")
        written = write_root(root / host, places.address(host), name, sites, with_robots=with_robots)
        pages = sum(site.pages for site in sites)
        number = "1 site" if len(sites) == 1 else f"{len(sites):,} sites"
        files = f"; written: {', '.join(written)}" if written else "; nothing has changed"
        lines.append(f"{places.address(host)}: {pages:,} pages of {number}{files}.")
    return lines


def _tell(found: Gathered) -> None:
    """Say what is left out, and why."""
    if found.old:
        click.echo(f"Left out as other versions: {_some(found.old)}.", err=True)
    if found.bare:
        click.echo(f"Versions without a sitemap: {_some(found.bare)}.", err=True)
    for site in found.foreign:
        text = f"Left out: the sitemap in {site.folder or '.'} has addresses of elsewhere, as {site.foreign}."
        click.echo(text, err=True)


def _some(names: list[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10:,} more" if len(names) > 10 else "")
