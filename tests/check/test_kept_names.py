from __future__ import annotations

import tracemalloc
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap.check import RULES
from docs_sitemap.check.kept_names import ByName, KeptNames
from docs_sitemap.check.runner import Question, read_site
from tests.support.checksite import NS


def test_kept_names_are_a_set_in_order() -> None:
    names = KeptNames()
    for name in ("b", "a/\N{GRINNING FACE}", "\udcff", "b"):
        names.add(name)
    assert [*names] == ["b", "a/\N{GRINNING FACE}", "\udcff"]
    assert len(names) == 3
    assert "\udcff" in names
    assert "\ud800" not in names
    names.sort()
    assert [*names] == ["a/\N{GRINNING FACE}", "b", "\udcff"]
    others = KeptNames(names)
    others.add("b")
    assert others.packed()[0] is names.packed()[1]


def test_values_by_name() -> None:
    values = ByName({b"a": 1, b"\xff": 2})
    assert dict(values) == {"a": 1, "\udcff": 2}
    assert (len(values), values["\udcff"], values.get("b"), values.packed()) == (2, 2, None, [b"a", b"\xff"])


def test_names_with_an_emoji_take_no_more_memory(tmp_path: Path) -> None:
    """Of 100,000 long ones, check took 375 MB, and 217 of others."""
    sizes = []
    for number, end in enumerate(("aaaa", "\N{GRINNING FACE}")):
        site = tmp_path / f"{number}"
        site.mkdir()
        names = [f"{number:03}{'x' * 220}{end}.html" for number in range(500)]
        for name in names:
            (site / name).write_text("<html><head><title>x</title></head><body>x")
        entries = "".join(f"<url><loc>https://e.org/{quote(name)}</loc></url>" for name in names)
        (site / "sitemap.xml").write_text(f'<urlset xmlns="{NS}">{entries}</urlset>')
        tracemalloc.start()
        read = read_site(Question(site), RULES.values(), lambda done, of: None)
        assert sum(listed.file is not None for listed in read.listed) == len(read.pages) == 500
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert sizes[1] < 1.1 * sizes[0]
