"""Find which documents are translated into which languages, from message catalogs."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from babel.messages.pofile import read_po
from sphinx.util.i18n import docname_to_domain

from docs_sitemap.generators.sphinx.sources import read_doctree
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.options.languages import code_or_none
from docs_sitemap.readers.files import read_any, read_plain

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
        self._folders = self._folders_of(app.config.language or "")
        self._domains = Counter(map(self._domain, env.found_docs))
        translated = frozenset(filter(self._is_translated, env.found_docs if self._folders else ()))
        self._translated = frozenset() if _is_original(app, len(translated)) else translated
        self._present = self._find_present(languages, bool(app.config.gettext_allow_fuzzy_translations))

    def catalogs(self, docname: str) -> list[Path]:
        """Return the message catalogs of a document, which Sphinx does not record after a clean build."""
        name = f"{self._domain(docname)}.po"
        return [path for folder in self._folders if os.path.isfile(path := folder / name)]

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

    def _folders_of(self, language: str) -> list[Path]:
        """Return the folders of a language's catalogs, for a regional language also those of its base."""
        languages = dict.fromkeys([language, language.partition("_")[0]] if language else [])
        places = [root / name / "LC_MESSAGES" for root in self._roots for name in languages]
        return [place for place in places if place.is_dir()]

    def _is_translated(self, docname: str) -> bool:
        if not any(map(has_messages, self.catalogs(docname))):
            return False
        if self._domains[self._domain(docname)] == 1:
            return True
        # a catalog for several documents may have no messages of this one
        doctree = read_doctree(self._env, docname)
        progress = (doctree and doctree.get("translation_progress")) or {}
        return not progress.get("total") or bool(progress.get("translated"))

    def _find_present(self, languages: Iterable[str], fuzzy: bool) -> dict[str, set[str]]:
        """Return the catalog domains that are translated, by the language of each translation."""
        names = self._language_folders() if languages else {}
        found = {}
        for code in set(languages) & names.keys():
            there = {
                domain
                for domain in self._domains
                for folder in self._folders_of(names[code])
                if translates(folder / f"{domain}.po", fuzzy)
            }
            if there:
                found[code] = there
        return found

    def _language_folders(self) -> dict[str, str]:
        """Return the folder names of the languages with catalogs, such as ``pt_BR``, by code."""
        folders = [place.parent for root in self._roots for place in sorted(root.glob("*/LC_MESSAGES"))]
        names = {code_or_none(folder.name): folder.name for folder in folders}
        return {_SCRIPTS.get(code, code): name for code, name in names.items()} | names


def _is_original(app: Sphinx, translated: int) -> bool:
    """Tell whether the site is English by default, with less than half of it translated."""
    is_english = (app.config.language or "en").partition("_")[0] == "en"
    return is_english and "language" not in app.config.overrides and 2 * translated < len(app.env.found_docs)


def has_messages(catalog: Path) -> bool:
    """Tell whether the compiled catalog, which Sphinx reads, translates any message."""
    head = read_any(catalog.with_suffix(".mo"), 12)
    # GNU gettext, "MO file format": the number of messages, as babel writes it; the first is the header
    return int.from_bytes(head[8:12], "little") > 1


def translates(catalog: Path, fuzzy: bool) -> bool:
    """Tell whether an uncompiled catalog, which may be missing, translates any message.

    Only the build of the catalog's language compiles it. ``fuzzy`` says whether fuzzy messages count.
    """
    if not catalog.is_file():  # most are not: a language has a catalog for each document
        return False
    with suppress(Exception):  # a catalog that babel cannot read: Sphinx warns in the build of its language
        messages = read_po(io.BytesIO(read_plain(catalog, MAX_FILE)), ignore_obsolete=True)
        return any(
            message.id and "".join(message.string or "") and (fuzzy or not message.fuzzy)
            for message in messages
        )
    return False
