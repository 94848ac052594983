"""Looking back, and going back."""

from __future__ import annotations

from typing import Any

from memlite.engine import recall
from memlite.engine.kit import Kit
from memlite.errors import Conflict, NotFound, Stale
from memlite.model import Change
from memlite.ports import Tx
from memlite.rules import inputs, text

MAX_PAGE = 1_000


def history(kit: Kit, memory_id: object, user_id: object) -> list[dict[str, Any]]:
    """What happened to a memory, oldest first; also to one that is gone.

    Raises:
        NotFound: nothing is known of that id.
    """
    wanted = text.name(memory_id, what="memory_id")
    entries = kit.store.history(recall.user_of(kit, user_id), wanted)
    if not entries:
        raise NotFound(f"nothing is known of a memory {wanted} of this user: get_all() lists those there are")
    return entries


def changes(kit: Kit, user_id: object, limit: object, cursor: object) -> tuple[list[Change], str | None]:
    """(the user's changes, newest first; cursor of the rest or None)."""
    return kit.store.changes(recall.user_of(kit, user_id), inputs.limit(limit, most=MAX_PAGE), inputs.cursor(cursor))


def log(kit: Kit, user_id: object, limit: object, cursor: object, *, rejected: object) -> tuple[list[dict[str, Any]], str | None]:
    """(decisions about new memories, or the texts not worth keeping, newest first; cursor of the rest or None)."""
    return kit.store.log(
        recall.user_of(kit, user_id),
        inputs.limit(limit, most=MAX_PAGE),
        inputs.cursor(cursor),
        rejected=inputs.flag(rejected, what="rejected"),
    )


def undo(kit: Kit, change_id: object, user_id: object, *, cascade: bool, dry_run: bool) -> dict[str, Any]:
    """Takes a change back: every memory it touched is as it was before. The ids of the new changes and what they did.

    Raises:
        NotFound: this user made no such change.
        Stale: a later change touched the same memories; with `cascade` that is taken back first.
        Conflict: it was taken back already.
        Erased, Expired: the texts from before are gone.
    """
    owner = recall.user_of(kit, user_id)
    wanted = text.name(change_id, what="change_id")
    inputs.flag(cascade, what="cascade")
    inputs.flag(dry_run, what="dry_run")
    try:
        with kit.store.write() as tx:
            done = _undo(kit, tx, owner, wanted, cascade=cascade, verb="undo")
            if dry_run:
                raise _RehearsalError(done)
    except _RehearsalError as rehearsal:
        return rehearsal.result | {"dry_run": True, "change_id": None, "change_ids": []}
    return done


def redo(kit: Kit, change_id: object, user_id: object) -> dict[str, Any]:
    """Makes a change again that was undone: takes back its undo.

    Raises:
        NotFound: this user made no such change.
        Conflict: it was not undone.
        Stale: a later change touched the same memories.
    """
    owner = recall.user_of(kit, user_id)
    wanted = text.name(change_id, what="change_id")
    with kit.store.write() as tx:
        run, _ = tx.run_of(owner, wanted)
        taken_back = tx.undone_by(run)
        if taken_back is None:
            raise Conflict(f"{wanted} was not undone: there is nothing to redo")
        return _undo(kit, tx, owner, taken_back[1], cascade=False, verb="redo")


class _RehearsalError(Exception):
    """Carries the outcome of a dry run out of the transaction that it rolls back."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


def _undo(kit: Kit, tx: Tx, owner: str, change_id: str, *, cascade: bool, verb: str) -> dict[str, Any]:
    now_ms = kit.clock()
    run, _ = tx.run_of(owner, change_id)
    taken_back = tx.undone_by(run)
    if taken_back is not None:
        raise Conflict(f"{change_id} was undone already by {taken_back[1]}: redo() makes it again")
    later = tx.in_the_way(owner, run)
    if later and not cascade:
        raise Stale(
            f"{len(later)} later changes touched the same memories, the last is {later[0][1]}: undo it first, or set cascade",
            later[0][1],
        )
    made, events = [], []
    for target in _in_turn(tx, owner, run):
        made.append(tx.open_run(owner, verb, now_ms=now_ms, undoes=target))
        events += tx.revert(target)
    return {
        "change_id": made[-1],
        "change_ids": made,
        "results": [{"id": memory_id, "event": event} for memory_id, event in events],
    }


def _in_turn(tx: Tx, owner: str, run: int) -> list[int]:
    """The run and all that must be taken back before it, newest first: later changes of its memories, of theirs, and so on."""
    needed, unseen = {run}, [run]
    while unseen:
        found = {other for other, _ in tx.in_the_way(owner, unseen.pop())} - needed
        needed |= found
        unseen += found
    return sorted(needed, reverse=True)
