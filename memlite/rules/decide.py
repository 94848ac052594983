"""Decisions without a model: by rules that read both texts, or by likeness alone."""

from __future__ import annotations

from collections.abc import Sequence

from memlite.model import Record
from memlite.rules.decision import Candidate, Decision
from memlite.rules.settle import chinese, english
from memlite.rules.settle.move import Move
from memlite.rules.terms import has_cjk
from memlite.rules.tiers import may_replace

KEEP = Decision(action="keep_separate", reasoning="nothing certain is known of how they relate")

SIMPLE_FLOOR = 0.90
"""Relevance from which `simple` replaces: the default of the mission's plain mode."""


def by_rules(new: Record, offered: Sequence[Candidate]) -> Decision:
    """What the rules make of a new memory beside the ones like it; keep_separate where nothing is certain.

    Copies and shorter tellings are replaced, all of them. Of what changed, only the closest memory is updated.
    """
    moves = [(found, candidate) for candidate in offered if (found := _move(new, candidate.record)) is not None]
    told = [(found, candidate) for found, candidate in moves if found.relation in ("same", "richer")]
    if told:
        aliases = tuple(candidate.alias for _, candidate in told)
        return Decision(action="replace", targets=aliases, text=new.content, reasoning=told[0][0].why)
    if not moves:
        return KEEP
    best, candidate = max(moves, key=lambda pair: (pair[0].relation == "poorer", pair[0].weight, -pair[1].alias))
    agreed = tuple(other.alias for found, other in moves if found.text == best.text and found.relation == "changed")
    if len(agreed) > 1:
        return Decision(action="replace", targets=agreed, text=best.text, reasoning=best.why)
    return Decision(action="update", targets=(candidate.alias,), text=best.text, reasoning=best.why)


def by_likeness(new: Record, offered: Sequence[Candidate]) -> Decision:
    """Replaces what is nearly the same, above relevance .90, whatever it says."""
    aliases = tuple(c.alias for c in offered if c.relevance is not None and c.relevance > SIMPLE_FLOOR)
    if not aliases:
        return Decision(action="skip", reasoning=f"no relevance above {SIMPLE_FLOOR:.2f}")
    return Decision(action="replace", targets=aliases, text=new.content, reasoning=f"relevance above {SIMPLE_FLOOR:.2f}")


def _move(new: Record, old: Record) -> Move | None:
    if not may_replace(new.origin, old.origin) or has_cjk(new.content) != has_cjk(old.content):
        return None
    read = chinese.move if has_cjk(new.content) else english.move
    found = read(new.content, old.content)
    if found is not None and new.occurred_ms < old.occurred_ms and found.relation in ("changed", "withdrawn", "grown", "richer"):
        return None
    return found
