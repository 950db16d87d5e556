"""What the name of a version says: a release, a pre-release, or a branch.

Releases are those of PEP 440, in the forms in which people name folders: ``v1.2``, ``release-1.2``,
``v1_2_0``, ``1.2.0-lts``, ``2.x``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from packaging.version import Version

LATEST: Final = "latest"
STABLE: Final = "stable"
CURRENT: Final = "current"

_BEFORE: Final = re.compile(r"\A(?:v|ver|version|docs?|rel|release)[-_.]?(?=v?\d)", re.IGNORECASE)
_START: Final = re.compile(r"\D*?[-_.](?=v?\d)")
_BEHIND: Final = re.compile(r"[-_.](?:x|lts|final|ga)\Z", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"(?<=\d)[-_](?=\d)")
_RELEASED: Final = (STABLE, CURRENT, "lts")
_IN_DEVELOPMENT: Final = (
    *(LATEST, "dev", "devel", "develop", "development", "edge", "main", "master", "next", "nightly"),
    *("preview", "trunk", "unstable"),
)
"""Names of branches; the first ones are of releases."""


def is_version(name: str) -> bool:
    """Tell whether a name is that of a release or of a well-known branch."""
    return is_branch(name) or is_release(name)


def is_release(name: str) -> bool:
    """Tell whether a name is that of a release, a pre-release, or a line of releases.

    >>> [is_release(name) for name in ("v2.1", "2.x", "2.0rc1", "release-1_2", "main", "2-columns")]
    [True, True, True, True, False, False]
    """
    return _release(name) is not None


def is_branch(name: str) -> bool:
    """Tell whether a version has the name of a branch, such as ``main``, not of a release."""
    return name in _RELEASED or name in _IN_DEVELOPMENT


def is_pre_release(name: str) -> bool:
    """Tell whether a version is a pre-release, such as ``2.0rc1``; ``2.x`` and ``2.0.post1`` are none."""
    release = _release(name)
    return release is not None and release.is_prerelease


def is_development(name: str) -> bool:
    """Tell whether a version is not released yet: a branch such as ``main``, or a pre-release."""
    return name in _IN_DEVELOPMENT or is_pre_release(name)


def order(name: str) -> tuple[Any, ...]:
    """Sort releases by number, with pre-releases before their releases; branches come first.

    A release comes after its line: ``2.x``, ``2.0.0``.
    """
    release = _release(name)
    return (True, release, len(release.release), name) if release else (False, name)


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Return each name with the version alone, without that of a project: ``owl-1.0`` is ``1.0``."""
    names = list(names)
    found = {name: name for name in names}
    for each in series(names):
        found |= each
    return found


def series(names: Iterable[str]) -> list[dict[str, str]]:
    """Return the names that are versions, by what they are versions of, each with the version alone.

    Releases may begin with the name of a project, if two do. Words and plain numbers belong to the only
    project, if there is one.

    >>> series(["owl-1.0", "owl-1.1", "main", "guide"])
    [{'main': 'main', 'owl-1.0': '1.0', 'owl-1.1': '1.1'}]
    >>> series(["owl-1.0", "owl-1.1", "bat-2.0", "bat-2.1"])
    [{'owl-1.0': '1.0', 'owl-1.1': '1.1'}, {'bat-2.0': '2.0', 'bat-2.1': '2.1'}]
    """
    found: dict[str, dict[str, str]] = {"": {}}
    for name in names:
        start = _START.match(name)
        if is_version(name):
            found[""][name] = name
        elif start and is_release(name[start.end() :]):
            found.setdefault(start[0], {})[name] = name[start.end() :]
    plain, *others = found.values()
    others = [each for each in others if len(each) > 1]
    if len(others) == 1:
        return [plain | others[0]]
    return [each for each in (plain, *others) if each]


@lru_cache(maxsize=10_000)
def _release(name: str) -> Version | None:
    from packaging.version import InvalidVersion, Version

    text = _BETWEEN.sub(".", _BEHIND.sub("", _BEFORE.sub("", name, count=1)))
    if not text[:2].strip("vV")[:1].isdigit():
        return None
    with suppress(InvalidVersion):
        return Version(text)
    return None
