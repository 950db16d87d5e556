"""``docs-sitemap build``: write the sitemap of the built site of any generator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from docs_sitemap.cli.common import FILE, FOLDER, Grouped, note, write_json
from docs_sitemap.options.declarations import OPTIONS

if TYPE_CHECKING:
    from docs_sitemap.explain.notes import Noting
    from docs_sitemap.files import Report
    from docs_sitemap.generators.zensical import Project
    from docs_sitemap.options.configuration import Configuration
    from docs_sitemap.options.declarations import Options

# These affect pages before they are written, or strict builds, so only the plugins support them.
_PLUGINS_ONLY: Final = ("page_dates", "json_ld", "dependencies", "missing_dates")
# These are too long for a command line.
_IN_FILE_ONLY: Final = ("rules",)

GROUPS: Final[Mapping[str, str]] = {
    "Folders and address": "source-dir config base-url url-style",
    "Pages": "exclude rules languages images changefreq priority",
    "Dates": "lastmod lastmod-format clock ignore-revs follow-renames source-map dependencies "
    "creation-dates missing-dates require-dates",
    "Dates on pages": "page-dates json-ld",
    "Files": "filename formats max-urls feed-entries stylesheet indexnow-key",
    "robots.txt, versions and previews": "robots current-version previews",
    "Output": "verbose json",
}
"""The options in groups, also those that only the plugins have: the documentation has the same."""


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """Add every build option, spelled for the command line."""
    for option in reversed(OPTIONS):
        if option.name in (*_PLUGINS_ONLY, *_IN_FILE_ONLY):
            continue
        help_text = option.metadata["help"].replace("`", "")
        default = option.default
        metavar = {bool: "true|false", int: "N"}.get(type(default), "VALUE")
        is_listed = isinstance(default, tuple) or option.name == "languages"
        if is_listed:
            help_text += " May be repeated, or take several values separated by commas."
            default = ",".join(default or ())
        if default not in (None, ""):
            help_text += f" Default: {str(default).lower()}."
        command = click.option(
            _flag(option.name),
            option.name,
            multiple=is_listed,
            metavar="CODE=URL" if option.name == "languages" else metavar,
            help=help_text,
        )(command)
    return command


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


@click.command(
    cls=Grouped,
    groups=GROUPS,
    examples=(
        "docs-sitemap build site --base-url https://docs.example.org/ --source-dir docs",
        "docs-sitemap build site --source-dir docs --exclude drafts/ --require-dates 0.9",
    ),
)
@click.argument("site_dir", required=False, type=FOLDER)
@click.option(
    "--source-dir",
    metavar="DIR",
    type=FOLDER,
    help="The folder of the page sources, in a git repository. Without it, dates come only from files that "
    "rules name as sources, relative to the working folder.",
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=FILE,
    help="A TOML file of options, or a pyproject.toml; default: docs-sitemap.toml in the working folder, "
    "otherwise [tool.docs-sitemap] in its pyproject.toml.",
)
@click.option(
    "--url-style",
    metavar="STYLE",
    help="The form of URLs of pages without a canonical link, for guide/install.html: html, clean "
    "(guide/install) or directory (guide/install/). Default: as in the sitemap that is there, else in links.",
)
@click.option(
    "--require-dates",
    metavar="SHARE",
    help="Fail, and write nothing, if a smaller share of the listed pages has a date: 0 to 1, such as 0.9.",
)
@click.option("-v", "--verbose", is_flag=True, help="List all pages, with the date and what decided it.")
@click.option("--json", "as_json", is_flag=True, help='Print the pages as a list of {"url", "lastmod"}.')
@_options
def build(
    *,
    site_dir: Path | None,
    source_dir: Path | None,
    config_file: Path | None,
    verbose: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Write sitemap and robots.txt for the built site of any generator.

    The pages are the HTML files in SITE_DIR, without those that are marked noindex, redirect, or have
    another page as canonical. The source of a page is found by its path: a/b.md in --source-dir for
    a/b/index.html. Rules in the configuration can name other sources.

    Without SITE_DIR, the folders and the URL are those in zensical.toml or mkdocs.yml of the working folder,
    and so are the options below plugins: docs-sitemap.
    """
    from docs_sitemap.errors import OptionError, OutputError
    from docs_sitemap.files import on_pages
    from docs_sitemap.generators.zensical.notes import check_is_not_of_plugin
    from docs_sitemap.notices import Subtype
    from docs_sitemap.options.configuration import find_configuration, read_configuration

    def is_good(report: Report) -> bool:
        return sum(bool(url.lastmod) for url in report.urls) >= share * len(report.urls)

    try:
        configuration = read_configuration(config_file) if config_file else find_configuration(Path.cwd())
        project = None if site_dir else _project()
        options, url_style, share, spell = _read(given, configuration, project)
        site_dir = site_dir or (project.built_site() if project else Path.cwd())
        if project:
            check_is_not_of_plugin(project, options.filename)
        report = _emit(site_dir, source_dir, project, options, spell, url_style=url_style, is_good=is_good)
    except OptionError as problem:
        raise click.UsageError(str(problem)) from None
    except OutputError as problem:
        raise click.ClickException(str(problem)) from None
    for notice in report.notices:
        note(("Warning: " if notice.level == "warning" else "") + notice.text)
    for line in on_pages(report) if verbose else ():
        note(line)
    if not is_good(report):
        dated, number = sum(bool(url.lastmod) for url in report.urls), len(report.urls)
        causes = "".join(f"; {pages:,} without: {undated.why}" for pages, undated in report.causes[:3])
        raise click.ClickException(
            f"{spell('require_dates')}: expected dates for {share:g} of the pages, got {dated / number:.2g} "
            f"({dated:,} of {number:,}{causes}). No file is written."
        )
    if as_json:
        write_json([{"url": url.loc, "lastmod": url.lastmod} for url in report.urls])
    wanted = {Subtype.PREVIEW, Subtype.VERSION}.isdisjoint(notice.subtype for notice in report.notices)
    if not report.urls and wanted:
        raise click.exceptions.Exit(1)


