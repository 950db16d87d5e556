from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.errors import DocsSitemapError, OptionError
from docs_sitemap.notices import Notice
from docs_sitemap.options import validation
from docs_sitemap.options.declarations import OPTIONS, Options, read_options
from docs_sitemap.options.page_settings import PageSettings, Rule, read_metadata
from docs_sitemap.pages.page import Page
from docs_sitemap.text import show_value as brief


def spell(name: str) -> str:
    return f"docs_sitemap_{name}"


BAD: dict[str, list[object]] = {
    "base_url": [
        "example.org",
        "/docs/",
        "ftp://example.org/",
        "https://",
        "https://example.org/?q=1",
        "https://example.org/#top",
        "https://example.org:port/",
        "https://user:secret@example.org/",
        "https://example.org/a\nb",
        "https://exa mple.org/",
        "https://ex<b>.org/",
        "https://./",
        "https://" + "a" * 70 + "ü.org/",
        7,
    ],
    "filename": [
        "/sitemap.xml",
        "../sitemap.xml",
        "a/../../s.xml",
        "sitemap",
        "a\\s.xml",
        "c:s.xml",
        "x\0.xml",
        "\ud800.xml",
        "atom.xml",
        "maps/RSS.xml",
        "x" * 250 + ".xml",
        ".xml",
        1,
        "",
    ],
    "formats": ["xml", [], ["zip"], [1], {"xml": 1}, None],
    "exclude": ["drafts/", [1], {"a": 1}, None, 5],
    "lastmod": ["GIT", True, "", ["git"]],
    "lastmod_format": ["iso", None],
    "missing_dates": ["warn", True, "error", None],
    "clock": ["wall", None],
    "dependencies": ["some", None, 2, ["text"]],
    "page_dates": ["maybe", None, 2],
    "creation_dates": ["maybe", None, 2],
    "json_ld": ["maybe", None, 2],
    "ignore_revs": [True, 1, "", "a\0b", ["a"]],
    "follow_renames": ["maybe", None, 2],
    "source_map": [
        "docs/a=b",
        ["docs/a"],
        ["=b"],
        None,
        {"a": ""},
        {"": "b"},
        {"a": None},
        {"a": "b\0"},
        {"a/*.md": "a"},
    ],
    "changefreq": ["sometimes", "Daily", 1],
    "priority": [1.1, -0.1, "high", "nan", "inf", True, [0.5]],
    "rules": ["x", 5, None, {"match": "a/", "priority": 1}, b"x"],
    "languages": ["en", 5, [], ["en"]],
    "images": ["maybe", None],
    "max_urls": [0, 50_001, "many", None, True, 1.5, "-1", "٣"],
    "feed_entries": [0, 50_001, "all", None, False],
    "stylesheet": ["maybe", None, "a.css"],
    "robots": ["maybe", None, 2, []],
    "current_version": ["", ".", "../1.0", "en/stable", 1.10, 2, True, ["stable"], "x" * 101, "a b"],
    "previews": ["allow", True, 2, ["disallow"]],
    "indexnow_key": [12345678, True, ["a" * 8], {"key": "a" * 8}, b"a" * 8],
}


