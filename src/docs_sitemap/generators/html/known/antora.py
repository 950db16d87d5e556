"""Antora 3 (docs.antora.org, "How Antora Builds URLs", "antora.yml", "Resource ID Coordinates").

Each folder with an ``antora.yml`` is a version of a component. The built site does not say which branch or
tag a page is from: only pages of a version that lies in the project have sources.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.generator import Claim, Generator, Source, configuration
from docs_sitemap.limits import MAX_PAGE
from docs_sitemap.readers.files import files_below, read_start
from docs_sitemap.text import text_of

_DESCRIPTOR: Final = "antora.yml"
_DIRECTIVE: Final = re.compile(r"(include|ifn?def|ifeval|endif)::([^\[]*)\[(.*)\]\s*")
_DIRECTORY: Final = re.compile(r"\{(partial|example)sdir\}/?")
_RESOURCE: Final = re.compile(r"(?:([^@:$]+)@)?(?:(?:([^@:$]+):)?([^@:$]+)?:)?(?:([^@:$]+)\$)?([^:$@]+)")
_VERSION: Final = re.compile(rb'data-component="([^"]+)"\s+data-version="([^"]+)"')
"""What the menu of the default UI, and of those that are made from it, says of its page."""


@cache
def _components(folder: Path) -> dict[str, tuple[str, str | None]]:
    """Return name and version of the components below a folder, by their own, which ends with a slash.

    The version is ``None`` if the branch or the playbook decides it.
    """
    found: dict[str, tuple[str, str | None]] = {}
    for path in files_below(folder, "node_modules"):
        if posixpath.basename(path) == _DESCRIPTOR:
            said = configuration(folder, path)
            version = said.get("version", True)
            plain = f"{version:g}" if isinstance(version, float) else text_of(version)
            own = None if isinstance(version, (bool, dict)) else "" if plain == "master" else plain
            found[path.removesuffix(_DESCRIPTOR)] = text_of(said.get("name")), own
    return found


def _place(source: Source) -> tuple[str, str, str]:
    """Return a file's component folder, its module, and its path there; empty if it is in none."""
    for root in _components(source.folder):
        if source.path.startswith(f"{root}modules/"):
            module, _, path = source.path.removeprefix(f"{root}modules/").partition("/")
            return root, module, path
    return "", "", ""


def _in_antora(source: Source) -> Iterator[Claim]:
    root, module, path = _place(source)
    name, version = _components(source.folder).get(root, ("", None))
    if version is None or not path.startswith("pages/") or path.startswith("pages/_partials/"):
        return
    stem = path.removeprefix("pages/").removesuffix(".adoc")
    is_index = source.name == "index"
    parts = (name if name != "ROOT" else "", version, module if module != "ROOT" else "", stem)
    page = "/".join(filter(None, parts))
    yield Claim(page.removesuffix("index").rstrip("/") if is_index else page, index=0 if is_index else -1)


def _latest(site: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages whose addresses have another segment than their version: ``latest_version_segment``."""
    sources = (Source(folder, path) for path in files_below(folder, "node_modules") if path.endswith(".adoc"))
    known = {claim.page: source.path for source in sources for claim in _in_antora(source)}
    for name in files_below(site):
        page = re.sub(r"(?:(?:^|/)index)?\.html$", "", name)
        if page in known or not name.endswith(".html"):
            continue
        if found := _VERSION.search(read_start(site / name, MAX_PAGE, site)):
            component, version = (each.decode("utf-8", "replace") for each in found.groups())
            above = f"{component}/" if component != "ROOT" else ""
            rest = page.removeprefix(above).partition("/")[2]
            # not what lies beside the versions, such as 404.html
            is_place = page.startswith(above) and (rest or name.endswith("/index.html"))
            if is_place and (source := known.get(f"{above}{version}/{rest}".rstrip("/"))):
                yield page, source


def _includes(text: str) -> Iterator[str]:
    """Yield the targets of include directives, without those in comments and below conditions."""
    depth, comment = 0, ""
    for line in text.splitlines():
        if comment or re.fullmatch(r"/{4,}\s*", line):
            comment = "" if comment == line.rstrip() else comment or line.rstrip()
        elif found := _DIRECTIVE.fullmatch(line):
            kind, target, words = found.groups()
            if kind == "include" and not depth:
                yield _DIRECTORY.sub(r"\1$", target)
            elif kind == "ifeval" or (kind in ("ifdef", "ifndef") and not words):
                depth += 1
            elif kind == "endif":
                depth = max(0, depth - 1)


def _included(source: Source, target: str) -> str:
    """Return the path of what a file includes; empty if it is not in the project, or not certain."""
    root, own, path = _place(source)
    components, places = _components(source.folder), []
    if not re.search("[$:@]", target):
        places = [posixpath.normpath(source.above + target)]
    elif root in components and (found := _RESOURCE.fullmatch(target)):
        version, component, module, family, name = found.groups()
        if name.startswith("./"):
            name = posixpath.dirname(path.partition("/")[2]) + name[1:]
        wanted = component or components[root][0]
        version = components[root][1] if not component and version is None else version
        folder = f"{module or ('ROOT' if component else own)}/{family or 'page'}s"
        places = [
            posixpath.normpath(f"{each}modules/{folder}/{name}")
            for each, (known, its) in components.items()
            if known == wanted and version in (None, its, "_" if its == "" else its)
        ]
    files = [place for place in places if os.path.isfile(source.folder / place)]
    return files[0] if len(files) == 1 else ""


def _shown(source: Source) -> Iterator[Path]:
    """Yield what a page includes, and what that includes."""
    pending, known = [source], {source.path}
    while pending:
        each = pending.pop()
        for path in filter(None, (_included(each, target) for target in _includes(each.text))):
            if path not in known:
                known.add(path)
                yield source.folder / path
                pending.append(Source(source.folder, path))


ANTORA: Final = Generator(
    "Antora",
    "antora",
    (_DESCRIPTOR, "antora-playbook.yml"),
    _in_antora,
    parts=_shown,
    suffixes=(".adoc",),
    is_whole=True,
    written=_latest,
)
