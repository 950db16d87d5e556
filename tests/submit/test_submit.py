"""``docs-sitemap submit`` as it is called, against engines on the loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

pytest.importorskip("httpx")
pytest.importorskip("lxml")
pytest.importorskip("google.auth")

from click.testing import CliRunner, Result
from google.auth import jwt

from docs_sitemap import changes
from docs_sitemap.cli import main
from docs_sitemap.cli.submit_urls import Place, read_key, wait_until_online
from docs_sitemap.limits import MAX_BATCH
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Page
from docs_sitemap.submit.indexnow import Key, batches, host_of
from docs_sitemap.submit.searchconsole import read_status
from docs_sitemap.submit.web import Answer, SubmitError, Web
from tests.files.test_emit import run as build
from tests.submit.test_submit_reading import url, urlset
from tests.support.engine import Engine, Play, breaks, drips_body, says, serving

KEY = "0123456789abcdef-KEY"
SITE = "https://docs.example.org/"
SINCE = {"a/": "2024-01-01", "b/": "2024-01-01", "gone/": "2024-01-01"}
NOW = {"a/": "2024-01-01", "b/": "2024-02-02", "new/": "2024-02-02"}
CHANGED = [SITE + "b/", SITE + "gone/", SITE + "new/"]


def submit(*args: object, env: dict[str, str] | None = None, code: int = 0) -> Result:
    """Run the command; whatever comes of it, no secret is said."""
    done = CliRunner().invoke(main, ["submit", *map(str, args)], env=env, prog_name="docs-sitemap")
    for secret in (KEY, "BEGIN", "ya29", "S3CRET"):
        assert secret not in done.stdout + done.stderr
    assert done.exit_code == code, done.stderr
    return done


def site(folder: Path, pages: dict[str, str], **values: Any) -> Path:
    found = [Page(url=name, settings=PageSettings(lastmod=date)) for name, date in pages.items()]
    build(found, folder, **{"site": SITE, "indexnow_key": KEY, **values})
    return folder


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site(tmp_path_factory.mktemp("now"), NOW)


@pytest.fixture(scope="module")
def since(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site(tmp_path_factory.mktemp("since"), SINCE) / "sitemap.xml"


def rehearsed(done: Result) -> list[str]:
    """The URLs of a dry run; each line has a reason too."""
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert all(why for _, why in lines)
    return [address for address, _ in lines]


def sent(engine: Engine) -> list[str]:
    return [address for asked in engine.asked for address in asked.json["urlList"]]


# what is sent ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_web", [True, False])
def test_what_changed_is_sent_and_nothing_else(now: Path, since: Path, on_web: bool) -> None:
    with serving(paths={"/sitemap.xml": says(200, since.read_bytes())}) as engine:
        old = engine.url + "/sitemap.xml" if on_web else since
        done = submit(now, "--since", old, "--endpoint", engine.url + "/indexnow")
    assert [asked.method for asked in engine.asked] == ["GET"] * on_web + ["POST"]
    asked = engine.asked[-1]
    assert asked.path == "/indexnow"
    assert asked.headers["content-type"] == "application/json; charset=utf-8"
    assert asked.json == {
        "host": "docs.example.org",
        "key": KEY,
        "keyLocation": f"{SITE}{KEY}.txt",
        "urlList": CHANGED,
    }
    assert done.stdout == "docs.example.org: 3 URLs: 200, accepted.\n"
    assert done.stderr == "3 URLs: 1 new, 1 changed, 1 removed.\n"


def test_without_an_old_sitemap_all_must_be_asked_for(now: Path) -> None:
    with serving() as engine:
        done = submit(now, "--endpoint", engine.url, code=2)
        assert "all 3 URLs would be submitted, but IndexNow is for changed URLs" in done.stderr
        assert engine.asked == []
        submit(now, "--all", "--endpoint", engine.url)
    assert sent(engine) == sorted(SITE + name for name in NOW)


def test_undated_pages_are_said_and_not_sent(tmp_path: Path) -> None:
    """Nor is a page that lost its date: nothing says that it changed."""
    for name, date in (("one", "2024-01-01"), ("two", "")):
        entries = url(SITE + "a"), url(SITE + "b", date), url(SITE + name, "2024-01-01")
        (tmp_path / f"{name}.xml").write_bytes(urlset(*entries))
    done = submit(tmp_path / "two.xml", "--since", tmp_path / "one.xml", "--dry-run")
    assert done.stdout == f"{SITE}one\tremoved\n{SITE}two\tnew\n"
    assert done.stderr.startswith("2 URLs without a date")


def online(folder: Path, path: str = "") -> dict[str, Play]:
    """The files of a site, as the engine's server has them."""
    return {f"{path}/{file.name}": says(200, file.read_bytes()) for file in folder.iterdir()}


def remembered(file: Path) -> Any:
    return json.loads(file.read_bytes())["urls"]


def posted(engine: Engine) -> list[Any]:
    return [asked.json for asked in engine.asked if asked.method == "POST"]


