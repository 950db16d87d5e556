"""What the core has to tell a user: the core never logs, each host does so in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self

Level = Literal["info", "warning"]


class Subtype(StrEnum):
    """What a notice is about, by the name that users write: each with its meaning and its cure."""

    meaning: str
    cure: str

    def __new__(cls, name: str, meaning: str, cure: str) -> Self:
        """Return a member that is its name, for Sphinx and for comparisons."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.meaning = meaning
        member.cure = cure
        return member

    ADDRESS = (
        "address",
        "Pages are left out: a sitemap cannot have their address.",
        "Rename them, so that the address is a path below the site, without query, below 2,048 characters.",
    )
    BASE_URL = (
        "base_url",
        "No sitemap is written: the address of the site is missing, or is none that can be asked for.",
        "Set site_url (MkDocs), html_baseurl (Sphinx) or --base-url to the absolute http or https URL.",
    )
    BOTH = (
        "both",
        "sphinx-sitemap is loaded as well, and what it writes is replaced.",
        "Remove sphinx_sitemap from extensions.",
    )
    CANONICAL = (
        "canonical",
        "The pages' own canonical links have another address than the sitemap.",
        "Give both the same address: leave out base_url, or set the generator's own address to it.",
    )
    EMPTY = (
        "empty",
        "No sitemap is written: no page is left to list.",
        "Let exclude and rules leave some; where filename has a folder, only pages in it are listed.",
    )
    FEED = (
        "feed",
        "No feed is written: no page has a date.",
        "Build from a git checkout with its history, in which the pages are committed.",
    )
    LANGUAGES = (
        "languages",
        "No alternates are written: the site itself is missing among its languages.",
        "Add the site's own language to languages, with the address that is built.",
    )
    LASTMOD = (
        "lastmod",
        "Pages have no date, for a cause that can be cured.",
        "Do what the message says: for a shallow clone, fetch the whole history.",
    )
    MOVING = (
        "moving",
        "A value of sphinx-sitemap is read for an option of ours, or changes nothing here.",
        "Write in conf.py what the message names instead.",
    )
    OPTION = (
        "option",
        "No sitemap is written: an option is unknown, or has a value that it cannot have.",
        "Set it to what the message expects.",
    )
    OUTPUT = (
        "output",
        "A file cannot be written, and the build has failed.",
        "Do what the system's reason in the message asks for, and build again.",
    )
    OWN = (
        "own",
        "A file of the site's own has the name of one of ours, which is not written.",
        "Nothing, where that is meant; else remove that file, or set filename to another name.",
    )
    PAGE = (
        "page",
        "A page's own setting is ignored, or a file that a page or a rule names as sources is not there.",
        "Write what the message expects.",
    )
    PREVIEW = (
        "preview",
        "This is a preview of the site, which gets no sitemap.",
        "Nothing: the build that publishes writes one.",
    )
    ROBOTS = (
        "robots",
        "Crawlers cannot read all that robots.txt is to say.",
        "Do what the message says: the Sitemap line belongs in the file at the host's root, in UTF-8.",
    )
    WRITTEN = (
        "written",
        "The sum of what was done: pages, dates, and what was left out.",
        "Nothing.",
    )


@dataclass(frozen=True, slots=True)
class Notice:
    """One message a build and cause.

    ``level`` is ``warning`` for mistakes in the configuration only: warnings stop strict
    builds. Users of Sphinx silence the warnings of a subtype, and only those, by
    ``suppress_warnings = ["docs_sitemap.SUBTYPE"]``.
    """

    level: Level
    subtype: Subtype
    text: str
