"""Whole builds of a made site: without us, with us, and with what people use instead."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median as _median
from typing import Any

from benchmarks import synthetic
from benchmarks.build_child import START
from benchmarks.measure import BenchmarkError, Sample, interleave, median_ratio, run_process
from benchmarks.table import row
from benchmarks.tools import HERE

WITHOUT = "without"
OURS = "docs-sitemap"


@dataclass(frozen=True, slots=True)
class Plugin:
    """What can take part in a build: its name in the configuration, and where its handlers come from."""

    name: str
    module: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Host:
    """How a generator is run on the same pages, and what takes part beside it."""

    name: str
    suffix: str
    plugins: Sequence[Plugin]
    configure: Callable[[Path, Plugin | None], Sequence[str]]
    """Writes a configuration below a folder that has ``docs``, and returns the command that builds it."""


@dataclass(frozen=True)
class Build:
    """One way to build the site, as a tool that is run in turn with the others."""

    host: Host
    plugin: Plugin | None
    root: Path
    exact: bool = True

    @property
    def name(self) -> str:
        """Return the plugin's name."""
        return self.plugin.name if self.plugin else WITHOUT

    def run(self) -> Sample:
        """Build into a new folder; ``processor`` is what the plugin's own handlers took, in seconds."""
        out = self.root / "out"
        shutil.rmtree(out, ignore_errors=True)
        shares = self.root / "shares.json"
        module = self.plugin.module if self.plugin else "none"
        arguments = ["-c", START, os.fspath(shares), module]
        command = self.host.configure(self.root, self.plugin)
        place = os.pathsep.join([os.fspath(HERE), os.fspath(HERE / "src")])
        env = os.environ | {"PYTHONPATH": place, "NO_MKDOCS_2_WARNING": "1"}
        done = run_process([sys.executable, *arguments, *command], cwd=self.root, env=env)
        pages = len(list(out.rglob("page-*.html")))
        (share,) = json.loads(shares.read_text("utf-8")).values()
        return Sample(done.seconds, done.memory, {"pages": str(pages)}, processor=share)


def _mkdocs(root: Path, plugin: Plugin | None) -> Sequence[str]:
    theme = "material" if find_spec("material") else "mkdocs"
    config = {
        "site_name": "Site",
        "site_url": "https://example.org/docs/",
        "theme": {"name": theme},
        "site_dir": os.fspath(root / "out"),
        "docs_dir": os.fspath(root / "repo" / "docs"),
        "plugins": ["search", *([{plugin.name: dict(plugin.settings)}] if plugin else [])],
    }
    # JSON is YAML
    (root / "mkdocs.yml").write_text(json.dumps(config), "utf-8")
    return ["mkdocs", "build", "--quiet", "--config-file", "mkdocs.yml"]


def _sphinx(root: Path, plugin: Plugin | None) -> Sequence[str]:
    extensions = ["benchmarks.build_child", *([plugin.name.replace("-", "_")] if plugin else [])]
    values = {
        "project": "Site",
        "html_baseurl": "https://example.org/docs/",
        "html_theme": "alabaster",  # Furo lays out the whole tree on each page: minutes for a thousand
        "extensions": extensions,
        **(plugin.settings if plugin else {}),
    }
    lines = [f"{name} = {value!r}\n" for name, value in values.items()]
    (root / "conf.py").write_text("".join(lines), "utf-8")
    source, out = os.fspath(root / "repo" / "docs"), os.fspath(root / "out")
    return ["sphinx", "-q", "-c", os.fspath(root), "-d", out + "/.doctrees", source, out]


