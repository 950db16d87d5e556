"""The sites in the folders of a tree: which of them search engines should find, and which name others."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from docs_sitemap.pages.version_names import LATEST, STABLE, is_preview, is_version
from docs_sitemap.versions.marking import forms

if TYPE_CHECKING:
    from docs_sitemap.check.built_site import Site


class Sites:
    """The sites in the folders of a tree; folders end in ``/``."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @cached_property
    def foreign(self) -> dict[str, list[tuple[str, str]]]:
        """The pages that name one in another language as canonical, with that, by the folder of their site.

        These are half of its pages in that language or more. Fewer are as Google wants it if they are not
        translated: "the best possible substitute language" (How to specify a canonical URL).
        """
        site, pages = self._site, Counter[tuple[str, str]]()
        found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for name, facts in site.pages.items():
            if facts.language and facts.is_indexable:
                pages.update((folder, facts.language) for folder in _above(name))
                url = site.canonical_of(name)
                target = (site.file_of(url) if url and site.is_own(url) else "") or name
                if site.pages.get(target, facts).language not in ("", facts.language):
                    found[_apart(name, target), facts.language].append((name, target))
        return {each[0]: found[each] for each in sorted(found) if 2 * len(found[each]) >= pages[each]}

    @cached_property
    def previews(self) -> dict[str, list[str]]:
        """The pages of previews, by folder, that the site around has too, as it has half of them or more."""
        pages: dict[str, list[str]] = defaultdict(list)
        for name in self._site.pages:
            for folder in filter(self._is_preview, _above(name)):
                pages[folder].append(name)
        for folder, names in pages.items():
            around = [*_above(folder)[:-1], *self._current]
            paths = {name: forms(name.removeprefix(folder)) for name in names}
            is_there = self._site.pages.__contains__
            twins = [it for it in names if any(is_there(up + form) for up in around for form in paths[it])]
            # a home page alone proves nothing: each site has one
            pages[folder] = twins if 2 * len(twins) >= max(4, len(names)) else []
        return {folder: twins for folder, twins in pages.items() if twins}

    def _is_preview(self, folder: str) -> bool:
        return is_preview(folder[:-1], lambda it: bool(self._site.tree.file_at(f"{it}/")))

    @property
    def _current(self) -> tuple[str, ...]:
        return tuple(f"{group.current.real}/" for group in self._site.versions.groups)

    def is_apart(self, folder: str) -> bool:
        """Tell whether search engines are not meant to find a folder's site, or find it elsewhere.

        Its home page or robots.txt says so, or it is a preview, or a version that is not the current one.
        """
        site = self._site
        home = site.tree.file_at(folder) or ""
        facts = site.pages.get(home)
        if not facts or facts.noindex or facts.refresh or folder in self.previews:
            return True
        if site.robots and site.robots.blocked_agent(site.url_of(folder)):
            return True
        url = site.canonical_of(home)
        target = (site.file_of(url) or home if site.is_own(url) else "") if url else home
        is_old = any(map(is_version, {*folder.split("/")} - {LATEST, STABLE}))
        return not target.startswith(folder) or (is_old and not folder.startswith(self._current))


def _above(name: str) -> list[str]:
    """Return the folders of a file, the root first: ``""``, ``a/``, ``a/b/``."""
    return ["", *accumulate(f"{part}/" for part in name.split("/")[:-1])]


def _apart(name: str, other: str) -> str:
    """Return the highest folder of a file in which another one is not.

    >>> [_apart("fr/guide/a.html", "en/guide/a.html"), _apart("2.0/fr/a.html", "2.0/a.html")]
    ['fr/', '2.0/fr/']
    """
    folders = [""] if other.endswith(f"/{name}") else _above(name)
    return next((folder for folder in folders if not other.startswith(folder)), folders[-1])
