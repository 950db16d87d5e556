"""``docs-sitemap check`` as a person or a CI system runs it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("lxml")
pytest.importorskip("protego")

from lxml import etree

from docs_sitemap.check import (
    LEVELS,
    RULES,
    Question,
    Rule,
    check_site,
    offline,
    parse_baseline,
    render_baseline,
)
from docs_sitemap.check.findings import Found
from docs_sitemap.check.rules import KINDS
from docs_sitemap.cli import main
from tests.support.checksite import BASE, BuiltSite

OFFLINE = [rule.id for rule in offline(RULES.values())]


@pytest.fixture
def site(tmp_path: Path) -> BuiltSite:
    site = BuiltSite(tmp_path / "site")
    site.write()
    return site


@pytest.fixture
def faulty(site: BuiltSite) -> BuiltSite:
    """Two errors of one rule, a warning, and an info."""
    for path in ("faq/", "guide/"):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.entries.append(site.entry("api.html"))
    site.pages[""].links.remove("api.html")
    site.write()
    return site


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


def found(*arguments: str | Path) -> list[dict[str, Any]]:
    done = run("--format", "json", *arguments)
    assert done.exit_code in (0, 1), done.output
    result: list[dict[str, Any]] = json.loads(done.stdout)
    return result


def test_nothing_found_is_exit_code_0(site: BuiltSite) -> None:
    done = run(site.root)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "Nothing to report: 6 URLs in the sitemaps, 6 HTML files.\n"


def test_text_groups_what_was_found_by_rule_the_worst_first(faulty: BuiltSite) -> None:
    done = run(faulty.root)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "error U6 noindex page listed (2)",
        f"  {BASE}faq/ (faq/index.html): the page is marked noindex",
        f"  {BASE}guide/ (guide/index.html): the page is marked noindex",
        "",
        "warning U3 Listed twice (1)",
        f"  {BASE}api.html (sitemap.xml): is already listed in line 7",
        "",
        "info C2 No internal links to the page (1)",
        f"  {BASE}api.html (api.html): no other page links to it",
        "",
        "2 errors, 1 warning, 1 info: 7 URLs in the sitemaps, 6 HTML files.",
    ]


def test_text_shows_the_first_few_of_many_and_all_if_asked(site: BuiltSite) -> None:
    for path in site.add_many(20):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.write()
    lines = run(site.root).stdout.splitlines()
    assert lines[0] == "error U6 noindex page listed (20)"
    assert lines[6] == "  ... and 15 more (--all shows them)"
    assert run(site.root, "--all").stdout.count("the page is marked noindex") == 20


def test_json_is_a_list_of_objects_with_the_same_fields(faulty: BuiltSite) -> None:
    result = found(faulty.root)
    assert [item["id"] for item in result] == ["U6", "U6", "U3", "C2"]
    assert result[0] == {
        "id": "U6",
        "level": "error",
        "url": BASE + "faq/",
        "file": "faq/index.html",
        "line": None,
        "message": "the page is marked noindex",
        "fix": "Remove noindex, or do not list it.",
        "help": "https://docs-sitemap.readthedocs.io/check-rules/#u6",
    }
    assert result[2]["line"] == 9
    assert all(item.keys() == result[0].keys() for item in result)


def test_sarif_has_what_its_schema_asks_for(faulty: BuiltSite) -> None:
    """OASIS SARIF 2.1.0, 3.13 to 3.52: what is required, and the values that are fixed."""
    done = run("--format", "sarif", faulty.root)
    assert done.exit_code == 1
    log = json.loads(done.stdout)
    assert log["version"] == "2.1.0"
    [run_] = log["runs"]
    driver = run_["tool"]["driver"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == OFFLINE
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"].endswith(RULES[rule["id"]].fix)
        assert rule["helpUri"] == RULES[rule["id"]].help
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    assert [result["level"] for result in run_["results"]] == ["error", "error", "warning", "note"]
    for result in run_["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"].endswith(f". {RULES[result['ruleId']].fix}")
        [location] = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"] in (
            "faq/index.html",
            "guide/index.html",
            "sitemap.xml",
            "api.html",
        )
    assert run_["results"][2]["locations"][0]["physicalLocation"]["region"] == {"startLine": 9}


def test_junit_has_a_test_a_rule_that_fails_by_errors_only(faulty: BuiltSite) -> None:
    done = run("--format", "junit", faulty.root)
    root = etree.fromstring(done.stdout.encode())
    suite = root.find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures")) == (str(len(OFFLINE)), "1")
    assert len(cases) == len(OFFLINE)
    failed = [case for case in cases if case.find("failure") is not None]
    assert [case.get("name") for case in failed] == ["U6 noindex page listed"]
    assert failed[0].findtext("failure", "").count("the page is marked noindex") == 2
    assert ["U3" in case.get("name", "") or "C2" in case.get("name", "") for case in cases].count(True) == 2
    assert [case.get("name", "")[:2] for case in cases if case.findtext("system-out")] == ["U3", "C2"]


def test_text_from_a_sitemap_cannot_move_the_cursor_or_break_xml(site: BuiltSite) -> None:
    site.files["sitemap.txt"] = f"{BASE}\x1b[2J\x07\n".encode()
    site.write()
    assert "\x1b" not in run(site.root, "--all").stdout
    junit = run("--format", "junit", site.root).stdout
    assert etree.fromstring(junit.encode()) is not None
    assert found(site.root)


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        (["--select", "U"], {"U6", "U3"}),
        (["--select", "u6,C"], {"U6", "C2"}),
        (["--select", "U", "--select", "C2"], {"U6", "U3", "C2"}),
        (["--ignore", "U6"], {"U3", "C2"}),
        (["--select", "U", "--ignore", "U3"], {"U6"}),
        (["--level", "warning"], {"U6", "U3"}),
        (["--level", "error"], {"U6"}),
    ],
)
def test_rules_and_levels_can_be_chosen(faulty: BuiltSite, arguments: list[str], ids: set[str]) -> None:
    assert {item["id"] for item in found(faulty.root, *arguments)} == ids


def test_a_level_that_hides_errors_from_nobody_keeps_the_exit_code(faulty: BuiltSite) -> None:
    assert run(faulty.root, "--level", "error").exit_code == 1
    assert run(faulty.root, "--ignore", "U6").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["SITE", "--select", "U,x9"],
            "or the start of them, for example C1 or U, got 'x9'",
        ),
        (["SITE", "--ignore", ""], "--ignore: expected rule ids"),
        (["SITE", "--base-url", "docs.acme.org"], "--base-url: expected"),
        (["SITE", "--format", "xml"], "--format"),
        (["SITE", "--jobs", "0"], "--jobs"),
        (
            ["SITE", "--baseline", "SITE/robots.txt"],
            "robots.txt: expected JSON, as --write-baseline writes it",
        ),
        (
            ["SITE", "--previous", "SITE/index.html"],
            "--previous: SITE/index.html: not a valid sitemap: ",
        ),
        (
            ["SITE", "--write-baseline", "no/such/folder/b.json"],
            "--write-baseline: cannot write no/such/folder/b.json: directory no/such/folder does not exist",
        ),
        (["--explain", "X9"], "no such rule: 'X9'"),
    ],
)
def test_wrong_usage_is_exit_code_2(site: BuiltSite, arguments: list[str], message: str) -> None:
    done = run(*(argument.replace("SITE", str(site.root)) for argument in arguments))
    assert done.exit_code == 2
    assert message.replace("SITE/", f"{site.root}/") in done.stderr
    assert done.stdout == ""


def test_what_goes_wrong_elsewhere_is_not_blamed_on_the_older_sitemap(
    site: BuiltSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule with a fault of its own, beside a sitemap that is a good one."""

    def broken(_: object) -> Iterator[Found]:
        raise ValueError("a fault of ours")

    monkeypatch.setitem(RULES, "X1", Rule("X1", "info", "Broken", "Broken.", broken))
    previous = ("--previous", str(site.root / "sitemap.xml"))
    for command in (["check"], ["report", "-o", "-"]):
        done = CliRunner().invoke(main, [*command, str(site.root), *previous])
        assert isinstance(done.exception, ValueError), done.output
        assert str(done.exception) == "a fault of ours"


