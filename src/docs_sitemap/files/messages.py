"""Writes the messages about a site's files, and the report that every generator gets."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap.dates.site_dates import Dated
from docs_sitemap.files import robots
from docs_sitemap.files.family import FEEDS
from docs_sitemap.git import Answer, Reason, Unknown
from docs_sitemap.limits import MAX_ROBOTS
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.hosting import SERVED, SERVICES, Hosting, Serving, service_at
from docs_sitemap.pages.page import Files, Host, Own, Undated
from docs_sitemap.pages.selection import EXCLUDED, MACHINE, NOT_FOUND, OUTSIDE, Selection
from docs_sitemap.text import and_more, counted, shorten, show_path, show_value
from docs_sitemap.urls import other_domain, placeholder


@dataclass(slots=True)
class Report:
    """The entries of a site, the pages left out by reason, the files written, and the notices.

    ``urls`` are sorted by URL. ``left_out`` counts pages by reason, in words for people; ``reasons`` has the
    reason of each in full, by ``Page.key``. ``written`` are
    the names of the replaced files, relative to the build output, with ``/``; files that already had the
    same bytes are not included. ``notices`` are for the host to show: a script prints their ``text``.
    ``base_url`` is the site's URL, encoded and with a trailing ``/``, or empty; then ``no_sitemap`` says why
    there is none. ``dated`` has the entries
    whose dates come from git, with their files and the answer; ``causes`` why some have none, with the number
    of each. ``files`` is how many entries are no pages.
    """

    urls: list[Url] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    reasons: Mapping[tuple[str, str | None], str] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    base_url: str = ""
    no_sitemap: str = ""
    dated: list[tuple[Url, Files, Dated]] = field(default_factory=list)
    causes: list[tuple[int, Undated]] = field(default_factory=list)
    files: int = 0


_FEW_LEFT_OUT: Final = 5
"""Up to so many pages that are left out, the summary does not tell how to see them."""

_EXAMPLES: Final = 3
"""How many pages or lines a message names."""


def causes_of(dated: Iterable[tuple[Url, Files, Dated]]) -> list[tuple[int, Undated]]:
    """Return each reason why pages have no date: for how many pages, with the example of the first."""
    found: dict[str, Undated] = {}
    numbers: Counter[str] = Counter()
    for url, files, answer in dated:
        if isinstance(answer.date, Unknown):
            each = _undated(url, files, answer.date, answer.decided_by)
            numbers[each.why] += 1
            found.setdefault(each.why, each)
    return [(number, found[why]) for why, number in numbers.most_common()]


def _undated(url: Url, files: Files, date: Unknown, path: Path | None) -> Undated:
    if path == files.source and (files.undated or path is None):
        return files.undated or Undated(Reason.GENERATED.text, urlsplit(url.loc).path)
    is_of_file = date.reason in (Reason.UNTRACKED, Reason.FUTURE, Reason.NO_DATE)
    return Undated(date.reason.text, str(path) if is_of_file else date.where, date.cure)


def by_notebooks(files: Files, beside: Mapping[Path, Path], host: Host) -> Undated:
    """Return why a page beside a notebook of its name has no date, with the entry of ``source_map``.

    It is for the folder of all such pages, or of the page itself if that is copied.
    """
    source = files.source or Path()
    copy = files.copies.get(source, source)
    above = os.path.commonpath(map(os.path.dirname, beside)) if copy == source else source.parent
    places = (above if copy == source else copy.parent, f"*{copy.suffix}"), (above, "*.ipynb")
    names = [os.path.relpath(os.path.join(*place), host.folder).replace(os.sep, "/") for place in places]
    option = host.spell("source_map")
    sign = " =" if ".toml" in option else ":"
    entry = f'{{"{names[0]}"{sign} "{names[1]}"}} to {option}'
    entry = f"{option} '{'='.join(names)}'" if option.startswith("--") else entry
    why = files.undated.why if files.undated else Reason.UNTRACKED.text
    cure = f"if {beside[source].name} is what makes it, add {entry}"
    return Undated(f"{why}, but a notebook of its name is", str(source), cure)


def on_missing_dates(report: Report, created: Sequence[Answer | None], options: Options) -> list[Notice]:
    """Report why dates are missing and the fix, once per cause.

    What keeps dates of creation away is only reported if it can be fixed, and does not keep the others away.
    """
    notices = [_on_undated(number, each, options) for number, each in report.causes]
    known = {answer.date.reason for _, _, answer in report.dated if isinstance(answer.date, Unknown)}
    unknown = [answer for answer in created if isinstance(answer, Unknown)]
    for reason, number in Counter(answer.reason for answer in unknown).items():
        if reason.cure and reason not in known:
            first = next(answer for answer in unknown if answer.reason is reason)
            each = Undated(reason.text.replace("last changed", "added"), first.where, first.cure)
            notices.append(_on_undated(number, each, options, "creation date"))
    return notices


def _on_undated(number: int, undated: Undated, options: Options, what: str = "date") -> Notice:
    """Report how many pages have no date for the same reason, and the fix, if there is one."""
    have, where = "has" if number == 1 else "have", undated.example and f" ({show_path(undated.example)})"
    text = f"{counted(number, 'page')} {have} no {what}: {undated.why}{where}."
    text += undated.cure and f" To fix it: {undated.cure}."
    if undated.cure and options.missing_dates == "warning":
        return Notice("warning", Subtype.LASTMOD, text)
    return Notice("info", Subtype.LASTMOD, text)


def on_move(number: int, of: int, commit: str, host: Host) -> list[Notice]:
    """Report that one commit that only moved files dates most pages, if there are any."""
    text = (
        f"{number:,} of {counted(of, 'page')} have the date of one commit, {commit[:12]}, which moved their "
        "files and changed no byte of them. For the dates before such moves, set "
        f"{host.spell('follow_renames')}."
    )
    return [Notice("info", Subtype.LASTMOD, text)] if number else []


def on_pages(report: Report) -> Iterator[str]:
    """Yield a line per page for verbose builds: its date and what decided it, or why it is not listed."""
    dated = {url.loc: (files, answer) for url, files, answer in report.dated}
    for url in report.urls:
        if url.loc not in dated:
            yield f"{url.loc}: {f'{url.lastmod}, set by the author' if url.lastmod else 'no date'}"
            continue
        files, answer = dated[url.loc]
        path = answer.decided_by
        lack = _undated(url, files, answer.date, path) if isinstance(answer.date, Unknown) else None
        why = f": {show_path(lack.why if files.all() else str(lack._replace(cure='')))}" if lack else ""
        by = f", by {show_path(os.path.normpath(path))} ({show_path(files.how(path))})" if path else ""
        yield f"{url.loc}: {url.lastmod or 'no date'}{why}{by}"
    for (address, source), reason in sorted(report.reasons.items(), key=str):
        yield f"{show_path(source or address or '/')}: not listed, {reason}"


def on_address(base_url: str, cname: bytes | None, host: Host) -> list[Notice]:
    """Report a base URL that is not the site's own: a placeholder, or not at the domain in its file CNAME."""
    if kind := placeholder("/".join(base_url.split("/")[:3])):
        why = f"is {kind}"
    elif domain := other_domain(cname, base_url):
        why = f"is not at {domain}, where the file CNAME has GitHub Pages publish the site"
    else:
        return []
    cure = f"set {host.base_url_option} to the address that readers use"
    text = f"The URL of the site, {shorten(base_url)}, {why}: {cure}, or search engines ignore the sitemap."
    return [Notice("info", Subtype.BASE_URL, text)]