@pytest.mark.parametrize("parts", [1, 3])
def test_before_and_after_a_deployment(tmp_path: Path, parts: int) -> None:
    """All parts of the old sitemap are remembered; the new one is submitted when it is online."""
    with serving() as engine:
        base = f"{engine.url}/"
        values = {"site": base, "max_urls": 1 if parts > 1 else 50_000}
        old = site(tmp_path / "old", SINCE, **values)
        new = site(tmp_path / "new", NOW, **values)
        engine.paths = online(old)
        known = tmp_path / "known.json"
        named = ["--base-url", base]
        assert f"{base}sitemap.xml: 3 URLs." in submit(new, "--remember", known, *named).stderr
        assert remembered(known) == {base + name: date for name, date in SINCE.items()}
        args = [new, "--since", known, "--endpoint", f"{base}indexnow", *named]
        done = submit(*args, "--wait", 0.3, code=1)
        assert "not online after 0.3 seconds: the new sitemap" in done.stderr
        assert "Nothing is submitted" in done.stderr
        assert posted(engine) == []
        engine.paths = online(new)
        log = tmp_path / "log.json"
        submit(*args, "--wait", 10, "--log", log)
        assert [each["urlList"] for each in posted(engine)] == [
            [base + name for name in ("b/", "gone/", "new/")]
        ]
        assert remembered(log) == {base + name: date for name, date in NOW.items()}
        done = submit(new, "--since", log, "--endpoint", base)
        assert (done.stdout, done.stderr) == ("", "0 URLs: 0 new, 0 changed, 0 removed.\n")
        assert len(posted(engine)) == 1


@pytest.mark.parametrize(
    ("sitemap", "key", "why"),
    [
        (says(301, Location="/x"), None, "the new sitemap at {0} (leads elsewhere (301)"),
        (says(500), None, "the new sitemap at {0} (cannot be read, the server answered 500)"),
        (None, says(200, b"another-key"), "the key file (it has something else)"),
    ],
)
def test_why_something_is_not_online_is_said(
    tmp_path: Path, sitemap: Play | None, key: Play | None, why: str
) -> None:
    with serving() as engine:
        new = site(tmp_path / "new", NOW, site=f"{engine.url}/")
        given = {"/sitemap.xml": sitemap, f"/{KEY}.txt": key}
        engine.paths = online(new) | {name: play for name, play in given.items() if play}
        args = [new, "--all", "--wait", 0.3, "--endpoint", engine.url + "/indexnow"]
        done = submit(*args, "--base-url", engine.url, code=1)
    assert why.format(f"{engine.url}/sitemap.xml") in done.stderr


def interrupted(engine: Engine, requests: int, *args: object) -> tuple[int, str]:
    """Return the exit code and the messages of a command that Ctrl-C ends after so many requests."""
    command = [sys.executable, "-m", "docs_sitemap", "submit", *map(str, args)]
    # not in the development mode: asyncio may speak of a loop that Ctrl-C has met as it was closing
    environ = {**os.environ, "PYTHONDEVMODE": ""}
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ)
    while len(engine.asked) < requests:
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=30)
    return running.returncode, said


@pytest.mark.parametrize("args", [["--remember", "known.json"], ["--since", "known.json", "--wait", "1"]])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_file_of_the_site_leads_to_no_server_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], host: str
) -> None:
    """A robots.txt in the built site may name any address."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.json").write_bytes(changes.render({}))
    with serving() as engine:
        inside = engine.url.replace("127.0.0.1", host)
        new = site(tmp_path / "new", NOW, site=f"{inside}/admin/")
        done = submit(new, *args, "--endpoint", engine.url, code=1)
    assert engine.asked == []
    assert "is not public, and only a file of the site names it: nothing is sent" in done.stderr


@pytest.mark.parametrize("is_published", [True, False])
def test_a_secret_key_is_not_sent_to_a_host_that_only_a_file_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_published: bool
) -> None:
    """The key file's URL has the key: it is asked for only if the site publishes it, or the user names it."""
    monkeypatch.setattr("docs_sitemap.submit.web.is_loopback", lambda url: False)
    asked: list[str] = []

    def ask(self: Web, method: str, url: str, **values: Any) -> Answer:
        asked.append(url)
        return Answer(404)

    monkeypatch.setattr(Web, "ask", ask)
    new = site(tmp_path / "new", NOW, indexnow_key=KEY if is_published else None)
    place = Place("sitemap.xml", new / "sitemap.xml", SITE, False)
    with pytest.raises(SubmitError, match="not online"):
        wait_until_online(place, read_key(place, KEY, None, Web()), Web(), 0.1)
    assert any(KEY in url for url in asked) == is_published


def test_each_part_must_be_online_too(tmp_path: Path) -> None:
    """An index may be served before its parts; what was there once is not asked for again."""
    with serving() as engine:
        new = site(tmp_path / "new", NOW, site=f"{engine.url}/", max_urls=1)
        files = online(new)
        engine.paths = {**files, "/sitemap-2.xml": says(404)}
        args = [new, "--all", "--endpoint", engine.url + "/indexnow", "--base-url", engine.url]
        done = submit(*args, "--wait", 0.5, code=1)
        assert "not online after 0.5 seconds: the new sitemap" in done.stderr
        assert f"({engine.url}/sitemap-2.xml: no sitemap (404))" in done.stderr
        asked = Counter(each.path for each in engine.asked)
        assert asked["/sitemap.xml"] == asked["/sitemap-1.xml"] == 1 <= asked["/sitemap-2.xml"]
        engine.paths = {**files, "/sitemap-2.xml": files["/sitemap-1.xml"]}
        submit(*args, "--wait", 0.5, code=1)
        engine.paths = {**files, "/sitemap-2.xml": says(200, b"<urlset")}
        assert "not online after 0.5 seconds" in submit(*args, "--wait", 0.5, code=1).stderr  # half a file
        engine.paths = files
        submit(*args, "--wait", 10)
    assert [len(each["urlList"]) for each in posted(engine)] == [3]


