"""What ``check`` and ``report`` do as a configuration says, and where they look for a site without one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap.cli import main, settings
from tests.support.checksite import BASE, BuiltSite, Entry

NOINDEX = '<meta name="robots" content="noindex">'
TABLE = "[tool.docs-sitemap.check]\n"
WHERE = "Error: pyproject.toml: [tool.docs-sitemap.check]: "


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def faulty(project: Path) -> BuiltSite:
    """Two errors of one rule, a warning, and an info."""
    site = BuiltSite(project / "out")
    for path in ("faq/", "guide/"):
        site.pages[path].head = NOINDEX
    site.entries.append(site.entry("api.html"))
    site.pages[""].links.remove("api.html")
    site.write()
    return site


def run(*arguments: str | Path, command: str = "check") -> Result:
    return CliRunner().invoke(main, [command, *map(str, arguments)])


def found(*arguments: str | Path) -> list[str]:
    done = run("--format", "json", *arguments)
    assert done.exit_code in (0, 1), done.output
    return [item["id"] for item in json.loads(done.stdout)]


def write(text: str, name: str = "pyproject.toml") -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)


@pytest.mark.parametrize(
    ("name", "table", "up"),
    [
        ("pyproject.toml", "tool.docs-sitemap.check", ""),
        ("docs-sitemap.toml", "check", ""),
        ("conf/any.toml", "check", "../"),
        ("conf/pyproject.toml", "tool.docs-sitemap.check", "../"),
    ],
)
def test_check_and_report_read_the_same_table(faulty: BuiltSite, name: str, table: str, up: str) -> None:
    write(f'[{table}]\nsite = "{up}out"\nignore = ["U3", "C"]\n', name)
    config = ["--config", name] if up else []
    done = run("--format", "json", *config)
    assert [item["id"] for item in json.loads(done.stdout)] == ["U6", "U6"]
    place = Path(name).parent / up / "out"
    assert done.stderr == f"Checking {place} ({name}: [{table}]: site).\n"
    assert "2 errors" in run("-o", "x.html", *config, command="report").stderr


@pytest.mark.parametrize(
    ("text", "arguments", "ids"),
    [
        ('select = ["U"]', [], ["U6", "U6", "U3"]),
        ('select = ["U"]\nignore = ["u6"]', [], ["U3"]),
        ('select = ["U"]', ["--select", "C2"], ["C2"]),
        ('ignore = ["U"]', ["--ignore", "C"], ["U6", "U6", "U3"]),
        ('ignore = ["C2"]', ["--select", "C2"], ["C2"]),
        ('select = ["C2", "U3"]', ["--ignore", "C2"], ["U3"]),
        ('sitemap = "sitemap.xml"\nselect = ["U"]', [], ["U6", "U6", "U3"]),
        ('sitemap = ["none.xml"]\nselect = ["U"]', ["--sitemap", "sitemap.xml"], ["U6", "U6", "U3"]),
        ('base-url = "https://other.org/"\nselect = ["U1"]', [], ["U1"]),
        ('base-url = "https://other.org/"\nselect = ["U1"]', ["--base-url", BASE], []),
        ('served-by = "cloudflare"\nselect = ["U9"]', [], ["U9", "U9"]),
        ('served-by = "cloudflare"\nselect = ["U9"]', ["--served-by", "github"], []),
    ],
)
def test_an_option_wins_over_the_setting(
    faulty: BuiltSite, text: str, arguments: list[str], ids: list[str]
) -> None:
    write(TABLE + text)
    assert found("out", *arguments) == ids


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [
        ("faq/", ["U6", "U3", "C2"]),
        ("faq/index.html", ["U6", "U3", "C2"]),
        ("/guide/**", ["U6", "U3", "C2"]),
        ("*.html", []),
        ("api.html", ["U6", "U6"]),  # by the URL of U3, whose file is the sitemap
        ("sitemap.xml", ["U6", "U6", "C2"]),
        ("!faq/", ["U6"]),
        ("other/", ["U6", "U6", "U3", "C2"]),
    ],
)
def test_findings_are_ignored_by_file_or_page(faulty: BuiltSite, pattern: str, ids: list[str]) -> None:
    write(f'{TABLE}per-file-ignores = {{"{pattern}" = ["U", "C2"]}}\n')
    assert found("out") == ids
    write(f'{TABLE}per-file-ignores = {{"{pattern}" = ["L"]}}\n')
    assert found("out") == ["U6", "U6", "U3", "C2"]


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("out/guide/", "did you mean guide/?"),
        ("/out/sitemap.xml", "did you mean sitemap.xml?"),
        ("apii/", "patterns start there, for example faq/"),
        ("guide/", ""),
        ("api", ""),
        ("!api.html", ""),
        ("gone/", ""),  # by the URL of U4
    ],
)
def test_a_pattern_that_matches_nothing_is_noted(faulty: BuiltSite, pattern: str, hint: str) -> None:
    faulty.entries.append(Entry(BASE + "gone/", None))
    faulty.write()
    write(f'{TABLE}per-file-ignores = {{"{pattern}" = ["U"]}}\n')
    said = f"{WHERE[7:]}per-file-ignores: {pattern} matches no file in out: {hint}\n"
    assert run("out").stderr == (said if hint else "")
    assert run("-o", "x.html", "out", command="report").stderr.startswith(said) == bool(hint)
    assert run("out", "--select", "L").stderr == ""


def test_pages_are_ignored_before_findings_are_merged(project: Path) -> None:
    """Of twelve pages with the same cause, eight are ignored: the others are no longer many."""
    site = BuiltSite(project / "out")
    for path in [*site.add_many(8, "gen"), *site.add_many(4, "own")]:
        site.pages[path].canonical = f"https://acme.org/{path}"
    site.write()
    assert found("out", "--select", "U7") == ["U7"]
    write(f'{TABLE}per-file-ignores = {{"gen/" = ["U7"]}}\n')
    assert found("out", "--select", "U7") == ["U7"] * 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ignor = []", "ignor: there is no such option; did you mean ignore?"),
        ("per-file-ignore = {}", "per-file-ignore: there is no such option; did you mean per-file-ignores?"),
        ("exclude = []", "exclude: there is no such option; the options are site, base-url, sitemap"),
        ('ignore = ["U77"]', "or U, got 'U77'; did you mean U7?"),
        ('select = ["zz"]', "for example C1 or U, got 'zz'; check --list-rules shows all rules."),
        ('ignore = "C2"', "ignore: expected a list of rule ids, such as [\"C2\"], got 'C2'."),
        ("ignore = [2]", 'ignore: expected a list of rule ids, such as ["C2"], got [2].'),
        ('per-file-ignores = ["C2"]', "per-file-ignores: expected a table of patterns with rule ids, such"),
        ('per-file-ignores = {"a" = "C2"}', "per-file-ignores: a: expected a list of rule ids, such as"),
        ('per-file-ignores = {"a" = ["C22"]}', "per-file-ignores: a: expected rule ids or the start of them"),
        ('per-file-ignores = {"[b-a]" = ["C2"]}', "per-file-ignores: expected gitignore-style patterns ("),
        ('fail-on = "warn"', "fail-on: expected one of error, warning, info, never, got 'warn'."),
        ("fail-on = true", "fail-on: expected one of error, warning, info, never, got True."),
        ("site = 1", 'site: expected a path, such as "build/html", got 1.'),
        ('base-url = "docs"', "base-url: expected an absolute URL such as"),
        ('served-by = "geocities"', "served-by: expected one of azure, cloudflare"),
        ('baseline = "none.json"', "none.json does not exist; to write it: docs-sitemap check --write-base"),
        ('baseline = "pyproject.toml"', "baseline: pyproject.toml: expected JSON"),
        ('site = "gone"', "site: Directory 'gone' does not exist. Build the site first."),
        ('site = "empty"', "site: expected the folder of a built site, got an empty one: empty"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_one_line_and_exit_code_2(faulty: BuiltSite, text: str, message: str) -> None:
    write(TABLE + text)
    Path("empty").mkdir()
    for command in (["check"], ["report", "-o", "-"]):
        done = run(*command[1:], *(["out"] if "site" not in text else []), command=command[0])
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(WHERE)
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_example_in_the_documentation_can_be_copied(project: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/commands/check.md").read_text(encoding="utf-8")
    write(page.partition("```toml\n")[2].partition("```")[0])
    site = BuiltSite(project / "docs/_build/html")
    for path in ("api/", "changelog.html"):
        site.add(path)
    site.pages[""].links.remove("api.html")
    site.write()
    done = run()
    assert (done.exit_code, "Nothing to report" in done.stdout) == (0, True)
    assert done.stderr == f"Checking docs/_build/html ({WHERE[7:-2]}: site).\n"
    rows = re.findall(r"(?m)^\| (`[a-z`, -]+) \|", page)
    assert {name for row in rows for name in re.findall("[a-z-]+", row)} == {
        name.replace("_", "-") for name in settings._CHECKS
    }


def test_what_is_written_elsewhere_does_not_stop_a_check(faulty: BuiltSite) -> None:
    """SITE_DIR replaces the site, and a baseline is not needed to write it."""
    write(f'{TABLE}site = "gone"\nbaseline = "known.json"\n')
    assert run("out", "--write-baseline", "known.json").exit_code == 0
    assert found("out") == []
    assert found("out", "--config", "pyproject.toml") == []
    write("[tool.other]\n")
    assert found("out") == ["U6", "U6", "U3", "C2"]


MISPLACED = "this is an option of check: write it in "


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "pyproject.toml",
            "[tool.docs-sitemap]\nignore = ['C2']",
            f"[tool.docs-sitemap]: ignore: {MISPLACED}[tool.docs-sitemap.check].",
        ),
        ("docs-sitemap.toml", "per-file-ignores = {}", f"per-file-ignores: {MISPLACED}[check]."),
        (
            "pyproject.toml",
            "[tool.docs-sitemap]\ncheck = true",
            "[tool.docs-sitemap.check]: expected a table of options, got True.",
        ),
        (
            "docs-sitemap.toml",
            "[tool.docs-sitemap.check]\nselect = ['U']",
            "tool: this is for pyproject.toml; here, write [check].",
        ),
        ("docs-sitemap.toml", "[chekc]", "chekc: there is no such table; did you mean [check]?"),
        (
            "docs-sitemap.toml",
            "[source-maps]",
            "source-maps: there is no such table; did you mean source_map?",
        ),
        (
            "pyproject.toml",
            "[tool.docs-sitemap.chekc]",
            "[tool.docs-sitemap]: chekc: there is no such table; did you mean [tool.docs-sitemap.check]?",
        ),
        (
            "pyproject.toml",
            "[tool.docs_sitemap.check]",
            "[tool.docs_sitemap]: there is no such table; write [tool.docs-sitemap].",
        ),
    ],
)
def test_a_misplaced_option_is_told_where_it_belongs(
    faulty: BuiltSite, name: str, text: str, message: str
) -> None:
    write(text, name)
    for command in ("check", "build"):
        done = run("out", command=command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.endswith(f"{message}\n")


@pytest.mark.parametrize("own", ["", "filename = 'map.xml'\n"])
@pytest.mark.parametrize(
    ("name", "table"), [("pyproject.toml", "tool.docs-sitemap."), ("docs-sitemap.toml", "")]
)
def test_the_table_of_check_does_not_stop_a_build(faulty: BuiltSite, name: str, table: str, own: str) -> None:
    first = f"[{table[:-1]}]\n" if table else ""
    write(f"{first}{own}[{table}check]\nignore = ['C2']\nfail-on = 'never'\n", name)
    done = run("out", "--base-url", BASE, command="build")
    assert done.exit_code == 0, done.stderr
    assert ("map.xml: " if own else "sitemap.xml: ") in done.stderr


# For each: which findings there are, and the exit code with --fail-on error, warning, info, never.
FAILING = [
    ([], (1, 1, 1, 0)),
    (["--ignore", "U6"], (0, 1, 1, 0)),
    (["--select", "C2"], (0, 0, 1, 0)),
    (["--select", "H"], (0, 0, 0, 0)),
    (["--baseline", "errors.json"], (0, 1, 1, 0)),
    (["--baseline", "all.json"], (0, 0, 0, 0)),
    (["--write-baseline", "new.json"], (0, 0, 0, 0)),
    (["--level", "error"], (1, 1, 1, 0)),
    (["--level", "error", "--ignore", "U6"], (0, 1, 1, 0)),
    (["--format", "json", "--baseline", "errors.json"], (0, 1, 1, 0)),
]


@pytest.mark.parametrize(("arguments", "codes"), FAILING)
def test_findings_of_a_level_fail(faulty: BuiltSite, arguments: list[str], codes: tuple[int, ...]) -> None:
    run("out", "--write-baseline", "all.json")
    run("out", "--select", "U6", "--write-baseline", "errors.json")
    levels = ("error", "warning", "info", "never")
    assert tuple(run("out", *arguments, "--fail-on", level).exit_code for level in levels) == codes
    assert run("out", *arguments).exit_code == codes[0]
    for level, code in zip(levels, codes, strict=True):
        write(f'{TABLE}fail-on = "{level}"\n')
        assert run("out", *arguments).exit_code == code
        assert run("out", *arguments, "--fail-on", "never").exit_code == 0


@pytest.mark.parametrize(("level", "number"), [("error", 1), ("warning", 2), ("info", 3), ("never", 0)])
def test_junit_fails_as_the_exit_code_does(faulty: BuiltSite, level: str, number: int) -> None:
    done = run("out", "--format", "junit", "--fail-on", level)
    assert f'failures="{number}"' in done.stdout
    assert done.stdout.count("<failure ") == number
    assert done.stdout.count("<system-out>") == 3 - number


def test_what_fails_and_is_not_shown_is_told(faulty: BuiltSite) -> None:
    done = run("out", "--level", "error", "--fail-on", "info", "--ignore", "U6")
    assert done.stderr == "Not shown with --level error: 2 findings for --fail-on info.\n"
    assert run("out", "--level", "error", "--fail-on", "error").stderr == ""


@pytest.mark.parametrize(
    "folder",
    [
        "site",
        "public",
        "_site",
        "dist",
        "build",
        "book",
        "output",
        "build/html",
        "build/dirhtml",
        "_build/html",
        "docs/_build/html",
        "docs/site",
        "docs/build/html",
        "doc/_build/html",
        "website/build",
        "docs/.vitepress/dist",
    ],
)
def test_a_usual_folder_is_found(project: Path, folder: str) -> None:
    BuiltSite(project / folder).write()
    (project / "site").mkdir(exist_ok=True)  # an empty one is none, nor is one with other files
    (project / "dist/x").mkdir(parents=True, exist_ok=True)
    (project / "dist/docs-1.0.tar.gz").touch()
    done = run()
    assert (done.exit_code, done.stderr) == (0, f"Checking {folder}: the only built site here.\n")
    assert "6 URLs" in done.stdout
    assert "6 pages" in run("-o", "x.html", command="report").stderr


@pytest.mark.parametrize(
    ("files", "place"),
    [
        (["index.html"], "the current folder"),
        (["sitemap.xml.gz"], "the current folder"),
        (["index.html", "site/index.html"], "site"),  # a source, as that of Vite and Jekyll
        (["site/sitemap.xml"], "site"),
    ],
)
def test_the_current_folder_may_be_the_site(project: Path, files: list[str], place: str) -> None:
    for name in files:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).touch()
    assert run().stderr == f"Checking {place}: the only built site here.\n"


def test_a_link_to_a_usual_folder_is_no_other(project: Path) -> None:
    BuiltSite(project / "build/html").write()
    (project / "public").symlink_to("build/html")
    assert run().stderr == "Checking public: the only built site here.\n"


def test_several_folders_or_none_are_wrong_usage(project: Path) -> None:
    done = run()
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: Missing SITE_DIR: there is no built site here. Neither site, ")
    assert done.stderr.endswith("or name its folder: docs-sitemap check FOLDER\n")
    for folder in ("docs/_build/html", "site", "."):
        BuiltSite(project / folder).write()
    done = run()
    assert done.exit_code == 2
    assert done.stderr == (
        "Error: Missing SITE_DIR: there are 3 built sites. Name one: docs-sitemap check site, or: "
        "docs-sitemap check docs/_build/html, or: docs-sitemap check ., or set site in "
        "[tool.docs-sitemap.check] of pyproject.toml.\n"
    )
    done = run("-o", "a b.html", command="report")
    assert "docs-sitemap report -o 'a b.html' site, or: " in done.stderr


@pytest.mark.parametrize("command", ["check", "report -o x.html"])
def test_a_project_in_place_of_its_site_is_noted(project: Path, command: str) -> None:
    BuiltSite(project / "work/site").write()
    words = command.split()
    done = run(*words[1:], "work", command=words[0])
    hint = "has no pages of its own, but a built site in"
    assert done.stderr.startswith(f"work {hint} work/site: did you mean docs-sitemap {command} work/site?\n")
    assert hint not in run(*words[1:], "work/site", command=words[0]).stderr
    BuiltSite(project / "work/public").write()  # a tree of many sites
    assert hint not in run(*words[1:], "work", command=words[0]).stderr


def test_a_current_folder_in_place_of_the_site_is_noted(project: Path) -> None:
    BuiltSite(project / "site").write()
    place = "a built site in site: did you mean docs-sitemap check site?\n"
    assert run(".").stderr == f"The current folder has no pages of its own, but {place}"
    (project / "index.html").touch()
    assert run(".").stderr == ""


def test_a_folder_without_pages_is_named(project: Path) -> None:
    (project / "README.md").touch()
    assert "no sitemap, and the folder has no HTML file: is it the built site?" in run(".").stdout