def _project() -> Project:
    """Return the project in the working folder."""
    from docs_sitemap.generators.zensical import find_project

    if project := find_project(Path.cwd()):
        return project
    raise click.UsageError(
        "Missing SITE_DIR: expected the folder of the built site, or a zensical.toml or mkdocs.yml in the "
        "working folder."
    )


def _read(
    given: Mapping[str, Any], configuration: Configuration, project: Project | None
) -> tuple[Options, str | None, float, Callable[[str], str]]:
    """Return the options, the form of URLs or nothing, the share of pages that need a date, and how to spell.

    The command line takes precedence over our own file, and that over the project's.
    """
    from docs_sitemap.cli.settings import refuse_misplaced
    from docs_sitemap.errors import OptionError
    from docs_sitemap.options import validation
    from docs_sitemap.options.declarations import read_options

    refuse_misplaced(configuration)
    for name in _PLUGINS_ONLY:
        if name in configuration.values:
            raise OptionError(
                f"{configuration.spell(name)}: only the plugins for MkDocs and Sphinx have this option; "
                "remove it here."
            )
    line = {name: _value(name, value) for name, value in given.items() if value not in (None, ())}
    theirs = project.options if project else configuration

    def spell(name: str) -> str:
        if name in line or name not in {**configuration.values, **theirs.values}:
            return _flag(name)
        return (configuration if name in configuration.values else theirs).spell(name)

    # click refuses unknown ones on the line, so they are in a file
    values = {**theirs.values, **configuration.values, **line}
    check = validation.optional(validation.one_of("html", "clean", "directory"))
    url_style = validation.checked(spell("url_style"), values.pop("url_style", None), check)
    share = validation.checked(spell("require_dates"), values.pop("require_dates", 0), validation.priority)
    return read_options(values, spell, suggested=str), url_style, share, spell


def _value(name: str, value: Any) -> Any:
    """Convert repeated or comma-separated values to a list, or to a mapping for ``--languages``."""
    if not isinstance(value, tuple):
        return value
    items = [part for item in value for part in item.split(",") if part]
    if name != "languages":
        return items
    if wrong := next((item for item in items if "=" not in item), None):
        raise click.UsageError(
            f"--languages: expected CODE=URL, for example de=https://example.org/de/, got {wrong!r}."
        )
    return dict(item.split("=", 1) for item in items)


def _emit(
    site_dir: Path,
    source_dir: Path | None,
    project: Project | None,
    options: Options,
    spell: Callable[[str], str],
    *,
    url_style: str | None,
    is_good: Callable[[Report], bool],
) -> Report:
    import os

    from docs_sitemap.explain.notes import Notes, cache_folder
    from docs_sitemap.files import Family, emit
    from docs_sitemap.generators.html import Addresses, Sources, Tree, check_folder, no_folder
    from docs_sitemap.generators.zensical.notes import (
        about_configuration,
        about_shown,
        project_of,
        with_included,
    )
    from docs_sitemap.options.page_settings import place_rules
    from docs_sitemap.pages.page import Host, originals_of
    from docs_sitemap.pages.selection import included
    from docs_sitemap.versions.builds import mark_build

    built = project or project_of(site_dir, source_dir)
    own = project  # the project whose sources are those of the pages
    if source_dir:
        own = built if built and os.path.realpath(source_dir) == os.path.realpath(built.folder) else None
    host = Host(None, "--base-url", spell, Path.cwd())
    if project:
        host = replace(project.host, spell=spell)
    sources = (
        Sources(source_dir, site_dir, originals_of(options, host))
        if source_dir and not (own and own.is_noted)
        else own
    )
    host = replace(host, has_notes=cache_folder() is not None)
    rules, notices = place_rules(options.rules, sources.folder if sources else Path.cwd(), spell("rules"))
    options = replace(options, rules=rules)
    has_feed = not {"atom", "rss"}.isdisjoint(options.formats)
    # the system would follow its links for each page
    site = Path(os.path.realpath(site_dir))
    addresses = Addresses(site, options, host, url_style)
    options = addresses.options
    if isinstance(sources, Sources) and not any(rule.settings.sources for rule in rules):
        check_folder(sources, site)
    tree = Tree(
        site,
        addresses,
        sources,
        with_titles=has_feed,
        with_creations=has_feed and options.creation_dates,
        docs_dir=built.folder if built else None,
        is_template=built.is_template if built else lambda name: False,
        templates=own.templates if own else lambda name: {},
        undated=None if sources else no_folder(site),
    )
    marked = mark_build(tree.pages() if options.current_version else (), site, options, host)
    pages, shown = with_included(tree.pages(), own) if own else ([*tree.pages()], {})
    others = [*included(tree.other_files(Family(options.filename).has), options)]
    report = emit([*pages, *others], site_dir, options, host, is_good=is_good)
    if own:
        # of the command's own options, none is page_dates
        is_asked = bool(options.page_dates or own.options.values.get("page_dates"))
        notices += about_configuration(own, options, spell)
        notices += about_shown(shown, report, is_asked=is_asked)
    if is_good(report):
        noted: list[Noting] = [(str(page.file or page.url), page, {}) for page in (*pages, *others)]
        places = [str(folder.absolute()) for folder in (host.folder, sources.folder if sources else site)]
        Notes(str(site)).write("the site", noted, options, host, report, output=str(site), places=places)
    report.notices[:0] = [*notices, *tree.notices, *marked]
    return report
