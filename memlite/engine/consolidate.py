"""One new memory, from discovery to the one transaction that stores it.

Whatever fails on the way, the memory is stored as it came, exactly once, and the audit says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from memlite.engine import discover, embed
from memlite.engine.deciders import SimpleDecider
from memlite.engine.kit import Kit
from memlite.errors import ChatError, Stale
from memlite.model import Record
from memlite.ports import Deadline, Decider, Draft, Encoded, SpaceInfo, Tx, Verdict
from memlite.rules import consolidate as rules
from memlite.rules.consolidate import Plan
from memlite.rules.decision import Candidate, Ruling

Mode = Literal["full", "simple", "off"]
MODES: tuple[Mode, ...] = ("full", "simple", "off")
"""full: the decider decides. simple: what is nearly the same is replaced. off: nothing stored is touched."""

MAX_QUOTED = 32_768
"""Characters of a reply or its reasoning that the audit keeps."""

_RELATIONS = {"merge": "merged_from", "replace": "replaced", "update": "updated_from"}
NOT_COVERED = "stored without a vector: the model does not know the words, so only full text finds it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A memory on its way in.

    Attributes:
        links: (parent id, relation) of what it rests on.
        open_run: starts the change in a transaction; its id.
    """

    record: Record
    mode: Mode
    links: tuple[tuple[str, str], ...] = ()
    open_run: Callable[[Tx], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an item: the change, and (memory id, text, event, reason) of each memory it touched, the new one first."""

    change_id: str
    action: str
    reason: str | None
    results: tuple[tuple[str, str | None, str, str | None], ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    plan: Plan
    verdict: Verdict
    embedded: embed.Embedded


def store(kit: Kit, item: Item) -> Outcome:
    """Decides about an item and stores it: one transaction, nothing slow inside.

    A memory that changed between the decision and the transaction voids the decision. It is made once more; then the item is
    stored as it came.
    """
    if (known := _known(kit, item)) is not None:
        return known
    embedded = embed.for_storage(kit, [item.record.content])
    deadline = Deadline(kit.settings.decision_seconds)
    for _ in range(2):
        choice = _choose(kit, item, embedded, deadline)
        try:
            return _apply(kit, item, choice)
        except Stale:
            continue
    return _apply(kit, item, _plain(item, embedded, "stale"))


def _known(kit: Kit, item: Item) -> Outcome | None:
    """What the area holds already, word for word, is not stored again."""
    record = item.record
    if kit.store.same_text(record.user_id, record.area, record.content_hash, record.created_ms) is None:
        return None
    with kit.store.write() as tx:
        same = tx.same_text(record.user_id, record.area, record.content_hash, record.created_ms)
        return None if same is None else _already(tx, item.open_run(tx), same)


def _choose(kit: Kit, item: Item, embedded: embed.Embedded, deadline: Deadline) -> _Choice:
    if item.mode == "off" or item.record.status != "active":
        return _plain(item, embedded, "off" if item.mode == "off" else item.record.status)
    offered: tuple[Candidate, ...] = ()
    try:
        offered = discover.candidates(kit, item.record, embedded.encoded[0], deadline=deadline)
        if not offered:
            return _plain(item, embedded, "no_candidates")
        plan, ruling = _decided(kit, item, embedded, offered, deadline)
    except ChatError as error:
        return _plain(item, embedded, _code(error), offered, detail=_quoted(error))
    return _Choice(plan, _verdict(plan, ruling, offered), _embedded(kit, plan, item, embedded))


def _decided(
    kit: Kit, item: Item, embedded: embed.Embedded, offered: tuple[Candidate, ...], deadline: Deadline
) -> tuple[Plan, Ruling]:
    decider: Decider = SimpleDecider() if item.mode == "simple" else kit.decider
    limits = rules.Limits(max_text_bytes=kit.settings.max_text_bytes, coverage_floor=discover.COVERAGE_FLOOR)
    try:
        ruling = decider.decide(item.record, offered, deadline=deadline)
        deadline.left_s()  # an answer that came too late is none
        return rules.plan(item.record, offered, ruling.decision, limits), ruling
    except ChatError:
        raise
    except BaseException:  # a fault of the decider, or Ctrl-C: what it was asked about is not lost with it
        _apply(kit, item, _plain(item, embedded, "decider_failed", offered))
        raise


def _plain(item: Item, embedded: embed.Embedded, reason: str, offered: tuple[Candidate, ...] = (), detail: str = "") -> _Choice:
    plan = rules.as_it_came(item.record, reason, detail=detail)
    verdict = Verdict(requested=None, applied=plan.action, reason=reason, decider="none", offered=_listed(offered), detail=detail)
    return _Choice(plan, verdict, embedded)


def _verdict(plan: Plan, ruling: Ruling, offered: tuple[Candidate, ...]) -> Verdict:
    return Verdict(
        requested=plan.requested,
        applied=plan.action,
        reason=plan.reason,
        decider=ruling.decider,
        prompt=ruling.prompt,
        prompt_sha256=ruling.prompt_sha256,
        offered=_listed(offered),
        reasoning=_quoted(ruling.decision.reasoning),
        reply=None if ruling.reply is None else _quoted(ruling.reply),
        detail=plan.detail,
    )


def _quoted(said: object) -> str:
    """What a decider wrote, as the audit can keep it: a reply may hold half a surrogate pair, or be without end."""
    return str(said)[:MAX_QUOTED].encode("utf-8", "replace").decode()


def _listed(offered: tuple[Candidate, ...]) -> tuple[tuple[str, int, float | None, float], ...]:
    return tuple((c.record.id, c.record.version, c.relevance, c.coverage) for c in offered)


def _embedded(kit: Kit, plan: Plan, item: Item, embedded: embed.Embedded) -> embed.Embedded:
    """The vector of what is stored: another one where the text is another."""
    if plan.record.content == item.record.content:
        return embedded
    return embed.for_storage(kit, [plan.record.content])


def _code(error: ChatError) -> str:
    return {"Timeout": "timeout", "Unreachable": "unreachable", "ModelNotFound": "model_not_found"}.get(
        type(error).__name__, "bad_reply"
    )


def _apply(kit: Kit, item: Item, choice: _Choice) -> Outcome:
    """Carries a plan out. Every target is read again: the version the decision saw, or none of it is done.

    Raises:
        Stale: a target changed or went.
    """
    plan, embedded = choice.plan, choice.embedded
    encoded = embedded.encoded[0]
    with kit.store.write() as tx:
        change_id = item.open_run(tx)
        same = tx.same_text(item.record.user_id, item.record.area, item.record.content_hash, item.record.created_ms)
        if same is not None and same[0] not in {target.record.id for target in plan.targets}:
            return _already(tx, change_id, same)
        space = _space(tx, embedded.info, encoded, item.record.created_ms)
        targets = [target.record for target in plan.targets]
        draft = _draft(item, choice, encoded)
        if plan.action == "update":
            tx.amend(targets[0], draft, space, reembedded=plan.record.content != targets[0].content)
        else:
            if targets:
                tx.remove(targets, "merged" if plan.action == "merge" else "replaced")
            tx.insert([draft], space)
    return _outcome(change_id, choice, targets, draft)


def _already(tx: Tx, change_id: str, same: tuple[str, str]) -> Outcome:
    tx.note(same[0], "same_text")
    return Outcome(change_id=change_id, action="none", reason="same_text", results=((same[0], same[1], "NONE", "same_text"),))


def _draft(item: Item, choice: _Choice, encoded: Encoded | None) -> Draft:
    plan = choice.plan
    reason = choice.embedded.reason or NOT_COVERED if encoded is None or encoded.vector is None else None
    made_of = tuple((target.record.id, _RELATIONS[plan.action]) for target in plan.targets if target.record.id != plan.record.id)
    now_ms = item.record.created_ms
    record = replace(plan.record, updated_ms=now_ms)
    return Draft(record=record, encoded=encoded, reason=reason, links=(*item.links, *made_of), verdict=choice.verdict)


def _space(tx: Tx, info: SpaceInfo | None, encoded: Encoded | None, now_ms: int) -> int | None:
    return tx.space_for(info, now_ms) if info and encoded is not None and encoded.vector is not None else None


def _outcome(change_id: str, choice: _Choice, targets: list[Record], draft: Draft) -> Outcome:
    plan, record = choice.plan, draft.record
    reason = plan.reason if plan.requested else draft.reason
    event = "UPDATE" if plan.action == "update" else "ADD"
    results = [(record.id, record.content, event, reason)]
    if plan.action != "update":
        results += [(old.id, old.content, "DELETE", f"{plan.action}d") for old in targets]
    return Outcome(change_id=change_id, action=plan.action, reason=plan.reason, results=tuple(results))
