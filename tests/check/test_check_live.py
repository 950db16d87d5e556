"""Checking a site as it is served, by a real server with TLS, HTTP/1.1 and HTTP/2."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

pytest.importorskip("httpx")
pytest.importorskip("h2")
pytest.importorskip("hypercorn")
pytest.importorskip("trustme")
pytest.importorskip("protego")

from docs_sitemap.check import RULES
from docs_sitemap.check.client import Client
from docs_sitemap.check.live import LiveQuestion, Pace, check_live, sample
from docs_sitemap.check.page_facts import Progress
from docs_sitemap.cli import main
from docs_sitemap.limits import MAX_SERVED_PAGE
from docs_sitemap.readers.connections import is_inside
from tests.support import engine
from tests.support.checksite import NS
from tests.support.network import LIAR, leads_inside, refuse_certificates_in_a_loop, set_proxies
from tests.support.warm import run_module
from tests.support.webserver import (
    XML,
    Play,
    Server,
    breaks_off,
    frame,
    in_turn,
    is_endless,
    is_slow,
    page,
    says,
    sending_frames,
    serving,
)

RATE = ("--rate", "1000", "--timeout", "4")


class Fault(NamedTuple):
    """An answer for a page, and what is found."""

    play: Play
    rule: str
    message: str


def faults(url: str) -> dict[str, Fault]:
    return {
        "slash": Fault(says(301, Location="/ok/", X_Robots_Tag="noindex"), "W3", f"(301) to {url}ok/"),
        "away": Fault(
            says(302, Location="https://other.example/"), "W3", "to https://other.example/, on another host"
        ),
        "inside": Fault(
            says(302, Location="http://169.254.169.254/latest"), "W3", "/latest, which is not public"
        ),
        "nowhere": Fault(says(302), "W3", "without a valid address"),
        "user": Fault(says(302, Location="https://u:secret@e.org/"), "W3", "without a valid address"),
        "refresh": Fault(page('<meta http-equiv="refresh" content="0; url=/ok">'), "W3", "meta refresh"),
        "missing": Fault(says(404, X_Robots_Tag="noindex"), "W2", "answers 404"),
        "gone": Fault(says(410), "W2", "answers 410"),
        "forbidden": Fault(says(403), "W2", "answers 403"),
        "accepted": Fault(says(202), "W1", "answers 202, expected 200"),
        "part": Fault(says(206), "W1", "answers 206, expected 200"),
        "busy": Fault(says(429, Retry_After="0"), "W4", "answers 429"),
        "error": Fault(says(500), "W4", "answers 500"),
        "slow": Fault(is_slow, "W1", "no complete answer within 4 seconds"),
        "endless": Fault(is_endless, "W1", f"more than {MAX_SERVED_PAGE:,} bytes"),
        "half": Fault(breaks_off, "W1", ""),
        "text": Fault(says(200, "x", "text/plain"), "W7", "served as text/plain"),
        "typeless": Fault(says(200, "x", ""), "W7", "no type"),
        "tag": Fault(page(X_Robots_Tag="googlebot: noindex"), "W5", "X-Robots-Tag"),
        "robots": Fault(page('<meta name="robots" content="noindex">'), "W5", "robots tag"),
        "canonical": Fault(page('<link rel="canonical" href="/ok">'), "W6", f"is {url}ok"),
        "old": Fault(page(Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT"), "W8", "older page"),
    }


GOOD: dict[str, Play] = {
    "ok": page(),
    "again": in_turn(says(429, Retry_After="1"), page()),
    "other-engine": page(X_Robots_Tag="otherbot: noindex"),
    "after": page(X_Robots_Tag="unavailable_after: 25 Jun 2099 15:00:00 PST"),
    "own": page('<link rel="canonical" href="own">', Last_Modified="Wed, 21 Oct 2026 07:28:00 GMT"),
    "paper.pdf": says(200, b"%PDF-1.7", "application/pdf"),
}


def sitemap(urls: list[str], lastmod: str = "") -> str:
    days = itertools.cycle([lastmod] if lastmod else ["2026-10-01", "2026-09-30"])
    dated = zip(urls, days, strict=False)
    entries = "".join(f"<url><loc>{url}</loc><lastmod>{day}</lastmod></url>\n" for url, day in dated)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NS}">\n{entries}</urlset>\n'


def index(*parts: str) -> Play:
    locs = "".join(f"<sitemap><loc>{part}</loc></sitemap>" for part in parts)
    return says(200, f'<sitemapindex xmlns="{NS}">{locs}</sitemapindex>', XML)


def slowed(play: Play, seconds: float) -> Play:
    async def answer(send: Any) -> None:
        await asyncio.sleep(seconds)
        await play(send)

    return answer


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Use HTTP/2, and in tests that are about what is sent over a connection, HTTP/1.1 too.

    Or alone: over HTTP/2, this server takes five seconds to break off.
    """
    if "running" in metafunc.fixturenames:
        marks = {mark.name for mark in metafunc.definition.iter_markers()}
        protocols = {"http2": True, "http1": False}
        if "only_http1" in marks:
            del protocols["http2"]
        elif "both_protocols" not in marks:
            del protocols["http1"]
        metafunc.parametrize("running", protocols.values(), ids=protocols, indirect=True, scope="module")