def test_each_rule_explains_itself() -> None:
    listed = run("--list-rules")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(RULES)
    for rule in RULES.values():
        done = run("--explain", rule.id.lower())
        assert done.exit_code == 0
        assert done.stdout.startswith(f"{rule.id}: {rule.title} ({rule.level})\n")
        assert len(rule.explanation) > 80


def test_the_declaration_of_each_rule_can_stand_in_a_page() -> None:
    named: set[str] = set()
    letters = "".join(KINDS)
    for name, rule in RULES.items():
        assert name == rule.id
        assert re.fullmatch(f"[{letters}][0-9]", name)
        assert rule.level in LEVELS
        assert not rule.title.endswith(".")
        assert rule.explanation.endswith((".", ".)"))
        assert re.fullmatch(r"[A-Z].{,100}\.", rule.fix), name
        assert rule.explanation == " ".join(rule.explanation.split())
        assert not re.search(
            r"[<>`*|]", rule.title + rule.explanation + rule.fix
        )  # plain text, as Markdown too
        named |= set(re.findall(rf"\b[{letters}][0-9]\b", rule.explanation))
    assert named <= set(RULES)
    assert len({rule.title for rule in RULES.values()}) == len(RULES)


def test_a_baseline_hides_what_is_known_and_nothing_else(faulty: BuiltSite, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    done = run(faulty.root, "--write-baseline", file)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "4 known findings" in done.stderr
    assert found(faulty.root, "--baseline", file) == []
    assert run(faulty.root, "--baseline", file).exit_code == 0
    faulty.pages["guide/use/"].head = '<meta name="robots" content="noindex">'
    faulty.pages["faq/"].head = ""
    faulty.write()
    assert [item["url"] for item in found(faulty.root, "--baseline", file)] == [BASE + "guide/use/"]
    assert "1 findings in the baseline no longer occur" in run(faulty.root, "--baseline", file).stderr


def test_a_baseline_knows_a_fault_whose_numbers_change(site: BuiltSite, tmp_path: Path) -> None:
    """What is told of the whole site has a count in it, which each new page changes."""
    for entry in site.entries:
        entry.more = "<priority>0.5</priority>"
    site.write()
    file = tmp_path / "known.json"
    run(site.root, "--write-baseline", file)
    site.add("new/")
    site.entry("new/").more = "<priority>0.5</priority>"
    site.write()
    assert [item["message"] for item in found(site.root)] == ["7 priority: engines ignore them"]
    assert found(site.root, "--baseline", file) == []


def test_a_baseline_is_the_same_bytes_for_the_same_faults(faulty: BuiltSite) -> None:
    findings = check_site(Question(faulty.root), list(RULES.values())).findings
    assert render_baseline(findings) == render_baseline(reversed(findings))
    assert parse_baseline(render_baseline(findings)) == {finding.key for finding in findings}
    assert parse_baseline(render_baseline([])) == frozenset()


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"id": "U6"}]', '[{"id": 1, "url": "", "file": "", "message": ""}]']
)
def test_what_is_no_baseline_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_baseline(text.encode())


