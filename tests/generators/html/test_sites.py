"""The script that judges a site's sitemap: it sees each kind of fault, on the example sites."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("lxml")

from benchmarks.sites import check, inventory_of

from tests.support.gitrepo import Repo

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
BASE = "https://example.org/widgets/"


def sites(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "sites", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The example site in a repository, built by the script: output, source, and what it said."""
    root = tmp_path_factory.mktemp("sites")
    repo = Repo(root / "repo")
    source = repo.root / "docs"
    shutil.copytree(ROOT / "example_sites/sphinx", source, ignore=shutil.ignore_patterns("__pycache__"))
    files = (path for path in source.rglob("*") if path.is_file())
    for file in sorted(files, reverse=True):  # what is included has a later commit than what includes it
        repo.git("add", str(file))
        repo.git("commit", "--quiet", "-m", "change", when=repo.tick())
    done = sites(root / "out", source, "--sphinx")
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "out", source, done.stdout


@pytest.fixture
def site(built: tuple[Path, Path, str], tmp_path: Path) -> Path:
    """A copy of the built site, for a test to spoil."""
    shutil.copytree(built[0], tmp_path / "out")
    shutil.copy(inventory_of(built[0]), inventory_of(tmp_path / "out"))
    return tmp_path / "out"


def change(file: Path, pattern: str, replacement: str) -> None:
    text, count = re.subn(pattern, replacement, file.read_text("utf-8"), count=1, flags=re.DOTALL)
    assert count == 1
    file.write_text(text, "utf-8")


def test_the_example_site_is_without_fault(built: tuple[Path, Path, str]) -> None:
    said = built[2].splitlines()
    assert "12 HTML files, 8 pages listed" in said
    assert "left out, noindex: 1" in said
    assert "left out, excluded: 1" in said
    assert "left out, search, index or 404: 2" in said
    assert "date equal to git log -1: 8" in said
    assert "date equal to git log -1, of another file than the source: 3" in said
    assert "loc equal to the canonical link: 8" in said
    assert "0 other differences" in said
    assert {f"dates {kind}: 0" for kind in ("too new", "too old", "absent")} <= {*said}


