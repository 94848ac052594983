"""Undo, redo and the audit: what may be taken back, what each memory went through, and that nobody rewrites it unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import NOON, SetClock, dump, open_memory, raw, said, start_child, texts, vandalise

from memlite import BadInput, Conflict, Expired, MemliteError, Memory, NotFound, Settings, Stale
from memlite.storage.audit import standing

Change = Callable[[], dict[str, Any]]


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def memory(tmp_path: Path, clock: SetClock) -> Iterator[Memory]:
    with open_memory(tmp_path, clock=clock) as memory:
        yield memory
        assert memory.check() == []


def saved(memory: Memory, text: str = "first", **options: Any) -> str:
    found: str = memory.add(text, **options)["results"][0]["id"]
    return found


def talk(memory: Memory) -> list[str]:
    answer = memory.add([{"role": "user", "content": f"turn {n} 轮"} for n in range(5)], session_id="s", infer=False)
    return [result["id"] for result in answer["results"]]


# -- each verb, there and back


def an_addition(memory: Memory) -> Change:
    return lambda: memory.add(
        [{"role": "user", "content": "more"}, {"role": "user", "content": "¤"}], session_id="s", infer=False
    )


def an_update(memory: Memory) -> Change:
    memory_id = saved(memory, metadata={"b": "gone", "c": "stays"})
    return lambda: memory.update(memory_id, "changed 变", metadata={"a": [1], "b": None}, importance=0.9, expires_at=NOON * 2)


def an_update_of_a_turn(memory: Memory) -> Change:
    memory_id = talk(memory)[2]
    return lambda: memory.update(memory_id, "¤ no vector any more")


def a_deletion(memory: Memory) -> Change:
    memory_id = talk(memory)[2]
    return lambda: memory.delete(memory_id)


def a_deletion_of_all(memory: Memory) -> Change:
    talk(memory)
    return lambda: memory.delete_all(user_id="default", filters={"seq": {"gte": 1}})


def a_reset(memory: Memory) -> Change:
    saved(memory, "expired long ago", expires_at=1)
    saved(memory, "¤ without a vector")
    return lambda: memory.reset(user_id="default")


def a_move(memory: Memory) -> Change:
    memory_id = talk(memory)[2]
    return lambda: memory.move(memory_id, to_session_id="elsewhere", to_agent_id="robot", to_area="solutions")


def a_move_to_a_user(memory: Memory) -> Change:
    ids = talk(memory)[1:3]
    return lambda: memory.move(ids, to_user_id="bob")


VERBS = [an_addition, an_update, an_update_of_a_turn, a_deletion, a_deletion_of_all, a_reset, a_move, a_move_to_a_user]
each_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__.replace("_", " "))


def state(path: Path) -> dict[str, Any]:
    """All that undo must bring back: everything but versions, counters and the audit."""
    tables = dump(path)
    connection = raw(path)
    columns = [name for _, name, *_ in connection.execute("pragma table_info(memories)") if name != "version"]
    memories = connection.execute(f"select {', '.join(columns)} from memories order by rid").fetchall()
    connection.close()
    kept = ("embeddings", "lineage", "memory_terms", "meta_kv", "vec_1", "memories_fts_docsize")
    return {"memories": memories} | {name: tables.get(name, []) for name in kept}


@each_verb
def test_undo_and_redo_lead_there_and_back(
    tmp_path: Path, memory: Memory, clock: SetClock, verb: Callable[[Memory], Change]
) -> None:
    path = tmp_path / "memory.db"
    talk(memory)
    change = verb(memory)
    before = state(path)
    change_id = change()["change_id"]
    after = state(path)
    assert after != before
    for _ in range(3):
        clock.advance(hours=1)
        memory.undo(change_id)
        assert state(path) == before
        assert memory.check() == []
        clock.advance(hours=1)
        memory.redo(change_id)
        assert state(path) == after
        assert memory.check() == []


@each_verb
def test_a_rehearsed_undo_tells_what_would_be_and_does_nothing(
    tmp_path: Path, memory: Memory, verb: Callable[[Memory], Change]
) -> None:
    change_id = verb(memory)()["change_id"]
    before = dump(tmp_path / "memory.db")
    rehearsed = memory.undo(change_id, dry_run=True)
    assert dump(tmp_path / "memory.db") == before
    assert rehearsed["dry_run"]
    assert rehearsed["change_id"] is None
    assert memory.undo(change_id)["results"] == rehearsed["results"]


@each_verb
def test_versions_grow_whatever_is_taken_back(memory: Memory, verb: Callable[[Memory], Change]) -> None:
    change = verb(memory)
    seen = {entry["id"]: entry["version"] for entry in memory.get_all(status="any")["results"]}
    change_id = change()["change_id"]
    memory.undo(change_id)
    memory.redo(change_id)
    memory.undo(change_id)
    touched = {event["id"] for event in memory.changes()["results"][0]["events"]}
    for entry in memory.get_all(status="any")["results"]:
        assert entry["version"] > seen[entry["id"]] or entry["id"] not in touched


# -- what may be taken back


def nothing(memory: Memory, memory_id: str, change_id: str) -> str:
    return ""


def undone(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.undo(change_id)
    return ""


def redone(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.undo(change_id)
    memory.redo(change_id)
    return ""


def changed_again(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.update(memory_id, importance=0.1)
    found: str = memory.update(memory_id, "third")["change_id"]
    return found


def deleted(memory: Memory, memory_id: str, change_id: str) -> str:
    found: str = memory.delete(memory_id)["change_id"]
    return found


def changed_and_taken_back(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.undo(memory.update(memory_id, "third")["change_id"])
    return ""


def changed_taken_back_and_redone(memory: Memory, memory_id: str, change_id: str) -> str:
    later: str = memory.update(memory_id, "third")["change_id"]
    memory.undo(later)
    memory.redo(later)
    return later


def undone_then_changed(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.undo(change_id)
    found: str = memory.update(memory_id, "third")["change_id"]
    return found


def undone_then_changed_and_taken_back(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.undo(change_id)
    memory.undo(memory.update(memory_id, "third")["change_id"])
    return ""


def recalled(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.search("second")
    memory.add("unrelated, written with the recall")
    return ""


def the_same_text_was_added(memory: Memory, memory_id: str, change_id: str) -> str:
    assert memory.add("second")["results"][0]["event"] == "NONE"
    return ""


def given_away(memory: Memory, memory_id: str, change_id: str) -> str:
    found: str = memory.move(memory_id, to_user_id="bob")["change_id"]
    return found


def given_away_and_changed(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.move(memory_id, to_user_id="bob")
    found: str = memory.update(memory_id, "bob's", user_id="bob")["change_id"]
    return found


def given_away_changed_and_taken_back(memory: Memory, memory_id: str, change_id: str) -> str:
    found: str = memory.move(memory_id, to_user_id="bob")["change_id"]
    memory.undo(memory.update(memory_id, "bob's", user_id="bob")["change_id"], user_id="bob")
    return found


def given_there_and_back(memory: Memory, memory_id: str, change_id: str) -> str:
    memory.move(memory_id, to_user_id="bob")
    found: str = memory.move(memory_id, user_id="bob", to_user_id="default")["change_id"]
    return found


OK = None


@pytest.mark.parametrize(
    ("since", "undo", "cascade", "redo"),
    [
        pytest.param(nothing, OK, OK, Conflict, id="nothing happened since"),
        pytest.param(undone, Conflict, Conflict, OK, id="it was undone"),
        pytest.param(redone, OK, OK, Conflict, id="it was undone and redone"),
        pytest.param(changed_again, Stale, OK, Conflict, id="the memory was changed again"),
        pytest.param(deleted, Stale, OK, Conflict, id="the memory was deleted"),
        pytest.param(changed_and_taken_back, OK, OK, Conflict, id="a later change was taken back"),
        pytest.param(changed_taken_back_and_redone, Stale, OK, Conflict, id="a later change was taken back and redone"),
        pytest.param(undone_then_changed, Conflict, Conflict, Stale, id="it was undone, then the memory changed"),
        pytest.param(undone_then_changed_and_taken_back, Conflict, Conflict, OK, id="it was undone, then a change taken back"),
        pytest.param(recalled, OK, OK, Conflict, id="the memory was recalled"),
        pytest.param(the_same_text_was_added, OK, OK, Conflict, id="the same text was added"),
        pytest.param(given_away, Stale, OK, Conflict, id="the memory was given to another user"),
        pytest.param(given_away_and_changed, Stale, Stale, Conflict, id="another user changed it"),
        pytest.param(given_away_changed_and_taken_back, Stale, OK, Conflict, id="another user changed it and took it back"),
        pytest.param(given_there_and_back, Stale, Stale, Conflict, id="another user gave it back"),
    ],
)
@pytest.mark.parametrize("verb", ["undo", "cascade", "redo"])
def test_what_may_be_taken_back(
    tmp_path: Path,
    memory: Memory,
    clock: SetClock,
    verb: str,
    since: Callable[[Memory, str, str], str],
    undo: type[MemliteError] | None,
    cascade: type[MemliteError] | None,
    redo: type[MemliteError] | None,
) -> None:
    memory_id = saved(memory)
    clock.advance(hours=1)
    change_id = memory.update(memory_id, "second")["change_id"]
    clock.advance(hours=1)
    in_the_way = since(memory, memory_id, change_id)
    clock.advance(hours=1)
    verbs: dict[str, Change] = {
        "undo": lambda: memory.undo(change_id),
        "cascade": lambda: memory.undo(change_id, cascade=True),
        "redo": lambda: memory.redo(change_id),
    }
    due = {"undo": undo, "cascade": cascade, "redo": redo}[verb]
    before = dump(tmp_path / "memory.db")
    if due is OK:
        answer = verbs[verb]()
        assert memory.get(memory_id)["memory"] == ("second" if verb == "redo" else "first")
        assert answer["change_id"] == answer["change_ids"][-1]
        assert memory.changes()["results"][0]["change_id"] == answer["change_id"]
        return
    with pytest.raises(due) as caught:
        verbs[verb]()
    assert type(caught.value) is due
    assert dump(tmp_path / "memory.db") == before
    if isinstance(caught.value, Stale):
        assert caught.value.change_id == in_the_way


@pytest.mark.parametrize("verb", [Memory.undo, Memory.redo], ids=["undo", "redo"])
@pytest.mark.parametrize("whose", ["bob", "nobody"])
def test_nobody_takes_back_another_users_change(memory: Memory, verb: Callable[..., Any], whose: str) -> None:
    change_id = memory.update(saved(memory), "second")["change_id"]
    saved(memory, "bob's own", user_id="bob")
    memory.undo(change_id)
    memory.redo(change_id)
    with pytest.raises(NotFound):
        verb(memory, change_id, user_id=whose)


def test_who_got_a_memory_does_not_take_back_the_gift(memory: Memory) -> None:
    change_id = memory.move(saved(memory), to_user_id="bob")["change_id"]
    with pytest.raises(NotFound):
        memory.undo(change_id, user_id="bob")
    memory.undo(change_id)
    assert (texts(memory), texts(memory, "bob")) == (["first"], [])


def test_a_cascade_goes_through_memories_that_later_changes_share(memory: Memory) -> None:
    """The second change touched both memories, the third only the other: it has to go too."""
    one, other = saved(memory, "one"), saved(memory, "other")
    first = memory.update(one, "one changed")["change_id"]
    second = memory.move([one, other], to_session_id="s")["change_id"]
    third = memory.update(other, "other changed")["change_id"]
    with pytest.raises(Stale) as caught:
        memory.undo(first)
    assert caught.value.change_id in (second, third)
    memory.undo(first, cascade=True)
    assert texts(memory) == ["one", "other"]
    assert [memory.get(memory_id)["session_id"] for memory_id in (one, other)] == [None, None]
    entries = {entry["change_id"]: entry["undone_by"] is not None for entry in memory.changes()["results"]}
    assert [entries[change_id] for change_id in (first, second, third)] == [True] * 3


def test_what_a_cascade_took_back_can_be_redone_in_order(memory: Memory) -> None:
    memory_id = saved(memory, "v0")
    changes = [memory.update(memory_id, f"v{n}")["change_id"] for n in (1, 2, 3)]
    memory.undo(changes[0], cascade=True)
    with pytest.raises(Stale):
        memory.redo(changes[1])
    for number, change_id in enumerate(changes, start=1):
        memory.redo(change_id)
        assert memory.get(memory_id)["memory"] == f"v{number}"


def test_an_undo_is_a_change_that_can_be_undone(memory: Memory) -> None:
    memory_id = saved(memory)
    change_id = memory.update(memory_id, "second")["change_id"]
    wanted = ["first", "second"] * 4
    for text in wanted:
        change_id = memory.undo(change_id)["change_id"]
        assert memory.get(memory_id)["memory"] == text


def test_going_back_and_forth_a_thousand_times_is_no_problem() -> None:
    length = 3_000
    tree = [(run, f"chg_{run}", run - 1 if run > 1 else None) for run in range(1, length + 1)]
    assert standing(tree) == set(range(2, length + 1, 2))


def test_taking_back_an_addition_that_added_nothing_changes_nothing(memory: Memory) -> None:
    saved(memory)
    repeated = memory.add("FIRST.")
    assert repeated["results"][0]["event"] == "NONE"
    assert memory.undo(repeated["change_id"])["results"] == []
    with pytest.raises(Conflict):
        memory.undo(repeated["change_id"])
    assert memory.redo(repeated["change_id"])["results"] == []
    assert texts(memory) == ["first"]


def test_what_was_recalled_since_stays_recalled(memory: Memory, clock: SetClock) -> None:
    memory_id = saved(memory)
    change_id = memory.update(memory_id, "second")["change_id"]
    clock.advance(hours=5)
    memory.search("second")
    memory.undo(change_id)
    found = memory.get(memory_id)
    assert (found["accessed_at"], found["access_count"]) == ("2026-03-01T17:00:00.000Z", 1)


def test_an_update_keeps_the_time_of_a_recall_that_was_still_waiting(memory: Memory, clock: SetClock) -> None:
    memory_id = saved(memory)
    clock.advance(hours=5)
    memory.search("first")
    memory.update(memory_id, "second")
    found = memory.get(memory_id)
    assert (found["accessed_at"], found["access_count"]) == ("2026-03-01T17:00:00.000Z", 1)


# -- texts past their retention


def test_old_before_images_are_dropped_and_the_chain_stays_sound(tmp_path: Path, clock: SetClock) -> None:
    memory = open_memory(tmp_path, clock=clock, settings=Settings(durability="normal", history_days=30))
    kept = saved(memory, "kept")
    added = memory.changes()["results"][0]["change_id"]
    updated = memory.update(saved(memory, "old text"), "new text")["change_id"]
    deleted = memory.delete(saved(memory, "old deletion"))["change_id"]
    clock.advance(hours=24 * 20)
    recent = memory.update(kept, "kept, changed")["change_id"]
    assert memory.admin.compact()["texts_dropped"] == 0
    clock.advance(hours=24 * 15)
    assert memory.admin.compact()["texts_dropped"] == 2
    assert memory.check() == []
    for change_id in (updated, deleted):
        for cascade in (False, True):
            with pytest.raises(Expired, match="retention"):
                memory.undo(change_id, cascade=cascade)
    memory.undo(recent)
    assert memory.get(kept)["memory"] == "kept"
    memory.undo(added)  # an addition needs no text to be taken back
    assert texts(memory) == ["new text"]
    assert memory.check() == []
    memory.close()
    assert b"old text" not in (tmp_path / "memory.db").read_bytes()
    assert b"old deletion" not in (tmp_path / "memory.db").read_bytes()


def test_history_tells_no_text_that_was_dropped(tmp_path: Path, clock: SetClock) -> None:
    with open_memory(tmp_path, clock=clock, settings=Settings(durability="normal", history_days=0)) as memory:
        memory_id = saved(memory, "v1")
        memory.update(memory_id, "v2")
        clock.advance(seconds=1)
        memory.admin.compact()
        memory.update(memory_id, "v3")
        assert told(memory, memory_id) == [("ADD", None, None), ("UPDATE", None, "v2"), ("UPDATE", "v2", "v3")]


# -- what each memory went through


def told(memory: Memory, memory_id: str, **options: Any) -> list[tuple[str, str | None, str | None]]:
    """Event, old and new text of each entry, oldest first."""
    entries = memory.history(memory_id, **options)
    return [(entry["event"], entry["old_memory"], entry["new_memory"]) for entry in entries]


def test_history_tells_the_texts_of_each_change(memory: Memory) -> None:
    memory_id = saved(memory, "v1")
    changed = memory.update(memory_id, "v2")["change_id"]
    memory.add("V2")
    memory.update(memory_id, importance=0.9)
    memory.undo(changed, cascade=True)
    memory.redo(changed)
    memory.undo(memory.delete(memory_id)["change_id"])
    assert told(memory, memory_id) == [
        ("ADD", None, "v1"),
        ("UPDATE", "v1", "v2"),
        ("NONE", None, "v2"),
        ("UPDATE", "v2", "v2"),
        ("UPDATE", "v2", "v2"),
        ("UPDATE", "v2", "v1"),
        ("UPDATE", "v1", "v2"),
        ("DELETE", "v2", None),
        ("ADD", None, "v2"),
    ]
    entries = memory.history(memory_id)
    assert [entry["verb"] for entry in entries] == ["add", "update", "add", "update", "undo", "undo", "redo", "delete", "undo"]
    assert [entry["is_deleted"] for entry in entries] == [entry["event"] == "DELETE" for entry in entries]


def test_history_of_a_memory_that_is_gone(memory: Memory) -> None:
    memory_id = saved(memory, "v1")
    memory.delete(memory_id)
    assert told(memory, memory_id) == [("ADD", None, "v1"), ("DELETE", "v1", None)]
    with pytest.raises(NotFound):
        memory.history("mem_never")
    with pytest.raises(NotFound):
        memory.history(memory_id, user_id="bob")


def test_history_of_a_memory_that_was_given_away(memory: Memory) -> None:
    memory_id = saved(memory, "v1")
    memory.move(memory_id, to_user_id="bob")
    memory.update(memory_id, "bob's secret", user_id="bob")
    assert [event for event, *_ in told(memory, memory_id)] == ["ADD", "UPDATE"]
    assert "bob's secret" not in str(memory.history(memory_id))
    assert told(memory, memory_id, user_id="bob")[-1] == ("UPDATE", "v1", "bob's secret")


def test_who_got_a_memory_and_did_not_touch_it_has_its_history(memory: Memory) -> None:
    memory_id = saved(memory, "v1")
    memory.move(memory_id, to_user_id="bob")
    assert memory.history(memory_id, user_id="bob")


@pytest.mark.parametrize("cursor", ["", "x", "c", "cg", "C1", "c" + "f" * 40])
def test_a_cursor_of_ones_own_making_is_bad_input(memory: Memory, cursor: str) -> None:
    saved(memory)
    for verb in (memory.changes, memory.get_all):
        with pytest.raises(BadInput):
            verb(cursor=cursor)


def test_changes_come_in_pages(memory: Memory) -> None:
    ids = [memory.add(f"number {n}")["change_id"] for n in range(7)]
    found: list[str] = []
    cursor = None
    while True:
        page = memory.changes(limit=3, cursor=cursor)
        found += [entry["change_id"] for entry in page["results"]]
        cursor = page["cursor"]
        if cursor is None:
            break
        memory.add(f"written between pages {len(found)}")
    assert found == ids[::-1]


# -- forgeries


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with these actions: 1 ADD, 2 UPDATE, 3 and 4 ADD (one change), 5 DELETE, 6 ADD (an undo), 7 NONE,
    8 UPDATE (a move), 9 UPDATE."""
    folder = tmp_path_factory.mktemp("audited")
    with open_memory(folder) as memory:
        one = saved(memory)
        memory.update(one, "second")
        two, three = (
            result["id"] for result in memory.add(["two", "three"], idempotency_key="key", consolidate=False)["results"]
        )
        memory.undo(memory.delete(two)["change_id"])
        memory.add("Second")
        memory.move(three, to_user_id="bob")
        memory.update(one, "third")
        assert memory.check() == []
    return (folder / "memory.db").read_bytes()


