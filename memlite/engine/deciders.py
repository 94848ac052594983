"""Deciders that need no model."""

from __future__ import annotations

from collections.abc import Sequence

from memlite.model import Record
from memlite.ports import Deadline
from memlite.rules import decide
from memlite.rules.decision import Candidate, Ruling


class RuleDecider:
    """Decides by rules that read both texts, English and Chinese; silent where nothing is certain."""

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:  # noqa: ARG002 - the port's
        """A ruling; never fails."""
        return Ruling(decision=decide.by_rules(new, offered), decider="rules")


class SimpleDecider:
    """Replaces what is nearly the same, whatever it says: the mission's mode without consolidation."""

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:  # noqa: ARG002 - the port's
        """A ruling; never fails."""
        return Ruling(decision=decide.by_likeness(new, offered), decider="simple")