@pytest.fixture(scope="module")
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), http2=request.param) as server:
        yield server


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("SSL_CERT_FILE", str(running.folder / "ca.pem"))
    running.forget()
    return running


def publish(server: Server, pages: dict[str, Play], robots: str = "") -> None:
    """Serve pages, and the sitemap and the robots.txt that list them."""
    server.paths |= {f"/{name}": play for name, play in pages.items()}
    listed = [server.url + name for name in pages]
    server.paths["/sitemap.xml"] = says(200, sitemap(listed), XML)
    server.paths["/robots.txt"] = says(200, f"{robots}\nSitemap: {server.url}sitemap.xml\n", "text/plain")


def run(server: Server, *arguments: str) -> subprocess.CompletedProcess[str]:
    words = ("check", "--live", server.url, *RATE, *arguments)
    return run_module("docs_sitemap", *words, development=False)


def findings(server: Server, *arguments: str) -> list[dict[str, Any]]:
    done = run(server, "--format", "json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def said(server: Server, *arguments: str) -> list[tuple[str, str]]:
    return [(found["id"], found["message"]) for found in findings(server, *arguments)]


@pytest.mark.both_protocols
def test_each_answer_has_its_finding_and_no_other(server: Server) -> None:
    expected = faults(server.url)
    publish(server, GOOD | {name: fault.play for name, fault in expected.items()})
    found = findings(server)
    by_name = {each["url"].removeprefix(server.url): each for each in found if each["url"]}
    assert len(by_name) == len(found)
    assert by_name.keys() == expected.keys()
    for name, fault in expected.items():
        assert by_name[name]["id"] == fault.rule, name
        assert fault.message in by_name[name]["message"], name
    assert "secret" not in str(found)
    assert set(server.versions) == {"2" if server.http2 else "1.1"}


@pytest.mark.both_protocols
def test_it_asks_politely(server: Server) -> None:
    pages = {f"p{number}": page() for number in range(30)}
    publish(server, pages)
    started = time.monotonic()
    assert run(server, "--rate", "20").returncode == 0
    assert time.monotonic() - started > 1.4  # 32 requests
    assert server.most_at_once <= 4
    assert len(server.agents) == 2
    assert all("docs-sitemap/" in agent or "Googlebot/" in agent for agent in server.agents)
    files = ["/robots.txt", "/sitemap.xml"]
    assert sorted(server.asked[:-5]) == sorted([*files, *(f"/{name}" for name in pages)])
    assert server.asked[-5] == "/llms.txt"
    assert sorted(server.asked[-4:]) == sorted(["/", "/", *files])  # the comparison is last


@pytest.mark.parametrize(
    ("robots", "is_asked"),
    [
        ("User-agent: *\nDisallow: /private", False),
        ("User-agent: docs-sitemap\nDisallow: /private", False),
        ("User-agent: docs-sitemap\nAllow: /\n\nUser-agent: *\nDisallow: /private", True),
        ("User-agent: otherbot\nDisallow: /", True),
    ],
)
def test_robots_txt_is_heeded(server: Server, robots: str, is_asked: bool) -> None:
    publish(server, {"ok": page(), "private": page()}, robots)
    done = run(server)
    assert ("/private" in server.asked) == is_asked
    assert ("1 URL was not asked for: robots.txt forbids it" in done.stdout) != is_asked
    assert ("U8 Blocked by robots.txt" in done.stdout) == ("*\nDisallow" in robots)


@pytest.mark.parametrize(
    ("name", "agent", "robots", "is_asked"),
    [
        ("googlebot", "Googlebot/2.1", "User-agent: Googlebot\nDisallow: /private", False),
        (
            "Bingbot",
            "bingbot/2.0",
            "User-agent: *\nDisallow: /private\n\nUser-agent: Bingbot\nAllow: /",
            True,
        ),
        ("googlebot", "Googlebot/2.1", "User-agent: docs-sitemap\nUser-agent: bot\nDisallow: /", True),
        ("Mozilla/5.0 (X-Bot/1)", "(X-Bot/1)", "User-agent: mozilla\nUser-agent: x\nDisallow: /", True),
        ("Mozilla/5.0 (X-Bot/1)", "(X-Bot/1)", "User-agent: x-bot\nDisallow: /private", False),
    ],
)
def test_a_site_is_checked_as_a_crawler(
    server: Server, name: str, agent: str, robots: str, is_asked: bool
) -> None:
    """Each request has its User-Agent, and its group in robots.txt decides; nothing is compared."""
    publish(server, {"ok": page(), "private": page()}, robots)
    done = run(server, "--as", name)
    assert done.stderr == ""
    assert [agent in each for each in server.agents] == [True]
    assert ("/private" in server.asked) == is_asked
    assert ("1 URL was not asked for: robots.txt forbids it" in done.stdout) != is_asked
    assert "/" not in server.asked


CHALLENGE = says(403, "<!doctype html>Just a moment...", cf_mitigated="challenge")
CAPTCHA = says(405, x_amzn_waf_action="captcha")
BUSY = says(429, Retry_After="900", x_vercel_mitigated="deny")
COMPARED: dict[str, tuple[str, Play, str]] = {
    "challenge": ("/sitemap.xml", CHALLENGE, "403 from a firewall (cf-mitigated: challenge)"),
    "captcha": (
        "/",
        says(405, x_amzn_waf_action="captcha"),
        "405 from a firewall (x-amzn-waf-action: captcha)",
    ),
    "busy": (
        "/robots.txt",
        says(429, Retry_After="900", x_vercel_mitigated="deny"),
        "429 from a firewall (x",
    ),
    "status": ("/", says(404), "404"),
    "redirect": ("/", says(302, Location="/consent"), "302 to SERVERconsent"),
    "HTML": ("/sitemap.xml", says(200, " <!DOCTYPE html>x", XML), "200, application/xml, but HTML"),
    "type": ("/sitemap.xml", says(200, "<html>x"), "200, text/html"),
    "empty": ("/sitemap.xml", says(200, "\n", XML), "200, application/xml, but empty"),
    "nothing": ("/", breaks_off, "the connection broke"),
}


@pytest.mark.only_http1
@pytest.mark.parametrize("name", COMPARED)
def test_another_answer_for_googlebot_is_a_warning(
    server: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Search Console says "Couldn't fetch", and everybody else sees a good site."""
    monkeypatch.setattr("docs_sitemap.check.client._PAUSES", (0.01, 0.02, 0.0))
    path, play, said = COMPARED[name]
    publish(server, {"": page(), "ok": page()})
    server.googlebot[path] = play
    result, site = check_live(LiveQuestion(base_url=server.url, pace=Pace(1000)), RULES.chosen([]))
    assert site.is_complete
    [found] = result.findings
    assert (found.id, found.level, found.url) == ("W10", "warning", server.url + path[1:])
    assert found.message.startswith(f"as Googlebot: {said.replace('SERVER', server.url)}")
    assert "; as docs-sitemap: 200, " in found.message
    assert found.message.endswith('; Search Console may say "Couldn\'t fetch"') == (path == "/sitemap.xml")


@pytest.mark.parametrize(
    ("robots", "words", "paths"),
    [
        ("User-agent: Googlebot\nDisallow: /", [], ["/robots.txt"]),
        ("User-agent: docs-sitemap\nDisallow: /$", ["--ignore", "W11"], ["/robots.txt", "/sitemap.xml"]),
        ("", ["--ignore", "W10"], ["/llms.txt"]),
        ("", ["--ignore", "W10,W11"], []),
        ("", ["--select", "W1"], []),
    ],
)
def test_what_is_asked_as_googlebot(server: Server, robots: str, words: list[str], paths: list[str]) -> None:
    """Nothing that robots.txt forbids to either, and nothing without the rule; W1 does not mean W10."""
    publish(server, {"ok": page()}, robots)
    run(server, *words)
    assert server.asked.count("/") == 0
    own = server.asked.index("/ok") if "/ok" in server.asked else len(server.asked)
    assert server.asked[own + 1 :] == paths


MARKDOWN = "text/markdown"


@pytest.mark.parametrize(
    ("copy", "robots", "expected"),
    [
        (says(200, "# Guide", MARKDOWN), "", [("W11", "info")]),
        (says(200, "# Guide", MARKDOWN, X_Robots_Tag="noindex"), "", []),
        (says(200, "# Guide", MARKDOWN), "User-agent: Googlebot\nDisallow: /*.md$", []),
        (says(404), "", []),
        (says(body="<html>all addresses are this page", type_="text/html"), "", []),
    ],
    ids=["indexable", "noindex", "forbidden", "missing", "a page"],
)
def test_served_copies_in_markdown(
    server: Server, copy: Play, robots: str, expected: list[tuple[str, str]]
) -> None:
    """Those that llms.txt names: a header is not in the build, so that C5 cannot know it."""
    publish(server, {"ok": page()}, robots)
    links = f"# Site\n- [Other](https://other.example/a.md)\n- [Guide]({server.url}guide.md): all of it\n"
    server.paths["/llms.txt"] = says(body=links, type_="text/plain")
    server.paths["/guide.md"] = copy
    result, _ = check_live(LiveQuestion(base_url=server.url, pace=Pace(1000)), RULES.chosen([]))
    assert [(found.id, found.level) for found in result.findings] == expected
    assert [found.url for found in result.findings] == [f"{server.url}guide.md"] * len(expected)


@pytest.mark.parametrize(
    ("answer", "rule"),
    [(says(500), "W4"), (is_slow, "W1"), (breaks_off, "W1")],
    ids=["error", "slow", "breaks off"],
)
def test_while_robots_txt_has_no_answer_nothing_is_asked(server: Server, answer: Play, rule: str) -> None:
    publish(server, {"ok": page()})
    server.paths["/robots.txt"] = answer
    assert {rule for rule, _ in said(server, "--timeout", "1")} == {rule}
    assert set(server.asked) == {"/robots.txt"}


@pytest.mark.parametrize("url", ["https://[::1/", "//"])
def test_addresses_that_are_none_are_no_traceback(server: Server, url: str) -> None:
    publish(server, {"ok": page()}, f"Sitemap: {url}")
    assert [rule for rule, _ in said(server, "--select", "W")] == []
    server.paths["/robots.txt"] = says(302, Location=url)
    assert "Traceback" not in run(server).stderr


def test_a_robots_txt_is_followed_on_its_host_only(server: Server) -> None:
    publish(server, {"ok": page()})
    server.paths["/there.txt"] = server.paths["/robots.txt"]
    server.paths["/robots.txt"] = says(301, Location="/there.txt")
    assert said(server) == []
    server.paths["/robots.txt"] = says(301, Location="https://other.example/robots.txt")
    assert [(rule, "other host" in message) for rule, message in said(server)] == [("W3", True)]


def test_a_sitemap_that_no_robots_txt_names(server: Server) -> None:
    publish(server, {"ok": page(), "gone": says(404)})
    server.paths["/robots.txt"] = says(404)
    assert [rule for rule, _ in said(server)] == ["W2", "W0"]  # and that robots.txt does not name it


def test_all_parts_of_an_index_are_read_once(server: Server) -> None:
    publish(server, {"a": page(), "b": says(404)})
    parts = [f"{server.url}part-{number}.xml" for number in (1, 2)]
    server.paths["/sitemap.xml"] = index(*parts, *parts, server.url + "sitemap.xml")
    server.paths["/part-1.xml"] = says(200, sitemap([server.url + "a"]), XML)
    server.paths["/part-2.xml"] = says(200, sitemap([server.url + "b"]), XML)
    found = said(server, "--select", "W", "--ignore", "W10,W11")
    assert found == [("W2", "the server answers 404")]
    assert sorted(server.asked) == ["/a", "/b", "/part-1.xml", "/part-2.xml", "/robots.txt", "/sitemap.xml"]


def test_no_cookies_are_read_or_kept(server: Server) -> None:
    """Python's own parser warns of a bug, with a traceback, for a number of more than 4,300 digits."""
    publish(server, {f"p{n}": page(Set_Cookie=f"a=b; expires=1 Jan {'1' * 5000} 00:00:00") for n in range(5)})
    done = run(server)
    assert (done.returncode, done.stderr, server.cookies) == (0, "", set())


def test_a_compressed_robots_txt_is_heeded(server: Server) -> None:
    publish(server, {"private": page()})
    text = f"User-agent: *\nDisallow: /private\nSitemap: {server.url}sitemap.xml\n".encode()
    server.paths["/robots.txt"] = says(200, gzip.compress(text), "text/plain", Content_Encoding="gzip")
    assert [rule for rule, _ in said(server)] == ["U8", "W1"]
    assert "/private" not in server.asked


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        (["SERVER/one.xml?p=1", "SERVER/one.xml?p=2"], "U3"),  # the server here answers for a path alone
        (["SERVER/one.xml", "SERVER/gone.xml"], "W2"),
        (["https://other.example/p.xml"], "U1"),
    ],
    ids=["query", "missing", "other host"],
)
def test_a_part_has_one_finding(server: Server, parts: list[str], rule: str) -> None:
    """One that is not read is not missing in a build, too."""
    publish(server, {"a": page()})
    server.paths["/sitemap.xml"] = index(*(part.replace("SERVER/", server.url) for part in parts))
    server.paths["/one.xml"] = says(200, sitemap([server.url + "a"]), XML)
    assert [rule for rule, _ in said(server)] == [rule]


