"""What becomes of a new memory beside stored ones: what is offered, what is done, and what is done when something fails."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from deciders import Angles, Scripted, apart, deciding, keep, merge, replace, skip, update
from doubles import NOON, QUICK, Clock, ids, new_memory, opened, texts
from support import dump, said, start_child

from memlite import Conflict, Memory, NotFound, Record, Settings, Stale
from memlite.engine.distil import RuleDistiller
from memlite.errors import ChatError, ModelNotFound, ReplyError, Timeout, Unreachable
from memlite.ports import Deadline
from memlite.rules.decision import Candidate, Decision

OLD = "User's cellar is at 12 °C."
NEW = "User's cellar is at 14 °C now."
BOTH = "User's cellar was at 12 °C and is at 14 °C now."


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A store in which every text is as close as can be to every other."""
    with new_memory(embedder=Angles()) as opened_one:
        yield opened_one
        assert opened_one.check() == []


def put(memory: Memory, *contents: str, **options: Any) -> list[str]:
    """Stores texts as they are; their ids."""
    return ids(memory.add(list(contents), infer=False, **options))


def told(memory: Memory) -> list[str]:
    """All texts of the user, in alphabetical order."""
    return sorted(texts(memory.get_all(limit=1_000)))


def ruling(memory: Memory, memory_id: str) -> dict[str, Any]:
    """How it came to be so, as the audit has it."""
    found: dict[str, Any] = memory.history(memory_id)[-1]["ruling"]
    return found


# -- what is offered


def test_t14_an_empty_store_asks_nobody(memory: Memory) -> None:
    decider = Scripted(keep())
    stored = deciding(memory, decider).add(NEW)
    assert decider.asked == []
    assert [(r["event"], r["action"]) for r in stored["results"]] == [("ADD", "keep_separate")]
    assert ruling(memory, ids(stored)[0]) | {"offered": []} == {
        "requested": None,
        "applied": "keep_separate",
        "reason": "no_candidates",
        "decider": "none",
        "prompt": None,
        "prompt_sha256": None,
        "offered": [],
    }


class Keywords(RuleDistiller):
    """Names the keywords it is told, or fails."""

    def __init__(self, *words: str, error: ChatError | None = None) -> None:
        self._words, self._error = words, error

    def keywords(self, text: str, *, deadline: Deadline) -> tuple[str, ...]:
        if self._error:
            raise self._error
        return self._words


def test_t15_without_keywords_the_text_alone_is_looked_for(memory: Memory) -> None:
    put(memory, OLD)
    decider = Scripted(replace())
    deciding(memory, decider, distiller=Keywords(error=Unreachable("nobody answers")))
    memory.add(NEW)
    assert decider.offered == [OLD]
    assert told(memory) == [NEW]


def test_t16_found_twice_is_offered_once_with_the_better_score() -> None:
    angle = apart(0.82)
    with new_memory(embedder=Angles({OLD: angle, "cellar": angle - apart(0.91)})) as memory:
        put(memory, OLD)
        decider = Scripted(keep())
        deciding(memory, decider, distiller=Keywords("cellar")).add(NEW)
        (candidate,) = decider.asked[0][1]
        assert candidate.relevance == pytest.approx(0.91, abs=1e-6)


def test_t17_the_closest_four_are_offered_in_order() -> None:
    angles = {f"fact {n}": apart(0.71 + n / 50) for n in range(12)}
    with new_memory(embedder=Angles(angles)) as memory:
        put(memory, *angles)
        decider = Scripted(keep())
        deciding(memory, decider).add(NEW)
        assert decider.offered == ["fact 11", "fact 10", "fact 9", "fact 8"]
        assert [c.alias for c in decider.asked[0][1]] == [1, 2, 3, 4]
        assert [c.relevance for c in decider.asked[0][1]] == pytest.approx([0.93, 0.91, 0.89, 0.87], abs=1e-6)


def test_t17_of_solutions_three(memory: Memory) -> None:
    put(memory, *(f"solution {n}" for n in range(5)), area="solutions")
    decider = Scripted(keep())
    deciding(memory, decider).add(NEW, area="solutions")
    assert len(decider.offered) == 3


