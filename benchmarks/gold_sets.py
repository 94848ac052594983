"""The hand-written gold sets: where they lie, their records, and a figure as a benchmark prints it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import verdict

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share that was counted: `count` of `of`.

    Attributes:
        least, most: the floor or ceiling it must hold; both None where it is only told.
        target: what it should reach one day; missing it fails nothing.
        missed: ids of the records behind the shortfall.
    """

    name: str
    count: int
    of: int
    least: float | None = None
    most: float | None = None
    target: float | None = None
    missed: tuple[str, ...] = ()

    @property
    def rate(self) -> float | None:
        """The share; None where there was nothing to count."""
        return self.count / self.of if self.of else None

    @property
    def verdict(self) -> str | None:
        """PASS or FAIL with the limit; None where there is none, or nothing was counted."""
        if self.rate is None or (self.least is None and self.most is None):
            return None
        return verdict(self.rate, least=self.least, most=self.most)


def share(name: str, judged: Iterable[tuple[str, bool]], *, wanted: bool = True, **limits: float) -> Figure:
    """How many of the (id, outcome) pairs are true. `wanted` False: true is what should not be."""
    pairs = list(judged)
    return Figure(
        name=name,
        count=sum(outcome for _, outcome in pairs),
        of=len(pairs),
        missed=tuple(id_ for id_, outcome in pairs if outcome != wanted),
        **limits,
    )


def gold_folder(given: Path | None = None) -> Path | None:
    """The folder of the sets: `given`, else $MEMLITE_GOLD, else `shared/gold` beside the checkout; None where it is absent."""
    beside = Path(__file__).resolve().parent.parent.parent / "shared" / "gold"
    folder = given or Path(os.environ.get("MEMLITE_GOLD") or beside)
    return folder if folder.is_dir() else None


def records(folder: Path, name: str, split: str = "dev") -> list[Record]:
    """The records of a set that belong to a split, in the order of its file; none where there is no file.

    Args:
        folder: holds `NAME.jsonl`.
        name: quality_gate, extraction and so on.
        split: dev, held, or all.
    """
    file = folder / f"{name}.jsonl"
    if not file.is_file():
        return []
    found = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return [record for record in found if split in ("all", record["split"])]
