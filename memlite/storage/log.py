"""What was decided about new memories, and which texts were not worth keeping: the audit read the other way round."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memlite.storage.audit import standing
from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import from_image

Entry = dict[str, Any]


def decided(session: Session, scope: int, before: int, limit: int) -> list[Entry]:
    """Decisions about new memories with an action below `before`, newest first; a text that was dropped is None."""
    rows = session.records(sql("decided"), {"scope": scope, "before": before, "limit": limit})
    undone = _undone(session, [row["run"] for row in rows])
    return [_decision(session, scope, row) | {"undone_by": undone.get(row["run"])} for row in rows]


def rejected(session: Session, scope: int, before: int, limit: int) -> list[Entry]:
    """Extracted texts that were not kept, newest first, each with the code of the rule; a text that was dropped is None."""
    rows = session.records(sql("rejected"), {"scope": scope, "before": before, "limit": limit})
    return [_common(row) | {"rejected": (_loaded(row["told"]) or {}).get("rejected")} for row in rows]


def _common(row: Mapping[str, Any]) -> Entry:
    return {name: row[name] for name in ("action", "memory_id", "change_id", "verb", "at_ms", "event", "reason")}


def _decision(session: Session, scope: int, row: Mapping[str, Any]) -> Entry:
    ruling = _loaded(row["ruling"])
    old = {row["memory_id"]: _content(row["image"])} if row["event"] == "UPDATE" else {}
    for action in session.records(sql("actions_of"), {"run": row["run"]}):
        if action["event"] == "DELETE":
            old[action["memory_id"]] = _content(action["image"])
    return _common(row) | {
        "ruling": ruling,
        "told": _loaded(row["told"]),
        "after": _after(session, scope, row),
        "before": old,
        "offered": _offered(session, scope, ruling["offered"], old),
    }


def _after(session: Session, scope: int, row: Mapping[str, Any]) -> str | None:
    """The text that the decision left: what the next change found, else what is there."""
    following = session.one(sql("image_after"), {"id": row["memory_id"], "action": row["action"]})
    return _content(following[0]) if following else _live(session, scope, [row["memory_id"]]).get(row["memory_id"], (0, None))[1]


def _offered(session: Session, scope: int, offered: Sequence[Sequence[Any]], old: Mapping[str, str | None]) -> list[Entry]:
    """What the decider could choose from. A text that has changed since is not the one it saw, and is left out."""
    live = _live(session, scope, [memory_id for memory_id, *_ in offered])
    found = []
    for memory_id, version, relevance, coverage in offered:
        now, content = live.get(memory_id, (0, None))
        seen = old.get(memory_id, content if now == version else None)
        found.append({"id": memory_id, "relevance": relevance, "coverage": coverage, "memory": seen})
    return found


def _live(session: Session, scope: int, ids: Sequence[str]) -> dict[str, tuple[int, str | None]]:
    rows = session.records(sql("by_ids"), {"scope": scope, "ids": json.dumps(ids)})
    return {row["id"]: (row["version"], row["content"]) for row in rows}


def _undone(session: Session, runs: Sequence[int]) -> dict[int, str]:
    tree = session.rows(sql("undo_tree"), {"runs": json.dumps(runs)})
    stands = standing(tree)
    return {undoes: change for run, change, undoes in tree if undoes is not None and run in stands}


def _content(image: str | bytes | None) -> str | None:
    return from_image(image)[0]["content"] if image else None  # type: ignore[arg-type]


def _loaded(text: str | None) -> Any:
    return json.loads(text) if text else None
