"""Values as the plain dicts that callers get. Times are ISO 8601 in UTC."""

from __future__ import annotations

from typing import Any

from memlite.model import Change, Hit, Record, iso


def memory(record: Record) -> dict[str, Any]:
    """A memory."""
    return {
        "id": record.id,
        "memory": record.content,
        "user_id": record.user_id,
        "agent_id": record.agent_id,
        "session_id": record.session_id,
        "run_id": record.session_id,
        "seq": record.seq,
        "area": record.area,
        "kind": record.kind,
        "granularity": record.granularity,
        "role": record.role,
        "subject": record.subject,
        "keywords": list(record.keywords),
        "importance": record.importance,
        "confidence": record.confidence,
        "origin": record.origin,
        "status": record.status,
        "flags": list(record.flags),
        "pinned": record.pinned,
        "created_at": iso(record.created_ms),
        "updated_at": iso(record.updated_ms),
        "occurred_at": iso(record.occurred_ms),
        "accessed_at": iso(record.accessed_ms),
        "expires_at": iso(record.expires_ms),
        "access_count": record.access_count,
        "version": record.version,
        "hash": record.content_hash,
        "metadata": dict(record.metadata),
    }


def hit(found: Hit) -> dict[str, Any]:
    """A search result: the memory and where its score came from."""
    shaped = memory(found.record) | {
        "score": found.score,
        "relevance": found.relevance,
        "coverage": found.coverage,
        "recency": found.recency,
        "parts": {
            "relevance": found.parts.relevance,
            "recency": found.parts.recency,
            "importance": found.parts.importance,
        },
        "truncated": found.truncated,
    }
    return shaped if found.detail is None else shaped | {"explain": dict(found.detail)}


def change(entry: Change) -> dict[str, Any]:
    """An entry of the audit."""
    return {
        "change_id": entry.id,
        "verb": entry.verb,
        "at": iso(entry.at_ms),
        "user_id": entry.user_id,
        "events": [{"id": memory_id, "event": event} for memory_id, event in entry.events],
        "undoes": entry.undoes,
        "undone_by": entry.undone_by,
    }


def history(memory_id: str, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What happened to a memory."""
    return [
        {
            "id": entry["action"],
            "memory_id": memory_id,
            "old_memory": entry["before"],
            "new_memory": entry["after"],
            "event": entry["event"],
            "reason": entry["reason"],
            "ruling": entry["ruling"],
            "told": entry["told"],
            "verb": entry["verb"],
            "change_id": entry["change_id"],
            "created_at": iso(entry["at_ms"]),
            "is_deleted": entry["event"] == "DELETE",
        }
        for entry in entries
    ]


def decision(entry: dict[str, Any]) -> dict[str, Any]:
    """What was decided about a new memory."""
    ruling, told = entry["ruling"], entry["told"] or {}
    return {
        "memory_id": entry["memory_id"],
        "event": entry["event"],
        "requested": ruling["requested"],
        "action": ruling["applied"],
        "reason": ruling["reason"],
        "decider": ruling["decider"],
        "told": told,
        "memory": entry["after"],
        "before": [{"id": memory_id, "memory": content} for memory_id, content in entry["before"].items()],
        "offered": entry["offered"],
        "verb": entry["verb"],
        "change_id": entry["change_id"],
        "undone_by": entry["undone_by"],
        "created_at": iso(entry["at_ms"]),
    }


def rejection(entry: dict[str, Any]) -> dict[str, Any]:
    """A text that was found in a conversation and not kept."""
    return {
        "memory_id": entry["memory_id"],
        "reason": entry["reason"],
        "rejected": entry["rejected"],
        "change_id": entry["change_id"],
        "created_at": iso(entry["at_ms"]),
    }
