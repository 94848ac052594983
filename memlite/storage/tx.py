"""Writing: everything that changes a file goes through a `Tx`, which exists only inside one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memlite.errors import Damaged, Erased, Expired, NotFound, SpaceMismatch, Stale
from memlite.ids import NewId
from memlite.model import Record
from memlite.ports import Draft, SpaceInfo
from memlite.storage import inbox, migrate
from memlite.storage.audit import Run, State, payload_hash, standing
from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import SCOPE_BITS, from_image, to_record, to_row, unpack
from memlite.storage.writer import Entry, Writer


class Tx:
    """One transaction. Rows, vectors, full-text entries and the audit change together, a memory at a time in any of them never.

    A run must be opened first; what follows belongs to its user and is recorded under it.
    """

    def __init__(self, session: Session, new_id: NewId) -> None:
        self._session = session
        self._new_id = new_id
        self._run: Run | None = None
        self._scopes: dict[str, int] = {}
        self._writer = Writer(session)

    # ---------------------------------------------------------------------------------------------- runs

    def open_run(
        self,
        user_id: str,
        verb: str,
        *,
        now_ms: int,
        undoes: int | None = None,
        key: str | None = None,
        request_hash: bytes | None = None,
    ) -> str:
        """Starts a change of a user's memories; its public id. The user is created at his first change."""
        scope = self._scope_for(user_id)
        change_id = self._new_id("chg")
        row: dict[str, Any] = {
            "change_id": change_id,
            "scope": scope,
            "user_id": user_id,
            "verb": verb,
            "at_ms": now_ms,
            "undoes": undoes,
            "idempotency_key": key,
            "request_hash": request_hash,
        }
        run = self._session.value(sql("insert_run"), row)
        self._run = Run(run=run, **row)
        return change_id

    @property
    def _open(self) -> Run:
        if self._run is None:
            raise AssertionError("open_run comes first")
        return self._run

    # ---------------------------------------------------------------------------------------------- reading inside

    def records(self, user_id: str, ids: Sequence[str]) -> list[Record]:
        """The user's memories among `ids`, as they are now, in the order of `ids`."""
        return [to_record(row, user_id) for row in self._rows(user_id, ids)]

    def same_text(self, user_id: str, area: str, content_hash: str, now_ms: int) -> tuple[str, str] | None:
        """(id, text) of the user's oldest active memory of that area with the same normalised text."""
        params = {"scope": self._scope(user_id), "area": area, "content_hash": bytes.fromhex(content_hash), "now_ms": now_ms}
        row = self._session.one(sql("same_text"), params)
        return (row[0], row[1]) if row else None

    def next_seq(self, user_id: str, session_id: str) -> int:
        """The next free place in a session."""
        return int(self._session.value(sql("next_seq"), {"scope": self._scope(user_id), "session_id": session_id}))

    # ---------------------------------------------------------------------------------------------- spaces

    def space_for(self, info: SpaceInfo, now_ms: int) -> int:
        """The number of the active space, made now where the file has none.

        Raises:
            SpaceMismatch: the file's vectors were made by another model.
        """
        if found := self._session.one(sql("active_fingerprint")):
            if found[1] != info.fingerprint:
                raise SpaceMismatch(mismatch(self._session, info))
            return int(found[0])
        space = int(self._session.value(sql("next_space")))
        row = {
            "space": space,
            "model": info.model,
            "dimension": info.dimension,
            "model_sha256": info.model_sha256,
            "tokenizer_sha256": info.tokenizer_sha256,
            "max_tokens": info.max_tokens,
            "languages": json.dumps(list(info.languages)),
            "max_unknown": info.max_unknown,
            "thresholds": json.dumps(dict(info.thresholds)),
            "now_ms": now_ms,
        }
        self._session.run(sql("add_space"), row)
        self._session.run(migrate.create_vectors(space, info.dimension))
        self._writer.spaces.append(space)
        return space

    # ---------------------------------------------------------------------------------------------- writing

    def insert(self, drafts: Sequence[Draft], space: int | None) -> None:
        """Adds memories. Their vectors, where they have one, go to `space`."""
        if not drafts:
            return
        first = self._reserve(len(drafts))
        entries: list[Entry] = []
        for place, draft in enumerate(drafts):
            row = to_row(draft.record, first + place, self._open.scope)
            state = State(row=row, vectors=_vectors(draft, space), links=_links(draft), verdict=draft.verdict)
            entries.append(("ADD", draft.reason, None, state))
        self._writer.write(self._open, entries)

    def amend(self, before: Record, draft: Draft, space: int | None, *, reembedded: bool) -> None:
        """Puts `draft` in the place of `before`, under the same id.

        Raises:
            Stale: the memory is gone or has another version than `before`.
        """
        old = self._state(before)
        row = to_row(draft.record, old.rid, self._open.scope)
        row["accessed_ms"] = max(row["accessed_ms"], old.row["accessed_ms"])  # a recall may have been written just now
        row["access_count"] = old.row["access_count"]
        vectors = _vectors(draft, space) if reembedded else old.vectors
        links = tuple(sorted({*old.links, *_links(draft)}))
        state = State(row=row, vectors=vectors, links=links, verdict=draft.verdict)
        self._writer.write(self._open, [("UPDATE", draft.reason, old, state)])

    def remove(self, records: Sequence[Record], reason: str | None = None) -> None:
        """Takes memories away; undo can bring them back.

        Raises:
            Stale: one is gone or has another version.
        """
        self._writer.write(self._open, [("DELETE", reason, self._state(record), None) for record in records])

    def note(
        self,
        memory_id: str,
        reason: str,
        *,
        codes: Mapping[str, Any] | None = None,
        told: Mapping[str, str] | None = None,
        keep_ms: int | None = None,
    ) -> None:
        """Records that a memory was left as it is, and why. `told` may quote texts: dropped with them, or after `keep_ms`."""
        rid = None
        if told:
            rid = next((row["rid"] for row in self._session.records(sql("by_id"), {"id": memory_id})), None)
        self._writer.trail.note(
            self._open,
            memory_id,
            reason,
            codes=codes or {},
            told={} if rid is None else told or {},
            rid=rid,
            expires_ms=None if keep_ms is None else self._open.at_ms + keep_ms,
        )

    def expire(self) -> None:
        """Drops the texts whose time is over."""
        self._session.run(sql("expire_due"), {"now_ms": self._open.at_ms})

    def enqueue(self, session_id: str | None, turns: Sequence[str], options: Mapping[str, Any]) -> int:
        """Lets turns of the open run's user wait to be distilled; the item's number."""
        return inbox.enqueue(self._session, self._open.scope, session_id, turns, options, self._open.at_ms)

    def finish(self, item: int) -> None:
        """Takes an item out of the inbox."""
        self._session.run(sql("finish_item"), {"item": item})

    def fail(self, item: int, code: str) -> None:
        """Notes that an item was tried in vain."""
        self._session.run(sql("fail_item"), {"item": item, "code": code})

    def require_lease(self, name: str, token: int) -> None:
        """Makes sure that the change is still made under the lease. Raises LeaseLost."""
        inbox.require_lease(self._session, name, token)

    def transfer(self, records: Sequence[Record], to_user: str) -> None:
        """Gives memories to another user: the same ids and vectors under his keys. Recorded in the open run."""
        scope = self._scope_for(to_user)
        first = int(self._session.value(sql("reserve_rids"), {"scope": scope, "count": len(records)}))
        entries: list[Entry] = []
        for place, record in enumerate(records):
            old = self._state(record)
            whose = {"rid": (scope << SCOPE_BITS) + first + place, "scope": scope, "user_id": to_user}
            row = old.row | whose | {"version": record.version + 1}
            entries.append(("UPDATE", "moved", old, State(row=row, vectors=old.vectors, links=old.links)))
        self._writer.write(self._open, entries)

    # ---------------------------------------------------------------------------------------------- undo

    def run_of(self, user_id: str, change_id: str) -> tuple[int, int | None]:
        """(run, the run it undid) of a change of this user.

        Raises:
            NotFound: no such change.
        """
        row = self._session.one(sql("run_by_change"), {"scope": self._scope(user_id), "change_id": change_id})
        if row is None:
            raise NotFound(f"no change {change_id} of this user: changes() lists them")
        return int(row[0]), row[4]

    def undone_by(self, run: int) -> tuple[int, str] | None:
        """(run, change id) of the undo of `run` that stands, if one does."""
        tree = self._session.rows(sql("undo_tree"), {"runs": json.dumps([run])})
        stands = standing(tree)
        return next(((other, change) for other, change, undoes in tree if undoes == run and other in stands), None)

    def in_the_way(self, user_id: str, run: int) -> list[tuple[int, str]]:
        """(run, change id) of later changes of the same memories that stand, newest first.

        A later change and its undo cancel out: neither is in the way.

        Raises:
            Stale: one of them is another user's, who got the memory by a move.
        """
        mine = self._scope(user_id)
        later = self._session.rows(sql("later_runs"), {"run": run})
        tree = self._session.rows(sql("undo_tree"), {"runs": json.dumps([row[0] for row in later])})
        stands = standing(tree)
        blocking = [row for row in later if row[0] in stands and (row[3] is None or row[3] <= run)]
        for _, change, scope, _ in blocking:
            if scope != mine:
                raise Stale(f"another user changed a memory of that change since ({change}): it can't be undone", change)
        return [(other, change) for other, change, _, _ in blocking]

    def revert(self, run: int) -> list[tuple[str, str]]:
        """Takes a run back, under the open run: each memory it touched is as it was before. (id, event) of each.

        Raises:
            Erased, Expired: a before-image is gone.
            Stale: a memory is not as the run left it.
        """
        everything = self._session.records(sql("actions_of"), {"run": run})
        actions = [action for action in reversed(everything) if action["event"] != "NONE"]
        if not actions:  # noted all the same: the chain covers a run by its actions
            self.note(everything[0]["memory_id"], "nothing_to_undo")
            return []
        entries = [self._reversed(action) for action in actions]
        self._writer.write(self._open, entries)
        return [(action["memory_id"], entry[0]) for action, entry in zip(actions, entries, strict=True)]

    def _reversed(self, action: Mapping[str, Any]) -> Entry:
        memory_id = action["memory_id"]
        now = self._find(memory_id)
        if (now.hash if now else None) != action["after_hash"]:
            raise Stale(f"{memory_id} is not as that change left it: history() tells what happened since")
        if action["event"] == "ADD":
            return "DELETE", None, now, None
        if action["state"] == "erased":
            raise Erased(f"the text of {memory_id} before that change was erased: it can't be undone")
        if action["state"] != "kept":
            raise Expired(f"the text of {memory_id} before that change is past its retention: it can't be undone")
        if payload_hash(action) != action["payload_hash"]:
            raise Damaged(f"the text of {memory_id} before that change was altered: it can't be undone, run memlite check")
        row, links = from_image(action["image"])
        row["version"] = max(row["version"], now.row["version"] if now else 0) + 1
        if now:  # what was recalled since then stays recalled
            row["accessed_ms"] = max(row["accessed_ms"], now.row["accessed_ms"])
            row["access_count"] = max(row["access_count"], now.row["access_count"])
        before = State(row=row, vectors=unpack(action["vectors"]), links=tuple(links))
        return ("UPDATE" if now else "ADD"), None, now, before

    def _scope(self, user_id: str) -> int | None:
        """The number of a user; None where he has none yet."""
        if user_id not in self._scopes:
            scope = self._session.value(sql("scope_of"), {"user_id": user_id})
            if scope is None:
                return None
            self._scopes[user_id] = int(scope)
        return self._scopes[user_id]

    def _scope_for(self, user_id: str) -> int:
        """The number of a user, given to him now where he has none yet."""
        scope = self._scope(user_id)
        return int(self._session.value(sql("add_scope"), {"user_id": user_id})) if scope is None else scope

    def _reserve(self, count: int) -> int:
        scope = self._open.scope
        return (scope << SCOPE_BITS) + int(self._session.value(sql("reserve_rids"), {"scope": scope, "count": count}))

    def _rows(self, user_id: str, ids: Sequence[str]) -> list[dict[str, Any]]:
        rows = self._session.records(sql("by_ids"), {"scope": self._scope(user_id), "ids": json.dumps(list(ids))})
        return [row | {"user_id": user_id} for row in rows]

    def _state(self, record: Record) -> State:
        """The state of a memory as the file has it now.

        Raises:
            Stale: it is gone or has another version than `record`.
        """
        rows = self._rows(record.user_id, [record.id])
        if not rows or rows[0]["version"] != record.version:
            raise Stale(f"{record.id} changed meanwhile (version {record.version} was read): read it again and repeat")
        return self._writer.state_of(rows[0])

    def _find(self, memory_id: str) -> State | None:
        rows = self._session.records(sql("by_id"), {"id": memory_id})
        return self._writer.state_of(rows[0]) if rows else None


def mismatch(session: Session, info: SpaceInfo) -> str:
    """What to say when a file's space and the model at hand differ."""
    row = session.records(sql("active_space"))[0]
    return (
        f"the file's vectors were made by {row['model']} ({row['dimension']} numbers), this model is {info.model} "
        f"({info.dimension}): open it with that model, run reembed, or search with preset='lexical'"
    )


def _links(draft: Draft) -> tuple[tuple[str, str, str], ...]:
    return tuple(sorted((draft.record.id, parent, relation) for parent, relation in draft.links))


def _vectors(draft: Draft, space: int | None) -> tuple[tuple[int, bytes, bool], ...]:
    if space is None or draft.encoded is None or draft.encoded.vector is None:
        return ()
    return ((space, draft.encoded.vector.tobytes(), draft.encoded.truncated),)
