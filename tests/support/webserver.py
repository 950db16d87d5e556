"""A real server on the loopback, with TLS, HTTP/1.1 and HTTP/2, that answers each path as it is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import trustme
from hypercorn.asyncio import serve
from hypercorn.config import Config

Send = Callable[[dict[str, Any]], Awaitable[None]]
Play = Callable[[Send], Awaitable[None]]
"""Answers one request."""

logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # it logs each write to a client that has gone

HTML = "text/html; charset=utf-8"
XML = "application/xml"


def says(status: int = 200, body: str | bytes = b"", type_: str = HTML, **headers: str) -> Play:
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-").lower(): value for name, value in headers.items()}
    if type_:
        named["content-type"] = type_

    async def play(send: Send) -> None:
        await start(send, status, named | {"content-length": str(len(data))})
        await send({"type": "http.response.body", "body": data})

    return play


async def start(send: Send, status: int, headers: Mapping[str, str]) -> None:
    pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})


def page(head: str = "", **headers: str) -> Play:
    return says(
        200, f"<!doctype html><html><head><title>x</title>{head}</head><body>x</body></html>", **headers
    )


async def is_endless(send: Send) -> None:
    """More than anybody reads; the server does not see that the client has gone."""
    await start(send, 200, {"content-type": HTML})
    for _ in range(300):
        await send({"type": "http.response.body", "body": b" " * 65536, "more_body": True})


async def is_slow(send: Send) -> None:
    """A byte now and then, so that no single read takes long."""
    await start(send, 200, {"content-type": HTML})
    for _ in range(60):
        await send({"type": "http.response.body", "body": b" ", "more_body": True})
        await asyncio.sleep(0.1)


async def breaks_off(send: Send) -> None:
    await start(send, 200, {"content-type": HTML, "content-length": "1000"})
    await send({"type": "http.response.body", "body": b"half", "more_body": True})
    raise ConnectionAbortedError


def in_turn(*plays: Play) -> Play:
    """Answer with each once, and with the last again and again."""
    left = [*plays]

    async def play(send: Send) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(send)

    return play


@dataclass
class Server:
    """``paths`` has the answers; others are 404. ``asked`` counts requests, ``versions`` those of HTTP.

    ``googlebot`` has the answers for that crawler, where they differ. Without the headers in
    ``password``, the answer is 401.
    """

    paths: dict[str, Play] = field(default_factory=dict)
    googlebot: dict[str, Play] = field(default_factory=dict)
    password: dict[bytes, bytes] = field(default_factory=dict)
    url: str = ""
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    cookies: set[bytes] = field(default_factory=set)
    versions: Counter[str] = field(default_factory=Counter)
    at_once: int = 0
    most_at_once: int = 0
    http2: bool = True
    folder: Path = Path()
    default: Play = field(default_factory=lambda: says(404, "no"))

    def forget(self) -> None:
        """Start again, with no paths."""
        self.paths.clear()
        self.googlebot.clear()
        self.password.clear()
        self.asked.clear()
        self.agents.clear()
        self.versions.clear()
        self.most_at_once = 0
        self.default = says(404, "no")

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Any], send: Send) -> None:
        if scope["type"] != "http":
            return
        path = scope["raw_path"].decode()
        self.asked.append(path)
        self.versions[scope["http_version"]] += 1
        self.cookies |= {value for name, value in scope["headers"] if name == b"cookie"}
        agent = dict(scope["headers"]).get(b"user-agent", b"").decode()
        self.agents.add(agent)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            own = self.googlebot if "Googlebot/" in agent else {}
            play = own.get(path, self.paths.get(path, self.default))
            await (play if self.password.items() <= {*scope["headers"]} else says(401))(send)
        finally:
            self.at_once -= 1


@cache
def _authority() -> trustme.CA:
    return trustme.CA()


@contextlib.contextmanager
def serving(folder: Path, *, http2: bool = True) -> Iterator[Server]:
    """Serve on a free port of 127.0.0.1; ``folder`` gets the certificates, ``ca.pem`` among them."""
    _authority().cert_pem.write_to_path(folder / "ca.pem")
    own = _authority().issue_cert("127.0.0.1", "localhost")
    own.private_key_and_cert_chain_pem.write_to_path(folder / "server.pem")
    server = Server(http2=http2, folder=folder)
    config = Config()
    config.bind = ["127.0.0.1:0"]
    config.certfile = config.keyfile = str(folder / "server.pem")
    config.alpn_protocols = ["h2", "http/1.1"] if http2 else ["http/1.1"]
    config.errorlog = config.accesslog = None
    config.graceful_timeout = 0
    config.ssl_handshake_timeout = 5
    sockets = config.create_sockets()
    config.create_sockets = lambda: sockets  # type: ignore[method-assign]  # with the port that was free
    server.url = f"https://127.0.0.1:{sockets.secure_sockets[0].getsockname()[1]}/"
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def run() -> None:
        await serve(server, config, shutdown_trigger=stop.wait, mode="asgi")  # type: ignore[arg-type]

    def work() -> None:
        asyncio.set_event_loop(loop)
        loop.set_exception_handler(lambda loop, context: None)  # clients that have gone are what is tested
        with contextlib.suppress(ssl.SSLError, asyncio.CancelledError):
            loop.run_until_complete(run())

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        if not loop.is_running():
            loop.close()


@contextlib.contextmanager
def sending_frames(folder: Path, bodies: Mapping[str, Callable[[int], bytes]]) -> Iterator[str]:
    """Serve over HTTP/2 what no proper server sends: each body is the frames for the number of a stream."""
    _authority().cert_pem.write_to_path(folder / "ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _authority().issue_cert("127.0.0.1").configure_cert(context)
    context.set_alpn_protocols(["h2"])

    def answer(connection: ssl.SSLSocket, state: h2.connection.H2Connection, data: bytes) -> None:
        for event in state.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                path = dict(event.headers)[b":path"].decode()
                status = "200" if path in bodies else "404"
                state.send_headers(event.stream_id, [(":status", status)], end_stream=path not in bodies)
                connection.sendall(state.data_to_send())
                if path in bodies:
                    time.sleep(0.1)  # the headers are read by themselves
                    connection.sendall(bodies[path](event.stream_id))
        connection.sendall(state.data_to_send())

    def talk(connection: ssl.SSLSocket) -> None:
        with contextlib.suppress(OSError), connection:
            connection.settimeout(10)
            state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
            state.initiate_connection()
            while data := connection.recv(65_536):
                answer(connection, state, data)

    def work() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(listening.accept()[0],), daemon=True).start()

    with context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True) as listening:
        threading.Thread(target=work, daemon=True).start()
        yield f"https://127.0.0.1:{listening.getsockname()[1]}/"


def frame(kind: int, flags: int, stream: int, data: bytes) -> bytes:
    """Return a frame of HTTP/2 (RFC 9113, 4.1)."""
    return len(data).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + data
