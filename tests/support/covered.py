"""How much of src the tests ran: ``python -m tests.support.covered coverage.json``.

``coverage report`` has one figure for lines and branches together, in which many lines can hide the
branches: here each has its own. The exit code is 1 where one of them is too low.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

LEAST = 95
"""Percent, of lines and of branches."""


def shares(totals: dict[str, int]) -> dict[str, float]:
    """Return the covered percentages of a report that coverage.py wrote as JSON."""
    return {
        "lines": 100 * totals["covered_lines"] / totals["num_statements"],
        "branches": 100 * totals["covered_branches"] / totals["num_branches"],
    }


def main(report: str) -> int:
    found = shares(json.loads(Path(report).read_text("utf-8"))["totals"])
    print(", ".join(f"{name} {share:.2f} %" for name, share in found.items()))
    low = [name for name, share in found.items() if share < LEAST]
    if low:
        print(f"expected at least {LEAST} % of {' and of '.join(low)}", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
