"""`log`: what was decided about new memories and what was not worth keeping, each with its reason, long after the texts went."""

from __future__ import annotations

import json
from typing import Any

import pytest
from doubles import Clock, new_memory

from memlite import BadInput, Memory, Settings
from memlite.testing import ScriptedChat

RENT = "The user's rent is {} euros a month."


def decisions(memory: Memory, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = memory.log(**options)["results"]
    return found


def test_a_decision_has_its_reason_and_its_texts() -> None:
    with new_memory() as memory:
        first = memory.add(RENT.format(900))
        second = memory.add(RENT.format(950))
        newest, oldest = decisions(memory)
        memory_id = first["results"][0]["id"]
        assert (oldest["requested"], oldest["action"], oldest["reason"]) == (None, "keep_separate", "no_candidates")
        assert (oldest["memory"], oldest["before"], oldest["offered"]) == (RENT.format(900), [], [])
        assert (newest["requested"], newest["action"], newest["reason"]) == ("update", "update", None)
        assert (newest["memory_id"], newest["event"], newest["decider"]) == (memory_id, "UPDATE", "rules")
        assert newest["memory"] == RENT.format(950)
        assert newest["before"] == [{"id": memory_id, "memory": RENT.format(900)}]
        assert newest["told"] == {"reasoning": "another value for the same thing"}
        assert (newest["change_id"], newest["undone_by"]) == (second["change_id"], None)
        assert newest["created_at"] == "2026-03-01T12:00:00.000Z"
        [offered] = newest["offered"]
        assert offered["memory"] == RENT.format(900)
        assert 0.75 < offered["relevance"] < 1


def test_what_a_replacement_removed_is_told() -> None:
    with new_memory() as memory:
        old = memory.add(RENT.format(900))["results"][0]["id"]
        memory.add("The user's rent is 900 euros a month, heating included.")
        newest = decisions(memory)[0]
        assert (newest["action"], newest["event"]) == ("replace", "ADD")
        assert newest["before"] == [{"id": old, "memory": RENT.format(900)}]
        assert [offered["memory"] for offered in newest["offered"]] == [RENT.format(900)]


def test_a_later_change_does_not_change_what_was_decided() -> None:
    with new_memory() as memory:
        kept = memory.add("The user plays the viola in a quartet.")["results"][0]["id"]
        memory.add("The user plays the viola in an orchestra.", consolidate="simple")
        memory.update(kept, "The user sings in a choir.")
        memory.delete(kept)
        newest, oldest = decisions(memory)
        assert oldest["memory"] == "The user plays the viola in a quartet."
        assert [offered["id"] for offered in newest["offered"]] == [kept]
        assert [offered["memory"] for offered in newest["offered"]] == [None]  # what it says now is not what was seen


def test_an_undone_decision_is_marked_until_it_is_redone() -> None:
    with new_memory() as memory:
        memory.add(RENT.format(900))
        change = memory.add(RENT.format(950))["change_id"]
        undo = memory.undo(change)["change_id"]
        assert [entry["undone_by"] for entry in decisions(memory)] == [undo, None]
        assert decisions(memory)[0]["memory"] == RENT.format(950)
        memory.redo(change)
        assert [entry["undone_by"] for entry in decisions(memory)] == [None, None]


def test_texts_stored_word_for_word_are_no_decisions() -> None:
    with new_memory() as memory:
        memory.add(["one", "two"], infer=False)
        memory.add("three")
        memory.add("three")
        assert [entry["memory"] for entry in decisions(memory)] == ["three"]


def test_page_by_page() -> None:
    with new_memory() as memory:
        for number in range(5):
            memory.add(f"word{number} other{number}")
        found: list[str] = []
        cursor: str | None = None
        for _ in range(3):
            page = memory.log(limit=2, cursor=cursor)
            memory.add(f"meanwhile {len(found)}")
            found += [entry["memory"] for entry in page["results"]]
            cursor = page["cursor"]
        assert found == [f"word{number} other{number}" for number in reversed(range(5))]
        assert cursor is None
        for wrong in ({"limit": 0}, {"cursor": "x"}, {"rejected": "yes"}):
            with pytest.raises(BadInput):
                memory.log(**wrong)


def test_users_see_their_own() -> None:
    with new_memory() as memory:
        mine = memory.add(RENT.format(900), user_id="ann")["results"][0]["id"]
        memory.add(RENT.format(950), user_id="ann")
        memory.move(mine, user_id="ann", to_user_id="bob")
        memory.update(mine, "Bob's secret.", user_id="bob")
        told = memory.log(user_id="ann")["results"]
        assert [entry["memory"] for entry in told] == [RENT.format(950), RENT.format(900)]
        assert "secret" not in repr(told)
        assert memory.log(user_id="bob")["results"] == []
        assert memory.log(user_id="nobody")["results"] == memory.log(user_id="nobody", rejected=True)["results"] == []


def test_reasons_outlive_the_texts() -> None:
    clock = Clock()
    with new_memory(clock=clock, settings=Settings(durability="normal", history_days=30)) as memory:
        memory.add(RENT.format(900))
        memory.add(RENT.format(950))
        clock.advance(hours=24 * 31)
        assert memory.admin.compact()["texts_dropped"] > 0
        newest, oldest = decisions(memory)
        assert (newest["requested"], newest["action"], newest["decider"]) == ("update", "update", "rules")
        assert (newest["told"], [was["memory"] for was in newest["before"]]) == ({}, [None])
        assert oldest["memory"] is None
        assert newest["memory"] == RENT.format(950)  # it is still there
        assert memory.check() == []


def test_a_rejected_text_is_told_for_seven_days_and_its_reason_for_good() -> None:
    facts = [{"text": "The user said hello.", "subject": "user", "turns": [1]}]
    chat = ScriptedChat([json.dumps({"facts": facts}), '{"solutions": []}'])
    clock = Clock()
    with new_memory(chat=chat, clock=clock) as memory:
        added = memory.add({"role": "user", "content": "Hello! I said hello."})
        assert added["results"] == []
        [entry] = decisions(memory, rejected=True)
        assert (entry["memory_id"], entry["rejected"]) == (added["turns"][0], "The user said hello.")
        assert entry["reason"]
        assert entry["change_id"] in added["change_ids"]
        assert decisions(memory) == []
        clock.advance(hours=24 * 7 - 1)
        memory.admin.compact()
        assert decisions(memory, rejected=True) == [entry]
        clock.advance(hours=2)
        assert memory.admin.compact()["texts_dropped"] == 1
        assert decisions(memory, rejected=True) == [entry | {"rejected": None}]
        assert memory.check() == []
