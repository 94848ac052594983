"""What every use case is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memlite.ids import Clock, NewId
from memlite.ports import Decider, Distiller, Embedder, Store
from memlite.settings import Settings

MAX_WINDOW_CHARS = 80_000
"""Characters of a conversation that are read at once (the mission's limit); half of what a model can read where that is less."""


@dataclass(frozen=True, slots=True)
class Mind:
    """Who decides what becomes of a new memory, and who finds what is worth keeping. Made at the first need.

    Attributes:
        kind: "rules" or "chat"; turns that wait for the one are not read by the other.
        window_chars: how many characters of a conversation the distiller reads at once.
        chat: the model's name; None where rules decide.
        asks_for_keywords: whether the distiller's keywords are worth a search of their own; rules name words of the text itself.
    """

    decider: Callable[[], Decider]
    distiller: Callable[[], Distiller]
    kind: str = "rules"
    window_chars: int = MAX_WINDOW_CHARS
    asks_for_keywords: bool = False
    chat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The parts of one opened memory and whose it is."""

    store: Store
    embedder: Embedder
    mind: Mind
    settings: Settings
    clock: Clock
    new_id: NewId
    user_id: str
    agent_id: str | None = None


def rules_decide() -> Decider:
    """The decider that needs no model."""
    from memlite.engine.deciders import RuleDecider  # noqa: PLC0415 - its patterns are slow to compile, and a search needs none

    return RuleDecider()


def rules_distil() -> Distiller:
    """The distiller that needs no model."""
    from memlite.engine.distil import RuleDistiller  # noqa: PLC0415 - as above

    return RuleDistiller()
