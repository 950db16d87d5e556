"""Whether a site's sitemap says what its built pages and ``git log -1`` say: no page lost or invented,
every address and every date right.

Takes nothing from the package that is judged. The pages are what lies in the built folder, their
addresses what stands in their heads; of their sources a built folder knows nothing, so these come
from ``benchmarks.inventory``, or, without that, are files of the same name.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import cache
from itertools import filterfalse
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote

from benchmarks.measure import BenchmarkError

_SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
_WHAT_COUNTS = Path(__file__).resolve().parents[1] / "docs/what-a-page-includes.md"
_COPIED = ("_static/", "_downloads/", "_images/", "_sources/")
_BOTS = ("robots", "googlebot", "bingbot")
_SHOWN = 5
"""Pages of one cause that are named."""
_WRITTEN_IN = (".rst", ".md", ".txt", ".ipynb")


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
        rest = f", not {self.truth} ({self.decided})" if self.kind == "too new" else ""
        return f"{self.page} has {self.date or 'no date'}{rest}"

    def cause(self) -> str:
        """Return what the same differences have in common, for people."""
        if self.kind == "too new":
            return f"have {self.date}, which is of another file than theirs"
        return f"without {self.decided} of {self.truth}"


@dataclass
class Findings:
    """What was compared, and every difference; ``left_out`` has the pages by reason."""

    built: int = 0
    listed: int = 0
    left_out: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    dates: list[WrongDate] = field(default_factory=list)
    not_seen: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Pages that are too old or without a date, by the row of the documentation that says why."""
    only_noted: list[str] = field(default_factory=list)
    """Pages whose right date is that of a file which a note of Sphinx names, and nothing on the page."""
    also_read: list[str] = field(default_factory=list)
    """Pages for which a newer file was read: it may be part of them, for all that is known."""

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
            lines += self._dates(kind)
        for row, names in sorted(self.not_seen.items()):
            lines += [f"not seen, as documented: {row}: {len(names)}", *(f"    {name}" for name in names)]
        if self.only_noted:
            lines += [f"dated by a note of Sphinx alone: {len(self.only_noted)}"]
            lines += [f"    {line}" for line in self.only_noted]
        if self.also_read:
            lines += [f"a newer file was read for it, which nothing names: {len(self.also_read)}"]
            lines += [f"    {line}" for line in self.also_read]
        lines += [f"{len(self.differences)} other differences", *(f"    {line}" for line in self.differences)]
        return "\n".join(lines)

    def _dates(self, kind: str) -> Iterator[str]:
        """Yield the pages whose date is wrong in one way, by what they have in common."""
        causes: defaultdict[str, list[WrongDate]] = defaultdict(list)
        for wrong in self.dates:
            if wrong.kind == kind:
                causes[wrong.cause()].append(wrong)
        yield f"dates {kind}: {sum(map(len, causes.values()))}"
        for cause, pages in sorted(causes.items(), key=lambda item: -len(item[1])):
            yield f"    {len(pages)} {cause}:"
            for wrong in pages[:_SHOWN]:
                yield f"        {wrong.text()}"
            if len(pages) > _SHOWN:
                yield f"        and {len(pages) - _SHOWN} more"


@dataclass(frozen=True)
class Head:
    """What a built page says of itself; ``leads_away_too`` counts what noscript says as well.

    A stub that leads elsewhere by script does so in noscript by meta; so may a page for readers.
    """

    canonical: str | None = None
    noindex: bool = False
    leads_away: bool = False
    leads_away_too: bool = False


@dataclass(frozen=True)
class NotSeen:
    """Files of pages that nothing tells of, as a row of the documentation says."""

    page: str
    """A built page, as for ``fnmatch``."""
    pattern: str
    """Its files, from the root of the repository."""
    row: str

    def matches(self, file: str) -> bool:
        """Tell whether a file is one of them."""
        path = Path(os.path.realpath(file))
        root = _repository(path.parent)
        return root is not None and fnmatchcase(path.relative_to(root).as_posix(), self.pattern)


def not_seen(said: Iterable[tuple[str, str, str]]) -> list[NotSeen]:
    """Return what ``--not-seen`` names, with whole rows; a row is named by words that it begins with.

    Raises ``BenchmarkError`` for a row that no table of the documentation has.
    """
    rows = _rows_of_not_seen(_WHAT_COUNTS.read_text("utf-8"))
    found = []
    for page, pattern, start in said:
        row = next((row for row in rows if row.startswith(start)), None)
        if row is None:
            raise BenchmarkError(f"--not-seen: no row of {_WHAT_COUNTS.name} begins with {start!r}")
        found.append(NotSeen(page, pattern, row))
    return found


