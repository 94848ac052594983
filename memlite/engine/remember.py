"""Adding memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine import converse, save, verbatim
from memlite.engine.kit import Kit
from memlite.engine.options import options
from memlite.rules import inputs


def add(kit: Kit, messages: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`.

    With `infer`, each plain text is decided about by itself and a conversation is distilled. Without, all go in as they come.
    """
    chosen = options(kit, given)
    texts = inputs.messages(messages, max_bytes=kit.settings.max_text_bytes)
    if not chosen.infer:
        return verbatim.verbatim(kit, chosen, texts)
    plain = [message for message in texts if message.role is None]
    if not plain:
        return converse.converse(kit, chosen, texts)
    saved = save.texts(kit, chosen, plain)
    if len(plain) == len(texts):
        return saved
    return _joined(saved, converse.converse(kit, chosen, [message for message in texts if message.role is not None]))


def _joined(saved: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """One envelope of two."""
    return told | {
        "results": saved["results"] + told["results"],
        "change_id": told["change_id"] or saved["change_id"],
        "change_ids": saved["change_ids"] + told["change_ids"],
    }
