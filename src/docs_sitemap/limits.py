"""Limits of the protocol and of search engines, with their sources, and limits on what is read."""

from __future__ import annotations

from typing import Final

MAX_SECONDS: Final = 8.0
"""Processor seconds that a command, or our part of a build, takes, beyond what its input explains.

What follows is allowed in addition; in a build, the time of the host makes up for what was taken, as in the
rebuilds of a server. Then the command ends with one line, and a build goes on without a sitemap. The readers
of one build share it, whatever their own limits allow.
"""

PAGE_SECONDS: Final = 0.000_3
"""Seconds for each page, and for each file that is read, once: three to five times what usual ones take.

What else is allowed comes on top: of 50,000 pages of 2 kB, all together is five to ten times what they take.
"""

NAME_SECONDS: Final = 0.000_04
"""Seconds for each name in a folder or a tree that is listed: twice what ``lastmod`` takes for one.

For each page in the notes of a build too, for the same reason.
"""

NAME_MEMORY: Final = 250
"""Bytes of memory for each file or folder that is listed, beyond those of its path in UTF-8.

One emoji makes each character of a path take four bytes: most of that must come from ``MAX_MEMORY``.
"""

COMMIT_SECONDS: Final = 0.000_05
"""Seconds for each commit that a walk passes: usual ones take a fifth, and all of it for creation dates.

They count again where they are passed again for former names, three times at most.
"""

OBJECT_SECONDS: Final = 0.000_01
"""Seconds for each tree that a walk reads, as often as the packs have objects: what usual small ones take.

And ``MEGABYTE_SECONDS`` for each MiB of trees, up to the size of the packs. Folders of ten levels have ten
trees in each commit.
"""

MEGABYTE_SECONDS: Final = 0.1
"""Seconds for the first MiB of a file; a fifth of it for each MiB more that is read."""

TAGS_SECONDS: Final = 0.2
"""Seconds for each MiB of a page that is read tag by tag, for its images or for a mark of ``versions``.

That is twice what a page of highlighted source code takes, which has the most tags.
"""

SITEMAP_SECONDS: Final = 1.0
"""Seconds for each MiB of a sitemap, three times what ``submit`` takes for one of short URLs.

Of a gzipped one, for 50 times its packed bytes at most.
"""

FRONT_MATTER_SECONDS: Final = 1.0
"""Seconds for each MiB of front matter that is parsed, five times what usual YAML takes with libyaml."""

REQUEST_SECONDS: Final = 0.01
"""Seconds for each request to a server: five times what usual ones take. Few servers are asked so often."""

MAX_MEMORY: Final = 320 << 20
"""Bytes of memory that a command, or our part of a build, takes, beyond what its input explains.

The bytes of the largest file and of each sitemap are allowed in addition, and a kibibyte for each name in a
tree of git and each commit.
"""

PAGE_MEMORY: Final = 6_000
"""Bytes of memory for each page, and for each file that is read.

Usual pages with links to five languages, feeds and images take 4,500 of it; of many pages, half may come from
``MAX_MEMORY``.
"""

MAX_URLS: Final = 50_000
"""URLs in one sitemap (sitemaps.org, protocol; Google, Bing and Yandex reject more)."""

MAX_BYTES: Final = 52_428_800
"""Bytes of one sitemap or index before compression (sitemaps.org, since November 2016)."""

MAX_SITEMAPS: Final = 50_000
"""Sitemaps in one index (sitemaps.org, index)."""

MAX_LOC: Final = 2_047
"""Characters of a ``loc``: "less than 2,048" (sitemaps.org, xmlTagDefinitions)."""

MAX_STRAY: Final = 20
"""Percent signs of a URL that begin no escape, each of which takes time; with more, it is none.

And nothing in it is decoded. People forget to encode one or two.
"""

MAX_BASE_URL: Final = 500
"""Characters of a base URL, which is in each URL; those of hosts have a hundred."""

MAX_IMAGES: Final = 1_000
"""``image:image`` elements of one URL (Google, image sitemaps)."""

MAX_IMAGE_TEXT: Final = 1 << 18
"""Characters of the URLs of one page's images: a ``base`` of 2,000 characters would be in each of 1,000.

Of a small page, four for each of its bytes, and 4,096 more.
"""

MAX_IMAGE_TAGS: Final = 20_000
"""Tags of a page that are read for its images: images, also those of other sites, and what is around them.

Of a small page, 30 and one for each 40 bytes, as a table of contents has.
"""

