"""Hosts and our own command as a user starts them, but with modules loaded and templates compiled already.

That takes two thirds of the time of a small build, and nine tenths of that of a small command. So one process
per program imports what it needs, and runs nothing of ours; then it forks for each call: the child has its
own folder, environment, umask and streams, and ends as every interpreter ends. Where
that would show less than a new process does, there is a new process: on other systems than Linux, where the
environment tells Python itself something else than ours, and where coverage is measured.

This file is also what the waiting process runs.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, Final

_LIBRARIES: Final = {
    "docs_sitemap": "click.shell_completion lxml.etree protego yaml pathspec asyncio"
    " multiprocessing.connection httpx httpcore h2.connection anyio._backends._asyncio"
    " xml.etree.ElementTree email.utils sqlite3"
    " google.oauth2.service_account google.auth.jwt google.auth.transport",
    "mkdocs": "mkdocs.commands.build mkdocs.commands.serve mkdocs.contrib.search mkdocs.config.defaults",
    "pip": "pip._internal.cli.main pip._internal.commands.install pip._internal.commands.wheel",
    "properdocs": "properdocs.commands.build properdocs.contrib.search",
    "sphinx": "sphinx.cmd.build sphinx.builders.html sphinx.builders.dirhtml sphinx.ext.autodoc"
    " sphinx.ext.autosummary sphinx.util.parallel sphinx.search.en",
    "zensical": "zensical.main zensical.config zensical.markdown zensical.compat.mkdocstrings material"
    " pymdownx.superfences pymdownx.snippets pymdownx.highlight pymdownx.emoji pymdownx.magiclink"
    " babel.dates",
    "tests.support.consumers": "pytest scrapy.crawler scrapy.spiders scrapy.core.downloader.handlers.http11"
    " scrapy.core.scheduler scrapy.pqueues scrapy.squeues scrapy.dupefilters scrapy.extensions.feedexport"
    " scrapy.downloadermiddlewares.cookies scrapy.downloadermiddlewares.httpcompression"
    " scrapy.downloadermiddlewares.offsite scrapy.downloadermiddlewares.robotstxt aiohttp protego tldextract",
}
"""What the programs import anyway; what is not installed is left out."""

_OURS: Final = {
    "docs_sitemap": "docs_sitemap.cli",
    "mkdocs": "docs_sitemap.generators.mkdocs",
    "sphinx": "docs_sitemap.generators.sphinx",
    "zensical": "docs_sitemap.generators.zensical",
}
"""Our package of which a program imports every module; which host ProperDocs gets shows only later."""

_PYTHON: Final = ("PYTHON", "LANG", "LC_", "COVERAGE_")
"""Beginnings of variables that are read when Python starts."""

_PATIENCE: Final = 300
"""Seconds after which a call hangs."""


def run_module(
    module: str,
    *args: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    umask: int = -1,
    development: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m module`` and return its exit code and output; nothing stands in its input.

    ``development`` is Python's mode of that name, where the tests have it, too; without it, warnings are
    shown as in it.
    """
    done = run_bytes(module, *args, cwd=cwd, env=env, umask=umask, development=development)
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def run_bytes(
    module: str,
    *args: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    umask: int = -1,
    development: bool = True,
) -> subprocess.CompletedProcess[bytes]:
    """Do the same, with the output as it is."""
    environ = dict(os.environ if env is None else env)
    own = _of_python(os.environ)
    if not development:
        environ["PYTHONDEVMODE"] = own["PYTHONDEVMODE"] = ""
    command = [sys.executable, *([] if development else ["-W", "default"]), "-m", module, *args]
    folder = os.fspath(cwd or Path.cwd())
    if sys.platform != "linux" or _of_python(environ) != own or any(map(_of_coverage, own)):
        return subprocess.run(
            command,
            cwd=folder,
            env=environ,
            umask=umask,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    request: dict[str, object] = {"module": module, "args": args, "cwd": folder, "env": environ}
    request |= {"umask": umask, "warnings": not development}
    with _output() as out, _output() as err, open(os.devnull, "rb") as nothing:
        code = _program(module, own).run(request, [nothing.fileno(), out.fileno(), err.fileno()])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(command, code, out.read(), err.read())


def generate(*command: str | Path, cwd: Path) -> None:
    """Run a generator, which must succeed."""
    words = [*map(str, command)]
    if words[:2] == [sys.executable, "-m"] and words[2] in _LIBRARIES:
        done = run_module(*words[2:], cwd=cwd)
    else:
        done = subprocess.run(words, cwd=cwd, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr + done.stdout


def _output() -> IO[bytes]:
    return TemporaryFile("w+b")


def _of_python(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name.startswith(_PYTHON)}


def _of_coverage(name: str) -> bool:
    return name.startswith("COVERAGE_")


class _Program:
    """A process that waits for what it is to run."""

    def __init__(self, module: str, python: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        theirs.setblocking(True)  # whatever default timeout a test, or Sphinx in it, has set
        command = [sys.executable, os.path.abspath(__file__), str(theirs.fileno()), module]
        root = os.fspath(Path(__file__).resolve().parents[2])
        self._process = subprocess.Popen(
            command,
            cwd=root,
            env={**os.environ, **python},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()
        self._socket.settimeout(_PATIENCE)
        self._answers = self._socket.makefile("r")
        atexit.register(self.end)

    def run(self, request: object, streams: list[int]) -> int:
        """Return the exit code, or a signal's number below zero, as subprocess does."""
        data = json.dumps(request).encode()
        with self._lock:
            self._socket.sendall(len(data).to_bytes(8, "big") + data)
            socket.send_fds(self._socket, [b"."], streams)
            return int(self._answers.readline())

    def end(self) -> None:
        self._answers.close()
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:  # it waits for a child that hangs
            self._process.kill()
            self._process.wait()


_programs: dict[tuple[str, str], _Program] = {}


def _program(module: str, python: Mapping[str, str]) -> _Program:
    key = (module, repr(sorted(python.items())))
    if key not in _programs:
        _programs[key] = _Program(module, python)
    return _programs[key]


def _wait(connection: socket.socket) -> dict[str, Any]:
    """Fork for each request; return it in the child. The parent returns never."""
    while True:
        head = _receive(connection, 8)
        if not head:
            os._exit(0)
        request: dict[str, Any] = json.loads(_receive(connection, int.from_bytes(head, "big")))
        streams = socket.recv_fds(connection, 1, 3)[1]
        child = os.fork()
        if not child:
            connection.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return request
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _receive(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            return b""
        data += piece
    return data


def _load(module: str) -> None:
    for library in _LIBRARIES[module].split():
        with suppress(ImportError):
            import_module(library)
    if module in _OURS:
        package = import_module(_OURS[module])
        for found in walk_packages(package.__path__, package.__name__ + ".", onerror=lambda name: None):
            with suppress(ImportError):
                import_module(found.name)
    if module in ("mkdocs", "properdocs", "sphinx"):
        with TemporaryDirectory() as folder:
            _try(module, Path(folder))


def _try(module: str, folder: Path) -> None:
    """Build a page, since hosts import much only where they need it, and compile their templates."""
    from tests.support.templates import compile_once

    compile_once()
    page = folder / "docs"
    page.mkdir()
    if module == "sphinx":
        from sphinx.application import Sphinx
        from sphinx.util.docutils import docutils_namespace, patch_docutils

        (page / "conf.py").touch()
        (page / "index.rst").write_text("Title\n=====\n")
        with patch_docutils(page), docutils_namespace():
            Sphinx(page, page, folder / "out", folder / "trees", "html", status=None, warning=None).build()
        return
    build = import_module(f"{module}.commands.build").build
    (page / "index.md").write_text("# Title\n")
    (folder / "theme").mkdir()
    (folder / "theme" / "main.html").write_text("{{ page.content }}")
    theme = "mkdocs" if module == "mkdocs" else "{name: null, custom_dir: theme}"  # ProperDocs brings none
    (folder / "mkdocs.yml").write_text(f"site_name: Test\ntheme: {theme}\n")
    config = import_module(f"{module}.config").load_config(os.fspath(folder / "mkdocs.yml"))
    build(config)


def main(number: int, module: str) -> None:
    connection = socket.socket(fileno=number)
    root = os.fspath(Path(__file__).resolve().parents[2])
    sys.path[0] = root
    _load(module)
    gc.freeze()  # a child that looks at all that is loaded copies it
    request = _wait(connection)
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    if request["umask"] >= 0:
        os.umask(request["umask"])
    if request["warnings"]:
        warnings.simplefilter("default")
    os.chdir(request["cwd"])
    sys.path[0] = request["cwd"]
    sys.argv = [request["module"], *request["args"]]
    runpy.run_module(request["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
