"""Addresses that others have written, each of them and in pairs."""

from __future__ import annotations

from contextlib import suppress

from docs_sitemap import urls
from docs_sitemap.check import address
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.options import languages, validation

SEEDS = [
    b"https://docs.acme.org/v1.2/guide/index.html?a=b#c\nhttps://docs.acme.org/latest/guide/",
    b"HTTP://user:pass@[::1]:8080/%7e%zz/.././/a\n//a.org/b",
    "https://bücher.example:443/käse 100%/\nhttps://xn--bcher-kva.example/k%C3%A4se".encode(),
    "https://ß.ς.example/\ndata:,".encode(),
    b"pt_BR.UTF-8@latin\nzh-Hant-TW-x-a-b",
]


def read(data: bytes) -> None:
    """Take two addresses apart, join and compare them."""
    text = data.decode("utf-8", "surrogateescape")
    one, _, other = text.partition("\n")
    for url in (one, other):
        address.split(url)
        address.is_encoded(url)
        address.folder_of(url)
        urls.comparable(url)
        for refusing in (
            urls.encode_base,
            validation.base_url,
            languages.normalise,
            validation.filename,
            validation.lastmod,
        ):
            with suppress(ValueError):
                refusing(url)
        with suppress(ValueError):
            joined = urls.join("https://a.org/", url)
            assert joined.isascii()
            assert urls.join("https://a.org/", joined.removeprefix("https://a.org/")) == joined
        found = urls.absolute("https://a.org/", url)
        assert found is None or found.isascii()
    address.join(one, other)
    address.same_but_index(one, other)
    address.other_version(one, other)
    address.difference(one, other)
    base, hits = address.fit([one, other], lambda path: path or None)
    assert len(base) <= MAX_LOC + 1
    assert hits <= 2 * MAX_LOC
