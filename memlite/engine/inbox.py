"""Turns that wait to be distilled: read session by session, in order, by one process at a time.

An item is queued in the transaction that stores its turns and leaves the inbox in the one that records what was found. A process
that dies in between leaves it there; reading it again finds the same facts, which the store knows already.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memlite.engine import converse as converses
from memlite.engine.kit import Kit
from memlite.engine.options import Options, recalled
from memlite.errors import LeaseLost
from memlite.ports import Tx
from memlite.rules.inputs import Message
from memlite.values import Waiting

MAX_ATTEMPTS = 5
"""After so many failures an item is given up; its turns stay, and the audit says so."""

_MOST_READ = 1_000
_POLL_S = 0.02


@dataclass(slots=True)
class Lease:
    """The right to read one session, for a while. Every change made under it checks that it still holds."""

    kit: Kit
    name: str
    token: int
    ttl_ms: int
    renewed_ms: int = field(default=0)

    def check(self, tx: Tx) -> None:
        """Inside a change. Raises LeaseLost."""
        tx.require_lease(self.name, self.token)

    def renew(self) -> None:
        """Prolongs it where a third of its time has gone. Raises LeaseLost."""
        now_ms = self.kit.clock()
        if now_ms - self.renewed_ms < self.ttl_ms // 3:
            return
        if not self.kit.store.renew_lease(self.name, self.token, now_ms=now_ms, ttl_ms=self.ttl_ms):
            raise LeaseLost(f"the lease {self.name} ran out while its session was read: another reads it now")
        self.renewed_ms = now_ms


def converse(
    kit: Kit, chosen: Options, messages: Sequence[Message], *, background: bool = False, resent: bool = True
) -> dict[str, Any]:
    """Stores the turns of a conversation, then what is worth keeping of them: the envelope of `Memory.add`.

    `turns` has the ids of the turns, `waiting` tells whether they are still to be distilled, and `failed` why.
    """
    envelope, items = converses.queue(kit, chosen, messages, resent=resent)
    if envelope.get("repeated"):
        envelope["results"] = [
            {"id": record.id, "memory": record.content, "event": "NONE", "reason": "repeated", "action": None}
            for record in kit.store.citing(chosen.user_id, envelope["turns"])
        ]
    envelope["waiting"] = bool(items)
    if items and not background:
        try:
            done = drain(kit, items, chosen.user_id, chosen.session_id, envelope)
        except LeaseLost as error:
            done, envelope["failed"] = False, str(error)
        envelope["waiting"] = not done or envelope["failed"] is not None
    envelope["change_id"] = envelope["change_ids"][-1] if envelope["change_ids"] else None
    return envelope


def drain(kit: Kit, items: Iterable[int], user_id: str, session_id: str | None, envelope: dict[str, Any]) -> bool:
    """Reads a session's waiting turns up to the last of `items`; what is found in these goes into the envelope.

    Waits for another reader of the session for as long as a change waits for another writer. False where it did not end by then.
    """
    wanted = set(items)
    waited = threading.Event()
    for _ in range(1 + int(kit.settings.busy_ms / 1000 / _POLL_S)):
        lease = _acquired(kit, user_id, session_id)
        if lease is not None:
            try:
                _read_up_to(kit, max(wanted), wanted, user_id, session_id, lease, envelope)
            finally:
                kit.store.release_lease(lease.name, lease.token)
            return True
        waited.wait(_POLL_S)
    return False


def drain_all(kit: Kit) -> dict[str, int]:
    """`{"distilled", "failed", "waiting"}`: reads whatever waits that this store's distiller is meant to read."""
    counts = {"distilled": 0, "failed": 0}
    seen: set[tuple[str, str | None]] = set()
    for waiting in kit.store.waiting(None, _MOST_READ):
        place = (waiting.user_id, waiting.session_id)
        if place in seen or not _mine(kit, waiting):
            continue
        seen.add(place)
        lease = _acquired(kit, *place)
        if lease is None:
            continue
        try:
            _read_session(kit, waiting, lease, counts)
        except LeaseLost:
            continue
        finally:
            kit.store.release_lease(lease.name, lease.token)
    return counts | {"waiting": len(kit.store.waiting(None, _MOST_READ))}


def _read_session(kit: Kit, first: Waiting, lease: Lease, counts: dict[str, int]) -> None:
    item = 0
    while (waiting := kit.store.next_waiting(first.user_id, first.session_id, item)) is not None:
        item = waiting.item + 1
        if not _mine(kit, waiting):
            return
        if not _read(kit, waiting, lease, converses.empty_envelope()):
            counts["failed"] += 1
            return  # in order: what comes after it waits too
        counts["distilled"] += 1


def _read_up_to(
    kit: Kit, last: int, wanted: set[int], user_id: str, session_id: str | None, lease: Lease, envelope: dict[str, Any]
) -> None:
    item = 0
    while (waiting := kit.store.next_waiting(user_id, session_id, item)) is not None and waiting.item <= last:
        item = waiting.item + 1
        if not _mine(kit, waiting):
            continue
        into = envelope if waiting.item in wanted else converses.empty_envelope()
        if not _read(kit, waiting, lease, into):
            envelope["failed"] = into["failed"]
            return


def _read(kit: Kit, waiting: Waiting, lease: Lease, envelope: dict[str, Any]) -> bool:
    """Distils one item; False where the model failed and it waits on."""
    chosen = recalled(kit, waiting.user_id, waiting.options)
    turns = [turn for turn in kit.store.get(waiting.user_id, waiting.turns) if turn.status == "active"]
    job = converses.Job(item=waiting.item, last_attempt=waiting.attempts + 1 >= MAX_ATTEMPTS, lease=lease)
    return converses.distil(kit, chosen, turns, job, envelope)


def _mine(kit: Kit, waiting: Waiting) -> bool:
    """Turns queued for a model are not read by rules, nor the other way round."""
    return bool(waiting.options.get("mind") == kit.mind.kind)


def _acquired(kit: Kit, user_id: str, session_id: str | None) -> Lease | None:
    name = "distil " + hashlib.sha256(f"{user_id}\n{session_id or ''}".encode()).hexdigest()[:32]
    ttl_ms = int(2_000 * kit.settings.decision_seconds) + 30_000
    now_ms = kit.clock()
    holder = f"{os.getpid()}.{threading.get_ident()}"
    token = kit.store.acquire_lease(name, holder, now_ms=now_ms, ttl_ms=ttl_ms)
    return None if token is None else Lease(kit, name, token, ttl_ms, now_ms)
