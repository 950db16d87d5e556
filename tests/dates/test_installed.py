"""Packages that pip installs for real: a file of theirs is found again at HEAD, or it does not count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs_sitemap.dates.installed import AMBIGUOUS, CHANGED, Installed
from tests.support.gitrepo import Repo
from tests.support.installing import Project

pytestmark = pytest.mark.slow


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of ``sys.path`` to install into."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.mark.parametrize(("root", "folder"), [("src", ""), ("", ""), ("lib/python", "packages/tiny/")])
def test_an_installed_module_is_the_file_that_it_was_installed_from(
    repo: Repo, target: Path, root: str, folder: str
) -> None:
    project = Project(repo, root, folder)
    own = [project.write(name, f"# {name}\n") for name in ("tiny/__init__.py", "tiny/sub/deep.py")]
    repo.save("other/deep.py", "# another of that name\n")
    project.install(target)
    installed = Installed(repo.root / "docs")
    assert installed.original(target / "tiny/__init__.py") == own[0]
    assert installed.original(target / "tiny/sub/deep.py") == own[1]
    assert [installed.original(path) for path in own] == [None, None]
    assert installed.original(target / "tiny/absent.py") is None


def test_a_wheel_of_the_repository_s_own_folder_counts_and_one_of_elsewhere_does_not(
    repo: Repo, target: Path, tmp_path: Path
) -> None:
    """tox and others build the wheel first; where a wheel from elsewhere was made is not known."""
    project = Project(repo)
    own = project.write("tiny/__init__.py", "# tiny\n")
    project.install(target, project.wheel(".tox/.tmp/package/1"))
    assert Installed(repo.root).original(target / "tiny/__init__.py") == own
    project.install(target, project.wheel(str(tmp_path / "wheels")))
    assert Installed(repo.root).original(target / "tiny/__init__.py") is None


def test_an_environment_in_the_repository_is_an_environment(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(repo)
    own = project.write("tiny/__init__.py", "# tiny\n")
    target = project.install(repo.root / ".tox/docs/lib/site-packages")
    monkeypatch.syspath_prepend(target)
    repo.save(".gitignore", ".tox/\n")
    assert Installed(repo.root).original(target / "tiny/__init__.py") == own


@pytest.fixture
def written(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository on ``sys.path``, with metadata there that no commit has.

    They say that two files, of which HEAD has one, were installed from the folder ``old``.
    """
    for name in ("old/tracked.inc", "old/new.inc", "tracked.inc"):
        repo.write(name, "text\n")
    repo.commit()
    repo.write("new.inc", "text\n")
    write_metadata(repo.root / "a-1.dist-info", repo.root / "old")
    monkeypatch.syspath_prepend(repo.root)
    return repo.root


def write_metadata(folder: Path, origin: Path, record: str = "tracked.inc,,\nnew.inc,,\n") -> None:
    folder.mkdir(parents=True)
    (folder / "RECORD").write_text(record)
    (folder / "direct_url.json").write_text(json.dumps({"url": origin.as_uri(), "dir_info": {}}))


def test_a_file_that_head_has_is_itself(repo: Repo, written: Path) -> None:
    """A page would have the date of another file with the same bytes."""
    installed = Installed(written)
    assert installed.original(written / "new.inc") == written / "old/new.inc"
    assert installed.original(written / "tracked.inc") is None
    (written / "tracked.inc").unlink()
    (written / "tracked.inc").symlink_to("old/tracked.inc")
    repo.git("commit", "--quiet", "--all", "--message", "a link")
    assert Installed(written).original(written / "tracked.inc") is None


