"""Power cuts and killed processes: a change is in the file whole or not at all, and what was acknowledged stays."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import QUICK, PowerCut, SetClock, cut_before, dump, open_memory, quick_folder, run_child, texts

from memlite import Memory, Settings

Change = Callable[[Memory], Any]
OLD_TEXTS_GO = Settings(durability="normal", busy_ms=QUICK.busy_ms, history_days=0)


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        yield Path(name)


def furnished(folder: Path, **options: Any) -> Memory:
    """A store with texts, turns, metadata, Chinese, an update and a deletion in it."""
    memory = open_memory(folder, **options)
    memory.add("The user likes tea.", metadata={"topic": "drinks", "tags": ["hot", "green"]})
    memory.add([{"role": "user", "content": f"turn number {place}"} for place in range(4)], session_id="s", infer=False)
    memory.add(["我喜欢喝茶", "¤ no vector"], infer=False)
    memory.update(first(memory), "The user likes green tea.")
    memory.delete(memory.add("soon forgotten")["results"][0]["id"])
    return memory


def first(memory: Memory, place: int = 0) -> str:
    """The id of a memory by age."""
    found: str = memory.get_all(limit=1_000)["results"][-1 - place]["id"]
    return found


def last_change(memory: Memory) -> str:
    found: str = memory.changes()["results"][0]["change_id"]
    return found


def undo_a_turn(memory: Memory) -> Change:
    change_id = memory.delete(first(memory, 3))["change_id"]
    return lambda store: store.undo(change_id)


def redo_a_turn(memory: Memory) -> Change:
    change_id = memory.delete(first(memory, 3))["change_id"]
    memory.undo(change_id)
    return lambda store: store.redo(change_id)


def undo_with_all_that_followed(memory: Memory) -> Change:
    change_id = memory.update(first(memory), "The user likes coffee.")["change_id"]
    memory.move(first(memory), to_session_id="elsewhere")
    memory.delete(first(memory))
    return lambda store: store.undo(change_id, cascade=True)


def written_recalls(memory: Memory) -> Change:
    memory.search("tea")
    return lambda store: store.add("written with what was recalled")


# -- cut before statement 0, 1, 2, …


@pytest.mark.parametrize(
    "prepared",
    [
        pytest.param(lambda _: lambda store: store.add("A new text 新的", metadata={"a": {"b": [1, 2]}}), id="a text is added"),
        pytest.param(
            lambda _: lambda store: store.add([{"role": "user", "content": "one more"}] * 3, session_id="s", infer=False),
            id="turns are added, and the words around older turns follow",
        ),
        pytest.param(lambda _: lambda store: store.add("the user likes GREEN tea"), id="a known text is added"),
        pytest.param(
            lambda _: lambda store: store.update(first(store, 3), "turn changed 变了", metadata={"x": 1}), id="a turn is updated"
        ),
        pytest.param(lambda _: lambda store: store.delete(first(store, 3)), id="a turn is deleted"),
        pytest.param(lambda _: lambda store: store.delete_all(user_id="default"), id="everything is deleted"),
        pytest.param(
            lambda _: lambda store: store.move([first(store, 2), first(store, 4)], to_user_id="bob"), id="turns go to a new user"
        ),
        pytest.param(undo_a_turn, id="a deletion is undone"),
        pytest.param(redo_a_turn, id="a deletion is redone"),
        pytest.param(undo_with_all_that_followed, id="a change is undone with those after it"),
        pytest.param(written_recalls, id="waiting access times are written with a change"),
    ],
)
def test_a_cut_leaves_no_trace(folder: Path, prepared: Callable[[Memory], Change]) -> None:
    memory = furnished(folder)
    change = prepared(memory)
    path = folder / "memory.db"
    before = dump(path)
    statement = 0
    while not interrupted(memory, change, statement, folder):
        assert dump(path) == before, f"statement {statement}"
        assert_as_before(folder / "at the cut", before)
        statement += 1
    assert statement > 5
    assert dump(path) != before
    assert memory.check() == []
    memory.close()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda store: store.admin.reindex(), id="reindex"),
        pytest.param(lambda store: store.admin.compact(), id="compact"),
        pytest.param(lambda store: store.check(fix=True), id="check"),
    ],
)
def test_a_cut_in_upkeep_loses_nothing(folder: Path, change: Change) -> None:
    memory = furnished(folder)
    before = dump(folder / "memory.db")
    statement = 0
    while not interrupted(memory, change, statement, folder):
        assert dump(folder / "memory.db") == before, f"statement {statement}"
        assert_as_before(folder / "at the cut", before)
        statement += 1
    assert dump(folder / "memory.db") == before
    assert memory.check() == []
    memory.close()


def test_a_cut_while_old_texts_are_dropped_drops_all_or_none(folder: Path) -> None:
    clock = SetClock()
    memory = furnished(folder, clock=clock, settings=OLD_TEXTS_GO)
    clock.advance(hours=1)
    before = dump(folder / "memory.db")
    kept = memory.stats()["kept_images"]
    assert kept > 0
    statement = 0
    while not interrupted(memory, lambda store: store.admin.compact(), statement, folder):
        assert memory.stats()["kept_images"] in (0, kept)
        assert {**dump(folder / "memory.db"), "payloads": []} == {**before, "payloads": []}
        assert memory.check() == []
        statement += 1
    assert memory.stats()["kept_images"] == 0
    memory.close()


def test_a_cut_at_the_first_open_leaves_a_file_that_opens(folder: Path) -> None:
    statement = 0
    while not opened_at_last(folder / str(statement), statement):
        for place in (folder / str(statement), folder / str(statement) / "at the cut"):
            with open_memory(place) as memory:
                memory.add("works")
                assert texts(memory) == ["works"]
                assert memory.check() == []
        statement += 1
    assert statement > 40


def opened_at_last(folder: Path, statement: int) -> bool:
    """Opens a new store whose power is cut before a statement; whether it went through."""
    folder.mkdir()
    with cut_before(statement, meanwhile=lambda: save(folder, folder / "at the cut")) as cut:
        try:
            open_memory(folder).close()
        except PowerCut:
            assert cut.fired
    return not cut.fired


@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(lambda store: store.add("new"), id="add"),
        pytest.param(lambda store: store.search("tea"), id="search"),
        pytest.param(lambda store: store.changes(), id="changes"),
        pytest.param(lambda store: store.check(), id="check"),
        pytest.param(lambda store: store.undo(last_change(store), dry_run=True), id="a rehearsed undo"),
        pytest.param(lambda store: store.admin.compact(), id="compact"),
    ],
)
def test_an_interrupt_after_any_statement_leaves_a_store_that_works(folder: Path, verb: Change) -> None:
    memory = furnished(folder)
    statement, fired = 0, True
    while fired:
        known = texts(memory)
        with cut_before(statement, late=True) as cut:
            try:
                verb(memory)
            except PowerCut:
                assert cut.fired
        fired = cut.fired
        assert texts(memory) in (known, [*known, "new"], [text for text in known if text != "new"])
        for entry in memory.get_all(filters={"memory": "new"})["results"]:
            memory.delete(entry["id"])  # takes the write lock: nobody must hold it still
        memory.add("works")
        memory.delete(memory.get_all(limit=1)["results"][0]["id"])
        statement += 1
    assert memory.check() == []
    memory.close()


def interrupted(memory: Memory, change: Change, statement: int, folder: Path) -> bool:
    """Runs a change whose power is cut before a statement; whether it went through. A copy shows the disk at the cut."""
    with cut_before(statement, inside=True, meanwhile=lambda: save(folder, folder / "at the cut")) as cut:
        try:
            change(memory)
        except PowerCut:
            assert cut.fired
            return False
    assert not cut.fired
    return True


def save(folder: Path, copy: Path) -> None:
    """Copies the files as a dead process leaves them. Memory shared by processes is not on the disk."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for path in folder.glob("memory.db*"):
        if not path.name.endswith("-shm"):
            shutil.copy(path, copy / path.name)


