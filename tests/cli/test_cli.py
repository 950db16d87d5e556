from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import click
import pytest

from docs_sitemap.cli import COMMANDS, main
from docs_sitemap.cli.build import _IN_FILE_ONLY, _PLUGINS_ONLY
from docs_sitemap.cli.common import Grouped
from tests.support.gitrepo import FIRST, Repo
from tests.support.warm import run_bytes

pytestmark = pytest.mark.core


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return run_bytes("docs_sitemap", *args, cwd=cwd)


def lines(done: subprocess.CompletedProcess[bytes]) -> list[bytes]:
    assert done.stderr == b""
    assert done.returncode == 0
    return done.stdout.splitlines()


@pytest.fixture
def site(repo: Repo) -> Repo:
    repo.commit("docs/b.md", when=FIRST)
    repo.commit("docs/a.md", "README.md", when=FIRST + 60)
    repo.write("docs/untracked.md")
    return repo


def test_a_line_a_tracked_file_sorted_by_path(site: Repo) -> None:
    first, second = site.git("rev-list", "--reverse", "HEAD").split()
    assert lines(run("lastmod", "docs", cwd=site.root)) == [
        f"{second}\t2023-11-14T22:14:20+00:00\tdocs/a.md".encode(),
        f"{first}\t2023-11-14T22:13:20+00:00\tdocs/b.md".encode(),
    ]


def test_path_is_relative_to_the_working_folder_and_printed_from_the_root(site: Repo) -> None:
    everything = lines(run("lastmod", ".", cwd=site.root))
    assert [line.split(b"\t")[2] for line in everything] == [b"README.md", b"docs/a.md", b"docs/b.md"]
    assert lines(run("lastmod", ".", cwd=site.root / "docs")) == everything[1:]
    assert lines(run("lastmod", "..", cwd=site.root / "docs")) == everything
    assert lines(run("lastmod", os.fspath(site.root / "docs" / "b.md"), cwd=site.root)) == everything[2:]
    assert lines(run("lastmod", "docs/a.md", "docs", "docs/b.md", cwd=site.root)) == everything[1:]


def test_another_repository_is_named(site: Repo, tmp_path: Path) -> None:
    there = lines(run("lastmod", "docs", cwd=site.root))
    assert (
        lines(run("lastmod", "--repo", os.fspath(site.root), os.fspath(site.root / "docs"), cwd=tmp_path))
        == there
    )
    # outside of it a relative path can only be meant from its root
    assert lines(run("lastmod", "--repo", os.fspath(site.root), "docs", cwd=tmp_path)) == there


def test_ignored_commits_only_where_asked(site: Repo) -> None:
    before = lines(run("lastmod", "docs/b.md", cwd=site.root))
    ignored = site.commit("docs/b.md")
    site.write(".git-blame-ignore-revs", ignored)
    assert lines(run("lastmod", "docs/b.md", cwd=site.root)) != before
    assert (
        lines(run("lastmod", "--ignore-revs", ".git-blame-ignore-revs", "docs/b.md", cwd=site.root)) == before
    )
    site.write("bad.txt", "abc\n")
    done = run("lastmod", "--ignore-revs", "bad.txt", "docs/b.md", cwd=site.root)
    assert done.returncode == 2
    assert b"bad.txt: line 1: expected the full name of a commit" in done.stderr
    assert b"abc" not in done.stderr


def test_pure_renames_only_where_asked(site: Repo) -> None:
    before = lines(run("lastmod", "docs/b.md", cwd=site.root))
    site.git("mv", "docs/b.md", "docs/c.md")
    site.commit()
    assert lines(run("lastmod", "docs/c.md", cwd=site.root))[0].split()[:2] != before[0].split()[:2]
    done = lines(run("lastmod", "--follow-renames", "docs/c.md", cwd=site.root))
    assert done[0].split()[:2] == before[0].split()[:2]


