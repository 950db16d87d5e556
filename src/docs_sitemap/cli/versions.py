"""``docs-sitemap versions``: mark the pages of old versions for search engines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import click

from docs_sitemap.cli.common import (
    FILE,
    FOLDER,
    note,
    read_base_url,
    require,
    say,
    some,
    write_json,
    write_stdout,
)
from docs_sitemap.cli.index import forbidden
from docs_sitemap.cli.rules import progress_bar
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.text import counted, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docs_sitemap.versions.marking import Marked, Plan
    from docs_sitemap.versions.marks import Tally
    from docs_sitemap.versions.policy import Group, Policy, Version
    from docs_sitemap.versions.tree import DeployedTree


@click.command()
@click.argument("root", metavar="ROOT", type=FOLDER)
@click.option("--base-url", metavar="URL", required=True, help="The URL of ROOT on the server.")
@click.option(
    "--current",
    metavar="NAME",
    show_default="latest",
    help="The version that search engines should show: a folder; or latest or stable, as in index.",
)
@click.option(
    "--development",
    metavar="NAME,...",
    help="The versions that are not releases, with wildcards; default: main, dev and other branches, 2.0rc1.",
)
@click.option(
    "--keep", metavar="NAME,...", default="", help="Versions that stay as they are, with wildcards."
)
@click.option(
    "--versions",
    "names",
    metavar="NAME,...",
    default="",
    help="Names of folders that are versions, if they are not detected.",
)
@click.option(
    "--previews",
    metavar="NAME,...",
    default="",
    help="Folders that are previews, with wildcards, if they are not detected.",
)
@click.option(
    "--map",
    "map_file",
    metavar="FILE",
    type=FILE,
    help="Moved pages: a line each, with the old path in a version and the new path.",
)
@click.option("--undo", is_flag=True, help="Restore all pages in ROOT as they were.")
@click.option("--dry-run", is_flag=True, help="Change nothing, and show what would change.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, one per version.")
def versions(
    *,
    root: Path,
    base_url: str,
    current: str | None,
    development: str | None,
    keep: str,
    names: str,
    previews: str,
    map_file: Path | None,
    undo: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Mark the pages of old versions in ROOT, a deployed tree, so that search engines find current ones.

    A page of an old version gets a canonical link to the same page of the current version, or noindex
    if there is none. Development versions and previews get noindex. Only one element in the head of a page
    changes; --undo restores it. Run it after each deployment: it changes only what is new.
    """
    require("versions", "lxml")
    from docs_sitemap.errors import DocsSitemapError
    from docs_sitemap.urls import with_usual_host
    from docs_sitemap.versions.marking import Plan, mark_versions
    from docs_sitemap.versions.policy import Policy
    from docs_sitemap.versions.tree import DeployedTree

    tree = DeployedTree(root, with_usual_host(read_base_url(base_url)))
    if current == "":
        raise click.BadParameter(
            "expected latest, stable or a version's name, got nothing.", param_hint="--current"
        )
    others = _names(development) if development is not None else None
    policy = Policy(current or "", others, _names(keep), _names(names), _names(previews))
    groups = [] if undo else _find_groups(root, tree, policy)
    if not groups and not undo:
        say("[]" if as_json else f"Nothing to do: {root} has no two versions side by side.")
        return
    plan = Plan(tree, _read_map(map_file), dry_run)
    try:
        with progress_bar("Marking pages") as progress:
            marked = mark_versions(groups, plan, progress)
    except DocsSitemapError as problem:
        text = f"{problem} Each page is whole, old or new: run the command again when this is mended."
        raise click.ClickException(text) from None
    for line in _notes(marked, plan, forbidden(tree, "versions"), undo=undo):
        note(line)
    if as_json:
        write_json([_as_json(*row) for row in marked.rows])
    else:
        write_stdout("".join(f"{line}\n" for line in _table(marked.rows)).encode("utf-8", "replace"))


def _notes(marked: Marked, plan: Plan, is_forbidden: Callable[[str], bool], *, undo: bool) -> Iterator[str]:
    """Yield what the table does not say."""
    if marked.unused and not undo:
        example = shorten(min(marked.unused))
        yield f"--map: {len(marked.unused):,} of {len(plan.moved):,} lines led to no page, such as {example}."
    if marked.missing:
        text = "canonical links of the current version lead to pages that ROOT does not have, such as"
        yield f"{text} {shorten(marked.missing)}: old pages lead there too."
    for version, tally in marked.rows:
        if (tally.noindex or tally.canonical) and is_forbidden(version.folder):
            text = "robots.txt keeps Google out, so it reads neither noindex nor canonical links"
            yield f"{shorten(version.folder)}: {text}: remove that Disallow."
    for folder in marked.closed:
        text = "the home page of the current version is noindex, so old pages stay as they were"
        yield f"{shorten(folder)}: {text}."
    if marked.excluded:
        pages = counted(len(marked.excluded), "page")
        verb = "is" if len(marked.excluded) == 1 else "are"
        example = shorten(min(marked.excluded))
        yield (
            f"{pages} of current versions {verb} noindex, so the same old pages are too, "
            f"for example {example}."
        )


