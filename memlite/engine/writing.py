"""The ways a text comes in: verbatim, as a deliberate save, or as part of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine import converse, safety, save, verbatim
from memlite.engine.kit import Kit
from memlite.engine.options import options
from memlite.rules import inputs


def add(kit: Kit, messages: object, given: Mapping[str, Any]) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`. Secrets are taken out before anything else sees them.

    Raises:
        BadInput: an argument is out of its range.
        Refused: a text holds what the settings refuse.
    """
    chosen = options(kit, given)
    told = inputs.messages(messages, max_bytes=kit.settings.max_text_bytes)
    texts = [safety.screened(kit.settings, message, chosen.origin) for message in told]
    plain = [message for message in texts if message.role is None]
    if not chosen.infer or (chosen.consolidate == "off" and len(plain) == len(texts)):
        return verbatim.verbatim(kit, chosen, texts)
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
