"""The facade and its wiring; longer than the house limit because every public verb carries its whole contract."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from memlite.embedding.onnx import OnnxEmbedder
from memlite.engine import amend, history, recall, remember, shape, upkeep
from memlite.engine.amend import KEEP
from memlite.engine.kit import Kit, Mind, rules_decide, rules_distil
from memlite.engine.worker import Worker
from memlite.errors import BadInput
from memlite.ids import Clock, SortableIds, system_clock
from memlite.model import Change, Hit, Record
from memlite.ports import Chat, Embedder
from memlite.rules import text as texts
from memlite.settings import Settings
from memlite.storage.store import Store

Time = datetime | str | int
"""A datetime (naive = UTC), an ISO 8601 text (no offset = UTC) or milliseconds since 1970."""


_NOTHING_GIVEN: Mapping[str, Any] = {
    **dict.fromkeys(("area", "kind", "importance", "confidence", "origin", "occurred_at", "expires_at", "idempotency_key")),
    "pinned": False,
}


class Memory:
    """The long-term memory of an agent: one SQLite file.

    >>> with Memory.in_memory() as memory:
    ...     added = memory.add("The user is allergic to peanuts.")
    ...     memory.search("Which food must be avoided? peanuts?")["results"][0]["memory"]
    'The user is allergic to peanuts.'

    Safe to share between threads, usable after a fork, and by several processes at once. A call that fails changes nothing.

    Args:
        path: the file; it is made where there is none, readable by its owner only.
        user_id: whose memories a call means that names no user.
        agent_id: provenance of what is added by a call that names no agent.
        chat: the model that distils conversations and decides what to merge, replace or update; None = deterministic rules do.
        embedder: what turns texts into vectors; None = `settings.model_path`, else the MiniLM that comes with memlite.
        settings: durability, cache, caps and waiting times.
        clock: gives UTC milliseconds; None = the system's.
        read_only: nothing is written, not even access times.

    Raises:
        BadInput: the path is empty, a folder, or in a folder that does not exist; or a bad user_id.
        NotMemlite, FileTooNew, Damaged, ReadOnly, OldSQLite: the file can't be used, and was left as it is.
        Busy: others kept the file locked while it was opened.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] = "memory.db",
        *,
        user_id: str = "default",
        agent_id: str | None = None,
        chat: Chat | None = None,
        embedder: Embedder | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        read_only: bool = False,
    ) -> None:
        chosen = Settings() if settings is None else settings
        user_id = texts.name(user_id, what="user_id")
        agent_id = None if agent_id is None else texts.name(agent_id, what="agent_id")
        _require("settings", chosen, isinstance(chosen, Settings), "a Settings")
        _require("clock", clock, clock is None or callable(clock), "a function that returns milliseconds")
        _require("read_only", read_only, isinstance(read_only, bool), "True or False")
        _require("chat", chat, chat is None or callable(getattr(chat, "ask", None)), "a Chat such as OllamaChat")
        clock = clock or system_clock
        new_id = SortableIds(clock)
        self._remove: weakref.finalize[Any, Any] | None = None
        self._kit = Kit(
            store=Store(path, chosen, new_id, read_only=read_only),
            embedder=embedder or _embedder(chosen),
            mind=_mind(chat, chosen),
            settings=chosen,
            clock=clock,
            new_id=new_id,
            user_id=user_id,
            agent_id=agent_id,
        )
        self._worker = Worker(self._kit)
        if not read_only and self._kit.store.waiting(None, 1):
            self._worker.wake()
        self.admin = Admin(self._kit)
        self.typed = Typed(self._kit)

    @classmethod
    def in_memory(cls, **options: Any) -> Memory:
        """A store in a private temporary file that is removed at `close`. Takes the options of `Memory` but for the path."""
        folder = tempfile.mkdtemp(prefix="memlite-")
        try:
            memory = cls(Path(folder) / "memory.db", **options)
        except BaseException:
            _remove_folder(folder, os.getpid())
            raise
        memory._remove = weakref.finalize(memory, _remove_folder, folder, os.getpid())
        return memory

    @property
    def user_id(self) -> str:
        """Whose memories a call means that names no user."""
        return self._kit.user_id

    # ---------------------------------------------------------------------------------------------- writing

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        consolidate: bool | str = True,
        area: str | None = None,
        kind: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        origin: str | None = None,
        occurred_at: Time | None = None,
        expires_at: Time | None = None,
        pinned: bool = False,
        idempotency_key: str | None = None,
        background: bool = False,
    ) -> dict[str, Any]:
        """`{"results": [{"id", "memory", "event", "reason", "action"}], "change_id", "change_ids"}`.

        A text is a deliberate save. It is compared with what is stored and merged with it, put in its place, used to update it or
        kept apart (`action`), each text as a change of its own; the event is ADD or UPDATE, DELETE of what it replaced, or NONE
        with the existing id for a text that this user's area already holds. A message dict (`role`, `content`, optional `name`
        and `timestamp`) is a turn of a conversation: it is stored as it was said, `turns` has the ids, and the lasting facts and
        solved problems found in it are the results. With `session_id` a turn gets its place there, is found by what was said
        around it as well, and the turns that the session ends with already are recognised when they are sent again.
        Where the model fails or is not there, nothing is lost: texts are stored as they came, and turns wait to be distilled
        (`waiting`, `failed`) until the next call of that session, `flush` or the next opening of the file.

        Args:
            messages: what to remember; at most `Settings.max_text_bytes` each. NUL and C0 control characters are removed, and
                secrets as `Settings.secrets` says.
            session_id: the conversation it belongs to; `run_id` is another name for it.
            metadata: JSON values of your own, usable in filters.
            infer: False stores every message as it comes, in batches of 1,000, each one change; one result a message, in order.
            consolidate: True or "full": the model or the rules decide. "simple": what is nearly the same, above relevance .90, is
                replaced. False or "off": no stored memory is touched.
            area: main (default), fragments or solutions; what is found in conversations goes to the latter two.
            kind: episodic (default for turns), semantic (default for texts) or procedural.
            importance: 0..1, default .5; it counts in steps of .1.
            confidence: 0..1, default 1.
            origin: user_stated, agent_inferred, tool_output, document, …; default by role.
            occurred_at: when it happened; default is the message's timestamp, else now.
            expires_at: from when on it is not returned.
            idempotency_key: a repeat with the same key and request returns the first result and stores nothing.
            background: turns are stored now and distilled by a thread; `flush` waits for it.

        Raises:
            BadInput: an argument is out of its range.
            Refused: a text holds what the settings refuse.
            Conflict: the idempotency key stood for another request.
            Busy, Full, ReadOnly: the file can't be written now.
        """
        given = _given(locals(), session_id=_either("session_id", session_id, run_id))
        answer = remember.add(self._kit, messages, given)
        if background:
            self._worker.wake()
        return answer

    def session(self, session_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> Session:
        """A conversation by its id: `add_turn` appends to it."""
        return Session(self, session_id, user_id=user_id, agent_id=agent_id)

    def _append(self, turn: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
        answer = remember.add(self._kit, turn, {**_NOTHING_GIVEN, **options}, resent=False)
        if options["background"]:
            self._worker.wake()
        return answer

    def flush(self) -> dict[str, int]:
        """`{"distilled", "failed", "waiting"}`: distils the turns that wait, whoever queued them; `waiting` counts what is left.

        Turns that wait for a model are not read by rules, nor the other way round; what another process is reading is left to it.
        """
        return remember.flush(self._kit)

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        data: str | None = None,
        user_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        importance: float | None = None,
        pinned: bool | None = None,
        occurred_at: Time | None = None,
        expires_at: Time | None = KEEP,
        area: str | None = None,
        kind: str | None = None,
        expected_version: int | None = None,
    ) -> dict[str, Any]:
        """The memory afterwards, with `event` (UPDATE, or NONE where nothing differed) and `change_id`. The id stays.

        Args:
            text: the new text; `data` is another name for it.
            metadata: keys to set; a key set to None is removed, others stay.
            expires_at: None lifts the expiry.
            expected_version: refuse if the memory has another version.

        Raises:
            NotFound: this user has no such memory.
            Stale: it has another version than expected.
            BadInput: an argument is out of its range, or there is nothing to change.
        """
        record, change_id = amend.update(self._kit, memory_id, _given(locals(), text=_either("text", text, data)))
        return shape.memory(record) | {"event": "UPDATE" if change_id else "NONE", "change_id": change_id}

    def delete(self, memory_id: str, *, user_id: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """`{"id", "memory", "event": "DELETE", "change_id"}`. `undo` brings it back.

        Raises:
            NotFound: this user has no such memory.
        """
        record, change_id = amend.delete(self._kit, memory_id, user_id, dry_run=dry_run)
        return {"id": record.id, "memory": record.content, "event": "DELETE", "change_id": change_id, "dry_run": dry_run}

    def delete_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        area: str | None = None,
        filters: Mapping[str, Any] | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """`{"deleted", "ids", "change_id"}`: removes the user's memories that pass, as one change that `undo` takes back.

        What has expired is removed with the rest.

        Raises:
            ScopeMissing: the call itself does not name the user.
        """
        given = _given(locals(), session_id=_either("session_id", session_id, run_id))
        ids, change_id = amend.delete_all(self._kit, given, verb="delete_all", dry_run=dry_run)
        return {"deleted": len(ids), "ids": ids, "change_id": change_id, "dry_run": dry_run}

    def reset(self, *, user_id: str | None = None, dry_run: bool = False) -> dict[str, Any]:
        """`{"deleted", "ids", "change_id"}`: removes every memory of the user, whatever its status. `undo` takes it back.

        Raises:
            ScopeMissing: the call itself does not name the user.
        """
        given = {"user_id": user_id, "filters": None, "status": "any"}
        ids, change_id = amend.delete_all(self._kit, given, verb="reset", dry_run=dry_run)
        return {"deleted": len(ids), "ids": ids, "change_id": change_id, "dry_run": dry_run}

    def move(
        self,
        ids: str | Sequence[str],
        *,
        user_id: str | None = None,
        to_user_id: str | None = None,
        to_session_id: str | None = None,
        to_agent_id: str | None = None,
        to_area: str | None = None,
    ) -> dict[str, Any]:
        """`{"results": [memory, …], "change_id"}`: gives memories to another user, session, agent or area. The ids stay.

        Raises:
            NotFound: one of the ids is none of this user's; nothing was moved.
            BadInput: no ids, or no target.
        """
        records, change_id = amend.move(self._kit, ids, _given(locals()))
        return {"results": [shape.memory(record) for record in records], "change_id": change_id}

    def consolidate(
        self,
        *,
        user_id: str | None = None,
        area: str | None = None,
        dry_run: bool = False,
        loss_budget: float = 0.2,
        batch: int = 100,
        cursor: str | None = None,
        progress: Callable[[Mapping[str, Any]], object] | None = None,
    ) -> dict[str, Any]:
        """Goes over what a user has stored and merges, replaces or updates what says the same or was overtaken.

        Each memory is compared with the older ones like it and decided about as if it had just come in: by the same model or
        rules, under the same checks. Turns and pinned memories are left alone. What changes a memory is one transaction and one
        change that `undo` takes back.

        Returns `{"examined", "decided", "merged", "replaced", "updated", "removed", "changes", "plan", "cursor", "refused",
        "dry_run"}`. `removed` is how many memories there are fewer. `changes`: `{"change_id", "action", "id", "removed"}` each.
        `plan`, for a dry run: `{"action", "before": [{"id", "memory"}, …], "after", "reason"}` each. An id that an earlier entry
        would have replaced by the same text stands for that; what follows from other texts made on the way is not in it.
        `refused` says why the sweep ended early, None = it is done. `cursor` goes on from there, None where nothing was begun.
        Results are looked at once more in the same sweep, so `examined` may be more than there were memories.

        Args:
            area: only this area.
            dry_run: change nothing, fill `plan`.
            loss_budget: the share of the memories at the start, 0..1, that may go, in all calls of one sweep together. Where the
                first batch alone would lose more, nothing is done; later the sweep stops before it does. Two sweeps at the same
                time have a budget each.
            batch: memories read at once, 1..1,000; a cursor goes on with a whole batch.
            cursor: go on where a call before stopped.
            progress: called after each memory with `{"examined", "planned", "total", "cursor"}`; a sweep that was killed goes on
                from the cursor. `planned` counts the memories of the first batch while it is only looked at; no cursor then.

        Raises:
            BadInput: an argument is out of its range.
            Busy, Full, ReadOnly: the file can't be written now; what was done before stays done.
        """
        return remember.consolidate(self._kit, _given(locals()))

    # ---------------------------------------------------------------------------------------------- reading

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        top_k: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        area: str | None = None,
        preset: str | None = None,
        weights: Mapping[str, float] | None = None,
        exact: bool = False,
        explain: bool = False,
        floor: float | None = None,
        touch: bool = True,
        status: str = "active",
    ) -> dict[str, Any]:
        """`{"results": [memory + {"score", "relevance", "coverage", "recency", "parts", "truncated"}], "exact"}`, best first.

        `parts` are the three terms whose sum is the score. `exact` tells whether the ranking is exact by construction (small
        scopes, and with `exact=True`) or statistical. Same file, clock and access times: same ranking. Ties by id.

        Args:
            query: a question or some words. FTS syntax in it means nothing.
            limit: most results, from 1; one above 4,096 counts as 4,096; `top_k` is another name for it.
            filters: conditions on fields and metadata, applied before anything is ranked; see README.
            preset: balanced (default), relevance_only, mission, generative_agents or lexical.
            weights: any of relevance, recency, importance (scaled to sum to 1) and dense (share of the vector leg, 0..1).
            exact: scan everything of the user.
            explain: add every number behind each score as `explain`.
            floor: leave out results with a lower score, 0..1.
            touch: count this as an access of what is returned, which refreshes its recency in some presets.
            status: active, pending, quarantined, archived, superseded or any.

        Raises:
            BadInput: an argument is out of its range.
            SpaceMismatch: the file's vectors were made by another model; preset="lexical" works without.
        """
        given = _given(locals(), session_id=_either("session_id", session_id, run_id), limit=limit if top_k is None else top_k)
        hits, exact = recall.search(self._kit, query, given)
        return {"results": [shape.hit(hit) for hit in hits], "exact": exact}

    def get(self, memory_id: str, *, user_id: str | None = None) -> dict[str, Any]:
        """A memory by its id, whatever its status.

        Raises:
            NotFound: this user has none; its `successors` are the ids of what replaced it.
        """
        return shape.memory(recall.get(self._kit, memory_id, user_id))

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, Any] | None = None,
        area: str | None = None,
        limit: int = 100,
        cursor: str | None = None,
        status: str = "active",
    ) -> dict[str, Any]:
        """`{"results": [memory, …], "cursor"}`, newest first. Pass `cursor` back for the next page; None = this was the last.

        What is written between two pages neither repeats nor hides a memory. At most 1,000 a page. What has expired is listed
        with `status="any"` only.
        """
        page = recall.get_all(self._kit, _given(locals(), session_id=_either("session_id", session_id, run_id)))
        return {"results": [shape.memory(record) for record in page.records], "cursor": page.cursor}

    # ---------------------------------------------------------------------------------------------- looking back

    def history(self, memory_id: str, *, user_id: str | None = None) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first: `{"memory_id", "old_memory", "new_memory", "event", "change_id", …}`.

        Works for one that is gone. A text that was dropped or erased is None.
        """
        return shape.history(memory_id, history.history(self._kit, memory_id, user_id))

    def changes(self, *, user_id: str | None = None, limit: int = 50, cursor: str | None = None) -> dict[str, Any]:
        """`{"results": [{"change_id", "verb", "at", "events", "undoes", "undone_by"}], "cursor"}`, newest first."""
        found, following = history.changes(self._kit, user_id, limit, cursor)
        return {"results": [shape.change(entry) for entry in found], "cursor": following}

    def log(
        self, *, user_id: str | None = None, limit: int = 50, cursor: str | None = None, rejected: bool = False
    ) -> dict[str, Any]:
        """`{"results", "cursor"}`: what was decided about new memories, newest first.

        Each: `requested` by the decider and `action` done, `reason` where they differ or no one was asked, `decider`, `memory`
        (the text it left), `before` (`{"id", "memory"}` of what it replaced or rewrote), `offered` (`{"id", "memory",
        "relevance", "coverage"}` of what it could choose from), `told` (the reasoning), `change_id`, `undone_by`.

        With `rejected`, the texts that were found in a conversation and not kept: `memory_id` of the turn, `reason`, `rejected`.
        Its text is kept for 7 days, the reason for good. A text that was dropped is None.
        """
        found, following = history.log(self._kit, user_id, limit, cursor, rejected=rejected)
        shaped = shape.rejection if rejected else shape.decision
        return {"results": [shaped(entry) for entry in found], "cursor": following}

    def undo(self, change_id: str, *, user_id: str | None = None, cascade: bool = False, dry_run: bool = False) -> dict[str, Any]:
        """`{"results": [{"id", "event"}], "change_id", "change_ids"}`: every memory of that change is as it was before it.

        Texts, metadata, vectors, status and links come back under the same ids; versions still grow. An undo is a change.

        Raises:
            Stale: a later change touched the same memories; `cascade=True` undoes those first, newest first.
            Conflict: it was undone already.
            Erased, Expired: the texts from before are gone.
        """
        return history.undo(self._kit, change_id, user_id, cascade=cascade, dry_run=dry_run)

    def redo(self, change_id: str, *, user_id: str | None = None) -> dict[str, Any]:
        """Makes a change again that was undone. The envelope of `undo`.

        Raises:
            Conflict: it was not undone.
        """
        return history.redo(self._kit, change_id, user_id)

    # ---------------------------------------------------------------------------------------------- the whole file

    def users(self) -> list[dict[str, Any]]:
        """`[{"user_id", "memories", "updated_at"}]` of every user with memories, by name."""
        return upkeep.users(self._kit)

    def sessions(self, *, user_id: str | None = None) -> list[dict[str, Any]]:
        """`[{"session_id", "memories", "turns", "first_at", "last_at"}]` of a user, the latest first."""
        return upkeep.sessions(self._kit, user_id)

    def stats(self, *, user_id: str | None = None) -> dict[str, Any]:
        """Counts by area, kind, status and granularity, of a user or (None) of the whole file, and the model in use."""
        return upkeep.stats(self._kit, user_id)

    def check(self, *, fix: bool = False) -> list[dict[str, Any]]:
        """`[{"code", "message", "repairable"}]`: everything wrong with the file; `[]` for a sound one.

        With `fix`, what can be rebuilt is, and what is left is returned. About a second for 20,000 memories.
        """
        return upkeep.check(self._kit, fix=fix)

    def close(self) -> None:
        """Writes waiting access times and closes the file. Calling it again does nothing."""
        self._worker.stop()
        self._kit.store.close(self._kit.clock())
        if self._remove is not None:
            self._remove()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


class Session:
    """One conversation of a store.

    >>> with Memory.in_memory() as memory:
    ...     told = memory.session("kitchen").add_turn("I'm allergic to peanuts, please remember that.")
    ...     [fact["memory"] for fact in told["results"]]
    ['The user is allergic to peanuts.']
    """

    def __init__(self, memory: Memory, session_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> None:
        self.id = texts.name(session_id, what="session_id")
        self._memory = memory
        self._scope = {
            "user_id": None if user_id is None else texts.name(user_id, what="user_id"),
            "agent_id": None if agent_id is None else texts.name(agent_id, what="agent_id"),
        }

    def add_turn(
        self,
        content: str,
        role: str = "user",
        *,
        name: str | None = None,
        timestamp: Time | None = None,
        infer: bool = True,
        consolidate: bool | str = True,
        background: bool = False,
        metadata: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Appends one turn, also one that repeats the last, and distils it; the envelope of `Memory.add` for a conversation."""
        turn = {"role": role, "content": content, "name": name, "timestamp": timestamp}
        options = {"infer": infer, "consolidate": consolidate, "background": background, "metadata": metadata}
        return self._memory._append(turn, {**self._scope, "session_id": self.id, **options})