def test_t18_closer_memories_of_another_area_hide_nothing() -> None:
    fragments = {f"fragment {n}": apart(0.8) for n in range(5)}
    with new_memory(embedder=Angles(fragments)) as memory:
        put(memory, *(f"main {n}" for n in range(30)))
        put(memory, *fragments, area="fragments")
        decider = Scripted(keep())
        deciding(memory, decider).add(NEW, area="fragments")
        assert len(decider.offered) == 4
        assert set(decider.offered) <= set(fragments)


@pytest.mark.parametrize(("relevance", "offered"), [(0.6999, []), (0.7000, [OLD])])
def test_t19_the_floor_of_discovery(relevance: float, offered: list[str]) -> None:
    with new_memory(embedder=Angles({OLD: apart(relevance)})) as memory:
        put(memory, OLD)
        decider = Scripted(keep())
        deciding(memory, decider).add(NEW)
        assert decider.offered == offered


def test_t20_discovery_changes_nothing_stored(memory: Memory) -> None:
    (old,) = put(memory, OLD, metadata={"room": "cellar"})
    before = memory.get(old)
    deciding(memory, Scripted(keep())).add(NEW)
    assert memory.get(old) == before


@pytest.mark.parametrize(
    ("options", "offered"),
    [
        pytest.param({}, True, id="a plain memory"),
        pytest.param({"pinned": True}, False, id="pinned"),
        pytest.param({"expires_at": NOON - 1}, False, id="expired"),
        pytest.param({"expires_at": NOON + 1}, True, id="not yet expired"),
        pytest.param({"area": "solutions"}, False, id="of another area"),
        pytest.param({"user_id": "bob"}, False, id="another user's"),
        pytest.param({"agent_id": "a"}, True, id="the same agent's"),
        pytest.param({"agent_id": "b"}, False, id="another agent's"),
        pytest.param({"session_id": "s"}, True, id="of any session"),
    ],
)
def test_what_is_offered(memory: Memory, options: dict[str, Any], offered: bool) -> None:
    put(memory, OLD, **options)
    decider = Scripted(keep())
    deciding(memory, decider).add(NEW, agent_id="a")
    assert decider.offered == ([OLD] if offered else [])


def test_an_agents_memory_is_not_offered_to_nobodys(memory: Memory) -> None:
    put(memory, OLD, agent_id="a")
    decider = Scripted(keep())
    deciding(memory, decider).add(NEW)
    assert decider.asked == []


def test_turns_are_never_offered(memory: Memory) -> None:
    memory.add({"role": "user", "content": OLD}, infer=False, session_id="s")
    decider = Scripted(keep())
    deciding(memory, decider).add(NEW)
    assert decider.asked == []


def test_without_vectors_words_find_it() -> None:
    old, new = "仓库的东门晚上十点上锁。", "仓库的东门晚上九点上锁。"
    with new_memory(embedder=Angles({old: None, new: None, "别的事情": None})) as memory:
        put(memory, old, "别的事情", OLD)
        decider = Scripted(keep())
        deciding(memory, decider).add(new)
        (candidate,) = decider.asked[0][1]
        assert (candidate.record.content, candidate.relevance) == (old, None)
        assert candidate.coverage > 0.3


# -- what is done


def test_t21_a_merge_leaves_one_memory_with_both(memory: Memory) -> None:
    (old,) = put(memory, OLD, metadata={"tags": ["house"]}, importance=0.9)
    stored = deciding(memory, Scripted(merge(BOTH))).add(NEW, metadata={"tags": ["heat"]})
    new = stored["results"][0]
    assert [(r["id"], r["memory"], r["event"], r["action"], r["reason"]) for r in stored["results"]] == [
        (new["id"], BOTH, "ADD", "merge", None),
        (old, OLD, "DELETE", "merge", "merged"),
    ]
    found = memory.get(new["id"])
    assert told(memory) == [BOTH]
    assert (found["importance"], sorted(found["metadata"]["tags"]), found["version"]) == (0.9, ["heat", "house"], 1)
    with pytest.raises(NotFound) as gone:
        memory.get(old)
    assert gone.value.successors == (new["id"],)
    assert memory.history(old)[-1]["old_memory"] == OLD
    assert ruling(memory, new["id"])["requested"] == ruling(memory, new["id"])["applied"] == "merge"
    assert ruling(memory, new["id"])["offered"] == [[old, 1, 1.0, pytest.approx(1.0, abs=1)]]


