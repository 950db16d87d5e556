"""Real builds: every command, where a site and its sources may lie, and how its address may be written."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("mkdocs")

from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.mkdocssite import BASE, FILES, Built, Docs
from tests.support.sitemaps import canonical

COMMITTER = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

PAGES = ("", "one/", "two/")


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.md", "two.md")
    return site


def dates(docs: Docs) -> dict[str, str]:
    return {"": docs.date("index.md"), "one/": docs.date("one.md"), "two/": docs.date("two.md")}


def succeeded(built: Built) -> Built:
    assert not built.failed, built.log
    assert built.warnings == []
    return built


# Commands


def test_gh_deploy_pushes_our_files(docs: Docs, tmp_path: Path) -> None:
    """What arrives at the remote has the bytes of a plain build, also when it is deployed again."""
    remote = tmp_path / "remote.git"
    docs.repo.git("init", "--quiet", "--bare", str(remote))
    docs.repo.git("remote", "add", "origin", str(remote))
    for number, args in enumerate([("--strict",), ("--dirty",)]):
        docs.pages(f"new-{number}.md")
        docs.run(*args, command="gh-deploy", env=COMMITTER).passed()
        pushed = tmp_path / f"pushed-{number}"
        docs.repo.git("clone", "--quiet", "--branch", "gh-pages", str(remote), str(pushed))
        built = docs.build()
        assert [(pushed / name).read_bytes() for name in FILES] == built.files
        assert built.sitemap[f"new-{number}/"] == docs.date(f"new-{number}.md")
        assert len(built.sitemap) == 4 + number


def test_gh_deploy_pushes_nothing_where_our_warning_stops_it(docs: Docs, tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    docs.repo.git("init", "--quiet", "--bare", str(remote))
    docs.repo.git("remote", "add", "origin", str(remote))
    docs.page("bad.md", sitemap={"priority": 7})
    assert docs.run("--strict", command="gh-deploy", env=COMMITTER).failed
    assert docs.repo.git("ls-remote", "origin") == ""


def test_what_a_quiet_build_hides_does_not_stop_it(docs: Docs) -> None:
    """``-q`` keeps MkDocs from counting warnings: the build is good, and so its files are written."""
    docs.page("bad.md", sitemap={"priority": 7})
    assert docs.run("--strict").failed
    quiet = docs.run("-q", "--strict").passed()
    assert quiet.log == []
    assert set(quiet.sitemap) == {*dates(docs), "bad/"}


def test_a_quiet_build_says_what_stops_it(docs: Docs) -> None:
    docs.conf({"clock": "wall"})
    quiet = docs.run("-q")
    assert quiet.failed
    assert len(quiet.notices("Plugin 'docs-sitemap' option 'clock': expected one of committer, author")) == 1


def test_a_strict_build_is_stopped_by_a_warning_of_others_too(docs: Docs) -> None:
    """Then the last files stay as they are, and without ``--strict`` they are written."""
    before = succeeded(docs.build(strict=True))
    docs.page("new.md", "[Nowhere](nowhere.md)")
    stopped = docs.build(strict=True, dirty=True)
    assert stopped.failed
    assert stopped.files == before.files
    assert "new/" in docs.build().sitemap


@pytest.mark.parametrize("flag", ["--no-directory-urls", "--use-directory-urls"])
def test_the_command_line_decides_on_directory_urls(docs: Docs, flag: str) -> None:
    docs.conf(use_directory_urls=flag == "--no-directory-urls")
    built = docs.run("--strict", flag).passed()
    page = "one.html" if flag == "--no-directory-urls" else "one/"
    assert built.sitemap[page] == docs.date("one.md")
    assert len(built.sitemap) == 3


def test_a_dirty_build_knows_the_configuration_under_any_name(docs: Docs) -> None:
    clean = docs.run()
    assert clean.sitemap == dates(docs)
    assert docs.run("--dirty", "-f", "mkdocs.yml").files == clean.files


def test_a_dirty_build_publishes_nothing_of_what_a_link_leads_to(docs: Docs, tmp_path: Path) -> None:
    """Its heading and its images were in the feed and in the sitemap."""
    docs.repo.write("docs/raw.html", "<html><body><h1>Raw</h1></body></html>")
    docs.conf({"formats": ["xml", "atom"], "images": True}, nav=["index.md", "one.md", "two.md", "raw.html"])
    docs.repo.commit()
    clean = docs.build()
    assert {*clean.sitemap} == {"", "one/", "two/", "raw.html"}
    secret = tmp_path / "secret/index.html"
    secret.parent.mkdir()
    secret.write_text("<html><head></head><body><h1>Secret</h1><img src=secret.png></body></html>")
    for name in ("one/index.html", "raw.html"):
        (docs.outdir / name).unlink()
        (docs.outdir / name).symlink_to(secret)
    (docs.outdir / "two/index.html").rename(docs.outdir / "two/real.html")
    (docs.outdir / "two/index.html").symlink_to("real.html")
    built = docs.build(dirty=True).passed()
    assert {*built.sitemap} == {"", "two/"}
    assert b"ecret" not in built.read("sitemap.xml") + built.read("atom.xml")
    (docs.outdir / "two/index.html").unlink()
    (docs.outdir / "two/real.html").unlink()
    (docs.outdir / "two").rmdir()
    (docs.outdir / "two").symlink_to(secret.parent)
    assert {*docs.build(dirty=True).sitemap} == {""}


# Configurations


def test_two_configurations_in_one_process(docs: Docs, tmp_path: Path) -> None:
    """Both are read before either is built, one fails in between, and each has its own pages and options."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    other = Docs(tmp_path / "other")
    other.conf({"lastmod": "none", "filename": "map.xml"}, site_url="https://example.com/")
    other.pages("three.md")
    broken = Docs(tmp_path / "broken")
    broken.conf(
        {"page_dates": True},
        hooks=[broken.hook("def on_post_page(output, **_):\n    raise ValueError('broken')\n")],
    )
    broken.pages()
    configs = [
        load_config(str(site.config_file), site_dir=str(site.outdir)) for site in (docs, other, broken)
    ]
    for _ in range(2):
        build(configs[0])
        with pytest.raises(ValueError, match="broken"):
            build(configs[2])
        build(configs[1])
        found = sitemaps.read(docs.outdir / "sitemap.xml")
        assert found == {BASE + url: date for url, date in dates(docs).items()}
        found = sitemaps.read(other.outdir / "map.xml")
        assert found == {"https://example.com/": None, "https://example.com/three/": None}
        assert not (other.outdir / "sitemap.xml").exists()
        assert not (broken.outdir / "sitemap.xml").exists()