FAULTS = {
    "a page is lost": (r"<url>\s*<loc>[^<]*install.html.*?</url>", "", "lost: install.html"),
    "a page is invented": ("install.html</loc>", "gone.html</loc>", f"invented: {BASE}gone.html has no file"),
    "a page of another site": (BASE + "install", "https://example.com/install", "invented: https://exa"),
    "a page stands twice": (BASE + "index.html", BASE + "install.html", f"twice: {BASE}install.html"),
    "a machine page": ("install.html</loc>", "search.html</loc>", "listed, though search, index or 404: "),
    "a page with noindex": ("install.html</loc>", "thanks.html</loc>", "listed, though noindex: thanks"),
    "an excluded page": ("install.html</loc>", "drafts/roadmap.html</loc>", "listed, though excluded: "),
    "another spelling": ("install.html</loc>", "inst%61ll.html</loc>", "canonical: install.html says "),
    "a wrong date": (r"(install.html</loc>\s*<lastmod>)\d+", r"\g<1>2020", "install.html has 2020-"),
    "a missing date": (r"(install.html</loc>)\s*<lastmod>.*?</lastmod>", r"\1", "install.html has no date"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_sitemap_is_a_difference(
    fault: str, site: Path, built: tuple[Path, Path, str]
) -> None:
    pattern, replacement, said = FAULTS[fault]
    change(site / "sitemap.xml", pattern, replacement)
    assert any(line.strip().startswith(said) for line in check(site).text().splitlines())


def test_the_date_of_an_include_counts(site: Path, built: tuple[Path, Path, str]) -> None:
    found = inventory_of(site)
    found.write_text(found.read_text("utf-8").replace("_shared/units.rst", "_shared/none.rst"), "utf-8")
    assert [wrong.kind for wrong in check(site).dates] == ["too new"] * 3


def test_a_date_for_files_that_no_commit_has_is_a_difference(
    site: Path, built: tuple[Path, Path, str]
) -> None:
    found = inventory_of(site)
    found.write_text(found.read_text("utf-8").replace("/install.rst", "/none.rst"), "utf-8")
    (wrong,) = check(site).dates
    assert (wrong.page, wrong.kind, wrong.truth) == ("install.html", "too new", None)


def test_what_a_page_says_of_itself_counts(site: Path, built: tuple[Path, Path, str]) -> None:
    change(site / "install.html", "<head>", '<head><meta name="Robots" content="none">')
    change(site / "guide/index.html", "<head>", '<head><meta http-equiv="refresh" content="0; url=x.html">')
    assert check(site).differences == [
        "listed, though redirect: guide/index.html",
        "listed, though noindex: install.html",
    ]


def test_a_difference_is_exit_code_1(site: Path, built: tuple[Path, Path, str]) -> None:
    change(site / "sitemap.xml", r"<url>.*?</url>", "")
    done = sites(site, built[1])
    assert done.returncode == 1
    assert "1 other differences" in done.stdout


SNIPPETS = """
markdown_extensions:
  - abbr
  - pymdownx.snippets: {base_path: [parts], auto_append: [words.md]}
"""


@dataclass(frozen=True)
class Garden:
    """The example site for MkDocs in a repository, with snippets, and where it is built."""

    repo: Repo
    source: Path
    out: Path

    def build(self, *options: str) -> subprocess.CompletedProcess[str]:
        return sites(self.out, self.source, *options, "--mkdocs", "mkdocs.yml")

    def add(self, name: str, text: str) -> None:
        """Add to a file in a commit of its own, later than all before."""
        before = self.source / name
        text = before.read_text("utf-8") + text if before.is_file() else text
        self.repo.save(f"site/{name}", text)


def lay_out(root: Path) -> Garden:
    pytest.importorskip("mkdocs")
    pytest.importorskip("pymdownx")
    repo = Repo(root / "repo")
    garden = Garden(repo, repo.root / "site", root / "out")
    hidden = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "example_sites/mkdocs", garden.source, ignore=hidden)
    repo.commit()
    garden.add("docs/garden/compost.md", '\n--8<-- "fences.md"\n\n    --8<-- "no.md"\n')
    garden.add("docs/garden/watering.md", "\nThe NFT is for lettuce.\n")
    garden.add("docs/plans.md", "---\nsitemap: false\n---\n# Plans\n")
    garden.add("mkdocs.yml", SNIPPETS)
    garden.add("parts/fences.md", 'Fences: see below.\n\n--8<-- "gates.md"\n')
    garden.add("parts/words.md", "*[NFT]: nutrient film technique\n")
    garden.add("parts/gates.md", "Gates are shut at dusk.\n")
    garden.add("data/sowing.csv", "Leek,March\n")
    return garden


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> tuple[Garden, str]:
    """That site, built by the script, and what it said."""
    garden = lay_out(tmp_path_factory.mktemp("garden"))
    done = garden.build()
    assert done.returncode == 0, done.stdout + done.stderr
    return garden, done.stdout


@pytest.fixture
def published(garden: tuple[Garden, str], tmp_path: Path) -> Path:
    """A copy of the built site, for a test to spoil."""
    shutil.copytree(garden[0].out, tmp_path / "out")
    shutil.copy(inventory_of(garden[0].out), inventory_of(tmp_path / "out"))
    return tmp_path / "out"


def test_the_example_site_for_mkdocs_is_without_fault(garden: tuple[Garden, str]) -> None:
    said = garden[1].splitlines()
    assert "10 HTML files, 6 pages listed" in said
    assert "left out, noindex: 1" in said
    assert "left out, excluded: 2" in said
    assert "left out, search, index or 404: 1" in said
    assert "date equal to git log -1: 5" in said
    assert "dates of pages with settings of their own, not compared: 1" in said
    assert "date equal to git log -1, of another file than the source: 3" in said
    assert "loc equal to the canonical link: 6" in said
    assert "0 other differences" in said
    assert {f"dates {kind}: 0" for kind in ("too new", "too old", "absent")} <= {*said}


@pytest.mark.parametrize(
    ("part", "page"), [("gates", "garden/compost"), ("words", "garden/watering"), ("sowing", "garden/sowing")]
)
def test_a_date_without_what_the_page_includes_is_a_difference(
    part: str, page: str, published: Path, garden: tuple[Garden, str]
) -> None:
    """A snippet within a snippet, an abbreviation that is appended everywhere, a source that is named."""
    known = json.loads(inventory_of(published).read_text("utf-8"))
    documents = [
        one for one in known["documents"] if any(f"/{part}." in file for file in one["sources"] or ())
    ]
    assert [one["file"] for one in documents] == [f"{page}/index.html"]
    documents[0]["sources"] = [file for file in documents[0]["sources"] if f"/{part}." not in file]
    inventory_of(published).write_text(json.dumps(known), "utf-8")
    found = check(published).dates
    assert [(wrong.page, wrong.kind) for wrong in found] == [(f"{page}/index.html", "too new")]


SPHINX_CONF = """
import sys
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive, directives

sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]
exclude_patterns = ["parts"]
rst_prolog = ".. include:: /parts/prolog.txt"


class Price(Directive):
    def run(self):
        return [nodes.paragraph("", Path(__file__).with_name("price").read_text())]


directives.register_directive("price", Price)
"""
DOCUMENTS: dict[str, tuple[str, list[str]]] = {
    "included": (".. include:: parts/notes.txt", ["parts/notes.txt", "parts/within.txt"]),
    "configured": (".. include:: parts/prolog.txt", ["parts/prolog.txt"]),
    "module": (".. automodule:: package\n   :members:\n   :inherited-members:", ["__init__.py", "base.py"]),
    "relative": (".. currentmodule:: package\n\n.. autofunction:: sow", ["__init__.py"]),
    "summary": (".. autosummary::\n\n   package.base.Base", ["base.py"]),
    "option": (".. csv-table::\n   :file: parts/table.csv", ["parts/table.csv"]),
    "read": (".. price::", []),
    "plain": (".. image:: parts/picture.svg", []),
}


def test_the_files_of_a_document_are_found_without_the_extension(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    docs = repo.root / "docs"
    for name, text in {
        "conf.py": SPHINX_CONF,
        "docutils.conf": "[parsers]\nsmart_quotes: no\n",
        "parts/prolog.txt": ".. |one| replace:: 1\n",
        "parts/notes.txt": ".. include:: parts/within.txt\n",
        "parts/within.txt": "Within\n",
        "parts/table.csv": "1,2\n",
        "parts/picture.svg": "<svg/>\n",
        "../lib/package/__init__.py": "from .base import Base\nclass Kale(Base): 'G'\ndef sow(): 'Sow.'\n",
        "../lib/package/base.py": 'class Base:\n    def grow(self):\n        "Grow."\n',
        "index.rst": "Index\n=====\n",
        "../.gitignore": "nobody.rst\nnews/\n",
        "nobody.rst": ":orphan:\n\nNobody\n======\n",
        **{f"{name}.rst": f":orphan:\n\nTitle\n=====\n\n{said[0]}\n" for name, said in DOCUMENTS.items()},
    }.items():
        repo.write(f"docs/{name}", text)
    repo.commit()
    repo.commit("docs/price")
    sites(tmp_path / "out", docs, "--sphinx")
    known = json.loads(inventory_of(tmp_path / "out").read_text("utf-8"))["documents"]
    places = "|".join([f"{docs.resolve()}/", f"{repo.root.resolve()}/lib/package/"])
    found = {
        page["file"].removesuffix(".html"): [re.sub(places, "", file) for file in page["sources"]]
        for page in known
    }
    assert {name: found[name] for name in DOCUMENTS} == {
        name: [f"{name}.rst", *files] for name, (_, files) in DOCUMENTS.items()
    }
    assert [name for name, files in found.items() if not files] == ["nobody"]
