"""The limits of the protocol and of the engines that read it, each with its source, and of what we read."""

from __future__ import annotations

from typing import Final

MAX_URLS: Final = 50_000
"""URLs in one sitemap (sitemaps.org, protocol; Google, Bing and Yandex reject more)."""

MAX_BYTES: Final = 52_428_800
"""Bytes of one sitemap or index before compression (sitemaps.org, since November 2016)."""

MAX_SITEMAPS: Final = 50_000
"""Sitemaps in one index (sitemaps.org, index)."""

MAX_LOC: Final = 2_047
"""Characters of a ``loc``: "less than 2,048" (sitemaps.org, xmlTagDefinitions)."""

MAX_IMAGES: Final = 1_000
"""``image:image`` elements of one URL (Google, image sitemaps)."""

MAX_ROBOTS: Final = 512_000
"""Bytes of a robots.txt that must be read at least (RFC 9309, 2.5); Google reads no more."""

MAX_HEAD: Final = 1 << 20
"""Bytes of a page that are searched for the end of its head: some themes inline a whole style sheet."""

MAX_PAGE: Final = 1 << 23
"""Bytes of a page in which its heading and its images are looked for, tag by tag."""

MAX_LINKING_PAGE: Final = 1 << 25
"""Bytes of a page in which ``check`` looks for links, which takes a tenth of the time."""

MAX_TITLE: Final = 10_000
"""Characters of a title or a summary, as a feed shows them."""

MAX_FORM_PAGE: Final = 1 << 20
"""Bytes of a page in which the form of a search page is looked for, behind a navigation of any length."""

MAX_SITE: Final = 3 * MAX_BYTES
"""Bytes before compression of all sitemaps of one site together, some million URLs.

Ours: a small gzipped file, named a thousand times by links, would fill the memory. The others are not read.
"""

MAX_ENTRIES: Final = 100_000
"""Entries of one sitemap that ``index``, ``submit`` and older sitemaps are read to: twice the protocol's."""

ENTRY_WEIGHT: Final = 150
"""Bytes that an entry, alternate or image counts for at least in ``MAX_SITE``: what one takes in memory."""

EVENT_WEIGHT: Final = 40
"""Bytes that the start or the end of an element counts for at least in ``MAX_SITE``: time, not memory."""

MAX_EVENTS: Final = 20_000
"""Starts and ends of elements in one entry of a sitemap. Ours: a page with 1,000 images has some 5,000.

An entry is held in memory as a tree. A file with a larger one is read no further.
"""

MAX_NOTES: Final = 100
"""Different faults of form that are told of one sitemap. Ours: a person reads no more.

Each unknown element is one; a file may have a million names.
"""

MAX_FINDINGS: Final = 100_000
"""Findings of one rule of ``check``. Ours: so many have one cause. One more says that there are others."""

MAX_MATCHING: Final = 50_000_000
"""Bytes of the rules in robots.txt that count, times the agents and the addresses that are tried on them.

Ours, for some 10 seconds: a robots.txt of 1,000 bytes is tried on 50,000 addresses, one of 512,000 on 97;
a long address counts as several.
``check`` says where addresses are left.
"""

MAX_STUB: Final = 1 << 14
"""Bytes of a page from which on it is no redirect stub, so that its body is not searched for a meta refresh.

Browsers obey one in the body too (HTML, 4.2.5.3). As much is read of each page anyway, for its head: the
limit keeps long pages as fast as they are.
"""

MAX_LOCK_SECONDS: Final = 30.0
"""Seconds that a run waits for another one that writes into the same folder; then it goes on beside it.

To write a million pages takes less; a run that was stopped, and not ended, must not stop all others.
"""

MIN_LEFTOVER_SECONDS: Final = 86_400.0
"""Seconds after which a temporary file is a killed run's where no lock can tell: no build takes a day."""

MAX_ROBOTS_READ: Final = 1 << 24
"""Bytes of a robots.txt that is completed; a larger one stays as it is. No crawler reads as many."""

MAX_EARLIER: Final = 16
"""Earlier names of the sitemap that lines of ours in robots.txt may tell: their files are looked for."""

MAX_NOTED: Final = 64 << 20
"""Bytes of what a build has noted of one site; 10,000 pages of an API take 4 MB. More is as if not noted."""

MAX_CONFIGURATION: Final = 1 << 20
"""Bytes of a configuration file; a larger one is wrong usage. A pyproject.toml has some thousand."""

MAX_BASELINE: Final = 1 << 24
"""Bytes of a baseline of ``check``: some 80,000 findings. A larger one is wrong usage."""

MAX_VERSIONS: Final = 1 << 20
"""Bytes of a versions.json: some 10,000 versions. A larger one is as if it were not there."""

MAX_CREDENTIALS: Final = 1 << 16
"""Bytes of a service account's JSON file, which has some 2,400; what is larger is none."""

MAX_ANSWER: Final = 1 << 16
"""Bytes that are read of an answer over HTTP, unless it is a sitemap."""

MAX_WAIT: Final = 120.0
"""Seconds that ``submit`` waits before a further try, whatever ``Retry-After`` says."""

MAX_READ_SECONDS: Final = 600.0
"""Seconds in which ``submit`` reads all parts of one sitemap over HTTP."""

MAX_ADDRESSES: Final = 5_000_000
"""Addresses in all parts of one sitemap that ``submit`` reads; more would fill the memory."""

