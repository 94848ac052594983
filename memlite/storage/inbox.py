"""Turns that wait to be distilled, and the leases under which they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memlite.errors import LeaseLost
from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.values import Waiting


def enqueue(
    session: Session, scope: int, session_id: str | None, turns: Sequence[str], options: Mapping[str, Any], now_ms: int
) -> int:
    """Lets turns wait; the item's number."""
    row = {
        "scope": scope,
        "session_id": session_id,
        "turns": json.dumps(list(turns)),
        "options": json.dumps(dict(options)),
        "now_ms": now_ms,
    }
    return int(session.value(sql("enqueue"), row))


def waiting(session: Session, scope: int | None, limit: int) -> list[Waiting]:
    """What waits, oldest first."""
    return [_item(row) for row in session.records(sql("waiting"), {"scope": scope, "limit": limit})]


def next_of(session: Session, scope: int, session_id: str | None, item: int) -> Waiting | None:
    """The first item of a session from `item` on."""
    rows = session.records(sql("next_of_session"), {"scope": scope, "session_id": session_id, "item": item})
    return _item(rows[0]) if rows else None


def require_lease(session: Session, name: str, token: int) -> None:
    """Makes sure, inside a change, that it is still made under the lease.

    Raises:
        LeaseLost: another took it over.
    """
    if session.value(sql("lease_holds"), {"name": name, "token": token}) is None:
        raise LeaseLost(f"the lease {name} went to another while this was worked on: nothing was changed, the other finishes it")


def _item(row: Mapping[str, Any]) -> Waiting:
    return Waiting(
        item=row["item"],
        user_id=row["user_id"],
        session_id=row["session_id"],
        turns=tuple(json.loads(row["turns"])),
        options=json.loads(row["options"]),
        attempts=row["attempts"],
    )
