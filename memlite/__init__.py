"""memlite: long-term memory for AI agents in one SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlite.errors import (
    BadInput,
    Busy,
    Conflict,
    Damaged,
    EmbeddingError,
    Erased,
    Expired,
    FileTooNew,
    Full,
    MemliteError,
    ModelMissing,
    NotFound,
    NotMemlite,
    OldSQLite,
    ReadOnly,
    ScopeMissing,
    SpaceMismatch,
    Stale,
    StorageError,
    WrongDimension,
)
from memlite.model import Change, Hit, Parts, Record
from memlite.ports import Embedder, Encoded, SpaceInfo
from memlite.settings import Settings

if TYPE_CHECKING:
    from memlite.aio import AsyncMemory
    from memlite.memory import Memory

__all__ = [
    "AsyncMemory",
    "BadInput",
    "Busy",
    "Change",
    "Conflict",
    "Damaged",
    "Embedder",
    "EmbeddingError",
    "Encoded",
    "Erased",
    "Expired",
    "FileTooNew",
    "Full",
    "Hit",
    "MemliteError",
    "Memory",
    "ModelMissing",
    "NotFound",
    "NotMemlite",
    "OldSQLite",
    "Parts",
    "ReadOnly",
    "Record",
    "ScopeMissing",
    "Settings",
    "SpaceInfo",
    "SpaceMismatch",
    "Stale",
    "StorageError",
    "WrongDimension",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """`Memory`, `AsyncMemory` and `__version__` are loaded at their first use: `import memlite` alone costs milliseconds."""
    if name == "Memory":
        from memlite.memory import Memory  # noqa: PLC0415

        return Memory
    if name == "AsyncMemory":
        from memlite.aio import AsyncMemory  # noqa: PLC0415

        return AsyncMemory
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("memlite")
    raise AttributeError(f"module 'memlite' has no attribute {name!r}")
