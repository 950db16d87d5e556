"""Whether a site's sitemap says what its built pages and ``git log -1`` say: no page lost or invented,
every address and every date right.

Takes nothing from the package that is judged. The pages are what lies in the built folder, their
addresses what stands in their heads. Of their sources a built folder knows nothing: these come from
the inventory that ``benchmarks.rebuild`` writes beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from benchmarks.measure import BenchmarkError

_SITEMAPS: Final = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
_COPIED: Final = ("_static/", "_downloads/", "_images/", "_sources/")
_BOTS: Final = ("robots", "googlebot", "bingbot")


@dataclass(frozen=True)
class WrongDate:
    """A page's date that is another one than that of the newest of its files, which ``decided`` names."""

    page: str
    date: str | None
    truth: str | None
    decided: str

    @property
    def kind(self) -> str:
        """Return in which way: a reader is misled by the first, and loses something by the others."""
        if self.date is None:
            return "absent"
        return "too new" if self.truth is None or _moment(self.date) > _moment(self.truth) else "too old"

    def text(self) -> str:
        """Return it for people."""
        return f"{self.page} has {self.date or 'no date'}, not {self.truth} ({self.decided})"


@dataclass
class Findings:
    """What was compared, and every difference; ``left_out`` has the pages by reason."""

    built: int = 0
    listed: int = 0
    left_out: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    dates: list[WrongDate] = field(default_factory=list)

    def is_right(self) -> bool:
        """Tell whether there is no difference."""
        return not self.differences and not self.dates

    def text(self) -> str:
        """Return all of it for people."""
        lines = [f"{self.built} HTML files, {self.listed} pages listed"]
        for reason, names in sorted(self.left_out.items()):
            lines += [f"left out, {reason}: {len(names)}", *(f"    {name}" for name in sorted(names))]
        lines += [f"{what}: {count}" for what, count in sorted(self.compared.items())]
        for kind in ("too new", "too old", "absent"):
            wrong = [each.text() for each in self.dates if each.kind == kind]
            lines += [f"dates {kind}: {len(wrong)}", *(f"    {line}" for line in wrong)]
        lines += [f"{len(self.differences)} other differences", *(f"    {line}" for line in self.differences)]
        return "\n".join(lines)


def inventory_of(site: Path) -> Path:
    """Return where the inventory of a built folder is: beside it."""
    return site.with_name(site.name + ".inventory.json")


def check(site: Path) -> Findings:
    """Compare the sitemap in a built folder with its pages and their history.

    Raises ``BenchmarkError`` where there is nothing to compare.
    """
    file = inventory_of(site)
    if not file.is_file():
        raise BenchmarkError(f"there is no {file}: build the site with --mkdocs or --sphinx")
    judge = _Judge(site, json.loads(file.read_text("utf-8")))
    judge.match()
    judge.check_pages()
    judge.check_addresses()
    judge.check_dates()
    return judge.found


@dataclass(frozen=True)
class PageHead:
    """What a built page says of itself; ``leads_away_too`` counts what noscript says as well.

    A stub that leads elsewhere by script does so in noscript by meta; so may a page for readers.
    """

    canonical: str | None = None
    noindex: bool = False
    leads_away: bool = False
    leads_away_too: bool = False


def read_head(file: Path) -> PageHead:
    """Return what a page says of itself."""
    from lxml import html

    data = file.read_bytes()
    if not data.strip():
        return PageHead()
    tree = html.fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    metas = list(tree.iter("meta"))
    robots = " ".join(meta.get("content", "") for meta in metas if _is(meta.get("name"), *_BOTS))
    leading = [
        next(meta.iterancestors("noscript"), None) is None
        for meta in metas
        if _is(meta.get("http-equiv"), "refresh") and "url" in meta.get("content", "").lower()
    ]
    links = [link.get("href") for link in tree.iter("link") if _is(link.get("rel"), "canonical")]
    noindex = not {"noindex", "none"}.isdisjoint(robots.lower().replace(",", " ").split())
    return PageHead(next(iter(links), None), noindex, any(leading), bool(leading))


def _is(value: str | None, *names: str) -> bool:
    return (value or "").strip().lower() in names


