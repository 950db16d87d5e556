"""The errors that callers catch; each has the one message for the user."""

from __future__ import annotations


class DocsSitemapError(Exception):
    """A problem that the user can fix; ``str()`` says what is wrong and how to fix it, ready to be shown."""


class OptionError(DocsSitemapError, ValueError):
    """An option or a page's own setting has an invalid value."""


class OutputError(DocsSitemapError, OSError):
    """An output file cannot be written; the text says in which state the files are left."""
