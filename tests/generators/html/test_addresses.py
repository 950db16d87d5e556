"""The URLs of pages of any generator, and what is kept of a sitemap that it wrote itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("protego")

from lxml import etree

from tests.generators.html.test_build import run, site_of
from tests.support import sitemaps
from tests.support.warm import run_module

BASE = "https://docs.example.org/"
ALTERNATE = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'
IMAGE = "<image:image><image:loc>{}</image:loc></image:image>"


def sitemap_of(site: Path, entries: dict[str, str], name: str = "sitemap.xml", base: str = BASE) -> None:
    """Write a sitemap as VitePress and Docusaurus do: one line, with dates, and what belongs to each URL."""
    urls = "".join(
        f"<url><loc>{base}{path}</loc><lastmod>2031-01-01</lastmod>{more}</url>"
        for path, more in entries.items()
    )
    site.joinpath(name).write_text(
        '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml" '
        f'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">{urls}</urlset>'
    )


def build(site: Path, *args: str | Path) -> tuple[set[str], list[str]]:
    """Return the listed paths, and what the command says of URLs; the second run changes no byte."""
    first = run(site, *args, cwd=site.parent)
    assert first.returncode == 0, first.stderr
    files = {path.name: path.read_bytes() for path in site.glob("*.*")}
    second = run(site, *args, cwd=site.parent)
    assert {path.name: path.read_bytes() for path in site.glob("*.*")} == files
    assert [line for line in second.stderr.splitlines() if "disagree" not in line] == [
        line for line in first.stderr.splitlines() if "disagree" not in line
    ]
    found = sitemaps.read(site / "sitemap.xml")
    assert set(found.values()) == {None}, "what another tool has for dates cannot be verified"
    said = first.stderr.splitlines()[:-1]
    return {loc.removeprefix(BASE) for loc in found}, [line for line in said if "no sources are" not in line]


def details(site: Path) -> dict[str, list[str]]:
    """Return the alternates and images of each URL."""
    found: dict[str, list[str]] = {}
    for url in etree.parse(site / "sitemap.xml").getroot():
        links = [link.get("href", "") for link in url.findall("{*}link")]
        images = [image.text or "" for image in url.findall("{*}image/{*}loc")]
        if links or images:
            found[url.findtext("{*}loc", "").removeprefix(BASE)] = links + images
    return found


def linked(*links: str) -> str:
    return "</head><body>" + "".join(f'<a href="{link}">x</a>' for link in links)


# VitePress: links as its config `cleanUrls` says, no canonical link
VITEPRESS = {
    "index.html": linked("/guide/install{}", "/guide/"),
    "guide/index.html": linked("./install{}"),
    "guide/install.html": linked("/", "../about{}#top"),
    "about.html": "",
    "404.html": linked("/"),
}


@pytest.mark.parametrize("ending", ["", ".html"])
@pytest.mark.parametrize("has_sitemap", [False, True])
def test_vitepress(tmp_path: Path, ending: str, has_sitemap: bool) -> None:
    """Its sitemap says the form of URLs and the base URL; without one, links between pages say the form."""
    site = site_of(tmp_path / "site", {name: text.format(ending, ending) for name, text in VITEPRESS.items()})
    expected = {"", "guide/", f"guide/install{ending}", f"about{ending}"}
    if has_sitemap:
        sitemap_of(site, dict.fromkeys(expected, ""))
        found, said = build(site)
        form = "" if ending else "the form of URLs (guide/install for guide/install.html) and "
        assert said == [f"From sitemap.xml, which was there: {form}the base URL {BASE}."]
    else:
        found, said = build(site, "--base-url", BASE)
        form = "From the links between pages: the form of URLs (guide/install for guide/install.html)."
        assert said == ([] if ending else [form])
    assert found == expected
    assert run_module("docs_sitemap", "check", str(site), "--base-url", BASE, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("slash", ["false", "undefined"])
def test_docusaurus(tmp_path: Path, slash: str) -> None:
    """Its canonical links have no slash, and neither have its folders in the default setting."""
    end = ".html" if slash == "false" else "/index.html"
    pages = ["docs/intro", "docs/guide", "blog"]
    heads = {f"{name}{end}": f'<link rel="canonical" href="{BASE}{name}">' for name in pages}
    site = site_of(tmp_path / "site", {"index.html": f'<link rel="canonical" href="{BASE}">', **heads})
    sitemap_of(site, dict.fromkeys(["", *pages], "<changefreq>weekly</changefreq>"))
    found, said = build(site)
    assert found == {"", *pages}
    assert said == [f"From the pages' canonical links: the base URL {BASE}."]
    assert b"another tool" not in (site / "sitemap.xml").read_bytes()
    assert run_module("docs_sitemap", "check", str(site), cwd=tmp_path).returncode == 0


def test_the_canonical_link_of_an_error_page_says_nothing_of_others(tmp_path: Path) -> None:
    """Starlight's names /404/, where a host shows it for any address."""
    heads = {"404.html": "404/", "guide/index.html": "guide/", "index.html": ""}
    pages = {name: f'<link rel="canonical" href="{BASE}{path}">' for name, path in heads.items()}
    site = site_of(tmp_path / "site", {**pages, "copied.html": ""})
    assert build(site)[0] == {"", "guide/", "copied.html"}


