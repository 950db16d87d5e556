"""Declares every option once: its name, default, check and help.

MkDocs, Sphinx, the command line and the documentation use these declarations and add no options.
The core reads ``Options``, never a host's configuration.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, Literal

from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_URLS
from docs_sitemap.options import validation
from docs_sitemap.options.page_settings import Rule, read_rules
from docs_sitemap.text import shorten

Spell = Callable[[str], str]
"""Returns an option as a host spells it: ``docs_sitemap_exclude`` in ``conf.py``. ``str`` changes nothing."""


def _languages(value: object) -> tuple[tuple[str, str], ...]:
    from docs_sitemap.options.languages import read_languages  # most sites have none

    return read_languages(value)


def _option(default: Any, check: validation.Check, help: str) -> Any:  # noqa: A002  # as click names it
    return field(default=default, metadata={"check": check, "help": help})


def _switch(default: bool, help: str) -> Any:  # noqa: A002
    return _option(default, validation.boolean, help)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The checked options of one site; without arguments, the defaults.

    Build it with ``read_options``: this class checks nothing. ``base_url`` is in ASCII and ends in ``/``,
    lists are tuples, and ``languages`` are pairs of hreflang and base URL. Each field is described by the
    ``help`` in its metadata.
    """

    base_url: str | None = _option(
        None,
        validation.base_url_or_none,
        "Absolute http(s) URL that the site is served under; a missing `/` at its end is added. "
        "Default: the generator's own (`site_url`, `html_baseurl`), else the one in the hosting "
        "service's environment variables; `docs-sitemap build` also finds it in pages and sitemaps.",
    )
    filename: str = _option(
        "sitemap.xml",
        validation.filename,
        "Name of the sitemap in the build output; sub-folders are allowed.",
    )
    formats: tuple[str, ...] = _option(
        ("xml", "gz"),
        validation.formats,
        "Which files to write: `xml`; `txt`, one URL per line; `gz`, compressed copies of these two; "
        "`atom` and `rss`, feeds of the most recently changed pages.",
    )
    exclude: tuple[str, ...] = _option(
        (),
        validation.patterns,
        "gitignore-style patterns of pages to leave out, matched against the page's URL path below "
        "the base URL (decoded) and its source path below the documentation folder; the last "
        "matching pattern decides.",
    )
    lastmod: str = _option(
        "git",
        validation.one_of("git", "none"),
        "Where dates come from: `git`, or `none` for only the dates written in pages.",
    )
    lastmod_format: str = _option(
        "datetime",
        validation.one_of("datetime", "date"),
        "`datetime` (UTC, such as 2026-08-20T10:11:12+00:00) or `date` (the day in UTC).",
    )
    missing_dates: Literal["info", "warning"] = _option(
        "info",
        validation.one_of("info", "warning"),
        "How to report pages that have no date for a reason that can be fixed: `info`, or `warning`, which "
        "stops a strict build.",
    )
    clock: Literal["committer", "author"] = _option(
        "committer",
        validation.one_of("committer", "author"),
        "Which of a commit's two dates to use: `committer` or `author`.",
    )
    dependencies: str = _option(
        "text",
        validation.dependencies,
        "Which files count for a page's date besides its source: `text` for those whose text it includes, "
        "`all` for images and downloads too, `false` for none.",
    )
    source_map: tuple[tuple[str, str], ...] = _option(
        (),
        validation.source_map,
        "`{BUILD/DIR: SOURCE/DIR}` of what is copied before the build: the date of a file below `BUILD/DIR` "
        "is that of the file with the same path below `SOURCE/DIR`. Both can be files, or change the ending: "
        "`{docs/*.md: docs/*.ipynb}`. Paths start from the "
        "folder of `mkdocs.yml` or `conf.py`, or the working folder of `docs-sitemap build`.",
    )
    ignore_revs: str | None = _option(
        None,
        validation.optional(validation.file_or_false),
        "File that lists commits that change no content, such as reformatting; their dates are never used. "
        "Default: `.git-blame-ignore-revs` at the root of the repository, if it exists; `false` for none.",
    )
    follow_renames: bool = _switch(False, "Ignore pure renames, in which no byte of the file changes.")
    changefreq: str | None = _option(
        None,
        validation.optional(validation.changefreq),
        "`changefreq` of every page, from `always` and `hourly` to `yearly` and `never`; search engines "
        "ignore it, so none is written by default.",
    )
    priority: float | None = _option(
        None,
        validation.optional(validation.priority),
        "`priority` of every page, 0.0 to 1.0; search engines ignore it, so none is written by default.",
    )
    rules: tuple[Rule, ...] = _option(
        (),
        read_rules,
        "List of `{match: pattern, exclude/changefreq/priority/lastmod/sources/not_sources: ...}` for the "
        "pages that match. If several rules set the same value for a page, the last one wins. The page's "
        "own settings win over all rules.",
    )
    languages: tuple[tuple[str, str], ...] | None = _option(
        None,
        validation.optional(_languages),
        "`{hreflang: base URL}` of the same site in each of its languages, including this one; `x-default` "
        "is for readers of all other languages.",
    )
    images: bool = _switch(False, "List each page's own images (`image:image`).")
    max_urls: int = _option(
        MAX_URLS,
        validation.whole_number(1, MAX_URLS),
        "Maximum number of URLs in one file; larger sites get several files under a sitemap index.",
    )
    feed_entries: int = _option(
        100,
        validation.whole_number(1, MAX_URLS),
        "Maximum number of pages in a feed: the most recently changed ones.",
    )
    stylesheet: bool = _switch(
        True, "Write a style sheet (CSS) beside the sitemap, so that people can read it."
    )
    page_dates: bool = _switch(
        False, "Show each page's date in its footer, as far as the theme can, and add it to its head."
    )
    creation_dates: bool = _switch(
        False,
        "Also find when each page's source was added, and show it with `page_dates`, and in Atom feeds.",
    )
    json_ld: bool = _switch(
        False, "With `page_dates`, also add the date to the head as JSON-LD (`dateModified`)."
    )
    robots: bool | Literal["elsewhere"] = _option(
        True,
        validation.robots,
        "Write robots.txt, or add the `Sitemap:` line to the site's own. `false` does neither; `elsewhere` "
        "says that the line is in the robots.txt of the host, for a site below a path.",
    )
    current_version: str | None = _option(
        None,
        validation.optional(validation.version),
        "Name of the version that search engines should show, as in its URL, such as `stable`; `..` if it is "
        "in the folder above the others. A build of another version writes no sitemap, and its pages get a "
        "canonical link to the current version, or noindex.",
    )
    previews: str | None = _option(
        None,
        validation.optional(validation.one_of("disallow")),
        "`disallow` writes a robots.txt that forbids all crawling in preview builds; by default, they get "
        "none.",
    )
    indexnow_key: str | None = _option(
        None,
        validation.optional(validation.indexnow_key),
        "Key for IndexNow, 8 to 128 letters, digits and hyphens: write the file beside the sitemap that "
        "proves that the key is the site's.",
    )


