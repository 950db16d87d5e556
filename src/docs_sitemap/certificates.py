"""The certificates by which servers are trusted."""

from __future__ import annotations

import os
import ssl
from typing import Final

import httpx

from docs_sitemap.errors import DocsSitemapError

_VARIABLES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")


class CertificatesError(DocsSitemapError):
    """The certificates cannot be read."""


def read_certificates() -> ssl.SSLContext:
    """Return the system's certificates, or those that ``SSL_CERT_FILE`` or ``SSL_CERT_DIR`` name.

    Raises ``CertificatesError``.
    """
    try:
        return httpx.create_ssl_context()
    except OSError:  # ssl.SSLError is one too
        named = next(
            (name for name in _VARIABLES if os.environ.get(name)), _VARIABLES[0]
        )  # as httpx reads them
        raise CertificatesError(f"cannot read certificates: check the variable {named}.") from None
