"""Stored memories that a new one may repeat, extend or overtake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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


def found(
    kit: Kit, new: Record, encoded: Encoded | None, *, keywords: Sequence[str] = (), older: bool = False, spare: int = 0
) -> list[Candidate]:
    """What is like `new`, the likest first: the same user's active memories of the area, of the agent where it has one; no turns,
    nothing pinned. By likeness alone at most `FOUND` and `spare` more.

    Args:
        keywords: searches of their own; of a memory that several find, the greatest likeness counts.
        older: only what happened before it, or at the same time and was stored before it.
    """
    wanted = _Wanted(new, (new.occurred_ms, new.id) if older else None, FOUND[new.area] + spare)
    known = {c.record.id: c for c in _alike(kit, wanted, encoded, terms.query_terms(new.content))}
    for keyword in keywords:
        for other in _by_keyword(kit, wanted, keyword):
            before = known.get(other.record.id)
            if before is None or _likeness(other) > _likeness(before):
                known[other.record.id] = other
    return sorted(known.values(), key=lambda c: (-_likeness(c), c.record.id))


def keywords(kit: Kit, new: Record, deadline: Deadline) -> tuple[str, ...]:
    """What the model would look for besides the text; nothing where rules decide, or where it fails."""
    if not kit.mind.asks_for_keywords:
        return ()
    try:
        return kit.mind.distiller().keywords(new.content, deadline=deadline)[:MAX_KEYWORDS]
    except ChatError:
        return ()


def offered(new: Record, likest: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those of what was found that a decision may name."""
    return tuple(replace(c, alias=place) for place, c in enumerate(likest[: OFFERED[new.area]], 1))


@dataclass(frozen=True, slots=True)
class _Wanted:
    new: Record
    before: tuple[int, str] | None
    limit: int


def _by_keyword(kit: Kit, wanted: _Wanted, keyword: str) -> list[Candidate]:
    embedded = embed.for_storage(kit, [keyword])
    return _alike(kit, wanted, embedded.encoded[0], terms.query_terms(keyword))


def _alike(kit: Kit, wanted: _Wanted, encoded: Encoded | None, words: Sequence[str]) -> list[Candidate]:
    new = wanted.new
    query = AlikeQuery(
        area=new.area,
        agent_id=new.agent_id,
        vector=encoded.vector.tobytes() if encoded is not None and encoded.vector is not None else None,
        terms=tuple(words),
        relevance_floor=FLOOR,
        coverage_floor=COVERAGE_FLOOR,
        limit=wanted.limit,
        now_ms=kit.clock(),
        before=wanted.before,
    )
    alike = kit.store.alike(new.user_id, query)
    return [
        Candidate(alias=0, record=r, relevance=relevance, coverage=coverage) for r, relevance, coverage in alike if r.id != new.id
    ]


def _likeness(candidate: Candidate) -> float:
    return candidate.coverage if candidate.relevance is None else candidate.relevance
