"""The public names of ``docs_sitemap.git``: dates from git's history, for scripts and other plugins."""

from docs_sitemap import git
from docs_sitemap.git import *  # noqa: F403

__all__ = git.__all__