def test_inherited_options_count(docs: Docs) -> None:
    """A mapping of plugins is merged with its parent's, key by key; paths are the child's."""
    docs.repo.write("revs.txt", docs.repo.log_commit("docs/two.md") + "\n")
    parent = {"docs-sitemap": {"lastmod_format": "date", "changefreq": "weekly"}, "search": {}}
    docs.conf(plugins=parent)
    docs.config_file.rename(docs.repo.write("shared/base.yml"))
    docs.repo.write(
        "mkdocs.yml",
        "INHERIT: shared/base.yml\ndocs_dir: docs\n"
        "plugins:\n  docs-sitemap:\n    changefreq: daily\n    exclude: [one.md]\n",
    )
    built = succeeded(docs.build(strict=True))
    assert built.sitemap == {"": docs.date("index.md")[:10], "two/": docs.date("two.md")[:10]}
    assert built.read("sitemap.xml").count(b"<changefreq>daily<") == 2


def test_a_wrong_inherited_option_stops_the_build(docs: Docs) -> None:
    docs.conf(plugins={"docs-sitemap": {"clock": "wall"}})
    docs.config_file.rename(docs.repo.write("base.yml"))
    docs.repo.write("mkdocs.yml", "INHERIT: base.yml\nplugins:\n  docs-sitemap: {exclude: [one.md]}\n")
    built = docs.build()
    assert built.failed
    assert len(built.notices("Plugin 'docs-sitemap' option 'clock': expected one of")) == 1


