"""Facts about a Sphinx build: whether it makes a site, its URL, and whether it failed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.builders.html import StandaloneHTMLBuilder

from docs_sitemap.brief import text_of
from docs_sitemap.generators.sphinx.options import spell
from docs_sitemap.pages import Host

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# These derive from StandaloneHTMLBuilder, but they and their subclasses do not make a site with one URL per
# page. Compared by name, because their packages may not be installed.
_NO_SITE: Final = frozenset(
    {
        "AppleHelpBuilder",
        "DevhelpBuilder",
        "EpubBuilder",
        "HTMLHelpBuilder",
        "QtHelpBuilder",
        "SerializingHTMLBuilder",
    }
)


def makes_site(builder: object) -> bool:
    """Tell whether a builder makes a site with one URL per page."""
    names = {base.__name__ for base in type(builder).__mro__}
    makes_pdf = any("pdf" in name.lower() for name in names)  # PDF from HTML, like sphinx-simplepdf
    return isinstance(builder, StandaloneHTMLBuilder) and not names & _NO_SITE and not makes_pdf


def host_of(app: Sphinx) -> Host:
    """Return the site's data from conf.py."""
    config = app.config
    return Host(
        config.html_baseurl or None,
        "html_baseurl",
        spell,
        Path(app.confdir),
        title=text_of(config.html_title or config.project),
        language=text_of(config.language),
        folders="use the builder dirhtml",
    )


def failed(app: Sphinx) -> bool:
    """Tell whether the build has failed: since 8.1, -W lets it run to its end."""
    strict = getattr(app, "_fail_on_warnings", app.keep_going)  # keep_going: 7.2 to 8.0, only with -W
    return bool(app.statuscode or (strict and app._warncount))