def swapped(table: str, key: str, one: int, other: int) -> tuple[str, ...]:
    """Statements that exchange the numbers of two rows."""
    return tuple(f"update {table} set {key} = {new} where {key} = {old}" for old, new in ((one, -1), (other, one), (-1, other)))


@pytest.mark.parametrize(
    ("statements", "action"),
    [
        *(
            pytest.param((f"update runs set {change} where run = 4",), 5, id=f"a change's {change.split()[0]}")
            for change in ("change_id = 'chg_forged'", "scope = 2", "verb = 'add'", "at_ms = at_ms + 1", "undoes = 1")
        ),
        pytest.param(("update runs set undoes = null where run = 5",), 6, id="that a change was an undo"),
        pytest.param(("update runs set idempotency_key = 'other' where run = 3",), 3, id="a change's idempotency_key"),
        pytest.param(("update runs set request_hash = x'00' where run = 3",), 3, id="a change's request_hash"),
        *(
            pytest.param((f"update actions set {change} where action = 5",), 5, id=f"an action's {change.split()[0]}")
            for change in (
                "run = 2",
                "memory_id = 'mem_forged'",
                "event = 'NONE'",
                "reason = 'forged'",
                "after_hash = x'00'",
                "payload_hash = null",
                "hash = zeroblob(32)",
            )
        ),
        pytest.param(("update actions set after_hash = null where action = 3",), 3, id="what became of a memory"),
        pytest.param(("update actions set hash = zeroblob(32) where action = 9",), 9, id="the last action's hash"),
        pytest.param(("delete from actions where action = 1",), 2, id="the first action is gone"),
        pytest.param(("delete from actions where action = 5",), 6, id="an action is gone"),
        pytest.param(("delete from runs where run = 4",), 6, id="a change is gone"),
        pytest.param(("delete from runs where run = 3",), 5, id="a change of two actions is gone"),
        pytest.param(swapped("actions", "action", 5, 6), 5, id="two actions swapped"),
        pytest.param(swapped("actions", "action", 3, 4), 3, id="two actions of one change swapped"),
        pytest.param(swapped("runs", "run", 1, 2), 1, id="two changes swapped"),
        pytest.param(("update actions set action = 10 where action = 9",), 10, id="an action renumbered"),
        pytest.param(
            (
                "create temp table copied as select * from actions where action = 9",
                "update copied set action = 10",
                "insert into actions select * from copied",
            ),
            10,
            id="an action added",
        ),
        pytest.param(("update payloads set image = replace(image, 'first', 'forged') where action = 2",), 2, id="a kept text"),
        pytest.param(("update payloads set image = null where action = 2",), 2, id="a kept text gone without a word"),
        pytest.param(("update payloads set image = '' where action = 2",), 2, id="a kept text emptied"),
        pytest.param(("update payloads set vectors = null where action = 2",), 2, id="kept vectors"),
        pytest.param(("update payloads set salt = zeroblob(16) where action = 5",), 5, id="a salt"),
        pytest.param(("update payloads set rid = rid + 1 where action = 5",), 5, id="whose text it is"),
        pytest.param(("update payloads set state = 'expired' where action = 5",), 5, id="a text said to be dropped"),
        pytest.param(("delete from payloads where action = 5",), 5, id="a kept text's row gone"),
        pytest.param(swapped("payloads", "action", 2, 5), 2, id="two kept texts swapped"),
        pytest.param(
            ("insert into payloads select 1, rid, salt, image, vectors, told, expires_ms, state from payloads where action = 2",),
            1,
            id="a text added where none was kept",
        ),
    ],
)
def test_a_forgery_is_found_where_it_is(tmp_path: Path, audited: bytes, statements: tuple[str, ...], action: int) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(audited)
    vandalise(path, *statements)
    with open_memory(tmp_path) as memory:
        problems = [problem for problem in memory.check() if problem["code"].startswith("audit.")]
        assert problems
        assert f"action {action}" in problems[0]["message"]
        assert not any(problem["repairable"] for problem in problems)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        pytest.param(
            "insert into runs (change_id, scope, verb, at_ms) values ('chg_forged', 1, 'add', 0)",
            "run.empty",
            id="a change without actions added",
        ),
        pytest.param("update scopes set user_id = 'x' where scope = 1", "audit.chain", id="a user with changes renamed"),
        pytest.param("update scopes set user_id = 'x' where scope = 1", "audit.replay", id="a user with memories renamed"),
    ],
)
def test_a_forgery_of_what_no_action_names_is_found(tmp_path: Path, audited: bytes, statement: str, code: str) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(audited)
    vandalise(path, statement)
    with open_memory(tmp_path) as memory:
        assert code in {problem["code"] for problem in memory.check()}


