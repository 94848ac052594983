"""The ways a text comes in: verbatim, as a deliberate save, or as part of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine import inbox, safety, save, verbatim
from memlite.engine.kit import Kit
from memlite.engine.options import options
from memlite.rules import inputs


def add(kit: Kit, messages: object, given: Mapping[str, Any], *, resent: bool = True) -> dict[str, Any]:
    """Stores texts; the envelope of `Memory.add`. Secrets are taken out before anything else sees them.

    Args:
        resent: whether turns that their session ends with already are left out.

    Raises:
        BadInput: an argument is out of its range.
        Refused: a text holds what the settings refuse.
    """
    chosen = options(kit, given)
    background = inputs.flag(given["background"], what="background")
    told = inputs.messages(messages, max_bytes=kit.settings.max_text_bytes)
    texts = [safety.screened(kit.settings, message, chosen.origin, verbatim=not chosen.infer) for message in told]
    plain = [message for message in texts if message.role is None]
    if not chosen.infer or (chosen.consolidate == "off" and len(plain) == len(texts)):
        return verbatim.verbatim(kit, chosen, texts)
    if not plain:
        return inbox.converse(kit, chosen, texts, background=background, resent=resent)
    saved = save.texts(kit, chosen, plain)
    if len(plain) == len(texts):
        return saved
    turns = [message for message in texts if message.role is not None]
    return _joined(saved, inbox.converse(kit, chosen, turns, background=background, resent=resent))


def _joined(saved: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """One envelope of two."""
    return told | {
        "results": saved["results"] + told["results"],
        "change_id": told["change_id"] or saved["change_id"],
        "change_ids": saved["change_ids"] + told["change_ids"],
    }
