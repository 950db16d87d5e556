"""Each limit of ``limits.py``: what is within it counts, and what is beyond it does not.

``pytest.mark.limit`` says which limits a test holds, here and elsewhere; the documentation's table names it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from docs_sitemap import limits
from docs_sitemap.dates.evidence.macros import _content
from docs_sitemap.dates.evidence.named import names_in_file
from docs_sitemap.dates.installed import _possible_blobs
from docs_sitemap.errors import OptionError
from docs_sitemap.explain.notes import read_file
from docs_sitemap.files.documents import Documents
from docs_sitemap.files.emission import _leftovers
from docs_sitemap.files.output import OutputFolder
from docs_sitemap.history import (
    Change,
    Reason,
    RepositoryError,
    Unknown,
    catfile,
    last_changes,
    process,
    read_ignored,
)
from docs_sitemap.history.explanation import describe
from docs_sitemap.history.repository import open_repository
from docs_sitemap.options import validation
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.languages import normalise, read_languages
from docs_sitemap.options.page_settings import read_rules, read_settings
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.untrusted import RealPaths
from docs_sitemap.untrusted.html import read_head, read_heading, read_images, says_noindex
from tests.support.bombs import bounded
from tests.support.gitrepo import Repo
from tests.support.limits import marked

pytestmark = pytest.mark.slow

BASE = "https://example.org/"
SUBTAGS = "-abcdefgh" * 20


def test_each_limit_has_a_test() -> None:
    assert set(marked()) == {name for name in vars(limits) if name.isupper()}


class Value(NamedTuple):
    """What accepts a value, or raises, and one of so many characters or items."""

    accept: Callable[[Any], object]
    made: Callable[[int], object]


def codes(number: int) -> dict[str, str]:
    names = filter(is_code, map("".join, product("abcdefghijklm", repeat=3)))
    return {name: f"{BASE}{name}/" for name in islice(names, number)}


def long_codes(length: int) -> dict[str, str]:
    """Languages whose URLs have so many characters together."""
    number = length // 400 + 1
    sizes = [length // number] * (number - 1) + [length - length // number * (number - 1)]
    starts = {code: f"https://example.org/{code}/" for code in codes(number)}
    return {
        code: f"{start}{'a' * (size - len(start) - 1)}/"
        for (code, start), size in zip(starts.items(), sizes, strict=True)
    }


def is_code(name: str) -> bool:
    try:
        return normalise(name) == name
    except ValueError:
        return False


def named(length: int) -> str:
    name = "a.xml" if length % 2 else "aa.xml"
    return "a/" * ((length - len(name)) // 2) + name


def of_a_page(text: object) -> None:
    settings, notices = read_settings(text, "page.md")
    if notices or not settings.exclude:
        raise ValueError(notices)


def listed(items: object) -> None:
    if not says_noindex(items):
        raise ValueError


def two_rules(number: int) -> list[object]:
    matches = [["a"] * 7, ["a"] * (number - 7)]
    return [{"match": match, "exclude": True} for match in matches]


def rules_with_files(number: int) -> list[object]:
    files = [["a"] * 1_000] * (number // 1_000) + [["a"] * (number % 1_000)]
    names = ("sources", "not_sources")
    return [{"match": "a", names[at % 2]: each} for at, each in enumerate(files)]


VALUES = {
    "files": ("MAX_SOURCES", Value(validation.paths, lambda n: ["a"] * n)),
    "rules": ("MAX_PATTERNS", Value(read_rules, lambda n: [{"match": "a", "exclude": True}] * n)),
    "patterns of rules": ("MAX_PATTERNS", Value(read_rules, two_rules)),
    "files of rules": ("MAX_ITEMS", Value(read_rules, rules_with_files)),
    "patterns": ("MAX_PATTERNS", Value(validation.patterns, lambda n: ["a"] * n)),
    "robots tags": ("MAX_ITEMS", Value(listed, lambda n: [*["index"] * (n - 1), "noindex"])),
    "a path": ("MAX_PATH", Value(validation.paths, lambda n: "a" * n)),
    "a file name": (
        "MAX_PATH",
        Value(validation.filename, named),
    ),
    "a pattern": ("MAX_PATH", Value(validation.patterns, lambda n: ["a" * n])),
    "a number": ("MAX_NUMBER", Value(validation.priority, lambda n: "0." + "0" * (n - 2))),
    "a language": ("MAX_LANGUAGE", Value(normalise, lambda n: "en-x" + SUBTAGS[: n - 4])),
    "a base URL": (
        "MAX_BASE_URL",
        Value(validation.base_url, lambda n: f"{BASE}{'a' * (n - len(BASE) - 1)}/"),
    ),
    "languages": ("MAX_LANGUAGES", Value(read_languages, codes)),
    "URLs of languages": ("MAX_LANGUAGE_TEXT", Value(read_languages, long_codes)),
    "a robots setting": ("MAX_ROBOTS_TEXT", Value(listed, lambda n: "index," + " " * (n - 13) + "noindex")),
    "settings": ("MAX_FRONT_MATTER", Value(of_a_page, lambda n: '{"exclude": true' + " " * (n - 17) + "}")),
}


@pytest.mark.limit("MAX_PATTERNS", "MAX_SOURCES")
@pytest.mark.limit("MAX_ITEMS", "MAX_PATH", "MAX_NUMBER", "MAX_LANGUAGE", "MAX_LANGUAGES", "MAX_FRONT_MATTER")
@pytest.mark.limit("MAX_BASE_URL")
@pytest.mark.limit("MAX_LANGUAGE_TEXT", "MAX_ROBOTS_TEXT")
@pytest.mark.parametrize("kind", VALUES)
def test_a_value_is_accepted_up_to_its_limit(kind: str) -> None:
    name, (accept, made) = VALUES[kind]
    limit = getattr(limits, name)
    accept(made(limit))
    with pytest.raises((validation.UnexpectedError, ValueError)):
        accept(made(limit + 1))


def machine(file: Path) -> str:
    return machine_page(file.parent, file.rename(file.with_name("print.html")).name, RealPaths())


class Kind(NamedTuple):
    """How a file is read, how it begins and how it ends; between them are spaces."""

    read: Callable[[Path], object]
    start: bytes = b""
    end: bytes = b""


def needs(module: str, read: Callable[[Path], object]) -> Callable[[Path], object]:
    def read_or_skip(file: Path) -> object:
        pytest.importorskip(module)
        return read(file)

    return read_or_skip


def account(file: Path) -> bool:
    """Tell whether the file was read: then it lacks the fields of an account."""
    from docs_sitemap.submit.failure import SubmitError
    from docs_sitemap.submit.searchconsole import read_account

    with pytest.raises(SubmitError) as problem:
        read_account(file)
    return "missing: " in str(problem.value)


def catalog(file: Path) -> bool:
    from docs_sitemap.generators.sphinx.catalogs import Catalogs

    return Catalogs(fuzzy=False).translates(file)


def source(file: Path) -> str:
    from docs_sitemap.dates.evidence.abbreviations import _text

    return _text(str(file)).strip()


def directives(file: Path) -> list[str]:
    from docs_sitemap.generators.sphinx.configured import names_in

    return [*names_in(file)]


def versions(file: Path) -> dict[str, list[str]]:
    from docs_sitemap.index import Places, Tree

    return Tree(file.parent, Places("https://e.org/", {}))._read_versions(file.name)


def linked(file: Path) -> set[str]:
    pytest.importorskip("protego")
    from docs_sitemap.check.pages import Task, read_chunk
    from docs_sitemap.check.tree import Tree

    file.with_name("bc").touch()
    _, found = read_chunk(Task(Tree(file.parent), (BASE,), with_links=True), [file.name])
    return found


FILES = {
    "notes": ("MAX_NOTED", Kind(lambda file: read_file(file).header, b'{"version": 1, "names": []}')),
    "versions.json": ("MAX_VERSIONS", Kind(needs("click", versions), b'[{"version": "1"}', b"]")),
    "an included file": ("MAX_SOURCE", Kind(lambda file: names_in_file(str(file)), b'--8<-- "a.md"\n')),
    "a source of MkDocs": ("MAX_SOURCE", Kind(needs("mkdocs", source), b"", b"a")),
    "a source of Sphinx": ("MAX_SOURCE", Kind(needs("sphinx", directives), b"", b"\n.. include:: a")),
    "data of macros": ("MAX_DATA", Kind(needs("yaml", lambda file: _content(str(file))), b"a: 1\n")),
    "a head": (
        "MAX_HEAD",
        Kind(read_head, b"<head>", b"<meta name=robots content=noindex>"),
    ),
    "a heading": ("MAX_PAGE", Kind(read_heading, b"<body>", b"<h1>h</h1>")),
    "images": ("MAX_PAGE", Kind(lambda file: read_images(file, BASE), b"<body>", b"<img src=a.png>")),
    "links": ("MAX_LINKING_PAGE", Kind(needs("lxml", linked), b"<body>", b"<a href=bc")),
    "a page for printing": ("MAX_FORM_PAGE", Kind(machine, b"<body>", b"<div id=print-site-page")),
    "an account": ("MAX_CREDENTIALS", Kind(needs("google.auth", account), b"{", b"}")),
    "a catalog": ("MAX_CATALOG", Kind(needs("sphinx", catalog), b"#", b'\nmsgid "a"\nmsgstr "b"')),
}


@pytest.mark.limit("MAX_NOTED", "MAX_VERSIONS", "MAX_SOURCE", "MAX_DATA", "MAX_HEAD", "MAX_PAGE")
@pytest.mark.limit("MAX_LINKING_PAGE", "MAX_CREDENTIALS", "MAX_CATALOG", "MAX_FORM_PAGE")
@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_read_up_to_its_limit(tmp_path: Path, kind: str) -> None:
    name, (read, start, end) = FILES[kind]
    limit = getattr(limits, name)
    file = tmp_path / "versions.json"
    found = []
    for size in (1_000, limit, limit + 1):
        file.write_bytes(start + b" " * (size - len(start) - len(end)) + end)
        found.append(read(file))
    assert found[0] == found[1] != found[2]


@pytest.mark.limit("MAX_MODULE")
def test_an_installed_module_is_compared_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    with open(file, "wb") as stream:
        stream.truncate(limits.MAX_MODULE)
    assert len(_possible_blobs(str(file))) == 2
    os.truncate(file, limits.MAX_MODULE + 1)
    assert not _possible_blobs(str(file))


@pytest.mark.limit("MAX_HASHED")
def test_a_change_of_a_hook_is_seen_up_to_its_limit(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    from docs_sitemap.generators.mkdocs.notes import _digest

    file = tmp_path / "hook.py"
    found = []
    for end in (b"aa", b"ba", b"bb"):
        file.write_bytes(b"#" * (limits.MAX_HASHED - 1) + end)
        found.append(_digest([str(file)]))
    assert found[0] != found[1] == found[2]


@pytest.mark.limit("MAX_STARS", "MAX_ADVICE")
def test_settings_of_sphinx_sitemap_have_limits() -> None:
    pytest.importorskip("sphinx")
    from docs_sitemap.generators.sphinx.moving import _patterns, _told

    assert len(_patterns("a*" * limits.MAX_STARS)) == 2**limits.MAX_STARS
    with pytest.raises(OptionError):
        _patterns("a*" * (limits.MAX_STARS + 1))
    values = {"exclude": "a" * 2 * limits.MAX_ADVICE}
    assert (
        limits.MAX_ADVICE <= len(_told("sitemap_excludes", "exclude", values).text) <= limits.MAX_ADVICE + 200
    )


@pytest.mark.limit("MAX_LINKS")
def test_a_folder_has_links_up_to_a_limit(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from docs_sitemap.index.places import Places
    from docs_sitemap.index.tree import Tree

    (tmp_path / "stable").mkdir()
    for number in range(limits.MAX_LINKS + 1):
        (tmp_path / f"v{number}").symlink_to("stable")
    assert len(Tree(tmp_path, Places(BASE, {})).folders()) == 1 + limits.MAX_LINKS


@pytest.mark.limit("MAX_EARLIER")
def test_earlier_names_of_a_sitemap_are_looked_for_up_to_a_limit(tmp_path: Path) -> None:
    names = [f"{number}.xml" for number in range(limits.MAX_EARLIER + 1)]
    (_, data), *_ = Documents([Url(BASE)], BASE, Options(formats=("xml",))).render()
    for name in names:
        (tmp_path / name).write_bytes(data)
    assert _leftovers(OutputFolder(tmp_path), "sitemap.xml", names) == set(names[:-1])


@pytest.mark.limit("MAX_POINTER")
def test_a_file_that_names_the_folder_of_git_is_read_up_to_its_limit(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    (tmp_path / ".git").rename(tmp_path / "git")
    for size, is_there in ((limits.MAX_POINTER, True), (limits.MAX_POINTER + 1, False)):
        repo.write(".git", "gitdir: git".ljust(size, "\n"))
        found = open_repository(tmp_path)
        assert found
        assert (found.fault == "") == is_there


@pytest.mark.limit("MAX_GIT_FILE")
def test_a_file_of_git_s_own_is_read_up_to_its_limit(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("a.md")
    repo.git("pack-refs", "--all")
    found = open_repository(tmp_path)
    assert found
    head = found.head_name()
    assert head
    refs = tmp_path / ".git/packed-refs"
    refs.write_text((refs.read_text() + "#").ljust(limits.MAX_GIT_FILE, "#"))
    assert found.head_name() == head
    refs.write_text(refs.read_text() + "#")
    with pytest.raises(RepositoryError, match="larger than"):
        found.head_name()


@pytest.mark.limit("MAX_COMMIT_LIST")
def test_a_list_of_commits_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "revs"
    file.write_text(f"{'a' * 40}\n".ljust(limits.MAX_COMMIT_LIST, "#"))
    assert read_ignored(file) == {b"a" * 40}
    file.write_text(file.read_text() + "#")
    with pytest.raises(OSError, match="larger than"):
        read_ignored(file)


def configured(folder: Path, prolog: str) -> Any:
    """What a build of Sphinx with this prolog knows of it."""
    pytest.importorskip("sphinx")
    from docs_sitemap.generators.sphinx.configured import Configured

    environment: Any = SimpleNamespace(doc2path=lambda name: str(folder / f"{name}.rst"), srcdir=folder)
    config = SimpleNamespace(rst_prolog=f".. include:: {prolog}\n", rst_epilog="")
    return Configured(SimpleNamespace(confdir=folder, config=config), environment)  # type: ignore[arg-type]


@pytest.mark.limit("MAX_NAMES")
def test_a_prolog_names_files_up_to_a_limit(tmp_path: Path) -> None:
    """Each name is looked for in each folder: 40,000 took minutes."""
    (tmp_path / "p.txt").write_text("".join(f".. include:: {number}\n" for number in range(40_000)))
    found = configured(tmp_path, "p.txt").files("index")
    assert limits.MAX_NAMES < len(found) < limits.MAX_NAMES + 10


def test_documents_of_a_folder_share_the_files_that_a_prolog_names(tmp_path: Path) -> None:
    """500 documents that include nothing took three seconds: each got a thousand new paths."""
    (tmp_path / "p.txt").write_text("".join(f".. include:: {number}\n" for number in range(40)))
    (tmp_path / "own.rst").write_text(".. include:: 7\n.. include:: docutils.conf\n")
    found = configured(tmp_path, "p.txt")
    assert found.files("a") is found.files("b")
    assert found.files("a") - found.files("own") == {tmp_path / "7", Path.cwd() / "7"}
    assert tmp_path / "docutils.conf" in found.files("own")


@pytest.mark.limit("MAX_LOOKED")
@pytest.mark.parametrize("names", [1, 2])
def test_names_of_all_documents_are_looked_for_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: int
) -> None:
    """100 documents that include a file of 1,000 names took 13 seconds: each time all were looked for."""
    asked_in = pytest.importorskip("docs_sitemap.generators.sphinx.configured")
    for name in ("p.txt", "index.rst"):
        (tmp_path / name).write_text("..\n  .. include:: p.txt\n" if name == "index.rst" else "")
    monkeypatch.setattr(asked_in, "MAX_LOOKED", names * 3 * (len("p.txt") + len(str(tmp_path)) + 100))
    is_own = tmp_path / "p.txt" not in configured(tmp_path, "p.txt").files("index")
    assert is_own is (names == 2)  # the prolog has the first one


def test_files_with_the_same_names_are_not_all_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand files with a thousand names each took a second for each document."""
    asked_in = pytest.importorskip("docs_sitemap.generators.sphinx.configured")
    monkeypatch.setattr(asked_in, "MAX_NAMES", 10)
    (tmp_path / "p.txt").write_text("".join(f".. include:: f{number}\n" for number in range(10)))
    for number in range(10):
        (tmp_path / f"f{number}").write_text("Text.")
    asked = configured(tmp_path, "p.txt")
    assert len(asked.files("index")) > 10
    assert len(asked._names) == 1  # the names in the others are not looked for, because there are enough


