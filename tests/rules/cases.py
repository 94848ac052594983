"""What the tables of this room are read from: case files beside the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def sections(name: str) -> Iterator[tuple[str, str]]:
    """(heading, sentence) for each sentence of a case file: headings stand in brackets, lines with # are notes."""
    heading = ""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            yield heading, line