MAX_SHOWN_IMAGES: Final = 100_000
"""Images of all pages together, where the sitemap lists them, beyond one for each 300 bytes of a page.

50,000 pages of nothing but images took two minutes, and a gigabyte.
"""

MAX_HOSTS: Final = 3_000
"""Hosts with names that are not ASCII, whose names in punycode take up to a millisecond each.

170,000 in a sitemap took `submit` 25 seconds.
"""

MAX_ROBOTS: Final = 512_000
"""Bytes of a robots.txt that crawlers must read at least (RFC 9309, 2.5); Google reads no more."""

MAX_HEAD: Final = 1 << 20
"""Bytes of a page that are searched for the end of its head; some themes inline a whole style sheet."""

MAX_HEAD_TAGS: Final = 2_000
"""Tags and comments that are read of a head: those of a page in 500 languages, and as many others thrice.

Of a small page, 20 and one for each 50 bytes: 50,000 pages of short tags would take half a minute.
"""

MAX_SCRIPT_TAGS: Final = 100
"""Tags of scripts in one script, after which it seems to have no end; most scripts have none."""

MAX_REFERENCES: Final = 20_000
"""References to characters in the tags of one page: as in 200 texts of 100 characters, all written so.

Of a small page, 100 and one for each 8 bytes, as such texts have. A MiB of them took 0.4 s.
"""

MAX_PAGE: Final = 1 << 23
"""Bytes of a page that are searched for its heading and images, tag by tag."""

MAX_LINKING_PAGE: Final = 1 << 25
"""Bytes of a page that ``check`` searches for links, which takes a tenth of the time per byte."""

MAX_TITLE: Final = 300
"""Characters of a title or a summary in a feed: engines and readers show no more. Each page's are kept.

With 1,000 of each, of which one is an emoji, 80,000 pages took 600 MB more.
"""

MAX_TEXT: Final = 10_000
"""Characters of a text in the configuration of a generator, or in what it says of a page."""

MAX_FORM_PAGE: Final = 1 << 20
"""Bytes of a page that are searched for the HTML of utility pages; a long navigation may precede it."""

MAX_SITE: Final = 3 * MAX_BYTES
"""Bytes before compression that all sitemaps of one site together have or count for: some 600,000 URLs.

In ``check``, which also looks for the pages, some 400,000, or 20,000 with links to 30 languages each. Own
limit: a small gzipped file with a thousand links to it could fill the memory. Sitemaps beyond it aren't read.
"""

MAX_SITES: Final = 4 * MAX_SITE
"""Bytes before compression of the sitemaps of all sites that ``index`` reads, some two million URLs.

A million URLs in 200 sites have half of that. Each may be a small gzipped file; a ``<`` counts for at least
``EVENT_WEIGHT``.
"""

MAX_LINES: Final = 200_000
"""Lines of a text sitemap, also empty ones among them: four times as many as it may have URLs."""

MAX_ENTRIES: Final = 100_000
"""Entries of one sitemap that ``index`` and ``submit`` read, twice the protocol's; more are an error."""

ENTRY_WEIGHT: Final = 150
"""Bytes that an entry, alternate or image counts for in ``MAX_SITE``, at least: the memory that it takes."""

URL_WEIGHT: Final = 350
"""Bytes that an entry counts for where all its pages are looked for too: in ``check`` and ``report``."""

EVENT_WEIGHT: Final = 40
"""Bytes that the start or end of an element counts for in ``MAX_SITE``, at least: it takes time."""

MAX_EVENTS: Final = 20_000
"""Starts and ends of elements in one entry of a sitemap. Own limit: a page with 1,000 images has about 5,000.

An entry is held in memory as a tree. Reading a file stops at a larger entry.
"""

MAX_MEMBERS: Final = 10_000
"""Members of a gzip file, each compressed alone; more count as broken. Block gzip makes one of 64 KiB.

Own limit: two million in each of six sitemaps took ``index`` half a minute more.
"""

MAX_ATTRIBUTES: Final = 30
"""Attributes and namespaces of one tag in a sitemap; an attribute takes forty times its bytes in memory.

Own limit: a root element with all extensions of the protocol has ten.
"""

MAX_TAG: Final = 1 << 20
"""Bytes of a tag in a sitemap, with the text after it: a tag is read as a whole, with all its attributes."""