def test_links_to_one_file_that_names_the_links_are_one_file(tmp_path: Path) -> None:
    """400 took 1.6 GB: of each, all that it names was kept, each name as often as it stands."""
    names = "".join(f"  .. include:: l{number % 150}\n" for number in range(60_000))
    (tmp_path / "big.txt").write_text(f"..\n{names}")
    for number in range(150):
        (tmp_path / f"l{number}").symlink_to("big.txt")
    asked = configured(tmp_path, "l0")
    with bounded(100 << 20):
        found = asked.files("index")
    assert {tmp_path / f"l{number}" for number in range(150)} <= found
    assert len(asked._names) == 1


@pytest.mark.limit("MAX_INCLUDED")
def test_included_files_are_searched_up_to_a_limit(tmp_path: Path) -> None:
    most = limits.MAX_INCLUDED // limits.MAX_SOURCE
    text = "..\n" + "".join(f"  .. include:: f{number}\n" for number in range(most + 5))
    for number in range(most + 5):
        (tmp_path / f"f{number}").write_text(text + f"  .. include:: from{number}\n")
        os.truncate(tmp_path / f"f{number}", limits.MAX_SOURCE)
    found = {path.name for path in configured(tmp_path, "f0").files("index")}
    assert sum(name.startswith("from") for name in found) == most


