"""``docs-sitemap build`` as a user runs it, on a configuration and on front matter that take all memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

pytest.importorskip("click")
pytest.importorskip("yaml")

from docs_sitemap.generators.html import front_matter
from docs_sitemap.limits import MAX_CONFIGURATION, MAX_FRONT_MATTER
from docs_sitemap.options.declarations import OPTIONS
from docs_sitemap.untrusted import data
from docs_sitemap.untrusted.data import (
    read_front_matter_yaml,
    read_json,
    read_json_start,
    read_toml,
    read_yaml,
)
from tests.support import sitemaps
from tests.support.bombs import WRITTEN, aliases, assert_brief, bounded, run

pytestmark = pytest.mark.slow

BASE = "https://example.org/docs/"
MANY = ", ".join(f"k{number}: 1" for number in range(1_100))
"""More entries than may be merged."""
KEYS = ["exclude", "lastmod", "changefreq", "priority", "sources", "not_sources"]


def build(folder: Path, *args: str) -> CompletedProcess[str]:
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site/a.html").write_text("<head></head>A")
    return run("docs_sitemap", "build", "site", *args, cwd=folder)


def said(done: CompletedProcess[str]) -> list[str]:
    """The messages of the command, without how it is used."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("Usage:", "Try "))]
    assert_brief(lines)
    return [line for line in lines if line]


TOML = {
    "a number of 6,000 digits in a list": f"[0x{'f' * 5000}]",
    "a long text": f'"{"x" * 500_000}"',
    "a rule": f'[{{match = "{"x" * 500_000}", priority = 1}}]',
}


