from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from docs_sitemap.cli import main
from docs_sitemap.git import search
from tests.support.gitrepo import FIRST, Repo
from tests.support.warm import run_module

pytestmark = pytest.mark.core


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_module("docs_sitemap", "explain", *args, cwd=cwd)


def explained(*args: str, cwd: Path) -> dict[str, Any]:
    done = run("--json", *args, cwd=cwd)
    assert done.returncode == 0, done.stderr
    (page,) = json.loads(done.stdout)
    assert isinstance(page, dict)
    return page


def what_git_shows(page: dict[str, Any]) -> str:
    """The commit that the command shows which a doubter is given."""
    done = subprocess.run(shlex.split(page["command"]), check=True, capture_output=True, text=True)
    return done.stdout.split()[0]


@pytest.fixture
def site(repo: Repo) -> Repo:
    repo.commit("docs/guide/a.md", "docs/index.md", when=FIRST)
    repo.commit("docs/inc.md", when=FIRST + 60)
    return repo


def test_json_is_no_command_to_a_ci_service(site: Repo) -> None:
    """One of them reads ``##vso[...]`` anywhere in a line; no JSON is another for it."""
    site.write("docs/guide/a.md", "new")
    site.git("commit", "-qam", "##vso[task.setvariable variable=PATH]/evil")
    done = run("--json", "docs/guide/a.md", cwd=site.root)
    assert "##" not in done.stdout
    assert json.loads(done.stdout)[0]["subject"].startswith("##vso[")


def test_a_page_in_words(site: Repo) -> None:
    done = run("docs/guide/a.md", cwd=site.root)
    commit = site.log_commit("docs/guide/a.md")
    assert done.stdout.splitlines() == [
        "docs/guide/a.md",
        "  date        2023-11-14T22:13:20+00:00",
        "  decided by  docs/guide/a.md",
        "  because     the page is written in it",
        f"  commit      {commit}",
        "  author      A <a@example.org>",
        "  subject     change",
        f"  see         git -C {site.root} log -1 '--format=%H %cI %an: %s' -- docs/guide/a.md",
        "  note        the included files are unknown: build the site once, or use --include FILE",
    ]


def test_the_command_shows_the_same(site: Repo) -> None:
    for name in ("docs/guide/a.md", "docs/inc.md"):
        page = explained(name, cwd=site.root)
        assert what_git_shows(page) == page["commit"] == site.log_commit(name)


@pytest.mark.parametrize("name", [":(top)x.md", "a*b.md", 'it\'s "so".md'])
def test_the_command_is_right_for_odd_names(site: Repo, name: str) -> None:
    site.commit(name)
    site.commit("ab.md")
    page = explained(name, cwd=site.root)
    assert what_git_shows(page) == page["commit"]


def test_the_dependency_that_decides(site: Repo) -> None:
    page = explained(
        "docs/guide/a.md", "--include", "docs/inc.md", "--include", "docs/index.md", cwd=site.root
    )
    assert page["path"] == "docs/inc.md"
    assert page["date"] == "2023-11-14T22:14:20+00:00"
    assert page["files"] == ["docs/guide/a.md", "docs/inc.md", "docs/index.md"]
    done = run("docs/guide/a.md", "--include", "docs/inc.md", cwd=site.root)
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "decided by docs/inc.md" in lines
    assert "also counts docs/guide/a.md, 2023-11-14T22:13:20+00:00: the page is written in it" in lines


def test_what_was_passed_over(site: Repo) -> None:
    before = site.log_commit("docs/guide/a.md")
    site.git("mv", "docs/guide/a.md", "docs/guide/b.md")
    renamed = site.commit()
    ignored = site.commit("docs/guide/b.md")
    site.write(".git-blame-ignore-revs", f"{ignored}  # reformatting\n")
    page = explained("docs/guide/b.md", cwd=site.root)
    assert (page["commit"], page["skipped"]) == (
        renamed,
        [{"commit": ignored, "why": "ignored", "old_name": None}],
    )
    assert what_git_shows(page) == renamed
    page = explained("docs/guide/b.md", "--follow-renames", cwd=site.root)
    assert page["commit"] == before
    assert page["skipped"][1] == {"commit": renamed, "why": "renamed", "old_name": "docs/guide/a.md"}
    assert what_git_shows(page) == before
    text = run("docs/guide/b.md", "--follow-renames", cwd=site.root).stdout
    assert f"skipped     {ignored} (ignored)" in text
    assert f"skipped     {renamed} (renamed from docs/guide/a.md)" in text


def test_an_unknown_date_has_its_reason_and_its_cure(site: Repo, tmp_path: Path) -> None:
    clone = site.clone(tmp_path / "clone", "--depth=1")
    page = explained("docs/guide/a.md", cwd=clone.root)
    assert page["date"] is None
    assert "before this shallow clone begins" in page["reason"]
    assert "fetch-depth: 0" in page["fix"]
    text = run("docs/guide/a.md", cwd=clone.root).stdout
    assert "  date        none: last changed before this shallow clone begins\n" in text
    new = site.write("docs/new.md")
    page = explained(str(new), cwd=site.root)
    assert (page["date"], page["commit"]) == (None, None)
    assert page["fix"].startswith("commit it; ")
    assert "not committed" in page["reason"]
    outside = tmp_path / "outside.md"
    outside.touch()
    assert "not in a git repository" in explained(str(outside), cwd=site.root)["reason"]