MAX_BATCH: Final = 10_000
"""Addresses in one POST to IndexNow (indexnow.org, documentation)."""

MAX_CATALOG: Final = 1 << 26
"""Bytes of a message catalog that are searched for a translation; the largest of manuals have some 10 MB."""

MAX_DATA: Final = 1 << 22
"""Bytes of a data file that mkdocs-macros has read for all pages. The names in a larger one are not known."""

MAX_LINKS: Final = 20
"""Links to one folder or file of a deployed tree, by all ways to them, that ``index`` follows.

A version has some aliases. Folders that are linked with each other have more ways than anyone can walk.
"""

MAX_BASE_FOLDERS: Final = 30
"""Folders of a base URL that are tried where none is given: by ``check``, and for the parts of an index."""

MAX_FOLDERS: Final = 100
"""Folders in one another that ``index`` looks into. What is deeper, no site has."""

MAX_SOURCE: Final = 1 << 20
"""Bytes of a source or included file that are searched for the names of more files."""

MAX_MODULE: Final = 1 << 26
"""Bytes of an installed file that is compared with the repository's; no documented module has as many."""

MAX_HASHED: Final = 1 << 24
"""Bytes of a configuration file or hook of MkDocs whose change makes notes out of date."""

MAX_GIT_SILENCE: Final = 60
"""Seconds that git may take to answer with a single byte.

It waits without end for the writer of a pipe that stands in the place of one of its files. An answer takes
milliseconds: this leaves time for thousands of reads of a slow network disk.
"""

MAX_SILENCE_KEPT: Final = 600.0
"""Seconds for which a repository whose git was silent is not asked again: each question would wait anew."""

MAX_GIT_ALLOCATION: Final = 256 << 20
"""Bytes that git may ask the system for at once (``GIT_ALLOC_LIMIT``): it ends instead.

It has each commit and tree in memory as a whole, and reads a list such as ``info/grafts`` to its end.
"""

MAX_GIT_MEMORY: Final = 1 << 30
"""Bytes of git's own data, without the packs that it maps, where the system can limit them (Linux).

Its caches are limited to 64 MB by what we start it with; beside them it keeps the commits that it has read.
"""

MAX_GIT_FILE: Final = 64 << 20
"""Bytes of one of git's own files: ``packed-refs`` has as many for a million refs."""

MAX_GIT_MESSAGE: Final = 1 << 12
"""Bytes of git's messages that are read: a repository can have it say very much."""

MAX_POINTER: Final = 1 << 14
"""Bytes of a file of git's that names a folder or a branch; a path has a quarter of them at most."""

MAX_OBJECT: Final = 32 << 20
"""Bytes of a commit or a tree: a folder of half a million files has as many."""

MAX_OBJECTS: Final = 128 << 20
"""Bytes of the commits and trees that are in memory at once."""

MAX_FILES: Final = 1_000_000
"""Files and folders that are listed of a tree: twice those of the largest public repositories.

A dozen small trees that name each other can have billions.
"""

MAX_PATHS: Final = 256 << 20
"""Bytes of the paths that are listed of a tree: two million have about half as many."""

MAX_ALTERNATES: Final = 5
"""How far alternates of alternates are followed, as git itself does (object-file.c, link_alt_odb_entry)."""

MAX_ALTERNATES_FILE: Final = 1 << 20
"""Bytes of ``objects/info/alternates``: thousands of paths. What a larger one names is missing."""

MAX_SUBJECT: Final = 1_000
"""Bytes of an author, and of a commit's subject, that ``explain`` shows; git's own advice is 50."""

MAX_SHOWN: Final = 100
"""Characters of one value that others wrote in a message: enough to find it."""

MAX_ITEMS: Final = 10_000
"""Items of one list in a configuration or on a page, such as patterns and files: more is no list by hand."""

MAX_PATTERNS: Final = 2_000
"""gitignore-style patterns of one option, and those of all rules together: each is tried on each page."""

MAX_PATH: Final = 4_096
"""Characters of a path or pattern: Linux opens no longer path (``PATH_MAX``), other systems less."""

MAX_NUMBER: Final = 100
"""Characters of a number or date that is written as text."""

MAX_LANGUAGE: Final = 100
"""Characters of a language code; RFC 5646, 4.4.1, has 35 as the longest that all must take."""

MAX_LANGUAGES: Final = 1_000
"""Languages of one site. ISO 639-1 has 183, and Wikipedia, which has the most, about twice as many."""

MAX_FRONT_MATTER: Final = 1 << 16
"""Bytes of a page's source in which its front matter ends, and characters of settings in JSON."""

MAX_DOTS: Final = 100
"""Parts of one dotted key in TOML: the time that Python's parser takes grows with their square."""

MAX_MERGED: Final = 1_000
"""Entries of a YAML mapping with what ``<<`` merges into it: nested merges multiply them.

All such mappings of one text together have ten times as many at most.
"""

MAX_BRACKETS: Final = 100
"""Brackets within each other in YAML: for a kilobyte of them its parser takes seconds until it gives up."""

MAX_STARS: Final = 6
"""``*`` in one pattern of sphinx-sitemap: each stands for two of gitignore's, so six make 64 patterns."""

MAX_MESSAGE: Final = 500
"""Characters of a finding's message.

What is longer is cut, and so is the finding's own address beyond ``MAX_LOC``: one of a megabyte may stand in
many findings.
"""

MAX_ADVICE: Final = 5_000
"""Characters of a value that a message asks to write into conf.py: it must be whole there."""
