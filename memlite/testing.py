"""Doubles for tests of your own: a chat model and a decider that answer what they are told, and remember what they were asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memlite.model import Record
from memlite.ports import Deadline
from memlite.rules.decision import Candidate, Decision, Ruling

__all__ = ["Asked", "ScriptedChat", "ScriptedDecider"]

ChatReply = str | Exception | Callable[[str, str], str]
Verdict = Decision | Ruling | Exception | Callable[[Record, Sequence[Candidate]], Decision | Ruling]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question a ScriptedChat got; `left_s`: the seconds that were left for it."""

    system: str
    message: str
    schema: Mapping[str, Any]
    left_s: float


class ScriptedChat:
    """A `Chat` that gives prepared replies, one a question, in order.

    >>> chat = ScriptedChat(['{"facts": []}'])
    >>> chat.ask("system", "message", schema={}, deadline=Deadline(60))
    '{"facts": []}'
    >>> chat.calls[0].message
    'message'

    Args:
        replies: texts to give, exceptions to raise, or functions of (system, message) that do either.
        name: as the audit calls it.
        max_chars: most characters of a message it says it takes.
    """

    def __init__(self, replies: Iterable[ChatReply] = (), *, name: str = "scripted", max_chars: int = 80_000) -> None:
        self.calls: list[Asked] = []
        self._replies = list(replies)
        self._name = name
        self._max_chars = max_chars

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    @property
    def max_chars(self) -> int:
        """As it was given."""
        return self._max_chars

    def ask(self, system: str, message: str, *, schema: Mapping[str, Any], deadline: Deadline) -> str:
        """The next reply.

        Raises:
            AssertionError: more was asked than replies were prepared.
            Timeout: the deadline has passed.
        """
        self.calls.append(Asked(system, message, schema, deadline.left_s()))
        reply = _next(self._replies, len(self.calls))
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, str) else reply(system, message)


class ScriptedDecider:
    """A `Decider` that gives prepared rulings, one a new memory, in order.

    Args:
        verdicts: decisions or rulings to give, exceptions to raise, or functions of (new, offered) that do either.
        name: the decider that a bare decision is said to come from.
    """

    def __init__(self, verdicts: Iterable[Verdict] = (), *, name: str = "scripted") -> None:
        self.calls: list[tuple[Record, tuple[Candidate, ...]]] = []
        self._verdicts = list(verdicts)
        self._name = name

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:
        """The next ruling.

        Raises:
            AssertionError: more was asked than rulings were prepared.
            Timeout: the deadline has passed.
        """
        deadline.left_s()
        self.calls.append((new, tuple(offered)))
        verdict = _next(self._verdicts, len(self.calls))
        if isinstance(verdict, Exception):
            raise verdict
        if callable(verdict):
            verdict = verdict(new, offered)
        return Ruling(decision=verdict, decider=self._name) if isinstance(verdict, Decision) else verdict


def _next(prepared: list[Any], calls: int) -> Any:
    if not prepared:
        raise AssertionError(f"question {calls} was one more than was prepared for")
    return prepared.pop(0)
