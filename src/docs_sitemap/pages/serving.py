"""What hosting services answer for the forms of a page's URL: with the page, with a redirect, or with a 404.

Measured on each service with the same files in "trailing-slash-guide" (github.com/slorber), and documented in
Cloudflare, "Serving Pages" and "HTML handling" (for Workers); Netlify, "Trailing slash"; Vercel, "cleanUrls"
and "trailingSlash"; GitLab, "GitLab Pages settings" (resolving ambiguous URLs) and issue 418 of gitlab-pages;
Read the Docs, readthedocs.org, proxito/views/serve.py. These are the defaults: Vercel and Cloudflare Workers
have settings that change them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

SERVED: Final = "the page"
MISSING: Final = "404"


class Serving(NamedTuple):
    """The answers for four forms: ``SERVED``, ``MISSING``, or the form that the service redirects to.

    ``page_html`` and ``page`` lead to a file page.html, ``folder`` and ``index_html`` to folder/index.html.
    Every service serves that page as ``folder/``. ``title`` is the service's name in messages.
    """

    title: str
    page_html: str
    page: str
    folder: str
    index_html: str

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
            return SERVED
        return path + "/" if self.folder == "folder/" else self.folder


SERVICES: Final = {
    "cloudflare": Serving("Cloudflare", "page", SERVED, "folder/", "folder/"),
    "github": Serving("GitHub Pages", SERVED, SERVED, "folder/", SERVED),
    "gitlab": Serving("GitLab Pages", SERVED, SERVED, "folder/", SERVED),
    "netlify": Serving("Netlify", SERVED, SERVED, "folder/", SERVED),
    "read-the-docs": Serving("Read the Docs", SERVED, MISSING, "folder/", SERVED),
    "vercel": Serving("Vercel", SERVED, MISSING, SERVED, SERVED),
}
"""By the name that ``check --served-by`` takes."""
