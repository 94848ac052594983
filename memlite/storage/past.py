"""What happened: the entries of a memory and the changes of a user, read from the audit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memlite.errors import BadInput, shown
from memlite.model import Change
from memlite.storage.audit import standing
from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import from_image


def entries(actions: Sequence[Mapping[str, Any]], now: str | None) -> list[dict[str, Any]]:
    """What happened to a memory, oldest first, with its texts before and after; one that was dropped is None. `now`: its text."""
    texts = [from_image(a["image"])[0]["content"] if a["image"] else None for a in actions]
    after = now
    found = []
    for action, before in zip(reversed(actions), reversed(texts), strict=True):
        found.append(
            {
                "action": action["action"],
                "change_id": action["change_id"],
                "verb": action["verb"],
                "event": action["event"],
                "reason": action["reason"],
                "ruling": json.loads(action["ruling"]) if action["ruling"] else None,
                "told": json.loads(action["told"]) if action["told"] else None,
                "at_ms": action["at_ms"],
                "before": before,
                "after": None if action["event"] == "DELETE" else after,
                "state": action["state"],
            }
        )
        if action["event"] != "NONE":
            after = before
    return found[::-1]


def changes(session: Session, scope: int, user_id: str, before: int, limit: int) -> tuple[list[Change], str | None]:
    """(the user's changes before that run, newest first; cursor of the rest or None)."""
    rows = session.rows(sql("changes"), {"scope": scope, "before": before, "limit": limit + 1})
    runs = json.dumps([row[0] for row in rows[:limit]])
    events: dict[int, list[tuple[str, str]]] = {}
    for run, memory_id, event in session.rows(sql("events_of"), {"runs": runs}):
        events.setdefault(run, []).append((memory_id, event))
    tree = session.rows(sql("undo_tree"), {"runs": runs})
    stands = standing(tree)
    undone = {undoes: change for run, change, undoes in tree if undoes is not None and run in stands}
    found = [
        Change(
            id=change_id,
            verb=verb,
            at_ms=at_ms,
            user_id=user_id,
            events=tuple(events.get(run, ())),
            undoes=undoes,
            undone_by=undone.get(run),
        )
        for run, change_id, verb, at_ms, undoes in rows[:limit]
    ]
    return found, f"c{rows[limit - 1][0]:x}" if len(rows) > limit else None


def told(action: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """(reason, applied action) of an entry, as the call told them."""
    if not action["ruling"]:
        return action["reason"], None
    ruling = json.loads(action["ruling"])
    return (ruling["reason"] if ruling.get("requested") else None) or action["reason"], ruling.get("applied")


def place(cursor: str) -> int:
    """The number a cursor stands for.

    Raises:
        BadInput: it is none of ours.
    """
    try:
        if not cursor.startswith("c"):
            raise ValueError
        number = int(cursor[1:], 16)
        if number >= 2**62 or cursor != f"c{number:x}":
            raise ValueError
        return number
    except (ValueError, AttributeError):
        raise BadInput(f"cursor {shown(cursor)} is none of this store's: pass the one the page before gave") from None
