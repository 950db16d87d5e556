"""Options of a site and settings of a page, of any host and type, from JSON, YAML, TOML or plain text."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs_sitemap.errors import OptionError
from docs_sitemap.generators.html.front_matter import read_front_matter
from docs_sitemap.options.declarations import OPTIONS, read_options
from docs_sitemap.options.page_settings import read_metadata, read_settings
from docs_sitemap.untrusted import RealPaths

_FOLDER = TemporaryDirectory()
_NOWHERE = Path(_FOLDER.name)

SEEDS = [
    b'{"base_url": "https://a.org/b", "exclude": ["a/**/b", "!*.md"], "max_urls": "100", "images": "on"}',
    b'{"languages": {"en": "https://a.org/en", "pt_BR": "https://a.org/pt", "x-default": "https://a.org/"}}',
    b'{"rules": [{"match": ["a/", "*b*"], "priority": 0.5, "lastmod": "2020-01-01", "sources": ["a", "b"]}]}',
    b'{"sitemap": {"exclude": false, "lastmod": "2020-01-02T03:04:05+01:00", "changefreq": "daily"}}',
    b'{"sitemap": "{\\"priority\\": 0.1}", "sitemap-sources": "a, b", "sitemap-not-sources": [1, null, {}]}',
    b'{"formats": ["xml", "gz"], "filename": "a/b.xml", "clock": "author", "indexnow_key": "abcdefgh-1"}',
    b"---\ntitle: a\nsitemap:\n  priority: 0.5\n  lastmod: 2020-01-01\n  sources: [a, &b b, *b]\n---\n# A\n",
    b'+++\ntitle = "a"\n[sitemap]\npriority = 0.5\nlastmod = 2020-01-01\n+++\n',
    b".. comment\n   more\n\n:sitemap: false\n:sitemap-priority: 0.5\n\nTitle\n=====\n",
    b"false",
    b"2020-01-01",
]


def read(data: bytes) -> None:
    """Read an input as front matter; and each value in it as each option and each setting."""
    values: list[Any] = [data.decode("utf-8", "replace")]
    with suppress(ValueError, RecursionError):
        values.append(json.loads(data))
    for suffix in (".md", ".rst"):
        file = _NOWHERE / f"page{suffix}"
        file.write_bytes(data)
        with suppress(ValueError):  # it says why
            values.append(read_front_matter(file))
    for value in values:
        _read_value(value)
        for each in list(value.values())[:20] if isinstance(value, dict) else ():
            _read_value(each)


def _read_value(value: Any) -> None:
    for option in OPTIONS:
        with suppress(OptionError):
            read_options({option.name: value})
    read_settings(value, "a.md")
    if isinstance(value, dict):
        read_metadata(value, "a.md", _NOWHERE, RealPaths())
