"""Real builds of what went wrong elsewhere, where no other test has the case, and of sites in versions."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("sphinx")


from tests.support import sitemaps
from tests.support.gitrepo import without_git
from tests.support.sphinxsite import BASE, Built, Docs

SITE = "https://example.org/"
PAGES = {"index.html", "one.html", "sub/two.html"}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.rst", "sub/two.rst")
    return site


def passed(built: Built) -> Built:
    """A build that said nothing that would fail a strict one."""
    assert not built.failed, built.warnings
    assert built.warnings == ""
    return built


# git ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", ["with git", "without git"])
def test_excluded_pages_do_no_harm_to_dates(docs: Docs, tmp_path: Path, machine: str) -> None:
    """By our option, a rule, the page itself or Sphinx; they show their dates, and others include them."""
    docs.repo.write("docs/unbuilt.rst", "Text that others show.\n")
    docs.page("out/rule.rst")
    docs.page("out/own.rst", fields=":sitemap: false")
    docs.page("out/orphan.rst", fields=":orphan:")
    docs.page("one.rst", ".. include:: unbuilt.rst\n")
    docs.repo.commit()
    docs.repo.write("docs/unbuilt.rst", "Other text that others show.\n")
    docs.repo.commit()
    docs.conf(
        exclude_patterns=["unbuilt.rst"],
        docs_sitemap_exclude=["orphan.*"],
        docs_sitemap_rules=[{"match": "out/rule.rst", "exclude": True}],
        docs_sitemap_page_dates=True,
    )
    built = docs.run("-W", env=without_git(tmp_path / "bin") if machine == "without git" else {})
    assert passed(built).sitemap.keys() == PAGES
    assert built.notices("3 excluded")
    for name in ("rule", "own", "orphan"):
        shown = f'content="{docs.date(f"out/{name}.rst")}"'.encode() in built.read(f"out/{name}.html")
        assert shown == (machine == "with git")
    if machine == "with git":
        assert built.sitemap["one.html"] == docs.date("unbuilt.rst") > docs.date("one.rst")


# languages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [{}, {"site_url": SITE, "sitemap_url_scheme": "{lang}{link}"}])
def test_folders_of_catalogs_are_no_languages(docs: Docs, values: dict[str, str]) -> None:
    """Whatever lies in ``locale_dirs``; also where sphinx-sitemap, as configured, would have listed them."""
    for name in ("de/LC_MESSAGES/one.po", "pot/one.pot", ".cache/x", "fr/README"):
        docs.repo.write(f"docs/locale/{name}", 'msgid ""\nmsgstr ""\n')
    docs.conf(
        html_baseurl=f"{SITE}en/",
        language="en",
        locale_dirs=["locale"],
        exclude_patterns=["locale"],
        **values,
    )
    text = passed(docs.build(strict=True)).read("sitemap.xml").decode()
    assert text.count("<url>") == 3
    assert "hreflang" not in text
    assert ".cache" not in text


# pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_switching_lastmod_on_changes_no_byte_of_a_page(
    docs: Docs, monkeypatch: pytest.MonkeyPatch, builder: str
) -> None:
    """Footers, meta tags, links to the sources, and the sources themselves."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    values = {"html_last_updated_fmt": "%Y-%m-%d", "html_theme": "basic", "html_show_sourcelink": True}
    docs.conf(extensions=[], **values)
    without = _tree(docs.build(builder, out="without").outdir)
    footers = [name for name, data in without.items() if b"2027-01-15" in data]
    assert len(footers) >= 3
    assert any(b"_sources/" in data for data in without.values())
    for lastmod in ("none", "git"):
        docs.conf(docs_sitemap_lastmod=lastmod, **values)
        built = passed(docs.build(builder, strict=True, out=lastmod))
        assert any(built.sitemap.values()) == (lastmod == "git")
        found = _tree(built.outdir)
        assert {name: found[name] for name in without} == without
        assert found.keys() - without.keys() == {
            *("sitemap.css", "sitemap.xml", "sitemap.xml.gz", "robots.txt")
        }