def test_a_date_to_come_is_not_given(site: Repo) -> None:
    commit = site.commit("docs/late.md", when=4_000_000_000)
    page = explained("docs/late.md", cwd=site.root)
    assert page["date"] is None
    assert "in the future" in page["reason"]
    assert what_git_shows(page) == commit


NAMES = (
    "guide/a",
    "guide/a.html",
    "guide/a/",
    "guide/a/index.html",
    "https://example.org/guide/a/",
    "HTTPS://example.org/guide/a/",
    "https://example.org/en/latest/guide/a.html",
)
FRONT = ("https://example.org/", "index")


def test_a_page_is_found_by_its_address_or_document_name(site: Repo) -> None:
    """The front page is not the README of the repository."""
    site.commit("README.md")
    site.commit("docs/paper.typ")
    for args in ((), ("--source-dir", "docs")):
        done = run("--json", *args, *NAMES, *FRONT, "paper", cwd=site.root)
        paths = [page["path"] for page in json.loads(done.stdout)]
        assert paths == ["docs/guide/a.md"] * len(NAMES) + ["docs/index.md"] * len(FRONT) + ["docs/paper.typ"]


def test_a_page_that_cannot_be_found_or_told_apart(site: Repo) -> None:
    done = run("nothing/here", cwd=site.root)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing/here has no known source; name its source file" in done.stderr
    done = run("https://example.org/no/such/page/", cwd=site.root)
    assert done.returncode == 2
    assert "has no known source" in done.stderr
    done = run("nothing/here", "--source-dir", "docs", cwd=site.root)
    assert done.stderr.endswith("has no known source; name its source file.\n")
    done = run("https://example.org/html/inc.html", cwd=site.root)
    assert done.returncode == 2
    assert "may be made from a file in another folder: docs/inc.md; name its source file" in done.stderr
    done = run("https://[::1/guide/a", cwd=site.root)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: https://[::1/guide/a has no known source")
    site.commit("docs/guide/a.rst")
    done = run("guide/a", cwd=site.root)
    assert done.returncode == 2
    assert "guide/a matches several files: docs/guide/a.md, docs/guide/a.rst" in done.stderr


def test_author_and_subject_in_another_encoding(site: Repo) -> None:
    site.write("docs/x.md")
    site.git("add", ".")
    site.git(
        "-c",
        "i18n.commitEncoding=ISO-8859-1",
        "-c",
        "user.name=x",
        "commit",
        "-q",
        "-m",
        "caf\udce9\nund so",
        when=FIRST,
    )
    page = explained("docs/x.md", cwd=site.root)
    assert page["subject"] == "café und so"


def test_one_page_that_cannot_be_found_does_not_silence_the_others(site: Repo) -> None:
    done = run("docs/inc.md", "no/such", "docs/index.md", cwd=site.root)
    assert done.returncode == 1
    assert "\n\ndocs/index.md\n" in done.stdout
    assert "no/such has no known source" in done.stderr
    done = run("--json", "no/such", "docs/index.md", cwd=site.root)
    assert [page["path"] for page in json.loads(done.stdout)] == ["docs/index.md"]


def test_an_ignored_commit_that_made_the_file(site: Repo) -> None:
    made = site.commit("docs/new.md")
    site.write(".git-blame-ignore-revs", f"{made}\n")
    page = explained("docs/new.md", cwd=site.root)
    assert page["commit"] == made
    assert "the commit is listed as ignored, but counts because no parent has the file" in page["remarks"]
    assert what_git_shows(page) == made


def test_the_history_is_read_once_for_all_pages(site: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """400 pages and 20,000 commits took 44 s."""
    asked: list[set[bytes]] = []

    original = search.search

    def counted(repository: Any, names: Any, rules: Any, *, added: bool) -> Any:
        asked.append(set(names))
        return original(repository, names, rules, added=added)

    monkeypatch.setattr(search, "search", counted)
    monkeypatch.chdir(site.root)
    done = CliRunner().invoke(main, ["explain", "docs/index.md", "docs/guide/a.md", "docs/inc.md"])
    assert done.exit_code == 0
    assert done.stdout.count("  commit ") == 3
    assert asked == [{b"docs/index.md", b"docs/guide/a.md", b"docs/inc.md"}]


@pytest.mark.parametrize("command", ["explain", "lastmod"])
def test_no_name_in_an_error_begins_a_line(site: Repo, command: str) -> None:
    """A runner of workflows takes what follows ``::`` for a command."""
    name = "docs/a\n::error file=x::forged.md"
    (site.root / name).symlink_to("nowhere")
    (site.root / "docs/b\n::error::b").mkdir()
    done = run_module("docs_sitemap", command, name, "docs/b\n::error::b", cwd=site.root)
    assert done.returncode != 0
    assert "forged.md" in done.stderr
    assert not any(line.startswith("::") for line in (done.stdout + done.stderr).splitlines())


def test_the_command_for_a_broken_repository_is_quoted(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "a; touch pwned #")
    repo.commit("a.md")
    (repo.root / ".git" / repo.git("symbolic-ref", "HEAD")).write_text("1" * 40)
    done = run_module("docs_sitemap", "explain", f"{repo.root.name}/a.md", cwd=tmp_path)
    assert f"git -C '{repo.root}' status" in done.stdout