@pytest.mark.limit("MAX_GIT_MESSAGE")
def test_messages_of_git_are_read_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(tmp_path)
    repo.write(".git/refs/heads/a", "broken")
    found = open_repository(tmp_path)
    assert found
    for limit, told in ((limits.MAX_GIT_MESSAGE, ": … broken ref …"), (len("warning: ignoring broken"), "")):
        monkeypatch.setattr(process, "MAX_GIT_MESSAGE", limit)
        git = process.GitProcess(found, "for-each-ref")
        try:
            assert git.stdout.read() == b""
            assert str(git.refusal()) == f"{found.root}: git for-each-ref ended with code 0{told}"
        finally:
            git.close()


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="the messages are in a file on a disk")
def test_messages_of_git_are_kept_up_to_a_limit(tmp_path: Path) -> None:
    """A repository of 14 MB took 1.7 GB of memory: a line for each object, and each pack that is broken."""
    repo = Repo(tmp_path)
    for number in range(100):
        repo.write(f".git/refs/heads/{number}{'a' * 150}", "broken")
    found = open_repository(tmp_path)
    assert found
    git = process.GitProcess(found, "for-each-ref")
    try:
        assert git.stdout.read() == b""
        assert "ended with code 0: … broken ref …" in str(git.refusal())
        assert os.fstat(git._errors.fileno()).st_size == limits.MAX_GIT_MESSAGE
    finally:
        git.close()


