"""What the rules make of one new text beside one stored text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["same", "richer", "poorer", "changed", "withdrawn", "grown"]
"""same: the same fact. richer: the new text says all of the old one and more. poorer: the old text says all of the new one.
changed: another value for the same thing. withdrawn: the new text takes something back. grown: one more of a list."""


@dataclass(frozen=True, slots=True)
class Move:
    """How the new text relates to the old one.

    Attributes:
        text: what to store in their place.
        weight: how much they have in common; the move with the most is made.
        why: said in the audit.
    """

    relation: Relation
    text: str
    weight: float
    why: str
