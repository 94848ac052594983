"""What the rules make of a new text beside a stored one: our own pairs, in English and Chinese."""

from __future__ import annotations

import pytest
from cases import sections
from memories import LIMITS, memory, offer, older

from memlite.model import Record
from memlite.rules import text
from memlite.rules.consolidate import Plan, plan
from memlite.rules.decide import by_rules
from memlite.rules.settle import chinese, english
from memlite.rules.terms import has_cjk

PAIRS = [(heading, *line.split(" → ")) for heading, line in sections("settle_cases.txt")]


def planned(new: Record, *stored: Record) -> Plan:
    """What the rules do with a new memory, whatever the relevance."""
    offered = offer(stored)
    return plan(new, offered, by_rules(new, offered), LIMITS)


@pytest.mark.parametrize(("stored", "new"), [(old, new) for heading, old, new in PAIRS if heading == "apart"])
def test_what_is_not_the_same_matter_stays_as_it_is(stored: str, new: str) -> None:
    done = planned(memory(new), older(stored))
    assert done.targets == ()
    assert done.record.content == new


@pytest.mark.parametrize(("stored", "new"), [(old, new) for heading, old, new in PAIRS if heading == "overtaken"])
def test_what_is_overtaken_is_not_told_as_current(stored: str, new: str) -> None:
    done = planned(memory(new), older(stored))
    assert [target.record.content for target in done.targets] == [stored]
    assert text.content_hash(done.record.content) != text.content_hash(stored)
    assert stored in str(done.record.metadata["historical_notes"])


def test_the_case_file_is_read_whole() -> None:
    assert sum(heading == "apart" for heading, *_ in PAIRS) > 150
    assert sum(heading == "overtaken" for heading, *_ in PAIRS) > 20


@pytest.mark.parametrize(
    ("stored", "new", "relation", "result"),
    [
        pytest.param("User likes oat milk.", "The user likes oat milk!", "same", "The user likes oat milk!", id="said again"),
        pytest.param(
            "User has a parrot.",
            "User has a parrot that imitates the doorbell.",
            "richer",
            "User has a parrot that imitates the doorbell.",
            id="said with more",
        ),
        pytest.param(
            "User rows on Sundays with the harbour club.",
            "User rows on Sundays.",
            "poorer",
            "User rows on Sundays with the harbour club.",
            id="said with less",
        ),
        pytest.param(
            "The rota: Ana, Ben.",
            "Cem joined the rota.",
            "grown",
            "The rota: Ana, Ben. Cem joined the rota.",
            id="a list grows",
        ),
        pytest.param(
            "User's loft is insured for 40,000 euros and has two windows.",
            "User's loft is now insured for 55,000 euros.",
            "changed",
            "User's loft is insured for 55,000 euros and has two windows.",
            id="the rest of the old text stays",
        ),
        pytest.param(
            "The choir rehearses in the school.",
            "The choir rehearses in the chapel, not in the school.",
            "changed",
            "The choir rehearses in the chapel.",
            id="a correction",
        ),
        pytest.param(
            "User smokes a pipe.", "User no longer smokes a pipe.", "withdrawn", "User no longer smokes a pipe.", id="taken back"
        ),
        pytest.param("用户喜欢喝燕麦奶。", "用户喜欢喝燕麦奶", "same", "用户喜欢喝燕麦奶", id="同一句话"),
        pytest.param(
            "用户的女儿身高 112 厘米。", "用户的女儿身高 118 厘米。", "changed", "用户的女儿身高 118 厘米。", id="换了数值"
        ),
        pytest.param("会议室在三楼。", "会议室不在三楼，是在五楼。", "changed", "会议室是在五楼。", id="更正"),
    ],
)
def test_a_move_says_what_to_store(stored: str, new: str, relation: str | None, result: str | None) -> None:
    found = (chinese if has_cjk(new) else english).move(new, stored)
    assert (found and found.relation, found and found.text) == (relation, result)


def test_all_copies_are_replaced_at_once() -> None:
    done = planned(memory("User likes oat milk."), older("user likes oat milk", "a"), older("The user likes oat milk.", "b"))
    assert done.action == "replace"
    assert {target.record.id for target in done.targets} == {"a", "b"}


def test_of_what_changed_only_the_closest_is_rewritten() -> None:
    done = planned(
        memory("User's cellar is at 14 °C now."),
        older("User's attic is at 21 °C.", "far"),
        older("User's cellar is at 12 °C.", "near"),
    )
    assert done.action == "update"
    assert [target.record.id for target in done.targets] == ["near"]


@pytest.mark.parametrize(
    ("new", "stored"),
    [
        pytest.param("document", "user_stated", id="a document beside the user's words"),
        pytest.param("user_stated", "document", id="the user's words beside a document"),
        pytest.param("agent_inferred", "user_stated", id="a guess of the agent"),
        pytest.param("tool_output", "agent_inferred", id="what a tool printed"),
        pytest.param("import", "user_confirmed", id="an import"),
    ],
)
def test_a_less_trusted_origin_changes_nothing(new: str, stored: str) -> None:
    words = ("The cellar is kept at 14 °C now.", "The cellar is kept at 12 °C.")
    assert planned(memory(words[0], origin=new), older(words[1], origin=stored)).targets == ()
    assert planned(memory(words[0], origin=stored), older(words[1], origin=stored)).targets != ()


def test_an_older_text_overtakes_nothing() -> None:
    new = memory("User's rent is 800 euros.", occurred_ms=500)
    assert planned(new, older("User's rent is 950 euros.")).targets == ()
    assert planned(memory("User's rent is 800 euros."), older("User's rent is 950 euros.")).targets != ()


def test_a_text_in_another_language_changes_nothing() -> None:
    assert planned(memory("用户体重 81 公斤。"), older("User weighs 84 kg.")).targets == ()
