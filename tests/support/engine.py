"""A search engine on the loopback that answers as it is told: each status, and every kind of trouble."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Play = Callable[[BaseHTTPRequestHandler], None]
"""Answers a request in its own way."""


def says(status: int, body: bytes = b"", **headers: str) -> Play:
    def play(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return play


def is_silent(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(20)


def breaks(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without an answer."""
    handler.connection.close()


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
    handler.connection.close()


def is_no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.9 \x1b[31m\r\n\r\n")


def drips(start: bytes) -> Play:
    """Send a byte every now and then, so that no single read takes long."""

    def play(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(start)
        with contextlib.suppress(OSError):
            for _ in range(400):
                handler.wfile.write(b"x")
                handler.wfile.flush()
                time.sleep(0.05)

    return play


drips_headers = drips(b"HTTP/1.1 200 OK\r\nX-Long: ")
drips_body = drips(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")


def is_endless(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n<urlset>")
    with contextlib.suppress(OSError):
        while True:
            handler.wfile.write(b" " * (1 << 20))


@dataclass
class Engine:
    """Plays the answers one after the other, and the last again and again; some paths have their own."""

    plays: list[Play] = field(default_factory=lambda: [says(200)])
    paths: Mapping[str, Play] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        number = len(self.asked)
        self.asked.append(Asked(handler.command, handler.path, headers, handler.rfile.read(length)))
        play = self.paths.get(handler.path)
        (play or self.plays[min(number, len(self.plays) - 1)])(handler)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone away is what is tested."""


@contextlib.contextmanager
def serving(*plays: Play, paths: Mapping[str, Play] | None = None) -> Iterator[Engine]:
    engine = Engine(list(plays) or [says(200)], paths or {})

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.close_connection = True
            engine.answer(self)

        do_GET = do_PUT = do_CONNECT = do_POST  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    engine.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield engine
    finally:
        server.shutdown()
        server.server_close()
