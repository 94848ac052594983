"""Adding memories."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memlite.engine import embed
from memlite.engine.embed import Embedded
from memlite.engine.kit import Kit
from memlite.errors import BadInput, Conflict, shown
from memlite.model import AREAS, KINDS, ORIGINS, Record
from memlite.ports import Draft, Encoded, Tx
from memlite.rules import inputs, text
from memlite.rules.inputs import MAX_BATCH, Message
from memlite.rules.times import to_ms

_DEFAULT_IMPORTANCE = 0.5
_NOT_COVERED = "stored without a vector: the model does not know the words, so only full text finds it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Everything but the texts that a call of `add` says, read and checked."""

    user_id: str
    agent_id: str | None
    session_id: str | None
    metadata: dict[str, Any]
    infer: bool
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
        area="main" if given["area"] is None else inputs.choice(given["area"], AREAS, what="area"),
        kind=None if given["kind"] is None else inputs.choice(given["kind"], KINDS, what="kind"),
        importance=_DEFAULT_IMPORTANCE if given["importance"] is None else inputs.share(given["importance"], what="importance"),
        confidence=1.0 if given["confidence"] is None else inputs.share(given["confidence"], what="confidence"),
        origin=None if given["origin"] is None else inputs.choice(given["origin"], ORIGINS, what="origin"),
        occurred_ms=None if given["occurred_at"] is None else to_ms(given["occurred_at"], what="occurred_at"),
        expires_ms=None if given["expires_at"] is None else to_ms(given["expires_at"], what="expires_at"),
        pinned=inputs.flag(given["pinned"], what="pinned"),
    )


def add(kit: Kit, messages: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`. Batches of up to 1,000, each one transaction."""
    chosen = options(kit, given)
    texts = inputs.messages(messages, max_bytes=kit.settings.max_text_bytes)
    if chosen.idempotency_key and len(texts) > MAX_BATCH:
        raise BadInput(f"{len(texts)} messages under one idempotency_key, the cap is {MAX_BATCH}: use a key for each batch")
    now_ms = kit.clock()
    results: list[dict[str, Any]] = []
    changes: list[str] = []
    for start in range(0, len(texts), MAX_BATCH):
        batch = _Batch(kit=kit, options=chosen, messages=texts[start : start + MAX_BATCH], now_ms=now_ms)
        if (known := batch.already_done()) is not None:
            return known
        change_id, stored = batch.store()
        results += stored
        changes.append(change_id)
    return {"results": results, "change_id": changes[-1], "change_ids": changes}


@dataclass(slots=True, kw_only=True)
class _Batch:
    """Up to 1,000 messages that go into the file together."""

    kit: Kit
    options: Options
    messages: list[Message]
    now_ms: int

    def already_done(self) -> dict[str, Any] | None:
        """The stored result of the same request under its idempotency key, if there is one.

        Raises:
            Conflict: the key stood for another request.
        """
        if self.options.idempotency_key is None:
            return None
        found = self.kit.store.result_of(self.options.user_id, self.options.idempotency_key)
        if found is None:
            return None
        change_id, request_hash, actions = found
        if request_hash != self._request_hash():
            raise Conflict(
                f"idempotency_key {shown(self.options.idempotency_key)} stood for another request ({change_id}): use a new key"
            )
        live = {r.id: r.content for r in self.kit.store.get(self.options.user_id, [action[0] for action in actions])}
        results = [_result(memory_id, live.get(memory_id), event, reason) for memory_id, event, reason in actions]
        return {"results": results, "change_id": change_id, "change_ids": [change_id], "repeated": True}

    def store(self) -> tuple[str, list[dict[str, Any]]]:
        """(change id, one result a message, in order)."""
        embedded = embed.for_storage(self.kit, [message.text for message in self.messages])
        with self.kit.store.write() as tx:
            if (known := self.already_done()) is not None:  # another process was faster
                return known["change_id"], known["results"]
            change_id = tx.open_run(
                self.options.user_id,
                "add",
                now_ms=self.now_ms,
                key=self.options.idempotency_key,
                request_hash=self._request_hash() if self.options.idempotency_key else None,
            )
            space = tx.space_for(embedded.info, self.now_ms) if embedded.info and any(_has_vector(embedded.encoded)) else None
            results = self._write(tx, embedded, space)
        return change_id, results

    def _write(self, tx: Tx, embedded: Embedded, space: int | None) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = []
        drafts: list[Draft] = []
        written: dict[str, Record] = {}
        seq = self._first_seq(tx)
        for place, message in enumerate(self.messages):
            digest = text.content_hash(message.text).hex()
            same = self._same(tx, message, digest, written)
            if same is not None:
                tx.insert(drafts, space)  # what came before it, so that the audit keeps the order of the call
                drafts = []
                tx.note(same[0], "same_text")
                results.append(_result(same[0], same[1], "NONE", "same_text"))
                continue
            record = self._record(message, digest, None if seq is None else seq + place)
            written[digest] = record
            encoded = embedded.encoded[place]
            reason = (embedded.reason or _NOT_COVERED) if encoded is None or encoded.vector is None else None
            drafts.append(Draft(record=record, encoded=encoded, reason=reason))
            results.append(_result(record.id, record.content, "ADD", reason))
        tx.insert(drafts, space)
        return results

    def _same(self, tx: Tx, message: Message, digest: str, written: dict[str, Record]) -> tuple[str, str] | None:
        """A memory with this text, stored or just before it in this batch. Turns and verbatim loads keep every row."""
        if not self.options.infer or message.role is not None:
            return None
        if digest in written:
            return written[digest].id, written[digest].content
        return tx.same_text(self.options.user_id, self.options.area, digest, self.now_ms)

    def _first_seq(self, tx: Tx) -> int | None:
        if self.options.session_id is None or all(message.role is None for message in self.messages):
            return None
        return tx.next_seq(self.options.user_id, self.options.session_id)

    def _record(self, message: Message, digest: str, seq: int | None) -> Record:
        chosen, turn = self.options, message.role is not None
        occurred = message.occurred_ms if message.occurred_ms is not None else chosen.occurred_ms
        if occurred is None:
            occurred = self.now_ms
        return Record(
            id=self.kit.new_id("mem"),
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
            pinned=chosen.pinned,
            created_ms=self.now_ms,
            updated_ms=self.now_ms,
            occurred_ms=occurred,
            accessed_ms=occurred,
            expires_ms=chosen.expires_ms,
            content_hash=digest,
            metadata=chosen.metadata,
        )

    def _request_hash(self) -> bytes:
        said = [
            [[m.text, m.role, m.name, m.occurred_ms] for m in self.messages],
            [getattr(self.options, name) for name in Options.__slots__],
        ]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).digest()


def _has_vector(encoded: list[Encoded | None]) -> Iterator[bool]:
    return (item is not None and item.vector is not None for item in encoded)


def _result(memory_id: str, memory: str | None, event: str, reason: str | None) -> dict[str, Any]:
    return {"id": memory_id, "memory": memory, "event": event, "reason": reason}