def test_each_option_has_its_bad_values() -> None:
    assert BAD.keys() == {option.name for option in OPTIONS}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_a_bad_value_is_named_as_its_user_wrote_it(name: str, value: object) -> None:
    with pytest.raises(OptionError) as caught:
        read_options({name: value}, spell)
    message = str(caught.value)
    assert message.startswith(f"docs_sitemap_{name}: expected ")
    kind = "text" if isinstance(value, str) else f"value of type {type(value).__name__}"
    urls = value.values() if isinstance(value, dict) else [value]
    has_parts = any(isinstance(url, (list, tuple, set, dict, bytes)) for url in urls)
    is_secret = name == "indexnow_key" or (
        name in ("base_url", "languages") and ("@" in str(value) or has_parts)
    )
    assert f"got {f'a {kind} that is not shown' if is_secret else brief(value)}" in message
    assert "secret" not in message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("indexnow_key", 90817263544536271809),
        ("indexnow_key", ["s3cr3tk3y"]),
        ("indexnow_key", {"k": "s3cr3tk3y"}),
        ("base_url", ["https://u:s3cr3tk3y@e.org/"]),
        ("languages", ["https://u:s3cr3tk3y@e.org/"]),
        ("languages", {"en": ["https://u:s3cr3tk3y@e.org/"]}),
        ("languages", {"en": "https://u:s3cr3tk3y@e.org/"}),
        ("languages", {"en": "no URL", "de": "https://u:s3cr3tk3y@e.org/"}),
        ("languages", {"no-language-code": "https://u:s3cr3tk3y@e.org/"}),
    ],
)
def test_a_secret_is_not_shown_whatever_is_around_it(name: str, value: object) -> None:
    """A key of digits from a variable of the environment is a number in YAML."""
    with pytest.raises(OptionError, match="that is not shown") as caught:
        read_options({name: value}, spell)
    assert "s3cr3tk3y" not in str(caught.value)
    assert "90817263" not in str(caught.value)


def test_errors_of_options_are_errors_of_values_too() -> None:
    with pytest.raises(OptionError) as caught:
        read_options({"base_url": 5}, spell)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, DocsSitemapError)


GOOD: list[tuple[str, object, object]] = [
    ("base_url", "https://example.org", "https://example.org/"),
    ("base_url", " https://example.org/docs ", "https://example.org/docs/"),
    ("base_url", "http://localhost:8000/é ü/", "http://localhost:8000/%C3%A9%20%C3%BC/"),
    ("base_url", "https://exämple.org:8443/", "https://xn--exmple-cua.org:8443/"),
    ("base_url", "https://straße.de/", "https://xn--strae-oqa.de/"),
    ("base_url", "http://[::1]:8000/", "http://[::1]:8000/"),
    ("base_url", None, None),
    ("base_url", "", None),
    ("base_url", " / ", None),
    ("filename", "maps/sitemap.xml", "maps/sitemap.xml"),
    ("filename", "./s.xml", "s.xml"),
    ("formats", ["gz", "gz"], ("gz",)),
    ("exclude", ("a", "!b"), ("a", "!b")),
    ("priority", "0.25", 0.25),
    ("priority", 1, 1.0),
    ("dependencies", True, "text"),
    ("dependencies", False, "none"),
    ("dependencies", "all", "all"),
    ("robots", "no", False),
    ("robots", True, True),
    ("robots", "elsewhere", "elsewhere"),
    ("current_version", "stable", "stable"),
    ("current_version", "1.10", "1.10"),
    ("current_version", "..", ".."),
    ("previews", "disallow", "disallow"),
    ("previews", None, None),
    ("indexnow_key", "Ab3-" * 32, "Ab3-" * 32),
    ("indexnow_key", "12345678", "12345678"),
    ("ignore_revs", "ignored.txt", "ignored.txt"),
    ("ignore_revs", False, ""),
    ("source_map", {"docs/a": "packages/a/docs"}, (("docs/a", "packages/a/docs"),)),
    ("source_map", {"*.md": "a/*.ipynb"}, (("*.md", "a/*.ipynb"),)),
    ("source_map", ["docs/a=packages/a/docs"], (("docs/a", "packages/a/docs"),)),
    ("follow_renames", True, True),
    ("changefreq", "weekly", "weekly"),
    ("max_urls", " 100 ", 100),
    ("max_urls", 50_000, 50_000),
    ("formats", ["txt", "atom", "rss"], ("txt", "atom", "rss")),
    ("languages", {"pt_BR": "https://e.org/pt"}, (("pt-BR", "https://e.org/pt/"),)),
    ("languages", None, None),
    ("rules", [{"match": "a/", "priority": 0.3}], (Rule(("a/",), PageSettings(priority=0.3)),)),
    ("rules", [{"match": ["a", "!b"], "exclude": "no"}], (Rule(("a", "!b"), PageSettings(exclude=False)),)),
    ("rules", ({"match": "a", "lastmod": "none"},), (Rule(("a",), PageSettings(lastmod="none")),)),
]


