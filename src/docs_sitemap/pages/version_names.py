"""What the name of a version says: a release, a pre-release, or a branch."""

from __future__ import annotations

import re
from typing import Final

LATEST: Final = "latest"
STABLE: Final = "stable"

_RELEASE: Final = re.compile(
    r"v?(\d++(?:\.\d++)*+)(?:[.-]?(?:x|(?P<pre>a|b|rc|alpha|beta|dev)|post)\.?\d*+)?", re.IGNORECASE
)
_BRANCHES: Final = frozenset(
    {
        LATEST,
        STABLE,
        "dev",
        "devel",
        "develop",
        "development",
        "edge",
        "main",
        "master",
        "next",
        "nightly",
        "trunk",
        "unstable",
    }
)


def is_version(name: str) -> bool:
    """Tell whether a name is that of a release or of a well-known branch."""
    return is_branch(name) or is_release(name)


def is_release(name: str) -> bool:
    """Tell whether a name is that of a release, a pre-release, or a line of releases.

    >>> [is_release(name) for name in ("v2.1", "2.x", "2.0rc1", "main")]
    [True, True, True, False]
    """
    return _RELEASE.fullmatch(name) is not None


def is_branch(name: str) -> bool:
    """Tell whether a version has the name of a branch, such as ``main``, not of a release."""
    return name in _BRANCHES


def is_pre_release(name: str) -> bool:
    """Tell whether a version is a pre-release, such as ``2.0rc1``; ``2.x`` and ``2.0.post1`` are none."""
    match = _RELEASE.fullmatch(name)
    return bool(match and match["pre"])


def is_development(name: str) -> bool:
    """Tell whether a version is not released yet: a branch such as ``main``, or a pre-release."""
    return (is_branch(name) and name != STABLE) or is_pre_release(name)


def order(name: str) -> tuple[int, tuple[int, ...], bool, str]:
    """Sort releases by number, with pre-releases before their releases; branches come first."""
    match = _RELEASE.fullmatch(name)
    if not match:
        return 0, (), False, name
    numbers = tuple(int(part) for part in match[1].split("."))
    return 1, numbers, not match["pre"], name