def on_selection(selection: Selection, options: Options, host: Host) -> list[Notice]:
    """Report conflicts between pages and sitemap, and why there is no sitemap."""
    notices = []
    for wrong, names in sorted(selection.refused.items()):
        some = _first([shorten(name, 200) for name in sorted(names)])
        why = "is left out, because it has" if len(names) == 1 else "are left out, because they have"
        text = f"{counted(len(names), 'page')} {why} {wrong}: {some}."
        notices.append(Notice("warning", Subtype.ADDRESS, text))
    if names := sorted(selection.untagged):
        have, them = ("has", "it") if len(names) == 1 else ("have", "them")
        text = (
            f"{counted(len(names), 'page')} {have} the setting robots: noindex, but no published tag, "
            f"so search engines can show {them}: {_first([shorten(name, 200) for name in names])}. "
            f"To fix it: {host.noindex}."
        )
        notices.append(Notice("info", Subtype.PAGE, text))
    for name, patterns in selection.unmatched():
        text = f"{host.spell(name)}: nothing matches {_first(patterns)}."
        notices.append(Notice("info", Subtype.PAGE, text))
    if selection.foreign_canonical:
        text = (
            "The pages' canonical links lead to another site, for example "
            f"{shorten(selection.foreign_canonical)}: search engines follow them, not the sitemap."
        )
        notices.append(Notice("info", Subtype.CANONICAL, text))
    if unknown := selection.unknown_canonicals:
        name, canonical = next(iter(unknown.items()))
        has = "has a canonical link" if len(unknown) == 1 else "have canonical links"
        text = f"{counted(len(unknown), 'page')} {has} to an address that is no page's here, for example "
        text += (
            f"{shorten(name, 200)} to {shorten(canonical)}. Search engines follow these links: correct them."
        )
        notices.append(Notice("info", Subtype.CANONICAL, text))
    if not selection.listed:
        text = f"No sitemap is written, because there is no page to list ({_reasons(selection.left_out)})"
        if selection.left_out[OUTSIDE]:
            text += (
                ": a sitemap lists only pages in its own folder or below (sitemaps.org, location). Set "
                f"{host.spell('filename')}, which is {show_value(options.filename)}, to a name without a "
                "folder."
            )
            notices.append(Notice("warning", Subtype.EMPTY, text))
        elif selection.left_out[EXCLUDED] and options.exclude:
            notices.append(Notice("warning", Subtype.EMPTY, f"{text}: see {host.spell('exclude')}."))
        else:
            notices.append(Notice("info", Subtype.EMPTY, text + "."))
    return notices


