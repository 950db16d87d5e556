"""A real browser for tests: headless Chromium, a server on the loopback, and what a person sees of it."""

from __future__ import annotations

import base64
import importlib
import re
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import docs_sitemap
from docs_sitemap.pages.entries import Url
from tests.support.gitrepo import Repo

PATIENCE = 30
"""Seconds that a loaded machine may take for one page."""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    # in a container, what Debian's 156.0.8078.108 forks from its zygote aborts: first what paints
    "--no-zygote",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine
)


def missing() -> list[str]:
    """Return which of the programs are not on PATH."""
    return [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]


class Box(NamedTuple):
    """Where an element is painted, in CSS pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


class Picture(NamedTuple):
    """A decoded screenshot: four bytes a pixel, red first."""

    width: int
    height: int
    pixels: bytes

    @property
    def colours(self) -> Counter[bytes]:
        """How often each colour occurs, as three bytes."""
        at = range(0, len(self.pixels), 4)
        return Counter(self.pixels[start : start + 3] for start in at)

    @property
    def paper(self) -> bytes:
        """The commonest colour."""
        return self.colours.most_common(1)[0][0]

    @property
    def ink(self) -> float:
        """The share of pixels that differ clearly from the paper."""
        colours, paper = self.colours, self.paper
        return sum(count for colour, count in colours.items() if distance(colour, paper) > 128) / (
            self.width * self.height
        )


def distance(one: bytes, other: bytes) -> int:
    """Return how far apart two colours are."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


class Browser:
    """One window of a headless Chromium."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def open(self, url: str) -> None:
        """Load a page."""
        self._driver.get(url)

    def run(self, script: str, *args: object) -> Any:
        """Run a script in the page and return its result."""
        return self._driver.execute_script(script, *args)

    def boxes(self, selector: str) -> list[Box]:
        """Return where all elements of a CSS selector are painted."""
        script = (
            "return [...document.querySelectorAll(arguments[0])].map(element => {"
            "const box = element.getBoundingClientRect();"
            "return [box.left, box.top, box.width, box.height]})"
        )
        return [Box(*box) for box in self.run(script, selector)]

    def style(self, selector: str, name: str, pseudo: str | None = None) -> str:
        """Return a computed property of the first element of a CSS selector."""
        script = "return getComputedStyle(document.querySelector(arguments[0]), arguments[1])[arguments[2]]"
        return str(self.run(script, selector, pseudo, name))

    def click(self, selector: str) -> None:
        """Click the first element of a CSS selector, where a person would."""
        self._driver.find_element("css selector", selector).click()

    def hover(self, selector: str) -> None:
        """Move the pointer onto the first element of a CSS selector."""
        chains = importlib.import_module("selenium.webdriver.common.action_chains").ActionChains
        chains(self._driver).move_to_element(self._driver.find_element("css selector", selector)).perform()

    def press(self, key: str) -> None:
        """Press a key of that name of selenium's (``ENTER``) in what has the focus."""
        keys = importlib.import_module("selenium.webdriver.common.keys").Keys
        self._driver.switch_to.active_element.send_keys(getattr(keys, key))

    def wait(self, script: str) -> None:
        """Wait until a script's result is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(script):
            assert time.monotonic() < end, script
            time.sleep(0.05)

    def prefer(self, scheme: str = "", medium: str = "") -> None:
        """Show pages in a colour scheme and for a medium; by default as the browser itself would."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._command("Emulation.setEmulatedMedia", media=medium, features=features)

    def scripts(self, on: bool) -> None:
        """Let pages run scripts, or not; ``run`` works in both."""
        self._command("Emulation.setScriptExecutionDisabled", value=not on)

    def screen(self, width: int, height: int, *, phone: bool = False, density: float = 1) -> None:
        """Be a screen of this size in CSS pixels; a phone lays out as phones do."""
        self._command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            screenWidth=width,
            screenHeight=height,
            deviceScaleFactor=density,
            mobile=phone,
        )

    def plain(self) -> None:
        """Be an ordinary screen again, with scripts, and forget the page and its console."""
        self.scripts(True)
        self._command("Emulation.clearDeviceMetricsOverride")
        self.prefer()
        self.open("about:blank")
        self.console()

    def console(self) -> list[str]:
        """Return what the console got since the last call, warnings and errors only."""
        return [f"{line['level']} {line['message']}" for line in self._driver.get_log("browser")]

    def screenshot(self, file: Path) -> Path:
        """Write what the window shows as PNG."""
        file.write_bytes(self._driver.get_screenshot_as_png())
        return file

    def printed(self, file: Path) -> Path:
        """Write the page as PDF."""
        file.write_bytes(base64.b64decode(self._driver.print_page()))
        return file

    def look_at(self, file: Path) -> Picture:
        """Decode a PNG; leaves the page."""
        self.open("about:blank")
        script = """
            const [source, done] = arguments, image = new Image();
            image.onload = () => {
                const {width, height} = image, canvas = new OffscreenCanvas(width, height).getContext("2d");
                canvas.drawImage(image, 0, 0);
                const reader = new FileReader();
                reader.onload = () => done([width, height, reader.result.split(",")[1]]);
                reader.readAsDataURL(new Blob([canvas.getImageData(0, 0, width, height).data]));
            };
            image.src = "data:image/png;base64," + source;
        """
        source = base64.b64encode(file.read_bytes()).decode()
        width, height, pixels = self._driver.execute_async_script(script, source)
        return Picture(width, height, base64.b64decode(pixels))

    def _command(self, name: str, **values: object) -> Any:
        return self._driver.execute_cdp_cmd(name, values)


