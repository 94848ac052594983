"""Sign vectors in memory: the nearest by Hamming distance, as they stand in vec0's tables."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest
from support import QUICK, open_memory

from memlite import Encoded, SpaceInfo
from memlite.errors import Damaged
from memlite.storage import search as searching
from memlite.storage.bits import Bits
from memlite.storage.connection import Session


class Drawn:
    """An embedder whose n-th text, `note n`, has the n-th row of a random matrix."""

    def __init__(self, count: int, dimension: int) -> None:
        self.rows = np.random.default_rng(4).standard_normal((count, dimension)).astype(np.float32)
        self.rows /= np.linalg.norm(self.rows, axis=1, keepdims=True)
        self.info = SpaceInfo(
            model="drawn", dimension=dimension, model_sha256="0" * 64, tokenizer_sha256="0" * 64, max_tokens=256
        )

    def encode(self, texts: list[str]) -> list[Encoded]:
        return [Encoded(vector=self.rows[int(text.split()[1])]) for text in texts]


@pytest.mark.parametrize("dimension", [128, 72], ids=["whole words", "bytes"])
def test_the_nearest_are_those_of_the_user_and_as_many_as_are_wished(tmp_path: Path, dimension: int) -> None:
    embedder = Drawn(400, dimension)
    with open_memory(tmp_path, embedder=embedder) as memory:
        memory.add([f"note {place}" for place in range(0, 400, 2)], infer=False, user_id="bob")
        added = memory.add([f"note {place}" for place in range(1, 400, 2)], infer=False)["results"]
        for hole in (3, 70, 199):
            memory.delete(added[hole]["id"])
    session = Session(tmp_path / "memory.db", QUICK, read_only=True)
    stored = session.rows(
        "select m.rid, substr(m.content, 6) from memories m join scopes s using (scope) where user_id = 'default'"
    )
    scope = session.value("select scope from scopes where user_id = 'default'")
    bits = Bits(session, scope, 1, dimension)
    asked = embedder.rows[0]
    distance = {rid: int(((embedder.rows[int(place)] > 0) != (asked > 0)).sum()) for rid, place in stored}
    assert len(bits) == len(distance) == 197
    for count in (1, 20, 197, 1000):
        found = bits.near(asked.tobytes(), count)
        assert found == sorted(set(found))
        assert len(found) == min(count, 197)
        assert sorted(distance[rid] for rid in found) == sorted(distance.values())[:count]
    assert Bits(session, 77, 1, dimension).near(asked.tobytes(), 10) == []
    session.close()


@pytest.mark.parametrize(
    "damage",
    [
        "delete from vec_1_vector_chunks00",
        "update vec_1_vector_chunks00 set vectors = x'00'",
        "update vec_1_chunks set rowids = x'00'",
        "update vec_1_chunks set validity = x'ffff'",
    ],
)
def test_a_search_finds_that_the_index_is_cut_short(tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SMALL_SCOPE", 0)
    with open_memory(tmp_path) as memory:
        memory.add("tea")
    session = Session(tmp_path / "memory.db", QUICK, read_only=False)
    session.run(damage)
    session.close()
    with open_memory(tmp_path) as memory, pytest.raises(Damaged, match="run memlite reindex"):
        memory.search("tea", touch=False)


def test_vectors_of_many_users_are_not_kept_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SMALL_SCOPE", 0)
    monkeypatch.setattr(searching, "_MOST_KEPT", 5)
    with open_memory(tmp_path) as memory:
        for user in "abcdef":
            memory.add([f"tea {place}" for place in range(2)], infer=False, user_id=user)
        for user in "abcdef":
            assert len(memory.search("tea", user_id=user, touch=False)["results"]) == 2
        kept = memory._kit.store._pool.session().searcher._bits  # type: ignore[attr-defined]
        assert 1 <= len(kept) <= 3


def test_what_a_search_learnt_is_kept_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SMALL_SCOPE", 0)
    with open_memory(tmp_path) as memory:
        memory.add(["tea", "more tea"], infer=False)
        session = memory._kit.store._pool.session()  # type: ignore[attr-defined]

        def learnt() -> Bits:
            memory.search("tea", touch=False)
            (bits,) = session.searcher._bits.values()
            return cast("Bits", bits)

        first = learnt()
        assert learnt() is first
        session.begin(wait_ms=0)
        within = learnt()
        session.roll_back()
        second = learnt()
        assert len({id(bits) for bits in (first, within, second)}) == 3
        memory.add("tea again", infer=False)
        assert len(learnt()) == len(second) + 1
