"""Real builds of what went wrong elsewhere, where no other test has the case, and of sites in versions."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

pytest.importorskip("sphinx")


from tests.support import sitemaps
from tests.support.sphinxsite import BASE, Built, Docs

SITE = "https://example.org/"
PAGES = {"index.html", "one.html", "sub/two.html"}


def passed(built: Built) -> Built:
    """A build that said nothing that would fail a strict one."""
    assert not built.failed, built.warnings
    assert built.warnings == ""
    return built


# git ----------------------------------------------------------------------------------------------


def test_excluded_pages_do_no_harm_to_dates(docs: Docs) -> None:
    """By our option, a rule, the page itself or Sphinx; they show their dates, and others include them."""
    docs.repo.write("docs/unbuilt.rst", "Text that others show.\n")
    docs.page("out/rule.rst")
    docs.page("out/own.rst", fields=":sitemap: false")
    docs.page("out/orphan.rst", fields=":orphan:")
    docs.save_page("one.rst", ".. include:: unbuilt.rst\n")
    docs.repo.save("docs/unbuilt.rst", "Other text that others show.\n")
    docs.conf(
        exclude_patterns=["unbuilt.rst"],
        docs_sitemap_exclude=["orphan.*"],
        docs_sitemap_rules=[{"match": "out/rule.rst", "exclude": True}],
        docs_sitemap_page_dates=True,
    )
    built = docs.build(strict=True)
    assert passed(built).sitemap.keys() == PAGES
    assert built.notices("3 excluded")
    for name in ("rule", "own", "orphan"):
        assert f'content="{docs.date(f"out/{name}.rst")}"'.encode() in built.read(f"out/{name}.html")
    assert built.sitemap["one.html"] == docs.date("unbuilt.rst") > docs.date("one.rst")


# languages ----------------------------------------------------------------------------------------


def test_folders_of_catalogs_are_no_languages(docs: Docs) -> None:
    """Whatever lies in ``locale_dirs``; also where sphinx-sitemap, as configured, would have listed them."""
    for name in ("de/LC_MESSAGES/one.po", "pot/one.pot", ".cache/x", "fr/README"):
        docs.repo.write(f"docs/locale/{name}", 'msgid ""\nmsgstr ""\n')
    docs.conf(
        html_baseurl=f"{SITE}en/",
        language="en",
        locale_dirs=["locale"],
        exclude_patterns=["locale"],
        site_url=SITE,
        sitemap_url_scheme="{lang}{link}",
    )
    text = passed(docs.build(strict=True)).read("sitemap.xml").decode()
    assert text.count("<url>") == 3
    assert "hreflang" not in text
    assert ".cache" not in text


# pages --------------------------------------------------------------------------------------------


def test_switching_lastmod_on_changes_no_byte_of_a_page(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Footers, meta tags, links to the sources, and the sources themselves."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    values = {"html_last_updated_fmt": "%Y-%m-%d", "html_theme": "basic", "html_show_sourcelink": True}
    docs.conf(extensions=[], **values)
    without = _tree(docs.build(out="without").outdir)
    footers = [name for name, data in without.items() if b"2027-01-15" in data]
    assert len(footers) >= 3
    assert any(b"_sources/" in data for data in without.values())
    docs.conf(**values)
    built = passed(docs.build(strict=True, out="with"))
    assert all(built.sitemap.values())
    found = _tree(built.outdir)
    assert {name: found[name] for name in without} == without
    assert found.keys() - without.keys() == {"sitemap.css", "sitemap.xml", "sitemap.xml.gz", "robots.txt"}


def _tree(root: Path) -> dict[str, bytes]:
    files = [path for path in root.rglob("*") if path.is_file() and path.name != ".buildinfo"]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def test_a_sitemap_in_a_folder_that_is_not_there_ends_no_build(docs: Docs) -> None:
    """No page may be listed from there: one warning says so, and what was written before is gone."""
    docs.build()
    docs.conf(docs_sitemap_filename="maps/s.xml")
    built = docs.build().passed()
    assert built.warnings.count("WARNING") == 1
    assert "Set docs_sitemap_filename, which is 'maps/s.xml', to a name without a folder" in built.warnings
    assert not [name for name in ("maps", "sitemap.xml", "sitemap.xml.gz") if built.has(name)]


@pytest.mark.versions
def test_a_stored_document_that_is_damaged_leaves_its_page_without_a_date(docs: Docs) -> None:
    """Sphinx does not notice: it reads only those whose pages it writes. No sitemap was written."""
    docs.page("index.rst", ".. include:: /all.txt\n\n.. toctree::\n   one\n   sub/two\n")
    docs.page("one.rst", ".. include:: /all.txt\n")
    docs.page("sub/two.rst", ".. include:: /all.txt\n")
    docs.repo.save("docs/all.txt", "Of all.\n")
    first = passed(docs.build())
    file = first.outdir.with_name(first.outdir.name + "-doctrees") / "sub/two.doctree"
    file.write_bytes(file.read_bytes()[:100])
    built = passed(docs.build())
    assert built.sitemap == {**first.sitemap, "sub/two.html": None}
    (said,) = built.notices("no date")
    assert "1 page has no date: what Sphinx stored of a document cannot be read (sub/two)" in said
    assert passed(docs.run("-E", out=first.outdir.name)).sitemap == first.sitemap


# versions -----------------------------------------------------------------------------------------


@pytest.fixture
def versions(docs: Docs) -> Docs:
    """A tag ``v1`` with three pages, and main with four."""
    docs.repo.git("tag", "v1")
    docs.page("one.rst", "After the first version.")
    docs.save_page("new.rst")
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


def test_versions_built_from_exports_are_complete_and_without_dates(versions: Docs, tmp_path: Path) -> None:
    """As sphinx-multiversion does it: today's conf.py for every version, each in a folder of one output."""
    address = "import os\nhtml_baseurl = f\"https://example.org/{os.environ['SPHINX_MULTIVERSION_NAME']}/\""
    versions.conf(html_baseurl=..., code=address)
    for name, pages in {"v1": PAGES, "main": NEW}.items():
        site = export(versions, tmp_path / f"export-{name}", name)
        for _ in range(2):
            built = site.run(
                "-W", "-c", str(versions.srcdir), out=name, env={"SPHINX_MULTIVERSION_NAME": name}
            )
            assert_apart(built, f"{SITE}{name}/", pages)


def test_a_version_below_another_one_s_output_and_the_other_leave_each_other_alone(
    versions: Docs, tmp_path: Path
) -> None:
    """Also when both are built again."""
    first = export(versions, tmp_path / "v1", "v1")
    built = {}
    for name in ("", "v1", "", "v1"):
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
