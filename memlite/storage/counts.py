"""What a file holds, in numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memlite.storage.connection import Session
from memlite.storage.queries import sql
from memlite.storage.rows import space_key


def of(session: Session, number: int | None, scope: dict[str, int] | None) -> dict[str, Any]:
    """Counts of a user's memories, or of all: `number` is his scope, -1 for one without, None for all; `scope` has his keys."""
    rows = session.rows(sql("stats"), {"scope": number})
    active = session.records(sql("active_space"))
    found: dict[str, Any] = {"memories": sum(row[4] for row in rows), "text_bytes": sum(row[5] for row in rows)}
    for place, name in enumerate(("area", "kind", "status", "granularity")):
        found[f"by_{name}"] = _summed(rows, place)
    found["waiting"] = int(session.value(sql("count_waiting"), {"scope": number}))
    found["vectors"] = _count_vectors(session, active, scope, everyone=number is None)
    found["space"] = _space_dict(active[0]) if active else None
    return found


def of_file(session: Session) -> dict[str, Any]:
    """Changes, before-images that are kept, and bytes of the file."""
    runs, kept = session.one(sql("count_runs")) or (0, 0)
    pages = session.value("pragma page_count") * session.value("pragma page_size")
    return {"changes": runs, "kept_images": kept, "file_bytes": pages}


def _space_dict(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("space", "model", "dimension", "max_tokens")} | {
        "languages": json.loads(row["languages"])
    }


def _summed(rows: Sequence[tuple[Any, ...]], place: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows:
        found[row[place]] = found.get(row[place], 0) + row[4]
    return dict(sorted(found.items()))


def _count_vectors(session: Session, active: Sequence[dict[str, Any]], scope: dict[str, int] | None, *, everyone: bool) -> int:
    if not active or (not everyone and scope is None):
        return 0
    base = space_key(active[0]["space"])
    low, high = (scope["low"], scope["high"]) if scope else (0, space_key(1) - 1)
    return int(session.value(sql("count_embeddings"), {"low": base + low, "high": base + high}))
