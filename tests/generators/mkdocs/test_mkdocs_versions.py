"""Real MkDocs builds that know which version is current."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import Docs
from tests.support.other_versions import VERSIONS, check, enter, said

PAGES = {"index.html": "", "guide/install/index.html": "guide/install/"}
OLD = VERSIONS["an old one"]


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    site = Docs(tmp_path_factory.mktemp("versions"))
    site.pages("guide/install.md")
    return site


@pytest.mark.parametrize("name", VERSIONS)
def test_a_version(docs: Docs, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    version = VERSIONS[name]
    enter(version, monkeypatch)
    docs.conf({"current_version": version.named}, site_url=version.url)
    built = docs.build(strict=True).passed()
    check(version, built.outdir, PAGES, "\n".join(built.log))


def test_without_the_option_a_build_of_an_old_version_is_as_before(docs: Docs) -> None:
    docs.conf(site_url=OLD.url)
    built = docs.build()
    assert said(built.outdir / "index.html") == [OLD.url]
    assert built.has("sitemap.xml")


def test_the_urls_of_pages_are_the_generator_s(docs: Docs) -> None:
    docs.conf({"current_version": "stable"}, site_url=OLD.url, use_directory_urls=False)
    built = docs.build()
    check(
        OLD,
        built.outdir,
        {"index.html": "index.html", "guide/install.html": "guide/install.html"},
        str(built.log),
    )


def test_a_strict_build_that_fails_changes_no_page(docs: Docs) -> None:
    hook = docs.hook("import logging\ndef on_post_build(config): logging.getLogger('mkdocs').warning('no')\n")
    docs.conf({"current_version": "stable"}, site_url=OLD.url, hooks=[hook])
    assert said(docs.build(strict=True, out="failed").outdir / "index.html") == [OLD.url]


def test_a_build_by_mike_does_not_know_its_aliases(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.0")
    docs.conf({"current_version": "latest"}, site_url=OLD.url)
    built = docs.build()
    assert [line.partition(" is ignored")[0] for line in built.warnings] == [
        "WARNING docs-sitemap: plugins: docs-sitemap: current_version"
    ]
    assert said(built.outdir / "index.html") == [OLD.url]
    assert built.has("sitemap.xml")
    # whoever adds the line of each version to robots.txt lists the old ones for ever
    [line] = built.notices("docs-sitemap index")
    assert line.startswith("INFO docs-sitemap: mike publishes this version beside others")
    assert not built.notices("Sitemap: ")


def test_serving_marks_nothing(docs: Docs) -> None:
    """A plugin that sees the server's address builds for it alone."""
    from mkdocs.config import load_config

    from docs_sitemap.generators.mkdocs.build import SCHEME, place_options

    docs.conf({"current_version": "stable"}, site_url=OLD.url)
    folder = Path(tempfile.gettempdir(), "mkdocs_versions")
    config = load_config(str(docs.config_file), site_dir=str(folder))
    config.site_url = f"http://{config.dev_addr}/en/1.0/"
    values = {name: option.default for name, option in SCHEME} | {"current_version": "stable"}
    assert place_options(values, config)[0].current_version is None
