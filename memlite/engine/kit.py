"""What every use case is given."""

from __future__ import annotations

from dataclasses import dataclass

from memlite.ids import Clock, NewId
from memlite.ports import Decider, Distiller, Embedder, Store
from memlite.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The parts of one opened memory and whose it is.

    Attributes:
        decider: says what becomes of a new memory beside stored ones like it.
        distiller: finds what is worth keeping in a conversation.
        window_chars: how many characters of a conversation the distiller reads at once.
        asks_for_keywords: whether the distiller's keywords are worth a search of their own; rules name words of the text itself.
    """

    store: Store
    embedder: Embedder
    decider: Decider
    distiller: Distiller
    asks_for_keywords: bool
    window_chars: int
    settings: Settings
    clock: Clock
    new_id: NewId
    user_id: str
    agent_id: str | None = None
