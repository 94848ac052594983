"""What the facade does: results, events, order, time, undo of it all, and files that another model wrote."""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from doubles import HOUR, NOON, QUICK, Clock, WordEmbedder, ids, new_file, new_memory, opened, out_of_order, put, texts

from memlite import (
    BadInput,
    Conflict,
    Memory,
    ModelMissing,
    NotFound,
    ReadOnly,
    Record,
    ScopeMissing,
    Settings,
    SpaceMismatch,
    Stale,
    StorageError,
)
from memlite.model import Change, Hit, Parts
from memlite.rules.presets import PRESETS
from memlite.rules.text import content_hash

MEMORY_KEYS = {
    "id",
    "memory",
    "user_id",
    "agent_id",
    "session_id",
    "run_id",
    "seq",
    "area",
    "kind",
    "granularity",
    "role",
    "subject",
    "keywords",
    "flags",
    "importance",
    "confidence",
    "origin",
    "status",
    "pinned",
    "created_at",
    "updated_at",
    "occurred_at",
    "accessed_at",
    "expires_at",
    "access_count",
    "version",
    "hash",
    "metadata",
}
HIT_KEYS = MEMORY_KEYS | {"score", "relevance", "coverage", "recency", "parts", "truncated"}
ISO = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[Memory]:
    with new_memory(clock=clock) as memory:
        yield memory
        assert memory.check() == []


def add(memory: Memory, text: str, **options: Any) -> str:
    """The id of a new memory."""
    result = memory.add(text, **options)["results"][0]
    assert result["event"] == "ADD"
    return str(result["id"])


def turns(*said: str) -> list[dict[str, str]]:
    """User and assistant in turn."""
    return [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]


# -- envelopes


def test_envelopes(memory: Memory) -> None:
    added = memory.add(["Green tea.", "Black tea."])
    assert added.keys() == {"results", "change_id", "change_ids"}
    assert [result.keys() for result in added["results"]] == [{"id", "memory", "event", "reason", "action"}] * 2
    assert added["change_ids"][-1] == added["change_id"]
    assert len(added["change_ids"]) == 2, "each text is a decision of its own"
    first, second = ids(added)
    found = memory.search("tea")
    assert found.keys() == {"results", "exact"}
    assert [hit.keys() for hit in found["results"]] == [HIT_KEYS] * 2
    assert memory.get(first).keys() == MEMORY_KEYS
    listed = memory.get_all()
    assert listed.keys() == {"results", "cursor"}
    assert [item.keys() for item in listed["results"]] == [MEMORY_KEYS] * 2
    updated = memory.update(first, importance=0.7)
    assert updated.keys() == MEMORY_KEYS | {"event", "change_id"}
    deleted = memory.delete(second)
    assert deleted.keys() == {"id", "memory", "event", "change_id", "dry_run"}
    changes = memory.changes()
    assert changes.keys() == {"results", "cursor"}
    assert changes["results"][0].keys() == {"change_id", "verb", "at", "user_id", "events", "undoes", "undone_by"}
    undone = memory.undo(deleted["change_id"])
    assert undone.keys() == {"results", "change_id", "change_ids"}
    assert memory.redo(deleted["change_id"]).keys() == undone.keys()
    assert memory.history(second)[0].keys() >= {"memory_id", "old_memory", "new_memory", "event", "change_id", "created_at"}
    assert memory.move(first, to_area="solutions").keys() == {"results", "change_id"}
    assert memory.delete_all(user_id="default").keys() == {"deleted", "ids", "change_id", "dry_run"}
    assert memory.reset(user_id="default").keys() == {"deleted", "ids", "change_id", "dry_run"}
    json.dumps([added, found, listed, updated, deleted, changes, undone, memory.stats(), memory.sessions()], allow_nan=False)


def test_every_number_behind_a_score_on_demand(memory: Memory) -> None:
    add(memory, "Green tea.")
    (plain,) = memory.search("tea", touch=False)["results"]
    (explained,) = memory.search("tea", explain=True, touch=False)["results"]
    assert explained.pop("explain").keys() >= {"preset", "weights", "cosine", "bm25", "age_hours", "decay_per_hour", "terms"}
    assert explained == plain
    json.dumps(memory.search("tea", explain=True), allow_nan=False)


def test_defaults_and_everything_that_can_be_said(memory: Memory, clock: Clock) -> None:
    noon = "2026-03-01T12:00:00.000Z"
    plain = memory.get(add(memory, "Green tea."))
    assert plain | {"id": 0, "hash": 0} == {
        **dict.fromkeys(MEMORY_KEYS),
        "id": 0,
        "keywords": [],
        "flags": [],
        "hash": 0,
        "memory": "Green tea.",
        "user_id": "default",
        "area": "main",
        "kind": "semantic",
        "granularity": "proposition",
        "importance": 0.5,
        "confidence": 1.0,
        "origin": "user_stated",
        "status": "active",
        "pinned": False,
        **dict.fromkeys(("created_at", "updated_at", "occurred_at", "accessed_at"), noon),
        "access_count": 0,
        "version": 1,
        "metadata": {},
    }
    said: dict[str, Any] = {
        "user_id": "ann",
        "agent_id": "bot",
        "session_id": "s1",
        "metadata": {"color": ["red"]},
        "area": "solutions",
        "kind": "procedural",
        "importance": 0.9,
        "confidence": 0.3,
        "origin": "document",
        "occurred_at": "2020-01-01T00:00:00.000Z",
        "expires_at": "2030-01-01T00:00:00.000Z",
        "pinned": True,
    }
    full = memory.get(add(memory, "Black tea.", **said), user_id="ann")
    assert {name: full[name] for name in said} == said
    assert full["run_id"] == "s1"
    assert full["accessed_at"] == full["occurred_at"]
    assert full["created_at"] == noon
    assert re.fullmatch(r"mem_[0-9a-z]{26}", full["id"])


