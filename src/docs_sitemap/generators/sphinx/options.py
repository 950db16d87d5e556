"""Read our options from conf.py and ``sphinx-build -D``, and those of sphinx-sitemap 2.9 where it sets none.

Of those, only values that the user has set count. Each is reported once, with the option that replaces it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import Field
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import OPTIONS, Options, read_options
from docs_sitemap.readers.files import read_start, read_text
from docs_sitemap.text import shorten, show_value, text_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

_PREFIX: Final = "docs_sitemap_"

# These change a date, the feed links or the mark on pages, so Sphinx rewrites all pages.
_ON_PAGES: Final = frozenset(
    {"base_url", "creation_dates", "current_version", "filename", "formats", "json_ld", "page_dates"}
)

_THEIRS: Final = "sphinx_sitemap"

_LOADS: Final = re.compile(r"""\bsetup_extension\(\s*["']sphinx_sitemap["']""")

_SUCCESSORS: Final = {
    "site_url": "base_url",
    "sitemap_url_scheme": "base_url",
    "sitemap_locales": "languages",
    "sitemap_filename": "filename",
    "sitemap_excludes": "exclude",
    "sitemap_show_lastmod": "lastmod",
    "sitemap_indent": "",
}
"""The options of sphinx-sitemap, and ours in their place."""

_DEFAULTS: Final = {option.name: option.default for option in OPTIONS}

_PAGE: Final = re.compile(r"/?(.+?)(?:\.html?|/(?:index\.html?)?)?")
"""A page's address in any builder, from which its name is taken."""

_PLAIN: Final = re.compile(r"""^(html_baseurl|language) *= *["']([^"'\n]*)["'] *(?:#.*)?$""", re.MULTILINE)
"""A value that is plain text in conf.py."""

_MADE: Final = re.compile(r"(genindex(?:-[\w-]*)?|\w+-modindex|_modules)(?:/.*|\*)?")
"""Names of pages that Sphinx makes, and patterns for them, unless a document has such a name."""

_ADVICE: Final = 5_000
"""Characters of a value that a message tells users to write in conf.py: it must be complete."""


def spell(name: str) -> str:
    """Return how conf.py spells an option."""
    return _PREFIX + name


def register_options(app: Sphinx) -> None:
    """Register each option as ``docs_sitemap_NAME``."""
    for option in OPTIONS:
        # None means "not set". Without types, Sphinx does not check values, so a mistake gives one warning.
        app.add_config_value(spell(option.name), None, "html" if option.name in _ON_PAGES else "")


def options_of(app: Sphinx) -> tuple[Options, list[Notice], bool]:
    """Return the options, notices about values from sphinx-sitemap, and whether the base URL is one.

    Raises ``OptionError``.
    """
    config = app.config
    values = {option.name: value for option in OPTIONS if (value := _value(config, option)) is not None}
    theirs, notices = _read_theirs(config, Path(app.srcdir), values)
    options = read_options(theirs | values | _unknown_options(config), spell)
    return options, notices, "base_url" in theirs


def about_both(app: Sphinx) -> list[Notice]:
    """Report that both extensions write the same file, and that ours replaces the other.

    It is a mistake only where conf.py lists the other. Sphinx does not record which extension loads one: the
    file of its ``setup`` does.
    """
    if _THEIRS in app.config.extensions:
        text = f"{_THEIRS} is also loaded, and its sitemap is replaced: remove it from extensions."
        return [Notice("warning", Subtype.BOTH, text)]
    if _THEIRS not in app.extensions:
        return []
    from docs_sitemap.dates.objects import file_of

    files = {name: file_of(getattr(each.module, "setup", None)) for name, each in app.extensions.items()}
    found = [shorten(name) for name, file in files.items() if file and _LOADS.search(read_text(file))]
    by = ", ".join(found) or "another extension, or setup() in conf.py"
    text = f"{_THEIRS} is also loaded, by {by}, and its sitemap is replaced. Nothing needs to be done."
    return [Notice("info", Subtype.BOTH, text)]


def about_language(app: Sphinx) -> list[Notice]:
    """Report a translation with catalogs, chosen by ``-D language``, that has the address of the original.

    That is certain if conf.py has the address as plain text, without the language.
    """
    config, language, url = app.config, app.config.language or "", app.config.html_baseurl
    file = os.path.join(app.confdir, "conf.py")
    text = read_start(file, MAX_TEXT) if "language" in config.overrides and os.path.isfile(file) else b""
    written = dict(_PLAIN.findall(text.decode("utf-8", "replace")))
    codes = {language.lower().replace("_", "-"), language.partition("_")[0]}
    is_same = url and url == written.get("html_baseurl") and not codes & {*re.split("[/.]", url.lower())}
    is_other = is_same and language != written.get("language", "en")
    if not is_other or not any(os.path.isdir(Path(app.srcdir, it, language)) for it in config.locale_dirs):
        return []
    where = f"html_baseurl in conf.py, {shorten(url)}, is also that of this build in {shorten(language)}"
    cure = "search engines show only one of the two languages. Give this one its own: -D html_baseurl=URL"
    return [Notice("info", Subtype.LANGUAGES, f"{where}: {cure}")]


def _value(config: Config, option: Field[Any]) -> object:
    """Return the value of an option, or ``None``; values from ``sphinx-build -D`` are text."""
    name = spell(option.name)
    value: object = getattr(config, name)
    if name not in config.overrides or not isinstance(value, str):
        return value
    if not value:
        return None  # -D NAME= resets conf.py's value, as for Sphinx's options
    is_list = isinstance(option.default, tuple)
    return [item for item in value.split(",") if item] if is_list else value  # as for Sphinx's lists


def _unknown_options(config: Config) -> dict[str, object]:
    """Return names in conf.py that have our prefix but are not options: Sphinx ignores them silently."""
    written: Mapping[str, Any] = getattr(config, "_raw_config", {})
    return {
        name.removeprefix(_PREFIX): value
        for name, value in written.items()
        if name.startswith(_PREFIX)
        and name not in config
        and not (callable(value) or isinstance(value, ModuleType))
    }


def _read_theirs(
    config: Config, srcdir: Path, ours: Collection[str]
) -> tuple[dict[str, object], list[Notice]]:
    """Return the values of sphinx-sitemap as our options, and a notice for each, except for an empty address.

    That may come from a variable that only the service sets. ``ours`` names our options that are set: these
    take precedence.
    """
    given = getattr(config, "_raw_config", {}) | {
        # values of sphinx-build -D are text, which Sphinx converts if sphinx-sitemap is loaded
        name: getattr(config, name, value)
        for name, value in config.overrides.items()
    }
    written = {name: given[name] for name in _SUCCESSORS if given.get(name) is not None}
    converted = _converted(written, config, srcdir)
    found = {option: value for option, value in converted if option not in ours}
    named = [name for name, value in written.items() if name != "site_url" or value or "base_url" in ours]
    return found, [_notice(name, found) for name in named]


def _notice(name: str, found: Mapping[str, object]) -> Notice:
    ours = _SUCCESSORS[name]
    if not ours:
        text = " and not needed: sitemaps are always indented. Remove it."
    elif ours not in found:
        text = f" and changes nothing: see docs_sitemap_{ours}; remove it."
    elif found[ours] == []:
        text = f"; remove {name}: these pages are left out anyway."
    elif found[ours] == _DEFAULTS[ours]:
        text = f" and only says the default of {spell(ours)}; remove it."
    else:
        option = "html_baseurl" if ours == "base_url" else spell(ours)
        text = f", read as {option} = {show_value(found[ours], _ADVICE)}: set that instead"
        text += ", so that the canonical links of the pages match." if ours == "base_url" else "."
    return Notice("info", Subtype.MOVING, f"{name} is an option of sphinx-sitemap{text}")


def _converted(written: Mapping[str, Any], config: Config, srcdir: Path) -> Iterator[tuple[str, object]]:
    """Yield our options for the values of sphinx-sitemap, but for those that change nothing.

    Patterns for pages that are left out anyway are dropped.
    """
    address = _address(written, config.language, config)
    is_new = address and address.rstrip("/") != text_of(config.html_baseurl).rstrip("/")
    if is_new and written.keys() & {"site_url", "sitemap_url_scheme"}:
        yield "base_url", address
    codes = dict.fromkeys([config.language, *_listed(written.get("sitemap_locales"))])
    if "{lang}" in text_of(written.get("sitemap_url_scheme")) and len(codes) > 1:
        yield "languages", {code: _address(written, code, config) for code in codes}
    if "sitemap_filename" in written:
        yield "filename", written["sitemap_filename"]
    if items := _listed(written.get("sitemap_excludes")):
        needed = [item for item in items if not _is_left_out(item, config, srcdir)]
        yield "exclude", [pattern for item in needed for pattern in _patterns(item)]
    if "sitemap_show_lastmod" in written:
        yield "lastmod", "none" if written["sitemap_show_lastmod"] in (False, 0, "0", "") else "git"


def _listed(value: object) -> list[str]:
    """Return a value of sphinx-sitemap as a list; it treats ``[None]`` as an empty list."""
    if isinstance(value, str):
        value = value.split(",")
    return [text_of(item) for item in value if item] if isinstance(value, (list, tuple, set)) else []


def _address(written: Mapping[str, Any], language: str, config: Config) -> str | None:
    """Return the site's base URL for a language; ``None`` without an address, or if its scheme has none.

    Each slash of a scheme counts once, and the folders that the site's address already ends with do not
    follow again: sphinx-sitemap writes both twice, and no page is there.
    """
    scheme = text_of(written.get("sitemap_url_scheme", "{link}"))
    site = text_of(written.get("site_url") or config.html_baseurl).rstrip("/")
    before, link, suffix = scheme.partition("{link}")
    if not site or not link or suffix:
        return None
    version = f"{config.version}/" if config.version else ""

    def folders(code: str) -> str:
        filled = before.replace("{lang}", f"{code}/" if code else "").replace("{version}", version)
        return "/".join(["", *filter(None, filled.split("/"))])

    return f"{site.removesuffix(folders(config.language))}{folders(language)}/"


def _is_left_out(item: str, config: Config, srcdir: Path) -> bool:
    """Tell whether a pattern matches only pages that ``Site`` leaves out, unless a rule asks for them."""
    page = _PAGE.fullmatch(item)
    name = page[1] if page else ""
    never = {"404", getattr(config, "notfound_pagename", "404"), "search", "opensearch"}
    if name in never or (name == "genindex" and config.html_use_index):
        return True
    made = _MADE.fullmatch(name)
    return made is not None and not any(srcdir.glob(f"{made[1]}*"))


def _patterns(item: str) -> list[str]:
    """Return the gitignore patterns for an fnmatch pattern, in which ``*`` also matches ``/``.

    In fnmatch, a pattern that ends in ``/`` matches one page, and one that ends in ``/*`` also all pages
    below it. Each ``*`` doubles the number of patterns.
    """
    first, *rest = re.split(r"\*+", item.replace("\\", "\\\\"))
    ways = product(("*", "*/**/*"), repeat=len(rest))
    found = [f"/{first}" + "".join(map("".join, zip(gaps, rest, strict=True))) for gaps in ways]
    if item.endswith("/*"):
        found += [pattern.removesuffix("*") for pattern in found if pattern.endswith("/*")]
    elif item.endswith("/") and item.strip("*/"):
        found += [f"!{pattern}?*" for pattern in found]
    return found
