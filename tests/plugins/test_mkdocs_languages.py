"""Real builds with mkdocs-static-i18n, which builds one language after the other inside the first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

pytest.importorskip("mkdocs_static_i18n")

from docs_sitemap.git import search
from tests.plugins.test_mkdocs_plugins import THEME, Entry, Sources, assert_honest, configure, material
from tests.plugins.test_mkdocs_plugins import published as published_pages
from tests.support.mkdocssite import BASE, Docs
from tests.support.sitemaps import NS

pytestmark = pytest.mark.filterwarnings("ignore")

XHTML = "{http://www.w3.org/1999/xhtml}link"


class Structure:
    """Where a structure keeps the languages' sources."""

    def __init__(self, name: str) -> None:
        self.name = name

    def source(self, page: str, language: str) -> str:
        if self.name == "folder":
            return f"{language}/{page}.md"
        return f"{page}.md" if language == "en" else f"{page}.{language}.md"

    def plugin(self, *, fallback: bool = True, **more: object) -> Entry:
        languages = [
            {"locale": "en", "name": "English", "default": True, "build": True},
            {"locale": "fr", "name": "Français", "build": True},
            {"locale": "pt-BR", "name": "Português", "build": True},
        ]
        options = {
            "docs_structure": self.name,
            "fallback_to_default": fallback,
            "languages": languages,
            **more,
        }
        return {"i18n": options}


TRANSLATED = {"index": ("en", "fr", "pt-BR"), "one": ("en", "fr"), "two": ("en",), "sub/three": ("en", "fr")}
"""What exists of each page."""


def url(page: str, language: str) -> str:
    folder = "" if language == "en" else f"{language}/"
    return folder + ("" if page == "index" else f"{page}/")


def real(structure: Structure) -> Sources:
    """The pages that someone wrote, with their sources."""
    return {
        url(page, language): (structure.source(page, language),)
        for page, languages in TRANSLATED.items()
        for language in languages
    }


@pytest.fixture(params=["folder", "suffix"])
def structure(request: pytest.FixtureRequest) -> Structure:
    return Structure(request.param)


@pytest.fixture
def place(structure: Structure) -> str:
    """Where ours stands in ``plugins``."""
    return "first" if structure.name == "folder" else "last"


@pytest.fixture
def docs(tmp_path: Path, structure: Structure, monkeypatch: pytest.MonkeyPatch) -> Docs:
    site = Docs(tmp_path)
    site.repo.write("theme/main.html", THEME)
    for page, languages in TRANSLATED.items():
        for language in languages:
            site.save_page(structure.source(page, language))
    monkeypatch.chdir(site.repo.root)
    return site


def alternates(file: Path) -> dict[str, dict[str, str]]:
    """``{page: {hreflang: page}}``, without the base URL."""
    found = {}
    for entry in etree.parse(file).getroot().findall("s:url", NS):
        links = {str(link.get("hreflang")): below_base(link.get("href")) for link in entry.iter(XHTML)}
        links.pop("x-default", None)
        if links:
            found[below_base(entry.findtext("s:loc", namespaces=NS))] = links
    return found


def below_base(address: str | None) -> str:
    return str(address).removeprefix(BASE)


def test_without_fallback(docs: Docs, structure: Structure, place: str) -> None:
    """All languages' pages, with their own dates, in one sitemap, and one line about it."""
    configure(docs, place, [structure.plugin(fallback=False)])
    built = docs.build()
    assert_honest(docs, built, real(structure))
    assert len(built.notices("docs-sitemap: sitemap.xml: 8 pages, 8 with lastmod")) == 1


def test_untranslated_fallbacks_are_not_listed(docs: Docs, structure: Structure, place: str) -> None:
    """A French address of an English page is no French page, but a copy of the English one."""
    configure(docs, place, [structure.plugin()])
    built = docs.build()
    assert built.sitemap == {page: docs.date(*names) for page, names in real(structure).items()}


@pytest.mark.parametrize("fallback", [True, False])
def test_real_translations_are_alternates(
    docs: Docs, structure: Structure, place: str, fallback: bool
) -> None:
    """Each names all, itself included; what is written in one language only has none."""
    configure(docs, place, [structure.plugin(fallback=fallback)])
    built = docs.build()
    found = alternates(built.outdir / "sitemap.xml")
    expected = {}
    for page, languages in TRANSLATED.items():
        if len(languages) > 1:
            links = {language: url(page, language) for language in languages}
            expected.update(dict.fromkeys(links.values(), links))
    assert found == expected


def test_a_translation_that_is_not_listed_is_no_alternate(docs: Docs, structure: Structure) -> None:
    docs.save_page(structure.source("one", "fr"), robots="noindex")
    configure(docs, "last", [structure.plugin(fallback=False)])
    found = alternates(docs.build().outdir / "sitemap.xml")
    assert "one/" not in found
    assert found["sub/three/"] == {"en": "sub/three/", "fr": "fr/sub/three/"}


def test_a_page_in_a_further_language_only(docs: Docs, structure: Structure, place: str) -> None:
    docs.save_page(structure.source("extra", "fr"))
    configure(docs, place, [structure.plugin(fallback=False)])
    extra = {"fr/extra/": (structure.source("extra", "fr"),)}
    assert_honest(docs, docs.build(), {**real(structure), **extra})