def test_a_canonical_link_that_is_not_encoded_is_the_page_s_own(tmp_path: Path) -> None:
    """Docusaurus (3.10) and Quarto (1.5) write it as the file is named."""
    pages = {"index.html": "", "My Page.html": "My Page"}
    heads = {name: f'<link rel="canonical" href="{BASE}{path}">' for name, path in pages.items()}
    assert build(site_of(tmp_path / "site", heads))[0] == {"", "My%20Page"}


def test_a_site_at_a_second_address_keeps_the_form_of_its_canonical_links(tmp_path: Path) -> None:
    """As a copy for review: the sitemap that is there has another form, and no page is lost."""
    pages = ["a.html", "b.html"]
    heads = {name: f'<link rel="canonical" href="https://www.example.net/{name}">' for name in pages}
    home = '<link rel="canonical" href="https://www.example.net/">'
    site = site_of(tmp_path / "site", {"index.html": home, **heads})
    sitemap_of(site, {"": "", "a": "", "b": ""}, base="https://www.example.net/")
    assert build(site, "--base-url", BASE)[0] == {"", *pages}


def test_the_option_is_for_index_pages_too(tmp_path: Path) -> None:
    """MyST's sitemap has /start for start/index.html, which hosts serve as a folder."""
    site = site_of(tmp_path / "site", {"index.html": "", "start/index.html": ""})
    sitemap_of(site, {"": "", "start": ""})
    assert build(site, "--base-url", BASE, "--url-style", "directory")[0] == {"", "start/"}


def test_alternates_and_images_stay_with_the_urls_that_stay(tmp_path: Path) -> None:
    """Below the base URL of this build, and in the form of its URLs; what a page says itself wins."""
    canonical = f'<link rel="canonical" href="{BASE}{{}}">'
    site = site_of(
        tmp_path / "site",
        {
            "index.html": canonical.format(""),
            "en/a.html": canonical.format("en/a.html"),
            "de/a.html": canonical.format("de/a.html")
            + f'<link rel="alternate" hreflang="en" href="{BASE}en/a.html">',
        },
    )
    (site / "logo.png").touch()
    old = "http://localhost:3000/"
    links = ALTERNATE.format("en", f"{old}en/a") + ALTERNATE.format("de", f"{old}de/a")
    links += ALTERNATE.format("pt-BR", "https://pt.example.org/a") + ALTERNATE.format("fr", f"{old}fr/gone")
    images = IMAGE.format(f"{old}logo.png") + IMAGE.format("https://cdn.example.org/a.png")
    sitemap_of(site, {"": "", "en/a": links + images, "de/a": links, "fr/gone": links}, base=old)
    found, said = build(site)
    assert found == {"", "en/a.html", "de/a.html"}
    both = [f"{BASE}de/a.html", f"{BASE}en/a.html", "https://pt.example.org/a"]
    assert details(site) == {
        "en/a.html": [*both, f"{BASE}logo.png", "https://cdn.example.org/a.png"],
        "de/a.html": both,
    }
    assert said == [
        f"From the pages' canonical links: the base URL {BASE}.",
        "From sitemap.xml, which was there: alternates of 2 pages and images of 1 page.",
        "The forms of URLs disagree: en/a.html for en/a.html in canonical links of 2 pages; en/a for "
        "en/a.html in sitemap.xml, which was there (2 pages). Each page's own canonical link is used.",
    ]


