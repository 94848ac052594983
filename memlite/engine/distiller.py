"""The distiller that needs no model."""

from __future__ import annotations

from collections.abc import Sequence

from memlite.ports import Deadline, Distilled
from memlite.rules.distil.dialogue import Turn
from memlite.rules.extract import extract
from memlite.rules.importance import importance
from memlite.rules.keywords import keywords


class RuleDistiller:
    """Finds facts and solutions by deterministic rules, English and Chinese, that prefer silence over junk."""

    def extract(self, turns: Sequence[Turn], *, now_ms: int, deadline: Deadline) -> Distilled:  # noqa: ARG002 - the port's
        """What the rules find; never fails."""
        return Distilled(extraction=extract(turns, now_ms), source="rules")

    def keywords(self, text: str, *, deadline: Deadline) -> tuple[str, ...]:  # noqa: ARG002 - the port's
        """Up to six terms."""
        return keywords(text)

    def importance(self, texts: Sequence[str], *, deadline: Deadline) -> tuple[float, ...]:  # noqa: ARG002 - the port's
        """A number in [0, 1] for each text."""
        return tuple(importance(text) for text in texts)
