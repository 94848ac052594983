"""Facts, solutions, keywords and importance by a chat model. What it adds to the talk is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from memlite.errors import ReplyError
from memlite.llm.budget import check_message
from memlite.llm.prompts import Prompt, Prompts, quoted
from memlite.llm.replies import A, Answer, at_most, parse, schema_of
from memlite.llm.source_turns import Sources
from memlite.ports import Chat, Deadline, Distilled
from memlite.rules.distil.dialogue import Extraction, Fact, Solution, Turn
from memlite.rules.extract import CONFIDENCE
from memlite.rules.grounding import mentions
from memlite.rules.text import tidied

T = TypeVar("T")

MOST_KEYWORDS = 6
MOST_LEVELS = 50

_STEP_NUMBER = re.compile(r"(?<![\w.])\d{1,2}[.)、](?=[\s\u4e00-\u9fff])")

_Turns = Annotated[list[int], at_most(100, asked=8)]


class _Fact(Answer):
    text: Annotated[str, at_most(1_000, asked=400)]
    subject: Annotated[str, at_most(200, asked=60)]
    turns: _Turns


class _Facts(Answer):
    facts: Annotated[list[_Fact], at_most(100, asked=24)]


class _Solution(Answer):
    problem: Annotated[str, at_most(2_000, asked=500)]
    solution: Annotated[str, at_most(8_000, asked=1_500)]
    turns: _Turns


class _Solutions(Answer):
    solutions: Annotated[list[_Solution], at_most(20, asked=4)]


class _Keywords(Answer):
    keywords: Annotated[list[Annotated[str, at_most(200, asked=40)]], at_most(30, asked=MOST_KEYWORDS)]


class _Levels(Answer):
    levels: Annotated[list[Annotated[int, Field(ge=0, le=10)]], at_most(MOST_LEVELS)]


class LLMDistiller:
    """A `Distiller` that asks a chat model."""

    def __init__(self, chat: Chat, prompts: Prompts | None = None) -> None:
        self._chat = chat
        self._prompts = prompts or Prompts()

    def extract(self, turns: Sequence[Turn], *, now_ms: int, deadline: Deadline) -> Distilled:
        """Facts and solutions of a window. One is dropped where a name or number in it stands in none of the turns it names.

        Args:
            turns: oldest first; together they must fit `Chat.max_chars`.
            now_ms: when the talk was, for turns that have no time of their own.

        Raises:
            ChatError: no answer came, or the turns are too many for the model.
            ReplyError: the answer is not of the form asked for.
        """
        if not turns:
            return Distilled(extraction=Extraction((), ()), source=self._chat.name)
        lines = "\n".join(quoted(_shown(number, turn)) for number, turn in enumerate(turns, 1))
        fragments, solutions = self._prompts["extract_fragments"], self._prompts["extract_solutions"]
        first_reply, found = self._asked(fragments, _Facts, deadline, turns=lines)
        second_reply, solved = self._asked(solutions, _Solutions, deadline, turns=lines)
        sources = Sources(turns, now_ms)
        extraction = Extraction(
            _once(_facts(found, sources, fragments), lambda fact: fact.text),
            _once(_solutions(solved, sources, solutions), lambda solution: solution.problem + solution.solution),
        )
        return Distilled(
            extraction=extraction,
            source=self._chat.name,
            prompts=(fragments.label, solutions.label),
            replies=(first_reply, second_reply),
        )

    def keywords(self, text: str, *, deadline: Deadline) -> tuple[str, ...]:
        """Up to six terms, each once whatever its case, none from the prompt's examples. Raises ChatError."""
        prompt = self._prompts["keywords"]
        _, answer = self._asked(prompt, _Keywords, deadline, memory=quoted({"text": text}))
        kept: dict[str, str] = {}
        for term in map(_line, answer.keywords):
            if term and not prompt.copied(term, [text]):
                kept.setdefault(term.casefold(), term)
        return tuple(kept.values())[:MOST_KEYWORDS]

    def importance(self, texts: Sequence[str], *, deadline: Deadline) -> tuple[float, ...]:
        """A number in [0, 1] for each text, in steps of a tenth; at most 50 texts a question. Raises ChatError."""
        found: list[float] = []
        for start in range(0, len(texts), MOST_LEVELS):
            found += self._levels(texts[start : start + MOST_LEVELS], deadline)
        return tuple(found)

    def _levels(self, texts: Sequence[str], deadline: Deadline) -> list[float]:
        lines = "\n".join(quoted({"memory": number, "text": text}) for number, text in enumerate(texts, 1))
        _, answer = self._asked(self._prompts["importance"], _Levels, deadline, memories=lines, count=str(len(texts)))
        if len(answer.levels) != len(texts):
            raise ReplyError(f"the answer has {len(answer.levels)} levels for {len(texts)} memories")
        return [level / 10 for level in answer.levels]

    def _asked(self, prompt: Prompt, model: type[A], deadline: Deadline, **values: str) -> tuple[str, A]:
        """(the reply as it came, the answer in it)."""
        message = prompt.filled(**values)
        check_message(self._chat.name, message, self._chat.max_chars)
        reply = self._chat.ask(prompt.system, message, schema=schema_of(model), deadline=deadline)
        return reply, parse(reply, model)


def _shown(number: int, turn: Turn) -> dict[str, object]:
    named = {} if turn.name is None else {"name": turn.name}
    return {"turn": number, "role": turn.role, **named, "text": turn.content}


def _facts(answer: _Facts, sources: Sources, prompt: Prompt) -> Iterator[Fact]:
    for item in answer.facts:
        text, subject = _line(item.text), _line(item.subject) or "user"
        turns = sources.bearing(text, sources.cited(item.turns))
        if not text or not turns or prompt.copied(text, sources.texts(turns)):
            continue
        if subject.casefold() in ("user", "the user", "用户"):
            subject = "user"
        elif not mentions(text, [subject]) and not mentions("\n".join(sources.texts(turns)), [subject]):
            continue
        origin = sources.origin(text, turns)
        told, occurred_ms = sources.dated(text, turns)
        yield Fact(told, subject, origin, CONFIDENCE[origin], occurred_ms, turns)


def _solutions(answer: _Solutions, sources: Sources, prompt: Prompt) -> Iterator[Solution]:
    for item in answer.solutions:
        problem, solution = tidied(item.problem), tidied(item.solution)
        both = f"{problem}\n{_STEP_NUMBER.sub('', solution)}"
        turns = sources.bearing(both, sources.cited(item.turns))
        if problem and solution and turns and not prompt.copied(both, sources.texts(turns)):
            yield Solution(problem, solution, turns)


def _line(text: str) -> str:
    return " ".join(tidied(text).split())


def _once(items: Iterable[T], text: Callable[[T], str]) -> tuple[T, ...]:
    """The first of those with the same text, whatever its case: small models repeat themselves."""
    kept: dict[str, T] = {}
    for item in items:
        kept.setdefault(text(item).casefold(), item)
    return tuple(kept.values())