def test_a_language_that_is_not_built(docs: Docs, structure: Structure, place: str) -> None:
    plugin = structure.plugin(fallback=False)
    assert isinstance(plugin, dict)
    plugin["i18n"]["languages"][1]["build"] = False
    configure(docs, place, [plugin])
    pages = {page: names for page, names in real(structure).items() if not page.startswith("fr/")}
    assert_honest(docs, docs.build(), pages)


def test_pages_that_say_no_in_one_language(docs: Docs, structure: Structure, place: str) -> None:
    docs.page(structure.source("one", "fr"), robots="noindex")
    docs.repo.write("theme/out.html", THEME.replace("<head>", '<head><meta name="robots" content="noindex">'))
    docs.save_page(structure.source("sub/three", "en"), template="out.html")
    configure(docs, place, [structure.plugin(fallback=False)])
    assert set(docs.build().sitemap) == set(real(structure)) - {"fr/one/", "sub/three/"}


def test_plain_addresses(docs: Docs, structure: Structure, place: str) -> None:
    """Also with ``use_directory_urls: false``."""
    configure(docs, place, [structure.plugin(fallback=False)], use_directory_urls=False)
    built = docs.build()
    assert sorted(built.sitemap) == sorted(published_pages(built.outdir))
    assert len(built.sitemap) == len(real(structure))
    assert set(built.sitemap.values()) == {docs.date(*names) for names in real(structure).values()}


def test_dirty_builds(docs: Docs, structure: Structure) -> None:
    """A ``--dirty`` build has the same sitemap; the plugin itself looks at the command line for it."""
    configure(docs, "last", [structure.plugin(fallback=False)])
    clean = docs.run().passed()
    assert docs.run("--dirty").files == clean.files


def test_page_dates(docs: Docs, structure: Structure, place: str) -> None:
    """Each language's pages show their own date."""
    text = THEME.replace("</body>", "<p>{{ page.meta.docs_sitemap_lastmod }}</p></body>")
    docs.repo.write("theme/main.html", text)
    configure(docs, place, [structure.plugin(fallback=False)], {"page_dates": True})
    built = docs.build()
    for page, names in real(structure).items():
        assert f"<p>{docs.date(*names)}</p>".encode() in built.read(f"{page}index.html")


def test_with_material(docs: Docs, structure: Structure, place: str) -> None:
    """With its search, its language switch and its tags."""
    pytest.importorskip("material")
    plugins: list[Entry] = ["material/search", "material/tags", structure.plugin(fallback=False)]
    configure(docs, place, plugins, theme=material())
    # a second configuration of the same site in the same language: the plugin changes that of the theme
    offline = f"theme:\n  name: material\n  language: en\nsite_url: {BASE}\n"
    docs.repo.write("mkdocs.offline.yml", offline)
    built = docs.build()
    assert not built.notices("same site_url")
    assert_honest(docs, built, real(structure))


def test_with_a_blog(docs: Docs, structure: Structure, place: str) -> None:
    """What of it is published is listed; static-i18n 1.3.1 loses the posts, and says so of archives."""
    pytest.importorskip("material")
    docs.page(structure.source("blog/index", "en"))
    post = structure.source("blog/index", "en").replace("index", "posts/new")
    docs.repo.save(f"docs/{post}", "---\ndate: 2024-02-01\n---\n# New\n\n<!-- more -->\n\nEnd.\n")
    blog_dir = "en/blog" if structure.name == "folder" else "blog"
    plugins: list[Entry] = [{"material/blog": {"blog_dir": blog_dir}}, structure.plugin(fallback=False)]
    configure(docs, place, plugins, theme=material())
    built = docs.build().passed()
    assert set(built.sitemap) == set(published_pages(built.outdir)) > set(real(structure))


def test_without_an_address(docs: Docs, structure: Structure, place: str) -> None:
    """No sitemap with ``Nonefr/`` in it: one line, however many languages are built."""
    configure(docs, place, [structure.plugin(fallback=False)], site_url=...)
    built = docs.build().passed()
    assert not built.has("sitemap.xml")
    assert len([line for line in built.log if "No sitemap is written" in line]) == 1


def test_what_is_read_for_every_page_of_one_language_is_no_text_of_them(
    docs: Docs, structure: Structure
) -> None:
    """Such as a file of words for each language."""
    code = """
from pathlib import Path
def on_page_markdown(markdown, page, **_):
    Path(__file__).with_name(f"words-{page.file.locale}.txt").read_text()
"""
    for language in ("en", "fr", "pt-BR"):
        docs.repo.write(f"words-{language}.txt", "Words.")
    docs.repo.commit()
    configure(docs, "last", [structure.plugin(fallback=False)], theme=material(), hooks=[docs.hook(code)])
    found = docs.build().sitemap
    assert found == {page: docs.date(*names) for page, names in real(structure).items()}


@pytest.mark.parametrize("structure", ["folder"], indirect=True)
def test_the_history_is_read_once_for_all_languages(
    docs: Docs, structure: Structure, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With dates on pages, 20 languages and 100,000 commits took 26 s, of which MkDocs itself took 3."""
    walks: list[object] = []

    def counted(*args: Any, **more: Any) -> Any:
        walks.append(args)
        return original(*args, **more)

    original = search.search
    monkeypatch.setattr(search, "search", counted)
    monkeypatch.setattr(search, "_known", {})
    configure(docs, "last", [structure.plugin()], {"page_dates": True})
    built = docs.build()
    assert len(built.sitemap) == sum(map(len, TRANSLATED.values()))
    assert len(walks) == 1