def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    """More pages than one process reads alone; some with faults, and one that nobody links to."""
    site = BuiltSite(tmp_path / "site")
    paths = site.add_many(1_300)
    for path in paths[::100]:
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.pages[""].links.remove(paths[7])
    site.write()
    one, two = (found(site.root, "--jobs", jobs) for jobs in "12")
    assert one == two
    assert [item["id"] for item in one] == [*["U6"] * 13, "C2"]


@pytest.mark.parametrize(("command", "module"), [("check", "lxml"), ("report", "protego")])
def test_a_missing_library_is_one_line_and_exit_code_2(site: BuiltSite, command: str, module: str) -> None:
    words = [command, str(site.root), *(["-o", "-"] if command == "report" else [])]
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        f"u.find_spec = lambda name, *more: None if name == {module!r} else find(name, *more)\n"
        f"from docs_sitemap.cli import main; main({words!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f'Error: docs-sitemap {command} needs {module}: pip install "docs-sitemap[check]"\n'


def test_the_address_that_is_given_counts(site: BuiltSite) -> None:
    assert found(site.root, "--base-url", BASE) == []
    ids = [item["id"] for item in found(site.root, "--base-url", "https://www.acme.org/")]
    assert set(ids) == {"U1", "R1"}
    assert ids.count("U1") == 1


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check --selct U site", "No such option"),
        ("check empty", "'SITE_DIR': expected the folder of a built site, got an empty one: empty"),
        ("check gone", "'SITE_DIR': Directory 'gone' does not exist."),
        ("report -o out.html file", "'SITE_DIR': Directory 'file' is a file."),
        ("report -o out.html https://e.org/", "got a URL: use check --live https://e.org/"),
    ],
)
def test_a_wrong_place_is_one_line_and_exit_code_2(
    site: BuiltSite, monkeypatch: pytest.MonkeyPatch, command: str, message: str
) -> None:
    monkeypatch.chdir(site.root.parent)
    Path("empty").mkdir()
    Path("file").touch()
    done = CliRunner().invoke(main, command.split())
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert not Path("out.html").exists()


