"""Builds a site several times: without us and with us, then again, then after a touch."""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.inventory import VARIABLE
from benchmarks.measure import BenchmarkError
from benchmarks.sites import inventory_of, read_sitemap

_ROOT = Path(__file__).resolve().parents[1]
_STEADY = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(int(time.time()))}
"""So that two builds of one source are the same, where that is for the environment to say."""


@dataclass(frozen=True)
class Site:
    """A site to build: its source folder, where it is to be built, and how."""

    source: Path
    out: Path
    builder: str
    base_url: str
    python: str
    definitions: Sequence[str] = ()
    mkdocs: str | None = None
    """The configuration file of a site by MkDocs, from ``source``."""
    also: Sequence[Sequence[str]] = ()
    without: Sequence[str] = ()
    once: bool = False
    """Whether to build with us alone, and once: no page is compared, nor a sitemap with another one."""

    def is_by_mkdocs(self) -> bool:
        """Tell which of the two generators it is."""
        return self.mkdocs is not None


def rebuild(site: Site, report: Callable[[str], None]) -> tuple[list[str], list[str]]:
    """Build; return what there is to say, and what is different that must not be.

    The folder must be new or empty, so that nothing in it is left from an older build.
    """
    if site.out.exists() and any(site.out.iterdir()):
        raise BenchmarkError(f"{site.out} is not empty")
    site.out.parent.mkdir(parents=True, exist_ok=True)
    if site.once:
        seconds = _build(site, site.out, ours=True)
        known = json.loads(inventory_of(site.out).read_text("utf-8"))
        return _said(site, known, f"build with us {seconds:.1f} s"), []
    with tempfile.TemporaryDirectory(dir=site.out.parent) as folder:
        without = Path(folder, "without")
        plain = _build(site, without, ours=False)
        report(f"built without us: {plain:.1f} s")
        seconds = _build(site, site.out, ours=True)
        report(f"built with us: {seconds:.1f} s")
        changed, unsteady = _changed(without, site.out), list[str]()
        if changed and site.is_by_mkdocs():
            report(f"{len(changed)} files differ: are they the same in two builds without us?")
            _build(site, Path(folder, "again"), ours=False)
            unsteady = _changed(without, Path(folder, "again"))
    known = json.loads(inventory_of(site.out).read_text("utf-8"))
    said = [
        *_said(site, known, f"build without us {plain:.1f} s, with us {seconds:.1f} s"),
        f"pages that differ between the two builds: {len(changed)} {' '.join(changed[:5])}",
    ]
    if not site.is_by_mkdocs():
        return said, [*_again(site, known, report)]
    said.append(f"of these, also between two builds without us: {len({*changed} & {*unsteady})}")
    wrong = [f"changed: {name} is another one with us" for name in sorted({*changed} - {*unsteady})]
    return said, [*wrong, *_dirty(site, known, report)]


def _said(site: Site, known: Mapping[str, Any], seconds: str) -> list[str]:
    end = "" if site.is_by_mkdocs() else ", at the end of the build"
    return [
        f"{known.get('generator') or 'Sphinx ' + known['sphinx'] + ', ' + known['builder']}, "
        f"theme {known['theme']}, language {known['language']}",
        f"extensions: {', '.join(known['extensions'])}",
        f"{seconds}; of these {known['seconds_of_ours']:.3f} s are ours{end}",
    ]


def _again(site: Site, known: Mapping[str, Any], report: Callable[[str], None]) -> list[str]:
    """Build twice more; return what is not as before."""
    wrong = []
    first = (site.out / "sitemap.xml").read_bytes()
    page = next(page["source"] for page in known["documents"].values() if page["source"])
    for what in ("unchanged", "after a touch"):
        if what != "unchanged":
            os.utime(page)
        report(f"built again, {what}: {_build(site, site.out, ours=True):.1f} s")
        if (site.out / "sitemap.xml").read_bytes() != first:
            wrong.append(f"rebuild: the sitemap is another one when built {what}")
    return wrong


def _dirty(site: Site, known: Mapping[str, Any], report: Callable[[str], None]) -> list[str]:
    """Build with ``--dirty``, before and after a touch; return what is not as in the whole build.

    That one is what there is in the end.
    """
    wrong = []
    first = dict(read_sitemap(site.out, known["base_url"]))
    page = next(page["source"] for page in known["documents"].values() if page["source"])
    kept = [(path, path.with_name(path.name + ".whole")) for path in (site.out, inventory_of(site.out))]
    shutil.copytree(*kept[0])
    shutil.copy(*kept[1])
    for what in ("unchanged", "after a touch"):
        if what != "unchanged":
            os.utime(page)
        report(f"built with --dirty, {what}: {_build(site, site.out, ours=True, dirty=True):.1f} s")
        second = dict(read_sitemap(site.out, known["base_url"]))
        changed = sorted(loc for loc in {*first, *second} if first.get(loc, "") != second.get(loc, ""))
        wrong += [
            f"--dirty, {what}: {loc} has {second.get(loc, 'gone')}, was {first.get(loc, 'not there')}"
            for loc in changed
        ]
    shutil.rmtree(site.out)
    for path, copy in kept:
        copy.replace(path)
    return wrong


def _build(site: Site, out: Path, *, ours: bool, dirty: bool = False) -> float:
    inventory = inventory_of(out.absolute())
    job = {
        "inventory": os.fspath(inventory),
        "ours": ours,
        "base_url": site.base_url,
        "also": list(map(list, site.also)),
        "without": list(site.without),
    }
    places = [os.fspath(_ROOT), os.fspath(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    command, folder = _sphinx(site, out.absolute()), site.source.parent
    clock = inventory.with_suffix(".seconds")
    if site.mkdocs is not None:
        command, folder = _mkdocs(site, out.absolute(), clock, dirty=dirty), site.source
    start = time.perf_counter()
    done = subprocess.run(
        [site.python, "-m", *command],
        cwd=folder,
        env={
            **_STEADY,
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
    if site.is_by_mkdocs():
        _add_seconds(inventory, clock)
    return seconds


def _sphinx(site: Site, out: Path) -> list[str]:
    arguments = ["benchmarks.inventory", "-q", "-b", site.builder, "-d", f"{out}.doctrees"]
    for definition in site.definitions:
        arguments += ["-D", definition]
    return [*arguments, site.source.name, os.fspath(out)]


def _mkdocs(site: Site, out: Path, clock: Path, *, dirty: bool) -> list[str]:
    arguments = ["build", "-q", "-f", str(site.mkdocs), "-d", os.fspath(out), *(["--dirty"] if dirty else [])]
    return ["benchmarks.mkdocs_inventory", os.fspath(clock), *arguments]


def _add_seconds(inventory: Path, clock: Path) -> None:
    known = json.loads(inventory.read_text("utf-8"))
    known["seconds_of_ours"] = sum(json.loads(clock.read_text("utf-8")).values())
    clock.unlink()
    inventory.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


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
