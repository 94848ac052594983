"""Whose word counts for more: the tiers of where a memory comes from.

What a tool printed must not overwrite what the user said, on whatever way it goes: a memory made of others counts as the weakest
of them. Documents the owner added stand beside the tiers: they and the conversation leave each other alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

USER, AGENT, OUTSIDE = 2, 1, 0

_TIERS = MappingProxyType(  # the stronger first; within a tier the order only decides which name a mixture goes by
    {
        "user_stated": USER,
        "user_confirmed": USER,
        "agent_inferred": AGENT,
        "reflection": AGENT,
        "consolidation": AGENT,  # given by a caller; what the engine itself merges is named for its weakest part
        "tool_output": OUTSIDE,
        "import": OUTSIDE,
        "document": OUTSIDE,
    }
)
_STRENGTH = {origin: -place for place, origin in enumerate(_TIERS)}


def tier(origin: str) -> int:
    """USER, AGENT or OUTSIDE; a higher tier is a larger number. A document's is OUTSIDE: it may say anything.

    >>> tier("user_confirmed") > tier("reflection") > tier("tool_output")
    True
    """
    return _TIERS[origin]


def is_document(origin: str) -> bool:
    """Whether a memory is a piece of a document, which is never merged with conversation."""
    return origin == "document"


def may_replace(new_origin: str, old_origin: str) -> bool:
    """Whether a new memory may replace, rewrite or absorb an old one: of the same tier or a higher one.

    >>> may_replace("user_stated", "tool_output"), may_replace("tool_output", "user_stated")
    (True, False)
    """
    if is_document(new_origin) or is_document(old_origin):
        return new_origin == old_origin
    return tier(new_origin) >= tier(old_origin)


def lowest(origins: Iterable[str]) -> str:
    """The weakest of the origins, as which a memory made of all of them counts; at least one must be given.

    >>> lowest(["user_stated", "tool_output", "user_confirmed"])
    'tool_output'
    """
    return min(origins, key=_STRENGTH.__getitem__)
