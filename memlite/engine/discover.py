"""Stored memories that a new one may repeat, extend or overtake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memlite.engine import embed
from memlite.engine.kit import Kit
from memlite.errors import ChatError
from memlite.model import Record
from memlite.ports import Deadline, Encoded
from memlite.rules import terms
from memlite.rules.decision import Candidate
from memlite.values import AlikeQuery

FLOOR = 0.70
"""Relevance from which a memory is a candidate (the mission's discovery threshold)."""

COVERAGE_FLOOR = 0.08
"""Where no space covers both texts: the share of the new text's idf mass that a candidate holds.

Low, because in a store of few memories the words they share have next to no idf. On the gold set's dev part, whose stores hold
one to four, .30 offers 6 of the 29 Chinese memories that a decision is about, .08 offers 18; rules and guard decide after it."""

FOUND = {"main": 8, "fragments": 8, "solutions": 6}
OFFERED = {"main": 4, "fragments": 4, "solutions": 3}
"""How many are found and how many of them are offered to a decision, by area; the mission's figures."""

MAX_KEYWORDS = 4


def candidates(kit: Kit, new: Record, encoded: Encoded | None, *, deadline: Deadline) -> tuple[Candidate, ...]:
    """What a decision about `new` is offered, the likest first.

    These are the same user's active memories of the area, of the agent where they have one; no turns, nothing pinned."""
    found = {c.record.id: c for c in _alike(kit, new, encoded, terms.query_terms(new.content))}
    if kit.mind.asks_for_keywords and found:
        for keyword in _keywords(kit, new, deadline)[:MAX_KEYWORDS]:
            for other in _by_keyword(kit, new, keyword):
                known = found.get(other.record.id)
                if known is None or _likeness(other) > _likeness(known):
                    found[other.record.id] = other
    best = sorted(found.values(), key=lambda c: (-_likeness(c), c.record.id))[: FOUND[new.area]]
    return tuple(replace(c, alias=place) for place, c in enumerate(best[: OFFERED[new.area]], 1))


def _keywords(kit: Kit, new: Record, deadline: Deadline) -> tuple[str, ...]:
    """What the model would look for besides; nothing where it fails, since the text itself has been looked for."""
    try:
        return kit.mind.distiller().keywords(new.content, deadline=deadline)
    except ChatError:
        return ()


def _by_keyword(kit: Kit, new: Record, keyword: str) -> list[Candidate]:
    embedded = embed.for_storage(kit, [keyword])
    return _alike(kit, new, embedded.encoded[0], terms.query_terms(keyword))


def _alike(kit: Kit, new: Record, encoded: Encoded | None, words: Sequence[str]) -> list[Candidate]:
    query = AlikeQuery(
        area=new.area,
        agent_id=new.agent_id,
        vector=encoded.vector.tobytes() if encoded is not None and encoded.vector is not None else None,
        terms=tuple(words),
        relevance_floor=FLOOR,
        coverage_floor=COVERAGE_FLOOR,
        limit=FOUND[new.area],
        now_ms=kit.clock(),
    )
    found = kit.store.alike(new.user_id, query)
    return [
        Candidate(alias=0, record=r, relevance=relevance, coverage=coverage) for r, relevance, coverage in found if r.id != new.id
    ]


def _likeness(candidate: Candidate) -> float:
    return candidate.coverage if candidate.relevance is None else candidate.relevance
