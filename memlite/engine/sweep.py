"""A pass over what a user has stored: each memory beside the older ones like it, decided about as if it had just come in.

Nothing is removed but by a decision that passed every check a new memory's decision has to pass, a change at a time, and never
more of the user's memories than the loss budget allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memlite.engine import choice as choices
from memlite.engine import discover, embed, recall
from memlite.engine.choice import Choice
from memlite.engine.consolidate import RELATIONS
from memlite.engine.kit import Kit
from memlite.errors import BadInput, ChatError, ModelNotFound, Stale, Unreachable, shown
from memlite.model import AREAS, Record
from memlite.ports import Deadline, Draft, Encoded, Tx
from memlite.rules import inputs

MAX_BATCH = 1_000

_MOST_SPARE = 64
"""Neighbours beyond the usual that a dry run looks for, in the place of those it has plans for."""

_COUNTED = {"merge": "merged", "replace": "replaced", "update": "updated"}

Progress = Callable[[Mapping[str, Any]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What a call wants done.

    Attributes:
        total: active memories at the start, turns aside.
        allowed: how many of them may go.
    """

    user_id: str
    area: str | None
    dry_run: bool
    batch: int
    progress: Progress | None
    started_ms: int
    total: int
    allowed: int


@dataclass(slots=True)
class _Tally:
    """What was done so far.

    Attributes:
        lost: memories fewer than at the start, over all calls of this sweep.
        made: ids of the results, to be looked at in their turn.
        hidden: ids that would be gone if a dry run were none.
    """

    lost: int
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("examined", "decided", "merged", "replaced", "updated", "removed"), 0)
    )
    changes: list[dict[str, Any]] = field(default_factory=list)
    plan: list[dict[str, Any]] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """A stored memory and what is to be done about it.

    Attributes:
        choice: about a copy that would take its place.
        whole: everything like it could be offered.
    """

    record: Record
    choice: Choice
    whole: bool

    @property
    def loss(self) -> int:
        """Memories fewer when it is done: as many as it names targets, for the memory itself lives on in the result."""
        return len(self.choice.plan.targets)

    @property
    def hides(self) -> set[str]:
        """Ids that mean nothing any more when it is done. Where the memory's own text is the result, it stands for that."""
        plan = self.choice.plan
        gone = {target.record.id for target in plan.targets}
        return gone if not gone or plan.record.content == self.record.content else gone | {self.record.id}


class _StoppedError(Exception):
    """The sweep goes no further; says why."""


def consolidate(kit: Kit, given: Mapping[str, Any]) -> dict[str, Any]:
    """Goes over a user's memories; the envelope of `Memory.consolidate`.

    Raises:
        BadInput: an argument is out of its range.
        Busy, Full, ReadOnly: the file can't be written now; what was done before stays done.
    """
    cursor = inputs.cursor(given["cursor"])
    place, total, lost = (None, None, 0) if cursor is None else _resumed(cursor)
    order = _order(kit, given, total)
    tally = _Tally(lost)
    begun, refused = cursor is not None, None
    try:
        ready = {} if order.dry_run or begun else _rehearsed(kit, order)
        begun = not order.dry_run
        for following in _pages(kit, order, tally, place, ready):
            place = following
    except _StoppedError as stopped:
        refused = str(stopped)
    except (Unreachable, ModelNotFound) as error:
        refused = f"no model decides: {error}"
    return {
        **tally.counts,
        "changes": tally.changes,
        "plan": tally.plan,
        "cursor": _cursor(place, order.total, tally.lost) if refused and begun else None,
        "refused": refused,
        "dry_run": order.dry_run,
    }


def _order(kit: Kit, given: Mapping[str, Any], total: int | None) -> _Order:
    user_id = recall.user_of(kit, given["user_id"])
    area = None if given["area"] is None else inputs.choice(given["area"], AREAS, what="area")
    share = inputs.share(given["loss_budget"], what="loss_budget")
    progress = given["progress"]
    if progress is not None and not callable(progress):
        raise BadInput(f"progress is {shown(progress)}: give a function that takes a dict, or None")
    now_ms = kit.clock()
    if total is None:
        total = kit.store.count_swept(user_id, area, now_ms)
    return _Order(
        user_id=user_id,
        area=area,
        dry_run=inputs.flag(given["dry_run"], what="dry_run"),
        batch=inputs.limit(given["batch"], what="batch", most=MAX_BATCH),
        progress=progress,
        started_ms=now_ms,
        total=total,
        allowed=math.floor(share * total + 1e-9),  # .2 of 35 is 7, whatever binary fractions say
    )


