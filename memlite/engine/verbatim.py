"""Storing texts as they come, in batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memlite.engine import embed
from memlite.engine.consolidate import NOT_COVERED
from memlite.engine.embed import Embedded
from memlite.engine.kit import Kit
from memlite.engine.options import Options, kept, record_of, request_hash
from memlite.engine.repeats import Key, done
from memlite.errors import BadInput
from memlite.model import Record
from memlite.ports import Draft, Encoded, Tx
from memlite.rules import text
from memlite.rules.inputs import MAX_BATCH, Message


def verbatim(kit: Kit, chosen: Options, texts: list[Message], *, queued: list[int] | None = None) -> dict[str, Any]:
    """Stores texts as they come; the envelope of `Memory.add`. Batches of up to 1,000, each one transaction.

    Args:
        queued: where given, the turns are put into the inbox in the same transactions, and the items' numbers into this list.
    """
    if chosen.idempotency_key and len(texts) > MAX_BATCH:
        raise BadInput(f"{len(texts)} messages under one idempotency_key, the cap is {MAX_BATCH}: use a key for each batch")
    now_ms = kit.clock()
    results: list[dict[str, Any]] = []
    changes: list[str] = []
    for start in range(0, len(texts), MAX_BATCH):
        batch = _Batch(kit=kit, options=chosen, messages=texts[start : start + MAX_BATCH], now_ms=now_ms, queued=queued)
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
    queued: list[int] | None

    def already_done(self) -> dict[str, Any] | None:
        """The stored result of the same request under its idempotency key, if there is one.

        Raises:
            Conflict: the key stood for another request.
        """
        name = self.options.idempotency_key
        if name is None:
            return None
        known = done(self.kit, self.options.user_id, Key(name, request_hash(self.options, self.messages)))
        return None if known is None else known | {"change_ids": [known["change_id"]]}

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
                request_hash=request_hash(self.options, self.messages) if self.options.idempotency_key else None,
            )
            space = tx.space_for(embedded.info, self.now_ms) if embedded.info and any(_has_vector(embedded.encoded)) else None
            results = self._write(tx, embedded, space)
            turns = [r["id"] for r, message in zip(results, self.messages, strict=True) if message.status == "active"]
            item = (
                tx.enqueue(self.options.session_id, turns, kept(self.kit, self.options))
                if self.queued is not None and turns
                else None
            )
        if item is not None and self.queued is not None:
            self.queued.append(item)
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
                results.append(result(same[0], same[1], "NONE", "same_text"))
                continue
            record = record_of(
                self.kit,
                self.options,
                message,
                digest=digest,
                seq=None if seq is None else seq + place,
                now_ms=self.now_ms,
            )
            written[digest] = record
            encoded = embedded.encoded[place]
            reason = (embedded.reason or NOT_COVERED) if encoded is None or encoded.vector is None else None
            drafts.append(Draft(record=record, encoded=encoded, reason=reason))
            results.append(result(record.id, record.content, "ADD", reason))
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


def _has_vector(encoded: list[Encoded | None]) -> Iterator[bool]:
    return (item is not None and item.vector is not None for item in encoded)


def result(memory_id: str, memory: str | None, event: str, reason: str | None) -> dict[str, Any]:
    return {"id": memory_id, "memory": memory, "event": event, "reason": reason, "action": None}
