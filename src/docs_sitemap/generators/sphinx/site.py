"""Convert the pages of a finished build to ``Page`` records."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.util.matching import Matcher

from docs_sitemap import urls
from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.installed import Installed
from docs_sitemap.errors import OutputError
from docs_sitemap.files import OutputFolder
from docs_sitemap.generators.sphinx.sources import Sources
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.notices import Notice
from docs_sitemap.options.page_settings import read_metadata
from docs_sitemap.pages.page import Page, Undated
from docs_sitemap.pages.selection import DRAFT, MACHINE, NOT_FOUND, UNTRANSLATED, hidden_by
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import read_plain
from docs_sitemap.text import text_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from docs_sitemap.generators.sphinx.translations import Translations

_CODE: Final = "source code"
_EXTRA: Final = "html_extra_path"
_TWO: Final = "html_extra_path has a file with the same name"

# Since 8.2, top-level files are matched against exclude_patterns as ./NAME, so few patterns match.
_TOP: Final = "./" if sphinx.version_info >= (8, 2) else ""


class Site:
    """The pages of a finished build.

    ``extra`` names the pages without a document; ``languages`` are the codes of the languages that the
    site is built in separately. Without ``includes``, only a page's own source dates it.
    """

    def __init__(
        self, app: Sphinx, extra: set[str], languages: Iterable[str] = (), *, includes: bool = True
    ) -> None:
        builder = app.builder
        assert isinstance(builder, StandaloneHTMLBuilder)  # noqa: S101  # for the type checker: _start has checked
        self._builder = builder
        self._is_single = isinstance(builder, SingleFileHTMLBuilder)
        self._config = app.config
        self._env = builder.env
        self._srcdir = Path(app.srcdir)
        self._confdir = Path(app.confdir)
        self._outdir = Path(app.outdir)
        self._extra = extra
        self._copied = self._files_of(app.config.html_extra_path, app.config.exclude_patterns)
        self._translations: Translations | None = None  # without a folder of catalogs
        if any(Path(app.srcdir, folder).is_dir() for folder in app.config.locale_dirs):
            from docs_sitemap.generators.sphinx.translations import Translations

            self._translations = Translations(app, builder.env, languages)
        self._installed = Installed(self._srcdir) if includes else None
        self._sources = Sources(app, builder.env, self._translations, self._installed)
        self._utility_pages = self._find_utility_pages()
        self.notices: list[Notice] = []  # mistakes in the settings of pages

    def pages(self) -> Iterator[Page]:
        """Yield every published page: documents, templates, and HTML files that are copied unchanged."""
        yield from self.named().values()
        for name, file in sorted(self._copied.items()):
            if urls.is_html(name):
                yield Page(url=urls.escape_name(name), source=file, file=file, optional=_EXTRA)

    def named(self) -> dict[str, Page]:
        """Return every page that Sphinx writes, by its name in templates."""
        templates: Mapping[str, str] = self._config.html_additional_pages
        if self._is_single:
            found = {self._config.root_doc: self._single()}
        else:
            docnames = sorted(self._env.found_docs - templates.keys())
            found = {docname: self._document(docname) for docname in docnames}
            others = sorted(self._extra - self._env.found_docs - templates.keys())
            found |= {name: self._page(name) for name in others}
        # templates are written last, and can replace a document
        return found | {name: self._template_page(name, templates[name]) for name in sorted(templates)}

    def other_files(self) -> Iterator[Page]:
        """Yield the files that are published as they are, but for HTML: copied, downloads and static."""
        found = {name: file for name, file in self._copied.items() if not urls.is_html(name)}
        # no hidden files, and no templates
        excluded = [*self._config.exclude_patterns, "**/.*"]
        static = self._files_of(self._config.html_static_path, excluded).items()
        found |= {f"_static/{name}": file for name, file in static if not name.endswith((".jinja", "_t"))}
        found |= {f"_downloads/{name}": self._srcdir / file for file, (_, name) in self._env.dlfiles.items()}
        for name, file in sorted(found.items()):
            yield Page(url=urls.escape_name(name), source=file, source_path=name, title=file.name)

    def own(self, name: str) -> str:
        """Return where the site's own file with this name in the build output comes from, or ``""``."""
        return _EXTRA if name in self._copied else ""

    def _files_of(self, paths: Iterable[str], excluded: Iterable[str]) -> dict[str, Path]:
        """Return copied files by their names in the output, with ``/``; of equal names, the last counts."""
        matcher = Matcher(excluded)
        return {name: file for path in paths for name, file in _walk(self._confdir / path, matcher)}

    def _document(self, docname: str) -> Page:
        page = self._page(docname)
        metadata = self._env.metadata[docname]
        source_path = Path(self._env.doc2path(docname, False)).as_posix()
        settings, sources, mistakes = read_metadata(metadata, source_path, self._srcdir)
        self.notices += mistakes
        parts = self._sources.parts(docname)
        translations = self._translations
        is_untranslated = translations is not None and translations.is_untranslated(docname)
        name = os.path.relpath(page.file, self._outdir).replace(os.sep, "/") if page.file else ""
        return replace(
            page,
            source=parts.source,
            source_path=source_path,
            sources=sources,
            dependencies=tuple(file for file in parts.texts if file != parts.source),
            media=tuple(parts.media),
            evidence={**parts.media, **parts.texts},
            settings=settings,
            # whether Sphinx copies the file over the page differs from build to build
            datable=name not in self._copied and not parts.undated,
            undated=Undated(_TWO, name) if name in self._copied else parts.undated,
            unlisted=page.unlisted or self._unlisted(docname, metadata),
            optional=page.optional or (UNTRANSLATED if is_untranslated else ""),
            absent=translations.absent(docname) if translations else frozenset(),
            title=self._env.titles[docname].astext() if docname in self._env.titles else "",
            summary=text_of(metadata.get("description")),
        )

    def _unlisted(self, docname: str, metadata: Mapping[str, Any]) -> str:
        """Return why a document excludes itself; empty if it does not."""
        if hidden := hidden_by(metadata):
            return hidden
        # ablog 0.11 treats a post without a date, or with a future date, as a draft
        posts = getattr(self._env, "ablog_posts", {}).get(docname, ())
        dates = [post.get("date") for post in posts]
        today = date.today()
        is_draft = dates and not any(day and day.date() <= today for day in dates)
        return f"{DRAFT}: a post without a date, or with a future one" if is_draft else ""

    def _single(self) -> Page:
        """Return the only page of singlehtml, which is made from all documents that it includes."""
        documents = [self._document(docname) for docname in sorted(self._inlined())]
        page = self._document(self._config.root_doc)
        return replace(
            page,
            sources=tuple(Path(file) for other in documents for file in other.files("none").all()),
            dependencies=tuple(file for other in documents for file in other.dependencies),
            media=tuple(file for other in documents for file in other.media),
            evidence={file: how for other in documents for file, how in other.evidence.items()},
            datable=page.datable and all(other.datable for other in documents),
            undated=next((other.undated for other in documents if not other.datable), None),
            optional=page.optional if all(other.optional for other in documents) else "",
        )

    def _inlined(self) -> set[str]:
        """Return the root document and all documents that its toctrees reach."""
        found: set[str] = set()
        rest = [self._config.root_doc]
        while rest:
            docname = rest.pop()
            if docname not in found and docname in self._env.found_docs:
                found.add(docname)
                rest += self._env.toctree_includes.get(docname, ())
        return found

    def _template_page(self, name: str, template: str) -> Page:
        """Return a page of ``html_additional_pages``, with its template as source."""
        page = self._page(name)
        for folder in self._config.templates_path:
            source = self._confdir / folder / template
            if source.is_file():
                inside = source.is_relative_to(self._srcdir)
                source_path = source.relative_to(self._srcdir).as_posix() if inside else None
                return replace(page, source=source, source_path=source_path)
        return page

    def _page(self, name: str) -> Page:
        # get_output_path since 8.2
        locate = getattr(self._builder, "get_output_path", None) or self._builder.get_outfilename
        return Page(
            url=self._url(name),
            file=Path(locate(name)),
            canonical=self._canonical(name),
            unlisted=NOT_FOUND if name in ("404", getattr(self._config, "notfound_pagename", "404")) else "",
            optional=self._optional(name),
        )

    def _url(self, name: str) -> str:
        """Return a page's encoded URL, relative to the base URL."""
        if self._is_single:  # get_target_uri would add a fragment
            return urls.escape_name(name + self._builder.out_suffix)
        target = self._builder.get_target_uri(name)
        # dirhtml returns names unencoded, so a % is part of the name
        return urls.escape_name(target) if name.startswith(target.rstrip("/")) else target

    def _optional(self, name: str) -> str:
        """Return why a page is listed only if a rule asks for it; empty if it is always listed."""
        if name in self._utility_pages:
            return MACHINE
        if name in self._extra and name == f"{getattr(self._config, 'blog_path', '')}/drafts":
            return DRAFT  # ablog also publishes a list of all drafts
        # a folder of documents can have the same name
        return _CODE if name in self._extra and name.startswith("_modules/") else ""

    def _canonical(self, name: str) -> str | None:
        """Return the canonical link that Sphinx writes; before 8.1, it ignores the builder's URLs."""
        if not self._config.html_baseurl:
            return None
        before = sphinx.version_info < (8, 1)
        target = name + self._builder.out_suffix if before else self._builder.get_target_uri(name)
        return posixpath.join(self._config.html_baseurl, target)

    def _find_utility_pages(self) -> set[str]:
        """Return the names of Sphinx's own pages, even if documents have the same names.

        But for a domain's index: a project that has a document of its name shows it to readers.
        """
        names = {"genindex-all", "genindex-single", "opensearch"}
        names |= {name for name in self._extra if name.startswith("genindex-")}
        if self._builder.search:
            names.add("search")
        if self._builder.use_index:
            names.add("genindex")
        if self._config.html_domain_indices:
            for domain in self._env.domains.values():
                names |= {f"{domain.name}-{index.name}" for index in domain.indices} - self._env.found_docs
        return names


