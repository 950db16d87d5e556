"""Builds a Sphinx site several times: without our extension and with it, then again, then after a touch."""

from __future__ import annotations

import filecmp
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.inventory import VARIABLE
from benchmarks.measure import BenchmarkError
from benchmarks.sites import inventory_of

_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Site:
    """A site to build: its source folder, where it is to be built, and how."""

    source: Path
    out: Path
    builder: str
    base_url: str
    python: str
    definitions: Sequence[str]


def rebuild(site: Site, report: Callable[[str], None]) -> tuple[list[str], list[str]]:
    """Build; return what there is to say, and what is different that must not be.

    The folder must be new or empty, so that nothing in it is left from an older build.
    """
    if site.out.exists() and any(site.out.iterdir()):
        raise BenchmarkError(f"{site.out} is not empty")
    site.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=site.out.parent) as folder:
        without = Path(folder, "without")
        plain = _build(site, without, ours=False)
        report(f"built without us: {plain:.1f} s")
        seconds = _build(site, site.out, ours=True)
        report(f"built with us: {seconds:.1f} s")
        changed = _changed(without, site.out)
    known = json.loads(inventory_of(site.out).read_text("utf-8"))
    said = [
        f"Sphinx {known['sphinx']}, {known['builder']}, theme {known['theme']}, language {known['language']}",
        f"extensions: {', '.join(known['extensions'])}",
        f"build without us {plain:.1f} s, with us {seconds:.1f} s; "
        f"of these {known['seconds_of_ours']:.3f} s are ours, at the end of the build",
        f"pages that differ between the two builds: {len(changed)} {' '.join(changed[:5])}",
    ]
    return said, [*_again(site, known, report)]


def _again(site: Site, known: Mapping[str, Any], report: Callable[[str], None]) -> list[str]:
    """Build twice more; return what is not as before."""
    wrong = []
    first = (site.out / "sitemap.xml").read_bytes()
    page = next(iter(known["documents"].values()))["source"]
    for what in ("unchanged", "after a touch"):
        if what != "unchanged":
            os.utime(page)
        report(f"built again, {what}: {_build(site, site.out, ours=True):.1f} s")
        if (site.out / "sitemap.xml").read_bytes() != first:
            wrong.append(f"rebuild: the sitemap is another one when built {what}")
    return wrong


def _build(site: Site, out: Path, *, ours: bool) -> float:
    job = {"inventory": os.fspath(inventory_of(out.absolute())), "ours": ours, "base_url": site.base_url}
    places = [os.fspath(_ROOT), os.fspath(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    arguments = ["-q", "-b", site.builder, "-d", f"{out.absolute()}.doctrees"]
    for definition in site.definitions:
        arguments += ["-D", definition]
    start = time.perf_counter()
    done = subprocess.run(
        [site.python, "-m", "benchmarks.inventory", *arguments, site.source.name, os.fspath(out.absolute())],
        cwd=site.source.parent,
        env={
            **os.environ,
            VARIABLE: json.dumps(job),
            "PYTHONPATH": os.pathsep.join(filter(None, places)),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise BenchmarkError(f"the build failed:\n{os.fsdecode(done.stderr)[-3000:]}")
    return seconds


def _changed(one: Path, other: Path) -> list[str]:
    """Return the HTML files that are not the same in both folders."""
    names = {path.relative_to(root).as_posix() for root in (one, other) for path in root.rglob("*.html")}
    return sorted(
        name
        for name in names
        if not (one / name).is_file()
        or not (other / name).is_file()
        or not filecmp.cmp(one / name, other / name, shallow=False)
    )