def test_no_page_and_no_sitemap_is_a_finding_and_no_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "style.css").touch()
    done = run(tmp_path)
    assert done.exit_code == 1
    assert "error F0 No sitemap (1)" in done.stdout


SPAWNING = """
import multiprocessing

get_context = multiprocessing.get_context
multiprocessing.get_context = lambda method=None: get_context("spawn")  # as on macOS and Windows

if __name__ == "__main__":
    from docs_sitemap.cli import main

    main(prog_name="docs-sitemap")
"""


def test_no_process_imports_from_the_current_folder(tmp_path: Path) -> None:
    """Which may be a stranger's checkout; a process that is not forked begins with ``python -c``."""
    site = BuiltSite(tmp_path / "site")
    site.add_many(1_001)
    site.write()
    trap = f"open({str(tmp_path / 'tripped')!r}, 'a').write(__name__)\n"
    for name in ("multiprocessing", "logging", "docs_sitemap", "lxml"):
        (tmp_path / f"{name}.py").write_text(trap)
    program = tmp_path / "bin" / "docs-sitemap.py"
    program.parent.mkdir()
    program.write_text(SPAWNING)
    command: list[str | Path] = [sys.executable, program, "check", "--jobs", "2", "site"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True, timeout=120)
    assert not (tmp_path / "tripped").exists()
    assert "1,007 HTML files" in done.stdout, done.stderr


@pytest.mark.parametrize("format_", ["text", "json", "sarif", "junit"])
def test_a_site_gives_no_commands_to_the_runner_of_a_workflow(site: BuiltSite, format_: str) -> None:
    """GitHub's takes a line that begins with ``::`` after blanks, and ``##[`` anywhere in one."""
    locs = ("::error title=x::forged", "::add-mask::e", f"{BASE}##[set-output name=a;]b", "##vso[task.x]y")
    entries = "".join(f"<url><loc>{loc}</loc><lastmod>##[warning]w</lastmod></url>" for loc in locs)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    )
    (site.root / "sitemap.xml").write_text(f"{head}{entries}</urlset>")
    done = CliRunner().invoke(main, ["check", "--all", "--format", format_, str(site.root)])
    assert done.exit_code == 1
    assert "forged" in done.output
    assert "set-output" in done.output
    assert not re.search(r"^\s*::|##(vso)?\[", done.output, re.MULTILINE)
    if format_ == "json":
        assert f"{BASE}##[set-output name=a;]b" in {each["url"] for each in json.loads(done.output)}
