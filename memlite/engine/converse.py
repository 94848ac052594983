"""Conversations: their turns as they were said, and the lasting facts and solved problems found in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memlite.engine import save, verbatim
from memlite.engine.kit import Kit
from memlite.engine.options import Options
from memlite.engine.save import Key
from memlite.errors import ChatError
from memlite.model import Record
from memlite.ports import Deadline, Distilled
from memlite.rules import keywords, quality, text
from memlite.rules.distil.dialogue import Fact, Solution, Turn
from memlite.rules.inputs import Message

OVERLAP = 2
"""Turns before a window that it is read with; what rests on them alone was found before."""

_ROLES = {"user": "user", "assistant": "assistant", "agent": "agent", "tool": "tool", "system": "system"}


def converse(kit: Kit, chosen: Options, messages: Sequence[Message]) -> dict[str, Any]:
    """Stores the turns, then what is worth keeping of them. The envelope of `Memory.add`, with the ids of the `turns`.

    Turns that a session already ends with are not stored or read again: clients send their whole history each time.
    """
    seen = _already_told(kit, chosen, messages)
    fresh = list(messages[seen:])
    envelope: dict[str, Any] = {"results": [], "change_id": None, "change_ids": [], "turns": [], "failed": None}
    if not fresh:
        return envelope
    said = verbatim.verbatim(kit, chosen, fresh)
    envelope["turns"] = [result["id"] for result in said["results"]]
    envelope["change_ids"] = list(said["change_ids"])
    if said.get("repeated"):
        envelope["repeated"] = True
    turns = [turn for turn in kit.store.get(chosen.user_id, envelope["turns"]) if turn.status == "active"]
    if turns:
        distil(kit, chosen, turns, _before(kit, turns), envelope)
    envelope["change_id"] = envelope["change_ids"][-1]
    return envelope


def _already_told(kit: Kit, chosen: Options, messages: Sequence[Message]) -> int:
    """How many of the first messages the session ends with already."""
    if chosen.session_id is None:
        return 0
    last = kit.store.last_turns(chosen.user_id, chosen.session_id, len(messages))
    told = [(record.role, record.content_hash) for record in last]
    asked = [(message.role, text.content_hash(message.text).hex()) for message in messages]
    return next((n for n in range(min(len(told), len(asked)), 0, -1) if told[-n:] == asked[:n]), 0)


def _before(kit: Kit, turns: Sequence[Record]) -> list[Record]:
    """The turns of the session right before these."""
    first = turns[0]
    if first.session_id is None or first.seq is None:
        return []
    last = kit.store.last_turns(first.user_id, first.session_id, len(turns) + OVERLAP)
    return [record for record in last if record.seq is not None and record.seq < first.seq][-OVERLAP:]


@dataclass(slots=True)
class _Findings:
    """What one window gave, and what of it was refused."""

    window: list[Record]
    distilled: Distilled
    refused: list[tuple[str, str, str]]
    """(id of a turn, code, text)"""


def distil(kit: Kit, chosen: Options, turns: Sequence[Record], before: Sequence[Record], envelope: dict[str, Any]) -> None:
    """Reads turns window by window, oldest first, and stores what is worth keeping. Fills the envelope.

    A window the model fails on is left; its turns are stored as they are, and `failed` says why.
    """
    limit = kit.mind.window_chars
    for window, context in _windows(turns, before, limit):
        deadline = Deadline(kit.settings.decision_seconds)
        try:
            distilled = kit.mind.distiller().extract(
                [_turn(r) for r in (*context, *window)], now_ms=kit.clock(), deadline=deadline
            )
        except ChatError as error:
            envelope["failed"] = str(error)
            envelope["change_ids"].append(_noted(kit, chosen, window, f"not_distilled_{type(error).__name__.lower()}"))
            continue
        findings = _Findings([*context, *window], distilled, [])
        stored = [*_facts(kit, chosen, findings, len(context)), *_solutions(kit, chosen, findings, len(context))]
        envelope["results"] += [result for each in stored for result in each["results"]]
        envelope["change_ids"] += [each["change_id"] for each in stored]
        envelope["change_ids"].append(_recorded(kit, chosen, window, findings))


def _windows(turns: Sequence[Record], before: Sequence[Record], limit: int) -> Iterator[tuple[list[Record], list[Record]]]:
    """(turns to read, turns before them) in pieces of at most `limit` characters; a longer turn is a piece of its own."""
    context, window, size = list(before), list[Record](), 0
    for turn in turns:
        if window and size + len(turn.content) > limit:
            yield window, context
            context, window, size = window[-OVERLAP:], [], 0
        window.append(turn)
        size += len(turn.content)
    if window:
        yield window, context


def _turn(record: Record) -> Turn:
    role = _ROLES.get(record.role or "user", "user")
    return Turn(role, record.content, record.occurred_ms, record.subject)  # type: ignore[arg-type]  # one of the roles


def _facts(kit: Kit, chosen: Options, findings: _Findings, known: int) -> Iterator[dict[str, Any]]:
    facts = [fact for fact in findings.distilled.extraction.facts if max(fact.turns, default=known) >= known]
    kept: list[Fact] = []
    for fact in facts:
        verdict = quality.judge(fact.text)
        if verdict.accept:
            kept.append(fact)
        else:
            findings.refused.append((_turn_of(findings, fact.turns), verdict.reason, fact.text))
    weights = (
        kit.mind.distiller().importance([fact.text for fact in kept], deadline=Deadline(kit.settings.decision_seconds))
        if kept
        else ()
    )
    for fact, importance in zip(kept, weights, strict=True):
        record = _record(kit, chosen, findings, fact.turns, fact.text, area="fragments")
        record = replace(
            record,
            kind=chosen.kind or "semantic",
            subject=fact.subject,
            origin=fact.origin,
            confidence=fact.confidence,
            importance=importance,
            occurred_ms=record.occurred_ms if fact.occurred_ms is None else max(0, fact.occurred_ms),
        )
        yield save.stored(kit, record, chosen, Key(None, None), _evidence(findings, fact.turns))


def _solutions(kit: Kit, chosen: Options, findings: _Findings, known: int) -> Iterator[dict[str, Any]]:
    for found in findings.distilled.extraction.solutions:
        if max(found.turns, default=known) < known or not found.problem.strip() or not found.solution.strip():
            continue
        record = _record(kit, chosen, findings, found.turns, _note_of(found), area="solutions")
        record = replace(record, kind=chosen.kind or "procedural", origin="user_confirmed")
        yield save.stored(kit, record, chosen, Key(None, None), _evidence(findings, found.turns))


def _note_of(found: Solution) -> str:
    if any("\u4e00" <= char <= "\u9fff" for char in found.problem):
        return f"问题：{found.problem}\n解决：{found.solution}"
    return f"Problem: {found.problem}\nSolution: {found.solution}"


def _record(kit: Kit, chosen: Options, findings: _Findings, places: Sequence[int], content: str, *, area: str) -> Record:
    """A memory that rests on some turns of the window; the newest tells when it was said."""
    turns = [findings.window[place] for place in places] or findings.window[-1:]
    now_ms = kit.clock()
    content = text.clean(content, what="fact", max_bytes=kit.settings.max_text_bytes)
    occurred_ms = max(turn.occurred_ms for turn in turns)
    return Record(
        id=kit.new_id("mem"),
        user_id=chosen.user_id,
        agent_id=chosen.agent_id,
        session_id=chosen.session_id,
        area=area,
        content=content,
        content_hash=text.content_hash(content).hex(),
        keywords=keywords.keywords(content),
        created_ms=now_ms,
        updated_ms=now_ms,
        occurred_ms=occurred_ms,
        accessed_ms=occurred_ms,
        expires_ms=chosen.expires_ms,
        metadata=chosen.metadata,
    )


def _evidence(findings: _Findings, places: Sequence[int]) -> tuple[tuple[str, str], ...]:
    return tuple((findings.window[place].id, "evidence_of") for place in places)


def _turn_of(findings: _Findings, places: Sequence[int]) -> str:
    return findings.window[max(places, default=len(findings.window) - 1)].id


def _noted(kit: Kit, chosen: Options, window: Sequence[Record], reason: str) -> str:
    """Says in the audit that a window was read in vain; the change's id."""
    with kit.store.write() as tx:
        change_id = tx.open_run(chosen.user_id, "distil", now_ms=kit.clock())
        tx.note(window[0].id, reason)
    return change_id


def _recorded(kit: Kit, chosen: Options, window: Sequence[Record], findings: _Findings) -> str:
    """What the window was read with and what was refused, in the audit; the change's id."""
    distilled = findings.distilled
    extraction = distilled.extraction
    codes = {
        "source": distilled.source,
        "prompts": list(distilled.prompts),
        "facts": len(extraction.facts),
        "solutions": len(extraction.solutions),
        "refused": len(findings.refused),
    }
    with kit.store.write() as tx:
        change_id = tx.open_run(chosen.user_id, "distil", now_ms=kit.clock())
        tx.note(
            window[0].id, "distilled", codes=codes, told={"replies": "\n".join(distilled.replies)} if distilled.replies else {}
        )
        for memory_id, code, refused in findings.refused:
            tx.note(memory_id, code, told={"rejected": refused})
    return change_id
