"""The rules as a distiller: what it gives at the port; the deadline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memlite.engine.distil import RuleDistiller
from memlite.errors import Timeout
from memlite.ports import Deadline, Distilled, Distiller
from memlite.rules.extract import Extraction, Turn

NOW_MS = 1_772_323_200_000  # 1 March 2026
RULES: Distiller = RuleDistiller()


def read(*turns: Turn) -> Distilled:
    return RULES.extract(turns, now_ms=NOW_MS, deadline=Deadline(60))


def test_what_it_found_and_where_it_came_from() -> None:
    found = read(Turn("user", "I moved to Szeged last year and keep bees"))
    assert [fact.text for fact in found.extraction.facts] == ["The user moved to Szeged in 2025 and keeps bees."]
    assert (found.source, found.prompts, found.replies) == ("rules", (), ())


def test_an_idle_talk_gives_nothing() -> None:
    assert read(Turn("user", "hi!"), Turn("assistant", "Hello, how can I help?")).extraction == Extraction((), ())
    assert read().extraction == Extraction((), ())


def test_keywords_are_six_at_most() -> None:
    text = "User's dentist is Dr Okafor in Leer; the piano tuner Mr Abel comes from Emden every 6 months with two forks."
    assert RULES.keywords(text, deadline=Deadline(60))[:2] == ("Dr Okafor", "Leer")
    assert len(RULES.keywords(text, deadline=Deadline(60))) == 6


def test_importance_comes_text_by_text() -> None:
    assert RULES.importance(["User is allergic to peanuts.", "User said good night."], deadline=Deadline(60)) == (1.0, 0.1)
    assert RULES.importance([], deadline=Deadline(60)) == ()


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda spent: RULES.extract([], now_ms=NOW_MS, deadline=spent), id="extract"),
        pytest.param(lambda spent: RULES.keywords("x", deadline=spent), id="keywords"),
        pytest.param(lambda spent: RULES.importance([], deadline=spent), id="importance"),
    ],
)
def test_no_time_left(call: Callable[[Deadline], object]) -> None:
    with pytest.raises(Timeout):
        call(Deadline(0))
