"""No server can hold us up, fill us up, lead us elsewhere, or get a secret into a message."""

from __future__ import annotations

import logging
import socket
import sys
import time
import traceback

import pytest

pytest.importorskip("httpx")

from docs_sitemap.limits import MAX_ANSWER, MAX_WAIT
from docs_sitemap.readers.connections import VariableError, retry_after
from docs_sitemap.submit.web import Answer, SubmitError, Web, check_url
from tests.support.engine import (
    Play,
    breaks,
    breaks_off,
    drips_body,
    drips_headers,
    is_endless,
    is_no_http,
    is_silent,
    says,
    serving,
)
from tests.support.network import LIAR, leads_inside, set_proxies

SECRET = "s3cr3t-0123456789"  # noqa: S105


def quick(**values: float) -> Web:
    return Web(**{"seconds": 1.0, "retries": 0, "pause": 0.01, **values})  # type: ignore[arg-type]


def ask(engine_url: str, web: Web | None = None) -> Answer:
    return (web or quick()).ask(
        "POST", engine_url, headers={"Authorization": SECRET}, body=f'{{"key": "{SECRET}"}}'.encode()
    )


def test_an_answer_is_told_as_it_is() -> None:
    with serving(says(202, b"thanks", X_More="1")) as engine:
        answer = ask(engine.url + "/indexnow")
    assert (answer.status, answer.body, answer.is_whole) == (202, b"thanks", True)
    assert answer.headers["x-more"] == "1"
    (asked,) = engine.asked
    assert (asked.method, asked.path) == ("POST", "/indexnow")
    assert asked.headers["user-agent"].startswith("docs-sitemap/")
    assert asked.headers["accept-encoding"] == "identity"  # no answer grows after it is counted


@pytest.mark.parametrize("play", [is_silent, drips_headers, drips_body], ids=["silent", "headers", "body"])
def test_a_slow_answer_ends_in_time(play: Play) -> None:
    started = time.monotonic()
    with serving(play) as engine, pytest.raises(SubmitError, match=r"no complete answer within 0\.3 seconds"):
        ask(engine.url, quick(seconds=0.3))
    assert time.monotonic() - started < 3


def test_an_endless_answer_ends_at_the_limit() -> None:
    with serving(is_endless) as engine:
        answer = quick(seconds=10).ask("GET", engine.url, limit=5_000_000)
        usual = quick(seconds=10).ask("GET", engine.url)
    assert (len(answer.body), len(usual.body)) == (5_000_000, MAX_ANSWER)
    assert not answer.is_whole


@pytest.mark.parametrize("play", [breaks, breaks_off, is_no_http])
def test_a_broken_answer_is_one_sentence(play: Play) -> None:
    with serving(play) as engine, pytest.raises(SubmitError) as caught:
        ask(engine.url)
    assert "the connection broke, or the answer is not HTTP" in str(caught.value)
    assert str(caught.value).isprintable()


def test_nothing_is_asked_after_the_time_is_over() -> None:
    with serving() as engine, pytest.raises(SubmitError, match="it is not asked for yet"):
        ask(engine.url, Web(until=time.monotonic()))
    assert engine.asked == []


@pytest.mark.parametrize("status", [301, 307])
def test_no_redirect_is_followed(status: int) -> None:
    with serving() as elsewhere, serving(says(status, Location=elsewhere.url)) as engine:
        assert ask(engine.url).status == status
    assert len(engine.asked) == 1
    assert elsewhere.asked == []


@pytest.mark.parametrize("first", [says(429), says(503), breaks, breaks_off, is_no_http])
def test_what_may_pass_is_tried_again(first: Play) -> None:
    said: list[str] = []
    with serving(first, first, says(200)) as engine:
        assert ask(engine.url, Web(1.0, retries=2, pause=0.01, say=said.append)).status == 200
    assert ["retrying in" in text for text in said] == [True, True]
    assert len(engine.asked) == 3


@pytest.mark.parametrize("status", [202, 204, 400, 404])
def test_what_will_not_pass_is_not_tried_again(status: int) -> None:
    with serving(says(status)) as engine:
        assert ask(engine.url, quick(retries=3)).status == status
    assert len(engine.asked) == 1


def test_retry_after_is_waited_for() -> None:
    with serving(says(429, Retry_After="1"), says(200)) as engine:
        started = time.monotonic()
        assert ask(engine.url, quick(retries=1)).status == 200
    assert 1 <= time.monotonic() - started < 3


@pytest.mark.parametrize("text", ["86400", "Fri, 31 Dec 2999 23:59:59 GMT"])
def test_nobody_waits_for_a_retry_after_that_is_too_long_or_tries_before_it(text: str) -> None:
    with serving(says(429, Retry_After=text), says(200)) as engine:
        started = time.monotonic()
        assert ask(engine.url, quick(retries=3)).status == 429
    assert time.monotonic() - started < 1
    assert len(engine.asked) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("0", 0), (" 7 ", 7), ("-5", 1), ("soon", 1), ("", 1), ("1.5", 1)),
        ("Mon, 01 Jan 99999 00:00 GMT", 1),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
    ],
)
def test_retry_after(text: str, seconds: float) -> None:
    assert retry_after(text) == seconds
    assert retry_after("Fri, 31 Dec 2999 23:59:59 -0000") > MAX_WAIT


