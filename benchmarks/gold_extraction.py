"""What the rules find in the gold dialogues: facts, violations, silence and solutions, as counts.

A fact counts as found when all words of one of its wordings stand in a single extracted fact; a forbidden list is violated when
all its words do. Solutions are matched by words of the problem and words of the solution.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from memlite.rules.extract import Extraction, Turn, extract

FILE = "extraction.jsonl"

Extract = Callable[[list[Turn]], Extraction]


def measure(folder: Path, *, extractor: Extract = extract, keep: Callable[[str], bool] = lambda _: True) -> dict[str, Any]:
    """Counts over the dialogues of `folder`, each with what it is a part of.

    Args:
        folder: holds `extraction.jsonl` as gold/README.md describes it.
        extractor: what reads the turns; the rules where nothing else is given.
        keep: a gate on the text of each fact, such as that of `rules/quality.py`.

    Returns:
        `silent` of `empty` (dialogues that must leave no fact), `untouched` of `nothing` (those that must leave no solution
        either), `violated` of `forbidden` (lists), `found` of `expected` (facts), `solved` of `solutions`, `invented` (solutions
        where there are none), and the ids of the dialogues behind each shortfall under `short`.
    """
    counts = dict.fromkeys(
        "silent empty untouched nothing violated forbidden found expected solved solutions invented facts".split(), 0
    )
    short: dict[str, list[str]] = {name: [] for name in ("empty", "nothing", "forbidden", "expected", "solutions", "invented")}
    for line in (folder / FILE).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        read = extractor([Turn(turn["role"], turn["content"]) for turn in record["turns"]])
        texts = [fact.text for fact in read.facts if keep(fact.text)]
        counts["facts"] += len(texts)
        for name, good, of in _verdicts(record, texts, read):
            done, total = _PARTS[name]
            counts[total] += of
            counts[done] += good
            if good != (0 if name in ("forbidden", "invented") else of):
                short[name].append(record["id"])
    return {**counts, "short": short}


_PARTS = {
    "empty": ("silent", "empty"),
    "nothing": ("untouched", "nothing"),
    "forbidden": ("violated", "forbidden"),
    "expected": ("found", "expected"),
    "solutions": ("solved", "solutions"),
    "invented": ("invented", "invented"),
}


def _verdicts(record: Mapping[str, Any], texts: list[str], read: Extraction) -> Iterable[tuple[str, int, int]]:
    """(what, how many hold, of how many) of one dialogue."""
    wanted = record["expect_solution"]
    if record["expect_empty"]:
        yield "empty", not texts, 1
        if not wanted:
            yield "nothing", not texts and not read.solutions, 1
    yield "forbidden", sum(any(_has(text, words) for text in texts) for words in record["forbid"]), len(record["forbid"])
    yield "expected", sum(_found(expected["any_of"], texts) for expected in record["expect"]), len(record["expect"])
    if wanted:
        yield "solutions", any(_solves(wanted, made.problem, made.solution) for made in read.solutions), 1
    else:
        yield "invented", len(read.solutions), 0


def _has(text: str, words: Iterable[str]) -> bool:
    lower = text.lower()
    return all(word.lower() in lower for word in words)


def _found(wordings: Iterable[Iterable[str]], texts: list[str]) -> bool:
    return any(_has(text, words) for text in texts for words in wordings)


def _solves(wanted: Mapping[str, Any], problem: str, solution: str) -> bool:
    return _found(wanted["problem_any_of"], [problem]) and _found(wanted["solution_any_of"], [solution])
