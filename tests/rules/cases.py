"""What the tables of this room are read from: case files beside the tests, and the gold sets where they are at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "gold"


def sections(name: str) -> Iterator[tuple[str, str]]:
    """(heading, sentence) for each sentence of a case file: headings stand in brackets, lines with # are notes."""
    heading = ""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            yield heading, line


def gold(name: str) -> list[dict[str, Any]]:
    """The records of a gold set, from MEMLITE_GOLD or `../shared/gold` beside the checkout.

    They are no part of the repository: the test that asks is skipped where there are none.
    """
    path = Path(os.environ.get("MEMLITE_GOLD") or BESIDE) / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"the gold set is absent: no {path}; set MEMLITE_GOLD to its folder")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
