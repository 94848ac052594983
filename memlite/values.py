"""Values that pass between the engine and the storage, and are nobody else's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memlite.model import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeQuery:
    """What a new memory is compared with.

    Attributes:
        agent_id: whose memories count besides those of no agent.
        vector: the new text's vector as float32 bytes; None leaves the comparison to words.
        terms: the new text's words.
        relevance_floor: least (1 + cosine) / 2 where vectors are compared.
        coverage_floor: least share of the words' idf mass where they are not.
        before: (occurred_ms, id) that only older memories come before; None = all.
    """

    area: str
    agent_id: str | None
    vector: bytes | None
    terms: tuple[str, ...]
    relevance_floor: float
    coverage_floor: float
    limit: int
    now_ms: int
    before: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How it came to what was done with a new memory, for the audit.

    Attributes:
        requested: the action asked for; None where none was.
        applied: the action done: merge, replace, update, keep_separate or skip.
        reason: code of what decided otherwise than requested, or of why no one was asked; None where all is as requested.
        decider: "rules", "simple", "none" or a model's name.
        offered: (id, version, relevance, coverage) of what it could choose from, by alias.
        reasoning: the decider's, which may quote memories.
        reply: what a model answered, as it came.
        detail: what a check found, which may quote memories.
    """

    requested: str | None
    applied: str
    reason: str | None
    decider: str
    prompt: str | None = None
    prompt_sha256: str | None = None
    offered: tuple[tuple[str, int, float | None, float], ...] = ()
    reasoning: str = ""
    reply: str | None = None
    detail: str = ""

    def codes(self) -> dict[str, Any]:
        """What stays in the audit for good: nothing in it quotes a text."""
        return {
            "requested": self.requested,
            "applied": self.applied,
            "reason": self.reason,
            "decider": self.decider,
            "prompt": self.prompt,
            "prompt_sha256": self.prompt_sha256,
            "offered": [
                [memory_id, version, None if relevance is None else round(relevance, 4), round(coverage, 4)]
                for memory_id, version, relevance, coverage in self.offered
            ],
        }

    def told(self) -> dict[str, str]:
        """What may quote texts, and is dropped with them."""
        given = {"reasoning": self.reasoning, "reply": self.reply, "detail": self.detail}
        return {name: text for name, text in given.items() if text}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a file that is not as it should be.

    Attributes:
        code: what kind, such as `words.missing`.
        message: what is wrong, and where.
        repairable: `reindex` mends it, since it lies in the derived half.
    """

    code: str
    message: str
    repairable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Part of a listing. `cursor` gets the next part; None = this was the last."""

    records: tuple[Record, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Turns that wait to be distilled.

    Attributes:
        item: its place in the queue.
        turns: ids of the turns, oldest first.
        options: how what is found in them is to be stored.
        attempts: how often it was tried in vain.
    """

    item: int
    user_id: str
    session_id: str | None
    turns: tuple[str, ...]
    options: Mapping[str, Any]
    attempts: int
