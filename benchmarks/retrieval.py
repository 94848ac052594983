"""How many of the memories that answer a question are among the first found: LoCoMo and MemoryBank, through the public API.

Every conversation goes into a store of its own, turn by turn, and is asked its questions an hour after its last turn. The data
is not part of the project: `--data DIR` or `MEMLITE_DATA` (see datasets.py).
"""

from __future__ import annotations

import argparse
import hashlib
import sqlite3
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.datasets import METRICS, SETS, SPLITS, Conversation, Question, conversations, data_folder, interval, mean, measure
from benchmarks.report import print_header, print_table, verdict
from memlite import Encoded, Memory, SpaceInfo
from memlite.embedding.onnx import OnnxEmbedder

if TYPE_CHECKING:
    from memlite import Embedder

LIMIT = 20
"""Memories asked for. What stands further down counts as not found, for MRR and sessions too."""

MOST_COST = 0.01
"""How much recall@10 recency and importance may cost."""

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "balanced": {"preset": "balanced"},
    "relevance_only": {"preset": "relevance_only"},
    "lexical": {"preset": "lexical"},
    "dense": {"preset": "relevance_only", "weights": {"dense": 1}},
    "mission": {"preset": "mission"},
    "generative_agents": {"preset": "generative_agents"},
}

_CACHE = Path(__file__).resolve().parent.parent / ".bench-cache"
_SHOWN = tuple(name for name in METRICS if name != "hit@20")


class CachedEmbedder:
    """An embedder that keeps what another one made, by model and text, in a file of `folder`, so that a second run is quick.

    Whoever changes how vectors are made of the same model removes the file.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        name = hashlib.sha256(inner.info.fingerprint.encode()).hexdigest()[:16]
        self._file = sqlite3.connect(folder / f"{name}.vectors", check_same_thread=False, isolation_level=None)
        self._file.execute("pragma synchronous = off")
        self._file.execute("create table if not exists vectors (key blob primary key, v blob, unknown real, truncated integer)")

    @property
    def info(self) -> SpaceInfo:
        """The space of the embedder within."""
        return self._inner.info

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """What the embedder within gives, from the file where it has it."""
        missing = [text for text in dict.fromkeys(texts) if self._known(text) is None]
        for start in range(0, len(missing), 100):
            batch = missing[start : start + 100]
            self._keep(batch, self._inner.encode(batch))
        return [found for text in texts if (found := self._known(text)) is not None]

    def close(self) -> None:
        """Gives the file back."""
        self._file.close()

    def _known(self, text: str) -> Encoded | None:
        import numpy as np

        row = self._file.execute("select v, unknown, truncated from vectors where key = ?", (_key(text),)).fetchone()
        if row is None:
            return None
        vector = None if row[0] is None else np.frombuffer(row[0], "<f4")
        return Encoded(vector=vector, unknown_share=row[1], truncated=bool(row[2]))

    def _keep(self, texts: Sequence[str], made: Sequence[Encoded]) -> None:
        rows = [
            (_key(text), None if one.vector is None else one.vector.astype("<f4").tobytes(), one.unknown_share, one.truncated)
            for text, one in zip(texts, made, strict=True)
        ]
        self._file.execute("begin")
        self._file.executemany("insert or replace into vectors values (?, ?, ?, ?)", rows)
        self._file.execute("commit")


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


# ------------------------------------------------------------------------------------------------ asking


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question under one variant: the ids of the turns found, each with its score, and what that is worth."""

    question: Question
    ranking: tuple[tuple[str, float], ...]
    metrics: Mapping[str, float]
    cpu_ms: float


Results = dict[str, list[Asked]]
"""For each variant its answers, in the order of conversations and questions."""


def ask_all(found: Sequence[Conversation], embedder: Embedder, variants: Mapping[str, Mapping[str, Any]] = VARIANTS) -> Results:
    """Every question of every conversation under every variant."""
    results: Results = {name: [] for name in variants}
    for conversation in found:
        print(f"  {conversation.id}: {len(conversation.turns)} memories", file=sys.stderr, flush=True)
        now_ms = round(conversation.asked_at.timestamp() * 1000)
        with Memory.in_memory(embedder=embedder, clock=lambda now_ms=now_ms: now_ms) as memory:
            turns = load(memory, conversation)
            embedder.encode([question.text for question in conversation.questions])
            for name, options in variants.items():
                results[name] += [_ask(memory, turns, conversation, question, options) for question in conversation.questions]
    return results


def load(memory: Memory, conversation: Conversation) -> dict[str, str]:
    """Stores the conversation, a session at a time as it would have come; the turn of each memory, by id."""
    turns: dict[str, str] = {}
    for session in dict.fromkeys(turn.session for turn in conversation.turns):
        said = [turn for turn in conversation.turns if turn.session == session]
        messages = [{"role": "user", "content": turn.content, "name": turn.speaker, "timestamp": turn.at} for turn in said]
        added = memory.add(messages, infer=False, session_id=session)["results"]
        turns |= {result["id"]: turn.id for result, turn in zip(added, said, strict=True)}
    return turns


