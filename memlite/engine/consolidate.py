"""One new memory, from discovery to the one transaction that stores it.

Whatever fails on the way, the memory is stored as it came, exactly once, and the audit says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from memlite.engine import choice as choices
from memlite.engine import discover, embed
from memlite.engine.choice import Choice
from memlite.engine.deciders import SimpleDecider
from memlite.engine.kit import Kit
from memlite.errors import ChatError, Stale
from memlite.model import Record
from memlite.ports import Deadline, Decider, Draft, Encoded, SpaceInfo, Tx
from memlite.rules.decision import Candidate

Mode = Literal["full", "simple", "off"]
MODES: tuple[Mode, ...] = ("full", "simple", "off")
"""full: the decider decides. simple: what is nearly the same is replaced. off: nothing stored is touched."""

RELATIONS = {"merge": "merged_from", "replace": "replaced", "update": "updated_from"}
"""What links a result to what it was made of."""

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
    """What became of an item.

    Attributes:
        action: None where the text was there already.
        results: (memory id, text, event, reason) of each memory it touched, the new one first.
    """

    change_id: str
    action: str | None
    results: tuple[tuple[str, str | None, str, str | None], ...]


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


def _choose(kit: Kit, item: Item, embedded: embed.Embedded, deadline: Deadline) -> Choice:
    if item.mode == "off" or item.record.status != "active":
        return _plain(item, embedded, "off" if item.mode == "off" else item.record.status)
    decider: Decider = SimpleDecider() if item.mode == "simple" else kit.mind.decider()
    vector = embedded.encoded[0]
    if not (found := discover.found(kit, item.record, vector)):
        return _plain(item, embedded, "no_candidates")
    offered = discover.offered(item.record, found)
    try:
        words = discover.keywords(kit, item.record, deadline) if item.mode == "full" else ()
    except BaseException:
        _apply(kit, item, _plain(item, embedded, "decider_failed", offered))
        raise
    if words:
        offered = discover.offered(item.record, discover.found(kit, item.record, vector, keywords=words))
    try:
        ruling = decider.decide(item.record, offered, deadline=deadline)
        deadline.left_s()  # an answer that came too late is none
        return choices.ruled(kit, item.record, offered, ruling, embedded)
    except ChatError as error:
        return _plain(item, embedded, choices.code(error), offered, detail=choices.quoted(error))
    except BaseException:
        # A fault of an adapter, or an interrupt in the middle of a long call: the text is kept before the caller hears of it.
        _apply(kit, item, _plain(item, embedded, "decider_failed", offered))
        raise


def _plain(item: Item, embedded: embed.Embedded, reason: str, offered: tuple[Candidate, ...] = (), detail: str = "") -> Choice:
    return choices.plain(item.record, embedded, reason, offered, detail)


def _apply(kit: Kit, item: Item, choice: Choice) -> Outcome:
    """Carries a plan out. Every target is read again: the version the decision saw, or none of it is done.

    Raises:
        Stale: a target changed or went.
    """
    plan, embedded = choice.plan, choice.embedded
    encoded = embedded.encoded[0]
    with kit.store.write() as tx:
        change_id = item.open_run(tx)
        same = tx.same_text(item.record.user_id, item.record.area, item.record.content_hash, item.record.created_ms)
        if same is not None:  # another was quicker; also where the decision was to replace just that
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
    return Outcome(change_id=change_id, action=None, results=((same[0], same[1], "NONE", "same_text"),))


def _draft(item: Item, choice: Choice, encoded: Encoded | None) -> Draft:
    plan = choice.plan
    reason = choice.embedded.reason or NOT_COVERED if encoded is None or encoded.vector is None else None
    made_of = tuple((target.record.id, RELATIONS[plan.action]) for target in plan.targets if target.record.id != plan.record.id)
    now_ms = item.record.created_ms
    record = replace(plan.record, updated_ms=now_ms)
    return Draft(record=record, encoded=encoded, reason=reason, links=(*item.links, *made_of), verdict=choice.verdict)


def _space(tx: Tx, info: SpaceInfo | None, encoded: Encoded | None, now_ms: int) -> int | None:
    return tx.space_for(info, now_ms) if info and encoded is not None and encoded.vector is not None else None


def _outcome(change_id: str, choice: Choice, targets: list[Record], draft: Draft) -> Outcome:
    plan, record = choice.plan, draft.record
    reason = (plan.reason if plan.requested else None) or draft.reason
    event = "UPDATE" if plan.action == "update" else "ADD"
    results = [(record.id, record.content, event, reason)]
    if plan.action != "update":
        results += [(old.id, old.content, "DELETE", f"{plan.action}d") for old in targets]
    return Outcome(change_id=change_id, action=plan.action, results=tuple(results))
