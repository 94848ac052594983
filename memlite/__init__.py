"""memlite: long-term memory for AI agents in one SQLite file."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing it from typing would double the cost of `import memlite`
if TYPE_CHECKING:
    from typing import Any

    from memlite.aio import AsyncMemory
    from memlite.errors import (
        BadInput,
        Busy,
        ChatError,
        Conflict,
        Damaged,
        EmbeddingError,
        Erased,
        Expired,
        FileTooNew,
        Full,
        LeaseLost,
        MemliteError,
        ModelMissing,
        ModelNotFound,
        NotFound,
        NotMemlite,
        OldSQLite,
        ReadOnly,
        Refused,
        ReplyError,
        ScopeMissing,
        SpaceMismatch,
        Stale,
        StorageError,
        Timeout,
        Unreachable,
        WrongDimension,
    )
    from memlite.llm.ollama import OllamaChat
    from memlite.llm.openai_compatible import OpenAICompatibleChat
    from memlite.memory import Memory
    from memlite.model import Change, Hit, Parts, Record
    from memlite.ports import Chat, Deadline, Embedder, Encoded, SpaceInfo
    from memlite.settings import Settings

__all__ = [
    "AsyncMemory",
    "BadInput",
    "Busy",
    "Change",
    "Chat",
    "ChatError",
    "Conflict",
    "Damaged",
    "Deadline",
    "Embedder",
    "EmbeddingError",
    "Encoded",
    "Erased",
    "Expired",
    "FileTooNew",
    "Full",
    "Hit",
    "LeaseLost",
    "MemliteError",
    "Memory",
    "ModelMissing",
    "ModelNotFound",
    "NotFound",
    "NotMemlite",
    "OldSQLite",
    "OllamaChat",
    "OpenAICompatibleChat",
    "Parts",
    "ReadOnly",
    "Record",
    "Refused",
    "ReplyError",
    "ScopeMissing",
    "Settings",
    "SpaceInfo",
    "SpaceMismatch",
    "Stale",
    "StorageError",
    "Timeout",
    "Unreachable",
    "WrongDimension",
    "__version__",
]

_HOMES = {
    "aio": ["AsyncMemory"],
    "errors": [
        "BadInput",
        "Busy",
        "ChatError",
        "Conflict",
        "Damaged",
        "EmbeddingError",
        "Erased",
        "Expired",
        "FileTooNew",
        "Full",
        "LeaseLost",
        "MemliteError",
        "ModelMissing",
        "ModelNotFound",
        "NotFound",
        "NotMemlite",
        "OldSQLite",
        "ReadOnly",
        "Refused",
        "ReplyError",
        "ScopeMissing",
        "SpaceMismatch",
        "Stale",
        "StorageError",
        "Timeout",
        "Unreachable",
        "WrongDimension",
    ],
    "llm.ollama": ["OllamaChat"],
    "llm.openai_compatible": ["OpenAICompatibleChat"],
    "memory": ["Memory"],
    "model": ["Change", "Hit", "Parts", "Record"],
    "ports": ["Chat", "Deadline", "Embedder", "Encoded", "SpaceInfo"],
    "settings": ["Settings"],
}


def __getattr__(name: str) -> Any:
    """Public names are loaded at their first use, so that `import memlite` alone costs next to nothing."""
    if name == "__version__":
        return import_module("importlib.metadata").version("memlite")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"memlite.{home}"), name)
    raise AttributeError(f"module 'memlite' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
