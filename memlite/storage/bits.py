"""A user's sign vectors in memory: where a search by vectors looks first.

They are what vec0's own tables hold. Reading them all takes no longer than one search inside vec0, and the next search of an
unchanged file finds them here; and vec0 can't give exactly as many as are wished for without reading each chunk as often.
"""

from __future__ import annotations

from memlite.errors import Damaged
from memlite.storage.connection import Session
from memlite.storage.queries import sql


class Bits:
    """The sign vectors of one user in one space, 48 bytes each with MiniLM, beside their keys.

    Raises:
        Damaged: a chunk of the index is not as long as it should be, or not there.
    """

    def __init__(self, session: Session, scope: int, space: int, dimension: int) -> None:
        import numpy as np  # noqa: PLC0415 - small scopes need no numpy

        chunks = session.rows(sql("all_bits", space=space), {"scope": scope})
        if any(len(rowids) != 64 * len(used) or len(bits or b"") != dimension * len(used) for rowids, used, bits in chunks):
            raise Damaged("the index of vectors is cut short: run memlite reindex")
        rowids, validity, vectors = (b"".join(chunk[place] for chunk in chunks) for place in range(3))
        used = np.unpackbits(np.frombuffer(validity, np.uint8), bitorder="little").astype(bool)
        self._keys = np.frombuffer(rowids, np.int64)[used]
        self._word = np.uint64 if dimension % 64 == 0 else np.uint8
        words = np.frombuffer(vectors, self._word)
        many = dimension // 8 // words.itemsize
        # the first word of every vector, the second of every one, …: counting goes through a plane at a time
        self._planes = [words[place::many][used] for place in range(many)]

    def __len__(self) -> int:
        return len(self._keys)

    def near(self, vector: bytes, count: int) -> list[int]:
        """Keys of the `count` vectors nearest to `vector` (float32) by Hamming distance, in order of key."""
        import numpy as np  # noqa: PLC0415 - as above

        bits = np.packbits(np.frombuffer(vector, "<f4") > 0, bitorder="little").view(self._word)
        distance = np.zeros(len(self), np.uint16)
        for plane, word in zip(self._planes, bits, strict=True):
            distance += np.bitwise_count(plane ^ word)
        nearest = np.argsort(distance, kind="stable")[:count]
        found: list[int] = np.sort(self._keys[nearest]).tolist()
        return found