# Where the sources lie


def other_repository(tmp_path: Path) -> Repo:
    """A repository with documentation in its root, each page with its own date, and data."""
    other = Repo(tmp_path / "other")
    for name in ("index.md", "one.md", "two.md"):
        other.write(name, f"# {name}\n\nText.\n")
        other.commit(when=other.tick() - 10**7)
    other.commit("data.txt")
    return other


def dates_of(other: Repo) -> dict[str, str]:
    urls = {"": "index.md", "one/": "one.md", "two/": "two.md"}
    times = {url: other.log_date(name) for url, name in urls.items()}
    assert len(set(times.values())) == 3
    return {url: datetime.fromtimestamp(time, UTC).isoformat() for url, time in times.items()}


@pytest.fixture
def empty(tmp_path: Path) -> Docs:
    """A project whose documentation lies elsewhere, with a commit that is newer than that."""
    site = Docs(tmp_path)
    site.conf()
    site.repo.commit("README.md")
    return site


def add_submodule(docs: Docs, other: Repo, name: str, *args: str) -> None:
    allowed = ("-c", "protocol.file.allow=always")
    docs.repo.git(*allowed, "submodule", "--quiet", "add", *args, other.root.as_uri(), name)
    docs.repo.commit()


def test_documentation_in_a_submodule(empty: Docs, tmp_path: Path) -> None:
    """Its pages have the dates of the submodule's history, up to the commit that is checked out."""
    other = other_repository(tmp_path)
    add_submodule(empty, other, "docs")
    expected = dates_of(other)
    other.write("one.md", "# One\n\nLater.\n")
    other.commit()
    assert succeeded(empty.build(strict=True)).sitemap == expected
    clean = empty.build()
    assert empty.build(dirty=True).files == clean.files


def test_what_a_page_includes_from_a_submodule_counts(docs: Docs, tmp_path: Path) -> None:
    """With the date that it has there."""
    other = other_repository(tmp_path)
    words = other.write("data.txt", "Seven wise owls count stars.").name
    other.commit()
    add_submodule(docs, other, "lib")
    code = f"""
from pathlib import Path

def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "one.md":
        return markdown + Path({str(docs.repo.root)!r}, "lib", {words!r}).read_text()
"""
    docs.conf(hooks=[docs.hook(code)])
    newest = datetime.fromtimestamp(other.log_date(words), UTC).isoformat()
    assert newest > docs.date("one.md")
    assert succeeded(docs.build(strict=True)).sitemap == {**dates(docs), "one/": newest}


@pytest.mark.parametrize("place", ["here", "another repository", "outside"])
def test_a_linked_docs_dir(docs: Docs, tmp_path: Path, place: str) -> None:
    """The link itself, whose commit is newer than all pages, dates none of them."""
    expected: dict[str, Any]
    if place == "here":
        target = docs.docs_dir.rename(docs.repo.root / "real")
        docs.repo.commit()
        expected = {url: date_of(docs.repo, f"real/{url.strip('/') or 'index'}.md") for url in PAGES}
    elif place == "another repository":
        other = other_repository(tmp_path)
        target, expected = other.root, dates_of(other)
        docs.docs_dir.rename(tmp_path / "unused")
    else:
        target = docs.docs_dir.rename(tmp_path / "outside")
        expected = dict.fromkeys(PAGES)
    docs.docs_dir.symlink_to(target)
    docs.repo.commit()
    assert succeeded(docs.build(strict=True)).sitemap == expected


