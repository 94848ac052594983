"""Threads, processes and forks over one file: each change is there once, and who must wait is told in time."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from support import IMPATIENT, NOON, SetClock, open_memory, raw, run_child, said, start_child, texts

import memlite
from memlite import Busy, Conflict, Memory, Settings, StorageError
from memlite.ids import SortableIds
from memlite.storage.store import Store

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


@contextmanager
def another_writer(path: Path) -> Iterator[Any]:
    """Somebody else who holds the write lock."""
    connection = raw(path)
    connection.execute("begin immediate")
    try:
        yield connection
    finally:
        connection.close()


# -- several at once

WRITER = """
import sys
from pathlib import Path
from support import open_memory

folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with open_memory(folder) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(count):
        added = memory.add(f"{name} {number}", metadata={"by": name})
        if number % 5 == 0:
            memory.update(added["results"][0]["id"], f"{name} {number} changed")
        if number % 7 == 0:
            memory.undo(memory.delete(added["results"][0]["id"])["change_id"])
"""


def test_two_processes_write_and_nothing_is_lost(tmp_path: Path) -> None:
    writers = [start_child(WRITER, tmp_path, name, 50) for name in ("one", "two")]
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        said(writer)
    with open_memory(tmp_path) as memory:
        wanted = [f"{name} {n}" + " changed" * (n % 5 == 0) for name in ("one", "two") for n in range(50)]
        assert sorted(texts(memory)) == sorted(wanted)
        assert memory.check() == []


def test_four_threads_write_and_search_one_store(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(12):
                added = memory.add(f"thread {name} text {number}")["results"][0]
                assert memory.search(f"thread {name} text {number}", limit=50)["results"]
                assert memory.get(added["id"])["memory"] == added["memory"]
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    in_threads([partial(work, name) for name in range(4)])
    assert failures == []
    assert sorted(texts(memory)) == sorted(f"thread {name} text {number}" for name in range(4) for number in range(12))
    assert memory.check() == []
    memory.close()


def test_one_memory_changed_from_four_threads_keeps_every_change(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    memory_id = memory.add("counted")["results"][0]["id"]
    done: list[str] = []

    def work(name: int) -> None:
        for number in range(8):
            with suppress(Conflict):
                memory.update(memory_id, metadata={f"key {name} {number}": number})
                done.append(f"key {name} {number}")

    in_threads([partial(work, name) for name in range(4)])
    assert sorted(memory.get(memory_id)["metadata"]) == sorted(done)
    assert memory.get(memory_id)["version"] == 1 + len(done)
    assert memory.check() == []
    memory.close()


OPEN_STORM = """
import sys
from pathlib import Path
from support import in_forks, open_memory, texts

def job(folder, number):
    def run():
        memory = open_memory(folder)
        memory.add(f"from {number}")
        if number % 2:
            memory.close()  # the others end without
        return "done"
    return run

for round in range(3):
    folder = Path(sys.argv[1]) / str(round)
    folder.mkdir()
    reports = in_forks([job(folder, number) for number in range(12)])
    assert reports == ["done"] * 12, reports
    with open_memory(folder) as memory:
        assert sorted(texts(memory)) == sorted(f"from {number}" for number in range(12))
        assert memory.check() == []
"""


@needs_fork
def test_twelve_processes_open_a_new_file_at_once(tmp_path: Path) -> None:
    run_child(OPEN_STORM, tmp_path)


SOMEBODY_ELSE = """
import fcntl, os, sys

