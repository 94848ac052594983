"""Finding memories again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memlite.engine import embed
from memlite.engine.kit import Kit
from memlite.errors import NotFound
from memlite.model import AREAS, STATUSES, Hit, Record
from memlite.ports import RecallQuery
from memlite.rules import filters as rules
from memlite.rules import inputs, presets, terms, text
from memlite.rules.filters import Group, Leaf
from memlite.values import Page

MAX_PAGE = 1_000


def search(kit: Kit, query: object, given: Mapping[str, Any]) -> tuple[list[Hit], bool]:
    """(the best memories, best first; whether the ranking is exact by construction).

    Raises:
        BadInput: an argument is out of its range.
        SpaceMismatch: the file's vectors were made by another model; preset "lexical" needs none.
    """
    asked = text.clean(query, what="query", max_bytes=kit.settings.max_text_bytes)
    user_id = user_of(kit, given["user_id"])
    preset = presets.choose(kit.settings.preset if given["preset"] is None else given["preset"], given["weights"])
    question = RecallQuery(
        preset=preset,
        vector=embed.for_query(kit, asked) if preset.form == "dense" or preset.dense_share > 0 else None,
        terms=tuple(terms.query_terms(asked)),
        filters=narrowed(user_id, given),
        status=inputs.choice(given["status"], (*STATUSES, "any"), what="status"),
        limit=inputs.limit(given["limit"]),
        exact=inputs.flag(given["exact"], what="exact"),
        explain=inputs.flag(given["explain"], what="explain"),
        floor=None if given["floor"] is None else inputs.share(given["floor"], what="floor"),
        now_ms=kit.clock(),
    )
    hits, exact = kit.store.recall(user_id, question, touch=inputs.flag(given["touch"], what="touch"))
    kit.store.flush_touches(question.now_ms, only_due=True)
    return hits, exact


def get(kit: Kit, memory_id: object, user_id: object) -> Record:
    """A memory by its id, whatever its status.

    Raises:
        NotFound: this user has none of that id; `successors` tells what replaced it.
    """
    owner = user_of(kit, user_id)
    wanted = text.name(memory_id, what="memory_id")
    found = kit.store.get(owner, [wanted])
    if not found:
        raise NotFound(f"no memory {wanted} of this user: history() tells what became of it", kit.store.successors(owner, wanted))
    return found[0]


def get_all(kit: Kit, given: Mapping[str, Any]) -> Page:
    """A page of the user's memories, newest first."""
    user_id = user_of(kit, given["user_id"])
    status = inputs.choice(given["status"], (*STATUSES, "any"), what="status")
    return kit.store.page(
        user_id,
        narrowed(user_id, given),
        status,
        inputs.limit(given["limit"], most=MAX_PAGE),
        inputs.cursor(given["cursor"]),
        None if status == "any" else kit.clock(),
    )


def user_of(kit: Kit, user_id: object) -> str:
    """The user of a call: the one it names, else the store's."""
    return kit.user_id if user_id is None else text.name(user_id, what="user_id")


def narrowed(user_id: str, given: Mapping[str, Any]) -> Group | None:
    """The call's filters with its area, agent and session as further conditions."""
    parts: list[Group | Leaf] = []
    if given.get("area") is not None:
        parts.append(Leaf("area", "area", "eq", inputs.choice(given["area"], AREAS, what="area")))
    named = [name for name in ("agent_id", "session_id") if given.get(name) is not None]
    parts += [Leaf(name, name, "eq", text.name(given[name], what=name)) for name in named]
    tree = rules.parse(given["filters"], user_id=user_id)
    if tree is not None:
        parts.append(tree)
    return Group("all", tuple(parts)) if parts else None