def date_of(repo: Repo, name: str) -> str:
    return datetime.fromtimestamp(repo.log_date(name), UTC).isoformat()


def test_a_project_reached_through_a_link(docs: Docs, tmp_path: Path) -> None:
    """As where the home folder is a link."""
    before = docs.build().files
    (tmp_path / "link").symlink_to(docs.repo.root)
    docs.config_file = tmp_path / "link/mkdocs.yml"
    assert succeeded(docs.build(strict=True)).files == before


# Addresses


ADDRESSES = {
    "https://example.org": "https://example.org/",
    "https://example.org/a/b": "https://example.org/a/b/",
    "https://example.org/my docs/": "https://example.org/my%20docs/",
    "https://example.org/my%20docs/": "https://example.org/my%20docs/",
    "https://example.org/é/": "https://example.org/%C3%A9/",
    "https://bücher.example:8443/": "https://xn--bcher-kva.example:8443/",
}


@pytest.mark.parametrize("site_url", ADDRESSES)
def test_loc_is_the_canonical_below_any_address(docs: Docs, site_url: str) -> None:
    """Encoded, and otherwise as the page says it itself."""
    docs.pages("ü b.md")
    docs.conf(site_url=site_url)
    built = succeeded(docs.build(strict=True))
    found = sitemaps.read(built.outdir / "sitemap.xml")
    base = ADDRESSES[site_url]
    assert set(found) == {base + end for end in ("", "one/", "two/", "%C3%BC%20b/")}
    assert found[f"{base}one/"] == docs.date("one.md")
    html = [file for file in built.outdir.rglob("*.html") if file.name != "404.html"]
    links = {
        quote(link or "", safe=":/%").replace("b%C3%BCcher", "xn--bcher-kva") for link in map(canonical, html)
    }
    assert links == set(found)


@pytest.mark.parametrize("site_url", ["https://example.org/?a=b", "https://example.org/docs/#top"])
def test_an_address_with_more_than_a_path_is_refused(docs: Docs, site_url: str) -> None:
    """One warning has the option, what is expected and what was got; nothing half right is written."""
    docs.conf(site_url=site_url)
    built = docs.build().passed()
    (warning,) = built.warnings
    assert warning.startswith("WARNING docs-sitemap: site_url: expected ")
    assert f"got {site_url!r}" in warning
    assert not any(built.has(name) for name in FILES)
    assert docs.run("--strict").failed


# Which pages there are


@pytest.mark.parametrize(("directory_urls", "dirty"), [(True, False), (True, True), (False, False)])
def test_what_the_configuration_says_of_pages(docs: Docs, directory_urls: bool, dirty: bool) -> None:
    """Not in the navigation is listed; excluded and draft is not, even where an earlier build made it."""
    for name in ("quiet.md", "drafts/a.md", "drafts/kept.md", "internal/b.md", "internal/kept.md"):
        docs.page(name)
    docs.repo.commit()
    docs.conf(use_directory_urls=directory_urls)
    assert len(docs.build().sitemap) == 8
    docs.conf(
        use_directory_urls=directory_urls,
        nav=[{"Home": "index.md"}, {"One": "one.md"}],
        not_in_nav="quiet.md\ntwo.md\nkept.md\n",
        draft_docs="drafts/\n!kept.md\n",
        exclude_docs="internal/\n!kept.md\n",
    )
    built = docs.build(dirty=dirty).passed()
    assert built.has("drafts/a/index.html" if directory_urls else "drafts/a.html") == dirty
    end, index = ("/", "") if directory_urls else (".html", "index.html")
    pages = ("one", "two", "quiet", "drafts/kept", "internal/kept")
    assert set(built.sitemap) == {index, *(page + end for page in pages)}
    # another configuration may include other files, so that what was noted no longer counts
    assert built.sitemap[f"quiet{end}"] == (None if dirty else docs.date("quiet.md"))