def test_head_is_read_only_for_what_was_installed_from_the_repository(written: Path, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    write_metadata(written / "b-1.dist-info", other.root)
    installed = Installed(other.root)
    assert installed.original(written / "absent.inc") is None
    assert "_blobs" not in vars(installed)


def test_a_module_with_other_bytes_than_at_head_is_doubtful(repo: Repo, target: Path) -> None:
    project = Project(repo)
    project.write("tiny/__init__.py", "# tiny\n")
    kept = project.write("tiny/kept.py", "# kept\n")
    project.install(target)
    project.write("tiny/__init__.py", "# edited\n")
    installed = Installed(repo.root)
    assert installed.original(target / "tiny/__init__.py") is CHANGED
    assert installed.original(target / "tiny/kept.py") == kept


def test_line_ends_of_a_checkout_on_windows_are_no_other_content(repo: Repo, target: Path) -> None:
    project = Project(repo)
    own = project.write("tiny/__init__.py", "# tiny\n# two lines\n")
    own.write_bytes(own.read_bytes().replace(b"\n", b"\r\n"))
    project.install(target)
    assert Installed(repo.root).original(target / "tiny/__init__.py") == own


def test_a_module_that_is_generated_does_not_count(repo: Repo, target: Path) -> None:
    project = Project(repo, generated="{'tiny/_version.py': b'version = 1\\n'}")
    project.write("tiny/__init__.py", "# tiny\n")
    repo.save("docs/version.py", "version = 1\n")
    project.install(target)
    assert Installed(repo.root).original(target / "tiny/_version.py") is None


def test_of_several_files_of_its_path_the_one_with_its_bytes_counts(repo: Repo, target: Path) -> None:
    """With the same bytes, the one below the folder that was installed; else it is not known which."""
    project = Project(repo, "lib", "packages/")
    own = project.write("tiny/__init__.py", "# tiny\n")
    copy = "copies/tiny/__init__.py"
    project.install(target)
    for text, expected in (("# other\n", own), ("# tiny\n", own)):
        repo.save(copy, text)
        assert Installed(repo.root).original(target / "tiny/__init__.py") == expected
    repo.save(f"packages/{copy}", "# tiny\n")
    assert Installed(repo.root).original(target / "tiny/__init__.py") is AMBIGUOUS


@pytest.mark.parametrize("root", ["src", ""])
def test_a_copy_elsewhere_does_not_stand_for_a_file_that_has_changed(
    repo: Repo, target: Path, root: str
) -> None:
    project = Project(repo, root)
    own = project.write("tiny/__init__.py", "# tiny\n")
    repo.save("copies/tiny/__init__.py", "# tiny\n")
    project.install(target)
    assert Installed(repo.root).original(target / "tiny/__init__.py") == own
    project.write("tiny/__init__.py", "# edited\n")
    assert Installed(repo.root).original(target / "tiny/__init__.py") is CHANGED


def test_a_distribution_from_elsewhere_never_counts(repo: Repo, target: Path, tmp_path: Path) -> None:
    """Not from an index, from version control, from the web, from another repository, or unreadable."""
    project = Project(repo)
    own = project.write("tiny/__init__.py", "# tiny\n")
    project.install(target)
    url, other = repo.root.as_uri(), Repo(tmp_path / "other").root.as_uri()
    [file] = target.glob("*.dist-info/direct_url.json")
    records: list[object] = [
        {"url": url, "vcs_info": {"vcs": "git"}},
        {"url": "https://example.org/repo", "dir_info": {}},
        {"url": url.replace("file://", "file://elsewhere"), "dir_info": {}},
        {"url": other, "dir_info": {}},
        [url],
    ]
    assert Installed(repo.root).original(target / "tiny/__init__.py") == own
    for record in ("{", "[" * 60_000, *map(json.dumps, records)):
        file.write_text(record)
        assert Installed(repo.root).original(target / "tiny/__init__.py") is None
    file.unlink()
    assert Installed(repo.root).original(target / "tiny/__init__.py") is None


def test_without_a_repository_nothing_is_known(repo: Repo, target: Path, tmp_path: Path) -> None:
    project = Project(repo)
    project.write("tiny/__init__.py", "# tiny\n")
    project.install(target)
    (tmp_path / "nowhere").mkdir()
    assert Installed(tmp_path / "nowhere").original(target / "tiny/__init__.py") is None
    (repo.root / ".git/objects").rename(tmp_path / "objects")
    (repo.root / ".git/objects").mkdir()
    assert Installed(repo.root).original(target / "tiny/__init__.py") is None


@pytest.mark.parametrize("record", ["new.inc", '"./new.inc"\r\nother,,'])
def test_a_list_may_have_lines_of_any_length(written: Path, record: str) -> None:
    (written / "a-1.dist-info/RECORD").write_text(record)
    assert Installed(written).original(written / "new.inc") == written / "old/new.inc"


@pytest.mark.parametrize("record", [b"\xff,,\n", b"a" * 200_000, b"\n\n", b""])
def test_a_list_that_is_none_names_no_file(written: Path, record: bytes) -> None:
    (written / "a-1.dist-info/RECORD").write_bytes(record)
    assert Installed(written).original(written / "new.inc") is None
