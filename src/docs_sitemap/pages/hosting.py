"""Detects the hosting service of a build, its base URL, and whether it is a preview; how it serves pages.

Only this module knows hosting services. Each function names the environment variables that it reads and the
page that documents them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from urllib.parse import urlsplit

Environ = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Hosting:
    """``base_url`` is where this build will be served, or ``None`` if the service does not say.

    ``preview`` is the service's word for a build that is not the public site, or empty. ``own_robots`` is the
    name of a service that serves a robots.txt of its own, which names ``/sitemap.xml``, if the build has
    none. ``at_root`` is true if the service serves robots.txt and sitemap.xml of one build, the default
    version, at the root of the domain. ``is_exact`` is true if nothing is published outside of ``base_url``.
    ``served_by`` is the service's name in ``SERVICES``, if it serves what it builds. ``variable`` is the
    environment variable that has ``base_url``. ``hosts`` are others at which the service has the same paths.
    ``version`` is the name of the version that is built, as in its URL, and ``is_branch`` tells whether that
    is a branch.
    """

    base_url: str | None = None
    preview: str = ""
    own_robots: str = ""
    at_root: bool = False
    is_exact: bool = False
    served_by: str = ""
    variable: str = ""
    hosts: tuple[str, ...] = ()
    version: str = ""
    is_branch: bool = False


NO_HOSTING: Final = Hosting()
"""A build elsewhere."""

PREVIEW: Final = "DOCS_SITEMAP_PREVIEW"
"""Environment variable to set to 1 for a preview build if the hosting service does not report it."""

# The URL of a single deployment, such as 373f31e2.user-example.pages.dev, or of a branch (Cloudflare
# Pages, "Preview deployments"); user-example.pages.dev is the public one.
_ONE_DEPLOYMENT: Final = re.compile(r"https?://[^/.]+\.[^/.]+\.pages\.dev(/.*)?", re.IGNORECASE)


# The subdomain is the slug of the project that has the domain (Read the Docs, "Subdomain support")
_SUBDOMAIN: Final = re.compile(r"https?://([^/.]+)\.readthedocs(?:-hosted\.com|\.io)/", re.IGNORECASE)


def detect_hosting(environ: Environ = os.environ) -> Hosting:
    """Read the hosting service's environment variables; return an empty ``Hosting`` if there are none.

    GitHub Pages cannot be detected: `actions/configure-pages` only has the URL as its output ``base_url``
    and sets no variable, and a build of a pull request is not necessarily deployed. Set ``PREVIEW`` there.
    """
    found = next(filter(None, (service(environ) for service in _DETECTORS)), Hosting())
    if environ.get(PREVIEW, "").strip().lower() in ("1", "true", "yes", "on"):
        return replace(found, preview=found.preview or PREVIEW)
    return found


def _read_the_docs(environ: Environ) -> Hosting | None:
    """Read the Docs, "Environment variables" (docs.readthedocs.com, reference).

    ``READTHEDOCS`` is ``True``. ``READTHEDOCS_CANONICAL_URL`` includes language and version, and
    has the project's own domain; it is set for previews too. ``READTHEDOCS_VERSION_TYPE`` is ``external`` for
    a build of a pull request, otherwise ``branch`` or ``tag``. ``READTHEDOCS_VERSION`` is the version's slug.

    At the root of the domain, the default version's robots.txt and sitemap.xml are served, or the service's
    own, which forbids hidden versions (readthedocs.org, proxito/views/serve.py; sitemap.xml since pull
    request 12902, 2026). They are those of the project that has the domain: a subproject is below
    ``/projects/``, and a translation below its language. No variable tells a translation, but its slug
    differs from the project's subdomain, unless there is a custom domain.
    """
    if environ.get("READTHEDOCS") != "True":
        return None
    kind = environ.get("READTHEDOCS_VERSION_TYPE", "")
    url = environ.get("READTHEDOCS_CANONICAL_URL", "")
    subdomain = _SUBDOMAIN.match(url)
    slug = environ.get("READTHEDOCS_PROJECT", "").replace("_", "-")
    is_part = "/projects/" in url or bool(slug and subdomain and subdomain[1] != slug)
    return Hosting(
        url or None,
        "external" if kind == "external" else "",
        own_robots="Read the Docs",
        at_root=not is_part,
        is_exact=True,
        served_by="read-the-docs",
        variable="READTHEDOCS_CANONICAL_URL",
        hosts=(f"{slug}.readthedocs.io", f"{slug}.readthedocs-hosted.com"),
        version=environ.get("READTHEDOCS_VERSION", ""),
        is_branch=kind == "branch",
    )


def _netlify(environ: Environ) -> Hosting | None:
    """Netlify, "Build environment variables", read-only variables (docs.netlify.com).

    ``NETLIFY`` is ``true``; ``URL`` is the main URL of the site, also in previews; ``CONTEXT`` is
    ``production``, ``deploy-preview`` or ``branch-deploy``.
    """
    if environ.get("NETLIFY") != "true":
        return None
    context = environ.get("CONTEXT", "")
    preview = context if context in ("deploy-preview", "branch-deploy") else ""
    return Hosting(environ.get("URL") or None, preview, served_by="netlify", variable="URL")


def _vercel(environ: Environ) -> Hosting | None:
    """Vercel, "System environment variables" (vercel.com/docs).

    ``VERCEL`` is ``1``; ``VERCEL_PROJECT_PRODUCTION_URL`` is the public domain without scheme, also in
    previews; ``VERCEL_ENV`` is ``production``, ``preview`` or ``development``.
    """
    if environ.get("VERCEL") != "1":
        return None
    domain = environ.get("VERCEL_PROJECT_PRODUCTION_URL")
    preview = "preview" if environ.get("VERCEL_ENV") == "preview" else ""
    url = f"https://{domain}" if domain else None
    return Hosting(url, preview, served_by="vercel", variable="VERCEL_PROJECT_PRODUCTION_URL")


def _gitlab(environ: Environ) -> Hosting | None:
    """GitLab, "Predefined CI/CD variables" and "GitLab Pages parallel deployments" (docs.gitlab.com).

    ``GITLAB_CI`` is ``true``. ``CI_PAGES_URL`` is the site's URL, since GitLab 17.9 with the
    ``path_prefix`` of a parallel deployment. ``CI_MERGE_REQUEST_IID`` is set in the pipelines of merge
    requests, which deploy previews under such a prefix. Other prefixes may be versions.
    """
    if environ.get("GITLAB_CI") != "true":
        return None
    preview = "merge request" if environ.get("CI_MERGE_REQUEST_IID") else ""
    return Hosting(environ.get("CI_PAGES_URL") or None, preview, variable="CI_PAGES_URL")


def _cloudflare(environ: Environ) -> Hosting | None:
    """Cloudflare Pages, "Build configuration" and "Preview deployments" (developers.cloudflare.com/pages).

    Also Workers Builds, where ``WORKERS_CI`` is ``1``, and no variable has the URL or marks a preview
    (Cloudflare's changelog, 2025-06-10). In Pages, ``CF_PAGES`` is ``1``. ``CF_PAGES_URL`` is the URL of the
    single deployment, in production too, unless the site's owner has overridden it with the public one.
    ``CF_PAGES_BRANCH`` is the branch, but no variable says which branch is the public site, and a wrong guess
    could block crawlers from all of it.
    """
    if "1" not in (environ.get("CF_PAGES"), environ.get("WORKERS_CI")):
        return None
    url = environ.get("CF_PAGES_URL", "")
    public = None if not url or _ONE_DEPLOYMENT.fullmatch(url) else url
    return Hosting(public, served_by="cloudflare", variable="CF_PAGES_URL")


_DETECTORS: Final = (_read_the_docs, _netlify, _vercel, _gitlab, _cloudflare)


SERVED: Final = "the page"
MISSING: Final = "404"


class Serving(NamedTuple):
    """The answers for five forms: ``SERVED``, ``MISSING``, or the form that the service redirects to.

    ``page_html`` and ``page`` lead to a file page.html, the others to folder/index.html; ``slash`` is
    ``folder/`` itself, which is always served at the root. ``title`` is the service's name in messages,
    ``missing`` its status for ``MISSING``, and ``fix`` what to do then.
    """

    title: str
    page_html: str
    page: str
    folder: str
    index_html: str
    slash: str = SERVED
    missing: str = MISSING
    fix: str = ""

    def answer(self, path: str, *, is_index: bool) -> str:
        """Return ``SERVED``, ``MISSING``, or the URL or URL path that the service redirects to.

        ``is_index`` tells whether the file of the URL is an index.html.

        >>> SERVICES["cloudflare"].answer("guide/install.html", is_index=False)
        'guide/install'
        """
        if not is_index:
            found = self.page_html if path.endswith(".html") else self.page
            return path.removesuffix(".html") if found == "page" else found
        if path.endswith("index.html"):
            return path.removesuffix("index.html") if self.index_html == "folder/" else self.index_html
        if path == "" or path.endswith("/"):
            return SERVED if urlsplit(path).path in ("", "/") else self.slash
        return path + "/" if self.folder == "folder/" else self.folder

    def redirects(self, path: str, file: str) -> bool:
        """Tell whether the service redirects a URL path, which may have a query and a fragment, to a file."""
        is_index = file.rpartition("/")[2] == "index.html"
        return self.answer(re.split("[?#]", path, maxsplit=1)[0], is_index=is_index) not in (SERVED, MISSING)


_NO_INDEX: Final = (
    "Make the bucket's website endpoint the origin, or add a CloudFront function that appends index.html."
)

SERVICES: Final = {
    "azure": Serving("Azure Static Web Apps", SERVED, SERVED, SERVED, SERVED),
    "cloudflare": Serving("Cloudflare", "page", SERVED, "folder/", "folder/"),
    "cloudfront": Serving(
        *("CloudFront with an S3 bucket", SERVED, MISSING, MISSING, SERVED, MISSING), "404, or 403", _NO_INDEX
    ),
    "github": Serving("GitHub Pages", SERVED, SERVED, "folder/", SERVED),
    "gitlab": Serving("GitLab Pages", SERVED, SERVED, "folder/", SERVED),
    "netlify": Serving("Netlify", SERVED, SERVED, "folder/", SERVED),
    "read-the-docs": Serving("Read the Docs", SERVED, MISSING, "folder/", SERVED),
    "s3": Serving("S3 website hosting", SERVED, MISSING, "folder/", SERVED, missing="404, or 403"),
    "vercel": Serving("Vercel", SERVED, MISSING, SERVED, SERVED),
}
"""By the name that ``check --served-by`` takes: what each does unless it is configured otherwise.

Azure: "Configure Azure Static Web Apps", trailing slash (learn.microsoft.com, as others quote it). S3:
"Configuring an index document" (docs.aws.amazon.com, user guide); 403 if nobody may list the bucket
("GetObject"). CloudFront: a bucket without website hosting is the origin, and no function changes paths;
"Specify a default root object" (developer guide): not for folders. All were looked up in November 2026.
"""

_HOSTS: Final = {
    "github.io": "github",
    "gitlab.io": "gitlab",
    "netlify.app": "netlify",
    "pages.dev": "cloudflare",
    "readthedocs.io": "read-the-docs",
    "readthedocs-hosted.com": "read-the-docs",
    "vercel.app": "vercel",
}
"""Services by the domain below which they give each site a host; each is documented beside its variables."""


def service_at(base_url: str) -> str:
    """Return the name in ``SERVICES`` of the service that has a URL's host; empty for a domain of its own.

    >>> service_at("https://acme.github.io/tool/")
    'github'
    """
    host = base_url.partition("://")[2].partition("/")[0].partition(":")[0].lower()
    return next((name for domain, name in _HOSTS.items() if host.endswith(f".{domain}")), "")
