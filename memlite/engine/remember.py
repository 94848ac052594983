"""Adding memories, and going over those there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine.kit import Kit

# Reading and deciding take hundreds of patterns. Whoever only searches does not wait for them.


def add(kit: Kit, messages: object, given: Mapping[str, Any], *, resent: bool = True) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`.

    With `infer`, each plain text is decided about by itself and a conversation is distilled. Without, all go in as they come.
    `resent`: turns that their session ends with already are left out.
    """
    from memlite.engine import writing  # noqa: PLC0415

    return writing.add(kit, messages, given, resent=resent)


def flush(kit: Kit) -> dict[str, int]:
    """Reads what waits in the inbox; see `inbox.drain_all`."""
    from memlite.engine import inbox  # noqa: PLC0415 - as above

    return inbox.drain_all(kit)


def consolidate(kit: Kit, given: Mapping[str, Any]) -> dict[str, Any]:
    """Goes over a user's memories; the envelope of `Memory.consolidate`."""
    from memlite.engine import sweep  # noqa: PLC0415

    return sweep.consolidate(kit, given)
