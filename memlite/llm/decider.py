"""Decisions about new memories by a chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from memlite.errors import ReplyError
from memlite.llm.budget import check_message
from memlite.llm.prompts import Prompts, quoted
from memlite.llm.replies import Answer, at_most, parse, schema_of
from memlite.model import Record, iso
from memlite.ports import Chat, Deadline
from memlite.rules.decision import Action, Candidate, Decision, Ruling
from memlite.rules.grounding import ungrounded
from memlite.rules.text import tidied


def _plainly(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


class _Verdict(Answer):
    """What is asked for, in this order: a model that has to give its reasons first decides better."""

    reasoning: Annotated[str, at_most(4_000, asked=500)]
    action: Annotated[Action, BeforeValidator(_plainly)]
    targets: Annotated[list[int], at_most(50, asked=8)]
    text: Annotated[str, at_most(20_000)]
    tags: Annotated[list[Annotated[str, at_most(100, asked=30)]], at_most(20, asked=3)] = Field(default_factory=list)


_WRITES = ("merge", "replace", "update")
_SCHEMA = schema_of(_Verdict)


class LLMDecider:
    """A `Decider` that asks a chat model."""

    def __init__(self, chat: Chat, prompts: Prompts | None = None) -> None:
        self._chat = chat
        self._prompt = (prompts or Prompts())["consolidate"]

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:
        """What the model wants done, as it said it: aliases that were not offered are passed on for the plan to reject.

        Raises:
            ChatError: no answer came.
            ReplyError: it is not of the form asked for, names another action, or its text has a name or number that no memory
                it was shown has.
        """
        message = self._prompt.filled(
            new_memory=quoted(_shown(new)),
            stored_memories="\n".join(quoted(_offer(candidate)) for candidate in offered),
        )
        check_message(self._chat.name, message, self._chat.max_chars)
        reply = self._chat.ask(self._prompt.system, message, schema=_SCHEMA, deadline=deadline)
        verdict = parse(reply, _Verdict)
        records = [new, *(candidate.record for candidate in offered)]
        sources = [record.content for record in records]
        text = tidied(verdict.text) if verdict.action in _WRITES else ""
        undated = _without(text, [_date(record) for record in records])
        if added := {*self._prompt.copied(text, sources), *ungrounded(undated, sources)}:
            raise ReplyError(f"the answer's text has {len(added)} names or numbers that no memory it was shown has")
        decision = Decision(
            action=verdict.action,
            targets=tuple(verdict.targets),
            text=text or None,
            reasoning=tidied(verdict.reasoning),
            metadata=self._metadata(verdict.tags, sources),
        )
        return Ruling(
            decision=decision,
            decider=self._chat.name,
            prompt=self._prompt.label,
            prompt_sha256=self._prompt.sha256,
            reply=reply,
        )

    def _metadata(self, tags: Sequence[str], sources: Sequence[str]) -> Mapping[str, Any]:
        """The tags that no example lent, if any; a tag is a label, so it needs not stand in a memory."""
        kept = [tag for tag in map(tidied, tags) if tag and not self._prompt.copied(tag, sources)]
        return {"tags": list(dict.fromkeys(kept))} if kept else {}


def _shown(record: Record) -> dict[str, Any]:
    return {"date": _date(record), "origin": record.origin, "text": record.content}


def _offer(candidate: Candidate) -> dict[str, Any]:
    relevance = "unknown" if candidate.relevance is None else round(candidate.relevance, 2)
    shown = _shown(candidate.record)
    return {"alias": candidate.alias, "date": shown["date"], "relevance": relevance, **shown}


def _without(text: str, dates: Sequence[str]) -> str:
    """The text without the dates that were shown beside the memories: these it may tell, their day is no number of cats."""
    for date in dates:
        text = text.replace(date, "")
    return text


def _date(record: Record) -> str:
    return (iso(record.occurred_ms) or "")[:10]
