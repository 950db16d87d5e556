"""Real builds: options and their mistakes, addresses, failed builds, and a site's own files."""

from __future__ import annotations

import gzip
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from docs_sitemap.options.declarations import OPTIONS
from tests.support import sitemaps
from tests.support.mkdocssite import BASE, FILES, Docs

PAGES = {"", "one/", "two/"}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.md", "two.md")
    return site


def wrote_nothing(outdir: Path) -> bool:
    return not any((outdir / name).exists() for name in FILES)


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_a_wrong_value_stops_the_build(docs: Docs, option: str) -> None:
    """The one message names the plugin and the option as mkdocs.yml has it; nothing is built."""
    docs.conf({option: {"bad": 1}})
    built = docs.build()
    assert built.failed
    assert len(built.log) == 2, built.log
    start = f"ERROR Config value 'plugins': Plugin 'docs-sitemap' option '{option}': expected "
    assert built.log[0].startswith(start)
    is_secret = option in ("base_url", "indexnow_key")
    got = "a value of type dict that is not shown" if is_secret else "{'bad': 1}"
    assert built.log[0].endswith(f", got {got}.")
    assert built.log[1] == "ABORT Aborted with a configuration error!"
    assert not built.outdir.exists()


def test_an_unknown_option_stops_the_build(docs: Docs) -> None:
    """MkDocs itself would warn and go on; each message has the cure."""
    docs.conf({"excludes": ["one.md"], "colour": "red"})
    built = docs.run()
    assert built.failed
    assert not built.outdir.exists()
    said = [line for line in built.log if "Plugin 'docs-sitemap' option" in line]
    assert len(said) == 2
    assert said[0].endswith("option 'excludes': there is no such option; did you mean exclude?")
    assert "option 'colour': there is no such option; the options are base_url, filename," in said[1]


@pytest.mark.skipif(
    not entry_points(group="mkdocs.plugins", name="docs_sitemap"), reason="installed before it had this name"
)
def test_the_plugins_name_with_an_underscore_is_told_the_right_one(docs: Docs) -> None:
    docs.conf(plugins=["docs_sitemap"])
    built = docs.run()
    assert built.failed
    said = "Config value 'plugins': The plugin is called docs-sitemap, with a hyphen: write `- docs-sitemap`"
    assert any(said in line for line in built.log), built.log


def test_each_option_of_git_revision_date_localized_is_told_what_it_is_here(docs: Docs) -> None:
    """Whoever replaces the name of the plugin leaves its options."""
    theirs = {"type": "date", "fallback_to_build_date": True, "enable_creation_date": True}
    docs.conf({"page_dates": True, **theirs})
    built = docs.run()
    assert built.failed
    said = [line for line in built.log if "Plugin 'docs-sitemap' option" in line]
    assert [line.partition("docs-sitemap' ")[2] for line in said] == [
        f"option '{name}': there is no such option; {cure}"
        for name, cure in (
            ("type", "remove it, it is git-revision-date-localized's: dates are in words here"),
            (
                "fallback_to_build_date",
                "remove it, it is git-revision-date-localized's: an unknown date is left out here",
            ),
            ("enable_creation_date", "git-revision-date-localized's is called creation_dates here"),
        )
    ]


@pytest.mark.parametrize("plugins", [["docs-sitemap"], {"docs-sitemap": None}, [{"docs-sitemap": {}}]])
def test_every_form_without_options(docs: Docs, plugins: object) -> None:
    docs.conf(plugins=plugins)
    built = docs.build(strict=True).passed()
    assert set(built.sitemap) == PAGES


def test_the_plugin_can_be_switched_off(docs: Docs) -> None:
    docs.conf({"enabled": False})
    built = docs.build(strict=True).passed()
    assert b"docs-sitemap" not in built.read("sitemap.xml")
    assert not built.has("robots.txt")


