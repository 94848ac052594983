"""Vectors for texts, checked before anything relies on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memlite.engine.kit import Kit
from memlite.errors import EmbeddingError, SpaceMismatch, WrongDimension
from memlite.ports import Encoded, SpaceInfo

_SHORTEST = 1e-6
_FLOAT32 = "<f4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Texts with their vectors. `info` None = they have none, and `reason` says why."""

    encoded: list[Encoded | None]
    info: SpaceInfo | None
    reason: str | None = None


def for_storage(kit: Kit, texts: Sequence[str]) -> Embedded:
    """Vectors to store with texts. Where the model can't give any, the texts are to be stored without: they are never lost.

    Raises:
        EmbeddingError: the model gave vectors that can't be used; a fault of the model's adapter.
    """
    try:
        info = kit.embedder.info
        kit.store.require_space(info)
        encoded = _encode(kit, texts)
    except SpaceMismatch as error:
        return Embedded(encoded=[None] * len(texts), info=None, reason=str(error))
    except _MiscountError:
        raise
    except EmbeddingError as error:
        return Embedded(encoded=[None] * len(texts), info=None, reason=f"stored without a vector: {error}")
    return Embedded(encoded=[checked(item, info) for item in encoded], info=info)


def for_query(kit: Kit, text: str) -> bytes | None:
    """The query's vector; None where the file holds no vectors or the model's space does not cover the query.

    Raises:
        SpaceMismatch: the file's vectors were made by another model.
        EmbeddingError: the model failed.
    """
    if kit.store.active_space() is None:
        return None
    info = kit.embedder.info
    kit.store.require_space(info)
    vector = checked(_encode(kit, [text])[0], info).vector
    return None if vector is None else vector.tobytes()


def _encode(kit: Kit, texts: Sequence[str]) -> list[Encoded]:
    encoded = kit.embedder.encode(texts)
    if len(encoded) != len(texts):
        raise _MiscountError(f"the embedder gave {len(encoded)} results for {len(texts)} texts: fix the embedder")
    return encoded


class _MiscountError(EmbeddingError):
    """An adapter that can't be trusted, other than a model that fails."""


def checked(encoded: Encoded, info: SpaceInfo) -> Encoded:
    """The same with a float32 vector of length 1.

    Raises:
        WrongDimension: it has another number of numbers than its space.
        EmbeddingError: it is not finite, or too short to point anywhere.
    """
    if encoded.vector is None:
        return encoded
    vector = encoded.vector
    if vector.dtype != _FLOAT32 or not vector.flags.c_contiguous:
        import numpy as np  # noqa: PLC0415 - only where an embedder gave another kind of numbers

        with np.errstate(over="ignore"):  # a number too large for float32 becomes infinite, and is refused below
            vector = np.ascontiguousarray(vector, dtype=_FLOAT32)
    if vector.shape != (info.dimension,):
        raise WrongDimension(
            f"{info.model} gave a vector of shape {vector.shape}, its space has {info.dimension} numbers: fix the embedder"
        )
    length = math.sqrt(float(vector.dot(vector)))
    if not math.isfinite(length) or length < _SHORTEST:
        raise EmbeddingError(f"{info.model} gave a vector of length {length}: fix the embedder")
    if abs(length - 1.0) > 1e-5:
        vector = (vector / length).astype(_FLOAT32)
    return encoded if vector is encoded.vector else replace(encoded, vector=vector)