@pytest.mark.parametrize("has_robots", [True, False])
def test_the_old_sitemap_may_have_another_name(tmp_path: Path, has_robots: bool) -> None:
    """Without any, this is the first deployment: all is new."""
    known = tmp_path / "known.json"
    with serving(says(404)) as engine:
        base = f"{engine.url}/docs/"
        old = site(tmp_path / "old", SINCE, site=base, filename="old.xml", max_urls=1)
        new = site(tmp_path / "new", NOW, site=base)
        engine.paths = online(old, "/docs")
        lines = f"Sitemap: {engine.url}/other.xml\nSitemap: {base}old.xml\nSitemap: {base}dead.xml\n"
        if has_robots:
            engine.paths = {**engine.paths, "/robots.txt": says(200, lines.encode())}
        said = submit(new, "--remember", known, "--base-url", base).stderr
        asked = [each.path for each in engine.asked]
    assert f"{base}sitemap.xml: no sitemap (404)." in said
    assert (f"{base}old.xml, which robots.txt names: 3 URLs." in said) == has_robots
    assert ("all URLs of the new sitemap will count as new" in said) != has_robots
    assert remembered(known) == ({base + name: date for name, date in SINCE.items()} if has_robots else {})
    assert "/other.xml" not in asked
    assert "3 new, " in submit(new, "--since", known, "--dry-run", "--base-url", base).stderr or has_robots


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("beside", [True, False])
def test_the_new_sitemap_may_be_on_the_web(tmp_path: Path, parts: int, beside: bool) -> None:
    """The key, which is in the environment, is for the folder whose key file is there, or for the host."""
    log = tmp_path / "log.json"
    with serving() as engine:
        base = f"{engine.url}/docs/"
        new = site(tmp_path / "new", NOW, site=base, max_urls=1 if parts > 1 else 50_000)
        engine.paths = online(new, "/docs")
        if not beside:
            engine.paths = {**engine.paths, f"/docs/{KEY}.txt": says(404)}
        args = [f"{base}sitemap.xml", "--since", log, "--log", log, "--endpoint", engine.url]
        for _ in range(2):
            submit(*args, env={"INDEXNOW_KEY": KEY})
    (once,) = posted(engine)
    assert once["urlList"] == [base + name for name in sorted(NOW)]
    assert once.get("keyLocation") == (f"{base}{KEY}.txt" if beside else None)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise")
def test_ctrl_c_keeps_the_log_of_what_was_accepted(tmp_path: Path) -> None:
    listed, log = tmp_path / "list.txt", tmp_path / "log.json"
    listed.write_text("".join(f"{SITE}{number}/\n" for number in range(MAX_BATCH + 5)))
    with serving(says(200), drips_body) as engine:
        code, said = interrupted(
            engine, 2, listed, "--all", "--key", KEY, "--log", log, "--endpoint", engine.url
        )
    assert code == 130
    assert "Stopped after 1 of 2 requests." in said
    assert len(remembered(log)) == MAX_BATCH


def test_certificates_that_cannot_be_read_are_said(now: Path) -> None:
    env = {"SSL_CERT_FILE": "/nowhere/ca.pem"}
    done = submit(now, "--all", "--endpoint", "https://127.0.0.1:1/", env=env, code=1)
    assert done.stderr.endswith("cannot read certificates: check the variable SSL_CERT_FILE.\n")


@pytest.mark.parametrize(
    "answers",
    [
        {"sitemap.xml": says(500)},
        {"sitemap.xml": breaks},
        {"sitemap.xml": says(200, b"<html>")},
        {"sitemap-2.xml": says(404)},
        {"sitemap.xml": says(404), "robots.txt": says(403)},
        {"sitemap.xml": says(404), "robots.txt": says(503)},
    ],
)
def test_where_the_old_sitemap_cannot_be_read_nothing_is_remembered(
    tmp_path: Path, answers: dict[str, Play]
) -> None:
    """A part that is missing is no first deployment."""
    with serving() as engine:
        new = site(tmp_path / "new", NOW, site=f"{engine.url}/", max_urls=1)
        engine.paths = online(new) | {f"/{name}": answer for name, answer in answers.items()}
        args = [new, "--remember", tmp_path / "known.json", "--retries", 0, "--base-url", engine.url]
        done = submit(*args, code=1)
    assert ("robots.txt: cannot be read, the server answered" in done.stderr) == ("robots.txt" in answers)
    assert not (tmp_path / "known.json").exists()


@pytest.mark.parametrize("status", [202, 403])
def test_what_the_engine_has_not_taken_is_not_known(
    now: Path, since: Path, tmp_path: Path, status: int
) -> None:
    """After 202 it still has to check the key."""
    log = tmp_path / "log.json"
    with serving(says(status)) as engine:
        args = ["--since", since, "--log", log, "--endpoint", engine.url]
        submit(now, *args, code=int(status == 403))
    assert remembered(log) == {SITE + name: date for name, date in SINCE.items()}


