"""JSON that others have written takes bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from docs_sitemap.untrusted import read_json
from docs_sitemap.untrusted.data import _outside_strings

MEASURED = """
import re, sys
from pathlib import Path
from docs_sitemap.untrusted import read_json

try:
    read_json(Path(sys.argv[1]).read_bytes())
except ValueError as problem:
    print(problem)
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.parametrize("text", ['"' + "[" * 300_000 + '"', '{"a\\"[": "' + "{" * 300_000 + '\\\\"}'])
def test_brackets_in_a_string_are_text(text: str) -> None:
    assert read_json(text.encode()) == json.loads(text)


@pytest.mark.parametrize("end", ["", "\\", '\\"'])
def test_a_string_without_an_end_is_read_once(end: str) -> None:
    with pytest.raises(ValueError, match=r"Unterminated|Invalid"):
        read_json(('["' + '\\"' * 500_000 + end).encode())


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
def test_nested_lists_do_not_fill_the_memory(tmp_path: Path) -> None:
    """17 MB took 830 MB, and 50 MB took 2.5 GB."""
    unit = "[" * 300 + "]" * 300
    (tmp_path / "x.json").write_text("[" + ",".join([unit] * 27_787) + "]")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path / "x.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    said, peak = done.stdout.splitlines()
    assert "lists and objects" in said
    assert int(peak) < 150_000


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
def test_keys_are_counted_before_they_are_made(tmp_path: Path) -> None:
    """40 MB of URLs took 1.2 GB; a colon in a URL is none between key and date."""
    urls = ",".join(f'"{number:x}":""' for number in range(2_000_000))
    (tmp_path / "x.json").write_text(f'{{"docs-sitemap":1,"urls":{{{urls}}}}}')
    code = MEASURED.replace("untrusted import read_json", "known import parse as read_json")
    command = [sys.executable, "-c", code, str(tmp_path / "x.json")]
    said, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "more than 1,048,576 URLs" in said
    assert int(peak) < 250_000
    assert read_json(b'{"a:b:c":":","d":1}', keys=2) == {"a:b:c": ":", "d": 1}


def test_strings_take_no_step_each() -> None:
    """50 MB of empty ones, beside one of commas, took `submit` 46 seconds, and a million URLs 28."""
    called = Counter[str]()

    def count(frame: FrameType, event: str, arg: object) -> None:
        called[event] += 1

    text = b'[",,,,",' + b'""' * 10_000 + b"]"
    sys.setprofile(count)
    try:
        found = [_outside_strings(text, b",", enough) for enough in (0, 1, 4, 5)]
    finally:
        sys.setprofile(None)
    assert found == [1, 1, 1, 5]
    assert called.total() < 5_000  # with what it takes to compile an expression
