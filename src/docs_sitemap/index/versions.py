"""Choose the versions of a site for search engines: the newest, without old ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any, Final

from docs_sitemap.untrusted import read_json
from docs_sitemap.version_names import LATEST, STABLE, is_pre_release, is_release, is_version, order

ALL: Final = "all"


def read_versions(data: bytes) -> dict[str, list[str]]:
    """Return the versions that a file's content names, each folder with its aliases; empty if it is invalid.

    Accepts the ``versions.json`` that mike writes (``version``, ``aliases``), and the ``switcher.json`` of
    pydata-sphinx-theme (``version``, ``url``, ``preferred``), in which a version is in the last folder of its
    URL, and the preferred one is ``stable``.
    """
    found: dict[str, list[str]] = {}
    with suppress(ValueError):
        value: Any = read_json(data)
        for item in value if isinstance(value, list) else []:
            if isinstance(item, Mapping) and isinstance(item.get("version"), str):
                aliases = item.get("aliases")
                names = aliases if isinstance(aliases, list) else []
                known = found.setdefault(_folder(item.get("url")) or item["version"], [])
                known += [name for name in names if isinstance(name, str)]
                known += [STABLE] if item.get("preferred") is True else []
    return found


def _folder(url: object) -> str:
    """Return the last folder of a URL, or an empty string.

    >>> _folder("https://docs.example.org/2.1/")
    '2.1'
    """
    path = url.partition("?")[0].removesuffix("index.html") if isinstance(url, str) else ""
    return path.rstrip("/").rpartition("/")[2] if path.endswith("/") else ""


def find_versions(names: Collection[str], known: Mapping[str, Sequence[str]]) -> set[str]:
    """Return which of several sibling folders are versions of one site.

    ``known`` is the content of ``versions.json``. Without it, releases and well-known branches are versions
    if there are several of them, because a project can also be called ``dev``.
    """
    if known:
        aliases = {alias for others in known.values() for alias in others}
        return {name for name in names if name in known or name in aliases}
    found = {name for name in names if is_version(name)}
    return found if len(found) > 1 else set()


def choose(
    versions: Iterable[str], policy: Sequence[str], known: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """Return the versions to list, each as a list of names of which the first suitable one counts.

    ``policy`` is one of ``latest``, ``stable`` and ``all``, or patterns of names such as ``2.*``.
    ``latest`` means the folder or alias with that name, otherwise ``stable``, otherwise the highest release.
    """
    names = sorted(versions, key=order)
    if list(policy) == [ALL]:
        return [[name] for name in names]
    if len(policy) == 1 and policy[0] in (LATEST, STABLE):
        first, second = (LATEST, STABLE) if policy[0] == LATEST else (STABLE, LATEST)
        aliased = [name for alias in (first, second) for name in known if alias in known[name]]
        releases = [name for name in reversed(names) if is_release(name)]
        releases.sort(key=is_pre_release)  # releases first, pre-releases last
        wanted = [first, *aliased[:1], second, *aliased[1:], *releases]
        there = set(names)
        return [[name for name in dict.fromkeys(wanted) if name in there]]
    return [[name] for name in names if any(fnmatchcase(name, pattern) for pattern in policy)]
