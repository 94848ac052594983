"""The score in plain Python: levels, scaling, shares and the order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.rules.presets import PRESETS, choose
from memlite.rules.score import LEVELS, Row, level, min_max, rank, recency, shares

HOUR = 3_600_000


@pytest.fixture(scope="module")
def sqlite() -> Iterator[Any]:
    connection = import_module("memlite.storage.connection").driver.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


# -- levels of importance


@pytest.mark.parametrize(
    ("importance", "expected"),
    [
        pytest.param(0, 0, id="none"),
        pytest.param(1, 10, id="all"),
        pytest.param(0.5, 5, id="half"),
        pytest.param(0.04, 0, id="rounded down"),
        pytest.param(0.05, 1, id="a half goes up"),
        pytest.param(0.25, 3, id="a half goes up, not to the even one"),
        pytest.param(0.95, 10, id="the last half"),
        pytest.param(0.0499999, 0, id="just below a half"),
    ],
)
def test_level(importance: float, expected: int) -> None:
    assert level(importance) == expected


@given(
    st.floats(0, 1)
    | st.integers(0, 100).map(lambda n: n / 100)
    | st.integers(0, 10).map(lambda n: math.nextafter((n + 0.5) / 10, 0))
)
def test_a_level_is_what_sqlite_rounds_to(sqlite: Any, importance: float) -> None:
    importance = min(importance, 1.0)
    assert level(importance) == sqlite.execute("select cast(round(? * 10) as integer)", [importance]).fetchone()[0]
    assert 0 <= level(importance) <= LEVELS


# -- recency


@pytest.mark.parametrize(
    ("age_ms", "rate", "expected"),
    [
        pytest.param(0, 0.01, 1.0, id="now"),
        pytest.param(-5 * HOUR, 0.01, 1.0, id="the future counts as now"),
        pytest.param(HOUR, math.log(2), 0.5, id="a half-life"),
        pytest.param(100 * HOUR, 0.01, math.exp(-1), id="the mission's rate"),
        pytest.param(100 * HOUR, 0.0, 1.0, id="what is never forgotten"),
        pytest.param(253_402_300_799_999, 1000.0, 0.0, id="long gone"),
    ],
)
def test_recency(age_ms: int, rate: float, expected: float) -> None:
    assert recency(age_ms, rate) == pytest.approx(expected, abs=1e-15)


@given(st.integers(-(10**12), 10**14), st.integers(0, 10**12), st.floats(0, 1000))
def test_recency_only_falls(age_ms: int, later: int, rate: float) -> None:
    assert 0 <= recency(age_ms + later, rate) <= recency(age_ms, rate) <= 1


# -- scaling


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({}, {}, id="none"),
        pytest.param({1: -7.0}, {1: 1.0}, id="a list of one counts 1"),
        pytest.param({1: 2.0, 2: 2.0}, {1: 1.0, 2: 1.0}, id="so does a list of equals"),
        pytest.param({1: 1.0, 2: 3.0, 3: 2.0}, {1: 0.0, 2: 1.0, 3: 0.5}, id="between the lowest and the highest"),
    ],
)
def test_min_max(values: dict[int, float], expected: dict[int, float]) -> None:
    assert min_max(values) == expected


@given(st.dictionaries(st.integers(), st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_scaling_keeps_the_order_and_the_ends(values: dict[int, float]) -> None:
    scaled = min_max(values)
    assert scaled.keys() == values.keys()
    assert max(scaled.values()) == 1
    assert min(scaled.values()) == (0 if len(set(values.values())) > 1 else 1)
    ordered = sorted(values, key=lambda key: values[key])
    assert [scaled[key] for key in ordered] == sorted(scaled.values())


# -- shares


@pytest.mark.parametrize(
    ("dense", "lexical", "expected"),
    [
        pytest.param(True, True, (0.5, 0.5), id="both legs"),
        pytest.param(True, False, (1.0, 0.0), id="no words: the vector has all"),
        pytest.param(False, True, (0.0, 1.0), id="no vector: the words have all"),
        pytest.param(False, False, (0.0, 1.0), id="neither"),
    ],
)
def test_shares(dense: bool, lexical: bool, expected: tuple[float, float]) -> None:
    assert shares(choose("balanced"), dense=dense, lexical=lexical) == expected


@given(st.floats(0, 1), st.booleans(), st.booleans())
def test_shares_sum_to_1(share: float, dense: bool, lexical: bool) -> None:
    both = shares(choose("balanced", {"dense": share}), dense=dense, lexical=lexical)
    assert sum(both) == pytest.approx(1)
    assert min(both) >= 0


# -- the order


def row(rid: int, **changes: Any) -> Row:
    plain = Row(id=f"m{rid:03}", rid=rid, kind="semantic", level=5, age_ms=0, decay_per_hour=None, cosine=0.5, bm25=None)
    return replace(plain, **changes)


def order(rows: list[Row], preset: str = "balanced", *, legs: int = 50, dense: bool = True, lexical: bool = True) -> list[int]:
    found = rank(rows, choose(preset), legs=legs, limit=len(rows) or 1, dense=dense, lexical=lexical)
    return [int(item.id[1:]) for item in found]


@pytest.mark.parametrize(
    ("rows", "preset", "expected"),
    [
        pytest.param([], "balanced", [], id="no memories"),
        pytest.param([row(2), row(1)], "balanced", [1, 2], id="ties go by id"),
        pytest.param([row(1, cosine=0.1), row(2, cosine=0.9)], "relevance_only", [2, 1], id="the nearer first"),
        pytest.param([row(1, level=1), row(2, level=9)], "mission", [2, 1], id="the more important first"),
        pytest.param([row(1, age_ms=90 * HOUR), row(2)], "mission", [2, 1], id="the more recent first"),
        pytest.param([row(1, age_ms=-HOUR), row(2)], "mission", [1, 2], id="the future is no more recent than now"),
        pytest.param(
            [row(1, age_ms=HOUR, decay_per_hour=9.0), row(2, age_ms=HOUR)], "mission", [2, 1], id="a rate of its own counts"
        ),
        pytest.param(
            [row(1, cosine=None, bm25=3.0), row(2, cosine=0.9)],
            "mission",
            [1, 2],
            id="where no vectors compare, the best words stand for a cosine of 1",
        ),
        pytest.param(
            [row(1, cosine=None), row(2, cosine=-0.5)], "mission", [1, 2], id="no vector and no words count as cosine 0"
        ),
        pytest.param([row(1, bm25=9.0), row(2, cosine=0.9)], "lexical", [1, 2], id="words alone"),
    ],
)
def test_rank(rows: list[Row], preset: str, expected: list[int]) -> None:
    assert order(rows, preset) == expected


def test_only_what_a_leg_found_takes_part() -> None:
    rows = [row(rid, cosine=rid / 10) for rid in range(6)]
    found = rank(rows, choose("relevance_only"), legs=3, limit=6, dense=True, lexical=False)
    assert [(item.id, item.relevance) for item in found] == [
        ("m005", 1.0), ("m004", pytest.approx(0.8)), ("m003", pytest.approx(0.6)), ("m000", 0.0), ("m001", 0.0), ("m002", 0.0)
    ]  # fmt: skip


def test_the_paper_scales_each_part_over_all_memories() -> None:
    rows = [row(1, cosine=0.2, level=3), row(2, cosine=0.3, level=4, age_ms=HOUR)]
    by_id = {item.id: item for item in rank(rows, choose("generative_agents"), legs=50, limit=2, dense=True, lexical=True)}
    assert (by_id["m001"].relevance, by_id["m001"].recency, by_id["m001"].importance) == (0, 1, 0)
    assert (by_id["m002"].relevance, by_id["m002"].recency, by_id["m002"].importance) == (1, 0, 1)


def test_the_limit_cuts_the_end() -> None:
    rows = [row(rid, level=rid) for rid in range(6)]
    assert [item.id for item in rank(rows, choose("mission"), legs=50, limit=2, dense=True, lexical=True)] == ["m005", "m004"]


ROWS = st.lists(
    st.builds(
        row,
        st.integers(0, 99),
        kind=st.sampled_from(["episodic", "semantic", "procedural"]),
        level=st.integers(0, 10),
        age_ms=st.integers(-10 * HOUR, 10_000 * HOUR),
        decay_per_hour=st.none() | st.floats(0, 1000),
        cosine=st.none() | st.floats(-1, 1),
        bm25=st.none() | st.floats(0.001, 30),
    ),
    max_size=20,
    unique_by=lambda item: item.rid,
)


@given(ROWS, st.sampled_from(sorted(PRESETS)), st.booleans(), st.booleans(), st.integers(1, 10), st.integers(1, 25))
def test_scores_are_shares_in_order_whatever_the_order_of_rows(
    rows: list[Row], name: str, dense: bool, lexical: bool, legs: int, limit: int
) -> None:
    preset = choose(name)
    found = rank(rows, preset, legs=legs, limit=limit, dense=dense, lexical=lexical)
    assert len(found) == min(limit, len(rows))
    assert all(-1e-12 <= item.score <= 1 + 1e-12 for item in found)
    assert [(-item.score, item.id) for item in found] == sorted((-item.score, item.id) for item in found)
    assert found == rank(rows[::-1], preset, legs=legs, limit=limit, dense=dense, lexical=lexical)
    assert found == rank(rows, preset, legs=legs, limit=len(rows) + 1, dense=dense, lexical=lexical)[:limit]
    for item in found:
        assert item.score == pytest.approx(
            preset.relevance * item.relevance + preset.recency * item.recency + preset.importance * item.importance
        )
