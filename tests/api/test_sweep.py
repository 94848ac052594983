"""A sweep over what is stored: what becomes of it, what it leaves alone, and that it is safe whatever happens meanwhile."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from doubles import NOON, Clock, ids, new_file, new_memory, opened, share_of_examples, texts
from hypothesis import given
from hypothesis import strategies as st
from support import PowerCut, cut_before, start_child

from memlite import BadInput, Memory, NotFound, Settings
from memlite.engine.kit import Mind, rules_distil
from memlite.errors import ReplyError, Timeout, Unreachable
from memlite.model import Record
from memlite.rules.decision import ACTIONS, Candidate, Decision, Ruling
from memlite.testing import ScriptedChat, ScriptedDecider

BERLIN = ("The user lives in Berlin.", "The user lives in Berlin", "The user is living in Berlin.")
TEA = ("The user likes tea.", "The user likes green tea.")
MERGED = "The cat Tom eats fish and tuna."
TWINS = tuple(f"{name} works at the bakery{end}" for name in ("Ada", "Bob", "Cleo", "Dan") for end in ("", "."))

Decide = Callable[[Record, Sequence[Candidate]], Decision]


def fill(memory: Memory, stored: Sequence[str], **options: Any) -> list[str]:
    """Stores texts as they are, a millisecond apart; their ids."""
    return [ids(memory.add(text, infer=False, occurred_at=NOON + place, **options))[0] for place, text in enumerate(stored)]


@contextmanager
def holding(*stored: str, **options: Any) -> Iterator[Memory]:
    with new_memory(**options) as memory:
        fill(memory, stored)
        yield memory


def decided_by(memory: Memory, *verdicts: Decide | Exception) -> ScriptedDecider:
    """Puts a decider that follows a script in the place of the rules; the last verdict holds for all that follows."""
    decider = ScriptedDecider([*verdicts, *[verdicts[-1]] * 200])
    memory._kit = replace(memory._kit, mind=Mind(lambda: decider, rules_distil))
    return decider


def first(action: str, text: str | None = None) -> Decide:
    """A decision about the likest memory that was offered."""
    return lambda _, offered: Decision(action=action, targets=(offered[0].alias,), text=text, reasoning="it says so")  # type: ignore[arg-type]


def state(memory: Memory, user_id: str | None = None) -> list[dict[str, Any]]:
    """All memories of a user but for what an undo does not bring back."""
    listed = memory.get_all(user_id=user_id, status="any", limit=1000)["results"]
    return [{key: value for key, value in row.items() if key not in ("version", "updated_at", "accessed_at")} for row in listed]


# -- what becomes of memories


def test_what_says_the_same_becomes_one() -> None:
    with holding(*BERLIN, *TEA) as memory:
        swept = memory.consolidate(loss_budget=1)
        assert sorted(texts(memory.get_all())) == ["The user is living in Berlin.", "The user likes green tea."]
        assert (swept["removed"], swept["replaced"], swept["refused"], swept["cursor"]) == (3, 3, None, None)
        again = memory.consolidate(loss_budget=1)
        assert (again["removed"], again["changes"]) == (0, [])
        assert memory.check() == []


def test_copies_stored_in_the_same_moment_become_one() -> None:
    with new_memory() as memory:
        memory.add(["The shelf holds 4471 boxes."] * 12, infer=False)
        assert memory.consolidate(loss_budget=1)["removed"] == 11
        assert texts(memory.get_all()) == ["The shelf holds 4471 boxes."]


def test_what_a_sweep_makes_is_looked_at_again_and_what_others_store_meanwhile_is_not() -> None:
    clock = Clock()
    with new_memory(clock=clock) as memory:
        memory.add(["The shelf holds 4471 boxes."] * 6, infer=False)

        def meanwhile(_: Any) -> None:
            clock.advance(seconds=1)
            memory.add(f"Ticket {clock.now_ms} was closed.", infer=False)

        decider = decided_by(memory, first("replace"))
        assert memory.consolidate(loss_budget=1, progress=meanwhile)["removed"] == 5
        assert texts(memory.get_all(limit=1000)).count("The shelf holds 4471 boxes.") == 1
        assert [new.content for new, _ in decider.calls if new.content.startswith("Ticket")] == []


def test_chinese_texts_without_vectors_become_one() -> None:
    with holding("用户住在杭州。", "用户住在杭州") as memory:
        assert memory.consolidate(loss_budget=1)["removed"] == 1
        assert texts(memory.get_all()) == ["用户住在杭州"]


@pytest.mark.parametrize(
    ("action", "text", "left"),
    [
        pytest.param("replace", None, ["The cat Tom eats tuna."], id="replace keeps the newer text"),
        pytest.param("merge", "The cat Tom eats fish and tuna.", ["The cat Tom eats fish and tuna."], id="merge"),
        pytest.param("update", "The cat Tom eats tuna.", ["The cat Tom eats tuna."], id="update rewrites the older one"),
        pytest.param("keep_separate", None, ["The cat Tom eats tuna.", "The cat Tom eats fish."], id="keep separate"),
        pytest.param("skip", None, ["The cat Tom eats tuna.", "The cat Tom eats fish."], id="skip"),
    ],
)
def test_each_action_is_one_change_that_is_recorded_and_undone(action: str, text: str | None, left: list[str]) -> None:
    with holding("The cat Tom eats fish.", "The cat Tom eats tuna.") as memory:
        before = state(memory)
        decided_by(memory, first(action, text) if action not in ("keep_separate", "skip") else lambda *_: Decision(action=action))  # type: ignore[arg-type]
        swept = memory.consolidate(loss_budget=1)
        assert texts(memory.get_all()) == left
        assert memory.check() == []
        assert len(swept["changes"]) == (1 if len(left) == 1 else 0)
        for change in swept["changes"]:
            told = memory.changes(limit=1)["results"][0]
            assert (told["verb"], told["change_id"]) == ("consolidate", change["change_id"])
            entry = memory.history(change["id"])[-1]
            assert entry["ruling"]["applied"] == entry["ruling"]["requested"] == action
            assert entry["told"]["reasoning"] == "it says so"
            for memory_id in change["removed"]:
                with pytest.raises(NotFound) as gone:
                    memory.get(memory_id)
                assert gone.value.successors == (change["id"],)
            memory.undo(change["change_id"])
        assert state(memory) == before
        assert memory.check() == []


def test_an_update_keeps_the_id_of_the_older_memory() -> None:
    with new_memory() as memory:
        older, newer = fill(memory, ["The cat Tom eats fish.", "The cat Tom eats tuna."])
        decided_by(memory, first("update", "The cat Tom eats tuna."))
        change = memory.consolidate(loss_budget=1)["changes"][0]
        assert (change["id"], change["removed"]) == (older, [newer])


def test_the_newer_memory_is_the_new_one_in_whatever_order_they_were_stored() -> None:
    with new_memory() as memory:
        memory.add("The user lives in Oslo.", infer=False, occurred_at=NOON)
        memory.add("The user lives in Rome.", infer=False, occurred_at=NOON - 1000)
        decider = decided_by(memory, lambda *_: Decision(action="skip"))
        memory.consolidate()
        asked = [(new.content, [c.record.content for c in offered]) for new, offered in decider.calls]
        assert asked == [("The user lives in Oslo.", ["The user lives in Rome."])]


def test_the_result_has_what_its_parts_had() -> None:
    with new_memory() as memory:
        memory.add("The cat Tom eats fish.", infer=False, occurred_at=NOON, importance=0.9, metadata={"tags": ["cat"], "a": 1})
        memory.add(
            "The cat Tom eats tuna.", infer=False, occurred_at=NOON + 1, importance=0.2, metadata={"tags": ["food"], "b": 2}
        )
        decided_by(memory, first("merge", MERGED))
        memory.consolidate(loss_budget=1)
        found = memory.get_all()["results"][0]
        assert (found["importance"], found["metadata"]) == (0.9, {"tags": ["cat", "food"], "a": 1, "b": 2})
        assert memory.search("The cat Tom eats fish and tuna.", preset="mission")["results"][0]["relevance"] > 0.99


def test_the_notes_of_both_are_kept() -> None:
    with new_memory() as memory:
        for place, (text, note) in enumerate((("The cat Tom eats fish.", "old"), ("The cat Tom eats tuna.", "new"))):
            memory.add(text, infer=False, occurred_at=NOON + place, metadata={"historical_notes": [note]})
        decided_by(memory, first("merge", MERGED))
        memory.consolidate(loss_budget=1)
        assert memory.get_all()["results"][0]["metadata"]["historical_notes"] == ["old", "new"]


# -- what it leaves alone


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"pinned": True}, {}, id="a pinned memory, the older"),
        pytest.param({}, {"pinned": True}, id="a pinned memory, the newer"),
        pytest.param({"area": "fragments"}, {}, id="of another area"),
        pytest.param({"user_id": "bob"}, {}, id="of another user"),
        pytest.param({"origin": "document"}, {}, id="a document beside what was said"),
        pytest.param({}, {"origin": "document"}, id="what was said beside a document"),
        pytest.param({}, {"origin": "tool_output"}, id="a tool's output that came after the user's word"),
        pytest.param({"agent_id": "a"}, {"agent_id": "b"}, id="of another agent"),
        pytest.param({"expires_at": NOON}, {}, id="expired"),
    ],
)
def test_twins_that_stay_two(one: dict[str, Any], other: dict[str, Any]) -> None:
    with new_memory() as memory:
        for place, options in enumerate((one, other)):
            memory.add("The safe is behind the clock.", infer=False, occurred_at=NOON + place, **options)
        before = [state(memory), state(memory, "bob")]
        swept = memory.consolidate(loss_budget=1)
        assert (swept["removed"], [state(memory), state(memory, "bob")]) == (0, before)


def test_turns_are_never_swept_and_do_not_count_for_the_budget() -> None:
    with new_memory() as memory:
        memory.add([{"role": "user", "content": f"I like tea {n}"} for n in range(40)], infer=False, session_id="s")
        fill(memory, BERLIN[:2])
        swept = memory.consolidate()
        assert (swept["examined"], swept["removed"]) == (0, 0)
        assert "allows 0 of 2" in swept["refused"]


def test_only_the_area_that_was_named() -> None:
    with new_memory() as memory:
        fill(memory, BERLIN[:2])
        fill(memory, TEA, area="fragments")
        assert memory.consolidate(area="fragments", loss_budget=1)["removed"] == 1
        assert sorted(texts(memory.get_all())) == ["The user likes green tea.", *sorted(BERLIN[:2])]


@pytest.mark.parametrize(
    ("decide", "reason"),
    [
        pytest.param(first("replace", "The shelf stands."), "lost", id="a number would go"),
        pytest.param(first("merge", "The shelf holds 4471 and 9902 boxes."), "invented", id="a number no text has"),
        pytest.param(first("merge"), "empty_text", id="a merge without text"),
        pytest.param(lambda *_: Decision(action="replace", targets=(9,)), "unknown_alias", id="a memory that was not offered"),
    ],
)
def test_a_decision_that_fails_a_check_changes_nothing_and_is_noted(decide: Decide, reason: str) -> None:
    with holding("The shelf holds 4471 boxes.", "The shelf holds 4471 boxes at night.") as memory:
        before = state(memory)
        decided_by(memory, decide)
        swept = memory.consolidate(loss_budget=1)
        assert (state(memory), swept["removed"], swept["decided"]) == (before, 0, 1)
        entry = memory.history(before[0]["id"])[-1]
        assert (entry["event"], entry["reason"], entry["verb"]) == ("NONE", reason, "consolidate")
        assert entry["ruling"]["applied"] == "keep_separate"


# -- dry run


def test_a_dry_run_tells_what_a_sweep_does_and_changes_nothing() -> None:
    with new_file() as path, opened(path) as memory:
        fill(memory, TWINS)
        before = (state(memory), memory.changes(limit=100))
        plan = memory.consolidate(dry_run=True, loss_budget=1, batch=3)
        assert (state(memory), memory.changes(limit=100)) == before
        assert (plan["changes"], plan["removed"], len(plan["plan"])) == ([], 4, 4)
        swept = memory.consolidate(loss_budget=1)
        same = ("merged", "replaced", "updated", "removed")
        assert [swept[name] for name in same] == [plan[name] for name in same]
        assert [entry["action"] for entry in plan["plan"]] == [change["action"] for change in swept["changes"]]
        assert [[old["id"] for old in entry["before"]] for entry in plan["plan"]] == [c["removed"] for c in swept["changes"]]
        assert [entry["after"] for entry in plan["plan"]] == [memory.get(change["id"])["memory"] for change in swept["changes"]]
        assert all(entry["reason"] for entry in plan["plan"])


def test_a_dry_run_follows_copies_of_copies() -> None:
    with new_memory() as memory:
        memory.add(["The shelf holds 4471 boxes."] * 12, infer=False)
        plan = memory.consolidate(dry_run=True, loss_budget=1)
        assert (plan["removed"], len(plan["plan"])) == (11, 11)


def test_a_dry_run_works_on_a_store_that_can_only_be_read() -> None:
    with new_file() as path:
        with opened(path) as memory:
            fill(memory, TWINS)
        with opened(path, read_only=True) as memory:
            assert memory.consolidate(dry_run=True, loss_budget=1)["removed"] == 4


# -- the loss budget


def test_a_store_whose_first_batch_loses_too_much_is_left_as_it_is() -> None:
    with holding(*TWINS) as memory:
        before = state(memory)
        swept = memory.consolidate(loss_budget=0.4)
        assert (swept["removed"], swept["changes"], swept["cursor"], state(memory)) == (0, [], None, before)
        assert "would lose 4" in swept["refused"]
        assert "allows 3 of 8" in swept["refused"]
        assert memory.consolidate(loss_budget=0.5)["refused"] is None


def test_a_sweep_stops_before_the_budget_is_exceeded_and_goes_on_with_a_larger_one() -> None:
    with holding(*TWINS) as memory:
        swept = memory.consolidate(loss_budget=0.4, batch=2)
        assert (swept["removed"], len(memory.get_all()["results"])) == (3, 5)
        assert "allows 3 of 8" in swept["refused"]
        stuck = memory.consolidate(loss_budget=0.4, batch=2, cursor=swept["cursor"])
        assert (stuck["removed"], stuck["refused"] is None) == (0, False)
        rest = memory.consolidate(loss_budget=0.5, batch=2, cursor=stuck["cursor"])
        assert (rest["removed"], rest["refused"], rest["cursor"]) == (1, None, None)


def test_a_dry_run_says_that_the_budget_would_not_do() -> None:
    with holding(*TWINS) as memory:
        plan = memory.consolidate(dry_run=True, loss_budget=0.2, batch=4)
        assert (len(plan["plan"]), plan["cursor"]) == (2, None)
        assert "would lose 2" in plan["refused"]


@given(st.integers(1, 40), st.integers(0, 20))
@share_of_examples(0.4)
def test_no_more_is_lost_than_the_budget_allows(batch: int, twentieths: int) -> None:
    with holding(*TWINS, *BERLIN, *TEA) as memory:
        memory.consolidate(loss_budget=twentieths / 20, batch=batch)
        assert len(memory.get_all()["results"]) >= 13 - 13 * twentieths // 20


# -- going on


def test_progress_tells_how_far_it_is() -> None:
    told: list[Any] = []
    with holding(*TWINS) as memory:
        memory.consolidate(loss_budget=1, batch=3, progress=told.append)
    assert [(entry["planned"], entry["cursor"]) for entry in told[:3]] == [(1, None), (2, None), (3, None)]
    assert [entry["examined"] for entry in told[3:11]] == [*range(1, 9)]
    assert all(entry["cursor"] for entry in told[3:])
    assert {entry["total"] for entry in told} == {8}


@pytest.mark.parametrize("kill_at", range(1, 11))
def test_a_sweep_that_was_interrupted_goes_on_from_the_last_cursor(kill_at: int) -> None:
    told: list[str | None] = []

    def killing(done: Any) -> None:
        told.append(done["cursor"])
        if len(told) == kill_at:
            raise KeyboardInterrupt

    with holding(*TWINS) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.consolidate(loss_budget=1, batch=2, progress=killing)
        memory.consolidate(loss_budget=1, batch=2, cursor=told[-1])
        assert sorted(texts(memory.get_all())) == sorted(text for text in TWINS if text.endswith("."))
        assert memory.check() == []


_KILLED = """
import os, sys
from doubles import opened
memory = opened(sys.argv[1])

