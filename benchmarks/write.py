"""Insert, update and merge through the public verbs against the very same statements run bare.

The statements are recorded on one copy of a file, with their values, and run again on another by a plain connection with the same
pragmas. What memlite adds is checking, ids, hashes and the audit's JSON. Embedding costs nothing here: vectors are looked up.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks import data
from benchmarks.data import Corpus
from benchmarks.report import Cell, print_header, print_table, verdict
from memlite import Memory, Settings

MOST_INSERT = 1.5
STORED = 10_000
BATCH = 1_000
_BLOCKS = 15
"""In so many turns each side makes its changes, a block in a row: change by change each side would find the other's data in the
processor's caches."""

Statement = tuple[bool, str, Any]
"""(for many rows, SQL, values or rows of values)"""

Work = Callable[[Memory, int], object]


def main(argv: Sequence[str] = ()) -> int:
    """Prints a table for each durability; 0 if inserts held their floor."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks write", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--repetitions", type=int, default=300, help="of each single change; a tenth of them in batches")
    chosen = parser.parse_args(argv)
    times = 60 if chosen.quick else chosen.repetitions
    print_header(f"Writing into {STORED:,} memories of one user, {times} changes of each kind")
    fresh = times * 3 + BATCH * (times // 10)
    everything = data.corpus({data.ONE_USER: STORED, "later": fresh}, asked=1)
    corpus = everything.only(data.ONE_USER)
    bench = _Bench(corpus=corpus, later=everything.only("later"), times=times)
    return 0 if all([bench.report("full"), bench.report("normal")]) else 1


@dataclass(slots=True)
class _Recorder:
    """Stands for a connection and notes every statement with its values. The waiting-time pragmas of memlite are left out."""

    connection: Any
    statements: list[Statement] = field(default_factory=list)

    def execute(self, sql: str, values: Any = ()) -> Any:
        if not sql.startswith("pragma busy_timeout"):
            self.statements.append((False, sql, values))
        return self.connection.execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Any]) -> Any:
        kept = list(rows)
        self.statements.append((True, sql, kept))
        return self.connection.executemany(sql, kept)

    def taken(self) -> list[Statement]:
        """What was noted since the last call."""
        statements, self.statements = self.statements, []
        return statements

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


@dataclass(slots=True)
class _Samples:
    """(CPU, wall) milliseconds of each repetition."""

    ours: list[tuple[float, float]] = field(default_factory=list)
    bare: list[tuple[float, float]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Bench:
    """Three copies of one file: one to record on, one for memlite, one for the bare statements."""

    corpus: Corpus
    later: Corpus
    times: int

    def report(self, durability: Literal["full", "normal"]) -> bool:
        settings = Settings(durability=durability, secrets="allow")  # looked for, but a made-up text must keep its vector
        source = data.store(self.corpus, f"one{STORED}")
        recorded, plain, bare = (data.copy_of(source, f"write-{name}") for name in ("recorded", "memlite", "bare"))
        rows: list[tuple[Cell, ...]] = []
        held = True
        with self._opened(recorded, settings) as model, self._opened(plain, settings) as memory:
            session = model._kit.store._pool.session()  # type: ignore[attr-defined]
            session._connection = recorder = _Recorder(session._connection)
            connection = data.bare(bare, settings)
            for name, repetitions, work in self._works(model):
                samples = _measured(repetitions, work, model, recorder, memory, connection)
                cells, ratio = _cells(samples)
                said = verdict(ratio, most=MOST_INSERT) if name.startswith("insert") else ""
                held &= not said.startswith("FAIL")
                rows.append((name, *cells, said))
            connection.close()
        for path in (recorded, plain, bare):
            path.unlink()
        columns = ("change", "CPU ms", "bare CPU ms", "ratio", "wall ms", "bare wall ms", "ratio", "floor (CPU)")
        print_table(columns, rows, title=f"durability={durability}")
        return held

    def _opened(self, path: Any, settings: Settings) -> Memory:
        known = data.VectorTable({**self.corpus.table, **self.later.table})
        return Memory(path, user_id=data.ONE_USER, embedder=known, settings=settings, clock=lambda: data.NOW_MS)

    def _works(self, model: Memory) -> Iterator[tuple[str, int, Work]]:
        """(name, repetitions, change number n); no two changes touch the same memory or use the same text."""
        times, texts = self.times, self.later.texts
        ids = [memory["id"] for memory in _listed(model, 3 * times)]
        batches = times // 10
        yield "insert, one a transaction", times, lambda memory, n: memory.add(texts[n], infer=False)
        yield (
            f"insert, {BATCH:,} a transaction",
            batches,
            lambda memory, n: memory.add(texts[3 * times + n * BATCH : 3 * times + (n + 1) * BATCH], infer=False),
        )
        yield "update the text", times, lambda memory, n: memory.update(ids[n], texts[times + n])
        yield (
            "merge: delete two, insert one",
            times,
            lambda memory, n: _merge(memory, ids[times + 2 * n :][:2], texts[2 * times + n]),
        )


def _merge(memory: Memory, parents: Sequence[str], text: str) -> None:
    for parent in parents:
        memory.delete(parent)
    memory.add(text, infer=False)


def _listed(memory: Memory, count: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = None
    while len(found) < count:
        page = memory.get_all(limit=1_000, cursor=cursor)
        found += page["results"]
        cursor = page["cursor"]
    return found[:count]


def _measured(repetitions: int, work: Work, model: Memory, recorder: _Recorder, memory: Memory, connection: Any) -> _Samples:
    recorder.taken()
    scripts = []
    for number in range(repetitions):
        work(model, number)
        scripts.append(recorder.taken())
    samples = _Samples()
    block = max(1, repetitions // _BLOCKS)
    for start in range(0, repetitions, block):
        numbers = range(start, min(start + block, repetitions))
        gc.collect()
        samples.ours += [_timed(lambda number=number: work(memory, number)) for number in numbers]  # type: ignore[misc]
        gc.collect()
        samples.bare += [_timed(lambda number=number: _replay(connection, scripts[number])) for number in numbers]  # type: ignore[misc]
    return samples


def _timed(call: Callable[[], object]) -> tuple[float, float]:
    started, used = time.perf_counter(), time.process_time()
    call()
    return (time.process_time() - used) * 1e3, (time.perf_counter() - started) * 1e3


def _replay(connection: Any, script: Sequence[Statement]) -> None:
    for many, sql, values in script:
        if many:
            connection.executemany(sql, values)
        else:
            connection.execute(sql, values).fetchall()


def _cells(samples: _Samples) -> tuple[tuple[float, ...], float]:
    """(medians and their ratios, the ratio of CPU)."""
    cells: list[float] = []
    for place in (0, 1):
        ours, bare = (statistics.median(times[place] for times in side) for side in (samples.ours, samples.bare))
        cells += [ours, bare, ours / bare]
    return tuple(cells), cells[2]