def test_the_commit_that_added_a_file_only_where_asked(site: Repo) -> None:
    before = lines(run("lastmod", "docs/a.md", "docs/b.md", cwd=site.root))
    site.commit("docs/a.md", "docs/b.md")
    assert lines(run("lastmod", "docs/a.md", "docs/b.md", cwd=site.root)) != before
    assert lines(run("lastmod", "--added", "docs/a.md", "docs/b.md", cwd=site.root)) == before
    site.git("mv", "docs/b.md", "docs/c.md")
    site.commit()
    done = lines(run("lastmod", "--added", "--follow-renames", "docs/c.md", cwd=site.root))
    assert done[0].split()[:2] == before[1].split()[:2]


def test_an_addition_in_a_merge_has_one_line_that_says_why(site: Repo) -> None:
    site.git("checkout", "-q", "-b", "side")
    site.commit("docs/a.md")
    site.git("checkout", "-q", "main")
    site.merge("side")
    site.commit("docs/new.md")
    done = run("lastmod", "--added", "docs/new.md", cwd=site.root)
    assert done.stdout == b"-\t-\tdocs/new.md\n"
    assert done.stderr.count(b"\n") == 1
    assert b"1 file has no date: a merge added it" in done.stderr


def test_the_author_clock(site: Repo) -> None:
    (line,) = lines(run("lastmod", "--clock", "author", "docs/b.md", cwd=site.root))
    assert line.split(b"\t")[1] == b"2023-11-13T22:13:20+00:00"


def test_an_unknown_date_is_a_dash_and_null(site: Repo, tmp_path: Path) -> None:
    clone = site.clone(tmp_path / "clone", "--depth=1")
    done = run("lastmod", "docs", cwd=clone.root)
    assert (done.returncode, done.stdout) == (0, b"-\t-\tdocs/a.md\n-\t-\tdocs/b.md\n")
    (said,) = done.stderr.splitlines()
    assert said.startswith(b"2 files have no date: last changed before this shallow clone begins")
    assert b"`git fetch --unshallow`" in said
    done = run("lastmod", "--json", "docs/a.md", cwd=clone.root)
    assert json.loads(done.stdout) == [{"path": "docs/a.md", "commit": None, "date": None}]
    assert done.stderr.startswith(b"1 file has no date: ")
    clone.git("fetch", "--quiet", "--unshallow")
    assert lines(run("lastmod", "docs", cwd=clone.root)) == lines(run("lastmod", "docs", cwd=site.root))


def test_in_a_treeless_clone_the_cure_is_named_and_cures(site: Repo, tmp_path: Path) -> None:
    """With the trees of HEAD, as a checkout has them, and without any."""
    site.commit("README.md")
    site.git("config", "uploadpack.allowFilter", "true")
    site.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = site.clone(tmp_path / "clone", "--filter=tree:0")
    done = run("lastmod", "docs/b.md", cwd=clone.root)
    assert (done.returncode, done.stdout) == (0, b"-\t-\tdocs/b.md\n")
    (said,) = done.stderr.decode().splitlines()
    assert said.startswith("1 file has no date: objects of the history are missing.")
    bare = site.clone(tmp_path / "bare", "--filter=tree:0", "--no-checkout")
    done = run("lastmod", "docs", cwd=bare.root)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, b"", 1)
    assert b" To fix it: run `git fetch --refetch --filter=blob:none`" in done.stderr
    for each in (clone, bare):
        each.git(*re.findall(r"`git ([^`]*--refetch[^`]*)`", said)[0].split(), "--quiet")
        assert lines(run("lastmod", "docs", cwd=each.root)) == lines(run("lastmod", "docs", cwd=site.root))


