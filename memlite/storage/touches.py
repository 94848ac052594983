"""Recalls refresh a memory's access time; the refreshing waits in memory until something is written anyway."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable

from memlite.storage.connection import Session
from memlite.storage.queries import sql


class Touches:
    """Access times and counts not yet written. Best effort: a crash loses them, and nothing but recency depends on them."""

    def __init__(self, wait_ms: float) -> None:
        self._wait_ms = wait_ms
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[int, int]] = {}
        self._since: int | None = None

    def _held(self) -> threading.Lock:
        if self._pid != os.getpid():  # a child leaves its parent's notes to the parent, and its lock may be held there
            self._start()
        return self._lock

    def add(self, rids: Iterable[int], at_ms: int) -> None:
        """Notes that these memories were recalled."""
        with self._held():
            for rid in rids:
                latest, times = self._waiting.get(rid, (0, 0))
                self._waiting[rid] = max(latest, at_ms), times + 1
            if self._waiting and self._since is None:
                self._since = at_ms

    def due(self, now_ms: int) -> bool:
        """Whether the oldest note has waited long enough to be written on its own."""
        with self._held():
            return self._since is not None and abs(now_ms - self._since) >= self._wait_ms

    def rids(self) -> list[int]:
        """The keys of the memories noted."""
        with self._held():
            return sorted(self._waiting)

    def take(self) -> list[dict[str, int]]:
        """The notes as parameters of the `touch` statement, ordered by key; they are no longer kept here."""
        with self._held():
            if not self._waiting:
                return []
            waiting, self._waiting, self._since = self._waiting, {}, None
        return [{"rid": rid, "at_ms": at, "times": times} for rid, (at, times) in sorted(waiting.items())]

    def give_back(self, notes: Iterable[dict[str, int]]) -> None:
        """Keeps notes whose change was rolled back."""
        with self._held():
            for note in notes:
                latest, times = self._waiting.get(note["rid"], (0, 0))
                self._waiting[note["rid"]] = max(latest, note["at_ms"]), times + note["times"]
                self._since = note["at_ms"] if self._since is None else self._since


def write(session: Session, notes: list[dict[str, int]]) -> None:
    """Writes notes inside a change: access times, and what was recalled of late."""
    session.many(sql("touch"), notes)
    session.many(sql("log_recall"), notes)
    session.run(sql("trim_recall_log"))
