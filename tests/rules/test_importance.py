"""Importance: 230 sentences by band, the levels one by one, any text."""

from __future__ import annotations

import time

import pytest
from cases import sections
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.importance import importance

BANDS = {"low": (0.1, 0.3), "mid": (0.4, 0.7), "high": (0.8, 1.0)}
CASES = list(sections("importance_cases.txt"))


@pytest.mark.parametrize("band", BANDS)
def test_band(band: str) -> None:
    low, high = BANDS[band]
    assert [(text, importance(text)) for label, text in CASES if label == band and not low <= importance(text) <= high] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("User said good morning to the agent.", 0.1, id="a courtesy"),
        pytest.param("User is on the tram to Sofielund right now.", 0.2, id="a moment"),
        pytest.param("User found that the soup smells good.", 0.2, id="a remark"),
        pytest.param("User likes some kinds of cheese.", 0.3, id="nothing one could use"),
        pytest.param("The team plans to try the smaller font next sprint.", 0.5, id="work in hand"),
        pytest.param("The museum shop sells postcards of the lighthouse.", 0.6, id="ordinary business"),
        pytest.param("User prefers answers without bullet points.", 0.8, id="a standing preference"),
        pytest.param("User's name is Wiebe Harms, from Norderney.", 0.8, id="who the user is"),
        pytest.param("User never lends the car to anybody.", 0.9, id="never"),
        pytest.param("User is a pacifist and a Quaker.", 0.9, id="a conviction"),
        pytest.param("User has a severe allergy to hazelnuts.", 1.0, id="health"),
        pytest.param("User has a bad headache today because of the chronic migraine.", 1.0, id="health comes before the moment"),
    ],
)
def test_levels(text: str, value: float) -> None:
    assert importance(text) == value


@given(st.text(max_size=400))
def test_any_text_has_one_value_in_steps_of_a_tenth(text: str) -> None:
    value = importance(text)
    assert value == importance(text)
    assert value in {step / 10 for step in range(1, 11)}


@pytest.mark.parametrize("piece", ["a", "1", "the ", "用户", "user is ", "\u0301\u0327", "ﷺ", "user's name "])
def test_64_kb_of_anything_are_weighed_at_once(piece: str) -> None:
    text = piece * (65_536 // len(piece.encode()))
    start = time.process_time()
    importance(text)
    assert time.process_time() - start < 0.25