@contextmanager
def browsing(profile: Path) -> Iterator[Browser]:
    """Start Chromium with an empty profile, and stop it when the block ends."""
    webdriver = importlib.import_module("selenium.webdriver")
    service = importlib.import_module("selenium.webdriver.chrome.service")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "WARNING"})
    # with the driver's path given, selenium does not look for one to download
    driver = webdriver.Chrome(options, service.Service(shutil.which("chromedriver")))
    try:
        driver.set_page_load_timeout(PATIENCE)
        driver.set_script_timeout(PATIENCE)
        yield Browser(driver)
    finally:
        driver.quit()


class Site:
    """A folder as a web server shows it, and which paths were asked of it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.base_url = f"http://127.0.0.1:{port}/"
        self.asked: list[str] = []


class _Handler(SimpleHTTPRequestHandler):
    # not the machine's own table, which may call them something else
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".xml": "application/xml", ".css": "text/css"}

    def __init__(self, site: Site, *args: Any, **values: Any) -> None:
        self._site = site
        super().__init__(*args, **values)

    def send_head(self) -> Any:
        self._site.asked.append(self.path)
        return super().send_head()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base's name)
        """Say nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """Serve a folder on a free port of the loopback until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
    site = Site(folder, server.server_port)
    server.RequestHandlerClass = partial(_Handler, site, directory=str(folder))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def text_of(pdf: Path) -> str:
    """Return the text that a PDF paints, one line a row."""
    done = subprocess.run(["pdftotext", "-layout", pdf, "-"], check=True, capture_output=True)
    return done.stdout.decode("utf-8")


STYLESHEET = (Path(docs_sitemap.__file__).parent / "files/sitemap.css").read_bytes()

EXAMPLE = [
    Url(f"https://docs.example.org/{path}", date)
    for path, date in {
        "": "2026-11-12T08:41:07+00:00",
        "changelog/": "2026-11-12T08:41:07+00:00",
        "guide/configure/": "2026-10-29T15:20:44+00:00",
        "guide/deploy/behind-a-proxy/": "2026-06-03T09:02:18+00:00",
        "guide/deploy/containers/": "2026-09-17T13:55:31+00:00",
        "guide/first-steps/": "2026-08-20T10:11:12+00:00",
        "guide/install/": "2026-08-20T10:11:12+00:00",
        "how-to/migrate-from-version-1/": "2025-12-01T16:30:09+00:00",
        "reference/api/": None,
        "reference/api/storage/": None,
        "reference/command-line/": "2026-11-02T11:47:50+00:00",
        "reference/settings/": "2026-10-29T15:20:44+00:00",
    }.items()
]
"""A site as there are many; the pages without a date are made by a generator."""


def report_site(root: Path) -> Path:
    """Build a site that has something to say in each section of a report; return its folder.

    ``site`` has the pages, ``older.xml`` and ``oldest.xml`` are older sitemaps, ``docs`` has the sources.
    """
    from tests.support.checksite import BuiltSite, Entry, Page

    base = EXAMPLE[0].loc
    site = BuiltSite(root / "site", base)
    site.entries = [Entry(url.loc, url.lastmod) for url in EXAMPLE]
    for years, (folder, count) in enumerate([("v3/", 14), ("v2/", 23), ("v1/", 9), ("news/", 4)], 1):
        for number in range(1, count + 1):
            lastmod = f"{2026 - years}-{number % 12 + 1:02}-{number:02}T07:30:00+00:00"
            site.entries.append(Entry(f"{base}{folder}{number}/", lastmod))
    paths = [entry.loc.removeprefix(base) for entry in site.entries]
    site.pages = {path: Page() for path in paths}
    site.pages[""].links = paths[1:-1]  # nothing leads to the last
    site.pages["guide/install/"].head = '<meta name="robots" content="noindex">'
    site.write()
    older = [Entry(entry.loc, entry.lastmod) for entry in site.entries[1:]]
    older[0].lastmod = "2026-09-01T06:00:00+00:00"
    older.append(Entry(f"{base}guide/gone/", "2024-02-03T04:05:06+00:00"))
    (root / "older.xml").write_text(site.urlset(older), encoding="utf-8")
    (root / "oldest.xml").write_text(site.urlset(older[-5:]), encoding="utf-8")
    sources = Repo(root / "docs")
    sources.commit("index.md")
    sources.write("reference/api.md")
    return root


def write_report(built: Path, file: Path) -> None:
    """Write the report on that site."""
    from docs_sitemap.cli import main

    options = [f"--previous={built / name}" for name in ("oldest.xml", "older.xml")]
    options += ["--source-dir", str(built / "docs")]
    main(["report", str(built / "site"), "-o", str(file), *options], standalone_mode=False)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two computed colours, from 1 to 21 (WCAG 2, 1.4.3)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a computed ``rgb(...)`` as WCAG 2 defines it."""
    match = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert match, colour
    parts = [int(part) / 255 for part in match.groups()]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