@pytest.mark.parametrize(("relevance", "left"), [(0.84, [NEW]), (0.74, sorted([OLD, NEW]))])
def test_t22_a_replacement_needs_likeness(relevance: float, left: list[str]) -> None:
    with new_memory(embedder=Angles({OLD: apart(relevance)})) as memory:
        put(memory, OLD)
        stored = deciding(memory, Scripted(replace())).add(NEW)
        assert told(memory) == left
        kept = len(left) > 1
        found = ruling(memory, ids(stored)[0])
        assert (found["requested"], found["applied"]) == ("replace", "keep_separate" if kept else "replace")
        assert found["reason"] == ("below_floor" if kept else None)
        assert memory.check() == []


def test_t23_an_update_stores_nothing_else(memory: Memory) -> None:
    (old,) = put(memory, OLD, "User's attic is dry.")[:1]
    stored = deciding(memory, Scripted(update(NEW, 1))).add(NEW)
    assert [(r["id"], r["event"]) for r in stored["results"]] == [(old, "UPDATE")]
    assert told(memory) == sorted([NEW, "User's attic is dry."])
    found = memory.get(old)
    assert (found["version"], found["metadata"]["historical_notes"]) == (2, [f"until 2026-03-01: {OLD}"])


def test_t24_an_update_of_what_is_gone_stores_the_text_once(memory: Memory) -> None:
    (old,) = put(memory, OLD)

    def while_it_goes(new: Record, offered: Sequence[Candidate]) -> Decision:
        memory.delete(old)
        return update(NEW)

    deciding(memory, Scripted(while_it_goes)).add(NEW)
    assert told(memory) == [NEW]


@pytest.mark.parametrize("decision", [pytest.param(keep(), id="t25 keep_separate"), pytest.param(skip(), id="t26 skip")])
def test_t25_t26_what_stores_only_adds_one(memory: Memory, decision: Decision) -> None:
    (old,) = put(memory, OLD)
    before = memory.get(old)
    stored = deciding(memory, Scripted(decision)).add(NEW)
    assert [(r["memory"], r["event"], r["action"]) for r in stored["results"]] == [(NEW, "ADD", decision.action)]
    assert (told(memory), memory.get(old)) == (sorted([OLD, NEW]), before)


UNSOUND = [
    pytest.param(Decision(action="explode"), "unknown_action", id="t27 an action there is not"),  # type: ignore[arg-type]
    pytest.param(merge(""), "empty_text", id="t28 a merge with an empty text"),
    pytest.param(merge(" \n "), "empty_text", id="t28 a merge with a blank text"),
    pytest.param(merge(BOTH, 2), "unknown_alias", id="t30 a number that was not offered"),
    pytest.param(merge(BOTH, 1, 1), "repeated_alias", id="t30 a number twice"),
    pytest.param(merge(BOTH, "1"), "unknown_alias", id="t30 a number as text"),
    pytest.param(merge(NEW), "lost", id="a merge that loses the old number"),
]


@pytest.mark.parametrize(("decision", "reason"), UNSOUND)
def test_t27_t28_t30_an_unsound_decision_keeps_both(memory: Memory, decision: Decision, reason: str) -> None:
    (old,) = put(memory, OLD)
    stored = deciding(memory, Scripted(decision)).add(NEW)
    assert told(memory) == sorted([OLD, NEW])
    found = ruling(memory, ids(stored)[0])
    assert (found["applied"], found["reason"], memory.get(old)["version"]) == ("keep_separate", reason, 1)


@pytest.mark.parametrize("metadata", [None, "None", ["a"]])
def test_t29_metadata_that_is_none_loses_nothing(memory: Memory, metadata: Any) -> None:
    put(memory, OLD)
    deciding(memory, Scripted(merge(BOTH, metadata=metadata))).add(NEW)
    assert told(memory) == [BOTH]


