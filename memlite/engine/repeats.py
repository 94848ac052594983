"""Requests that were made before: what their idempotency keys stand for, and what they gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memlite.engine.kit import Kit
from memlite.engine.options import Options
from memlite.errors import Conflict, shown


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
