"""The score in Python: the twin of `storage/recall.sql`, which a test holds equal to it to 1e-9.

SQL ranks; this module says in plain words what it computes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlite.rules.presets import Preset

LEVELS = 10
"""Importance counts in eleven levels, 0 to 10, so that memories can be kept in order of importance and time in an index."""

NOISE = 0.0
"""The cosine of two texts that have nothing in common: where the vector leg of a fused relevance begins to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the score needs of one memory. `cosine` and `bm25` are None where that leg can't see it."""

    id: str
    rid: int
    kind: str
    level: int
    age_ms: int
    decay_per_hour: float | None
    cosine: float | None
    bm25: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A memory's score and the terms it is the sum of."""

    id: str
    score: float
    relevance: float
    recency: float
    importance: float


def level(importance: float) -> int:
    """Importance in [0, 1] as a level from 0 to 10; halves round up, as SQLite's round does."""
    return math.floor(importance * LEVELS + 0.5)


def recency(age_ms: int, decay_per_hour: float) -> float:
    """exp(−decay × age in hours), in [0, 1]. A time in the future counts as now."""
    return math.exp(-decay_per_hour * max(0, age_ms) / 3_600_000.0)


def min_max(values: Mapping[int, float]) -> dict[int, float]:
    """Each value's place between the lowest and the highest, in [0, 1]; 1 where all are equal or there is one."""
    if not values:
        return {}
    low, span = min(values.values()), max(values.values()) - min(values.values())
    return {key: (value - low) / span if span > 0 else 1.0 for key, value in values.items()}


def rank(rows: Sequence[Row], preset: Preset, *, legs: int, limit: int, dense: bool, lexical: bool) -> list[Scored]:
    """The best `limit` memories, best first; ties by id.

    Args:
        rows: every memory of the scope.
        preset: weights and form.
        legs: how many of each leg's best take part in a fused relevance.
        limit: how many to return.
        dense: whether the query has a vector.
        lexical: whether the query has terms.
    """
    relevances = _fused(rows, preset, legs, dense, lexical) if preset.form == "fused" else _dense(rows, legs, dense)
    recencies = {row.rid: recency(row.age_ms, _rate(row, preset)) for row in rows}
    importances = {row.rid: row.level / LEVELS for row in rows}
    if preset.rescaled:
        relevances, recencies, importances = min_max(relevances), min_max(recencies), min_max(importances)
    scored = [
        Scored(
            id=row.id,
            score=preset.relevance * relevances[row.rid]
            + preset.recency * recencies[row.rid]
            + preset.importance * importances[row.rid],
            relevance=relevances[row.rid],
            recency=recencies[row.rid],
            importance=importances[row.rid],
        )
        for row in rows
    ]
    return sorted(scored, key=lambda item: (-item.score, item.id))[:limit]


def shares(preset: Preset, *, dense: bool, lexical: bool) -> tuple[float, float]:
    """(share of the vector leg, share of the full-text leg): a leg the query can't use leaves its share to the other."""
    if not dense:
        return 0.0, 1.0
    if not lexical:
        return 1.0, 0.0
    return preset.dense_share, 1.0 - preset.dense_share


def _fused(rows: Sequence[Row], preset: Preset, legs: int, dense: bool, lexical: bool) -> dict[int, float]:
    dense_share, lexical_share = shares(preset, dense=dense, lexical=lexical)
    cosines = {row.rid: row.cosine for row in rows if row.cosine is not None} if dense_share else {}
    bm25s = _best({row.rid: row.bm25 for row in rows if row.bm25 is not None} if lexical_share else {}, legs)
    found = _best(cosines, legs).keys() | bm25s.keys()
    dense_part, lexical_part = _above({rid: cosines[rid] for rid in found if rid in cosines}, NOISE), _above(bm25s, 0.0)
    return {
        row.rid: min(1.0, dense_share * dense_part.get(row.rid, 0.0) + lexical_share * lexical_part.get(row.rid, 0.0))
        for row in rows
    }


def _dense(rows: Sequence[Row], legs: int, dense: bool) -> dict[int, float]:
    """(1 + cosine) / 2; where no vectors can be compared, the full-text part stands for the cosine."""
    lexical_part = _above(_best({row.rid: row.bm25 for row in rows if row.bm25 is not None}, legs), 0.0)
    return {
        row.rid: (1.0 + (row.cosine if dense and row.cosine is not None else lexical_part.get(row.rid, 0.0))) / 2.0
        for row in rows
    }


def _above(values: Mapping[int, float], zero: float) -> dict[int, float]:
    """Each value's place between `zero` and the highest, in [0, 1]; the highest counts 1, what is not above `zero` 0."""
    top = max(values.values(), default=zero)
    return {key: (value - zero) / (top - zero) if value > zero else 0.0 for key, value in values.items()}


def _best(values: Mapping[int, float], count: int) -> dict[int, float]:
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:count])


def _rate(row: Row, preset: Preset) -> float:
    return preset.decay_per_hour[row.kind] if row.decay_per_hour is None else row.decay_per_hour
