"""Deliberate saves: each text is one memory, never rewritten before it is compared with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memlite.engine import consolidate
from memlite.engine.consolidate import Item, Outcome
from memlite.engine.kit import Kit
from memlite.engine.options import Options, record_of, request_hash
from memlite.engine.repeats import Key, done
from memlite.errors import BadInput
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


def _told(outcome: Outcome) -> dict[str, Any]:
    results = [
        {"id": memory_id, "memory": content, "event": event, "reason": reason, "action": outcome.action}
        for memory_id, content, event, reason in outcome.results
    ]
    return {"results": results, "change_id": outcome.change_id}
