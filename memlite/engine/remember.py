"""Adding memories, and going over those there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine.kit import Kit

# Reading and deciding take hundreds of patterns. Whoever only searches does not wait for them.


def add(kit: Kit, messages: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`.

    With `infer`, each plain text is decided about by itself and a conversation is distilled. Without, all go in as they come.
    """
    from memlite.engine import writing  # noqa: PLC0415

    return writing.add(kit, messages, given)


def consolidate(kit: Kit, given: Mapping[str, Any]) -> dict[str, Any]:
    """Goes over a user's memories; the envelope of `Memory.consolidate`."""
    from memlite.engine import sweep  # noqa: PLC0415

    return sweep.consolidate(kit, given)
