"""SQL ranks; `rules/score.py` says in plain words what it computes. Both must give the same, however memories are found.

Small random stores: every kind, importance and age (the future too), rates of their own, texts without a vector, expired
memories and such that are not active. SQL's own cosines and bm25 come from a search that returns every memory with all its
numbers; the twin ranks by these.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from doubles import HOUR, NOON, Clock, WordEmbedder, new_file, opened, put, share_of_examples
from hypothesis import given
from hypothesis import strategies as st

from memlite import Hit, Memory, Record
from memlite.model import KINDS, STATUSES
from memlite.rules.presets import PRESETS, Preset, choose
from memlite.rules.score import Row, Scored, level, rank, shares
from memlite.rules.terms import query_terms
from memlite.rules.text import content_hash
from memlite.storage import search as searching

WORDS = "tea green black milk rain walk train berlin paris paint piano choir".split()
UNCOVERED = ["绿茶", "下雨", "钢琴课", "火车去柏林"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join) | st.sampled_from(UNCOVERED)
SHARE = st.sampled_from([0.0, 0.04, 0.05, 0.15, 0.25, 0.5, 0.95, 1.0]) | st.floats(0, 1)
AGE_MS = st.sampled_from([0, HOUR, 24 * HOUR]) | st.integers(-1000 * HOUR, 50_000 * HOUR)
QUERY = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    st.sampled_from([*UNCOVERED, "zebra", "who are you", "?!", "green 茶"]),
)
WEIGHTS = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "relevance": st.sampled_from([0.0, 1.0]) | st.floats(0.01, 10),
        "recency": st.sampled_from([0.0, 1.0]) | st.floats(0.01, 10),
        "importance": st.floats(0.01, 10),
        "dense": st.sampled_from([0.0, 1.0]) | st.floats(0, 1),
    },
).filter(lambda weights: weights.get("relevance") != 0 or weights.get("recency", 0) + weights.get("importance", 0) > 0)


def id_of(place: int) -> str:
    """Ids in another order than the memories are stored in, so that it shows which of the two decides."""
    return f"mem_{place * 37 % 101:03}"


PLACES = {id_of(place): place for place in range(101)}


@st.composite
def memories(draw: st.DrawFn, least: int = 1, most: int = 60) -> list[Record]:
    """A user's memories."""
    plain: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
        {
            "content": TEXT,
            "kind": st.sampled_from(KINDS),
            "importance": SHARE,
            "occurred": AGE_MS,
            "accessed": AGE_MS,
            "decay_per_hour": st.sampled_from([None, None, None, 0.0, 0.001, 5.0, 1000.0]),
            "status": st.sampled_from(["active"] * 12 + list(STATUSES)),
            "expires": st.sampled_from([None] * 8 + [-HOUR, 0, HOUR]),
        }
    )
    return [
        Record(
            id=id_of(place),
            user_id="ann",
            content=item["content"],
            kind=item["kind"],
            importance=item["importance"],
            status=item["status"],
            created_ms=NOON,
            updated_ms=NOON,
            occurred_ms=NOON - item["occurred"],
            accessed_ms=NOON - item["accessed"],
            expires_ms=None if item["expires"] is None else NOON + item["expires"],
            decay_per_hour=item["decay_per_hour"],
            content_hash=content_hash(item["content"]).hex(),
            metadata={"even": place % 2 == 0},
        )
        for place, item in enumerate(draw(st.lists(plain, min_size=least, max_size=most)))
    ]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A search. `where` narrows it: a filter, or a status."""

    query: str
    where: Mapping[str, Any]
    limit: int

    def hits(self, memory: Memory, preset: str, weights: Mapping[str, float] | None = None, **options: Any) -> list[Hit]:
        return memory.typed.search(self.query, **{"preset": preset, "weights": weights, "touch": False, **self._asked, **options})

    @property
    def _asked(self) -> dict[str, Any]:
        return {**self.where, "limit": self.limit}

    def admits(self, record: Record) -> bool:
        """Whether the memory is one that the search is about."""
        status, filters = self.where.get("status", "active"), self.where.get("filters", {})
        if record.expires_ms is not None and record.expires_ms <= NOON:
            return False
        return status in ("any", record.status) and record.metadata["even"] == filters.get("even", record.metadata["even"])


QUESTION = st.builds(
    Question,
    query=QUERY,
    where=st.sampled_from([{}, {}, {"filters": {"even": True}}, {"status": "any"}, {"status": "archived"}]),
    limit=st.sampled_from([1, 3, 10, 60, 100]),
)


def numbers(memory: Memory, question: Question, preset: Preset) -> list[Row]:
    """What SQL knows of every memory that the search is about."""
    every = question.hits(memory, "mission", limit=4096, explain=True, exact=True)
    assert all(hit.detail is not None for hit in every)
    return [
        Row(
            id=hit.record.id,
            rid=PLACES[hit.record.id],
            kind=hit.record.kind,
            level=level(hit.record.importance),
            age_ms=NOON - (hit.record.accessed_ms if preset.age == "accessed" else hit.record.occurred_ms),
            decay_per_hour=hit.record.decay_per_hour,
            cosine=(hit.detail or {})["cosine"],
            bm25=(hit.detail or {})["bm25"],
        )
        for hit in every
    ]


def ranked(rows: list[Row], question: Question, preset: Preset, legs: int) -> list[Scored]:
    """The twin's answer. Where relevance is all that counts, a memory outside both legs is no answer."""
    dense = WordEmbedder().encode([question.query])[0].vector is not None and any(row.cosine is not None for row in rows)
    lexical = bool(query_terms(question.query))
    found = rank(rows, preset, legs=legs, limit=len(rows), dense=dense, lexical=lexical)
    if preset.form == "fused" and preset.recency == preset.importance == 0:
        shown: set[str] = set()
        for share, name in zip(shares(preset, dense=dense, lexical=lexical), ("cosine", "bm25"), strict=True):
            seen = [row for row in rows if share and getattr(row, name) is not None]
            shown |= {row.id for row in sorted(seen, key=lambda row, name=name: (-getattr(row, name), row.rid))[:legs]}  # type: ignore[misc]
        found = [item for item in found if item.id in shown]
    return found[: question.limit]


