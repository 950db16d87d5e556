"""From git-revision-date-localized to us: what a user is told of its options."""

from __future__ import annotations

import pytest

from docs_sitemap.options.declarations import unknown_option


def test_every_option_of_theirs_is_ours_or_told() -> None:
    theirs = pytest.importorskip("mkdocs_git_revision_date_localized_plugin.plugin")
    names = {name for name, _ in theirs.GitRevisionDateLocalizedPlugin.config_scheme}
    told = {name for name in names if "git-revision-date-localized's" in unknown_option(name, str)}
    # MkDocs reads "enabled" itself, and "exclude" is an option of both
    assert names - told == {"enabled", "exclude"}
