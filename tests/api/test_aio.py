"""The same verbs for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from doubles import QUICK, Broken, Clock, WordEmbedder, ids, new_file, opened, texts

from memlite import AsyncMemory, BadInput, Memory, NotFound, StorageError
from memlite.memory import Admin


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs a coroutine to its end, in a loop of its own. A task that is lost or an error nobody saw fails the test."""
    unseen: list[dict[str, Any]] = []

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
        await work()

    asyncio.run(watched())
    assert unseen == []


@asynccontextmanager
async def new_async(**options: Any) -> AsyncIterator[AsyncMemory]:
    with new_file() as path:
        async with AsyncMemory(path, **{"embedder": WordEmbedder(), "clock": Clock(), "settings": QUICK} | options) as memory:
            yield memory


class Gate:
    """An embedder that waits at a gate, so that a test can look while a call is under way."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()
        self.embedder = Broken(self._encode)

    def _encode(self, texts: Any) -> Any:
        self.entered.set()
        assert self.open.wait(20)
        return WordEmbedder().encode(texts)

    async def reached(self) -> None:
        assert await asyncio.to_thread(self.entered.wait, 20)


def verbs(kind: type) -> dict[str, Any]:
    return {name: method for name, method in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


def test_every_verb_is_there_and_is_a_coroutine() -> None:
    wanted = verbs(Memory).keys() | verbs(Admin).keys()
    here = verbs(AsyncMemory)
    assert sorted(wanted - here.keys()) == []
    assert sorted(here.keys() - wanted) == []
    assert [name for name, method in here.items() if not inspect.iscoroutinefunction(method)] == ["session"]


@pytest.mark.parametrize("name", sorted(verbs(Memory)))
def test_a_verb_takes_what_its_twin_takes(name: str) -> None:
    """Positional ones by the same names; the rest by their names or all together."""
    own = inspect.signature(getattr(AsyncMemory, name)).parameters
    twin = inspect.signature(getattr(Memory, name)).parameters
    positional = [p.name for p in twin.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [p.name for p in own.values() if p.kind is p.POSITIONAL_OR_KEYWORD] == positional
    named = {p.name for p in twin.values() if p.kind is p.KEYWORD_ONLY}
    passes_all = any(p.kind is p.VAR_KEYWORD for p in own.values())
    assert passes_all or named <= own.keys()


def test_every_verb_does_what_its_twin_does() -> None:
    async def work() -> None:
        async with new_async() as memory:
            added = await memory.add(["Green tea.", "Milk."], session_id="s1", metadata={"a": 1})
            first, second = ids(added)
            assert ids(await memory.search("tea", limit=1)) == [first]
            assert (await memory.get(first))["memory"] == "Green tea."
            assert ids(await memory.get_all(limit=1)) == [second]
            changed = await memory.update(first, "Black tea.", importance=0.9)
            assert (changed["memory"], changed["version"]) == ("Black tea.", 2)
            undone = await memory.undo(changed["change_id"], cascade=True)
            assert ids(undone) == [first]
            assert ids(await memory.redo(changed["change_id"])) == [first]
            assert (await memory.move([second], to_area="solutions"))["results"][0]["area"] == "solutions"
            assert len(await memory.history(first)) == 4
            assert len((await memory.changes(limit=3))["results"]) == 3
            assert (await memory.users())[0]["user_id"] == "default"
            assert (await memory.sessions())[0]["session_id"] == "s1"
            assert (await memory.stats(user_id="default"))["memories"] == 2
            assert (await memory.delete(second))["event"] == "DELETE"
            assert await memory.check() == []
            await memory.reindex()
            assert (await memory.compact()).keys() == {"bytes_before", "bytes_after", "texts_dropped"}
            assert (await memory.delete_all(user_id="default", dry_run=True))["deleted"] == 1
            assert (await memory.reset(user_id="default"))["deleted"] == 1

    run(work)


def test_errors_are_those_of_the_twin() -> None:
    async def work() -> None:
        async with new_async() as memory:
            with pytest.raises(BadInput):
                await memory.add("")
            with pytest.raises(NotFound):
                await memory.get("mem_unknown")
            with pytest.raises(BadInput):
                await memory.search("tea", limit=0)
            with pytest.raises(TypeError):
                await memory.search("tea", speed=1)

    run(work)


def test_many_calls_at_once() -> None:
    async def work() -> None:
        async with new_async() as memory:
            added = await asyncio.gather(*(memory.add(f"note {n}", user_id=f"u{n % 3}") for n in range(24)))
            assert len({result["results"][0]["id"] for result in added}) == 24
            found = await asyncio.gather(*(memory.search(f"note {n}", user_id=f"u{n % 3}", limit=1) for n in range(24)))
            assert [texts(each) for each in found] == [[f"note {n}"] for n in range(24)]
            assert await memory.check() == []

    run(work)


def test_the_loop_goes_on_while_a_call_is_under_way() -> None:
    async def work() -> None:
        gate = Gate()
        async with new_async(embedder=gate.embedder) as memory:
            call = asyncio.create_task(memory.add("Green tea."))
            await gate.reached()
            assert not call.done()
            assert (await memory.stats())["memories"] == 0, "another call is not held up"
            gate.open.set()
            assert texts(await call) == ["Green tea."]

    run(work)


def test_a_cancelled_call_is_finished_all_the_same() -> None:
    async def work() -> None:
        gate = Gate()
        with new_file() as path:
            async with AsyncMemory(path, embedder=gate.embedder, settings=QUICK) as memory:
                call = asyncio.create_task(memory.add([f"note {n}" for n in range(50)]))
                await gate.reached()
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
                gate.open.set()
            with opened(path) as plain:
                assert plain.stats()["memories"] == 50
                assert plain.check() == []

    run(work)


def test_a_call_cancelled_while_it_waits_for_a_thread_is_finished_as_well() -> None:
    async def work() -> None:
        gate = Gate()
        with new_file() as path:
            async with AsyncMemory(path, embedder=gate.embedder, settings=QUICK) as memory:
                calls = [asyncio.create_task(memory.add(f"note {n}")) for n in range(12)]
                await gate.reached()
                calls[-1].cancel()
                await asyncio.wait([calls[-1]])
                gate.open.set()
                await asyncio.gather(*calls[:-1])
            with opened(path) as plain:
                assert plain.stats()["memories"] == 12

    run(work)


def test_cancelling_at_any_moment_leaves_the_file_whole() -> None:
    async def work() -> None:
        with new_file() as path:
            async with AsyncMemory(path, embedder=WordEmbedder(), settings=QUICK) as memory:
                for tenth_ms in range(0, 60, 3):
                    call = asyncio.create_task(memory.add([f"note {tenth_ms} {n}" for n in range(20)], infer=False))
                    await asyncio.sleep(tenth_ms / 10_000)
                    call.cancel()
                    await asyncio.wait([call])
            with opened(path) as plain:
                assert plain.check() == []
                assert {len(change["events"]) for change in plain.changes(limit=100)["results"]} <= {20}
                assert plain.stats()["memories"] % 20 == 0

    run(work)


def test_closing_waits_for_what_is_under_way() -> None:
    async def work() -> None:
        gate = Gate()
        with new_file() as path:
            memory = AsyncMemory(path, embedder=gate.embedder, settings=QUICK)
            calls = [asyncio.create_task(memory.add(f"note {n}")) for n in range(6)]
            await gate.reached()
            closing = asyncio.create_task(memory.close())
            await asyncio.sleep(0.05)
            assert not closing.done()
            gate.open.set()
            await closing
            assert [texts(await call) for call in calls] == [[f"note {n}"] for n in range(6)]
            with opened(path) as plain:
                assert plain.stats()["memories"] == 6
            assert not path.with_name("memory.db-wal").exists()

    run(work)


def test_a_closed_store_refuses_with_an_error_of_ours() -> None:
    async def work() -> None:
        with new_file() as path:
            memory = AsyncMemory(path, embedder=WordEmbedder(), settings=QUICK)
            await memory.close()
            await memory.close()
            with pytest.raises(StorageError, match="closed"):
                await memory.get_all()

    run(work)


async def fails_in_a_block(path: Path) -> None:
    async with AsyncMemory(path, embedder=WordEmbedder(), settings=QUICK) as memory:
        await memory.add("Green tea.", importance=1 / 0)


def test_the_context_manager_closes_also_after_an_error() -> None:
    async def work() -> None:
        with new_file() as path:
            with pytest.raises(ZeroDivisionError):
                await fails_in_a_block(path)
            assert not path.with_name("memory.db-wal").exists()

    run(work)


def test_a_bad_store_is_refused_when_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        AsyncMemory(tmp_path)
    with pytest.raises(BadInput):
        AsyncMemory(tmp_path / "memory.db", user_id="")


def test_a_sweep_does_not_hold_up_the_loop() -> None:
    async def work() -> None:
        async with new_async() as memory:
            await memory.add(["Ada works at the bakery.", "Ada works at the bakery"], infer=False)
            told: list[Any] = []
            swept = await memory.consolidate(
                loss_budget=1, progress=lambda done: told.append((done["total"], threading.get_ident()))
            )
            assert (swept["removed"], len(texts(await memory.get_all()))) == (1, 1)
            assert {total for total, _ in told} == {2}
            assert threading.get_ident() not in {thread for _, thread in told}

    run(work)
