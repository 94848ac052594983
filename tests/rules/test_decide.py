"""Deciders without a model: by likeness alone, and how the rules choose among several."""

from __future__ import annotations

from dataclasses import replace

import pytest
from memories import memory, offer, older

from memlite.rules.decide import KEEP, by_likeness, by_rules


@pytest.mark.parametrize(
    ("relevances", "action", "targets"),
    [
        pytest.param([0.9001], "replace", (1,), id="just above the line"),
        pytest.param([0.90], "skip", (), id="on the line"),
        pytest.param([0.97, 0.92, 0.80], "replace", (1, 2), id="all above the line"),
        pytest.param([None], "skip", (), id="where no vectors were compared"),
        pytest.param([], "skip", (), id="nothing offered"),
    ],
)
def test_simple_replaces_what_is_nearly_the_same(relevances: list[float | None], action: str, targets: tuple[int, ...]) -> None:
    offered = [
        replace(c, relevance=r)
        for c, r in zip(offer([older("The mill is shut.", str(n)) for n, _ in enumerate(relevances)]), relevances, strict=True)
    ]
    decision = by_likeness(memory("The mill is open."), offered)
    assert (decision.action, decision.targets) == (action, targets)
    assert decision.text == ("The mill is open." if targets else None)


def test_the_rules_are_silent_where_nothing_is_certain() -> None:
    assert by_rules(memory("The mill grinds rye."), offer([older("User fears geese.")])) is KEEP
    assert by_rules(memory("The mill grinds rye."), []) is KEEP


def test_a_copy_goes_before_a_change() -> None:
    stored = [older("User's rent is 700 euros.", "a"), older("user's rent is 720 euros now", "b")]
    decision = by_rules(memory("User's rent is 720 euros now."), offer(stored))
    assert (decision.action, decision.targets) == ("replace", (2,))


def test_two_that_changed_alike_are_one_afterwards() -> None:
    stored = [older("User weighs 84 kg.", "a"), older("User weighs 83 kg.", "b"), older("User's aunt weighs 84 kg.", "c")]
    decision = by_rules(memory("User weighs 81 kg now."), offer(stored))
    assert (decision.action, decision.targets, decision.text) == ("replace", (1, 2), "User weighs 81 kg now.")


def test_the_poorer_text_is_not_stored_beside_the_richer() -> None:
    stored = older("User rows on Sundays with the harbour club.")
    decision = by_rules(memory("User rows on Sundays."), offer([stored]))
    assert (decision.action, decision.targets, decision.text) == ("update", (1,), stored.content)
