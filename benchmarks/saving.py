"""What a fact costs to save beside its embedding: checks, discovery, decision, plan and transaction, on a store of 10,000.

The models are left out and counted: vectors are looked up, decisions come from the rules, or from a scripted decider that merges
as a model would. What is left is held against one embedding of the same texts by the real sentence model in the same process.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks import data
from benchmarks.report import Cell, print_header, print_table, verdict
from memlite import Encoded, Memory, Settings
from memlite.embedding.onnx import OnnxEmbedder

MOST = 2.5
STORED = 10_000


class _Counted(data.VectorTable):
    """A table of vectors that counts what is asked of it."""

    asked = 0

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        self.asked += len(texts)
        return super().encode(texts)


def main(argv: Sequence[str] = ()) -> int:
    """Prints the table; 0 if a saved fact costs no more than its embeddings allow."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks saving", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer facts")
    parser.add_argument("--facts", type=int, default=200, help="how many are saved")
    given = parser.parse_args(argv)
    facts = 60 if given.quick else given.facts
    print_header(f"Saving {facts} facts into {STORED:,} memories of one user")
    everything = data.corpus({data.ONE_USER: STORED, "later": facts}, asked=1)
    corpus, later = everything.only(data.ONE_USER), everything.only("later")
    embedder = _Counted({**corpus.table, **later.table})
    path = data.CACHE / "saving.work.db"
    data.CACHE.mkdir(exist_ok=True)
    for old in data.CACHE.glob("saving.work.db*"):
        old.unlink()
    with Memory(path, user_id=data.ONE_USER, embedder=embedder, settings=Settings(durability="normal")) as memory:
        memory.add(corpus.texts, infer=False)  # plain memories: turns are never offered to a decision
        embedder.asked = 0
        saved = _each(later.texts[:facts], memory.add)
        asked = embedder.asked
        decided = [memory.history(answer["results"][0]["id"])[-1]["ruling"] for answer in saved[1]]
    path.unlink()
    model = OnnxEmbedder.minilm()
    model.encode(["warm"])
    embedded = _each(later.texts[:facts], lambda text: model.encode([text]))
    offered = sum(bool(ruling and ruling["offered"]) for ruling in decided)
    ratio = statistics.median(saved[0]) / statistics.median(embedded[0])
    rows: list[tuple[Cell, ...]] = [
        ("one embedding", statistics.median(embedded[0]), 1.0, ""),
        ("saving a fact, models left out", statistics.median(saved[0]), ratio, verdict(ratio, most=MOST)),
    ]
    print_table(("work", "CPU ms, median", "x embedding", "floor"), rows, title="Cost of a fact")
    print(f"\n{asked} texts embedded for {facts} facts; {offered} of them had something like them in the store.")
    return 0 if ratio <= MOST else 1


def _each(texts: Sequence[str], work: Callable[[str], Any]) -> tuple[list[float], list[Any]]:
    """(CPU milliseconds, result) of the work on each text."""
    spent, answers = [], []
    for text in texts:
        started = time.process_time()
        answers.append(work(text))
        spent.append((time.process_time() - started) * 1e3)
    return spent, answers