class _Judge:
    """Compares one built site; ``known`` is its inventory."""

    def __init__(self, site: Path, known: dict[str, Any]) -> None:
        self.found = Findings()
        self._site = site
        self._known = known
        self._base = known["base_url"].rstrip("/") + "/"
        self._is_mkdocs = known["generator"] == "MkDocs"
        self._documents = {page["file"]: page for page in known["documents"]}
        self._excluded = _ignored_by(known["exclude"], self._documents)
        self._listed: dict[str, tuple[str, str | None]] = {}
        """The address and the date of each file in the sitemap."""

    def match(self) -> None:
        """Find the file of each address; one without a file of its own is a difference."""
        for loc, date in self._read_sitemap("sitemap.xml"):
            self.found.listed += 1
            name = self._file_at(loc.removeprefix(self._base)) if loc.startswith(self._base) else None
            if name is None:
                self.found.differences.append(f"invented: {loc} has no file")
            elif name in self._listed:
                self.found.differences.append(f"twice: {loc} and {self._listed[name][0]}")
            else:
                self._listed[name] = loc, date

    def _read_sitemap(self, name: str) -> Iterator[tuple[str, str | None]]:
        """Yield each loc and its lastmod, through sitemap indexes."""
        from lxml import etree

        try:
            root = etree.fromstring((self._site / name).read_bytes())
        except (OSError, etree.XMLSyntaxError) as problem:
            raise BenchmarkError(f"{self._site / name} cannot be read: {problem}") from None
        for entry in root.iterchildren(f"{_SITEMAPS}*"):
            loc = entry.findtext(f"{_SITEMAPS}loc") or ""
            if entry.tag == f"{_SITEMAPS}sitemap":
                yield from self._read_sitemap(unquote(loc.removeprefix(self._base)))
            else:
                yield loc, entry.findtext(f"{_SITEMAPS}lastmod")

    def _file_at(self, path: str) -> str | None:
        name = unquote(path).lstrip("/")
        for candidate in (name, f"{name.rstrip('/')}/index.html".lstrip("/"), f"{name}.html"):
            if candidate.endswith((".html", ".htm")) and (self._site / candidate).is_file():
                return candidate
        return name if name and (self._site / name).is_file() else None  # another html_file_suffix

    def check_pages(self) -> None:
        """Find pages that are lost, and those that are listed though they should not be."""
        files = {path.relative_to(self._site).as_posix() for path in self._site.rglob("*.html")}
        names = files | self._documents.keys()
        self.found.built = len(names)
        for name in sorted(names | self._listed.keys()):
            reason = self._why_not(name)
            if name in self._listed and reason:
                self.found.differences.append(f"listed, though {reason}: {name}")
            elif name not in self._listed and reason:
                self.found.left_out[reason].append(name)
            elif name not in self._listed:
                self.found.differences.append(f"lost: {name}")

    def _why_not(self, name: str) -> str:
        """Return why a page is not to be listed, or nothing."""
        page = self._documents.get(name)
        if name in self._known["machine"]:
            return "search, index or 404"
        if not self._is_mkdocs and not page and (reason := _why_not_in_sphinx(name)):
            return reason
        if name in self._excluded or (page and page["excluded"]):
            return "excluded"
        if not (self._site / name).is_file():
            return "no file"
        return self._why_not_by_head(name, is_page=page is not None) or self._why_not_as_file(name)

    def _why_not_by_head(self, name: str, *, is_page: bool) -> str:
        head = read_head(self._site / name)
        if head.noindex:
            return "noindex"
        if head.leads_away or (head.leads_away_too and not (head.canonical if self._is_mkdocs else is_page)):
            return "redirect"
        if self._is_mkdocs and head.canonical:
            at = unquote(self._base) + name
            if unquote(head.canonical) not in (at, at.removesuffix("index.html")):
                return "canonical link to another page"
        return ""

    def _why_not_as_file(self, name: str) -> str:
        known, page = self._known, self._documents.get(name)
        if page:
            return "untranslated" if known["translation"] and not page["translated"] else ""
        if name in known["templates"]:
            return ""
        if name in known["copied"]:
            return "copied as it is"
        return "" if self._is_mkdocs or name in known["rendered"] else "made by another program"

    def check_addresses(self) -> None:
        """Compare each address with the canonical link of its page."""
        # below Sphinx 8.1, those of dirhtml are wrong
        is_wrong = self._known.get("version", [9]) < [8, 1] and self._known.get("builder") == "dirhtml"
        for name, (loc, _) in sorted(self._listed.items()):
            canonical = read_head(self._site / name).canonical
            if canonical is None:
                self.found.compared["pages without a canonical link"] += 1
            elif canonical == loc:
                self.found.compared["loc equal to the canonical link"] += 1
            elif quote(canonical, safe="/:@!$&'()*+,;=-._~%") == loc:
                self.found.compared["loc equal to the canonical link but for escapes"] += 1
            elif is_wrong:
                self.found.compared["loc not the canonical link, which is wrong below Sphinx 8.1"] += 1
            else:
                self.found.differences.append(f"canonical: {name} says {canonical}, the sitemap {loc}")

    def check_dates(self) -> None:
        """Compare each date with that of the newest of the page's files."""
        sources = {name: self._sources_of(page) for name, page in self._documents.items()}
        sources |= self._known["templates"]
        dates = _git_dates({file for name in self._listed for file in sources.get(name) or ()})
        for name, (_, date) in sorted(self._listed.items()):
            files = sources.get(name, [])
            if files is None:
                self.found.compared["dates of pages with settings of their own, not compared"] += 1
                continue
            newest = max(((moment, file) for file in files if (moment := dates[file])), default=None)
            truth, decided = (_iso(newest[0]), newest[1]) if newest else (None, "no tracked file")
            if date != truth:
                self.found.dates.append(WrongDate(name, date, truth, decided))
            elif truth is None:
                self.found.compared["no date, and no tracked file"] += 1
            else:
                self.found.compared["date equal to git log -1"] += 1
                if decided != files[0]:
                    self.found.compared["date equal to git log -1, of another file than the source"] += 1

    def _sources_of(self, page: dict[str, Any]) -> list[str] | None:
        """Return the files that make a page; ``None`` where the page itself says what its date is."""
        sources: list[str] | None = page["sources"]
        if sources and self._is_mkdocs and page["source"] and not _is_tracked(page["source"]):
            return []
        return sources