def test_a_store_has_its_own_user_and_agent(clock: Clock) -> None:
    with new_memory(user_id="ann", agent_id="bot", clock=clock) as memory:
        mine = memory.get(add(memory, "Green tea."))
        assert (mine["user_id"], mine["agent_id"]) == ("ann", "bot")
        assert memory.get(add(memory, "Black tea.", agent_id="other"))["agent_id"] == "other"
        assert len(memory.get_all()["results"]) == 2, "the agent is told on write, and narrows no reading"
        assert memory.get_all(user_id="default")["results"] == []


def test_times_are_iso_in_dicts_and_milliseconds_in_values(memory: Memory) -> None:
    known = add(memory, "Green tea.", occurred_at=1, expires_at=NOON + HOUR)
    hit = memory.search("tea", touch=False)["results"][0]
    assert all(ISO.fullmatch(hit[name]) for name in hit if name.endswith("_at"))
    assert hit["occurred_at"] == "1970-01-01T00:00:00.001Z"
    record = memory.typed.get(known)
    assert (record.occurred_ms, record.created_ms, record.expires_ms) == (1, NOON, NOON + HOUR)
    assert ISO.fullmatch(memory.changes()["results"][0]["at"])
    assert ISO.fullmatch(memory.history(known)[0]["created_at"])


