"""What a user may have an opinion on. Everything else is a constant beside the code that needs it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memlite.errors import BadInput, shown


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
        decision_seconds: how long all model calls about one memory may take together, .1..3600; then it is stored as it came.
        secrets: what happens to passwords, keys and the like in a text: "redact" puts `[secret:kind]` in their place, "refuse"
            raises Refused, "allow" stores them.
        pii: the same for card and identity numbers, phones, private addresses and the like; "flag" stores them and notes it.
        prompts: folder of prompt files that take the place of memlite's own of the same name; None = its own.
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
    decision_seconds: float = 60.0
    secrets: Literal["redact", "refuse", "allow"] = "redact"
    pii: Literal["flag", "redact", "refuse", "allow"] = "flag"
    prompts: Path | None = None
    touch_seconds: float = 5.0

    def __post_init__(self) -> None:
        if self.durability not in ("full", "normal"):
            raise BadInput(f"durability is {self.durability!r}: give 'full' or 'normal'")
        _whole("cache_mb", self.cache_mb, 1, 4096)
        _whole("busy_ms", self.busy_ms, 0, 600_000)
        _whole("max_text_bytes", self.max_text_bytes, 1, 16 * 1024 * 1024)
        _whole("threads", self.threads, 1, 64)
        _within("decision_seconds", self.decision_seconds, 0.1, 3600)
        _within("touch_seconds", self.touch_seconds, 0, 3600)
        if self.secrets not in ("redact", "refuse", "allow"):
            raise BadInput(f"secrets is {shown(self.secrets)}: give 'redact', 'refuse' or 'allow'")
        if self.pii not in ("flag", "redact", "refuse", "allow"):
            raise BadInput(f"pii is {shown(self.pii)}: give 'flag', 'redact', 'refuse' or 'allow'")
        _named("preset", self.preset)
        for name in ("model_path", "prompts"):
            folder = getattr(self, name)
            if folder is not None:
                if not isinstance(folder, (str, os.PathLike)):
                    raise BadInput(f"{name} is {type(folder).__name__}: give a folder")
                object.__setattr__(self, name, Path(folder))
        if self.history_days is not None:
            _within("history_days", self.history_days, 0, 36_500)


def _named(name: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise BadInput(f"{name} is {shown(value)}: give a name")


def _whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int):
        raise BadInput(f"{name} is {shown(value)}: give a whole number from {low} to {high}")
    _within(name, value, low, high)


def _within(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise BadInput(f"{name} is {shown(value)}: give a number from {low} to {high}")