def test_a_priority_of_minus_zero_is_zero() -> None:
    assert str(read_options({"priority": "-0.0"}, spell).priority) == "0.0"


@pytest.mark.parametrize(
    "value", ["short", "x" * 129, "with_underscore", "two words here", "key\n12345", "schlüssel-eins", ""]
)
def test_a_text_that_is_no_key_is_not_shown(value: str) -> None:
    """It may be another secret, put in the wrong place."""
    with pytest.raises(OptionError) as caught:
        read_options({"indexnow_key": value}, spell)
    assert str(caught.value) == (
        "docs_sitemap_indexnow_key: expected a key of 8 to 128 letters a to z and A to Z, digits and "
        "hyphens, got a text that is not shown."
    )


BAD_RULES = [
    ({}, "match and any of exclude, lastmod, changefreq, priority, sources, not_sources, include, got {}."),
    ({"match": "a"}, "rule 2: expected a mapping"),
    ({"match": "a", "prio": 1}, "rule 2: expected a mapping"),
    ({"match": "a", "sources": 5}, "rule 2, sources: expected a list of file paths, got 5."),
    ({"match": "a", 1: "x"}, "rule 2: expected a mapping"),
    ({"match": "a", "prioriy": 1}, "(did you mean priority?), got 'prioriy'."),
    ({"match": [], "priority": 1}, "rule 2, match: expected a gitignore-style pattern, or a list"),
    ({"match": " ", "priority": 1}, "rule 2, match: expected a gitignore-style pattern, or a list"),
    (["a"], "rule 2: expected a mapping"),
    ({"match": 5, "priority": 1}, "rule 2, match: expected a list of gitignore-style patterns"),
    ({"match": "a", "priority": 1.1}, "rule 2, priority: expected a number from 0.0 to 1.0, got 1.1."),
    ({"match": "a", "changefreq": "sometimes"}, "rule 2, changefreq: expected one of always, hourly"),
    ({"match": "a", "lastmod": "tomorrow"}, "rule 2, lastmod: expected git, none, or a day such as"),
    ({"match": "a", "lastmod": date(2999, 1, 1)}, "a date that is not in the future, got '2999-01-01'."),
    ({"match": "a", "exclude": None}, "rule 2, exclude: expected true or false, got None."),
]


@pytest.mark.parametrize(("rule", "said"), BAD_RULES)
def test_a_mistake_in_a_rule_says_in_which(rule: object, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_options({"rules": [{"match": "x", "priority": 1}, rule]}, spell)
    assert str(caught.value).startswith("docs_sitemap_rules: rule 2")
    assert said in str(caught.value)


@pytest.mark.parametrize(("name", "value", "clean"), GOOD)
def test_a_good_value_is_cleaned(name: str, value: object, clean: object) -> None:
    assert getattr(read_options({name: value}, spell), name) == clean


def test_without_values_the_defaults_hold() -> None:
    assert read_options({}, spell) == Options()


def test_the_defaults_pass_their_own_checks() -> None:
    defaults = {option.name: option.default for option in OPTIONS}
    assert read_options(defaults, spell) == Options()


def test_a_misspelt_option_gets_the_one_that_was_meant() -> None:
    with pytest.raises(
        OptionError, match="docs_sitemap_exclud: there is no such option; did you mean docs_sitemap_exclude"
    ):
        read_options({"exclud": []}, spell)
    with pytest.raises(OptionError, match="the options are docs_sitemap_base_url"):
        read_options({"zzz": 1}, spell)


def test_help_and_check_stand_with_each_option() -> None:
    for option in OPTIONS:
        assert option.metadata["help"].endswith(".")
        assert not set("|<>") & set(option.metadata["help"])  # it stands in tables of Markdown, too
        assert callable(option.metadata["check"])


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
        ("2024-05-01T10:00:00.25+02:00", "2024-05-01T10:00:00.25+02:00"),
        (date(2024, 5, 1), "2024-05-01"),
        (datetime(2024, 5, 1, 10, tzinfo=UTC), "2024-05-01T10:00:00+00:00"),
        (datetime(2024, 5, 1, 10), "2024-05-01T10:00:00+00:00"),
    ],
)
def test_a_lastmod_by_hand_stays_as_written(value: object, written: str) -> None:
    assert validation.lastmod(value) == written