def _find_groups(root: Path, tree: DeployedTree, policy: Policy) -> list[Group]:
    """Return the groups of versions, and say what the options do not reach."""
    from docs_sitemap.versions.policy import find_groups, unmatched

    groups, left = find_groups(tree, policy)
    if tree.empty:
        note(f"{shorten(min(tree.empty))} is ignored: expected a list of versions, as mike writes it.")
    names = sorted(f"{folder}/{name}".lstrip("/") for folder in left for name in left[folder])
    if not groups and not names:
        raise click.UsageError(
            f"{root}: expected several versions side by side, found none. Versions are those in a "
            "versions.json, or folders that are named like one, have a sitemap.xml or another mark "
            "of a whole site, and share pages. To name others, use --versions NAME,NAME; --undo removes "
            "marks."
        )
    if not groups and any(len(each) > 1 for each in left.values()):
        got = shorten(policy.current or "latest")
        raise click.ClickException(f"--current: expected one of {some(names)}, got {got}.")
    for folder, each in left.items():
        if groups and (len(each) > 1 or policy.current):
            text = f"none of its versions ({some(each)}) is {shorten(policy.current or 'latest')}"
            note(f"{shorten(folder or '.')}: {text}: their pages stay as they are.")
    others = policy.development or ()
    for option, patterns in (
        ("--development", others),
        ("--keep", policy.keep),
        ("--previews", policy.previews),
    ):
        for pattern in unmatched(groups, patterns) if groups else ():
            note(f"{option}: {shorten(pattern)} matches no version.")
    return groups


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _read_map(file: Path | None) -> dict[str, str]:
    """Return the moved pages: a line each, with the old and the new path in the version.

    A blank in a path is ``%20``, as in a URL. Empty lines and those that start with ``#`` are ignored.
    """
    from docs_sitemap.readers.files import read_named

    found: dict[str, str] = {}
    try:
        text = read_named(file, MAX_FILE).decode("utf-8-sig") if file else ""
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) != 2 or any("://" in word or "#" in word for word in words):
                # never its content: the file may be a link to a secret
                raise ValueError(f"line {number}: expected an old and a new path in a version, and a space")
            paths = (re.sub(r"/{2,}", "/", word.lstrip("/")) for word in words)
            old, new = (unquote(path, errors="surrogateescape") for path in paths)
            found[old] = new
        return found
    except UnicodeDecodeError:
        problem = "expected text in UTF-8."
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
    raise click.BadParameter(f"{file}: {problem}", param_hint="--map")


def _as_json(version: Version, tally: Tally) -> dict[str, Any]:
    return {
        "version": version.folder,
        "role": version.role,
        "why": version.why,
        "link_to": version.real if version.is_link else None,
        "pages": tally.pages,
        "canonical": tally.canonical,
        "noindex": tally.noindex,
        "untouched": [
            {"why": why, "pages": number, "example": tally.examples[why]}
            for why, number in tally.untouched.items()
        ],
        "changed": tally.changed,
    }


def _table(rows: list[tuple[Version, Tally]]) -> list[str]:
    heads = ("version", "role", "pages", "canonical", "noindex", "untouched", "changed", "known")
    cells: list[tuple[str, ...]] = [heads]
    notes = []
    for version, tally in rows:
        name = shorten(version.folder or ".")
        if version.is_link:
            cells.append((name, f"link to {shorten(version.real)}", "", "", "", "", "", version.why))
            continue
        numbers = (tally.pages, tally.canonical, tally.noindex, tally.untouched.total(), tally.changed)
        cells.append((name, version.role, *(f"{number:,}" for number in numbers), version.why))
        for why, number in tally.untouched.items():
            pages, example = counted(number, "page"), shorten(tally.examples[why])
            notes.append(f"{name}: {pages} untouched: {why}, for example {example}.")
    widths = [max(len(line[column]) for line in cells) for column in range(len(heads))]
    form = "  ".join(f"{{:{'<' if at < 2 else '>'}{width}}}" for at, width in enumerate(widths[:-1])) + "  {}"
    return [form.format(*line).rstrip() for line in cells] + notes