def test_an_absolute_path_is_looked_for_in_its_own_repository(site: Repo, tmp_path: Path) -> None:
    there = lines(run("lastmod", "docs", cwd=site.root))
    other = Repo(tmp_path / "other")
    other.commit("x.md")
    for folder in (tmp_path, other.root):
        assert lines(run("lastmod", os.fspath(site.root / "docs"), cwd=folder)) == there
        assert lines(run("lastmod", os.fspath(site.root / "docs/a.md"), cwd=folder)) == there[:1]
    done = run("lastmod", os.fspath(site.root / "docs"), os.fspath(other.root / "x.md"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"x.md: not inside the repository" in done.stderr
    done = run("lastmod", os.fspath(tmp_path / "none"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"not inside a git repository" in done.stderr


NAMES = [
    "plain.md",
    "a b.md",
    'ü "x" &.md',
    "tab\t.md",
    "new\nline.md",
    "back\\slash.md",
    "csi\x9b.md",
    "caf\udce9.md",  # os.fsdecode(b"caf\xe9.md"), which Windows refuses
]


def test_each_name_survives_json(repo: Repo) -> None:
    repo.commit(*NAMES)
    done = run("lastmod", "--json", ".", cwd=repo.root)
    found = json.loads(done.stdout)
    assert [os.fsencode(row["path"]) for row in found] == sorted(map(os.fsencode, NAMES))
    assert {row["date"] for row in found} == {"2023-11-14T23:13:28+00:00"}
    assert {row["commit"] for row in found} == {repo.git("rev-parse", "HEAD")}


def test_a_name_that_would_break_the_line_is_quoted_as_git_does(repo: Repo) -> None:
    repo.commit(*NAMES)
    names = [line.split(b"\t", 2)[2] for line in lines(run("lastmod", ".", cwd=repo.root))]
    assert names == [
        b"a b.md",
        b"back\\slash.md",
        b'"caf\\351.md"',
        b'"csi\\302\\233.md"',
        b'"new\\nline.md"',
        b"plain.md",
        b'"tab\\t.md"',
        'ü "x" &.md'.encode(),
    ]


def test_an_empty_answer_says_so(site: Repo) -> None:
    done = run("lastmod", "docs/untracked.md", cwd=site.root)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no tracked file at docs/untracked.md" in done.stderr


def test_an_unreadable_repository(site: Repo) -> None:
    (site.root / ".git" / "refs" / "heads" / "main").write_text("0" * 39 + "1\n")
    done = run("lastmod", ".", cwd=site.root)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"git fsck" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("name", ["shallow", "packed-refs", "objects/info/alternates"])
def test_a_secret_to_which_a_file_of_git_leads_is_not_shown(
    site: Repo, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret"
    secret.write_text("my-password = 123\nuser: my-password\n")
    file = site.root / ".git" / name
    file.unlink(missing_ok=True)
    file.symlink_to(secret)
    if name == "objects/info/alternates":  # git complains of it, but goes on
        (site.root / ".git/shallow").write_text("my-password\n")
    done = run("lastmod", ".", cwd=site.root)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"run `git fsck`" in done.stderr
    assert b"my-password" not in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["explain", "URL"],
        ["check", ".", "--previous", "URL"],
        ["report", ".", "-o", "r.html", "--previous", "URL"],
        ["build", "URL"],
        ["lastmod", "--repo", "URL", "."],
        ["submit", "URL", "--all"],
    ],
)
def test_a_password_in_an_argument_is_not_repeated(site: Repo, args: list[str]) -> None:
    done = run(*(arg.replace("URL", "https://us:pa@e.org/x") for arg in args), cwd=site.root)
    assert done.returncode in (1, 2)
    assert b"us:pa" not in done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_project_itself(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        pytest.skip("the project is not a git checkout here")
    repo = Repo.__new__(Repo)
    repo.root = root
    found = json.loads(run("lastmod", "--json", ".", cwd=root).stdout)
    assert len(found) > 30
    found = found[::30]  # git takes long for each
    if (root / ".git" / "shallow").exists():
        pytest.skip("the project is a shallow clone here")
    assert all(row["commit"] == repo.log_commit(row["path"]) for row in found)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize(
    ("command", "buffered"), [("lastmod --json docs", True), ("lastmod --help", True), ("--version", False)]
)
def test_a_full_output_is_one_line(site: Repo, command: str, buffered: bool) -> None:
    """Python tried again at its end, said two lines more, and exited with 120."""
    with open("/dev/full", "wb") as full:
        done = run_buffered(site, command, buffered, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.decode() == "Error: the output: No space left on device.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
def test_an_error_for_which_there_is_no_room_has_a_usual_exit_code(site: Repo) -> None:
    with open("/dev/full", "wb") as full:
        done = run_buffered(site, "lastmod --nonsense", True, stdout=subprocess.DEVNULL, stderr=full)
    assert done.returncode == 1


def run_buffered(
    site: Repo, command: str, buffered: bool, **streams: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run a command whose output has a buffer, as it usually has, or none."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(_UNLIKE)}
    environ |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    words = [sys.executable, "-m", "docs_sitemap", *command.split()]
    return subprocess.run(words, cwd=site.root, env=environ, check=False, **streams)


_UNLIKE: Final = ("COVERAGE_", "PYTHONUNBUFFERED")
"""Coverage takes a way of its own out of the process, over a broken pipe."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no shell that closes it")
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_closed_output_takes_all(site: Repo, closed: str) -> None:
    """Python has no stream then; it was an unexpected error."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m docs_sitemap lastmod docs {closed}"],
        cwd=site.root,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert b"unexpected" not in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
def test_a_reader_that_leaves_early_hears_nothing_more(site: Repo) -> None:
    """As ``docs-sitemap lastmod . | head -1``."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run_buffered(site, "lastmod docs", True, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert done.returncode != 0
    assert done.stderr == b""


def test_a_shell_completes_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_DOCS_SITEMAP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "docs-sitemap la")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert lines(run(cwd=tmp_path)) == [b"plain,lastmod"]


def test_each_command_has_its_help(tmp_path: Path) -> None:
    listed = run("--help", cwd=tmp_path).stdout.decode().partition("Commands:")[2]
    names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
    assert {"build", "check", "explain", "index", "lastmod", "report", "submit", "versions"} == set(names)
    for name in names:
        done = run(name, "--help", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"Usage: docs-sitemap {name} ".encode())
        assert b"\\b" not in done.stdout


def options() -> list[tuple[str, click.Option]]:
    """All options of all commands, each with its name as it is written."""
    context = click.Context(main)
    commands = [(name, main.get_command(context, name)) for name in main.list_commands(context)]
    return [
        (f"{name} {option.opts[0]}", option)
        for name, command in commands
        if command
        for option in command.params
        if isinstance(option, click.Option)
    ]


def test_each_option_says_in_sentences_what_it_does_and_what_it_takes() -> None:
    for name, option in options():
        text = option.help or ""
        assert text[:1] == text[:1].upper() != "" or text.split()[0].strip(",") in WORDS, name
        assert text.endswith("."), name
        assert "`" not in text, name
        assert option.is_flag or option.metavar or isinstance(option.type, click.Choice), name


WORDS = {"gitignore-style", "datetime", "changefreq", "priority", "disallow", "indexnow"}
"""With which a help begins because a user writes them so."""


@pytest.mark.parametrize("name", ["build", "check", "submit"])
def test_each_option_is_in_one_group_of_the_help(name: str, tmp_path: Path) -> None:
    command = main.get_command(click.Context(main), name)
    assert isinstance(command, Grouped)
    grouped = " ".join(command.groups.values()).split()
    own = {param.opts[-1].removeprefix("--") for param in command.params if isinstance(param, click.Option)}
    assert len(grouped) == len(set(grouped))
    assert own - set(grouped) == set(), "name the option in the groups of its command"
    assert {word.replace("-", "_") for word in set(grouped) - own} <= {*_PLUGINS_ONLY, *_IN_FILE_ONLY}
    shown = run(name, "--help", cwd=tmp_path).stdout.decode()
    titles = re.findall(r"^(\w.*):$", shown, re.MULTILINE)
    assert [title for title in [*command.groups, "Other", "Examples"] if title in titles] == titles
    assert re.findall(r"^  (docs-sitemap .*)", shown, re.MULTILINE) == list(command.examples)
    for example in command.examples:
        assert example.startswith(f"docs-sitemap {name} ")
        assert set(re.findall(r"(?<= --)[a-z-]+", example)) <= own


def test_each_command_is_listed_with_what_it_does() -> None:
    for name, text in COMMANDS.items():
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.help
        assert (text[0], text[-1]) == (text[0].upper(), ".")


def test_the_options_of_a_build_name_their_defaults() -> None:
    helps = {name: option.help or "" for name, option in options()}
    assert helps["build --formats"].endswith("take several values separated by commas. Default: xml,gz.")
    assert helps["build --robots"].endswith(" Default: true.")
    assert helps["build --max-urls"].endswith(" Default: 50000.")
    assert "Default" not in helps["build --exclude"]
    assert "None" not in helps["build --previews"]
