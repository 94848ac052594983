"""Every statement compiles and is used, alone and in every combination that a search can make of the parts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from support import QUICK, open_memory

import memlite
from memlite.ports import RecallQuery
from memlite.rules import filters
from memlite.rules.presets import PRESETS
from memlite.storage.bits import Bits
from memlite.storage.connection import Session
from memlite.storage.filters import compiled
from memlite.storage.queries import load, sql, statements
from memlite.storage.search import SMALL_SCOPE, Plan, Searcher, assembled

SOURCES = {path.name: path.read_text(encoding="utf-8") for path in (Path(memlite.__path__[0]) / "storage").glob("*.py")}
FILTER = filters.parse({"topic": "x", "area": "main", "NOT": {"importance": {"gt": 0.5}}}, user_id="ann")


class AnyValue(dict[str, Any]):
    """Parameters that answer every name; `seen` are those that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def __missing__(self, name: str) -> int:
        self.seen.add(name)
        return 1


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("queries")
    with open_memory(folder) as memory:
        memory.add("makes the vector table")
    session = Session(folder / "memory.db", QUICK, read_only=False)
    yield session
    session.close()


# -- queries.sql


def test_there_are_queries() -> None:
    assert len(load("queries.sql")) > 40
    assert len(load("recall.sql")) > 15


@pytest.mark.parametrize("name", load("queries.sql"))
def test_a_query_compiles(session: Session, name: str) -> None:
    text = sql(name, space=1).replace("@filter@", compiled(FILTER)[0])
    values = AnyValue()
    session.run(f"explain {text}", values)
    assert values.seen == set(re.findall(r":([a-z]\w*)", re.sub(r"'[^']*'", "", text)))


@pytest.mark.parametrize("name", load("queries.sql"))
def test_a_query_is_used(name: str) -> None:
    assert [file for file, source in SOURCES.items() if f'"{name}"' in source]


def test_every_query_that_is_used_is_there() -> None:
    named = {name for source in SOURCES.values() for name in re.findall(r'\bsql\(\s*"(\w+)"', source)}
    assert named <= load("queries.sql").keys()


@pytest.mark.parametrize("name", load("queries.sql"))
def test_a_query_is_one_statement_without_literals_of_time(name: str) -> None:
    text = load("queries.sql")[name]
    assert len(statements(text)) == 1
    assert not re.search(r"'now'|\b(random|current_timestamp|datetime|strftime)\b", text, re.IGNORECASE)


@pytest.mark.parametrize("file", ["queries.sql", "recall.sql"])
def test_no_name_stands_twice(file: str) -> None:
    text = (Path(memlite.__path__[0]) / "storage" / file).read_text(encoding="utf-8")
    names = re.findall(r"^-- name: (\w+)$", text, re.MULTILINE)
    assert len(names) == len(set(names)) == len(load(file))


# -- recall.sql


def plans() -> Iterator[tuple[RecallQuery, int | None, bool, int | None]]:
    """(query, space, whether the user has many memories, how many a filter left) in every combination that matters."""
    variants = [
        replace(preset, dense_share=share, recency=recency, importance=importance)
        for preset in PRESETS.values()
        for share in {preset.dense_share, 0.0, 1.0}
        for recency, importance in {(preset.recency, preset.importance), (0.0, 0.0), (0.5, 0.0)}
    ]
    for preset, vector, terms, tree, exact, space, many, picked in itertools.product(
        variants, (None, bytes(64)), ((), ("tea", "我喜")), (None, FILTER), (False, True), (None, 1), (False, True), (None, 5)
    ):
        if picked is not None and tree is None:
            continue
        query = RecallQuery(
            preset=preset,
            vector=vector,
            terms=terms,
            filters=tree,
            status="active",
            limit=10,
            exact=exact,
            explain=True,
            now_ms=0,
            floor=None,
        )
        yield query, space, many, picked


def planned(searcher: Searcher) -> dict[tuple[Any, ...], tuple[Plan, RecallQuery]]:
    """Every statement that can come of it, each once: by its pieces and what is put into them."""
    found = {}
    scope = {"scope": 1, "low": 0, "high": 1}
    for (query, space, many, picked), vectors in itertools.product(plans(), (0, 3)):
        searcher._few[1] = SMALL_SCOPE + 1 if many else 3
        searcher._counts[1], searcher._bits[1, 1] = 3, cast("Bits", range(vectors))
        plan = searcher._plan(query, scope, space, picked)
        found[plan.pieces, query.preset.age, query.vector is not None, query.filters is not None] = plan, query
    return found


def test_every_search_compiles(session: Session) -> None:
    every = planned(Searcher(session))
    assert len(every) > 50
    for plan, query in every.values():
        filter_sql = "" if plan.exact else compiled(query.filters)[0]
        text = assembled(plan.pieces, age=query.preset.age, cosine=query.vector is not None, filter_sql=filter_sql)
        assert "@" not in text
        session.run(f"explain {text}", AnyValue())


def test_every_part_of_a_search_is_used(session: Session) -> None:
    used = {piece for plan, _ in planned(Searcher(session)).values() for piece in plan.pieces}
    named = {name for source in SOURCES.values() for name in re.findall(r'\b_piece\("(\w+)"\)', source)}
    assert used | named == load("recall.sql").keys()


def test_a_search_scans_nothing_but_what_it_means_to(session: Session) -> None:
    """Large scopes are searched through indexes: no plan reads all memories or all vectors of the file."""
    for plan, query in planned(Searcher(session)).values():
        if plan.exact:
            continue
        text = assembled(
            plan.pieces,
            age=query.preset.age,
            cosine=query.vector is not None,
            filter_sql=compiled(query.filters)[0],
        )
        steps = [row[3] for row in session.rows(f"explain query plan {text}", AnyValue())]
        assert not [step for step in steps if re.match(r"SCAN (m|x|o|e|memories|embeddings|meta_kv)\b", step)], steps


def test_many_memories_without_a_vector_are_searched_by_their_words(tmp_path: Path) -> None:
    """The file has vectors, this user's 2,001 memories have none: there is nothing near to look for."""
    with open_memory(tmp_path) as memory:
        memory.add("tea of another user", user_id="bob")
        memory.add([f"¤ tea {number}" for number in range(SMALL_SCOPE + 1)], infer=False)
        for preset, weights in itertools.product(PRESETS, (None, {"dense": 1.0}, {"recency": 0.0, "importance": 0.0})):
            found = memory.search("tea 7", preset=preset, weights=weights, limit=5, touch=False)["results"]
            assert all(hit["user_id"] == "default" for hit in found)
            assert found or (weights or {}).get("dense") == 1.0, preset