@pytest.fixture(params=["with libyaml", "without libyaml"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The parser of YAML: not every PyYAML has libyaml."""
    if request.param == "without libyaml":
        monkeypatch.setitem(sys.modules, "yaml.cyaml", None)
    data._loader.cache_clear()
    yield request.param
    data._loader.cache_clear()


def test_libyaml_parses_where_it_is_there(parser: str) -> None:
    """62 kB about the sitemap took 0.2 s for each page; with libyaml, 0.03 s."""
    import yaml

    is_there = parser == "with libyaml" and yaml.__with_libyaml__
    assert issubclass(data._loader(), yaml.SafeLoader) != is_there
    text = "a: &x [1, 2.5, 'b', 2026-01-02]\nc: *x\nd: {<<: {e: yes}}\n? f\n: |\n  g\n"
    assert read_yaml(text) == yaml.safe_load(text)
    for wrong in ("a: [", "a: \0", "a: *b", "a: !b c", "a: b: c"):
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            read_yaml(wrong)


def test_a_mistake_in_a_long_entry_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was looked for again in the whole front matter: 11 s for 200 pages, not 6."""
    read = read_front_matter_yaml
    texts: list[str] = []

    def noted(text: str) -> Any:
        texts.append(text)
        return read(text)

    monkeypatch.setattr(front_matter, "read_front_matter_yaml", noted)
    entries = ["sitemap: {false\n", *(f"  k{number:05}: 1\n" for number in range(MAX_FRONT_MATTER // 13))]
    (tmp_path / "a.md").write_text(f"---\n{''.join(entries[:4000])}  }}\ntags: []\n---\n")
    with pytest.raises(ValueError, match="line 2"):
        front_matter.read_front_matter(tmp_path / "a.md")
    assert len(texts) == 1


@pytest.mark.parametrize("kind", TOML)
def test_each_option_of_a_configuration(kind: str, tmp_path: Path) -> None:
    for option in OPTIONS:
        if option.name in ("page_dates", "json_ld", "dependencies"):
            continue  # which only plugins have
        (tmp_path / "docs-sitemap.toml").write_text(f"{option.name} = {TOML[kind]}\n")
        done = build(tmp_path, *(() if option.name == "base_url" else ("--base-url", BASE)))
        assert done.returncode == 2, (option.name, done.stderr[:500])
        [message] = said(done)
        assert message.startswith(f"Error: {tmp_path / 'docs-sitemap.toml'}: {option.name}: ")


CONFIGURATIONS = {
    "a list of options": ("[tool]\ndocs-sitemap = [" + "[1]," * 200_000 + "]", "expected a table of options"),
    "a long name": (f"{'x' * 1_000_000} = 1", "there is no such option"),
    "many digits": (f"max-urls = {'9' * 5000}", "expected a TOML file, got "),
    "deep": ("a = " + "[" * 50_000, "got brackets that are nested too deeply"),
    "a key of many parts": (f"{'.'.join('a' * 200_000)} = 1", "got a key of more than 20 parts"),
    "parts with quotes": (".".join(['"\\""'] * 101) + " = 1", "got a key of more than 20 parts"),
    "parts within": (f"a = {{b = 1, {' . '.join('c' * 101)} = 1}}", "got a key of more than 20 parts"),
    "many bytes": ("#" * (MAX_CONFIGURATION + 1), "larger than 1,048,576 bytes"),
    "no text": ("a = '\udcff'", "expected a TOML file, got "),
}


@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_a_configuration_that_is_none(kind: str, tmp_path: Path) -> None:
    text, expected = CONFIGURATIONS[kind]
    (tmp_path / "pyproject.toml").write_text(text, "utf-8", errors="surrogateescape")
    done = build(tmp_path, "--config", "pyproject.toml", "--base-url", BASE)
    if kind == "a long name":
        assert done.returncode == 0  # it is no option of ours there
        (tmp_path / "docs-sitemap.toml").write_text(text)
        done = build(tmp_path)
    assert done.returncode == 2
    [message] = said(done)
    assert expected in message


@pytest.mark.parametrize("kind", WRITTEN)
def test_each_setting_of_a_page(kind: str, tmp_path: Path) -> None:
    """One warning for each that is wrong; the page is listed."""
    value = WRITTEN[kind]
    texts = [f"sitemap: {{{key}: {value}}}" for key in KEYS]
    texts += [f"sitemap-{key.replace('_', '-')}: {value}" for key in KEYS]
    texts += [f"sitemap: {value}", f"? {value}\n: 1\nsitemap: {{none-such: *bomb}}"]
    (tmp_path / "docs").mkdir()
    (tmp_path / "site").mkdir()
    for number, text in enumerate(texts):
        (tmp_path / f"site/p{number}.html").write_text("<head></head>")
        (tmp_path / f"docs/p{number}.md").write_text(f"---\nx:\n{aliases()}{text}\n---\n\nText.\n")
    done = build(tmp_path, "--base-url", BASE, "--source-dir", "docs")
    assert done.returncode == 0, done.stderr[:1000]
    assert len(sitemaps.read(tmp_path / "site/sitemap.xml")) == len(texts) + 1
    messages = said(done)
    about = [sum(f"p{number}.md: " in message for message in messages) for number in range(len(texts))]
    assert about == [1] * len(texts), (about, messages)


@pytest.mark.parametrize(
    ("text", "said_of_it"),
    [
        (f"---\nsitemap: {'[' * 5000}\n---\n", "brackets that are nested too deeply"),
        (
            f"---\nsitemap: {{a: &a {{{MANY}}}, b: {{<<: *a}}}}\n# {'x' * 20_000}\n---\n",
            "more than 1,000 merged entries",
        ),
        ("---\nsitemap: !!python/name:os.system\n---\n", "could not determine a constructor"),
        ("---\nsitemap: {lastmod: 2026-13-45}\n---\n", "month must be in 1..12"),
        (f"+++\nsitemap = {'[' * 5000}\n+++\n", "brackets that are nested too deeply"),
        (f"+++\n{'.'.join('a' * 20_000)} = 'sitemap'\n+++\n", "a key of more than 20 parts"),
        (f'{{"sitemap": {"[" * 20_000}', "brackets that are nested too deeply"),
    ],
)
def test_front_matter_that_cannot_be_read_is_one_warning(text: str, said_of_it: str, tmp_path: Path) -> None:
    """Where it says something of the sitemap; other front matter is no affair of ours."""
    for folder in ("docs", "site"):
        (tmp_path / folder).mkdir()
    (tmp_path / "docs/a.md").write_text(text)
    (tmp_path / "docs/b.md").write_text(text.replace("sitemap", "map"))
    (tmp_path / "site/b.html").write_text("<head></head>B")
    done = build(tmp_path, "--base-url", BASE, "--source-dir", "docs")
    assert done.returncode == 0, done.stderr[:1000]
    [message] = [line for line in said(done) if "front matter" in line]
    assert message.startswith("Warning: docs/a.md: cannot read the front matter: ")
    assert said_of_it in message
    assert len(sitemaps.read(tmp_path / "site/sitemap.xml")) == 2


@pytest.mark.parametrize("text", ["---\n{}\n---\n", "+++\n{}\n+++\n", "{}"])
def test_front_matter_that_does_not_mention_the_sitemap_is_not_parsed(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """YAML took 20 seconds for each megabyte of it."""

    def fail(text: str) -> None:
        raise AssertionError

    for name in ("read_front_matter_yaml", "read_toml", "read_json_start"):
        monkeypatch.setattr(front_matter, name, fail)
    (tmp_path / "a.md").write_text(text.format('{"x": 1}'))
    assert front_matter.read_front_matter(tmp_path / "a.md") == {}
    (tmp_path / "a.md").write_text(text.format('{"sitemap": 1}'))
    with pytest.raises(AssertionError):
        front_matter.read_front_matter(tmp_path / "a.md")


def test_many_small_merges_are_many_together() -> None:
    names = ",".join(f"k{number}" for number in range(990))
    with bounded(), pytest.raises(ValueError, match="more than 10,000 merged entries in all"):
        read_yaml(f"a: &a {{{names}}}\nb: [{'<<: *a,' * 8_000}]")


def keys_of(value: Any) -> set[object]:
    return set(value[-1] if isinstance(value, list) else value)


def test_merges_that_people_write_are_read() -> None:
    text = "a: &a {x: 1}\nb: &b {y: 2, <<: *a}\nc: {<<: [*b, *a], z: 3}"
    assert read_yaml(text)["c"] == {"x": 1, "y": 2, "z": 3}
    assert len(read_yaml("\n".join(f"k{number}: 1" for number in range(3000)))) == 3000


def test_a_tag_of_python_s_is_not_obeyed(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for tag in ("object/apply:os.system", "object/new:os.system", "name:os.system", "module:os"):
        with pytest.raises(ValueError, match="could not determine a constructor"):
            read_yaml(f"a: !!python/{tag} ['touch {trace}']")
    assert not trace.exists()


def test_what_is_not_of_a_format_is_a_value_error() -> None:
    for read, text in (
        (read_yaml, "[" * 10_000),
        (read_yaml, "a: 2026-99-99"),
        (read_yaml, "a: 2001-12-14t21:59:43.10-99:99"),
        (read_yaml, "a: *b"),
        (read_yaml, '!!int ""'),
        (read_json, "[" * 100_000),
        (read_json_start, "9" * 5000),
        (read_toml, "a = [" * 100_000),
    ):
        with pytest.raises(ValueError, match=r"\w") as caught:
            read(text)
        assert len(str(caught.value)) <= 200
        assert str(caught.value).isprintable()
    assert json.dumps(read_json("[NaN, 1e400]")) == "[NaN, Infinity]"


def test_findings_show_a_site_s_values_cut(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    long = "x" * 1_000_000
    (tmp_path / "sitemap.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{BASE}{long}</loc>'
        f"<lastmod>{long}</lastmod></url></urlset>"
    )
    (tmp_path / "robots.txt").write_text(f"Sitemap: {long}\n{long}: 1\nUser-agent: *\nDisallow: /{long}\n")
    (tmp_path / "index.html").write_text(f'<link rel="canonical" href="https://{long}/">')
    done = run("docs_sitemap", "check", "--all", str(tmp_path), cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert any("lastmod 'xxx" in line for line in lines)
    assert max(map(len, lines)) < 3000  # an address of 2,047 characters, and a message of 500