def test_all_options_together(docs: Docs) -> None:
    docs.conf(
        {
            "filename": "maps/site.xml",
            "base_url": "https://example.org",
            "formats": ["xml"],
            "lastmod_format": "date",
            "clock": "author",
            "changefreq": "monthly",
            "priority": 0.5,
            "robots": False,
        },
        site_url="https://example.org/",
    )
    docs.save_page("maps/here.md")
    built = docs.build(strict=True).passed()
    assert [path.name for path in built.outdir.rglob("*.xml*")] == ["site.xml"]
    assert not built.has("robots.txt")
    day = docs.repo.git(
        "log", "-1", "--date=format-local:%Y-%m-%d", "--format=%ad", "--", "docs/maps/here.md"
    )
    assert sitemaps.read(built.outdir / "maps/site.xml") == {"https://example.org/maps/here/": day}
    assert b"<changefreq>monthly</changefreq>" in built.read("maps/site.xml")


def test_lastmod_none(docs: Docs) -> None:
    docs.conf({"lastmod": "none"})
    assert docs.build(strict=True).sitemap == dict.fromkeys(PAGES)


@pytest.mark.parametrize("site_url", [..., ""])
def test_a_site_without_an_address_gets_one_line_and_no_file(docs: Docs, site_url: object) -> None:
    """Neither ours nor the empty urlset that MkDocs writes; robots.txt would have nothing to name."""
    docs.conf(site_url=site_url)
    built = docs.run("--strict").passed()
    assert sum("set site_url to it" in line for line in built.log) == 1
    assert wrote_nothing(built.outdir)


def test_a_base_url_beside_another_site_url_wins_and_warns_once(docs: Docs) -> None:
    docs.conf({"base_url": BASE}, site_url="https://elsewhere.example/")
    built = docs.build()
    assert set(built.sitemap) == PAGES
    assert len(built.warnings) == 1
    message = f"plugins: docs-sitemap: base_url is {BASE}, but site_url is https://elsewhere.example/"
    assert message in built.warnings[0]


def test_excluding_every_page_names_the_option(docs: Docs) -> None:
    docs.conf({"exclude": ["*"]})
    built = docs.build()
    assert built.warnings == [
        "WARNING docs-sitemap: No sitemap is written, because there is no page to list (3 excluded): "
        "see plugins: docs-sitemap: exclude."
    ]
    assert wrote_nothing(built.outdir)


def test_what_an_earlier_build_left_is_removed(docs: Docs) -> None:
    """--dirty does not empty the folder: a .gz of the build before would contradict the new .xml."""
    docs.build()
    docs.conf({"formats": ["xml"]})
    built = docs.build(dirty=True)
    assert [built.has(name) for name in FILES] == [True, False, True]
    docs.conf({"formats": ["gz"]})
    built = docs.build(dirty=True)
    assert [built.has(name) for name in FILES] == [False, True, True]
    docs.conf(site_url=...)
    assert wrote_nothing(docs.build(dirty=True).outdir)


TEMPLATE_PLUGIN = """


def on_post_template(output_content, template_name, config):
    if template_name == "sitemap.xml":
        assert output_content.startswith("<?xml"), output_content
        return output_content.replace("<urlset", "<!-- changed --><urlset")
"""


def test_another_plugin_may_change_the_built_in_sitemap(docs: Docs) -> None:
    """It gets MkDocs's own text as always; what is published is ours alone."""
    docs.conf(hooks=[docs.hook(TEMPLATE_PLUGIN)])
    built = docs.build(strict=True).passed()
    assert b"changed" not in built.read("sitemap.xml") + gzip.decompress(built.read("sitemap.xml.gz"))
    assert set(built.sitemap) == PAGES


OWN = '<?xml version="1.0"?><urlset><!-- {{ config.site_name }} --></urlset>'