class Admin:
    """What a keeper of the file does now and then."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def reindex(self) -> None:
        """Rebuilds both indexes and the filter table from the memories and their vectors. Needs no model."""
        self._kit.store.reindex()

    def compact(self) -> dict[str, int]:
        """`{"bytes_before", "bytes_after", "texts_dropped"}`: rebuilds what churn has spread out and frees its space.

        With `Settings.history_days`, undo texts older than that are dropped; their changes can't be undone any more. Texts
        rejected more than 7 days ago are dropped too; their reasons stay.
        """
        return upkeep.compact(self._kit)


class Typed:
    """The reading verbs with frozen values for results, times in UTC milliseconds. Arguments as in `Memory`."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def search(self, query: str, **options: Any) -> list[Hit]:
        """The best memories, best first."""
        return recall.search(self._kit, query, {**_SEARCH_DEFAULTS, **_known(options, _SEARCH_DEFAULTS)})[0]

    def get(self, memory_id: str, *, user_id: str | None = None) -> Record:
        """A memory by its id. Raises NotFound."""
        return recall.get(self._kit, memory_id, user_id)

    def get_all(self, **options: Any) -> tuple[list[Record], str | None]:
        """(a page of memories, newest first; the cursor of the next or None)."""
        page = recall.get_all(self._kit, {**_LIST_DEFAULTS, **_known(options, _LIST_DEFAULTS)})
        return list(page.records), page.cursor

    def changes(
        self, *, user_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> tuple[list[Change], str | None]:
        """(the user's changes, newest first; the cursor of the rest or None)."""
        return history.changes(self._kit, user_id, limit, cursor)


_SCOPE: dict[str, Any] = {
    "user_id": None,
    "agent_id": None,
    "session_id": None,
    "filters": None,
    "area": None,
    "status": "active",
}
_ALIASES = {"top_k": "limit", "run_id": "session_id"}
_LIST_DEFAULTS = _SCOPE | {"limit": 100, "cursor": None}
_SEARCH_DEFAULTS = _SCOPE | {
    "limit": 10,
    "preset": None,
    "weights": None,
    "exact": False,
    "explain": False,
    "floor": None,
    "touch": True,
}


def _mind(chat: Chat | None, settings: Settings) -> Mind:
    """Who decides and distils. Loaded at the first need: a search needs neither."""
    if chat is None:
        return Mind(rules_decide, rules_distil)
    from memlite.llm.decider import LLMDecider  # noqa: PLC0415 - pydantic is slow to import, and rules need none
    from memlite.llm.distiller import LLMDistiller  # noqa: PLC0415
    from memlite.llm.prompts import Prompts  # noqa: PLC0415

    prompts = Prompts(settings.prompts)
    decider, distiller = LLMDecider(chat, prompts), LLMDistiller(chat, prompts)
    return Mind(
        lambda: decider, lambda: distiller, kind="chat", window_chars=chat.max_chars // 2, asks_for_keywords=True, chat=chat.name
    )


def _embedder(settings: Settings) -> Embedder:
    if settings.model_path is None:
        return OnnxEmbedder.minilm(threads=settings.threads)
    return OnnxEmbedder.from_folder(settings.model_path, threads=settings.threads)


def _remove_folder(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child leaves its parent's store alone
        shutil.rmtree(folder, ignore_errors=True)


def _require(name: str, value: object, right: bool, wanted: str) -> None:
    if not right:
        raise BadInput(f"{name} is {type(value).__name__}: give {wanted}")


def _given(arguments: Mapping[str, Any], **settled: Any) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != "self"} | settled


def _either(name: str, value: Any, alias: Any) -> Any:
    if value is not None and alias is not None and value != alias:
        raise BadInput(f"{name} was given under two names with two values: give one")
    return alias if value is None else value


def _known(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> Mapping[str, Any]:
    for alias, name in _ALIASES.items():
        if alias in options:
            rest = {key: value for key, value in options.items() if key != alias}
            options = rest | {name: _either(name, options.get(name), options[alias])}
    unknown = sorted(options.keys() - defaults.keys())
    if unknown:
        raise BadInput(f"unknown option {unknown[0]}: give any of {', '.join(defaults)}")
    return options