MAX_NOTICES: Final = 5_000_000
"""Characters of the messages of a build on settings of single pages: 30,000 usual ones.

A name of 2,000 characters in each of 70,000 took 700 MB. One more says how many others there are.
"""

MAX_NOTES: Final = 100
"""Different format errors that are reported for one sitemap. Own limit: nobody reads more.

Each unknown element is a different error, and a file may have a million element names.
"""

MAX_FINDINGS: Final = 100_000
"""Findings of one rule of ``check``. Own limit: so many have one cause. One more reports the rest."""

MAX_FOUND: Final = 20_000_000
"""Characters of the findings of all rules of ``check``, as JSON writes them.

Own limit: the URL of each may have ``MAX_LOC``. 100,000 findings have about as many. 100 of each rule are
kept in any case, and one more reports the rest.
"""

MAX_MATCHING: Final = 50_000_000
"""Bytes of the relevant rules in robots.txt, times the agents and the URLs that are tested against them.

Own limit, about 10 seconds: a robots.txt of 1,000 bytes is tested with 50,000 URLs, one of 512,000 with 97. A
URL of more than 100 characters counts as several. ``check`` reports if it did not test all URLs.
"""

MAX_STUB: Final = 1 << 14
"""Size in bytes from which a page is not a redirect stub: its body is not searched for a meta refresh.

Browsers obey a meta refresh in the body too (HTML, 4.2.5.3). This much of each page is read anyway, for its
head, so the search does not slow down long pages.
"""

MAX_LOCK_SECONDS: Final = 30.0
"""Seconds that a run waits for another run that writes to the same folder, before it continues anyway.

Writing a million pages takes less; a suspended run must not block all others.
"""

MIN_LEFTOVER_SECONDS: Final = 86_400.0
"""Age in seconds of a temporary file of a killed run, if locks cannot tell: no build takes a day."""

MAX_ROBOTS_READ: Final = 1 << 24
"""Bytes of a robots.txt that is extended; a larger one stays unchanged. No crawler reads that much."""

MAX_EARLIER: Final = 16
"""Earlier names of the sitemap, from generated lines in robots.txt, whose files are looked for."""

MAX_NOTED: Final = 64 << 20
"""Bytes of a build's notes on one site; larger notes are ignored. 10,000 pages of an API take 4 MB."""

MAX_PAGE_NOTE: Final = 1 << 22
"""Bytes of the note of one page of Zensical; a larger one is ignored. One of an API may have a megabyte."""

MAX_PAGE_NOTES: Final = 1 << 28
"""Bytes of the notes of all pages of Zensical; pages beyond have no date.

A file of one page counts for 500 more: half a million names take seconds, and hundreds of megabytes. Those of
10,000 pages that include ten files each have 80 MB.
"""

MAX_NOTED_FILES: Final = 1 << 30
"""Bytes of files that pages of Zensical include, compared with their notes; about five seconds.

A file counts for 5,000 more, and each folder in its name for 1,000. Notes may name any file of the system;
pages beyond have no date.
"""

MAX_CONFIGURATION: Final = 1 << 20
"""Bytes of a configuration file; a larger one is a usage error. A pyproject.toml has a few thousand."""

MAX_INHERITED: Final = 10
"""Files that a mkdocs.yml inherits from one another; usual ones have one."""

MAX_CONTAINERS: Final = 200_000
"""Lists and objects in a JSON file: an empty list has two bytes there, and takes 64 in memory."""

MAX_VALUES: Final = 2_000_000
"""Values in a JSON file, after the first of each list and object: a text of five bytes takes sixty in memory.

Notes of 10,000 pages have some hundred thousand.
"""

MAX_BASELINE: Final = 1 << 24
"""Bytes of a baseline of ``check``, about 80,000 findings; a larger one is a usage error."""

MAX_VERSIONS: Final = 1 << 20
"""Bytes of a versions.json or a switcher.json, about 10,000 versions; a larger one is ignored."""

MAX_SITES_VERSIONS: Final = 40 << 20
"""Bytes of all these files that ``index`` or ``versions`` reads, of sites and of their branches.

A thousand sites with 20 versions in each of ten branches have half of that.
"""

MAX_CREDENTIALS: Final = 1 << 16
"""Bytes of a service account's JSON file, which has about 2,400; a larger file is not one."""

MAX_ANSWER: Final = 1 << 16
"""Bytes that are read of an HTTP response, unless it is a sitemap."""

