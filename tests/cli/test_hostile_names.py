"""No text of a stranger is a command to a terminal or to a CI service, whatever command prints it.

GitHub's runner takes a line that begins with ``::`` after blanks for a command, and ``##[`` anywhere in one;
that of Azure Pipelines also takes ``##vso[``.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from html import unescape
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

pytest.importorskip("httpx")
pytest.importorskip("lxml")
pytest.importorskip("protego")
pytest.importorskip("google.auth")
if sys.platform == "win32":
    pytest.skip("no file has such a name there", allow_module_level=True)


from tests.support.gitrepo import Repo
from tests.support.warm import run_bytes

pytestmark = pytest.mark.slow

BASE = "https://e.org/"
NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
TEXTS = (
    "##vso[task.x]y",
    "##[error]y",
    "\n::error::y",
    " ::error::y",
    "\x1b[2Jy",
    "\x9b2Jy",
    "\u202ey",
    "\udcffy",
)
"""What is in names of files and folders, and in URLs, dates, titles and codes of languages."""

COMMAND = re.compile(r"^\s*::|##(?:\[|[A-Za-z]+\[)", re.MULTILINE)
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\udc80-\udcff]")


def urlset() -> bytes:
    rows = "".join(
        f"<url><loc>{loc}</loc><lastmod>{text}</lastmod>"
        f'<x:link rel="alternate" hreflang="{text}" href="{loc}"/></url>'
        for text in (escape(each).replace("\x1b", "\x9b") for each in TEXTS)
        for loc in (BASE, text, BASE + text, f"https://{text}.org/", f"https://o.org/{text}")
    )
    x = 'xmlns:x="http://www.w3.org/1999/xhtml"'
    return f'<urlset xmlns="{NS}" {x}>{rows}</urlset>'.encode("utf-8", "replace")


def page(text: str) -> bytes:
    head = (
        f'<title>{text}</title><link rel="canonical" href="{BASE}{text}">'
        f'<link rel="alternate" hreflang="{text}" href="{BASE}{text}">'
    )
    html = f'<html><head>{head}</head><body><a href="{text}">x</a></body></html>'
    return html.encode("utf-8", "surrogateescape")


@pytest.fixture
def site(hostile: Path, tmp_path: Path) -> Path:
    """A copy, since some commands write."""
    return shutil.copytree(hostile, tmp_path / "repo", symlinks=True) / "docs"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in a repository, of hostile names with hostile contents; also versions of such names."""
    repo = Repo(tmp_path_factory.mktemp("hostile") / "repo")
    root = repo.root / "docs"
    for text in TEXTS:
        for folder in ("", f"{text}/", f"1.0{text}/", "1.0/"):
            place = root / folder
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{text}.html").write_bytes(page(text))
            (place / f"{text}.md").write_text(f"---\ntitle: x\nlastmod: '{text!r}'\n---\n")
            (place / "sitemap.xml").write_bytes(urlset())
            (place / "objects.inv").touch()
            (place / "index.html").write_bytes(page(text))
    (root / "2.0").mkdir()
    (root / "2.0/index.html").write_bytes(page(""))
    (root / "2.0/objects.inv").touch()
    (root / "versions.json").write_text(
        json.dumps(
            [{"version": f"{number}{text}", "aliases": []} for text in TEXTS for number in ("1.0", "3.0")]
            + [{"version": "2.0", "aliases": []}]
        )
    )
    (root / "robots.txt").write_text(
        "".join(f"Sitemap: {BASE}{text}\nUser-agent: {text}\n" for text in TEXTS), "utf-8", "replace"
    )
    repo.git("add", "-A")
    repo.git("commit", "-qm", "##vso[task.x]y\n\x1b[2J")
    return repo.root


def printed(site: Path, *words: str) -> str:
    """Return what a command prints, in which nothing is a command."""
    done = run_bytes("docs_sitemap", *words, cwd=site)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    for stream in (done.stdout, done.stderr):
        text = stream.decode("utf-8", "surrogateescape")
        assert not (found := COMMAND.findall(text)), (words, found, text[-500:])
        assert not (found := CONTROL.findall(text)), (words, found, text[-500:])
    return done.stdout.decode("utf-8")


NAMES = [f"{text}.md" for text in TEXTS]
OLDER = ("--previous", "1.0/sitemap.xml")
VERSIONS = ("versions", ".", "--base-url", BASE)
SUBMIT = ("submit", "--all", "--dry-run")
COMMANDS: dict[str, tuple[str, ...]] = {
    "build": ("build", ".", "--base-url", BASE),
    "check": ("check", ".", "--all", *OLDER),
    "check, JUnit": ("check", ".", "--format", "junit"),
    "explain": ("explain", *NAMES),
    "explain, nothing": ("explain", *(f"{text}.none" for text in TEXTS)),
    "index": ("index", ".", "--base-url", BASE),
    "report, older": ("report", ".", "-o", "-", *OLDER, "--source-dir", "."),
    "submit": (*SUBMIT, "."),
    "versions": VERSIONS,
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_no_command_prints_a_command(site: Path, words: tuple[str, ...]) -> None:
    printed(site, *words)


@pytest.mark.parametrize(
    "words",
    [
        ("check", ".", "--format", "json"),
        ("explain", "--json", *NAMES),
        ("lastmod", "--json", "."),
    ],
)
def test_json_is_valid_and_has_the_same_texts(site: Path, words: tuple[str, ...]) -> None:
    text = json.dumps(json.loads(printed(site, *words)), ensure_ascii=False)
    assert all(each.replace("\n", "\\n") in text for each in TEXTS[:4])


def test_a_report_has_the_same_texts(site: Path) -> None:
    text = unescape(printed(site, "report", ".", "-o", "-"))
    assert all(f"{BASE}{each}" in text for each in TEXTS[:3])


def test_what_is_to_be_submitted_can_be_submitted(site: Path, tmp_path: Path) -> None:
    """A URL has no fragment, so nothing in it needs to be escaped in another way."""
    words = (*SUBMIT, "--base-url", BASE)
    text = printed(site, *words, ".")
    assert f"{BASE}\tnew\n" in text
    (tmp_path / "list.txt").write_text(text)
    assert printed(site, *words, str(tmp_path / "list.txt")) == text