def assert_same(hits: list[Hit], expected: list[Scored], within: float) -> None:
    assert [hit.record.id for hit in hits] == [item.id for item in expected]
    for hit, item in zip(hits, expected, strict=True):
        assert abs(hit.score - item.score) <= within, (hit, item)
        assert abs(hit.parts.relevance + hit.parts.recency + hit.parts.importance - hit.score) <= 1e-9


def store(path: Path, records: list[Record]) -> Memory:
    put(path, records)
    return opened(path, user_id="ann", clock=Clock())


@given(memories(), QUESTION, WEIGHTS)
@share_of_examples(1 / 2)
def test_sql_ranks_as_the_twin_does(records: list[Record], question: Question, weights: Mapping[str, float] | None) -> None:
    with new_file() as path, store(path, records) as memory:
        admitted = {record.id for record in records if question.admits(record)}
        for name in PRESETS:
            preset = choose(name, weights)
            rows = numbers(memory, question, preset)
            assert {row.id for row in rows} == admitted
            legs = max(searching.LEG, question.limit)
            assert_same(question.hits(memory, name, weights), ranked(rows, question, preset, legs), 1e-9)


@given(memories(least=8), QUESTION, WEIGHTS)
@share_of_examples(1 / 3)
def test_the_twin_holds_where_only_the_best_of_a_leg_take_part(
    records: list[Record], question: Question, weights: Mapping[str, float] | None
) -> None:
    with new_file() as path, store(path, records) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "LEG", 4)
        for name in PRESETS:
            preset = choose(name, weights)
            rows = numbers(memory, question, preset)
            assert_same(question.hits(memory, name, weights), ranked(rows, question, preset, max(4, question.limit)), 1e-9)