def killing(told):
    if told["examined"] == int(sys.argv[2]):
        print(told["cursor"], flush=True)
        os.kill(os.getpid(), 9)

memory.consolidate(loss_budget=1, batch=3, progress=killing)
"""


@pytest.mark.parametrize("kill_at", [1, 4, 7])
def test_a_sweep_whose_process_was_killed_goes_on_from_the_last_cursor(kill_at: int) -> None:
    with new_file() as path:
        with opened(path) as memory:
            fill(memory, TWINS)
        child = start_child(_KILLED, path, kill_at)
        out, err = child.communicate(timeout=60)
        assert (child.returncode, err) == (-9, "")
        with opened(path) as memory:
            assert memory.check() == []
            memory.consolidate(loss_budget=1, cursor=out.strip())
            assert sorted(texts(memory.get_all())) == sorted(text for text in TWINS if text.endswith("."))


@pytest.mark.parametrize(
    "options",
    [
        {"area": "attic"},
        {"loss_budget": 1.1},
        {"loss_budget": -0.1},
        {"loss_budget": True},
        {"loss_budget": float("nan")},
        {"batch": 0},
        {"batch": "9"},
        {"dry_run": 1},
        {"progress": 7},
        {"user_id": ""},
        *(
            {"cursor": cursor}
            for cursor in ("", "c5", "s5", "s1.2", "s1.2.3.4", "s01.2.3", "s-1.2.3", "sx.y.z", "s1.2." + "f" * 99, 5)
        ),
    ],
    ids=str,
)
def test_bad_input(options: dict[str, Any]) -> None:
    with holding(*BERLIN) as memory, pytest.raises(BadInput):
        memory.consolidate(**options)


def test_an_empty_store_and_a_user_nobody_knows() -> None:
    with new_memory() as memory:
        for user_id in (None, "nobody"):
            swept = memory.consolidate(user_id=user_id)
            assert (swept["examined"], swept["refused"], swept["cursor"]) == (0, None, None)
        assert memory.users() == []


# -- a decider that fails


@pytest.mark.parametrize("error", [Timeout("slow"), ReplyError("prose")], ids=["timeout", "prose"])
def test_a_memory_the_model_fails_on_is_left_and_the_sweep_goes_on(error: Exception) -> None:
    with holding(*TEA, *TWINS[:2]) as memory:
        decided_by(memory, error, first("replace"))
        swept = memory.consolidate(loss_budget=1)
        assert (swept["decided"], swept["removed"], swept["refused"]) == (1, 1, None)
        assert sorted(texts(memory.get_all())) == sorted([*TEA, TWINS[1]])


def test_a_model_that_is_away_ends_the_sweep_and_says_so() -> None:
    with holding(*TEA, *TWINS) as memory:
        decider = decided_by(memory, first("replace"), Unreachable("no server at port 11434"))
        swept = memory.consolidate(loss_budget=1, batch=2)
        assert (swept["removed"], len(decider.calls)) == (1, 2)
        assert "no server at port 11434" in swept["refused"]
        decided_by(memory, first("replace"))
        assert memory.consolidate(loss_budget=1, cursor=swept["cursor"])["refused"] is None


def test_each_memory_has_a_deadline_of_its_own() -> None:
    late = threading.Event()

    def slow(new: Record, offered: Sequence[Candidate]) -> Decision:
        late.wait(0.15)
        return first("replace")(new, offered)

    with holding(*TEA, *TWINS[:2], settings=Settings(durability="normal", decision_seconds=0.1)) as memory:
        decided_by(memory, slow, first("replace"))
        swept = memory.consolidate(loss_budget=1)
        assert (swept["decided"], swept["removed"]) == (1, 1)
        assert set(TEA) <= set(texts(memory.get_all()))


def test_a_fault_of_the_decider_reaches_the_caller_and_changes_nothing() -> None:
    with holding(*TEA) as memory:
        before = state(memory)
        decided_by(memory, ZeroDivisionError("a bug"))
        with pytest.raises(ZeroDivisionError):
            memory.consolidate(loss_budget=1)
        assert state(memory) == before


def test_a_chat_model_decides_and_is_quoted_in_the_audit() -> None:
    def answer(system: str, message: str) -> str:
        if "keywords" in system.lower():
            return json.dumps({"keywords": ["Tom"]})
        merged = {"reasoning": "Both are food.", "action": "merge", "targets": [1], "text": MERGED, "tags": ["cat"]}
        return json.dumps(merged)

    chat = ScriptedChat([answer] * 20, name="model:1b")
    with holding("The cat Tom eats fish.", "The cat Tom eats tuna.", chat=chat) as memory:
        planned = memory.consolidate(loss_budget=1, dry_run=True)
        assert [(entry["after"], entry["reason"]) for entry in planned["plan"]] == [(MERGED, "Both are food.")]
        swept = memory.consolidate(loss_budget=1)
        assert (texts(memory.get_all()), swept["merged"]) == ([MERGED], 1)
        entry = memory.history(swept["changes"][0]["id"])[-1]
        assert (entry["ruling"]["decider"], entry["ruling"]["prompt"][:11]) == ("model:1b", "consolidate")
        assert MERGED in entry["told"]["reply"]
        assert memory.get_all()["results"][0]["metadata"]["tags"] == ["cat"]
        assert all(asked.left_s <= 60 for asked in chat.calls)


# -- meanwhile


def test_what_changed_since_the_decision_is_decided_about_again() -> None:
    with new_memory() as memory:
        older, _ = fill(memory, ["The cat Tom eats fish.", "The cat Tom eats tuna."])

        def meddling(new: Record, offered: Sequence[Candidate]) -> Decision:
            memory.update(older, "The cat Tom eats fish daily.")
            return first("replace")(new, offered)

        decider = decided_by(memory, meddling, lambda *_: Decision(action="skip"))
        assert memory.consolidate(loss_budget=1)["removed"] == 0
        assert [offered[0].record.content for _, offered in decider.calls] == [
            "The cat Tom eats fish.",
            "The cat Tom eats fish daily.",
        ]
        assert len(texts(memory.get_all())) == 2


@pytest.mark.parametrize("which", [0, 1], ids=["the older", "the newer"])
@pytest.mark.parametrize("deed", ["delete", "pin"])
@pytest.mark.parametrize("cursor", [None, "s0.2.0"], ids=["planned first", "at once"])
def test_what_was_pinned_or_deleted_since_the_decision_stays_so(which: int, deed: str, cursor: str | None) -> None:
    with new_memory() as memory:
        stored = fill(memory, ["The cat Tom eats fish.", "The cat Tom eats tuna."])

        def meddling(new: Record, offered: Sequence[Candidate]) -> Decision:
            if stored[which] in ids(memory.get_all()):
                memory.delete(stored[which]) if deed == "delete" else memory.update(stored[which], pinned=True)
            return first("replace")(new, offered)

        decided_by(memory, meddling)
        assert memory.consolidate(loss_budget=1, cursor=cursor)["removed"] == 0
        assert set(ids(memory.get_all())) == set(stored) - ({stored[which]} if deed == "delete" else set())


def test_two_sweeps_and_a_writer_at_the_same_time_lose_nothing() -> None:
    names = [f"Person{n}" for n in range(12)]
    stored = [f"{name} works at the bakery{end}" for name in names for end in ("", ".")]
    with new_file() as path, opened(path) as memory:
        fill(memory, stored)
        start = threading.Barrier(3)
        swept: list[dict[str, Any]] = []

        def sweeping() -> None:
            with opened(path) as mine:
                start.wait()
                swept.append(mine.consolidate(loss_budget=1, batch=5))

        def writing() -> None:
            start.wait()
            for place in range(20):
                memory.add(f"Ticket {place} was closed.", infer=False, occurred_at=NOON + 100 + place)

        threads = [threading.Thread(target=job) for job in (sweeping, sweeping, writing)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        left = texts(memory.get_all(limit=1000))
        tickets = [text for text in left if text.startswith("Ticket")]
        assert sorted(tickets) == sorted(f"Ticket {place} was closed." for place in range(20))
        assert {text.split()[0] for text in left if not text.startswith("Ticket")} == set(names)
        assert sum(result["removed"] for result in swept) == len(stored) + 20 - len(left)
        assert memory.check() == []


def test_a_sweep_beside_saves_that_consolidate_keeps_the_newest_word_about_everybody() -> None:
    names = ("Ada", "Bob", "Cleo", "Dan")
    with new_file() as path, opened(path) as memory:
        fill(memory, TWINS)
        start = threading.Barrier(3)

        def sweeping() -> None:
            with opened(path) as mine:
                start.wait()
                for _ in range(3):
                    mine.consolidate(loss_budget=1, batch=2)

        def saving() -> None:
            start.wait()
            for place, name in enumerate(names):
                memory.add(f"{name} works at the bakery and the mill.", occurred_at=NOON + 100 + place)

        threads = [threading.Thread(target=job) for job in (sweeping, sweeping, saving)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {f"{name} works at the bakery and the mill." for name in names} <= set(texts(memory.get_all()))
        assert memory.check() == []
        changes = memory.changes(limit=1000)["results"]
        for change in changes[: -len(TWINS)]:
            memory.undo(change["change_id"])
        assert sorted(texts(memory.get_all())) == sorted(TWINS)


def test_a_power_cut_leaves_the_store_before_or_after_a_decision(tmp_path: Path) -> None:
    prepared = tmp_path / "prepared.db"
    with new_file() as path:
        with opened(path) as memory:
            fill(memory, [*BERLIN[:2], *TEA])
        shutil.copy(path, prepared)
    allowed = {
        frozenset([*BERLIN[:2], *TEA]),
        frozenset([BERLIN[1], *TEA]),
        frozenset([BERLIN[1], TEA[1]]),
    }
    seen, statement, fired = set(), 0, True
    while fired:
        copy = Path(shutil.copy(prepared, tmp_path / f"cut{statement}.db"))
        with opened(copy) as memory, cut_before(statement, inside=True) as cut, suppress(PowerCut):
            memory.consolidate(loss_budget=1)
        fired = cut.fired
        with opened(copy) as memory:
            left = frozenset(texts(memory.get_all()))
            assert left in allowed
            assert memory.check() == []
            memory.consolidate(loss_budget=1)
            assert frozenset(texts(memory.get_all())) == frozenset([BERLIN[1], TEA[1]])
        seen.add(left)
        copy.unlink()
        statement += 3
    assert seen == allowed


# -- whatever a decider says


WORDS = (
    "The shelf holds 4471 boxes.",
    "The shelf holds 4471 boxes at night.",
    "The shelf held 9902 boxes.",
    "No shelf is needed.",
    "架子上有 4471 个箱子。",
)
DECISIONS = st.builds(
    Decision,
    action=st.sampled_from(ACTIONS),
    targets=st.lists(st.integers(-1, 5), max_size=4).map(tuple),
    text=st.none()
    | st.sampled_from([*WORDS, "", " ", "The shelf holds 4471 boxes and held 9902 at night."])
    | st.text(max_size=20),
    reasoning=st.text(max_size=9),
    metadata=st.dictionaries(st.sampled_from(["id", "user_id", "tags", "note"]), st.text(max_size=5), max_size=2),
)


@given(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=7),
    st.lists(DECISIONS, min_size=1, max_size=6),
    st.integers(1, 5),
)
@share_of_examples(0.6)
def test_whatever_is_decided_can_be_undone_and_touches_nobody_else(
    stored: list[str], decisions: list[Decision], batch: int
) -> None:
    with new_memory(clock=Clock()) as memory:
        fill(memory, stored)
        fill(memory, stored, user_id="bob")
        before, bobs = state(memory), state(memory, "bob")
        decider = ScriptedDecider([Ruling(decision=d, decider="any") for d in decisions * 50])
        memory._kit = replace(memory._kit, mind=Mind(lambda: decider, rules_distil))
        swept = memory.consolidate(loss_budget=1, batch=batch)
        left = " ".join(texts(memory.get_all()))
        assert not any("4471" in text for text in stored) or "4471" in left
        assert len(before) - len(state(memory)) == swept["removed"]
        assert state(memory, "bob") == bobs
        for change in reversed(swept["changes"]):
            memory.undo(change["change_id"])
        assert state(memory) == before
        assert memory.check() == []
