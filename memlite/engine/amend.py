"""Changing and removing memories."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memlite.engine import embed, recall
from memlite.engine.kit import Kit
from memlite.errors import BadInput, NotFound, ScopeMissing, Stale, shown
from memlite.model import AREAS, KINDS, Record
from memlite.ports import Draft
from memlite.rules import inputs, text
from memlite.rules.times import to_ms

_ATTEMPTS = 3
KEEP: Any = object()
"""Stands for an argument that was not given, where None means something."""


def update(kit: Kit, memory_id: object, given: Mapping[str, Any]) -> tuple[Record, str | None]:
    """(the memory afterwards, change id or None where nothing differed).

    Raises:
        NotFound: this user has no such memory.
        Stale: it has another version than `expected_version`.
        BadInput: an argument is out of its range, or none was given.
    """
    expected = given["expected_version"]
    if expected is not None:
        inputs.limit(expected, what="expected_version", most=2**62)
    for attempt in range(_ATTEMPTS):
        before = recall.get(kit, memory_id, given["user_id"])
        if expected is not None and before.version != expected:
            raise Stale(f"{before.id} has version {before.version}, not {shown(expected)}: read it again and repeat")
        now_ms = kit.clock()
        after = _changed(kit, before, given, now_ms)
        if after == before:
            return before, None
        try:
            return after, _put(kit, before, after, now_ms)
        except Stale:
            if expected is not None or attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _changed(kit: Kit, before: Record, given: Mapping[str, Any], now_ms: int) -> Record:
    changes: dict[str, Any] = {}
    if given["text"] is not None:
        from memlite.engine import safety  # noqa: PLC0415 - its patterns are slow to compile

        content, flags = safety.cleared(
            kit.settings, text.clean(given["text"], what="text", max_bytes=kit.settings.max_text_bytes)
        )
        changes |= {"content": content, "content_hash": text.content_hash(content).hex()}
        if content != before.content:
            changes["flags"] = flags
    if given["metadata"] is not None:
        told = inputs.metadata(given["metadata"])
        merged = {**before.metadata, **told}
        changes["metadata"] = inputs.metadata({key: merged[key] for key in merged if key not in told or told[key] is not None})
    if given["importance"] is not None:
        changes["importance"] = inputs.share(given["importance"], what="importance")
    if given["pinned"] is not None:
        changes["pinned"] = inputs.flag(given["pinned"], what="pinned")
    if given["occurred_at"] is not None:
        changes["occurred_ms"] = to_ms(given["occurred_at"], what="occurred_at")
    if given["expires_at"] is not KEEP:
        changes["expires_ms"] = None if given["expires_at"] is None else to_ms(given["expires_at"], what="expires_at")
    if given["area"] is not None:
        changes["area"] = inputs.choice(given["area"], AREAS, what="area")
    if given["kind"] is not None:
        changes["kind"] = inputs.choice(given["kind"], KINDS, what="kind")
    if not changes:
        raise BadInput("update was given nothing to change: name text, metadata, importance, pinned, a time, area or kind")
    if all(_same(getattr(before, name), value) for name, value in changes.items()):
        return before
    return replace(before, version=before.version + 1, updated_ms=now_ms, **changes)


def _same(old: object, new: object) -> bool:
    """Whether two values are the same in the file, where True is not 1."""
    return json.dumps(old, default=dict, sort_keys=True) == json.dumps(new, default=dict, sort_keys=True)


def _put(kit: Kit, before: Record, after: Record, now_ms: int) -> str:
    reembedded = after.content != before.content
    embedded = embed.for_storage(kit, [after.content]) if reembedded else None
    with kit.store.write() as tx:
        change_id = tx.open_run(after.user_id, "update", now_ms=now_ms)
        encoded = embedded.encoded[0] if embedded else None
        has_vector = encoded is not None and encoded.vector is not None
        space = tx.space_for(embedded.info, now_ms) if embedded and embedded.info and has_vector else None
        tx.amend(before, Draft(record=after, encoded=encoded), space, reembedded=reembedded)
    return change_id


def delete(kit: Kit, memory_id: object, user_id: object, *, dry_run: bool) -> tuple[Record, str | None]:
    """(the memory as it was, change id or None for a dry run).

    Raises:
        NotFound: this user has no such memory.
    """
    owner = recall.user_of(kit, user_id)
    if inputs.flag(dry_run, what="dry_run"):
        return recall.get(kit, memory_id, owner), None
    recall.get(kit, memory_id, owner)
    with kit.store.write() as tx:
        found = tx.records(owner, [str(memory_id)])
        if not found:
            raise NotFound(f"no memory {memory_id} of this user: it went meanwhile")
        change_id = tx.open_run(owner, "delete", now_ms=kit.clock())
        tx.remove(found)
    return found[0], change_id


def delete_all(kit: Kit, given: Mapping[str, Any], *, verb: str, dry_run: bool) -> tuple[list[str], str | None]:
    """(ids of the memories removed, or that would be; change id or None where nothing was).

    Raises:
        ScopeMissing: the call does not name the user itself.
    """
    if given["user_id"] is None:
        raise ScopeMissing(f"{verb} removes a user's memories and wants him named: pass user_id")
    owner = text.name(given["user_id"], what="user_id")
    tree = recall.narrowed(owner, given)
    status = given.get("status", "active")
    if inputs.flag(dry_run, what="dry_run"):
        return [record.id for record in _every(kit, owner, tree, status)], None
    with kit.store.write() as tx:  # listed inside, so that nothing slips in between
        found = _every(kit, owner, tree, status)
        if not found:
            return [], None
        change_id = tx.open_run(owner, verb, now_ms=kit.clock())
        tx.remove(found)
    return [record.id for record in found], change_id


def move(kit: Kit, ids: object, given: Mapping[str, Any]) -> tuple[list[Record], str]:
    """(the memories afterwards, change id).

    Raises:
        NotFound: one of the ids is none of this user's.
        BadInput: no ids, or nothing to move them to.
    """
    owner = recall.user_of(kit, given["user_id"])
    wanted = [ids] if isinstance(ids, str) else ids
    if not isinstance(wanted, Sequence) or not wanted:
        raise BadInput("ids is empty or no list: give the ids of the memories to move")
    names = list(dict.fromkeys(text.name(item, what="id") for item in wanted))
    to_user, changes = _target(given)
    now_ms = kit.clock()
    with kit.store.write() as tx:
        found = tx.records(owner, names)
        if len(found) < len(names):
            missing = sorted(set(names) - {record.id for record in found})
            raise NotFound(f"no memory {missing[0]} of this user ({len(missing)} in all): nothing was moved")
        change_id = tx.open_run(owner, "move", now_ms=now_ms)
        if to_user is not None:
            tx.transfer(found, to_user)
        else:
            for record in found:
                after = replace(record, version=record.version + 1, updated_ms=now_ms, **changes)
                tx.amend(record, Draft(record=after), None, reembedded=False)
    return kit.store.get(to_user or owner, names), change_id


def _target(given: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """(the new user or None, the fields that change)."""
    changes: dict[str, Any] = {}
    if given["to_session_id"] is not None:  # its place in the old session means nothing in another
        changes |= {"session_id": text.name(given["to_session_id"], what="to_session_id"), "seq": None}
    if given["to_agent_id"] is not None:
        changes["agent_id"] = text.name(given["to_agent_id"], what="to_agent_id")
    if given["to_area"] is not None:
        changes["area"] = inputs.choice(given["to_area"], AREAS, what="to_area")
    to_user = None if given["to_user_id"] is None else text.name(given["to_user_id"], what="to_user_id")
    if (to_user is None) == (not changes):
        raise BadInput("move wants either to_user_id, or any of to_session_id, to_agent_id and to_area")
    return to_user, changes


def _every(kit: Kit, user_id: str, tree: Any, status: str) -> list[Record]:
    """All that pass. What expired is still the user's, and goes with the rest."""
    found: list[Record] = []
    cursor: str | None = None
    while True:
        page = kit.store.page(user_id, tree, status, recall.MAX_PAGE, cursor, None)
        found += page.records
        cursor = page.cursor
        if cursor is None:
            return found
