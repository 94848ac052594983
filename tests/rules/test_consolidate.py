"""From a decision to a plan: what is done, and which check turned it into keep_separate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from memories import BEFORE, LIMITS, NOW, memory, offer, older

from memlite.model import Record
from memlite.rules.consolidate import MAX_NOTES, MAX_PROPOSED, MAX_TAGS, PROTECTED, Plan, plan
from memlite.rules.decision import Action, Decision

NEW = "User's cellar is at 14 °C now."
OLD = "User's cellar is at 12 °C."


def decided(action: Any, targets: Any = (1,), text: Any = None, **more: Any) -> Decision:
    return Decision(action=action, targets=targets, text=text, **more)


def done(decision: Decision, *, new: Record | None = None, stored: Record | None = None, **likeness: Any) -> Plan:
    return plan(new or memory(NEW), offer([stored or older(OLD)], **likeness), decision, LIMITS)


# -- what is asked for and nothing stands in its way


@pytest.mark.parametrize(
    ("action", "text", "stored"),
    [
        pytest.param("merge", "User's cellar was at 12 °C and is at 14 °C now.", "new", id="merge stores one text for both"),
        pytest.param("replace", None, "new", id="replace stores the new text"),
        pytest.param("replace", "User's cellar is at 14 °C now.", "new", id="replace may word it"),
        pytest.param("update", "User's cellar is at 14 °C now.", "old", id="update keeps the id"),
    ],
)
def test_a_sound_decision_is_carried_out(action: Action, text: str | None, stored: str) -> None:
    made = done(decided(action, text=text))
    assert (made.action, made.requested, made.reason) == (action, action, None)
    assert [target.record.id for target in made.targets] == ["old"]
    assert (made.record.id, made.record.content) == (stored, text or NEW)


@pytest.mark.parametrize("action", ["keep_separate", "skip"])
def test_what_stores_only_touches_nothing(action: Action) -> None:
    made = done(decided(action, text="something else entirely"))
    assert (made.action, made.reason, made.targets, made.record) == (action, None, (), memory(NEW))


# -- what is refused: the new memory is stored as it came, nothing else happens

REFUSED = [
    pytest.param("unknown_action", decided("explode"), {}, id="an action there is not"),
    pytest.param("unknown_action", decided(42), {}, id="an action that is no word"),
    pytest.param("unknown_action", decided("MERGE"), {}, id="capitals are the parser's matter"),
    pytest.param("no_target", decided("merge", ()), {}, id="no target"),
    pytest.param("unknown_alias", decided("replace", (2,)), {}, id="a number that was not offered"),
    pytest.param("unknown_alias", decided("replace", (1, 2)), {}, id="one that was offered and one that was not"),
    pytest.param("unknown_alias", decided("replace", (0,)), {}, id="zero"),
    pytest.param("unknown_alias", decided("replace", (-1,)), {}, id="a negative number"),
    pytest.param("unknown_alias", decided("replace", (2**70,)), {}, id="a huge number"),
    pytest.param("unknown_alias", decided("replace", (10**5_000,)), {}, id="a number too long to print"),
    pytest.param("unknown_alias", decided("replace", (True,)), {}, id="True is not 1"),
    pytest.param("unknown_alias", decided("replace", (1.0,)), {}, id="1.0 is not 1"),
    pytest.param("unknown_alias", decided("replace", ("1",)), {}, id="a number as text"),
    pytest.param("unknown_alias", decided("replace", ("old",)), {}, id="a raw id"),
    pytest.param("unknown_alias", decided("replace", ([1],)), {}, id="a list in the list"),
    pytest.param("repeated_alias", decided("replace", (1, 1)), {}, id="one target twice"),
    pytest.param("pinned", decided("replace"), {"stored": older(OLD, pinned=True)}, id="a pinned memory"),
    pytest.param("pinned", decided("update", text=NEW), {"stored": older(OLD, pinned=True)}, id="a pinned memory, rewritten"),
    pytest.param(
        "knowledge_and_conversation",
        decided("replace"),
        {"stored": older(OLD, origin="document")},
        id="a document by conversation",
    ),
    pytest.param(
        "knowledge_and_conversation",
        decided("merge", text=f"{OLD} {NEW}"),
        {"new": memory(NEW, origin="document")},
        id="conversation by a document",
    ),
    pytest.param("tier", decided("replace"), {"new": memory(NEW, origin="agent_inferred")}, id="the user's words by a guess"),
    pytest.param("tier", decided("merge", text=NEW), {"new": memory(NEW, origin="import")}, id="the user's words by an import"),
    pytest.param("below_floor", decided("replace"), {"relevance": 0.7499}, id="a replacement just below the floor"),
    pytest.param("below_floor", decided("replace"), {"relevance": None, "coverage": 0.49}, id="too few words in common"),
    pytest.param(
        "below_floor",
        decided("merge", text="User's cellar was at 12 °C and is at 14 °C now."),
        {"relevance": None, "coverage": 0.49},
        id="a merge of too few words in common",
    ),
    pytest.param("empty_text", decided("merge"), {}, id="a merge without text"),
    pytest.param("empty_text", decided("merge", text=""), {}, id="a merge with an empty text"),
    pytest.param("empty_text", decided("merge", text=" \n\t"), {}, id="a merge with a blank text"),
    pytest.param("empty_text", decided("update"), {}, id="an update without text"),
    pytest.param("empty_text", decided("replace", text=""), {}, id="a replacement with an empty text"),
    pytest.param("bad_text", decided("merge", text="\x00\x01"), {}, id="control characters"),
    pytest.param("bad_text", decided("merge", text="cellar \ud800"), {}, id="half a surrogate pair"),
    pytest.param("bad_text", decided("merge", text="x" * 70_000), {}, id="70 KB"),
    pytest.param("bad_text", decided("merge", text=14), {}, id="a number for a text"),
    pytest.param(
        "other_subject", decided("replace"), {"stored": older("User's sister's cellar is at 12 °C.")}, id="another person"
    ),
    pytest.param("older", decided("replace"), {"stored": older(OLD, occurred_ms=NOW + 1)}, id="what is newer than the new text"),
    pytest.param("invented", decided("update", text="User's cellar is at 15 °C now."), {}, id="a number of its own"),
    pytest.param("invented", decided("update", text="User's cellar in Husum is at 14 °C now."), {}, id="a name of its own"),
    pytest.param("invented", decided("merge", text="User's cellar is at 12 °C, in May at 14 °C."), {}, id="a date of its own"),
    pytest.param("lost", decided("merge", text="User's cellar is at 14 °C now."), {}, id="a merge without one's number"),
    pytest.param("lost", decided("update", text="User's cellar is warmer now."), {}, id="an update without the new number"),
    pytest.param(
        "bad_metadata",
        decided("replace"),
        {"stored": older(OLD, metadata={"a": "x" * 40_000}), "new": memory(NEW, metadata={"b": "y" * 40_000})},
        id="too much metadata in sum",
    ),
]


@pytest.mark.parametrize(("reason", "decision", "given"), REFUSED)
def test_a_doubt_keeps_both(reason: str, decision: Decision, given: dict[str, Any]) -> None:
    made = done(decision, **given)
    assert (made.action, made.reason, made.targets) == ("keep_separate", reason, ())
    assert made.record == given.get("new", memory(NEW))


def test_every_reason_has_a_case() -> None:
    told = (plan.__doc__ or "").partition("Reasons:")[2].replace(".", "").replace("\n", " ").split(",")
    named = {str(case.values[0]) for case in REFUSED} | {"one_target"}
    assert {reason.strip() for reason in told} == named


def test_an_update_has_one_target() -> None:
    made = plan(memory(NEW), offer([older(OLD, "a"), older(OLD, "b")]), decided("update", (1, 2), NEW), LIMITS)
    assert (made.action, made.reason) == ("keep_separate", "one_target")


def test_one_weak_target_saves_all() -> None:
    offered = [*offer([older(OLD, "a")]), replace(offer([older(OLD, "b")], relevance=0.7)[0], alias=2)]
    assert plan(memory(NEW), offered, decided("replace", (1, 2)), LIMITS).reason == "below_floor"
    assert [t.record.id for t in plan(memory(NEW), offered, decided("replace", (1,)), LIMITS).targets] == ["a"]


@pytest.mark.parametrize(
    ("decision", "likeness"),
    [
        pytest.param(decided("replace"), {"relevance": 0.75}, id="a replacement at the floor"),
        pytest.param(decided("update", text=NEW), {"relevance": 0.70}, id="an update needs no more than discovery"),
        pytest.param(decided("replace"), {"relevance": None, "coverage": 0.5}, id="half of the words"),
    ],
)
def test_a_floor_lets_through_what_reaches_it(decision: Decision, likeness: dict[str, Any]) -> None:
    assert done(decision, **likeness).reason is None


@pytest.mark.parametrize(
    ("sort", "stored", "text"),
    [
        pytest.param("number", "The press holds 12 plates.", "The press holds plates and is grey.", id="a number"),
        pytest.param("name", "The press came from Aurich.", "The press came from afar and is grey.", id="a name"),
        pytest.param("date", "The press is oiled in March.", "The press is oiled and is grey.", id="a date"),
        pytest.param("unit", "The press weighs 300 kg.", "The press weighs 300 and is grey.", id="a unit"),
        pytest.param("negation", "The press is not insured.", "The press is insured and is grey.", id="a negation"),
    ],
)
def test_a_merge_that_drops_something_is_refused(sort: str, stored: str, text: str) -> None:
    made = done(decided("merge", text=text), new=memory("The press is grey."), stored=older(stored))
    assert made.reason == "lost"
    assert made.detail.startswith(sort)
    whole = f"{stored} The press is grey."
    assert done(decided("merge", text=whole), new=memory("The press is grey."), stored=older(stored)).reason is None


# -- what the stored memory is made of


def test_a_merged_memory_carries_what_its_parents_had() -> None:
    stored = older(
        OLD,
        importance=0.9,
        confidence=0.6,
        access_count=4,
        occurred_ms=500,
        accessed_ms=NOW + 5,
        keywords=("cellar",),
        flags=("pii",),
    )
    new = memory(NEW, importance=0.2, access_count=1, keywords=("heat", "cellar"), origin="user_stated", expires_ms=9_000)
    made = done(
        decided("merge", text=f"{OLD} {NEW}"), new=new, stored=replace(stored, origin="agent_inferred", subject="cellar")
    ).record
    assert (made.importance, made.confidence, made.access_count) == (0.9, 0.6, 5)
    assert (made.occurred_ms, made.accessed_ms, made.created_ms) == (NOW, NOW + 5, NOW)
    assert (made.keywords, made.flags, made.subject) == (("heat", "cellar"), ("pii",), "cellar")
    assert (made.origin, made.expires_ms, made.version, made.pinned) == ("agent_inferred", None, 1, False)


@pytest.mark.parametrize(
    ("action", "text", "expected"),
    [("merge", f"{OLD} {NEW}", 0.6), ("replace", NEW, 0.6), ("update", NEW, 1.0)],
)
def test_a_new_row_is_as_sure_as_the_least_of_its_parents(action: str, text: str, expected: float) -> None:
    made = done(decided(action, text=text), new=memory(NEW, confidence=1.0), stored=older(OLD, confidence=0.6))
    assert (made.action, made.record.confidence) == (action, expected)


@pytest.mark.parametrize(("told", "kept"), [(7, 1.0), (-2.5, 0.0), (0.4, 0.4)])
def test_t31_an_importance_told_by_a_decider_is_held_to_its_range(told: float, kept: float) -> None:
    made = done(decided("update", text=NEW, metadata={"importance_score": told}), new=memory(NEW), stored=older(OLD))
    assert made.record.metadata["importance_score"] == kept


def test_an_updated_memory_stays_itself() -> None:
    stored = older(OLD, created_ms=7, version=3, session_id="s", agent_id="a", importance=0.9)
    made = done(decided("update", text=NEW), new=memory(NEW, session_id="t"), stored=stored).record
    assert (made.id, made.created_ms, made.version, made.session_id, made.agent_id) == ("old", 7, 4, "s", "a")
    assert (made.content, made.importance, made.occurred_ms) == (NEW, 0.9, NOW)


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        pytest.param(9_000, 8_000, 9_000, id="the later of two"),
        pytest.param(8_000, None, None, id="none where one stays for good"),
        pytest.param(None, 8_000, None, id="none where the new one stays for good"),
    ],
)
def test_an_expiry_needs_all_to_have_one(mine: int | None, theirs: int | None, expected: int | None) -> None:
    made = done(decided("replace"), new=memory(NEW, expires_ms=mine), stored=older(OLD, expires_ms=theirs))
    assert made.record.expires_ms == expected


def test_metadata_is_united_and_the_newer_wins() -> None:
    stored = older(OLD, metadata={"room": "cellar", "by": "old", "tags": ["cold", "house"]})
    new = memory(NEW, metadata={"by": "new", "tags": ["house", "warm"]})
    found = dict(done(decided("replace"), new=new, stored=stored).record.metadata)
    assert found.pop("historical_notes") == [f"until 1970-01-01: {OLD}"]
    assert (found["room"], found["by"]) == ("cellar", "new")
    assert sorted(found["tags"]) == ["cold", "house", "warm"]


@pytest.mark.parametrize("name", [*sorted(PROTECTED), "Area", "historical_notes"])
def test_a_decider_cannot_say_where_a_memory_came_from(name: str) -> None:
    made = done(decided("merge", text=f"{OLD} {NEW}", metadata={name: "forged", "mood": "calm"})).record
    assert dict(made.metadata) == {"mood": "calm"}
    assert (made.area, made.origin, made.user_id) == ("main", "user_stated", "u")


def test_what_a_decider_proposes_overrides_nothing() -> None:
    proposed = {"by": "model", "tags": ["warm", 7, ""]}
    new = memory(NEW, metadata={"by": "user", "tags": ["cold"]})
    made = done(decided("merge", text=f"{OLD} {NEW}", metadata=proposed), new=new).record
    assert dict(made.metadata) == {"by": "user", "tags": ["cold", "warm"]}


def test_of_many_proposals_the_first_are_heard() -> None:
    made = done(decided("merge", text=f"{OLD} {NEW}", metadata={f"k{n}": n for n in range(1_000)})).record
    assert list(made.metadata) == [f"k{n}" for n in range(MAX_PROPOSED)]


@pytest.mark.parametrize(
    "proposed",
    [
        pytest.param(None, id="null"),
        pytest.param("None", id="a text"),
        pytest.param(["a"], id="a list"),
        pytest.param({"a": float("nan")}, id="not a number"),
        pytest.param({"a": float("inf")}, id="infinite"),
        pytest.param({"a": 2**70}, id="a huge number"),
        pytest.param({"a": "\ud800"}, id="half a surrogate pair"),
        pytest.param({"\ud800": "a"}, id="half a pair in a key"),
        pytest.param({7: "a"}, id="a number for a key"),
        pytest.param({"a": {"b": 1}}, id="nested"),
        pytest.param({"a": "x" * 201}, id="long"),
        pytest.param({"a" * 65: 1}, id="a long key"),
        pytest.param({"tags": "cold"}, id="tags that are no list"),
    ],
)
def test_unusable_metadata_is_none(proposed: Any) -> None:
    made = done(decided("merge", text=f"{OLD} {NEW}", metadata=proposed))
    assert (made.action, dict(made.record.metadata)) == ("merge", {})


def test_lists_that_only_grow_are_cut() -> None:
    stored = older(OLD, metadata={"tags": [f"t{n}" for n in range(80)], "historical_notes": [f"until {n}: x" for n in range(30)]})
    found = done(decided("replace"), stored=stored).record.metadata
    assert len(found["tags"]) == MAX_TAGS
    assert len(found["historical_notes"]) == MAX_NOTES
    assert found["historical_notes"][-1] == f"until 1970-01-01: {OLD}"


def test_only_what_is_overtaken_becomes_a_note() -> None:
    assert "historical_notes" in done(decided("replace")).record.metadata
    copied = done(decided("replace"), stored=older("User's cellar is at 14 °C now"))
    assert (copied.action, dict(copied.record.metadata)) == ("replace", {})
    assert BEFORE < NOW


@pytest.mark.parametrize(
    ("new", "coverage", "reason"),
    [
        pytest.param("用户的女儿身高 118 厘米。", 0.1, None, id="the rules agree"),
        pytest.param("用户在宁波的画室教水彩。", 0.1, "below_floor", id="only the decider says so"),
        pytest.param("用户的女儿身高 118 厘米。", 0.05, "below_floor", id="below the lower floor too"),
    ],
)
def test_few_common_words_need_the_rules_to_agree(new: str, coverage: float, reason: str | None) -> None:
    limits = replace(LIMITS, coverage_floor=0.08)
    offered = offer([older("用户的女儿身高 112 厘米。")], relevance=None, coverage=coverage)
    assert plan(memory(new), offered, decided("replace", text=new), limits).reason == reason