@given(memories(), QUESTION)
@share_of_examples(1 / 3)
def test_cosines_are_those_of_the_vectors(records: list[Record], question: Question) -> None:
    """End to end: the cosine from the embedder's own vectors, in double precision."""
    embedder = WordEmbedder()
    asked = embedder.encode([question.query])[0].vector
    own = {record.id: embedder.encode([record.content])[0].vector for record in records}
    with new_file() as path, store(path, records) as memory:
        for name in ("mission", "balanced", "relevance_only"):
            preset = choose(name)
            rows = []
            for row in numbers(memory, question, preset):
                vector = own[row.id]
                cosine = None if asked is None or vector is None else float(asked.astype(float) @ vector.astype(float))
                assert (row.cosine is None) is (cosine is None)
                assert row.cosine is None or cosine is None or abs(row.cosine - cosine) <= 1e-6
                rows.append(Row(**{part: getattr(row, part) for part in Row.__slots__} | {"cosine": cosine}))
            known = [row.cosine for row in rows if row.cosine is not None]
            if known and abs(max(known)) < 0.05:
                continue  # as shares of a best one so near to 0, cosines are made of their last bits: there is nothing to compare
            every = replace(question, limit=100)
            found = {item.id: item.score for item in ranked(rows, every, preset, 100)}
            for hit in every.hits(memory, name):
                assert abs(hit.score - found[hit.record.id]) <= 1e-5


@given(memories(), QUESTION, st.sampled_from(sorted(PRESETS)), WEIGHTS)
@share_of_examples(1 / 2)
def test_a_score_and_its_parts_are_shares(
    records: list[Record], question: Question, preset: str, weights: Mapping[str, float] | None
) -> None:
    with new_file() as path, store(path, records) as memory:
        for hit in question.hits(memory, preset, weights):
            assert 0 <= hit.score <= 1
            assert 0 <= hit.coverage <= 1
            assert 0 <= hit.recency <= 1
            assert hit.relevance is None or 0 <= hit.relevance <= 1
            assert min(hit.parts.relevance, hit.parts.recency, hit.parts.importance) >= 0


@pytest.mark.parametrize("preset", PRESETS)
def test_the_recency_of_a_hit_is_that_of_its_memory_before_any_scaling(preset: str) -> None:
    records = [plain_record(n, accessed_ms=NOON - n * HOUR, occurred_ms=NOON - n * HOUR) for n in (1, 5, 9)]
    with new_file() as path, store(path, records) as memory:
        for hit in memory.typed.search("note", preset=preset, touch=False):
            age_hours = (NOON - hit.record.occurred_ms) / HOUR
            assert hit.recency == pytest.approx(math.exp(-choose(preset).decay_per_hour["semantic"] * age_hours))


# -- however they are found


@given(memories(), QUESTION, st.sampled_from(sorted(PRESETS)), WEIGHTS)
@share_of_examples(1 / 2)
def test_a_full_scan_is_what_small_stores_get_anyway(
    records: list[Record], question: Question, preset: str, weights: Mapping[str, float] | None
) -> None:
    with new_file() as path, store(path, records) as memory:
        plain = question.hits(memory, preset, weights)
        assert memory.search(question.query, preset=preset, touch=False, **question.where)["exact"] is True
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(searching, "SMALL_SCOPE", 0)
            patch.setattr(searching, "SMALL_POOL", 0)
            assert question.hits(memory, preset, weights, exact=True) == plain
            assert memory.search(question.query, preset=preset, touch=False, exact=True, **question.where)["exact"] is True


@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
@share_of_examples(1 / 4)
def test_the_fast_path_finds_what_a_full_scan_finds(preset: str, data: st.DataObject) -> None:
    """With thresholds this small every search takes the fast path, and with so few memories it misses nothing.

    Which of several memories of equal score come back is left open, their scores are not.
    """
    records = data.draw(memories(least=5))
    question = data.draw(QUESTION)
    weights = data.draw(WEIGHTS)
    legs = data.draw(st.sampled_from([3, 50]))
    with new_file() as path, store(path, records) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "LEG", legs)
        exact = question.hits(memory, preset, weights, exact=True)
        patch.setattr(searching, "SMALL_SCOPE", 0)
        patch.setattr(searching, "SMALL_POOL", 0)
        fast = question.hits(memory, preset, weights)
        admitted = {record.id for record in records if question.admits(record)}
    assert {hit.record.id for hit in fast} <= admitted
    assert len({hit.record.id for hit in fast}) == len(fast)
    assert [hit.score for hit in fast] == pytest.approx([hit.score for hit in exact], abs=1e-9)
    scores = {hit.record.id: hit.score for hit in exact}
    for hit in fast:
        assert hit.score == pytest.approx(scores.get(hit.record.id, hit.score), abs=1e-9)
    assert fast == sorted(fast, key=lambda hit: (-hit.score, hit.record.id))