def _tree(root: Path) -> dict[str, bytes]:
    files = [path for path in root.rglob("*") if path.is_file() and path.name != ".buildinfo"]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("option", "builder"), [("docs_sitemap_filename", "html"), ("sitemap_filename", "singlehtml")]
)
def test_a_sitemap_in_a_folder_that_is_not_there_ends_no_build(docs: Docs, option: str, builder: str) -> None:
    """No page may be listed from there: one warning says so, and what was written before is gone."""
    docs.build(builder)
    docs.conf(**{option: "maps/s.xml"})
    built = docs.build(builder)
    assert not built.failed
    assert built.warnings.count("WARNING") == 1
    assert "Set docs_sitemap_filename, which is 'maps/s.xml', to a name without a folder" in built.warnings
    assert not [name for name in ("maps", "sitemap.xml", "sitemap.xml.gz") if built.has(name)]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "of a module that is gone": lambda data: b"cno_module_here\nA\n.",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.versions
def test_a_stored_document_that_is_damaged_leaves_its_page_without_a_date(docs: Docs, damage: str) -> None:
    """Sphinx does not notice: it reads only those whose pages it writes. No sitemap was written."""
    docs.page("index.rst", ".. include:: /all.txt\n\n.. toctree::\n   one\n   sub/two\n")
    docs.page("one.rst", ".. include:: /all.txt\n")
    docs.page("sub/two.rst", ".. include:: /all.txt\n")
    docs.repo.write("docs/all.txt", "Of all.\n")
    docs.repo.commit()
    first = passed(docs.build())
    file = first.outdir.with_name(first.outdir.name + "-doctrees") / "sub/two.doctree"
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    built = passed(docs.build())
    assert built.sitemap == {**first.sitemap, "sub/two.html": None}
    (said,) = built.notices("no date")
    assert "1 page has no date: what Sphinx stored of a document cannot be read (sub/two)" in said
    assert passed(docs.run("-E", out=first.outdir.name)).sitemap == first.sitemap


# hosting ------------------------------------------------------------------------------------------

RTD = {
    "READTHEDOCS": "True",
    "READTHEDOCS_CANONICAL_URL": "https://example.readthedocs.io/en/latest/",
    "READTHEDOCS_VERSION": "latest",
    "READTHEDOCS_VERSION_TYPE": "branch",
    "READTHEDOCS_LANGUAGE": "en",
}
PREVIEW = RTD | {
    "READTHEDOCS_CANONICAL_URL": "https://example--12.org.readthedocs.build/en/12/",
    "READTHEDOCS_VERSION": "12",
    "READTHEDOCS_VERSION_TYPE": "external",
}
FROM_RTD = 'import os\nhtml_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")'
"""Code for conf.py that its host's documentation tells to write."""


@pytest.mark.parametrize(
    ("builder", "urls", "code"), [("html", PAGES, ""), ("dirhtml", {"", "one/", "sub/two/"}, FROM_RTD)]
)
def test_read_the_docs_s_address_has_language_and_version(
    docs: Docs, builder: str, urls: set[str], code: str
) -> None:
    docs.conf(html_baseurl=..., language="en", version="1.0", code=code)
    built = passed(docs.run("-W", builder=builder, env=RTD))
    base = RTD["READTHEDOCS_CANONICAL_URL"]
    assert sitemaps.read(built.outdir / "sitemap.xml").keys() == {base + url for url in urls}
    assert not built.has("robots.txt")


@pytest.mark.parametrize("code", ["", FROM_RTD, f"docs_sitemap_base_url = {BASE!r}"])
def test_a_preview_has_neither_sitemap_nor_robots_txt_nor_a_warning(docs: Docs, code: str) -> None:
    docs.conf(html_baseurl=..., code=code)
    built = passed(docs.run("-W", env=PREVIEW))
    assert not [*built.outdir.rglob("sitemap*"), *built.outdir.rglob("robots.txt")]
    assert len(built.notices("preview build")) == 1


def test_a_preview_leaves_the_author_s_own_robots_txt_as_it_is(docs: Docs) -> None:
    docs.repo.write("docs/extra/robots.txt", "User-agent: *\nDisallow: /\n")
    docs.conf(html_extra_path=["extra"])
    assert passed(docs.run("-W", env=PREVIEW)).read("robots.txt") == b"User-agent: *\nDisallow: /\n"


# versions -----------------------------------------------------------------------------------------


@pytest.fixture
def versions(docs: Docs) -> Docs:
    """A tag ``v1`` with three pages, and main with four."""
    docs.repo.git("tag", "v1")
    docs.page("one.rst", "After the first version.")
    docs.page("new.rst")
    docs.repo.commit()
    return docs


