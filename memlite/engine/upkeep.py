"""Looking after the file."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from memlite.engine import recall
from memlite.engine.kit import Kit
from memlite.errors import Damaged
from memlite.model import iso
from memlite.rules import inputs

_DAY_MS = 86_400_000


def check(kit: Kit, *, fix: bool) -> list[dict[str, Any]]:
    """Everything wrong with the file, as dicts; with `fix`, what is left after the derived half was rebuilt."""
    inputs.flag(fix, what="fix")
    found = kit.store.check()
    if fix and any(problem.repairable for problem in found):
        with suppress(Damaged):  # content that can't be read: nothing can be made of it
            kit.store.reindex()
        found = kit.store.check()
    return [{"code": problem.code, "message": problem.message, "repairable": problem.repairable} for problem in found]


def compact(kit: Kit) -> dict[str, int]:
    """Rebuilds the indexes, gives free pages back, and drops undo texts past `Settings.history_days`."""
    days = kit.settings.history_days
    now_ms = kit.clock()
    return kit.store.compact(None if days is None else now_ms - int(days * _DAY_MS), now_ms)


def users(kit: Kit) -> list[dict[str, Any]]:
    """Every user with memories."""
    return [{"user_id": user_id, "memories": count, "updated_at": iso(updated)} for user_id, count, updated in kit.store.users()]


def sessions(kit: Kit, user_id: object) -> list[dict[str, Any]]:
    """The user's sessions, the latest first."""
    return [
        {"session_id": name, "memories": count, "turns": turns, "first_at": iso(first), "last_at": iso(last)}
        for name, count, turns, first, last in kit.store.sessions(recall.user_of(kit, user_id))
    ]


def stats(kit: Kit, user_id: object) -> dict[str, Any]:
    """Counts of a user's memories, or of the whole file where no user is named."""
    found = kit.store.stats(None if user_id is None else recall.user_of(kit, user_id))
    return found | {"embedder": type(kit.embedder).__name__, "chat": kit.mind.chat}