def _rows_of_not_seen(text: str) -> list[str]:
    tables = [table.partition("\n\n")[0] for table in text.split("| not seen |")[1:]]
    return [line.split("|")[1].strip() for table in tables for line in table.splitlines()[2:]]


def inventory_of(site: Path) -> Path:
    """Return where the inventory of a built folder is: beside it."""
    return site.with_name(site.name + ".inventory.json")


def check(site: Path, source: Path, base_url: str | None = None, unseen: Sequence[NotSeen] = ()) -> Findings:
    """Compare the sitemap in a built folder with its pages and their history.

    A page may be dated without its files that are ``unseen``. Raises ``BenchmarkError`` where there is
    nothing to compare.
    """
    known: dict[str, Any] = {}
    if inventory_of(site).is_file():
        known = json.loads(inventory_of(site).read_text("utf-8"))
    base = _with_slash(base_url or known.get("base_url") or _guess_base(site))
    found = Findings()
    listed = _match(site, base, found)
    _check_pages(site, known, listed, found)
    _check_locs(site, known, listed, found)
    if known:
        _check_dates(_sources(known), listed, found, unseen)
        _look_at_notes(known, listed, found)
    else:
        _check_dates_alone(source, listed, found)
    return found


def read_sitemap(site: Path, base: str, name: str = "sitemap.xml") -> Iterator[tuple[str, str | None]]:
    """Yield each loc and its lastmod, through sitemap indexes."""
    from lxml import etree

    try:
        root = etree.fromstring((site / name).read_bytes())
    except (OSError, etree.XMLSyntaxError) as problem:
        raise BenchmarkError(f"{site / name} cannot be read: {problem}") from None
    for entry in root.iterchildren(f"{_SITEMAPS}*"):
        loc = entry.findtext(f"{_SITEMAPS}loc") or ""
        if entry.tag == f"{_SITEMAPS}sitemap":
            yield from read_sitemap(site, base, unquote(loc.removeprefix(base)))
        else:
            yield loc, entry.findtext(f"{_SITEMAPS}lastmod")


def read_head(file: Path) -> Head:
    """Return what a page says of itself."""
    from lxml import html

    data = file.read_bytes()
    if not data.strip():
        return Head()
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
    return Head(next(iter(links), None), noindex, any(leading), bool(leading))


def _is(value: str | None, *names: str) -> bool:
    return (value or "").strip().lower() in names


def _with_slash(url: str) -> str:
    return url if url.endswith("/") else url + "/"


def _guess_base(site: Path) -> str:
    root = site / "index.html"
    canonical = read_head(root).canonical if root.is_file() else None
    if not canonical:
        raise BenchmarkError(f"{root} has no canonical link: name the site's address with --base-url")
    return canonical.removesuffix("index.html")


def _match(site: Path, base: str, found: Findings) -> dict[str, tuple[str, str | None]]:
    """Return ``{file: (loc, lastmod)}``; a loc without a file of its own is a difference."""
    listed: dict[str, tuple[str, str | None]] = {}
    for loc, date in read_sitemap(site, base):
        found.listed += 1
        name = _file_of(site, loc.removeprefix(base)) if loc.startswith(base) else None
        if name is None:
            found.differences.append(f"invented: {loc} has no file")
        elif name in listed:
            found.differences.append(f"twice: {loc} and {listed[name][0]}")
        else:
            listed[name] = loc, date
    return listed


def _file_of(site: Path, path: str) -> str | None:
    name = unquote(path)
    for candidate in (name, name.rstrip("/") + "/index.html", name + ".html"):
        if candidate.endswith((".html", ".htm")) and (site / candidate.lstrip("/")).is_file():
            return candidate.lstrip("/")
    return name if name and (site / name).is_file() else None  # another html_file_suffix


def _check_pages(site: Path, known: Mapping[str, Any], listed: Iterable[str], found: Findings) -> None:
    files = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    documents = {page["file"]: page for page in known.get("documents", {}).values()}
    found.built = len(files | documents.keys())
    excluded = _excluded(known, documents)
    for name in sorted((files | documents.keys()) - set(listed)):
        if reason := _reason(site, name, known, documents, excluded):
            found.left_out[reason].append(name)
        else:
            found.differences.append(f"lost: {name}")
    for name in sorted(listed):
        if reason := _reason(site, name, known, documents, excluded):
            found.differences.append(f"listed, though {reason}: {name}")


