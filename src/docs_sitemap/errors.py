"""The errors that callers catch; each carries the one message that its user reads."""

from __future__ import annotations


class DocsSitemapError(Exception):
    """Something that the user can mend; ``str()`` says what and how, in sentences to show as they are."""


class OptionError(DocsSitemapError, ValueError):
    """An option, or a page's own setting, has a value that it cannot have."""


class OutputError(DocsSitemapError, OSError):
    """A file of ours cannot be written; the text says in which state the files are left."""