def test_t31_a_decider_sets_no_provenance(memory: Memory) -> None:
    put(memory, OLD, metadata={"tags": ["house"]})
    forged = {
        "id": "mem_1",
        "area": "solutions",
        "knowledge_source": True,
        "timestamp": 0,
        "user_id": "bob",
        "tags": ["heat"],
        "importance": 9,
    }
    stored = deciding(memory, Scripted(merge(BOTH, metadata=forged))).add(NEW)
    found = memory.get(ids(stored)[0])
    assert sorted(found["metadata"]) == ["importance", "tags"]
    assert (found["area"], found["user_id"], found["importance"], found["created_at"][:10]) == (
        "main",
        "default",
        0.5,
        "2026-03-01",
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        pytest.param(ReplyError("no JSON: \ud800"), "bad_reply", id="t32 a reply that is no answer"),
        pytest.param(Unreachable("refused"), "unreachable", id="t32 no server"),
        pytest.param(ModelNotFound("no such model"), "model_not_found", id="t32 no model"),
        pytest.param(Timeout("too slow"), "timeout", id="t33 too slow"),
    ],
)
def test_t32_t33_a_decider_that_fails_stores_the_text_once(memory: Memory, error: ChatError, reason: str) -> None:
    (old,) = put(memory, OLD)
    stored = deciding(memory, Scripted(error)).add(NEW)
    assert told(memory) == sorted([OLD, NEW])
    entry = memory.history(ids(stored)[0])[-1]
    assert (entry["ruling"]["requested"], entry["ruling"]["reason"], entry["ruling"]["decider"]) == (None, reason, "none")
    assert entry["ruling"]["offered"][0][0] == old
    assert entry["told"]["detail"] == str(error).encode("utf-8", "replace").decode()


def test_t33_an_answer_after_the_deadline_is_none(memory: Memory) -> None:
    put(memory, OLD)
    memory._kit = dataclasses.replace(memory._kit, settings=dataclasses.replace(QUICK, decision_seconds=0.1))

    def late(new: Record, offered: Sequence[Candidate]) -> Decision:
        time.sleep(0.15)
        return replace()

    stored = deciding(memory, Scripted(late)).add(NEW)
    assert told(memory) == sorted([OLD, NEW])
    assert ruling(memory, ids(stored)[0])["reason"] == "timeout"


@pytest.mark.parametrize("error", [ZeroDivisionError("a bug"), KeyboardInterrupt()])
def test_a_fault_of_the_decider_is_raised_and_the_text_stored(memory: Memory, error: BaseException) -> None:
    put(memory, OLD)
    with pytest.raises(type(error)):
        deciding(memory, Scripted(error)).add(NEW)
    assert told(memory) == sorted([OLD, NEW])
    (new,) = [e["id"] for e in memory.get_all()["results"] if e["memory"] == NEW]
    assert ruling(memory, new)["reason"] == "decider_failed"


def test_t36_conversation_removes_no_document(memory: Memory) -> None:
    put(memory, OLD, origin="document", metadata={"source_file": "house.md"})
    for decision in (merge(BOTH), replace(), update(NEW)):
        deciding(memory, Scripted(decision))
        stored = memory.add(NEW)
        assert told(memory) == sorted([OLD, NEW])
        assert ruling(memory, ids(stored)[0])["reason"] == "knowledge_and_conversation"
        memory.delete(ids(stored)[0])


def test_a_reply_that_no_file_can_hold_is_kept_as_far_as_it_goes(memory: Memory) -> None:
    put(memory, OLD)
    decision = merge(BOTH, reasoning="half a pair \ud83d " + "and more " * 20_000)
    stored = deciding(memory, Scripted(decision, reply='{"action": "\udc00"}')).add(NEW)
    kept = memory.history(ids(stored)[0])[-1]["told"]
    assert told(memory) == [BOTH]
    assert (kept["reply"], kept["reasoning"][:13]) == ('{"action": "?"}', "half a pair ?")
    assert len(kept["reasoning"]) < 40_000


# -- modes


def test_off_asks_nobody(memory: Memory) -> None:
    put(memory, OLD)
    decider = Scripted(replace())
    stored = deciding(memory, decider).add(NEW, consolidate=False)
    assert (decider.asked, told(memory)) == ([], sorted([OLD, NEW]))
    assert ruling(memory, ids(stored)[0])["reason"] == "off"


@pytest.mark.parametrize(("relevance", "left"), [(0.901, [NEW]), (0.899, sorted([OLD, NEW]))])
def test_simple_replaces_by_likeness_alone(relevance: float, left: list[str]) -> None:
    with new_memory(embedder=Angles({OLD: apart(relevance)})) as memory:
        put(memory, OLD)
        decider = Scripted(keep())
        deciding(memory, decider).add(NEW, consolidate="simple")
        assert (decider.asked, told(memory)) == ([], left)


