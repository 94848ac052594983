"""Power cuts inside a merge, a replacement and an update: everything is in the file afterwards, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import PowerCut, cut_before, dump, open_memory, quick_folder, texts
from test_crash import assert_as_before, interrupted, save

from memlite import Memory

sys.path.append(str(Path(__file__).resolve().parents[1] / "api"))  # the doubles of deciders live beside the tests of the API

from deciders import Angles, Scripted, deciding, keep, merge, replace, update

OLD = ["User's cellar is at 12 °C.", "User's attic is at 30 °C.", "用户的地窖是 12 度。"]
NEW = "User's cellar is at 14 °C now."
BOTH = "User's cellar was at 12 °C and is at 14 °C now."

DECISIONS = [
    pytest.param(merge(BOTH), 3, id="merge"),
    pytest.param(merge(f"{BOTH} {OLD[1]}", 1, 2), 2, id="merge of two"),
    pytest.param(replace(), 3, id="replace"),
    pytest.param(update(NEW), 3, id="update"),
    pytest.param(keep(), 4, id="keep_separate"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        yield Path(name)


def furnished(folder: Path, decider: Scripted) -> Memory:
    """A store with memories alike, turns around them, Chinese, metadata, and an earlier merge."""
    memory = open_memory(folder, embedder=Angles({OLD[2]: None}))
    memory.add(OLD, infer=False, metadata={"tags": ["house"], "n": 1})
    memory.add([{"role": "user", "content": f"turn {place}"} for place in range(3)], infer=False, session_id="s")
    return deciding(memory, decider)


@pytest.mark.parametrize(("decision", "left"), DECISIONS)
def test_t34_a_cut_leaves_the_old_state_or_the_new(folder: Path, decision: object, left: int) -> None:
    decider = Scripted(decision)  # type: ignore[arg-type]
    memory = furnished(folder, decider)
    before = dump(folder / "memory.db")
    statement = 0
    while not interrupted(memory, lambda store: store.add(NEW, metadata={"tags": ["heat"]}), statement, folder):
        assert dump(folder / "memory.db") == before, f"statement {statement}"
        assert_as_before(folder / "at the cut", before)
        statement += 1
    assert statement > 8
    assert len(decider.asked) > 8  # cut before it was asked, too
    assert len([text for text in texts(memory) if not text.startswith("turn")]) == left
    assert memory.check() == []
    memory.close()


@pytest.mark.parametrize(("decision", "left"), DECISIONS[:1] + DECISIONS[2:4])
def test_an_interrupt_after_any_statement_loses_no_text(folder: Path, decision: object, left: int) -> None:
    memory = furnished(folder, Scripted(decision))  # type: ignore[arg-type]
    memory.close()
    save(folder, folder / "start")
    statement, fired, outcomes = 0, True, set()
    while fired:
        save(folder / "start", folder / "run")
        memory = deciding(open_memory(folder / "run", embedder=Angles({OLD[2]: None})), Scripted(decision))  # type: ignore[arg-type]
        known = sorted(texts(memory))
        fired = cut_late(memory, statement)
        found = sorted(texts(memory))
        outcomes.add(found == known)
        if found != known:  # done whole, or stored as it came
            assert NEW in found or BOTH in found
            assert len(found) - 3 in (left, 4)
        assert memory.check() == []
        memory.close()
        statement += 1
    assert outcomes == {True, False}


def cut_late(memory: Memory, statement: int) -> bool:
    """Adds the new text with an interrupt right after a statement; whether there was one."""
    with cut_before(statement, late=True) as cut:
        try:
            memory.add(NEW)
        except PowerCut:
            assert cut.fired
    return cut.fired


def test_a_cut_while_a_merge_is_undone_leaves_no_trace(folder: Path) -> None:
    memory = furnished(folder, Scripted(merge(BOTH)))
    change = memory.add(NEW)["change_id"]
    before = dump(folder / "memory.db")
    undo: Callable[[Memory], object] = lambda store: store.undo(change)  # noqa: E731 - a name tells what it is
    statement = 0
    while not interrupted(memory, undo, statement, folder):
        assert dump(folder / "memory.db") == before, f"statement {statement}"
        assert_as_before(folder / "at the cut", before)
        statement += 1
    assert statement > 8
    assert memory.check() == []
    memory.close()
