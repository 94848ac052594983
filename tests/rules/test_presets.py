"""Presets of the score, and weights in a call."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memlite.errors import BadInput
from memlite.model import KINDS
from memlite.rules.presets import PRESETS, choose

HUGE = 10**5000


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_score_between_0_and_1(name: str) -> None:
    preset = choose(name)
    assert preset.name == name
    assert math.isclose(preset.relevance + preset.recency + preset.importance, 1)
    assert min(preset.relevance, preset.recency, preset.importance) >= 0
    assert 0 <= preset.dense_share <= 1
    assert set(preset.decay_per_hour) == set(KINDS)
    assert min(preset.decay_per_hour.values()) > 0


@pytest.mark.parametrize(
    ("name", "weights", "form", "age", "rescaled"),
    [
        pytest.param("mission", (0.5, 0.2, 0.3), "dense", "accessed", False, id="the mission's weights"),
        pytest.param("generative_agents", (1 / 3, 1 / 3, 1 / 3), "dense", "accessed", True, id="the paper's equal weights"),
        pytest.param("relevance_only", (1, 0, 0), "fused", "occurred", False, id="relevance alone"),
        pytest.param("lexical", (1, 0, 0), "fused", "occurred", False, id="words alone"),
    ],
)
def test_presets_are_what_they_are_named_for(
    name: str, weights: tuple[float, float, float], form: str, age: str, rescaled: bool
) -> None:
    preset = choose(name)
    assert (preset.relevance, preset.recency, preset.importance) == weights
    assert (preset.form, preset.age, preset.rescaled) == (form, age, rescaled)


def test_the_published_rates_of_forgetting() -> None:
    assert set(choose("mission").decay_per_hour.values()) == {0.01}
    assert all(math.isclose(math.exp(-rate), 0.995) for rate in choose("generative_agents").decay_per_hour.values())


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        pytest.param(None, (0.5, 0.2, 0.3, 1.0), id="none"),
        pytest.param({}, (0.5, 0.2, 0.3, 1.0), id="an empty dict"),
        pytest.param({"relevance": 2, "recency": 1, "importance": 1}, (0.5, 0.25, 0.25, 1.0), id="three are scaled to sum to 1"),
        pytest.param({"relevance": 0}, (0, 0.4, 0.6, 1.0), id="the others keep the preset's"),
        pytest.param({"relevance": 1, "recency": 0, "importance": 0}, (1, 0, 0, 1.0), id="one may stand alone"),
        pytest.param({"dense": 0.25}, (0.5, 0.2, 0.3, 0.25), id="dense is a share, not one of the three"),
        pytest.param({"dense": 0}, (0.5, 0.2, 0.3, 0.0), id="dense may be 0"),
        pytest.param({"relevance": 5e-324, "recency": 0, "importance": 0}, (1, 0, 0, 1.0), id="the smallest number is a weight"),
        pytest.param(
            {"relevance": 1e308, "recency": 1e308, "importance": 0}, (0.5, 0.5, 0, 1.0), id="large weights do not overflow"
        ),
    ],
)
def test_weights(weights: dict[str, float] | None, expected: tuple[float, ...]) -> None:
    preset = choose("mission", weights)
    assert (preset.relevance, preset.recency, preset.importance, preset.dense_share) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        pytest.param("best", None, id="an unknown preset"),
        pytest.param("", None, id="an empty name"),
        pytest.param("Mission", None, id="names are in lower case"),
        pytest.param(None, None, id="no preset"),
        pytest.param(["mission"], None, id="a list for a name"),
        pytest.param({"mission": 1}, None, id="a dict for a name"),
        pytest.param(HUGE, None, id="a number for a name"),
        pytest.param("mission", {"relevnce": 1}, id="an unknown weight"),
        pytest.param("mission", {5: 1}, id="a number for a weight's name"),
        pytest.param("mission", {"relevance": -0.1}, id="a negative weight"),
        pytest.param("mission", {"recency": math.nan}, id="not a number"),
        pytest.param("mission", {"recency": math.inf}, id="infinite"),
        pytest.param("mission", {"recency": HUGE}, id="larger than any float"),
        pytest.param("mission", {"recency": True}, id="a truth value"),
        pytest.param("mission", {"recency": "1"}, id="a text"),
        pytest.param("mission", {"recency": None}, id="nothing for a weight"),
        pytest.param("mission", {"dense": 1.01}, id="a share above 1"),
        pytest.param("mission", {"relevance": 0, "recency": 0, "importance": 0}, id="three zeros"),
        pytest.param("relevance_only", {"relevance": 0}, id="zeros with the preset's own"),
        pytest.param("mission", [("relevance", 1)], id="a list of pairs for weights"),
        pytest.param("mission", "relevance", id="a text for weights"),
        pytest.param("mission", 0.5, id="a number for weights"),
        pytest.param("mission", [], id="an empty list for weights"),
    ],
)
def test_refused(name: Any, weights: Any) -> None:
    with pytest.raises(BadInput):
        choose(name, weights)


WEIGHT = st.floats(0, 1e12, allow_subnormal=False) | st.integers(0, 10**6)


@given(st.sampled_from(sorted(PRESETS)), WEIGHT, WEIGHT, WEIGHT)
def test_weights_keep_their_ratios_and_sum_to_1(name: str, relevance: float, recency: float, importance: float) -> None:
    total = relevance + recency + importance
    assume(total > 0)
    preset = choose(name, {"relevance": relevance, "recency": recency, "importance": importance})
    assert math.isclose(preset.relevance + preset.recency + preset.importance, 1)
    assert preset.relevance == pytest.approx(relevance / total)
    assert preset.recency == pytest.approx(recency / total)
    assert preset.decay_per_hour == choose(name).decay_per_hour