def test_a_url_is_named_as_it_is_listed(server: Server) -> None:
    """Also where the client writes it in another way."""
    publish(server, {"a b": page()})
    server.default = page(Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT")
    found = [each for each in findings(server) if each["id"] == "W8"]
    assert [each["url"] for each in found] == [f"{server.url}a b"]


def test_only_the_site_s_own_host_is_asked(server: Server) -> None:
    publish(server, {"ok": page()})
    body = sitemap([server.url + "ok", "https://other.example/", "http://127.0.0.1:1/"])
    server.paths["/sitemap.xml"] = says(200, body, XML)
    assert {rule for rule, _ in said(server)} == {"U1"}


def test_a_name_that_leads_inside_gets_no_request(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    port = server.url.rpartition(":")[2].rstrip("/")
    publish(server, {"ok": page()})
    set_proxies(monkeypatch, ALL_PROXY="http://127.0.0.1:1", NO_PROXY=f"{LIAR}:{port}")
    leads_inside(monkeypatch)
    result, _ = check_live(LiveQuestion(base_url=f"https://{LIAR}:{port}/"), RULES.chosen(["W"]))
    assert "the host has the address 127.0.0.1, which is not public" in {it.message for it in result.findings}
    assert server.asked == []


def test_a_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows where the name leads, so that its own address does not count."""
    with engine.serving(engine.says(404)) as proxy:
        set_proxies(monkeypatch, HTTP_PROXY=proxy.url, HTTPS_PROXY="http://127.0.0.1:1")
        _, site = check_live(LiveQuestion(base_url=f"http://{LIAR}/", pace=Pace(1000)), RULES.chosen(["W"]))
    assert proxy.asked[0].path == f"http://{LIAR}/robots.txt"
    assert site.robots.status == 404


def test_certificates_are_read_before_the_loop(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(server, {"ok": page()})
    refuse_certificates_in_a_loop(monkeypatch)
    _, site = check_live(LiveQuestion(base_url=server.url, pace=Pace(1000)), [])
    assert [visit.status for visit in site.visits] == [200]


def test_a_proxy_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with engine.serving(engine.says(407)) as proxy:
        set_proxies(monkeypatch, HTTPS_PROXY=proxy.url)
        result, _ = check_live(
            LiveQuestion(base_url=f"https://{LIAR}/", pace=Pace(1000)), RULES.chosen(["W1"])
        )
    assert [found.message for found in result.findings] == [
        "no connection: the proxy of HTTPS_PROXY answers 407"
    ]


WRONG = {
    "headers": lambda stream: frame(1, 4, stream, b"\xff\xff\xff\xff"),
    "a push": lambda stream: frame(5, 4, stream, (2).to_bytes(4, "big") + b"\x82"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_frame_in_a_body_is_one_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setattr("docs_sitemap.check.client._PAUSES", (0.01, 0.02, 0.0))
    bodies = {"/wrong": WRONG[wrong]}
    with sending_frames(tmp_path, bodies) as url:
        listed = sitemap([f"{url}wrong", f"{url}gone"]).encode()
        bodies["/sitemap.xml"] = lambda stream: frame(0, 1, stream, listed)
        question = LiveQuestion(base_url=url, pace=Pace(1000, connections=1))
        result, _ = check_live(question, RULES.chosen(["W1", "W2"]))
    assert [(found.url, found.message) for found in result.findings] == [
        (f"{url}wrong", "the connection broke, or the answer is not HTTP"),
        (f"{url}gone", "the server answers 404"),
    ]


def test_what_is_served_is_compared_with_what_was_built(server: Server, tmp_path: Path) -> None:
    publish(server, {"ok": page(), "new": page()}, "User-agent: AI\nDisallow: /")
    for name in ("ok", "other"):
        (tmp_path / f"{name}.html").write_text("<html><head><title>x</title></head><body>x</body></html>")
    listed = [f"{server.url}ok", f"{server.url}other"]
    (tmp_path / "sitemap.xml").write_text(sitemap(listed, "2026-09-01"))
    (tmp_path / "robots.txt").write_text(f"Sitemap: {server.url}sitemap.xml\n")
    found = {message.partition(", for ")[0] for _, message in said(server, "--select", "W9", str(tmp_path))}
    assert found == {
        "1 URL is listed online, but was not built",
        "1 URL is not listed online",
        "1 URL has another lastmod online",
        'robots.txt was not built like this: "User-agent: AI", "Disallow: /"',
    }


def test_dates_are_compared_with_an_older_sitemap(server: Server, tmp_path: Path) -> None:
    publish(server, {"ok": page()})
    older = tmp_path / "older.xml"
    older.write_text(sitemap([f"{server.url}ok"], "2026-11-01"))
    assert said(server, "--previous", str(older)) == [("L6", "lastmod was 2026-11-01 and is 2026-10-01")]


def test_a_sample_is_the_same_each_time(server: Server) -> None:
    names = [f"p{number}" for number in range(50)]
    publish(server, {name: page() for name in names})
    asked = []
    for _ in range(2):
        server.asked.clear()
        assert run(server, "--sample", "7").returncode == 0
        asked.append({path for path in server.asked if path.startswith("/p")})
    assert asked[0] == asked[1]
    assert len(asked[0]) == 7
    urls = [server.url + name for name in names]
    assert set(sample(urls, 6)) < set(sample(urls, 7)) <= set(sample([*urls, "x"], 8))


@pytest.mark.only_http1
def test_after_a_url_without_an_answer_each_is_tried_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until there is one: a server that broke each answer off took a minute of waiting, now seconds."""
    monkeypatch.setattr("docs_sitemap.check.client._PAUSES", (0.01, 0.02, 0.0))
    names = [f"p{number}" for number in range(5)]
    publish(server, {name: page() if name == "p2" else breaks_off for name in names})
    question = LiveQuestion(base_url=server.url, pace=Pace(1000, connections=1))
    result, _ = check_live(question, RULES.chosen(["W1"]))
    assert [server.asked.count(f"/{name}") for name in names] == [3, 1, 1, 3, 1]
    assert [found.url for found in result.findings] == [server.url + name for name in names if name != "p2"]


def test_a_page_without_an_answer_holds_up_no_other(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_sitemap.check.client._PAUSES", (2.0, 4.0, 0.0))
    broken = says(301, Location="https://[::1")
    publish(server, {"p0": in_turn(broken, page()), **{f"p{number}": page() for number in range(1, 9)}})
    question = LiveQuestion(base_url=server.url, pace=Pace(20, connections=2))
    result, _ = check_live(question, RULES.chosen(["W1"]))
    assert [path for path in server.asked if path.startswith("/p")][-1] == "/p0"
    assert result.findings == []


def test_ctrl_c_gives_the_findings_so_far(server: Server) -> None:
    publish(server, {"gone": says(404)} | {f"p{number}": page() for number in range(500)})
    command = [sys.executable, "-m", "docs_sitemap", "check", "--live", server.url, "--rate", "20"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while len(server.asked) < 10:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "gone: the server answers 404" in output
    assert "the check was stopped after" in output


@pytest.mark.parametrize("first", ["p3", "robots.txt"])
def test_a_long_retry_after_ends_the_check(server: Server, first: str) -> None:
    """Nothing more is asked: whoever says that it is too busy is left alone."""
    publish(server, {f"p{number}": page() for number in range(20)})
    server.paths[f"/{first}"] = says(429, Retry_After="500")
    done = run(server, "--rate", "20")
    assert done.returncode == 1
    assert "the server asks to wait for 500 seconds" in done.stderr
    assert "was stopped" in done.stdout
    asked = server.asked[server.asked.index(f"/{first}") + 1 :]
    assert len(asked) <= 3 * (first == "p3")  # those under way


def test_in_a_pause_nothing_is_sent(server: Server) -> None:
    times: list[float] = []
    hold = in_turn(says(503, Retry_After="3"), page())

    def noted(play: Play) -> Play:
        async def answer(send: Any) -> None:
            times.append(time.monotonic())
            await play(send)

        return answer

    publish(server, {f"p{n}": noted(hold if n == 3 else page()) for n in range(9)})
    assert said(server, "--rate", "4") == []
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert max(gaps) > 2.5
    assert gaps.index(max(gaps)) == 3  # right after p3


def test_what_the_folder_has_too_is_said_once(server: Server, tmp_path: Path) -> None:
    """The same files, built and served."""
    text = sitemap([server.url + "ok", server.url + "gone"], lastmod="yesterday")
    robots = f"User-agent: *\nDisallow: /\nSitemap: {server.url}sitemap.xml\n"
    publish(server, {"ok": page()})
    server.paths["/sitemap.xml"] = says(200, text, XML)
    server.paths["/robots.txt"] = says(200, robots, "text/plain")
    (tmp_path / "sitemap.xml").write_text(text)
    (tmp_path / "robots.txt").write_text(robots)
    (tmp_path / "ok").write_text("<!doctype html><title>x</title>")
    found = [(each["id"], each["url"], each["message"]) for each in findings(server, str(tmp_path))]
    assert {"L3", "R3"} <= {rule for rule, _, _ in found}
    assert len(found) == len({*found})


def test_dates_that_are_all_the_same_are_found_as_in_a_folder(server: Server) -> None:
    publish(server, {"a": page(), "b": page(), "c": page()})
    text = sitemap([server.url + name for name in "abc"], lastmod="2026-10-01")
    server.paths["/sitemap.xml"] = says(200, text, XML)
    assert said(server) == [("L2", "all 3 lastmods are 2026-10-01")]
    signed = text.replace("?>", "?>\n<!-- Written by docs-sitemap -->", 1)
    server.paths["/sitemap.xml"] = says(200, signed, XML)
    assert said(server) == []
    assert [rule for rule, _ in said(server, "--select", "L2")] == ["L2"]


def test_a_robots_txt_that_names_no_sitemap(server: Server) -> None:
    publish(server, {"ok": page()})
    server.paths["/robots.txt"] = says(200, "User-agent: *\n", "text/plain")
    assert said(server) == [("W0", f"robots.txt does not name {server.url}sitemap.xml")]
    other = "https://www.example.org/sitemap.xml"
    server.paths["/robots.txt"] = says(200, f"Sitemap: {other}\n", "text/plain")
    del server.paths["/sitemap.xml"]
    assert said(server) == [("W0", f"no sitemap of {server.url} was found; robots.txt names {other}")]


PASSWORD = {"Authorization": "Bearer sesame open", "X-Vercel-Bypass": "yes, both"}


def test_a_site_behind_a_password_is_read_with_its_headers(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a variable is in no output."""
    monkeypatch.setenv("DOCS_TOKEN", "sesame open\n")
    publish(server, {"ok": page(), "gone": says(404)})
    server.password = {name.lower().encode(): value.encode() for name, value in PASSWORD.items()}
    assert [rule for rule, _ in said(server)] == ["W0"]
    words = ("--header", "Authorization: Bearer env:DOCS_TOKEN", "--header", "X-Vercel-Bypass:yes, both")
    done = run(server, *words, "--format", "json")
    assert [found["id"] for found in json.loads(done.stdout)] == ["W2"]
    assert "sesame" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("url", "is_own"),
    [
        ("https://e.org/docs/", True),
        ("https://E.org:443/robots.txt", True),
        ("http://e.org/docs/", False),
        ("https://e.org:8443/docs/", False),
        ("https://www.e.org/docs/", False),
        ("https://e.org@f.org/", False),
    ],
)
def test_a_password_goes_to_the_server_of_the_site_alone(url: str, is_own: bool) -> None:
    """A sitemap may list its host with http, which everybody on the way can read."""
    client = Client("https://e.org/docs/", Pace(), "", PASSWORD)
    request = client.http.build_request("GET", url)
    assert client.http.auth is not None
    next(client.http.auth.sync_auth_flow(request))
    assert (request.headers.get("authorization") == PASSWORD["Authorization"]) is is_own


@pytest.mark.parametrize("status", [401, 403, 451])
def test_a_server_that_refuses_all_is_not_reported_as_good(server: Server, status: int) -> None:
    """A firewall may do so; it was "Nothing to report"."""
    for path in ("/robots.txt", "/sitemap.xml", "/sitemap_index.xml", "/other.xml"):
        server.paths[path] = says(status)
    for words in ((), ("--sitemap", "other.xml")):
        [(rule, message)] = said(server, *words)
        assert rule == "W0"
        assert f"the server answers {status}" in message or "404" in message


@pytest.mark.parametrize("is_named", [True, False])
def test_the_fix_for_what_is_refused_is_to_allow_it(server: Server, is_named: bool) -> None:
    publish(server, {"gone": says(404), "ok": page()})
    server.paths["/sitemap.xml"] = says(403)
    assert [it["fix"] for it in findings(server)] == ["Let crawlers read it, or do not list it."]
    server.paths["/sitemap.xml"] = says(401)
    if not is_named:
        server.paths["/robots.txt"] = says(401)
    cure = "It asks for a password: let crawlers read it, or check with --header."
    assert [it["fix"] for it in findings(server)] == [cure]
    publish(server, {"gone": says(404)})
    assert [it["fix"] for it in findings(server)] == [RULES["W2"].fix]


@pytest.mark.parametrize(
    ("answer", "rule", "is_named"),
    [
        (says(200, "<!doctype html><p>Oops", "text/html"), "W0", True),
        (says(404), "W2", True),
        (says(301, Location="/elsewhere.xml"), "W3", True),
        (says(301, Location="/elsewhere.xml"), "W3", False),
        (says(500), "W4", False),
        (breaks_off, "W1", False),
    ],
    ids=["html", "missing", "redirect", "redirect of a guess", "error", "breaks off"],
)
def test_one_cause_is_one_finding(server: Server, answer: Play, rule: str, is_named: bool) -> None:
    """The sitemap has a problem: not also that none was found, where no robots.txt names it."""
    publish(server, {"ok": page()})
    server.paths["/sitemap.xml"] = answer
    if not is_named:
        server.paths["/robots.txt"] = says(404)
    assert [rule for rule, _ in said(server, "--timeout", "1")] == [rule]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--live", "ftp://example.org/"], "--live: expected"),
        (["--live", "https://user:secret@example.org/"], "--live: expected"),
        (["SITE", "--sample", "2"], "Error: --sample: is for --live URL, which is not given.\n"),
        (["SITE", "--timeout", "2"], "Error: --timeout: is for --live URL, which is not given.\n"),
        (["SITE", "--header", "A: secret"], "Error: --header: is for --live URL, which is not given.\n"),
        (["--live", "https://e.org/", "--header", "Bearer secret"], "--header: expected 'NAME: VALUE' in"),
        (
            ["--live", "https://e.org/", "--header", "A: secr\u00e9t secret"],
            "--header: expected 'NAME: VALUE'",
        ),
        (
            ["--live", "https://e.org/", "--header", "A: Bearer env:secret"],
            "with a variable that is set, got",
        ),
        (["SITE", "--as", "bingbot"], "Error: --as: is for --live URL, which is not given.\n"),
        (["--live", "https://e.org/", "--as", "a\nb"], "--as: expected googlebot, bingbot or the"),
        (["--live", "https://e.org/", "--as", " "], "--as: expected googlebot, bingbot or the"),
        (["--live", "https://e.org/", "--as", "Googelbot"], "got 'Googelbot'; did you mean googlebot?\n"),
        (
            ["--live", "https://e.org/docs/sitemap.xml"],
            "--live: expected the URL of a site, got that of a sitemap: check --live https://e.org/docs/\n",
        ),
        (
            ["--live", "https://e.org/map.xml.gz"],
            "of a sitemap: check --live https://e.org/ --sitemap map.xml.gz\n",
        ),
        (
            ["--live", "https://example.org/", "--served-by=s3"],
            "Error: --served-by: is for SITE_DIR, which is not given.\n",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(tmp_path: Path, words: list[str], message: str) -> None:
    (tmp_path / "index.html").touch()
    done = CliRunner().invoke(main, ["check", *(str(tmp_path) if word == "SITE" else word for word in words)])
    assert done.exit_code == 2
    assert message in done.stderr
    assert "secret" not in done.stderr


def test_a_finding_about_no_file_has_a_location(server: Server) -> None:
    """A service refuses all results if one has none."""
    publish(server, {"gone": says(404)})
    [run_] = json.loads(run(server, "--format", "sarif").stdout)["runs"]
    assert [result["message"]["text"] for result in run_["results"]] == [
        f"{server.url}gone: the server answers 404. {RULES['W2'].fix}"
    ]
    assert all(result["locations"] for result in run_["results"])


def test_a_variable_that_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    set_proxies(monkeypatch, HTTP_PROXY="foo://127.0.0.1:9")
    done = run_module("docs_sitemap", "check", "--live", f"https://{LIAR}/")
    said = "HTTP_PROXY: expected the URL of a proxy with http or https, such as http://127.0.0.1:8080"
    assert done.stderr == f"Error: {said}, got 'foo://127.0.0.1:9': correct it, or unset it.\n"
    assert (done.returncode, done.stdout) == (1, "")


def test_the_sitemap_may_be_named(server: Server) -> None:
    publish(server, {"ok": page()})
    server.paths["/maps/other.xml"] = says(200, sitemap([server.url + "maps/ok"]), XML)
    server.paths["/maps/ok"] = page()
    server.paths["/sitemap.xml"] = says(200, sitemap([server.url + "gone"]), XML)
    assert [rule for rule, _ in said(server)] == ["W2"]
    found = said(server, "--sitemap", "maps/other.xml")
    assert [rule for rule, _ in found] == ["W0"]
    assert "robots.txt does not name" in found[0][1]


@pytest.mark.only_http1
def test_sitemaps_without_an_answer_end_the_check(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of an index, here: 20 in a row, whatever names them."""
    monkeypatch.setattr("docs_sitemap.check.client._PAUSES", (0.01, 0.02, 0.0))
    server.default = breaks_off
    publish(server, {})
    server.paths["/sitemap.xml"] = index(*(f"{server.url}s{number}.xml" for number in range(60)))
    question = LiveQuestion(base_url=server.url, pace=Pace(rate=10_000))
    _, site = check_live(question, RULES.chosen(["W"]))
    assert site.stopped == "20 URLs in a row have no answer"
    assert len({name for name in server.asked if name.startswith("/s")}) <= 22


def test_addresses_of_a_network_of_its_own_are_inside() -> None:
    """Site-local ones (RFC 3879), and what a network translates (RFC 8215)."""
    assert all(map(is_inside, ("fec0::1", "64:ff9b:1::7f00:1", "64:ff9b::7f00:1")))
    assert not is_inside("64:ff9b::808:808")


@pytest.mark.parametrize(
    ("play", "each"),
    [(is_slow, 5), (slowed(page(), 0.5), 1), (says(429, Retry_After="1"), 1)],
    ids=["no answer now and then", "slow answers", "asks to wait"],
)
def test_nobody_waits_for_a_server_for_ever(
    server: Server, monkeypatch: pytest.MonkeyPatch, play: Play, each: int
) -> None:
    monkeypatch.setattr("docs_sitemap.check.client.MAX_HELD", 2.0)
    monkeypatch.setattr("docs_sitemap.check.client._USUAL_SECONDS", 0.2)
    publish(server, {f"p{n}": page() if n % each else play for n in range(40)})
    question = LiveQuestion(base_url=server.url, pace=Pace(rate=1000, connections=1, seconds=1))
    _, site = check_live(question, RULES.chosen(["W"]))
    assert not site.is_complete
    assert "for more than 2 seconds in total" in site.stopped
    assert len(site.visits) < 25


def test_reading_sitemaps_has_a_limit_of_time(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slowly each is answered; what those list that were read is checked."""
    monkeypatch.setattr("docs_sitemap.check.live.MAX_READ_SECONDS", 1.0)

    names = [f"{number}.xml" for number in range(20)]
    server.paths["/sitemap.xml"] = index(*(f"{server.url}{name}" for name in names))
    for name in names:
        server.paths[f"/{name}"] = slowed(says(200, sitemap([f"{server.url}{name}.html"]), XML), 0.4)
    lines = [f"Sitemap: {server.url}{name}\n" for name in ("sitemap.xml", "other.xml", *names)]
    server.paths["/robots.txt"] = says(200, "".join(lines), "text/plain")
    (tmp_path / "sitemap.xml").write_text(
        sitemap([f"{server.url}{name}.html" for name in names], "2026-10-01")
    )
    shown: list[tuple[str, int, int]] = []

    @contextmanager
    def show(what: str) -> Iterator[Progress]:
        yield lambda done, of: shown.append((what, done, of))

    question = LiveQuestion(tmp_path, server.url, sample=1, pace=Pace(1000))
    result, site = check_live(question, RULES.chosen(["W1", "W2", "W9"]), show)
    read = len(site.sitemaps)
    assert 2 <= read <= 4
    said = f"sitemaps were read for 1 seconds, {read} of them, and only their pages are checked: "
    found = {(each.id, each.level, each.message.partition("use a")[0]) for each in result.findings}
    assert found == {
        ("W1", "warning", f"the check was stopped: {said}"),
        ("W2", "error", "the server answers 404"),
    }
    assert not site.is_complete
    assert shown == [("Reading sitemaps", done, 21) for done in range(1, read + 1)] + [
        ("Asking for pages", 1, 1)
    ]


def test_settings_are_for_a_served_site_too(server: Server, tmp_path: Path) -> None:
    """Patterns begin at the base URL, also for findings in sitemaps; the site in the settings is not read."""
    urls = [f"{server.url}docs/{name}" for name in ("gen/a", "own/a")]
    server.paths["/docs/sitemap.xml"] = says(200, sitemap([*urls, *urls]), XML)
    server.paths["/robots.txt"] = says(200, f"Sitemap: {server.url}docs/sitemap.xml\n", "text/plain")
    config = tmp_path / "docs-sitemap.toml"
    config.write_text('[check]\nsite = "gone"\nbase-url = "https://e.org/"\nselect = ["U3", "W2"]\n')
    words = ("check", "--live", f"{server.url}docs/", *RATE, "--format", "json", "--config", str(config))
    for more, own in (("", urls), ('per-file-ignores = {"/gen/" = ["U", "W2"]}', urls[1:])):
        config.write_text(f"{config.read_text()}{more}\n")
        done = run_module("docs_sitemap", *words, development=False)
        found = [(each["id"], each["url"]) for each in json.loads(done.stdout)]
        assert (done.returncode, sorted(found)) == (1, [(rule, url) for rule in ("U3", "W2") for url in own])
    config.write_text(f'{config.read_text()}fail-on = "never"\n')
    assert run_module("docs_sitemap", *words, development=False).returncode == 0
