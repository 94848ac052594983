"""Distilling in the background: one thread of a store, which lives as long as there is something to read."""

from __future__ import annotations

import os
import threading

from memlite.engine.kit import Kit
from memlite.errors import MemliteError

_JOIN_S = 5.0


class Worker:
    """Reads the inbox while the caller goes on. A failure of the model leaves the turns waiting for the next wake or `flush`."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._again = False
        self._stopped = False

    def wake(self) -> None:
        """Has the inbox read, now or once more after what is being read."""
        if self._pid != os.getpid():  # a forked child has none of its parent's threads
            self._start()
        with self._lock:
            if self._stopped:
                return
            self._again = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="memlite-inbox", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Waits a moment for what is being read; what is not done by then stays in the inbox."""
        if self._pid != os.getpid():
            return
        with self._lock:
            self._stopped, thread = True, self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_S)

    def _run(self) -> None:
        from memlite.engine import inbox  # noqa: PLC0415 - its patterns are slow to compile, and a search needs none

        while self._wanted():
            try:
                inbox.drain_all(self._kit)
            except MemliteError:  # the store was closed, is busy or full: the inbox keeps it, and flush() tells
                continue

    def _wanted(self) -> bool:
        with self._lock:
            wanted = self._again and not self._stopped
            self._again = False
            if not wanted:
                self._thread = None
            return wanted
