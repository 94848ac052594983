"""Looking for stored memories like a new one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from memlite.model import Record
from memlite.rules.terms import match_expression, query_terms
from memlite.storage.connection import Session
from memlite.storage.queries import load, sql
from memlite.storage.rows import space_key, to_record
from memlite.values import AlikeQuery

_MOST_SCANNED = 2_000
"""Up to so many memories every vector is compared."""

_MOST_WORDS = 24
"""Words of the new text that are looked up, its first: what a text is about stands early."""

_SPREAD = 4.0
"""Standard deviations of the Hamming distance that still count: a cosine at the floor is missed once in 30,000."""


def alike(
    session: Session, user_id: str, scope: dict[str, int], space: tuple[int, int] | None, query: AlikeQuery
) -> list[tuple[Record, float | None, float]]:
    """(memory, relevance or None, coverage), the likest first.

    Args:
        space: number and dimension of the space the vectors are of; None where the file has none.
    """
    few, total = session.one(load("alike.sql")["sized"], scope) or (0, 0)
    values: dict[str, Any] = {
        **scope,
        "area": query.area,
        "agent_id": query.agent_id,
        "now_ms": query.now_ms,
        "before_ms": query.before[0] if query.before else None,
        "before_id": query.before[1] if query.before else None,
        "limit": query.limit,
        "q": query.vector if space else None,
        "space_key": space_key(space[0] if space else 0),
        "floor": 2 * query.relevance_floor - 1 - 1e-7,  # float32: .7000 as a cosine is .39999998
    }
    found: list[tuple[Record, float | None]] = []
    if query.vector is not None and space is not None:
        name = "alike_scan" if few <= _MOST_SCANNED else "alike_near"
        values["within"] = _within(query.relevance_floor, space[1])
        rows = session.records(_statement(name, space[0]), values)
        found = [(to_record(row, user_id), min(1.0, (1 + row["cosine"]) / 2)) for row in rows]
    words = query.terms[:_MOST_WORDS]
    if not words:
        return [(record, relevance, 0.0) for record, relevance in found]
    values["match"] = match_expression(list(words))
    rows = session.records(_statement("alike_words", space[0] if space else 0), values)
    found += [(to_record(row, user_id), None) for row in rows]
    if not found:
        return []
    weights = _weights(session, scope, words, total)
    told = [(record, relevance, _coverage(record.content, weights)) for record, relevance in found]
    return [entry for entry in told if entry[1] is not None or entry[2] >= query.coverage_floor]


def _statement(name: str, space: int) -> str:
    pieces = load("alike.sql")
    return pieces[name].replace("@offered@", pieces["offered"]).replace("vec_N", f"vec_{int(space)}")


def _within(floor: float, dimension: int) -> int:
    """The Hamming distance that vectors of at least this relevance hardly exceed.

    A sign differs with probability angle / pi (Goemans and Williamson 1995).
    """
    share = math.acos(2 * floor - 1) / math.pi
    return math.ceil(dimension * share + _SPREAD * math.sqrt(dimension * share * (1 - share)))


def _weights(session: Session, scope: dict[str, int], words: Iterable[str], total: int) -> dict[str, float]:
    """The idf of each word among the user's memories."""
    listed = list(words)
    quoted = json.dumps([match_expression([word]) for word in listed])
    counts = session.rows(sql("term_counts"), {**scope, "terms": quoted})
    return {listed[place]: math.log(1 + (max(0, total - found) + 0.5) / (found + 0.5)) for place, found in counts}


def _coverage(content: str, weights: dict[str, float]) -> float:
    """The share of the words' idf mass that stands in a text, in [0, 1]; without the index's stemming."""
    mass = sum(weights.values())
    held = set(query_terms(content))
    return min(1.0, sum(weight for word, weight in weights.items() if word in held) / mass) if mass else 0.0
