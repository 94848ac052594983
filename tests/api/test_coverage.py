"""Coverage: the share of a query's idf mass that stands in a memory, as the full-text index of the file has its words."""

from __future__ import annotations

import math

import pytest
from doubles import NOON, new_memory, share_of_examples
from hypothesis import given
from hypothesis import strategies as st

from memlite import Memory
from memlite.rules.terms import match_expression, query_terms

WORDS = "tea teas Café cafe walks walking e-mail x86_64 naïve O'Neill the 绿茶 我喝绿茶 한국어".split()
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
TURNS = st.lists(TEXT, min_size=1, max_size=8)


def expected(memory: Memory, query: str, memory_id: str) -> float:
    """By the definition: a word's idf among the user's active memories, as far as the index finds the word in the content."""
    session = memory._kit.store._pool.session()  # type: ignore[attr-defined]
    total = session.value("select count(*) from memories where status = 'active'")
    mass = held = 0.0
    for term in query_terms(query):
        rows = session.rows(
            "select m.id from memories_fts f join memories m on m.rid = f.rowid where memories_fts match ?",
            (f"content : {match_expression([term])}",),
        )
        idf = math.log(1 + (max(0, total - len(rows)) + 0.5) / (len(rows) + 0.5))
        mass += idf
        held += idf * ((memory_id,) in rows)
    return held / mass if mass else 0.0


@given(TURNS, st.lists(TEXT, max_size=4), TEXT)
@share_of_examples(1 / 2)
def test_coverage_is_what_the_index_says(turns: list[str], others: list[str], query: str) -> None:
    """Turns quote their neighbours in the index: a word that only these hold doesn't count."""
    with new_memory(user_id="ann") as memory:
        memory.add([{"role": "user", "content": text, "timestamp": NOON} for text in turns], session_id="s", infer=False)
        if others:
            stored = memory.add(others, infer=False)["results"]
            session = memory._kit.store._pool.session()  # type: ignore[attr-defined]
            with session.change():
                session.run("update memories set status = 'archived' where id = ?", (stored[0]["id"],))
        found = memory.search(query, limit=50, status="any", touch=False)["results"]
        assert len(found) >= 1
        for hit in found:
            assert hit["coverage"] == pytest.approx(expected(memory, query, hit["id"]), abs=1e-12), hit["memory"]


def test_coverage_of_one_search_knows_nothing_of_the_one_before() -> None:
    """Inside one change too, where nothing is rolled back between the two."""
    with new_memory(user_id="ann") as memory:
        memory.add(["green tea", "black milk"], infer=False)
        covered = []
        with memory._kit.store._pool.session().change():  # type: ignore[attr-defined]
            for query in ("tea", "milk", "green tea milk"):
                (hit,) = memory.search(query, limit=1, touch=False)["results"]
                covered.append((hit["memory"], hit["coverage"]))
        assert covered == [("green tea", 1.0), ("black milk", 1.0), ("green tea", pytest.approx(2 / 3))]
