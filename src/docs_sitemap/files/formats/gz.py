"""The other files' bytes gzipped, which crawlers read as well (sitemaps.org, protocol). Pure."""

from __future__ import annotations

import gzip
import io


def compress(data: bytes) -> bytes:
    """Return the data gzipped, without name and time: the same bytes for the same zlib."""
    target = io.BytesIO()
    # GzipFile writes its header itself; gzip.compress leaves that to zlib, which differs by platform
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as stream:
        stream.write(data)
    return target.getvalue()