@pytest.mark.parametrize("dates", [True, False])
def test_a_dry_run_prints_a_list_and_sends_nothing(now: Path, since: Path, dates: bool) -> None:
    with serving(paths={"/sitemap.xml": says(200, since.read_bytes())}) as engine:
        old = ["--since", engine.url + "/sitemap.xml"] if dates else []
        done = submit(now, *old, "--endpoint", engine.url, "--dry-run")
    assert [asked.method for asked in engine.asked] == ["GET"] * dates
    assert rehearsed(done) == (CHANGED if dates else sorted(SITE + name for name in NOW))
    if dates:
        assert f"{SITE}b/\tchanged from 2024-01-01 to 2024-02-02\n" in done.stdout
    assert f"docs.example.org: 3 URLs would be sent to {engine.url}." in done.stderr
    assert f"The key file: {SITE}KEY.txt (KEY stands for the key).\n" in done.stderr
    assert ("to submit them, use --all" in done.stderr) is not dates


def test_a_list_of_a_dry_run_can_be_sent_later(now: Path, since: Path, tmp_path: Path) -> None:
    """The old sitemap is online before the deployment, and the new pages are after it."""
    listed = tmp_path / "changed.txt"
    listed.write_text(submit(now, "--since", since, "--dry-run").stdout)
    assert "No key yet" in submit(listed, "--all", "--dry-run").stderr
    with serving() as engine:
        submit(listed, "--all", "--endpoint", engine.url, env={"INDEXNOW_KEY": KEY})
    assert engine.asked[0].json == {"host": "docs.example.org", "key": KEY, "urlList": CHANGED}


def test_ten_thousand_go_at_once_and_each_host_by_itself(tmp_path: Path) -> None:
    first = [f"https://a.example/{n:05}" for n in range(MAX_BATCH + 1)]
    second = ["http://b.example:8080/", "https://B.example:8080/x"]
    (tmp_path / "sitemap.txt").write_text("\n".join(first + second))
    with serving() as engine:
        hosts = ["--key-location", "https://a.example/keys.txt", "--host", "http://B.example:8080/"]
        done = submit(tmp_path, "--all", "--key", KEY, "--endpoint", engine.url, *hosts)
    locations = [asked.json.get("keyLocation") for asked in engine.asked]
    assert locations == ["https://a.example/keys.txt"] * 2 + [None]
    assert [(asked.json["host"], len(asked.json["urlList"])) for asked in engine.asked] == [
        ("a.example", 10_000),
        ("a.example", 1),
        ("b.example:8080", 2),
    ]
    assert sorted(sent(engine)) == sorted(first + second)
    assert len(done.stdout.splitlines()) == 3


# the key ---------------------------------------------------------------------------------------------


def test_a_key_file_in_a_folder_covers_what_is_below_and_the_rest_is_refused(tmp_path: Path) -> None:
    folder = site(tmp_path / "site", NOW, site=SITE + "docs/")
    (tmp_path / "old.txt").write_text(f"{SITE}docs/gone\n{SITE}docsx\n{SITE}\nhttps://other.example/docs/\n")
    with serving() as engine:
        done = submit(folder, "--since", tmp_path / "old.txt", "--endpoint", engine.url, code=1)
    assert engine.asked[0].json["keyLocation"] == f"{SITE}docs/{KEY}.txt"
    assert sent(engine) == [f"{SITE}docs/{name}" for name in ("a/", "b/", "gone", "new/")]
    assert (
        f"not submitted: 2 URLs outside of {SITE}docs/, the folder of the key file, for example {SITE}. "
        in done.stderr
    )
    assert "1 URL on another host, such as https://other.example/docs/: not submitted." in done.stderr


@pytest.mark.parametrize(
    ("location", "address", "is_covered"),
    [
        ("", "https://any.example/", True),
        ("https://e.org/KEY.txt", "https://e.org/a", True),
        ("https://e.org/KEY.txt", "https://f.org/a", True),
        ("https://e.org/d/KEY.txt", "https://e.org/d/", True),
        ("https://e.org/d/KEY.txt", "http://E.org/d/a", True),
        ("https://e.org/d/KEY.txt", "https://e.org/d", False),
        ("https://e.org/d/KEY.txt", "https://e.org/", False),
        ("https://e.org/d/KEY.txt", "https://f.org/d/", False),
        ("https://e.org/d/KEY.txt", "https://e.org:8443/d/", False),
    ],
)
def test_what_a_key_covers(location: str, address: str, is_covered: bool) -> None:
    assert Key("x" * 8, location).covers(address) is is_covered


def foreign(folder: Path, **values: Any) -> Path:
    """Return a site whose sitemap has three addresses of other hosts among its own."""
    site(folder, NOW, **values)
    theirs = "".join(url(address, "2024-01-01") for address in THEIRS)
    sitemap = (folder / "sitemap.xml").read_text("utf-8")
    (folder / "sitemap.xml").write_text(sitemap.replace("</urlset>", theirs + "</urlset>"), "utf-8")
    return folder


THEIRS = ["https://docs.example.org.evil.example/", "https://evil.example/a", "https://evil.example/b"]