def _cursor(place: str | None, total: int, lost: int) -> str:
    """Where to go on, and what the loss is counted against: a sweep in many calls has one budget."""
    return f"s{(place or 'c0')[1:]}.{total:x}.{lost:x}"


def _resumed(cursor: str) -> tuple[str, int, int]:
    try:
        place, total, lost = (int(part, 16) for part in cursor.removeprefix("s").split("."))
        if _cursor(f"c{place:x}", total, lost) != cursor or min(place, total, lost) < 0 or max(place, total, lost) >= 2**62:
            raise ValueError
    except ValueError:
        raise BadInput(f"cursor {shown(cursor)} is none of a sweep's: pass the one that the call before gave") from None
    return f"c{place:x}", total, lost


def _rehearsed(kit: Kit, order: _Order) -> dict[str, _Weighed]:
    """What the first batch would do. A store that loses too much at once is better looked at first.

    What hangs on another decision of the batch is decided about again in its turn.
    """
    page = kit.store.swept(order.user_id, order.area, None, order.batch, order.started_ms)
    ready: dict[str, _Weighed] = {}
    hidden: set[str] = set()
    loss = 0
    for place, record in enumerate(page.records, 1):
        weighed = None if record.id in hidden else _weigh(kit, record, hidden)
        _report(order, 0, place, None)
        if weighed is None:
            continue
        loss += weighed.loss
        hidden |= weighed.hides
        if weighed.whole:
            ready[record.id] = weighed
    if loss > order.allowed:
        raise _StoppedError(_too_much(order, f"the first {len(page.records):,} memories alone would lose {loss:,}"))
    return ready


def _pages(kit: Kit, order: _Order, tally: _Tally, place: str | None, ready: dict[str, _Weighed]) -> Iterator[str | None]:
    """Goes over all from `place` on, oldest key first; gives the place after each batch."""
    while True:
        page = kit.store.swept(order.user_id, order.area, place, order.batch, kit.clock())
        if not page.records:
            return
        for record in page.records:
            if record.created_ms > order.started_ms and record.id not in tally.made:
                continue  # written since; it was decided about on its way in
            tally.made.discard(record.id)
            tally.counts["examined"] += 1
            if order.dry_run:
                _plan(kit, tally, record)
            else:
                _settle(kit, order, tally, record, ready.pop(record.id, None))
            _report(order, tally.counts["examined"], 0, _cursor(place, order.total, tally.lost))
        if order.dry_run and tally.lost > order.allowed:
            raise _StoppedError(_too_much(order, f"so far the plan would lose {tally.lost:,}"))
        place = page.cursor
        yield place


def _report(order: _Order, examined: int, planned: int, cursor: str | None) -> None:
    if order.progress is not None:
        order.progress({"examined": examined, "planned": planned, "total": order.total, "cursor": cursor})


def _plan(kit: Kit, tally: _Tally, record: Record) -> None:
    """Says what would be done about a memory beside those that would still be there."""
    weighed = None if record.id in tally.hidden else _weigh(kit, record, tally.hidden)
    if weighed is None:
        return
    _count(tally, weighed)
    if weighed.loss:
        tally.hidden |= weighed.hides
        tally.plan.append(_diff(weighed))


def _settle(kit: Kit, order: _Order, tally: _Tally, record: Record, weighed: _Weighed | None) -> None:
    """Decides about a memory and carries it out. What changed in between is decided about once more, then left."""
    for _ in range(2):
        if weighed is None:
            now = next(iter(kit.store.get(order.user_id, [record.id])), None)
            if now is None or now.status != "active" or now.pinned or now.area != record.area:
                return
            weighed = _weigh(kit, now)
        if weighed is None:
            return
        if tally.lost + weighed.loss > order.allowed:
            raise _StoppedError(_too_much(order, f"{tally.lost:,} are gone and the next decision would take {weighed.loss:,}"))
        try:
            change = _carried_out(kit, weighed)
        except Stale:
            weighed = None
            continue
        _count(tally, weighed)
        if change is not None:
            tally.changes.append(change)
            if change["action"] != "update":
                tally.made.add(change["id"])
        return


