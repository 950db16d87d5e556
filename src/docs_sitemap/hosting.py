"""What a hosting service's environment says about a build: its address, and whether it is a preview.

The one module that knows hosting services. Each fact has the variable that it is read from.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hosting:
    """``base_url`` is where this build will be served, or ``None`` where the service does not say.

    ``preview`` is the service's word for a build that is not the public site, or empty.
    ``serves_robots`` says that the service puts our robots.txt at the host's root by itself.
    """

    base_url: str | None = None
    preview: str = ""
    serves_robots: bool = False


def detect_hosting(environ: Mapping[str, str] = os.environ) -> Hosting:
    """Read the hosting service's environment variables; without any, an empty ``Hosting``."""
    if environ.get("READTHEDOCS") == "True":
        # Language and version are part of the canonical URL; it is set for previews too. The
        # default version's robots.txt is served at the root of the domain.
        return Hosting(
            environ.get("READTHEDOCS_CANONICAL_URL") or None,
            "external" if environ.get("READTHEDOCS_VERSION_TYPE") == "external" else "",
            serves_robots=True,
        )
    if environ.get("NETLIFY") == "true":
        # URL is the main address of the site, also in a preview
        context = environ.get("CONTEXT", "")
        preview = context if context in ("deploy-preview", "branch-deploy") else ""
        return Hosting(environ.get("URL") or None, preview)
    if environ.get("VERCEL") == "1":
        domain = environ.get("VERCEL_PROJECT_PRODUCTION_URL")  # without scheme
        preview = "preview" if environ.get("VERCEL_ENV") == "preview" else ""
        return Hosting(f"https://{domain}" if domain else None, preview)
    if environ.get("GITLAB_CI") == "true":
        return Hosting(environ.get("CI_PAGES_URL") or None)
    # GitHub Pages and Cloudflare Pages do not tell a build the address of the public site
    # (CF_PAGES_URL is that of the single deployment), and guessing could name a wrong one.
    return Hosting()
