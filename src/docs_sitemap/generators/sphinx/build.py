"""A build as Sphinx runs it: whether it makes a site, for which address, and how it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.builders.html import StandaloneHTMLBuilder

from docs_sitemap.brief import text_of
from docs_sitemap.generators.sphinx.options import spell
from docs_sitemap.pages import Host

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# These derive from StandaloneHTMLBuilder too, but what they or their subclasses make is no site
# with an address a page. By name, because most of their packages may be missing.
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
    """Tell whether a builder makes pages that are published, each under an address of its own."""
    names = {base.__name__ for base in type(builder).__mro__}
    makes_pdf = any("pdf" in name.lower() for name in names)  # from HTML, as sphinx-simplepdf does
    return isinstance(builder, StandaloneHTMLBuilder) and not names & _NO_SITE and not makes_pdf


def host_of(app: Sphinx) -> Host:
    """Return what conf.py says of the site."""
    config = app.config
    return Host(
        config.html_baseurl or None,
        "html_baseurl",
        spell,
        Path(app.confdir),
        title=text_of(config.html_title or config.project),
        language=text_of(config.language),
    )


def failed(app: Sphinx) -> bool:
    """Tell whether the build counts as failed: from 8.1 on, -W lets it run to its end."""
    strict = getattr(app, "_fail_on_warnings", app.keep_going)  # keep_going: 7.2 to 8.0, with -W only
    return bool(app.statuscode or (strict and app._warncount))
