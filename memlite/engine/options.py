"""What a call of `add` says besides its texts, and the memory a message becomes under it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memlite.engine.consolidate import MODES, Mode
from memlite.engine.kit import Kit
from memlite.errors import BadInput, shown
from memlite.model import AREAS, KINDS, ORIGINS, Record
from memlite.rules import inputs, text
from memlite.rules.inputs import Message
from memlite.rules.times import to_ms

_DEFAULT_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything but the texts that a call of `add` says, read and checked."""

    user_id: str
    agent_id: str | None
    session_id: str | None
    metadata: dict[str, Any]
    infer: bool
    consolidate: Mode
    area: str
    kind: str | None
    importance: float
    confidence: float
    origin: str | None
    occurred_ms: int | None
    expires_ms: int | None
    pinned: bool
    idempotency_key: str | None


def options(kit: Kit, given: Mapping[str, Any]) -> Options:
    """The options of a call of `add`.

    Raises:
        BadInput: one is out of its range.
    """
    named = {name: given[name] for name in ("user_id", "agent_id", "session_id", "idempotency_key")}
    for name, value in named.items():
        if value is not None:
            named[name] = text.name(value, what=name)
    return Options(
        user_id=named["user_id"] or kit.user_id,
        agent_id=named["agent_id"] or kit.agent_id,
        session_id=named["session_id"],
        idempotency_key=named["idempotency_key"],
        metadata=inputs.metadata(given["metadata"]),
        infer=inputs.flag(given["infer"], what="infer"),
        consolidate=_mode(given["consolidate"]),
        area="main" if given["area"] is None else inputs.choice(given["area"], AREAS, what="area"),
        kind=None if given["kind"] is None else inputs.choice(given["kind"], KINDS, what="kind"),
        importance=_DEFAULT_IMPORTANCE if given["importance"] is None else inputs.share(given["importance"], what="importance"),
        confidence=1.0 if given["confidence"] is None else inputs.share(given["confidence"], what="confidence"),
        origin=None if given["origin"] is None else inputs.choice(given["origin"], ORIGINS, what="origin"),
        occurred_ms=None if given["occurred_at"] is None else to_ms(given["occurred_at"], what="occurred_at"),
        expires_ms=None if given["expires_at"] is None else to_ms(given["expires_at"], what="expires_at"),
        pinned=inputs.flag(given["pinned"], what="pinned"),
    )


def _mode(value: object) -> Mode:
    if isinstance(value, bool):
        return "full" if value else "off"
    for mode in MODES:
        if value == mode:
            return mode
    raise BadInput(f"consolidate is {shown(value)}: give True, False or one of {', '.join(MODES)}")


def record_of(kit: Kit, chosen: Options, message: Message, *, digest: str, seq: int | None, now_ms: int) -> Record:
    """The memory that a message becomes. `digest` is its content hash, `seq` its place in the session."""
    turn = message.role is not None
    occurred = message.occurred_ms if message.occurred_ms is not None else chosen.occurred_ms
    if occurred is None:
        occurred = now_ms
    return Record(
        id=kit.new_id("mem"),
        user_id=chosen.user_id,
        agent_id=chosen.agent_id,
        session_id=chosen.session_id,
        seq=seq if turn else None,
        area=chosen.area,
        kind=chosen.kind or ("episodic" if turn else "semantic"),
        granularity="turn" if turn else "proposition",
        role=message.role,
        subject=message.name,
        content=message.text,
        importance=chosen.importance,
        confidence=chosen.confidence,
        origin=chosen.origin or inputs.origin_of(message),
        status=message.status,
        flags=message.flags,
        pinned=chosen.pinned,
        created_ms=now_ms,
        updated_ms=now_ms,
        occurred_ms=occurred,
        accessed_ms=occurred,
        expires_ms=chosen.expires_ms,
        content_hash=digest,
        metadata=chosen.metadata,
    )


def request_hash(chosen: Options, messages: Sequence[Message]) -> bytes:
    """SHA-256 of a whole request: what an idempotency key stands for."""
    said = [
        [[m.text, m.role, m.name, m.occurred_ms] for m in messages],
        [getattr(chosen, name) for name in Options.__slots__],
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()


_KEPT = ("agent_id", "session_id", "metadata", "consolidate", "kind", "expires_ms")


def kept(kit: Kit, chosen: Options) -> dict[str, Any]:
    """What is kept of a call's options for turns that are distilled later, as JSON values."""
    return {"mind": kit.mind.kind, **{name: getattr(chosen, name) for name in _KEPT}}


def recalled(kit: Kit, user_id: str, given: Mapping[str, Any]) -> Options:
    """The options of a call from what was kept of them."""
    named = dict.fromkeys(
        ("area", "importance", "confidence", "origin", "occurred_at", "expires_at", "idempotency_key", "user_id"), None
    )
    plain = options(kit, {**named, "infer": True, "pinned": False, **{name: given.get(name) for name in _KEPT}})
    return replace(plain, user_id=user_id, agent_id=given.get("agent_id"), expires_ms=given.get("expires_ms"))