@pytest.mark.limit("MAX_SUBJECT")
def test_an_author_and_a_subject_are_shown_up_to_a_limit() -> None:
    author, subject = describe(b"author %b> 1 +0000\n\n%b" % (b"a" * 9_000, b"b" * 9_000))
    assert (len(author), len(subject)) == (limits.MAX_SUBJECT, limits.MAX_SUBJECT)


@pytest.mark.limit("MAX_GIT_MEMORY", "MAX_GIT_ALLOCATION", "COMMIT_MEMORY")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits other processes")
def test_git_is_started_with_its_limits(tmp_path: Path) -> None:
    import resource

    repo = Repo(tmp_path)
    repo.commit("a.md")
    found = open_repository(repo.root)
    assert found
    repo.git("repack", "-adq")
    assert found.packs.objects > 1
    total = 0.0
    for is_beside in (False, True, True):
        git = process.GitProcess(found, "cat-file", "--batch", is_beside=is_beside)
        share = 1 / 4 if is_beside else 1 / 2
        total += share
        try:
            number = git._process.pid
            memory = limits.MAX_GIT_MEMORY * share
            assert resource.prlimit(number, resource.RLIMIT_CPU)[0] == limits.MAX_GIT_SECONDS * share
            assert resource.prlimit(number, resource.RLIMIT_CORE)[0] == 0
            for commits, counted in ((0, 0), (1, 1), (1_000_000, found.packs.objects)):
                git.allow(commits)
                data = resource.prlimit(number, resource.RLIMIT_DATA)[0]
                assert data == memory + counted * limits.COMMIT_MEMORY
        finally:
            git.close()
    assert total == 1
    assert process.git_environment(found)["GIT_ALLOC_LIMIT"] == str(limits.MAX_GIT_ALLOCATION)


@pytest.mark.limit("MAX_OBJECTS")
def test_objects_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """512 MiB of trees take too long to make; these have some hundred bytes."""
    repo = Repo(tmp_path)
    commit = repo.commit(*(f"{number}/a.md" for number in range(20)))
    paths = [repo.root / f"{number}/a.md" for number in range(20)]
    monkeypatch.setattr(catfile, "MAX_OBJECTS", 10)
    lost = last_changes(paths).values()
    assert {change.reason for change in lost if isinstance(change, Unknown)} == {Reason.TOO_LARGE}
    monkeypatch.undo()
    found = last_changes(paths).values()
    assert {change.commit for change in found if isinstance(change, Change)} == {commit}
