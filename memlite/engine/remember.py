"""Adding memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine.kit import Kit


def add(kit: Kit, messages: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`.

    With `infer`, each plain text is decided about by itself and a conversation is distilled. Without, all go in as they come.
    """
    # Reading and deciding take hundreds of patterns. Whoever only searches does not wait for them.
    from memlite.engine import writing  # noqa: PLC0415

    return writing.add(kit, messages, given)