def own_sitemap(docs: Docs, place: str) -> tuple[str, bytes]:
    """Give a site its own sitemap.xml; return what the notice says of it, and what is published."""
    text = OWN.replace("{{ config.site_name }}", "Test").encode()
    if place == "custom_dir":
        docs.repo.write("theme/sitemap.xml", OWN)
        docs.conf(theme={"name": "mkdocs", "custom_dir": "theme"})
        return "the theme's custom_dir contains the site's own sitemap.xml", text
    docs.repo.write("docs/sitemap.xml", OWN)
    if place == "extra_templates":
        docs.conf(extra_templates=["sitemap.xml"])
        return "docs_dir contains the site's own sitemap.xml", text
    return "docs_dir contains the site's own sitemap.xml", OWN.encode()


@pytest.mark.parametrize("place", ["custom_dir", "docs_dir", "extra_templates"])
def test_a_site_s_own_sitemap_wins(docs: Docs, place: str) -> None:
    """With one info line; a .gz beside it has the same bytes or is not there."""
    docs.build()
    notice, text = own_sitemap(docs, place)
    for dirty in (False, True):
        built = docs.build(dirty=dirty)
        assert built.read("sitemap.xml") == text
        assert built.has("sitemap.xml.gz") == (place == "custom_dir")
        assert not built.has("sitemap.xml.gz") or gzip.decompress(built.read("sitemap.xml.gz")) == text
        notices = built.notices("docs-sitemap")
        assert notices == [f"INFO docs-sitemap: {notice}: it is kept, and none is generated."]


def test_ours_under_another_name_beside_a_site_s_own(docs: Docs) -> None:
    notice_place, text = own_sitemap(docs, "custom_dir")
    assert notice_place
    docs.conf({"filename": "pages.xml"}, theme={"name": "mkdocs", "custom_dir": "theme"})
    built = docs.build()
    assert built.read("sitemap.xml") == text
    assert {loc.removeprefix(BASE) for loc in sitemaps.read(built.outdir / "pages.xml")} == PAGES


def test_a_sitemap_that_is_not_published_is_not_the_site_s_own(docs: Docs) -> None:
    own_sitemap(docs, "docs_dir")
    docs.conf(exclude_docs="sitemap.xml")
    assert set(docs.build().sitemap) == PAGES


def test_robots_txt(docs: Docs) -> None:
    """A minimal one where there is none; a site's own keeps its bytes and is completed once."""
    line = f"Sitemap: {BASE}sitemap.xml\n".encode()
    assert docs.build().read("robots.txt").endswith(b"User-agent: *\nAllow: /\n\n" + line)
    docs.repo.write("docs/robots.txt", "User-agent: GPTBot\nDisallow: /")
    for dirty in (False, True, True):
        text = docs.build(dirty=dirty).read("robots.txt")
        assert text.startswith(b"User-agent: GPTBot\nDisallow: /\n")
        assert text.endswith(line)
        assert text.count(b"Sitemap:") == 1
    assert (docs.docs_dir / "robots.txt").read_text(encoding="utf-8").endswith("Disallow: /")


def test_a_failed_build_leaves_the_last_files_alone(docs: Docs) -> None:
    before = docs.build().files
    docs.page("three.md")
    docs.conf(hooks=[docs.hook("def on_post_page(output, page, config):\n    raise ValueError('broken')\n")])
    built = docs.build(dirty=True)
    assert built.failed
    assert built.files == before
    docs.conf()
    assert "three/" in docs.build(dirty=True).sitemap


def test_a_sitemap_that_cannot_be_written_stops_the_build(docs: Docs) -> None:
    """As a page does that MkDocs cannot write; one message, and no half of the files."""
    docs.page("sitemap.xml/index.md")
    built = docs.build()
    assert built.failed
    assert len(built.warnings) == 2, built.log
    assert built.warnings[0].startswith("ERROR docs-sitemap: ")
    assert "cannot write" in built.warnings[0]
    assert "sitemap.xml" in built.warnings[0]
    assert not built.has("sitemap.xml.gz")
    assert not built.has("robots.txt")


