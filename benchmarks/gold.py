"""How the rules judge the hand-written gold sets: a table a set, each figure with its counts and the floor it must hold.

The sets are not part of the project: `--gold DIR` or `MEMLITE_GOLD`. Rules are written with `dev` in sight; `held` is for the
final number alone.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from benchmarks.gold_sets import Figure, gold_folder, records
from benchmarks.report import Cell, print_header, print_table

SETS: Mapping[str, str] = MappingProxyType(
    {
        "quality_gate": "benchmarks.gold_quality",
        "extraction": "benchmarks.gold_extraction",
        "consolidation": "benchmarks.gold_consolidation",
        "importance": "benchmarks.gold_importance",
        "security": "benchmarks.gold_security",
    }
)
"""A set and the module that judges it: its `figures(records)` gives a list of `Figure`."""

SPLITS = ("dev", "held", "all")


def main(argv: Sequence[str] = ()) -> int:
    """Prints the tables; 0 if every floor held, or where there are no sets."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks gold", description=__doc__)
    parser.add_argument("--gold", type=Path, metavar="DIR", help="folder with the sets; default $MEMLITE_GOLD")
    parser.add_argument(
        "--set", choices=list(SETS), action="append", dest="sets", help="only this set; may be given more than once"
    )
    parser.add_argument("--split", choices=SPLITS, default="dev")
    parser.add_argument("--missed", action="store_true", help="name the records behind each shortfall")
    parser.add_argument("--quick", action="store_true", help="no difference here: it takes two seconds")
    given = parser.parse_args(argv)
    print_header(f"Gold sets, split {given.split}")
    folder = gold_folder(given.gold)
    if folder is None:
        print("\ngold: no sets, nothing was measured. Give --gold DIR or set MEMLITE_GOLD.")
        return 0
    held = True
    for name in given.sets or SETS:
        found = records(folder, name, given.split)
        if not found:
            print(f"\n{name}: no records of split {given.split}, nothing was measured.")
            continue
        figures: list[Figure] = importlib.import_module(SETS[name]).figures(found)
        _print_figures(f"{name}: {len(found)} records", figures, missed=given.missed)
        held = held and all(not (figure.verdict or "").startswith("FAIL") for figure in figures)
    return 0 if held else 1


def _print_figures(title: str, figures: Sequence[Figure], *, missed: bool) -> None:
    rows: list[list[Cell]] = [
        [one.name, one.count, one.of, one.rate, one.verdict or "", "" if one.target is None else f"{one.target:g}"]
        for one in figures
    ]
    print_table(["figure", "count", "of", "rate", "floor", "target"], rows, title=title)
    for one in figures:
        if missed and one.missed:
            print(f"\n{one.name}: {', '.join(one.missed)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
