"""Deliberate saves: each text is one memory, never rewritten before it is compared with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memlite.engine import consolidate
from memlite.engine.consolidate import Item, Outcome
from memlite.engine.kit import Kit
from memlite.engine.options import Options, record_of, request_hash
from memlite.errors import BadInput, Conflict, shown
from memlite.model import Record
from memlite.ports import Tx
from memlite.rules import text
from memlite.rules.inputs import MAX_BATCH, Message


def texts(kit: Kit, chosen: Options, messages: Sequence[Message]) -> dict[str, Any]:
    """Stores each text as a change of its own; the envelope of `Memory.add`.

    Raises:
        Conflict: the idempotency key stood for another request.
        BadInput: more than 1,000 texts under one idempotency key.
    """
    if chosen.idempotency_key and len(messages) > MAX_BATCH:
        raise BadInput(f"{len(messages)} texts under one idempotency_key, the cap is {MAX_BATCH}: use a key for each batch")
    digest = request_hash(chosen, messages) if chosen.idempotency_key else None
    saved = [_save(kit, chosen, message, Key.of(chosen, place, digest)) for place, message in enumerate(messages)]
    envelope: dict[str, Any] = {
        "results": [result for each in saved for result in each["results"]],
        "change_id": saved[-1]["change_id"],
        "change_ids": [each["change_id"] for each in saved],
    }
    return envelope | ({"repeated": True} if all(each.get("repeated") for each in saved) else {})


@dataclass(frozen=True, slots=True)
class Key:
    """The idempotency key of one change of a call, and what it stands for. The first change has the caller's own key."""

    name: str | None
    digest: bytes | None

    @classmethod
    def of(cls, chosen: Options, place: int, digest: bytes | None) -> Key:
        """The key of the change at `place` of a call."""
        key = chosen.idempotency_key
        return cls(key if key is None or not place else f"{key}#{place}", digest)


class _Repeated(Exception):
    """The change is done already; carries its result."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


def _save(kit: Kit, chosen: Options, message: Message, key: Key) -> dict[str, Any]:
    if (known := done(kit, chosen.user_id, key)) is not None:
        return known
    digest = text.content_hash(message.text).hex()
    record = record_of(kit, chosen, message, digest=digest, seq=None, now_ms=kit.clock())
    return stored(kit, record, chosen, key)


def stored(
    kit: Kit,
    record: Record,
    chosen: Options,
    key: Key,
    links: tuple[tuple[str, str], ...] = (),
    check: Callable[[Tx], None] | None = None,
) -> dict[str, Any]:
    """`{"results", "change_id"}` of one memory, decided about and stored. `check` comes first in its transaction."""

    def open_run(tx: Tx) -> str:
        if check is not None:
            check(tx)
        if (known := done(kit, chosen.user_id, key)) is not None:  # another process was faster
            raise _Repeated(known)
        return tx.open_run(chosen.user_id, "add", now_ms=record.created_ms, key=key.name, request_hash=key.digest)

    item = Item(record=record, mode=chosen.consolidate, links=links, open_run=open_run)
    try:
        return _told(consolidate.store(kit, item))
    except _Repeated as repeated:
        return repeated.result


def done(kit: Kit, user_id: str, key: Key) -> dict[str, Any] | None:
    """The stored result of the change under a key, if there is one.

    Raises:
        Conflict: the key stood for another request.
    """
    found = None if key.name is None else kit.store.result_of(user_id, key.name)
    if found is None:
        return None
    change_id, digest, actions = found
    if digest != key.digest:
        raise Conflict(f"idempotency_key {shown(key.name)} stood for another request ({change_id}): use a new key")
    live = {r.id: r.content for r in kit.store.get(user_id, [action[0] for action in actions])}
    results = [
        {"id": memory_id, "memory": live.get(memory_id), "event": event, "reason": reason, "action": action}
        for memory_id, event, reason, action in actions
    ]
    return {"results": results, "change_id": change_id, "repeated": True}


def _told(outcome: Outcome) -> dict[str, Any]:
    results = [
        {"id": memory_id, "memory": content, "event": event, "reason": reason, "action": outcome.action}
        for memory_id, content, event, reason in outcome.results
    ]
    return {"results": results, "change_id": outcome.change_id}
