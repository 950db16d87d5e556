"""Hugo: gohugo.io, "Front matter", "URL management", "Multilingual mode", "Sitemap templates"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from docs_sitemap.generators.html.known.generator import (
    Claim,
    Generator,
    Metadata,
    Source,
    by_path,
    declared,
    of_language,
)

_HIDDEN: Final = ("never", "local", False)
_OTHERS: Final = ("disable", "filename", "filenames")
"""What Hugo alone reads below ``sitemap``."""


def _pages(source: Source) -> Iterator[Claim]:
    path = re.sub(r"^content/", "", source.path)
    stem, language = of_language(re.sub(r"\.[^./]+$", "", path))
    plain = Source(source.folder, f"{stem}.md")
    if address := source.word("url"):
        found = [declared(address)]
    elif (slug := source.word("slug")) and plain.name != "_index":
        found = [declared(slug, plain.above if plain.name != "index" else _parent(plain.above))]
    else:
        found = [*by_path(plain)]
    for claim in found:
        if language and not source.word("url").startswith("/"):
            yield Claim(f"{language}/{claim.page}".rstrip("/"), claim.rank, claim.index)
            yield Claim(claim.page, 1, claim.index)  # that of the default language has no folder
        else:
            yield claim


def _parent(folder: str) -> str:
    return folder.rstrip("/").rpartition("/")[0] + "/"


def _translate(source: Source, metadata: Metadata) -> Metadata:
    """Return what ``sitemap.disable``, ``build.list`` and ``lastmod`` say, in our words."""
    own = metadata.get("sitemap", {})
    if not isinstance(own, Mapping):
        return metadata
    build = metadata.get("build", metadata.get("_build"))
    found = {"lastmod": metadata["lastmod"]} if metadata.get("lastmod") else {}
    if own.get("disable") is True or (isinstance(build, Mapping) and build.get("list") in _HIDDEN):
        found["exclude"] = True
    found |= {key: value for key, value in own.items() if key not in _OTHERS}
    return {**metadata, "sitemap": found} if found or own else metadata


HUGO = Generator(
    "Hugo",
    "hugo ",
    ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"),
    _pages,
    ("url", "slug", "lastmod", "build", "_build"),
    _translate,
)
