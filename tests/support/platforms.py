"""Files that tests want and some systems cannot have."""

from __future__ import annotations

import errno
import sys
import traceback
from pathlib import Path

import docs_sitemap

PACKAGE = Path(docs_sitemap.__file__).parent

_NO_LINKS = 1314  # ERROR_PRIVILEGE_NOT_HELD
_NO_NAME = 123  # ERROR_INVALID_NAME


def refusal(problem: OSError) -> str:
    """Return why this system cannot make a file that a test wants, or ``""`` for any other failure.

    What fails inside the package is never excused: there a name that no file can have is a fault.
    """
    if any(
        Path(frame.filename).is_relative_to(PACKAGE) for frame in traceback.extract_tb(problem.__traceback__)
    ):
        return ""
    windows = getattr(problem, "winerror", None)
    if windows == _NO_LINKS:
        return "this account of Windows may make no symbolic links"
    # open() of Windows's C library says no more than EINVAL
    if windows == _NO_NAME or (sys.platform == "win32" and problem.errno == errno.EINVAL):
        return "Windows has no file of such a name"
    if problem.errno == errno.EILSEQ:
        return "this file system has no file of such a name"
    return ""
