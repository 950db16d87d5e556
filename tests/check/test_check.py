"""``docs-sitemap check`` as a person or a CI system runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

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
from tests.support.checksite import BASE, BuiltSite, Entry

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
        f"  {faulty.root}/faq/index.html: {BASE}faq/: the page is marked noindex",
        f"  {faulty.root}/guide/index.html: {BASE}guide/: the page is marked noindex",
        "  Fix: Remove noindex, or do not list it.",
        "  https://docs-sitemap.readthedocs.io/check-rules/#u6",
        "",
        "warning U3 Listed twice (1)",
        f"  {faulty.root}/sitemap.xml:9: {BASE}api.html: is already listed in line 7",
        "  Fix: List it once: remove the other entry.",
        "  https://docs-sitemap.readthedocs.io/check-rules/#u3",
        "",
        "info C2 No internal links to the page (1)",
        f"  {faulty.root}/api.html: {BASE}api.html: no other page links to it",
        "  Fix: Link to the page from another one, or leave it out of the site.",
        "  https://docs-sitemap.readthedocs.io/check-rules/#c2",
        "",
        "2 errors, 1 warning, 1 info: 7 URLs in the sitemaps, 6 HTML files.",
        "Read about a rule: --explain U6. Accept what is found: --write-baseline FILE.",
    ]


def test_each_place_is_a_path_as_seen_from_the_current_folder(
    faulty: BuiltSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, typed in ((faulty.root.parent, "site"), (faulty.root, "."), (faulty.root / "faq", "../")):
        monkeypatch.chdir(folder)
        places = re.findall(r"(?m)^  (?!Fix|http)(.+?):(?:(\d+):)? ", run(typed).stdout)
        assert len(places) == 4
        for file, line in places:
            lines = Path(file).read_text().splitlines()
            assert not line or f"{BASE}api.html" in lines[int(line) - 1]


def test_a_fix_stands_after_the_findings_that_it_is_for(site: BuiltSite) -> None:
    site.robots = f"User-agent: *\nDissallow: /x\nno colon\nfoo: 1\nSitemap: {BASE}sitemap.xml\n"
    site.write()
    (site.root / "sitemap.xml").write_text(site.urlset().replace("</urlset>", ""))
    assert [line.replace(f"{site.root}/", "") for line in run(site.root).stdout.splitlines()[5:12]] == [
        "warning R3 Mistakes in robots.txt (3)",
        "  robots.txt:2: unknown key 'dissallow'",
        "  robots.txt:4: unknown key 'foo'",
        "  Fix: Correct or remove the key.",
        "  robots.txt:3: no colon in line 3",
        f"  Fix: {RULES['R3'].fix}",
        f"  {RULES['R3'].help}",
    ]


@pytest.mark.parametrize(
    ("variables", "has_color"),
    [
        ({}, True),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_a_terminal_gets_colors(faulty: BuiltSite, variables: dict[str, str], has_color: bool) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **variables}
    command = [sys.executable, "-m", "docs_sitemap", "check", str(faulty.root)]
    subprocess.run(command, stdout=theirs, env=environment, check=False)
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert plain.replace("\r\n", "\n") == run(faulty.root).stdout
    assert shown.startswith("\x1b[1;31merror\x1b[0m \x1b[1mU6\x1b[0m" if has_color else "error U6")
    assert (shown == plain) is not has_color


def test_a_pipe_gets_colors_only_if_asked(faulty: BuiltSite, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run(faulty.root).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32mFix:\x1b[0m" in run(faulty.root).stdout
    assert all("\x1b" not in run("--format", each, faulty.root).stdout for each in ("json", "sarif", "junit"))


def commands_in(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Return the commands in an output, as the runner reads them (actions/runner, ActionCommand.cs)."""
    found = []
    for line in text.splitlines():
        assert "##[" not in line
        if command := re.fullmatch(r"\s*::(\w+) ?(.*?)::(.*)", line):
            pairs = (pair.partition("=") for pair in command[2].split(",") if pair)
            values = {name: unquote(value) for name, _, value in pairs}
            found.append((command[1], values, unquote(command[3])))
    return found


def test_annotations_have_the_place_in_the_repository_and_what_to_do(
    faulty: BuiltSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(faulty.root.parent))
    monkeypatch.chdir(faulty.root)
    done = run("--format", "github", ".")
    assert done.exit_code == 1
    assert done.stdout.startswith(run(".").stdout)
    found = commands_in(done.stdout)
    assert [(kind, values["file"]) for kind, values, _ in found] == [
        ("error", "site/faq/index.html"),
        ("error", "site/guide/index.html"),
        ("warning", "site/sitemap.xml"),
        ("notice", "site/api.html"),
    ]
    assert found[2] == (
        "warning",
        {"file": "site/sitemap.xml", "line": "9", "title": "U3 Listed twice"},
        f"{BASE}api.html: is already listed in line 7\nFix: {RULES['U3'].fix}\n{RULES['U3'].help}",
    )


