"""Users are kept apart: nothing that one of them calls returns, counts, changes, takes back, moves or deletes another's.

The users hold the same texts, sessions, agents and metadata, so that every leak shows.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from doubles import NOON, Clock, ids, new_file, new_memory, opened, share_of_examples, texts
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from memlite import Conflict, Memory, NotFound, ScopeMissing
from memlite.rules.presets import PRESETS
from memlite.storage import search as searching

USERS = ("ann", "bob", "ann ")  # the third differs from the first by a space only
TEXTS = ("green tea", "black tea", "a walk in the rain", "绿茶")


def everything(memory: Memory, user: str) -> dict[str, Any]:
    """All that the API tells of a user."""
    listed = memory.get_all(user_id=user, status="any", limit=1000)["results"]
    changes = memory.changes(user_id=user, limit=1000)["results"]
    known = {event["id"] for change in changes for event in change["events"]}
    return {
        "memories": listed,
        "changes": changes,
        "history": {memory_id: memory.history(memory_id, user_id=user) for memory_id in sorted(known)},
        "sessions": memory.sessions(user_id=user),
        "stats": {
            name: count for name, count in memory.stats(user_id=user).items() if name != "space"
        },  # the file's, not a user's
        "listed": [row for row in memory.users() if row["user_id"] == user],
        "near": [searched(memory, user, "mission")],
        "words": {hit["id"]: hit["coverage"] for hit in searched(memory, user, "lexical")["results"]},
    }


def searched(memory: Memory, user: str, preset: str, **options: Any) -> dict[str, Any]:
    return memory.search("tea rain", user_id=user, preset=preset, limit=100, touch=False, **options)


# -- a table: one user's id in another's calls


@dataclass
class Two:
    """A store of two users with the same texts; `bobs` are the ids of bob's memories, `change` is one of his changes."""

    memory: Memory
    anns: list[str] = field(default_factory=list)
    bobs: list[str] = field(default_factory=list)
    change: str = ""

    def add(self, user: str) -> list[str]:
        options: dict[str, Any] = {"user_id": user, "session_id": "s1", "agent_id": "bot", "metadata": {"color": "red"}}
        added = self.memory.add([{"role": "user", "content": text} for text in TEXTS], infer=False, **options)
        self.change = added["change_id"]
        return [*ids(added), *ids(self.memory.add(list(TEXTS), infer=False, idempotency_key="k", **options))]


@pytest.fixture
def two() -> Iterator[Two]:
    with new_memory(user_id="ann") as memory:
        found = Two(memory)
        found.anns = found.add("ann")
        found.bobs = found.add("bob")
        yield found
        assert memory.check() == []


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda two: two.memory.get(two.bobs[0]), id="get"),
        pytest.param(lambda two: two.memory.typed.get(two.bobs[0]), id="typed get"),
        pytest.param(lambda two: two.memory.history(two.bobs[0]), id="history"),
        pytest.param(lambda two: two.memory.update(two.bobs[0], "mine now"), id="update"),
        pytest.param(lambda two: two.memory.update(two.bobs[0], pinned=True, expected_version=1), id="update of a version"),
        pytest.param(lambda two: two.memory.delete(two.bobs[0]), id="delete"),
        pytest.param(lambda two: two.memory.delete(two.bobs[0], dry_run=True), id="delete on trial"),
        pytest.param(lambda two: two.memory.move(two.bobs[0], to_user_id="ann"), id="move to oneself"),
        pytest.param(lambda two: two.memory.move(two.bobs[0], to_area="solutions"), id="move to an area"),
        pytest.param(lambda two: two.memory.move([two.anns[0], two.bobs[0]], to_area="solutions"), id="move, among one's own"),
        pytest.param(lambda two: two.memory.undo(two.change), id="undo"),
        pytest.param(lambda two: two.memory.undo(two.change, cascade=True), id="undo with all that followed"),
        pytest.param(lambda two: two.memory.undo(two.change, dry_run=True), id="undo on trial"),
        pytest.param(lambda two: two.memory.redo(two.change), id="redo"),
    ],
)
def test_anothers_id_is_unknown(two: Two, call: Callable[[Two], object]) -> None:
    before, own = everything(two.memory, "bob"), everything(two.memory, "ann")
    with pytest.raises(NotFound) as caught:
        call(two)
    assert caught.value.successors == ()
    assert everything(two.memory, "bob") == before
    assert everything(two.memory, "ann") == own


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda memory: memory.delete_all(user_id="ann"), id="delete_all"),
        pytest.param(lambda memory: memory.delete_all(user_id="ann", session_id="s1"), id="delete_all of a session both have"),
        pytest.param(lambda memory: memory.delete_all(user_id="ann", filters={"color": "red"}), id="delete_all by a filter"),
        pytest.param(lambda memory: memory.delete_all(user_id="ann", filters={"NOT": {"color": "blue"}}), id="delete_all by NOT"),
        pytest.param(lambda memory: memory.reset(user_id="ann"), id="reset"),
    ],
)
def test_deleting_all_of_one_user_leaves_the_other(two: Two, call: Callable[[Memory], dict[str, Any]]) -> None:
    before = everything(two.memory, "bob")
    assert sorted(call(two.memory)["ids"]) == sorted(two.anns)
    assert two.memory.get_all(user_id="ann")["results"] == []
    assert everything(two.memory, "bob") == before


