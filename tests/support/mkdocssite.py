"""Real MkDocs builds for tests: in this process where that is enough, else as a user runs them."""

from __future__ import annotations

import http.client
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from lxml import etree

from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.templates import compile_once
from tests.support.warm import run_module

BASE = "https://example.org/docs/"
FILES = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")


@dataclass
class Built:
    """What a build left and said; each line of ``log`` begins with its level.

    The output is kept as it was when the build ended: the next one goes into the same folder.
    """

    outdir: Path
    failed: bool
    log: list[str]

    def __post_init__(self) -> None:
        files = [path for path in self.outdir.rglob("*") if path.is_file()]
        self._output = {path.relative_to(self.outdir).as_posix(): path.read_bytes() for path in files}

    @property
    def sitemap(self) -> dict[str, str | None]:
        """``{path below the base URL: lastmod}``."""
        with TemporaryDirectory() as folder:
            file = Path(folder, "sitemap.xml")
            file.write_bytes(self.read("sitemap.xml"))
            found = sitemaps.read(file)
        assert all(loc.startswith(BASE) for loc in found)
        return {loc.removeprefix(BASE): date for loc, date in found.items()}

    @property
    def files(self) -> list[bytes]:
        return [self.read(name) for name in FILES]

    @property
    def warnings(self) -> list[str]:
        """Warnings and errors."""
        return [line for line in self.log if not line.startswith(("INFO", "DEBUG"))]

    def passed(self) -> Self:
        """Return the build, which has not failed."""
        assert not self.failed, self.log
        return self

    def read(self, name: str) -> bytes:
        return self._output[name]

    def has(self, name: str) -> bool:
        return name in self._output

    def notices(self, words: str) -> list[str]:
        return [line for line in self.log if words in line]


class Docs:
    """Documentation in the folder ``docs`` of a repository, with mkdocs.yml at its root."""

    def __init__(self, root: Path, *, repo: Repo | None = None) -> None:
        self.repo = repo or Repo(root / "repo")
        self.docs_dir = self.repo.root / "docs"
        self.config_file = self.repo.root / "mkdocs.yml"
        self.outdir = root / "site"

    def conf(self, options: Mapping[str, object] | None = None, /, **values: object) -> None:
        """Write a mkdocs.yml with the plugin's options and more values; ``...`` leaves one out."""
        plugins = [{"docs-sitemap": dict(options)}] if options else ["docs-sitemap"]
        values = {"site_name": "Test", "site_url": BASE, "theme": "mkdocs", "plugins": plugins, **values}
        kept = {name: value for name, value in values.items() if value is not ...}
        self.config_file.write_text(json.dumps(kept), encoding="utf-8")  # JSON is YAML

    def page(self, name: str, body: str = "Text.", **front_matter: object) -> None:
        """Write a page."""
        head = f"---\n{json.dumps(front_matter, default=str)}\n---\n" if front_matter else ""
        self.repo.write(f"docs/{name}", f"{head}# Title\n\nOf {name!r}.\n\n{body}\n")

    def save_page(self, name: str, body: str = "Text.", **front_matter: object) -> None:
        """Write a page, and commit everything."""
        self.page(name, body, **front_matter)
        self.repo.commit()

    def pages(self, *names: str) -> None:
        """Commit each page on its own, so that no two have one date; the first is the root."""
        self.save_page("index.md")
        for name in names:
            self.page(name)
        self.repo.commit_each(*(f"docs/{name}" for name in names))

    def hook(self, code: str, name: str = "hooks.py") -> str:
        """Write a hook, which MkDocs runs as if it were a plugin, and return its name."""
        self.repo.write(name, code)
        return name

    def date(self, *names: str) -> str:
        """The newest date that ``git log -1`` gives for the files, as a sitemap has it."""
        newest = max(self.repo.log_date(f"docs/{name}") for name in names)
        return datetime.fromtimestamp(newest, UTC).isoformat()

    def build(self, *, strict: bool = False, dirty: bool = False, out: str = "site") -> Built:
        """Build in this process, as ``mkdocs build`` does."""
        from mkdocs.commands.build import build
        from mkdocs.config import load_config

        compile_once()
        outdir = self.outdir.with_name(out)
        failed, log = False, _Log()
        with log:
            try:
                config: Any = load_config(str(self.config_file), site_dir=str(outdir), strict=strict)
                config.plugins.on_startup(command="build", dirty=dirty)
                build(config, dirty=dirty)
            except Exception as problem:  # the command shows it and fails too
                failed = True
                log.lines.append(f"ABORT {problem}")
        return Built(outdir, failed, log.lines)

    def run(
        self,
        *args: str,
        out: str = "site-run",
        env: Mapping[str, str] | None = None,
        umask: int = 0o022,
        program: str = "mkdocs",
        command: str = "build",
    ) -> Built:
        """Build as a user does, by the command; ``gh-deploy`` is another one that builds."""
        outdir = self.outdir.with_name(out)
        done = run_module(
            program,
            *(command, *args, "-d", os.fspath(outdir)),
            cwd=self.repo.root,
            env={**os.environ, "NO_COLOR": "1", **(env or {})},
            umask=umask,
        )
        return Built(outdir, done.returncode != 0, (done.stderr + done.stdout).splitlines())


class _Log(logging.Handler):
    """Collects what MkDocs and its plugins log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []
        self._logger = logging.getLogger("mkdocs")

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.getMessage()}")

    def __enter__(self) -> None:
        self._logger.setLevel(logging.INFO)
        self._logger.addHandler(self)

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)


PATIENCE = 30
"""Seconds that a loaded machine may take for one build."""


class Server:
    """A server that runs, asked over HTTP."""

    def __init__(self, port: int, log: Path) -> None:
        self.base_url = f"http://127.0.0.1:{port}/docs/"
        self._port = port
        self._log = log

    def get(self, path: str) -> bytes | None:
        """Return what the server has at a path below the site's, or ``None``."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            connection.request("GET", f"/docs/{path}")
            answer = connection.getresponse()
            return answer.read() if answer.status == 200 else None
        except ConnectionError:
            return None
        finally:
            connection.close()

    def sitemap(self) -> dict[str, str | None]:
        root = etree.fromstring(self.get("sitemap.xml") or b"<none/>")
        found = {}
        for url in root.findall("s:url", sitemaps.NS):
            loc = url.findtext("s:loc", "", sitemaps.NS)
            assert loc.startswith(self.base_url)
            found[loc.removeprefix(self.base_url)] = url.findtext("s:lastmod", namespaces=sitemaps.NS)
        return found

    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def wait(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.log()
            time.sleep(0.1)


@contextmanager
def serving(docs: Docs, *args: str, program: str = "mkdocs") -> Iterator[Server]:
    """Serve until the block ends, and stop as a user does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = docs.repo.root.with_name("serve.log")
    command = [sys.executable, "-m", program, "serve", "-a", f"127.0.0.1:{port}", *args]
    with open(log, "wb") as stream:
        process = subprocess.Popen(
            command, cwd=docs.repo.root, stdout=stream, stderr=stream, env={**os.environ, "NO_COLOR": "1"}
        )
    try:
        server = Server(port, log)
        server.wait(lambda: process.poll() is not None or "Serving on" in server.log())
        yield server
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