def assert_as_before(folder: Path, before: dict[str, list[Any]]) -> None:
    with open_memory(folder) as memory:
        assert memory.check() == []
    assert dump(folder / "memory.db") == before


# -- a process is killed

VICTIMS = """
import os, random, signal, sys
from pathlib import Path
from support import open_memory

def work(folder, seed, out):
    # announces each change, makes it, acknowledges it
    chance = random.Random(seed)
    memory = open_memory(folder)
    mine = []
    say = lambda *words: os.write(out, ("\\t".join(map(str, words)) + "\\n").encode())
    for number in range(10_000):
        text = f"text {seed} {number}"
        verb = chance.choice(["add", "turn", "update", "delete", "replace"]) if len(mine) > 2 else "add"
        memory_id = chance.choice(mine) if mine else None
        say("try", verb, memory_id, text)
        if verb == "add":
            memory_id = memory.add(text, metadata={"n": number}, consolidate=False)["results"][0]["id"]
        elif verb == "turn":
            memory_id = memory.add({"role": "user", "content": text}, session_id="s", infer=False)["results"][0]["id"]
        elif verb == "update":
            memory.update(memory_id, text)
        else:
            change = memory.delete(memory_id)["change_id"]
            if verb == "replace":
                memory.undo(change)
        if verb in ("add", "turn"):
            mine.append(memory_id)
        if verb == "delete":
            mine.remove(memory_id)
        say("done", verb, memory_id, text)

def kill_one(folder, seed):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            work(folder, seed, writer)
        finally:
            os._exit(1)
    os.close(writer)
    pipe = os.fdopen(reader)
    wanted = random.Random(-seed).randrange(1, 60)
    lines = [pipe.readline() for _ in range(wanted)]
    os.kill(pid, signal.SIGKILL)
    lines += pipe.readlines()
    _, status = os.waitpid(pid, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, status
    return [line.rstrip("\\n").split("\\t") for line in lines if line.endswith("\\n")]

def replayed(state, verb, memory_id, text):
    after = dict(state)
    if verb == "delete":
        del after[memory_id]
    elif verb != "replace":
        after[memory_id] = text
    return after

def verify(folder, known, lines):
    acknowledged = known
    tried = None
    for line in lines:
        if line[0] == "done":
            acknowledged, tried = replayed(acknowledged, *line[1:]), None
        else:
            tried = line[1:]
    with open_memory(folder) as memory:
        found = {entry["id"]: entry["memory"] for entry in memory.get_all(limit=1000)["results"]}
        assert memory.check() == [], memory.check()
    if found != acknowledged:  # the change under way may have got in, whole
        assert tried, (found, acknowledged)
        verb, memory_id, text = tried
        if verb in ("add", "turn"):
            (memory_id,) = found.keys() - acknowledged.keys()
        between = [replayed(acknowledged, verb, memory_id, text)]
        if verb == "replace":
            between.append(replayed(acknowledged, "delete", memory_id, text))
        assert found in between, (tried, found, acknowledged)
    return found

folder = Path(sys.argv[1])
known, changes = {}, 0
for seed in range(int(sys.argv[2])):
    lines = kill_one(folder, seed)
    changes += sum(line[0] == "done" for line in lines)
    known = verify(folder, known, lines)
print(changes)
"""


FULL_DISK = """
import resource, sys
from pathlib import Path
from support import open_memory, texts
from memlite import StorageError

folder = Path(sys.argv[1])
memory = open_memory(folder)
acknowledged, refused = [], 0
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
for size in range(300_000, 3_300_000, 500_000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    for number in range(12):
        text = f"{size} {number} " + "long " * 2_000
        try:
            memory.add(text)
            acknowledged.append(text.strip())
        except StorageError:
            refused += 1
        assert len(memory.search("long", limit=1)["results"]) == (len(acknowledged) > 0)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
assert refused > 10 and len(acknowledged) > 10, (refused, len(acknowledged))
for _ in range(2):
    assert texts(memory) == acknowledged
    assert memory.check() == []
    memory.add("works again")
    acknowledged.append("works again") if "works again" not in acknowledged else None
    memory.close()
    memory = open_memory(folder)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_a_full_disk_refuses_changes_and_loses_none(folder: Path) -> None:
    run_child(FULL_DISK, folder)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_what_a_killed_process_acknowledged_is_there(folder: Path) -> None:
    assert int(run_child(VICTIMS, folder, 10)) > 50