OPTIONS: tuple[Field[Any], ...] = fields(Options)


def read_options(
    values: Mapping[str, object], spell: Spell = str, *, suggested: Spell | None = None
) -> Options:
    """Check the values that a user wrote, by option name, and return them as ``Options``.

    Raises ``OptionError`` for the first unknown name or invalid value. The message has the name as
    ``spell`` returns it, what was expected, and what was got. ``suggested`` spells the options that may take
    the place of an unknown one; by default, this is ``spell``.

    >>> read_options({"base_url": "https://bücher.example/docs", "formats": ["xml"]}).base_url
    'https://xn--bcher-kva.example/docs/'
    >>> read_options({"max_url": 100})
    Traceback (most recent call last):
    docs_sitemap.errors.OptionError: max_url: there is no such option; did you mean max_urls?
    """
    known = {option.name: option for option in OPTIONS}
    for name in values:
        if name not in known:
            raise OptionError(unknown_option(name, spell, suggested))
    return Options(**{name: check_option(known[name], value, spell) for name, value in values.items()})


def check_option(option: Field[Any], value: object, spell: Spell) -> Any:
    """Return the checked value of one option; raises ``OptionError``."""
    return validation.checked(spell(option.name), value, option.metadata["check"])


def unknown_option(name: str, spell: Spell, suggested: Spell | None = None) -> str:
    """Return a message that there is no such option, with its name here, the closest one, or all.

    See ``read_options`` for ``suggested``.
    """
    names = [option.name for option in OPTIONS]
    name = shorten(name)
    suggested = suggested or spell
    hint = _moved_option(name, suggested)
    if not hint and (close := difflib.get_close_matches(name, names, n=1)):
        hint = f"did you mean {suggested(close[0])}?"
    others = ", ".join(map(suggested, names))
    return f"{spell(name)}: there is no such option; {hint or f'the options are {others}'}"


_RENAMED: Final[Mapping[str, str]] = {
    "enable_creation_date": "creation_dates",
    "enable_git_follow": "follow_renames",
    "ignored_commits_file": "ignore_revs",
}
_NOT_NEEDED: Final[Mapping[str, str]] = {
    "custom_format": "dates are in words",
    "enable_parallel_processing": "one walk finds all dates",
    "fallback_to_build_date": "an unknown date is left out",
    "locale": "dates are in the theme's language",
    "strict": "a missing date stops no build",
    "timezone": "dates are in UTC",
    "type": "dates are in words",
}


def _moved_option(name: str, spell: Spell) -> str:
    """Return what to do with an option of git-revision-date-localized, or ``""`` for any other name."""
    if name in _RENAMED:
        return f"git-revision-date-localized's is called {spell(_RENAMED[name])} here"
    if name in _NOT_NEEDED:
        return f"remove it, it is git-revision-date-localized's: {_NOT_NEEDED[name]} here"
    return ""
