"""Whatever value an option or a page has: one short message, in bounded time and memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

import pytest

from docs_sitemap.errors import OptionError
from docs_sitemap.options.declarations import OPTIONS, read_options, unknown_option
from docs_sitemap.options.page_settings import PageSettings, place_rules, read_metadata, read_settings
from docs_sitemap.untrusted import RealPaths
from tests.support.bombs import VALUES, assert_brief, bounded, value_of

pytestmark = pytest.mark.slow

SETTINGS = [field.name for field in fields(PageSettings)]


@pytest.fixture(autouse=True)
def bounds() -> Iterator[None]:
    with bounded():
        yield


def said_of(values: Mapping[str, object], folder: Path) -> list[str]:
    """What is said of options: the one mistake, else which files are not there."""
    try:
        options = read_options(values)
    except OptionError as problem:
        return [str(problem)]
    assert len(repr(options)) < 100_000  # what counts as right is small
    return [notice.text for notice in place_rules(options.rules, folder, "rules")[1]]


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
@pytest.mark.parametrize("kind", VALUES)
def test_a_wrong_value_of_an_option_is_one_short_message(option: str, kind: str, tmp_path: Path) -> None:
    said = said_of({option: value_of(kind)}, tmp_path)
    assert all(re.match(rf"{option}: (rule 1(, \w+)?: )?expected ", message) for message in said)
    assert len(said) <= 1
    assert_brief(said)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", VALUES)
def test_a_wrong_setting_of_a_rule_is_one_short_message(setting: str, kind: str, tmp_path: Path) -> None:
    value = value_of(kind)
    rule = {"match": "a/", setting: value}
    for wrong in (rule, {"match": value, "priority": 1}, {**rule, kind: 1}):
        said = said_of({"rules": [wrong]}, tmp_path)
        assert all(message.startswith("rules: rule 1") for message in said)
        assert len(said) <= 1
        assert_brief(said)


@pytest.mark.parametrize("setting", ["", *SETTINGS])
@pytest.mark.parametrize("kind", VALUES)
def test_a_wrong_setting_of_a_page_is_one_short_message(setting: str, kind: str, tmp_path: Path) -> None:
    value = value_of(kind)
    said = [{"sitemap": {setting: value} if setting else value}]
    if setting:
        said.append({f"sitemap-{setting.replace('_', '-')}": value})
    for metadata in said:
        settings, files, notices = read_metadata(metadata, "a.md", tmp_path, RealPaths())
        assert not files
        assert len(repr(settings)) < 1_000_000
        assert len(notices) <= 1, [notice.text[:200] for notice in notices]
        assert_brief([notice.text for notice in notices])


NAMES = ["x" * 10_000_000, 10**5000, ("x" * 10_000_000,), None, float("nan"), b"\xff", "\0\n\ud800", 2026]


@pytest.mark.parametrize("name", NAMES, ids=[f"name {number}" for number, _ in enumerate(NAMES)])
def test_a_wrong_name_is_one_short_message(name: object, tmp_path: Path) -> None:
    _, _, notices = read_metadata(
        {"sitemap": {name: 1}, f"sitemap-{NAMES[0]}": 1}, "a.md", tmp_path, RealPaths()
    )
    assert len(notices) == 2
    assert all("there is no such setting" in notice.text for notice in notices)
    assert_brief([notice.text for notice in notices])
    with pytest.raises(OptionError, match="rule 1: expected a mapping") as caught:
        read_options({"rules": [{"match": "a", name: 1}]})
    assert_brief([str(caught.value)])


def test_a_long_name_of_an_option_is_cut() -> None:
    assert_brief([unknown_option("x" * 10_000_000, str), unknown_option("\0\x1b", str)])


def test_a_million_wrong_names_are_one_message(tmp_path: Path) -> None:
    wrong = dict.fromkeys(map(str, range(1_000_000)), 1)
    _, _, notices = read_metadata({"sitemap": {**wrong, "priority": 0.5}}, "a.md", tmp_path, RealPaths())
    assert len(notices) == 1
    assert "a.md: sitemap: 0 and 999,999 more: there are no such settings" in notices[0].text
    assert_brief([notices[0].text])


def test_a_thousand_files_that_are_not_there_are_one_message(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    sources = ["there", *(f"gone{number}" for number in range(999))]
    _, found, notices = read_metadata({"sitemap": {"sources": sources}}, "a.md", tmp_path, RealPaths())
    assert found == (tmp_path / "there",)
    assert len(notices) == 1
    assert ": 'gone0' and 998 more; ignored." in notices[0].text


def test_deep_json_in_a_field_is_no_mapping() -> None:
    for text in ('{"a":' * 5000, '{"priority": ' + "9" * 5000 + "}", json.dumps({"a": "x" * 100_000})):
        settings, notices = read_settings(text, "a.rst")
        assert settings == PageSettings()
        assert_brief([notice.text for notice in notices])
        assert "a.rst: sitemap: expected false, or a mapping" in notices[0].text
