"""Times as callers give them."""

from __future__ import annotations

from datetime import UTC, datetime

from memlite.errors import BadInput, shown
from memlite.model import MAX_MS


def to_ms(value: object, *, what: str) -> int:
    """UTC milliseconds of a datetime (naive = UTC), an ISO 8601 text (no offset = UTC) or a number of milliseconds.

    >>> to_ms("2026-03-01T00:00:00Z", what="occurred_at")
    1772323200000

    Raises:
        BadInput: another type, not a date, or outside the years 1970 to 9999.
    """
    if isinstance(value, str):
        value = _read(value, what)
    if isinstance(value, datetime):
        moment = value if value.utcoffset() is not None else value.replace(tzinfo=UTC)
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
        value = since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"{what} is {type(value).__name__}: give a datetime, ISO 8601 or milliseconds since 1970")
    if not 0 <= value <= MAX_MS:
        raise BadInput(f"{what} is {shown(value)} ms: give a time from 1970 to 9999")
    return value


def _read(text: str, what: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(f"{what} is {shown(text)}: give ISO 8601 such as 2026-03-01T09:00:00Z") from None
