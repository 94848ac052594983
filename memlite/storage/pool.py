"""The sessions of a file: one a thread, and none carried over a fork.

SQLite keeps, for each process, a table of the files it has open and the locks it holds on them. A forked child inherits that
table but not the locks. A connection it opens while an inherited one is open takes no locks at all: when the parent closes,
the log is removed under the child, and what the child was told is stored is lost (ten of ten commits in our test). So a fork
waits for a moment in which no statement and no change runs in this process, and the child closes what it inherited before it
opens anything. Closing writes nothing there: the parent still holds its lock on the file.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memlite.errors import Busy, StorageError
from memlite.settings import Settings
from memlite.storage import gate
from memlite.storage.connection import Session

_opening = threading.Lock()
_unclosed: list[object] = []  # what can't be closed safely is kept from being closed by accident


class Pool:
    """The sessions of one file: each thread gets its own, a forked child starts anew. `identity`: its device and inode."""

    def __init__(self, path: Path, identity: tuple[int, int], settings: Settings, read_only: bool) -> None:
        self.path = path
        self._identity = identity
        self._settings = settings
        self._read_only = read_only
        self._closed = False
        self._unsafe = False
        self._start()
        _pools.add(self)

    def _start(self) -> None:
        self._local = threading.local()
        self._sessions: dict[int, tuple[threading.Thread, Session]] = {}
        self._guard = threading.Lock()
        self.write_lock = threading.RLock()  # so that only its owner can release it

    def session(self) -> Session:
        """This thread's session, opened at its first use.

        Raises:
            StorageError: the store was closed, the process was forked in the middle of a change, or the file can't be opened.
        """
        session: Session | None = getattr(self._local, "session", None)
        if session is not None:
            return session
        self._refuse_closed()
        if self._unsafe:
            raise StorageError("this process was forked in the middle of a change: use the parent, or start a new process")
        with _opening:
            mode = gate.reading_mode(self.path) if self._read_only else "mode=rw"
            self._refuse_replaced()
            session = Session(self.path, self._settings, self._read_only, mode)
        with self._guard:
            if self._closed:  # meanwhile
                session.close()
            self._refuse_closed()
            for ident, (thread, idle) in list(self._sessions.items()):
                if not thread.is_alive():
                    idle.close()
                    del self._sessions[ident]
            self._sessions[threading.get_ident()] = (threading.current_thread(), session)
            self._local.session = session
        return session

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StorageError("this store was closed: open a new Memory")

    @contextmanager
    def changing(self, wait_ms: int | None = None) -> Iterator[Session]:
        """This thread's session inside one change. Threads queue here, processes at the file's lock. Not nestable.

        Raises:
            Busy: a writer was in the way for longer than `wait_ms`, by default `busy_ms`.
        """
        wait = self._settings.busy_ms if wait_ms is None else wait_ms
        session = self.session()
        if session.in_transaction:
            raise StorageError("a change is already open in this thread: changes do not nest")
        try:
            self._take_turn(wait)
            session.begin(wait)
            yield session
            self._refuse_replaced()
            session.commit()
        except BaseException:  # Ctrl-C too
            session.roll_back()
            raise
        finally:
            try:  # noqa: SIM105 - a call of Python code could be interrupted before it does anything
                self.write_lock.release()
            except RuntimeError:  # no turn was taken; a variable could not say so if Ctrl-C came right after
                pass

    @contextmanager
    def alone(self, wait_ms: int | None = None) -> Iterator[None]:
        """Holds off other threads' changes.

        Raises:
            Busy: another thread's change took longer than `wait_ms`, by default `busy_ms`.
        """
        try:
            self._take_turn(self._settings.busy_ms if wait_ms is None else wait_ms)
            yield
        finally:
            try:  # noqa: SIM105 - as above
                self.write_lock.release()
            except RuntimeError:
                pass

    def _take_turn(self, wait_ms: int) -> None:
        if not self.write_lock.acquire(timeout=wait_ms / 1000):
            raise Busy(f"another thread held the file for over {wait_ms} ms: try again or raise busy_ms")

    def _refuse_replaced(self) -> None:
        """What is written to a file that was deleted or replaced goes with it, however soundly it was stored."""
        if self._replaced():
            raise StorageError(
                f"{self.path} was deleted or replaced while it was open, so nothing was changed: put the file back, or close "
                "this store and open a new Memory"
            )

    def _replaced(self) -> bool:
        try:
            status = self.path.stat()
        except OSError:
            return True
        return (status.st_dev, status.st_ino) != self._identity

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Closes every thread's connection. Calling it again does nothing."""
        with self._guard:
            self._closed = True
            sessions = [session for _, session in self._sessions.values()]
            self._sessions = {}
            self._local = threading.local()
        if self._replaced():  # SQLite would remove the log of the file that has the name now
            _unclosed.extend(sessions)
        else:
            for session in sessions:
                session.close()
        _pools.discard(self)

    # ---------------------------------------------------------------------------------------------- forks

    def hold(self) -> bool:
        """Before a fork: waits until no change and no statement runs. Whether no change is open now."""
        mine: Session | None = getattr(self._local, "session", None)
        inside = mine is not None and mine.in_transaction  # a fork inside one's own change: waiting would not end it
        quiet = not inside and self.write_lock.acquire(timeout=self._settings.busy_ms / 1000)
        self._guard.acquire()
        for _, session in self._sessions.values():
            session.lock.acquire()
        return quiet

    def release(self, quiet: bool) -> None:
        """After the fork, in the parent: everything goes on."""
        for _, session in self._sessions.values():
            session.lock.release()
        self._guard.release()
        if quiet:
            self.write_lock.release()

    def start_anew(self, quiet: bool) -> None:
        """After the fork, in the child: closes what it inherited, if nothing of the parent's can be hurt by that."""
        for _, session in self._sessions.values():
            if quiet:
                session.lock.release()
                session.close()
            else:
                _unclosed.append(session)
        self._unsafe = not quiet and bool(self._sessions)
        self._start()


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()
_held: list[tuple[Pool, bool]] = []


def _before_fork() -> None:
    _opening.acquire()
    _held[:] = [(pool, pool.hold()) for pool in list(_pools)]


def _after_fork_in_parent() -> None:
    for pool, quiet in _held:
        pool.release(quiet)
    _held.clear()
    _opening.release()


def _after_fork_in_child() -> None:
    for pool, quiet in _held:
        pool.start_anew(quiet)
    _held.clear()
    _opening.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