def test_typed_results_are_frozen_values_that_dump_to_json(memory: Memory) -> None:
    known = add(memory, "Green tea.", metadata={"a": {"b": [1]}})
    (hit,) = memory.typed.search("tea", limit=3, touch=False)
    listed, cursor = memory.typed.get_all(limit=3)
    changes, _ = memory.typed.changes()
    assert isinstance(hit, Hit)
    assert isinstance(hit.parts, Parts)
    assert isinstance(changes[0], Change)
    assert memory.typed.get(known) == hit.record == listed[0]
    assert isinstance(hit.record, Record)
    assert cursor is None
    assert hit.score == memory.search("tea", touch=False)["results"][0]["score"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        hit.score = 1.0  # type: ignore[misc]
    for value in (hit, hit.record, changes[0]):
        assert json.loads(json.dumps(value.model_dump())) == value.model_dump()
    assert hit.model_dump()["record"]["metadata"] == {"a": {"b": [1]}}
    assert changes[0].events == ((known, "ADD"),)


def test_the_typed_view_takes_the_arguments_of_the_verbs(memory: Memory) -> None:
    add(memory, "Green tea.", session_id="s1")
    add(memory, "Black tea.")
    assert len(memory.typed.search("tea", top_k=1)) == 1
    assert [hit.record.content for hit in memory.typed.search("tea", run_id="s1")] == ["Green tea."]
    assert [record.content for record in memory.typed.get_all(run_id="s1")[0]] == ["Green tea."]
    for verb in (memory.typed.get_all, memory.get_all, lambda **options: memory.typed.search("tea", **options)):
        with pytest.raises(BadInput, match="session_id"):
            verb(session_id="s1", run_id="s2")


# -- adding


def test_one_result_a_message_in_order(memory: Memory) -> None:
    said: list[str | dict[str, str]] = ["Green tea.", *turns("Black tea.", "White tea."), "Milk."]
    added = memory.add(said, infer=False)
    assert texts(added) == ["Green tea.", "Black tea.", "White tea.", "Milk."]
    assert ids(added) == sorted(ids(added))
    assert [memory.get(memory_id)["role"] for memory_id in ids(added)] == [None, "user", "assistant", None]


def test_more_than_a_thousand_texts_are_several_changes(memory: Memory) -> None:
    added = memory.add([f"note {n}" for n in range(1001)], infer=False)
    assert len(added["results"]) == 1001
    assert len(added["change_ids"]) == 2
    assert added["change_id"] == added["change_ids"][-1]
    assert [len(change["events"]) for change in memory.changes()["results"]] == [1, 1000]
    memory.undo(added["change_ids"][0])
    assert texts(memory.get_all()) == ["note 1000"]


@pytest.mark.parametrize(
    ("again", "event"),
    [
        pytest.param({}, "NONE", id="the same text"),
        pytest.param({"text": "  GREEN   tea"}, "NONE", id="the same but for case, space and full stop"),
        pytest.param({"text": "Green teas."}, "ADD", id="another text"),
        pytest.param({"infer": False}, "ADD", id="infer=False keeps every copy"),
        pytest.param({"area": "solutions"}, "ADD", id="another area"),
        pytest.param({"user_id": "bob"}, "ADD", id="another user"),
        pytest.param({"importance": 0.9, "metadata": {"a": 1}}, "NONE", id="the same with other particulars"),
    ],
)
def test_a_text_that_is_there_is_not_stored_again(memory: Memory, again: dict[str, Any], event: str) -> None:
    known = add(memory, "Green tea.")
    result = memory.add(again.pop("text", "Green tea."), **again)["results"][0]
    assert result["event"] == event
    if event == "NONE":
        assert (result["id"], result["memory"]) == (known, "Green tea.")
        assert result["reason"]
        assert memory.get(known)["version"] == 1


def test_the_same_text_twice_in_one_call_is_stored_once(memory: Memory) -> None:
    added = memory.add(["Green tea.", "green tea"])
    assert [result["event"] for result in added["results"]] == ["ADD", "NONE"]
    assert len(set(ids(added))) == 1
    assert len(memory.add(["Milk.", "Milk."], infer=False)["results"]) == 2
    assert len(memory.get_all()["results"]) == 3


def test_a_text_that_is_gone_or_expired_is_stored_again(memory: Memory, clock: Clock) -> None:
    memory.delete(add(memory, "Green tea."))
    add(memory, "Green tea.", expires_at=NOON + HOUR)
    assert memory.add("Green tea.")["results"][0]["event"] == "NONE"
    clock.advance(hours=1)
    add(memory, "Green tea.")


def test_turns_are_kept_as_they_were_said(memory: Memory) -> None:
    said = [
        {"role": "user", "content": "Hi.", "name": "Ann", "timestamp": "2026-01-01T00:00:00Z"},
        {"role": "assistant", "content": "Hi."},
        {"role": "tool", "content": "Hi."},
    ]
    added = memory.add(said, session_id="s1", occurred_at="2025-01-01", infer=False)
    first, second, third = (memory.get(memory_id) for memory_id in ids(added))
    assert {turn["granularity"] for turn in (first, second, third)} == {"turn"}
    assert {turn["kind"] for turn in (first, second, third)} == {"episodic"}
    assert [turn["seq"] for turn in (first, second, third)] == [0, 1, 2]
    assert [turn["origin"] for turn in (first, second, third)] == ["user_stated", "agent_inferred", "tool_output"]
    assert (first["subject"], first["occurred_at"]) == ("Ann", "2026-01-01T00:00:00.000Z")
    assert second["occurred_at"] == "2025-01-01T00:00:00.000Z"
    later = memory.add({"role": "user", "content": "Bye."}, run_id="s1", infer=False)
    assert memory.get(ids(later)[0])["seq"] == 3
    (session,) = memory.sessions()
    assert (session["session_id"], session["memories"], session["turns"]) == ("s1", 4, 4)
    assert (session["first_at"], session["last_at"]) == ("2025-01-01T00:00:00.000Z", "2026-03-01T12:00:00.000Z")


def test_a_turn_is_found_by_what_was_said_around_it(memory: Memory) -> None:
    said = turns("Where shall we go for the holidays?", "Lisbon!", "Fine.", "Trams.", "Good night.", "Sleep well.")
    first, *_ = ids(memory.add(said, session_id="s1", infer=False))

    def found(query: str) -> set[str]:
        return set(texts(memory.search(query, preset="lexical", touch=False)))

    assert found("lisbon") == {"Where shall we go for the holidays?", "Lisbon!", "Fine.", "Trams."}
    assert texts(memory.search("lisbon", preset="lexical", touch=False))[0] == "Lisbon!", "its own words weigh more"
    assert found("holidays") == {"Where shall we go for the holidays?", "Lisbon!", "Fine."}
    memory.update(first, "Where shall we go at Easter?")
    assert found("holidays") == set()
    assert found("easter") == {"Where shall we go at Easter?", "Lisbon!", "Fine."}
    memory.move(first, to_session_id="s2")
    assert found("easter") == {"Where shall we go at Easter?"}
    assert found("lisbon") == {"Lisbon!", "Fine.", "Trams."}


def test_turns_without_a_session_and_texts_in_one_have_no_neighbours(memory: Memory) -> None:
    memory.add(turns("Lisbon!", "Fine."), infer=False)
    memory.add(["Porto!", "Good."], session_id="s1")
    assert texts(memory.search("lisbon", preset="lexical")) == ["Lisbon!"]
    assert texts(memory.search("porto", preset="lexical")) == ["Porto!"]
    assert memory.get(ids(memory.search("porto", preset="lexical"))[0])["seq"] is None


def test_a_request_repeated_under_its_key_stores_nothing(memory: Memory, clock: Clock) -> None:
    request: dict[str, Any] = {"messages": ["Green tea.", "Milk."], "metadata": {"a": 1}, "idempotency_key": "k1", "infer": False}
    first = memory.add(**request)
    clock.advance(hours=5)
    again = memory.add(**request)
    assert (again["results"], again["change_id"]) == (first["results"], first["change_id"])
    assert len(memory.get_all()["results"]) == 2
    assert len(memory.changes()["results"]) == 1
    for other in ({"messages": ["Green tea."]}, {"importance": 0.9}, {"metadata": {"a": 2}}, {"session_id": "s1"}):
        with pytest.raises(Conflict, match="another request"):
            memory.add(**request | other)
    assert len(memory.add(**request | {"user_id": "bob"})["results"]) == 2, "a key is one user's"
    assert memory.add(**request | {"idempotency_key": "k2"})["change_id"] != first["change_id"]
    with pytest.raises(BadInput, match="cap is 1000"):
        memory.add([f"n{n}" for n in range(1001)], idempotency_key="k3")


def test_a_repeat_gives_the_first_result_also_where_it_had_a_reason() -> None:
    with new_memory(embedder=out_of_order()) as memory:
        first = memory.add(["Green tea.", "Green tea."], idempotency_key="k1")
        assert [bool(result["reason"]) for result in first["results"]] == [True, True]
        assert memory.add(["Green tea.", "Green tea."], idempotency_key="k1")["results"] == first["results"]


@pytest.mark.parametrize("options", [{}, {"idempotency_key": "k1", "infer": False}], ids=["a text", "a key"])
def test_threads_that_say_the_same_at_once_store_it_once(memory: Memory, options: dict[str, Any]) -> None:
    start = threading.Barrier(4)
    added: list[str] = []

    def work() -> None:
        start.wait()
        added.extend(ids(memory.add("Green tea.", **options)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(added) == 4
    assert set(added) == set(ids(memory.get_all()))
    assert len(memory.get_all()["results"]) == 1


def test_a_key_survives_closing_and_deleting() -> None:
    with new_file() as path:
        with opened(path) as memory:
            first = memory.add("Green tea.", idempotency_key="k1")
            memory.delete(ids(first)[0])
        with opened(path) as memory:
            assert ids(memory.add("Green tea.", idempotency_key="k1")) == ids(first)
            assert memory.get_all()["results"] == []


# -- changing


def test_update_keeps_the_id_and_counts_versions(memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.", occurred_at="2020-01-01")
    clock.advance(hours=1)
    changed = memory.update(known, "Black tea.", importance=0.9, pinned=True, area="solutions", kind="episodic")
    assert changed == memory.get(known) | {"event": "UPDATE", "change_id": changed["change_id"]}
    assert (changed["id"], changed["memory"], changed["version"]) == (known, "Black tea.", 2)
    assert (changed["importance"], changed["pinned"], changed["area"], changed["kind"]) == (0.9, True, "solutions", "episodic")
    assert changed["created_at"] == "2026-03-01T12:00:00.000Z"
    assert changed["updated_at"] == "2026-03-01T13:00:00.000Z"
    assert changed["occurred_at"] == "2020-01-01T00:00:00.000Z"
    assert texts(memory.search("black", preset="lexical")) == ["Black tea."]
    assert memory.search("green", preset="lexical")["results"] == []
    assert memory.search("black tea", preset="mission", touch=False)["results"][0]["relevance"] == pytest.approx(1, abs=1e-6)
    assert memory.update(known, occurred_at="2021-01-01")["occurred_at"] == "2021-01-01T00:00:00.000Z"
    assert memory.update(known, data="White tea.")["memory"] == "White tea."


def test_an_update_that_changes_nothing_is_none(memory: Memory) -> None:
    known = add(memory, "Green tea.", metadata={"a": 1}, importance=0.5)
    same = memory.update(known, " Green tea. ", importance=0.5, metadata={"a": 1}, pinned=False)
    assert (same["event"], same["change_id"], same["version"]) == ("NONE", None, 1)
    assert len(memory.changes()["results"]) == 1


@pytest.mark.parametrize(
    ("before", "given", "after"),
    [
        pytest.param({}, {"a": 1}, {"a": 1}, id="a new key"),
        pytest.param({"a": 1, "b": 2}, {"a": 3}, {"a": 3, "b": 2}, id="others stay"),
        pytest.param({"a": 1, "b": 2}, {"a": None}, {"b": 2}, id="None removes a key"),
        pytest.param({"a": 1}, {"a": None}, {}, id="and the last one"),
        pytest.param({"a": {"x": 1, "y": 2}}, {"a": {"x": 3}}, {"a": {"x": 3}}, id="a nested dict is replaced whole"),
        pytest.param({"a": 1}, {"a": True}, {"a": True}, id="true is another value than 1"),
        pytest.param({"a": [0]}, {"a": [False]}, {"a": [False]}, id="and false than 0, also inside"),
        pytest.param({"a": 1}, {"zzz": None}, {"a": 1}, id="removing what is not there"),
        pytest.param({"a": None}, {"b": 1}, {"a": None, "b": 1}, id="a null that was stored stays"),
    ],
)
def test_metadata_is_merged(memory: Memory, before: dict[str, Any], given: dict[str, Any], after: dict[str, Any]) -> None:
    known = add(memory, "Green tea.", metadata=before)
    assert json.dumps(memory.update(known, metadata=given)["metadata"], sort_keys=True) == json.dumps(after, sort_keys=True)
    assert json.dumps(memory.get(known)["metadata"], sort_keys=True) == json.dumps(after, sort_keys=True)


def test_an_expected_version_guards_an_update(memory: Memory) -> None:
    known = add(memory, "Green tea.")
    assert memory.update(known, "Black tea.", expected_version=1)["version"] == 2
    with pytest.raises(Stale, match="version 2, not 1"):
        memory.update(known, "White tea.", expected_version=1)
    assert memory.get(known)["memory"] == "Black tea."


def test_expiry_is_set_and_lifted(memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.")
    assert memory.update(known, expires_at=NOON + HOUR)["expires_at"] == "2026-03-01T13:00:00.000Z"
    assert memory.update(known, pinned=True)["expires_at"] == "2026-03-01T13:00:00.000Z", "what is not named stays"
    assert memory.update(known, expires_at=None)["expires_at"] is None


def test_an_expired_memory_is_returned_only_by_its_id_and_in_full_listings(memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.", expires_at=NOON + 1)
    assert ids(memory.search("tea")) == ids(memory.get_all()) == [known]
    clock.advance(ms=1)
    for status in ("active", "any"):
        for preset in PRESETS:
            assert memory.search("tea", preset=preset, status=status)["results"] == []
        assert memory.search("tea", exact=True, status=status)["results"] == []
    assert memory.get_all()["results"] == []
    assert ids(memory.get_all(status="any")) == [known]
    assert memory.get(known)["memory"] == "Green tea."
    memory.update(known, expires_at=None)
    assert ids(memory.search("tea")) == [known]


@pytest.mark.parametrize("verb", ["delete_all", "reset"])
def test_an_expired_memory_is_removed_with_the_rest(memory: Memory, clock: Clock, verb: str) -> None:
    add(memory, "Green tea.", expires_at=0)
    add(memory, "Black tea.", expires_at=NOON + 1)
    add(memory, "White tea.")
    clock.advance(ms=1)
    assert getattr(memory, verb)(user_id="default", dry_run=True)["deleted"] == 3
    assert getattr(memory, verb)(user_id="default")["deleted"] == 3
    assert memory.get_all(status="any")["results"] == []
    assert memory.stats()["memories"] == 0


def test_pinned_is_kept_and_can_be_asked_for(memory: Memory) -> None:
    known = add(memory, "Green tea.", pinned=True)
    add(memory, "Black tea.")
    assert ids(memory.get_all(filters={"pinned": True})) == ids(memory.search("tea", filters={"pinned": True})) == [known]
    memory.update(known, pinned=False)
    assert memory.get_all(filters={"pinned": True})["results"] == []


def test_delete_and_its_trial(memory: Memory) -> None:
    known = add(memory, "Green tea.")
    trial = memory.delete(known, dry_run=True)
    assert (trial["event"], trial["change_id"], trial["dry_run"]) == ("DELETE", None, True)
    assert memory.get(known)["version"] == 1
    gone = memory.delete(known)
    assert (gone["id"], gone["memory"], gone["dry_run"]) == (known, "Green tea.", False)
    with pytest.raises(NotFound) as caught:
        memory.get(known)
    assert caught.value.successors == ()
    with pytest.raises(NotFound):
        memory.delete(known)
    memory.undo(gone["change_id"])
    assert memory.get(known)["memory"] == "Green tea."


def test_deleting_all_its_trial_and_its_undo(memory: Memory) -> None:
    red = [add(memory, f"note {n}", metadata={"color": "red"}) for n in range(3)]
    blue = add(memory, "another", metadata={"color": "blue"})
    trial = memory.delete_all(user_id="default", filters={"color": "red"}, dry_run=True)
    assert (trial["deleted"], sorted(trial["ids"]), trial["change_id"], trial["dry_run"]) == (3, red, None, True)
    gone = memory.delete_all(user_id="default", filters={"color": "red"})
    assert (gone["deleted"], sorted(gone["ids"])) == (3, red)
    assert ids(memory.get_all()) == [blue]
    nothing = memory.delete_all(user_id="default", filters={"color": "red"})
    assert (nothing["deleted"], nothing["ids"], nothing["change_id"]) == (0, [], None)
    memory.undo(gone["change_id"])
    assert sorted(ids(memory.get_all(filters={"color": "red"}))) == red
    with pytest.raises(ScopeMissing, match="user_id"):
        memory.delete_all(filters={"color": "red"})


def test_reset_takes_everything_whatever_its_status(clock: Clock) -> None:
    with new_file() as path:
        put(path, [plain(n, status=status) for n, status in enumerate(("active", "pending", "archived", "superseded"))])
        put(path, [plain(9, expires_ms=NOON - 1)])
        with opened(path, clock=clock) as memory:
            assert memory.reset(user_id="default", dry_run=True)["deleted"] == 5
            assert memory.stats()["memories"] == 5
            gone = memory.reset(user_id="default")
            assert gone["deleted"] == 5
            assert memory.stats()["memories"] == 0
            memory.undo(gone["change_id"])
            assert memory.stats()["by_status"] == {"active": 2, "archived": 1, "pending": 1, "superseded": 1}
            assert memory.check() == []


def plain(place: int, **changes: Any) -> Record:
    values: dict[str, Any] = {
        "id": f"mem_{place:03}",
        "user_id": "default",
        "content": f"note {place}",
        **dict.fromkeys(("created_ms", "updated_ms", "occurred_ms", "accessed_ms"), NOON),
    }
    values |= changes
    return Record(**values | {"content_hash": content_hash(values["content"]).hex()})


def test_a_status_must_be_asked_for() -> None:
    statuses = ("active", "pending", "quarantined", "archived", "superseded")
    with new_file() as path:
        put(path, [plain(n, status=status) for n, status in enumerate(statuses)])
        with opened(path) as memory:
            assert [hit["status"] for hit in memory.search("note")["results"]] == ["active"]
            assert [item["status"] for item in memory.get_all()["results"]] == ["active"]
            for status in statuses:
                for preset in PRESETS:
                    assert [hit["status"] for hit in memory.search("note", status=status, preset=preset)["results"]] == [status]
                assert [item["status"] for item in memory.get_all(status=status)["results"]] == [status]
            assert len(memory.search("note", status="any")["results"]) == len(memory.get_all(status="any")["results"]) == 5


def test_move(memory: Memory) -> None:
    known, other = add(memory, "Green tea.", session_id="s1"), add(memory, "Milk.")
    moved = memory.move([known, other, known], to_session_id="s2", to_agent_id="bot", to_area="solutions")
    assert [item["id"] for item in moved["results"]] == [known, other]
    assert {(item["session_id"], item["agent_id"], item["area"]) for item in moved["results"]} == {("s2", "bot", "solutions")}
    assert {item["version"] for item in moved["results"]} == {2}
    given = memory.move(known, to_user_id="bob")
    assert (given["results"][0]["id"], given["results"][0]["user_id"]) == (known, "bob")
    assert ids(memory.get_all()) == [other]
    assert ids(memory.search("tea", user_id="bob")) == [known]
    memory.undo(given["change_id"])
    memory.undo(moved["change_id"])
    assert (memory.get(known)["session_id"], memory.get(known)["area"]) == ("s1", "main")


# -- reading


def test_results_come_best_first_and_as_many_as_asked(memory: Memory) -> None:
    memory.add([f"note {n}" for n in range(15)])
    memory.add("Green tea.", importance=1.0)
    for preset in PRESETS:
        hits = memory.search("green tea note", preset=preset, touch=False)["results"]
        assert len(hits) == 10
        assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
        assert ids(memory.search("green tea note", preset=preset, limit=3, touch=False)) == [hit["id"] for hit in hits[:3]]
        assert ids(memory.search("green tea note", preset=preset, top_k=3, touch=False)) == [hit["id"] for hit in hits[:3]]
        assert {hit["memory"] for hit in hits} >= {"Green tea."}


def test_the_same_question_has_the_same_answer(clock: Clock) -> None:
    with new_file() as path:
        with opened(path, clock=clock) as memory:
            memory.add([f"{word} tea {n % 3}" for n, word in enumerate(["green", "black", "white"] * 8)], infer=False)
            first = {preset: memory.search("green tea 1", preset=preset, touch=False) for preset in PRESETS}
            assert {preset: memory.search("green tea 1", preset=preset, touch=False) for preset in PRESETS} == first
        with opened(path, clock=clock) as memory:
            assert {preset: memory.search("green tea 1", preset=preset, touch=False) for preset in PRESETS} == first
            memory.admin.reindex()
            assert {preset: memory.search("green tea 1", preset=preset, touch=False) for preset in PRESETS} == first
            memory.admin.compact()
            assert {preset: memory.search("green tea 1", preset=preset, touch=False) for preset in PRESETS} == first


def test_equal_scores_go_by_id(memory: Memory) -> None:
    known = ids(memory.add(["Green tea."] * 5, infer=False))
    for preset in PRESETS:
        assert ids(memory.search("green tea", preset=preset, touch=False)) == known


def test_a_floor_leaves_out_what_scores_lower(memory: Memory, clock: Clock) -> None:
    memory.add(["Green tea.", "Black coffee.", "Rain."])
    every = memory.search("green tea", preset="mission", touch=False)["results"]
    floor = every[1]["score"]
    kept = memory.search("green tea", preset="mission", floor=floor, touch=False)["results"]
    assert [hit["id"] for hit in kept] == [hit["id"] for hit in every[:2]]
    assert memory.search("zebra", preset="lexical", floor=0.1)["results"] == []


def test_nothing_to_find(memory: Memory) -> None:
    for preset in PRESETS:
        assert memory.search("tea", preset=preset) == {"results": [], "exact": True}
    add(memory, "Green tea.")
    assert memory.search("zebra", preset="lexical") == {"results": [], "exact": True}
    assert memory.search("tea", user_id="nobody") == {"results": [], "exact": True}
    assert memory.get_all(user_id="nobody") == {"results": [], "cursor": None}


def test_a_long_text_is_said_to_be_cut_for_its_vector(memory: Memory) -> None:
    add(memory, "Green tea.")
    add(memory, "tea " * 60 + "saffron")
    hits = {hit["memory"][:5]: hit["truncated"] for hit in memory.search("tea", touch=False)["results"]}
    assert hits == {"Green": False, "tea t": True}
    assert len(memory.search("saffron", preset="lexical")["results"]) == 1, "full text covers all of it"


def test_pages_hold_every_memory_once_whatever_is_written_meanwhile(memory: Memory) -> None:
    known = ids(memory.add([f"note {n}" for n in range(25)]))
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.get_all(limit=4, cursor=cursor)
        seen += ids(page)
        cursor = page["cursor"]
        if cursor is None:
            break
        assert len(page["results"]) == 4
        memory.add([f"late {len(seen)}", f"later {len(seen)}"])
        if len(seen) == 8:
            memory.delete(known[-8])
            memory.delete(known[0])
    assert seen == [memory_id for memory_id in reversed(known) if memory_id != known[0]]


def test_pages_under_a_filter_and_of_exact_size(memory: Memory) -> None:
    for n in range(8):
        add(memory, f"note {n}", metadata={"even": n % 2 == 0})
    page = memory.get_all(filters={"even": True}, limit=2)
    assert texts(page) == ["note 6", "note 4"]
    rest = memory.get_all(filters={"even": True}, limit=2, cursor=page["cursor"])
    assert texts(rest) == ["note 2", "note 0"]
    assert rest["cursor"] is None
    assert memory.get_all(limit=8)["cursor"] is None
    assert memory.get_all(limit=7)["cursor"] is not None


def test_changes_are_paged_newest_first(memory: Memory) -> None:
    made = [memory.add(f"note {n}")["change_id"] for n in range(5)]
    page = memory.changes(limit=2)
    assert [change["change_id"] for change in page["results"]] == made[:2:-1]
    memory.add("meanwhile")
    rest = memory.changes(limit=3, cursor=page["cursor"])
    assert [change["change_id"] for change in rest["results"]] == made[2::-1]
    assert rest["cursor"] is None


def test_history_of_a_memory_from_its_first_day_to_its_last(memory: Memory) -> None:
    known = add(memory, "Green tea.")
    memory.add("green tea")
    memory.update(known, "Black tea.")
    memory.update(known, importance=0.9)
    gone = memory.delete(known)["change_id"]
    told = [(entry["event"], entry["old_memory"], entry["new_memory"]) for entry in memory.history(known)]
    assert told == [
        ("ADD", None, "Green tea."),
        ("NONE", None, "Green tea."),
        ("UPDATE", "Green tea.", "Black tea."),
        ("UPDATE", "Black tea.", "Black tea."),
        ("DELETE", "Black tea.", None),
    ]
    memory.undo(gone)
    assert [(entry["event"], entry["new_memory"]) for entry in memory.history(known)][-1] == ("ADD", "Black tea.")


def test_undo_redo_and_their_trial(memory: Memory) -> None:
    known = add(memory, "Green tea.", metadata={"a": 1})
    first = memory.update(known, "Black tea.")["change_id"]
    second = memory.update(known, "White tea.")["change_id"]
    with pytest.raises(Stale) as caught:
        memory.undo(first)
    assert caught.value.change_id == second
    trial = memory.undo(first, cascade=True, dry_run=True)
    assert (trial["dry_run"], trial["change_id"], ids(trial)) == (True, None, [known, known])
    assert memory.get(known)["memory"] == "White tea."
    undone = memory.undo(first, cascade=True)
    assert len(undone["change_ids"]) == 2
    assert memory.get(known)["memory"] == "Green tea."
    assert memory.get(known)["version"] > 3
    with pytest.raises(Conflict, match="undone already"):
        memory.undo(first)
    with pytest.raises(Conflict, match="not undone"):
        memory.redo(undone["change_id"])
    memory.redo(first)
    assert memory.get(known)["memory"] == "Black tea."
    assert texts(memory.search("black", preset="lexical")) == ["Black tea."]


# -- access times


def test_a_recall_is_noted_with_the_next_write(memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.")
    clock.advance(hours=1)
    memory.search("tea")
    memory.search("tea")
    assert memory.get(known)["access_count"] == 0, "notes wait"
    add(memory, "Milk.")
    noted = memory.get(known)
    assert (noted["access_count"], noted["accessed_at"]) == (2, "2026-03-01T13:00:00.000Z")
    assert (noted["version"], noted["updated_at"]) == (1, "2026-03-01T12:00:00.000Z")


def test_a_recall_is_noted_after_five_seconds(memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.")
    memory.search("tea")
    clock.advance(seconds=4.999)
    memory.search("tea", touch=False)
    assert memory.get(known)["access_count"] == 0
    clock.advance(ms=1)
    memory.search("tea", touch=False)
    assert memory.get(known)["access_count"] == 1


def test_a_recall_is_noted_on_close(clock: Clock) -> None:
    with new_file() as path:
        with opened(path, clock=clock) as memory:
            known = add(memory, "Green tea.")
            memory.search("tea")
        with opened(path, clock=clock) as memory:
            assert memory.get(known)["access_count"] == 1


@pytest.mark.parametrize("how", ["touch=False", "read_only", "get", "get_all", "history"])
def test_what_is_no_recall_is_not_noted(how: str, clock: Clock) -> None:
    with new_file() as path:
        with opened(path, clock=clock) as memory:
            known = add(memory, "Green tea.")
        clock.advance(hours=1)
        with opened(path, clock=clock, read_only=how == "read_only") as memory:
            calls: dict[str, Callable[[], object]] = {
                "touch=False": lambda: memory.search("tea", touch=False),
                "read_only": lambda: memory.search("tea"),
                "get": lambda: memory.get(known),
                "get_all": memory.get_all,
                "history": lambda: memory.history(known),
            }
            calls[how]()
        with opened(path, clock=clock) as memory:
            assert (memory.get(known)["access_count"], memory.get(known)["accessed_at"]) == (0, "2026-03-01T12:00:00.000Z")


def test_only_what_is_returned_counts_as_recalled(memory: Memory, clock: Clock) -> None:
    tea, coffee = add(memory, "Green tea."), add(memory, "Black coffee.")
    best = memory.search("green tea", preset="mission", touch=False)["results"][0]["score"]
    assert ids(memory.search("green tea", preset="mission", floor=best)) == [tea]
    add(memory, "Milk.")
    assert memory.get(tea)["access_count"] == 1
    assert memory.get(coffee)["access_count"] == 0


def test_a_recall_refreshes_recency_where_the_preset_counts_it(memory: Memory, clock: Clock) -> None:
    tea, rain = add(memory, "Green tea."), add(memory, "Rain.")
    clock.advance(hours=200)
    before = {hit["id"]: hit["recency"] for hit in memory.search("x", preset="mission", touch=False)["results"]}
    assert before[tea] == before[rain] == pytest.approx(0.1353, abs=1e-4)  # exp(-.01 x 200)
    memory.search("green tea", limit=1, preset="relevance_only")
    clock.advance(seconds=5)
    memory.search("x", touch=False)
    after = {hit["id"]: hit["recency"] for hit in memory.search("x", preset="mission", touch=False)["results"]}
    assert after[tea] == pytest.approx(1, abs=1e-4)
    assert after[rain] == pytest.approx(before[rain], abs=1e-4)
    balanced = {hit["id"]: hit["recency"] for hit in memory.search("tea rain", touch=False)["results"]}
    assert balanced[tea] == balanced[rain], "this one counts from when it happened"


@pytest.mark.parametrize("how", ["update", "text", "move", "undo"])
def test_a_change_does_not_make_a_recall_unhappen(how: str, memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.")
    change = memory.update(known, importance=0.9)["change_id"]
    clock.advance(hours=1)
    memory.search("tea")
    {
        "update": lambda: memory.update(known, pinned=True),
        "text": lambda: memory.update(known, "Black tea."),
        "move": lambda: memory.move(known, to_area="solutions"),
        "undo": lambda: memory.undo(change),
    }[how]()
    assert memory.get(known)["accessed_at"] == "2026-03-01T13:00:00.000Z"
    assert memory.get(known)["access_count"] == 1


def test_a_clock_that_went_back_ages_nothing(memory: Memory, clock: Clock) -> None:
    known = add(memory, "Green tea.")
    clock.advance(hours=-5)
    memory.search("tea")
    add(memory, "Milk.")
    assert memory.get(known)["accessed_at"] == "2026-03-01T12:00:00.000Z"
    assert all(0 <= hit["score"] <= 1 for hit in memory.search("tea", preset="mission")["results"])


# -- exact or not


def test_the_envelope_says_whether_a_ranking_is_exact(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.add([f"note {n}" for n in range(12)])
    assert memory.search("note")["exact"] is True
    monkeypatch.setattr("memlite.storage.search.SMALL_SCOPE", 5)
    assert memory.search("note")["exact"] is False
    assert memory.search("note", exact=True)["exact"] is True
    assert memory.search("note", preset="generative_agents")["exact"] is True, "its scale needs every memory"


# -- another model, or none


def test_a_file_of_another_model_is_searched_by_words_only() -> None:
    with new_file() as path:
        with opened(path) as memory:
            known = add(memory, "Green tea.")
        with opened(path, embedder=WordEmbedder("another")) as memory:
            for preset in ("balanced", "relevance_only", "mission", "generative_agents"):
                with pytest.raises(SpaceMismatch, match="reembed"):
                    memory.search("tea", preset=preset)
            assert ids(memory.search("tea", preset="lexical")) == [known]
            assert ids(memory.search("tea", weights={"dense": 0})) == [known]
            added = memory.add("Black tea.")["results"][0]
            assert added["event"] == "ADD"
            assert "reembed" in added["reason"]
            assert memory.update(added["id"], "White tea.")["event"] == "UPDATE"
            assert memory.stats()["vectors"] == 1
            assert set(texts(memory.search("tea", preset="lexical"))) == {"Green tea.", "White tea."}
            assert memory.check() == []
        with opened(path) as memory:
            assert set(texts(memory.search("tea"))) == {"Green tea.", "White tea."}


def test_a_model_of_another_width_is_another_model() -> None:
    with new_file() as path:
        with opened(path) as memory:
            add(memory, "Green tea.")
        with opened(path, embedder=WordEmbedder(dimension=64)) as memory:
            with pytest.raises(SpaceMismatch, match="32 numbers"):
                memory.search("tea")
            assert memory.add("Milk.")["results"][0]["event"] == "ADD"


def test_a_missing_model_file(tmp_path: Path) -> None:
    settings = Settings(model_path=tmp_path / "nowhere", durability="normal")
    with new_file() as path:
        with Memory(path, settings=settings, clock=Clock()) as memory:
            added = memory.add("Green tea.")["results"][0]
            assert (added["event"], memory.stats()["vectors"]) == ("ADD", 0)
            assert "nowhere" in added["reason"]
            assert texts(memory.search("tea")) == ["Green tea."], "a file without vectors needs no model"
        with opened(path) as memory:
            add(memory, "Black tea.")
        with Memory(path, settings=settings, clock=Clock()) as memory:
            with pytest.raises(ModelMissing, match="nowhere"):
                memory.search("tea")
            assert len(memory.search("tea", preset="lexical")["results"]) == 2
            assert memory.add("Milk.")["results"][0]["event"] == "ADD"


# -- opening and closing


def test_the_context_manager_closes_also_after_an_error() -> None:
    with new_file() as path:
        with pytest.raises(ZeroDivisionError), opened(path) as memory:
            memory.add("Green tea.", importance=1 / 0)
        with pytest.raises(StorageError, match="closed"):
            memory.get_all()
        assert not path.with_name("memory.db-wal").exists()


def test_a_store_in_memory_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Memory.in_memory(embedder=WordEmbedder(), settings=QUICK, user_id="ann") as memory:
        add(memory, "Green tea.")
        assert memory.get_all()["results"][0]["user_id"] == "ann"
        assert len(list(tmp_path.iterdir())) == 1
        assert os.name == "nt" or not next(tmp_path.iterdir()).stat().st_mode & 0o077
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadInput):
        Memory.in_memory(user_id="")
    assert list(tmp_path.iterdir()) == []


def test_a_store_in_memory_that_is_forgotten_is_cleaned_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    memory = Memory.in_memory(embedder=WordEmbedder(), settings=QUICK)
    add(memory, "Green tea.")
    del memory
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_store_reads_everything_and_writes_nothing() -> None:
    with new_file() as path:
        with opened(path) as memory:
            known = add(memory, "Green tea.", session_id="s1", metadata={"color": "red"})
            change = memory.changes()["results"][0]["change_id"]
        before = path.read_bytes()
        with opened(path, read_only=True) as reader:
            assert ids(reader.search("tea")) == ids(reader.get_all()) == [known]
            assert ids(reader.search("tea", filters={"color": "red"}, status="any", preset="mission")) == [known]
            assert (
                len(reader.history(known))
                == len(reader.changes()["results"])
                == len(reader.sessions())
                == len(reader.users())
                == 1
            )
            assert reader.stats()["memories"] == 1
            assert reader.check() == []
            for call in (
                lambda: reader.add("Milk."),
                lambda: reader.update(known, "Milk."),
                lambda: reader.delete(known),
                lambda: reader.delete_all(user_id="default"),
                lambda: reader.reset(user_id="default"),
                lambda: reader.move(known, to_area="solutions"),
                lambda: reader.undo(change),
                lambda: reader.redo(change),
                reader.admin.reindex,
                reader.admin.compact,
            ):
                with pytest.raises((ReadOnly, Conflict)):
                    call()
        assert path.read_bytes() == before


def test_threads_share_a_store(memory: Memory) -> None:
    errors: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for n in range(5):
                known = add(memory, f"tea {name} {n}")
                assert known in ids(memory.search(f"tea {name} {n}", limit=40))
                memory.update(known, importance=0.9)
        except BaseException as error:  # noqa: BLE001 - a thread's failure is shown below
            errors.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(memory.get_all()["results"]) == 20
    assert {item["version"] for item in memory.get_all()["results"]} == {2}


def test_two_updates_at_once_are_both_kept(memory: Memory) -> None:
    """Each sets a key of its own; neither may undo the other's."""
    known = add(memory, "Green tea.")
    start = threading.Barrier(2)
    failed: list[Exception] = []

    def work(key: str) -> None:
        start.wait()
        try:
            for n in range(5):
                memory.update(known, metadata={f"{key}{n}": n})
        except Stale as error:  # it gives up after three tries, and says so
            failed.append(error)

    threads = [threading.Thread(target=work, args=(key,)) for key in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = memory.get(known)
    assert len(kept["metadata"]) == kept["version"] - 1
    if not failed:
        assert len(kept["metadata"]) == 10


def test_stats_count_what_there_is(memory: Memory) -> None:
    memory.add(["Green tea.", "绿茶"], area="solutions", kind="procedural")
    memory.add(turns("Hi.", "Hi."), user_id="bob", infer=False)
    whole = memory.stats()
    assert (whole["memories"], whole["users"], whole["changes"], whole["vectors"]) == (4, 2, 3, 3)
    assert whole["by_area"] == {"main": 2, "solutions": 2}
    assert whole["by_kind"] == {"episodic": 2, "procedural": 2}
    assert whole["by_granularity"] == {"proposition": 2, "turn": 2}
    assert whole["text_bytes"] == len("Green tea.绿茶Hi.Hi.".encode())
    assert whole["space"]["model"] == "words"
    assert memory.stats(user_id="bob")["memories"] == 2
    assert [(row["user_id"], row["memories"]) for row in memory.users()] == [("bob", 2), ("default", 2)]


def test_weights_of_a_call_change_the_order(memory: Memory) -> None:
    tea, grand = add(memory, "Green tea.", importance=0.0), add(memory, "Rain.", importance=1.0)
    assert ids(memory.search("green tea", preset="mission", weights={"importance": 0}, touch=False)) == [tea, grand]
    assert ids(memory.search("green tea", preset="mission", weights={"relevance": 0}, touch=False)) == [grand, tea]


def test_the_preset_of_the_settings_is_the_default(clock: Clock) -> None:
    with new_memory(settings=Settings(preset="mission", durability="normal"), clock=clock) as memory:
        add(memory, "Green tea.")
        assert memory.search("tea", explain=True)["results"][0]["explain"]["preset"] == "mission"
        assert memory.search("tea", explain=True, preset="lexical")["results"][0]["explain"]["preset"] == "lexical"