MAX_HEAD_LINES: Final = 100
"""Lines of headers and of answers on the way, such as 103, for each request, on average; most have 20.

A read counts as ten, and so does a frame of HTTP/2. 900 answers of 18 bytes before each of 1,200 pages took
17 seconds.
"""

FREE_HEAD_LINES: Final = 10_000
"""The same, beyond the average, for all requests together."""

MAX_PIECES: Final = 1_000
"""Pieces of an HTTP response that are read beyond one for each ``PIECE_SIZE`` bytes; each takes time.

Nine pages in pieces of a byte took ``check --live`` over a minute.
"""

PIECE_SIZE: Final = 16
"""Bytes of a piece of an HTTP response, on average: a page that is sent line by line has longer ones."""

LARGE_PIECE_SIZE: Final = 1 << 10
"""The same, behind the first 64 KiB of a response that is neither XML nor plain text.

A packet of a slow network is a piece, and has some 1,400 bytes. 25 pages that sent 15 MB at once, and then
90,000 pieces of a byte, took 33 seconds.
"""

ENTRY_SIZE: Final = 80
"""The same, of one that is: some servers send each entry of a sitemap alone, up to the protocol's 50,000.

Two sitemaps of 40 MB that ended with 1.5 million pieces of a byte each took ``submit`` 40 seconds more.
"""

MAX_SERVED_PAGE: Final = 1 << 24
"""Bytes of a page that ``check --live`` reads: Google reads 15 MB. A longer one may have no end."""

MAX_WAIT: Final = 120.0
"""Seconds that ``submit`` and ``check --live`` wait before another try, whatever ``Retry-After`` says."""

MAX_HELD: Final = 600.0
"""Seconds that ``check --live`` waits in all because a server asks for it, does not answer, or is slow."""

MAX_READ_SECONDS: Final = 600.0
"""Seconds that are taken at most to read all parts of one sitemap over HTTP (``submit``).

``check --live`` reads all sitemaps of a site for as long, and checks the pages that those list.
"""

MAX_EDITED: Final = 1 << 26
"""Bytes of an old version's page that ``versions`` marks; a larger one is reported and stays as it is."""

MAX_MAP: Final = 1 << 23
"""Bytes of a ``--map`` file of ``versions``, about 100,000 moved pages; a larger one is a usage error.

A million short lines take some 300 MB.
"""

MAX_BATCH: Final = 10_000
"""URLs in one POST to IndexNow (indexnow.org, documentation)."""

MAX_CATALOG: Final = 1 << 26
"""Bytes of a message catalog that are searched for a translation; the largest manuals have about 10 MB."""

MAX_CATALOGS: Final = 1 << 28
"""Bytes of all message catalogs without a translation that are searched for one; each line counts 32 more.

The largest manuals have some 10 MB in each language; reading a catalog ends with its first translation.
"""

MAX_DATA: Final = 1 << 20
"""Bytes of a data file of mkdocs-macros; the names in a larger one are not known: YAML is slow."""

MAX_LINKS: Final = 20
"""Links to one folder or file of a deployed tree, on all paths, that ``index`` follows.

A version has a few aliases. Folders with links to each other have more paths than can be followed.
"""

MAX_LOOKED_UP: Final = 100_000_000
"""Characters of the paths that are looked up to resolve the links of a folder; other links lead nowhere.

Own limit, about 5 seconds: the target of each link may have 2,000 folders. A path that is known counts for
20. A million links to a file beside them have as many.
"""

MAX_REMEMBERED: Final = 20_000_000
"""Characters of paths that are remembered, because the next one may have the same folders.

Of a folder or file, its name, and 100 for the rest; then all are forgotten, and remembered anew.
"""

MAX_BEHIND_LINKS: Final = 10_000_000
"""Folders on the way to linked folders that ``check`` looks up for URLs, beyond the first 10 of each.

Own limit, about 3 seconds, for all processes together; then links lead nowhere. URLs of a site with links in
its root have one or two.
"""

MAX_LINKED: Final = 1_500_000
"""Files in folders behind links that ``index`` and ``versions`` list, for all links together.

A folder or link counts for 10. The aliases of 20 sites of 5,000 pages have as many. Links to each of 40
nested folders list some 800 folders. A linked folder may have 20,000 files, and a thousand links to it.
"""

MAX_BASE_FOLDERS: Final = 30
"""Folders of a base URL that ``check`` and ``submit`` try if no base URL is given."""

