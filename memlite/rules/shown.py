"""A caller's value inside an error message: short, whatever it is."""

from __future__ import annotations

_LONGEST = 60


def shown(value: object) -> str:
    """The value as Python would write it, cut after 60 characters; an integer too long to print by its number of bits."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"an integer of {value.bit_length():,} bits"
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) <= _LONGEST else f"{value[:_LONGEST]!r}… ({len(value):,} characters)"
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return f"a {type(value).__name__} of {len(value):,}"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
