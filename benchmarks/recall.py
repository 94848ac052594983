"""Search against an exact numpy scan that fetches its rows: one user's 1k, 10k and 100k memories, and one user of ten.

The embedder looks vectors up, so no model's time is in any figure. Everything is warm: each file is searched through once before
it is measured.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.data import Corpus
from benchmarks.report import Timing, print_header, print_table, rounds, verdict
from memlite import Memory, Settings
from memlite.ports import RecallQuery
from memlite.rules.presets import choose
from memlite.rules.terms import query_terms

LIMIT = 10
PRESETS = ("balanced", "relevance_only", "mission")
LEAST_RECALL = {"balanced": 0.98, "relevance_only": 0.98, "mission": 0.99}
MOST_DENSE = 1.0
MOST_ALL = 3.0
TARGET_ALL = 1.6
MOST_SHARED = 1.5
"""How much dearer 10k memories among 100k may be than a file of their own."""

NUMPY = "numpy scan and fetch"

_IDS = "select id, content from memories where rid in (select value from json_each(?))"

Call = Callable[[int], object]


def main(argv: Sequence[str] = ()) -> int:
    """Prints a table for each size; 0 if every floor held."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks recall", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no 100k memories, fewer questions")
    parser.add_argument("--questions", type=int, default=100, help="how many are asked")
    parser.add_argument("--cache-mb", type=int, default=Settings().cache_mb, help="page cache of a connection")
    parser.add_argument("--data", help="a folder with LoCoMo, whose turns are then the texts")
    chosen = parser.parse_args(argv)
    asked = 30 if chosen.quick else chosen.questions
    settings = Settings(cache_mb=chosen.cache_mb)
    lines = data.locomo_lines(chosen.data)
    print_header(
        f"Recall: the best {LIMIT}, {asked} questions, page cache {chosen.cache_mb} MiB, {'LoCoMo' if lines else 'made-up'} texts"
    )
    held = []
    for count in (1_000, 10_000) if chosen.quick else (1_000, 10_000, 100_000):
        corpus = data.corpus({data.ONE_USER: count}, asked=asked, lines=lines)
        with _Place(corpus, data.store(corpus, f"one{count}"), data.ONE_USER, settings) as place:
            held.append(_report(place, f"{count:,} memories of one user", floors=count == 100_000))
    if not chosen.quick:
        held.append(_shared(data.corpus(data.TEN_USERS, asked=asked, lines=lines), settings))
    return 0 if all(held) else 1


