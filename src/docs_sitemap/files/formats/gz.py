"""Gzip files; crawlers accept gzipped sitemaps (sitemaps.org, protocol). Pure."""

from __future__ import annotations

import gzip
import io


def compress(data: bytes) -> bytes:
    """Gzip data without name and time, so that the same zlib gives the same bytes."""
    target = io.BytesIO()
    # GzipFile writes its own header; gzip.compress uses that of zlib, which differs by platform
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as stream:
        stream.write(data)
    return target.getvalue()