def _reason(
    site: Path, name: str, known: Mapping[str, Any], documents: Mapping[str, Any], excluded: set[str]
) -> str:
    """Return why a page is not to be listed, or nothing."""
    page = documents.get(name, {})
    if by_name := _reason_by_name(name, known, is_page=bool(page)):
        return by_name
    if name in excluded or page.get("excluded"):
        return "excluded"
    if "generator" not in known and page.get("settings"):  # one of them may exclude it
        return ""
    if not (site / name).is_file():
        return "no file"
    return _reason_by_head(read_head(site / name), name, known, is_page=bool(page)) or (
        _reason_of_document(page, known) if page or not known else _reason_without_document(name, known)
    )


def _reason_of_document(page: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    return "untranslated" if known.get("translation") and not page["translated"] else ""


def _reason_by_head(head: Head, name: str, known: Mapping[str, Any], *, is_page: bool) -> str:
    is_stub = head.leads_away_too and not (head.canonical if "generator" in known else is_page)
    if head.noindex or head.leads_away or is_stub:
        return "noindex" if head.noindex else "redirect"
    if "generator" in known and head.canonical and not _is_at(head.canonical, known["base_url"], name):
        return "canonical link to another page"
    return ""


def _is_at(url: str, base: str, name: str) -> bool:
    """Tell whether an address is that of a file, however it is escaped, with ``index.html`` or without."""
    at = unquote(_with_slash(base)) + name
    return unquote(url) in (at, at.removesuffix("index.html"))


def _reason_without_document(name: str, known: Mapping[str, Any]) -> str:
    is_template = any(page["file"] == name for page in known["templates"].values())
    copied = "copied as it is" if "generator" in known else "html_extra_path"
    if is_template or name not in known["copied"]:
        return "" if is_template or name in known.get("rendered", [name]) else "made by another program"
    return copied


def _reason_by_name(name: str, known: Mapping[str, Any], *, is_page: bool) -> str:
    if name in known.get("machine", ()):
        return "search, index or 404"
    return "" if "generator" in known or is_page else _reason_by_sphinx_name(name)


def _reason_by_sphinx_name(name: str) -> str:
    if name.startswith(_COPIED):
        return "a file of a page"
    if name.startswith("_modules/"):
        return "source code"
    path = PurePosixPath(name)
    page = path.parent if path.name == "index.html" else path.with_suffix("")
    if len(page.parts) != 1:  # deeper, such a name is that of a page for readers
        return ""
    is_machine = page.name in ("404", "search", "genindex", "py-modindex") or page.name.startswith(
        "genindex-"
    )
    return "search, index or 404" if is_machine else ""


def _excluded(known: Mapping[str, Any], documents: Mapping[str, Any]) -> set[str]:
    """Return the documents that the option's patterns match; git itself says what gitignore's mean."""
    import tempfile

    if not known.get("exclude"):
        return set()
    with tempfile.TemporaryDirectory() as folder:
        _git(folder, "init", "--quiet")
        Path(folder, ".gitignore").write_text("\n".join(known["exclude"]) + "\n", "utf-8")
        ignored = _git(folder, "check-ignore", "--no-index", "--", *documents, or_else="")
    return set(ignored.splitlines())


def _check_locs(
    site: Path, known: Mapping[str, Any], listed: Mapping[str, tuple[str, str | None]], found: Findings
) -> None:
    is_old = "sphinx" in known and tuple(map(int, known["sphinx"].split(".")[:2])) < (8, 1)
    for name, (loc, _) in sorted(listed.items()):
        canonical = read_head(site / name).canonical
        if canonical is None:
            found.compared["pages without a canonical link"] += 1
        elif canonical == loc:
            found.compared["loc equal to the canonical link"] += 1
        elif quote(canonical, safe="/:@!$&'()*+,;=-._~%") == loc:
            found.compared["loc equal to the canonical link but for escapes"] += 1
        elif is_old and known["builder"] == "dirhtml":
            found.compared["loc not the canonical link, which is wrong below Sphinx 8.1"] += 1
        else:
            found.differences.append(f"canonical: {name} says {canonical}, the sitemap {loc}")


def _sources(known: Mapping[str, Any]) -> dict[str, list[str] | None]:
    """Return the files that make each page; ``None`` where the page itself says what its date is.

    Of none are pages that show parts of others, and pages in MkDocs' folder that no commit has.
    """
    sources: dict[str, list[str] | None] = {}
    for page in known["documents"].values():
        own = [*filter(None, [page["source"]]), *page["text"], *page["catalogs"]]
        if page.get("listing") or (
            "generator" in known and page["source"] and not _is_tracked(page["source"])
        ):
            own = []
        sources[page["file"]] = None if page["settings"] else own
    for page in known["templates"].values():
        sources[page["file"]] = [page["source"]] if page["source"] else []
    return sources


def _check_dates(
    sources: Mapping[str, list[str] | None],
    listed: Mapping[str, tuple[str, str | None]],
    found: Findings,
    unseen: Sequence[NotSeen],
) -> None:
    """Compare with the newest of a page's files."""
    dates = _git_dates({file for name in listed for file in sources.get(name) or ()})
    for name, (_, date) in sorted(listed.items()):
        files = sources.get(name, [])
        if files is None:
            found.compared["dates of pages with settings of their own, not compared"] += 1
            continue
        newest, truth = _newest(files, dates)
        here = [one for one in unseen if fnmatchcase(name, one.page)]
        row = next((one.row for one in here if one.matches(newest)), None)
        if date != truth and row and date == _newest(filterfalse(_any_of(here), files), dates)[1]:
            found.not_seen[row].append(f"{name} has {date or 'no date'}, without {newest} of {truth}")
        elif date != truth:
            found.dates.append(WrongDate(name, date, truth, newest))
        elif truth is None:
            found.compared["no date, and no tracked file"] += 1
        else:
            found.compared["date equal to git log -1"] += 1
            found.compared["date equal to git log -1, of another file than the source"] += newest != files[0]


def _newest(files: Iterable[str], dates: Mapping[str, int | None]) -> tuple[str, str | None]:
    """Return the file that was committed last, and when."""
    newest = max(((moment, file) for file in files if (moment := dates[file])), default=None)
    return (newest[1], _iso(newest[0])) if newest else ("no tracked file", None)


def _any_of(unseen: Sequence[NotSeen]) -> Callable[[str], bool]:
    return lambda file: any(one.matches(file) for one in unseen)


def _look_at_notes(known: Mapping[str, Any], listed: Mapping[str, object], found: Findings) -> None:
    """Find the pages that a file dates which only Sphinx notes, and newer files: somebody has to look why."""
    for page in known["documents"].values():
        if page["file"] not in listed or page["settings"] or page.get("listing") or "read" not in page:
            continue
        own = [*filter(None, [page["source"]]), *page["catalogs"], *page["text"]]
        dates = _git_dates({*own, *page["read"]})
        newest = max(own, key=lambda file: (dates[file] or 0, file not in page["only_noted"]))
        if newest in page["only_noted"]:
            found.only_noted.append(f"{page['file']} by {newest}")
        newer = [file for file in page["read"] if (dates[file] or 0) > (dates[newest] or 0)]
        found.also_read += [f"{page['file']}: {', '.join(newer[:_SHOWN])}"] if newer else []


def _check_dates_alone(source: Path, listed: Mapping[str, tuple[str, str | None]], found: Findings) -> None:
    """Compare with the source alone: a page may be newer, through what it includes, but never older."""
    for name, (_, date) in sorted(listed.items()):
        file = _source_of(source, name)
        truth = _git_dates([str(file)])[str(file)] if file else None
        moment = _moment(date) if date else None
        if truth is None or moment is None:
            found.compared["dates without a source to compare with" if date else "no date"] += 1
            if truth is not None:
                found.dates.append(WrongDate(name, None, _iso(truth), str(file)))
        elif moment < truth:
            found.dates.append(WrongDate(name, date, _iso(truth), str(file)))
        else:
            found.compared[
                "date equal to git log -1" if moment == truth else "date newer than its source"
            ] += 1


def _iso(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat()


def _moment(date: str) -> float:
    return datetime.fromisoformat(date).timestamp()


def _source_of(source: Path, name: str) -> Path | None:
    stem = PurePosixPath(name).with_suffix("")
    stems = [stem, stem.parent] if stem.name == "index" else [stem]
    files = [source / f"{stem}{suffix}" for stem in stems for suffix in _WRITTEN_IN]
    return next((file for file in files if file.is_file()), None)


def _git_dates(files: Iterable[str]) -> dict[str, int | None]:
    names = sorted(set(files))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(_git_date, names), strict=True))


def _git_date(file: str) -> int | None:
    """Return what ``git log -1`` says of a tracked file; of a link, what it says of its target."""
    path = Path(os.path.realpath(file))
    root = _repository(path.parent)
    if root is None or not _is_tracked(file):
        return None
    if _git(root, "rev-parse", "--is-shallow-repository") != "false":
        raise BenchmarkError(f"{root} is a shallow clone: the dates of its files are not known")
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
    return frozenset(root / name for name in _git(root, "ls-files", "-z").split("\0") if name)


def _git(folder: Path | str, *arguments: str, or_else: str | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode and or_else is None:
        raise BenchmarkError(f"git {' '.join(arguments[:3])} in {folder}: {os.fsdecode(done.stderr).strip()}")
    return or_else or "" if done.returncode else os.fsdecode(done.stdout).strip("\n")