def test_who_only_got_memories_by_a_move_cannot_be_renamed(tmp_path: Path) -> None:
    with open_memory(tmp_path) as memory:
        memory.move(saved(memory, "his from now on"), to_user_id="ben")
        assert memory.check() == []
    vandalise(tmp_path / "memory.db", "update scopes set user_id = 'mallory' where user_id = 'ben'")
    with open_memory(tmp_path) as memory:
        assert {problem["code"] for problem in memory.check()} == {"audit.replay"}


def test_undoing_what_changed_nothing_is_no_forgery(memory: Memory) -> None:
    saved(memory, "known")
    change = memory.add("known")["change_id"]
    undone = memory.undo(change)
    assert undone["results"] == []
    assert memory.redo(change)["results"] == []
    assert memory.check() == []


@pytest.mark.parametrize("statement", ["delete from actions where action = 9", "delete from runs where run = 8"])
def test_an_audit_without_its_end_differs_from_the_memories(tmp_path: Path, audited: bytes, statement: str) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(audited)
    vandalise(path, statement)
    with open_memory(tmp_path) as memory:
        assert "audit.replay" in {problem["code"] for problem in memory.check()}


# -- the same request twice


def test_a_repeated_request_returns_the_first_result(tmp_path: Path, memory: Memory, clock: SetClock) -> None:
    saved(memory, "known")
    first = memory.add(["one", "known", "two"], idempotency_key="key", metadata={"b": 1, "a": 2}, consolidate=False)
    before = dump(tmp_path / "memory.db")
    clock.advance(hours=1)
    again = memory.add(["one", "known", "two"], idempotency_key="key", metadata={"a": 2, "b": 1}, consolidate=False)
    assert again == first | {"repeated": True}
    assert dump(tmp_path / "memory.db") == before
    assert texts(memory) == ["known", "one", "two"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"messages": "other"}, id="another text"),
        pytest.param({"importance": 0.7}, id="another importance"),
        pytest.param({"metadata": {"a": 1}}, id="other metadata"),
        pytest.param({"session_id": "s"}, id="another session"),
        pytest.param({"infer": False}, id="another way"),
        pytest.param({"messages": {"role": "user", "content": "one"}}, id="a turn of the same text"),
    ],
)
def test_another_request_under_the_same_key_is_a_conflict(tmp_path: Path, memory: Memory, other: dict[str, Any]) -> None:
    memory.add("one", idempotency_key="key")
    before = dump(tmp_path / "memory.db")
    with pytest.raises(Conflict, match="key"):
        memory.add(**{"messages": "one", "idempotency_key": "key"} | other)
    assert dump(tmp_path / "memory.db") == before


