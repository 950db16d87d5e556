from __future__ import annotations

import contextlib

import pytest

from docs_sitemap.options.languages import normalise, read_languages
from docs_sitemap.options.validation import UnexpectedError

GOOD = [
    ("en", "en"),
    ("PT_br", "pt-BR"),
    ("ZH-hans-cn", "zh-Hans-CN"),
    ("sr_latn", "sr-Latn"),
    ("X-Default", "x-default"),
    (" de ", "de"),
    ("es-419", "es-419"),
    ("fil", "fil"),
    ("haw-US", "haw-US"),
    ("GSW-ch", "gsw-CH"),
    ("yue-Hant-HK", "yue-Hant-HK"),
    ("no", "no"),
    ("nb-NO", "nb-NO"),
    ("kr-NG", "kr-NG"),
    ("uk", "uk"),
    ("se-SE", "se-SE"),
    # the examples of RFC 5646, 2.1.1 and appendix A
    ("MN-cYRL-mn", "mn-Cyrl-MN"),
    ("en-CA-x-CA", "en-CA-x-ca"),
    ("az-latn-x-LATN", "az-Latn-x-latn"),
    ("sl-rozaj-BISKE", "sl-rozaj-biske"),
    ("de-ch-1901", "de-CH-1901"),
    ("hy-Latn-IT-arevela", "hy-Latn-IT-arevela"),
    ("zh-CN-a-myext-x-private", "zh-CN-a-myext-x-private"),
    ("de-DE-u-co-phonebk", "de-DE-u-co-phonebk"),
    ("en-US-x-latam", "en-US-x-latam"),
]


@pytest.mark.parametrize(("code", "expected"), GOOD)
def test_a_code_gets_its_conventional_form(code: str, expected: str) -> None:
    assert normalise(code) == expected
    assert normalise(expected) == expected


CURES = [
    ("en-UK", "write GB"),
    ("en_uk", "write GB"),
    ("en-EN", "write GB, US"),
    ("ja-JA", "write JP"),
    ("el-EL", "write GR"),
    ("cs-CS", "write CZ"),
    ("es-LATAM", "write 419"),
    ("en-EU", "EU is not a region code"),
    ("jp", "write ja"),
    ("jp-JP", "write ja"),
    ("cn", "write zh"),
    ("zh-Hans-UK", "write GB"),
    ("kr", "write ko"),
    ("kr-KR", "write ko"),
    ("cz", "write cs"),
    ("dk", "write da"),
    ("gr", "write el"),
    ("iw", "write he"),
    ("in", "write id"),
    ("ji", "write yi"),
    ("sh", "write sr, hr or bs"),
    ("us", "us is a country code"),
    ("xx", "xx is not a language code"),
    ("eng", "write en"),
    ("GER-AT", "write de"),
    ("deu", "write de"),
    ("zho-CN", "write zh"),
    ("pt_BR.UTF-8", "POSIX locale: write pt-BR"),
    ("sr@latin", "POSIX locale: write sr-Latn"),
    ("sr_RS.UTF-8@latin", "write sr-Latn-RS"),
    ("uz_UZ@cyrillic", "write uz-Cyrl-UZ"),
    ("ca_ES@valencia", "write ca-ES-valencia"),
    ("de_DE@euro", "write de-DE"),
    ("en_UK.UTF-8", "write GB"),
    ("C.UTF-8", "'C' is not a valid language code"),
    ("en-USA", "a region has two letters"),
    ("zh-yue", "write yue without zh"),
    ("zh-CN-Hans", "zh-Hans-CN"),
    *(
        (code, "is not a valid language code")
        for code in ("", "e", "english", "en-", "-en", "en--US", "en US", "en-x")
    ),
    *(
        (code, "is not a valid language code")
        for code in ("x-klingon", "x-defualt", "i-klingon", "ſv", "ＤＥ", "de-٤١٩")
    ),
]


@pytest.mark.parametrize(("code", "cure"), CURES)
def test_what_is_no_code_is_refused_with_the_cure(code: str, cure: str) -> None:
    with pytest.raises(ValueError, match=r"^'") as caught:
        normalise(code)
    assert cure in str(caught.value)


def test_the_codes_are_those_that_unicode_knows() -> None:
    locale = pytest.importorskip("babel").Locale("en")
    languages = {code for code in locale.languages if len(code) == 2}
    regions = {code for code in locale.territories if len(code) == 2}
    # the CLDR keeps these beside the standards: withdrawn or no country's
    languages -= {"sh"}
    regions -= {"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"}
    assert (len(languages), len(regions)) == (183, 249)
    for code in languages:
        assert normalise(f"{code}-NG") == f"{code}-NG"
    for code in regions:
        assert normalise(f"en-{code}") == f"en-{code}"


def test_a_long_code_is_refused_where_unicode_has_a_short_one() -> None:
    core = pytest.importorskip("babel.core")
    aliases = core.get_global("language_aliases")
    refused = {}
    for long in [alias for alias, code in aliases.items() if len(alias) == 3 and len(code) == 2]:
        with contextlib.suppress(ValueError):
            normalise(long)  # the CLDR also shortens single languages to the group that they belong to
            continue
        refused[long] = aliases[long]
    # ISO 639-2: 183 codes, 20 more of its B list; the CLDR counts Twi as Akan and Tagalog as Filipino
    assert len(refused) == 203 - 1
    for long, short in refused.items():
        if long != "twi":
            with pytest.raises(ValueError, match=rf"{long} has a two-letter code .*: write {short}$"):
                normalise(long)


BASES = {
    "x-default": "https://example.org",
    "pt_BR": "https://example.org/pt/",
    "de": "https://bücher.example/ä",
    "en": "https://example.org/",
}


def test_languages_are_sorted_with_the_default_last() -> None:
    assert read_languages(BASES) == (
        ("de", "https://xn--bcher-kva.example/%C3%A4/"),
        ("en", "https://example.org/"),
        ("pt-BR", "https://example.org/pt/"),
        ("x-default", "https://example.org/"),
    )
    assert read_languages({"zh": "https://a.example", **BASES})[-1][0] == "x-default"
    assert read_languages({}) == ()


BAD: list[tuple[object, str]] = [
    (None, "such as"),
    (["en"], "such as"),
    ("en", "such as"),
    ({"en-UK": "https://example.org/"}, "but 'en-UK': UK is not a region code (ISO 3166-1): write GB"),
    ({"en": "example.org"}, "and for 'en' an absolute URL"),
    ({"en": None}, "and for 'en' an absolute URL"),
    ({"en": "https://example.org/?q"}, "without query and fragment"),
    (
        {"en-us": "https://a.example", "en_US": "https://b.example"},
        "'en_US' is the second key that means en-US",
    ),
    ({1: "https://example.org/"}, "but 1 is not text"),
    ({False: "https://example.org/no/"}, 'in YAML, no means false; write "no" for Norwegian'),
]


@pytest.mark.parametrize(("value", "text"), BAD)
def test_languages_that_are_none_are_refused(value: object, text: str) -> None:
    with pytest.raises(UnexpectedError, match=r"^a mapping of language codes to base URLs") as caught:
        read_languages(value)
    assert text in str(caught.value)


def test_two_languages_have_two_addresses() -> None:
    with pytest.raises(UnexpectedError, match="de and en have the same address"):
        read_languages({"en": "https://e.org/", "de": "https://e.org"})
    assert len(read_languages({"x-default": "https://e.org/", "en": "https://e.org"})) == 2
