"""Facts about an MkDocs build: our options, its URL, its mode, and whether it failed."""

from __future__ import annotations

import logging
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import Field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.config.base import BaseConfigOption, ValidationError

from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import OPTIONS, Options, check_option, unknown_option
from docs_sitemap.options.page_settings import place_rules
from docs_sitemap.pages.page import Host
from docs_sitemap.readers.files import read_plain, read_start
from docs_sitemap.text import shorten, show_path, show_value, text_of

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


class _Option(BaseConfigOption[object]):
    """One of our options, which MkDocs validates with this class."""

    def __init__(self, option: Field[Any]) -> None:
        super().__init__()
        self._option = option
        self.default = option.default

    def run_validation(self, value: object, /) -> object:
        try:
            return check_option(self._option, value, str)
        except OptionError as problem:
            raise _error(self._option.name, str(problem)) from None


SCHEME: Final = tuple((option.name, _Option(option)) for option in OPTIONS)
"""The plugin's ``config_scheme`` for MkDocs."""


def errors_of_unknown(names: Iterable[object]) -> list[tuple[str, Exception]]:
    """Return an error for each unknown option, in the form that MkDocs collects."""
    unknown = [shorten(name) for name in names if name not in dict(SCHEME)]
    return [(name, _error(name, unknown_option(name, str))) for name in unknown]


def _error(name: str, message: str) -> ValidationError:
    """Return the error of an option, without the name, because MkDocs adds plugin and option."""
    return ValidationError(message.removeprefix(f"{name}: "))


def place_options(values: Mapping[str, Any], config: MkDocsConfig) -> tuple[Options, list[Notice]]:
    """Return the validated options, adapted to this site, and notices about them."""
    options = Options(**{option.name: values[option.name] for option in OPTIONS})
    rules, notices = place_rules(options.rules, Path(config.docs_dir), spell("rules"))
    options = replace(options, rules=rules)
    if is_serving(config):
        # use the server's URL, so that themes that fetch the sitemap find their pages in it; skip dates,
        # which nobody reads there and which would need a history walk at each rebuild
        lastmod = options.lastmod if options.page_dates else "none"
        options = replace(options, base_url=None, lastmod=lastmod, current_version=None)
    elif options.current_version and _MIKE_VERSION in os.environ:
        options = replace(options, current_version=None)
        text = (
            f"{spell('current_version')} is ignored: a build by mike does not know the aliases of its "
            "version. Remove it, and run docs-sitemap versions on the branch after mike deploy."
        )
        notices.append(Notice("warning", Subtype.VERSION, text))
    return options, notices


def spell(name: str) -> str:
    """Return how mkdocs.yml spells an option."""
    return f"plugins: docs-sitemap: {name}"


_MIKE_VERSION: Final = "MIKE_DOCS_VERSION"
"""The environment variable in which mike names the version that it builds."""

BUILT_IN: Final = "sitemap.xml"
"""The template that MkDocs renders for every site, with a compressed copy."""

_BUNDLE: Final = "assets/javascripts/bundle.*.js"
"""Material's script, in the folder of the theme."""


def reads_urls(config: MkDocsConfig) -> bool:
    """Tell whether the theme reads URLs from ``sitemap.xml`` in the browser, as Material 9 does.

    For instant navigation and previews it needs those of the site; to switch versions or languages, those of
    the other. Pages and extensions can ask for previews too, so its script is what tells.
    """
    scripts = (script for folder in config.theme.dirs for script in Path(folder).glob(_BUNDLE))
    return any(BUILT_IN.encode() in read_start(script, MAX_TEXT) for script in scripts)


def host_of(config: MkDocsConfig) -> Host:
    """Return the site's data from the configuration."""
    address = _with_prefix(config)
    served = str(config.dev_addr)
    if is_serving(config) and served.count(":") > 1:  # IPv6, which MkDocs 1.6 writes without brackets
        host, _, port = served.rpartition(":")
        address = (config.site_url or "").replace(f"//{served}", f"//[{host}]:{port}", 1)
    return Host(
        address or None,
        "site_url",
        spell,
        Path(config.config_file_path or "").parent,
        title=config.site_name or "",
        # Material has the option language, other themes have locale
        language=text_of(config.theme.get("language")) or str(config.theme.get("locale") or ""),
        reads_urls=BUILT_IN if reads_urls(config) else "",
        folders="set use_directory_urls: true",
        versions_by="mike" if "mike" in config.plugins or _MIKE_VERSION in os.environ else "",
        has_notes=True,
        file=os.path.basename(config.config_file_path or ""),
    )


