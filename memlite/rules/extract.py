"""Lasting facts and confirmed solutions of a talk, without a model: deterministic rules that prefer silence over junk.

English and Chinese. Facts are atomic, say whom they're about in the third person, and hold what is current at the end of the
window; `rules/distil/` has the steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlite.rules import dates
from memlite.rules.distil.dialogue import Draft, Extraction, Fact, FactOrigin, Role, Solution, Turn
from memlite.rules.distil.person import chinese, english, group_of
from memlite.rules.distil.solutions import solutions
from memlite.rules.distil.window import Window

__all__ = ["CONFIDENCE", "Extraction", "Fact", "FactOrigin", "Role", "Solution", "Turn", "extract"]

CONFIDENCE: dict[FactOrigin, float] = {"user_stated": 0.9, "user_confirmed": 0.85, "agent_inferred": 0.5, "tool_output": 0.4}
"""How far a fact may be trusted, by who said it."""

MIN_COLUMNS = 24
"""A shorter sentence hardly stands alone; it is told as the user's own account. A Chinese character has two columns."""

_NOW_FIRST = re.compile(r"^Now the user((?:'s [a-z]+)?)(?= [a-z]+s\b)")
"""A sentence with "now" before its subject reads like a thought of the moment."""

_SAYS_NOTHING = re.compile(r"(.{2,80}) (?:is|are) (?:called )?\1\.", re.IGNORECASE)
"""What is left of "they are my kids" where "they" were the kids."""


def extract(turns: Sequence[Turn], now_ms: int | None = None) -> Extraction:
    """The facts and solutions of a window, in the order of the talk.

    >>> [fact.text for fact in extract([Turn("user", "Hi! I'm a midwife in Cork and my son is allergic to nuts.")]).facts]
    ["The user is a midwife in Cork and the user's son is allergic to nuts."]

    Args:
        turns: oldest first.
        now_ms: when the talk was, for turns that have no time of their own; None leaves "yesterday" as it stands.
    """
    window = Window(turns)
    for index in range(len(turns)):
        window.take(index)
    group = group_of(" ".join(turn.content[:2_000] for turn in turns if turn.role == "user"))
    told: dict[str, Fact] = {}
    for draft in _worth_telling(window):
        fact = _fact(draft, window, group, now_ms)
        if not _SAYS_NOTHING.fullmatch(fact.text):
            told.setdefault(fact.text.casefold(), fact)
    return Extraction(tuple(told.values()), solutions(turns))


def _worth_telling(window: Window) -> list[Draft]:
    """The drafts without the names of relatives that another fact says anyway."""
    texts = " ".join(window.english.named(draft.text) for draft in window.drafts if not draft.key.endswith(" name"))
    kept = []
    for draft in window.drafts:
        called = f"{draft.key.removesuffix(' name')} {draft.text.rsplit(' ', 1)[-1]}"
        if not (draft.key.endswith(" name") and called in texts):
            kept.append(draft)
    return kept


def _fact(draft: Draft, window: Window, group: str, now_ms: int | None) -> Fact:
    if draft.chinese:
        text = chinese(draft.text)
    else:
        text = english(draft.text if draft.final else window.english.named(draft.text), group)
        text = _NOW_FIRST.sub(r"The user\1 now", text)
    said_ms = next((ms for i in reversed(draft.turns) if (ms := window.turns[i].occurred_ms) is not None), now_ms)
    occurred_ms = said_ms
    if said_ms is not None:
        occurred_ms = dates.happened_ms(draft.text, said_ms)
        text = dates.absolute(text, said_ms)
    return Fact(_finished(text, draft.chinese), draft.subject, draft.origin, CONFIDENCE[draft.origin], occurred_ms, draft.turns)


def _finished(text: str, zh: bool) -> str:
    """With a full stop, and long enough to stand alone."""
    text = re.sub(r"\s+", " ", text).strip(" ,，;；:：.。!！")
    columns = sum(2 if ord(character) > 0x2E7F else 1 for character in text) + (2 if zh else 1)
    if columns <= MIN_COLUMNS:
        first = text[:1].lower() if text.startswith("The ") else text[:1]
        text = f"据用户自己所说，{text}" if zh else f"By their own account, {first}{text[1:]}"
    return text + ("。" if zh else ".")
