"""The audit: what each change did, in a chain of hashes, and the before-images that undo it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import Row, Vectors, dumps, pack, state_hash, to_image
from memlite.values import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that is known of one memory at one moment: row, vectors and links. `verdict`: how it came to be so, for the audit."""

    row: Row
    vectors: Vectors = ()
    links: tuple[tuple[str, str, str], ...] = ()
    verdict: Verdict | None = None

    @property
    def rid(self) -> int:
        """The internal key."""
        return int(self.row["rid"])

    @property
    def hash(self) -> bytes:
        """What undo compares: everything but access times and version."""
        return state_hash(self.row, self.vectors, self.links)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The run a transaction is writing."""

    run: int
    change_id: str
    scope: int
    user_id: str
    verb: str
    at_ms: int
    undoes: int | None
    idempotency_key: str | None
    request_hash: bytes | None

    def said(self) -> str:
        """Its row, as the chain covers it."""
        request = self.request_hash.hex() if self.request_hash else None
        whose = [self.scope, self.user_id]  # who gave a number another's name would hand him its memories
        return dumps([self.run, self.change_id, *whose, self.verb, self.at_ms, self.undoes, self.idempotency_key, request])


@dataclass(slots=True, kw_only=True)
class Trail:
    """Appends to the chain. One a transaction; it holds the file's write lock, so nobody else appends meanwhile."""

    session: Session
    last: int
    hash: bytes

    @classmethod
    def continued(cls, session: Session) -> Trail:
        """The trail after the last action in the file."""
        row = session.one(sql("last_action"))
        return cls(session=session, last=row[0] if row else 0, hash=row[1] if row else b"")

    def append(self, run: Run, entries: Iterable[tuple[str, str, str | None, State | None, State | None]]) -> None:
        """Records (memory id, event, reason, state before, state after) of each memory a run touched."""
        actions, payloads = [], []
        said = run.said()
        for memory_id, event, reason, before, after in entries:
            self.last += 1
            verdict = after.verdict if after else None
            action = {
                "action": self.last,
                "run": run.run,
                "memory_id": memory_id,
                "event": event,
                "reason": reason,
                "ruling": dumps(verdict.codes()) if verdict else None,
                "after_hash": after.hash if after else None,
                "payload_hash": None,
            }
            told = verdict.told() if verdict else {}
            if before is not None or (told and after is not None):
                payload = _payload(self.last, before, after.rid if after else None, told)
                action["payload_hash"] = payload_hash(payload)
                payloads.append(payload)
            self.hash = action["hash"] = chained(self.hash, action, said)
            actions.append(action)
        self.session.many(sql("insert_action"), actions)
        if payloads:
            self.session.many(sql("insert_payload"), payloads)

    def note(
        self,
        run: Run,
        memory_id: str,
        reason: str,
        *,
        codes: Mapping[str, Any],
        told: Mapping[str, str],
        rid: int | None,
        expires_ms: int | None,
    ) -> None:
        """Records that a memory was left as it is, and why; `told` goes into a payload of the memory with key `rid`."""
        self.last += 1
        action: dict[str, Any] = {
            "action": self.last,
            "run": run.run,
            "memory_id": memory_id,
            "event": "NONE",
            "reason": reason,
            "ruling": dumps(dict(codes)) if codes else None,
            "after_hash": None,
            "payload_hash": None,
        }
        payload = _payload(self.last, None, rid, told) | {"expires_ms": expires_ms} if told else None
        if payload:
            action["payload_hash"] = payload_hash(payload)
        self.hash = action["hash"] = chained(self.hash, action, run.said())
        self.session.run(sql("insert_action"), action)
        if payload:
            self.session.run(sql("insert_payload"), payload)


def chained(before: bytes, action: Mapping[str, Any], said_of_run: str) -> bytes:
    """The hash of an action: over the hash before it, its own row and its run's, but not over anything that quotes a memory."""
    said = [
        action["action"],
        action["memory_id"],
        action["event"],
        action["reason"],
        action["ruling"],
        action["after_hash"].hex() if action["after_hash"] else None,
        action["payload_hash"].hex() if action["payload_hash"] else None,
    ]
    return hashlib.sha256(before + f"{dumps(said)[:-1]},{said_of_run}]".encode()).digest()


def payload_hash(payload: Mapping[str, Any]) -> bytes:
    """The hash that stays in the chain when a payload is dropped."""
    whose = int(payload["rid"]).to_bytes(8, "big")
    image, told = (_as_bytes(payload[name]) for name in ("image", "told"))
    return hashlib.sha256(payload["salt"] + whose + image + b"\x00" + told + b"\x00" + (payload["vectors"] or b"")).digest()


def _as_bytes(text: str | bytes | None) -> bytes:
    return text.encode() if isinstance(text, str) else text or b""


def standing(tree: Iterable[tuple[int, str, int | None]]) -> set[int]:
    """The runs whose effect stands, given (run, change id, undone run) of some runs and of all above them.

    A run stands unless a run that stands took it back; those come later, so one pass from the end settles it.
    """
    stands: set[int] = set()
    taken_back: set[int] = set()
    for run, _, undoes in sorted(tree, reverse=True):
        if run not in taken_back:
            stands.add(run)
            if undoes is not None:
                taken_back.add(undoes)
    return stands


def _payload(action: int, before: State | None, rid: int | None, told: Mapping[str, str]) -> dict[str, Any]:
    return {
        "action": action,
        "rid": before.rid if before else rid,
        "salt": os.urandom(16),
        "image": to_image(before.row, before.links) if before else None,
        "vectors": pack(before.vectors) if before else None,
        "told": dumps(told) if told else None,
        "expires_ms": None,
    }
