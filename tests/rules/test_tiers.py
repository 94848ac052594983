"""Who may take whose place."""

from __future__ import annotations

import pytest

from memlite.model import ORIGINS
from memlite.rules.tiers import is_document, lowest, may_replace, tier

ORDER = [["user_stated", "user_confirmed"], ["agent_inferred", "reflection", "consolidation"], ["tool_output", "import"]]
RANKS = {origin: rank for rank, origins in enumerate(ORDER) for origin in origins}


@pytest.mark.parametrize("new", RANKS)
@pytest.mark.parametrize("old", RANKS)
def test_the_same_or_a_higher_tier_may_replace(new: str, old: str) -> None:
    assert may_replace(new, old) is (RANKS[new] <= RANKS[old])


@pytest.mark.parametrize("other", RANKS)
def test_documents_and_conversation_never_take_each_others_place(other: str) -> None:
    assert not may_replace("document", other)
    assert not may_replace(other, "document")
    assert may_replace("document", "document")


def test_every_origin_has_a_tier() -> None:
    assert {origin for origin in ORIGINS if not is_document(origin)} == set(RANKS)
    assert all(1 <= tier(origin) <= 3 for origin in ORIGINS)


def test_a_memory_of_several_is_trusted_like_the_least_of_them() -> None:
    assert lowest(["user_stated", "tool_output", "import", "reflection"]) == "tool_output"