@pytest.mark.parametrize("preset", ["mission", "balanced"])
@given(data=st.data())
@share_of_examples(1 / 2)
def test_the_merged_streams_give_the_best_by_recency_and_importance(preset: str, data: st.DataObject) -> None:
    """Nothing is asked for and relevance weighs nothing: all that is found comes from the streams, no more than is wanted."""
    records = data.draw(memories(least=8))
    weights = {"relevance": 0.0, "recency": data.draw(st.floats(0, 1)), "importance": data.draw(st.floats(0.01, 1))}
    question = Question(
        query="?!",
        where=data.draw(st.sampled_from([{}, {"filters": {"even": True}}])),
        limit=data.draw(st.integers(1, 12)),
    )
    with new_file() as path, store(path, records) as memory, pytest.MonkeyPatch.context() as patch:
        rows = numbers(memory, question, choose(preset))
        expected = ranked(rows, question, choose(preset, weights), legs=50)
        for name in ("SMALL_SCOPE", "SMALL_POOL", "DENSE_FORM_FIXED"):
            patch.setattr(searching, name, 0)
        found = question.hits(memory, preset, weights)
        admitted = {row.id for row in rows}
    assert {hit.record.id for hit in found} <= admitted
    assert [hit.score for hit in found] == pytest.approx([item.score for item in expected], abs=1e-9)


def plain_record(place: int, **changes: Any) -> Record:
    values: dict[str, Any] = {
        "id": f"mem_{place:04}",
        "user_id": "ann",
        "content": f"note {place}",
        "created_ms": NOON,
        "updated_ms": NOON,
        "occurred_ms": NOON,
        "accessed_ms": NOON,
    }
    values |= changes
    return Record(**values | {"content_hash": content_hash(values["content"]).hex()})


def test_the_fast_path_looks_past_memories_that_fade_by_a_rate_of_their_own() -> None:
    """A hundred newer ones that are forgotten within the hour must not push out an older one that lasts."""
    fading = [plain_record(n, occurred_ms=NOON - HOUR - n, decay_per_hour=1000.0) for n in range(100)]
    lasting = [plain_record(n, content=f"keepsake {n}", occurred_ms=NOON - 24 * HOUR) for n in range(100, 103)]
    with new_file() as path, store(path, fading + lasting) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "SMALL_SCOPE", 2)
        weights = {"relevance": 0.0, "recency": 1.0, "importance": 0.0}
        found = memory.search("note", weights=weights, limit=3, touch=False)
        assert found["exact"] is False
        assert [hit["id"] for hit in found["results"]] == [record.id for record in lasting]


def test_a_filter_holds_where_the_paper_scales_over_many_memories() -> None:
    records = [plain_record(n, metadata={"even": n % 2 == 0}) for n in range(60)]
    with new_file() as path, store(path, records) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "SMALL_POOL", 10)
        found = memory.search("note", preset="generative_agents", filters={"even": True}, limit=60, touch=False)
        assert [hit["id"] for hit in found["results"] if not hit["metadata"]["even"]] == []
        assert len(found["results"]) == 30


def test_the_sign_bits_let_the_nearest_through() -> None:
    """1,200 memories: more than are looked at by their true cosine."""
    rng = np.random.default_rng(3)
    records = [plain_record(n, content=" ".join(rng.choice(WORDS, 4)) + f" n{n}") for n in range(1200)]
    with new_file() as path, store(path, records) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "SMALL_SCOPE", 100)
        for query in ("green tea", "the train to berlin"):
            for preset in ("balanced", "relevance_only", "mission"):
                fast = memory.typed.search(query, preset=preset, touch=False)
                exact = memory.typed.search(query, preset=preset, exact=True, touch=False)
                assert len({hit.record.id for hit in fast} & {hit.record.id for hit in exact}) >= 9
                whole = {
                    hit.record.id: hit
                    for hit in memory.typed.search(query, preset="mission", exact=True, limit=4096, touch=False)
                }
                for hit in fast:
                    assert hit.relevance == whole[hit.record.id].relevance