@pytest.mark.parametrize("args", [[], ["--key-location", f"{SITE}{KEY}.txt"], ["--base-url", SITE]])
def test_no_key_goes_out_for_a_host_that_only_the_sitemap_names(tmp_path: Path, args: list[str]) -> None:
    with serving() as engine:
        done = submit(foreign(tmp_path), "--all", *args, "--endpoint", engine.url)
    assert [asked.json["host"] for asked in engine.asked] == ["docs.example.org"]
    assert sent(engine) == sorted(SITE + name for name in NOW)
    assert done.stderr.splitlines() == [
        "6 URLs: 6 new, 0 changed, 0 removed.",
        f"3 URLs on 2 other hosts, such as {THEIRS[0]}: not submitted. "
        "If a host belongs to the site, name it with --host.",
    ]


def test_a_host_that_the_user_names_is_the_sites_own(tmp_path: Path) -> None:
    with serving() as engine:
        args = ["--host", "EVIL.example", "--endpoint", engine.url]
        done = submit(foreign(tmp_path), "--all", "--dry-run", *args)
        assert rehearsed(done) == [*sorted(SITE + name for name in NOW), *THEIRS[1:]]
        submit(tmp_path, "--all", *args)
    assert [asked.json["host"] for asked in engine.asked] == ["docs.example.org", "evil.example"]
    for wrong in ("a b", "", "https://e.org:port/", "ex\nample"):
        assert "--host: expected a host" in submit(tmp_path, "--all", "--host", wrong, code=2).stderr
    done = submit(tmp_path, "--all", "--host", "user:S3CRET@e.org", code=2)
    assert "--host: expected a host" in done.stderr


def test_where_several_hosts_may_be_the_sites_own_none_is_guessed(tmp_path: Path) -> None:
    listed = tmp_path / "changed.txt"
    listed.write_text(f"{SITE}a\n{THEIRS[1]}\n")
    with serving(paths={"/sitemap.xml": says(200, urlset())}) as engine:
        for args in (["--all"], ["--since", engine.url + "/sitemap.xml"]):
            done = submit(listed, *args, "--key", KEY, "--endpoint", engine.url, code=2)
            assert "docs.example.org and evil.example" in done.stderr
            assert "--base-url" in done.stderr
        assert not [asked for asked in engine.asked if asked.method == "POST"]
        submit(listed, "--all", "--key", KEY, "--endpoint", engine.url, "--base-url", SITE)
    assert engine.asked[-1].json["urlList"] == [SITE + "a"]


def test_addresses_of_a_host_go_together_however_it_is_written() -> None:
    addresses = [
        "https://e.org/",
        "http://E.ORG:80/",
        "https://e.org:443/",
        "http://[::1]:81/",
        "https://f.org/",
    ]
    found = [(batch.host, len(batch.urls)) for batch in batches(addresses)]
    assert found == [("[::1]:81", 1), ("e.org", 3), ("f.org", 1)]
    assert host_of("https://e.org:port/") == "e.org:port"


# what comes back --------------------------------------------------------------------------------------

STATUSES = {
    200: ("accepted", 0, ""),
    202: ("the engine still has to check the key file", 0, ""),
    400: ("the engine rejects the format of the request", 1, "--dry-run lists them"),
    403: ("the engine does not accept the key", 1, f"Fix: open {SITE}KEY.txt (KEY stands for the key)"),
    422: ("the URLs are not on this host", 1, f"keep to the folder of {SITE}KEY.txt"),
    429: ("too many requests", 1, "--endpoint https://yandex.com/indexnow"),
    503: ("the engine has an error", 1, "submit later"),
    307: ("the engine redirects, and the key is not sent there", 1, "set the final URL with --endpoint"),
    418: ("an unknown status", 1, ""),
}


@pytest.mark.parametrize("status", STATUSES)
def test_each_status_is_explained(now: Path, status: int) -> None:
    said, code, fix = STATUSES[status]
    echo = says(status, KEY.encode() * 9, Location=f"https://e.org/{KEY}", Retry_After="0")
    with serving(echo) as engine:
        done = submit(now, "--all", "--endpoint", engine.url, "--retries", 1, code=code)
    first, *more = done.stdout.splitlines()
    assert first.startswith(f"docs.example.org: 3 URLs: {status}, ")
    assert said in first
    assert (f"  The engine says: {'KEY' * 9}." in more) == bool(code)
    assert ["Fix: " in line for line in more[1:]] == [True] * bool(fix)
    assert fix in done.stdout
    assert len(engine.asked) == (2 if status in (429, 503) else 1)


FORBIDDEN = {"errorCode": "UserForbiddedToAccessSite", "message": "User is unauthorized to access the site."}


