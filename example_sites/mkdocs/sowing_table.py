"""Fills the sowing calendar: a page shows data/sowing.csv where it says ``{{ sowing table }}``."""

import csv
from pathlib import Path

MARK = "{{ sowing table }}"


def on_page_markdown(markdown, page, config, files):
    if MARK not in markdown:
        return None
    data = Path(config.config_file_path).with_name("data") / "sowing.csv"
    with open(data, encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    lines = [head, ["---"] * len(head), *rows]
    return markdown.replace(MARK, "\n".join(f"| {' | '.join(line)} |" for line in lines))
