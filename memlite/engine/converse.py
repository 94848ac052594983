"""Conversations: their turns as they were said, and the lasting facts and solved problems found in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from memlite.engine import save, verbatim
from memlite.engine.kit import Kit
from memlite.engine.options import Options
from memlite.engine.repeats import Key
from memlite.errors import ChatError
from memlite.model import Record
from memlite.ports import Deadline, Distilled, Tx
from memlite.rules import keywords, quality, text
from memlite.rules.distil.dialogue import Fact, Solution, Turn
from memlite.rules.inputs import Message
from memlite.rules.loop import echoes
from memlite.rules.tiers import tier

_ECHO_MS = 24 * 3_600_000
_MOST_ECHOED = 200
"""An assistant or a tool that repeats one of so many memories recalled in the last day says nothing new."""

REJECTED_KEPT_MS = 7 * 24 * 3_600_000
"""How long the text of what was refused is kept for `memlite log rejected`; then only the code."""

OVERLAP = 2
"""Turns before a window that it is read with; what rests on them alone was found before."""

_ROLES = {"user": "user", "assistant": "assistant", "agent": "agent", "tool": "tool", "system": "system"}


class Held(Protocol):
    """What a distilling is done under; see `inbox.Lease`."""

    def check(self, tx: Tx) -> None:
        """Inside a change. Raises LeaseLost."""
        ...

    def renew(self) -> None:
        """Between two changes. Raises LeaseLost."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A waiting item that is being read. `last_attempt`: it is given up if it fails once more."""

    item: int
    last_attempt: bool
    lease: Held


def empty_envelope() -> dict[str, Any]:
    """The envelope of `Memory.add` for a conversation, before anything was done."""
    return {"results": [], "change_id": None, "change_ids": [], "turns": [], "failed": None, "waiting": False}


def queue(kit: Kit, chosen: Options, messages: Sequence[Message], *, resent: bool) -> tuple[dict[str, Any], list[int]]:
    """Stores the turns and lets them wait; (the envelope so far, items of the inbox).

    Args:
        resent: whether turns that the session ends with already are to be left out: clients send their whole history each time.
    """
    resent = resent and chosen.idempotency_key is None  # a key says itself what is a repeat
    fresh = list(messages[_already_told(kit, chosen, messages) :] if resent else messages)
    envelope = empty_envelope()
    items: list[int] = []
    if fresh:
        said = verbatim.verbatim(kit, chosen, fresh, queued=items)
        envelope["turns"] = [result["id"] for result in said["results"]]
        envelope["change_ids"] = list(said["change_ids"])
        if said.get("repeated"):
            envelope["repeated"] = True
    return envelope, items


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


def distil(kit: Kit, chosen: Options, turns: Sequence[Record], job: Job, envelope: dict[str, Any]) -> bool:
    """Reads turns window by window, oldest first, and stores what is worth keeping. Fills the envelope.

    False where the model failed: the item waits to be read again, and `failed` says why. After the last window it leaves the
    inbox.

    Raises:
        LeaseLost: another reads this session now.
    """
    windows = list(_windows(turns, _before(kit, turns), kit.mind.window_chars)) if turns else []
    for window, context in windows:
        job.lease.renew()
        deadline = Deadline(kit.settings.decision_seconds)
        try:
            distilled = kit.mind.distiller().extract(
                [_turn(r) for r in (*context, *window)], now_ms=kit.clock(), deadline=deadline
            )
            findings = _Findings([*context, *window], distilled, [])
            kept = _kept(kit, chosen, findings, len(context))
        except ChatError as error:
            envelope["failed"] = str(error)
            envelope["change_ids"].append(_failed(kit, chosen, window, job, type(error).__name__.lower()))
            return False
        for record, places in kept:
            job.lease.renew()
            done = save.stored(kit, record, chosen, Key(None, None), _evidence(findings, places), check=job.lease.check)
            envelope["results"] += done["results"]
            envelope["change_ids"].append(done["change_id"])
        envelope["change_ids"].append(_recorded(kit, chosen, window, findings, job))
    with kit.store.write() as tx:
        job.lease.check(tx)
        tx.finish(job.item)
    return True


