"""What a decision about a new memory is made of: the memories it was offered, and the ruling that came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from memlite.model import NO_METADATA, Record

Action = Literal["merge", "replace", "update", "keep_separate", "skip"]

ACTIONS: tuple[Action, ...] = ("merge", "replace", "update", "keep_separate", "skip")
"""merge: remove the targets, store one combined text. replace: remove the targets, store the new text. update: rewrite the
one target, store nothing else. keep_separate and skip: store the new text as it came, touch nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A stored memory that a decision may name.

    Attributes:
        alias: the number it is offered under, from 1; deciders never see ids.
        record: the memory as it was when it was offered; its version is checked again when the decision is carried out.
        relevance: (1 + cosine) / 2 of both texts in [0, 1]; None where no space covers both.
        coverage: share of the new text's idf mass found in the memory, in [0, 1].
    """

    alias: int
    record: Record
    relevance: float | None
    coverage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a decider wants done. Nothing in it is trusted before `rules.consolidate.plan` has looked at it.

    Attributes:
        targets: aliases to remove or rewrite.
        text: the text to store; None where the action needs none, or means the new text as it came.
        reasoning: kept as a payload of the audit, never as metadata.
        metadata: proposed for the result; protected keys are dropped.
    """

    action: Action
    targets: tuple[int, ...] = ()
    text: str | None = None
    reasoning: str = ""
    metadata: Mapping[str, Any] = field(default_factory=lambda: NO_METADATA)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A decision and where it came from, for the audit.

    Attributes:
        decider: "rules", "simple", or a model's name such as "ollama:qwen2.5:7b".
        prompt: name and version of the prompt, such as "consolidate 1"; None without a model.
        prompt_sha256: hex digest of the prompt's template; None without a model.
        reply: what the model answered, as it came; None without a model.
    """

    decision: Decision
    decider: str
    prompt: str | None = None
    prompt_sha256: str | None = None
    reply: str | None = None