class _Place:
    """One user's memories in one file, with everything that searches them."""

    def __init__(self, corpus: Corpus, path: Path, user: str, settings: Settings) -> None:
        self.corpus, self.user = corpus, user
        first, last = corpus.users[user]
        self.count = last - first
        self.memory = self._opened(path, settings)
        self.scanning = self._opened(path, settings)  # of its own, so that scans do not push the others' pages out of the cache
        self._connection = data.bare(path, settings)
        stored = dict(self._connection.execute("select content, rid from memories"))
        self._rids = np.array([stored[text] for text in corpus.texts[first:last]])
        self._vectors = corpus.vectors[first:last]
        self.questions = list(corpus.questions)
        self.silent = list(corpus.silent)
        self._targets = list(corpus.questions.values())

    def _opened(self, path: Path, settings: Settings) -> Memory:
        return Memory(path, user_id=self.user, embedder=self.corpus.embedder, settings=settings, clock=lambda: data.NOW_MS)

    def __enter__(self) -> _Place:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self.scanning.close()
        self.memory.close()

    def numpy(self, place: int) -> list[tuple[str, str]]:
        """The nearest by a scan of all vectors in memory, with their texts from the file."""
        nearness = self._vectors @ self._targets[place]
        nearest = np.argpartition(nearness, -LIMIT)[-LIMIT:]
        best = nearest[np.argsort(-nearness[nearest])]
        return list(self._connection.execute(_IDS, (json.dumps(self._rids[best].tolist()),)))

    def search(self, *, silent: bool = False, exact: bool = False, **options: Any) -> Call:
        """A search through the public door; `silent` asks with the same vectors and no words."""
        asked = self.silent if silent else self.questions
        memory = self.scanning if exact else self.memory
        return lambda place: memory.search(asked[place], limit=LIMIT, touch=False, exact=exact, **options)

    def stored(self, *, silent: bool = False, preset: str) -> Call:
        """The same search at the store's door."""
        asked = self.silent if silent else self.questions
        store = self.memory._kit.store
        queries = [
            RecallQuery(
                preset=choose(preset),
                vector=target.tobytes(),
                terms=tuple(query_terms(text)),
                filters=None,
                status="active",
                limit=LIMIT,
                exact=False,
                explain=False,
                floor=None,
                now_ms=data.NOW_MS,
            )
            for text, target in zip(asked, self._targets, strict=True)
        ]
        return lambda place: store.recall(self.user, queries[place], touch=False)

    def recall_at_limit(self, **options: Any) -> float:
        """The share of the exact best that a plain search finds, in the mean over the questions."""
        plain, exact = self.search(**options), self.search(exact=True, **options)
        shares = []
        for place in range(len(self.questions)):
            wanted = _ids(exact(place))
            shares.append(len(wanted & _ids(plain(place))) / max(1, len(wanted)))
        return float(np.mean(shares))

    def variants(self) -> dict[str, Call]:
        """Every way to search that is compared."""
        found: dict[str, Call] = {NUMPY: self.numpy}
        for preset in PRESETS:
            found[f"{preset}: all legs"] = self.search(preset=preset)
            found[f"{preset}: all legs, store only"] = self.stored(preset=preset)
            found[f"{preset}: no words"] = self.search(preset=preset, silent=True)
            found[f"{preset}: no words, store only"] = self.stored(preset=preset, silent=True)
        found["balanced: dense=1"] = self.search(preset="balanced", weights={"dense": 1})
        found["relevance_only: dense=1"] = self.search(preset="relevance_only", weights={"dense": 1})
        return found

    def dear(self) -> dict[str, Call]:
        """What is timed apart and less often: full scans, and searches that find the file changed since the one before."""
        found = {f"{preset}: full scan": self.search(preset=preset, exact=True) for preset in ("balanced", "mission")}
        for silent, legs in ((False, "all legs"), (True, "no words")):
            found[f"balanced: {legs}, the file just changed"] = self._after_a_change(
                self.search(preset="balanced", silent=silent)
            )
        return found

    def _after_a_change(self, search: Call) -> Call:
        session = self.memory._kit.store._pool.session()  # type: ignore[attr-defined]

        def call(place: int) -> object:
            session.writes += 1  # as a change through this session leaves it: what was learnt of the file counts no more
            return search(place)

        return call

    def timings(self) -> dict[str, Timing]:
        """Of every variant."""
        return _timed(self.variants(), len(self.questions)) | rounds(self.dear(), reps=4, outer=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limit:
    """The highest ratio to numpy that is allowed, and the one that is wished for."""

    most: float | None = None
    target: float | None = None

    @classmethod
    def of(cls, name: str) -> _Limit:
        if "just changed" in name:
            return cls()
        if "no words" in name or "dense=1" in name:
            return cls(most=MOST_DENSE)
        if "all legs" in name:
            return cls(most=MOST_ALL, target=TARGET_ALL)
        return cls()


def _report(place: _Place, title: str, *, floors: bool) -> bool:
    timings = place.timings()
    base = timings[NUMPY].cpu_ms
    rows, held = [], True
    for name, timing in timings.items():
        ratio, limit = timing.cpu_ms / base, _Limit.of(name) if floors else _Limit()
        said = "" if limit.most is None else verdict(ratio, most=limit.most)
        if limit.target is not None:
            said += f", target {limit.target} {'met' if ratio <= limit.target else 'missed'}"
        held &= not said.startswith("FAIL")
        rows.append((name, timing.cpu_ms, timing.wall_ms, ratio, said))
    print_table(("variant", "CPU ms", "wall ms", "x numpy", "floor"), rows, title=title)
    return _print_recall(place, floors=floors) and held


def _print_recall(place: _Place, *, floors: bool) -> bool:
    rows, held = [], True
    for preset in PRESETS:
        for kind, silent in (("all legs", False), ("no words", True)):
            share = place.recall_at_limit(preset=preset, silent=silent)
            said = verdict(share, least=LEAST_RECALL[preset]) if floors else ""
            held &= not said.startswith("FAIL")
            rows.append((f"{preset}: {kind}", share, said))
    print_table(
        ("preset", f"recall@{LIMIT}", "floor"), rows, title=f"Share of the best of exact=True, {len(place.questions)} questions"
    )
    return held


def _shared(corpus: Corpus, settings: Settings) -> bool:
    """10k memories among 100k of ten users, beside a file that holds only those."""
    alone = corpus.only(data.TENTH)
    user = data.TENTH
    with (
        _Place(corpus, data.store(corpus, "ten"), user, settings) as shared,
        _Place(alone, data.store(alone, "alone"), user, settings) as own,
    ):
        variants = {f"among ten/{name}": call for name, call in shared.variants().items()}
        variants |= {f"alone/{name}": call for name, call in own.variants().items()}
        timings = _timed(variants, len(shared.questions))
        rows, held = [], True
        base = timings[f"among ten/{NUMPY}"].cpu_ms
        for name in shared.variants():
            there, here = timings[f"among ten/{name}"].cpu_ms, timings[f"alone/{name}"].cpu_ms
            said = verdict(there / here, most=MOST_SHARED) if _Limit.of(name).most else ""
            held &= not said.startswith("FAIL")
            rows.append((name, there, there / base, here, there / here, said))
        print_table(
            ("variant", "among ten, CPU ms", "x numpy", "alone, CPU ms", "ratio", "floor"),
            rows,
            title=f"{shared.count:,} memories of one user among {len(corpus.texts):,} of ten",
        )
        return _print_recall(shared, floors=True) and held


def _timed(variants: Mapping[str, Call], questions: int) -> dict[str, Timing]:
    for call in variants.values():
        _all(call(place) for place in range(0, questions, 4))
    return rounds(variants, reps=questions // 3, outer=3)


def _all(calls: Iterable[object]) -> None:
    for _ in calls:
        pass


def _ids(answer: Any) -> set[str]:
    return {result["id"] for result in answer["results"]}
