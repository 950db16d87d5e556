"""Validates language codes for hreflang: BCP 47 (RFC 5646).

The codes of the standards are kept here: the libraries that know them are many times this package's size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from docs_sitemap.options import validation
from docs_sitemap.text import shorten, show_value

X_DEFAULT: Final = "x-default"
"""The hreflang of the version for readers of all other languages; it is not a BCP 47 code."""

# ISO 639-1 as of 2021 (183 codes), each with its code in ISO 639-2/T
_LANGUAGES: Final = """
    aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul
    bi:bis bm:bam bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu cv:chv cy:cym
    da:dan de:deu dv:div dz:dzo ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful fi:fin fj:fij
    fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv ht:hat
    hu:hun hy:hye hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl it:ita iu:iku ja:jpn jv:jav
    ka:kat kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir
    la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri mk:mkd ml:mal mn:mon
    mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav ny:nya
    oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus
    rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw
    st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso
    tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor
    za:zha zh:zho zu:zul
"""

# The codes of ISO 639-2/B that differ from ISO 639-2/T
_BIBLIOGRAPHIC: Final = """
    bo:tib cs:cze cy:wel de:ger el:gre eu:baq fa:per fr:fre hy:arm is:ice ka:geo mi:mao mk:mac ms:may my:bur
    nl:dut ro:rum sk:slo sq:alb zh:chi
"""

# ISO 3166-1 alpha-2, the 249 assigned codes
_REGIONS: Final = """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW
    BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI
    FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN
    IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME
    MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF
    PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
    SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE
    YT ZA ZM ZW
