"""The same verbs for asyncio: each call runs on one of four threads and, once started, is finished whatever its caller does."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from memlite.errors import StorageError
from memlite.memory import Memory, Session

T = TypeVar("T")
_THREADS = 4


class AsyncMemory:
    """`Memory` for asyncio. Arguments, results and errors are those of `Memory`.

    A cancelled call still finishes in its thread, since a change is never left half done; only its result is dropped.
    """

    def __init__(self, path: str | os.PathLike[str] = "memory.db", **options: Any) -> None:
        self._memory = Memory(path, **options)
        self._closed = False
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="memlite")

    async def _call(self, verb: Callable[..., T], *args: Any, **options: Any) -> T:
        if self._closed:
            raise StorageError("this store was closed: open a new AsyncMemory")
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._threads, functools.partial(verb, *args, **options)))

    async def add(self, messages: Any, **options: Any) -> dict[str, Any]:
        """See `Memory.add`."""
        return await self._call(self._memory.add, messages, **options)

    async def flush(self) -> dict[str, int]:
        """See `Memory.flush`."""
        return await self._call(self._memory.flush)

    def session(self, session_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> AsyncSession:
        """See `Memory.session`."""
        return AsyncSession(self, self._memory.session(session_id, user_id=user_id, agent_id=agent_id))

    async def update(self, memory_id: str, text: str | None = None, **options: Any) -> dict[str, Any]:
        """See `Memory.update`."""
        return await self._call(self._memory.update, memory_id, text, **options)

    async def delete(self, memory_id: str, **options: Any) -> dict[str, Any]:
        """See `Memory.delete`."""
        return await self._call(self._memory.delete, memory_id, **options)

    async def delete_all(self, **options: Any) -> dict[str, Any]:
        """See `Memory.delete_all`."""
        return await self._call(self._memory.delete_all, **options)

    async def reset(self, **options: Any) -> dict[str, Any]:
        """See `Memory.reset`."""
        return await self._call(self._memory.reset, **options)

    async def move(self, ids: Any, **options: Any) -> dict[str, Any]:
        """See `Memory.move`."""
        return await self._call(self._memory.move, ids, **options)

    async def consolidate(self, **options: Any) -> dict[str, Any]:
        """See `Memory.consolidate`. `progress` is called in the call's own thread."""
        return await self._call(self._memory.consolidate, **options)

    async def search(self, query: str, **options: Any) -> dict[str, Any]:
        """See `Memory.search`."""
        return await self._call(self._memory.search, query, **options)

    async def get(self, memory_id: str, **options: Any) -> dict[str, Any]:
        """See `Memory.get`."""
        return await self._call(self._memory.get, memory_id, **options)

    async def get_all(self, **options: Any) -> dict[str, Any]:
        """See `Memory.get_all`."""
        return await self._call(self._memory.get_all, **options)

    async def history(self, memory_id: str, **options: Any) -> list[dict[str, Any]]:
        """See `Memory.history`."""
        return await self._call(self._memory.history, memory_id, **options)

    async def changes(self, **options: Any) -> dict[str, Any]:
        """See `Memory.changes`."""
        return await self._call(self._memory.changes, **options)

    async def log(self, **options: Any) -> dict[str, Any]:
        """See `Memory.log`."""
        return await self._call(self._memory.log, **options)

    async def undo(self, change_id: str, **options: Any) -> dict[str, Any]:
        """See `Memory.undo`."""
        return await self._call(self._memory.undo, change_id, **options)

    async def redo(self, change_id: str, **options: Any) -> dict[str, Any]:
        """See `Memory.redo`."""
        return await self._call(self._memory.redo, change_id, **options)

    async def users(self) -> list[dict[str, Any]]:
        """See `Memory.users`."""
        return await self._call(self._memory.users)

    async def sessions(self, **options: Any) -> list[dict[str, Any]]:
        """See `Memory.sessions`."""
        return await self._call(self._memory.sessions, **options)

    async def stats(self, **options: Any) -> dict[str, Any]:
        """See `Memory.stats`."""
        return await self._call(self._memory.stats, **options)

    async def check(self, **options: Any) -> list[dict[str, Any]]:
        """See `Memory.check`."""
        return await self._call(self._memory.check, **options)

    async def reindex(self) -> None:
        """See `Memory.admin.reindex`."""
        await self._call(self._memory.admin.reindex)

    async def compact(self) -> dict[str, int]:
        """See `Memory.admin.compact`."""
        return await self._call(self._memory.admin.compact)

    async def close(self) -> None:
        """See `Memory.close`. Waits for calls that are under way."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)
        self._memory.close()

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


class AsyncSession:
    """One conversation of an `AsyncMemory`."""

    def __init__(self, memory: AsyncMemory, session: Session) -> None:
        self.id = session.id
        self._memory = memory
        self._session = session

    async def add_turn(self, content: str, role: str = "user", **options: Any) -> dict[str, Any]:
        """See `memlite.memory.Session.add_turn`."""
        return await self._memory._call(self._session.add_turn, content, role, **options)
