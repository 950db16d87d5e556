"""A plugin for another generator, which has words of its own for the options."""

import logging
from collections.abc import Mapping
from pathlib import Path

from docs_sitemap import Host, Notice, Options, Page, Report, emit, read_options

log = logging.getLogger(__name__)


class Plugin:
    def __init__(self, configuration: Mapping[str, object], root: Path, address: str | None) -> None:
        self.options: Options = read_options(configuration, self.spell)
        self.host = Host(address, "site.url", self.spell, folder=root, title="Example", language="en")

    @staticmethod
    def spell(name: str) -> str:
        return f"sitemap.{name}"

    def after_build(self, pages: list[Page], site: Path) -> Report:
        report = emit(pages, site, self.options, self.host, own=self.own, is_good=self.is_good, environ={})
        for notice in report.notices:
            self.tell(notice)
        return report

    def own(self, name: str) -> str:
        return "static/robots.txt" if name == "robots.txt" else ""

    def is_good(self, report: Report) -> bool:
        return all(notice.level == "info" for notice in report.notices)

    def tell(self, notice: Notice) -> None:
        log.log(logging.WARNING if notice.level == "warning" else logging.INFO, notice.text)
