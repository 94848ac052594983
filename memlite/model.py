"""The words of the domain as frozen values: a memory, a hit, a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal

Area = Literal["main", "fragments", "solutions"]
Kind = Literal["episodic", "semantic", "procedural"]
Event = Literal["ADD", "UPDATE", "DELETE", "NONE"]

AREAS = ("main", "fragments", "solutions")
KINDS = ("episodic", "semantic", "procedural")
GRANULARITIES = ("profile", "rule", "proposition", "summary", "turn")
ORIGINS = (
    "user_stated",
    "user_confirmed",
    "agent_inferred",
    "reflection",
    "tool_output",
    "document",
    "import",
    "consolidation",
)
STATUSES = ("active", "pending", "quarantined", "archived", "superseded")

MAX_MS = 253_402_300_799_999
"""The last millisecond of the year 9999, the end of what dates can show."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

NO_METADATA: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One memory as it lies in the file. Times are UTC milliseconds; importance and confidence lie in [0, 1]."""

    id: str
    user_id: str
    content: str
    area: str = "main"
    kind: str = "semantic"
    granularity: str = "proposition"
    agent_id: str | None = None
    session_id: str | None = None
    seq: int | None = None
    role: str | None = None
    subject: str | None = None
    keywords: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 1.0
    valence: float | None = None
    origin: str = "user_stated"
    status: str = "active"
    pinned: bool = False
    created_ms: int = 0
    updated_ms: int = 0
    occurred_ms: int = 0
    accessed_ms: int = 0
    valid_from_ms: int | None = None
    valid_to_ms: int | None = None
    expires_ms: int | None = None
    access_count: int = 0
    decay_per_hour: float | None = None
    version: int = 1
    content_hash: str = ""
    flags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: NO_METADATA)

    def model_dump(self) -> dict[str, Any]:
        """A plain dict with the same names, ready for JSON."""
        return _dump(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Where a score came from. `relevance + recency + importance` is the score, up to rounding.

    Attributes:
        relevance: weight × the relevance the preset uses.
        recency: weight × exp(−decay × age).
        importance: weight × importance level / 10.
    """

    relevance: float
    recency: float
    importance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result.

    Attributes:
        record: the memory.
        score: the combined score the results are ordered by, in [0, 1]; ties are ordered by id.
        relevance: (1 + cosine) / 2 in [0, 1] where vectors were compared, else None.
        coverage: share of the query's idf mass found in the text, in [0, 1].
        recency: exp(−decay × age), in [0, 1], before its weight.
        parts: the three terms of the score.
        truncated: the vector covers only the beginning of the text.
        detail: every number behind the score, with `explain=True` only.
    """

    record: Record
    score: float
    relevance: float | None
    coverage: float
    recency: float
    parts: Parts
    truncated: bool = False
    detail: Mapping[str, Any] | None = None

    def model_dump(self) -> dict[str, Any]:
        """A plain dict with the same names, ready for JSON."""
        return _dump(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of the audit: what a call changed, when.

    Attributes:
        id: the change's public id, `chg_…`.
        verb: the call: add, update, delete, delete_all, move, reset, consolidate, undo or redo.
        at_ms: when, UTC milliseconds.
        events: (memory id, event) of each memory it touched, in order.
        undoes: the change this one took back, if it is an undo or redo.
        undone_by: the change that took this one back, if any stands.
    """

    id: str
    verb: str
    at_ms: int
    user_id: str
    events: tuple[tuple[str, str], ...]
    undoes: str | None = None
    undone_by: str | None = None

    def model_dump(self) -> dict[str, Any]:
        """A plain dict with the same names, ready for JSON."""
        return _dump(self)


def iso(ms: int | None) -> str | None:
    """ISO 8601 with milliseconds and `Z`, as dict results give times; None stays None.

    >>> iso(0)
    '1970-01-01T00:00:00.000Z'
    """
    if ms is None:
        return None
    return (_EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds")[:-6] + "Z"


def _dump(value: Any) -> dict[str, Any]:
    return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, (Record, Parts)):
        return _dump(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