SECURE = ["https://api.indexnow.org/", "http://127.0.0.1:8000/", "http://localhost/", "http://[::1]:8/"]
INSECURE = [
    "http://api.indexnow.org/indexnow",
    "http://localhost.example.org/",
    "http://127.0.0.1@example.org/",
    "file:///etc/passwd",
    "https://[::1/",
    "https://example.org:port/",
    "https://example.org/\r\nX: y",
    "",
]


@pytest.mark.parametrize("url", SECURE)
def test_https_or_the_loopback(url: str) -> None:
    check_url(url)


@pytest.mark.parametrize("url", INSECURE)
def test_anything_else_is_refused_before_a_byte_is_sent(url: str) -> None:
    with pytest.raises(SubmitError, match="expected an https URL"):
        ask(url)


TROUBLES = [is_silent, breaks, breaks_off, is_no_http, says(500, SECRET.encode())]


@pytest.mark.parametrize("play", TROUBLES)
def test_no_secret_is_in_a_message_a_traceback_or_a_log(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    said: list[str] = []
    caplog.set_level(logging.INFO)
    with serving(play) as engine:
        web = Web(0.3, retries=1, pause=0.01, say=said.append)
        if play is TROUBLES[-1]:
            said.append(repr(ask(engine.url, web).status))
        else:
            with pytest.raises(SubmitError) as caught:
                ask(engine.url, web)
            assert caught.value.__cause__ is None
            assert caught.value.__context__ is None
            said.append("".join(traceback.format_exception(caught.value)))
    assert SECRET not in "".join(said) + caplog.text


def test_the_loopback_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy, serving() as engine:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert ask(engine.url).status == 200
    assert proxy.asked == []


@pytest.mark.parametrize(
    "no_proxy",
    ["*", LIAR, f"{LIAR}:{{port}}", f"localhost,[::1], .{LIAR}"],
    ids=["all", "host", "port", "list"],
)
def test_a_name_that_leads_inside_is_found_out_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, no_proxy: str
) -> None:
    """Like a name server that lies: the address is looked at after connecting, wherever that is direct."""
    leads_inside(monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as inside, serving() as proxy:
        port = inside.getsockname()[1]
        set_proxies(monkeypatch, HTTPS_PROXY=proxy.url, NO_PROXY=no_proxy.format(port=port))
        with pytest.raises(SubmitError, match="is not public"):
            Web(1.0, retries=0, only_public=True).ask("GET", f"https://{LIAR}:{port}/")
        inside.settimeout(1)
        connection, _ = inside.accept()
        with connection:
            assert connection.recv(1) == b""
    assert proxy.asked == []


@pytest.mark.parametrize(
    ("name", "no_proxy"),
    [
        ("HTTPS_PROXY", ""),
        ("https_proxy", "example.com"),
        ("ALL_PROXY", f"{LIAR}:444"),
        ("HTTPS_PROXY", "127.0.0.0/8"),
    ],
)
def test_a_proxy_connects_where_no_other_variable_forbids_it(
    monkeypatch: pytest.MonkeyPatch, name: str, no_proxy: str
) -> None:
    """Also to a name that has no public address here: only the proxy knows where it leads."""
    leads_inside(monkeypatch)
    with serving(says(502)) as proxy:
        set_proxies(monkeypatch, **{name: proxy.url.removeprefix("http://"), "NO_PROXY": no_proxy})
        with pytest.raises(SubmitError, match=f"{LIAR}: no connection: the proxy of {name} answers 502$"):
            Web(1.0, retries=0, only_public=True).ask("GET", f"https://{LIAR}/")
    assert [(asked.method, asked.path) for asked in proxy.asked] == [("CONNECT", f"{LIAR}:443")]


@pytest.mark.parametrize(
    ("name", "value", "got"),
    [
        ("HTTPS_PROXY", "foo://127.0.0.1:9", "'foo://127.0.0.1:9'"),
        ("ALL_PROXY", "socks5://127.0.0.1:9", "'socks5://127.0.0.1:9'"),
        ("https_proxy", "http://", "'http://'"),
        ("HTTP_PROXY", "http://127.0.0.1:port", "'http://127.0.0.1:port'"),
        ("HTTPS_PROXY", f"user:{SECRET}@h:x", "'...@h:x'"),
    ],
)
def test_a_variable_that_names_no_proxy(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, got: str
) -> None:
    set_proxies(monkeypatch, **{name: value})
    with pytest.raises(VariableError) as caught:
        Web().ask("GET", f"https://{LIAR}/")
    shown = name.upper() if sys.platform == "win32" else name
    said = f"{shown}: expected the URL of a proxy with http or https, such as http://127.0.0.1:8080"
    assert str(caught.value) == f"{said}, got {got}: correct it, or unset it."
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("play", [breaks, is_no_http, None])
def test_a_proxy_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, scheme: str, play: Play | None) -> None:
    """Without the user name and password that its variable has."""
    own = f"u:{SECRET}@127.0.0.1"
    said = "the connection through the proxy of ALL_PROXY broke, or the answer is not HTTP$"
    with serving(play or breaks) as proxy:
        port = proxy.url.rpartition(":")[2].rstrip("/") if play else 1
        set_proxies(monkeypatch, ALL_PROXY=f"{scheme}://{own}:{port}")
        said = said if play and scheme == "http" else r"no connection through the proxy of ALL_PROXY \("
        with pytest.raises(SubmitError, match=f"^{LIAR}: {said}") as caught:
            Web(10.0, retries=0).ask("GET", f"https://{LIAR}/")
    assert SECRET not in "".join(traceback.format_exception(caught.value))
