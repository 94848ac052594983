"""Public ids: opaque, sortable by creation, unique without coordination."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

NewId = Callable[[str], str]
"""A new public id for a prefix such as `mem` or `chg`."""

Clock = Callable[[], int]
"""The time now, in UTC milliseconds since 1970."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_RANDOM_BITS = 80


def system_clock() -> int:
    """UTC milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class SortableIds:
    """Ids like `mem_01k9q3…`: 48 bits of time and 80 random bits in Crockford's base 32, as in the ULID specification.

    Ids made by one instance grow strictly, also within a millisecond and when the clock steps back. Safe in threads; a
    forked child starts afresh from the operating system's randomness.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last = 0
        self._head_ms, self._head = 0, _base32(0, pairs=5)
        self._pid = os.getpid()

    def __call__(self, prefix: str) -> str:
        now = max(0, self._clock()) & ((1 << 48) - 1)
        pid = os.getpid()
        with self._lock:
            if self._pid != pid:  # a forked child must not count on from its parent's last id
                self._pid, self._last = pid, 0
            if (self._last >> _RANDOM_BITS) >= now:
                self._last += 1
            else:
                self._last = (now << _RANDOM_BITS) | int.from_bytes(os.urandom(10), "big")
            value = self._last
            if self._head_ms != (ms := value >> _RANDOM_BITS):
                self._head_ms, self._head = ms, _base32(ms, pairs=5)
            head = self._head
        return f"{prefix}_{head}{_base32(value, pairs=8)}"


def _base32(value: int, *, pairs: int) -> str:
    """The lowest 2 · `pairs` digits of 5 bits, two at a time."""
    return "".join([_PAIRS[value >> shift & 1023] for shift in range(10 * pairs - 10, -1, -10)])