def export(docs: Docs, target: Path, ref: str) -> Docs:
    """The files of a version without their history, where tools build it: in a temporary folder."""
    docs.repo.git("archive", "--format=zip", f"--output={target}.zip", ref)
    with zipfile.ZipFile(f"{target}.zip") as archive:
        archive.extractall(target)
    return elsewhere(docs, target)


def elsewhere(docs: Docs, root: Path) -> Docs:
    """The same documentation with its sources in another folder, and its outputs below one."""
    site = Docs.__new__(Docs)
    site.repo, site.srcdir, site.outdir = docs.repo, root / "docs", docs.outdir / "out"
    return site


NEW = PAGES | {"new.html"}


def listed(built: Built, base: str) -> dict[str, str | None]:
    found = sitemaps.read(built.outdir / "sitemap.xml")
    assert all(loc.startswith(base) for loc in found)
    return {loc.removeprefix(base): date for loc, date in found.items()}


def assert_apart(built: Built, base: str, pages: set[str]) -> None:
    """A version that has its own pages, no dates, and one line that says why."""
    assert listed(passed(built), base) == dict.fromkeys(pages)
    assert f"Sitemap: {base}sitemap.xml\n".encode() in built.read("robots.txt")
    assert len(built.notices("no date: ")) == 1
    assert len(built.notices("build from a git checkout")) == 1


@pytest.mark.parametrize("given", ["option", "conf.py"])
def test_versions_built_from_exports_are_complete_and_without_dates(
    versions: Docs, tmp_path: Path, given: str
) -> None:
    """As sphinx-multiversion does it: today's conf.py for every version, each in a folder of one output."""
    address = "import os\nhtml_baseurl = f\"https://example.org/{os.environ['SPHINX_MULTIVERSION_NAME']}/\""
    versions.conf(html_baseurl=..., code=address if given == "conf.py" else "")
    conf = str(versions.srcdir)
    for name, pages in {"v1": PAGES, "main": NEW}.items():
        site = export(versions, tmp_path / f"export-{name}", name)
        base = f"{SITE}{name}/"
        option = ["-D", f"html_baseurl={base}"] if given == "option" else []
        for _ in range(2):
            env = {"SPHINX_MULTIVERSION_NAME": name}
            assert_apart(site.run("-W", "-c", conf, *option, out=name, env=env), base, pages)


def test_versions_built_from_worktrees_have_their_own_dates(versions: Docs, tmp_path: Path) -> None:
    """What a date needs is the history: each version has those of its own commit."""
    for name, pages in {"v1": PAGES, "main": NEW}.items():
        versions.repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / name), name)
        site = elsewhere(versions, tmp_path / name)
        base = f"{SITE}{name}/"
        built = passed(site.run("-W", "-D", f"html_baseurl={base}", out=name))
        assert listed(built, base) == {
            page: sitemap_date(versions, page.replace(".html", ".rst"), name) for page in pages
        }
    assert sitemap_date(versions, "one.rst", "v1") != sitemap_date(versions, "one.rst", "main")


def sitemap_date(docs: Docs, name: str, ref: str) -> str:
    return docs.repo.git(
        *("log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%S+00:00"),
        *(ref, "--", f"docs/{name}"),
    )


@pytest.mark.parametrize("order", [("", "v1"), ("v1", "")])
def test_a_version_below_another_one_s_output_and_the_other_leave_each_other_alone(
    versions: Docs, tmp_path: Path, order: tuple[str, str]
) -> None:
    """Also when both are built again."""
    first = export(versions, tmp_path / "v1", "v1")
    built = {}
    for name in (*order, *order):
        if name:
            built[name] = first.run("-W", "-D", f"html_baseurl={SITE}{name}/", out=name)
        else:
            built[name] = versions.run("-W", "-D", f"html_baseurl={SITE}", out=first.outdir.parent.name)
        passed(built[name])
    assert built["v1"].outdir.parent == built[""].outdir
    assert listed(built[""], SITE).keys() == NEW
    assert listed(built["v1"], f"{SITE}v1/").keys() == PAGES


def test_an_export_below_a_checkout_takes_no_dates_from_it(versions: Docs) -> None:
    """Temporary folders may lie in the repository: nothing there is tracked, so nothing is known or said."""
    site = export(versions, versions.repo.root / "build-v1", "v1")
    built = passed(site.run("-W", "-D", f"html_baseurl={BASE}"))
    assert built.sitemap == dict.fromkeys(PAGES)