@pytest.mark.parametrize(
    ("base", "body", "said", "fix"),
    [
        (
            f"{SITE}project/",
            FORBIDDEN,
            "UserForbiddedToAccessSite: User is unauthorized to access the site.",
            f"put the key file at the root of the host, {SITE}KEY.txt",
        ),
        (SITE, {"code": "SiteVerificationNotCompleted"}, "SiteVerificationNotCompleted", "in 15 minutes"),
        (SITE, {"error": {"code": 3, "message": KEY.upper()}, "details": ["x"]}, "KEY", "then use a new key"),
        (SITE, "a\x1b[2J\n\n##[error]" + "b" * 999, "'a\\x1b[2J #\\x23[error]bbb", "then use a new key"),
        (SITE, "<html>Blocked", "", "then use a new key"),
        (SITE, '{"success": true}', "", "then use a new key"),
        (SITE, "[" * 9999, "[[", "then use a new key"),
    ],
)
def test_what_an_engine_says_is_shown_with_its_cause(
    tmp_path: Path, base: str, body: object, said: str, fix: str
) -> None:
    """Shortened, escaped, without the key; gitlab-mcp-server#207 was a key file below the root."""
    text = body if isinstance(body, str) else json.dumps(body)
    with serving(says(403, text.encode())) as engine:
        done = submit(site(tmp_path, NOW, site=base), "--all", "--endpoint", engine.url, code=1)
    lines = done.stdout.splitlines()
    meaning = "has not checked the key yet" if "Not" in said else "does not accept the key"
    assert lines[0] == f"docs.example.org: 3 URLs: 403, the engine {meaning}."
    assert lines[-1].startswith("  Fix: ")
    assert fix in lines[-1]
    assert [line.startswith(f"  The engine says: {said}") for line in lines[1:-1]] == [True] * bool(said)
    assert max(map(len, lines)) < 400


@pytest.mark.parametrize(
    ("first", "code", "asked"), [(says(200), 0, 1), (says(403), 0, 2), (breaks, 0, 2)], ids=str
)
def test_one_endpoint_that_accepts_is_enough(
    now: Path, tmp_path: Path, first: Play, code: int, asked: int
) -> None:
    log = tmp_path / "log.json"
    with serving(first) as one, serving() as two:
        args = ["--endpoint", one.url, "--endpoint", two.url, "--retries", 0, "--log", log]
        done = submit(now, "--all", *args, code=code)
        hosts = [engine.url.removeprefix("http://") for engine in (one, two)][:asked]
    answers = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split(": ")[2] for line in answers] == hosts
    assert answers[-1] == f"docs.example.org: 3 URLs: {hosts[-1]}: 200, accepted."
    assert len(one.asked) + len(two.asked) == asked
    assert len(remembered(log)) == 3


def test_a_host_that_was_refused_is_not_asked_again_and_others_are(tmp_path: Path) -> None:
    addresses = [f"https://a.example/{n:05}" for n in range(MAX_BATCH * 2 + 1)] + ["https://b.example/"]
    (tmp_path / "sitemap.txt").write_text("\n".join(addresses))
    with serving(says(403)) as one, serving(says(403), says(200)) as two:
        hosts = ["--host", "a.example", "--host", "b.example", "--endpoint", one.url, "--endpoint", two.url]
        done = submit(tmp_path, "--all", "--key", KEY, *hosts, code=1)
    for engine in (one, two):
        assert [asked.json["host"] for asked in engine.asked] == ["a.example", "b.example"]
    assert done.stdout.count("not sent, because the engine refused an earlier batch") == 2
    assert f"b.example: 1 URL: {two.url.removeprefix('http://')}: 200, accepted." in done.stdout


# wrong usage ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["google", "bing", "yahoo", "ask", "didikle"])
def test_an_engine_that_takes_no_pings_says_since_when_and_what_to_do(now: Path, engine: str) -> None:
    said = submit(now, "--engine", engine.title(), code=2).stderr
    assert any(word in said for word in ("20", "unknown date"))
    assert any(word in said for word in ("Omit --engine", "--search-console", "no replacement"))


NO_KEY = "--key or INDEXNOW_KEY: expected 8 to 128 letters"
ALONE = "--remember is for the time before a deployment"
WRONG = [
    (". --all --engine altavista", "--engine: expected one of indexnow, google, bing"),
    (". --all --since x", "--since and --all: use only one of them"),
    (". --all --endpoint http://e.org/", "--endpoint: expected an https URL"),
    (". --since http://e.org/s.xml", "--since: expected an https URL"),
    (". --since none.xml", "--since: expected a sitemap, as a file or an https URL, got 'none.xml'"),
    (". --all --key-location http://e.org/k.txt", "--key-location: expected an https URL"),
    (". --all --base-url e.org", "--base-url: expected an absolute URL"),
    (f". --search-console {SITE}", "--search-console needs --credentials FILE"),
    (
        f". --search-console {SITE} --credentials list.txt --endpoint https://e.org/ --endpoint https://f.org/",
        "--endpoint: only one is possible with --search-console",
    ),
    (". --all --timeout 0", "Invalid value for '--timeout'"),
    (". --all", "no key for IndexNow: set INDEXNOW_KEY"),
    (". --all --key short", NO_KEY),
    (". --all --key k_y_with_underscores", NO_KEY),
    (". --remember x --dry-run", ALONE),
    (". --remember x --all", ALONE),
    (". --remember x --wait 1", ALONE),
    (". --all --log no/log.json", "--log: cannot write no/log.json: directory no does not exist"),
    ("list.txt --all --wait 9", "no key for IndexNow: set INDEXNOW_KEY"),
    (
        f"list.txt --all --search-console {SITE} --credentials list.txt",
        "set that of its folder with --base-url",
    ),
]


