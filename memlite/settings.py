"""What a user may have an opinion on. Everything else is a constant beside the code that needs it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memlite.errors import BadInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Choices of one store. The defaults favour safety.

    Attributes:
        durability: "full" syncs each change to the disk before it returns; "normal" can lose the last changes at a power
            cut (never at a crash of the process) and saves one sync a change.
        cache_mb: page cache of each connection, in MiB, 1..4096.
        busy_ms: how long a change waits for another writer, in milliseconds, 0..600,000.
        max_text_bytes: size cap of one memory's text in UTF-8 bytes, 1..16,777,216.
        model_path: folder of an ONNX sentence model (`model.onnx` and `tokenizer.json`); None = the MiniLM of the package.
        threads: ONNX threads, 1..64. One is fastest on a busy machine.
        preset: scoring preset of a search that names none.
        history_days: age at which `compact()` drops the texts kept for undo; None = never.
        touch_seconds: how long refreshed access times may wait in memory before they are written, 0..3600.
    """

    durability: Literal["full", "normal"] = "full"
    cache_mb: int = 64
    busy_ms: int = 30_000
    max_text_bytes: int = 65_536
    model_path: Path | None = None
    threads: int = 1
    preset: str = "balanced"
    history_days: float | None = None
    touch_seconds: float = 5.0

    def __post_init__(self) -> None:
        if self.durability not in ("full", "normal"):
            raise BadInput(f"durability is {self.durability!r}: give 'full' or 'normal'")
        _within("cache_mb", self.cache_mb, 1, 4096)
        _within("busy_ms", self.busy_ms, 0, 600_000)
        _within("max_text_bytes", self.max_text_bytes, 1, 16 * 1024 * 1024)
        _within("threads", self.threads, 1, 64)
        _within("touch_seconds", self.touch_seconds, 0, 3600)
        if self.history_days is not None:
            _within("history_days", self.history_days, 0, 36_500)


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise BadInput(f"{name} is {value}: give a number from {low} to {high}")
