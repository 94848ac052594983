"""Looking for memories like a new one: the small scope, the large one, and texts without a vector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import NOON, QUICK, UNCOVERED, FakeEmbedder, open_memory

from memlite import Memory
from memlite.ids import SortableIds
from memlite.rules.terms import query_terms
from memlite.storage.store import Store
from memlite.values import AlikeQuery

WORDS = "barn oats hay loom shaft wheel churn sieve plough flail scythe anvil bellows tongs hammer rasp chisel gouge".split()


def query(text: str, **changes: Any) -> AlikeQuery:
    """A query for memories of `main` like a text."""
    (encoded,) = FakeEmbedder().encode([text])
    asked = AlikeQuery(
        area="main",
        agent_id=None,
        vector=None if encoded.vector is None else encoded.vector.tobytes(),
        terms=tuple(query_terms(text)),
        relevance_floor=0.70,
        coverage_floor=0.30,
        limit=8,
        now_ms=NOON,
    )
    return replace(asked, **changes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def found(folder: Path, asked: AlikeQuery, user_id: str = "default") -> list[tuple[str, float | None, float]]:
    store = Store(folder / "memory.db", QUICK, SortableIds(lambda: NOON), read_only=True)
    try:
        return [(record.content, relevance, coverage) for record, relevance, coverage in store.alike(user_id, asked)]
    finally:
        store.close(NOON)


def sentence(number: int) -> str:
    chance = np.random.default_rng(number)
    return " ".join([*chance.choice(WORDS, 5), str(number)])


def fill(memory: Memory, count: int, **options: Any) -> list[str]:
    sentences = [sentence(number) for number in range(count)]
    for start in range(0, count, 1_000):
        memory.add(sentences[start : start + 1_000], infer=False, **options)
    return sentences


def by_hand(sentences: list[str], text: str, floor: float, limit: int) -> list[tuple[str, float]]:
    """The same by comparing every vector."""
    vectors = np.array([each.vector for each in FakeEmbedder().encode(sentences)])
    (asked,) = FakeEmbedder().encode([text])
    assert asked.vector is not None
    likeness = (1 + vectors @ asked.vector) / 2
    order = np.argsort(-likeness)
    return [(sentences[place], float(likeness[place])) for place in order if likeness[place] >= floor][:limit]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[str]]]:
    folder = tmp_path_factory.mktemp("large")
    with open_memory(folder) as memory:
        yield folder, fill(memory, 2_600)


@pytest.mark.parametrize("count", [40, 2_000])
def test_a_small_scope_is_compared_whole(folder: Path, count: int) -> None:
    with open_memory(folder) as memory:
        sentences = fill(memory, count)
    text = sentence(7) + " oats"
    expected = by_hand(sentences, text, 0.70, 8)
    told = found(folder, query(text))
    assert [content for content, _, _ in told] == [content for content, _ in expected]
    assert [relevance for _, relevance, _ in told] == pytest.approx([relevance for _, relevance in expected], abs=1e-5)


@pytest.mark.parametrize("number", range(6))
def test_a_large_scope_finds_the_same(large: tuple[Path, list[str]], number: int) -> None:
    folder, sentences = large
    text = sentence(10_000 + number)
    expected = by_hand(sentences, text, 0.70, 8)
    assert len(expected) == 8
    assert [content for content, _, _ in found(folder, query(text))] == [content for content, _ in expected]


def test_another_users_memories_are_not_there(large: tuple[Path, list[str]]) -> None:
    assert found(large[0], query(sentence(1)), "bob") == []


def test_closer_memories_of_another_area_take_no_place(folder: Path) -> None:
    with open_memory(folder) as memory:
        memory.add([f"barn oats hay {'x' * place}" for place in range(1, 31)], infer=False)
        memory.add([f"barn oats hay loom shaft wheel {'y' * place}" for place in range(1, 6)], infer=False, area="fragments")
    assert len(found(folder, query("barn oats hay"))) == 8
    assert len(found(folder, query("barn oats hay", area="fragments", relevance_floor=0.55))) == 5


@pytest.mark.parametrize(
    ("agent_id", "contents"),
    [
        (None, ["barn oats of nobody"]),
        ("a", ["barn oats of a", "barn oats of nobody"]),
        ("b", ["barn oats of nobody"]),
    ],
)
def test_an_agents_memories_are_its_own(folder: Path, agent_id: str | None, contents: list[str]) -> None:
    with open_memory(folder) as memory:
        memory.add("barn oats of a", agent_id="a", infer=False)
        memory.add("barn oats of nobody", infer=False)
    assert sorted(content for content, _, _ in found(folder, query("barn oats of", agent_id=agent_id))) == contents


def test_a_text_without_a_vector_is_compared_by_words(folder: Path) -> None:
    with open_memory(folder) as memory:
        memory.add(["barn oats hay", "loom shaft wheel", f"{UNCOVERED} barn oats churn"], infer=False)
    told = found(folder, query(f"{UNCOVERED} barn oats sieve", coverage_floor=0.2))
    assert {content for content, _, _ in told} == {"barn oats hay", f"{UNCOVERED} barn oats churn"}
    assert all(relevance is None and 0.2 <= coverage < 1 for _, relevance, coverage in told)


def test_a_text_with_a_vector_finds_those_without_by_words(folder: Path) -> None:
    with open_memory(folder) as memory:
        memory.add(["barn oats hay", f"{UNCOVERED} barn oats churn"], infer=False)
    told = {content: relevance for content, relevance, _ in found(folder, query("barn oats sieve", coverage_floor=0.1))}
    assert told[f"{UNCOVERED} barn oats churn"] is None
    assert told["barn oats hay"] is not None


def test_too_few_words_in_common_are_none(folder: Path) -> None:
    with open_memory(folder) as memory:
        memory.add(["barn oats hay", "loom shaft wheel"], infer=False)
    assert found(folder, query(f"{UNCOVERED} barn anvil tongs rasp", coverage_floor=0.5)) == []
    assert [c for c, _, _ in found(folder, query(f"{UNCOVERED} barn anvil tongs rasp", coverage_floor=0.05))] == ["barn oats hay"]


@pytest.mark.parametrize("options", [{"pinned": True}, {"expires_at": NOON - 1}])
def test_what_must_not_be_offered_is_not_found_by_words_either(folder: Path, options: dict[str, Any]) -> None:
    with open_memory(folder) as memory:
        memory.add(f"{UNCOVERED} barn oats", infer=False, **options)
        memory.add({"role": "user", "content": f"{UNCOVERED} barn oats hay"}, infer=False)
        memory.add(f"{UNCOVERED} barn oats loom", infer=False, user_id="bob")
        memory.add(f"{UNCOVERED} barn oats churn", infer=False, area="solutions")
    assert found(folder, query(f"{UNCOVERED} barn oats", coverage_floor=0.0)) == []


def test_a_text_without_words_finds_nothing(folder: Path) -> None:
    with open_memory(folder) as memory:
        memory.add("barn oats", infer=False)
    assert found(folder, query(UNCOVERED)) == []
