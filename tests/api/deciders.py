"""Deciders that say what a test tells them, and an embedder that puts each text at an angle of its own."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from memlite import Encoded, Memory, Record, SpaceInfo
from memlite.engine.kit import Mind, rules_distil
from memlite.ports import Deadline, Decider, Distiller
from memlite.rules.decision import Candidate, Decision, Ruling

Answer = Decision | BaseException | Callable[[Record, Sequence[Candidate]], Decision]


class Scripted:
    """A decider that gives its answers in turn, the last again and again. An error is raised, a function asked.

    Attributes:
        asked: (new memory, offered memories) of each question.
    """

    def __init__(self, *answers: Answer, reply: str | None = None) -> None:
        self.asked: list[tuple[Record, tuple[Candidate, ...]]] = []
        self._answers = list(answers)
        self._reply = reply

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        self.asked.append((new, tuple(offered)))
        if isinstance(answer, BaseException):
            raise answer
        decision = answer if isinstance(answer, Decision) else answer(new, offered)
        return Ruling(decision=decision, decider="scripted", reply=self._reply)

    @property
    def offered(self) -> list[str]:
        """The texts it was offered last, in order; empty where it was not asked."""
        return [candidate.record.content for candidate in self.asked[-1][1]] if self.asked else []


def deciding(memory: Memory, decider: Decider, *, distiller: Distiller | None = None) -> Memory:
    """The store with another decider; with a distiller, its keywords are searched for as well."""
    mind = Mind(lambda: decider, rules_distil)
    if distiller is not None:
        mind = Mind(lambda: decider, lambda: distiller, asks_for_keywords=True)
    memory._kit = dataclasses.replace(memory._kit, mind=mind)
    return memory


def keep() -> Decision:
    return Decision(action="keep_separate")


def skip() -> Decision:
    return Decision(action="skip")


def merge(text: str | None, *targets: Any, **more: Any) -> Decision:
    return Decision(action="merge", targets=targets or (1,), text=text, **more)


def replace(*targets: Any, **more: Any) -> Decision:
    return Decision(action="replace", targets=targets or (1,), **more)


def update(text: str | None, *targets: Any, **more: Any) -> Decision:
    return Decision(action="update", targets=targets or (1,), text=text, **more)


class Angles:
    """An embedder whose vectors lie in one plane, each text at its angle; unknown texts at 0.

    Args:
        degrees: the angle of a text; None leaves it without a vector.
    """

    def __init__(self, degrees: Mapping[str, float | None] | None = None) -> None:
        digest = hashlib.sha256(b"angles").hexdigest()
        self.info = SpaceInfo(model="angles", dimension=8, model_sha256=digest, tokenizer_sha256=digest[::-1], max_tokens=50)
        self.degrees = dict(degrees or {})

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._encoded(self.degrees.get(text, 0.0)) for text in texts]

    def _encoded(self, degrees: float | None) -> Encoded:
        if degrees is None:
            return Encoded(vector=None, unknown_share=1.0)
        vector = np.zeros(self.info.dimension, np.float64)
        vector[0], vector[1] = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return Encoded(vector=vector.astype(np.float32))


def apart(relevance: float) -> float:
    """How many degrees lie between two texts of this relevance."""
    return math.degrees(math.acos(2 * relevance - 1))