def on_own(name: str, own: Own, title: str = "") -> Notice:
    """Report that the site's own file is kept; ``title`` replaces a name that is a secret."""
    what = title or show_path(name)
    text = f"{show_path(own(name))} contains the site's own {what}: it is kept, and none is generated."
    return Notice("info", Subtype.OWN, text)


def on_preview(present: bytes | None, host: Host) -> list[Notice]:
    """Report that the site's own robots.txt is kept, although the preview should block crawlers."""
    if robots.users_part(present) is None:
        return []
    text = f"The site has its own robots.txt, which {host.spell('previews')} does not change."
    return [Notice("info", Subtype.ROBOTS, text)]


def on_redirected(urls: Iterable[Url], base_url: str, hosting: Hosting, host: Host) -> list[Notice]:
    """Report URLs that the hosting service redirects, because of their form."""
    serving = SERVICES.get(hosting.served_by or service_at(base_url))
    if serving is None or SERVED == serving.page_html == serving.index_html:
        return []
    paths = [url.loc.removeprefix(base_url) for url in urls]
    moved = [path for path in paths if path.endswith(".html") and _answer(serving, path) != SERVED]
    if not moved:
        return []
    text = (
        f"{serving.title} redirects {len(moved):,} of the listed URLs, for example {shorten(moved[0])} to "
        f"{shorten(_answer(serving, moved[0]))}: to list the URLs that it serves, {host.folders}."
    )
    return [Notice("info", Subtype.ADDRESS, text)]


def _answer(serving: Serving, path: str) -> str:
    return serving.answer(path, is_index=path.rpartition("/")[2] == "index.html")


def on_languages(options: Options, base_url: str, host: Host) -> Notice:
    """Report that the languages do not include the site itself."""
    languages = [f"{code}: {shorten(url)}" for code, url in options.languages or ()]
    text = (
        f"{host.spell('languages')}: expected all languages, including this site's URL {shorten(base_url)}, "
        f"got {_first(languages)}. No alternates are written."
    )
    return Notice("warning", Subtype.LANGUAGES, text)