def test_a_theme_that_reads_the_sitemap_gets_one_without_dates_where_ours_is_not_there(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MkDocs's own, whose dates are those of the build; robots.txt does not name it.

    Material's script reads it, whatever the configuration asks for.
    """
    pytest.importorskip("material")
    theme = {"name": "material", "font": False}
    docs.conf(theme=theme)
    assert set(docs.build().sitemap) == PAGES
    others: dict[str, dict[str, object]] = {
        "pages.xml": {"filename": "pages.xml"},
        "sitemap-index-1.xml": {"max_urls": 2},
        "sitemap.txt": {"formats": ["txt"]},
    }
    for name, options in others.items():
        docs.conf(options, theme=theme)
        built = docs.build()
        assert not built.warnings
        assert built.sitemap == dict.fromkeys(PAGES)
        assert f"Sitemap: {BASE}{name}\n".encode() in built.read("robots.txt")
    assert {*docs.outdir.glob("sitemap-[0-9].xml")} == set()
    monkeypatch.setenv("DOCS_SITEMAP_PREVIEW", "1")
    docs.conf(theme=theme)
    built = docs.build()
    assert built.sitemap == dict.fromkeys(PAGES)
    assert not built.has("robots.txt")
    docs.conf(site_url="", theme=theme)
    built = docs.build()
    assert not built.has("sitemap.xml")
    assert not built.notices("Template skipped")


@pytest.mark.parametrize("extra", [{"version": "2.1"}, {"alternate": [{"name": "de"}]}])
def test_another_theme_reads_no_sitemap(
    docs: Docs, monkeypatch: pytest.MonkeyPatch, extra: dict[str, object]
) -> None:
    monkeypatch.setenv("DOCS_SITEMAP_PREVIEW", "1")
    docs.conf(extra=extra)
    assert not docs.build().has("sitemap.xml")


def test_mkdocs_says_nothing_of_its_own_sitemap(docs: Docs, caplog: pytest.LogCaptureFixture) -> None:
    """Which we take off the list of templates, and give back: the theme has it again in the next build."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    docs.conf()
    config = load_config(str(docs.config_file), site_dir=str(docs.outdir))
    for _ in range(2):
        with caplog.at_level("INFO", "mkdocs"):
            build(config)
        assert "Template skipped" not in caplog.text
        assert "sitemap.xml" in config.theme.static_templates
        assert b"{%" not in (docs.outdir / "sitemap.xml").read_bytes()


@pytest.mark.parametrize("event", ["on_env", "on_post_build"])
def test_the_template_is_given_back_after_a_build_that_fails(docs: Docs, event: str) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    docs.conf(hooks=[docs.hook(f"def {event}(*_, **__):\n    raise ValueError('fault')\n")])
    config = load_config(str(docs.config_file), site_dir=str(docs.outdir))
    with pytest.raises(ValueError, match="fault"):
        build(config)
    assert "sitemap.xml" in config.theme.static_templates


OTHER = "theme:\n  name: mkdocs\n  language: {}  # beside\nsite_url: {}\n"


@pytest.mark.parametrize(
    ("name", "language", "url", "told"),
    [
        ("mkdocs-fr.yml", "fr", "https://example.org/docs", 1),
        ("../fr/mkdocs.yml", "fr", "'https://example.org/docs/'", 1),
        ("mkdocs-fr.yml", "fr", "https://example.org/docs/fr/", 0),
        ("mkdocs-old.yml", "en", "https://example.org/docs/", 0),
        ("../fr/other.yml", "fr", "https://example.org/docs/", 0),
    ],
)
def test_a_build_says_that_another_language_has_its_address(
    tmp_path: Path, name: str, language: str, url: str, told: int
) -> None:
    docs = Docs(tmp_path)
    docs.pages("guide.md")
    docs.conf(theme={"name": "mkdocs", "language": "en"}, site_url="https://example.org/docs/")
    file = docs.repo.root / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(OTHER.format(language, url), "utf-8")
    if name.startswith(".."):
        (docs.repo.root / ".git").rename(tmp_path / ".git")
    built = docs.build(strict=True).passed()
    assert (
        len(built.notices(f"{name} (theme.language: fr) has the same site_url as this build in en")) == told
    )
