"""Compare two sitemaps. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docs_sitemap.timestamps import same_date


@dataclass(frozen=True, slots=True)
class Changes:
    """The URLs that an engine should fetch again, sorted.

    IndexNow is for URLs "added, updated, or deleted" (indexnow.org, documentation). ``undated`` is the
    number of URLs without a date, for which changes are unknown.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    undated: int = 0

    def addresses(self) -> list[str]:
        """Return all URLs, sorted."""
        return sorted((*self.added, *self.changed, *self.removed))


def compare(old: Mapping[str, str | None], new: Mapping[str, str | None]) -> Changes:
    """Return the differences; a page without a date in the new sitemap does not count as changed."""
    both = [address for address in sorted(new) if address in old]
    return Changes(
        added=tuple(address for address in sorted(new) if address not in old),
        changed=tuple(address for address in both if differ(old[address], new[address])),
        removed=tuple(address for address in sorted(old) if address not in new),
        undated=sum(new[address] is None for address in both),
    )


def differ(old: str | None, new: str | None) -> bool:
    """Tell whether a date has changed; one that is gone tells nothing."""
    return new is not None and not (old and same_date(old, new))
