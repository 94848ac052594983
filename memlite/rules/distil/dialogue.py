"""What extraction reads and what it gives: the turns of a window, facts and solutions, and a fact on its way there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["user", "assistant", "agent", "tool", "system"]
FactOrigin = Literal["user_stated", "user_confirmed", "agent_inferred", "tool_output"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `occurred_ms`: when it was said, UTC; `name`: who said it, where a role has several speakers."""

    role: Role
    content: str
    occurred_ms: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One lasting statement in the third person.

    Attributes:
        subject: "user" or how the person, thing or project is called.
        confidence: 0 to 1.
        occurred_ms: the date the statement names, else when it was said, else None.
        turns: indices of the turns it rests on, ascending.
    """

    text: str
    subject: str
    origin: FactOrigin
    confidence: float
    occurred_ms: int | None
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """A problem that was solved in the talk, as its user confirmed, and how."""

    problem: str
    solution: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that a window is worth keeping; both tuples in the order of the talk."""

    facts: tuple[Fact, ...]
    solutions: tuple[Solution, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact while the window is read: still in the first person unless `final`.

    Attributes:
        key: which attribute it gives ("residence"), for those that have one value at a time; empty for others.
        turns: indices of the turns it rests on; the last is where it was said.
    """

    text: str
    subject: str
    key: str
    origin: FactOrigin
    turns: tuple[int, ...]
    chinese: bool
    final: bool = False

    @property
    def said_in(self) -> int:
        """The turn in which it was said."""
        return self.turns[-1]
