"""A page's own images, as its published HTML shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.readers.page_parts import read_images

pytestmark = pytest.mark.core

LOC = "https://example.org/docs/guide/use/"


SHOWN = [
    ('<img src="a.png">', ["guide/use/a.png"]),
    ('<img src="../../img/b.png#x"><img src=/docs/c.png?v=2>', ["img/b.png", "c.png?v=2"]),
    ('<IMG SRC="https://example.org/docs/ü d.png">', ["%C3%BC%20d.png"]),
    ('<img src="a.png"><img src="a.png">', ["guide/use/a.png"]),
    ('<img src="data:image/png;base64,AAAA"><img alt="x"><img src="">', []),
    ('<img src="https://badges.example.net/b.svg"><img src="//other.org/x.png">', []),
    ('<img src="http://[broken/x.png">', []),
    ('<base href="/docs/"><img src="e.png">', ["e.png"]),
    ("<!-- <img src='no.png'> --><script>'<img src=no.png>'</script>", []),
    (
        '<nav><img src="logo.png"></nav><p><img src="a.png"></p><footer><img src="f.png"></footer>',
        ["guide/use/a.png"],
    ),
    ('<img src="logo.png"><main><nav><img src="n.png"></nav><img src="a.png"></main>', ["guide/use/a.png"]),
    (
        '<img src="l.png"><div role="main"><div><img src="a.png"></div></div><img src="z.png">',
        ["guide/use/a.png"],
    ),
    ('<img src="l.png"><main><p>none</p></main>', []),
    ('<noscript><img src="a.png"></noscript><template><img src="b.png"></template>', []),
    ('</nav><img src="a.png">', ["guide/use/a.png"]),
    ('<main><header><img src="a.png"></header></main>', ["guide/use/a.png"]),
    ('<header><img src="a.png"></header>', []),
    ('<base href="http://["><img src="a.png">', ["guide/use/a.png"]),
    ('<![foo IE]><img src="a.png">', ["guide/use/a.png"]),
]


@pytest.mark.parametrize(("body", "paths"), SHOWN)
def test_the_images_of_the_main_part_count(tmp_path: Path, body: str, paths: list[str]) -> None:
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    found = read_images(tmp_path / "a.html", LOC)
    assert found == tuple("https://example.org/docs/" + path for path in paths)


def test_a_page_that_cannot_be_read_has_none(tmp_path: Path) -> None:
    assert read_images(tmp_path / "none.html", LOC) == ()
    (tmp_path / "b.html").write_bytes(b"\xff\xfe<img src='\xff.png'")
    assert read_images(tmp_path / "b.html", LOC) == ()
