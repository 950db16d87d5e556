"""Find which documents are translated into which languages, from message catalogs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.util.i18n import docname_to_domain

from docs_sitemap.generators.sphinx.catalogs import Catalogs, has_messages
from docs_sitemap.generators.sphinx.doctrees import read_doctree
from docs_sitemap.options import code_or_none
from docs_sitemap.untrusted import RealPaths

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# gettext identifies these scripts by country, hreflang can use the script
_SCRIPTS: Final = {"zh-CN": "zh-Hans", "zh-SG": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant"}


class Translations:
    """The catalogs of the current language and of others, given by hreflang codes in ``languages``."""

    def __init__(self, app: Sphinx, env: BuildEnvironment, languages: Iterable[str] = ()) -> None:
        self._env = env
        self._compact: bool | str = app.config.gettext_compact
        self._roots = [Path(os.path.normpath(Path(app.srcdir, folder))) for folder in app.config.locale_dirs]
        self._real = RealPaths()
        self._catalogs = self._folders(app.config.language or "")
        self._existing = cache(self._catalogs_of)  # documents may share catalogs
        self._domains = Counter(map(self._domain, env.found_docs))
        translated = frozenset(filter(self._is_translated, env.found_docs if self._catalogs else ()))
        self._translated = frozenset() if _is_original(app, len(translated)) else translated
        self._present = self._find_present(languages, bool(app.config.gettext_allow_fuzzy_translations))

    def catalogs(self, docname: str) -> list[Path]:
        """Return the message catalogs of a document, which Sphinx does not record after a clean build."""
        return self._existing(self._domain(docname))

    def _catalogs_of(self, domain: str) -> list[Path]:
        return [path for folder in self._catalogs if os.path.isfile(path := folder / f"{domain}.po")]

    def is_untranslated(self, docname: str) -> bool:
        """Tell whether the translated site shows this document in the original language.

        A site without translated documents is not a translation: the original language may have empty
        catalogs, and those of Sphinx or a theme belong to no document. English is the original, unless it
        is requested, for example by ``-D language=en``, or most of it is translated: translation services
        also fill its catalogs.
        """
        return bool(self._translated) and docname not in self._translated

    def absent(self, docname: str) -> frozenset[str]:
        """Return the codes of the languages whose sites do not list the document for that reason.

        This is unknown for catalogs with messages of several documents.
        """
        domain = self._domain(docname)
        return frozenset(code for code, there in self._present.items() if domain not in there)

    def _domain(self, docname: str) -> str:
        return docname_to_domain(docname, self._compact)

    def _folders(self, language: str) -> list[Path]:
        """Return the folders of a language's catalogs, for a regional language also those of its base."""
        languages = dict.fromkeys([language, language.partition("_")[0]] if language else [])
        places = [root / name / "LC_MESSAGES" for root in self._roots for name in languages]
        return [place for place in places if place.is_dir()]

    def _is_translated(self, docname: str) -> bool:
        if not any(has_messages(catalog, self._real) for catalog in self.catalogs(docname)):
            return False
        if self._domains[self._domain(docname)] == 1:
            return True
        # a catalog for several documents may have no messages of this one
        doctree = read_doctree(self._env, docname)
        progress = (doctree and doctree.get("translation_progress")) or {}
        return not progress.get("total") or bool(progress.get("translated"))

    def _find_present(self, languages: Iterable[str], fuzzy: bool) -> dict[str, frozenset[str]]:
        """Return the catalog domains that are translated, by the language of each translation."""
        names = self._names() if languages else {}
        catalogs = Catalogs(fuzzy)

        places = Places(self._domains, self._real)

        @cache  # hundreds of languages may have links to one folder
        def within(*folders: str) -> frozenset[str]:
            """Return the domains that a catalog in these folders translates."""
            return frozenset(
                domain
                for folder in folders
                for domain in places.within(folder)
                if catalogs.translates(f"{folder}/{domain}.po")
            )

        codes = set(languages) & names.keys()
        found = {code: within(*map(self._real.of, self._folders(names[code]))) for code in codes}
        return {code: there for code, there in found.items() if there}

    def _names(self) -> dict[str, str]:
        """Return the folder names of the languages with catalogs, such as ``pt_BR``, by code."""
        names = {
            code_or_none(name): name
            for root in self._roots
            for name in _listed(root)
            if os.path.isdir(root / name / "LC_MESSAGES")
        }
        return {_SCRIPTS.get(code, code): name for code, name in names.items()} | names


class Places:
    """Finds the catalogs of documents in folders, by looking at what is there.

    Looking for that of each document in each language takes longer: most are not there.
    """

    def __init__(self, domains: Collection[str], real: RealPaths) -> None:
        self._domains = domains
        self._real = real.of
        self._listed = lru_cache(maxsize=8)(lambda folder: frozenset(_listed(folder)))
        self._names: dict[str, set[str]] = {"": set()}  # by folder
        for domain in domains:
            path = f"{domain}.po"
            while path:
                path, _, name = path.rpartition("/")
                names = self._names.setdefault(path, set())
                if name in names:
                    break
                names.add(name)

    def within(self, root: str) -> Iterator[str]:
        """Yield the domains that have a catalog in a folder, or something else of that name."""
        pending = [""]
        while pending:
            folder = pending.pop()
            for name in self._names[folder] & self._listed(self._real(os.path.join(root, folder))):
                path = f"{folder}/{name}" if folder else name
                if path in self._names:
                    pending.append(path)
                if path.endswith(".po") and path.removesuffix(".po") in self._domains:
                    yield path.removesuffix(".po")


def _listed(folder: str | Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_original(app: Sphinx, translated: int) -> bool:
    """Tell whether the site is English by default, with less than half of it translated."""
    is_english = (app.config.language or "en").partition("_")[0] == "en"
    return is_english and "language" not in app.config.overrides and 2 * translated < len(app.env.found_docs)