def on_result(report: Report, sitemap: str, parts: int, options: Options, host: Host) -> list[Notice]:
    """Summarize ``sitemap``: pages, dates, pages left out, and a feed that is missing because of no dates."""
    dated = sum(url.lastmod is not None for url in report.urls)
    files = f" in {parts} files" if parts > 1 else ""
    listed = counted(len(report.urls) - report.files, "page")
    listed += f" and {counted(report.files, 'other file')}" if report.files else ""
    text = f"{show_path(sitemap)}: {listed}{files}, {dated:,} with lastmod"
    if report.left_out:
        text += f"; left out: {_reasons(report.left_out)}"
        others = report.left_out.total() - report.left_out[MACHINE] - report.left_out[NOT_FOUND]
        is_long = others > _FEW_LEFT_OUT and host.has_notes
        text += " (docs-sitemap explain --left-out lists them)" if is_long else ""
    notices = [Notice("info", Subtype.WRITTEN, text + ".")]
    if not dated and FEEDS.keys() & options.formats:
        notices.append(Notice("info", Subtype.FEED, "No feed is written, because no page has a date."))
    return notices


def on_unusable_robots(problem: str, sitemaps: list[str]) -> Notice:
    """Report that robots.txt is unchanged because of a ``problem``, given as a sentence."""
    text = f"{problem} It is unchanged, but should contain the line {_lines(sitemaps)}."
    return Notice("info", Subtype.ROBOTS, text)


def on_robots(
    base_url: str, sitemaps: list[str], present: bytes | None, hosting: Hosting, host: Host
) -> list[Notice]:
    """Report why crawlers will not find the sitemaps through robots.txt, and the fix.

    ``present`` is the content of the existing file, if any.
    """
    parts = urlsplit(base_url)
    lines = _lines(sitemaps)
    if not robots.can_complete(present):
        text = (
            f"robots.txt is not UTF-8, so crawlers cannot read it: save it as UTF-8, with the line {lines}."
        )
        return [Notice("warning", Subtype.ROBOTS, text)]
    notices = []
    if present and len(present) > MAX_ROBOTS:
        text = (
            f"robots.txt has more than {MAX_ROBOTS:,} bytes, where Google stops reading: "
            f"move {lines} further up."
        )
        notices.append(Notice("info", Subtype.ROBOTS, text))
    for name in robots.named(present):
        server = _server(name).lower()
        if server != parts.netloc and (not server or placeholder(f"http://{server}")):
            why = f"robots.txt names the sitemap {shorten(name)}, which no crawler can read"
            cure = "remove that line, or set the site's URL in the generator that writes it"
            notices.append(Notice("info", Subtype.ROBOTS, f"{why}: {cure}."))
            break
    is_served = hosting.at_root and _server(hosting.base_url or base_url) == parts.netloc
    if hosting.own_robots and is_served:
        if robots.users_part(present) is None and not any(name.endswith("/sitemap.xml") for name in sitemaps):
            text = (
                f"The robots.txt of {hosting.own_robots} names only /sitemap.xml: to name another sitemap, "
                f"add a robots.txt of your own with the line {lines}."
            )
            notices.append(Notice("info", Subtype.ROBOTS, text))
    elif parts.path != "/" and host.versions_by:
        text = (
            f"{host.versions_by} publishes this version beside others: where all of them are, run "
            "docs-sitemap index, which lists the current one."
        )
        notices.append(Notice("info", Subtype.ROBOTS, text))
    elif parts.path != "/":
        text = (
            f"Crawlers read robots.txt only at {parts.scheme}://{parts.netloc}/robots.txt: "
            f"add the line {lines} to that file, and set {host.spell('robots')} to elsewhere."
        )
        notices.append(Notice("info", Subtype.ROBOTS, text))
    return notices


def _server(url: str) -> str:
    """Return the host and port of a URL that comes from the environment, or nothing if it is none."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""


def _lines(sitemaps: list[str]) -> str:
    return _first([f'"Sitemap: {sitemap}"' for sitemap in sitemaps], " and ")


def _reasons(left_out: Counter[str]) -> str:
    return (
        ", ".join(f"{number} {reason}" for reason, number in sorted(left_out.items())) or "the site has none"
    )


def _first(names: Sequence[str], separator: str = ", ") -> str:
    """Return the first names, and the number of others."""
    return separator.join(names[:_EXAMPLES]) + and_more(len(names) - _EXAMPLES)