def plugins_by_name(config: MkDocsConfig) -> Iterator[tuple[str, Any]]:
    """Yield each plugin with its name, without the number of plugins listed twice: ``name #2``.

    Also removes the prefix of a theme's plugins: ``material/blog``.
    """
    for key, plugin in config.plugins.items():
        yield key.partition(" #")[0].rpartition("/")[2], plugin


def originals(config: MkDocsConfig) -> Mapping[str, str]:
    """Map files of docs_dir to those that mkdocs-monorepo (1.1) copied there: absolute paths.

    That plugin copies all projects into a temporary folder, as docs_dir. Empty without it.
    """
    found = getattr(config.plugins.get("monorepo"), "files_source_dir", None)
    return found if isinstance(found, Mapping) else {}


def is_serving(config: MkDocsConfig) -> bool:
    """Tell whether this is ``mkdocs serve``, by the server's address and the temporary folder."""
    address = (config.site_url or "").partition("//")[2].partition("/")[0]
    return address == str(config.dev_addr) and Path(config.site_dir).parent == Path(tempfile.gettempdir())


def failed(config: MkDocsConfig) -> bool:
    """Tell whether ``--strict`` will stop the build because of a warning; the last files are kept."""
    handlers: list[Any] = [*logging.getLogger("mkdocs").handlers, *logging.getLogger("properdocs").handlers]
    counters = [handler for handler in handlers if hasattr(handler, "get_counts")]
    return bool(config.strict) and any(counter.get_counts() for counter in counters)


def _with_prefix(config: MkDocsConfig) -> str:
    """Return ``site_url`` with the prefix of mike (2.2); empty without ``site_url``.

    mike does not add its ``deploy_prefix`` to ``site_url``. The prefix is known if it is in mkdocs.yml, but
    not if it is only on mike's command line.
    """
    address = config.site_url or ""
    prefix = _deploy_prefix(config)
    if not prefix or not address:
        return address
    above, _, version = address.rstrip("/").rpartition("/")
    return address if f"{above}/".endswith(f"/{prefix}/") else f"{above}/{prefix}/{version}/"


def about_canonicals_of_mike(config: MkDocsConfig) -> list[Notice]:
    """Report canonical links of a version that do not match its URLs."""
    address = _with_prefix(config)
    if address == (config.site_url or "") or "@" in address:  # a password there is reported, and not shown
        return []
    prefix = show_value(_deploy_prefix(config))
    text = (
        f"mike publishes below {prefix} (deploy_prefix), which site_url lacks: the pages' canonical links "
        f"lead to {shorten(config.site_url or '')}, but the sitemap to {shorten(address)}. "
        "Add the prefix to site_url."
    )
    return [Notice("info", Subtype.CANONICAL, text)]


_PLAIN: Final = re.compile(r"""^(site_url|  language): *["']?([^\s"'#]+)["']? *(?:#.*)?$""", re.MULTILINE)
"""The values of a mkdocs.yml in which ``theme`` is indented by two blanks, as usual."""


def about_language(config: MkDocsConfig, language: str) -> list[Notice]:
    """Report another configuration here that has another ``theme.language``, but the same ``site_url``.

    It is beside this one, or in a folder beside that of this one, and has both as plain text.
    """
    url = config.site_url or ""
    own = Path(config.config_file_path or "mkdocs.yml").absolute()
    files = {*own.parent.glob("mkdocs*.yml")}
    if not (own.parent / ".git").exists():  # otherwise the folders beside it are other projects
        files.update(own.parent.parent.glob(f"*/{own.name}"))
    for file in sorted(files - {own}) if language and url else ():
        with suppress(OSError):
            written = dict(_PLAIN.findall(read_plain(file, MAX_TEXT).decode("utf-8", "replace")))
            other = written.get("  language", language)
            if other != language and written.get("site_url", "").rstrip("/") == url.rstrip("/"):
                name = f"{show_path(os.path.relpath(file, own.parent))} (theme.language: {shorten(other)})"
                text = (
                    f"{name} has the same site_url as this build in {shorten(language)}: search engines show"
                )
                cure = "Give each its own site_url."
                return [Notice("info", Subtype.LANGUAGES, f"{text} only one of the two. {cure}")]
    return []


def _deploy_prefix(config: MkDocsConfig) -> str:
    """Return the prefix without outer slashes; empty if mike does not run the build."""
    plugin: Any = config.plugins.get("mike")
    if plugin is None or _MIKE_VERSION not in os.environ:
        return ""
    return text_of(plugin.config["deploy_prefix"]).strip("/")
