"""``docs-sitemap index``: write one index and robots.txt for many sites."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_sitemap.cli.common import FOLDER, checked, note, read_base_url, require, say, some
from docs_sitemap.text import shorten

if TYPE_CHECKING:
    from docs_sitemap.versions.index import Gathered
    from docs_sitemap.versions.tree import Places, Site


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
def index(
    *, root: Path, base_url: str, policy: str, hosts: tuple[str, ...], filename: str | None, no_robots: bool
) -> None:
    """Write one sitemap index and robots.txt for all sites deployed in ROOT.

    A site is a folder with a sitemap: a version, a language or a project; sites may be nested. Old
    versions are left out, so that search engines find the current pages. The files of the sites are
    not changed. Run it where all sites are present, after each deployment.
    """
    require("index", "lxml")
    from docs_sitemap.options import validation
    from docs_sitemap.versions.index import gather
    from docs_sitemap.versions.tree import DeployedTree

    places = _places(root, base_url, hosts)
    versions = [name.strip() for name in policy.split(",") if name.strip()]
    if not versions or (len(versions) > 1 and "all" in versions):
        raise click.UsageError(f"--versions: expected latest, stable, all, or patterns, got {policy!r}.")
    if filename is not None:
        filename = checked("--filename", filename, validation.filename)
    found = gather(DeployedTree(root, places), versions)
    written = write_indexes(root, places, found, filename, with_robots=not no_robots)
    for line in written:
        say(line)
    _report_left_out(found)
    if not found.sites:
        if found.old or found.out_of_scope:
            text = f"{root}: all sites in it are left out: see --versions and --base-url"
            raise click.ClickException(f"{text}; nothing was written.")
        raise click.UsageError(
            f"{root}: contains no site with a sitemap; nothing was written. Name the folder into which all "
            "sites are deployed."
        )


def _places(root: Path, base_url: str, hosts: tuple[str, ...]) -> Places:
    from docs_sitemap.options import validation
    from docs_sitemap.versions.tree import Places

    folders = {}
    for item in hosts:
        name, _, url = item.partition("=")
        folder = posixpath.normpath(name.strip("/") or ".")
        if not url or folder == "." or folder.startswith("..") or not (root / folder).is_dir():
            raise click.UsageError(f"--host: expected DIR=URL with a folder in {root}, got {item!r}.")
        folders[folder] = checked("--host", url, validation.base_url)
    return Places(read_base_url(base_url), folders)


def write_indexes(
    root: Path, places: Places, found: Gathered, filename: str | None, *, with_robots: bool
) -> list[str]:
    """Write an index, and robots.txt, for each host; return a line about each."""
    from docs_sitemap.versions.index import write_root

    lines = []
    hosts: dict[str, list[Site]] = {}
    for site in found.sites:
        hosts.setdefault(places.host_of(site.folder), []).append(site)
    own_sites = {site.folder for site in found.sites + found.out_of_scope}
    for host in sorted(hosts):  # check all hosts before writing any
        if filename == "sitemap.xml" and host in own_sites:
            raise click.UsageError(f"--filename: {root / host} already has a sitemap.xml, of the site there.")
    for host, sites in sorted(hosts.items()):
        name = filename or ("sitemap_index.xml" if host in own_sites else "sitemap.xml")
        written = write_root(root / host, places.address(host), name, sites, with_robots=with_robots)
        pages = sum(site.pages for site in sites)
        number = "1 site" if len(sites) == 1 else f"{len(sites):,} sites"
        files = f"; written: {', '.join(written)}" if written else "; no changes"
        lines.append(f"{places.address(host)}: {pages:,} pages from {number}{files}.")
    return lines


def _report_left_out(found: Gathered) -> None:
    """Report which sites are left out, and why."""
    if found.old:
        note(f"Left out as old versions: {some(found.old)}.")
    if found.without_sitemap:
        note(f"Versions without a sitemap: {some(found.without_sitemap)}.")
    for site in found.out_of_scope:
        text = f"contains URLs outside its folder, for example {shorten(site.url_outside)}"
        note(f"Left out: the sitemap in {shorten(site.folder or '.')} {text}.")
