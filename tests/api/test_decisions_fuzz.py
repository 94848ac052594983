"""Whatever a decider says: nothing that was not offered is touched, no other user's memory changes, the new text is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from deciders import Angles, Scripted, deciding
from doubles import Clock, new_memory, share_of_examples
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from memlite import Memory, Record
from memlite.model import ORIGINS
from memlite.rules import guard, text
from memlite.rules.consolidate import PROTECTED, Limits, plan
from memlite.rules.decision import ACTIONS, Candidate, Decision
from memlite.rules.tiers import is_document, may_replace

LIMITS = Limits(max_text_bytes=65_536)
SENTENCES = [
    "User weighs 84 kg.",
    "User weighs 81 kg now.",
    "User's sister weighs 84 kg.",
    "The barn in Aurich is not insured.",
    "The barn in Aurich is insured now.",
    "The barn was built in 1920 and is not for sale.",
    "用户的体重是 84 公斤。",
    "用户现在住在苏州。",
    "用户不吃鱼。",
]
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
ALIASES: st.SearchStrategy[Any] = (
    st.integers(1, 3) | st.integers(-2, 9) | st.sampled_from([2**70, 10**5_000, True, 1.0, "1", "all", None, [1], {}])
)
TEXTS = (
    st.none()
    | st.sampled_from(SENTENCES)
    | st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=4).map(" ".join)
    | st.text(max_size=40)
    | st.sampled_from(["", " \n", "\x00", "half \ud83d", "x" * 70_000, 42, b"bytes"])
)
METADATA = ANY | st.dictionaries(st.sampled_from([*sorted(PROTECTED), "tags", "mood", "historical_notes"]), ANY, max_size=6)
DECISIONS = st.builds(
    Decision,
    action=st.sampled_from(ACTIONS[:3]) | st.sampled_from([*ACTIONS, "explode", None]),
    targets=st.lists(st.integers(1, 3), min_size=1, max_size=3, unique=True).map(tuple)
    | st.lists(ALIASES, max_size=5).map(tuple),
    text=TEXTS,
    reasoning=st.text(max_size=20) | st.just("half \ud83d"),
    metadata=METADATA,
)


def record(name: str, content: str, at: int, **fields: Any) -> Record:
    digest = text.content_hash(content).hex()
    return Record(id=name, user_id="alice", content=content, content_hash=digest, occurred_ms=at, created_ms=at, **fields)


FIELDS = st.fixed_dictionaries(
    {
        "origin": st.sampled_from(ORIGINS) | st.just("user_stated"),
        "expires_ms": st.none() | st.integers(0, 9),
        "importance": st.floats(0, 1),
    }
)
RECORDS = st.builds(
    lambda content, at, fields: record("x", content, at, **fields), st.sampled_from(SENTENCES), st.integers(0, 9), FIELDS
)


@st.composite
def offers(draw: st.DrawFn) -> list[Candidate]:
    return [
        Candidate(
            alias=place,
            record=replace(draw(RECORDS), id=f"mem_{place}", pinned=draw(st.integers(0, 9)) == 0),
            relevance=draw(st.none() | st.floats(0.7, 1)),
            coverage=draw(st.floats(0, 1)),
        )
        for place in range(1, draw(st.integers(1, 3)) + 1)
    ]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Record, list[Candidate], Decision]:
    """(new, offered, decision), whose text often is made of theirs."""
    new, offered, decision = draw(RECORDS), draw(offers()), draw(DECISIONS)
    if draw(st.booleans()):
        whole = " ".join([new.content, *(candidate.record.content for candidate in offered)])
        decision = replace(decision, text=draw(st.sampled_from([new.content, whole])))
    return new, offered, decision


def test_the_cases_reach_what_is_carried_out() -> None:
    """The others are rarer; `python -m benchmarks decisions` counts how often each was reached."""
    unshrunk = settings(max_examples=5_000, phases=[Phase.generate], database=None)
    new, offered, decision = find(cases(), lambda case: bool(plan(case[0], case[1], case[2], LIMITS).targets), settings=unshrunk)
    assert plan(new, offered, decision, LIMITS).targets


@given(cases())
@share_of_examples(6)
def test_a_plan_keeps_its_promises(case: tuple[Record, list[Candidate], Decision]) -> None:
    new, offered, decision = case
    made = plan(new, offered, decision, LIMITS)
    assert all(any(target is candidate for candidate in offered) for target in made.targets)
    assert len({target.alias for target in made.targets}) == len(made.targets)
    if not made.targets:
        assert made.record == new
        assert made.action in ("keep_separate", "skip")
        return
    assert made.reason is None
    for target in made.targets:
        assert not target.record.pinned
        assert is_document(new.origin) == is_document(target.record.origin)
        assert may_replace(new.origin, target.record.origin)
        assert made.action != "replace" or target.relevance is None or target.relevance >= LIMITS.replace_floor
    sources = [new.content, *(target.record.content for target in made.targets)]
    assert guard.invented(made.record.content, sources) == ()
    assert guard.lost_by_change(made.record.content, new.content, new.content) == ()
    if made.action == "merge":
        assert guard.lost_by_merge(made.record.content, sources) == ()
    assert not set(made.record.metadata) & PROTECTED
    assert (made.record.user_id, made.record.area, made.record.pinned) == ("alice", "main", False)
    made.record.content.encode()


@given(
    st.lists(st.tuples(st.sampled_from(SENTENCES), DECISIONS, st.booleans(), st.sampled_from(ORIGINS)), min_size=1, max_size=6)
)
@share_of_examples(0.5)
def test_a_store_keeps_its_promises(steps: list[tuple[str, Decision, bool, str]]) -> None:
    with new_memory(embedder=Angles(), clock=Clock()) as memory:
        memory.add(SENTENCES, infer=False, user_id="bob")
        others = memory.get_all(user_id="bob")
        memory.add([*SENTENCES[3:6], "pinned for good"], infer=False)
        pinned = memory.add("never offered", infer=False, pinned=True)["results"][0]["id"]
        for place, (content, decision, meddled, origin) in enumerate(steps):
            step(memory, f"{content} {'again ' * place}", decision, meddled=meddled, origin=origin)
        assert memory.get(pinned)["memory"] == "never offered"
        assert memory.get_all(user_id="bob") == others
        assert memory.check() == []


def step(memory: Memory, content: str, decision: Decision, *, meddled: bool, origin: str) -> None:
    """Adds a text under a decision; whether only what was offered is gone, and the text is there or answered for."""
    before = {entry["id"]: entry["memory"] for entry in memory.get_all(limit=100)["results"]}
    touched: set[str] = set()

    def decide(new: Record, offered: Sequence[Candidate]) -> Decision:
        if meddled and not touched:
            memory.update(offered[0].record.id, importance=0.9)
        touched.update(candidate.record.id for candidate in offered)
        return decision

    stored = deciding(memory, Scripted(decide)).add(content, origin=origin)["results"]
    after = {entry["id"]: entry["memory"] for entry in memory.get_all(limit=100)["results"]}
    changed = {memory_id for memory_id, was in before.items() if after.get(memory_id) != was}
    assert changed <= touched
    kept = after[stored[0]["id"]]
    assert kept == content.strip() or guard.lost_by_change(kept, content, content) == ()
    assert len(after) - len(before) == 1 - len(before.keys() - after.keys()) or stored[0]["event"] in ("UPDATE", "NONE")