def _ask(
    memory: Memory, turns: Mapping[str, str], conversation: Conversation, question: Question, options: Mapping[str, Any]
) -> Asked:
    started = time.process_time()
    hits = memory.search(question.text, limit=LIMIT, touch=False, **options)["results"]
    cpu_ms = (time.process_time() - started) * 1e3
    ranking = tuple((turns[hit["id"]], hit["score"]) for hit in hits)
    metrics = measure([turn for turn, _ in ranking], question.gold, conversation.sessions)
    return Asked(question=question, ranking=ranking, metrics=metrics, cpu_ms=cpu_ms)


# ------------------------------------------------------------------------------------------------ printing


def _values(answers: Sequence[Asked], metric: str, category: str | None = None) -> list[float]:
    return [asked.metrics[metric] for asked in answers if category in (None, asked.question.category)]


def _three(value: float) -> str:
    return f"{value:.3f}"


def _print_metrics(title: str, results: Results) -> None:
    rows = []
    for name, answers in results.items():
        low, high = interval(_values(answers, "recall@10"))
        means = [_three(mean(_values(answers, metric))) for metric in _SHOWN]
        rows.append([name, *means, f"{low:.3f} to {high:.3f}", f"{statistics.median(asked.cpu_ms for asked in answers):.1f}"])
    print_table(
        ["variant", *_SHOWN, "95 % of recall@10", "CPU ms a search"],
        rows,
        title=title,
        note=f"Of the first {LIMIT}. The interval is a bootstrap over questions. Questions' vectors come from the cache.",
    )


def _print_categories(title: str, results: Results) -> None:
    counts: dict[str, int] = {}
    for asked in next(iter(results.values())):
        counts[asked.question.category] = counts.get(asked.question.category, 0) + 1
    categories = sorted(counts)
    rows = [
        [
            name,
            *(
                " / ".join(_three(mean(_values(answers, metric, one))) for metric in ("recall@5", "recall@10", "hit@10", "MRR"))
                for one in categories
            ),
        ]
        for name, answers in results.items()
    ]
    columns = ["variant", *(f"{one} ({counts[one]})" for one in categories)]
    print_table(columns, rows, title=f"{title}: recall@5 / recall@10 / hit@10 / MRR by kind of question")


def _print_cost(title: str, results: Results) -> bool:
    """What recency and importance cost; whether that is little enough."""
    rows, held = [], True
    for metric in ("recall@5", "recall@10", "recall@20", "MRR"):
        pairs = zip(_values(results["balanced"], metric), _values(results["relevance_only"], metric), strict=True)
        differences = [one - other for one, other in pairs]
        low, high = interval(differences)
        change = mean(differences)
        judged = verdict(round(change, 4), least=-MOST_COST) if metric == "recall@10" else ""
        held = held and not judged.startswith("FAIL")
        rows.append([metric, f"{change:+.4f}", f"{low:+.4f} to {high:+.4f}", judged])
    print_table(["metric", "difference", "95 %", "limit"], rows, title=f"{title}: balanced against relevance_only")
    return held


def _same(one: Results, other: Results) -> int:
    """In how many questions the rankings or scores differ."""
    return sum(first.ranking != second.ranking for name in one for first, second in zip(one[name], other[name], strict=True))


def _run(name: str, found: Sequence[Conversation], embedder: Embedder, *, twice: bool) -> bool:
    """Asks one set and prints its tables; whether every figure held."""
    memories = sum(len(conversation.turns) for conversation in found)
    questions = sum(len(conversation.questions) for conversation in found)
    started = time.perf_counter()
    results = ask_all(found, embedder)
    _print_metrics(f"{name}: {len(found)} conversations, {memories:,} memories, {questions} questions", results)
    if name == "locomo":
        _print_categories(name, results)
    held = _print_cost(name, results)
    print(f"\n{name} took {time.perf_counter() - started:.0f} s.")
    if twice:
        differing = _same(results, ask_all(found, embedder))
        held = held and not differing
        print(f"{name} again from empty stores: rankings of {differing} of {len(VARIANTS) * questions} searches differ.")
    return held


def main(argv: Sequence[str] = ()) -> int:
    """Prints the tables; 0 if every figure held, or where there is no data."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks retrieval", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with locomo/ and memorybank/; default $MEMLITE_DATA")
    parser.add_argument("--set", choices=SETS, action="append", dest="sets", help="only this set; may be given more than once")
    parser.add_argument("--split", choices=SPLITS, default="all")
    parser.add_argument("--cache", type=Path, default=_CACHE, metavar="DIR", help="where vectors are kept between runs")
    parser.add_argument("--twice", action="store_true", help="build and ask everything a second time and compare the rankings")
    parser.add_argument("--quick", action="store_true", help="only the first conversation of each set")
    given = parser.parse_args(argv)
    print_header("Retrieval: LoCoMo and MemoryBank")
    folder = data_folder(given.data)
    if folder is None:
        print("\nretrieval: no data, nothing was measured. Give --data DIR or set MEMLITE_DATA; see benchmarks/datasets.py.")
        return 0
    held = True
    with closing(CachedEmbedder(OnnxEmbedder.minilm(), given.cache)) as embedder:
        for name in given.sets or SETS:
            found = conversations(name, folder, given.split)[: 1 if given.quick else None]
            if not found:
                print(f"\n{name}: no data for split {given.split}, nothing was measured.")
                continue
            held = _run(name, found, embedder, twice=given.twice) and held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
