"""The network as a test wants it: a name server that lies, and the proxies of the environment."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Any

import httpx
import pytest

LIAR = "docs.example.org"


def leads_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the name ``LIAR`` have the address of the loopback."""
    own = socket.getaddrinfo

    def lie(host: Any, *rest: Any, **more: Any) -> Any:
        return own("127.0.0.1" if host in (LIAR, LIAR.encode()) else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lie)


def set_proxies(monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    """Set these variables, and no other that names a proxy."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def refuse_certificates_in_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them takes so long that Python's development mode would report it, in a loop."""
    own = httpx.create_ssl_context

    def read() -> Any:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        return own()

    monkeypatch.setattr(httpx, "create_ssl_context", read)