@pytest.mark.parametrize("verb", ["delete_all", "reset"])
def test_deleting_all_wants_the_user_in_the_call(two: Two, verb: str) -> None:
    with pytest.raises(ScopeMissing):
        getattr(two.memory, verb)()
    assert len(two.memory.get_all()["results"]) == len(two.anns)


@pytest.mark.parametrize("fast", [False, True], ids=["scan", "indexes"])
@pytest.mark.parametrize("status", ["active", "any"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_search_returns_the_users_own(two: Two, preset: str, status: str, fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if fast:
        monkeypatch.setattr(searching, "SMALL_SCOPE", 2)
        monkeypatch.setattr(searching, "SMALL_POOL", 0)
    for options in ({}, {"filters": {"color": "red"}}, {"session_id": "s1"}, {"exact": True}):
        found = searched(two.memory, "bob", preset, status=status, **options)
        assert {hit["user_id"] for hit in found["results"]} == {"bob"}
        assert set(ids(found)) <= set(two.bobs)
        assert searched(two.memory, "carl", preset, status=status, **options)["results"] == []


def test_what_is_counted_is_the_users_own(two: Two) -> None:
    two.memory.add("one more", user_id="bob")
    assert two.memory.stats(user_id="ann")["memories"] == len(two.anns) == two.memory.stats(user_id="ann")["by_status"]["active"]
    assert two.memory.stats(user_id="ann")["vectors"] == len(two.anns) - 2
    assert two.memory.stats(user_id="carl")["memories"] == two.memory.stats(user_id="carl")["vectors"] == 0
    assert [row["memories"] for row in two.memory.sessions(user_id="ann")] == [len(two.anns)]
    assert two.memory.sessions(user_id="carl") == []
    assert len(two.memory.changes(user_id="ann")["results"]) == 2
    assert two.memory.changes(user_id="carl")["results"] == []
    assert [(row["user_id"], row["memories"]) for row in two.memory.users()] == [("ann", 8), ("bob", 9)]


def test_the_same_text_and_key_of_another_user_are_no_repeat(two: Two) -> None:
    assert len({*two.anns, *two.bobs}) == 16
    assert two.memory.add("green tea", user_id="carl", idempotency_key="k")["results"][0]["event"] == "ADD"


def test_a_cursor_of_another_user_opens_nothing(two: Two) -> None:
    page = two.memory.get_all(user_id="bob", limit=2)
    changes = two.memory.changes(user_id="bob", limit=1)
    for cursor in (page["cursor"], changes["cursor"], "cffffffff", "cffffffffff", "c-1"):
        found = two.memory.get_all(user_id="ann", limit=1000, cursor=cursor)
        assert {item["user_id"] for item in found["results"]} <= {"ann"}
        assert {change["user_id"] for change in two.memory.changes(user_id="ann", cursor=cursor)["results"]} <= {"ann"}


def test_a_session_of_the_same_name_lends_no_words(two: Two) -> None:
    """A turn is found by what was said around it, but not by what another user said in a session of that name."""
    two.memory.add(
        [{"role": "user", "content": "zanzibar"}, {"role": "user", "content": "ok"}], user_id="bob", session_id="s1", infer=False
    )
    assert searched_for(two.memory, "zanzibar", "bob") != []
    assert searched_for(two.memory, "zanzibar", "ann") == []


def searched_for(memory: Memory, query: str, user: str) -> list[str]:
    return texts(memory.search(query, user_id=user, preset="lexical", touch=False))


def test_a_memory_given_away_is_the_other_users_in_every_respect(two: Two) -> None:
    memory, given = two.memory, two.anns[0]
    moved = memory.move(given, to_user_id="bob")
    assert memory.get(given, user_id="bob")["memory"] == "green tea"
    for call in (memory.get, memory.delete, lambda wanted: memory.update(wanted, "mine")):
        with pytest.raises(NotFound):
            call(given)
    assert given not in ids(memory.get_all(limit=100))
    assert given not in ids(searched(memory, "ann", "mission"))
    assert given in ids(searched(memory, "bob", "mission"))
    later = memory.update(given, "green tea with milk", user_id="bob")["change_id"]
    with pytest.raises(Conflict):
        memory.undo(moved["change_id"])
    with pytest.raises(NotFound):
        memory.undo(later)
    with pytest.raises(Conflict):
        memory.undo(moved["change_id"], cascade=True)
    assert memory.get(given, user_id="bob")["memory"] == "green tea with milk"
    assert "milk" not in repr(memory.history(given))


def test_the_new_owner_of_a_memory_can_look_back_at_it(two: Two) -> None:
    two.memory.move(two.anns[0], to_user_id="bob")
    two.memory.update(two.anns[0], importance=0.9, user_id="bob")
    assert [entry["event"] for entry in two.memory.history(two.anns[0], user_id="bob")][-1] == "UPDATE"
    fresh = two.memory.move(two.anns[1], to_user_id="bob")["results"][0]["id"]
    assert two.memory.history(fresh, user_id="bob") != []


# -- any sequence of calls


class UsersKeptApart(RuleBasedStateMachine):
    """Three users do whatever they like, also with each other's ids; after each call the others' view is what it was."""

    memories = Bundle("memories")
    changes = Bundle("changes")

    @initialize()
    def begin(self) -> None:
        self.cleanup = contextlib.ExitStack()
        self.clock = Clock(NOON)
        self.memory = opened(self.cleanup.enter_context(new_file()), clock=self.clock)
        self.seen = {user: everything(self.memory, user) for user in USERS}
        self.owner: dict[str, str] = {}
        self.acting = "ann"

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            assert self.memory.check() == []
            self.memory.close()
            self.cleanup.close()

    def call(self, user: str, verb: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """The call as that user; None where the store refuses it."""
        self.acting = user
        self.clock.advance(seconds=1)
        try:
            return verb(*args, user_id=user, **options)
        except (NotFound, Conflict):
            return None

    @rule(target=memories, user=st.sampled_from(USERS), text=st.sampled_from(TEXTS), turn=st.booleans(), infer=st.booleans())
    def add(self, user: str, text: str, turn: bool, infer: bool) -> Any:
        message = {"role": "user", "content": text} if turn else text
        added = self.call(user, self.memory.add, message, infer=infer, session_id="s1", metadata={"color": "red"})
        written = [*ids(added), *added.get("turns", [])]
        for memory_id in written:
            assert self.owner.setdefault(memory_id, user) == user
        return multiple(*written)

    @rule(target=changes, user=st.sampled_from(USERS), memory_id=memories, text=st.sampled_from(TEXTS))
    def update(self, user: str, memory_id: str, text: str) -> Any:
        changed = self.call(user, self.memory.update, memory_id, text, metadata={"by": user})
        assert changed is None or self.owner[memory_id] == user
        return multiple(*([changed["change_id"]] if changed and changed["change_id"] else []))

    @rule(target=changes, user=st.sampled_from(USERS), memory_id=memories)
    def delete(self, user: str, memory_id: str) -> Any:
        gone = self.call(user, self.memory.delete, memory_id)
        assert gone is None or self.owner[memory_id] == user
        return multiple(*([gone["change_id"]] if gone else []))

    @rule(target=changes, user=st.sampled_from(USERS), whole=st.booleans())
    def delete_all(self, user: str, whole: bool) -> Any:
        gone = self.call(user, self.memory.delete_all, **({} if whole else {"filters": {"memory": TEXTS[0]}}))
        assert {self.owner[memory_id] for memory_id in gone["ids"]} <= {user}
        return multiple(*([gone["change_id"]] if gone["change_id"] else []))

    @rule(target=changes, user=st.sampled_from(USERS), memory_id=memories, area=st.sampled_from(["main", "solutions"]))
    def move(self, user: str, memory_id: str, area: str) -> Any:
        moved = self.call(user, self.memory.move, memory_id, to_area=area)
        assert moved is None or self.owner[memory_id] == user
        return multiple(*([moved["change_id"]] if moved else []))

    @rule(user=st.sampled_from(USERS), change=changes, cascade=st.booleans())
    def undo(self, user: str, change: str, cascade: bool) -> None:
        undone = self.call(user, self.memory.undo, change, cascade=cascade)
        assert undone is None or {self.owner[item["id"]] for item in undone["results"]} <= {user}

    @rule(user=st.sampled_from(USERS), change=consumes(changes))
    def redo(self, user: str, change: str) -> None:
        redone = self.call(user, self.memory.redo, change)
        assert redone is None or {self.owner[item["id"]] for item in redone["results"]} <= {user}

    @rule(user=st.sampled_from(USERS), preset=st.sampled_from(sorted(PRESETS)), filtered=st.booleans())
    def search(self, user: str, preset: str, filtered: bool) -> None:
        options = {"filters": {"color": "red"}} if filtered else {}
        found = self.call(user, self.memory.search, "tea in the rain", preset=preset, limit=100, **options)
        assert {hit["user_id"] for hit in found["results"]} | {self.owner[wanted] for wanted in ids(found)} <= {user}
        self.clock.advance(seconds=6)
        searched(self.memory, user, "lexical")  # now what the search before has noted is due, and written

    @invariant()
    def the_others_see_what_they_saw(self) -> None:
        if not hasattr(self, "memory"):
            return
        for user in USERS:
            now = everything(self.memory, user)
            if user != self.acting:
                assert without_ages(now) == without_ages(self.seen[user])
            assert {item["user_id"] for item in now["memories"]} <= {user}
            assert {item["id"] for item in now["memories"]} <= {key for key, owner in self.owner.items() if owner == user}
            self.seen[user] = now


def without_ages(view: dict[str, Any]) -> dict[str, Any]:
    """The view without what the passing of time changes in it, and words: how rare they are is a matter of all users."""
    near = sorted(
        (hit["id"], hit["relevance"] or 0.0, hit["parts"]["importance"]) for found in view["near"] for hit in found["results"]
    )
    return view | {"near": near}


TestUsersKeptApart = UsersKeptApart.TestCase
TestUsersKeptApart.settings = settings(
    share_of_examples(1 / 5), stateful_step_count=15, suppress_health_check=[HealthCheck.too_slow]
)


# -- what another user writes


def test_what_another_user_writes_alters_no_ranking_but_by_idf(tmp_path: Path) -> None:
    """Dense rankings stay as they are to the last bit; of the words' legs, only weights of words that both use move."""
    with new_memory(user_id="ann") as memory:
        memory.add([text for text in TEXTS if text.isascii()])
        dense = {"balanced": {"dense": 1.0}, "mission": None, "generative_agents": None}
        before = {preset: searched(memory, "ann", preset, weights=weights, explain=True) for preset, weights in dense.items()}
        lexical = searched(memory, "ann", "lexical")
        memory.add([f"tea rain {n}" for n in range(50)], user_id="bob", infer=False)
        memory.search("tea rain", user_id="bob")
        memory.delete_all(user_id="bob", filters={"memory": {"contains": "4"}})
        after = {preset: searched(memory, "ann", preset, weights=weights, explain=True) for preset, weights in dense.items()}
        for preset in dense:
            assert without_bm25(after[preset]) == without_bm25(before[preset])
        again = searched(memory, "ann", "lexical")
        assert {hit["id"]: hit["coverage"] for hit in again["results"]} == {
            hit["id"]: hit["coverage"] for hit in lexical["results"]
        }


def without_bm25(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Results without the numbers that the words of all users weigh in."""
    words = ("bm25", "lexical_part")
    return [
        hit | {"explain": {name: value for name, value in hit["explain"].items() if name not in words}}
        for hit in found["results"]
    ]