@pytest.mark.parametrize(
    "value",
    [
        "2024-05",
        "2024",
        "2024-13-01",
        "2024-02-30",
        "2024-05-01T10:00Z",
        "2024-05-01T10:00:00",
        "2024-05-01T10:00:00+23:00",
        "2024-05-01 10:00:00Z",
        "tomorrow",
        "٢٠٢٤-05-01",
        pytest.param(
            (datetime.now(UTC) + timedelta(days=2)).isoformat(timespec="seconds"), id="time to come"
        ),
        pytest.param((datetime.now(UTC) + timedelta(days=2)).date(), id="day to come"),
        20240501,
        True,
    ],
)
def test_a_lastmod_that_the_schema_refuses_or_that_is_to_come(value: object) -> None:
    with pytest.raises(validation.UnexpectedError):
        validation.lastmod(value)


def read_settings(value: object, folder: Path = Path()) -> tuple[PageSettings, list[Notice]]:
    settings, _, notices = read_metadata({"sitemap": value}, "a.md", folder)
    return settings, notices


WHOLE = [
    *((value, True) for value in (False, "false", "False", " no ")),
    *((value, None) for value in (None, {}, "{}", "", " ", "null", {"lastmod": None}, {"lastmod": ""})),
    *((value, False) for value in (True, "true", {"exclude": False})),
]


@pytest.mark.parametrize(("value", "exclude"), WHOLE)
def test_false_takes_a_page_out_true_lists_it_and_nothing_says_nothing(value: object, exclude: bool) -> None:
    """As YAML, MyST and reStructuredText hand it on."""
    assert read_settings(value) == (PageSettings(exclude=exclude), [])


def test_a_mapping_sets_each_setting_also_as_json_text(tmp_path: Path) -> None:
    (tmp_path / "data.csv").touch()
    mapping: dict[str, Any] = {
        "lastmod": "2024-05-01",
        "priority": "0.8",
        "changefreq": "daily",
        "sources": "data.csv",
    }
    expected = PageSettings(lastmod="2024-05-01", priority=0.8, changefreq="daily", sources=("data.csv",))
    assert read_settings(mapping, tmp_path) == (expected, [])
    as_text = '{"lastmod": "2024-05-01", "priority": 0.8, "changefreq": "daily", "sources": ["data.csv"]}'
    assert read_settings(as_text, tmp_path) == (expected, [])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"priority": 7}, "a.md: sitemap: priority: expected a number from 0.0 to 1.0, got 7."),
        ({"prio": 0.5}, "a.md: sitemap: prio: there is no such setting; the settings are sitemap: exclude,"),
        (
            {"excluded": True},
            "a.md: sitemap: excluded: there is no such setting; did you mean sitemap: exclude?",
        ),
        ({"last_mod": "none"}, "did you mean sitemap: lastmod? The setting is ignored."),
        ({"include": True}, "a.md: sitemap: include: there is no such setting; the settings are sitemap: "),
        ({1: 2, "x": 3}, "a.md: sitemap: 1 and 1 more: there are no such settings; the settings are"),
        ({"exclude": "perhaps"}, "a.md: sitemap: exclude: expected true or false"),
        ({"sources": [""]}, "a.md: sitemap: sources: expected"),
        ({"lastmod": "2999-01-01"}, "not in the future"),
        ("perhaps", "a.md: sitemap: expected false, or a mapping"),
        ("{broken", "a.md: sitemap: expected false, or a mapping"),
        ('{"a":' * 5_000, "a.md: sitemap: expected false, or a mapping"),
        ([1], "a.md: sitemap: expected false, or a mapping"),
    ],
)
def test_a_mistake_on_a_page_costs_that_setting_and_one_warning(value: object, said: str) -> None:
    settings, notices = read_settings(value)
    assert settings == PageSettings()
    assert [notice.level for notice in notices] == ["warning"]
    assert said in notices[0].text


