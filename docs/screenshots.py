"""Make the documentation's screenshots. ``python -m docs.screenshots`` writes them into docs/images.

It needs Chromium, its driver and selenium, as the tests in tests/browser do.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from pathlib import Path
from typing import Final

from tests.support.browser import (
    EXAMPLE,
    STYLESHEET,
    Picture,
    browsing,
    distance,
    report_site,
    serving,
    write_report,
)
from tests.support.footers import FOOTERS

from docs import terminal
from docs_sitemap.files.urlset import make_prolog, render_url, render_urlset

IMAGES: Final = Path(__file__).parent / "images"


def screenshots(folder: Path) -> None:
    """Write the documentation's pictures."""
    with tempfile.TemporaryDirectory() as name:
        root, profile = Path(name, "site"), Path(name, "profile")
        root.mkdir()
        (root / "sitemap.xml").write_bytes(
            render_urlset(map(render_url, EXAMPLE), make_prolog("sitemap.css"))
        )
        (root / "sitemap.css").write_bytes(STYLESHEET)
        write_report(report_site(Path(name, "built")), root / "report.html")
        (root / "check.html").write_text(terminal.as_html(terminal.check_output(color=True)), "utf-8")
        with serving(root) as site, browsing(profile) as browser:

            def take(picture: str, page: str = "sitemap.xml", colours: int = 64) -> None:
                browser.open(site.base_url + page)
                file = browser.screenshot(folder / f"{picture}.png")
                file.write_bytes(small_png(browser.look_at(file), colours))

            browser.screen(1100, 700)
            take("sitemap-light")
            browser.prefer("dark")
            take("sitemap-dark")
            browser.prefer()
            browser.screen(390, 780, phone=True, density=2)
            take("sitemap-phone")
            browser.screen(1100, 900)
            for scheme, picture in (("light", "report"), ("dark", "report-dark")):
                browser.prefer(scheme)
                take(picture, "report.html", colours=256)  # the few words in red too
            browser.screen(920, 680)
            for scheme in ("light", "dark"):
                browser.prefer(scheme)
                take(f"check-{scheme}", "check.html", colours=256)
        for theme, build in FOOTERS.items():
            built = build(Path(name, theme))
            with serving(built.folder) as site, browsing(Path(name, f"profile-{theme}")) as browser:
                browser.screen(900, 440)
                browser.open(site.base_url + built.page)
                file = browser.screenshot(folder / f"date-{theme.replace('_', '-')}.png")
                file.write_bytes(small_png(browser.look_at(file)))


def small_png(picture: Picture, colours: int = 64) -> bytes:
    """Return a PNG with a palette of the commonest colours; each other becomes the nearest of those."""
    palette = [colour for colour, _ in picture.colours.most_common(colours)]
    nearest = {
        colour: min(range(len(palette)), key=lambda entry: distance(palette[entry], colour))
        for colour in picture.colours
    }
    at = range(0, len(picture.pixels), 4)
    pixels = bytes(nearest[picture.pixels[start : start + 3]] for start in at)
    rows = (pixels[start : start + picture.width] for start in range(0, len(pixels), picture.width))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 3, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    chunks = {b"IHDR": header, b"PLTE": b"".join(palette), b"IDAT": data, b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks.items()
    )


if __name__ == "__main__":
    screenshots(IMAGES)
