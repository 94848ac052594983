"""What every use case is given."""

from __future__ import annotations

from dataclasses import dataclass

from memlite.ids import Clock, NewId
from memlite.ports import Embedder, Store
from memlite.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The parts of one opened memory and whose it is."""

    store: Store
    embedder: Embedder
    settings: Settings
    clock: Clock
    new_id: NewId
    user_id: str
    agent_id: str | None = None