def _why_not_in_sphinx(name: str) -> str:
    """Return why a file that is made of no document is not to be listed, by its name."""
    if name.startswith(_COPIED):
        return "a file of a page"
    if name.startswith("_modules/"):
        return "source code"
    return "search, index or 404" if name.startswith("genindex-") else ""


def _ignored_by(patterns: Sequence[str], names: Iterable[str]) -> set[str]:
    """Return the names that patterns match; git itself says what gitignore's mean."""
    if not patterns:
        return set()
    with tempfile.TemporaryDirectory() as folder:
        _git(folder, "init", "--quiet")
        Path(folder, ".gitignore").write_text("\n".join(patterns) + "\n", "utf-8")
        ignored = _git(folder, "check-ignore", "--no-index", "--", *names, or_else="")
    return set(ignored.splitlines())


def _iso(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat()


def _moment(date: str) -> float:
    return datetime.fromisoformat(date).timestamp()


def _git_dates(files: Iterable[str]) -> dict[str, int | None]:
    names = sorted(files)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(_git_date, names), strict=True))


def _git_date(file: str) -> int | None:
    """Return what ``git log -1`` says of a tracked file; of a link, what it says of its target."""
    if not _is_tracked(file):
        return None
    path = Path(os.path.realpath(file))
    time = _git(path.parent, "--literal-pathspecs", "log", "-1", "--format=%ct", "--", path.name)
    return int(time) if time else None


def _is_tracked(file: str) -> bool:
    path = Path(os.path.realpath(file))
    root = _repository(path.parent)
    return root is not None and path in _tracked(root)


@cache
def _repository(folder: Path) -> Path | None:
    root = _git(folder, "rev-parse", "--show-toplevel", or_else="") if folder.is_dir() else ""
    return Path(os.path.realpath(root)) if root else None


@cache
def _tracked(root: Path) -> frozenset[Path]:
    if _git(root, "rev-parse", "--is-shallow-repository") != "false":
        raise BenchmarkError(f"{root} is a shallow clone: the dates of its files are not known")
    return frozenset(root / name for name in _git(root, "ls-files", "-z").split("\0") if name)


def _git(folder: Path | str, *arguments: str, or_else: str | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode and or_else is None:
        raise BenchmarkError(f"git {' '.join(arguments[:3])} in {folder}: {os.fsdecode(done.stderr).strip()}")
    return or_else or "" if done.returncode else os.fsdecode(done.stdout).strip("\n")
