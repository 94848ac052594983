"""Going over a user's memories by key, for a sweep that compares each with the older ones."""

from __future__ import annotations

import json

from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import space_key, to_record
from memlite.values import Page


def page(session: Session, user_id: str, scope: dict[str, int], area: str | None, after: int, limit: int, now_ms: int) -> Page:
    """Memories with a key past `after` (the user's own count) that a sweep may change. The cursor is the last one's place."""
    values = {**scope, "after": scope["low"] + after, "area": area, "limit": limit, "now_ms": now_ms}
    rows = session.records(sql("swept"), values)
    records = tuple(to_record(row, user_id) for row in rows)
    return Page(records=records, cursor=f"c{rows[-1]['rid'] - scope['low']:x}" if rows else None)


def count(session: Session, scope: dict[str, int], area: str | None, now_ms: int) -> int:
    """How many active memories there are, turns aside."""
    return int(session.value(sql("count_swept"), {**scope, "area": area, "now_ms": now_ms}))


def vector_of(session: Session, scope: dict[str, int], memory_id: str) -> tuple[bytes, bool] | None:
    """(float32 vector of the active space, whether it covers only the beginning) of a memory; None where it has none."""
    active = session.one(sql("active_space"))
    rids = session.rows(sql("rids_of"), {"scope": scope["scope"], "ids": json.dumps([memory_id])})
    if not active or not rids:
        return None
    found = session.one(sql("embedding"), {"key": space_key(int(active[0])) + rids[0][0]})
    return (found[0], bool(found[2])) if found else None
