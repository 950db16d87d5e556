"""The core's messages for users: the core never logs, each host does so in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self

Level = Literal["info", "warning"]


class Subtype(StrEnum):
    """What a notice is about, by the name that users write, with its meaning and its fix."""

    meaning: str
    cure: str

    def __new__(cls, name: str, meaning: str, cure: str) -> Self:
        """Return a member that equals its name, for Sphinx and for comparisons."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.meaning = meaning
        member.cure = cure
        return member

    ADDRESS = (
        "address",
        "Pages are left out, because their URLs are not allowed in a sitemap.",
        "Rename them, so that the URL is a path below the site, without query, below 2,048 characters.",
    )
    BASE_URL = (
        "base_url",
        "The URL of the site is missing or invalid, and no sitemap is written; or it is not the site's own.",
        "Set site_url (MkDocs), html_baseurl (Sphinx) or --base-url to the absolute http or https URL.",
    )
    BOTH = (
        "both",
        "sphinx-sitemap is loaded as well, and its output is replaced.",
        "Remove sphinx_sitemap from extensions; nothing, if another extension loads it.",
    )
    CANONICAL = (
        "canonical",
        "The pages' own canonical links have a different URL than the sitemap.",
        "Give both the same URL: remove base_url, or set the generator's own URL to it.",
    )
    EMPTY = (
        "empty",
        "No sitemap is written: no page is left to list.",
        "Relax exclude or rules so that at least one page remains; if filename has a folder, only pages in "
        "it are listed.",
    )
    FEED = (
        "feed",
        "No feed is written: no page has a date.",
        "Build from a git checkout with its history, and commit the pages.",
    )
    LANGUAGES = (
        "languages",
        "languages does not include the site itself, or this language has the base URL of another one.",
        "Add the site's own language to languages, with the base URL of this build, which is its own.",
    )
    LASTMOD = (
        "lastmod",
        "Pages have no date, for the reason that the message gives; or most have that of one move of files.",
        "Do what the message says, if it has a fix: for a shallow clone, fetch the whole history.",
    )
    MOVING = (
        "moving",
        "A setting of sphinx-sitemap is used for an option of docs-sitemap, or has no effect.",
        "Replace it in conf.py by what the message shows.",
    )
    OPTION = (
        "option",
        "No sitemap is written, because an option is unknown or has an invalid value; or one has no effect.",
        "Set it to a value that the message describes, or remove it.",
    )
    OUTPUT = (
        "output",
        "A file cannot be written, and the build has failed.",
        "Fix the system error shown, and build again.",
    )
    OWN = (
        "own",
        "A file is not written, because the site has its own file of that name.",
        "Nothing, if that is intended; otherwise remove that file, or set filename to another name.",
    )
    PAGE = (
        "page",
        "A page's own setting is ignored, or a file that a page or a rule names does not exist.",
        "Correct the setting as the message describes.",
    )
    PREVIEW = (
        "preview",
        "No sitemap is written, because this is a preview of the site.",
        "Nothing: the build that is published has one.",
    )
    ROBOTS = (
        "robots",
        "Crawlers cannot read all of robots.txt.",
        "Do what the message says: the Sitemap line belongs in the file at the host's root, in UTF-8.",
    )
    STOPPED = (
        "stopped",
        "No sitemap is written, because of an unexpected error, or because it would take too long.",
        "Report it, with what the message says.",
    )
    VERSION = (
        "version",
        "This is not the version in current_version: no sitemap is written, and pages link to that version.",
        "Nothing, if current_version is right: the build of that version has a sitemap.",
    )
    WRITTEN = ("written", "A summary of the build: pages, dates, and what was left out.", "Nothing.")


@dataclass(frozen=True, slots=True)
class Notice:
    """A message; there is one per build and cause.

    ``level`` is ``warning`` only for mistakes in the configuration, because warnings stop strict
    builds. In Sphinx, ``suppress_warnings = ["docs_sitemap.SUBTYPE"]`` silences the warnings of one
    subtype.
    """

    level: Level
    subtype: Subtype
    text: str