@pytest.mark.parametrize(("args", "said"), WRONG, ids=[args for args, _ in WRONG])
def test_wrong_usage_is_one_clear_message(
    now: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: str, said: str
) -> None:
    """Before anything is sent: nothing answers for these hosts."""
    for file in now.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text(SITE)
    (tmp_path / f"{KEY}.txt").unlink()
    done = submit(*args.split(), code=2)
    assert said in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("{", "is not a file that submit --remember or --log has written"),
        ('{"docs-sitemap": 2, "urls": {}}', "is not a file that submit --remember or --log has written"),
        ('{"docs-sitemap": 1, "urls": []}', "is not a file that submit --remember or --log has written"),
    ],
)
def test_what_is_no_old_sitemap_is_said(now: Path, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "known.json").write_text(text)
    assert f"known.json: {said}" in submit(now, "--since", tmp_path / "known.json", code=1).stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--since", "{0}/none.xml"], "If this is the first deployment, use --all."),
        (["--all", "--wait", "5"], "--wait: is for the folder of the new site"),
        (["--all"], "none.xml: no sitemap (404)."),
    ],
)
def test_a_sitemap_on_the_web_may_be_none(since: Path, args: list[str], said: str) -> None:
    """One on the web cannot be waited for: the old one would be taken for the new."""
    with serving(says(404), paths={"/sitemap.xml": says(200, since.read_bytes())}) as engine:
        words = [word.format(engine.url) for word in args]
        place = f"{engine.url}/{'none' if args == ['--all'] else 'sitemap'}.xml"
        hosts = ["--host", "docs.example.org", "--endpoint", engine.url]
        done = submit(place, *words, *hosts, env={"INDEXNOW_KEY": KEY}, code=2 if "--wait" in args else 1)
    assert said in done.stderr
    assert posted(engine) == []


def test_only_search_console_needs_google_auth(now: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "sitecustomize.py").write_text(
        "import importlib.util as u; f = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name.split('.')[0] == 'google' else f(name, *rest)\n"
    )
    path = os.pathsep.join([str(blocked), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "docs_sitemap", "submit", str(now)]
    environ = {**os.environ, "PYTHONPATH": path}
    done, dry = (
        subprocess.run([*command, *options], env=environ, capture_output=True, text=True, check=False)
        for options in (["--search-console", "sc-domain:example.org"], ["--dry-run"])
    )
    assert done.returncode == 2
    assert done.stderr == 'Error: docs-sitemap submit needs google-auth: pip install "docs-sitemap[submit]"\n'
    assert dry.returncode == 0, dry.stderr


# Search Console -----------------------------------------------------------------------------------------

STATUS = {
    "path": SITE + "sitemap.xml",
    "lastSubmitted": "2026-11-20T10:11:12.000Z",
    "lastDownloaded": "2026-11-20T10:12:00.000Z",
    "isPending": False,
    "errors": "0",
    "warnings": "2",
    "contents": [{"type": "web", "submitted": "31", "indexed": "0"}],
}
TOKEN = says(200, json.dumps({"access_token": "ya29.token", "expires_in": 3599}).encode())
PUT_PATH = "/sites/https%3A%2F%2Fdocs.example.org%2F/sitemaps/https%3A%2F%2Fdocs.example.org%2Fsitemap.xml"


def pem(key: Any) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return str(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), "ascii")


@pytest.fixture(scope="session")
def private_key() -> str:
    from cryptography.hazmat.primitives.asymmetric import rsa

    return pem(rsa.generate_private_key(public_exponent=65537, key_size=2048))


def public_key(private_key: str) -> bytes:
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(private_key.encode(), None)
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def credentials_file(tmp_path: Path, private_key: str, /, **values: object) -> Path:
    info = {
        "type": "service_account",
        "project_id": "example",
        "private_key_id": "0a1b2c",
        "private_key": private_key,
        "client_email": "robot@example.iam.gserviceaccount.com",
        "token_uri": "https://oauth2.googleapis.com/token",
        **values,
    }
    file = tmp_path / "credentials.json"
    file.write_text(json.dumps(info))
    return file


def to_google(
    engine: Engine,
    now: Path,
    tmp_path: Path,
    private_key: str,
    *args: object,
    name: str = SITE,
    code: int = 0,
) -> Result:
    file = credentials_file(tmp_path, private_key, token_uri=engine.url + "/token")
    options = ["--search-console", name, "--credentials", file, "--endpoint", engine.url, "--retries", 0]
    done = submit(now, *options, *args, code=code)
    assert "robot@" not in done.stdout + done.stderr
    return done


def test_a_sitemap_is_submitted_and_its_status_is_said(now: Path, tmp_path: Path, private_key: str) -> None:
    with serving(
        says(204), says(204), says(200, json.dumps(STATUS).encode()), paths={"/token": TOKEN}
    ) as engine:
        done = to_google(engine, now, tmp_path, private_key, "--engine", "google")
    token, put, get = engine.asked
    assert [asked.method for asked in (token, put, get)] == ["POST", "PUT", "GET"]
    assert put.path == get.path == PUT_PATH
    assert put.headers["authorization"] == get.headers["authorization"] == "Bearer ya29.token"
    assert put.body == b""
    form = parse_qs(token.body.decode())
    assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    claims = jwt.decode(  # type: ignore[no-untyped-call]
        form["assertion"][0], certs=public_key(private_key), audience=engine.url + "/token"
    )
    assert claims["iss"] == "robot@example.iam.gserviceaccount.com"
    assert claims["scope"] == "https://www.googleapis.com/auth/webmasters"
    assert done.stdout == (
        "https://docs.example.org/sitemap.xml: submitted to Search Console: read, submitted "
        "2026-11-20T10:11:12, last read 2026-11-20T10:12:00, errors: 0, warnings: 2, web: 31.\n"
    )