MAX_INDEXES: Final = 20
"""Indexes of a site whose parts ``check`` looks for below each folder of their URLs.

That can take half a second for an index. The parts of others are looked for where the last ones were.
"""

MAX_FOLDERS: Final = 100
"""Depth of nested folders that ``index`` searches; no site has more."""

MAX_SOURCE: Final = 1 << 20
"""Bytes of a source or included file that are searched for the names of more files."""

MAX_NAMES: Final = 1_000
"""Files that ``rst_prolog`` and ``rst_epilog`` name; they are looked for in each folder of documents.

Also files that one document or file names, compared with those; each list of them with what they name; and
files that the included files of a page in MkDocs name, or those that snippets appends to every page.
"""

MAX_COMPARED: Final = 20_000_000
"""Comparisons of the names in autodoc's texts with modules, in a build of Sphinx: about 5 seconds.

A text of 100 names, in a document with 400 modules of that name, has 40,000. A manual of 5,000 documents has
some four million.
"""

MAX_BUNDLES: Final = 20
"""Scripts in one folder of a theme of MkDocs that may read the sitemap; Material has one.

Each is read several times in a build, and a folder may have thousands of links to a large file.
"""

MAX_FRAMES: Final = 200
"""Calls within each other, from a file that is read up, among which its reader is looked for.

Builds of MkDocs have some 35. Snippets that include each other can have a thousand, each time that the last
one reads a file. Then it is not known for which pages that file is read.
"""

MAX_BASE_PATHS: Final = 100
"""Folders in ``base_path`` of snippets in which a page's included files are looked for."""

MAX_INCLUDED: Final = 32 << 20
"""Bytes of all included files of a build that are searched for the names of more files.

A file counts for at least 1,000, because opening it takes time.
"""

MAX_LOOKED: Final = 100_000_000
"""Characters of the paths where a build looks for files that pages and included files name.

A path counts for 100 more, and, of files that snippets appends to every page, so does each folder in it. A
page may have thousands of names, and each is looked for in several folders.
"""

MAX_MODULE: Final = 1 << 26
"""Bytes of an installed file that is compared with the repository; no documented module is larger."""

MAX_HASHED: Final = 1 << 24
"""Bytes of a configuration file or hook of MkDocs that are hashed: a change makes notes out of date."""

MAX_GIT_SILENCE: Final = 60
"""Seconds that git may take without returning a single byte.

git waits forever for the writer of a pipe in place of one of its files. A response takes milliseconds: this
leaves time for thousands of reads from a slow network disk.
"""

MAX_SILENCE_KEPT: Final = 600.0
"""Seconds before a repository is asked again after git was silent: each question would wait again."""

MAX_GIT_ALLOCATION: Final = 128 << 20
"""Bytes that git may allocate at once (``GIT_ALLOC_LIMIT``); beyond it, git exits.

git holds each commit and tree in memory as a whole, and reads lists such as ``info/grafts`` to the end.
"""

MAX_GIT_SECONDS: Final = 8
"""Processor seconds that git may take, and ``COMMIT_SECONDS`` for each commit (Linux).

All repositories and questions of a command or a build share them. Then files have no dates.

In a small pack, each tree may be a change of the next one, which git undoes again and again.
"""

MAX_SECONDS_TOGETHER: Final = 9.0
"""Processor seconds that git and all else take together beyond what their input explains.

What git takes of them beyond the first one is missing for the rest, and it gets no more than that has left.
"""

MAX_REPOSITORIES: Final = 500
"""Repositories that are asked in one command or build, and links or files followed in place of ``.git``.

Files of further ones have no dates.
"""

MAX_SAME_OBJECTS: Final = 50
"""Repositories with the same objects that are asked: work trees of one, or clones that borrow from it."""

MAX_SAME_HISTORY: Final = 500_000
"""Objects in packs that such repositories share, counted for each after the first, in all.

Their walks take four seconds. Work trees of one repository that has 25,000 may be 20.
"""

MAX_GIT_MEMORY: Final = 448 << 20
"""Bytes of git's own data, without the packs that it maps, if the system can limit them (Linux).

All processes that run at once share them, and each has ``COMMIT_MEMORY`` more for each commit. git is started
with settings that limit its caches to 96 MB, of which it maps 64.
"""

COMMIT_MEMORY: Final = 3 << 9
"""Bytes for each commit that git has read: it keeps them, and usual ones take 700.

A message of megabytes has some hundred bytes in a pack, if it is a change of another one.
"""