for path in sys.stdin:
    with open(path.rstrip("\\n"), "r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)  # the bytes that every reader holds
            print("free", flush=True)
        except OSError:
            print("locked", flush=True)
"""


@needs_fork
def test_threads_that_open_a_file_at_once_keep_its_locks(tmp_path: Path) -> None:
    """Closing any handle of a file drops all of the process's locks on it."""
    other = start_child(SOMEBODY_ELSE)
    assert other.stdin
    assert other.stdout
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        open_memory(folder).close()
        opened: list[Memory] = []
        together = threading.Barrier(6)

        def open_one(folder: Path = folder, opened: list[Memory] = opened, together: threading.Barrier = together) -> None:
            together.wait()
            opened.append(open_memory(folder))

        in_threads([open_one] * 6)
        other.stdin.write(f"{folder / 'memory.db'}\n")
        other.stdin.flush()
        assert other.stdout.readline() == "locked\n", f"attempt {attempt}"
        for memory in opened:
            memory.close()
    said(other)


# -- forks

FORK = """
import os, sys
from pathlib import Path
from support import open_memory, texts

folder = Path(sys.argv[1])
memory = open_memory(folder)
memory.add("before the fork")
memory.search("fork")
to_child, from_parent = os.pipe()
to_parent, from_child = os.pipe()
if os.fork() == 0:
    status = 1
    try:
        memory.add("child, parent open")
        os.write(from_child, b"1")
        os.read(to_child, 1)
        for number in range(10):
            memory.add(f"child, parent closed {number}")
        memory.close()
        status = 0
    finally:
        os._exit(status)
os.read(to_parent, 1)
memory.add("parent, child open")
assert texts(memory) == ["before the fork", "child, parent open", "parent, child open"]
if sys.argv[2] == "parent closes first":
    memory.close()
os.write(from_parent, b"1")
_, status = os.wait()
assert status == 0
if sys.argv[2] == "child closes first":
    memory.add("parent, child closed")
    memory.close()
"""


@needs_fork
@pytest.mark.parametrize("order", ["parent closes first", "child closes first"])
def test_nothing_is_lost_over_a_fork(tmp_path: Path, order: str) -> None:
    run_child(FORK, tmp_path, order)
    with open_memory(tmp_path) as memory:
        wanted = ["before the fork", "child, parent open", "parent, child open"]
        wanted += [f"child, parent closed {number}" for number in range(10)]
        assert texts(memory) == wanted + ["parent, child closed"] * (order == "child closes first")
        assert memory.check() == []
        assert sum(entry["access_count"] for entry in memory.get_all()["results"]) == 1


FORK_AMID_THREADS = """
import os, signal, sys, threading, time
from pathlib import Path
from support import open_memory, texts

for round in range(6):
    folder = Path(sys.argv[1]) / str(round)
    folder.mkdir()
    memory = open_memory(folder)
    memory.add("seed")
    stop, acknowledged = threading.Event(), ["seed"]

    def work(name):
        number = 0
        while not stop.is_set():
            if name % 2:
                memory.add(f"thread {name} {number}")
                acknowledged.append(f"thread {name} {number}")
            else:
                memory.search(f"thread {name} {number}")
            number += 1

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.02)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            signal.alarm(10)
            memory.add("child")
            memory.close()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    stop.set()
    for thread in threads:
        thread.join()
    assert status == 0, status
    memory.close()
    with open_memory(folder) as memory:
        assert sorted(texts(memory)) == sorted([*acknowledged, "child"])
        assert memory.check() == []
"""


@needs_fork
def test_a_child_forked_amid_writing_threads_can_write(tmp_path: Path) -> None:
    run_child(FORK_AMID_THREADS, tmp_path)


CHILD_ENDS = """
import os, sys
from support import FakeEmbedder
from memlite import Memory

memory = Memory.in_memory(embedder=FakeEmbedder())
memory.add("parent's")
if os.fork() == 0:
    if sys.argv[1] == "closes":
        memory.close()
    sys.exit(0)
os.wait()
memory.add("still there")
path = memory._kit.store.path
assert path.exists(), "the child removed its parent's file"
memory.close()
assert not path.exists()
"""


@needs_fork
@pytest.mark.parametrize("how", ["closes", "just ends"])
def test_a_child_leaves_its_parents_temporary_file_alone(how: str) -> None:
    run_child(CHILD_ENDS, how)


FORK_WITHIN = """
import os, sys, time
from pathlib import Path
from support import SetClock, texts
from memlite import Settings, StorageError
from memlite.ids import SortableIds
from memlite.storage.store import Store

store = Store(Path(sys.argv[1]) / "memory.db", Settings(busy_ms=20_000), SortableIds(SetClock()))
started = time.monotonic()
with store.write() as tx:
    tx.open_run("ann", "add", now_ms=0)
    if os.fork() == 0:
        try:
            store.users()
        except StorageError as error:
            os._exit(0 if "forked in the middle of a change" in str(error) else 3)
        os._exit(4)
    _, status = os.wait()
assert status == 0, status
assert time.monotonic() - started < 10, "the fork waited for the change around it"
with store.write() as tx:
    tx.open_run("ann", "add", now_ms=0)
assert len(store.changes("ann", 10, None)[0]) == 2
store.close(0)
"""


@needs_fork
def test_a_fork_within_a_change_is_not_waited_for(tmp_path: Path) -> None:
    run_child(FORK_WITHIN, tmp_path)


# -- waiting


def test_a_change_behind_another_writer_is_told_so_in_time(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, settings=IMPATIENT)
    memory.add("before")
    with another_writer(tmp_path / "memory.db"):
        started = time.monotonic()
        with pytest.raises(Busy, match="200 ms"):
            memory.add("too late")
        assert 0.15 < time.monotonic() - started < 2
        assert texts(memory) == ["before"]
    memory.add("after")
    assert texts(memory) == ["before", "after"]
    assert memory.check() == []
    memory.close()


def test_a_change_behind_another_thread_is_told_so_in_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "memory.db", IMPATIENT, SortableIds(SetClock()))
    holding, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with store.write():
            holding.set()
            let_go.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert holding.wait(10)
    with pytest.raises(Busy, match="200 ms"), store.write():
        pass
    let_go.set()
    thread.join()
    with store.write():
        pass
    store.close(NOON)


