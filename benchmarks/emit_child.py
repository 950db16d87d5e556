"""The site that ``emit`` measures, and each way to its files in a process of its own.

``python -m benchmarks.emit_child write ours|etree URLS MAX_URLS FOLDER`` writes ready entries,
``emit FORMATS URLS MAX_URLS FOLDER [REPO]`` goes the whole way from pages on, ``pages URLS`` is
what making those pages takes alone, and ``read URLS FILE...`` tells whether files hold the entries.

All is imported, built and on disk before the time begins, and hashed after it ends. Prints JSON.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from benchmarks import synthetic
from benchmarks.measure import peaks, processor_seconds
from docs_sitemap.files.documents import Documents, place
from docs_sitemap.files.emission import emit
from docs_sitemap.files.family import Family
from docs_sitemap.files.formats.xml import NAMESPACE, render_urlset
from docs_sitemap.files.output import OutputFolder
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.page import Host, Page
from docs_sitemap.timestamps import format_date

BASE = "https://docs.example.org/en/latest/"
_FIRST = 1_500_000_000
"""POSIX seconds of the first page's date; each further one is a minute later."""


def dated_pages(number: int) -> Iterator[Page]:
    """Yield pages that say their dates themselves, each of them another one."""
    for at, path in enumerate(synthetic.site_pages(number)):
        date = format_date(_FIRST + 60 * at)
        yield Page(url=_address(path), source_path=path, settings=PageSettings(lastmod=date))


def tracked_pages(number: int, root: Path) -> Iterator[Page]:
    """Yield pages whose dates git has."""
    for path in synthetic.site_pages(number):
        yield Page(url=_address(path), source_path=path, source=root / path)


def entries_of(number: int) -> list[Url]:
    """Return the entries of the dated pages, sorted as ``emit`` sorts them."""
    entries = [
        Url(BASE + _address(path), format_date(_FIRST + 60 * at))
        for at, path in enumerate(synthetic.site_pages(number))
    ]
    return sorted(entries, key=lambda url: url.loc)


def _address(path: str) -> str:
    return path.removesuffix(".md") + "/"


def write(name: str, urls: str, max_urls: str, folder: str) -> dict[str, Any]:
    """Write entries as XML."""
    entries = entries_of(int(urls))
    prepare = {"ours": _ours, "etree": _etree}[name]
    return _measured(prepare(entries, int(max_urls), Path(folder)), Path(folder))


def _ours(entries: Sequence[Url], max_urls: int, folder: Path) -> Callable[[], None]:
    options = Options(formats=("xml",), max_urls=max_urls, stylesheet=False)

    def work() -> None:
        with OutputFolder(folder).changes() as changes:
            for name, data in Documents(entries, BASE, options).render():
                changes.write(name, data)
            changes.commit()

    return work


def _etree(entries: Sequence[Url], max_urls: int, folder: Path) -> Callable[[], None]:
    """Prepare the same with the standard library; which entry goes where, it is told for nothing."""
    family = Family("sitemap.xml")
    placed = place(entries, max_urls, MAX_BYTES)
    parts: list[list[Url]] = [[] for _ in range(max(placed) + 1)]
    for url, part in zip(entries, placed, strict=True):
        parts[part].append(url)
    is_split = len(parts) > 1
    names = [family.part(number) for number in range(1, len(parts) + 1)] if is_split else [family.sitemap]

    def work() -> None:
        for name, part in zip(names, parts, strict=True):
            _save("urlset", "url", ((url.loc, url.lastmod) for url in part), folder / name)
        if is_split:
            dates = [max(url.lastmod or "" for url in part) for part in parts]
            locs = [BASE + name for name in names]
            _save("sitemapindex", "sitemap", zip(locs, dates, strict=True), folder / family.sitemap)

    return work


def _save(root_tag: str, tag: str, rows: Any, file: Path) -> None:
    root = ET.Element(root_tag, xmlns=NAMESPACE)
    for loc, lastmod in rows:
        element = ET.SubElement(root, tag)
        ET.SubElement(element, "loc").text = loc
        ET.SubElement(element, "lastmod").text = lastmod
    ET.indent(root, "  ")
    root.tail = "\n"
    with open(file, "wb") as stream:
        stream.write(_HEAD)
        ET.ElementTree(root).write(stream, encoding="utf-8", xml_declaration=False)


_HEAD = render_urlset([]).partition(b"<urlset")[0]
"""What stands above the root element, which ElementTree has no place for."""


def read(urls: str, *files: str) -> dict[str, Any]:
    """Tell whether the files hold the entries that were written, no more and no less."""
    found = []
    for file in files:
        for _, element in ET.iterparse(file):  # noqa: S314 - written just now
            if element.tag == f"{{{NAMESPACE}}}url":
                found.append(tuple(child.text for child in element))
                element.clear()
    wanted = [(url.loc, url.lastmod) for url in entries_of(int(urls))]
    return {"entries": len(found), "equal": sorted(found) == wanted}


def whole(formats: str, urls: str, max_urls: str, folder: str, repo: str = "") -> dict[str, Any]:
    """Go the whole way, pages streaming in; with dates from the repository, if there is one."""
    number = int(urls)
    options = Options(formats=tuple(formats.split("+")), max_urls=int(max_urls))
    pages = tracked_pages(number, Path(repo)) if repo else dated_pages(number)
    dated = []

    def work() -> None:
        report = emit(pages, Path(folder), options, Host(BASE, "base_url", str), environ={})
        dated.append(sum(url.lastmod is not None for url in report.urls))

    measured = _measured(work, Path(folder))
    if dated != [number]:
        sys.exit(f"expected {number} entries with dates, got {dated}")
    return measured


def pages(urls: str) -> dict[str, Any]:
    """Make the pages and nothing else: what of the whole way is not ours."""
    return _measured(lambda: deque(dated_pages(int(urls)), maxlen=0), None)


def _measured(work: Callable[[], object], folder: Path | None) -> dict[str, Any]:
    gc.collect()
    baseline, _ = peaks()
    os.sync()  # who waits for the disk is not to wait for what others wrote
    start, used = time.perf_counter(), processor_seconds()
    work()
    seconds, processor = time.perf_counter() - start, processor_seconds() - used
    memory, _ = peaks()
    files = sorted(folder.iterdir()) if folder else []
    return {
        "seconds": seconds,
        "processor": processor,
        "memory": memory,
        "baseline": baseline,
        "answers": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
    }


COMMANDS: dict[str, Callable[..., dict[str, Any]]] = {
    "write": write,
    "read": read,
    "emit": whole,
    "pages": pages,
}

if __name__ == "__main__":
    print(json.dumps(COMMANDS[sys.argv[1]](*sys.argv[2:])))