MAX_COMMIT_LIST: Final = 1 << 22
"""Bytes of a list of commits to ignore, and of ``info/grafts``: 100,000 names."""

MAX_HEADER: Final = 1 << 20
"""Bytes of a commit's header after its parents: signatures and merged tags have some thousand each."""

MAX_WALKS: Final = 1_000
"""Walks through parts of a history for ``follow_renames``.

One is needed for each time that a name was given up for another: by branches, or by each release that renames
the list of its changes. ``MAX_STEPS`` limits what they pass.
"""

MAX_STEPS: Final = 100_000
"""Commits that all walks of ``follow_renames`` pass together, beyond four times those of the longest one.

A thousand walks would read a long history a thousand times. Those of seven public repositories pass 2.2 to
3.6 times the commits of the longest one.
"""

MAX_GIT_FILE: Final = 64 << 20
"""Bytes of one of git's own files; ``packed-refs`` has this many for a million refs."""

MAX_GIT_MESSAGE: Final = 1 << 12
"""Bytes of git's messages that are searched for a known cause.

On Linux, no more are kept: a repository of 14 MB can cause a gigabyte of them.
"""

MAX_POINTER: Final = 1 << 14
"""Bytes of a file of git that names a folder or a branch; a path has at most a quarter of that."""

MAX_DEPTH: Final = 120
"""Folders and links on the way of a path that is followed; a file below more has no date, and is no target.

A page below more is not listed, and nor is a file of Sphinx's ``html_extra_path``. Each folder is looked at,
in the time that all before it take. People's folders are a dozen deep.
"""

MAX_WORKTREES: Final = 10
"""Different values of ``worktree`` in a repository's configuration: each may lead through 40 links."""

MAX_OBJECT: Final = 16 << 20
"""Bytes of a commit or a tree; a folder of a quarter of a million files has this many."""

MAX_OBJECTS: Final = 128 << 20
"""Bytes of the commits and trees that are in memory at once."""

MAX_FILES: Final = 1_000_000
"""Files and folders that are listed of a tree: twice those of the largest public repositories.

A dozen small trees that contain each other can have billions.
"""

MAX_COPIES: Final = 400_000
"""Files and folders that are listed again because several folders of a tree have the same content."""

MAX_TURNS: Final = 500_000
"""Files that differ from the first parent of a commit in a walk, beyond ten times the number of files.

More than that takes very many ignored commits, or merges made for it.
"""

MAX_SKIPS: Final = 5_000_000
"""Commits that were skipped for files under former names, for each file again: 40 MB of memory.

Thousands of files may have been one, which thousands of ignored commits change. Files that are renamed
together share what they skip.
"""

MAX_DIFFERENCES: Final = 1_500_000
"""Entries of folders in which the commits of a walk differ, beyond a hundred for each commit.

A repository of a megabyte can change 30,000 files in each commit. The most in 84 public repositories are
28,000 beyond a hundred for each. More are compared if the packs have the bytes that the names of so many new
objects take. Where a commit changes very many files and few are looked for, only those count.
"""

MAX_PARSED: Final = 10_000_000
"""Entries of trees that are read to find files in them, for one question, whichever trees they are in.

With ``follow_renames``, each commit that renames a folder needs some; the most in five large public
repositories are 760,000.
"""

MAX_PARENTS: Final = 1_000
"""Different parents of a commit; the most in a large public repository, that of Linux, are 66."""

MAX_OCTOPUS: Final = 20_000
"""Parents of merges beyond the second that one walk looks at: two seconds.

Thousands of merges may have the same thousand parents. Merges with more than two are rare.
"""

MAX_PATHS: Final = 256 << 20
"""Bytes of the paths of a tree that are listed; two million paths have about half of that."""

MAX_SUBJECT: Final = 1_000
"""Bytes of an author and of a commit's subject that ``explain`` shows; git recommends 50 for a subject."""

MAX_SHOWN: Final = 100
"""Characters of an untrusted value in a message: enough to find it."""

MAX_ITEMS: Final = 10_000
"""Items of one list in a configuration or on a page, and files of all rules together: nobody writes more."""

MAX_SOURCES: Final = 1_000
"""Files in ``sources`` or ``not_sources`` of one page or rule; each page is compared with all of them."""