def test_the_other_settings_survive_a_mistake_which_is_named_as_its_author_wrote_it() -> None:
    assert read_settings({"priority": 7, "changefreq": "daily"})[0] == PageSettings(changefreq="daily")
    fields = {"sitemap-priority": "7", "sitemap-changefreq": "daily"}
    settings, _, (notice,) = read_metadata(fields, "a.rst", Path())
    assert settings == PageSettings(changefreq="daily")
    assert notice.text.startswith("a.rst: sitemap-priority: expected a number from 0.0 to 1.0, got '7'.")


@pytest.mark.parametrize("setting", ["sources", "not_sources"])
def test_files_are_found_from_the_documentation_folder_and_missing_ones_reported(
    tmp_path: Path, setting: str
) -> None:
    (tmp_path / "data.csv").touch()
    (tmp_path / "loop").symlink_to("loop")
    folder = tmp_path / ".." / tmp_path.name
    names = ["data.csv", "a" * 300, "loop"]
    field = f"sitemap-{setting.replace('_', '-')}"
    for named, metadata in (
        (f"sitemap: {setting}", {"sitemap": {setting: names}}),
        (f"sitemap-{setting}" if setting == "sources" else f"sitemap: {setting}", {field: names}),
    ):
        settings, paths, (notice,) = read_metadata(metadata, "a.md", folder)
        assert paths == ((folder / "data.csv",) if setting == "sources" else ())
        assert settings.not_sources == ((str(tmp_path / "data.csv"),) if setting == "not_sources" else ())
        assert notice.level == "warning"
        assert notice.text.startswith(f"a.md: {named}: no such files in")
        assert notice.text.endswith(" and 1 more; ignored.")


def test_each_option_is_read_by_some_module() -> None:
    source = Path(validation.__file__).parents[1]
    modules = [file for file in source.rglob("*.py") if file.name != "declarations.py"]
    read = set(re.findall(r"options\.(\w+)", "".join(file.read_text(encoding="utf-8") for file in modules)))
    assert {option.name for option in OPTIONS} <= read


def test_today_is_not_to_come_anywhere() -> None:
    tomorrow_in_the_east = (datetime.now(UTC) + timedelta(hours=13)).date()
    assert validation.lastmod(tomorrow_in_the_east) == tomorrow_in_the_east.isoformat()


def test_a_date_is_named_as_it_stands_in_yaml() -> None:
    with pytest.raises(OptionError, match="got '2999-01-01'"):
        validation.checked("lastmod", date(2999, 1, 1), validation.lastmod)


def test_a_file_that_is_not_to_count_is_taken_out_of_what_a_page_includes(tmp_path: Path) -> None:
    source, data, more = (tmp_path / name for name in ("a.md", "data.csv", "more.csv"))
    page = Page(url="a/", source=source, dependencies=(data, more), media=(tmp_path / "map.png",))
    without = PageSettings(not_sources=(str(data), str(tmp_path / "map.png"), str(source)))
    assert page.files("all", without).all() == (source, more)
    assert page.files("all").all() == (source, data, more, tmp_path / "map.png")