def test_a_known_text_is_not_decided_about(memory: Memory) -> None:
    (old,) = put(memory, OLD)
    decider = Scripted(replace())
    stored = deciding(memory, decider).add("user's cellar is at 12 °C")
    assert (decider.asked, told(memory)) == ([], [OLD])
    assert [(r["id"], r["event"], r["reason"]) for r in stored["results"]] == [(old, "NONE", "same_text")]


def test_each_text_of_a_call_is_a_change_of_its_own(memory: Memory) -> None:
    deciding(memory, Scripted(update(NEW, 1), keep()))
    stored = memory.add([OLD, NEW, "User's attic is dry."])
    assert [r["event"] for r in stored["results"]] == ["ADD", "UPDATE", "ADD"]
    assert len(set(stored["change_ids"])) == 3
    memory.undo(stored["change_ids"][1])
    assert told(memory) == sorted([OLD, "User's attic is dry."])


def test_the_same_request_twice_is_done_once(memory: Memory) -> None:
    put(memory, OLD)
    decider = Scripted(merge(BOTH), keep())
    deciding(memory, decider)
    first, second = (memory.add(NEW, idempotency_key="k") for _ in range(2))
    assert (len(decider.asked), told(memory)) == (1, [BOTH])
    assert (second["change_id"], second["repeated"]) == (first["change_id"], True)
    with pytest.raises(Conflict):
        memory.add("something else", idempotency_key="k")


# -- undo and redo


def contents(path: Path) -> dict[str, Any]:
    """What undo must bring back: rows but for versions and access times, vectors, links, index entries."""
    found = dump(path)
    for name in ("runs", "actions", "payloads", "scopes"):
        del found[name]
    with opened(path, embedder=Angles()) as memory:
        rows = [memory.typed.get(each["id"]) for each in memory.get_all(limit=1_000, status="any")["results"]]
    live = {row.id for row in rows}
    found["lineage"] = [link for link in found["lineage"] if link[0] in live]  # those of the dead lead to successors
    found["memories"] = [dataclasses.replace(row, version=0, accessed_ms=0, access_count=0) for row in rows]
    return found


@pytest.mark.parametrize(
    "decision",
    [
        pytest.param(merge(BOTH), id="merge"),
        pytest.param(merge(f"{BOTH} User's attic was at 30 °C.", 1, 2), id="merge of two"),
        pytest.param(replace(), id="replace"),
        pytest.param(update(NEW), id="update"),
        pytest.param(keep(), id="keep_separate"),
    ],
)
def test_undo_and_redo_restore_everything(tmp_path: Path, decision: Decision) -> None:
    path = tmp_path / "memory.db"
    with opened(path, embedder=Angles()) as memory:
        put(memory, OLD, "User's attic was at 30 °C.", metadata={"tags": ["house"], "n": 1}, importance=0.7)
    before = contents(path)
    with opened(path, embedder=Angles(), clock=Clock(NOON + 5_000)) as memory:
        change = deciding(memory, Scripted(decision)).add(NEW, metadata={"tags": ["heat"]})["change_id"]
    after = contents(path)
    assert after != before
    for turn, expected in (("undo", before), ("redo", after), ("undo", before)):
        with opened(path, embedder=Angles()) as memory:
            getattr(memory, turn)(change)
            assert memory.check() == []
        assert contents(path) == expected, turn


def test_successors_lead_on(memory: Memory) -> None:
    (old,) = put(memory, OLD)
    deciding(memory, Scripted(merge(BOTH), replace(text=f"{BOTH} In May it is at 16 °C.")))
    first = ids(memory.add(NEW))[0]
    second = ids(memory.add("User's cellar is at 16 °C in May."))[0]
    for gone in (old, first):
        with pytest.raises(NotFound) as error:
            memory.get(gone)
        assert second in error.value.successors or error.value.successors == (first,)


def test_a_consolidated_memory_can_not_be_undone_past_a_later_change(memory: Memory) -> None:
    put(memory, OLD)
    change = deciding(memory, Scripted(update(NEW))).add(NEW)
    memory.update(ids(change)[0], "User's cellar is at 15 °C.")
    with pytest.raises(Stale):
        memory.undo(change["change_id"])
    memory.undo(change["change_id"], cascade=True)
    assert told(memory) == [OLD]


# -- others at the same time


