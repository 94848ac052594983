"""Distilling without a model: the rules as a distiller."""

from __future__ import annotations

from collections.abc import Sequence

from memlite.ports import Deadline, Distilled
from memlite.rules.distil.dialogue import Turn
from memlite.rules.extract import extract
from memlite.rules.importance import importance
from memlite.rules.keywords import keywords


class RuleDistiller:
    """A `Distiller` by rules alone: deterministic, English and Chinese, silent where in doubt.

    It is quick and stops for no deadline once it has begun; every call raises Timeout where none of it is left at the start.
    """

    def extract(self, turns: Sequence[Turn], *, now_ms: int, deadline: Deadline) -> Distilled:
        """Facts and solutions of a window, in the order of the talk. `now_ms` is when turns without a time were said."""
        deadline.left_s()
        return Distilled(extraction=extract(turns, now_ms), source="rules")

    def keywords(self, text: str, *, deadline: Deadline) -> tuple[str, ...]:
        """Up to six terms that a related memory would hold, the most telling first."""
        deadline.left_s()
        return keywords(text)

    def importance(self, texts: Sequence[str], *, deadline: Deadline) -> tuple[float, ...]:
        """A number in [0, 1] for each text."""
        deadline.left_s()
        return tuple(importance(text) for text in texts)