def test_annotations_that_github_does_not_show_are_counted(site: BuiltSite) -> None:
    for path in site.add_many(20):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.entries.append(Entry(f"{BASE}gone/", None))
    site.write()
    done = run("--format", "github", site.root)
    titles = [values["title"] for kind, values, _ in commands_in(done.stdout) if kind == "error"]
    assert len(titles) == 10
    assert {title[:2] for title in titles} == {"A4", "U4", "U6"}
    assert done.stdout.endswith("GitHub shows 10 annotations of each level: 12 findings have none.\n")


def test_text_shows_the_first_few_of_many_and_all_if_asked(site: BuiltSite) -> None:
    for path in site.add_many(20):
        site.pages[path].head = '<meta name="robots" content="noindex">'
    site.write()
    lines = run(site.root, "--select", "U6").stdout.splitlines()
    assert lines[0] == "error U6 noindex page listed (20)"
    assert lines[6] == "  ... and 15 more"
    assert lines[-1].startswith("See all findings: --all. ")
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
        assert rule["helpUri"].startswith(driver["informationUri"])
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
        (["SITE", "--select", "U,x9"], "or the start of them, for example C1 or U, got 'x9'"),
        (["SITE", "--ignore", ""], "--ignore: expected rule ids"),
        (["SITE", "--base-url", "docs.acme.org"], "--base-url: expected"),
        (["SITE", "--format", "xml"], "--format"),
        (
            ["SITE", "--baseline", "SITE/robots.txt"],
            "robots.txt: expected JSON, as --write-baseline writes it",
        ),
        (["SITE", "--previous", "SITE/index.html"], "--previous: SITE/index.html: not a valid sitemap: "),
        (
            ["SITE", "--write-baseline", "no/such/folder/b.json"],
            "--write-baseline: cannot write no/such/folder/b.json: directory no/such/folder does not exist",
        ),
        (["--explain", "X9"], "--explain: expected rule ids or the start of them"),
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

    monkeypatch.setitem(RULES, "X1", Rule("X1", "info", "Broken", "Broken.", broken, "files", "Mend it."))
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
        assert done.stdout.endswith(f"\nFix: {rule.fix}\n{rule.help}\n")
    of_kind = [run("--explain", name).stdout for name in RULES if name.startswith("C")]
    assert run("--explain", "c").stdout == "\n".join(of_kind)


def test_the_declaration_of_each_rule_can_stand_in_a_page() -> None:
    named: set[str] = set()
    letters = "".join(KINDS)
    for name, rule in RULES.items():
        assert name == rule.id
        assert re.fullmatch(f"[{letters}][0-9]{{1,2}}", name)
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
    use = f'--baseline {file}, or baseline = "{file}" in [tool.docs-sitemap.check].\n'
    assert done.stderr == f"{file}: wrote 4 known findings. Use it: {use}"
    part = " It has only those of the rules that --select and --ignore leave."
    one = tmp_path / "one.json"
    done = run(faulty.root, "--write-baseline", one, "--select", "U3")
    assert done.stderr.startswith(f"{one}: wrote 1 known finding.{part} Use it: --baseline {one}, or ")
    assert found(faulty.root, "--baseline", file) == []
    done = run(faulty.root, "--baseline", file)
    assert (done.exit_code, done.stderr) == (0, "Not shown: 4 findings of the baseline.\n")
    faulty.pages["guide/use/"].head = '<meta name="robots" content="noindex">'
    faulty.pages["faq/"].head = ""
    faulty.write()
    assert [item["url"] for item in found(faulty.root, "--baseline", file)] == [BASE + "guide/use/"]
    gone = "1 finding in the baseline no longer occurs: consider a new baseline."
    known = "Not shown: 3 findings of the baseline."
    assert run(faulty.root, "--baseline", file, "--level", "error").stderr.splitlines() == [known, gone]
    faulty.pages["guide/"].head = ""
    faulty.write()
    assert "2 findings in the baseline no longer occur:" in run(faulty.root, "--baseline", file).stderr
    config = tmp_path / "check.toml"
    config.write_text('[check]\nper-file-ignores = {"faq/" = ["U6"]}\n')
    for options in (["--ignore", "U6"], ["--select", "C2"], ["--config", config]):  # U6 did not see all
        assert "no longer" not in run(faulty.root, "--baseline", file, *options).stderr


def test_a_baseline_is_offered_for_warnings_too_until_there_is_one(faulty: BuiltSite, tmp_path: Path) -> None:
    file, hint = tmp_path / "known.json", "Accept what is found"
    run(faulty.root, "--write-baseline", file, "--select", "U6")
    assert hint in run(faulty.root, "--select", "U3").stdout
    assert hint not in run(faulty.root, "--select", "C2").stdout
    done = run(faulty.root, "--baseline", file)
    assert "U3 Listed twice" in done.stdout
    assert hint not in done.stdout


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
        ("check https://e.org/docs/sitemap.xml", "got a URL: use check --live https://e.org/docs/\n"),
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


@pytest.mark.parametrize("format_", ["text", "github", "json", "sarif", "junit"])
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
    ours = r"::(error|warning|notice) (file=[^,:]+,)?(line=\d+,)?title=[A-Z]\d [^:,]+::[^:]"
    assert not re.search(rf"^(?!{ours})\s*::|##(vso)?\[", done.output, re.MULTILINE)
    if format_ == "json":
        assert f"{BASE}##[set-output name=a;]b" in {each["url"] for each in json.loads(done.output)}
