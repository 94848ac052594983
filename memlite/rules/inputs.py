"""Arguments as callers give them, read once so that everything later may trust them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memlite.errors import BadInput, shown
from memlite.rules.text import clean
from memlite.rules.times import to_ms

MAX_LIMIT = 4_096
MAX_METADATA_BYTES = 65_536
MAX_METADATA_DEPTH = 32
MAX_BATCH = 1_000

_ORIGIN_OF_ROLE = {"user": "user_stated", "assistant": "agent_inferred", "system": "agent_inferred", "tool": "tool_output"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One text to remember. `role` None = a plain text, not a turn of a conversation.

    Attributes:
        flags: what was found in it, such as `pii:phone`.
        status: `pending` where it is held back for review.
    """

    text: str
    role: str | None = None
    name: str | None = None
    occurred_ms: int | None = None
    flags: tuple[str, ...] = ()
    status: str = "active"


def messages(given: object, *, max_bytes: int) -> list[Message]:
    """A text, a message dict (`role`, `content`, optional `name` and `timestamp`) or a list of either, as messages in order.

    `content` may be a list of parts as chat APIs use; its text parts are joined by line ends.

    Raises:
        BadInput: another type, an empty list, a message without role or content, or a bad text.
    """
    if isinstance(given, (str, Mapping)):
        return [_message(given, "messages", max_bytes)]
    if not isinstance(given, Sequence):
        raise BadInput(f"messages is {type(given).__name__}: give a str, a dict or a list of these")
    if not given:
        raise BadInput("messages is an empty list: give at least one")
    return [_message(item, f"messages[{place}]", max_bytes) for place, item in enumerate(given)]


def _message(given: object, what: str, max_bytes: int) -> Message:
    if isinstance(given, str):
        return Message(text=clean(given, what=what, max_bytes=max_bytes))
    if not isinstance(given, Mapping):
        raise BadInput(f"{what} is {type(given).__name__}: give a str or a dict with role and content")
    role, content = given.get("role"), given.get("content")
    if not isinstance(role, str) or not role.strip():
        raise BadInput(f"{what} has no role: give user, assistant, tool or system")
    if isinstance(content, Sequence) and not isinstance(content, str):
        content = "\n".join(part["text"] for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str))
    name, stamp = given.get("name"), given.get("timestamp")
    return Message(
        text=clean(content, what=f"{what} content", max_bytes=max_bytes),
        role=clean(role, what=f"{what} role", max_bytes=64),
        name=None if name is None else clean(name, what=f"{what} name", max_bytes=256),
        occurred_ms=None if stamp is None else to_ms(stamp, what=f"{what} timestamp"),
    )


def origin_of(message: Message) -> str:
    """Where a text comes from when the caller does not say: by its role; a plain text is the user's own."""
    return "user_stated" if message.role is None else _ORIGIN_OF_ROLE.get(message.role, "agent_inferred")


def choice(value: object, options: Sequence[str], *, what: str) -> str:
    """The value, one of `options`.

    Raises:
        BadInput: it is none of them.
    """
    if not isinstance(value, str) or value not in options:
        raise BadInput(f"{what} is {shown(value)}: give one of {', '.join(options)}")
    return value


def share(value: object, *, what: str) -> float:
    """A number in [0, 1].

    Raises:
        BadInput: another type, not finite, or outside.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise BadInput(f"{what} is {shown(value)}: give a number from 0 to 1")
    return float(value)


def flag(value: object, *, what: str) -> bool:
    """True or False.

    Raises:
        BadInput: anything else.
    """
    if not isinstance(value, bool):
        raise BadInput(f"{what} is {shown(value)}: give True or False")
    return value


def limit(value: object, *, what: str = "limit", most: int = MAX_LIMIT) -> int:
    """A count of at least 1; one above `most` counts as `most`.

    Raises:
        BadInput: not a whole number, or below 1.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadInput(f"{what} is {shown(value)}: give a whole number from 1 up")
    return min(value, most)


def cursor(value: object) -> str | None:
    """A place in a listing, as the page before gave it; None for the first page.

    Raises:
        BadInput: another type.
    """
    if value is None or isinstance(value, str):
        return value
    raise BadInput(f"cursor is {type(value).__name__}: pass the one the page before gave")


def metadata(value: object) -> dict[str, Any]:
    """JSON metadata as a dict of its own: str keys, finite numbers, at most 64 KiB and 32 levels.

    Raises:
        BadInput: not a dict, not JSON, too large or too deep.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadInput(f"metadata is {type(value).__name__}: give a dict")
    read: dict[str, Any] = _json_value(value, 0, [MAX_METADATA_BYTES])
    return read


def _json_value(value: object, depth: int, left: list[int]) -> Any:
    """The value as plain JSON. `left` holds the bytes that are left: what unfolds without end is stopped on the way."""
    left[0] -= len(value.encode("utf-8", "replace")) if isinstance(value, str) else 8
    if left[0] < 0:
        raise BadInput(f"metadata is too large, the cap is {MAX_METADATA_BYTES:,} bytes: keep large data elsewhere")
    if depth > MAX_METADATA_DEPTH:
        raise BadInput(f"metadata is nested deeper than {MAX_METADATA_DEPTH} levels: flatten it")
    if isinstance(value, Mapping):
        read: dict[str, Any] = {}
        for key, item in value.items():
            name = _json_text(key, "metadata key")
            left[0] -= len(name.encode())
            read[name] = _json_value(item, depth + 1, left)
        return read
    if isinstance(value, (list, tuple)):
        return [_json_value(item, depth + 1, left) for item in value]
    if isinstance(value, str):
        return _json_text(value, "metadata value")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**63:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    raise BadInput(f"metadata holds {shown(value)}: give text, finite numbers below 2^63, booleans, None, lists and dicts")


def _json_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{what} is {type(value).__name__}: give a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{what} has a lone surrogate: decode it with errors='replace' first") from None
    return value.replace("\x00", "")
