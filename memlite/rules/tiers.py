"""How far an origin is trusted: who may take whose place."""

from __future__ import annotations

from collections.abc import Iterable

_TIERS = {
    "user_stated": 3,
    "user_confirmed": 3,
    "agent_inferred": 2,
    "reflection": 2,
    "consolidation": 2,
    "tool_output": 1,
    "import": 1,
    "document": 1,
}


def tier(origin: str) -> int:
    """3 for the user's own words, 2 for what an agent concluded, 1 for what came from outside."""
    return _TIERS[origin]


def is_document(origin: str) -> bool:
    """Documents the owner adds stand beside the tiers: never merged with conversation, either way."""
    return origin == "document"


def may_replace(new: str, old: str) -> bool:
    """Whether one origin may take the place of another: documents only of documents, else the same tier or a higher."""
    if is_document(new) or is_document(old):
        return is_document(new) and is_document(old)
    return tier(new) >= tier(old)


def lowest(origins: Iterable[str]) -> str:
    """The origin of the lowest tier, the first of them: what a memory made of several is."""
    return min(origins, key=tier)
