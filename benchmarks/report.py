"""What every benchmark prints and how it measures: a header, tables, interleaved rounds."""

from __future__ import annotations

import gc
import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

Cell = str | float | int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Medians of the samples of one variant. CPU is this process's, all threads; trust it where the machine is shared."""

    cpu_ms: float
    wall_ms: float
    samples: int


def rounds(variants: Mapping[str, Callable[[int], object]], *, reps: int, outer: int = 3, warm: int = 1) -> dict[str, Timing]:
    """Times each variant `outer` times `reps` calls, in turns, so that all of them see the same noise.

    Args:
        variants: name -> what to call with the number of the repetition, 0 to outer × reps - 1; the same numbers for each.
        reps: calls in a row of one variant.
        outer: how often the turn comes round.
        warm: unmeasured calls of each variant before.
    """
    cpu: dict[str, list[float]] = {name: [] for name in variants}
    wall: dict[str, list[float]] = {name: [] for name in variants}
    for call in variants.values():
        for place in range(warm):
            call(place)
    for turn in range(outer):
        for name, call in variants.items():
            gc.collect()
            for place in range(turn * reps, (turn + 1) * reps):
                started, used = time.perf_counter(), time.process_time()
                call(place)
                cpu[name].append((time.process_time() - used) * 1e3)
                wall[name].append((time.perf_counter() - started) * 1e3)
    return {
        name: Timing(cpu_ms=statistics.median(cpu[name]), wall_ms=statistics.median(wall[name]), samples=len(cpu[name]))
        for name in variants
    }


def print_header(title: str) -> None:
    """The benchmark's name, then when, on what and with which versions it runs."""
    print(f"\n# {title}\n")
    system = f"{platform.system()} {platform.machine()}"
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {_cpu_model()}, {os.cpu_count()} cores, {system}")
    print(", ".join(f"{name} {number}" for name, number in _versions().items()), flush=True)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, title: str = "", note: str = "") -> None:
    """A Markdown table with aligned columns: texts to the left, numbers to the right. None is shown as `-`."""
    shown = [[_shown(cell) for cell in row] for row in rows]
    widths = [max(len(line[place]) for line in [list(columns), *shown]) for place in range(len(columns))]
    right = [bool(rows) and all(not isinstance(row[place], str) for row in rows) for place in range(len(columns))]
    if title:
        print(f"\n## {title}\n")
    print(_line(columns, widths, right))
    print("|" + "|".join("-" * (width + 1) + (":" if flush else "-") for width, flush in zip(widths, right, strict=True)) + "|")
    for line in shown:
        print(_line(line, widths, right))
    if note:
        print(f"\n{note}")
    sys.stdout.flush()


def verdict(value: float, *, most: float | None = None, least: float | None = None) -> str:
    """`PASS` or `FAIL` with the limit: `PASS (<= 1.5)`."""
    if most is not None:
        return f"{'PASS' if value <= most else 'FAIL'} (<= {_shown(most)})"
    if least is not None:
        return f"{'PASS' if value >= least else 'FAIL'} (>= {_shown(least)})"
    raise ValueError("give most or least")


def sqlite_driver() -> Any:
    """The module memlite opens files with: pysqlite3, or the standard library's where there is no such wheel."""
    try:
        return importlib.import_module("pysqlite3")
    except ImportError:
        return importlib.import_module("sqlite3")


def _shown(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return (
            f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}" if abs(cell) >= 100 else f"{cell:.3f}".rstrip("0").rstrip(".")
        )
    return f"{cell:,}" if isinstance(cell, int) else cell


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (cell.rjust(width) if flush else cell.ljust(width) for cell, width, flush in zip(cells, widths, right, strict=True))
    return "| " + " | ".join(padded) + " |"


def _versions() -> dict[str, str]:
    found = {"Python": platform.python_version(), "SQLite": sqlite_driver().sqlite_version}
    for package in ("memlite", "sqlite-vec", "pysqlite3", "numpy", "onnxruntime", "tokenizers"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
