"""From a decision to what is done: every check that stands between a decider and a stored memory.

Whatever a decider says, the new memory is stored, and no memory is removed or rewritten that was not offered, that is trusted
more, or whose content the new text does not answer for. One doubt turns the whole decision into keep_separate, with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memlite.errors import BadInput, shown
from memlite.model import Record, iso
from memlite.rules import guard, inputs, text
from memlite.rules.decision import ACTIONS, Action, Candidate, Decision
from memlite.rules.settle.atoms import missing
from memlite.rules.tiers import is_document, lowest, may_replace

REPLACE_FLOOR = 0.75
"""Relevance a memory needs to be replaced (the mission's safety threshold)."""

COVERAGE_FLOOR = 0.5
"""Where no space covers both texts: the share of the new text's idf mass that a memory must hold to be merged away, replaced or
rewritten. `Limits.coverage_floor` may be lower; then it holds where the rules, too, read the one text as overtaking the other."""

PROTECTED = frozenset(
    """id user_id agent_id session_id area kind origin status pinned version timestamp created_at updated_at occurred_at
    knowledge_source source source_file source_path consolidation_action consolidated_from replaced_memories updated_from
    original_action safety_reason reasoning""".split()
)
"""Metadata that says where a memory came from: a decider can't set it."""

MAX_NOTES = 10
"""Historical notes a memory keeps, the newest."""

MAX_TAGS = 50
MAX_PROPOSED = 20
"""Entries of metadata that a decider may propose."""
NOTES = "historical_notes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What will be done.

    Attributes:
        requested: what the decider asked for; None where none was asked.
        action: what is done.
        reason: code of the check that turned it into keep_separate, or of why no one was asked; None where all is as requested.
        detail: what that check found, for the payload; it may quote the texts.
        targets: memories to remove or rewrite.
        record: the memory to store. For an update it has the target's id.
    """

    action: Action
    record: Record
    requested: Action | None = None
    reason: str | None = None
    detail: str = ""
    targets: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class _Refused(Exception):
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a decision is held to. `max_text_bytes` is the store's cap on one text."""

    max_text_bytes: int
    replace_floor: float = REPLACE_FLOOR
    coverage_floor: float = COVERAGE_FLOOR


def as_it_came(new: Record, reason: str, requested: Action | None = None, detail: str = "") -> Plan:
    """The plan that stores the new memory and touches nothing."""
    return Plan(action="keep_separate", record=new, requested=requested, reason=reason, detail=detail)


def plan(new: Record, offered: Sequence[Candidate], decision: Decision, limits: Limits) -> Plan:
    """What is done of a decision; keep_separate with a reason where any check fails.

    Reasons: unknown_action, no_target, unknown_alias, repeated_alias, one_target, pinned, knowledge_and_conversation, tier,
    below_floor, empty_text, bad_text, other_subject, older, invented, lost, bad_metadata.
    """
    if decision.action not in ACTIONS:
        return as_it_came(new, "unknown_action", detail=shown(decision.action))
    if decision.action in ("keep_separate", "skip"):
        return Plan(action=decision.action, record=new, requested=decision.action)
    try:
        targets = _targets(offered, decision)
        for target in targets:
            _allowed(new, target, decision, limits)
        content = _text(new, decision, limits)
        _complete(new, targets, content, decision)
        record = _result(new, targets, content, decision)
    except _Refused as refused:
        return as_it_came(new, refused.reason, decision.action, refused.detail)
    return Plan(action=decision.action, record=record, requested=decision.action, targets=targets)


def _targets(offered: Sequence[Candidate], decision: Decision) -> tuple[Candidate, ...]:
    known = {candidate.alias: candidate for candidate in offered}
    if not decision.targets:
        raise _Refused("no_target")
    for alias in decision.targets:
        if type(alias) is not int or alias not in known:  # True and 1.0 would be found as 1
            raise _Refused("unknown_alias", shown(alias))
    if len(set(decision.targets)) < len(decision.targets):
        raise _Refused("repeated_alias")
    if decision.action == "update" and len(decision.targets) > 1:
        raise _Refused("one_target", f"{len(decision.targets)} named")
    return tuple(known[alias] for alias in decision.targets)


def _allowed(new: Record, target: Candidate, decision: Decision, limits: Limits) -> None:
    old = target.record
    if old.pinned:
        raise _Refused("pinned", old.id)
    if is_document(new.origin) != is_document(old.origin):
        raise _Refused("knowledge_and_conversation", old.id)
    if not may_replace(new.origin, old.origin):
        raise _Refused("tier", f"{new.origin} below {old.origin}")
    if target.relevance is None:
        floor = limits.coverage_floor
        if floor <= target.coverage < COVERAGE_FLOOR and guard.relation(new.content, old.content) is None:
            floor = COVERAGE_FLOOR
        if target.coverage < floor:
            raise _Refused("below_floor", f"coverage {target.coverage:.2f}, floor {floor:.2f}")
    elif decision.action == "replace" and target.relevance < limits.replace_floor:
        raise _Refused("below_floor", f"relevance {target.relevance:.2f}, floor {limits.replace_floor:.2f}")


def _text(new: Record, decision: Decision, limits: Limits) -> str:
    told = decision.text
    if told is None and decision.action == "replace":
        return new.content
    if told is None or not str(told).strip():
        raise _Refused("empty_text")
    try:
        return text.clean(told, what="text", max_bytes=limits.max_text_bytes)
    except BadInput as error:
        raise _Refused("bad_text", str(error)[:200]) from None


def _complete(new: Record, targets: Sequence[Candidate], content: str, decision: Decision) -> None:
    """Nothing invented, nothing lost, the same subject, and nothing overtaken by an older text."""
    texts = [target.record.content for target in targets]
    if decision.action != "merge":
        for old in texts:
            if guard.other_subject(new.content, old):
                raise _Refused("other_subject", old[:200])
    if extra := guard.invented(content, [new.content, *texts]):
        raise _Refused("invented", ", ".join(atom.value for atom in extra)[:200])
    if decision.action == "merge":
        lost = guard.lost_by_merge(content, [new.content, *texts])
    else:
        lost = tuple(atom for old in texts for atom in guard.lost_by_change(content, new.content, old))
    if lost:
        raise _Refused("lost", ", ".join(f"{atom.type} {atom.value}" for atom in lost)[:200])
    if decision.action != "merge":
        for target in targets:
            if new.occurred_ms < target.record.occurred_ms and missing(content, target.record.content):
                raise _Refused("older", target.record.id)


def _result(new: Record, targets: Sequence[Candidate], content: str, decision: Decision) -> Record:
    olds = [target.record for target in targets]
    every = [*olds, new]
    expiries = [record.expires_ms for record in every]
    record = replace(
        new,
        content=content,
        content_hash=text.content_hash(content).hex(),
        importance=max(record.importance for record in every),
        confidence=new.confidence if decision.action == "update" else min(record.confidence for record in every),
        keywords=tuple(dict.fromkeys(word for record in (new, *olds) for word in record.keywords)),
        flags=tuple(dict.fromkeys(flag for record in every for flag in record.flags)),
        origin=lowest(record.origin for record in every) if decision.action == "merge" else new.origin,
        occurred_ms=max(record.occurred_ms for record in every),
        accessed_ms=max(record.accessed_ms for record in every),
        access_count=sum(record.access_count for record in every),
        expires_ms=max(ms for ms in expiries if ms is not None) if None not in expiries else None,
        pinned=any(record.pinned for record in every),
        subject=new.subject or next((record.subject for record in olds if record.subject), None),
        metadata=_metadata(new, olds, content, decision),
    )
    if decision.action != "update":
        return record
    old = olds[0]
    return replace(
        record, id=old.id, created_ms=old.created_ms, version=old.version + 1, session_id=old.session_id, agent_id=old.agent_id
    )


def _metadata(new: Record, olds: Sequence[Record], content: str, decision: Decision) -> dict[str, Any]:
    """All metadata united: tags as a union, other keys by the newer memory, the decider's own where they are not protected."""
    merged: dict[str, Any] = {}
    for record in sorted((*olds, new), key=lambda record: (record.occurred_ms, record.id == new.id)):
        merged |= record.metadata
    merged |= {key: value for key, value in _proposed(decision).items() if key not in merged or key == "tags"}
    tags = [_tags(record.metadata.get("tags")) for record in (*olds, new)]
    if united := list(dict.fromkeys([tag for some in tags for tag in some] + _tags(_readable(decision.metadata).get("tags"))))[
        :MAX_TAGS
    ]:
        merged["tags"] = united
    notes = [note for record in (*olds, new) for note in _notes(record.metadata.get(NOTES))]
    if decision.action != "merge":
        until = iso(new.occurred_ms) or ""
        notes += [f"until {until[:10]}: {old.content}" for old in olds if _overtaken(old.content, content)]
    if notes:
        merged[NOTES] = list(dict.fromkeys(notes))[-MAX_NOTES:]
    try:
        return inputs.metadata(merged)
    except BadInput as error:  # too large in sum
        raise _Refused("bad_metadata", str(error)[:200]) from None


def _overtaken(old: str, content: str) -> bool:
    """Whether the old text says something that the new one does not."""
    return text.content_hash(old) != text.content_hash(content) and guard.relation(content, old) not in ("same", "richer")


def _proposed(decision: Decision) -> dict[str, Any]:
    """What a decider may add: short texts and numbers under keys that say nothing of where a memory came from."""
    return {
        key: min(1.0, max(0.0, value)) if key == "importance_score" and isinstance(value, (int, float)) else value
        for key, value in _readable(decision.metadata).items()
        if len(key) <= 64 and key.casefold() not in PROTECTED and key not in (NOTES, "tags")
        if isinstance(value, (bool, int, float)) or (isinstance(value, str) and len(value) <= 200)
    }


def _readable(proposed: object) -> dict[str, Any]:
    """What of a decider's metadata is JSON, the first entries of it."""
    read: dict[str, Any] = {}
    for key, value in list(proposed.items())[:MAX_PROPOSED] if isinstance(proposed, Mapping) else ():
        try:
            read |= inputs.metadata({key: value})
        except BadInput:
            continue
    return read


def _tags(value: object) -> list[str]:
    if not isinstance(value, (list, tuple)):
        return []
    return [tag for tag in value if isinstance(tag, str) and 0 < len(tag) <= 64]


def _notes(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [note for note in value if isinstance(note, str)] if isinstance(value, (list, tuple)) else []
