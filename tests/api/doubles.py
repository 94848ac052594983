"""Doubles of the API tests: a clock that stands still, an embedder of words, embedders that fail, and stores to try them on."""

from __future__ import annotations

import hashlib
import math
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import settings
from numpy.typing import NDArray

from memlite import Embedder, Encoded, Memory, Record, Settings, SpaceInfo
from memlite.errors import EmbeddingError
from memlite.ids import SortableIds
from memlite.ports import Draft
from memlite.storage.store import Store

NOON = 1_772_366_400_000
"""2026-03-01T12:00:00Z, where a test's clock starts."""

HOUR = 3_600_000
DIMENSION = 32
QUICK = Settings(durability="normal", busy_ms=5_000)

_WORD = re.compile(r"\w+")


class Clock:
    """UTC milliseconds that move only when a test says so."""

    def __init__(self, now_ms: int = NOON) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms

    def advance(self, *, hours: float = 0, seconds: float = 0, ms: int = 0) -> int:
        self.now_ms += round(hours * HOUR + seconds * 1000) + ms
        return self.now_ms


class WordEmbedder:
    """Texts of the same words, in whatever order, have bitwise the same vector; common words bring vectors closer.

    A word with a letter outside ASCII is unknown. As with a real model, a text of more than a fifth of these has no vector,
    nor has a text without words.
    """

    def __init__(self, model: str = "words", dimension: int = DIMENSION) -> None:
        digest = hashlib.sha256(f"{model} {dimension}".encode()).hexdigest()
        self.info = SpaceInfo(model=model, dimension=dimension, model_sha256=digest, tokenizer_sha256=digest[::-1], max_tokens=50)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._encoded(text) for text in texts]

    def _encoded(self, text: str) -> Encoded:
        words = sorted(_WORD.findall(text.lower()))
        unknown = sum(not word.isascii() for word in words) / len(words) if words else 0.0
        truncated = len(words) > self.info.max_tokens
        if not words or unknown > self.info.max_unknown:
            return Encoded(vector=None, unknown_share=unknown, truncated=truncated)
        total = np.zeros(self.info.dimension)
        for word in words:
            total += _direction(word, self.info.dimension)
        return Encoded(vector=(total / math.sqrt(total @ total)).astype(np.float32), unknown_share=unknown, truncated=truncated)


@cache
def _direction(word: str, dimension: int) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(dimension)


class Broken:
    """An embedder of `WordEmbedder`'s space that answers as it is told. `answer` gets the texts; it may raise."""

    def __init__(self, answer: Callable[[Sequence[str]], list[Encoded]]) -> None:
        self.info = WordEmbedder().info
        self._answer = answer

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return self._answer(texts)


def giving(*numbers: float) -> Broken:
    """An embedder whose every vector holds these numbers."""
    return Broken(lambda texts: [Encoded(vector=np.array(numbers, np.float32)) for _ in texts])


def raising(error: Exception) -> Broken:
    """An embedder that fails with this error."""

    def fail(texts: Sequence[str]) -> list[Encoded]:
        raise error

    return Broken(fail)


def out_of_order() -> Broken:
    """An embedder whose model does not run."""
    return raising(EmbeddingError("the model does not run"))


@cache
def blank() -> bytes:
    """A store's file as it is when nothing was stored yet. Copying it is quicker than making one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "blank.db")
        Memory(path, embedder=WordEmbedder(), settings=QUICK).close()
        return path.read_bytes()


@contextmanager
def new_file() -> Iterator[Path]:
    """The path of a store in which nothing is stored yet."""
    with tempfile.TemporaryDirectory(prefix="memlite-test-") as folder:
        path = Path(folder, "memory.db")
        path.write_bytes(blank())
        yield path


def opened(path: str | Path, **options: Any) -> Memory:
    """The store at `path` with the doubles of this module where `options` name no others."""
    chosen: dict[str, Any] = {"embedder": WordEmbedder(), "clock": Clock(), "settings": QUICK} | options
    return Memory(path, **chosen)


@contextmanager
def new_memory(**options: Any) -> Iterator[Memory]:
    """A new store with the doubles of this module where `options` name no others."""
    with new_file() as path, opened(path, **options) as memory:
        yield memory


def put(path: Path, records: Iterable[Record], *, embedder: Embedder | None = None, now_ms: int = NOON) -> None:
    """Writes memories as they are, also those that no public verb makes: of any status, with a rate of their own."""
    embedder = embedder or WordEmbedder()
    store = Store(path, QUICK, SortableIds(lambda: now_ms))
    try:
        by_user: dict[str, list[Record]] = {}
        for record in records:
            by_user.setdefault(record.user_id, []).append(record)
        for user_id, owned in by_user.items():
            encoded = embedder.encode([record.content for record in owned])
            drafts = [Draft(record=record, encoded=item) for record, item in zip(owned, encoded, strict=True)]
            with store.write() as tx:
                tx.open_run(user_id, "add", now_ms=now_ms)
                covered = any(item.vector is not None for item in encoded)
                tx.insert(drafts, tx.space_for(embedder.info, now_ms) if covered else None)
    finally:
        store.close(now_ms)


def share_of_examples(share: float) -> settings:
    """The profile's number of examples cut down, for properties whose every example takes many searches."""
    return settings(max_examples=max(5, round(settings().max_examples * share)))


def texts(results: dict[str, Any]) -> list[str]:
    """The memories' texts of an envelope, in order."""
    return [result["memory"] for result in results["results"]]


def ids(results: dict[str, Any]) -> list[str]:
    """The memories' ids of an envelope, in order."""
    return [result["id"] for result in results["results"]]