def test_an_index_and_its_part_are_read(tmp_path: Path) -> None:
    """As Astro and Next.js write them, beside which ours is a second one."""
    site = site_of(tmp_path / "site", {"index.html": "", "a.html": ""})
    sitemap_of(site, {"": "", "a": IMAGE.format(f"{BASE}a.png")}, name="sitemap-0.xml")
    (site / "sitemap-index.xml").write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<sitemap><loc>{BASE}sitemap-0.xml</loc></sitemap></sitemapindex>"
    )
    found, said = build(site)
    assert found == {"", "a"}
    assert details(site) == {"a": [f"{BASE}a.png"]}
    assert said[0].startswith("From sitemap-0.xml, which was there: images of 1 page")


def test_only_what_another_tool_wrote_is_evidence(tmp_path: Path) -> None:
    """An option that is taken back has no effect any more, also beside what was taken from such a sitemap."""
    site = site_of(tmp_path / "site", {"index.html": "", "a.html": '</head><body><img src="own.png">'})
    found, _ = build(site, "--base-url", BASE, "--url-style", "clean", "--images", "true")
    assert found == {"", "a"}
    assert details(site) == {"a": [f"{BASE}own.png"]}
    found, said = build(site, "--base-url", BASE)
    assert found == {"", "a.html"}
    assert details(site) == {}
    assert said == []
    assert "the URL of the site is not known" in run(site, cwd=tmp_path).stderr


def test_the_order_is_canonical_link_option_sitemap_links(tmp_path: Path) -> None:
    heads = {"own.html": f'<link rel="canonical" href="{BASE}own">', "a.html": linked("b.html"), "b.html": ""}
    site = site_of(tmp_path / "site", {**heads, "index.html": linked("/a.html", "b.html")})
    found, said = build(site, "--base-url", BASE, "--url-style", "directory")
    assert found == {"", "own", "a/", "b/"}
    assert said == [
        "The forms of URLs disagree: own for own.html in canonical links of 1 page; --url-style directory. "
        "Each page's own canonical link is used."
    ]
    (site / "own.html").unlink()
    sitemap_of(site, {"": "", "a": "", "b": ""})
    assert build(site, "--base-url", BASE, "--url-style", "html")[0] == {"", "a.html", "b.html"}
    sitemap_of(site, {"": "", "a": "", "b": ""})
    assert build(site, "--base-url", BASE)[0] == {"", "a", "b"}
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (site / name).unlink()
    assert build(site, "--base-url", BASE)[0] == {"", "a.html", "b.html"}


@pytest.mark.parametrize("base", ["http://localhost:8080/", "https://example.com/", "http://127.0.0.1/"])
def test_a_base_url_that_nobody_reaches_is_none(tmp_path: Path, base: str) -> None:
    site = site_of(tmp_path / "site", {"index.html": f'<link rel="canonical" href="{base}">', "a.html": ""})
    sitemap_of(site, {"": "", "a": ""}, base=base)
    done = run(site, cwd=tmp_path)
    assert done.returncode == 1
    assert "the URL of the site is not known" in done.stderr
    assert base not in done.stderr


def test_the_option_is_checked_wherever_it_is_written(tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", {"index.html": "", "a.html": ""})
    config = tmp_path / "docs-sitemap.toml"
    config.write_text(f'base-url = "{BASE}"\nurl-style = "clean"\n')
    assert build(site)[0] == {"", "a"}
    config.write_text('url-style = "pretty"\n')
    for args, name in (([], f"{config.name}: url-style"), (["--url-style", "pretty"], "--url-style")):
        done = run(site, *args, cwd=tmp_path)
        assert done.returncode == 2
        assert f"{name}: expected one of html, clean, directory, got 'pretty'." in done.stderr


def test_without_lxml_a_line_says_what_is_lost(tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", {"index.html": "", "a.html": linked("/")})
    code = "import sys; sys.modules['lxml'] = None; from docs_sitemap.cli import main; main()"
    command = [sys.executable, "-c", code, "build", str(site), "--base-url", BASE]
    for more in ("", IMAGE.format(f"{BASE}a.png")):
        sitemap_of(site, {"": "", "a": more})
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert ("sitemap.xml, which was there, is not read without lxml" in done.stderr) == bool(more)