MAX_NAMED: Final = 100_000
"""Files that all pages and rules together name in ``sources`` and ``not_sources``, beyond 10 for each."""

MAX_PATTERNS: Final = 2_000
"""gitignore-style patterns of one option, and of all rules together; each page is tested with each."""

MAX_PATTERN_TEXT: Final = 50_000
"""Characters of all patterns of one option, and of all rules together; compiling these can take seconds."""

MAX_TESTED: Final = 100_000_000
"""Characters of a page's path and source, times those of all patterns with which it is tested.

This can take a fifth of a second for each page. As many patterns as there can be test 2,000 characters.
"""

MAX_PATTERN_SECONDS: Final = 5.0
"""Processor seconds that testing pages with patterns takes, beyond ``PATTERN_SECONDS`` for each test."""

PATTERN_SECONDS: Final = 0.000_1
"""Seconds for each test of a page, or of another file, with all patterns of an option or of all rules.

2,000 patterns that begin with a name take a tenth of it, and 300 that begin with ``*`` all of it.
"""

MAX_PATH: Final = 4_096
"""Characters of a path or pattern; Linux opens no longer path (``PATH_MAX``), others only shorter ones."""

MAX_NUMBER: Final = 100
"""Characters of a number or date that is written as text."""

MAX_LANGUAGE: Final = 100
"""Characters of a language code; RFC 5646, 4.4.1, requires support for 35."""

MAX_LANGUAGES: Final = 500
"""Languages of one site or page; ISO 639-1 has 183, and Wikipedia, with the most, about twice as many."""

MAX_ROBOTS_TEXT: Final = 1_000_000
"""Characters of one page's robots setting that are searched for ``noindex``.

All its rules have about 300; a YAML list may name one long text ten thousand times.
"""

MAX_LANGUAGE_TEXT: Final = 20_000
"""Characters of all URLs in ``languages``: each page has an alternate for each of them."""

MAX_ALTERNATE_TEXT: Final = 50_000
"""Characters of the URLs of one page's own alternates; more are ignored.

And a thousand, with twice what their tags have: short references get the length of the base URL.
"""

MAX_FRONT_MATTER: Final = 1 << 16
"""Bytes of a page's source within which its front matter must end, and characters of settings in JSON."""

MAX_FRONT_MATTER_NODES: Final = 100
"""Nodes in YAML of the smallest front matter, and one more for each 8 characters of a larger one.

A key is a node, and so is a value. Usual texts have one for each 12 characters, hostile ones for each two.
"""

MAX_FRONT_MATTER_VALUES: Final = 500_000
"""Values in the front matter of all pages that mention the sitemap, beyond 20 for each.

Each text, list and mapping is one. As many as a page may have took 20 seconds for 20,000 pages of 2 kB.
"""

MAX_DOTS: Final = 20
"""Parts of one dotted key in TOML; the time of Python's parser grows with their square."""

MAX_MERGED: Final = 1_000
"""Entries of a YAML mapping with what ``<<`` merges into it: nested merges multiply them.

All such mappings of one text together have ten times as many at most.
"""

MAX_BRACKETS: Final = 20
"""Depth of nested brackets in YAML; people's are two or three deep.

For each word, its parser looks at all that are open: 100 of them made a text take twice as long.
"""

MAX_NESTED: Final = 100
"""Depth of lists and mappings in the YAML of a configuration, with or without brackets.

In front matter, it is that of brackets.
"""

MAX_DIRECTIVES: Final = 20
"""``%TAG`` directives in YAML: its parser compares each with all before. People write none."""

MAX_DIGITS: Final = 10_000
"""Characters of a number in YAML; a hundredth of one to the base of 60, such as ``1:30:00``.

There, time grows with their square: 192,000 of a thousand characters took 54 seconds.
"""

MAX_KEY_DIGITS: Final = 16
"""Characters of a number that is a key of a YAML mapping; a longer one is a text.

From 2**61 - 1 on, many whole numbers have the same hash, so that each is compared with all before it.
"""

MAX_STARS: Final = 6
"""``*`` in one pattern of sphinx-sitemap; each is converted in two ways, so six make 64 patterns."""

MAX_MESSAGE: Final = 500
"""Characters of a finding's message.

Longer messages are cut, and so are findings' URLs beyond ``MAX_LOC``: a URL of a megabyte may be in many
findings.
"""

MAX_ADVICE: Final = 5_000
"""Characters of a value that a message tells users to write in conf.py: it must be complete."""
