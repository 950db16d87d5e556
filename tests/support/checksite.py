"""A small built site without a fault, to put one in and see it found."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass, field
from pathlib import Path

from docs_sitemap.check import RULES, Finding, Question, check_site
from docs_sitemap.pages.hosting import NO_HOSTING, Hosting

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
BASE = "https://docs.acme.org/"


@dataclass
class Entry:
    """One ``<url>``; ``more`` is XML behind the date."""

    loc: str
    lastmod: str | None
    more: str = ""

    def xml(self) -> str:
        lastmod = f"<lastmod>{self.lastmod}</lastmod>" if self.lastmod is not None else ""
        loc = self.loc.replace("&", "&amp;")
        return f"<url><loc>{loc}</loc>{lastmod}{self.more}</url>\n"


@dataclass
class Page:
    """One HTML file. ``canonical`` is its own address unless another is given, none where empty."""

    links: list[str] = field(default_factory=list)
    head: str = ""
    canonical: str | None = None
    body: str = ""

    def html(self, own: str) -> str:
        canonical = own if self.canonical is None else self.canonical
        link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
        links = "".join(f'<a href="{href}">x</a>\n' for href in self.links)
        return (
            f"<!DOCTYPE html>\n<html lang=en><head><title>A page</title>{link}{self.head}</head>"
            f"<body>{links}{self.body}</body></html>\n"
        )


class BuiltSite:
    """Six pages, all listed with different dates and linked from the home page, and a robots.txt."""

    def __init__(self, root: Path, base: str = BASE) -> None:
        self.root = root
        self.base = base
        names = ["guide/", "guide/install/", "guide/use/", "api.html", "faq/"]
        self.pages = {name: Page(["/".join([".."] * name.count("/")) or "."]) for name in names}
        self.pages[""] = Page(names)
        self.entries = [
            Entry(base + name, f"2024-0{number}-0{number}T10:00:00+00:00")
            for number, name in enumerate(["", *names], 1)
        ]
        self.robots: str | None = f"User-agent: *\nAllow: /\n\nSitemap: {base}sitemap.xml\n"
        self.prolog = '<?xml version="1.0" encoding="UTF-8"?>\n'
        self.files: dict[str, bytes | None] = {}

    def entry(self, path: str) -> Entry:
        """The entry of a page."""
        return next(entry for entry in self.entries if entry.loc == self.base + path)

    def unlist(self, path: str) -> None:
        self.entries.remove(self.entry(path))

    def add(self, path: str, **more: object) -> Page:
        """Add a page that is listed and linked."""
        self.pages[path] = Page(**more)  # type: ignore[arg-type]
        self.pages[""].links.append(path)
        self.entries.append(Entry(self.base + path, "2024-08-08T10:00:00+00:00"))
        return self.pages[path]

    def add_many(self, count: int, folder: str = "many") -> list[str]:
        """Add pages that are listed and linked; return their paths."""
        paths = [f"{folder}/{number}/" for number in range(count)]
        for number, path in enumerate(paths):
            self.add(path)
            self.entry(path).lastmod = f"2023-01-01T10:{number // 60:02}:{number % 60:02}+00:00"
        return paths

    def urlset(self, entries: list[Entry] | None = None) -> str:
        chosen = self.entries if entries is None else entries
        return f'{self.prolog}<urlset xmlns="{NS}">\n{"".join(entry.xml() for entry in chosen)}</urlset>\n'

    def index(self, *parts: str, lastmod: str = "2025-01-01T00:00:00+00:00") -> bytes:
        locs = [part if ":" in part else self.base + part for part in parts]
        date = f"<lastmod>{lastmod}</lastmod>"
        rows = "".join(f"<sitemap><loc>{loc}</loc>{date}</sitemap>\n" for loc in locs)
        return f'{self.prolog}<sitemapindex xmlns="{NS}">\n{rows}</sitemapindex>\n'.encode()

    def split(self, **more: str) -> None:
        """Put the sitemap into a part under an index."""
        self.files["sitemap-1.xml"] = self.urlset().encode()
        self.files["sitemap.xml"] = self.index("sitemap-1.xml", **more)

    def write(self) -> None:
        """Write all files; what ``files`` has goes before what would be made."""
        made: dict[str, bytes | None] = {}
        for path, page in self.pages.items():
            name = path if path.endswith(".html") else path + "index.html"
            made[name] = page.html(self.base + path).encode("utf-8", "surrogateescape")
        made["sitemap.xml"] = self.urlset().encode()
        made["robots.txt"] = self.robots.encode() if self.robots is not None else None
        made |= self.files
        for name, data in made.items():
            if data is not None:
                file = self.root / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
                os.utime(file, (1_750_000_000, 1_750_000_000))

    def check(
        self,
        *,
        base_url: str = "",
        asked: str = "",
        previous: Path | None = None,
        sitemaps: tuple[str, ...] = (),
        hosting: Hosting = NO_HOSTING,
    ) -> list[Finding]:
        """Write the site and return what all rules find in it."""
        self.write()
        question = Question(
            self.root, base_url, sitemaps, previous, frozenset({asked} - {""}), hosting=hosting
        )
        return check_site(question, list(RULES.values())).findings


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
