"""Whole builds of a made site: without us, with us, and with what people use instead."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import synthetic
from benchmarks.build_child import START
from benchmarks.measure import ROOT, BenchmarkError, Sample, interleave, markdown, median_ratio, run_process

WITHOUT = "without"
_SITE_URL = "https://example.org/docs/"
_PARTS = 20


@dataclass(frozen=True)
class Plugin:
    """What can take part in a build: its name in the configuration, and where its handlers come from."""

    name: str
    module: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Host:
    """A generator that is run on the same pages, and what takes part beside it."""

    suffix: str
    configure: Callable[[Path, Plugin | None], Sequence[str]]
    """Writes a configuration below a folder that has ``repo/docs``, and returns the build command."""
    plugins: Sequence[Plugin]


@dataclass(frozen=True)
class Build:
    """One way to build the site, as a tool that is run in turn with the others."""

    host: Host
    plugin: Plugin | None
    root: Path

    @property
    def name(self) -> str:
        """Return the plugin's name."""
        return self.plugin.name if self.plugin else WITHOUT

    def run(self) -> Sample:
        """Build into a new folder; ``share`` is what the plugin's own handlers took of the whole process."""
        out = self.root / "out"
        shutil.rmtree(out, ignore_errors=True)
        clock = self.root / "seconds"
        module = self.plugin.module if self.plugin else "none"
        command = [sys.executable, "-c", START, os.fspath(clock), module]
        places = os.pathsep.join([os.fspath(ROOT), os.fspath(ROOT / "src")])
        env = os.environ | {"PYTHONPATH": places, "NO_MKDOCS_2_WARNING": "1"}
        done = run_process([*command, *self.host.configure(self.root, self.plugin)], cwd=self.root, env=env)
        pages = str(len(list(out.rglob("page-*.html"))))
        share = 100 * float(clock.read_text("ascii")) / done.seconds
        return Sample(done.seconds, done.memory, done.processor, {"pages": pages}, share)


def _mkdocs(root: Path, plugin: Plugin | None) -> Sequence[str]:
    config = {
        "site_name": "Site",
        "site_url": _SITE_URL,
        "theme": {"name": "material" if find_spec("material") else "mkdocs"},
        "site_dir": os.fspath(root / "out"),
        "docs_dir": os.fspath(root / "repo" / "docs"),
        "plugins": ["search", *([{plugin.name: dict(plugin.settings)}] if plugin else [])],
    }
    (root / "mkdocs.yml").write_text(json.dumps(config), "utf-8")  # JSON is YAML
    return ["mkdocs", "build", "--quiet", "--config-file", "mkdocs.yml"]


def _sphinx(root: Path, plugin: Plugin | None) -> Sequence[str]:
    values = {
        "project": "Site",
        "html_baseurl": _SITE_URL,
        "html_theme": "alabaster",  # Furo lays out the whole tree on each page: minutes for a thousand
        "extensions": ["benchmarks.build_child", *([plugin.name.replace("-", "_")] if plugin else [])],
        **(plugin.settings if plugin else {}),
    }
    lines = [f"{name} = {value!r}\n" for name, value in values.items()]
    (root / "conf.py").write_text("".join(lines), "utf-8")
    source, out = os.fspath(root / "repo" / "docs"), os.fspath(root / "out")
    return ["sphinx", "-q", "-c", os.fspath(root), "-d", out + "/.doctrees", source, out]


_OURS = Plugin("docs-sitemap", "docs_sitemap")
HOSTS = {
    "mkdocs": Host(
        ".md",
        _mkdocs,
        [_OURS, Plugin("git-revision-date-localized", "mkdocs_git_revision_date_localized_plugin")],
    ),
    "sphinx": Host(
        ".rst",
        _sphinx,
        [
            _OURS,
            Plugin("sphinx-sitemap", "sphinx_sitemap", {"sitemap_show_lastmod": True}),
            Plugin("sphinx-last-updated-by-git", "sphinx_last_updated_by_git"),
        ],
    ),
}


def measure(
    host: str, *, pages: int, commits: int, rounds: int, git: Path, report: Callable[[str], None]
) -> dict[str, Any]:
    """Build in turn with each plugin that is installed; return what goes to JSON.

    Raises ``BenchmarkError`` where a build fails, or two publish not as many pages.
    """
    chosen = HOSTS[host]
    plugins = [plugin for plugin in chosen.plugins if find_spec(plugin.module)]
    with TemporaryDirectory() as name:
        root = Path(name)
        synthetic.make_documented(root / "repo", pages_of(pages, chosen.suffix), commits, git)
        samples = interleave([Build(chosen, plugin, root) for plugin in (None, *plugins)], rounds, report)
    if len({sample.answers["pages"] for found in samples.values() for sample in found}) != 1:
        raise BenchmarkError("the builds did not publish the same number of pages")
    base = [sample.seconds for sample in samples[WITHOUT]]
    rows = [_row(name, found, base) for name, found in samples.items()]
    return {"host": host, "pages": pages, "commits": commits, "rows": rows}


def _row(name: str, samples: Sequence[Sample], base: Sequence[float]) -> dict[str, Any]:
    """Return seconds of each whole process, and the percentage of them that the plugin took."""
    seconds = [sample.seconds for sample in samples]
    return {
        "name": name,
        "seconds": seconds,
        "median": statistics.median(seconds),
        "times": median_ratio(seconds, base),
        "share": statistics.median(sample.share for sample in samples),
    }


def pages_of(number: int, suffix: str) -> dict[str, str]:
    """Return the sources of a site, by their paths in the repository."""
    is_sphinx = suffix == ".rst"
    pages = {f"docs/index{suffix}": "Home\n====\n\n" + (_tree("part-*/index") if is_sphinx else "")}
    if is_sphinx:
        for at in range(min(_PARTS, number)):
            pages[f"docs/part-{at}/index.rst"] = f"Part {at}\n=======\n\n{_tree('page-*')}"
    for at in range(number):
        name = f"part-{at % _PARTS}/page-{at}"
        pages[f"docs/{name}{suffix}"] = _text(name)
    return pages


def _tree(pattern: str) -> str:
    return f".. toctree::\n   :glob:\n\n   {pattern}\n"


def _text(name: str) -> str:
    """Return some screens of text that reStructuredText and Markdown read alike."""
    paragraph = "A paragraph of *several* words about **one** thing, and ``code`` in it.\n" * 4
    parts = [f"Part {at}\n-------\n\n{paragraph}\n- one\n- two\n- three\n\n{paragraph}\n" for at in range(6)]
    return "\n".join([f"{name}\n{'=' * len(name)}\n", *parts])


def text(result: Mapping[str, Any]) -> str:
    """Return a table in Markdown."""
    rows = []
    for found in result["rows"]:
        share = f"{found['share']:.2f} %" if found["name"] != WITHOUT else ""
        rows.append([found["name"], f"{found['median']:.2f} s", f"{found['times'] or 0:.3f}", share])
    rounds = len(result["rows"][0]["seconds"])
    title = f"{result['host']}: {result['pages']:,} pages, {result['commits']:,} commits, {rounds} rounds"
    heads = ["build", "median", "to the build without", "the plugin's own share"]
    return "\n".join([title, "", *markdown(heads, rows)])