def _walk(root: Path, excluded: Matcher) -> Iterator[tuple[str, Path]]:
    """Walk like Sphinx: a file that is an entry itself is never excluded, and links are followed."""
    if root.is_file():
        yield root.name, root
        return
    for folder, folders, files in os.walk(root, followlinks=True):
        below = Path(folder).relative_to(root).as_posix() + "/"
        prefix, asked = ("", _TOP) if below == "./" else (below, below)
        folders[:] = sorted(name for name in folders if not excluded(asked + name))
        for name in sorted(files):
            if not excluded(asked + name):
                yield prefix + name, Path(folder, name)


class ExtraPages:
    """The pages without a document in a build.

    Before Sphinx 8.2, a build that writes no document makes none of them: their names are stored. Call
    ``names`` at the end of a successful build.
    """

    def __init__(self, app: Sphinx, guard: BuildGuard) -> None:
        self._seen: set[str] = set()
        app.connect("env-updated", guard.around(self._ask))
        app.connect("html-page-context", guard.around(self._add))

    def names(self, app: Sphinx) -> set[str]:
        """Return the names of all such pages, and store them for builds that write none."""
        if not self._seen:  # a build writes all of them, such as the search page, or none
            return set(read_state(app, "pages").get("pages", ()))
        names = self._seen | set(_source_pages(app))
        write_state(app, "pages", {"pages": sorted(names), "makers": _makers(app)})
        return names

    def _ask(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Return a document to write if the makers of such pages have changed or are unknown."""
        writes_always = sphinx.version_info >= (8, 2) or isinstance(app.builder, SingleFileHTMLBuilder)
        is_known = writes_always or read_state(app, "pages").get("makers") == _makers(app)
        return [] if is_known else [app.config.root_doc]

    def _add(self, app: Sphinx, pagename: str, templatename: str, context: object, doctree: Any) -> None:
        """Add a page without a doctree; a page with one is a document in the environment."""
        if doctree is None:
            self._seen.add(pagename)


def _makers(app: Sphinx) -> list[str]:
    makers = [listener.handler for listener in app.events.listeners.get("html-collect-pages", ())]
    return sorted(f"{maker.__module__}.{getattr(maker, '__qualname__', '')}" for maker in makers)


def _source_pages(app: Sphinx) -> Iterator[str]:
    """Yield the pages of viewcode, which does not write those that are newer than their modules."""
    if "sphinx.ext.viewcode" in app.extensions:
        for module, entry in getattr(app.env, "_viewcode_modules", {}).items():
            if entry:
                yield f"_modules/{module.replace('.', '/')}"


def read_state(app: Sphinx, name: str) -> dict[str, Any]:
    """Return what the last build with this builder and output stored; empty if it cannot be read."""
    folder = Path(app.doctreedir)
    with suppress(OSError, ValueError):
        value = read_json(read_plain(folder / _state_file(app, name), MAX_FILE, below=folder))
        if isinstance(value, dict):
            return value
    return {}


def write_state(app: Sphinx, name: str, value: Mapping[str, object]) -> None:
    """Store data as JSON in the doctrees folder, for the next build; a failure is ignored."""
    data = json.dumps(value, sort_keys=True).encode("ascii")
    with suppress(OutputError), OutputFolder(Path(app.doctreedir)).changes() as changes:
        changes.write(_state_file(app, name), data)
        changes.commit()


def _state_file(app: Sphinx, name: str) -> str:
    place = f"{crc32(os.fsencode(app.outdir)):08x}"  # the same doctrees may have several outputs
    return f"docs_sitemap_{app.builder.name}_{place}_{name}.json"