def _weigh(kit: Kit, record: Record, hidden: Collection[str] = ()) -> _Weighed | None:
    """What is to be done about a stored memory; None where it has no older neighbour but those in `hidden`.

    Raises:
        Unreachable, ModelNotFound: it would be the same with every other memory.
    """
    deadline = Deadline(kit.settings.decision_seconds)
    embedded = _stored(kit, record)
    now_ms = kit.clock()
    successor = replace(record, id=kit.new_id("mem"), version=1, created_ms=now_ms, updated_ms=now_ms)
    whole = True
    try:
        spare = min(len(hidden), _MOST_SPARE)
        vector = embedded.encoded[0]
        found = discover.found(kit, record, vector, older=True, spare=spare)
        if found and (words := discover.keywords(kit, record, deadline)):
            found = discover.found(kit, record, vector, keywords=words, older=True, spare=spare)
        left = [candidate for candidate in found if candidate.record.id not in hidden]
        if not left:
            return None
        whole, offered = len(left) == len(found), discover.offered(record, left)
        ruling = kit.mind.decider().decide(record, offered, deadline=deadline)
        deadline.left_s()  # an answer that came too late is none
        choice = choices.ruled(kit, successor, offered, ruling, embedded)
        if choice.embedded.reason is not None:  # what has a vector now would be found by its words only
            choice = choices.plain(successor, embedded, "no_vector", offered, detail=choice.embedded.reason)
    except (Unreachable, ModelNotFound):
        raise
    except ChatError as error:
        choice = choices.plain(successor, embedded, choices.code(error), detail=str(error))
    return _Weighed(record=record, choice=choice, whole=whole)


def _stored(kit: Kit, record: Record) -> embed.Embedded:
    """The vector the file has of a memory: no model is asked again."""
    found = kit.store.vector_of(record.user_id, record.id)
    if found is None:
        return embed.Embedded(encoded=[None], info=None)
    import numpy as np  # noqa: PLC0415 - only a sweep makes arrays of stored vectors

    encoded = Encoded(vector=np.frombuffer(found[0], dtype="<f4"), truncated=found[1])
    return embed.Embedded(encoded=[encoded], info=kit.store.active_space())


def _carried_out(kit: Kit, weighed: _Weighed) -> dict[str, Any] | None:
    """One change: the targets and the memory itself go, or one of them is rewritten. None where nothing was to be done.

    A decision that a check refused, or that never came, is noted in the audit.

    Raises:
        Stale: the memory or a target changed or went since; nothing was done.
    """
    record, plan, verdict = weighed.record, weighed.choice.plan, weighed.choice.verdict
    if not plan.targets and plan.reason is None:
        return None
    with kit.store.write() as tx:
        change_id = tx.open_run(record.user_id, "consolidate", now_ms=plan.record.created_ms)
        if not plan.targets:
            tx.note(record.id, plan.reason or "kept", codes=verdict.codes(), told=verdict.told())
            return None
        _apply(tx, weighed)
    gone = [target.record.id for target in plan.targets if target.record.id != plan.record.id]
    return {"change_id": change_id, "action": plan.action, "id": plan.record.id, "removed": [*gone, record.id]}


def _apply(tx: Tx, weighed: _Weighed) -> None:
    record, plan = weighed.record, weighed.choice.plan
    encoded, info = weighed.choice.embedded.encoded[0], weighed.choice.embedded.info
    now_ms = plan.record.updated_ms
    space = tx.space_for(info, now_ms) if info and encoded is not None and encoded.vector is not None else None
    targets = [target.record for target in plan.targets]
    relation = "merged_from" if plan.action == "update" else RELATIONS[plan.action]  # what was taken in has a successor
    made_of = [old.id for old in (*targets, record) if old.id != plan.record.id]
    draft = Draft(
        record=plan.record,
        encoded=encoded,
        links=tuple((memory_id, relation) for memory_id in made_of),
        verdict=weighed.choice.verdict,
    )
    if plan.action == "update":
        tx.amend(targets[0], draft, space, reembedded=plan.record.content != targets[0].content)
        tx.remove([record], "merged")
    else:
        tx.remove([*targets, record], "merged" if plan.action == "merge" else "replaced")
        tx.insert([draft], space)


def _count(tally: _Tally, weighed: _Weighed) -> None:
    if weighed.choice.verdict.decider != "none":
        tally.counts["decided"] += 1
    if weighed.loss:
        tally.counts[_COUNTED[weighed.choice.plan.action]] += 1
        tally.counts["removed"] += weighed.loss
        tally.lost += weighed.loss


def _diff(weighed: _Weighed) -> dict[str, Any]:
    plan = weighed.choice.plan
    before = [*(target.record for target in plan.targets), weighed.record]
    return {
        "action": plan.action,
        "before": [{"id": old.id, "memory": old.content} for old in before],
        "after": plan.record.content,
        "reason": weighed.choice.verdict.reasoning,
    }


def _too_much(order: _Order, what: str) -> str:
    return (
        f"{what}, and the loss budget allows {order.allowed:,} of {order.total:,}: look at them with dry_run, "
        "then give a larger loss_budget"
    )