def test_each_user_has_keys_of_his_own(memory: Memory) -> None:
    memory.add("one", idempotency_key="key")
    memory.add("another", idempotency_key="key", user_id="bob")
    assert texts(memory, "bob") == ["another"]


def test_a_repeat_after_the_memory_changed_tells_what_it_is_now(memory: Memory) -> None:
    first = memory.add(["one", "two"], idempotency_key="key", consolidate=False)["results"]
    memory.update(first[0]["id"], "one changed")
    memory.delete(first[1]["id"])
    again = memory.add(["one", "two"], idempotency_key="key", consolidate=False)["results"]
    assert [result["id"] for result in again] == [result["id"] for result in first]
    assert [result["memory"] for result in again] == ["one changed", None]
    assert texts(memory) == ["one changed"]


SAME_REQUEST = """
import sys
from pathlib import Path
from support import open_memory

memory = open_memory(Path(sys.argv[1]))
print("ready", flush=True)
for line in sys.stdin:
    answer = memory.add(f"text {line.strip()}", idempotency_key=f"key {line.strip()}")
    print(answer["results"][0]["id"], answer["change_id"], flush=True)
memory.close()
"""


def test_two_processes_with_the_same_request_store_it_once(tmp_path: Path) -> None:
    children = [start_child(SAME_REQUEST, tmp_path) for _ in range(2)]
    answers = []
    for child in children:
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
    for number in range(10):
        for child in children:
            assert child.stdin
            child.stdin.write(f"{number}\n")
            child.stdin.flush()
        answers.append({child.stdout.readline() for child in children if child.stdout})
    for child in children:
        said(child)
    assert [len(answer) for answer in answers] == [1] * 10
    with open_memory(tmp_path) as memory:
        assert texts(memory) == [f"text {number}" for number in range(10)]
        assert memory.check() == []


def test_a_text_that_comes_twice_in_one_call_is_stored_once(memory: Memory) -> None:
    """As it would be in two calls; `infer=False` keeps every copy."""
    answer = memory.add(["tea", "TEA.", "coffee"])["results"]
    assert [result["event"] for result in answer] == ["ADD", "NONE", "ADD"]
    assert answer[1]["id"] == answer[0]["id"]
    assert texts(memory) == ["tea", "coffee"]
    memory.add(["tea", "tea"], infer=False)
    assert texts(memory) == ["tea", "coffee", "tea", "tea"]