@pytest.mark.parametrize("preset", ["relevance_only", "mission"])
def test_a_search_looks_wider_where_the_nearest_must_not_be_shown(preset: str) -> None:
    """The 1,100 nearest have expired: among as many as are looked at first there is nothing to show."""
    expired = [plain_record(n, content="green tea", expires_ms=NOON - 1) for n in range(1100)]
    shown = [plain_record(n, content=f"green tea {' '.join(WORDS[: n % 7])} n{n}") for n in range(1100, 1200)]
    with new_file() as path, store(path, expired + shown) as memory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "SMALL_SCOPE", 100)
        question = Question(query="tea green", where={}, limit=10)
        weights = {"recency": 0.0, "importance": 0.0}
        fast = question.hits(memory, preset, weights)
        assert memory.search("tea green", preset=preset, weights=weights, touch=False)["exact"] is False
        exact = question.hits(memory, preset, weights, exact=True)
    assert [hit.score for hit in fast] == pytest.approx([hit.score for hit in exact], abs=1e-9)
    assert len(fast) == 10


@pytest.fixture(scope="module")
def mixed() -> Iterator[Memory]:
    """2,500 memories: of each twenty one fades by a rate of its own, one has expired, one is archived; many share a moment."""
    rng = np.random.default_rng(5)
    records = []
    for place in range(2_500):
        said = int(rng.exponential(60 * 24)) * HOUR
        odd = int(rng.integers(20))
        records.append(
            plain_record(
                place,
                content=f"{' '.join(rng.choice(WORDS, 4))} n{place}",
                kind=str(rng.choice(KINDS)),
                importance=float(rng.beta(2, 2)),
                occurred_ms=NOON - said,
                accessed_ms=NOON - said // 2,
                decay_per_hour=float(rng.choice([0.0, 0.001, 1.0])) if rng.integers(20) == 0 else None,
                expires_ms=NOON - 1 if odd == 0 else None,
                status="archived" if odd == 1 else "active",
                metadata={"even": place % 2 == 0},
            )
        )
    with new_file() as path, store(path, records) as memory:
        yield memory


@pytest.mark.parametrize("preset", ["mission", "balanced"])
@pytest.mark.parametrize("where", [{}, {"filters": {"even": True}}], ids=["all", "filtered"])
def test_long_streams_give_the_best_by_recency_and_importance(
    mixed: Memory, preset: str, where: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SMALL_POOL", "DENSE_FORM_FIXED"):
        monkeypatch.setattr(searching, name, 0)
    for importance in (0.05, 0.5, 5.0):
        weights = {"relevance": 0.0, "recency": 1.0, "importance": importance}
        question = Question(query="?!", where=where, limit=300)
        fast = question.hits(mixed, preset, weights)
        exact = question.hits(mixed, preset, weights, exact=True)
        assert [hit.score for hit in fast] == pytest.approx([hit.score for hit in exact], abs=1e-9)
        assert all(question.admits(hit.record) for hit in fast)


@pytest.mark.parametrize(("preset", "least"), [("balanced", 0.98), ("relevance_only", 0.98), ("mission", 0.99)])
@pytest.mark.parametrize("where", [{}, {"filters": {"even": True}}], ids=["all", "filtered"])
def test_the_fast_path_finds_the_best_among_hidden_and_fading_ones(
    mixed: Memory, preset: str, least: float, where: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "SMALL_POOL", 0)
    shares = []
    for first, second in itertools.islice(itertools.combinations(WORDS, 2), 0, None, 3):
        question = Question(query=f"{first} {second}", where=where, limit=10)
        fast = {hit.record.id for hit in question.hits(mixed, preset)}
        exact = {hit.record.id for hit in question.hits(mixed, preset, exact=True)}
        shares.append(len(fast & exact) / len(exact))
    assert mixed.search("tea", preset=preset, touch=False, **where)["exact"] is False
    assert sum(shares) / len(shares) >= least


def test_words_count_in_the_missions_form_as_soon_as_one_memory_has_no_vector(mixed: Memory) -> None:
    """Where each has one, no word changes a score: full text isn't asked. A text the model can't read is found by its words."""
    asked = {"preset": "mission", "weights": {"recency": 0.0, "importance": 0.0}, "limit": 10, "explain": True}
    query = "green black milk rain walk 喝茶"  # few enough unknown words for a vector
    before = mixed.typed.search(query, touch=False, **asked)
    assert [hit.detail["bm25"] for hit in before if hit.detail] == [None] * 10
    added = mixed.add("喝绿茶 喝茶 茶", infer=False)["results"]
    found = mixed.typed.search(query, touch=False, **asked)
    assert added[0]["id"] in {hit.record.id for hit in found}
    mixed.delete(added[0]["id"])
