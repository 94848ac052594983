"""A user's sign vectors in memory: what finding the nearest costs at a hundred thousand is reading them, so they are kept.

Only what vec0's own tables hold is kept, and only while the file stays as it is. Asked with the same distance, both ways let the
same vectors through.
"""

from __future__ import annotations

from typing import Any

from memlite.storage.connection import Session
from memlite.storage.queries import sql


class Bits:
    """The sign vectors of one user in one space, 48 bytes each with MiniLM."""

    def __init__(self, session: Session, scope: int, space: int) -> None:
        import numpy as np  # noqa: PLC0415 - small scopes need no numpy

        keys, parts = [], []
        for rowids, validity, vectors in session.rows(sql("all_bits", space=space), {"scope": scope}):
            used = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little").astype(bool)
            keys.append(np.frombuffer(rowids, np.int64)[used])
            parts.append(np.frombuffer(vectors, np.uint8).reshape(len(used), -1)[used])
        self._keys = np.concatenate(keys)
        rows = np.concatenate(parts)
        self._word = np.uint64 if rows.shape[1] % 8 == 0 else np.uint8
        # words beside each other: counting goes through a plane at a time
        self._planes = np.ascontiguousarray(rows.view(self._word).T)

    def near(self, vector: bytes, within: int, most: int) -> list[int] | None:
        """Keys of the vectors within a Hamming distance of `vector` (float32); None where there are more than `most`."""
        import numpy as np  # noqa: PLC0415 - as above

        bits = np.packbits(np.frombuffer(vector, "<f4") > 0, bitorder="little").view(self._word)
        distance = np.zeros(len(self._keys), np.uint16)
        for plane, word in zip(self._planes, bits, strict=True):
            distance += np.bitwise_count(plane ^ word)
        found: Any = self._keys[distance <= within]
        return None if len(found) > most else found.tolist()
