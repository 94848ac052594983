"""Origin tiers: every pair by table, documents beside them, what a mixture counts as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.model import ORIGINS
from memlite.rules.tiers import AGENT, OUTSIDE, USER, is_document, lowest, may_replace, tier

ORIGIN = st.sampled_from(ORIGINS)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("user_stated", USER),
        ("user_confirmed", USER),
        ("agent_inferred", AGENT),
        ("reflection", AGENT),
        ("consolidation", AGENT),
        ("tool_output", OUTSIDE),
        ("import", OUTSIDE),
        ("document", OUTSIDE),
    ],
)
def test_tier(origin: str, expected: int) -> None:
    assert tier(origin) == expected


def test_every_origin_has_a_tier() -> None:
    assert {tier(origin) for origin in ORIGINS} == {USER, AGENT, OUTSIDE}
    assert USER > AGENT > OUTSIDE


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param("user_stated", "user_confirmed", True, id="the user corrects the user"),
        pytest.param("user_confirmed", "user_stated", True, id="and the other way round"),
        pytest.param("user_stated", "agent_inferred", True, id="the user corrects the agent"),
        pytest.param("user_stated", "tool_output", True, id="the user corrects a tool"),
        pytest.param("agent_inferred", "user_stated", False, id="the agent does not overrule the user"),
        pytest.param("reflection", "user_confirmed", False, id="nor does a reflection"),
        pytest.param("consolidation", "user_stated", False, id="nor a mixture"),
        pytest.param("agent_inferred", "reflection", True, id="agent and reflection are equals"),
        pytest.param("agent_inferred", "import", True, id="the agent overrules an import"),
        pytest.param("tool_output", "agent_inferred", False, id="a tool does not overrule the agent"),
        pytest.param("tool_output", "user_stated", False, id="nor the user"),
        pytest.param("import", "user_stated", False, id="an import is no word of the user's"),
        pytest.param("tool_output", "tool_output", True, id="a tool overrules a tool"),
        pytest.param("document", "document", True, id="a newer issue of a document"),
        pytest.param("document", "tool_output", False, id="a document leaves the conversation alone"),
        pytest.param("user_stated", "document", False, id="and the conversation leaves a document alone"),
    ],
)
def test_may_replace(new: str, old: str, expected: bool) -> None:
    assert may_replace(new, old) is expected


@pytest.mark.parametrize(
    ("origins", "expected"),
    [
        (["user_stated"], "user_stated"),
        (["user_stated", "user_confirmed"], "user_confirmed"),
        (["user_confirmed", "agent_inferred"], "agent_inferred"),
        (["reflection", "agent_inferred", "user_stated"], "reflection"),
        (["user_stated", "tool_output"], "tool_output"),
        (["import", "user_stated", "tool_output"], "import"),
        (["document", "document"], "document"),
    ],
)
def test_lowest(origins: list[str], expected: str) -> None:
    assert lowest(origins) == expected


def test_a_mixture_of_nothing_has_no_origin() -> None:
    with pytest.raises(ValueError, match="empty"):
        lowest([])


@given(st.lists(ORIGIN, min_size=1), ORIGIN)
def test_mixing_never_lifts_an_origin(origins: list[str], old: str) -> None:
    mixed = lowest(origins)
    assert mixed in origins
    assert all(tier(mixed) <= tier(origin) for origin in origins)
    if not any(map(is_document, [*origins, old])) and may_replace(mixed, old):
        assert all(may_replace(origin, old) for origin in origins)  # no laundering: what none may do, the mixture may not
