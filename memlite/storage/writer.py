"""The one way to write: a memory's row, vectors, words, filter rows, links and audit entry change together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from memlite.errors import Damaged
from memlite.rules.filters import flatten
from memlite.rules.terms import segmented
from memlite.storage.audit import Run, State, Trail
from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import space_key

Entry = tuple[str, str | None, State | None, State | None]
"""(event, reason, state before, state after) of one memory."""


class Writer:
    """Turns states into rows inside one transaction.

    Attributes:
        trail: the audit's chain, to be continued.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.trail = Trail.continued(session)

    @cached_property
    def spaces(self) -> list[int]:
        """Numbers of the file's embedding spaces."""
        return [row[0] for row in self._session.rows(sql("each_space"))]

    def write(self, run: Run, entries: Sequence[Entry]) -> None:
        """Makes each memory's state what it is to be, and records it. Full-text entries around it follow."""
        affected = self._affected(entries)
        added = [new for _, _, old, new in entries if new is not None and (old is None or old.rid != new.rid)]
        if known := sorted(affected.difference(state.rid for state in added)):
            self._session.run(sql("unindex_words"), {"rids": json.dumps(known)})
        for _, _, old, new in entries:
            if old is not None and (new is None or new.rid != old.rid):
                self._erase_row(old)
            elif old is not None and new is not None:
                self._change_row(old, new)
        self._add_rows(added)
        self._session.run(sql("index_words"), {"rids": json.dumps(sorted(affected))})
        self.trail.append(run, ((_id(old, new), event, reason, old, new) for event, reason, old, new in entries))

    def _affected(self, entries: Sequence[Entry]) -> set[int]:
        """The keys whose full-text entry changes: the memories' own and those of the turns around them."""
        rids: set[int] = set()
        places: dict[tuple[int, str], list[int]] = {}
        for state in [state for entry in entries for state in entry[2:] if state is not None]:
            row, seq = state.row, state.row["seq"]
            rids.add(row["rid"])
            if seq is not None and row["session_id"] is not None:
                span = places.setdefault((row["scope"], row["session_id"]), [seq, seq])
                span[:] = min(span[0], seq), max(span[1], seq)
        for (scope, session_id), (first, last) in places.items():
            found = self._session.rows(sql("around"), {"scope": scope, "places": json.dumps([[session_id, first, last]])})
            rids |= {row[0] for row in found}
        return rids

    def _add_rows(self, states: Sequence[State]) -> None:
        if not states:
            return
        self._session.many(sql("insert_memory"), [state.row for state in states])
        terms = [{"rid": s.rid, "content": words} for s in states if (words := segmented(s.row["content"]))]
        if terms:
            self._session.many(sql("insert_terms"), terms)
        metas = [pair for state in states for pair in _meta_rows(state)]
        if metas:
            self._session.many(sql("insert_meta"), metas)
        for state in states:
            self._add_links(state)
        self._add_vectors(states)

    def _change_row(self, old: State, new: State) -> None:
        self._expect(self._session.run(sql("update_memory"), new.row), new)
        if old.row["content"] != new.row["content"]:
            self._session.run(sql("delete_terms"), {"rid": old.rid})
            if words := segmented(new.row["content"]):
                self._session.run(sql("insert_terms"), {"rid": new.rid, "content": words})
        if old.row["metadata"] != new.row["metadata"]:
            self._session.run(sql("delete_meta"), {"rid": old.rid})
            self._session.many(sql("insert_meta"), _meta_rows(new))
        if old.links != new.links:
            self._session.run(sql("delete_links"), {"id": old.row["id"]})
            self._add_links(new)
        if old.vectors != new.vectors or old.row["status"] != new.row["status"]:
            self._drop_vectors(old)
            self._add_vectors([new])

    def _erase_row(self, old: State) -> None:
        self._drop_vectors(old)
        self._session.run(sql("delete_terms"), {"rid": old.rid})
        self._session.run(sql("delete_meta"), {"rid": old.rid})
        self._expect(self._session.run(sql("delete_memory"), old.row), old)

    def _add_vectors(self, states: Sequence[State]) -> None:
        embeddings: list[dict[str, Any]] = []
        bits: dict[int, list[dict[str, Any]]] = {}
        for state in states:
            for space, vector, truncated in state.vectors:
                key = space_key(space) + state.rid
                embeddings.append({"key": key, "v": vector, "hash": vector_hash(vector), "truncated": int(truncated)})
                if state.row["status"] == "active":
                    bits.setdefault(space, []).append({"rid": state.rid, "scope": state.row["scope"], "v": vector})
        if embeddings:
            self._session.many(sql("insert_embedding"), embeddings)
        for space, rows in bits.items():
            self._session.many(sql("insert_vector", space=space), rows)

    def _drop_vectors(self, state: State) -> None:
        for space, _, _ in state.vectors:
            self._session.run(sql("delete_embedding"), {"key": space_key(space) + state.rid})
            if state.row["status"] == "active":
                self._session.run(sql("delete_vector", space=space), {"rid": state.rid})

    def _add_links(self, state: State) -> None:
        for child, parent, relation in state.links:
            self._session.run(sql("insert_link"), {"child": child, "parent": parent, "relation": relation})

    def state_of(self, row: dict[str, Any]) -> State:
        """A row of `memories` with its vectors and links."""
        vectors = []
        for space in self.spaces:
            found = self._session.one(sql("embedding"), {"key": space_key(space) + row["rid"]})
            if found:
                vectors.append((space, found[0], bool(found[2])))
        links = tuple((c, p, r) for c, p, r in self._session.rows(sql("links_of"), {"id": row["id"]}))
        return State(row=row, vectors=tuple(vectors), links=links)

    @staticmethod
    def _expect(changed: int, state: State) -> None:
        if changed != 1:
            raise Damaged(f"{state.row['id']}: one row was to change, {changed} did: run memlite check")


def vector_hash(vector: bytes) -> bytes:
    """16 bytes that tell a flipped bit in a stored vector."""
    return hashlib.sha256(vector).digest()[:16]


def _meta_rows(state: State) -> list[dict[str, Any]]:
    if not state.row["metadata"]:
        return []
    scope, rid = state.row["scope"], state.rid
    pairs: Iterable[tuple[str, Any]] = flatten(json.loads(state.row["metadata"]))
    return [{"scope": scope, "key": key, "value": value, "rid": rid} for key, value in pairs]


def _id(old: State | None, new: State | None) -> str:
    state = new or old
    if state is None:
        raise AssertionError("an entry has a state before or after")
    return str(state.row["id"])