def test_a_reader_sees_the_last_state_while_another_writes(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, settings=IMPATIENT)
    memory.add("whole")
    with another_writer(tmp_path / "memory.db") as writer:
        writer.execute("update memories set content = 'half done'")
        assert texts(memory) == ["whole"]
        assert [hit["memory"] for hit in memory.search("whole")["results"]] == ["whole"]
        with open_memory(tmp_path, read_only=True) as reader:
            assert texts(reader) == ["whole"]
    memory.close()


@pytest.mark.parametrize("verb", [lambda memory: memory.search("hello"), lambda memory: memory.close()], ids=["search", "close"])
def test_reading_never_waits_for_a_writer(tmp_path: Path, verb: Callable[[Memory], object]) -> None:
    """Access times that are due to be written go on waiting."""
    clock = SetClock()
    memory = open_memory(tmp_path, clock=clock, settings=Settings(durability="normal", busy_ms=10_000))
    memory.add("hello")
    memory.search("hello")
    clock.advance(hours=1)
    with another_writer(tmp_path / "memory.db"):
        started = time.monotonic()
        verb(memory)
        assert time.monotonic() - started < 2
    memory.close()


def test_a_long_reader_stops_nobody(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, settings=IMPATIENT)
    memory.add("before")
    reader = raw(tmp_path / "memory.db")
    reader.execute("begin")
    assert reader.execute("select count(*) from memories").fetchone() == (1,)
    for number in range(20):
        memory.add(f"number {number}")
    memory.admin.compact()
    assert memory.check() == []
    assert reader.execute("select count(*) from memories").fetchone() == (1,)
    reader.close()
    memory.close()
    with open_memory(tmp_path) as memory:
        assert len(texts(memory)) == 21


def test_compact_does_not_wait_for_a_long_reader(tmp_path: Path) -> None:
    memory = open_memory(tmp_path, settings=Settings(durability="normal", busy_ms=20_000))
    memory.add("before")
    reader = raw(tmp_path / "memory.db")
    reader.execute("begin")
    assert reader.execute("select count(*) from memories").fetchone() == (1,)
    memory.add("after")
    started = time.monotonic()
    memory.admin.compact()
    assert time.monotonic() - started < 10
    reader.close()
    assert texts(memory) == ["before", "after"]
    memory.close()


# -- one change at a time


def interrupted(store: Store, line: int) -> bool:
    """Whether Ctrl-C before the n-th line on the way into a change came in time; if not, the change is made."""
    lines = count()

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        if not frame.f_code.co_filename.endswith(("pool.py", "store.py", "connection.py")):
            return None
        if event == "line" and next(lines) == line:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    try:
        sys.settrace(trace)
        with store.write() as tx:
            sys.settrace(before)
            tx.open_run("ann", "add", now_ms=NOON)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_ctrl_c_on_the_way_into_a_change_leaves_it_to_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "memory.db", IMPATIENT, SortableIds(SetClock()))
    made: list[int] = []

    def change() -> None:
        with store.write() as tx:
            tx.open_run("ben", "add", now_ms=NOON)
        made.append(1)

    line = 0
    while interrupted(store, line):
        line += 1
        in_threads([change])
        assert len(made) == line, f"no other thread could write after an interrupt at line {line - 1}"
    assert line > 15
    assert len(store.changes("ann", 10, None)[0]) == 1
    assert len(store.changes("ben", 1_000, None)[0]) == line
    store.close(NOON)