def _windows(turns: Sequence[Record], before: Sequence[Record], limit: int) -> Iterator[tuple[list[Record], list[Record]]]:
    """(turns to read, turns before them) in pieces of at most `limit` characters together.

    Of a turn that is longer by itself the end is read, where people put what they want.
    """
    context, window = _fitting(before, limit // 2), list[Record]()
    size = _size(context)
    for whole in turns:
        turn = replace(whole, content=whole.content[-limit:]) if len(whole.content) > limit else whole
        if size + len(turn.content) > limit and (window or context):
            if window:
                yield window, context
            context, window = _fitting(window[-OVERLAP:] or context, max(0, limit - len(turn.content))), []
            size = _size(context)
        window.append(turn)
        size += len(turn.content)
    if window:
        yield window, context


def _fitting(turns: Sequence[Record], limit: int) -> list[Record]:
    """The last of the turns that have at most `limit` characters together."""
    kept: list[Record] = []
    for turn in reversed(turns):
        if _size(kept) + len(turn.content) > limit:
            break
        kept.insert(0, turn)
    return kept


def _size(turns: Sequence[Record]) -> int:
    return sum(len(turn.content) for turn in turns)


def _turn(record: Record) -> Turn:
    role = _ROLES.get(record.role or "user", "user")
    return Turn(role, record.content, record.occurred_ms, record.subject)  # type: ignore[arg-type]  # one of the roles


def _kept(kit: Kit, chosen: Options, findings: _Findings, known: int) -> list[tuple[Record, tuple[int, ...]]]:
    """(memory to store, places of the turns it rests on); what rests on the first `known` turns alone was found before."""
    extraction = findings.distilled.extraction
    facts = [fact for fact in extraction.facts if max(fact.turns, default=known) >= known]
    passed = [fact for fact in facts if _passes(kit, chosen, findings, fact)]
    deadline = Deadline(kit.settings.decision_seconds)
    weights = kit.mind.distiller().importance([fact.text for fact in passed], deadline=deadline) if passed else ()
    kept = [(_fact(kit, chosen, findings, f, weight), f.turns) for f, weight in zip(passed, weights, strict=True)]
    solutions = [found for found in extraction.solutions if max(found.turns, default=known) >= known]
    return kept + [(_solution(kit, chosen, findings, s), s.turns) for s in solutions if s.problem.strip() and s.solution.strip()]


def _passes(kit: Kit, chosen: Options, findings: _Findings, fact: Fact) -> bool:
    """Whether a fact goes through the gate, and is no echo of what the agent was just reminded of."""
    verdict = quality.judge(fact.text)
    code = None if verdict.accept else verdict.reason
    if code is None and tier(fact.origin) < tier("user_stated"):
        since_ms = kit.clock() - _ECHO_MS
        recalled = [record.content for record in kit.store.recalled(chosen.user_id, since_ms, _MOST_ECHOED)]
        code = "echo" if echoes(fact.text, recalled) else None
    if code is not None:
        findings.refused.append((_turn_of(findings, fact.turns), code, fact.text))
    return code is None


def _fact(kit: Kit, chosen: Options, findings: _Findings, fact: Fact, importance: float) -> Record:
    record = _record(kit, chosen, findings, fact.turns, fact.text, area="fragments")
    return replace(
        record,
        kind=chosen.kind or "semantic",
        subject=fact.subject,
        origin=fact.origin,
        confidence=fact.confidence,
        importance=importance,
        occurred_ms=record.occurred_ms if fact.occurred_ms is None else max(0, fact.occurred_ms),
    )


def _solution(kit: Kit, chosen: Options, findings: _Findings, found: Solution) -> Record:
    record = _record(kit, chosen, findings, found.turns, _note_of(found), area="solutions")
    return replace(record, kind=chosen.kind or "procedural", origin="user_confirmed")


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


def _failed(kit: Kit, chosen: Options, window: Sequence[Record], job: Job, code: str) -> str:
    """Says in the audit that a window was read in vain; the change's id."""
    with kit.store.write() as tx:
        job.lease.check(tx)
        change_id = tx.open_run(chosen.user_id, "distil", now_ms=kit.clock())
        tx.note(window[0].id, f"given_up_{code}" if job.last_attempt else f"not_distilled_{code}")
        if job.last_attempt:
            tx.finish(job.item)
        else:
            tx.fail(job.item, code)
    return change_id


def _recorded(kit: Kit, chosen: Options, window: Sequence[Record], findings: _Findings, job: Job) -> str:
    """What the window was read with and what was refused, in the audit; the change's id."""
    distilled = findings.distilled
    codes = {
        "source": distilled.source,
        "prompts": list(distilled.prompts),
        "facts": len(distilled.extraction.facts),
        "solutions": len(distilled.extraction.solutions),
        "refused": len(findings.refused),
    }
    with kit.store.write() as tx:
        job.lease.check(tx)
        change_id = tx.open_run(chosen.user_id, "distil", now_ms=kit.clock())
        tx.note(
            window[0].id, "distilled", codes=codes, told={"replies": "\n".join(distilled.replies)} if distilled.replies else {}
        )
        for memory_id, code, refused in findings.refused:
            tx.note(memory_id, code, told={"rejected": refused}, keep_ms=REJECTED_KEPT_MS)
        tx.expire()
    return change_id
