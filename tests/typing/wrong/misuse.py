"""Each line that is marked is wrong: with mypy's name for it, and pyright's."""

from pathlib import Path

import docs_sitemap
from docs_sitemap import (
    Change,
    Host,
    Page,
    PageSettings,
    Unknown,
    emit,
    last_changes,
    read_options,
)
from docs_sitemap.history import Rules

print(docs_sitemap.emitt)  # E: attr-defined, reportAttributeAccessIssue

last_changes("docs/index.md")  # E: type-var, reportArgumentType
last_changes([Path("a.md")], Rules("auhtor"))  # E: arg-type, reportArgumentType
print(last_changes([Path("a.md")])[Path("a.md")].time)  # E: union-attr, reportAttributeAccessIssue

Page("guide/")  # E: call-arg, reportCallIssue
Page(url="guide/", source="docs/guide.md")  # E: arg-type, reportArgumentType
Page(url="guide/").url = "other/"  # E: misc, reportAttributeAccessIssue
PageSettings(exclude="yes")  # E: arg-type, reportArgumentType

read_options(["exclude"])  # E: arg-type, reportArgumentType
print(read_options({}).max_url)  # E: attr-defined, reportAttributeAccessIssue
Host(spell="sitemap_")  # E: arg-type, reportArgumentType

emit([Page(url="")], "site", read_options({}))  # E: arg-type, reportArgumentType
emit([Page(url="")], Path("site"), {"exclude": []})  # E: arg-type, reportArgumentType
emit(["guide/"], Path("site"), read_options({}))  # E: list-item, reportArgumentType


def days_of(answer: Change | Unknown) -> int:
    if isinstance(answer, Unknown):
        return answer.not_after  # E: return-value, reportReturnType
    return answer.time // 86_400
