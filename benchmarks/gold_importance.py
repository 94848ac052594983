"""Importance: whether a text's number lies in the band a reader gave it."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.gold_sets import Figure, Record, share
from memlite.rules.importance import importance

BANDS = {"low": (0.1, 0.3), "mid": (0.4, 0.7), "high": (0.8, 1.0)}


def figures(records: Sequence[Record]) -> list[Figure]:
    """How many lie in their band: all, then band by band."""
    judged = [(record["id"], record["band"], _in_band(record)) for record in records]
    return [
        share("in the band", [(id_, right) for id_, _, right in judged], least=0.75, target=0.85),
        *(share(f"in the band, {band}", [(id_, right) for id_, given, right in judged if given == band]) for band in BANDS),
    ]


def _in_band(record: Record) -> bool:
    low, high = BANDS[record["band"]]
    return low <= round(importance(record["text"]), 6) <= high
