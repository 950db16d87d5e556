"""What servers send before their answers, read by the real client from real connections."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("httpx")
pytest.importorskip("h2")
pytest.importorskip("hypercorn")
pytest.importorskip("trustme")

from docs_sitemap import answer_heads
from docs_sitemap.connections import NoAnswerError, open_client
from docs_sitemap.limits import FREE_HEAD_LINES, MAX_HEAD_LINES
from tests.support.network import set_proxies
from tests.support.webserver import frame, sending_bytes, sending_frames

TWENTY = b"".join(b"x-%d: a\r\n" % number for number in range(20))
BODY = b"HTTP/1.1 103 \r\n\r\n" * 3_000
OK = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(BODY) + TWENTY
EARLY = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"

USUAL = {
    "a body of lines": [OK + b"\r\n" + BODY],
    "a head alone": [OK, b"\r\n", BODY],
    "two hints": [EARLY, EARLY + OK + b"\r\n" + BODY],
}
FLOODS = {
    "hints": [b"HTTP/1.1 103 \r\n\r\n" * 900 + OK + b"\r\n" + BODY],
    "hints alone": [b"HTTP/1.1 103 \r\n\r\n" * 900, OK + b"\r\n" + BODY],
    "headers": [OK + TWENTY * 20 + b"\r\n" + BODY],
    "headers of hints": [b"HTTP/1.1 103 x\r\n" + TWENTY * 20 + b"\r\n", OK + b"\r\n" + BODY],
    "a head in pieces": [OK[number : number + 10] for number in range(0, len(OK), 10)] + [b"\r\n", BODY],
}


async def ask(url: str, number: int) -> int:
    """Ask as often as that, one after the other, and return how often there was an answer."""
    async with open_client(url, 5.0, only_public=True, http2=True) as client:
        for count in range(number):
            try:
                assert (await client.get(url)).content
            except NoAnswerError as problem:
                if str(problem) != f"answers have more than {MAX_HEAD_LINES} lines of headers on average":
                    raise
                return count
    return number


@pytest.mark.parametrize("usual", USUAL)
def test_what_servers_usually_send_is_read(monkeypatch: pytest.MonkeyPatch, usual: str) -> None:
    monkeypatch.setattr(answer_heads, "FREE_HEAD_LINES", 0)
    with sending_bytes(USUAL[usual]) as url:
        assert asyncio.run(ask(url, 20)) == 20


def test_what_a_proxy_says_does_not_hide_a_flood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own answer comes first."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setattr(answer_heads, "FREE_HEAD_LINES", FREE_HEAD_LINES // 10)
    with sending_bytes(FLOODS["hints alone"], tunnelled=tmp_path) as proxy:
        set_proxies(monkeypatch, HTTPS_PROXY=proxy)
        with monkeypatch.context() as patch:
            patch.setattr(answer_heads, "_READ", 0)
            assert asyncio.run(ask("https://behind.test/", 1)) == 0


@pytest.mark.parametrize(("pings", "is_flood"), [(1, False), (200, True)])
def test_a_flood_of_frames_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pings: int, is_flood: bool
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setattr(answer_heads, "FREE_HEAD_LINES", 100)  # a connection starts with a few
    frames = frame(6, 1, 0, bytes(8)) * pings
    page = frame(0, 0, 1, b"\n" * 16_000)
    with sending_frames(
        tmp_path,
        {
            "/": lambda stream: (
                frames + (page[:5] + stream.to_bytes(4, "big") + page[9:]) * 3 + frame(0, 1, stream, b"")
            )
        },
    ) as url:
        assert (asyncio.run(ask(url, 10)) < 10) == is_flood


def test_frames_are_counted_however_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_heads, "_FEW", 0)
    sent = frame(4, 0, 0, b"") + frame(0, 0, 1, b"x" * 100) + frame(1, 4, 1, b"y" * 60) + frame(0, 1, 1, b"")
    for size in range(1, len(sent) + 1):
        lines_of = answer_heads._Frames()
        parts = [sent[start : start + size] for start in range(0, len(sent), size)]
        assert sum(map(lines_of, parts)) == 10 + 10 + 60 // 20


def test_a_frame_that_comes_byte_by_byte_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    lines_of = answer_heads._Frames()
    sent = frame(0, 0, 1, b"x" * 1_000)
    assert sum(lines_of(sent[number : number + 1]) for number in range(len(sent))) > 9_000
    assert lines_of(sent) == lines_of(sent[:600]) == 0
