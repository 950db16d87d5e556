"""Detects the utility pages of a built site: search, indexes, error pages, source code, print copies.

A page's name alone is not enough: a page called "search" may be about searching. Its name, its location and
its HTML decide together. The location is the root of a site, or of a part that was built separately: a
version or a language. The HTML must be what the generators of such pages are known to write.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_HEAD
from docs_sitemap.readers.files import read_any
from docs_sitemap.readers.html import read_head
from docs_sitemap.readers.page_parts import search_forms

SITE_FILES: Final = ("objects.inv", "searchindex.js", "search/search_index.json")
"""What Sphinx and MkDocs write beside the home page of a whole site, and nowhere else."""

MARKS: Final = (
    *SITE_FILES,
    "doxygen.css",
    *("element-list", "package-list"),  # javadoc
    *("crates.js", "src-files.js"),  # rustdoc
    *("toc.html", "print.html"),  # mdBook
    "hashmap.json",  # VitePress
    *("search_index.js", "siteinfo.js"),  # Documenter.jl
    "myst.xref.json",
)
"""What generators write beside the home page of a whole site."""

ERROR: Final = "an error page"
INDEX: Final = "a machine-made index"
PRINT: Final = "a copy for printing"
SEARCH: Final = "a search page"
SOURCE_CODE: Final = "a page of source code"

_KINDS: Final = (
    (ERROR, re.compile(r"404|not[_-]found", re.IGNORECASE)),
    (SEARCH, re.compile(r"search", re.IGNORECASE)),
    (INDEX, re.compile(r"genindex(?:-[^/]+)?|modindex|[^/]+-modindex", re.IGNORECASE)),
    (PRINT, re.compile(r"print|print[_-]page|print[_-]site|printable", re.IGNORECASE)),
)
_CODE_FOLDER: Final = re.compile(r"((?:.*?/)?)_modules/")  # Sphinx
_SEARCH_FOLDER: Final = re.compile(r"(?:.*/)?search/[^/]+$")  # Doxygen

# Files that generators write only to the root of their output
_ROOT_FILES: Final = (
    "objects.inv",  # Sphinx, mkdocstrings
    "searchindex.js",  # Sphinx, mdBook
    "search/search_index.json",  # MkDocs
    "search.json",  # Zensical, Jekyll
    "search/search.js",  # Doxygen
)
_SPHINX_FILE: Final = "_static/documentation_options.js"

_LANGUAGE: Final = re.compile(rb"<html\b[^<>]*\blang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_SAYS_NOT_FOUND: Final = re.compile(rb"<title\b[^<>]*>[^<]*\b(?:404|not found)\b", re.IGNORECASE)
_INDEX_FORM: Final = re.compile(
    rb"<(?:div|table)\b[^<>]*\bclass=[\"'](?:[\w -]* )?(?:genindex-jumpbox|modindex-jumpbox|indextable)\b"
)
# In other pages, headings contain a link or are within a section, and code blocks have more classes.
_CODE_FORM: Final = re.compile(rb"<h1>[^<]*</h1>\s*(?:<div class=\"highlight\"><pre|<ul><li><a )")
_PRINT_FORM: Final = re.compile(rb"<div id=[\"']?print-site-page\b")  # mkdocs-print-site-plugin
_DOXYGEN_FORM: Final = re.compile(rb"<body class=[\"']?SRPage\b")
_SPHINX_SEARCH: Final = re.compile(rb"<script\b[^<>]*\bsearchtools\.js")


def machine_page(root: Path, name: str) -> str:
    """Return which kind of utility page a file of a built site is, or ``""`` for an ordinary page.

    ``name`` is relative to the site's folder, with ``/``. The file is read only if its name is typical of
    utility pages.
    """
    path = name.rpartition(".")[0].removesuffix("/index")
    above, slash, stem = path.rpartition("/")
    folder = above + slash
    kind = next((kind for kind, names in _KINDS if names.fullmatch(stem)), "")
    if kind:
        data = _read(root, name)
        if _is_root(root, folder, data) and _has_form(root, folder, stem, kind, data):
            return kind
    if code := _CODE_FOLDER.match(name):
        is_sphinx = os.path.isfile(os.path.join(root, code[1] + _SPHINX_FILE))
        return SOURCE_CODE if is_sphinx and _CODE_FORM.search(_read(root, name)) else ""
    return SEARCH if _SEARCH_FOLDER.match(name) and _DOXYGEN_FORM.search(_read(root, name)) else ""


def _is_root(root: Path, folder: str, data: bytes) -> bool:
    """Return whether a folder is the root of a site, or of a part that was built separately.

    A language's folder has the name of the language that its pages declare, and a home page.
    """
    if not folder or any(os.path.isfile(os.path.join(root, folder + mark)) for mark in _ROOT_FILES):
        return True
    called = posixpath.basename(folder.rstrip("/")).replace("_", "-").lower()
    return called == language_of(data) and os.path.isfile(os.path.join(root, folder + "index.html"))


def language_of(data: bytes) -> str:
    """Return the language that a page declares in its first tag, in lower case; empty if it has none."""
    language = _LANGUAGE.search(data[:1_000])
    return language[1].decode().lower() if language else ""


def _has_form(root: Path, folder: str, stem: str, kind: str, data: bytes) -> bool:
    """Return whether a page is what its name says; hosts use any ``404.html`` at a root as error page."""
    if kind == ERROR:
        return stem == "404" or bool(_SAYS_NOT_FOUND.search(data))
    if kind == SEARCH:
        return bool(_SPHINX_SEARCH.search(data)) or _searches(root, data, folder + "index.html")
    return bool((_INDEX_FORM if kind == INDEX else _PRINT_FORM).search(data))


def _searches(root: Path, data: bytes, home: str) -> bool:
    """Return whether a page is a search page.

    It has a container for results, or a search field, that the home page lacks: elements on both pages
    belong to the theme. A home page that only redirects cannot be compared.
    """
    forms = search_forms(data)
    if not forms or os.path.islink(root / home):
        return False
    head = read_head(root / home)
    return head is not None and not head.refresh and not forms <= search_forms(_read(root, home))


def _read(root: Path, name: str) -> bytes:
    """Return the start of a file; nothing for a symbolic link, which may lead out of the site."""
    path = os.path.join(root, name)
    return b"" if os.path.islink(path) else read_any(path, MAX_HEAD)