HOSTS = {
    "mkdocs": Host(
        "mkdocs",
        ".md",
        [
            Plugin(OURS, "docs_sitemap"),
            Plugin("git-revision-date-localized", "mkdocs_git_revision_date_localized_plugin"),
        ],
        _mkdocs,
    ),
    "sphinx": Host(
        "sphinx",
        ".rst",
        [
            Plugin(OURS, "docs_sitemap"),
            Plugin("sphinx-sitemap", "sphinx_sitemap", {"sitemap_show_lastmod": True}),
            Plugin("sphinx-last-updated-by-git", "sphinx_last_updated_by_git"),
        ],
        _sphinx,
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One way to build: whole processes in seconds, and the percentage of each that the plugin took."""

    name: str
    seconds: list[float]
    median: float
    times: float | None
    share: float


@dataclass(frozen=True, slots=True)
class Result:
    """What one call measured, as it goes to JSON."""

    host: str
    pages: int
    commits: int
    rows: list[Row]

    def json(self) -> dict[str, object]:
        """Return it as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Size:
    """How large the site is, and how often it is built."""

    pages: int
    commits: int
    runs: int


def measure(host: str, size: Size, git: Path, report: Callable[[str], None]) -> Result:
    """Build in turn; raises ``BenchmarkError`` where a build fails, or two publish not as many pages."""
    chosen = HOSTS[host]
    plugins = [plugin for plugin in chosen.plugins if find_spec(plugin.module)]
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        pages = dict(pages_of(size.pages, chosen.suffix))
        synthetic.make_documented(root / "repo", pages, size.commits, git)
        builds = [Build(chosen, plugin, root) for plugin in (None, *plugins)]
        samples = interleave(builds, size.runs, report)
    if len({sample.answers["pages"] for found in samples.values() for sample in found}) != 1:
        raise BenchmarkError("the builds did not publish the same number of pages")
    base = [sample.seconds for sample in samples[WITHOUT]]
    return Result(
        host, size.pages, size.commits, [_row(name, found, base) for name, found in samples.items()]
    )


def _row(name: str, samples: Sequence[Sample], base: Sequence[float]) -> Row:
    seconds = [sample.seconds for sample in samples]
    shares = [100 * sample.processor / sample.seconds for sample in samples]
    return Row(name, seconds, _median(seconds), median_ratio(seconds, base), _median(shares))


def pages_of(number: int, suffix: str) -> Sequence[tuple[str, str]]:
    """Return the sources of a site, by their paths in the repository."""
    names = [f"part-{at % _PARTS}/page-{at}" for at in range(number)]
    pages = [(f"docs/{name}{suffix}", _text(name)) for name in names]
    home = [("docs/index" + suffix, "Home\n====\n\n" + (_tree("part-*/index") if suffix == ".rst" else ""))]
    if suffix == ".rst":
        parts = range(min(_PARTS, number))
        home += [(f"docs/part-{at}/index.rst", f"Part {at}\n=======\n\n{_tree('page-*')}") for at in parts]
    return [*home, *pages]


_PARTS = 20


def _tree(pattern: str) -> str:
    return f".. toctree::\n   :glob:\n\n   {pattern}\n"


def _text(name: str) -> str:
    """Return some screens of text that reStructuredText and Markdown read alike."""
    paragraph = "A paragraph of *several* words about **one** thing, and ``code`` in it.\n" * 4
    parts = [f"Part {at}\n-------\n\n{paragraph}\n- one\n- two\n- three\n\n{paragraph}\n" for at in range(6)]
    return "\n".join([f"{name}\n{'=' * len(name)}\n", *parts])


def text(result: Result) -> str:
    """Return a table in Markdown."""
    rounds = len(result.rows[0].seconds)
    lines = [
        f"{result.host}: {result.pages:,} pages, {result.commits:,} commits, {rounds} rounds",
        "",
        row(["build", "median", "to the build without", "the plugin's own share"]),
        row(["---", "--:", "--:", "--:"]),
    ]
    for found in result.rows:
        share = f"{found.share:.2f} %" if found.name != WITHOUT else ""
        lines.append(row([found.name, f"{found.median:.2f} s", f"{found.times or 0:.3f}", share]))
    return "\n".join(lines)
