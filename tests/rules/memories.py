"""Memories and offers for the tests of decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memlite.model import Record
from memlite.rules import text
from memlite.rules.consolidate import Limits
from memlite.rules.decision import Candidate

LIMITS = Limits(max_text_bytes=65_536)
NOW = 2_000
BEFORE = 1_000


def memory(content: str, name: str = "new", **changes: Any) -> Record:
    """A memory of now."""
    times = dict.fromkeys(("created_ms", "updated_ms", "occurred_ms", "accessed_ms"), NOW)
    given: dict[str, Any] = times | {"content_hash": text.content_hash(content).hex()} | changes
    return Record(id=name, user_id="u", content=content, **given)


def older(content: str, name: str = "old", **changes: Any) -> Record:
    """A memory of before."""
    times = dict.fromkeys(("created_ms", "updated_ms", "occurred_ms", "accessed_ms"), BEFORE)
    return memory(content, name, **(times | changes))


def offer(stored: Sequence[Record], *, relevance: float | None = 0.95, coverage: float = 0.9) -> list[Candidate]:
    """The memories as they are offered, all as close."""
    return [Candidate(alias=place, record=old, relevance=relevance, coverage=coverage) for place, old in enumerate(stored, 1)]