def test_what_changed_meanwhile_is_decided_again(memory: Memory) -> None:
    (old,) = put(memory, OLD)

    def while_it_changes(new: Record, offered: Sequence[Candidate]) -> Decision:
        memory.update(old, "User's cellar is at 13 °C.")
        return replace()

    decider = Scripted(while_it_changes, replace())
    stored = deciding(memory, decider).add(NEW)
    assert [question[1][0].record.version for question in decider.asked] == [1, 2]
    assert told(memory) == [NEW]
    assert ruling(memory, ids(stored)[0])["applied"] == "replace"


def test_what_changes_again_and_again_is_left(memory: Memory) -> None:
    (old,) = put(memory, OLD)
    degrees = iter(range(20, 40))

    def while_it_changes(new: Record, offered: Sequence[Candidate]) -> Decision:
        memory.update(old, f"User's cellar is at {next(degrees)} °C.")
        return replace()

    decider = Scripted(while_it_changes)
    stored = deciding(memory, decider).add(NEW)
    assert len(decider.asked) == 2
    assert told(memory) == sorted(["User's cellar is at 21 °C.", NEW])
    assert ruling(memory, ids(stored)[0])["reason"] == "stale"


def test_t35_two_threads_about_one_memory(memory: Memory) -> None:
    (old,) = put(memory, OLD)
    meet = threading.Barrier(2, timeout=10)

    def together(new: Record, offered: Sequence[Candidate]) -> Decision:
        if offered[0].record.id != old:
            return keep()
        meet.wait()
        return replace()

    deciding(memory, Scripted(together))
    wanted = [f"User's cellar is at {degrees} °C now." for degrees in (14, 15)]
    failed = in_threads([lambda text=text: memory.add(text) for text in wanted])  # type: ignore[misc]
    assert failed == []
    assert told(memory) == sorted(wanted)
    assert [entry["event"] for entry in memory.history(old)] == ["ADD", "DELETE"]


def in_threads(jobs: Sequence[Callable[[], object]]) -> list[Exception]:
    """Runs all jobs at once; what they raised."""
    raised: list[Exception] = []

    def run(job: Callable[[], object]) -> None:
        try:
            job()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            raised.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    return raised


REPLACER = """
import sys
from pathlib import Path
from deciders import Angles, Scripted, deciding, keep, replace
from support import open_memory

def choose(new, offered):
    wanted = [c.alias for c in offered if c.record.content.startswith("target")]
    return replace(wanted[0]) if wanted else keep()

with open_memory(Path(sys.argv[1]), embedder=Angles()) as memory:
    deciding(memory, Scripted(choose))
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        memory.add(f"{sys.argv[2]} says target {number} moved")
"""


def test_t35_two_processes_about_the_same_memories(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, embedder=Angles()) as memory:
        targets = put(memory, *(f"target {number}" for number in range(8)))
    here = str(Path(__file__).resolve().parent)
    script = f"import sys; sys.path.insert(0, {here!r})\n{REPLACER}"
    children = [start_child(script, tmp_path, name, 10) for name in ("Ida", "Olaf")]
    for child in children:
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        said(child)
    with opened(path, embedder=Angles()) as memory:
        found = told(memory)
        assert {f"{name} says target {number} moved" for name in ("Ida", "Olaf") for number in range(10)} <= set(found)
        gone = [memory.history(target) for target in targets]
        assert all([entry["event"] for entry in entries].count("DELETE") <= 1 for entries in gone)
        assert sum(entries[-1]["event"] == "DELETE" for entries in gone) == 28 - len(found) > 0
        assert memory.check() == []


def test_another_user_is_never_touched(memory: Memory) -> None:
    put(memory, OLD, user_id="bob")
    before = memory.get_all(user_id="bob")
    deciding(memory, Scripted(replace(1, 2, 3), merge(BOTH), update(NEW)))
    for text in (NEW, "User's attic is dry.", "User's shed is damp."):
        memory.add(text)
    assert memory.get_all(user_id="bob") == before


def test_the_deadline_is_a_setting() -> None:
    with new_memory(settings=Settings(durability="normal", decision_seconds=7.5), embedder=Angles()) as memory:
        put(memory, OLD)
        seen: list[float] = []

        class Looks(Scripted):
            def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Any:
                seen.append(deadline.left_s())
                return super().decide(new, offered, deadline=deadline)

        deciding(memory, Looks(keep())).add(NEW)
        assert 7 < seen[0] <= 7.5
