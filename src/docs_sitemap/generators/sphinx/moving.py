"""The configuration of sphinx-sitemap 2.9, read where ours says nothing: moving is one word in conf.py.

Its values count only where conf.py sets them. Each is named once, with its successor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from docs_sitemap.notices import Notice

if TYPE_CHECKING:
    from sphinx.config import Config

_THEIRS = "sphinx_sitemap"


def read_theirs(config: Config) -> tuple[dict[str, object], list[Notice]]:
    """Return our options as sphinx-sitemap's values give them, and what to tell."""
    written = _written(config)
    found: dict[str, object] = {}
    notices = []
    for name, (ours, convert) in _SUCCESSORS.items():
        if name not in written:
            continue
        values = convert(written, config)
        found |= values
        notices.append(_told(name, ours, is_read=bool(values)))
    return found, notices


def warn_of_both(extensions: Mapping[str, object]) -> list[Notice]:
    """Say that two extensions write one file: ours comes later, so that it is the one that stays."""
    if _THEIRS not in extensions:
        return []
    text = f"{_THEIRS} is loaded as well, and writes a sitemap that is replaced: remove it from extensions."
    return [Notice("warning", "both", text)]


def _written(config: Config) -> dict[str, Any]:
    values = {**getattr(config, "_raw_config", {}), **config.overrides}
    return {name: values[name] for name in _SUCCESSORS if values.get(name) is not None}


def _told(name: str, ours: str, *, is_read: bool) -> Notice:
    if not ours:
        text = f"{name} is sphinx-sitemap's and has no successor: the sitemap is always indented. Remove it."
    elif is_read:
        text = f"{name} is sphinx-sitemap's and read as docs_sitemap_{ours}: rename it."
    else:
        text = f"{name} is sphinx-sitemap's and changes nothing here: see docs_sitemap_{ours}, and remove it."
    return Notice("info", "moving", text)


def _prefix(written: Mapping[str, Any], language: str, config: Config) -> str | None:
    """Return what the URL scheme puts between site and page; ``None`` where it is set and no prefix."""
    scheme = str(written.get("sitemap_url_scheme", "{link}"))
    version = f"{config.version}/" if config.version else ""
    prefix, link, suffix = scheme.partition("{link}")
    if not link or suffix:
        return None
    return prefix.replace("{lang}", f"{language}/" if language else "").replace("{version}", version)


def _address(written: Mapping[str, Any], language: str, config: Config) -> str | None:
    site = str(written.get("site_url") or config.html_baseurl or "")
    prefix = _prefix(written, language, config)
    return f"{site.rstrip('/')}/{prefix}" if site and prefix is not None else None


def _base_url(written: Mapping[str, Any], config: Config) -> dict[str, object]:
    address = _address(written, config.language, config)
    # without a prefix of its own html_baseurl says the same, and needs no second name
    changes = address and address.rstrip("/") != str(config.html_baseurl or "").rstrip("/")
    return {"base_url": address} if changes else {}


def _languages(written: Mapping[str, Any], config: Config) -> dict[str, object]:
    if "{lang}" not in str(written.get("sitemap_url_scheme", "")):
        return {}
    codes = dict.fromkeys([config.language, *filter(None, written["sitemap_locales"])])
    if len(codes) == 1:
        return {}
    return {"languages": {code: _address(written, code, config) for code in codes}}


def _exclude(written: Mapping[str, Any], config: Config) -> dict[str, object]:
    return {"exclude": [pattern for item in written["sitemap_excludes"] for pattern in _patterns(str(item))]}


def _patterns(item: str) -> list[str]:
    """Return gitignore's patterns for one of fnmatch, whose ``*`` goes over ``/`` as well."""
    item = item.replace("\\", "\\\\")
    if "*" not in item:
        return [f"/{item}"]
    return [f"/{item}", "/" + item.replace("*", "*/**/*")]


def _plain(name: str, ours: str) -> Callable[[Mapping[str, Any], Config], dict[str, object]]:
    return lambda written, config: {ours: written[name]}


_SUCCESSORS: Mapping[str, tuple[str, Callable[[Mapping[str, Any], Config], dict[str, object]]]] = {
    "site_url": ("base_url", _base_url),
    "sitemap_url_scheme": ("base_url", _base_url),
    "sitemap_locales": ("languages", _languages),
    "sitemap_filename": ("filename", _plain("sitemap_filename", "filename")),
    "sitemap_excludes": ("exclude", _exclude),
    "sitemap_show_lastmod": (
        "lastmod",
        lambda written, config: {"lastmod": "git" if written["sitemap_show_lastmod"] else "none"},
    ),
    "sitemap_indent": ("", lambda written, config: {}),
}