def test_changes_do_not_nest(tmp_path: Path) -> None:
    store = Store(tmp_path / "memory.db", IMPATIENT, SortableIds(SetClock()))
    with pytest.raises(StorageError, match="nest"), store.write(), store.write():
        pass
    with store.write():
        pass
    store.close(NOON)


def test_a_change_within_a_change_leaves_the_outer_one_whole(tmp_path: Path) -> None:
    """The clock is read in the middle of a deletion; this one stores something."""
    refused: list[StorageError] = []

    def meddling() -> int:
        if memories:
            try:
                memories.pop().add("from within")
            except StorageError as error:
                refused.append(error)
        return NOON

    memories: list[Memory] = []
    memory = open_memory(tmp_path, clock=meddling)
    memory.add(["one", "two"])
    memory_id = memory.get_all()["results"][0]["id"]
    memories.append(memory)
    memory.delete(memory_id)
    assert [str(error) for error in refused] == ["a change is already open in this thread: changes do not nest"]
    assert texts(memory) == ["one"]
    assert memory.check() == []
    memory.close()


def test_no_transaction_begins_without_saying_how() -> None:
    begins = []
    package = Path(memlite.__path__[0]) / "storage"  # the only place that knows SQLite, as test_house.py holds
    for path in (*package.rglob("*.py"), *package.rglob("*.sql")):
        statements = re.findall(r"""["'\n]\s*(begin\b[^"';\n]*)""", path.read_text(encoding="utf-8"), re.IGNORECASE)
        begins += [(path.name, statement.lower()) for statement in statements]
    assert sorted(begins) == [("connection.py", "begin deferred"), ("connection.py", "begin immediate")]


# -- closing


def test_a_store_can_be_closed_from_another_thread(tmp_path: Path) -> None:
    memory = open_memory(tmp_path)
    memory.add("kept")
    in_threads([memory.close])
    with pytest.raises(StorageError, match="closed"):
        memory.add("too late")
    memory.close()
    with open_memory(tmp_path) as memory:
        assert texts(memory) == ["kept"]


@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(lambda memory: memory.add("x"), id="add"),
        pytest.param(lambda memory: memory.search("x"), id="search"),
        pytest.param(lambda memory: memory.get("x"), id="get"),
        pytest.param(lambda memory: memory.get_all(), id="get_all"),
        pytest.param(lambda memory: memory.delete_all(user_id="default"), id="delete_all"),
        pytest.param(lambda memory: memory.undo("x"), id="undo"),
        pytest.param(lambda memory: memory.changes(), id="changes"),
        pytest.param(lambda memory: memory.check(), id="check"),
        pytest.param(lambda memory: memory.stats(), id="stats"),
        pytest.param(lambda memory: memory.admin.compact(), id="compact"),
    ],
)
def test_a_closed_store_says_so(tmp_path: Path, verb: Callable[[Memory], object]) -> None:
    memory = open_memory(tmp_path)
    memory.add("kept")
    memory.close()
    memory.close()
    with pytest.raises(StorageError, match="closed"):
        verb(memory)


CLOSE_AMID_WORK = """
import random, sys, threading, time
from pathlib import Path
from support import open_memory, texts
from memlite import StorageError

for round in range(8):
    folder = Path(sys.argv[1]) / str(round)
    folder.mkdir()
    memory = open_memory(folder)
    memory.add([f"seed {number}" for number in range(50)], infer=False)
    acknowledged, wrong = [], []

    def work(name):
        try:
            for number in range(10_000):
                if name % 2:
                    memory.add(f"thread {name} {number}")
                    acknowledged.append(f"thread {name} {number}")
                else:
                    memory.search(f"thread {number}")
        except StorageError:
            return
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(random.Random(round).uniform(0.01, 0.06))
    memory.close()
    for thread in threads:
        thread.join()
    assert not wrong, wrong
    with open_memory(folder) as memory:
        assert set(acknowledged) <= set(texts(memory))
        assert memory.check() == []
"""


def test_closing_a_store_while_threads_work_on_it_ends_their_work_and_no_more(tmp_path: Path) -> None:
    run_child(CLOSE_AMID_WORK, tmp_path)


def in_threads(jobs: list[Callable[[], object]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
