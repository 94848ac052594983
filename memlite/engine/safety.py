"""What is looked for in every text before anything is written: secrets, personal details, orders to a later reader."""

from __future__ import annotations

from dataclasses import replace

from memlite.errors import Refused
from memlite.rules import inputs, redact, tripwire
from memlite.rules.inputs import Message
from memlite.rules.redact import Finding
from memlite.rules.tiers import tier
from memlite.settings import Settings

_USER_TIER = tier("user_stated")


def screened(settings: Settings, message: Message, origin: str | None, *, verbatim: bool = False) -> Message:
    """The message as it may be stored: secrets taken out, personal details flagged, an attempt to steer the reader held back.

    What the user said is never held back, only flagged; in a verbatim load it is not even looked through for orders, which takes
    longer than storing it.

    Args:
        origin: where the text comes from; None = by its role.

    Raises:
        Refused: the settings refuse what was found.
    """
    text, flags = cleared(settings, message.text)
    status = message.status
    trusted = tier(origin or inputs.origin_of(message)) >= _USER_TIER
    verdict = None if verbatim and trusted else tripwire.tripped(text)
    if verdict is not None:
        flags = (*flags, f"injection:{verdict.reason}")
        status = status if trusted else "pending"
    if text is message.text and not flags:
        return message
    return replace(message, text=text, flags=tuple(dict.fromkeys((*message.flags, *flags))), status=status)


def cleared(settings: Settings, text: str) -> tuple[str, tuple[str, ...]]:
    """(the text as the settings let it be stored, flags that say what was found).

    Raises:
        Refused: the settings refuse what was found; the message names kinds, never the text.
    """
    found = redact.findings(text)
    if not found:
        return text, ()
    policies = {"secret": settings.secrets, "pii": settings.pii}
    refused = [one for one in found if policies[one.class_] == "refuse"]
    if refused:
        raise Refused(f"the text holds {_kinds(refused)}, which the settings refuse: take it out and repeat")
    taken_out = [name for name in redact.CLASSES if policies[name] == "redact"]
    flags = tuple(dict.fromkeys(f"{one.class_}:{one.kind}" for one in found if policies[one.class_] != "allow"))
    return redact.redacted(text, taken_out) if taken_out else text, flags


def _kinds(found: list[Finding]) -> str:
    return ", ".join(sorted({f"{one.class_}:{one.kind}" for one in found}))
