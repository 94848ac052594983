"""What the demo does: it stores a conversation, takes one decision back, and asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from memlite.apps.terminal.decided import traced
from memlite.errors import BadInput, ChatError
from memlite.ports import Chat, Deadline

if TYPE_CHECKING:
    from memlite.memory import Memory

SHOWN = 3
"""How many of what is found for a question are shown; an answer further down counts as not found."""

_ANSWER_S = 60
_ASKED = {"type": "object", "properties": {"ready": {"type": "boolean"}}, "required": ["ready"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of one text that was found in the conversation.

    Attributes:
        action: as the audit names it; none where the text was stored already.
        before: the texts it replaced or rewrote, by id, as they were told when they were stored.
        memory: the text as it was stored.
        area: fragments or solutions.
    """

    memory_id: str
    change_id: str
    event: str
    action: str
    why: str
    memory: str
    area: str
    before: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A decision that was undone and redone.

    Attributes:
        texts: of the memories it had touched, after the undo; None = not there.
        compared: how many memories the whole store was compared by.
        restored: after the undo every text of the store was what it was before the decision.
        redone: after the redo every text was what it was before the undo.
    """

    decision: Decision
    texts: dict[str, str | None]
    compared: int
    restored: bool
    redone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was found for one question.

    Attributes:
        expects: a text that the right memory contains.
        rank: where that memory came, from 1; None = not among the first three.
        found: turn, fact or solution: what the memory at that rank is.
        hits: the first three, as `Memory.search` gives them.
    """

    question: str
    expects: str
    rank: int | None
    found: str | None
    hits: list[dict[str, Any]]


def chat_from(environment: Mapping[str, str]) -> tuple[Chat | None, str | None]:
    """(the model that MEMLITE_CHAT names, if it answers; why it is not used, if it does not).

    Raises:
        BadInput: MEMLITE_CHAT names none.
    """
    named = environment.get("MEMLITE_CHAT")
    if not named:
        return None, None
    server, _, model = named.partition(":")
    if server != "ollama" or not model:
        raise BadInput(f"MEMLITE_CHAT is {named!r}: give ollama: and a model, such as ollama:qwen2.5:7b, or unset it")
    from memlite import OllamaChat  # noqa: PLC0415 - only where a model is asked for

    chat = OllamaChat(model)
    try:
        chat.ask("Answer in JSON.", "Are you ready?", schema=_ASKED, deadline=Deadline(_ANSWER_S))
    except ChatError as error:
        return None, str(error)
    return chat, None


def store(
    memory: Memory, turns: Iterable[Mapping[str, Any]], advance: Callable[[int], None]
) -> tuple[list[Decision], str | None]:
    """(what became of each text found in the turns, stored session by session; why some were not read, if so)."""
    known: dict[str, str] = {}
    decisions: list[Decision] = []
    failed = None
    for session_id, group in groupby(turns, key=lambda turn: turn["session"]):
        said = [{name: turn[name] for name in ("role", "content", "timestamp")} for turn in group]
        data = memory.add(said, session_id=session_id)
        rows = traced(memory, data)[len(data["turns"]) :]
        for change_id, touched in groupby(rows, key=lambda row: row["change_id"]):
            decisions.append(_decision(memory, change_id, list(touched), known))
        failed = data["failed"] or failed
        advance(len(said))
    return decisions, failed


def _decision(memory: Memory, change_id: str, rows: list[dict[str, Any]], known: dict[str, str]) -> Decision:
    new, *gone = rows
    touched = [row["id"] for row in (gone if new["event"] == "ADD" else [new])]
    before = {memory_id: known[memory_id] for memory_id in touched if new["event"] != "NONE"}
    known[new["id"]] = new["memory"]
    return Decision(
        memory_id=new["id"],
        change_id=change_id,
        event=new["event"],
        action=new["action"] or "none",
        why=new["why"],
        memory=new["memory"],
        area=_area(memory, new["id"]),
        before=before,
    )


def _area(memory: Memory, memory_id: str) -> str:
    area: str = memory.get(memory_id)["area"]
    return area


def take_back(memory: Memory, decisions: list[Decision]) -> TakenBack | None:
    """Undoes the last decision that changed something, compares the whole store, and makes it again; None where none did."""
    decision = next((one for one in reversed(decisions) if one.before), None)
    if decision is None:
        return None
    held = _texts(memory)
    memory.undo(decision.change_id)
    undone = _texts(memory)
    memory.redo(decision.change_id)
    expected = {memory_id: text for memory_id, text in held.items() if memory_id != decision.memory_id} | decision.before
    return TakenBack(
        decision=decision,
        texts={memory_id: undone.get(memory_id) for memory_id in (*decision.before, decision.memory_id)},
        compared=len(undone),
        restored=undone == expected,
        redone=_texts(memory) == held,
    )


def _texts(memory: Memory) -> dict[str, str]:
    found: dict[str, str] = {}
    cursor = None
    while True:
        page = memory.get_all(limit=1_000, status="any", cursor=cursor)
        found |= {one["id"]: one["memory"] for one in page["results"]}
        cursor = page["cursor"]
        if cursor is None:
            return found


def ask(memory: Memory, question: str, expects: str, fact: str | None) -> Answer:
    """The answer to a question: a memory that says `expects`, or `fact`, which is how a distilled one says it."""
    hits = memory.search(question, limit=SHOWN, touch=False)["results"]
    said = [text for text in (expects, fact) if text is not None]
    right = [(rank, hit, text) for rank, hit in enumerate(hits, start=1) for text in said if text in hit["memory"]]
    if not right:
        return Answer(question=question, expects=expects, rank=None, found=None, hits=hits)
    rank, hit, text = right[0]
    return Answer(question=question, expects=text, rank=rank, found=what(hit), hits=hits)


def what(hit: Mapping[str, Any]) -> str:
    """What a memory is: turn, fact or solution."""
    if hit["granularity"] == "turn":
        return "turn"
    return "solution" if hit["area"] == "solutions" else "fact"
