"""The port to the engine; longer than the house limit because it has a method for each question, of a few lines each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from memlite.errors import Damaged, ReadOnly, SpaceMismatch, StorageError
from memlite.ids import NewId
from memlite.model import Change, Hit, Record
from memlite.ports import RecallQuery, SpaceInfo
from memlite.rules.filters import Group
from memlite.settings import Settings
from memlite.storage import alike, counts, gate, inbox, log, migrate, past, sweep, touches
from memlite.storage.check import Checker
from memlite.storage.connection import Session, refused, require_driver
from memlite.storage.filters import compiled
from memlite.storage.pool import Pool
from memlite.storage.queries import sql
from memlite.storage.rows import key_range, space_info, to_record
from memlite.storage.search import Searcher
from memlite.storage.touches import Touches
from memlite.storage.tx import Tx, mismatch
from memlite.values import AlikeQuery, Page, Problem, Waiting


class Store:
    """One memlite file. Safe to share between threads; a forked child may go on using it.

    Args:
        path: the file; made when it is not there, unless `read_only`.
        settings: durability, cache and waiting times.
        new_id: makes public ids.
        read_only: nothing is written, not even access times.

    Raises:
        BadInput: the path is empty, a folder, too long, or its folder does not exist.
        NotMemlite, FileTooNew, Damaged, ReadOnly, StorageError: the file can't be used, and was not touched.
        Busy: others kept it locked while it was opened.
    """

    def __init__(self, path: str | os.PathLike[str], settings: Settings, new_id: NewId, *, read_only: bool = False) -> None:
        require_driver()
        self.path = gate.resolved(path)
        self.read_only = read_only
        self._new_id = new_id
        known = migrate.steps()
        gate.refuse_network(self.path)
        self._identity = gate.enter(self.path, migrate.newest(known), read_only=read_only)
        self._pool = Pool(self.path, self._identity, settings, read_only)
        self._touches = Touches(settings.touch_seconds * 1000)
        try:
            session = self._pool.session()
            if not read_only:
                with self._pool.alone():
                    migrate.prepare(session, self.path, known)
            else:
                application_id, version = _numbers(session)
                gate.judge(self.path, application_id, version, migrate.newest(known))
                if version < migrate.newest(known):
                    raise ReadOnly(f"{self.path} has the older format {version}: open it once without read_only=True")
            migrate.verify(session, self.path, known)
        except BaseException:
            self._pool.close()
            gate.leave(self._identity)
            raise

    def close(self, now_ms: int) -> None:
        """Writes waiting access times where that needs no waiting, and closes every connection."""
        if self._pool.closed:
            return
        self.flush_touches(now_ms)
        self._pool.close()
        gate.leave(self._identity)

    # ---------------------------------------------------------------------------------------------- writing

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """One change: all of it is in the file afterwards, or none. Not nestable; nothing slow belongs inside.

        Raises:
            Busy: another writer held the file for longer than `busy_ms`.
            ReadOnly: the store was opened read-only.
        """
        notes: list[dict[str, int]] = []
        try:
            with self._pool.changing() as session:
                notes = self._touches.take()
                if notes:
                    touches.write(session, notes)
                yield Tx(session, self._new_id)
        except BaseException:
            self._touches.give_back(notes)
            raise

    def flush_touches(self, now_ms: int, *, only_due: bool = False) -> None:
        """Writes waiting access times; when the file is busy they keep waiting."""
        if self.read_only or (only_due and not self._touches.due(now_ms)):
            return
        notes = self._touches.take()
        if not notes:
            return
        try:
            with self._pool.changing(wait_ms=0) as session:
                touches.write(session, notes)
        except StorageError:  # best effort: recency of a recall is not worth failing a search
            self._touches.give_back(notes)

    # ---------------------------------------------------------------------------------------------- reading

    def get(self, user_id: str, ids: Sequence[str]) -> list[Record]:
        """The user's memories among `ids`, whatever their status, in the order of `ids`."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return []
        rows = session.records(sql("by_ids"), {"scope": scope["scope"], "ids": json.dumps(list(ids))})
        return [to_record(row, user_id) for row in rows]

    def successors(self, user_id: str, memory_id: str) -> tuple[str, ...]:
        """Ids of what replaced a memory, oldest first, and theirs, as far as they are the user's."""
        session = self._pool.session()
        found: list[str] = []
        queue = [memory_id]
        while queue:
            for (child,) in session.rows(sql("successors"), {"id": queue.pop(0)}):
                if child not in found:
                    found.append(child)
                    queue.append(child)
        return tuple(record.id for record in self.get(user_id, found))

    def page(self, user_id: str, filters: Group | None, status: str, limit: int, cursor: str | None, now_ms: int | None) -> Page:
        """The user's memories that pass, newest first. `cursor` is what the page before gave; no `now_ms` = expired ones too.

        Raises:
            BadInput: the cursor is none of ours.
        """
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return Page(records=(), cursor=None)
        filter_sql, params = compiled(filters)
        before = scope["high"] + 1 if cursor is None else scope["low"] + past.place(cursor)
        statement = sql("page").replace("@filter@", filter_sql)
        values = {**scope, **params, "before": before, "status": status, "limit": limit + 1, "now_ms": now_ms}
        rows = session.records(statement, values)
        more = rows[limit - 1]["rid"] - scope["low"] if len(rows) > limit else None
        records = tuple(to_record(row, user_id) for row in rows[:limit])
        return Page(records=records, cursor=None if more is None else f"c{more:x}")

    def recall(self, user_id: str, query: RecallQuery, *, touch: bool) -> tuple[list[Hit], bool]:
        """(the best memories, best first; whether the ranking is exact by construction)."""
        session = self._pool.session()
        with session.snapshot():
            scope = self._scope(session, user_id)
            if scope is None:
                return [], True
            active = session.one(sql("active_space"))
            space = int(active[0]) if active else None
            hits, exact = self._searcher(session).recall(user_id, scope, space, query)
            hits = [hit for hit in hits if query.floor is None or hit.score >= query.floor]
            if touch and hits and not self.read_only:
                ids = json.dumps([hit.record.id for hit in hits])
                rids = session.rows(sql("rids_of"), {"scope": scope["scope"], "ids": ids})
                self._touches.add((rid for (rid,) in rids), query.now_ms)
        return hits, exact

    def same_text(self, user_id: str, area: str, content_hash: str, now_ms: int) -> tuple[str, str] | None:
        """(id, text) of the user's oldest active memory of that area with the same normalised text."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return None
        params = {"scope": scope["scope"], "area": area, "content_hash": bytes.fromhex(content_hash), "now_ms": now_ms}
        row = session.one(sql("same_text"), params)
        return (row[0], row[1]) if row else None

    def waiting(self, user_id: str | None, limit: int) -> list[Waiting]:
        """What waits to be distilled, oldest first; of all users where none is named."""
        session = self._pool.session()
        scope = None if user_id is None else self._scope(session, user_id)
        if user_id is not None and scope is None:
            return []
        return inbox.waiting(session, scope["scope"] if scope else None, limit)

    def next_waiting(self, user_id: str, session_id: str | None, item: int) -> Waiting | None:
        """The first waiting item of a session from `item` on."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        return None if scope is None else inbox.next_of(session, scope["scope"], session_id, item)

    def acquire_lease(self, name: str, holder: str, *, now_ms: int, ttl_ms: int) -> int | None:
        """The token of a lease; None while another holds it."""
        with self._pool.changing() as session:
            row = {"name": name, "holder": holder, "now_ms": now_ms, "ttl_ms": ttl_ms}
            token = session.value(sql("acquire_lease"), row)
        return None if token is None else int(token)

    def renew_lease(self, name: str, token: int, *, now_ms: int, ttl_ms: int) -> bool:
        """Whether the lease was still held, and so was prolonged."""
        with self._pool.changing() as session:
            return session.run(sql("renew_lease"), {"name": name, "token": token, "now_ms": now_ms, "ttl_ms": ttl_ms}) == 1

    def release_lease(self, name: str, token: int) -> None:
        """Gives a lease back."""
        with self._pool.changing() as session:
            session.run(sql("release_lease"), {"name": name, "token": token})

    def recalled(self, user_id: str, since_ms: int, limit: int) -> list[Record]:
        """The user's memories recalled since then, the latest first; also those whose access is not written yet."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return []
        fresh = json.dumps(self._touches.rids())
        params = {**scope, "since_ms": since_ms, "limit": limit, "fresh": fresh}
        return [to_record(row, user_id) for row in session.records(sql("recalled"), params)]

    def citing(self, user_id: str, turns: Sequence[str]) -> list[Record]:
        """The user's memories that rest on any of these turns, in the order they were made."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return []
        params = {"scope": scope["scope"], "turns": json.dumps(list(turns))}
        return [to_record(row, user_id) for row in session.records(sql("citing"), params)]

    def last_turns(self, user_id: str, session_id: str, limit: int) -> list[Record]:
        """The latest turns of a session, oldest first."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return []
        params = {"scope": scope["scope"], "session_id": session_id, "limit": limit}
        return [to_record(row, user_id) for row in session.records(sql("last_turns"), params)][::-1]

    def alike(self, user_id: str, query: AlikeQuery) -> list[tuple[Record, float | None, float]]:
        """(memory, relevance or None where no vectors were compared, coverage) of the likest, the likest first."""
        session = self._pool.session()
        with session.snapshot():
            scope = self._scope(session, user_id)
            if scope is None:
                return []
            active = session.records(sql("active_space"))
            space = (int(active[0]["space"]), int(active[0]["dimension"])) if active else None
            return alike.alike(session, user_id, scope, space, query)

    def swept(self, user_id: str, area: str | None, cursor: str | None, limit: int, now_ms: int) -> Page:
        """Part of what a sweep may change, by key. The cursor is the last one's place, None for an empty page.

        Raises:
            BadInput: the cursor is none of ours.
        """
        session, after = self._pool.session(), 0 if cursor is None else past.place(cursor)
        scope = self._scope(session, user_id)
        return sweep.page(session, user_id, scope, area, after, limit, now_ms) if scope else Page(records=(), cursor=None)

    def count_swept(self, user_id: str, area: str | None, now_ms: int) -> int:
        """How many active memories the user has, turns aside."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        return sweep.count(session, scope, area, now_ms) if scope else 0

    def vector_of(self, user_id: str, memory_id: str) -> tuple[bytes, bool] | None:
        """(vector of the active space as float32 bytes, whether it is of the beginning only) of a memory, if it has one."""
        session = self._pool.session()
        with session.snapshot():
            scope = self._scope(session, user_id)
            return sweep.vector_of(session, scope, memory_id) if scope else None

    def active_space(self) -> SpaceInfo | None:
        """The space the file's vectors belong to; None where it holds none yet."""
        rows = self._pool.session().records(sql("active_space"))
        return space_info(rows[0]) if rows else None

    def require_space(self, info: SpaceInfo) -> None:
        """Makes sure that the file's vectors, if it has any, were made by this model.

        Raises:
            SpaceMismatch: another model made them.
        """
        session = self._pool.session()
        found = session.one(sql("active_fingerprint"))
        if found and found[1] != info.fingerprint:
            raise SpaceMismatch(mismatch(session, info))

    def result_of(self, user_id: str, key: str) -> tuple[str, bytes, list[tuple[str, str, str | None, str | None]]] | None:
        """(change id, hash of the request, (memory id, event, reason, action)s) of the change made under an idempotency key."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        row = session.one(sql("run_by_key"), {"scope": scope["scope"], "key": key}) if scope else None
        if row is None:
            return None
        actions = session.records(sql("actions_of"), {"run": row[0]})
        return row[1], row[2], [(a["memory_id"], a["event"], *past.told(a)) for a in actions]

    # ---------------------------------------------------------------------------------------------- history

    def history(self, user_id: str, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first: event, texts before and after, change, time; text None = dropped."""
        session = self._pool.session()
        with session.snapshot():
            scope = self._scope(session, user_id)
            if scope is None:
                return []
            actions = session.records(sql("history"), {"scope": scope["scope"], "id": memory_id})
            live = session.records(sql("by_ids"), {"scope": scope["scope"], "ids": json.dumps([memory_id])})
        return past.entries(actions, live[0]["content"] if live else None)

    def changes(self, user_id: str, limit: int, cursor: str | None) -> tuple[list[Change], str | None]:
        """(the user's changes, newest first; cursor of the rest or None)."""
        session = self._pool.session()
        with session.snapshot():
            scope = self._scope(session, user_id)
            if scope is None:
                return [], None
            before = 2**62 if cursor is None else past.place(cursor)
            return past.changes(session, scope["scope"], user_id, before, limit)

    def log(self, user_id: str, limit: int, cursor: str | None, *, rejected: bool) -> tuple[list[dict[str, Any]], str | None]:
        """(decisions about new memories, or the texts not worth keeping, newest first; cursor of the rest or None)."""
        session = self._pool.session()
        read = log.rejected if rejected else log.decided
        with session.snapshot():
            scope = self._scope(session, user_id)
            if scope is None:
                return [], None
            entries = read(session, scope["scope"], 2**62 if cursor is None else past.place(cursor), limit + 1)
        return entries[:limit], f"c{entries[limit - 1]['action']:x}" if len(entries) > limit else None

    # ---------------------------------------------------------------------------------------------- the whole file

    def users(self) -> list[tuple[str, int, int]]:
        """(user id, memories, last change in ms) of each user who has any, by name."""
        return [(row[0], row[1], row[2]) for row in self._pool.session().rows(sql("all_users"))]

    def sessions(self, user_id: str) -> list[tuple[str, int, int, int, int]]:
        """(session id, memories, turns, first and last occurred in ms), latest first."""
        session = self._pool.session()
        scope = self._scope(session, user_id)
        if scope is None:
            return []
        return [(r[0], r[1], r[2], r[3], r[4]) for r in session.rows(sql("all_sessions"), {"scope": scope["scope"]})]

    def stats(self, user_id: str | None) -> dict[str, Any]:
        """Counts of a user, or of the file where `user_id` is None."""
        session = self._pool.session()
        with session.snapshot():
            scope = self._scope(session, user_id) if user_id is not None else None
            number = None if user_id is None else scope["scope"] if scope else -1
            found = counts.of(session, number, scope)
            if user_id is None:
                found |= counts.of_file(session) | {"users": len(self.users())}
        return found

    def check(self) -> list[Problem]:
        """Everything wrong with the file; see `Checker.problems`. In a file with damaged pages, no more than these."""
        words: list[Problem] = []
        if not self.read_only:  # FTS5's own check counts as a write
            with self._pool.changing() as session:
                words = Checker(session, self.path).words()
        found = Checker(self._pool.session(), self.path).problems()
        return found if any(problem.code in ("pages", "schema") for problem in found) else [*found, *words]

    def reindex(self) -> None:
        """Rebuilds everything derived from the memories and their vectors, in one transaction."""
        try:
            with self._pool.changing() as session:
                Checker(session, self.path).rebuild()
        except StorageError as error:
            if refused(error):
                raise Damaged(f"what the indexes are made of is damaged: {error}") from error
            raise

    def compact(self, drop_before_ms: int | None, now_ms: int) -> dict[str, int]:
        """Rebuilds what churn has spread out, drops undo texts older than that time, returns free pages to the system.

        Returns bytes of the file before and after, and the number of texts dropped.
        """
        before = self.path.stat().st_size
        with self._pool.changing() as session:
            dropped = session.run(sql("expire_due"), {"now_ms": now_ms})
            dropped += 0 if drop_before_ms is None else session.run(sql("expire_payloads"), {"before_ms": drop_before_ms})
            Checker(session, self.path).rebuild()
            session.run(sql("merge_words"))
        with self._pool.alone():
            session = self._pool.session()
            session.run("vacuum")
            session.shrink_log()
        return {"bytes_before": before, "bytes_after": self.path.stat().st_size, "texts_dropped": dropped}

    # ---------------------------------------------------------------------------------------------- inside

    @staticmethod
    def _scope(session: Session, user_id: str) -> dict[str, int] | None:
        scope = session.value(sql("scope_of"), {"user_id": user_id})
        return None if scope is None else {"scope": int(scope), **key_range(scope)}

    @staticmethod
    def _searcher(session: Session) -> Searcher:
        searcher: Searcher = session.searcher or Searcher(session)
        session.searcher = searcher
        return searcher


def _numbers(session: Session) -> tuple[int, int]:
    return session.value("pragma application_id"), session.value("pragma user_version")