def test_errors_that_search_console_found_are_a_finding(now: Path, tmp_path: Path, private_key: str) -> None:
    found = json.dumps(STATUS | {"errors": "3", "isPending": True}).encode()
    with serving(says(204), says(204), says(200, found), paths={"/token": TOKEN}) as engine:
        done = to_google(engine, now, tmp_path, private_key, code=1)
    assert "not read yet" in done.stdout
    assert "errors: 3" in done.stdout


PROPERTIES = "write the property as Search Console does: sc-domain:example.org for a domain property"
REFUSALS = {
    400: PROPERTIES,
    401: "the account in the credentials file is unknown",
    403: f"add the account's client_email to the property's users, with full permission; {PROPERTIES}",
    404: PROPERTIES,
    429: "too many requests",
    500: "the engine has an error",
    302: "the engine redirects",
}
NO_TOKENS: list[tuple[Play, str]] = [
    (
        says(400, b'{"error": "invalid_grant", "error_description": "Invalid JWT Signature."}'),
        "400, no token for the account in the credentials file. The engine says: invalid_grant: Invalid JWT",
    ),
    (says(302, Location="https://e.org/"), "302, no token for"),
    (says(200, b"<html>"), "the answer cannot be understood"),
    (says(200, b'{"access_token": "ya29\\r\\nX: y"}'), "the answer contains no token"),
    (breaks, "the connection broke"),
]


@pytest.mark.parametrize("status", REFUSALS)
def test_each_status_of_search_console_is_explained(
    now: Path, tmp_path: Path, private_key: str, status: int
) -> None:
    text = "User robot@example.iam.gserviceaccount.com has no permission, ya29.token"
    body = json.dumps({"error": {"code": status, "message": text}}).encode()
    refusal = says(status, body, Location="https://e.org/")
    with serving(refusal, paths={"/token": TOKEN}) as engine:
        done = to_google(engine, now, tmp_path, private_key, code=1)
    assert f": {status}, " in done.stderr
    assert REFUSALS[status] in done.stderr
    assert ". The engine says: User ACCOUNT has no permission, TOKEN." in done.stderr
    assert [asked.method for asked in engine.asked] == ["POST", "PUT"]


@pytest.mark.parametrize(("token", "said"), NO_TOKENS)
def test_without_a_token_nothing_is_submitted(
    now: Path, tmp_path: Path, private_key: str, token: Play, said: str
) -> None:
    with serving(says(204), paths={"/token": token}) as engine:
        done = to_google(engine, now, tmp_path, private_key, code=1)
    assert said in done.stderr
    assert [asked.path for asked in engine.asked] == ["/token"]


NO_ACCOUNT = "expected the JSON file of a service account"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("", NO_ACCOUNT),
        ("[]", NO_ACCOUNT),
        ("null", NO_ACCOUNT),
        ('"BEGIN"', NO_ACCOUNT),
        ({"private_key": None}, "missing: private_key"),
        ({"private_key": "-----BEGIN PRIVATE KEY-----\nnonsense"}, "its private_key cannot be read"),
        ({"token_uri": "http://example.org/token"}, "token_uri: expected an https URL"),
        ({"client_email": ""}, "missing: client_email"),
    ],
)
def test_a_credentials_file_that_is_none_is_not_shown(
    now: Path, tmp_path: Path, private_key: str, values: dict[str, object] | str, said: str
) -> None:
    file = credentials_file(tmp_path, private_key, **(values if isinstance(values, dict) else {}))
    if isinstance(values, str):
        file.write_text(values)
    done = submit(now, "--search-console", SITE, "--credentials", file, code=1)
    assert said in done.stderr
    assert "nonsense" not in done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sc-domain:example.org", ""),
        ("sc-domain:docs.example.org", ""),
        (SITE, ""),
        (SITE[:-1], ""),
        ("sc-domain:ample.org", "is not below the property"),
        ("https://docs.example.or", "is not below the property"),
        ("http://docs.example.org/", "is not below the property"),
        ("docs.example.org", "expected a property such as"),
        ("user:S3CRET@docs.example.org", "expected a property such as"),
        ("https://user:S3CRET@docs.example.org/", "is not below the property"),
    ],
)
def test_the_sitemap_must_be_below_the_property(
    now: Path, tmp_path: Path, private_key: str, name: str, said: str
) -> None:
    """A dry run asks Google nothing."""
    with serving() as engine:
        done = to_google(engine, now, tmp_path, private_key, "--dry-run", name=name, code=int(bool(said)))
    assert engine.asked == []
    assert said in done.stderr
    assert done.stdout == ("" if said else SITE + "sitemap.xml\n")


def test_a_status_of_google_without_numbers_and_another_answer() -> None:
    assert read_status(b"{}").text == "read, errors: 0, warnings: 0"
    with pytest.raises(SubmitError, match="Search Console: the answer cannot be understood"):
        read_status(b'{"errors": null, "contents": 5}')


def test_a_key_that_is_not_rsa_is_said(now: Path, tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric import ed25519

    with serving() as engine:
        done = to_google(engine, now, tmp_path, pem(ed25519.Ed25519PrivateKey.generate()), code=1)
    assert done.stderr == "Error: the private key in the credentials file cannot sign: expected an RSA key.\n"
    assert engine.asked == []