"""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


_TWO_LETTERS: Final = _pairs(_LANGUAGES)
_SHORT: Final = {long: short for text in (_LANGUAGES, _BIBLIOGRAPHIC) for short, long in _pairs(text).items()}

# Common mistakes: the code of a country for its language, or a code that ISO 639-1 has withdrawn
_LANGUAGE_FIXES: Final = _pairs("cn:zh cz:cs dk:da gr:el jp:ja ua:uk vn:vi in:id iw:he ji:yi jw:jv mo:ro") | {
    "bh": "bho or mai",
    "kr": "ko; for Kanuri, whose code is kr, add a region, as in kr-NG",
    "sh": "sr, hr or bs",
}
_REGION_FIXES: Final = _pairs("DA:DK EL:GR JA:JP KO:KR UK:GB") | {
    "CS": "CZ, or RS for Serbia",
    "EN": "GB, US or another",
    "LATAM": "419 for Latin America",
    "ZH": "CN, HK or TW",
}
_POSIX_MODIFIERS: Final = {"latin": "{}-Latn{}", "cyrillic": "{}-Cyrl{}", "valencia": "{}{}-valencia"}

# RFC 5646, 2.1, without extended languages, whose canonical form is the language alone (4.5)
_TAG: Final = re.compile(
    r"""(?P<language>[a-z]{2,3})
    (?:-(?P<script>[a-z]{4}))?
    (?:-(?P<region>[a-z]{2}|[0-9]{3}))?
    (?P<rest>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*  # variants
    (?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*  # extensions
    (?:-x(?:-[a-z0-9]{1,8})+)?)  # private use""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


def normalise(code: str) -> str:
    """Return a hreflang code with hyphens, in conventional case (RFC 5646, 2.1.1): ``pt-BR`` for ``pt_BR``.

    The language must be in ISO 639-1, or have three letters if ISO 639-1 has no code for it. The region
    must be in ISO 3166-1, or have three digits (UN M.49). Only the syntax of the rest is checked. Raises
    ``ValueError`` with what is wrong and how to fix it.

    >>> normalise("zh_hant_tw")
    'zh-Hant-TW'
    >>> normalise("cz")
    Traceback (most recent call last):
    ValueError: 'cz': cz is not the language's code (ISO 639-1): write cs
    """
    tag = code.strip().replace("_", "-")
    if tag.lower() == X_DEFAULT:
        return X_DEFAULT
    if "." in tag or "@" in tag:
        raise ValueError(f"{show_value(code)} is the name of a POSIX locale: write {_from_posix(tag)}")
    found = _TAG.fullmatch(tag)
    if found is None:
        raise ValueError(f"{show_value(code)} is not a valid language code (BCP 47): {_syntax_hint(tag)}")
    language, region = found["language"].lower(), (found["region"] or "").upper()
    if problem := _language_problem(language, region) or _region_problem(region, found["rest"]):
        raise ValueError(f"{show_value(code)}: {problem}")
    return "-".join(filter(None, (language, (found["script"] or "").title(), region))) + found["rest"].lower()


@lru_cache  # pages have the same ones
def code_or_none(name: str) -> str:
    """Return ``normalise(name)`` for a generator's own name of a language, or ``""`` if it is not a code."""
    try:
        return normalise(name)
    except ValueError:
        return ""


def _language_problem(language: str, region: str) -> str:
    """Return what is wrong with a language in lower case and how to fix it, or ``""``."""
    if language in _SHORT:
        return f"{language} has a two-letter code (ISO 639-1): write {_SHORT[language]}"
    if language == "kr" and region not in ("", "KR"):
        return ""
    if language in _LANGUAGE_FIXES:
        return f"{language} is not the language's code (ISO 639-1): write {_LANGUAGE_FIXES[language]}"
    if len(language) == 3 or language in _TWO_LETTERS:
        return ""
    if language.upper() in _REGIONS.split():
        return f"{language} is a country code: write a language code before it (ISO 639-1)"
    return f"{language} is not a language code (ISO 639-1)"


def _region_problem(region: str, rest: str) -> str:
    # LATAM has the syntax of a variant
    name = region or ("LATAM" if rest.upper().startswith("-LATAM") else "")
    if not name or name in _REGIONS.split() or name.isdigit():
        return ""
    return f"{name} is not a region code (ISO 3166-1): write {_REGION_FIXES.get(name, 'another, or none')}"


def _syntax_hint(tag: str) -> str:
    if re.fullmatch("[a-z]{2,3}(-[a-z]{4})?-[a-z]{3}(-.*)?", tag, re.IGNORECASE):
        return "a region has two letters, as in en-US; write yue without zh before it"
    return "write a language, then a script or region if needed, as in de, pt-BR or zh-Hans-CN"


def _from_posix(tag: str) -> str:
    name, _, modifier = tag.partition("@")
    language, hyphen, region = name.partition(".")[0].partition("-")
    return normalise(_POSIX_MODIFIERS.get(modifier.lower(), "{}{}").format(language, hyphen + region))


def read_languages(value: object) -> tuple[tuple[str, str], ...]:
    """Accept ``{hreflang: base URL}``; return (code, base URL) sorted by code, ``x-default`` last.

    Codes are normalised by ``normalise``, URLs by ``validation.base_url``. An empty mapping means no
    languages. Raises ``validation.UnexpectedError``.

    >>> read_languages({"x-default": "https://example.org/", "pt_BR": "https://example.org/pt-br"})
    (('pt-BR', 'https://example.org/pt-br/'), ('x-default', 'https://example.org/'))
    """
    expected = 'a mapping of language codes to base URLs, such as {"en": "https://example.org/en/"}'
    if not isinstance(value, Mapping):
        raise validation.UnexpectedError(expected, secret=validation.may_be_secret(value))
    secret = any(map(validation.may_be_secret, value.values()))
    found: dict[str, str] = {}
    for written, url in value.items():
        try:
            if not isinstance(written, str):
                hint = ': in YAML, no means false; write "no" for Norwegian' if written is False else ""
                raise ValueError(f"{show_value(written)} is not text{hint}")
            code = normalise(written)
            if code in found:
                raise ValueError(f"{show_value(written)} is the second key that means {code}")
            address = validation.base_url(url)
            twin = next((other for other, known in found.items() if known == address), X_DEFAULT)
            if X_DEFAULT not in (code, twin):
                raise ValueError(f"{code} and {twin} have the same address {shorten(address)}")
            found[code] = address
        except validation.UnexpectedError as problem:
            text = f"{expected}, and for {show_value(written)} {problem}"
            raise validation.UnexpectedError(text, secret=secret) from None
        except ValueError as problem:
            raise validation.UnexpectedError(f"{expected}, but {problem}", secret=secret) from None
    return tuple(sorted(found.items(), key=lambda pair: (pair[0] == X_DEFAULT, pair[0])))
